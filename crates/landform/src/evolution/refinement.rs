//! Parts of lattices that are each twice as fine as the one before: refined, and worn block by block.
//!
//! A part may reach beyond the lattice, where the ground goes on. Blocks fit a cache and have a halo, so what is in them depends neither on
//! how a part is divided nor on the number of threads.

use super::flow_erosion::{FlowErosion, Patch, Room};
use crate::{Cancelled, Ctx, par};

/// A window of a level, which may reach beyond its lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Column and row of its first sample.
    pub(super) origin: [i64; 2],
    /// Number of columns and rows.
    pub(super) size: [usize; 2],
}

impl Part {
    /// With so many more samples on each side, beginning with an even column and row.
    pub(super) fn grown(self, by: usize) -> Self {
        let origin = self.origin.map(|first| (first - by as i64) & !1);
        let size = [0, 1].map(|axis| {
            let end = self.origin[axis] + (self.size[axis] + by) as i64;
            (end - origin[axis]) as usize
        });
        Self { origin, size }
    }

    /// What it is refined from.
    pub(super) fn coarse(self) -> Self {
        let first = self.origin.map(|first| first.div_euclid(2) - 1);
        let size = [0, 1].map(|axis| {
            let last = (self.origin[axis] + self.size[axis] as i64 - 1).div_euclid(2) + 2;
            (last - first[axis]) as usize + 1
        });
        Self { origin: first, size }
    }
}

/// Heights and water of a part of a level.
pub(super) struct Samples {
    pub(super) part: Part,
    pub(super) samples: Vec<[f32; 2]>,
}

/// Columns and rows that are worked on together.
const BLOCK: [usize; 2] = [768, 384];

/// What a sample of the output is made of.
pub(super) trait Sample: Send {
    fn of(height: f32, area: f32) -> Self;
}

impl Sample for f32 {
    fn of(height: f32, _area: f32) -> Self {
        height
    }
}

impl Sample for [f32; 2] {
    fn of(height: f32, area: f32) -> Self {
        [height, area]
    }
}

/// Bytes that [`in_blocks`] holds beside the samples that it writes, on all threads.
pub(super) fn bytes_of_blocks(erosion: &FlowErosion, [width, height]: [usize; 2]) -> u64 {
    let bands = height.div_ceil(BLOCK[1]).min(par::threads());
    let around = 2 * erosion.halo();
    let block = (BLOCK[0].min(width) + around) * (BLOCK[1].min(height) + around);
    (bands * block) as u64 * FlowErosion::BYTES
}

/// Wears a part of a level block by block. `source` gives the ground of a part.
pub(super) fn in_blocks<T: Sample>(
    erosion: &FlowErosion,
    part: Part,
    out: &mut [T],
    source: impl Fn(Part, &mut Patch) + Sync,
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    let [width, height] = part.size;
    par::try_for_each_part(out, width, BLOCK[1].min(height), |band, out| {
        let (mut room, mut patch) = (Room::default(), Patch::default());
        let top = band * BLOCK[1];
        let rows = out.len() / width;
        for left in (0..width).step_by(BLOCK[0]) {
            ctx.check()?;
            let columns = BLOCK[0].min(width - left);
            let origin = [part.origin[0] + left as i64, part.origin[1] + top as i64];
            let block = Part { origin, size: [columns, rows] };
            let around = block.grown(erosion.halo());
            source(around, &mut patch);
            erosion.wear(&mut patch, &mut room);
            let skip = [0, 1].map(|axis| (block.origin[axis] - around.origin[axis]) as usize);
            for (j, row) in out.chunks_mut(width).enumerate() {
                let start = (skip[1] + j) * around.size[0] + skip[0];
                let worn = patch.heights[start..].iter().zip(&patch.area[start..]);
                for (sample, (&height, &area)) in row[left..left + columns].iter_mut().zip(worn) {
                    *sample = T::of(height, area);
                }
            }
        }
        Ok(())
    })
}

impl Samples {
    /// Refines a part, which begins with an even column and row, to twice as many samples.
    pub(super) fn refine(&self, part: Part, patch: &mut Patch) {
        let [width, rows] = part.size;
        patch.origin = part.origin;
        patch.size = part.size;
        patch.heights.resize(width * rows, 0.0);
        patch.area.resize(width * rows, 0.0);
        let stride = self.part.size[0];
        let skip = (part.origin[0] / 2 - self.part.origin[0]) as usize;
        let count = width / 2 + 4;
        let row = |j: i64| {
            let start = (j - self.part.origin[1]) as usize * stride + skip - 1;
            &self.samples[start..start + count.min(stride + 1 - skip)]
        };
        let mut between: Vec<[f32; 2]> = Vec::new();
        for j in 0..rows {
            let at = part.origin[1] + j as i64;
            let coarse = at.div_euclid(2);
            between.clear();
            if at & 1 == 0 {
                between.extend_from_slice(row(coarse));
            } else {
                let [a, b, c, d] = [-1, 0, 1, 2].map(|k| row(coarse + k));
                let all = a.iter().zip(b).zip(c.iter().zip(d));
                between.extend(all.map(|((a, b), (c, d))| middle([*a, *b, *c, *d])));
            }
            let heights = patch.heights[j * width..(j + 1) * width].chunks_mut(2);
            let areas = patch.area[j * width..(j + 1) * width].chunks_mut(2);
            for ((heights, areas), four) in heights.zip(areas).zip(between.windows(4)) {
                let [a, b, c, d] = [four[0], four[1], four[2], four[3]];
                (heights[0], areas[0]) = (b[0], 2.0 * b[1]);
                if let ([_, height], [_, area]) = (heights, areas) {
                    let middle = middle([a, b, c, d]);
                    (*height, *area) = (middle[0], 2.0 * middle[1]);
                }
            }
        }
    }
}

/// Heights by the four-point rule, water by the mean of two.
#[inline(always)]
fn middle([a, b, c, d]: [[f32; 2]; 4]) -> [f32; 2] {
    [(9.0 * (b[0] + c[0]) - (a[0] + d[0])) * 0.0625, 0.5 * (b[1] + c[1])]
}
