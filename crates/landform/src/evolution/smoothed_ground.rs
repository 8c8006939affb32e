//! The ground on a coarser lattice: heights over a distance instead of at a sample.
//!
//! ```text
//! c_ij = Σ w_a w_b h(x_i + aΔ, z_j + bΔ)        w  a tent, Σ w = 1; nodes (x_i, z_j) every nΔ
//! ```
//!
//! Δ is the distance of the recipe's own grid lines, or that of the nodes where they are closer, whatever lattice is asked for: so
//! a finer terrain has the same ground, and where grid lines fall on samples, these alone are looked at.
//!
//! Beyond the edge of the ground heights go on as its point reflection, so slopes do not end there.

use super::refinement::Part;
use crate::terrain_view::TerrainView;
use crate::{Extent, Lattice, Layer, par};

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

/// A lattice of nodes on which the ground is smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Smoothing([Axis; 2]);

impl Smoothing {
    /// With nodes 2^`doublings` of the recipe's grid lines apart, which may be less than one.
    pub(super) fn new(doublings: i32, design: &Lattice) -> Self {
        Self([0, 1].map(|axis| {
            let (tap, count) = match doublings {
                0.. => (design.spacing[axis], 1 << doublings.min(20)),
                _ => (design.spacing[axis] / f64::from(1 << (-doublings).min(20)), 1),
            };
            Axis { tap, count, ground: design.ground()[axis] }
        }))
    }

    /// Metres from node to node.
    pub(super) fn spacing(&self) -> [f64; 2] {
        self.0.map(|axis| axis.tap * axis.count as f64)
    }

    /// The same with fewer places to look at where samples are so far apart that the ground between them is straight.
    fn thinned(self, output: &Lattice) -> Self {
        let mut axes = self.0;
        for (axis, spacing) in axes.iter_mut().zip(output.spacing) {
            while axis.count > 1 && 2.0 * axis.tap <= spacing {
                axis.tap *= 2.0;
                axis.count /= 2;
            }
        }
        Self(axes)
    }

    /// The heights at a part of the nodes. `view` covers them, as far as the ground goes.
    pub(super) fn nodes(&self, part: Part, extent: &Extent, view: &TerrainView<'_>) -> Vec<f32> {
        let axes = self.thinned(extent.lattice()).0;
        let spacing = extent.lattice().spacing;
        let [width, height] = part.size;
        let mut nodes = vec![0.0; width * height];
        let covers = |(samples, held): &(&[f32], &Extent)| samples.len() == held.len();
        let Some((samples, held)) = view.held(&Layer::Height).filter(covers) else {
            return nodes;
        };
        let sizes = [held.width(), held.height()];
        let taps = |axis: usize| -> Vec<Tap> {
            let side = axes[axis].count - 1;
            let start = part.origin[axis] * axes[axis].count - side;
            let last = part.origin[axis] + part.size[axis] as i64 - 1;
            let from = (held.origin()[axis] as usize, sizes[axis]);
            let tap =
                |k: i64| Tap::new(k as f64 * axes[axis].tap, &axes[axis], spacing[axis], from);
            (start..=last * axes[axis].count + side).map(tap).collect()
        };
        let (columns, rows) = (taps(0), taps(1));
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
                *node = line.map(|(sum, weight)| sum * weight).sum::<f64>() as f32;
            }
        });
        nodes
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

/// Weights from one node before to one node after, that sum to 1.
fn tent(count: i64) -> Vec<f64> {
    (1 - count..count).map(|a| (count - a.abs()) as f64 / (count * count) as f64).collect()
}
