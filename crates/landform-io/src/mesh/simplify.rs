//! A mesh with as few triangles as an error allows: the right-triangulated irregular network.
//!
//! A square is cut along its diagonal, and each triangle at the middle of its longest side, again and again. A triangle is cut if a
//! sample in it is farther from it, straight up or down, than the error that is allowed; so is the one across its longest side, so that
//! there is never a crack. All triangles stand on samples.
//!
//! Whether a middle is a vertex is decided from the smallest triangles up: it is if a middle below it is. Then larger triangles need no look
//! at their samples, and the whole costs little more than one look at each sample a level.
//!
//! A terrain whose sides are not 2ᵏ + 1 samples lies in the corner of a square that is; what crosses its border is cut down to cells.
//! So are the borders of a tile: then its neighbours fit, whatever their ground.
//!
//! Source: Evans, Kirkpatrick & Townsend, "Right-triangulated irregular networks" (Algorithmica 30, 2001).

use landform::{Grid, par};

/// A column and a row.
type SampleIndex = [usize; 2];

/// Some of the samples, joined to triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// Column and row of each vertex.
    pub(crate) vertices: Vec<[u32; 2]>,
    /// Three vertices each, fronts up.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// Triangles that are nowhere farther than `error` metres above or below a sample. With `keeps_border` every sample of
/// the border is a vertex.
pub(crate) fn simplify(heights: &Grid, error: f64, keeps_border: bool) -> Network {
    let (width, rows) = (heights.width(), heights.height());
    let side = (width.max(rows) - 1).next_power_of_two();
    let mut cuts = Cuts { heights, error, keeps_border, side, is_vertex: Vec::new() };
    cuts.is_vertex = vec![false; width * rows];
    let mut step = 2;
    while step <= side {
        cuts.look_at_straight_sides(step);
        cuts.look_at_diagonals(step);
        step *= 2;
    }
    let mut network = Network { vertices: Vec::new(), triangles: Vec::new() };
    let mut numbers = vec![u32::MAX; width * rows];
    let [nw, ne, sw, se] = [[0, 0], [side, 0], [0, side], [side, side]];
    for triangle in [[ne, nw, se], [sw, se, nw]] {
        cuts.collect(triangle, &mut numbers, &mut network);
    }
    network
}

struct Cuts<'a> {
    heights: &'a Grid,
    error: f64,
    keeps_border: bool,
    /// Cells along the side of the square.
    side: usize,
    /// Whether the triangles that have a sample in the middle of their longest side are cut there.
    is_vertex: Vec<bool>,
}

