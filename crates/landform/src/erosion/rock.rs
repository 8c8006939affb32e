//! Rock: how readily the ground is worn, by kind, by place and by depth.
//!
//! A kind of rock is three factors, relative to sandstone, on the constants of hydraulic erosion: K_c, how much of
//! it water can carry; K_d, how fast it settles; K_s, how fast it is dug up.
//!
//! ```text
//! altitude of the foot of the lowest bed at (x, z) = base − tan(dip)·p + fold·sin(2π·p/wavelength)
//! p = x·sin(toward) − z·cos(toward)           metres in the direction in which the beds sink
//! ```
//!
//! Beds repeat upwards and downwards. A body of rock lies over the beds where its mask is, and fades into them where
//! the mask fades; a later one lies over an earlier one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::carry::Carried;
use super::ground::Rock;
use super::runoff::stride_of;
use crate::error::Error;
use crate::mask::{Mask, ResolvedMask};
use crate::stage::Site;
use crate::view::View;
use crate::{Cancelled, Ctx, Grid, Lattice, Layer, Terrain, math, par};

/// A kind of rock, from the hardest to the softest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RockKind {
    /// Hardly worn at all: stands out as tors, plugs and ridges.
    Granite,
    /// Hard lava.
    Basalt,
    /// Makes cliffs and benches.
    Limestone,
    /// The measure of the others.
    #[default]
    Sandstone,
    /// Soft; its fine grains settle slowly.
    Shale,
    /// Very soft; its mud is carried far.
    Clay,
    /// Loose, and settles soon.
    Sand,
    /// The softest.
    Soil,
}

impl RockKind {
    /// The factors on K_c, K_d and K_s.
    pub fn factors(self) -> [f64; 3] {
        match self {
            Self::Granite => [1.0, 1.0, 0.03],
            Self::Basalt => [1.0, 1.0, 0.1],
            Self::Limestone => [1.0, 1.0, 0.3],
            Self::Sandstone => [1.0, 1.0, 1.0],
            Self::Shale => [1.2, 0.6, 2.0],
            Self::Clay => [1.5, 0.3, 3.0],
            Self::Sand => [0.7, 1.5, 4.0],
            Self::Soil => [1.2, 1.0, 5.0],
        }
    }
}

/// A body of rock of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RockBody {
    /// The kind of rock.
    pub rock: RockKind,
    /// Where it is: a region, a painted picture, where a layer has some value …
    pub mask: Mask,
}

/// One bed of [`Strata`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bed {
    /// The kind of rock.
    pub rock: RockKind,
    /// How thick it is.
    #[schemars(range(min = 0.01, max = 20_000.0), extend("unit" = "m"))]
    pub thickness: f64,
}

/// Beds of rock, one upon the other: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Strata {
    /// The beds from the lowest to the highest; they repeat above and below.
    #[schemars(length(min = 1, max = 100))]
    pub beds: Vec<Bed>,
    /// Altitude of the foot of the lowest bed, at the north-west corner.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    pub base: f64,
    /// How steeply the beds sink.
    #[schemars(range(min = 0.0, max = 80.0), extend("unit" = "°"))]
    pub dip: f64,
    /// The direction in which they sink and are folded, clockwise from north.
    #[schemars(range(min = 0.0, max = 360.0), extend("unit" = "°"))]
    pub toward: f64,
    /// Height of the folds above and below the middle.
    #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
    pub fold: f64,
    /// Distance from fold to fold.
    #[schemars(range(min = 1.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
}

impl Default for Strata {
    fn default() -> Self {
        let bed = |rock, thickness| Bed { rock, thickness };
        let beds = vec![bed(RockKind::Shale, 60.0), bed(RockKind::Limestone, 30.0)];
        Self { beds, base: 0.0, dip: 0.0, toward: 90.0, fold: 0.0, wavelength: 2000.0 }
    }
}

impl Strata {
    /// The altitude of the foot of the lowest bed below or above a point.
    fn foot(&self, x: f64, z: f64) -> f64 {
        let toward = self.toward.to_radians();
        let p = x * math::sin(toward) - z * math::cos(toward);
        let sunk = self.base - math::tan(self.dip.to_radians()) * p;
        if self.fold == 0.0 {
            return sunk;
        }
        sunk + self.fold * math::sin(std::f64::consts::TAU * p / self.wavelength)
    }

    /// The kind of rock at an altitude above the foot of the lowest bed.
    fn rock_above(&self, height: f64) -> RockKind {
        let total: f64 = self.beds.iter().map(|bed| bed.thickness).sum();
        let mut left = height - (height / total).floor() * total;
        for bed in &self.beds {
            left -= bed.thickness;
            if left < 0.0 {
                return bed.rock;
            }
        }
        // Rounding can leave a trace above the highest bed.
        self.beds.last().map_or(RockKind::default(), |bed| bed.rock)
    }
}

/// The rock of a whole ground, ready to be asked.
pub(super) struct Geology {
    /// K_c, K_d and K_s of sandstone.
    constants: [f64; 3],
    rock: RockKind,
    strata: Option<Strata>,
    bodies: Vec<(RockKind, ResolvedMask)>,
}

