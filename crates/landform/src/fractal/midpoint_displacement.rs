//! Midpoint displacement (Fournier, Fussell & Carpenter 1982): each side and each cell gets a new point in its middle, the
//! mean of its ends or corners, moved up or down at random.
//!
//! ```text
//! amplitude of pass p = amplitude · 2^(−pH)
//! ```
//!
//! The lattice begins with random heights, `wavelength` metres apart, and goes on beyond the ground: any rectangle is
//! covered, and a finer output is the same terrain with more passes. Old points never move again, which leaves the
//! creases along the sides that this method is known for, unless the interpolation is cubic;
//! [diamond-square](super::diamond_square) has fewer.
//!
//! With `corners` it begins as the textbooks have it: with one cell over the whole ground, whose four heights are given. They
//! keep them to the end. The outermost grid lines are the sides of that cell, so a size of 2ⁿ + 1 samples is refined
//! exactly and any other is read between the points of the next finer lattice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dyadic::{Dyadic, Rule, Start, passes_for};
use super::interpolation::Interpolation;
use super::matrix_diamond_square::Raw;
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Operator, Prepared, Reach, Site};
use crate::{Grid, Lattice, math};

/// Points in the middle of old ones, moved at random: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MidpointDisplacement {
    /// Distance of the points that it begins with: the size of the largest hills.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
    /// How far those points are moved, up or down.
    #[schemars(range(min = 0.0, max = 100_000.0), extend("unit" = "m"))]
    pub amplitude: f64,
    /// Scaling exponent H: 0 jagged, 1 smooth.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub h: f64,
    /// How heights between old ones are found: bilinear is the classic rule, cubic is without its creases.
    pub interpolation: Interpolation,
    /// Number of passes; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub passes: u32,
    /// Heights of the four corners of the ground, north-west, north-east, south-west, south-east: one cell is stretched over
    /// the ground and begins with them, and `wavelength` is not used. Without, the start is random.
    #[schemars(inner(range(min = -1e6, max = 1e6)), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<[f64; 4]>,
}

impl Default for MidpointDisplacement {
    fn default() -> Self {
        Self {
            wavelength: 5120.0,
            amplitude: 900.0,
            h: 1.0,
            interpolation: Interpolation::Bilinear,
            passes: 16,
            corners: None,
        }
    }
}

impl Operator for MidpointDisplacement {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let size = (self.wavelength, self.passes);
        let heights = (self.amplitude, math::exp(-self.h * std::f64::consts::LN_2));
        let rule = Rule::Midpoint(self.interpolation);
        Ok(Prepared::Field(Box::new(Raw(match self.corners {
            Some(corners) => over_ground(rule, corners, self.passes, heights, site),
            None => endless(rule, size, heights, site),
        }))))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// A surface without borders that begins with random heights `wavelength` metres apart.
pub(super) fn endless(
    rule: Rule,
    (wavelength, passes): (f64, u32),
    (amplitude, falloff): (f64, f64),
    site: &Site<'_>,
) -> Dyadic {
    let step = site.output.spacing.map(|spacing| spacing / wavelength);
    let passes = passes_for(step, &site.output).min(passes);
    let start = (rule, Start::Random(amplitude as f32));
    Dyadic::new(start, (amplitude * falloff, falloff), site.seed, passes, step)
}

/// A surface that begins with one cell over the ground, whose corners have these heights row by row from the north.
pub(super) fn over_ground(
    rule: Rule,
    corners: [f64; 4],
    passes: u32,
    (amplitude, falloff): (f64, f64),
    site: &Site<'_>,
) -> Dyadic {
    let step = site.output.size.map(|count| 1.0 / f64::from(count - 1).max(1.0));
    let passes = passes_for(step, &site.output).min(passes);
    let start = Grid::from_fn(2, 2, |i, j| corners[2 * j + i] as f32);
    let kind = (rule, Start::Matrix(start));
    Dyadic::new(kind, (amplitude * falloff, falloff), site.seed, passes, step)
}

#[cfg(test)]
mod tests {
    use crate::{Grid, Inputs, Plan, Recipe};

