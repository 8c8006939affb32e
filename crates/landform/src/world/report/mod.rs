//! The raster model of Baker's report (2018), "Realistic Terrain Generation", sections 2.1 to 2.4.
//!
//! Every pixel of the map has a height and belongs to one plate. Plates move by whole pixels; where they meet, the ground rises, where
//! they part, it falls.
//!
//! | file | section | what |
//! | --- | --- | --- |
//! | `growth` | 2.2 | patches by random growth: the plates, and the pieces of continents |
//! | `continents` | 2.3 | the initial heights: root functions for land and ocean |
//! | `movement` | 2.4.1 | random velocities, collisions, the early stop |
//! | `convergence` | 2.4.2 | overlaps join the plate on top and rise by their depth |
//! | `divergence` | 2.4.3 | gaps are filled from their rims and fall towards a minimum |
//! | `ground` | 3.1 | heights and plates at any resolution, between pixels |
//!
//! Where the report is silent, this does what the author's program does: N patches of which some are drawn for continents until
//! they have the share of the *ocean*, depths of continents that count steps along x and z, a speed of 50 to 100 % of the asked one, a
//! convergence factor of 1.1 from the edge of an overlap inwards, a stop when all speeds sum up to a pixel a step. Where the two differ, the report decides:
//! pixels are marked when they leave the queue, plates exchange momentum, keep their order, move before they converge, converge
//! before they diverge. [`world`](super) has what `drift`, the other model, does better.
//!
//! Heights are plain numbers in the report, about −11 to 20. Here a unit is a kilometre.

mod continents;
mod convergence;
mod divergence;
mod ground;
mod growth;
#[cfg(test)]
mod laws;
mod movement;

use self::continents::initial_heights;
use self::convergence::converge;
use self::divergence::diverge;
use self::ground::Pixels;
use self::growth::{Patches, draw_starts};
use self::movement::{Cover, Plate, exchange, has_stopped};
use super::plates::Plates;
use super::raster::Raster;
use crate::error::Error;
use crate::stage::{Prepared, Simulated, Simulation, Site};
use crate::{Cancelled, Ctx, Seed, Terrain, Topology, keep};

/// Metres of a unit of height.
const UNIT: f64 = 1000.0;

/// Centimetres a year in metres a million years.
const CM_A: f64 = 1e4;

/// The share of the surface that begins as continent unless the recipe says otherwise, where no stage `sea_level` asks for an ocean.
const CONTINENTS: f64 = 60.0;

/// Gets the model ready.
pub(super) fn prepare(plates: &Plates, site: &Site<'_>) -> Result<Prepared, Error> {
    if site.topology == Topology::Sphere {
        let why = "this model moves plates on a flat map: set the topology to torus, as in the report, to cylinder or to plane";
        return Err(Error::unfit("model", "\"report\"", why));
    }
    let raster = Raster::new(site.topology.wraps(), &site.design);
    if plates.plates as usize > raster.cells() {
        let [width, height] = site.design.size;
        let cells = raster.cells();
        let why = format!(
            "a map of {width} × {height} samples has {cells} pixels: there can be no more plates"
        );
        return Err(Error::unfit("plates", plates.plates.to_string(), why));
    }
    Ok(Prepared::Simulation(Box::new(Ready {
        share: plates.continental_crust.or(site.ocean).unwrap_or(CONTINENTS) / 100.0,
        plates: plates.clone(),
        raster,
        seed: site.seed,
    })))
}

struct Ready {
    plates: Plates,
    /// Share of the surface that begins as continent.
    share: f64,
    raster: Raster,
    seed: Seed,
}

/// Bytes a pixel: plate and height, twice while plates move, and what is found out about overlaps and gaps.
const CELL_BYTES: u64 = 40;

impl Simulation for Ready {
    fn run(&self, _before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        ctx.progress(0.0)?;
        let patches =
            Patches { layout: self.plates.layout, count: self.plates.continents as usize };
        let seed = self.seed.child("continents");
        let heights = initial_heights(&self.raster, patches, self.share, seed, ctx)?;
        ctx.progress(0.1)?;
        let mut world = self.with_plates(heights, ctx)?;
        ctx.progress(0.2)?;
        let steps = self.plates.steps;
        for step in 0..steps {
            if has_stopped(&world.plates) {
                break;
            }
            world.step(ctx)?;
            ctx.progress(0.2 + 0.8 * (step + 1) as f32 / steps as f32)?;
        }
        Ok(Box::new(Pixels {
            raster: self.raster.clone(),
            owner: world.owner,
            heights: world.heights,
        }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let (owner, heights): (Vec<u16>, Vec<f32>) = keep::thing(kept)?;
        let is_whole = [owner.len(), heights.len()] == [self.raster.cells(); 2];
        is_whole.then(|| -> Box<dyn Simulated> {
            Box::new(Pixels { raster: self.raster.clone(), owner, heights })
        })
    }

    fn memory(&self, _samples: u64) -> u64 {
        CELL_BYTES * self.raster.cells() as u64
    }

    fn found_memory(&self, _samples: u64) -> u64 {
        6 * self.raster.cells() as u64
    }
}

impl Ready {
    /// The plates of a map with these heights, with random velocities.
    fn with_plates(&self, heights: Vec<f32>, ctx: &Ctx<'_>) -> Result<World<'_>, Cancelled> {
        let Plates { plates, layout, .. } = self.plates;
        let seed = self.seed.child("plates");
        let patches = Patches { layout, count: plates as usize };
        let starts = draw_starts(&self.raster, patches.count, seed.child("starts"));
        let owner = patches.lay_out(&self.raster, &starts, seed.child("growth"), ctx)?;
        let metres = self.plates.speed * CM_A * self.plates.step;
        let plates = Plate::with_random_velocities(
            plates as usize,
            self.raster.spacing().map(|spacing| metres / spacing),
            self.seed.child("velocities"),
        );
        let minimum = self.plates.minimum / UNIT;
        Ok(World { raster: &self.raster, plates, owner, heights, minimum })
    }
}

/// A map in plates. Every pixel belongs to one of them.
struct World<'a> {
    raster: &'a Raster,
    plates: Vec<Plate>,
    /// The plate of each pixel.
    owner: Vec<u16>,
    /// In units.
    heights: Vec<f32>,
    /// The height towards which the floor of gaps falls, in units.
    minimum: f64,
}

impl World<'_> {
    /// One iteration: movement, convergence, divergence.
    fn step(&mut self, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let shifts: Vec<[i64; 2]> = self.plates.iter_mut().map(Plate::advance).collect();
        let cover = Cover::of(self.raster, (&self.owner, &self.heights), &shifts);
        if cover.is_bare() {
            // All plates have left a map that has edges: what was there before stays.
            return Ok(());
        }
        let bodies = self.bodies();
        exchange(&mut self.plates, &bodies, &cover.collisions);
        ctx.check()?;
        converge(self.raster, &cover, &mut self.heights, ctx)?;
        self.owner.copy_from_slice(&cover.top);
        diverge(self.raster, (&mut self.owner, &mut self.heights), self.minimum);
        Ok(())
    }
}
