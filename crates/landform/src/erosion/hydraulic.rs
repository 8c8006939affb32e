//! Hydraulic erosion: rain runs downhill, digs gullies and valleys, and leaves fans where it slows down.
//!
//! The law of a step is that of [`runoff`](super::runoff), from Musgrave, Kolb & Mace (1989) as Alcock (2007) has it,
//! with the water shared among the eight neighbours in proportion (Beneš & Forsbach 2002). Rain falls every
//! `rain_every` steps, a share of the water evaporates in each. After the last rain it goes on until the water is
//! gone, which takes a few hundred steps at `drying` a step and a thousand at the most; what is still in the water
//! then comes to rest where it is. Banks steeper than `bank_angle` [slide](super::slide) on the way: a stream widens
//! its bed to a valley. Hard rock slides the slower the harder it is. Sediment that has settled creeps on downhill: that
//! keeps the wave out of fans that carrying and settling, each a step behind the other, would make.
//!
//! With `levels` = 1, `steepness` = 0, `bank_angle` = 90 and `creep` = 0 this is the law of the paper, but for how
//! the water is shared; [`sharing`](super::sharing) has the paper's own schemes for that. `steepness` lets water carry
//! more where it is steep, hence drop its load where a slope ends: that makes fans. `levels` runs the same law on
//! coarser lattices before: water then crosses the map in a few hundred steps, and valleys branch from large to small.
//!
//! K_c, K_d and K_s may be different at every location, as in section 3.1.1 of that paper: each is a number, or varies over the
//! map by a mask. [Rock](super::rock) multiplies them, by kind, body and bed.
//!
//! Gullies form where water digs less than it could carry (`softness` small, `capacity` large); with much softness
//! slopes wear down evenly.
//!
//! **Mass**: altitude plus sediment is kept, to rounding, but for what leaves by an open border. **Metres**: depths are
//! metres of ground or water; a step moves water to the next sample, so the lattice on which it runs is part of what
//! a recipe means: its own `size` and `spacing`, or the spacing `cell`. The *difference* is carried to any
//! other resolution by a cubic: the same valleys, with the finer detail of the ground before, of whose hollows those are
//! filled where something has settled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::{Border, RockLattice};
use super::pyramid::{Moved, Rung, climb, finest, rungs};
use super::rock::{Constants, Geology, NamedRock, RockBody, RockName, RockTerms, Strata};
use super::runoff::{Law, State, restored, spread};
use super::sharing::{Scheme, Sharing};
use super::slide::{Limits, Sliding, slide};
use crate::blend::Blend;
use crate::effort::Effort;
use crate::error::{Error, number};
use crate::keep::{self, keep_struct};
use crate::resample::carry::Carried;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::varying::Varying;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Terrain, math};

/// Steps from one slide of the banks to the next.
const SLIDE_EVERY: u32 = 4;

/// Steps from one look at which bed is at the surface to the next.
const ROCK_EVERY: u32 = 16;

/// Steps from one look at whether the water is gone to the next, and the most steps until then.
const LOOK: u32 = 16;
const DRYING_STEPS: u32 = 1000;

/// Most samples along an axis of the lattice that `cell` makes.
const LARGEST: u32 = 16_385;

/// Lets rain wear the ground: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hydraulic {
    /// How long it rains, in steps, on each level.
    #[schemars(range(min = 1, max = 10_000))]
    pub steps: u32,
    /// Depth of water that falls at once.
    #[schemars(range(min = 1e-6, max = 10.0), extend("unit" = "m"))]
    pub rain: f64,
    /// Steps from one rain to the next.
    #[schemars(range(min = 1, max = 1000))]
    pub rain_every: u32,
    /// Share of the water that evaporates in a step.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub evaporation: f64,
    /// Share of the water that evaporates in a step after the last rain.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub drying: f64,
    /// K_c: metres of sediment that a metre of water carries on a slope of 45°.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub capacity: Varying,
    /// K_d: share of what the water cannot carry that settles in a step.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub deposition: Varying,
    /// K_s: share of what the water could carry more that it digs up in a step.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub softness: Varying,
    /// How a sample shares its water among its lower neighbours.
    pub sharing: Sharing,
    /// How much it counts for the capacity that water runs steeply: 0 not at all, 1 in proportion.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub steepness: f64,
    /// Steepest bank that stands; 90 lets all stand.
    #[schemars(range(min = 1.0, max = 90.0), extend("unit" = "°"))]
    pub bank_angle: f64,
    /// How much the sediment that has settled creeps on downhill: without, fans and river beds ripple.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub creep: f64,
    /// The rock that everything is made of where nothing else is said.
    pub rock: RockName,
    /// Kinds of rock of the recipe's own, for `rock`, `rocks` and `strata`.
    #[schemars(length(max = 100))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named_rocks: Vec<NamedRock>,
    /// Bodies of other rock.
    #[schemars(length(max = 32))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rocks: Vec<RockBody>,
    /// Beds of rock instead of `rock`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strata: Option<Strata>,
    /// Number of lattices, each of half the samples of the next: 1 is the finest alone.
    #[schemars(range(min = 1, max = 16))]
    pub levels: u32,
    /// Distance between the samples of the finest lattice, if it is not that of the recipe.
    #[schemars(range(min = 1e-6, max = 1e6), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// What is beyond the border.
    pub border: Border,
    /// Whether rivers end at the sea level of the recipe and leave their load there.
    pub sea: bool,
}

