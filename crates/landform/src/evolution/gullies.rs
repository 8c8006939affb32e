//! Gullies without a simulation of the whole ground: erosion by multiple flow that knows only the ground around a sample.
//!
//! ```text
//! z_k   = H_k + refined(c_k−1)       H_k  the ground on a lattice of spacing s_k, smoothed; s_0 ≈ wavelength/8, s_k+1 = s_k/2
//! c_k   = worn(z_k) − H_k            c_k  what has become of it, in metres
//! h'    = h + between(c_K)           K    the last octave whose spacing is not below that of the output, but for a factor of √2
//! ```
//!
//! Each octave [wears](super::flow_erosion) the ground as the one before has left it, with the water that it found there: the gullies
//! of one octave are the valleys to which those of the next run down. They converge, are deeper where the ground is steep and where more
//! water comes from above, fade on crests and on level ground, and keep the mean height. Where slopes meet, gullies from both
//! sides join.
//!
//! The lattices are those of the recipe's grid lines, doubled or halved, whatever is asked for. So finer output has the same gullies
//! and smaller ones on their sides, and a terrain whose samples are too far apart for any of them stays as it is.
//!
//! Water is known only as far as it runs in a few rounds: a large valley needs [`evolve`](super::evolve).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow_erosion::{FlowErosion, Patch, Patches, Reach as Rounds};
use super::refinement::{Part, Samples, bytes_of_blocks, in_blocks};
use super::smoothed_ground::Smoothing;
use crate::blend::Blend;
use crate::error::Error;
use crate::resample::catmull_rom::catmull_rom;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Reads, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Seed, par};

/// Cuts gullies into slopes: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gullies {
    /// Distance between the largest gullies.
    #[schemars(range(min = 0.1, max = 1e6), extend("unit" = "m"))]
    pub wavelength: f64,
    /// Number of sizes, each half of the one before. Sizes that the samples are too far apart for are left out.
    #[schemars(range(min = 1, max = 12))]
    pub octaves: u32,
    /// How deep they are cut: 0 leaves slopes as they are, 1 cuts spurs between them.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub depth: f64,
    /// Slope, rise over run, on which they are half as deep: gentler ground has hardly any.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub gentle: f64,
}

impl Default for Gullies {
    fn default() -> Self {
        Self { wavelength: 400.0, octaves: 4, depth: 1.0, gentle: 0.1 }
    }
}

/// Samples from gully to gully on the lattice of an octave.
const SAMPLES: f64 = 8.0;

/// Wavelengths of the noise in the first octave and in all others, in samples.
const WAVES: [&[f64]; 2] = [&[7.7, 4.3], &[4.3]];

/// Amplitude of the noise over its wavelength, likewise.
const GRAIN: [f32; 2] = [0.1, 0.04];

/// Rounds in each octave.
const ROUNDS: Rounds = Rounds { first_cut: 0, rounds: 4, last_cut: 2 };

impl Operator for Gullies {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let octaves = self.octaves(&site.design, &site.output, site.seed);
        Ok(Prepared::Field(Box::new(Filter { octaves })))
    }

    fn blend(&self) -> Blend {
        Blend::Lerp
    }

    fn reach(&self, output: &Lattice) -> Reach {
        reach(&self.octaves(output, output, Seed::new(0)), output)
    }

    fn reach_at(&self, site: &Site<'_>) -> Reach {
        reach(&self.octaves(&site.design, &site.output, site.seed), &site.output)
    }

    fn access(&self) -> Access {
        Access { values: Some(Reads::Ground), ..Access::PLAIN }
    }
}

/// The square root of what samples of a lattice have for ground.
fn unit([dx, dz]: [f64; 2]) -> f64 {
    (dx * dz).sqrt()
}

