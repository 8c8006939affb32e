//! The stage `plates`: continents, plates that move, and the relief that they leave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::belt_line::{self, BeltLine, Room};
use super::belts::{BeltKind, BeltPeak, Belts, Strength};
use super::continents::Continents;
use super::crust::Crust;
use super::frontier::{Growth, grow, merged, starts, touching};
use super::motion::{self, Motion, Pace};
use super::refine::coarse_to_fine;
use super::relief::{Relief, Roughness};
use super::report;
use super::row_noise::fbm_of_cells;
use super::surface::{
    AnySurface, Kinematics, MapCoordinates, NONE, Surface, Tessellation, on_surface,
};
use super::voronoi;
use crate::blend::Blend;
use crate::effort::Effort;
use crate::error::Error;
use crate::stage::{Access, Operator, Prepared, Reach, Simulated, Simulation, Site};
use crate::{Cancelled, Ctx, Lattice, Layer, Seed, Terrain, Topology};

/// Continents and oceans by plate tectonics: plates drift, collide and part, and raise mountain belts, island arcs, trenches and
/// ridges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Plates {
    /// How plates move and shape the ground.
    pub model: PlateModel,
    /// Number of plates.
    #[schemars(range(min = 1, max = 1000))]
    pub plates: u32,
    /// How the first plates are laid out.
    pub layout: Layout,
    /// Number of patches from which a plate is joined: more make sizes and shapes more uneven; 1 as in the report.
    #[schemars(range(min = 1, max = 20), extend("only" = ["model", "drift"]))]
    pub patches: u32,
    /// The neighbours that a patch grows to.
    #[schemars(extend("only" = ["model", "drift"]))]
    pub neighbours: Neighbours,
    /// Share of the surface that is continental crust at the start. Some of it lies below the sea. Left out, 6 points more than the
    /// land that a stage `sea_level` asks for, or 35 without one. With `model = "report"` left out as much as that stage asks for
    /// *ocean*, or 60, as in the report's program: the sea then covers the rims of continents.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "%"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continental_crust: Option<f64>,
    /// Number of patches of which some become continents: fewer make larger continents.
    #[schemars(range(min = 1, max = 5000))]
    pub continents: u32,
    /// How likely the next patch of continent touches another, 0 scattered to 1 one supercontinent.
    #[schemars(range(min = 0.0, max = 1.0), extend("only" = ["model", "drift"]))]
    pub clustering: f64,
    /// Number of steps that the plates move.
    #[schemars(range(min = 0, max = 1000))]
    pub steps: u32,
    /// Length of a step in million years.
    #[schemars(range(min = 0.1, max = 100.0), extend("unit" = "Ma"))]
    pub step: f64,
    /// How fast the fastest plates move at the start; the slowest move half as fast.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "cm/a"))]
    pub speed: f64,
    /// Share of its velocity that a plate loses in a step.
    #[schemars(range(min = 0.0, max = 1.0), extend("only" = ["model", "drift"]))]
    pub friction: f64,
    /// When all plates are slower than this, they stop.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "cm/a", "only" = ["model", "drift"]))]
    pub stop_below: f64,
    /// Height towards which the ground between plates that part falls, logarithmically: lower makes deeper and steeper gaps.
    #[schemars(range(min = -100_000.0, max = 0.0), extend("unit" = "m", "only" = ["model", "report"]))]
    pub minimum: f64,
    /// Number of hot spots, over which volcanoes rise and are carried away in chains.
    #[schemars(range(min = 0, max = 1000), extend("only" = ["model", "drift"]))]
    pub hot_spots: u32,
    /// How high mountain belts, arcs and trenches are, compared with those of the Earth.
    #[schemars(range(min = 0.0, max = 5.0), extend("only" = ["model", "drift"]))]
    pub mountains: f64,
    /// How rough coasts and plains are.
    #[schemars(range(min = 0.0, max = 5.0), extend("only" = ["model", "drift"]))]
    pub detail: f64,
    /// The peaks of the belts, instead of those that the plates raise: `[x, z, height, radius]` in metres, and if it is known what made
    /// it, as in `[x, z, height, radius, "range 3-5"]`. `landform build WORLD.toml --belts -o MINE.toml` writes them down. The height is
    /// that before ridges shape it: a single peak stands between about 0.3 and 1.4 of it above the ground, and nothing higher than
    /// 10500 m before `sea_level`, since what is above 6500 m is worn down. x and z lie on the map, or beyond an edge that does not
    /// wrap as far as the radius reaches; the radius is a hundredth of a cell to half of the longer side of the map, or 500 km where
    /// that is more.
    #[schemars(length(max = 100_000), extend("only" = ["model", "drift"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub belts: Option<Vec<BeltLine>>,
}

