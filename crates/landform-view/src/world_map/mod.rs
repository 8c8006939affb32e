//! Maps of a world: biomes shaded by relief, and each of its layers in its own colours.
//!
//! Each map is a file of this folder; this one has what they share.

pub(crate) mod age;
pub(crate) mod biomes;
pub(crate) mod crust;
pub(crate) mod plates;
pub(crate) mod precipitation;
pub(crate) mod temperature;
pub(crate) mod wind;
pub(crate) mod world;

use landform::world::{Biome, BiomeClass};
use landform::{Grid, Layer, Terrain, Topology, math, par};

use crate::Options;
use crate::color::{Ramp, Rgb, encode_with, encoder, linear, mix, smoothstep, srgb};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::ground::Ground;
use crate::hillshade::Hillshade;
use crate::inland::inland_water;
use crate::legend::Bar;
use crate::map_projection::MapProjection;
use crate::resample::{nearest, resample};

use std::sync::LazyLock;

/// A map of one layer of a world.
pub(crate) struct WorldMap {
    /// The layer that it shows.
    pub(crate) layer: Layer,
    pub(crate) draw: fn(&Subject<'_>) -> (Canvas, Key),
    /// Writes over the map of the layer's samples, once it lies in its projection.
    pub(crate) labels: Option<fn(&mut Canvas, &Grid, MapProjection)>,
}

/// What stands beside a map: a bar of colours, or names with theirs.
pub(crate) enum Key {
    Bar(Bar<'static>),
    Swatches(Vec<(String, Rgb)>),
}

/// What a map of a world is drawn from.
pub(crate) struct Subject<'a> {
    terrain: &'a Terrain,
    /// The samples of the layer.
    samples: &'a Grid,
    ground: Ground<'a>,
    options: &'a Options,
    /// Width and height in pixels.
    size: [usize; 2],
}

impl WorldMap {
    /// Draws a world at `size` in pixels; nothing if it lacks the layer.
    pub(crate) fn draw(
        &self,
        terrain: &Terrain,
        options: &Options,
        size: [usize; 2],
    ) -> Option<(Canvas, Key)> {
        let samples = terrain.layer(&self.layer)?;
        let ground = Ground::new(terrain, size[0], size[1]);
        Some((self.draw)(&Subject { terrain, samples, ground, options, size }))
    }
}

impl Subject<'_> {
    /// The tints, shaded by the ground; ice that swims is not.
    fn shaded(&self, tints: &Grid<Rgb>, strength: f32, frozen: Option<&Grid>) -> Canvas {
        let mut light = Light::new(&self.ground, &self.options.hillshade, frozen);
        if is_drawn_out(self.terrain, self.options) {
            light.soften_poles();
        }
        light.shaded(tints, strength)
    }

    /// Draws the coasts.
    fn add_coasts(&self, canvas: &mut Canvas) {
        let sea = self.ground.sea;
        let land = self.ground.heights.map(|&height| f32::from(u8::from(height > sea)));
        borders(canvas, &land);
    }

    /// Draws rivers and lakes over a map of biomes.
    fn add_inland_water(&self, canvas: &mut Canvas) {
        let [width, height] = self.size;
        let Some(water) = inland_water(self.terrain, width, height) else { return };
        let water = thawed(water, self.terrain, self.samples);
        for j in 0..height {
            for i in 0..width {
                let color = mix(canvas.pixel(i, j), srgb(0x3A_74A8), 0.9 * water[(i, j)]);
                canvas.set(i, j, color);
            }
        }
    }
}

/// The colours of a world in linear light, and how much of its water is ice; nothing if it has no biomes.
pub(crate) fn cover(terrain: &Terrain, [width, height]: [usize; 2]) -> Option<(Grid<Rgb>, Grid)> {
    let biomes = terrain.layer(&Layer::Biome)?;
    let ice = resample(&frozen_water(terrain, biomes), width, height);
    Some((natural(terrain, biomes, [width, height]), ice))
}

/// The water on land that is not frozen.
fn thawed(mut water: Grid, terrain: &Terrain, biomes: &Grid) -> Grid {
    let (width, height) = (water.width(), water.height());
    let biomes = nearest(biomes, width, height);
    let temperature = terrain.layer(&Layer::Temperature).map(|grid| resample(grid, width, height));
    for (at, share) in water.samples_mut().iter_mut().enumerate() {
        let biome = Biome::from_sample(biomes.samples()[at]).unwrap_or(Biome::Ice);
        let celsius = temperature.as_ref().map_or(15.0, |grid| grid.samples()[at]);
        *share *= match biome.class() {
            BiomeClass::Sea | BiomeClass::SeaIce | BiomeClass::Lake | BiomeClass::LandIce => 0.0,
            BiomeClass::Land => smoothstep(-8.0, -4.0, celsius),
        };
    }
    water
}

