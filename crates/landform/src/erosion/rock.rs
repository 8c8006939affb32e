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
//! Two more count where land evolves: how fast it creeps, and the drainage area from which on streams cut it.
//!
//! A recipe can define [kinds of its own](NamedRock) by name, with the same three factors. To give the constants themselves, as
//! Alcock (2007) does for every location, set the `capacity`, `deposition` and `softness` of the stage to 1: the factors of a
//! kind then are its K_c, K_d and K_s.
//!
//! Beds repeat upwards and downwards. A body of rock lies over the beds where its mask is, and fades into them where
//! the mask fades; a later one lies over an earlier one.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::ground::Rock;
use super::runoff::stride_of;
use crate::error::{Error, Problem, nearest};
use crate::mask::{Mask, ResolvedMask};
use crate::resample::carry::Carried;
use crate::stage::Site;
use crate::terrain_view::TerrainView;
use crate::varying::{ResolvedVarying, Varying};
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
    /// All kinds, from the hardest to the softest.
    const ALL: [Self; 8] = [
        Self::Granite,
        Self::Basalt,
        Self::Limestone,
        Self::Sandstone,
        Self::Shale,
        Self::Clay,
        Self::Sand,
        Self::Soil,
    ];

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

    /// The word that recipes use.
    fn word(self) -> &'static str {
        match self {
            Self::Granite => "granite",
            Self::Basalt => "basalt",
            Self::Limestone => "limestone",
            Self::Sandstone => "sandstone",
            Self::Shale => "shale",
            Self::Clay => "clay",
            Self::Sand => "sand",
            Self::Soil => "soil",
        }
    }
}

/// A kind of rock by its name: one of ours, or one that the stage defines in `named_rocks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RockName {
    /// One of ours.
    Known(RockKind),
    /// One of `named_rocks`.
    Own(String),
}

impl Default for RockName {
    fn default() -> Self {
        Self::Known(RockKind::default())
    }
}

impl From<RockKind> for RockName {
    fn from(kind: RockKind) -> Self {
        Self::Known(kind)
    }
}

/// Our words with what they mean, or any other text.
impl JsonSchema for RockName {
    fn schema_name() -> Cow<'static, str> {
        "RockKind".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let known = RockKind::json_schema(generator).to_value();
        let mut names = known["oneOf"].as_array().cloned().unwrap_or_default();
        names.push(json!({
            "type": "string",
            "maxLength": 60,
            "description": "A rock that `named_rocks` defines.",
        }));
        json_schema!({
            "description": "A kind of rock: one of these, from the hardest to the softest, or one of `named_rocks`.",
            "anyOf": Json::Array(names),
        })
    }
}

/// A kind of rock of one's own: how its constants compare with those of the stage, which are those of sandstone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRock {
    /// The name by which `rock`, `rocks` and `strata` refer to it.
    #[schemars(length(max = 60))]
    pub name: String,
    /// Factor on K_c: how much of it water carries. More, and fewer fans.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub capacity: f64,
    /// Factor on K_d: how fast it settles. More, and fans are short and steep.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub deposition: f64,
    /// Factor on K_s: how fast it is dug up. Less, and it stands out.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub softness: f64,
    /// Factor on D of `evolve`: how fast its slopes creep. More, and its hills are round.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub creep: f64,
    /// Factor on `headwaters` of `evolve`: from which drainage area on streams cut it. More, and its slopes are long and smooth.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub headwaters: f64,
}

fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(factor: &f64) -> bool {
    *factor == 1.0
}

/// The factors of a kind of rock.
type Factors = [f64; 5];

/// Those that count where land evolves: K_s, creep and headwaters.
const EVOLVING: [usize; 3] = [2, 3, 4];

/// The factors of kinds of rock by their names.
struct Kinds<'a>(&'a [NamedRock]);