/// How plates move and shape the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlateModel {
    /// Crust is carried along, folded, swallowed and made anew: on any topology, at any resolution.
    #[default]
    Drift,
    /// The raster of the report: pixels that rise where plates overlap, and fall where gaps open. Not for the topology `sphere`.
    Report,
}

/// How the first plates are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Random frontier growth: uneven borders.
    #[default]
    Frontier,
    /// Every place belongs to the nearest of random centres: straight borders.
    Voronoi,
}

/// The neighbours that a patch grows to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Neighbours {
    /// Across the edges of cells, as in the report.
    Four,
    /// Across corners too: rounder patches.
    #[default]
    Eight,
}

impl Default for Plates {
    fn default() -> Self {
        Self {
            model: PlateModel::Drift,
            plates: 16,
            layout: Layout::Frontier,
            patches: 5,
            neighbours: Neighbours::Eight,
            continental_crust: None,
            continents: 45,
            clustering: 0.72,
            steps: 30,
            step: 3.0,
            speed: 6.0,
            friction: 0.01,
            stop_below: 0.1,
            minimum: -10_000.0,
            hot_spots: 10,
            mountains: 1.0,
            detail: 1.0,
            belts: None,
        }
    }
}

impl Plates {
    /// What belts are written down for.
    fn room(&self, (topology, design): (Topology, &Lattice), cell: f64) -> Room {
        Room { topology, ground: design.ground(), cell, plates: self.plates }
    }
}

impl Plates {
    /// Steps that the plates take, in which none moves too far for one look, until they stop; and how many million years that is.
    fn moves(&self, longest: f64) -> (f64, f64) {
        let (mut speed, mut moves, mut time) = (self.speed * CM_A, 0.0, 0.0);
        for _ in 0..self.steps {
            if speed < self.stop_below * CM_A {
                break;
            }
            moves += (speed * self.step / longest).clamp(1.0, motion::MOST_PARTS);
            time += self.step;
            speed *= 1.0 - self.friction;
        }
        (moves, time)
    }
}

impl Operator for Plates {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        if matches!(site.topology, Topology::Torus | Topology::Cylinder)
            && site.design.size.contains(&1)
        {
            let message = "needs a map that wraps to have at least 2 samples along x and z";
            return Err(Error::new(message));
        }
        if self.model == PlateModel::Report {
            return report::prepare(self, site);
        }
        let surface = AnySurface::new(site.topology, &site.design);
        let cells = on_surface!(&surface, s => s.shape().cells());
        let wanted = self.plates as usize * self.patches as usize;
        if self.plates as usize > cells || wanted > usize::from(u16::MAX) {
            let [width, height] = site.design.size;
            let why = format!(
                "a map of {width} × {height} samples has {cells} cells: there can be no more plates"
            );
            return Err(Error::unfit("plates", self.plates.to_string(), why));
        }
        let cell = on_surface!(&surface, s => s.cell_size());
        let room = self.room((site.topology, &site.design), cell);
        for (index, line) in self.belts.iter().flatten().enumerate() {
            if let Some(message) = room.fault(line) {
                return Err(Error::of(format!("belts[{index}]"), message));
            }
        }
        // What lies on shelves is continent, too.
        let beside_land = site.ocean.map_or(35.0, |ocean| (106.0 - ocean).min(100.0));
        Ok(Prepared::Simulation(Box::new(Ready {
            continental_crust: self.continental_crust.unwrap_or(beside_land),
            plates: self.clone(),
            surface,
            topology: site.topology,
            design: site.design,
            seed: site.seed,
        })))
    }

    fn effort(&self, site: &Site<'_>) -> Option<Effort> {
        // The plates of the report stop early. Maps that cannot wrap are refused later.
        if self.model == PlateModel::Report || site.design.size.contains(&1) {
            return None;
        }
        let surface = AnySurface::new(site.topology, &site.design);
        let (cells, longest) =
            on_surface!(&surface, s => (s.shape().cells() as f64, s.longest_move()));
        let (moves, time) = self.moves(longest);
        let (plates, hot_spots) = (f64::from(self.plates), f64::from(self.hot_spots));
        // Half of the volcanoes that there are in the end are carried in the mean.
        let carried = 0.5 * super::belts::ERUPTIONS * time * hot_spots;
        let steps = moves * (4.0 * cells + plates * plates + 10.0 * (hot_spots + carried));
        let usual = Self::default();
        let parameters = [
            ("steps", f64::from(self.steps), f64::from(usual.steps)),
            ("step", self.step, usual.step),
            ("speed", self.speed, usual.speed),
            ("hot_spots", hot_spots, f64::from(usual.hot_spots)),
            ("plates", plates, f64::from(usual.plates)),
        ];
        Some(Effort::by_largest(steps, &parameters))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn access(&self) -> Access {
        let layers = match self.model {
            PlateModel::Drift => vec![Layer::Plate, Layer::Crust, Layer::CrustAge],
            PlateModel::Report => vec![Layer::Plate],
        };
        Access { layers, ..Access::PLAIN }
    }
}