/// How much of the water of a sample is ice, 0 to 1: all of the sea ice, and lakes below about −5 °C.
fn frozen_water(terrain: &Terrain, biomes: &Grid) -> Grid {
    let temperature = terrain.layer(&Layer::Temperature);
    Grid::from_fn(biomes.width(), biomes.height(), |i, j| {
        match Biome::from_sample(biomes[(i, j)]).map(Biome::class) {
            Some(BiomeClass::SeaIce) => 1.0,
            Some(BiomeClass::Lake) => temperature.map_or(0.0, |grid| lake_ice(grid[(i, j)])),
            Some(BiomeClass::Sea | BiomeClass::LandIce | BiomeClass::Land) | None => 0.0,
        }
    })
}

/// The share of a lake that is under ice in the mean of a year.
fn lake_ice(celsius: f32) -> f32 {
    smoothstep(-4.0, -6.0, celsius)
}

/// Whether what lies near a pole is drawn out along the rows of the map. Other projections draw it together again.
fn is_drawn_out(terrain: &Terrain, options: &Options) -> bool {
    let extent = terrain.extent();
    terrain.topology() == Topology::Sphere
        && options.projection == MapProjection::Equirectangular
        && *extent == extent.lattice().whole()
}

/// Light and shade of the ground, softer below the sea, and none on ice that swims.
struct Light {
    shaded: Grid,
}

impl Light {
    fn new(ground: &Ground<'_>, hillshade: &Hillshade, frozen: Option<&Grid>) -> Self {
        let shader = hillshade.shader(ground);
        let level = shader.level().max(1e-6);
        let mut shaded = shader.shade_all(ground);
        let (heights, sea) = (&ground.heights, ground.sea);
        for (light, &height) in shaded.samples_mut().iter_mut().zip(heights.samples()) {
            let full = (*light / level).clamp(0.25, 1.45);
            *light = if height > sea { full } else { 1.0 + 0.35 * (full - 1.0) };
        }
        if let Some(frozen) = frozen {
            let ice = resample(frozen, shaded.width(), shaded.height());
            for (light, &ice) in shaded.samples_mut().iter_mut().zip(ice.samples()) {
                // The edge of the ice is lit as ice: what lies below it does not show there either.
                let flat = (2.0 * ice).clamp(0.0, 1.0);
                *light = 1.0 + (1.0 - flat) * (*light - 1.0);
            }
        }
        Self { shaded }
    }

    /// Towards the poles the map of a sphere is drawn out along its rows, and so are hills: light and shade are softened across
    /// them by as much, and fade, or they would be streaks.
    fn soften_poles(&mut self) {
        let (width, height) = (self.shaded.width(), self.shaded.height());
        let sharp = self.shaded.clone();
        par::for_each_row(self.shaded.samples_mut(), width, |j, row| {
            let share = (j as f64 + 0.5) / height as f64;
            let stretch = 1.0 / math::sin(std::f64::consts::PI * share).max(1e-3);
            // Below 60° hills still look like hills.
            if stretch <= 2.0 {
                return;
            }
            let reach = ((stretch - 2.0) * height as f64 / 512.0).min(height as f64 / 16.0);
            let reach = reach.round() as usize;
            let rows = j.saturating_sub(reach)..(j + reach + 1).min(height);
            let strength = (2.0 / stretch).sqrt() as f32 / rows.len() as f32;
            row.fill(1.0);
            for near in rows {
                for (light, sharp) in row.iter_mut().zip(sharp.row(near)) {
                    *light += strength * (sharp - 1.0);
                }
            }
        });
    }

    fn shaded(&self, tints: &Grid<Rgb>, strength: f32) -> Canvas {
        let table = encoder();
        let (width, height) = (tints.width(), tints.height());
        let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
        par::for_each_row(pixels.samples_mut(), width, |j, row| {
            for (i, pixel) in row.iter_mut().enumerate() {
                let light = 1.0 + strength * (self.shaded[(i, j)] - 1.0);
                *pixel = tints[(i, j)].map(|channel| encode_with(table, channel * light));
            }
        });
        Canvas::from_grid(pixels)
    }
}

/// Colours of samples, averaged to pixels.
fn averaged(samples: &Grid, [width, height]: [usize; 2], color: impl Fn(f32) -> Rgb) -> Grid<Rgb> {
    let channels = [0, 1, 2].map(|c| resample(&samples.map(|&s| color(s)[c]), width, height));
    Grid::from_fn(width, height, |i, j| [0, 1, 2].map(|c| channels[c][(i, j)]))
}

/// Water from the shore (0) to 7000 m (1), muted so that the land speaks.
static SEA: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0x8F_BFD0),
        (0.03, 0x6F_A9C6),
        (0.10, 0x4A_86B0),
        (0.50, 0x2B_5C8E),
        (0.85, 0x1E_4577),
        (1.0, 0x15_335F),
    ])
});

