//! The two models of rain of Baker's report (2018, section 2.5.2), in cm a year.
//!
//! ```text
//! inland   p = e² (M − r) − 50 + (r / k) / (32 d / H + 1)      at sea M
//! noise    p = e² (M − r) − 50 + (noise + 1) r                 everywhere
//! ```
//!
//! r = M (1 − E/100) with the latitude's share E in per cent, k the loss of moisture, e = 1 on the equator and 0 at the poles, d the
//! distance to the nearest land on the coast, so 0 there, and H the depth of the map. The report has no formula: these and
//! M = 450 cm are those of its program, whose d lags behind by a pixel and whose p may fall below 0.
//!
//! On a flat map every pixel of the recipe's own lattice has its rain, as in the report; between pixels it is in proportion. The
//! report has no sphere: there the cells of the weather have their rain, and d is the distance to the sea.

use super::air::Air;
use super::{Climate, Rain};
use crate::world::euclidean;
use crate::world::noise::Octaves;
use crate::world::raster::{Between, Raster};
use crate::{Cancelled, Ctx, Extent, Lattice, Seed, Terrain, Topology, math};

/// The report's maximum, M.
const MOST: f64 = 450.0;

/// What the rain at a place goes by, beside its latitude.
enum By {
    Sea,
    /// The distance to the coast, as a share of the depth of the map.
    Inland(f64),
    /// Noise from −1 to 1.
    Noise(f64),
}

/// The rain at a latitude in degrees.
fn rain(climate: &Climate, latitude: f64, by: &By) -> f32 {
    let r = (MOST * (1.0 - climate.latitude_effect / 100.0)).clamp(0.0, MOST);
    let e = 1.0 - latitude.abs() / 90.0;
    let zonal = e * e * (MOST - r) - 50.0;
    let centimetres = match by {
        By::Sea => MOST,
        By::Inland(share) => zonal + r / climate.moisture_loss / (32.0 * share + 1.0),
        By::Noise(noise) => zonal + (noise + 1.0) * r,
    };
    (centimetres * climate.wetness).max(0.0) as f32
}

/// One octave of noise.
struct Octave(Octaves);

impl Octave {
    fn new(climate: &Climate, air: &Air, seed: Seed) -> Self {
        let longest = air.length() / climate.variance;
        let seed = seed.child("rain");
        Self(Octaves::new(air.place(), (longest, longest / 8.0), 1.0, 1, seed))
    }

    /// As wide as the simplex noise of the report.
    fn widened(noise: f32) -> By {
        By::Noise((2.5 * f64::from(noise)).clamp(-1.0, 1.0))
    }
}

/// The rain of each cell of the weather.
pub(super) fn in_cells(climate: &Climate, air: &Air, seed: Seed) -> Vec<f32> {
    let depth = (air.height as f64 * air.cell[1]).max(1e-9);
    let latitude = |cell: usize| air.latitude[cell / air.width];
    if climate.rain == Rain::Noise {
        let noise = Octave::new(climate, air, seed).0.fbm_of(air.cells(), |cell| air.point(cell));
        let of = |(cell, &noise)| rain(climate, latitude(cell), &Octave::widened(noise));
        return noise.iter().enumerate().map(of).collect();
    }
    let of = |cell: usize| {
        let is_sea = air.land[cell] < 0.5;
        let inland = || By::Inland(f64::from(air.inland[cell]) / depth);
        rain(climate, latitude(cell), &if is_sea { By::Sea } else { inland() })
    };
    (0..air.cells()).map(of).collect()
}

/// The rain of a flat map, pixel by pixel.
pub(super) struct RainPixels {
    raster: Raster,
    rain: Vec<f32>,
}

impl RainPixels {
    /// The pixels of a flat map that has one of the report's models.
    pub(super) fn raster(
        climate: &Climate,
        topology: Topology,
        design: &Lattice,
    ) -> Option<Raster> {
        let is_asked = climate.rain != Rain::Wind && topology != Topology::Sphere;
        is_asked.then(|| Raster::new(topology.wraps(), design))
    }

    /// The rain of these pixels, if it is what was kept of them.
    pub(super) fn restored(raster: Raster, rain: Vec<f32>) -> Option<Self> {
        (rain.len() == raster.cells()).then_some(Self { raster, rain })
    }

    pub(super) fn kept(&self) -> &[f32] {
        &self.rain
    }

    /// Lets it rain on this ground.
    pub(super) fn fall(
        raster: Raster,
        (climate, ground): (&Climate, &Terrain),
        air: &Air,
        seed: Seed,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        let lattice = ground.extent().lattice();
        let [width, height] = raster.size();
        let [dx, dz] = lattice.spacing;
        let depth = lattice.ground()[1].max(1e-9);
        let latitude = |row: usize| {
            math::lerp(climate.north, climate.south, (row as f64 * dz / depth).min(1.0))
        };
        let latitudes: Vec<f64> = (0..height).map(latitude).collect();
        let row_of = |cell: usize| cell / width;
        if climate.rain == Rain::Noise {
            let columns: Vec<[f64; 2]> = (0..width).map(|i| air.column(i as f64 * dx)).collect();
            let rows: Vec<[f64; 2]> = (0..height).map(|j| air.row(j as f64 * dz)).collect();
            let point = |cell: usize| air.crossing(columns[cell % width], rows[row_of(cell)]);
            let noise = Octave::new(climate, air, seed).0.fbm_of(raster.cells(), point);
            ctx.check()?;
            let of =
                |(cell, &noise)| rain(climate, latitudes[row_of(cell)], &Octave::widened(noise));
            let rain = noise.iter().enumerate().map(of).collect();
            return Ok(Self { raster, rain });
        }
        let sea = ground.sea_level() as f32;
        let is_land = |cell: usize| ground.height()[(cell % width, row_of(cell))] > sea;
        let land: Vec<bool> = (0..raster.cells()).map(is_land).collect();
        ctx.check()?;
        let is_coast = |cell: usize| !land[cell] || raster.four(cell).any(|next| !land[next]);
        let inland = euclidean::distances(&raster.in_metres(), is_coast, f64::MAX, ctx)?;
        let of = |cell: usize| {
            let by = match land[cell] {
                true => By::Inland(f64::from(inland[cell]) / depth),
                false => By::Sea,
            };
            rain(climate, latitudes[row_of(cell)], &by)
        };
        let rain = (0..raster.cells()).map(of).collect();
        Ok(Self { raster, rain })
    }

    /// The pixels around each column of an extent.
    pub(super) fn columns(&self, extent: &Extent) -> Vec<Between> {
        (0..extent.width()).map(|i| self.raster.between(0, extent.x(i))).collect()
    }

    /// Writes the rain along a line at `z` into its weather.
    pub(super) fn write_row(&self, z: f64, columns: &[Between], weather: &mut [[f32; 4]]) {
        let row = self.raster.between(1, z);
        for (weather, column) in weather.iter_mut().zip(columns) {
            weather[1] = self.raster.value(&self.rain, column, &row) as f32;
        }
    }
}
