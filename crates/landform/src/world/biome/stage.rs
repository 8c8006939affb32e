//! The stage `biomes`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lakes::Lakes;
use super::{Biome, BiomeClass, linear, whittaker};
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::world::noise::Octaves;
use crate::world::surface::{AnySurface, MapCoordinates, Point, on_surface};
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Seed, Terrain, Topology, keep, par};

/// What grows where, by the temperature and precipitation of a `climate` stage before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Biomes {
    /// The chart by which land is classified.
    pub chart: Chart,
    /// How uneven borders are; 0 keeps exactly to the chart.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub unevenness: f64,
    /// Mean temperature below which the sea is frozen: its edge wanders by up to 7 °C around that.
    #[schemars(range(min = -100.0, max = 50.0), extend("unit" = "°C"))]
    pub sea_ice: f64,
    /// Mean temperature below which land is under ice.
    #[schemars(range(min = -100.0, max = 50.0), extend("unit" = "°C"))]
    pub land_ice: f64,
    /// Whether water that is cut off from the sea is a lake.
    pub lakes: bool,
}

/// The chart by which land is classified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chart {
    /// Whittaker's chart with its curved boundaries.
    #[default]
    Whittaker,
    /// The report's boxes.
    Linear,
}

impl Default for Biomes {
    fn default() -> Self {
        Self {
            chart: Chart::Whittaker,
            unevenness: 1.0,
            sea_ice: -9.0,
            land_ice: -13.5,
            lakes: true,
        }
    }
}

impl Operator for Biomes {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        for layer in [Layer::Temperature, Layer::Precipitation] {
            if !site.layers.contains(&layer) {
                let message = format!("needs the layer {layer}: put a `climate` stage before it");
                return Err(Error::new(message));
            }
        }
        Ok(Prepared::Simulation(Box::new(Ready {
            biomes: self.clone(),
            topology: site.topology,
            design: site.design,
            seed: site.seed,
        })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Whole
    }

    fn access(&self) -> Access {
        Access {
            simulation: Reads::Ground,
            values: None,
            layers: vec![Layer::Biome],
            layers_from: Reads::Layers,
        }
    }
}

struct Ready {
    biomes: Biomes,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

impl Ready {
    fn grown(&self, lakes: Option<Lakes>) -> Grown {
        Grown {
            biomes: self.biomes.clone(),
            lakes,
            topology: self.topology,
            design: self.design,
            seed: self.seed,
        }
    }
}

impl Simulation for Ready {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        ctx.progress(0.0)?;
        let (height, sea) = (before.height(), before.sea_level() as f32);
        let find = || Lakes::find(height, sea, self.topology, self.design);
        Ok(Box::new(self.grown(self.biomes.lakes.then(find))))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        let kinds: Option<Grid<u8>> = keep::thing(kept)?;
        Some(Box::new(self.grown(kinds.map(|kinds| Lakes { kinds, lattice: self.design }))))
    }

    fn memory(&self, samples: u64) -> u64 {
        20 * samples
    }

