//! Particle deposition: particles fall from wandering vents and roll downhill until they lie still, as lava and ash build
//! volcanoes.
//!
//! A particle raises the lattice point that it falls on by its own height. While some neighbour is lower by more than the
//! talus slope allows, it rolls on to one of those, chosen at random; at the edge of the ground it is lost. After
//! every few particles the vent moves one point to a random side, so that its cones join into ridges.
//!
//! The particles come one after the other on a lattice of its own, `cell` metres wide, whatever the resolution of the
//! recipe or of the output; the heights between its points are a cubic B-spline, which is smooth.

use std::f64::consts::SQRT_2;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blend::Blend;
use crate::effort::Effort;
use crate::error::{Error, number};
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Seed, Terrain, keep, par};

/// Particles that fall from vents and roll downhill: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticleDeposition {
    /// Number of vents.
    #[schemars(range(min = 1, max = 10_000))]
    pub vents: u32,
    /// Number of particles from each vent.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub particles: u32,
    /// Height of a particle.
    #[schemars(range(min = 0.001, max = 1000.0), extend("unit" = "m"))]
    pub grain: f64,
    /// Steepest slope on which a particle lies still, as rise over run.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub talus_slope: f64,
    /// Number of particles after which a vent moves by one cell.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub dwell: u32,
    /// Distance of the points on which particles lie.
    #[schemars(range(min = 0.001, max = 1_000_000.0), extend("unit" = "m"))]
    pub cell: f64,
}

impl Default for ParticleDeposition {
    fn default() -> Self {
        Self { vents: 9, particles: 40_000, grain: 4.0, talus_slope: 0.5, dwell: 250, cell: 60.0 }
    }
}

/// Points along a side of the lattice at the most.
const MOST: f64 = 4096.0;

impl Operator for ParticleDeposition {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let size = site.design.ground().map(|length| (length / self.cell).ceil() + 1.0);
        if size[0].max(size[1]) > MOST {
            let message = format!(
                "is {}, which makes a lattice of {} × {} points, but there may be at most {MOST} a side",
                number(self.cell),
                number(size[0]),
                number(size[1])
            );
            return Err(Error::of("cell", message));
        }
        Ok(Prepared::Simulation(Box::new(Vents {
            parameters: self.clone(),
            seed: site.seed,
            size: size.map(|count| count as usize),
        })))
    }

    fn effort(&self, site: &Site<'_>) -> Option<Effort> {
        let ground = site.design.ground();
        let across = ground[0].max(ground[1]) / self.cell;
        // So fine a lattice is refused as such.
        if across > MOST {
            return None;
        }
        // A particle looks at its neighbours wherever it rolls: a quarter of the way, more or less.
        let rolls = 1.0 + across / 4.0;
        let (vents, particles) = (f64::from(self.vents), f64::from(self.particles));
        let usual = Self::default();
        let effort = Effort::by_largest(
            vents * particles * rolls * NEIGHBOURS.len() as f64,
            &[
                ("vents", vents, f64::from(usual.vents)),
                ("particles", particles, f64::from(usual.particles)),
            ],
        );
        // The finer the cells, the farther a particle rolls.
        let fineness = usual.cell / self.cell;
        let is_fine =
            fineness > (vents / f64::from(usual.vents)).max(particles / f64::from(usual.particles));
        let because = if is_fine { ("cell", self.cell) } else { effort.because };
        Some(Effort { because, ..effort })
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

struct Vents {
    parameters: ParticleDeposition,
    seed: Seed,
    /// Points of the lattice.
    size: [usize; 2],
}

impl Simulation for Vents {
    fn run(&self, _before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        Ok(Box::new(Deposit { settled: self.settled(ctx)?, cell: self.parameters.cell }))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(Deposit { settled: keep::thing(kept)?, cell: self.parameters.cell }))
    }

    fn found_memory(&self, _samples: u64) -> u64 {
        4 * self.size[0] as u64 * self.size[1] as u64
    }
}

/// What the particles have built.
struct Deposit {
    /// The heights when all particles have come to rest. They do not depend on the terrain before.
    settled: Grid,
    /// Metres between its points.
    cell: f64,
}

/// √5.
const KNIGHT: f64 = 2.236_067_977_499_79;

/// The neighbours of a point, and how far away they are in cells. With the sixteen directions of king and knight the cones
/// are round; with eight they are octagons.
const NEIGHBOURS: [([isize; 2], f64); 16] = [
    ([1, 0], 1.0),
    ([0, 1], 1.0),
    ([-1, 0], 1.0),
    ([0, -1], 1.0),
    ([1, 1], SQRT_2),
    ([-1, 1], SQRT_2),
    ([-1, -1], SQRT_2),
    ([1, -1], SQRT_2),
    ([2, 1], KNIGHT),
    ([1, 2], KNIGHT),
    ([-1, 2], KNIGHT),
    ([-2, 1], KNIGHT),
    ([-2, -1], KNIGHT),
    ([-1, -2], KNIGHT),
    ([1, -2], KNIGHT),
    ([2, -1], KNIGHT),
];

impl Vents {
    fn settled(&self, ctx: &Ctx<'_>) -> Result<Grid, Cancelled> {
        let mut heights = Grid::filled(self.size[0], self.size[1], 0.0);
        for vent in 0..self.parameters.vents {
            ctx.progress(0.9 * vent as f32 / self.parameters.vents as f32)?;
            self.erupt(vent, &mut heights, ctx)?;
        }
        Ok(heights)
    }