impl Default for Hydraulic {
    fn default() -> Self {
        Self {
            steps: 300,
            rain: 0.01,
            rain_every: 1,
            evaporation: 0.01,
            drying: 0.05,
            capacity: 25.0.into(),
            deposition: 0.1.into(),
            softness: 0.02.into(),
            sharing: Sharing::default(),
            steepness: 1.0,
            bank_angle: 35.0,
            creep: 1.0,
            rock: RockName::default(),
            named_rocks: Vec::new(),
            rocks: Vec::new(),
            strata: None,
            levels: 5,
            cell: None,
            border: Border::default(),
            sea: true,
        }
    }
}

impl Operator for Hydraulic {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let finest = finest(&site.design, self.cell);
        if let Some(cell) = self.cell
            && finest.size.iter().any(|&count| count > LARGEST)
        {
            let ground = site.design.ground();
            let least = ground[0].max(ground[1]) / f64::from(LARGEST - 1);
            let allowed = format!("at least {least:.4} on this ground: a lattice of {LARGEST}");
            return Err(Error::not_allowed("cell", number(cell), allowed));
        }
        let constants = Constants::new(self.constants(), site)?;
        let terms = RockTerms {
            rock: &self.rock,
            strata: self.strata.as_ref(),
            bodies: &self.rocks,
            named: &self.named_rocks,
        };
        let geology = Geology::new(terms, site)?;
        let rungs = rungs(&site.design, finest, self.levels);
        let hydraulic = self.clone();
        Ok(Prepared::Simulation(Box::new(Weather { hydraulic, geology, constants, rungs })))
    }

    fn effort(&self, site: &Site<'_>) -> Option<Effort> {
        let cell = self.cell?;
        let size = finest(&site.design, Some(cell)).size;
        if size.iter().any(|&count| count > LARGEST) {
            // `prepare` refuses it, and names the least cell.
            return None;
        }
        let size = size.map(f64::from);
        // All coarser lattices together are a third of the finest.
        let steps = 4.0 / 3.0 * size[0] * size[1] * f64::from(self.steps);
        Some(Effort { steps, because: ("cell", cell) })
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn files(&self) -> Vec<&str> {
        let bodies = self.rocks.iter().flat_map(|body| body.mask.files());
        bodies.chain(self.constants().into_iter().flat_map(Varying::files)).collect()
    }

    fn access(&self) -> Access {
        let is_even = |constant: &Varying| matches!(constant, Varying::Even(_));
        let has_masks = !self.rocks.is_empty() || !self.constants().into_iter().all(is_even);
        Access {
            simulation: if has_masks { Reads::Layers } else { Reads::Ground },
            layers: vec![Layer::Sediment, Layer::Flow, Layer::Erosion, Layer::Deposition],
            ..Access::PLAIN
        }
    }
}

impl Hydraulic {
    /// K_c, K_d and K_s.
    fn constants(&self) -> [&Varying; 3] {
        [&self.capacity, &self.deposition, &self.softness]
    }

    /// How banks and sediment slide, if they do.
    fn sliding(&self, spacing: [f64; 2]) -> Option<Sliding> {
        let stands = self.bank_angle == 90.0;
        let slope = if stands {
            f64::from(f32::MAX).sqrt()
        } else {
            math::tan(self.bank_angle.to_radians())
        };
        let sliding = Sliding { limits: Limits::new(slope, spacing), creep: self.creep as f32 };
        (!stands || self.creep > 0.0).then_some(sliding)
    }
}

