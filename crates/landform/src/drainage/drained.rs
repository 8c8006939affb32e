//! Ground with its rivers and lakes: what the stage `drainage` has found, for any lattice over it.

use super::compass::Compass;
use super::depressions::{breach, route};
use super::grooves::Grooves;
use super::receivers::receivers;
use super::seam::Seam;
use crate::feature::{Feature, River};
use crate::keep::{self, keep_struct};
use crate::resample::carry::Carried;
use crate::river::carve::Carving;
use crate::river::profile::Section;
use crate::stage::{Field, FieldOutput, Simulated};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, math};

/// Ground with its rivers and lakes, for any lattice over it.
pub(super) struct Drained {
    pub(super) change: Carried,
    /// Where a cut leads on between the samples.
    pub(super) grooves: Grooves,
    /// What is taken away after the rivers have been cut, on the lattice that it was found on.
    pub(super) sills: Carried,
    /// Below 0 on the shore.
    pub(super) lake_depth: Carried,
    pub(super) flow: Carried,
    pub(super) wetness: Carried,
    pub(super) to_water: Carried,
    pub(super) carving: Carving,
    pub(super) features: Vec<Feature>,
}

keep_struct!(Drained {
    change,
    grooves,
    sills,
    lake_depth,
    flow,
    wetness,
    to_water,
    carving,
    features
});

impl Field for Drained {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(values) = out.values {
            self.cut(extent, values, ctx)?;
        }
        let mut layers = out.layers.into_iter();
        layers.try_for_each(|(layer, samples)| self.fill_layer(layer, extent, samples, ctx))
    }

    fn features(&self) -> Vec<Feature> {
        self.features.clone()
    }
}

impl Simulated for Drained {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(self)
    }
}

impl Drained {
    /// Cuts rivers into the heights of an extent, and what dams them up.
    fn cut(&self, extent: &Extent, out: &mut [f32], ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        self.change.fill(extent, out, ctx, |height, change| *height += change)?;
        self.grooves.fill(extent, out, ctx)?;
        self.carving.carve(extent, out, ctx)?;
        if self.sills.is_on(extent.lattice()) {
            self.sills.fill(extent, out, ctx, |height, sill| *height += sill)?;
        }
        Ok(())
    }

    /// Writes one of the layers of the stage, which holds 0.
    fn fill_layer(
        &self,
        layer: &Layer,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let at_least_0 = |sample: &mut f32, value: f32| *sample = value.max(0.0);
        match layer {
            Layer::Flow => self.flow.fill(extent, out, ctx, at_least_0),
            Layer::Wetness => self.wetness.fill(extent, out, ctx, |sample, value| *sample = value),
            Layer::DepthToWater => self.to_water.fill(extent, out, ctx, at_least_0),
            Layer::Lake => self.lake_depth.fill(extent, out, ctx, |sample, value| {
                *sample = if value > 0.0 { 1.0 } else { 0.0 };
            }),
            Layer::WaterDepth => {
                self.carving.fill_layer(layer, extent, out, ctx)?;
                self.lake_depth.fill(extent, out, ctx, |sample, value| *sample = sample.max(value))
            }
            Layer::River => self.carving.fill_layer(layer, extent, out, ctx),
            other => unreachable!("drainage gives no layer {other}"),
        }
    }
}

/// A river as it is cut: hardly wider than its water, but wide enough to be met by the samples.
fn sections(river: &River, lattice: &Lattice) -> Vec<Section> {
    let cell = lattice.spacing[0].max(lattice.spacing[1]);
    let gradient = |k: usize| {
        let (a, b) = (
            &river.points[k.saturating_sub(1)],
            &river.points[(k + 1).min(river.points.len() - 1)],
        );
        let length = math::length(b.x - a.x, b.z - a.z);
        if length > 0.0 { (a.bed - b.bed) / length } else { 0.0 }
    };
    let points = river.points.iter().enumerate();
    points
        .map(|(k, point)| Section {
            water: *point,
            radius: [(1.5 * point.width).max(1.2 * cell); 2],
            plain: 0.0,
            gradient: gradient(k).max(0.0),
        })
        .collect()
}

/// How rivers are cut into the ground, which have met those before them.
pub(super) fn carving(rivers: &[River], earlier: Vec<River>, lattice: &Lattice) -> Carving {
    let sections: Vec<Vec<Section>> = rivers.iter().map(|river| sections(river, lattice)).collect();
    let earlier: Vec<_> = earlier.into_iter().map(|river| river.points).collect();
    Carving::new(&sections, &earlier, Vec::new(), lattice.ground())
}

/// Ground of the opened map with the rivers cut into it.
pub(super) fn carved(
    ground: Vec<f32>,
    carving: &Carving,
    seam: Seam,
    lattice: &Lattice,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut carved = seam.closed(ground);
    carving.carve(&lattice.whole(), &mut carved, ctx)?;
    Ok(seam.opened(&carved))
}

/// What must be taken off the ground for its water to run on: a river that lies between the samples is cut deeper into some
/// of them than into the next, and strands meet over sills.
pub(super) fn sills(ground: Vec<f32>, is_base: &[bool], compass: &Compass) -> Vec<f32> {
    let (directions, order) =
        route(receivers(&ground, is_base, compass, None), &ground, is_base, compass);
    let mut cut = ground.clone();
    breach(&mut cut, &order, &directions, compass, 0.0);
    cut.iter().zip(&ground).map(|(cut, ground)| cut - ground).collect()
}

/// The ways along which the ground was cut through, in these directions.
pub(super) fn cut_ways(change: &[f32], directions: Vec<u8>, lattice: &Lattice) -> Grooves {
    let [width, height] = lattice.size.map(|count| count as usize);
    let surface = Grid::from_vec(width, height, change.to_vec());
    let directions = Grid::from_vec(width, height, directions);
    Grooves::new(&surface, &directions, lattice, |at| change[at] < 0.0)
}