struct Ready {
    plates: Plates,
    continental_crust: f64,
    surface: AnySurface,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

impl Simulation for Ready {
    fn run(&self, _before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        on_surface!(&self.surface, surface => {
            let made = self.make(surface, ctx)?;
            Ok(Box::new(self.relief(surface, made, ctx)?))
        })
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let place = (self.topology, self.design);
        on_surface!(&self.surface, surface => {
            let relief = Relief::restored(surface.clone(), place, self.roughness(), kept)?;
            Some(Box::new(relief))
        })
    }

    fn memory(&self, _samples: u64) -> u64 {
        let cells = on_surface!(&self.surface, s => s.shape().cells()) as u64;
        CELL_BYTES * cells
    }

    fn found_memory(&self, _samples: u64) -> u64 {
        let cells = on_surface!(&self.surface, s => s.shape().cells()) as u64;
        FOUND_BYTES * cells
    }
}

/// Bytes a cell: crust twice, cover and scratch while plates move; or nodes, crust and distances after that.
const CELL_BYTES: u64 = 38;

/// Bytes a cell of what stays.
const FOUND_BYTES: u64 = 44;

/// Centimetres a year in metres a million years.
const CM_A: f64 = 1e4;

/// What the plates have made.
pub(crate) struct Made {
    pub(crate) crust: Crust,
    pub(crate) now: f64,
    pub(crate) peaks: Vec<BeltPeak>,
    /// Memory that is no longer needed: new one would have to be got from the system first.
    buffer: Vec<f32>,
}

impl Ready {
    fn seed(&self, name: &str) -> Seed {
        self.seed.child(name)
    }

    fn growth(&self) -> Growth {
        Growth { connectivity: self.connectivity(), seed: self.seed("growth") }
    }

    /// The first plates.
    fn labels<S: Tessellation>(&self, surface: &S, ctx: &Ctx<'_>) -> Result<Vec<u16>, Cancelled> {
        let lay_out = |surface: &S| self.lay_out(surface, ctx);
        match self.plates.layout {
            Layout::Frontier => Ok(coarse_to_fine(surface, self.growth(), ctx, &lay_out)?.labels),
            Layout::Voronoi => lay_out(surface),
        }
    }

    /// The first plates of a surface, or of a coarser one.
    fn lay_out<S: Tessellation>(&self, surface: &S, ctx: &Ctx<'_>) -> Result<Vec<u16>, Cancelled> {
        let Plates { plates, patches, layout, .. } = self.plates;
        let cells = surface.shape().cells();
        let count = (plates as usize * patches as usize).min(cells);
        let seeds = starts(surface, count, self.seed("plates"));
        let labels = match layout {
            Layout::Voronoi => voronoi::nearest(surface, &seeds),
            Layout::Frontier => grow(surface, &seeds, self.growth(), ctx)?.labels,
        };
        if count == plates as usize {
            return Ok(labels);
        }
        let groups =
            merged(&touching(surface, &labels, count), plates as usize, self.seed("joining"));
        Ok(labels.into_iter().map(|patch| groups[patch as usize]).collect())
    }

