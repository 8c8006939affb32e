//! The stage `drainage`: finds where water runs and stands, and makes the ground fit for it.
//!
//! Depressions that are deep and large enough hold lakes; the others are cut through or filled. Rivers begin where their
//! discharge reaches `source` and are cut into the ground as narrow as they are, so that on any finer resolution their
//! beds lead on without a step up; on the recipe's own lattice, which has no sample in the middle of most of them, what still
//! dams them up is taken away. All of it is found on the lattice of the recipe; what has changed is carried to other
//! resolutions by a cubic.
//!
//! ```text
//! discharge (m³/s) = Σ over all ground upstream of  rain·runoff                     rain in cm a year
//! wetness          = ln(a / S)       a ground upstream for each metre of contour (m), S slope (Beven & Kirkby 1979)
//! depth to water   = height above the river, lake or sea that the ground drains to (Rennó et al. 2008)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::braids::Braids;
use super::compass::Compass;
use super::depressions::{breach, route, spill_levels};
use super::drained::{Drained, carved, carving, cut_ways, sills};
use super::lakes::Depressions;
use super::multiple_flow::accumulate_multiple;
use super::order::accumulate;
use super::priority_flood::fill_with_fall;
use super::receivers::receivers;
use super::rivers::Streams;
use super::seam::Seam;
use super::statistics::bases;
use super::wetness::{depth_to_water, wetness};
use crate::blend::Blend;
use crate::error::Error;
use crate::feature::{Feature, Lake, River};
use crate::keep;
use crate::resample::carry::Carried;
use crate::stage::{Access, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site};
use crate::{Cancelled, Ctx, Grid, Lattice, Layer, Seed, Terrain, Topology, par};

/// Seconds of a year, and metres of a centimetre over them.
const YEAR: f64 = 365.25 * 86_400.0;

/// Finds rivers and lakes: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DrainageMap {
    /// What becomes of depressions that hold no lake.
    pub depressions: Remedy,
    /// Depth from which on a depression holds a lake.
    #[schemars(range(min = 0.0, max = 10_000.0), extend("unit" = "m"))]
    pub lake_depth: f64,
    /// Area from which on it does.
    #[schemars(range(min = 0.0, max = 1e12), extend("unit" = "m²"))]
    pub lake_area: f64,
    /// Rain of a year, or of the mean where `rain_layer` says where it falls.
    #[schemars(range(min = 0.1, max = 2000.0), extend("unit" = "cm"))]
    pub rain: f64,
    /// The layer by which the rain varies, relative to its mean.
    #[schemars(length(max = 40), extend("word" = "layer"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rain_layer: Option<String>,
    /// Share of the rain that runs off.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub runoff: f64,
    /// Discharge with which a river begins.
    #[schemars(range(min = 1e-6, max = 1e6), extend("unit" = "m³/s"))]
    pub source: f64,
    /// Width of the rivers compared with those of that discharge.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub width: f64,
    /// Strands that rivers part into where they are steep for their size and have room: 1 leaves them whole.
    #[schemars(range(min = 1, max = 12))]
    pub strands: u32,
    /// Whether water also ends at the border of the ground; else only in the sea, if there is one.
    pub open_border: bool,
}

/// What becomes of a depression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// What dams it up is cut through.
    #[default]
    Breach,
    /// It is filled until it runs over.
    Fill,
}

impl Default for DrainageMap {
    fn default() -> Self {
        Self {
            depressions: Remedy::Breach,
            lake_depth: 3.0,
            lake_area: 20_000.0,
            rain: 100.0,
            rain_layer: None,
            runoff: 0.5,
            source: 0.03,
            width: 1.0,
            strands: 1,
            open_border: true,
        }
    }
}

impl Operator for DrainageMap {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        if let Some(layer) = &self.rain_layer {
            Layer::among(site.layers, "rain_layer", layer)?;
        }
        Ok(Prepared::Simulation(Box::new(Survey(self.clone(), site.seed, site.topology))))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn obeys(&self) -> bool {
        true
    }

    fn can_preview(&self) -> bool {
        true
    }

    fn access(&self) -> Access {
        Access {
            simulation: if self.rain_layer.is_none() { Reads::Ground } else { Reads::Layers },
            layers: vec![
                Layer::Flow,
                Layer::Wetness,
                Layer::DepthToWater,
                Layer::Lake,
                Layer::River,
                Layer::WaterDepth,
            ],
            ..Access::PLAIN
        }
    }
}

struct Survey(DrainageMap, Seed, Topology);

