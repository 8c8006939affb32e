//! A peak on the grid lines of a terrain.

use super::Cone;
use crate::Lattice;

/// An uplift whose centre is a crossing of grid lines, as UPD files and recipes have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Grid line to the east, i_p. May lie off the grid.
    pub i: i64,
    /// Grid line to the south, j_p. May lie off the grid.
    pub j: i64,
    /// Height y_p in metres; below 0 a hollow.
    pub height: f64,
    /// Radius r_p of the base circle in metres, above 0.
    pub radius: f64,
}

impl Peak {
    /// The farthest grid line on which a peak may lie.
    pub const FARTHEST: i64 = 1_000_000_000;

    /// How steep the cone is: y_p / r_p, the R of the model.
    pub fn ruggedness(&self) -> f64 {
        self.height / self.radius
    }

    /// The uplift in metres.
    pub fn cone(&self, lattice: &Lattice) -> Cone {
        let [dx, dz] = lattice.spacing;
        let (x, z) = (self.i as f64 * dx, self.j as f64 * dz);
        Cone { x, z, height: self.height, radius: self.radius }
    }
}

/// Four significant digits and at most three decimals: enough for a peak, and short in a file.
pub(super) fn shortened(value: f64) -> f64 {
    let decimals = format!("{value:.3}");
    let is_small = value.abs() < 1.0 && decimals.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    let text = if is_small { decimals } else { format!("{value:.3e}") };
    text.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_numbers_have_four_digits() {
        let short = [586.637, 29.3349, 12_345.6, 0.123_456, 0.000_012_34].map(shortened);
        assert_eq!(short, [586.6, 29.33, 12_350.0, 0.123, 0.000_012_34]);
    }
}
