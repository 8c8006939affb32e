//! Heights and plates at any extent: those of the pixels on the grid lines of the recipe, in proportion between them.
//!
//! The report proposes that for large maps (section 3.1): "generate a smaller map, then scaling it up by interpolating".

use crate::keep::Keep as _;
use crate::stage::{Field, FieldOutput, Simulated};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Layer, math, par};

use super::UNIT;
use super::raster::Raster;

/// The pixels of a world that has been made.
pub(super) struct Pixels {
    pub(super) raster: Raster,
    /// The plate of each.
    pub(super) owner: Vec<u16>,
    /// In units.
    pub(super) heights: Vec<f32>,
}

/// Rows that are filled one after the other.
const PART: usize = 16;

/// The pixels before and after a place along an axis, and how near it is to the second.
#[derive(Clone, Copy)]
struct Between {
    pixels: [usize; 2],
    near: f64,
}

impl Between {
    fn nearest(&self) -> usize {
        self.pixels[usize::from(self.near >= 0.5)]
    }
}

impl Pixels {
    fn between(&self, axis: usize, metres: f64) -> Between {
        let at = metres / self.raster.spacing()[axis];
        let first = at.floor();
        let last = self.raster.size()[axis] - 1;
        let pixel = |k: i64| self.raster.index(axis, k).unwrap_or(last);
        Between { pixels: [pixel(first as i64), pixel(first as i64 + 1)], near: at - first }
    }

    fn height(&self, column: &Between, row: &Between) -> f32 {
        let width = self.raster.size()[0];
        let [north, south] = row.pixels.map(|j| {
            let [west, east] = column.pixels.map(|i| f64::from(self.heights[j * width + i]));
            math::lerp(west, east, column.near)
        });
        (UNIT * math::lerp(north, south, row.near)) as f32
    }

    fn plate(&self, column: &Between, row: &Between) -> f32 {
        f32::from(self.owner[row.nearest() * self.raster.size()[0] + column.nearest()])
    }

    /// Writes `value` at all samples of `extent`.
    fn fill(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
        value: impl Fn(&Between, &Between) -> f32 + Sync,
    ) -> Result<(), Cancelled> {
        let columns: Vec<Between> =
            (0..extent.width()).map(|i| self.between(0, extent.x(i))).collect();
        par::try_for_each_part(out, extent.width(), PART, |part, rows| {
            for (k, samples) in rows.chunks_mut(extent.width()).enumerate() {
                let row = self.between(1, extent.z(part * PART + k));
                for (sample, column) in samples.iter_mut().zip(&columns) {
                    *sample = value(column, &row);
                }
            }
            ctx.check()
        })
    }
}

impl Field for Pixels {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(heights) = out.values {
            self.fill(extent, heights, ctx, |column, row| self.height(column, row))?;
        }
        out.layers.into_iter().try_for_each(|(layer, samples)| match layer {
            Layer::Plate => self.fill(extent, samples, ctx, |column, row| self.plate(column, row)),
            other => unreachable!("the model of the report gives no layer {other}"),
        })
    }
}

impl Simulated for Pixels {
    fn keep(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.owner.write(&mut out);
        self.heights.write(&mut out);
        out
    }
}