impl<'a> Kinds<'a> {
    /// Checks the rocks that a stage defines.
    fn new(named: &'a [NamedRock]) -> Result<Self, Error> {
        for (k, rock) in named.iter().enumerate() {
            let wrong = |why: &str| {
                Error::unfit(format!("named_rocks[{k}].name"), format!("{:?}", rock.name), why)
            };
            if rock.name.trim().is_empty() {
                return Err(wrong("a rock needs a name"));
            }
            if RockKind::ALL.iter().any(|kind| kind.word() == rock.name) {
                return Err(wrong("that is one of the known kinds: give it another name"));
            }
            if named[..k].iter().any(|other| other.name == rock.name) {
                return Err(wrong("another rock has that name"));
            }
        }
        Ok(Self(named))
    }

    /// The factors of the rock that `parameter` names.
    fn factors(&self, parameter: &str, name: &RockName) -> Result<Factors, Error> {
        let own = match name {
            RockName::Known(kind) => {
                let [capacity, deposition, softness] = kind.factors();
                return Ok([capacity, deposition, softness, 1.0, 1.0]);
            }
            RockName::Own(own) => own,
        };
        let found = self.0.iter().find(|rock| rock.name == *own);
        let factors = found.map(|rock| {
            [rock.capacity, rock.deposition, rock.softness, rock.creep, rock.headwaters]
        });
        factors.ok_or_else(|| {
            let known = RockKind::ALL.iter().map(|kind| kind.word());
            let words: Vec<&str> =
                known.chain(self.0.iter().map(|rock| rock.name.as_str())).collect();
            let near = nearest(own, &words).map(str::to_owned);
            let allowed = format!(
                "one of \"{}\", or a rock that `named_rocks` defines",
                words.join("\", \"")
            );
            let problem = Problem::NotAllowed { value: format!("{own:?}"), near, allowed };
            Error::with(Some(parameter.to_owned()), problem)
        })
    }
}

/// A body of rock of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RockBody {
    /// The kind of rock.
    pub rock: RockName,
    /// Where it is: a region, a painted picture, where a layer has some value …
    pub mask: Mask,
}

/// One bed of [`Strata`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bed {
    /// The kind of rock.
    pub rock: RockName,
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
        let bed = |rock: RockKind, thickness| Bed { rock: rock.into(), thickness };
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

/// The rock of a whole ground, ready to be asked. Kinds are their factors.
pub(crate) struct Geology {
    rock: Factors,
    strata: Option<(Strata, Vec<Factors>)>,
    bodies: Vec<(Factors, ResolvedMask)>,
}

/// What a stage says of its rock.
#[derive(Clone, Copy)]
pub(crate) struct RockTerms<'a> {
    pub(crate) rock: &'a RockName,
    pub(crate) strata: Option<&'a Strata>,
    pub(crate) bodies: &'a [RockBody],
    pub(crate) named: &'a [NamedRock],
}

impl Geology {
    pub(crate) fn new(terms: RockTerms<'_>, site: &Site<'_>) -> Result<Self, Error> {
        let kinds = Kinds::new(terms.named)?;
        let rock = kinds.factors("rock", terms.rock)?;
        let strata = match terms.strata {
            None => None,
            Some(strata) if strata.beds.is_empty() => {
                return Err(Error::of("strata.beds", "is empty, but there must be a bed"));
            }
            Some(strata) => {
                let beds = strata.beds.iter().enumerate();
                let beds = beds
                    .map(|(k, bed)| kinds.factors(&format!("strata.beds[{k}].rock"), &bed.rock));
                Some((strata.clone(), beds.collect::<Result<_, Error>>()?))
            }
        };
        // The masks are evaluated on the lattice of the recipe, whatever the resolution of the result.
        let site = Site { output: site.design, ..*site };
        let bodies = terms.bodies.iter().enumerate().map(|(k, body)| {
            let named = |error: Error| error.renamed(|name| format!("rocks[{k}].{name}"));
            let factors = kinds.factors("rock", &body.rock).map_err(named)?;
            Ok((factors, body.mask.resolve(&site).map_err(named)?))
        });
        let bodies = bodies.collect::<Result<_, Error>>()?;
        Ok(Self { rock, strata, bodies })
    }

    /// The weights of the bodies on the lattice of `before`.
    pub(crate) fn weights(&self, before: &Terrain) -> Vec<Carried> {
        let extent = *before.extent();
        let view = TerrainView::of(before);
        let weigh = |(_, mask): &(Factors, ResolvedMask)| {
            let mut weights = Grid::filled(extent.width(), extent.height(), 0.0);
            par::for_each_row(weights.samples_mut(), extent.width(), |j, row| {
                mask.weigh(&view, &extent, j, row);
            });
            Carried::new(weights)
        };
        self.bodies.iter().map(weigh).collect()
    }

