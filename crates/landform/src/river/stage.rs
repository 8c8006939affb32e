//! The stage `river`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::carve::{Carving, valley_floors};
use super::course::{self, Course, CourseGround, Main, Winding, Wish};
use super::layout::End;
use super::profile::{Section, sections};
use crate::blend::Blend;
use crate::error::{Error, number};
use crate::feature::{Feature, River};
use crate::mask::{Mask, ResolvedMask};
use crate::resample::ground::GroundHeights;
use crate::stage::{Access, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Grid, Lattice, Layer, Seed, Terrain, keep, math};

/// Rivers that wind downhill and cut their valleys into the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// Number of rivers beside those of `courses`; those that meet are joined. 1 unless there are `courses`.
    #[schemars(range(min = 0, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Where these rivers begin: `north`, `east`, `south`, `west`, `[x, z]` in metres, or `auto`: on high ground.
    pub from: End,
    /// Where they end: a side, a point, or `auto`: in the sea, another river, or on a low side of the ground.
    pub to: End,
    /// Rivers by hand, each with its own name and ends. The first of two that meet is the main river.
    #[schemars(length(max = 200))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub courses: Vec<CourseLine>,
    /// Size of the largest bends; a twelfth of the longer side of the ground unless given.
    #[schemars(extend("exclusiveMinimum" = 0.0, "unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bend: Option<f64>,
    /// How often the bends are subdivided: 0 is swift and straight, 6 meanders tightly.
    #[schemars(range(min = 0, max = 10))]
    pub depth: u32,
    /// Subdivision at the mouth, if it is another; it changes along the river.
    #[schemars(range(min = 0, max = 10))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_mouth: Option<u32>,
    /// Where the rivers are subdivided by `meander_depth` instead: any mask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meander: Option<Mask>,
    /// Subdivision where the mask `meander` is 1.
    #[schemars(range(min = 0, max = 10))]
    pub meander_depth: u32,
    /// How uneven the triangles of the squig curve are; 0 gives those of the paper.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub irregularity: f64,
    /// How closely the course keeps to low ground; 0 is by chance alone, as in the paper.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub follow: f64,
    /// How far the corners of the course are rounded; 0 joins the middles of the edges, as in the paper.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub smoothing: f64,
    /// Width of the water at a source.
    #[schemars(range(min = 0.1, max = 10_000.0), extend("unit" = "m"))]
    pub width: f64,
    /// Width of the water at the mouth of the longest river, before its tributaries add to it.
    #[schemars(range(min = 0.1, max = 10_000.0), extend("unit" = "m"))]
    pub width_mouth: f64,
    /// Depth of the water, compared with rivers of that width.
    #[schemars(range(min = 0.0, max = 50.0))]
    pub water_depth: f64,
    /// How far the valley reaches on each side at a source.
    #[schemars(range(min = 0.1, max = 100_000.0), extend("unit" = "m"))]
    pub radius: f64,
    /// How far the valley reaches on each side at a mouth.
    #[schemars(range(min = 0.1, max = 100_000.0), extend("unit" = "m"))]
    pub radius_mouth: f64,
    /// Share of the valley that is flood plain at a source: 0 is a gorge.
    #[schemars(range(min = 0.0, max = 0.95))]
    pub plain: f64,
    /// Share of the valley that is flood plain at a mouth.
    #[schemars(range(min = 0.0, max = 0.95))]
    pub plain_mouth: f64,
    /// Steepest valley side, rise over run: where a river cuts deeper, its valley is wider than its radius.
    #[schemars(range(min = 0.05, max = 20.0))]
    pub wall: f64,
    /// How far the water lies below the ground that the river came upon.
    #[schemars(range(min = 0.0, max = 5000.0), extend("unit" = "m"))]
    pub incision: f64,
    /// How far at a mouth, if it is another.
    #[schemars(range(min = 0.0, max = 5000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incision_mouth: Option<f64>,
    /// Least fall of the bed, metres a kilometre.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "m/km"))]
    pub fall: f64,
    /// Whether the bed falls along the river, or lies at `base_level` everywhere, as in the paper.
    pub bed: Bed,
    /// Height of the bed where `bed` is `base_level`.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    pub base_level: f64,
    /// Whether there is a layer `river_distance`: metres to the nearest water.
    pub distance: bool,
}

/// How high the bed of a river lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bed {
    /// It falls from the source to the mouth, below the ground.
    #[default]
    Falling,
    /// At one level.
    BaseLevel,
}

/// A river by hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CourseLine {
    /// What it is called; `river 1` and so on unless given.
    #[schemars(length(max = 100))]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where it begins: `north`, `east`, `south`, `west`, `[x, z]` in metres, or `auto`.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// How often its bends are subdivided, if not as the others.
    #[schemars(range(min = 0, max = 10))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Default for Rivers {
    fn default() -> Self {
        Self {
            count: None,
            from: End::default(),
            to: End::default(),
            courses: Vec::new(),
            bend: None,
            depth: 3,
            depth_mouth: None,
            meander: None,
            meander_depth: 5,
            irregularity: 0.7,
            follow: 0.7,
            smoothing: 1.0,
            width: 8.0,
            width_mouth: 60.0,
            water_depth: 1.0,
            radius: 250.0,
            radius_mouth: 900.0,
            plain: 0.05,
            plain_mouth: 0.4,
            wall: 0.6,
            incision: 6.0,
            incision_mouth: None,
            fall: 0.2,
            bed: Bed::Falling,
            base_level: 0.0,
            distance: false,
        }
    }
}