/// The colours of a planet: biomes without hard borders, water by depth, snow on high ground.
fn natural(terrain: &Terrain, biomes: &Grid, size: [usize; 2]) -> Grid<Rgb> {
    let sea = terrain.sea_level() as f32;
    let (heights, temperature) = (terrain.height(), terrain.layer(&Layer::Temperature));
    let colors: Vec<Rgb> = Biome::ALL.iter().map(|biome| linear(biome.color())).collect();
    let (snow, rock) = (linear(0xF4_F6F8), linear(0x8B_8378));
    let (width, rows) = (biomes.width(), biomes.height());
    let mut tints = Grid::filled(width, rows, [0.0_f32; 3]);
    par::for_each_row(tints.samples_mut(), width, |j, row| {
        for (i, tint) in row.iter_mut().enumerate() {
            let height = heights[(i, j)] - sea;
            let biome = Biome::from_sample(biomes[(i, j)]).unwrap_or(Biome::Ocean);
            let celsius = temperature.map_or(15.0, |grid| grid[(i, j)]);
            *tint = match biome.class() {
                BiomeClass::Sea => SEA.at((-height / 7000.0).max(0.0)),
                BiomeClass::LandIce => mix(snow, rock, 0.08),
                BiomeClass::SeaIce => colors[biome as usize],
                BiomeClass::Lake => {
                    let ice = colors[Biome::SeaIce as usize];
                    mix(colors[biome as usize], ice, lake_ice(celsius))
                }
                BiomeClass::Land => {
                    // The mean of the surroundings: borders of plants are no lines.
                    let mut sum = [0.0_f32; 3];
                    let mut count = 0.0;
                    for (di, dj) in [(0, 0), (-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, 1)] {
                        let a = (i as isize + di).clamp(0, width as isize - 1) as usize;
                        let b = (j as isize + dj).clamp(0, rows as isize - 1) as usize;
                        let near = Biome::from_sample(biomes[(a, b)]).unwrap_or(biome);
                        let near = if near.is_water() { biome } else { near };
                        let color = colors[near as usize];
                        sum = [0, 1, 2].map(|c| sum[c] + color[c]);
                        count += 1.0;
                    }
                    let plants = sum.map(|c| c / count);
                    let bare = mix(plants, rock, 0.55 * smoothstep(1800.0, 4200.0, height));
                    mix(bare, snow, smoothstep(-6.0, -13.0, celsius))
                }
            };
        }
    });
    let channels = [0, 1, 2].map(|c| resample(&tints.map(|tint| tint[c]), size[0], size[1]));
    Grid::from_fn(size[0], size[1], |i, j| [0, 1, 2].map(|c| channels[c][(i, j)]))
}

/// The biomes that there are, with their colours.
fn biome_key(samples: &Grid) -> Key {
    let mut seen = vec![false; Biome::ALL.len()];
    for &sample in samples.samples() {
        if let Some(biome) = Biome::from_sample(sample) {
            seen[biome as usize] = true;
        }
    }
    let present = Biome::ALL.iter().filter(|biome| seen[**biome as usize]);
    Key::Swatches(present.map(|biome| (biome.name().to_owned(), srgb(biome.color()))).collect())
}

/// Samples in a colour map, and the bar that tells what its colours mean.
fn ramp(
    samples: &Grid,
    [width, height]: [usize; 2],
    colors: ColorMap,
    (low, high): (f32, f32),
    unit: &str,
) -> (Grid<Rgb>, Key) {
    let tints = resample(samples, width, height).map(|&value| colors.at(value, (low, high)));
    let color = move |value: f64| colors.at(value as f32, (low, high));
    let (low, high) = (f64::from(low), f64::from(high));
    let bar = Bar { low, high, unit: unit.to_owned(), color: Box::new(color) };
    (tints, Key::Bar(bar))
}

/// Darkens the pixels beside which there is another number.
fn borders(canvas: &mut Canvas, classes: &Grid) {
    let (width, height) = (canvas.width(), canvas.height());
    let thick = (width / 900).max(1);
    let mut marks = Vec::new();
    for j in 0..height {
        for i in 0..width {
            let own = classes[(i, j)];
            let differs = |a: usize, b: usize| a < width && b < height && classes[(a, b)] != own;
            if differs(i + thick, j) || differs(i, j + thick) {
                marks.push((i, j));
            }
        }
    }
    for (i, j) in marks {
        let dark = mix(canvas.pixel(i, j), srgb(0x1C_2026), 0.6);
        canvas.set(i, j, dark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::oklab;

    #[test]
    fn no_two_biomes_look_the_same() {
        for (k, one) in Biome::ALL.iter().enumerate() {
            for other in &Biome::ALL[..k] {
                let (a, b) = (oklab(srgb(one.color())), oklab(srgb(other.color())));
                let apart = (0..3).map(|c| (a[c] - b[c]) * (a[c] - b[c])).sum::<f64>().sqrt();
                assert!(apart > 0.05, "{} and {} are {apart:.3} apart", one.name(), other.name());
            }
        }
    }
}