/// How often a distance must be doubled to come nearest to another one.
fn doublings(from: f64, to: f64) -> i32 {
    let mut count = 0;
    let mut distance = from;
    while distance * std::f64::consts::SQRT_2 < to && count < 20 {
        distance *= 2.0;
        count += 1;
    }
    while distance > to * std::f64::consts::SQRT_2 && count > -20 {
        distance *= 0.5;
        count -= 1;
    }
    count
}

impl Gullies {
    /// The octaves that samples of the output can show, the largest first.
    fn octaves(&self, design: &Lattice, output: &Lattice, seed: Seed) -> Vec<Octave> {
        let first = doublings(unit(design.spacing), self.wavelength / SAMPLES);
        let octave = |k: u32| {
            let smoothing = Smoothing::new(first - k as i32, design);
            let erosion = FlowErosion {
                spacing: smoothing.spacing(),
                seed: Seed::new(seed.bits(u64::from(k))),
                patches: Patches { strength: 0.0, seed: Seed::new(0), share: 1.0 },
                strength: self.depth as f32,
                waves: WAVES[k.min(1) as usize],
                grain: GRAIN[k.min(1) as usize],
                reach: ROUNDS,
                still: self.gentle as f32,
                sea: f32::NEG_INFINITY,
            };
            Octave { smoothing, erosion }
        };
        let finest = unit(output.spacing) * std::f64::consts::FRAC_1_SQRT_2;
        let all = (0..self.octaves).map(octave);
        all.take_while(|octave| unit(octave.smoothing.spacing()) >= finest).collect()
    }
}

/// One size of gullies.
#[derive(Clone, Copy, Debug)]
struct Octave {
    smoothing: Smoothing,
    erosion: FlowErosion,
}

/// How many samples of the output have a part in one.
fn reach(octaves: &[Octave], output: &Lattice) -> Reach {
    let cells = [0, 1].map(|axis| {
        // The halo of an octave, what the next one and the output are interpolated from, and the tents of the smoothing.
        let metres =
            |octave: &Octave| (octave.erosion.halo() + 5) as f64 * octave.smoothing.spacing()[axis];
        let sum: f64 = octaves.iter().map(metres).sum();
        (sum / output.spacing[axis]).ceil() as u32 + 2
    });
    if octaves.is_empty() { Reach::Point } else { Reach::Cells(cells[0].max(cells[1])) }
}

struct Filter {
    octaves: Vec<Octave>,
}

/// The ground that gullies are cut into.
#[derive(Clone, Copy)]
struct Ground<'a> {
    extent: &'a Extent,
    view: &'a TerrainView<'a>,
}

