//! The heights at full, half, a quarter … of their resolution, for textures.
//!
//! Level 0 has the samples themselves, or every n-th if a texture cannot hold them all. A texel of another
//! level is the mean of four of the level below. Only what changed is computed again.

use half::f16;
use landform::par;

use super::scene::{Scene, Window};

/// Level 0 is made from the scene when it is needed; the smaller levels are kept.
#[derive(Debug)]
pub(super) struct Pyramid {
    /// Samples of the scene.
    samples: [usize; 2],
    /// Every so many samples are kept.
    stride: usize,
    /// Metres between texels of level 0.
    cell: [f32; 2],
    /// Levels 1, 2, …, each half the size of the one before.
    levels: Vec<Level>,
    /// Lowest and highest sample of each block, to know those of all without looking at all.
    blocks: Vec<[f32; 2]>,
    range: [f32; 2],
}

#[derive(Debug)]
struct Level {
    size: [usize; 2],
    heights: Vec<f32>,
}

/// New texels of one level.
#[derive(Debug)]
pub(super) struct Patch {
    pub(super) level: u32,
    pub(super) window: Window,
    pub(super) heights: Vec<f32>,
    /// Slopes to the east and to the south, as 16-bit floats.
    pub(super) slopes: Vec<[u16; 2]>,
}

/// Samples on a side of a block.
const BLOCK: usize = 64;

impl Pyramid {
    /// An empty pyramid for the size of `scene`, with at most `most` texels on a side.
    pub(super) fn new(scene: &Scene<'_>, most: usize) -> Self {
        let samples = scene.size;
        let longest = samples[0].max(samples[1]);
        let stride = (longest - 1).div_ceil(most.max(2) - 1).max(1);
        let mut size = texels(samples, stride);
        let mut levels = Vec::new();
        while size[0] > 1 || size[1] > 1 {
            size = size.map(|side| (side / 2).max(1));
            levels.push(Level { size, heights: vec![0.0; size[0] * size[1]] });
        }
        let count = samples.map(|side| side.div_ceil(BLOCK));
        Self {
            samples,
            stride,
            cell: scene.spacing.map(|side| (side * stride as f64) as f32),
            levels,
            blocks: vec![[0.0; 2]; count[0] * count[1]],
            range: [0.0; 2],
        }
    }

    /// Texels of level 0.
    pub(super) fn size(&self) -> [usize; 2] {
        texels(self.samples, self.stride)
    }

    /// Samples per texel of level 0.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// How many levels there are.
    pub(super) fn level_count(&self) -> u32 {
        1 + self.levels.len() as u32
    }

    /// Lowest and highest sample.
    pub(super) fn range(&self) -> [f32; 2] {
        self.range
    }

    /// The largest level above level 0 with at most `most` texels on a side: its size and heights. Nothing if
    /// there is only level 0.
    pub(super) fn at_most(&self, most: usize) -> Option<([usize; 2], &[f32])> {
        let fits = |level: &&Level| level.size[0].max(level.size[1]) <= most;
        let level = self.levels.iter().find(fits)?;
        Some((level.size, &level.heights))
    }

    /// Takes over what changed in `scene` and gives what changes in each level.
    pub(super) fn update(&mut self, scene: &Scene<'_>, changed: Window) -> Vec<Patch> {
        let changed = changed.grown(0, self.samples);
        self.measure(scene, changed);
        let size = self.size();
        // The texels that lie in the window; the slopes of those beside it change too.
        let window = Window {
            start: changed.start.map(|place| place / self.stride),
            end: changed.end.map(|place| place.div_ceil(self.stride) + 1),
        };
        let mut window = window.grown(1, size);
        let around = window.grown(1, size);
        let staged = self.stage(scene, around);
        let mut patches = vec![cut(0, &staged, around, window, self.cell, size)];
        for k in 0..self.levels.len() {
            let (below, rest) = self.levels.split_at_mut(k);
            let level = &mut rest[0];
            let finer = match below.last() {
                None => Source { heights: &staged, window: around },
                Some(level) => {
                    Source { heights: &level.heights, window: Window::whole(level.size) }
                }
            };
            let inner = Window {
                start: window.start.map(|place| place / 2),
                end: window.end.map(|place| place.div_ceil(2)),
            };
            let inner = inner.grown(0, level.size);
            level.halve(&finer, inner);
            window = inner.grown(1, level.size);
            let scale = (2_u64 << k) as f32;
            let cell = self.cell.map(|side| side * scale);
            let whole = Window::whole(level.size);
            patches.push(cut(k as u32 + 1, &level.heights, whole, window, cell, level.size));
        }
        patches
    }