struct Weather {
    hydraulic: Hydraulic,
    geology: Geology,
    constants: Constants,
    /// The finest first.
    rungs: Vec<Rung>,
}

impl Simulation for Weather {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let (bodies, constants) = (self.geology.weights(before), self.constants.maps(before));
        let given = Given { bodies, constants, sea_level: before.sea_level() as f32 };
        let work = |rung: &Rung, base: &Grid, moved: Option<Moved>, ctx: &Ctx<'_>| {
            self.wear(rung, base, moved, &given, ctx)
        };
        let (Moved { change, cover }, flow) = climb(before.height(), &self.rungs, ctx, work)?;
        let ground = Carried::new(before.height().clone());
        Ok(Box::new(Eroded {
            ground,
            change: Carried::new(change),
            cover: Carried::new(cover),
            flow: Carried::new(flow),
        }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(keep::thing::<Eroded>(kept)?))
    }

    fn memory(&self, samples: u64) -> u64 {
        let finest = self.rungs[0].lattice.whole().len() as u64;
        let maps = (self.geology.bodies() + self.constants.varying()) as u64;
        let state = STATE_BYTES + Scheme::bytes(self.hydraulic.sharing);
        finest * (state + 4 * maps) + 4 * samples * (maps + 2)
    }

    fn found_memory(&self, samples: u64) -> u64 {
        4 * samples + 12 * self.rungs[0].lattice.whole().len() as u64
    }
}

/// Bytes a sample while it wears: five fields, and the rock in half the space of three.
const STATE_BYTES: u64 = 5 * 4 + 3 * 2;

/// What is known of the ground beforehand, for any lattice over it.
struct Given {
    /// The weights of the bodies of rock.
    bodies: Vec<Carried>,
    /// Those constants that vary.
    constants: [Option<Carried>; 3],
    sea_level: f32,
}

impl Weather {
    /// Wears the ground of one lattice: what has moved, and the catchment of each sample in m².
    fn wear(
        &self,
        rung: &Rung,
        base: &Grid,
        moved: Option<Moved>,
        given: &Given,
        ctx: &Ctx<'_>,
    ) -> Result<(Moved, Grid), Cancelled> {
        let size = (base.width(), base.height());
        let mut state = State::new(size.0, size.1);
        if let Some(Moved { change, cover }) = moved {
            (state.change, state.cover) = (spread(change), spread(cover));
        }
        let weights = Geology::weights_on(&given.bodies, &rung.lattice, ctx)?;
        let constants = self.constants.on(&given.constants, &rung.lattice, ctx)?;
        let rock_of =
            |change: &[f32]| self.geology.rock(&rung.lattice, (base, change), &constants, &weights);
        let rock = rock_of(&state.change);
        let mut ground = RockLattice::new(base, self.hydraulic.border, &rung.areas, rock);

        let rained = self.rain(&mut state, &mut ground, rung, given.sea_level, &rock_of, ctx)?;
        for ((change, cover), sediment) in
            state.change.iter_mut().zip(&mut state.cover).zip(&state.sediment)
        {
            *change += sediment;
            *cover += sediment;
        }
        let [dx, dz] = rung.lattice.spacing;
        let area = (dx * dz / rained) as f32;
        state.flow.iter_mut().for_each(|flow| *flow *= area);
        let State { change, cover, flow, .. } = state;
        let moved = Moved { change: restored(change, size), cover: restored(cover, size) };
        Ok((moved, restored(flow, size)))
    }