impl Filter {
    /// What becomes of a part of the nodes of an octave: change of height, and water.
    fn change(
        &self,
        octave: usize,
        part: Part,
        ground: Ground<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<Samples, Cancelled> {
        let Octave { smoothing, erosion } = &self.octaves[octave];
        let around = part.grown(erosion.halo());
        let coarse = match octave.checked_sub(1) {
            Some(before) => Some(self.change(before, around.coarse(), ground, ctx)?),
            None => None,
        };
        let nodes = smoothing.nodes(around, ground.extent, ground.view);
        let row = |part: Part, j: usize| {
            let [i, j] = [0, 1].map(|axis| {
                let first = (part.origin[axis] - around.origin[axis]) as usize;
                first + if axis == 1 { j } else { 0 }
            });
            &nodes[j * around.size[0] + i..][..part.size[0]]
        };
        let source = |part: Part, patch: &mut Patch| {
            match &coarse {
                Some(coarse) => coarse.refine(part, patch),
                None => patch.become_level(part.origin, part.size),
            }
            for (j, heights) in patch.heights.chunks_mut(part.size[0]).enumerate() {
                heights.iter_mut().zip(row(part, j)).for_each(|(height, node)| *height += node);
            }
        };
        let mut samples = vec![[0.0; 2]; part.size[0] * part.size[1]];
        in_blocks(erosion, part, &mut samples, source, ctx)?;
        for (j, samples) in samples.chunks_mut(part.size[0]).enumerate() {
            samples.iter_mut().zip(row(part, j)).for_each(|(sample, node)| sample[0] -= node);
        }
        Ok(Samples { part, samples })
    }
}

/// Where samples lie among the nodes along one axis: the node before each, and the weights of the four around it.
fn knots(extent: &Extent, axis: usize, spacing: f64) -> Vec<(i64, [f32; 4])> {
    let knot = |k: usize| {
        let at = if axis == 0 { extent.x(k) } else { extent.z(k) } / spacing;
        let node = at.floor();
        let weight = |n: i32| catmull_rom(at - node - f64::from(n)) as f32;
        (node as i64, [weight(-1), weight(0), weight(1), weight(2)])
    };
    (0..if axis == 0 { extent.width() } else { extent.height() }).map(knot).collect()
}

/// The sum of four numbers with their weights.
#[inline(always)]
fn weighed(weights: &[f32; 4], four: [f32; 4]) -> f32 {
    (weights[0] * four[0] + weights[1] * four[1]) + (weights[2] * four[2] + weights[3] * four[3])
}

impl Field for Filter {
    fn evaluate(
        &self,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (Some(out), Some(finest)) = (out.values, self.octaves.last()) else { return Ok(()) };
        let spacing = finest.smoothing.spacing();
        let (columns, rows) = (knots(extent, 0, spacing[0]), knots(extent, 1, spacing[1]));
        let ends = [&columns, &rows].map(|knots| {
            let (first, last) = (knots.first().map_or(0, |k| k.0), knots.last().map_or(0, |k| k.0));
            (first - 1, (last - first) as usize + 4)
        });
        let part = Part { origin: ends.map(|end| end.0), size: ends.map(|end| end.1) };
        let change = self.change(self.octaves.len() - 1, part, Ground { extent, view }, ctx)?;
        let width = part.size[0];
        par::try_for_each_part(out, extent.width(), 16, |band, samples| {
            let mut line = vec![0.0; width];
            for (samples, (node, weights)) in
                samples.chunks_mut(extent.width()).zip(&rows[16 * band..])
            {
                let first = (node - 1 - part.origin[1]) as usize;
                let four = [0, 1, 2, 3].map(|k| &change.samples[(first + k) * width..][..width]);
                for (i, sum) in line.iter_mut().enumerate() {
                    *sum = weighed(weights, four.map(|row| row[i][0]));
                }
                for (sample, (node, weights)) in samples.iter_mut().zip(&columns) {
                    let first = (node - 1 - part.origin[0]) as usize;
                    let cut = weighed(weights, [0, 1, 2, 3].map(|k| line[first + k]));
                    if cut.is_finite() {
                        *sample += cut;
                    }
                }
            }
            ctx.check()
        })
    }

