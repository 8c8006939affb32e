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

use super::ground::Rock;
use super::runoff::stride_of;
use crate::error::Error;
use crate::mask::{Mask, ResolvedMask};
use crate::resample::carry::Carried;
use crate::stage::Site;
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Grid, Lattice, Terrain, math, par};

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

/// The foot of the lowest bed on one lattice. The sine of a sum is made from those of the columns and rows.
struct Foot {
    /// Sunk by, and the sine and cosine of the fold, of each column and row.
    columns: Vec<[f64; 3]>,
    rows: Vec<[f64; 3]>,
    fold: f64,
}

impl Foot {
    /// The lattice begins `margin` metres before the ground that the beds are laid out on.
    fn new(strata: &Strata, lattice: &Lattice, margin: [f64; 2]) -> Self {
        let toward = strata.toward.to_radians();
        let sinking = math::tan(strata.dip.to_radians());
        let whole = lattice.whole();
        let part = |p: f64, base: f64| {
            let angle = std::f64::consts::TAU * p / strata.wavelength;
            [base - sinking * p, math::sin(angle), math::cos(angle)]
        };
        let (east, north) = (math::sin(toward), math::cos(toward));
        let columns = (0..whole.width())
            .map(|i| part(east * (whole.x(i) - margin[0]), strata.base))
            .collect();
        let rows =
            (0..whole.height()).map(|j| part(-north * (whole.z(j) - margin[1]), 0.0)).collect();
        Self { columns, rows, fold: strata.fold }
    }

    /// Its altitude at a sample.
    fn at(&self, i: usize, j: usize) -> f64 {
        let ([sunk_x, sin_x, cos_x], [sunk_z, sin_z, cos_z]) = (self.columns[i], self.rows[j]);
        sunk_x + sunk_z + self.fold * (sin_x * cos_z + cos_x * sin_z)
    }
}

/// The bed at a height above the foot of the lowest, when `tops` are the tops of the beds.
fn bed_at(tops: &[f64], height: f64) -> usize {
    let total = tops[tops.len() - 1];
    let above = height - (height / total).floor() * total;
    // Rounding can leave a trace above the highest bed.
    tops.iter().position(|&top| above < top).unwrap_or(tops.len() - 1)
}

impl Strata {
    fn tops(&self) -> Vec<f64> {
        let grow = |top: &mut f64, bed: &Bed| {
            *top += bed.thickness;
            Some(*top)
        };
        self.beds.iter().scan(0.0, grow).collect()
    }
}

/// The rock of a whole ground, ready to be asked.
pub(crate) struct Geology {
    /// K_c, K_d and K_s of sandstone.
    constants: [f64; 3],
    rock: RockKind,
    strata: Option<Strata>,
    bodies: Vec<(RockKind, ResolvedMask)>,
}

impl Geology {
    pub(crate) fn new(
        constants: [f64; 3],
        rock: RockKind,
        strata: Option<&Strata>,
        bodies: &[RockBody],
        site: &Site<'_>,
    ) -> Result<Self, Error> {
        if strata.is_some_and(|strata| strata.beds.is_empty()) {
            return Err(Error::of("strata.beds", "is empty, but there must be a bed"));
        }
        // The masks are evaluated on the lattice of the recipe, whatever the resolution of the result.
        let site = Site { output: site.design, ..*site };
        let bodies = bodies.iter().enumerate().map(|(k, body)| {
            let named = |error: Error| error.renamed(|name| format!("rocks[{k}].{name}"));
            Ok((body.rock, body.mask.resolve(&site).map_err(named)?))
        });
        let bodies = bodies.collect::<Result<_, Error>>()?;
        Ok(Self { constants, rock, strata: strata.cloned(), bodies })
    }

    /// The weights of the bodies on the lattice of `before`.
    pub(crate) fn weights(&self, before: &Terrain) -> Vec<Carried> {
        let extent = *before.extent();
        let view = TerrainView::of(before);
        let weigh = |(_, mask): &(RockKind, ResolvedMask)| {
            let mut weights = Grid::filled(extent.width(), extent.height(), 0.0);
            par::for_each_row(weights.samples_mut(), extent.width(), |j, row| {
                mask.weigh(&view, &extent, j, row);
            });
            Carried::new(weights)
        };
        self.bodies.iter().map(weigh).collect()
    }

