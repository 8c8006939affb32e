//! Climate: temperature, wind and precipitation of a map from pole to pole, or of a part of it.
//!
//! | file | what |
//! | --- | --- |
//! | `air` | the ground as the weather sees it: a coarse map of height and sea |
//! | [`temperature`] | latitude, altitude, the nearness of the sea |
//! | [`wind`] | the wind belts of a planet, bent by land and ranges |
//! | `smooth` | means and slopes over the poles and around the map |
//! | [`precipitation`] | moisture that the wind carries |
//! | `report_rain` | the report's two models of rain |
//!
//! The weather is made on a lattice of at most 384 columns: it has no finer structure but what altitude gives it, and that is
//! looked up at the resolution of the output. The report's rain on a flat map is made on the recipe's own lattice.

mod air;
pub mod precipitation;
mod report_rain;
mod smooth;
pub mod temperature;
pub mod wind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::air::Air;
use self::report_rain::RainPixels;
use self::temperature::Drawn;
use self::wind::SteadyWind;
use super::flat::blended;
use super::noise::Octaves;
use super::sea_level::quantile;
use super::surface::Point;
use crate::blend::Blend;
use crate::error::{Error, number};
use crate::stage::{
    Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Simulated, Simulation, Site,
};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Seed, Terrain, Topology, keep, math, par};

pub use precipitation::Rain;
pub use temperature::Heat;

/// Temperature, wind and precipitation of the ground as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Climate {
    /// How temperature comes about.
    pub temperature: Heat,
    /// Mean temperature at the sea on the equator.
    #[schemars(range(min = -100.0, max = 100.0), extend("unit" = "°C", "only" = ["temperature", "given"]))]
    pub equator: f64,
    /// Mean temperature at the sea at the poles.
    #[schemars(range(min = -150.0, max = 100.0), extend("unit" = "°C", "only" = ["temperature", "given"]))]
    pub pole: f64,
    /// How much colder it is for each kilometre above the sea, or above the lowest fiftieth of a planet with hardly any sea.
    #[schemars(range(min = 0.0, max = 30.0), extend("unit" = "°C/km", "only" = ["temperature", "given"]))]
    pub lapse: f64,
    /// How strongly the sea makes coasts milder; 0 not at all.
    #[schemars(range(min = 0.0, max = 3.0), extend("only" = ["temperature", "given"]))]
    pub maritime: f64,
    /// How precipitation comes about.
    pub rain: Rain,
    /// Factor of all precipitation.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub wetness: f64,
    /// How far the belts of wind and rain move with the seasons. Only with `rain` = `wind`.
    #[schemars(range(min = 0.0, max = 45.0), extend("unit" = "°"))]
    pub seasons: f64,
    /// How much the latitude counts for precipitation, with `inland` and `noise`.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "%"))]
    pub latitude_effect: f64,
    /// How soon rain gets scarce inland, with `inland`.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub moisture_loss: f64,
    /// How many times precipitation changes across the map, with `noise`.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub variance: f64,
    /// Latitude of the north edge of a map that is not a whole planet. Only the topology `plane` has another than 90.
    #[schemars(range(min = -90.0, max = 90.0), extend("unit" = "°"))]
    pub north: f64,
    /// Latitude of the south edge of a map that is not a whole planet. Only the topology `plane` has another than -90.
    #[schemars(range(min = -90.0, max = 90.0), extend("unit" = "°"))]
    pub south: f64,
}

impl Default for Climate {
    fn default() -> Self {
        Self {
            temperature: Heat::Given,
            equator: 28.0,
            pole: -23.0,
            lapse: 6.5,
            maritime: 1.0,
            rain: Rain::Wind,
            wetness: 1.0,
            seasons: 9.0,
            latitude_effect: 50.0,
            moisture_loss: 0.5,
            variance: 5.0,
            north: 90.0,
            south: -90.0,
        }
    }
}