impl Cuts<'_> {
    fn last(&self) -> SampleIndex {
        [self.heights.width() - 1, self.heights.height() - 1]
    }

    /// Whether no part of the ground is in a triangle.
    fn is_beyond(&self, corners: [SampleIndex; 3]) -> bool {
        let last = self.last();
        (0..2).any(|axis| corners.iter().all(|corner| corner[axis] >= last[axis]))
    }

    fn is_cut(&self, [i, j]: SampleIndex) -> bool {
        let [east, south] = self.last();
        // Beyond the border everything is cut: what lies there is dropped, and what crosses it must not stay.
        i > east || j > south || self.is_vertex[j * self.heights.width() + i]
    }

    /// Decides for all longest sides of `step` cells along columns and rows.
    fn look_at_straight_sides(&mut self, step: usize) {
        let half = step / 2;
        self.decide(half, |cuts, [i, j]| {
            // A side along a row has its middle at odd · half, even · half; along a column the other way round.
            let (across, down) = ((i / half) % 2 == 1, (j / half) % 2 == 1);
            if across == down {
                return None;
            }
            let (ends, tips) = if across {
                (
                    [[i - half, j], [i + half, j]],
                    [(j >= half).then(|| [i, j - half]), Some([i, j + half])],
                )
            } else {
                (
                    [[i, j - half], [i, j + half]],
                    [(i >= half).then(|| [i - half, j]), Some([i + half, j])],
                )
            };
            let tips = tips.into_iter().flatten().filter(|tip| tip.iter().all(|&k| k <= cuts.side));
            // The triangles below have their longest sides from the tip to the ends, if these are longer than a cell's.
            let is_cut = |tip: SampleIndex| {
                if cuts.is_beyond([tip, ends[0], ends[1]]) {
                    return false;
                }
                let below = half >= 2
                    && ends
                        .iter()
                        .any(|end| cuts.is_cut([0, 1].map(|a| usize::midpoint(tip[a], end[a]))));
                below || cuts.is_off([tip, ends[0], ends[1]])
            };
            Some(tips.into_iter().any(is_cut))
        });
    }

    /// Decides for the diagonals of all squares of `step` cells.
    fn look_at_diagonals(&mut self, step: usize) {
        let half = step / 2;
        self.decide(half, |cuts, [i, j]| {
            let is_middle = |k: usize| (k / half) % 2 == 1;
            if !(is_middle(i) && is_middle(j)) {
                return None;
            }
            let sides = [[i - half, j], [i + half, j], [i, j - half], [i, j + half]];
            if sides.into_iter().any(|side| cuts.is_cut(side)) {
                return Some(true);
            }
            let [nw, ne, sw, se] = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(a, b)| [i - half + a * step, j - half + b * step]);
            let is_even = (i / step + j / step).is_multiple_of(2);
            let triangles =
                if is_even { [[ne, nw, se], [sw, se, nw]] } else { [[nw, sw, ne], [se, ne, sw]] };
            Some(triangles.into_iter().any(|triangle| cuts.is_off(triangle)))
        });
    }

    /// Sets what `decision` says for the samples at multiples of `half`; it may look at those that were set before.
    fn decide(
        &mut self,
        half: usize,
        decision: impl Fn(&Self, SampleIndex) -> Option<bool> + Sync,
    ) {
        let [east, south] = self.last();
        let lines = south / half + 1;
        let found: Vec<Vec<usize>> = par::map(lines, |line| {
            let j = line * half;
            let columns = (0..=east).step_by(half);
            columns.filter(|&i| decision(self, [i, j]) == Some(true)).collect()
        });
        for (line, columns) in found.into_iter().enumerate() {
            let start = line * half * self.heights.width();
            columns.into_iter().for_each(|i| self.is_vertex[start + i] = true);
        }
    }

    /// Whether a triangle, given by its right angle and the ends of its longest side, may not stay as it is.
    fn is_off(&self, [tip, a, b]: [SampleIndex; 3]) -> bool {
        if self.is_beyond([tip, a, b]) {
            return false;
        }
        let [east, south] = self.last();
        let least = |axis: usize| tip[axis].min(a[axis]).min(b[axis]);
        let most = |axis: usize| tip[axis].max(a[axis]).max(b[axis]);
        let ([left, right], [top, bottom]) = ([least(0), most(0)], [least(1), most(1)]);
        if right > east || bottom > south {
            return true;
        }
        let touches = left == 0 || top == 0 || right == east || bottom == south;
        if self.keeps_border && touches {
            return true;
        }
        self.is_far_from_samples([tip, a, b], [top, bottom])
    }

    /// Whether a sample in the triangle is too far from its plane.
    fn is_far_from_samples(&self, corners: [SampleIndex; 3], [top, bottom]: [usize; 2]) -> bool {
        let at = |[i, j]: SampleIndex| f64::from(self.heights[(i, j)]);
        let [(x0, z0), (x1, z1), (x2, z2)] = corners.map(|[i, j]| (i as f64, j as f64));
        let (ax, az, ay) = (x1 - x0, z1 - z0, at(corners[1]) - at(corners[0]));
        let (bx, bz, by) = (x2 - x0, z2 - z0, at(corners[2]) - at(corners[0]));
        let area = ax * bz - az * bx;
        let (dx, dz) = ((ay * bz - az * by) / area, (ax * by - ay * bx) / area);
        (top..=bottom).any(|j| {
            let [first, last] = columns_at(corners, j);
            let row = &self.heights.row(j)[first..=last];
            let start = at(corners[0]) + dz * (j as f64 - z0) - dx * x0;
            row.iter().enumerate().any(|(k, &height)| {
                let plane = start + dx * (first + k) as f64;
                (f64::from(height) - plane).abs() > self.error
            })
        })
    }

    /// Adds a triangle, or those that it is cut into.
    fn collect(&self, [tip, a, b]: [SampleIndex; 3], numbers: &mut [u32], network: &mut Network) {
        if self.is_beyond([tip, a, b]) {
            return;
        }
        let is_cell = tip[0].abs_diff(a[0]).max(tip[1].abs_diff(a[1])) == 1
            && (tip[0] == a[0] || tip[1] == a[1]);
        if !is_cell {
            let middle = [0, 1].map(|axis| usize::midpoint(a[axis], b[axis]));
            if self.is_cut(middle) {
                self.collect([middle, tip, a], numbers, network);
                self.collect([middle, b, tip], numbers, network);
                return;
            }
        }
        let mut vertex = |[i, j]: SampleIndex| {
            let number = &mut numbers[j * self.heights.width() + i];
            if *number == u32::MAX {
                *number = network.vertices.len() as u32;
                network.vertices.push([i as u32, j as u32]);
            }
            *number
        };
        network.triangles.push([tip, a, b].map(&mut vertex));
    }
}

