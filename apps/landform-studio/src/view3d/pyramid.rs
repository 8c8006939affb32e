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

/// What changes in the textures.
#[derive(Debug)]
pub(super) struct Update {
    /// Where heights of level 0 change.
    pub(super) window: Window,
    pub(super) heights: Vec<f32>,
    /// Changes of slopes, level by level.
    pub(super) slopes: Vec<Slopes>,
}

/// New slopes in one level.
#[derive(Debug)]
pub(super) struct Slopes {
    pub(super) window: Window,
    /// To the east and to the south, as 16-bit floats.
    pub(super) texels: Vec<[u16; 2]>,
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

    /// Takes over what changed in `scene` and gives what changes in the textures.
    pub(super) fn update(&mut self, scene: &Scene<'_>, changed: Window) -> Update {
        let changed = changed.grown(0, self.samples);
        self.measure(scene, changed);
        let size = self.size();
        // The texels that lie in the window; the slopes of those beside it change too.
        let window = Window {
            start: changed.start.map(|place| place / self.stride),
            end: changed.end.map(|place| place.div_ceil(self.stride) + 1),
        };
        let first = window.grown(1, size);
        let mut window = first;
        let around = window.grown(1, size);
        let staged = self.stage(scene, around);
        let source = Source { heights: &staged, window: around };
        let heights = window
            .rows()
            .flat_map(|j| window.columns().map(move |i| [i, j]))
            .map(|[i, j]| source.at(i, j))
            .collect();
        let mut slopes = vec![source.slopes(window, self.cell, size)];
        for k in 0..self.levels.len() {
            let (below, rest) = self.levels.split_at_mut(k);
            let level = &mut rest[0];
            let finer = below.last().map_or(source, Level::source);
            let inner = Window {
                start: window.start.map(|place| place / 2),
                end: window.end.map(|place| place.div_ceil(2)),
            };
            let inner = inner.grown(0, level.size);
            level.halve(&finer, inner);
            window = inner.grown(1, level.size);
            let scale = (2_u64 << k) as f32;
            let cell = self.cell.map(|side| side * scale);
            slopes.push(level.source().slopes(window, cell, level.size));
        }
        Update { window: first, heights, slopes }
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
#[derive(Clone, Copy, Debug)]
struct Source<'a> {
    heights: &'a [f32],
    window: Window,
}

impl Source<'_> {
    fn at(&self, i: usize, j: usize) -> f32 {
        let width = self.window.columns().len();
        self.heights[(j - self.window.start[1]) * width + i - self.window.start[0]]
    }

    /// The slopes in a window of a level of this size.
    fn slopes(&self, window: Window, cell: [f32; 2], size: [usize; 2]) -> Slopes {
        // Differences across two cells; one at the border.
        let beside =
            |place: usize, side: usize| [place.saturating_sub(1), (place + 1).min(side - 1)];
        let width = window.columns().len();
        let mut texels = vec![[0; 2]; width * window.rows().len()];
        if width == 0 {
            return Slopes { window, texels };
        }
        par::for_each_row(&mut texels, width, |row, texels| {
            let j = window.start[1] + row;
            let [north, south] = beside(j, size[1]);
            let down = 1.0 / (cell[1] * (south - north).max(1) as f32);
            for (texel, i) in texels.iter_mut().zip(window.columns()) {
                let [west, east] = beside(i, size[0]);
                let right = 1.0 / (cell[0] * (east - west).max(1) as f32);
                let slope = [
                    (self.at(east, j) - self.at(west, j)) * right,
                    (self.at(i, south) - self.at(i, north)) * down,
                ];
                *texel = slope.map(|s| f16::from_f32(s.clamp(-6e4, 6e4)).to_bits());
            }
        });
        Slopes { window, texels }
    }
}

impl Level {
    fn source(&self) -> Source<'_> {
        Source { heights: &self.heights, window: Window::whole(self.size) }
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view3d::tests::scene;

    fn hills(w: usize, h: usize) -> Vec<f32> {
        (0..w * h).map(|k| ((k % w * 7 + k / w * 13) % 101) as f32).collect()
    }