impl Geology {
    pub(super) fn new(
        constants: [f64; 3],
        rock: RockKind,
        strata: Option<&Strata>,
        bodies: &[RockBody],
        site: &Site<'_>,
    ) -> Result<Self, Error> {
        // The masks are evaluated on the lattice of the recipe, whatever the resolution of the result.
        let site = Site { output: site.design, ..*site };
        let bodies = bodies.iter().enumerate().map(|(k, body)| {
            let named = |error: Error| {
                let name = error.parameter.unwrap_or_default();
                Error { parameter: Some(format!("rocks[{k}].{name}")), ..error }
            };
            Ok((body.rock, body.mask.resolve(&site).map_err(named)?))
        });
        let bodies = bodies.collect::<Result<_, Error>>()?;
        Ok(Self { constants, rock, strata: strata.cloned(), bodies })
    }

    /// The weights of the bodies on the lattice of `before`.
    pub(super) fn weights(&self, before: &Terrain) -> Vec<Carried> {
        let extent = *before.extent();
        let old = before.height().samples();
        let view = View { others: before, target: &Layer::HEIGHT, old, old_extent: extent };
        let weigh = |(_, mask): &(RockKind, ResolvedMask)| {
            let mut weights = Grid::filled(extent.width(), extent.height(), 0.0);
            par::for_each_row(weights.samples_mut(), extent.width(), |j, row| {
                mask.weigh(&view, &extent, j, row);
            });
            Carried::new(weights)
        };
        self.bodies.iter().map(weigh).collect()
    }

    /// Whether the rock at a place changes as the ground is worn down.
    pub(super) fn has_depth(&self) -> bool {
        self.strata.is_some()
    }

    /// The rock on a lattice whose ground is at this altitude: `base + change`, the rows of the change as long as
    /// those of the state.
    pub(super) fn rock(
        &self,
        lattice: &Lattice,
        (base, change): (&Grid, &[f32]),
        weights: &[Grid],
    ) -> Rock {
        let of = |rock: RockKind| {
            let factors = rock.factors();
            [0, 1, 2].map(|k| (self.constants[k] * factors[k]) as f32)
        };
        if self.strata.is_none() && self.bodies.is_empty() {
            return Rock::Uniform(of(self.rock));
        }
        let beds = self.strata.iter().flat_map(|strata| strata.beds.iter().map(|bed| bed.rock));
        let kinds = beds.chain([self.rock]).chain(self.bodies.iter().map(|(rock, _)| *rock));
        let greatest = kinds.map(of).reduce(|a, b| [0, 1, 2].map(|k| a[k].max(b[k])));
        let greatest = greatest.expect("there is one kind at least");
        let stride = stride_of(base.width());
        let mut shares = [(); 3].map(|()| vec![0_u16; stride * base.height()]);
        let whole = lattice.whole();
        let [capacity, deposition, softness] = &mut shares;
        let rows = capacity
            .chunks_mut(stride)
            .zip(deposition.chunks_mut(stride))
            .zip(softness.chunks_mut(stride));
        let mut rows: Vec<_> = rows.collect();
        par::for_each_part(&mut rows, 1, 16, |part, rows| {
            for (j, ((capacity, deposition), softness)) in rows.iter_mut().enumerate() {
                let j = part * 16 + j;
                for i in 0..base.width() {
                    let mut constants = match &self.strata {
                        None => of(self.rock),
                        Some(strata) => {
                            let altitude = f64::from(base[(i, j)] + change[j * stride + i]);
                            let foot = strata.foot(whole.x(i), whole.z(j));
                            of(strata.rock_above(altitude - foot))
                        }
                    };
                    for ((rock, _), weight) in self.bodies.iter().zip(weights) {
                        let (body, weight) = (of(*rock), weight[(i, j)].clamp(0.0, 1.0));
                        constants =
                            [0, 1, 2].map(|k| constants[k] + weight * (body[k] - constants[k]));
                    }
                    let share = |k: usize| match greatest[k] > 0.0 {
                        true => (constants[k] / greatest[k] * 65535.0).round() as u16,
                        false => 0,
                    };
                    (capacity[i], deposition[i], softness[i]) = (share(0), share(1), share(2));
                }
            }
        });
        Rock::Varied { greatest, shares }
    }

    /// The weights on another lattice.
    pub(super) fn weights_on(
        weights: &[Carried],
        lattice: &Lattice,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<Grid>, Cancelled> {
        weights.iter().map(|carried| carried.to(lattice.size, ctx)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beds_repeat_upwards_and_downwards() {
        let strata = Strata::default();
        let rocks =
            [-100.0, -80.0, -10.0, 0.0, 59.0, 61.0, 89.0, 91.0].map(|h| strata.rock_above(h));
        use RockKind::{Limestone as L, Shale as S};
        assert_eq!(rocks, [L, S, L, S, S, L, L, S]);
    }

    #[test]
    fn beds_sink_in_their_direction_and_folds_come_back() {
        let east = Strata { dip: 45.0, toward: 90.0, ..Strata::default() };
        assert!((east.foot(100.0, 37.0) + 100.0).abs() < 1e-9);
        let south = Strata { dip: 45.0, toward: 180.0, ..Strata::default() };
        assert!((south.foot(37.0, 100.0) + 100.0).abs() < 1e-9);
        let folded = Strata { fold: 50.0, wavelength: 400.0, ..Strata::default() };
        assert!((folded.foot(100.0, 0.0) - 50.0).abs() < 1e-9);
        assert!((folded.foot(800.0, 5.0)).abs() < 1e-9);
    }
}
