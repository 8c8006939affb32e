//! Heights and plates at any extent: those of the pixels on the grid lines of the recipe, in proportion between them.

use crate::keep::Keep as _;
use crate::stage::{Field, FieldOutput, Simulated};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Layer, par};

use super::UNIT;
use crate::world::raster::{Between, Raster};

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

impl Pixels {
    fn height(&self, column: &Between, row: &Between) -> f32 {
        (UNIT * self.raster.value(&self.heights, column, row)) as f32
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
            (0..extent.width()).map(|i| self.raster.between(0, extent.x(i))).collect();
        par::try_for_each_part(out, extent.width(), PART, |part, rows| {
            for (k, samples) in rows.chunks_mut(extent.width()).enumerate() {
                let row = self.raster.between(1, extent.z(part * PART + k));
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
