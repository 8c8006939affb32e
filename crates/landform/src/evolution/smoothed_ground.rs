//! The ground without what is small: slopes over a distance instead of from sample to sample.
//!
//! ```text
//! c_ij = Σ w_a w_b h(x_i + aΔ, z_j + bΔ)        w  a tent, Σ w = 1; nodes (x_i, z_j) every nΔ
//! H(p) = Σ c_ij B(x/nΔ − i) B(z/nΔ − j)         B  cubic B-spline
//! ```
//!
//! Δ is the distance of the recipe's own grid lines, whatever lattice is asked for, so a finer terrain has the same slopes: where
//! grid lines fall on samples, these alone are looked at. H has no kinks, and bends continuously.
//!
//! Beyond the edge of the ground heights go on as its point reflection, so slopes do not end there.

use crate::terrain_view::TerrainView;
use crate::{Extent, Lattice, Layer, math, par};

/// How the ground is smoothed along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    /// Metres from one place that is looked at to the next.
    tap: f64,
    /// How many of them there are from node to node.
    count: i64,
    /// Metres from the first to the last grid line.
    ground: f64,
}

impl Axis {
    fn step(&self) -> f64 {
        self.tap * self.count as f64
    }

    /// The node at or before a place, and how far behind it that is, in steps.
    fn node(&self, at: f64) -> (i64, f64) {
        let node = (at / self.step()).floor();
        (node as i64, at / self.step() - node)
    }
}

/// How the ground is smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Smoothing([Axis; 2]);

impl Smoothing {
    /// With nodes about `distance` apart, but not closer than the grid lines of the recipe.
    pub(crate) fn new(distance: f64, design: &Lattice) -> Self {
        Self([0, 1].map(|axis| {
            let tap = design.spacing[axis];
            let count = (distance / tap).floor().max(1.0) as i64;
            Axis { tap, count, ground: design.ground()[axis] }
        }))
    }

    /// The same with fewer places to look at where samples are so far apart that the ground between them is straight.
    fn thinned(mut self, output: &Lattice) -> Self {
        for (axis, spacing) in self.0.iter_mut().zip(output.spacing) {
            let most = ((spacing / axis.tap) as i64).clamp(1, axis.count);
            let by = (1..=most).rev().find(|by| axis.count % by == 0).unwrap_or(1);
            axis.tap *= by as f64;
            axis.count /= by;
        }
        self
    }

    /// How many samples around one have a part in the heights up to `distance` from it.
    pub(crate) fn reach(&self, distance: f64, output: &Lattice) -> u32 {
        let cells = [0, 1].map(|axis| {
            let metres = distance + 3.0 * self.0[axis].step();
            (metres / output.spacing[axis]).ceil() as u32 + 1
        });
        cells[0].max(cells[1])
    }
}

/// A place on an axis as the samples around it, with their weights.
struct Tap {
    terms: [(usize, f64); 4],
    count: usize,
}

impl Tap {
    /// `at` in metres; samples are held from `first` on.
    fn new(at: f64, axis: &Axis, spacing: f64, (first, held): (usize, usize)) -> Self {
        let mut tap = Self { terms: [(0, 0.0); 4], count: 0 };
        let edge = at.clamp(0.0, axis.ground);
        if at == edge {
            tap.add(at / spacing, 1.0, (first, held));
        } else {
            tap.add(edge / spacing, 2.0, (first, held));
            let mirrored = (2.0 * edge - at).clamp(0.0, axis.ground);
            tap.add(mirrored / spacing, -1.0, (first, held));
        }
        tap
    }

    fn add(&mut self, at: f64, weight: f64, (first, held): (usize, usize)) {
        let before = at.floor();
        let fraction = at - before;
        let place = |sample: f64| (sample as usize).saturating_sub(first).min(held - 1);
        for (sample, part) in [(before, 1.0 - fraction), (before + 1.0, fraction)] {
            if part > 0.0 {
                self.terms[self.count] = (place(sample), weight * part);
                self.count += 1;
            }
        }
    }

    fn terms(&self) -> &[(usize, f64)] {
        &self.terms[..self.count]
    }
}

/// The nodes that lie around an extent.
#[derive(Debug)]
pub(crate) struct SmoothedGround {
    axes: [Axis; 2],
    first: [i64; 2],
    width: usize,
    nodes: Vec<f64>,
}

/// Where a place lies among nodes, and the weights of the four around it: of their heights, and of their slopes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    first: usize,
    heights: [f64; 4],
    slopes: [f64; 4],
}