    /// The heights of level 0 in a window, without holes.
    fn stage(&self, scene: &Scene<'_>, window: Window) -> Vec<f32> {
        let width = window.columns().len();
        let mut staged = vec![0.0; width * window.rows().len()];
        let low = self.range[0];
        if width == 0 {
            return staged;
        }
        par::for_each_part(&mut staged, width, 16, |k, part| {
            for (n, row) in part.chunks_exact_mut(width).enumerate() {
                let j = ((window.start[1] + 16 * k + n) * self.stride).min(self.samples[1] - 1);
                let from = &scene.heights[j * self.samples[0]..][..self.samples[0]];
                for (out, i) in row.iter_mut().zip(window.columns()) {
                    let height = from[(i * self.stride).min(self.samples[0] - 1)];
                    *out = if height.is_finite() { height } else { low };
                }
            }
        });
        staged
    }

    /// Finds the lowest and highest samples of the blocks that changed, and of all.
    fn measure(&mut self, scene: &Scene<'_>, changed: Window) {
        let [width, height] = self.samples;
        let columns = width.div_ceil(BLOCK);
        for b in changed.start[1] / BLOCK..changed.end[1].div_ceil(BLOCK) {
            for a in changed.start[0] / BLOCK..changed.end[0].div_ceil(BLOCK) {
                let mut range = [f32::INFINITY, f32::NEG_INFINITY];
                for j in b * BLOCK..((b + 1) * BLOCK).min(height) {
                    let row = &scene.heights[j * width..][a * BLOCK..((a + 1) * BLOCK).min(width)];
                    for &height in row.iter().filter(|height| height.is_finite()) {
                        range = [range[0].min(height), range[1].max(height)];
                    }
                }
                self.blocks[b * columns + a] = range;
            }
        }
        let all = self.blocks.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |all, block| {
            [all[0].min(block[0]), all[1].max(block[1])]
        });
        self.range = if all[0] <= all[1] { all } else { [0.0; 2] };
    }
}

fn texels(samples: [usize; 2], stride: usize) -> [usize; 2] {
    samples.map(|side| (side.max(1) - 1).div_ceil(stride) + 1)
}

/// A window of heights.
struct Source<'a> {
    heights: &'a [f32],
    window: Window,
}

impl Source<'_> {
    fn at(&self, i: usize, j: usize) -> f32 {
        let width = self.window.columns().len();
        self.heights[(j - self.window.start[1]) * width + i - self.window.start[0]]
    }
}

impl Level {
    /// Means of four texels of the level below, as far as that reaches.
    fn halve(&mut self, finer: &Source<'_>, window: Window) {
        for j in window.rows() {
            let rows = [2 * j, 2 * j + 1].map(|row| row.clamp_to(finer.window.rows()));
            for i in window.columns() {
                let columns = [2 * i, 2 * i + 1].map(|at| at.clamp_to(finer.window.columns()));
                let sum = rows.iter().flat_map(|&j| columns.map(|i| finer.at(i, j))).sum::<f32>();
                self.heights[j * self.size[0] + i] = 0.25 * sum;
            }
        }
    }
}

trait ClampTo {
    fn clamp_to(self, range: std::ops::Range<usize>) -> usize;
}

impl ClampTo for usize {
    fn clamp_to(self, range: std::ops::Range<usize>) -> usize {
        self.max(range.start).min(range.end - 1)
    }
}