/// The base cells may not be smaller than this share of the ground: there would be too many.
const MOST_CELLS: f64 = 200.0;

impl Rivers {
    /// The rivers, those by hand first.
    fn lines(&self) -> Vec<CourseLine> {
        let by_hand = self.courses.len() as u32;
        let count = self.count.unwrap_or(u32::from(by_hand == 0));
        let others = (0..count).map(|_| CourseLine {
            from: self.from,
            to: self.to,
            ..CourseLine::default()
        });
        self.courses.iter().cloned().chain(others).collect()
    }

    fn check(&self, design: &Lattice) -> Result<(), Error> {
        let ground = design.ground();
        let check_ends = |prefix: &str, from: End, to: End| {
            for (key, end) in [("from", from), ("to", to)] {
                let End::Point(point) = end else { continue };
                if (0..2).any(|axis| !(0.0..=ground[axis]).contains(&point[axis])) {
                    let [[x, z], [width, depth]] = [point, ground].map(|place| place.map(number));
                    let why = format!("must lie on the ground, in [0, 0]..=[{width}, {depth}]");
                    return Err(Error::unfit(format!("{prefix}{key}"), format!("[{x}, {z}]"), why));
                }
            }
            if from == to && from != End::default() {
                let message = "is where the river begins: it must be another point or side";
                return Err(Error::of(format!("{prefix}to"), message));
            }
            Ok(())
        };
        check_ends("", self.from, self.to)?;
        for (index, course) in self.courses.iter().enumerate() {
            check_ends(&format!("courses[{index}]."), course.from, course.to)?;
            let is_double =
                |other: &CourseLine| !course.name.is_empty() && other.name == course.name;
            if self.courses[..index].iter().any(is_double) {
                let (key, value) = (format!("courses[{index}].name"), format!("{:?}", course.name));
                return Err(Error::unfit(key, value, "another river is called that"));
            }
        }
        let least = ground[0].max(ground[1]) / MOST_CELLS;
        match self.bend {
            Some(bend) if bend < least => {
                let allowed = format!("at least {} on this ground", number(least));
                Err(Error::not_allowed("bend", number(bend), allowed))
            }
            _ => Ok(()),
        }
    }

    /// How far the valley reaches at this share of the way from a source (0) to a mouth (1).
    pub(super) fn radius_at(&self, share: f64) -> f64 {
        math::lerp(self.radius, self.radius_mouth, share)
    }

    /// The share of the valley that is flood plain.
    pub(super) fn plain_at(&self, share: f64) -> f64 {
        math::lerp(self.plain, self.plain_mouth, share)
    }

    fn winding(&self, ground: [f64; 2]) -> Winding {
        Winding {
            cell: self.bend.unwrap_or(ground[0].max(ground[1]) / 12.0),
            irregularity: self.irregularity,
            follow: self.follow,
            smoothing: self.smoothing,
        }
    }
}

impl Operator for Rivers {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        self.check(&site.design)?;
        // The course is laid out on the recipe's own lattice, and so is the mask of its depth.
        let layers = [Layer::Height];
        let site = Site { output: site.design, layers: &layers, ..*site };
        let mask = self.meander.as_ref().map(|mask| mask.resolve(&site));
        let meander = mask
            .transpose()
            .map_err(|error| error.renamed(|name| name.replacen("mask", "meander", 1)))?;
        let (rivers, ground) = (self.clone(), site.design.ground());
        Ok(Prepared::Simulation(Box::new(Ready { rivers, ground, meander, seed: site.seed })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn files(&self) -> Vec<&str> {
        self.meander.iter().flat_map(Mask::files).collect()
    }

    fn access(&self) -> Access {
        let mut layers = vec![Layer::River, Layer::WaterDepth];
        layers.extend(self.distance.then_some(Layer::RiverDistance));
        Access { simulation: Reads::Ground, layers, ..Access::PLAIN }
    }
}

struct Ready {
    rivers: Rivers,
    /// Width and depth of the ground in metres.
    ground: [f64; 2],
    meander: Option<ResolvedMask>,
    seed: Seed,
}

/// Bytes of some rivers with their valleys, as measured: they hardly depend on the lattice.
const FOUND_BYTES: u64 = 1 << 20;
/// Bytes while one river across the ground is laid out with one bend, undivided, as measured.
const BEND_BYTES: f64 = 1800.0;
/// Each subdivision makes a river so many times longer in triangles, as measured at depths of 7 to 10.
const SUBDIVISION: f64 = 2.5;

impl Simulation for Ready {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        let ground = before.extent().lattice().ground();
        let earlier: Vec<River> =
            before.features().iter().filter_map(Feature::as_river).cloned().collect();
        let lines = self.rivers.lines();
        // Ground without width or depth has no room for rivers.
        let has_room = ground[0] > 0.0 && ground[1] > 0.0;
        let (courses, sections) = if has_room && !lines.is_empty() {
            self.lay_out(before, &lines, &earlier, ctx)?
        } else {
            (Vec::new(), Vec::new())
        };
        let names: Vec<String> = (0..courses.len())
            .map(|k| match lines[k].name.as_str() {
                "" => format!("river {}", earlier.len() + k + 1),
                name => name.to_owned(),
            })
            .collect();
        let features = courses.iter().zip(&sections).enumerate().map(|(k, (course, sections))| {
            let into = course.into.map(|(main, _)| match main {
                Main::Here(main) => names[main].clone(),
                Main::Earlier(index) => earlier[index].name.clone(),
            });
            let points = sections.iter().map(|section| section.water).collect();
            Feature::River(River { name: names[k].clone(), points, into })
        });
        let features = features.collect();
        let earlier: Vec<_> = earlier.into_iter().map(|river| river.points).collect();
        Ok(Box::new(Carving::new(&sections, &earlier, features, ground)))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(keep::thing::<Carving>(kept)?))
    }