impl Simulation for Survey {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        Ok(Box::new(self.survey(before, ctx)?))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        Some(Box::new(keep::thing::<Drained>(kept)?))
    }

    fn memory(&self, samples: u64) -> u64 {
        73 * samples
    }

    fn found_memory(&self, samples: u64) -> u64 {
        // Six grids, and the ways and rivers.
        (24 + 6) * samples
    }
}

impl Survey {
    fn survey(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Drained, Cancelled> {
        let lattice = *before.extent().lattice();
        let compass = Compass::new(&lattice);
        let sea = before.sea_level() as f32;
        let finite = |h: f32| if h.is_finite() { h } else { sea };
        let heights: Vec<f32> = before.height().samples().iter().map(|&h| finite(h)).collect();
        let seam = Seam::of(&heights, sea, self.2, compass.width);
        let heights = seam.opened(&heights);
        let is_base = self.bases(&heights, sea, &compass);
        ctx.progress(0.0)?;
        let spill = spill_levels(&heights, &is_base, &compass);
        ctx.progress(0.2)?;
        let depressions = Depressions::of(&heights, &spill, &compass);
        let is_lake = self.lakes(&depressions, &compass);
        let surface = self.surface(&heights, &spill, (&depressions, &is_lake), &is_base, &compass);
        ctx.progress(0.4)?;
        let raw = receivers(&surface, &is_base, &compass, None);
        let (directions, order) = route(raw, &surface, &is_base, &compass);
        let mut surface = surface;
        breach(&mut surface, &order, &directions, &compass, 0.0);
        ctx.progress(0.6)?;
        let earlier: Vec<River> =
            before.features().iter().filter_map(Feature::as_river).cloned().collect();
        let in_lake = |at: usize| {
            let label = depressions.labels[at] as usize;
            label > 0 && is_lake[label - 1]
        };
        let in_channels = || {
            let streams = Streams {
                compass: &compass,
                directions: &directions,
                order: &order,
                discharge: &self.discharge(before, (&order, &directions), &compass, seam),
                surface: &surface,
                least: self.0.source as f32,
            };
            let rivers = self.rivers(&streams, &lattice, earlier.len() + 1);
            ctx.check()?;
            let lakes = named_lakes(&depressions, &is_lake, (&heights, &directions), &lattice);
            Ok((rivers, lakes, depth_to_water(&streams, &is_base, &surface, in_lake)))
        };
        let on_slopes = || self.on_slopes((&surface, &is_base), &compass, &lattice, ctx);
        // Neither needs the other, and each has a part that one thread must do alone.
        let (channels, slopes) = par::both(in_channels, on_slopes);
        let ((rivers, lakes, to_water), (flow, wetness)) = (channels?, slopes?);
        ctx.progress(0.9)?;
        let grid = |samples: Vec<f32>| {
            Carried::new(Grid::from_vec(compass.width, compass.height, seam.closed(samples)))
        };
        let change = par::map(compass.len(), |at| {
            let ground = if in_lake(at) { heights[at].min(surface[at]) } else { surface[at] };
            ground - heights[at]
        });
        let grooves = cut_ways(&seam.closed(change.clone()), seam.closed(directions), &lattice);
        let rivers: Vec<River> =
            rivers.into_iter().flat_map(|river| seam.river(river, &lattice)).collect();
        let carving = carving(&rivers, earlier, &lattice);
        let ground = heights.iter().zip(&change).map(|(h, change)| h + change).collect();
        let carved = carved(ground, &carving, seam, &lattice, ctx)?;
        let level = |at: usize| if in_lake(at) { spill[at].max(carved[at]) } else { carved[at] };
        let sills = sills(par::map(compass.len(), level), &is_base, &compass);
        let depth = |at: usize| {
            let dry = || shore(at, &heights, &depressions, &is_lake, &compass);
            if in_lake(at) { spill[at] - heights[at] } else { dry() }
        };
        let lakes = lakes.into_iter().flat_map(|lake| seam.lake(lake, &lattice));
        let features =
            rivers.into_iter().map(Feature::River).chain(lakes.map(Feature::Lake)).collect();
        Ok(Drained {
            change: grid(change),
            grooves,
            sills: grid(sills),
            lake_depth: grid(par::map(compass.len(), depth)),
            flow: grid(flow),
            wetness: grid(wetness),
            to_water: grid(to_water),
            carving,
            features,
        })
    }

    /// The water that spreads over slopes, in square metres that drain, and how wet they are.
    fn on_slopes(
        &self,
        (surface, is_base): (&[f32], &[bool]),
        compass: &Compass,
        lattice: &Lattice,
        ctx: &Ctx<'_>,
    ) -> Result<(Vec<f32>, Vec<f32>), Cancelled> {
        let mut flow = self.grounds(lattice);
        accumulate_multiple(&mut flow, surface, is_base, compass);
        ctx.check()?;
        let wetness = wetness(&flow, surface, compass);
        flow.iter_mut().for_each(|flow| *flow *= compass.cell_area as f32);
        Ok((flow, wetness))
    }

    /// The rivers on the opened map, with their strands.
    fn rivers(&self, streams: &Streams<'_>, lattice: &Lattice, first: usize) -> Vec<River> {
        let mut rivers = streams.rivers(lattice, first);
        for point in rivers.iter_mut().flat_map(|river| &mut river.points) {
            point.width *= self.0.width;
        }
        if self.0.strands > 1 {
            self.braid(&mut rivers, streams.surface, lattice);
        }
        rivers
    }

    fn braid(&self, rivers: &mut Vec<River>, surface: &[f32], lattice: &Lattice) {
        let [dx, dz] = lattice.spacing;
        let [width, height] = lattice.size.map(|count| count as usize);
        let place = |at: f64, count: usize| ((at + 0.5).max(0.0) as usize).min(count - 1);
        let ground = |x: f64, z: f64| {
            f64::from(surface[place(z / dz, height) * width + place(x / dx, width)])
        };
        let seed = self.1.child("braids");
        Braids { strands: self.0.strands, seed, ground: &ground, step: dx.min(dz) }.add(rivers);
    }

    fn bases(&self, heights: &[f32], sea: f32, compass: &Compass) -> Vec<bool> {
        if self.0.open_border {
            bases(heights, sea, compass)
        } else {
            heights.iter().map(|&h| h <= sea).collect()
        }
    }

    /// Which depressions hold lakes.
    fn lakes(&self, depressions: &Depressions, compass: &Compass) -> Vec<bool> {
        let is_lake = |found: &super::lakes::Depression| {
            f64::from(found.depth) >= self.0.lake_depth
                && f64::from(found.samples) * compass.cell_area >= self.0.lake_area
                && found.depth > 0.0
        };
        depressions.list.iter().map(is_lake).collect()
    }

    /// The ground with water in the lakes, and with the other depressions as they are or filled.
    fn surface(
        &self,
        heights: &[f32],
        spill: &[f32],
        (depressions, is_lake): (&Depressions, &[bool]),
        is_base: &[bool],
        compass: &Compass,
    ) -> Vec<f32> {
        let mut surface = heights.to_vec();
        for (at, h) in surface.iter_mut().enumerate() {
            let label = depressions.labels[at] as usize;
            if label > 0 && is_lake[label - 1] {
                *h = spill[at];
            }
        }
        match self.0.depressions {
            Remedy::Breach => surface,
            Remedy::Fill => fill_with_fall(&surface, is_base, compass),
        }
    }

    /// How much ground each sample stands for, relative to one on the equator: less near the poles of a sphere.
    fn grounds(&self, lattice: &Lattice) -> Vec<f32> {
        let weights = self.2.row_weights(lattice);
        let width = lattice.size[0] as usize;
        let mut grounds = Vec::with_capacity(width * weights.len());
        weights.iter().for_each(|&weight| grounds.resize(grounds.len() + width, weight as f32));
        grounds
    }

    /// m³/s through each sample.
    fn discharge(
        &self,
        before: &Terrain,
        (order, directions): (&[u32], &[u8]),
        compass: &Compass,
        seam: Seam,
    ) -> Vec<f32> {
        let layer = self.0.rain_layer.as_deref().and_then(Layer::named);
        let rain = layer.and_then(|layer| before.layer(&layer));
        let depth = self.0.rain * 0.01 * self.0.runoff / YEAR * compass.cell_area;
        let mut discharge = self.grounds(before.extent().lattice());
        if let Some(rain) = rain {
            let rain = seam.opened(rain.samples());
            let positive = |&rain: &f32| if rain > 0.0 && rain.is_finite() { rain } else { 0.0 };
            let sum: f64 = rain.iter().map(|rain| f64::from(positive(rain))).sum();
            let mean = (sum / compass.len() as f64).max(1e-30) as f32;
            for (share, rain) in discharge.iter_mut().zip(&rain) {
                *share *= positive(rain) / mean;
            }
        }
        accumulate(&mut discharge, order, directions, compass);
        discharge.iter_mut().for_each(|q| *q *= depth as f32);
        discharge
    }
}

/// The lakes as objects, with their outlets: where the water of the last sample inside goes.
fn named_lakes(
    depressions: &Depressions,
    is_lake: &[bool],
    (heights, directions): (&[f32], &[u8]),
    lattice: &Lattice,
) -> Vec<Lake> {
    let compass = Compass::new(lattice);
    let mut outlets = vec![None; is_lake.len()];
    for (at, &label) in depressions.labels.iter().enumerate() {
        let next = compass.next(at, directions[at]);
        if label > 0 && depressions.labels[next] != label {
            let place = |at: usize| {
                [
                    (at % compass.width) as f64 * lattice.spacing[0],
                    (at / compass.width) as f64 * lattice.spacing[1],
                ]
            };
            outlets[label as usize - 1] = Some(place(next));
        }
    }
    let mut number = 0;
    let names: Vec<Option<String>> = is_lake
        .iter()
        .map(|&is_lake| {
            number += usize::from(is_lake);
            is_lake.then(|| format!("lake {number}"))
        })
        .collect();
    depressions.lakes(heights, lattice, &names, &outlets)
}

/// A little below 0 beside a lake, so that the shore lies where the ground meets the level; 0 elsewhere.
fn shore(
    at: usize,
    heights: &[f32],
    depressions: &Depressions,
    is_lake: &[bool],
    compass: &Compass,
) -> f32 {
    let levels = compass.around(at).filter_map(|(_, next)| {
        let label = depressions.labels[next] as usize;
        (label > 0 && is_lake[label - 1]).then(|| depressions.list[label - 1].level)
    });
    levels.fold(0.0_f32, |depth, level| depth.min(level - heights[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Recipe, math};

    const ROUGH: &str = r#"
version = 1
seed = 5
size = [129, 97]
spacing = [30, 30]
sea_level = 20
[[stage]]
kind = "noise"
wavelength = 1500
amplitude = 150
octaves = 5
[[stage]]
kind = "plane"
height = 90
[[stage]]
kind = "drainage"
source = 0.005
"#;

    fn run(text: &str) -> Terrain {
        let plan = Recipe::parse(text).unwrap().resolve(&Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap()
    }

    #[test]
    fn no_river_rises_and_each_ends_in_the_sea_on_the_border_or_in_another() {
        for seed in 0..6 {
            let terrain = run(&ROUGH.replace("seed = 5", &format!("seed = {seed}")));
            let rivers: Vec<&River> =
                terrain.features().iter().filter_map(Feature::as_river).collect();
            assert!(rivers.len() > 3);
            for river in &rivers {
                assert!(river.points.windows(2).all(|pair| pair[1].bed <= pair[0].bed));
                assert!(
                    river.points.windows(3).all(|three| three[1].discharge >= three[0].discharge)
                );
                let last = river.points[river.points.len() - 1];
                match &river.into {
                    Some(main) => {
                        let main = rivers.iter().find(|other| other.name == *main).unwrap();
                        assert!(main.points.iter().any(|p| (p.x, p.z) == (last.x, last.z)));
                    }
                    None => {
                        let [gx, gz] = terrain.extent().lattice().ground();
                        let on_border =
                            last.x <= 0.0 || last.z <= 0.0 || last.x >= gx || last.z >= gz;
                        assert!(on_border || last.bed <= 20.0, "{last:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lakes_are_level_have_an_outlet_and_lie_where_the_layer_says() {
        let terrain = run(&ROUGH.replace("source", "lake_depth = 1\nlake_area = 4000\nsource"));
        let lakes = terrain.features().iter().filter_map(|feature| match feature {
            Feature::Lake(lake) => Some(lake),
            _ => None,
        });
        let lakes: Vec<&Lake> = lakes.collect();
        assert!(!lakes.is_empty());
        for lake in lakes {
            assert!(lake.outlet.is_some() && lake.depth >= 1.0 && lake.area >= 4000.0);
            assert!(!lake.parts.is_empty());
        }
        let wet = terrain.layer(&Layer::Lake).unwrap().samples().iter().filter(|&&v| v > 0.5);
        assert!(wet.count() > 4);
    }

    #[test]
    fn filling_and_breaching_both_leave_ground_that_drains() {
        for remedy in ["breach", "fill"] {
            let all = format!("depressions = \"{remedy}\"\nlake_depth = 10000\nsource");
            let terrain = run(&ROUGH.replace("source", &all).replace("0.005", "1000000"));
            let pits = crate::drainage::statistics::Drainage::of(&terrain).pits;
            assert_eq!(pits, 0.0, "{remedy}");
        }
    }

    #[test]
    fn on_a_finer_lattice_river_beds_still_lead_on() {
        let fine = ROUGH.replace("sea_level", "resolution = [385, 289]\nsea_level");
        let terrain = run(&fine);
        let ground = crate::resample::ground::GroundHeights::of(&terrain);
        for river in terrain.features().iter().filter_map(Feature::as_river) {
            for pair in river.points.windows(2) {
                let at = |t: f64| {
                    ground.at(
                        math::lerp(pair[0].x, pair[1].x, t),
                        math::lerp(pair[0].z, pair[1].z, t),
                    )
                };
                // Between two vertices the floor of the valley is never dammed up.
                let dam = at(0.5) - at(0.0).max(at(1.0));
                assert!(dam < 3.0, "{dam} m at {pair:?}");
            }
        }
    }

    #[test]
    fn water_runs_across_the_edge_of_a_map_that_wraps() {
        // The same ground, begun at another meridian: all layers are turned, and nothing else is different.
        let lattice = Lattice { size: [65, 33], spacing: [1000.0, 1000.0] };
        let ground = |start: usize| {
            let rough = |i: usize, j: usize| Seed::new(3).uniform((i * 64 + j) as u64) * 150.0;
            let height = |i: usize, j: usize| {
                let i = (i + start) % 64;
                // Sea along one meridian only.
                let hill = 900.0 * math::sin(std::f64::consts::PI * i as f64 / 64.0) - 60.0;
                (hill + if i == 0 { -200.0 } else { rough(i, j) }) as f32
            };
            Terrain::new(lattice.whole(), 0.0, Grid::from_fn(65, 33, height))
        };
        let survey = |start: usize| {
            let map = DrainageMap { source: 0.5, ..DrainageMap::default() };
            let survey = Survey(map, Seed::new(1), Topology::Cylinder);
            survey.survey(&ground(start), &Ctx::new(&(), "")).unwrap()
        };
        let flow = |found: &Drained| {
            let mut flow = vec![0.0; lattice.whole().len()];
            let copy = |sample: &mut f32, value: f32| *sample = value;
            found.flow.fill(&lattice.whole(), &mut flow, &Ctx::new(&(), ""), copy).unwrap();
            flow
        };
        let (first, second) = (survey(32), survey(0));
        let (turned, plain) = (flow(&first), flow(&second));
        for (j, row) in plain.chunks(65).enumerate() {
            for (i, value) in row[..64].iter().enumerate() {
                assert_eq!(turned[j * 65 + (i + 32) % 64].to_bits(), value.to_bits(), "{i} {j}");
            }
        }
        assert!(first.features.len() >= second.features.len());
    }

    #[test]
    fn a_cut_across_the_corners_of_cells_leads_on_between_them() {
        // A hollow in a plain that slopes to the south-east, dammed up by it.
        let lattice = Lattice { size: [17, 17], spacing: [10.0, 10.0] };
        let hollow = |i: usize, j: usize| {
            let rise = if i == j { 0.0 } else { 3.0 };
            if (i, j) == (3, 3) { 80.0 } else { 100.0 + rise - (i + j) as f32 * 0.01 }
        };
        let ground = Grid::from_fn(17, 17, hollow);
        let before = Terrain::new(lattice.whole(), 0.0, ground.clone());
        let map = DrainageMap { lake_depth: 100.0, source: 1e6, ..DrainageMap::default() };
        let survey = Survey(map, Seed::new(1), Topology::Plane);
        let ctx = Ctx::new(&(), "");
        let drained = survey.survey(&before, &ctx).unwrap();
        let fine = Lattice { size: [129, 129], spacing: [1.25, 1.25] }.whole();
        let mut cut = vec![0.0; fine.len()];
        Carried::new(ground).fill(&fine, &mut cut, &ctx, |old, new| *old = new).unwrap();
        drained.change.fill(&fine, &mut cut, &ctx, |height, change| *height += change).unwrap();
        let highest = |cut: &[f32]| (4 * 8..15 * 8).map(|k| cut[k * 130]).fold(f32::MIN, f32::max);
        assert!(highest(&cut) > 85.0, "{}", highest(&cut));
        drained.grooves.fill(&fine, &mut cut, &ctx).unwrap();
        assert!(highest(&cut) < 81.5, "{}", highest(&cut));
    }

    #[test]
    fn a_layer_that_there_is_not_is_answered() {
        let text = ROUGH.replace("source", "rain_layer = \"snow\"\nsource");
        let error = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("rain_layer is \"snow\", but the layers before it are height")
        );
    }
}