    fn found_memory(&self, samples: u64) -> u64 {
        samples
    }
}

/// Biomes at any extent.
struct Grown {
    biomes: Biomes,
    lakes: Option<Lakes>,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

/// The sea is frozen, or open, at temperatures up to this far from the one that was asked for, in °C.
const SEA_DRIFT: f64 = 7.0;

/// Noise at a sample, by which borders are uneven.
#[derive(Clone, Copy, Default)]
struct Chance {
    celsius: f64,
    rain: f64,
    grass: f64,
    /// Warm and cold currents of the sea.
    currents: f64,
}

impl Grown {
    fn classify(&self, (above, celsius, rain): (f32, f32, f32), chance: Chance) -> Biome {
        // Ice on water drifts and goes with the currents: its edge is far more uneven than that of plants.
        let drift = if above <= 0.0 {
            // Each part for itself: where a current has done all it can, there are still floes and bays.
            let bounded = |free: f64| free / (1.0 + free * free).sqrt();
            SEA_DRIFT * (0.6 * bounded(2.2 * chance.celsius) + 0.4 * bounded(3.5 * chance.currents))
        } else {
            2.2 * chance.celsius
        };
        let celsius = f64::from(celsius) + drift;
        let rain = (f64::from(rain) * (1.0 + 0.35 * chance.rain)).max(0.0);
        if above <= 0.0 {
            return if celsius < self.biomes.sea_ice { Biome::SeaIce } else { Biome::Ocean };
        }
        if celsius < self.biomes.land_ice {
            return Biome::Ice;
        }
        match self.biomes.chart {
            Chart::Linear => linear::classify(celsius, rain),
            Chart::Whittaker => {
                whittaker::classify(celsius, rain, (0.5 + 1.1 * chance.grass).clamp(0.0, 1.0))
            }
        }
    }
}

impl Field for Grown {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let surface = AnySurface::new(self.topology, &self.design);
        out.layers.into_iter().try_for_each(|(_, biomes)| {
            on_surface!(&surface, s => self.fill_biomes(s, (extent, view), biomes, ctx))
        })
    }
}

impl Simulated for Grown {
    fn keep(&self) -> Vec<u8> {
        keep::bytes(&self.lakes.as_ref().map(|lakes| lakes.kinds.clone()))
    }
}

impl Grown {
    fn fill_biomes<S: MapCoordinates>(
        &self,
        surface: &S,
        (extent, view): (&Extent, &TerrainView<'_>),
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let ground = self.design.ground();
        let spacing = extent.lattice().spacing;
        let fine = spacing[0].max(spacing[1]);
        let longest = 0.03 * ground[0].max(ground[1]).max(1.0);
        let place = (self.topology, &self.design);
        let octaves =
            |name: &str| Octaves::new(place, (longest, fine), 0.75, 6, self.seed.child(name));
        let [celsius, rain, grass] = ["celsius", "rain", "grass"].map(octaves);
        let currents =
            Octaves::new(place, (5.0 * longest, fine), 1.0, 3, self.seed.child("currents"));
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        let width = extent.width();
        let columns: Vec<[f64; 2]> =
            (0..width).map(|i| surface.column(share(extent.x(i), 0))).collect();
        let lines = |lakes: &Lakes| [0, 1].map(|axis| lakes.lines(extent, axis));
        let lines = self.lakes.as_ref().map(lines).unwrap_or_default();
        let sea = view.sea_level() as f32;
        let uneven = self.biomes.unevenness;
        par::try_for_each_part(out, width, 4, |part, rows| {
            for (k, row) in rows.chunks_mut(width).enumerate() {
                let j = part * 4 + k;
                let z = surface.row(share(extent.z(j), 1));
                // Noise costs more than all the rest: only where it can matter.
                let noise = |octaves: &Octaves, is_on: bool, matters: &dyn Fn(usize) -> bool| {
                    if !is_on {
                        return Vec::new();
                    }
                    let chosen: Vec<usize> = (0..width).filter(|&i| matters(i)).collect();
                    let point = |&i: &usize| surface.crossing(columns[i], z);
                    let points: Vec<Point> = chosen.iter().map(point).collect();
                    let mut found = vec![0.0; points.len()];
                    octaves.fbm(&points, &mut found);
                    let mut all = vec![0.0; width];
                    chosen.iter().zip(found).for_each(|(&i, noise)| all[i] = f64::from(noise));
                    all
                };
                let heights = view.row(&Layer::Height, extent, j);
                let temperatures = view.row(&Layer::Temperature, extent, j);
                let rains = view.row(&Layer::Precipitation, extent, j);
                let is_land = |i: usize| heights[i] - sea > 0.0;
                let from_ice = |i: usize| f64::from(temperatures[i]) - self.biomes.sea_ice;
                let is_cold_sea = |i: usize| !is_land(i) && from_ice(i).abs() <= SEA_DRIFT;
                let celsius = noise(&celsius, uneven > 0.0, &|i| is_land(i) || is_cold_sea(i));
                let currents = noise(&currents, uneven > 0.0, &is_cold_sea);
                let rain = noise(&rain, uneven > 0.0, &is_land);
                let has_grass = self.biomes.chart == Chart::Whittaker;
                let grass = noise(&grass, has_grass, &is_land);
                let climates = heights.iter().zip(temperatures).zip(rains);
                let lakes = self.lakes.as_ref().filter(|lakes| lakes.are_near(lines[1][j]));
                for (i, (sample, ((height, celsius_here), rain_here))) in
                    row.iter_mut().zip(climates).enumerate()
                {
                    let mut chance = Chance::default();
                    if uneven > 0.0 {
                        chance.celsius = uneven * celsius[i];
                        chance.rain = uneven * rain[i];
                        chance.currents = uneven * currents[i];
                    }
                    if has_grass {
                        chance.grass = grass[i];
                    }
                    let climate = (height - sea, *celsius_here, *rain_here);
                    let mut biome = self.classify(climate, chance);
                    if let Some(lakes) = lakes
                        && matches!(biome.class(), BiomeClass::Sea | BiomeClass::SeaIce)
                        && lakes.holds(lines[0][i], lines[1][j])
                    {
                        biome = Biome::Lake;
                    }
                    *sample = f32::from(biome as u8);
                }
            }
            ctx.check()
        })
    }
}