impl Operator for Climate {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let edges = [("north", self.north, 90.0), ("south", self.south, -90.0)];
        let other = edges.into_iter().find(|(_, latitude, pole)| latitude != pole);
        if let Some((name, latitude, _)) = other.filter(|_| site.topology != Topology::Plane) {
            let map = site.topology.name();
            let why = format!(
                "a {map} reaches from pole to pole, from 90 to -90: only the topology plane is a part of a planet"
            );
            return Err(Error::unfit(name, number(latitude), why));
        }
        if self.north <= self.south {
            let north = ("north", number(self.north));
            let south = ("south", Some(number(self.south)));
            return Err(Error::contradiction(north, "be above", south));
        }
        Ok(Prepared::Simulation(Box::new(Ready {
            climate: self.clone(),
            is_part: site.topology == Topology::Plane && site.ocean.is_none(),
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
            layers: vec![Layer::Temperature, Layer::Precipitation, Layer::WindX, Layer::WindZ],
            layers_from: Reads::Ground,
        }
    }
}

struct Ready {
    climate: Climate,
    /// Whether the map is a part of a planet whose sea may lie beyond it.
    is_part: bool,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

impl Ready {
    /// The temperatures of the report's model, if it is asked for.
    fn drawn(&self) -> Option<Drawn> {
        let drawn = || Drawn::of(self.seed.child("temperature"));
        (self.climate.temperature == Heat::Drawn).then(drawn)
    }

    fn latitudes(&self) -> [f64; 2] {
        [self.climate.north, self.climate.south]
    }

    /// These bytes if rain is made pixel by pixel, as the report does.
    fn pixel_memory(&self, bytes: u64) -> u64 {
        let raster = RainPixels::raster(&self.climate, self.topology, &self.design);
        raster.map_or(0, |_| bytes)
    }

    /// The height from which altitude counts: the sea level, unless hardly anything lies below it. The sea level of a planet without
    /// a sea says only how deep its deepest trench is.
    fn datum(&self, before: &Terrain) -> f32 {
        let (height, sea) = (before.height(), before.sea_level() as f32);
        let weights = self.topology.row_weights(before.extent().lattice());
        let below = |row: &[f32]| row.iter().map(|&h| f64::from(u8::from(h <= sea))).sum::<f64>();
        let wet: f64 = height.rows().zip(&weights).map(|(row, weight)| weight * below(row)).sum();
        let all = weights.iter().sum::<f64>() * height.width() as f64;
        // A sample more or less is no other planet.
        if self.is_part || wet + 1.5 >= LOWEST * all {
            return sea;
        }
        quantile(height.samples(), height.width(), &weights, LOWEST).0.max(sea)
    }

    fn weather(
        &self,
        air: Air,
        (datum, summit): (f32, f32),
        nodes: Vec<[f32; 4]>,
        rain: Option<RainPixels>,
    ) -> Weather {
        Weather {
            air,
            rain,
            datum,
            drawn: self.drawn(),
            summit,
            nodes,
            climate: self.climate.clone(),
            topology: self.topology,
            design: self.design,
            seed: self.seed.child("detail"),
        }
    }
}

impl Simulation for Ready {
    fn run(&self, before: &Terrain, ctx: &Ctx<'_>) -> Result<Box<dyn Simulated>, Cancelled> {
        ctx.progress(0.0)?;
        let climate = &match self.drawn() {
            Some(drawn) => drawn.for_weather(&self.climate),
            None => self.climate.clone(),
        };
        let datum = self.datum(before);
        let mut air = Air::new((before, datum), self.topology, self.latitudes());
        ctx.check()?;
        let raster = RainPixels::raster(climate, self.topology, &self.design);
        // Who reads them: mild coasts, and the report's rain where it has no raster.
        if climate.maritime != 0.0 || (climate.rain == Rain::Inland && raster.is_none()) {
            air.measure_inland(ctx)?;
        }
        ctx.progress(0.2)?;
        let at_sea = temperature::at_sea(climate, &air);
        let ground = SteadyWind::new(&air, self.seed.child("wind"));
        ctx.check()?;
        let seasons = [climate.seasons, -climate.seasons].map(|sun| (sun, ground.winds(&air, sun)));
        ctx.progress(0.3)?;
        let weather = (&at_sea[..], &seasons);
        let ctx = &ctx.share(0.3, 1.0);
        let (rain, pixels) = match raster {
            None => (precipitation::fall(climate, &air, weather, self.seed, ctx)?, None),
            Some(raster) => {
                let pixels = RainPixels::fall(raster, (climate, before), &air, self.seed, ctx)?;
                (vec![0.0; air.cells()], Some(pixels))
            }
        };
        let [(_, one), (_, other)] = &seasons;
        let wind =
            |cell: usize, axis: usize| 0.5 * (one.speed[cell][axis] + other.speed[cell][axis]);
        let nodes = (0..air.cells())
            .map(|cell| [at_sea[cell], rain[cell], wind(cell, 0), wind(cell, 1)])
            .collect();
        let summit = before.height().range().1;
        Ok(Box::new(self.weather(air, (datum, summit), nodes, pixels)))
    }

    fn restore(&self, kept: &[u8]) -> Option<Box<dyn Simulated>> {
        type Kept = ((f32, f32), Vec<[f32; 4]>, Vec<f32>);
        let (heights, nodes, rain): Kept = keep::thing(kept)?;
        let air = Air::over(&self.design, self.topology, self.latitudes());
        let raster = RainPixels::raster(&self.climate, self.topology, &self.design);
        let pixels = match raster {
            None => None,
            Some(raster) => Some(RainPixels::restored(raster, rain)?),
        };
        (nodes.len() == air.cells() && heights.0.is_finite() && heights.1.is_finite())
            .then(|| -> Box<dyn Simulated> { Box::new(self.weather(air, heights, nodes, pixels)) })
    }

    fn memory(&self, samples: u64) -> u64 {
        let air = Air::over(&self.design, self.topology, self.latitudes());
        // Rain, distance to the coast, and what is land.
        RUN_BYTES * air.cells() as u64 + self.pixel_memory(9 * samples)
    }

    fn found_memory(&self, samples: u64) -> u64 {
        let air = Air::over(&self.design, self.topology, self.latitudes());
        FOUND_BYTES * air.cells() as u64 + self.pixel_memory(4 * samples)
    }
}

/// Bytes a cell of the air while the weather is found, and of what stays.
const RUN_BYTES: u64 = 130;
const FOUND_BYTES: u64 = 34;

/// Altitude counts from the height below which this share of the ground lies, if that is above the sea.
const LOWEST: f64 = 0.02;

/// Rows that are filled one after the other.
const PART: usize = 4;

/// The weather, for any extent.
struct Weather {
    air: Air,
    /// The height from which altitude counts.
    datum: f32,
    /// The temperatures of the report's model, if it is asked for.
    drawn: Option<Drawn>,
    /// The highest height of the whole ground.
    summit: f32,
    /// Temperature at that height, precipitation unless there is a raster of it, wind to the east and to the south.
    nodes: Vec<[f32; 4]>,
    /// The report's rain on a flat map.
    rain: Option<RainPixels>,
    climate: Climate,
    topology: Topology,
    design: Lattice,
    seed: Seed,
}

impl Weather {
    /// The latitude of a line at `z`, in degrees.
    fn latitude(&self, z: f64) -> f64 {
        let depth = self.design.ground()[1];
        let share = if depth > 0.0 { z / depth } else { 0.5 };
        math::lerp(self.climate.north, self.climate.south, share)
    }

    /// The weather along a line at `z`, column by column: a stencil of nine nodes falls into three rows, which all samples of
    /// the line have in common. It begins with the column before the first and ends with the one after the last.
    fn blend_rows(&self, z: f64, line: &mut [[f32; 4]]) {
        let (rows, weights) = self.air.flat.around(1, z);
        let rows = rows.map(|row| &self.nodes[row * self.air.width..][..self.air.width]);
        let last = self.air.width - 1;
        for (column, node) in line[1..=last + 1].iter_mut().enumerate() {
            *node = blended([&rows[0][column], &rows[1][column], &rows[2][column]], &weights);
        }
        let (before, after) = if self.air.wraps() { (last, 0) } else { (0, last) };
        (line[0], line[last + 2]) = (line[before + 1], line[after + 1]);
    }
}

impl Field for Weather {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let width = extent.width();
        let spacing = extent.lattice().spacing;
        let fine = spacing[0].max(spacing[1]);
        let longest = 0.02 * self.air.length();
        let place = (self.topology, &self.design);
        let seed = self.seed.child(Layer::Precipitation.name());
        let octaves = Octaves::new(place, (longest, fine), 0.7, 5, seed);
        let is_uneven = self.climate.rain == Rain::Wind;
        let columns: Vec<[f64; 2]> = (0..width).map(|i| self.air.column(extent.x(i))).collect();
        let across = |i: usize| {
            let ([_, own, _], weights) = self.air.flat.around(0, extent.x(i));
            (own, weights)
        };
        let across: Vec<(usize, [f32; 3])> = (0..width).map(across).collect();
        let pixels = self.rain.as_ref().map(|rain| (rain, rain.columns(extent)));
        let lapse = (self.climate.lapse / 1000.0) as f32;
        let sea = view.sea_level() as f32;
        let which = |(layer, samples): (&Layer, _)| match layer {
            Layer::Temperature => (0, samples),
            Layer::Precipitation => (1, samples),
            Layer::WindX => (2, samples),
            Layer::WindZ => (3, samples),
            other => unreachable!("a climate gives no layer {other}"),
        };
        let (which, grids): (Vec<usize>, Vec<_>) = out.layers.into_iter().map(which).unzip();
        par::try_for_each_part_of_all(grids.into_iter(), width, PART, |part, mut grids| {
            let (mut noise, mut weather) = (vec![0.0; width], vec![[0.0_f32; 4]; width]);
            let mut line = vec![[0.0; 4]; self.air.width + 2];
            for k in 0..grids.first().map_or(0, |rows| rows.len() / width) {
                let j = part * PART + k;
                let z = extent.z(j);
                if is_uneven {
                    let line = self.air.row(z);
                    let point = |&column: &[f64; 2]| self.air.crossing(column, line);
                    let points: Vec<Point> = columns.iter().map(point).collect();
                    octaves.fbm(&points, &mut noise);
                }
                self.blend_rows(z, &mut line);
                let zonal = self.drawn.as_ref().map(|drawn| (drawn.zonal(self.latitude(z)), drawn));
                let heights = view.row(&Layer::Height, extent, j);
                let samples = weather.iter_mut().zip(heights).zip(across.iter().zip(&noise));
                for ((weather, height), ((own, weights), noise)) in samples {
                    let [a, b, c] = line[*own..].first_chunk().expect("two more than columns");
                    *weather = blended([a, b, c], weights);
                    weather[0] = match zonal {
                        Some((zonal, drawn)) => {
                            drawn.on_ground(zonal, [height - sea, self.summit - sea])
                        }
                        None => weather[0] - lapse * (height - self.datum).max(0.0),
                    };
                    if is_uneven {
                        weather[1] = (weather[1] * (1.0 + 0.35 * noise)).max(0.0);
                    }
                }
                if let Some((rain, columns)) = &pixels {
                    rain.write_row(z, columns, &mut weather);
                }
                for (which, rows) in which.iter().zip(&mut grids) {
                    let row = &mut rows[k * width..][..width];
                    for (sample, weather) in row.iter_mut().zip(&weather) {
                        *sample = weather[*which];
                    }
                }
            }
            ctx.check()
        })
    }
}

impl Simulated for Weather {
    fn keep(&self) -> Vec<u8> {
        let mut kept = keep::bytes(&(self.datum, self.summit));
        kept.extend(keep::bytes(&self.nodes));
        let rain = self.rain.as_ref().map_or(&[][..], RainPixels::kept);
        kept.extend(keep::bytes(&rain.to_vec()));
        kept
    }
}