    /// Number of bodies.
    pub(super) fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Whether the rock at a place changes as the ground is worn down.
    pub(crate) fn has_depth(&self) -> bool {
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
        let of = |rock: &RockKind| {
            let factors = rock.factors();
            [0, 1, 2].map(|k| (self.constants[k] * factors[k]) as f32)
        };
        let Some(lowest) = self.kinds().next().filter(|_| self.kinds().count() > 1) else {
            return Rock::Uniform(of(&self.rock));
        };
        let greater = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|k| a[k].max(b[k]));
        let greatest = self.kinds().map(of).fold(of(lowest), greater);
        let shares_of = |rock: &RockKind| {
            let constants = of(rock);
            [0, 1, 2].map(|k| if greatest[k] > 0.0 { constants[k] / greatest[k] } else { 0.0 })
        };
        let beds = match &self.strata {
            None => vec![shares_of(&self.rock)],
            Some(strata) => strata.beds.iter().map(|bed| shares_of(&bed.rock)).collect(),
        };
        let bodies: Vec<[f32; 3]> = self.bodies.iter().map(|(rock, _)| shares_of(rock)).collect();
        let depth = self
            .strata
            .as_ref()
            .map(|strata| (Foot::new(strata, lattice, [0.0; 2]), strata.tops()));
        let bed = |i: usize, j: usize, change: f32| match &depth {
            None => beds[0],
            Some((foot, tops)) => {
                beds[bed_at(tops, f64::from(base[(i, j)] + change) - foot.at(i, j))]
            }
        };
        let stride = stride_of(base.width());
        let mut shares = [(); 3].map(|()| vec![0_u16; stride * base.height()]);
        let [capacity, deposition, softness] = &mut shares;
        let rows = capacity
            .chunks_mut(stride)
            .zip(deposition.chunks_mut(stride))
            .zip(softness.chunks_mut(stride));
        let mut rows: Vec<_> = rows.collect();
        par::for_each_part(&mut rows, 1, 1, |j, row| {
            let ((capacity, deposition), softness) = &mut row[0];
            for i in 0..base.width() {
                let mut rock = bed(i, j, change[j * stride + i]);
                for (body, weight) in bodies.iter().zip(weights) {
                    let weight = weight[(i, j)].clamp(0.0, 1.0);
                    rock = [0, 1, 2].map(|k| rock[k] + weight * (body[k] - rock[k]));
                }
                [capacity[i], deposition[i], softness[i]] =
                    rock.map(|share| (share * 65535.0).round() as u16);
            }
        });
        Rock::Varied { greatest, shares }
    }

    /// K_s of the rock at the surface of ground with these heights; nothing where it is that of sandstone everywhere. The
    /// lattice begins `margin` metres before the ground that the beds are laid out on.
    pub(crate) fn softness(
        &self,
        lattice: &Lattice,
        margin: [f64; 2],
        heights: &[f32],
        weights: &[Grid],
    ) -> Option<Vec<f32>> {
        if self.kinds().all(|&rock| rock == RockKind::Sandstone) {
            return None;
        }
        let of = |rock: RockKind| (self.constants[2] * rock.factors()[2]) as f32;
        let depth = self
            .strata
            .as_ref()
            .map(|strata| (Foot::new(strata, lattice, margin), strata.tops(), strata));
        let width = lattice.size[0] as usize;
        let mut soft = vec![0.0; heights.len()];
        par::for_each_row(&mut soft, width, |j, row| {
            for (i, soft) in row.iter_mut().enumerate() {
                *soft = match &depth {
                    None => of(self.rock),
                    Some((foot, tops, strata)) => {
                        let above = f64::from(heights[j * width + i]) - foot.at(i, j);
                        of(strata.beds[bed_at(tops, above)].rock)
                    }
                };
                for ((rock, _), weight) in self.bodies.iter().zip(weights) {
                    *soft += weight[(i, j)].clamp(0.0, 1.0) * (of(*rock) - *soft);
                }
            }
        });
        Some(soft)
    }

    /// All kinds of rock that there are.
    fn kinds(&self) -> impl Iterator<Item = &RockKind> {
        let beds = self.strata.iter().flat_map(|strata| strata.beds.iter().map(|bed| &bed.rock));
        let own = self.strata.is_none().then_some(&self.rock);
        beds.chain(own).chain(self.bodies.iter().map(|(rock, _)| rock))
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
        let tops = Strata::default().tops();
        assert_eq!(tops, [60.0, 90.0]);
        let beds = [-100.0, -80.0, -10.0, 0.0, 59.0, 61.0, 89.0, 91.0].map(|h| bed_at(&tops, h));
        assert_eq!(beds, [1, 0, 1, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn beds_sink_in_their_direction_and_folds_come_back() {
        let lattice = Lattice { size: [9, 9], spacing: [100.0, 50.0] };
        let foot = |strata: Strata| Foot::new(&strata, &lattice, [0.0; 2]);
        let east = foot(Strata { dip: 45.0, toward: 90.0, ..Strata::default() });
        assert!((east.at(1, 3) + 100.0).abs() < 1e-9);
        let south = foot(Strata { dip: 45.0, toward: 180.0, ..Strata::default() });
        assert!((south.at(3, 2) + 100.0).abs() < 1e-9);
        let folded = foot(Strata { fold: 50.0, wavelength: 400.0, ..Strata::default() });
        assert!((folded.at(1, 0) - 50.0).abs() < 1e-9);
        assert!(folded.at(8, 5).abs() < 1e-9);
        let oblique = Strata { toward: 30.0, fold: 7.0, wavelength: 333.0, ..Strata::default() };
        let p = 300.0 * 0.5 - 200.0 * (0.75_f64).sqrt();
        let expected = 7.0 * math::sin(std::f64::consts::TAU * p / 333.0);
        assert!((foot(oblique).at(3, 4) - expected).abs() < 1e-9);
    }
}