    /// The textures of a pyramid: heights, and slopes of each level.
    #[derive(Debug, PartialEq)]
    struct Textures {
        heights: Vec<f32>,
        slopes: Vec<Vec<[u16; 2]>>,
    }

    impl Textures {
        fn of(pyramid: &Pyramid) -> Self {
            let sizes = std::iter::once(pyramid.size())
                .chain(pyramid.levels.iter().map(|level| level.size));
            Self {
                heights: vec![f32::NAN; pyramid.size()[0] * pyramid.size()[1]],
                slopes: sizes.map(|[w, h]| vec![[0x7E00; 2]; w * h]).collect(),
            }
        }

        fn take(&mut self, pyramid: &Pyramid, update: &Update) {
            paste(&mut self.heights, pyramid.size()[0], update.window, &update.heights);
            let mut width = pyramid.size()[0];
            for (level, slopes) in self.slopes.iter_mut().zip(&update.slopes) {
                paste(level, width, slopes.window, &slopes.texels);
                width = (width / 2).max(1);
            }
        }
    }

    fn paste<T: Copy>(into: &mut [T], width: usize, window: Window, texels: &[T]) {
        let mut texels = texels.iter();
        for j in window.rows() {
            for i in window.columns() {
                into[j * width + i] = *texels.next().expect("a texel for each place");
            }
        }
        assert!(texels.next().is_none());
    }

    #[test]
    fn updating_a_window_is_like_beginning_anew() {
        for (size, most) in [([150, 90], 4096), ([150, 90], 64), ([1, 9], 64), ([64, 64], 33)] {
            let mut heights = hills(size[0], size[1]);
            let mut pyramid = Pyramid::new(&scene(size, &heights), most);
            let mut textures = Textures::of(&pyramid);
            let all = pyramid.update(&scene(size, &heights), Window::whole(size));
            textures.take(&pyramid, &all);
            let changed = Window { start: [0, 3], end: [size[0].min(41), 7] };
            for j in changed.rows() {
                for i in changed.columns() {
                    heights[j * size[0] + i] += 500.0;
                }
            }
            let some = pyramid.update(&scene(size, &heights), changed);
            textures.take(&pyramid, &some);
            let mut anew = Pyramid::new(&scene(size, &heights), most);
            let mut want = Textures::of(&anew);
            let all = anew.update(&scene(size, &heights), Window::whole(size));
            want.take(&anew, &all);
            assert_eq!(textures, want, "{size:?}");
            assert_eq!(pyramid.range(), anew.range());
            assert!(pyramid.size().iter().all(|&side| side <= most));
        }
    }

    #[test]
    fn a_plane_has_its_slope_at_every_level() {
        let plane: Vec<f32> =
            (0..64 * 64).map(|k| 3.0 * (k % 64) as f32 - (k / 64) as f32).collect();
        let scene = Scene { spacing: [2.0, 4.0], ..scene([64, 64], &plane) };
        let mut pyramid = Pyramid::new(&scene, 4096);
        let update = pyramid.update(&scene, Window::whole([64, 64]));
        for level in update.slopes.iter().filter(|level| level.window.end[0] > 1) {
            let slope = level.texels[0].map(|bits| f16::from_bits(bits).to_f32());
            assert!((slope[0] - 1.5).abs() < 1e-2 && (slope[1] + 0.25).abs() < 1e-2);
        }
    }

    #[test]
    fn holes_are_as_low_as_the_lowest_ground() {
        let mut heights = hills(20, 20);
        heights[7] = f32::NAN;
        heights[9] = f32::INFINITY;
        let mut pyramid = Pyramid::new(&scene([20, 20], &heights), 4096);
        let update = pyramid.update(&scene([20, 20], &heights), Window::whole([20, 20]));
        let [low, high] = pyramid.range();
        assert!(low.is_finite() && high.is_finite());
        assert_eq!((update.heights[7], update.heights[9]), (low, low));
        let holes = vec![f32::NAN; 4];
        let mut pyramid = Pyramid::new(&scene([2, 2], &holes), 4096);
        let update = pyramid.update(&scene([2, 2], &holes), Window::whole([2, 2]));
        assert_eq!(update.heights, [0.0; 4]);
    }
}
