//! The base triangles that rivers are laid out on: cells of about one size, shaken, each cut along a diagonal.

use std::collections::HashMap;

use super::squig::{Corner, DEEPEST, Edge, Triangle, edge_key};
use crate::Seed;

/// How far a corner is moved at the most, as a share of a cell. Below a quarter, all cells stay convex.
const SHAKE: f64 = 0.2;

/// A side of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// z = 0.
    North,
    /// x is greatest.
    East,
    /// z is greatest.
    South,
    /// x = 0.
    West,
}

/// Triangles that cover the ground without gap or overlap.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The triangles.
    pub triangles: Vec<Triangle>,
    /// What lies behind each edge of each triangle.
    pub behind: Vec<[Behind; 3]>,
}

/// What lies behind an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Another triangle, of which it is this edge.
    Triangle(usize, usize),
    /// Nothing: the edge lies on a side of the ground.
    Border(Border),
}

impl Mesh {
    /// Triangles over a ground of `ground` metres, in cells of about `cell` metres; `irregularity` in 0..=1 shakes them.
    pub fn new(ground: [f64; 2], cell: f64, irregularity: f64, seed: Seed) -> Self {
        let cells = ground.map(|length| (length / cell).round().max(1.0) as usize);
        let (shake, diagonal) = (seed.child("shake"), seed.child("diagonal"));
        let corner = |i: usize, j: usize| {
            let place = [i, j];
            let at = [0, 1].map(|axis| {
                let size = ground[axis] / cells[axis] as f64;
                let u = shake.child(["x", "z"][axis]).uniform_at(i as i64, j as i64) - 0.5;
                // Corners on the border stay on it.
                if place[axis] == 0 {
                    0.0
                } else if place[axis] == cells[axis] {
                    ground[axis]
                } else {
                    (place[axis] as f64 + 2.0 * SHAKE * irregularity * u) * size
                }
            });
            Corner { key: place.map(|k| (k as i64) << DEEPEST), at }
        };
        let mut triangles = Vec::with_capacity(2 * cells[0] * cells[1]);
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let [a, b, c, d] =
                    [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                if diagonal.bits_at(i as i64, j as i64) >> 63 == 0 {
                    triangles.extend([Triangle([a, b, c]), Triangle([a, c, d])]);
                } else {
                    triangles.extend([Triangle([a, b, d]), Triangle([b, c, d])]);
                }
            }
        }
        let last = cells.map(|count| (count as i64) << DEEPEST);
        let behind = neighbours(&triangles, last);
        Self { triangles, behind }
    }

    /// The triangle that holds a point of the ground.
    pub fn around(&self, point: [f64; 2]) -> usize {
        let away = |triangle: &Triangle| {
            let [x, z] = triangle.middle();
            (x - point[0]) * (x - point[0]) + (z - point[1]) * (z - point[1])
        };
        let holding = self.triangles.iter().position(|triangle| triangle.contains(point));
        // The triangles cover the ground; only rounding can leave a point in none.
        let nearest = || {
            let all = 0..self.triangles.len();
            all.min_by(|&a, &b| away(&self.triangles[a]).total_cmp(&away(&self.triangles[b])))
        };
        holding.or_else(nearest).unwrap_or(0)
    }
}

fn neighbours(triangles: &[Triangle], last: [i64; 2]) -> Vec<[Behind; 3]> {
    let mut owners: HashMap<[i64; 2], [Option<(usize, usize)>; 2]> = HashMap::new();
    for (index, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let owners = owners.entry(edge_key(&triangle.edge(k))).or_default();
            let free = usize::from(owners[0].is_some());
            owners[free] = Some((index, k));
        }
    }
    let behind = |index: usize, edge: &Edge| {
        let owners = &owners[&edge_key(edge)];
        let other = owners.iter().flatten().find(|(owner, _)| *owner != index);
        match other {
            Some(&(other, k)) => Behind::Triangle(other, k),
            None => Behind::Border(border_of(edge, last)),
        }
    };
    let all = triangles.iter().enumerate();
    all.map(|(index, triangle)| [0, 1, 2].map(|k| behind(index, &triangle.edge(k)))).collect()
}

fn border_of(edge: &Edge, last: [i64; 2]) -> Border {
    let both = |axis: usize, at: i64| edge.iter().all(|corner| corner.key[axis] == at);
    if both(1, 0) {
        Border::North
    } else if both(0, last[0]) {
        Border::East
    } else if both(1, last[1]) {
        Border::South
    } else {
        Border::West
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_triangles_cover_the_ground_once() {
        let mesh = Mesh::new([1000.0, 600.0], 90.0, 1.0, Seed::new(4));
        let area: f64 = mesh
            .triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.0.map(|corner| corner.at);
                let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                assert!(twice > 0.0, "all turn the same way: {triangle:?}");
                twice / 2.0
            })
            .sum();
        assert!((area - 600_000.0).abs() < 1e-6);
        assert_eq!(mesh.triangles.len(), 2 * 11 * 7);
        let borders = mesh.behind.iter().flatten().filter(|b| matches!(b, Behind::Border(_)));
        assert_eq!(borders.count(), 2 * (11 + 7));
    }

    #[test]
    fn every_point_of_the_ground_has_its_triangle() {
        let mesh = Mesh::new([1000.0, 600.0], 90.0, 1.0, Seed::new(4));
        for point in [[0.0, 0.0], [1000.0, 600.0], [500.0, 0.0], [123.4, 567.8]] {
            assert!(mesh.triangles[mesh.around(point)].contains(point), "{point:?}");
        }
    }
}