    /// Lets all particles of one vent fall.
    fn erupt(&self, vent: u32, heights: &mut Grid, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let seed = self.seed.child(&format!("vent {vent}"));
        let mut draw = 0;
        let mut random = |count: u64| {
            draw += 1;
            seed.below(draw, count) as usize
        };
        let mut at = self.size.map(|count| random(count as u64));
        for particle in 0..self.parameters.particles {
            if particle % 1024 == 0 {
                ctx.check()?;
            }
            if particle % self.parameters.dwell == 0 {
                let ([di, dj], _) = NEIGHBOURS[random(8)];
                at = moved(at, [di, dj], self.size).unwrap_or(at);
            }
            self.drop_at(at, heights, &mut random);
        }
        Ok(())
    }

    /// Lets one particle fall and roll.
    fn drop_at(&self, at: [usize; 2], heights: &mut Grid, random: &mut impl FnMut(u64) -> usize) {
        let grain = self.parameters.grain as f32;
        let stable = (self.parameters.talus_slope * self.parameters.cell) as f32;
        let mut at = at;
        loop {
            let here = heights[(at[0], at[1])] + grain;
            let first = random(16);
            // The first neighbour that is too low, beginning anywhere.
            let lower =
                (0..16).map(|k| NEIGHBOURS[(first + k) % 16]).find_map(|(step, distance)| {
                    match moved(at, step, self.size) {
                        Some(next) => {
                            let drop = here - heights[(next[0], next[1])];
                            (drop > stable * distance as f32).then_some(Some(next))
                        }
                        // Beyond the edge the ground is as high as nothing: 0.
                        None => (here > stable * distance as f32).then_some(None),
                    }
                });
            match lower {
                None => {
                    heights[(at[0], at[1])] = here;
                    return;
                }
                Some(None) => return,
                Some(Some(next)) => at = next,
            }
        }
    }
}

/// The point a step away, if it lies on the lattice.
fn moved(at: [usize; 2], step: [isize; 2], size: [usize; 2]) -> Option<[usize; 2]> {
    let along =
        |axis: usize| at[axis].checked_add_signed(step[axis]).filter(|&place| place < size[axis]);
    Some([along(0)?, along(1)?])
}

impl Field for Deposit {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let Self { settled, cell } = self;
        let columns: Vec<_> = (0..extent.width()).map(|c| spline(extent.x(c) / cell)).collect();
        par::try_for_each_part(out, extent.width(), 1, |row, heights| {
            ctx.check()?;
            let (j, down) = spline(extent.z(row) / cell);
            let inside = |at: isize, count: usize| at.clamp(0, count as isize - 1) as usize;
            let rows: [usize; 4] =
                std::array::from_fn(|k| inside(j + k as isize, settled.height()));
            for (height, (i, across)) in heights.iter_mut().zip(&columns) {
                let mut sum = 0.0;
                for (row, down) in rows.iter().zip(down) {
                    let mut line = 0.0;
                    for (k, across) in across.iter().enumerate() {
                        let column = inside(i + k as isize, settled.width());
                        line += across * f64::from(settled[(column, *row)]);
                    }
                    sum += down * line;
                }
                *height = sum as f32;
            }
            Ok(())
        })
    }
}

impl Simulated for Deposit {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&self.settled)
    }
}

/// The first of the four points that a cubic B-spline looks at, and their weights.
fn spline(at: f64) -> (isize, [f64; 4]) {
    let cell = at.floor();
    let t = at - cell;
    let (t2, t3) = (t * t, t * t * t);
    let weights = [
        (1.0 - 3.0 * t + 3.0 * t2 - t3) / 6.0,
        (4.0 - 6.0 * t2 + 3.0 * t3) / 6.0,
        (1.0 + 3.0 * t + 3.0 * t2 - 3.0 * t3) / 6.0,
        t3 / 6.0,
    ];
    (cell as isize - 1, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vents(particles: u32, dwell: u32) -> Vents {
        let parameters = ParticleDeposition {
            vents: 1,
            particles,
            dwell,
            grain: 2.0,
            cell: 10.0,
            ..ParticleDeposition::default()
        };
        Vents { parameters, seed: Seed::new(4), size: [81, 81] }
    }

    #[test]
    fn particles_are_neither_lost_nor_made_and_lie_still() {
        let vents = vents(2000, 10_000);
        let mut heights = Grid::filled(81, 81, 0.0);
        let mut random = |count: u64| (count / 3) as usize;
        for _ in 0..2000 {
            vents.drop_at([40, 40], &mut heights, &mut random);
        }
        let sum: f64 = heights.samples().iter().map(|&h| f64::from(h)).sum();
        assert_eq!(sum, 2000.0 * 2.0);
        for (i, j) in (2..79).flat_map(|i| (2..79).map(move |j| (i, j))) {
            for ([di, dj], distance) in NEIGHBOURS {
                let next = [(i as isize + di) as usize, (j as isize + dj) as usize];
                let drop = f64::from(heights[(i, j)] - heights[(next[0], next[1])]);
                assert!(drop <= 0.5 * 10.0 * distance + 1e-3, "at {i}, {j}: {drop}");
            }
        }
    }

    #[test]
    fn the_spline_keeps_planes_and_its_weights_sum_to_one() {
        for at in [0.0, 0.25, 3.9, -1.5] {
            let (first, weights) = spline(at);
            let sum: f64 = weights.iter().sum();
            let mean: f64 =
                weights.iter().enumerate().map(|(k, w)| w * (first as f64 + k as f64)).sum();
            assert!((sum - 1.0).abs() < 1e-12 && (mean - at).abs() < 1e-12, "{at}");
        }
    }
}
