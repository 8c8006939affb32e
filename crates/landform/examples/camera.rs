//! A game that streams terrain: tiles around a moving camera, made within a time budget each frame.
//!
//! ```text
//! cargo run --release -p landform --example camera
//! ```
//!
//! The ground is that of the preset `zones`, 15 × 15 km, at three levels of detail. Each frame the tiles that the camera needs and
//! does not have are made, the nearest first, until the budget of the frame is spent; tiles that are far behind are forgotten. A tile that
//! is not there yet is stood in for by the coarser one, which is why coarse levels come first. A tile is the same bytes
//! whenever it is made, so what is forgotten can be made again, and a server and its players see one ground.
#![expect(clippy::print_stdout, reason = "it prints what it finds")]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use landform::preset::Preset;
use landform::{Inputs, Plan, Recipe, Terrain, math};

/// Samples along a side of a tile, the border that it shares included.
const TILE: u32 = 65;
/// How long a frame may take for terrain.
const BUDGET: Duration = Duration::from_millis(4);
const FRAMES: u32 = 600;
/// Metres a second, and frames a second.
const SPEED: f64 = 120.0;
const RATE: f64 = 60.0;

/// A level of detail: the same recipe with other samples, and how far around the camera it is wanted.
struct Level {
    plan: Plan,
    radius: f64,
}

/// Level, column and row.
type Key = (usize, u32, u32);

struct World {
    levels: Vec<Level>,
    tiles: BTreeMap<Key, Terrain>,
}

impl World {
    fn new() -> Result<Self, Box<dyn Error>> {
        let preset = Preset::named("zones").ok_or("the preset is there")?;
        let mut levels = Vec::new();
        for (samples, radius) in [(1025, 9000.0), (4097, 2500.0), (16385, 700.0)] {
            let mut recipe = Recipe::parse(preset.text)?;
            recipe.resolution = Some([samples; 2]);
            levels.push(Level { plan: recipe.resolve(&Inputs::default())?, radius });
        }
        Ok(Self { levels, tiles: BTreeMap::new() })
    }

    /// Side of a tile of a level in metres.
    fn side(&self, level: usize) -> f64 {
        f64::from(TILE - 1) * self.levels[level].plan.lattice().spacing[0]
    }

    /// How far the middle of a tile is from the camera.
    fn distance(&self, (level, i, j): Key, camera: [f64; 2]) -> f64 {
        let side = self.side(level);
        let middle = [f64::from(i) + 0.5, f64::from(j) + 0.5].map(|k| k * side);
        math::length(middle[0] - camera[0], middle[1] - camera[1])
    }

    /// The tiles that are wanted and not there: coarse ones first, then the nearest.
    fn missing(&self, camera: [f64; 2]) -> Vec<Key> {
        let mut missing = Vec::new();
        for (level, Level { plan, radius }) in self.levels.iter().enumerate() {
            let side = self.side(level);
            let last = (plan.lattice().size[0] - 1) / (TILE - 1) - 1;
            let span = |at: f64| {
                let first = ((at - radius) / side).max(0.0) as u32;
                first..=(((at + radius) / side).max(0.0) as u32).min(last)
            };
            for j in span(camera[1]) {
                for i in span(camera[0]) {
                    let key = (level, i, j);
                    if self.distance(key, camera) < *radius && !self.tiles.contains_key(&key) {
                        missing.push(key);
                    }
                }
            }
        }
        missing.sort_by(|a, b| {
            let rank = |key: &Key| (key.0, self.distance(*key, camera));
            rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        missing
    }

    /// Makes what fits the budget, at least one tile, and forgets what is far. Tells how many were made and are still missing.
    fn update(&mut self, camera: [f64; 2]) -> Result<(usize, usize), Box<dyn Error>> {
        let start = Instant::now();
        let missing = self.missing(camera);
        let mut made = 0;
        for &(level, i, j) in &missing {
            if made > 0 && start.elapsed() > BUDGET {
                break;
            }
            let plan = &self.levels[level].plan;
            let window = plan.lattice().window(i * (TILE - 1), j * (TILE - 1), TILE, TILE);
            let terrain = plan.run(&window.ok_or("the tile lies on the ground")?, &())?;
            self.tiles.insert((level, i, j), terrain);
            made += 1;
        }
        let keys: Vec<Key> = self.tiles.keys().copied().collect();
        for key in keys {
            if self.distance(key, camera) > 1.5 * self.levels[key.0].radius {
                self.tiles.remove(&key);
            }
        }
        Ok((made, missing.len() - made))
    }

    /// Height of the ground under the camera, by the finest tile that is there.
    fn ground(&self, camera: [f64; 2]) -> Option<(usize, f32)> {
        (0..self.levels.len()).rev().find_map(|level| {
            let side = self.side(level);
            let tile = camera.map(|at| (at / side) as u32);
            let terrain = self.tiles.get(&(level, tile[0], tile[1]))?;
            let spacing = self.levels[level].plan.lattice().spacing[0];
            let at = [0, 1].map(|k| ((camera[k] - f64::from(tile[k]) * side) / spacing) as usize);
            Some((level, terrain.height()[(at[0], at[1])]))
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new()?;
    let (mut slowest, mut total, mut made_in_all, mut late) =
        (Duration::ZERO, Duration::ZERO, 0, 0);
    for frame in 0..FRAMES {
        let way = f64::from(frame) / RATE * SPEED;
        let camera = [5000.0 + way, 9000.0 + 0.4 * way];
        let start = Instant::now();
        let (made, missing) = world.update(camera)?;
        let took = start.elapsed();
        (slowest, total, made_in_all) = (slowest.max(took), total + took, made_in_all + made);
        late += u32::from(took > BUDGET + BUDGET / 2);
        if frame % 60 == 0 || frame < 3 {
            let (level, height) =
                world.ground(camera).ok_or("the first tile is under the camera")?;
            println!(
                "frame {frame:>3}: {made:>2} tiles made in {:>4.1} ms, {missing:>4} wanted, {:>4} held; ground {height:>6.1} m at level {level}",
                1e3 * took.as_secs_f64(),
                world.tiles.len(),
            );
        }
    }
    let mean = 1e3 * total.as_secs_f64() / f64::from(FRAMES);
    println!(
        "{made_in_all} tiles in {FRAMES} frames: {mean:.2} ms a frame, the slowest {:.1} ms, {late} frames half over the budget of {} ms",
        1e3 * slowest.as_secs_f64(),
        BUDGET.as_millis()
    );
    Ok(())
}
