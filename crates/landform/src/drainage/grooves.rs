//! Streams between the samples of a lattice: on finer output the floors of valleys lead on.
//!
//! Water runs from sample to sample. A cubic surface through the samples rises between two of a narrow valley that lie across a
//! corner: what is a stream on the lattice would be a row of hollows on a finer one. So the ground beside the straight way
//! from a sample to the next is lowered by what the surface rises above that way:
//!
//! ```text
//! h ← h − dam · (4t(1 − t))² · (1 − (d/r)²)²      t along the way, 0 to 1; d the distance from it, below r
//! dam = h_c(½) − ½ (h(0) + h(1))                  h_c the cubic surface
//! ```
//!
//! The samples of the lattice itself stay as they are, and so does an even slope.

use super::compass::{Compass, NOWHERE, STEPS};
use crate::keep::Keep;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, par};

/// r in cells of the lattice: a little less than the distance at which a way across a corner passes a sample.
const REACH: f32 = 0.65;

/// What a dam must have, over the width of a cell: less is the curvature of a slope.
const LEAST: f32 = 0.004;

/// The streams of a lattice.
#[derive(Clone, Debug)]
pub(crate) struct Grooves {
    /// The direction in which the stream of each sample goes on; [`NOWHERE`] where there is none, or nothing dams it up.
    ways: Grid<u8>,
    /// The dam on the way, in metres.
    dams: Grid,
}

impl Keep for Grooves {
    fn write(&self, out: &mut Vec<u8>) {
        self.ways.write(out);
        self.dams.write(out);
    }

    /// Nothing if the two are not of one size.
    fn read(from: &mut &[u8]) -> Option<Self> {
        let (ways, dams) = (Grid::<u8>::read(from)?, Grid::<f32>::read(from)?);
        let is_one_size = (ways.width(), ways.height()) == (dams.width(), dams.height());
        is_one_size.then_some(Self { ways, dams })
    }
}

/// The cubic of Catmull & Rom half way between the second and the third sample.
const HALF: [f32; 4] = [-0.0625, 0.5625, 0.5625, -0.0625];

/// Height of the cubic surface half way from a sample to the next in a direction.
fn half_way(surface: &Grid, (i, j): (usize, usize), way: u8) -> f32 {
    let (di, dj) = STEPS[way as usize & 7];
    let within = |k: isize, count: usize| k.clamp(0, count as isize - 1) as usize;
    let at =
        |i: isize, j: isize| surface[(within(i, surface.width()), within(j, surface.height()))];
    let (i, j) = (i as isize, j as isize);
    // Along the way; or across the cell along one axis, and then along the other.
    let line = |i: isize, j: isize, di: isize, dj: isize| {
        let term = |(k, weight): (isize, &f32)| weight * at(i + k * di, j + k * dj);
        (-1..3).zip(&HALF).map(term).sum::<f32>()
    };
    if di == 0 || dj == 0 {
        line(i, j, di, dj)
    } else {
        (-1..3).zip(&HALF).map(|(k, weight)| weight * line(i, j + k * dj, di, 0)).sum()
    }
}

impl Grooves {
    /// The streams of a surface in these directions, where `is_stream`.
    pub(crate) fn new(
        surface: &Grid,
        directions: &Grid<u8>,
        lattice: &Lattice,
        is_stream: impl Fn(usize) -> bool,
    ) -> Self {
        let compass = Compass::new(lattice);
        let least = LEAST * compass.cell_area.sqrt() as f32;
        let mut ways = Grid::filled(compass.width, compass.height, NOWHERE);
        let mut dams = Grid::filled(compass.width, compass.height, 0.0);
        let samples = surface.samples();
        for (at, &way) in directions.samples().iter().enumerate() {
            let place = (at % compass.width, at / compass.width);
            if way == NOWHERE || !compass.has(place.0, place.1, way as usize) || !is_stream(at) {
                continue;
            }
            let mean = 0.5 * (samples[at] + samples[compass.next(at, way)]);
            let dam = half_way(surface, place, way) - mean - least;
            if dam > 0.0 {
                (ways[place], dams[place]) = (way, dam);
            }
        }
        Self { ways, dams }
    }

