//! What the recipe gives to the simulation, on any of its lattices, with the margin.

use super::evolve::Evolve;
use super::frame::Frame;
use super::simulation::LandscapeEvolution;
use crate::resample::carry::Carried;
use crate::{Cancelled, Ctx, Grid, Layer, Terrain};

/// The least rain relative to the mean.
const LEAST_RAIN: f32 = 0.01;

/// What the recipe gives, on one lattice with its margin.
pub(super) struct Given {
    /// U as a share of the greatest, and below 0 in the sea.
    pub(super) lift: Grid,
    /// The ground that it begins on; the floor of the sea has its depth.
    pub(super) before: Grid,
    pub(super) rain: Option<Grid>,
    pub(super) rocks: Vec<Grid>,
}

impl Given {
    /// The layers that matter, with the margin around them.
    pub(super) fn new(simulation: &LandscapeEvolution, before: &Terrain, frame: &Frame) -> Self {
        let evolve = &simulation.evolve;
        let layer = |name: &str| Layer::named(name).and_then(|layer| before.layer(&layer));
        let height = finite(before.height());
        let lift = layer(&evolve.lift).map_or_else(|| height.clone(), finite);
        // Only heights have to do with the sea; another layer is a rate from 0 up.
        let is_height = evolve.lift == Layer::Height.name();
        let zero = if is_height { before.sea_level() as f32 } else { 0.0 };
        let most = (lift.range().1 - zero).max(f32::MIN_POSITIVE);
        let sea = before.sea_level() as f32;
        let mut shares = lift.map(|&value| ((value - zero) / most).max(0.0));
        if evolve.sea {
            for (share, &h) in shares.samples_mut().iter_mut().zip(height.samples()) {
                if h < sea {
                    *share = -1.0;
                }
            }
        }
        drop((lift, height));
        let rain = evolve.rain.as_deref().and_then(layer).map(|grid| {
            let positive = finite(grid).map(|&rain| rain.max(0.0));
            let sum: f64 = positive.samples().iter().map(|&rain| f64::from(rain)).sum();
            let mean = (sum / positive.samples().len() as f64).max(1e-30) as f32;
            positive.map(|&rain| (rain / mean).max(LEAST_RAIN))
        });
        let rocks = simulation.geology.weights(before).into_iter().map(Carried::into_samples);
        let pad = |grid: &Grid| frame.padded(grid);
        Self {
            lift: pad(&shares),
            before: pad(&begun(evolve, before)),
            rain: rain.as_ref().map(pad),
            rocks: rocks.map(|grid| pad(&grid)).collect(),
        }
    }
}

/// What the recipe gives, for lattices that are coarser too.
pub(super) struct Source {
    lift: Carried,
    before: Carried,
    rain: Option<Carried>,
    rocks: Vec<Carried>,
}

impl Source {
    pub(super) fn new(Given { lift, before, rain, rocks }: Given) -> Self {
        Self {
            lift: Carried::averaged(lift),
            before: Carried::averaged(before),
            rain: rain.map(Carried::averaged),
            rocks: rocks.into_iter().map(Carried::averaged).collect(),
        }
    }

    /// On a coarser lattice.
    pub(super) fn on(&self, size: [u32; 2], ctx: &Ctx<'_>) -> Result<Given, Cancelled> {
        let carry = |grid: &Carried| grid.to(size, ctx);
        Ok(Given {
            lift: carry(&self.lift)?,
            before: carry(&self.before)?,
            rain: self.rain.as_ref().map(carry).transpose()?,
            rocks: self.rocks.iter().map(carry).collect::<Result<_, _>>()?,
        })
    }

    /// On its own lattice.
    pub(super) fn into_given(self) -> Given {
        Given {
            lift: self.lift.into_samples(),
            before: self.before.into_samples(),
            rain: self.rain.map(Carried::into_samples),
            rocks: self.rocks.into_iter().map(Carried::into_samples).collect(),
        }
    }
}

/// The ground that it begins on: as much of the height as `start` says. The floor of the sea has its depth, where rivers end
/// there.
pub(super) fn begun(evolve: &Evolve, before: &Terrain) -> Grid {
    let (sea, start) = (before.sea_level() as f32, evolve.start as f32);
    finite(before.height()).map(|&h| match (evolve.sea && h < sea, evolve.start == 1.0) {
        (true, _) | (_, true) => h,
        (false, false) => sea + start * (h - sea),
    })
}

/// A grid without infinite numbers and those that are none.
fn finite(grid: &Grid) -> Grid {
    grid.map(|&h| if h.is_finite() { h } else { 0.0 })
}