/// First and last column of a triangle in a row that it reaches. Its sides run along columns, rows and diagonals, so they
/// cross rows at samples.
fn columns_at(corners: [SampleIndex; 3], j: usize) -> [usize; 2] {
    let mut range = [usize::MAX, 0];
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let ([ai, aj], [bi, bj]) = (corners[a], corners[b]);
        if !(aj.min(bj)..=aj.max(bj)).contains(&j) {
            continue;
        }
        let crossing = if aj == bj {
            [ai.min(bi), ai.max(bi)]
        } else {
            // A column or a diagonal: a step aside for each step down, or none.
            let down = j.abs_diff(aj);
            let i = match ai.cmp(&bi) {
                std::cmp::Ordering::Less => ai + down,
                std::cmp::Ordering::Equal => ai,
                std::cmp::Ordering::Greater => ai - down,
            };
            [i, i]
        };
        range = [range[0].min(crossing[0]), range[1].max(crossing[1])];
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Twice the area of a triangle, positive if its front is up.
    fn area(network: &Network, triangle: [u32; 3]) -> i64 {
        let [a, b, c] = triangle.map(|k| network.vertices[k as usize].map(i64::from));
        // z is to the south, so the sign is the other way round than on paper.
        (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
    }

    /// The largest distance of a sample from the triangle over it; every sample must have one.
    fn largest_error(heights: &Grid, network: &Network) -> f64 {
        let mut errors = vec![f64::INFINITY; heights.samples().len()];
        for triangle in &network.triangles {
            let [a, b, c] = triangle.map(|k| network.vertices[k as usize].map(|k| k as usize));
            let y = |[i, j]: SampleIndex| f64::from(heights[(i, j)]);
            let whole = area(network, *triangle) as f64;
            let part = |p: SampleIndex, q: SampleIndex, [i, j]: SampleIndex| {
                let [p, q, r] = [p, q, [i, j]].map(|place| place.map(|k| k as i64));
                ((q[1] - p[1]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[1] - p[1])) as f64 / whole
            };
            for j in a[1].min(b[1]).min(c[1])..=a[1].max(b[1]).max(c[1]) {
                for i in a[0].min(b[0]).min(c[0])..=a[0].max(b[0]).max(c[0]) {
                    let shares = [part(b, c, [i, j]), part(c, a, [i, j]), part(a, b, [i, j])];
                    if shares.iter().all(|&share| share >= 0.0) {
                        let plane = shares[0] * y(a) + shares[1] * y(b) + shares[2] * y(c);
                        let error = &mut errors[j * heights.width() + i];
                        let own = (plane - y([i, j])).abs();
                        *error = if error.is_finite() { error.max(own) } else { own };
                    }
                }
            }
        }
        errors.into_iter().fold(0.0, f64::max)
    }

    proptest! {
        #[test]
        fn every_sample_is_within_the_error_and_the_triangles_tile_the_ground(
            width in 2_usize..40, rows in 2_usize..40, error in 0.0_f64..6.0, seed in 0_u64..1000, keeps_border: bool,
        ) {
            let seed = landform::Seed::new(seed);
            let height = |i: usize, j: usize| (10.0 * seed.uniform_at(i as i64 / 5, j as i64 / 5)
                + 2.0 * seed.uniform_at(i as i64, j as i64)) as f32;
            let heights = Grid::from_fn(width, rows, height);
            let network = simplify(&heights, error, keeps_border);
            let areas: Vec<i64> = network.triangles.iter().map(|&t| area(&network, t)).collect();
            prop_assert!(areas.iter().all(|&area| area > 0));
            prop_assert_eq!(areas.iter().sum::<i64>(), 2 * ((width - 1) * (rows - 1)) as i64);
            prop_assert!(largest_error(&heights, &network) <= error + 1e-9);
            // No crack: an edge within the ground has a triangle on either side, an edge of the border one.
            let mut edges = std::collections::BTreeMap::new();
            for &[a, b, c] in &network.triangles {
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((p.min(q), p.max(q))).or_insert(0) += 1;
                }
            }
            let on_border = |k: u32, l: u32| {
                let (p, q) = (network.vertices[k as usize], network.vertices[l as usize]);
                (0..2).any(|axis| {
                    let last = [width, rows][axis] as u32 - 1;
                    p[axis] == q[axis] && (p[axis] == 0 || p[axis] == last)
                })
            };
            for ((k, l), count) in edges {
                prop_assert_eq!(count, if on_border(k, l) { 1 } else { 2 });
            }
            if keeps_border {
                let border = network.vertices.iter().filter(|[i, j]| {
                    *i == 0 || *j == 0 || *i as usize == width - 1 || *j as usize == rows - 1
                });
                prop_assert_eq!(border.count(), 2 * (width + rows) - 4);
            }
        }
    }

    #[test]
    fn a_plane_is_two_triangles() {
        let plane = Grid::from_fn(65, 65, |i, j| 3.0 * i as f32 - j as f32);
        let network = simplify(&plane, 0.0, false);
        assert_eq!((network.vertices.len(), network.triangles.len()), (4, 2));
    }
}
