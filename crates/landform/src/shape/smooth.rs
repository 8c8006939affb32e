//! Gaussian smoothing: rounds what is sharper than a radius.
//!
//! ```text
//! h' = h ∗ g_x ∗ g_z        g(d) ∝ exp(−d²/2σ²), cut off at 3σ
//! ```
//!
//! The radius σ is in metres, so another resolution is smoothed alike. Beyond the edge of the ground the height
//! of the edge goes on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::error::{Error, number};
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, math, par};

/// The widest kernel on one side, in samples: a wider one would make tiles mostly halo.
const WIDEST: u32 = 1024;

/// Rounds the ground: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Smooth {
    /// Standard deviation of the kernel: what is smaller than this disappears.
    #[schemars(range(min = 0.0, max = 100_000.0), extend("unit" = "m"))]
    pub radius: f64,
}

impl Default for Smooth {
    fn default() -> Self {
        Self { radius: 50.0 }
    }
}

impl Smooth {
    /// How many samples the kernel spans on each side of its middle, along x and z.
    fn cells(&self, lattice: &Lattice) -> [u32; 2] {
        lattice.spacing.map(|spacing| (3.0 * self.radius / spacing).ceil() as u32)
    }

    /// The weights of the middle and of one side; together with the other side they sum to 1.
    fn kernel(&self, cells: u32, spacing: f64) -> Vec<f64> {
        if cells == 0 {
            return vec![1.0];
        }
        let gauss = |k: u32| {
            let d = f64::from(k) * spacing / self.radius;
            math::exp(-0.5 * d * d)
        };
        let weights: Vec<f64> = (0..=cells).map(gauss).collect();
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

impl Operator for Smooth {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let cells = self.cells(&site.output);
        if cells.iter().any(|&cells| cells > WIDEST) {
            let spacing = site.output.spacing[0].min(site.output.spacing[1]);
            let most = f64::from(WIDEST) * spacing / 3.0;
            let spacing = number(spacing);
            let allowed = format!("at most {most:.4} where samples are {spacing} m apart");
            return Err(Error::not_allowed("radius", number(self.radius), allowed));
        }
        let [x, z] = [0, 1].map(|axis| self.kernel(cells[axis], site.output.spacing[axis]));
        Ok(Prepared::Field(Box::new(Gaussian { x, z })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, output: &Lattice) -> Reach {
        let [x, z] = self.cells(output);
        Reach::Cells(x.max(z))
    }

    fn access(&self) -> Access {
        Access { values: Some(Reads::Ground), ..Access::PLAIN }
    }
}

/// The two halves of a separable kernel.
struct Gaussian {
    x: Vec<f64>,
    z: Vec<f64>,
}

impl Field for Gaussian {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let width = extent.width();
        let side = self.x.len() as isize - 1;
        par::try_for_each_part(out, width, 1, |row, samples| {
            ctx.check()?;
            // The column sums of this row first, then along it: each is summed from the middle outwards.
            let columns: Vec<f64> = (-side..width as isize + side)
                .map(|column| {
                    let at = |step: isize| {
                        f64::from(view.sample(view.target(), extent, column, row as isize + step))
                    };
                    let outer = self.z.iter().enumerate().skip(1);
                    outer.fold(self.z[0] * at(0), |sum, (k, weight)| {
                        sum + weight * (at(-(k as isize)) + at(k as isize))
                    })
                })
                .collect();
            for (column, sample) in samples.iter_mut().enumerate() {
                let middle = column + side as usize;
                let outer = self.x.iter().enumerate().skip(1);
                let sum = outer.fold(self.x[0] * columns[middle], |sum, (k, weight)| {
                    sum + weight * (columns[middle - k] + columns[middle + k])
                });
                *sample = sum as f32;
            }
            Ok(())
        })
    }
}