    const KINDS: [&str; 3] = [
        "diamond_square\"\n",
        "midpoint_displacement\"\n",
        "midpoint_displacement\"\ninterpolation = \"cubic\"\n",
    ];
    const CORNERS: &str = "corners = [100, -40, 730, 5]\n";

    fn plan(size: &str, kind: &str, more: &str) -> Plan {
        let text = format!(
            "version = 1\nseed = 2\n{size}\nspacing = [10, 10]\n[[stage]]\nlabel = \"a\"\n{more}kind = \"{kind}"
        );
        Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap()
    }

    fn run(size: &str, kind: &str, more: &str) -> Grid {
        let plan = plan(size, kind, more);
        plan.run(&plan.lattice().whole(), &()).unwrap().height().clone()
    }

    #[test]
    fn the_corners_of_the_ground_have_the_heights_given() {
        for kind in KINDS {
            for size in ["size = [65, 65]", "size = [70, 41]", "size = [2, 2]"] {
                for resolution in ["", "\nresolution = [129, 257]", "\nresolution = [50, 33]"] {
                    let grid = run(&format!("{size}{resolution}"), kind, CORNERS);
                    let (east, south) = (grid.width() - 1, grid.height() - 1);
                    let found = [(0, 0), (east, 0), (0, south), (east, south)].map(|at| grid[at]);
                    let expected = [100.0, -40.0, 730.0, 5.0];
                    // Between points of the lattice the last sample is interpolated, and rounds.
                    let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3);
                    assert!(is_near, "{kind} {size}{resolution}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_points_are_means_of_the_corners_moved_by_at_most_the_amplitude() {
        for kind in KINDS {
            let still = run("size = [3, 3]", kind, &format!("{CORNERS}amplitude = 0\n"));
            assert_eq!(still[(1, 1)], 198.75, "{kind}");
            let moved = run("size = [3, 3]", kind, &format!("{CORNERS}amplitude = 80\n"));
            let by = (moved[(1, 1)] - still[(1, 1)]).abs();
            // Pass 1 with H = 1 has half the amplitude.
            assert!(by > 0.0 && by <= 40.0, "{kind}: {by}");
        }
        let tilted = run("size = [65, 33]", KINDS[1], &format!("{CORNERS}amplitude = 0\n"));
        assert_eq!((tilted[(16, 0)], tilted[(0, 8)], tilted[(64, 16)]), (65.0, 257.5, -17.5));
    }

    #[test]
    fn corners_replace_the_wavelength_and_tiles_stay_windows_of_the_whole() {
        for kind in KINDS {
            let size = "size = [97, 61]";
            let whole = run(size, kind, CORNERS);
            assert!(whole != run(size, kind, ""), "{kind}");
            let wide = format!("{CORNERS}wavelength = 77\n");
            assert!(whole == run(size, kind, &wide), "{kind}");
            let plan = plan(size, kind, CORNERS);
            let window = plan.lattice().window(31, 7, 40, 54).unwrap();
            let tile = plan.run(&window, &()).unwrap();
            assert!(tile.height() == &whole.crop(31, 7, 40, 54), "{kind}");
        }
    }

    #[test]
    fn corners_that_are_not_four_heights_are_refused() {
        let refused = |corners: &str| {
            let text = format!(
                "version = 1\nsize = [9, 9]\nspacing = [1, 1]\n[[stage]]\nkind = \"diamond_square\"\ncorners = {corners}\n"
            );
            Recipe::parse(&text).unwrap_err().to_string()
        };
        let few = refused("[1, 2, 3]");
        assert!(few.contains("corners is a list of 3 values, but must be a list of 4"), "{few}");
        let high = refused("[1, 2, 3, 2e6]");
        assert!(high.contains("corners[3] is 2000000, but must be"), "{high}");
    }
}