    fn connectivity(&self) -> usize {
        match self.plates.neighbours {
            Neighbours::Four => 4,
            Neighbours::Eight => 8,
        }
    }

    /// Runs the plates.
    pub(crate) fn make<S: Kinematics + MapCoordinates>(
        &self,
        surface: &S,
        ctx: &Ctx<'_>,
    ) -> Result<Made, Cancelled> {
        let plates = &self.plates;
        let continents = Continents {
            share: self.continental_crust / 100.0,
            pieces: plates.continents,
            clustering: plates.clustering,
            connectivity: self.connectivity(),
        };
        let land = continents.lay_out(surface, self.seed("continents"), ctx)?;
        ctx.progress(0.1)?;
        let labels = self.labels(surface, ctx)?;
        ctx.progress(0.2)?;
        let ages = super::noise::Octaves::new(
            (self.topology, &self.design),
            (5e6, surface.cell_size()),
            1.0,
            4,
            self.seed("ages"),
        );
        let mut birth = fbm_of_cells(&ages, surface);
        birth.iter_mut().for_each(|age| *age = (-45.0 - 110.0 * *age).min(-1.0));
        let crust = Crust { labels, land, birth };
        let pace =
            Pace { step: plates.step, friction: plates.friction, stop: plates.stop_below * CM_A };
        let count = plates.plates as usize;
        let mut motion =
            Motion::new(surface, crust, count, plates.speed * CM_A, pace, self.seed("motion"));
        let strength = Strength { mountains: plates.mountains, hot_spots: plates.hot_spots };
        let mut belts = Belts::new(surface, strength, self.seed("belts"));
        for step in 0..plates.steps {
            ctx.progress(0.2 + 0.6 * step as f32 / plates.steps as f32)?;
            if motion.has_stopped() {
                break;
            }
            motion.step(ctx, |motion, time| belts.follow(motion, time))?;
        }
        belts.dig_trenches(&motion);
        motion.write_last(ctx)?;
        let peaks = match &plates.belts {
            Some(lines) => self.given(surface, &motion, lines),
            None => self.felt(surface, belts.finished(surface, motion.now)),
        };
        let now = motion.now;
        let (crust, buffer) = motion.into_crust();
        Ok(Made { crust, now, peaks, buffer })
    }

    /// The peaks without those that plates have carried so far beyond an edge that they do not reach the map.
    fn felt<S: Tessellation + MapCoordinates>(
        &self,
        surface: &S,
        mut peaks: Vec<BeltPeak>,
    ) -> Vec<BeltPeak> {
        let room = self.plates.room((self.topology, &self.design), surface.cell_size());
        let [width, depth] = self.design.ground();
        peaks.retain(|peak| {
            let [x, z] = surface.to_map(peak.at);
            room.reaches([x * width, z * depth], peak.radius)
        });
        peaks
    }

    /// The peaks that the recipe lists.
    fn given<S: Kinematics + MapCoordinates>(
        &self,
        surface: &S,
        motion: &Motion<'_, S>,
        lines: &[BeltLine],
    ) -> Vec<BeltPeak> {
        let ground = self.design.ground();
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        let peak = |line: &BeltLine| {
            let at = surface.settled(surface.on_map([share(line.x, 0), share(line.z, 1)]));
            let (kind, plates) = belt_line::parsed(&line.made_by).unwrap_or((BeltKind::Fold, None));
            let own = || match surface.locate(at) {
                NONE => 0,
                cell => motion.cover.labels[cell as usize],
            };
            let plates = plates.unwrap_or_else(|| [own(); 2]);
            BeltPeak::new(at, plates, (line.height, line.radius), kind)
        };
        lines.iter().map(peak).collect()
    }

    fn roughness(&self) -> Roughness {
        Roughness { detail: self.plates.detail, warp: 1.6e5, seed: self.seed("relief") }
    }

    fn relief<S: Surface + Clone>(
        &self,
        surface: &S,
        made: Made,
        ctx: &Ctx<'_>,
    ) -> Result<Relief<S>, Cancelled> {
        ctx.progress(0.85)?;
        Relief::new(
            surface.clone(),
            (self.topology, self.design),
            (made.crust, made.now, made.buffer),
            made.peaks,
            self.roughness(),
            &ctx.share(0.85, 1.0),
        )
    }
}