/// The texels of a window with their slopes, out of `heights` that cover `around`.
fn cut(
    level: u32,
    heights: &[f32],
    around: Window,
    window: Window,
    cell: [f32; 2],
    size: [usize; 2],
) -> Patch {
    let source = Source { heights, window: around };
    let count = window.columns().len() * window.rows().len();
    let (mut cut, mut slopes) = (Vec::with_capacity(count), Vec::with_capacity(count));
    // Differences across two cells; one at the border.
    let beside = |place: usize, side: usize| [place.saturating_sub(1), (place + 1).min(side - 1)];
    for j in window.rows() {
        let [north, south] = beside(j, size[1]);
        let down = 1.0 / (cell[1] * (south - north).max(1) as f32);
        for i in window.columns() {
            let [west, east] = beside(i, size[0]);
            let right = 1.0 / (cell[0] * (east - west).max(1) as f32);
            let slope = [
                (source.at(east, j) - source.at(west, j)) * right,
                (source.at(i, south) - source.at(i, north)) * down,
            ];
            cut.push(source.at(i, j));
            slopes.push(slope.map(|s| f16::from_f32(s.clamp(-6e4, 6e4)).to_bits()));
        }
    }
    Patch { level, window, heights: cut, slopes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view3d::tests::scene;

    fn hills(w: usize, h: usize) -> Vec<f32> {
        (0..w * h).map(|k| ((k % w * 7 + k / w * 13) % 101) as f32).collect()
    }

    /// Puts patches into full levels, as textures do.
    fn paste(levels: &mut Vec<Vec<(f32, [u16; 2])>>, pyramid: &Pyramid, patches: &[Patch]) {
        for patch in patches {
            let size = match patch.level {
                0 => pyramid.size(),
                k => pyramid.levels[k as usize - 1].size,
            };
            if levels.len() <= patch.level as usize {
                levels.push(vec![(f32::NAN, [0; 2]); size[0] * size[1]]);
            }
            let mut k = 0;
            for j in patch.window.rows() {
                for i in patch.window.columns() {
                    levels[patch.level as usize][j * size[0] + i] =
                        (patch.heights[k], patch.slopes[k]);
                    k += 1;
                }
            }
        }
    }

    #[test]
    fn updating_a_window_is_like_beginning_anew() {
        for (size, most) in [([150, 90], 4096), ([150, 90], 64), ([1, 9], 64), ([64, 64], 33)] {
            let mut heights = hills(size[0], size[1]);
            let mut pyramid = Pyramid::new(&scene(size, &heights), most);
            let mut levels = Vec::new();
            let all = pyramid.update(&scene(size, &heights), Window::whole(size));
            paste(&mut levels, &pyramid, &all);
            let changed = Window { start: [0, 3], end: [size[0].min(41), 7] };
            for j in changed.rows() {
                for i in changed.columns() {
                    heights[j * size[0] + i] += 500.0;
                }
            }
            let some = pyramid.update(&scene(size, &heights), changed);
            paste(&mut levels, &pyramid, &some);
            let mut anew = Pyramid::new(&scene(size, &heights), most);
            let mut want = Vec::new();
            let all = anew.update(&scene(size, &heights), Window::whole(size));
            paste(&mut want, &anew, &all);
            assert_eq!(levels, want, "{size:?}");
            assert_eq!(pyramid.range(), anew.range());
            assert!(pyramid.size().iter().all(|&side| side <= most));
        }
    }

    #[test]
    fn a_plane_has_its_slope_at_every_level() {
        let plane: Vec<f32> = (0..64 * 64).map(|k| 3.0 * (k % 64) as f32 - (k / 64) as f32).collect();
        let scene = Scene { spacing: [2.0, 4.0], ..scene([64, 64], &plane) };
        let mut pyramid = Pyramid::new(&scene, 4096);
        for patch in pyramid.update(&scene, Window::whole([64, 64])) {
            if patch.window.end[0] > 1 {
                let slope = patch.slopes[0].map(|bits| f16::from_bits(bits).to_f32());
                assert!((slope[0] - 1.5).abs() < 1e-2 && (slope[1] + 0.25).abs() < 1e-2);
            }
        }
    }

    #[test]
    fn holes_are_as_low_as_the_lowest_ground() {
        let mut heights = hills(20, 20);
        heights[7] = f32::NAN;
        heights[9] = f32::INFINITY;
        let mut pyramid = Pyramid::new(&scene([20, 20], &heights), 4096);
        let patches = pyramid.update(&scene([20, 20], &heights), Window::whole([20, 20]));
        let [low, high] = pyramid.range();
        assert!(low.is_finite() && high.is_finite());
        assert_eq!((patches[0].heights[7], patches[0].heights[9]), (low, low));
        let holes = vec![f32::NAN; 4];
        let mut pyramid = Pyramid::new(&scene([2, 2], &holes), 4096);
        let patches = pyramid.update(&scene([2, 2], &holes), Window::whole([2, 2]));
        assert_eq!(patches[0].heights, [0.0; 4]);
    }
}