impl SmoothedGround {
    /// Smooths the height for places in `extent` and up to `distance` from it.
    pub(crate) fn new(
        smoothing: Smoothing,
        distance: f64,
        extent: &Extent,
        view: &TerrainView<'_>,
    ) -> Self {
        let axes = smoothing.thinned(extent.lattice()).0;
        let spacing = extent.lattice().spacing;
        let ends = [extent.x(extent.width() - 1), extent.z(extent.height() - 1)];
        let starts = [extent.x(0), extent.z(0)];
        let first = [0, 1].map(|axis| axes[axis].node(starts[axis] - distance).0 - 1);
        let [width, height] =
            [0, 1].map(|a| (axes[a].node(ends[a] + distance).0 + 3 - first[a]) as usize);
        let mut nodes = vec![0.0; width * height];
        let covers = |(samples, held): &(&[f32], &Extent)| samples.len() == held.len();
        let Some((samples, held)) = view.held(&Layer::Height).filter(covers) else {
            return Self { axes, first, width, nodes };
        };
        let sizes = [held.width(), held.height()];
        let taps = |axis: usize, nodes: usize| -> Vec<Tap> {
            let side = axes[axis].count - 1;
            let start = first[axis] * axes[axis].count - side;
            let end = (first[axis] + nodes as i64 - 1) * axes[axis].count + side;
            let from = (held.origin()[axis] as usize, sizes[axis]);
            let tap =
                |k: i64| Tap::new(k as f64 * axes[axis].tap, &axes[axis], spacing[axis], from);
            (start..=end).map(tap).collect()
        };
        let (columns, rows) = (taps(0, width), taps(1, height));
        let [across, down] = axes.map(|axis| tent(axis.count));
        par::for_each_row(&mut nodes, width, |j, nodes| {
            let mut line = vec![0.0; columns.len()];
            for (row, weight) in rows[j * axes[1].count as usize..].iter().zip(&down) {
                for &(place, part) in row.terms() {
                    let samples = &samples[place * held.width()..][..held.width()];
                    let weight = weight * part;
                    for (sum, column) in line.iter_mut().zip(&columns) {
                        for &(place, part) in column.terms() {
                            *sum += weight * part * f64::from(samples[place]);
                        }
                    }
                }
            }
            for (i, node) in nodes.iter_mut().enumerate() {
                let line = line[i * axes[0].count as usize..].iter().zip(&across);
                *node = line.map(|(sum, weight)| sum * weight).sum();
            }
        });
        Self { axes, first, width, nodes }
    }

    /// Where a place in metres lies along an axis.
    #[inline]
    pub(crate) fn knot(&self, axis: usize, at: f64) -> Knot {
        let (node, t) = self.axes[axis].node(at);
        let (u, t2) = (1.0 - t, t * t);
        let t3 = t2 * t;
        let per_metre = 0.5 / self.axes[axis].step();
        Knot {
            first: (node - 1 - self.first[axis]) as usize,
            heights: [
                u * u * u / 6.0,
                (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0,
                (3.0 * (t2 - t3 + t) + 1.0) / 6.0,
                t3 / 6.0,
            ],
            slopes: [-u * u, 3.0 * t2 - 4.0 * t, 2.0 * t - 3.0 * t2 + 1.0, t2]
                .map(|weight| weight * per_metre),
        }
    }

    /// The four nodes of a row of them around a place.
    #[inline]
    fn four(&self, row: usize, x: &Knot) -> &[f64; 4] {
        self.nodes[row * self.width + x.first..].first_chunk().expect("nodes reach beyond")
    }

    /// Height and slopes (∂/∂x, ∂/∂z).
    #[inline]
    pub(crate) fn height_and_gradient(&self, x: &Knot, z: &Knot) -> (f64, [f64; 2]) {
        let (mut height, mut gradient) = (0.0, [0.0; 2]);
        for k in 0..4 {
            let four = self.four(z.first + k, x);
            let along = dot(four, &x.heights);
            height += z.heights[k] * along;
            gradient[0] += z.heights[k] * dot(four, &x.slopes);
            gradient[1] += z.slopes[k] * along;
        }
        (height, gradient)
    }

    /// By how much the ground falls over `distance` in metres, straight down the slope at a place (x, z).
    #[inline]
    pub(crate) fn fall(
        &self,
        [x, z]: [f64; 2],
        (height, [gx, gz]): (f64, [f64; 2]),
        distance: f64,
    ) -> f64 {
        let scale = distance / math::length(gx, gz).max(1e-12);
        let (x, z) = (self.knot(0, x - scale * gx), self.knot(1, z - scale * gz));
        let rows = (0..4).map(|k| z.heights[k] * dot(self.four(z.first + k, &x), &x.heights));
        height - rows.sum::<f64>()
    }
}

#[inline]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Weights from one node before to one node after, that sum to 1.
fn tent(count: i64) -> Vec<f64> {
    (1 - count..count).map(|a| (count - a.abs()) as f64 / (count * count) as f64).collect()
}