    fn memory(&self, extent: &Extent) -> u64 {
        let Some(finest) = self.octaves.last() else { return 0 };
        let output = extent.lattice().spacing;
        let nodes = [extent.width(), extent.height()];
        let mut side = [0, 1].map(|axis| {
            (nodes[axis] as f64 * output[axis] / finest.smoothing.spacing()[axis]) as usize + 4
        });
        let mut bytes = 0;
        for octave in self.octaves.iter().rev() {
            let around = side.map(|count| count + 2 * octave.erosion.halo() + 1);
            // Its nodes, and what becomes of them.
            bytes += (4 * around[0] * around[1] + 8 * side[0] * side[1]) as u64;
            bytes += bytes_of_blocks(&octave.erosion, side);
            side = around.map(|count| count / 2 + 5);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Terrain};

    fn run(text: &str) -> Terrain {
        let plan = crate::Recipe::parse(text).unwrap().resolve(&crate::Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap()
    }

    /// One cone on a plain with this many samples, and gullies on it.
    fn cone(size: u32, gullies: &str) -> Grid {
        let text = format!(
            "version = 1\nseed = 3\nsize = [129, 129]\nspacing = [8, 8]\nresolution = [{size}, {size}]\n[[stage]]\nkind = \"peaks\"\npeaks = [[64, 64, 300, 600]]\ndivisor = 1\n{gullies}"
        );
        run(&text).height().clone()
    }

    const ON_CONE: &str = "[[stage]]\nkind = \"gullies\"\nwavelength = 120\n";

    #[test]
    fn gullies_on_a_cone_keep_its_volume_and_leave_the_plain_alone() {
        let (smooth, cut) = (cone(257, ""), cone(257, ON_CONE));
        let changes = smooth.samples().iter().zip(cut.samples()).map(|(a, b)| f64::from(b - a));
        let (mut sum, mut squares, mut on_plain) = (0.0, 0.0, 0.0_f64);
        for (k, change) in changes.enumerate() {
            (sum, squares) = (sum + change, squares + change * change);
            let (i, j) = ((k % 257) as f64 - 128.0, (k / 257) as f64 - 128.0);
            if i * i + j * j > 175.0 * 175.0 {
                on_plain = on_plain.max(change.abs());
            }
        }
        let count = std::f64::consts::PI * 150.0 * 150.0;
        let rms = (squares / count).sqrt();
        assert!(rms > 1.0, "{rms}");
        assert!((sum / count).abs() < 0.3 * rms, "{} of {rms}", sum / count);
        assert!(on_plain < 0.01, "{on_plain}");
    }

    #[test]
    fn gullies_have_no_seams() {
        // Across a seam heights jump, however close the samples are. Elsewhere a fourth of the distance is a fourth of the change.
        let most = |size: u32| {
            let (smooth, cut) = (cone(size, ""), cone(size, &format!("{ON_CONE}octaves = 2\n")));
            let change = |i: u32, j: u32| {
                let place = (i as usize, j as usize);
                cut[place] - smooth[place]
            };
            let places = (1..size).flat_map(|j| (1..size).map(move |i| (i, j)));
            let jump = |(i, j)| {
                let here = change(i, j);
                (here - change(i - 1, j)).abs().max((here - change(i, j - 1)).abs())
            };
            places.map(jump).fold(0.0, f32::max)
        };
        let (coarse, fine) = (most(257), most(1025));
        assert!(coarse > 0.2 && fine < 0.35 * coarse, "{coarse} {fine}");
    }

    #[test]
    fn finer_samples_show_the_same_gullies() {
        let [none, coarse, fine] =
            [(129, ""), (129, ON_CONE), (513, ON_CONE)].map(|(size, more)| cone(size, more));
        let (mut both, mut squares) = ([0.0; 2], [0.0; 2]);
        for (k, &before) in none.samples().iter().enumerate() {
            let (i, j) = (k % 129, k / 129);
            let changes = [coarse[(i, j)], fine[(4 * i, 4 * j)]].map(|h| f64::from(h - before));
            both[0] += changes[0] * changes[1];
            both[1] += (changes[0] - changes[1]) * (changes[0] - changes[1]);
            (0..2).for_each(|k| squares[k] += changes[k] * changes[k]);
        }
        let correlation = both[0] / (squares[0] * squares[1]).sqrt();
        assert!(correlation > 0.8, "{correlation}");
    }

    #[test]
    fn octaves_finer_than_the_samples_are_left_out() {
        let design = Lattice { size: [129, 129], spacing: [8.0, 8.0] };
        let gullies = Gullies { wavelength: 256.0, octaves: 6, ..Gullies::default() };
        let count = |size: u32| {
            gullies.octaves(&design, &design.resampled([size, size]), Seed::new(1)).len()
        };
        assert_eq!([33, 65, 129, 257, 513, 4097].map(count), [1, 2, 3, 4, 5, 6]);
        assert!(cone(9, ON_CONE) == cone(9, ""), "none are left");
    }
}