    /// Number of bodies.
    pub(crate) fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Whether the rock at a place changes as the ground is worn down.
    pub(crate) fn has_depth(&self) -> bool {
        self.strata.is_some()
    }

    /// The rock on a lattice whose ground is at this altitude: `base + change`, the rows of the change as long as
    /// those of the state. `constants` are those of sandstone, and `weights` those of the bodies.
    pub(super) fn rock(
        &self,
        lattice: &Lattice,
        (base, change): (&Grid, &[f32]),
        constants: &LatticeConstants,
        weights: &[Grid],
    ) -> Rock {
        let of = |factors: &Factors| [0, 1, 2].map(|k| (constants.greatest[k] * factors[k]) as f32);
        if self.kinds().count() == 1 && constants.maps.iter().all(Option::is_none) {
            let [capacity, deposition, softness] = of(&self.rock_alone());
            return Rock::Uniform([capacity, deposition.min(1.0), softness.min(1.0)]);
        }
        let greater = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|k| a[k].max(b[k]));
        let greatest = self.kinds().map(of).reduce(greater).unwrap_or_default();
        let shares_of = |factors: &Factors| {
            let constants = of(factors);
            [0, 1, 2].map(|k| if greatest[k] > 0.0 { constants[k] / greatest[k] } else { 0.0 })
        };
        // No more can settle or be dug up than there is.
        let most = [f32::INFINITY, 1.0 / greatest[1], 1.0 / greatest[2]];
        let beds: Vec<[f32; 3]> = match &self.strata {
            None => vec![shares_of(&self.rock)],
            Some((_, beds)) => beds.iter().map(shares_of).collect(),
        };
        let bodies: Vec<[f32; 3]> = self.bodies.iter().map(|(rock, _)| shares_of(rock)).collect();
        let depth = self
            .strata
            .as_ref()
            .map(|(strata, _)| (Foot::new(strata, lattice, [0.0; 2]), strata.tops()));
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
                let rock = [0, 1, 2].map(|k| (rock[k] * constants.share(k, i, j)).min(most[k]));
                [capacity[i], deposition[i], softness[i]] =
                    rock.map(|share| (share * 65535.0).round() as u16);
            }
        });
        Rock::Varied { greatest, shares }
    }

    /// K_s, creep and headwaters of the rock at the surface of ground with these heights; nothing for what is 1 everywhere. The
    /// lattice begins `margin` metres before the ground that the beds are laid out on.
    pub(crate) fn surface(
        &self,
        lattice: &Lattice,
        margin: [f64; 2],
        heights: &[f32],
        weights: &[Grid],
    ) -> [Option<Vec<f32>>; 3] {
        let varies = EVOLVING.map(|factor| self.kinds().any(|kind| kind[factor] != 1.0));
        let mut all = varies.map(|varies| vec![0.0_f32; if varies { heights.len() } else { 0 }]);
        let depth = self
            .strata
            .as_ref()
            .map(|(strata, beds)| (Foot::new(strata, lattice, margin), strata.tops(), beds));
        let [width, height] = lattice.size.map(|count| count as usize);
        let mut rows: Vec<Vec<(usize, &mut [f32])>> = Vec::new();
        rows.resize_with(height, Vec::new);
        for (samples, factor) in all.iter_mut().zip(EVOLVING) {
            let parts = rows.iter_mut().zip(samples.chunks_mut(width));
            parts.for_each(|(row, part)| row.push((factor, part)));
        }
        par::for_each_part(&mut rows, 1, 1, |j, row| {
            let bed = |i: usize| match &depth {
                None => &self.rock,
                Some((foot, tops, beds)) => {
                    let above = f64::from(heights[j * width + i]) - foot.at(i, j);
                    &beds[bed_at(tops, above)]
                }
            };
            if row[0].is_empty() {
                return;
            }
            let beds: Vec<&Factors> = (0..width).map(bed).collect();
            for (factor, samples) in &mut row[0] {
                samples.iter_mut().zip(&beds).for_each(|(out, bed)| *out = bed[*factor] as f32);
                for ((rock, _), weight) in self.bodies.iter().zip(weights) {
                    let rock = rock[*factor] as f32;
                    for (out, weight) in samples.iter_mut().zip(weight.row(j)) {
                        *out += weight.clamp(0.0, 1.0) * (rock - *out);
                    }
                }
            }
        });
        all.map(|samples| (!samples.is_empty()).then_some(samples))
    }

    /// The factors of all kinds of rock that there are.
    fn kinds(&self) -> impl Iterator<Item = &Factors> {
        let beds = self.strata.iter().flat_map(|(_, beds)| beds);
        let own = self.strata.is_none().then_some(&self.rock);
        beds.chain(own).chain(self.bodies.iter().map(|(rock, _)| rock))
    }

    /// The factors of the first kind of rock.
    fn rock_alone(&self) -> Factors {
        self.kinds().next().copied().unwrap_or(self.rock)
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

/// K_c, K_d and K_s of sandstone, which may vary over the map.
pub(super) struct Constants([ResolvedVarying; 3]);

/// The names of the parameters for K_c, K_d and K_s.
const NAMES: [&str; 3] = ["capacity", "deposition", "softness"];

impl Constants {
    pub(super) fn new(given: [&Varying; 3], site: &Site<'_>) -> Result<Self, Error> {
        // As the masks of bodies.
        let site = Site { output: site.design, ..*site };
        let [capacity, deposition, softness] = [0, 1, 2].map(|k| given[k].resolve(NAMES[k], &site));
        Ok(Self([capacity?, deposition?, softness?]))
    }

    /// How many of them vary.
    pub(super) fn varying(&self) -> usize {
        self.0.iter().filter(|constant| constant.even().is_none()).count()
    }

    /// Those that vary, on the lattice of `before`.
    pub(super) fn maps(&self, before: &Terrain) -> [Option<Carried>; 3] {
        let extent = *before.extent();
        let view = TerrainView::of(before);
        [0, 1, 2].map(|k| {
            let constant = Some(&self.0[k]).filter(|constant| constant.even().is_none())?;
            let mut values = Grid::filled(extent.width(), extent.height(), 0.0);
            par::for_each_row(values.samples_mut(), extent.width(), |j, row| {
                constant.fill_row(&view, &extent, j, row);
            });
            Some(Carried::new(values))
        })
    }

    /// The constants on another lattice, where those that vary have these values.
    pub(super) fn on(
        &self,
        maps: &[Option<Carried>; 3],
        lattice: &Lattice,
        ctx: &Ctx<'_>,
    ) -> Result<LatticeConstants, Cancelled> {
        let ranges = [0, 1, 2].map(|k| self.0[k].range());
        let on = |k: usize| -> Result<Option<Grid>, Cancelled> {
            let Some(map) = &maps[k] else { return Ok(None) };
            let ((low, high), values) = (ranges[k], map.to(lattice.size, ctx)?);
            // The curve that carries them may leave the range between two samples.
            Ok(Some(values.map(|value| (f64::from(*value).clamp(low, high) / high) as f32)))
        };
        let maps = [on(0)?, on(1)?, on(2)?];
        Ok(LatticeConstants { greatest: ranges.map(|(_, high)| high), maps })
    }
}

/// K_c, K_d and K_s of sandstone on one lattice.
pub(super) struct LatticeConstants {
    greatest: [f64; 3],
    /// Of those that vary, the share of the greatest at each sample.
    maps: [Option<Grid>; 3],
}

impl LatticeConstants {
    fn share(&self, k: usize, i: usize, j: usize) -> f32 {
        self.maps[k].as_ref().map_or(1.0, |map| map[(i, j)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_word_that_recipes_use() {
        for kind in RockKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
            let name: RockName = serde_json::from_value(json!(kind.word())).unwrap();
            assert_eq!(name, RockName::Known(kind));
        }
        let own: RockName = serde_json::from_value(json!("tuff")).unwrap();
        assert_eq!(own, RockName::Own("tuff".to_owned()));
    }

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