    /// Lowers the ground along the streams.
    pub(crate) fn fill(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (size, origin) = (extent.lattice().size, extent.origin());
        // On a coarser lattice there is no way between samples.
        if size[0] as usize <= self.ways.width() && size[1] as usize <= self.ways.height() {
            return Ok(());
        }
        let columns = places(self.ways.width(), size[0], origin[0], extent.width());
        let rows = places(self.ways.height(), size[1], origin[1], extent.height());
        par::try_for_each_part(out, extent.width(), 8, |part, samples| {
            for (k, row) in samples.chunks_mut(extent.width()).enumerate() {
                let down = rows[part * 8 + k];
                for (height, &across) in row.iter_mut().zip(&columns) {
                    *height -= self.depth(across, down);
                }
            }
            ctx.check()
        })
    }

    /// How much the ground at a place is lowered by the streams near it.
    fn depth(&self, (i, u): (isize, f32), (j, v): (isize, f32)) -> f32 {
        let (width, rows) = (self.ways.width() as isize, self.ways.height() as isize);
        let mut deepest = 0.0_f32;
        for b in (j - 1).max(0)..=(j + 2).min(rows - 1) {
            for a in (i - 1).max(0)..=(i + 2).min(width - 1) {
                let way = self.ways[(a as usize, b as usize)];
                if way == NOWHERE {
                    continue;
                }
                let (di, dj) = STEPS[way as usize & 7];
                let (dx, dz) = (di as f32, dj as f32);
                // From the start of the way to the place, in cells.
                let (x, z) = (u - (a - i) as f32, v - (b - j) as f32);
                let t = (x * dx + z * dz) / (dx * dx + dz * dz);
                let (x, z) = (x - t * dx, z - t * dz);
                let far = (x * x + z * z) * (1.0 / (REACH * REACH));
                if far < 1.0 && t > 0.0 && t < 1.0 {
                    let share = 4.0 * t * (1.0 - t) * (1.0 - far);
                    deepest = deepest.max(self.dams[(a as usize, b as usize)] * share * share);
                }
            }
        }
        deepest
    }
}

/// Where samples of the output lie: the column or row of the lattice before each, and the fraction of a cell from there.
fn places(source: usize, count: u32, first: u32, length: usize) -> Vec<(isize, f32)> {
    let last = source.max(1) - 1;
    let step = if count > 1 { last as f64 / f64::from(count - 1) } else { 0.0 };
    let place = |k: usize| {
        let at = (f64::from(first) + k as f64) * step;
        let whole = (at as usize).min(last);
        (whole as isize, (at - whole as f64) as f32)
    };
    (0..length).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::carry::Carried;

    /// Ground of 9 × 9 samples, eight times as fine, without and with streams in this direction.
    fn refined(height: impl Fn(usize, usize) -> f32, way: u8) -> [Vec<f32>; 2] {
        let lattice = Lattice { size: [9, 9], spacing: [1.0, 1.0] };
        let samples = Grid::from_fn(9, 9, height);
        let is_stream = |at: usize| way == 0 || at % 9 == at / 9;
        let grooves = Grooves::new(&samples, &Grid::filled(9, 9, way), &lattice, is_stream);
        let fine = Lattice { size: [65, 65], spacing: [0.125, 0.125] }.whole();
        let ctx = Ctx::new(&(), "");
        let mut plain = vec![0.0; fine.len()];
        Carried::new(samples).fill(&fine, &mut plain, &ctx, |old, new| *old = new).unwrap();
        let mut cut = plain.clone();
        grooves.fill(&fine, &mut cut, &ctx).unwrap();
        [plain, cut]
    }

    #[test]
    fn a_valley_across_the_corners_of_cells_falls_all_the_way() {
        let valley = |i: usize, j: usize| if i == j { 90.0 - 2.0 * i as f32 } else { 100.0 };
        let [plain, cut] = refined(valley, 1);
        let highest = |ground: &[f32]| {
            let bed = (8..56).map(|k| ground[(k + 1) * 66] - ground[k * 66]);
            bed.fold(f32::MIN, f32::max)
        };
        assert!(highest(&plain) > 1.0, "{}", highest(&plain));
        assert!(highest(&cut) < 0.1 * highest(&plain), "{}", highest(&cut));
        // Samples of the lattice are as they were.
        assert!((0..9).all(|k| plain[k * 8 * 66].to_bits() == cut[k * 8 * 66].to_bits()));
    }

    #[test]
    fn an_even_slope_stays_as_it_is() {
        let [plain, cut] = refined(|i, j| 100.0 - 3.0 * i as f32 - j as f32, 0);
        // The border has no samples beyond it, and bends the cubic.
        let inner = (0..plain.len()).filter(|at| (8..56).contains(&(at % 65)));
        assert!(inner.into_iter().all(|at| plain[at].to_bits() == cut[at].to_bits()));
    }
}