    fn memory(&self, _samples: u64) -> u64 {
        let rivers = &self.rivers;
        let lines = rivers.lines();
        let of_mask = rivers.meander.as_ref().map(|_| rivers.meander_depth);
        let of_lines = lines.iter().filter_map(|line| line.depth);
        let depth = of_lines.chain([rivers.depth]).chain(rivers.depth_mouth).chain(of_mask).max();
        let divided = (0..depth.unwrap_or(0)).fold(1.0, |length, _| length * SUBDIVISION);
        // Rivers that meet go on as one: the length of a network grows with the root of their number.
        let across = self.ground[0].max(self.ground[1]) / rivers.winding(self.ground).cell;
        let bends = across * (lines.len() as f64).sqrt();
        (BEND_BYTES * bends * divided) as u64
    }

    fn found_memory(&self, _samples: u64) -> u64 {
        FOUND_BYTES
    }
}

impl Ready {
    fn lay_out(
        &self,
        before: &Terrain,
        lines: &[CourseLine],
        earlier: &[River],
        ctx: &Ctx<'_>,
    ) -> Result<(Vec<Course>, Vec<Vec<Section>>), Cancelled> {
        let rivers = &self.rivers;
        let lattice = *before.extent().lattice();
        let surface = GroundHeights::of(before);
        let height = |x: f64, z: f64| surface.at(x, z);
        let weights = self.meander.as_ref().map(|mask| weights(mask, before));
        let meander = weights.as_ref().map(|grid| GroundHeights::new(grid, lattice));
        ctx.check()?;
        let depth_of = |line: &CourseLine, at: [f64; 2], share: f64| {
            let source = line.depth.unwrap_or(rivers.depth);
            let mouth = line.depth.or(rivers.depth_mouth).unwrap_or(source);
            let depth = f64::from(source) + (f64::from(mouth) - f64::from(source)) * share;
            let weight = meander.map_or(0.0, |mask| mask.at(at[0], at[1]));
            (depth + (f64::from(rivers.meander_depth) - depth) * weight + 0.5) as u32
        };
        let depths: Vec<_> =
            lines.iter().map(|line| move |at, share| depth_of(line, at, share)).collect();
        let wishes: Vec<Wish<'_>> = lines
            .iter()
            .zip(&depths)
            .map(|(line, depth)| Wish { from: line.from, to: line.to, depth })
            .collect();
        let ground = lattice.ground();
        let place = CourseGround {
            ground,
            height: &height,
            sea_level: before.sea_level(),
            seed: self.seed,
        };
        let winding = rivers.winding(ground);
        let squig = course::squig(&place, &winding, &wishes, ctx)?;
        // A bend that is off by a small part of the width cannot be seen.
        let mut courses = squig.courses(winding.smoothing, 0.03 * rivers.width, ctx)?;
        ctx.check()?;
        course::end_at_the_sea(&mut courses, &place);
        course::end_at_earlier_rivers(&mut courses, earlier);
        let seed = self.seed.child("profile");
        let mut beside = sections(rivers, &courses, earlier, (&height, &[]), seed);
        // Where a valley has been cut below the bed of another river, that one comes down to it.
        for _ in 0..2 {
            let caps = valley_floors(&beside, &height);
            beside = sections(rivers, &courses, earlier, (&height, &caps), seed);
        }
        ctx.check()?;
        Ok((courses, beside))
    }
}

/// A mask over the whole ground.
fn weights(mask: &ResolvedMask, before: &Terrain) -> Grid {
    let extent = *before.extent();
    let view = TerrainView::of(before);
    let mut grid = Grid::filled(extent.width(), extent.height(), 0.0);
    for row in 0..extent.height() {
        mask.weigh(&view, &extent, row, grid.row_mut(row));
    }
    grid
}
