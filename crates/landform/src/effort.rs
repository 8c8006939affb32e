//! How much work a stage is, known before it runs.
//!
//! A *step* is one visit of one sample, particle or peak: about a nanosecond to ten. Work that goes by the number of samples may be
//! as long as its parameters allow, since it can be cancelled. Work that does not go by them has a limit:
//!
//! ```text
//! steps of a stage ≤ 2·10⁹ + 10⁶·n        n samples of the design lattice
//! ```
//!
//! So a small terrain takes seconds, or is refused with the name of the parameter. Whoever needs more work shares it among several stages.

use crate::error::{Error, number};
use crate::extent::Lattice;

/// Steps that a stage may take on any terrain.
const STEPS: f64 = 2e9;
/// Steps more for each sample of the design lattice.
const STEPS_A_SAMPLE: f64 = 1e6;

/// How much work a stage is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Steps, about.
    pub steps: f64,
    /// The parameter that makes it long, and its value.
    pub because: (&'static str, f64),
}

impl Effort {
    /// The work that goes by the parameter that lies farthest above its `usual` value: name, value and usual value of each.
    pub(crate) fn by_largest(steps: f64, parameters: &[(&'static str, f64, f64)]) -> Self {
        let ratio = |&(_, value, usual): &(&str, f64, f64)| value / usual;
        let largest = parameters.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let because = largest.map_or(("", 0.0), |&(name, value, _)| (name, value));
        Self { steps, because }
    }

    /// Refuses more work than a terrain may be.
    pub(crate) fn check(&self, design: &Lattice) -> Result<(), Error> {
        let [width, height] = design.size;
        let most = STEPS + STEPS_A_SAMPLE * f64::from(width) * f64::from(height);
        if self.steps <= most {
            return Ok(());
        }
        let (parameter, value) = self.because;
        let why = format!(
            "then the stage takes about {:.0e} steps, and {width} × {height} samples allow {most:.1e}: change it, or share the work among several stages",
            self.steps
        );
        Err(Error::unfit(parameter, number(value), why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_farthest_above_its_usual_value_is_named() {
        let effort = Effort::by_largest(1e13, &[("steps", 60.0, 30.0), ("speed", 60.0, 6.0)]);
        let small = Lattice { size: [25, 13], spacing: [1.0, 1.0] };
        let told = effort.check(&small).unwrap_err().to_string();
        assert!(
            told.starts_with("speed is 60, but then the stage takes about 1e13 steps"),
            "{told}"
        );
        let large = Lattice { size: [4097, 4097], spacing: [1.0, 1.0] };
        assert_eq!(effort.check(&large), Ok(()));
    }
}