    /// Runs from the first rain until the water is gone; gives the depth of all rain.
    fn rain(
        &self,
        state: &mut State,
        ground: &mut RockLattice<'_>,
        rung: &Rung,
        sea_level: f32,
        rock_of: &dyn Fn(&[f32]) -> super::ground::Rock,
        ctx: &Ctx<'_>,
    ) -> Result<f64, Cancelled> {
        let Hydraulic { steps, rain, rain_every, evaporation, drying, .. } = self.hydraulic;
        let sliding = self.hydraulic.sliding(rung.lattice.spacing);
        let mut law = Law::new(rung.lattice.spacing);
        law.steepness = self.hydraulic.steepness as f32;
        law.film = (1e-6 * rain) as f32;
        if self.hydraulic.sea {
            law.sea = sea_level;
        }
        let size = rung.lattice.size.map(|count| count as usize);
        let mut scheme = Scheme::new(self.hydraulic.sharing, size.into());
        let mut rained = rain;
        ground.shower(state, rain as f32, law.sea);
        // Drying takes about as long as five times the time in which the water falls to 1/e.
        let expected = steps + (5.0 / drying) as u32;
        for step in 0..steps + DRYING_STEPS {
            let is_raining = step < steps;
            law.kept = (1.0 - if is_raining { evaporation } else { drying }) as f32;
            let next = step + 1;
            let falls = next < steps && next % rain_every == 0;
            law.rain = if falls { rain as f32 } else { 0.0 };
            rained += f64::from(law.rain);
            if !is_raining && step % LOOK == 0 && state.is_dry(0.1 * rain as f32) {
                break;
            }
            if step > 0 && step % ROCK_EVERY == 0 && self.geology.has_depth() {
                ground.rock = rock_of(&state.change);
            }
            ctx.progress((step as f32 / expected as f32).min(1.0))?;
            match &mut scheme {
                None => state.step(ground, &law, ctx)?,
                Some(scheme) => scheme.step(state, ground, &law, ctx)?,
            }
            if let Some(sliding) = sliding
                && step % SLIDE_EVERY == 0
            {
                slide(&mut state.change, &mut state.cover, ground, sliding, ctx)?;
            }
        }
        Ok(rained)
    }
}

/// What erosion has changed, for any lattice over the same ground.
struct Eroded {
    /// The heights before.
    ground: Carried,
    change: Carried,
    cover: Carried,
    flow: Carried,
}

keep_struct!(Eroded { ground, change, cover, flow });

impl Eroded {
    /// Changes the heights of an extent. Between the samples what has settled fills the hollows first: laid over them
    /// everywhere alike, a stream that is filled at the samples would go on as a row of pits.
    fn wear(&self, extent: &Extent, out: &mut [f32], ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        if !self.ground.is_coarser_than(extent.lattice()) {
            return self.change.fill(extent, out, ctx, |height, change| *height += change);
        }
        let mut changes = vec![0.0; out.len()];
        self.ground.fill(extent, &mut changes, ctx, |smooth, ground| *smooth = ground)?;
        changes.iter_mut().zip(&*out).for_each(|(smooth, &height)| *smooth -= height);
        self.change.fill(extent, &mut changes, ctx, |hollow, change| {
            *hollow = change + hollow.min(change).max(0.0);
        })?;
        out.iter_mut().zip(&changes).for_each(|(height, &change)| *height += change);
        Ok(())
    }
}

impl Field for Eroded {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(values) = out.values {
            self.wear(extent, values, ctx)?;
        }
        for (layer, samples) in out.layers {
            let (source, sign) = match layer {
                Layer::Sediment => (&self.cover, 1.0),
                Layer::Flow => (&self.flow, 1.0),
                Layer::Erosion => (&self.change, -1.0),
                Layer::Deposition => (&self.change, 1.0),
                other => unreachable!("hydraulic erosion gives no layer {other}"),
            };
            source.fill(extent, samples, ctx, |sample, value| *sample = (sign * value).max(0.0))?;
        }
        Ok(())
    }
}

impl Simulated for Eroded {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_settles_fills_the_hollows_between_the_samples_first() {
        let even = |height: f32| Carried::new(Grid::filled(5, 5, height));
        let after = |change: f32, size: u32| {
            let eroded = Eroded {
                ground: even(10.0),
                change: even(change),
                cover: even(0.0),
                flow: even(0.0),
            };
            let extent = Lattice { size: [size, size], spacing: [1.0, 1.0] }.whole();
            let mut out = vec![10.0; extent.len()];
            out[7..10].copy_from_slice(&[9.0, 5.0, 11.0]);
            eroded.wear(&extent, &mut out, &Ctx::new(&(), "")).unwrap();
            [out[6], out[7], out[8], out[9]]
        };
        assert_eq!(after(2.0, 17), [12.0, 12.0, 9.0, 13.0]);
        assert_eq!(after(-2.0, 17), [8.0, 7.0, 3.0, 9.0]);
        // On the lattice itself there is nothing between.
        assert_eq!(after(2.0, 5), [12.0, 11.0, 7.0, 13.0]);
    }
}
