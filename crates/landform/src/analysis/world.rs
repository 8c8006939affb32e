//! The numbers of a world: land, continents, heights, biomes, each by the ground that samples stand for.

use serde::Serialize;

use crate::world::Biome;
use crate::{Layer, Terrain};

/// Numbers about a whole map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldStatistics {
    /// Share of the ground that lies above the sea.
    pub land: f64,
    /// Connected land of at least 1 % of the ground, as shares, the largest first.
    pub continents: Vec<f64>,
    /// Connected land smaller than that.
    pub islands: usize,
    /// Lower edge in metres and share of the ground, for each 1000 m.
    pub heights: Vec<(f64, f64)>,
    /// Share of the land, or for water and sea ice of the ground, of each biome; nothing without that layer.
    pub biomes: Vec<(&'static str, f64)>,
}

/// Land of at least this share of the ground is a continent.
const CONTINENT: f64 = 0.01;

impl WorldStatistics {
    /// Measures `terrain`, which is a whole map.
    pub fn of(terrain: &Terrain) -> Self {
        let height = terrain.height();
        let weights = terrain.topology().row_weights(terrain.extent().lattice());
        let rows = height.height();
        let first = terrain.extent().origin()[1] as usize;
        let weight = |j: usize| weights.get(first + j).copied().unwrap_or(1.0);
        let width = height.width();
        let all: f64 = (0..rows).map(|j| weight(j) * width as f64).sum();
        let sea = terrain.sea_level();
        let mut land = 0.0;
        let mut bins = [0.0_f64; 30];
        for (j, row) in height.rows().enumerate() {
            for &h in row {
                let h = f64::from(h) - sea;
                land += if h > 0.0 { weight(j) } else { 0.0 };
                let bin = ((h / 1000.0).floor() + 15.0).clamp(0.0, 29.0);
                bins[bin as usize] += weight(j);
            }
        }
        let used = |bin: &f64| *bin > 0.0;
        let from = bins.iter().position(used).unwrap_or(0);
        let to = bins.iter().rposition(used).unwrap_or(0);
        let heights = (from..=to).map(|k| ((k as f64 - 15.0) * 1000.0, bins[k] / all)).collect();
        let mut parts = pieces(terrain, &weight);
        parts.iter_mut().for_each(|area| *area /= all);
        parts.sort_by(|a, b| b.total_cmp(a));
        let continents: Vec<f64> =
            parts.iter().copied().filter(|&share| share >= CONTINENT).collect();
        let islands = parts.len() - continents.len();
        let biomes = biomes(terrain, &weight, all, land);
        Self { land: land / all, continents, islands, heights, biomes }
    }
}

fn biomes(
    terrain: &Terrain,
    weight: &dyn Fn(usize) -> f64,
    all: f64,
    land: f64,
) -> Vec<(&'static str, f64)> {
    let Some(grid) = terrain.layer(&Layer::Biome) else { return Vec::new() };
    let mut areas = vec![0.0; Biome::ALL.len()];
    for (j, row) in grid.rows().enumerate() {
        for &sample in row {
            if let Some(biome) = Biome::from_sample(sample) {
                areas[biome as usize] += weight(j);
            }
        }
    }
    let share = |biome: &Biome| {
        let of = if biome.is_water() { all } else { land.max(1e-300) };
        (biome.name(), areas[*biome as usize] / of)
    };
    Biome::ALL.iter().map(share).collect()
}

/// The areas of connected land.
fn pieces(terrain: &Terrain, weight: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let height = terrain.height();
    let (width, rows) = (height.width(), height.height());
    let sea = terrain.sea_level() as f32;
    let [wraps_x, wraps_z] = terrain.topology().wraps();
    let mut seen = vec![false; width * rows];
    let mut areas = Vec::new();
    for start in 0..width * rows {
        if seen[start] || height.samples()[start] <= sea {
            continue;
        }
        let (mut area, mut open) = (0.0, vec![start]);
        seen[start] = true;
        while let Some(cell) = open.pop() {
            let (i, j) = (cell % width, cell / width);
            area += weight(j);
            let step = |k: usize, count: usize, by: usize, wraps: bool| {
                let next = k + by;
                if (1..=count).contains(&next) {
                    Some(next - 1)
                } else {
                    wraps.then_some((next + count - 1) % count)
                }
            };
            let around = [
                step(i, width, 2, wraps_x).map(|i| (i, j)),
                step(i, width, 0, wraps_x).map(|i| (i, j)),
                step(j, rows, 2, wraps_z).map(|j| (i, j)),
                step(j, rows, 0, wraps_z).map(|j| (i, j)),
            ];
            for (i, j) in around.into_iter().flatten() {
                let next = j * width + i;
                if !seen[next] && height.samples()[next] > sea {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        areas.push(area);
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Lattice, Topology};

    #[test]
    fn land_across_the_edge_of_a_map_that_wraps_is_one_continent() {
        let extent = Lattice { size: [40, 20], spacing: [1.0, 1.0] }.whole();
        let height =
            Grid::from_fn(
                40,
                20,
                |i, j| if !(5..=34).contains(&i) && j > 4 { 500.0 } else { -2500.0 },
            );
        let terrain = Terrain::new(extent, 0.0, height);
        assert_eq!(WorldStatistics::of(&terrain).continents.len(), 2);
        let found = WorldStatistics::of(&terrain.with_topology(Topology::Cylinder));
        assert_eq!(found.continents.len(), 1);
        assert!((found.land - 0.1875).abs() < 1e-12);
        assert_eq!(found.heights[0].0, -3000.0);
    }
}
