//! Exact distance to the nearest cell of a set on a flat map, around its edges where it wraps.
//!
//! ```text
//! d²(i, j) = min_k ((i − k) a)² + (b g(k, j))²      g rows to the nearest cell of the set in column k, a and b width and depth of a cell
//! ```
//!
//! Two passes (Meijster, Roerdink & Hesselink 2000; Felzenszwalb & Huttenlocher 2012): g by sweeps down and up the map, then the
//! least of these parabolas row by row, as a stack of those that are the least somewhere. A cell of the set parts the row:
//! nothing beyond it is nearer. Linear in cells.

use std::ops::Range;

use fearless_simd::{Level, dispatch};

use crate::{Cancelled, Ctx, par};

/// A flat map in cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub(super) size: [usize; 2],
    /// Width and depth of a cell in metres.
    pub(super) cell: [f64; 2],
    pub(super) wrap: [bool; 2],
}

/// Metres from each cell to the nearest for which `is_source`; infinity if there is none, or none within `limit` up or down.
pub(super) fn distances(
    cells: &Cells,
    is_source: impl Fn(usize) -> bool,
    limit: f64,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let [width, height] = cells.size;
    let far = |cell: usize| if is_source(cell) { 0.0 } else { f32::INFINITY };
    let mut distance: Vec<f32> = (0..width * height).map(far).collect();
    ctx.check()?;
    sweep(&mut distance, width, cells.wrap[1], |k| k);
    ctx.check()?;
    sweep(&mut distance, width, cells.wrap[1], |k| height - 1 - k);
    let ratio = cells.cell[1] / cells.cell[0];
    let most = limit / cells.cell[1];
    par::try_for_each_part(&mut distance, width, 16, |_, rows| {
        let mut envelope = Envelope::default();
        for row in rows.chunks_mut(width) {
            envelope.rises.clear();
            envelope.rises.extend(row.iter().map(|&rows| {
                let up = f64::from(rows) * ratio;
                if f64::from(rows) <= most { up * up } else { f64::INFINITY }
            }));
            envelope.lower(cells.wrap[0], row);
            let metres = cells.cell[0] as f32;
            row.iter_mut().for_each(|squared| *squared = squared.sqrt() * metres);
        }
        ctx.check()
    })?;
    Ok(distance)
}

/// Metres from each cell to the nearest of the other kind, land or not; infinity if there is none, or none within the limit of
/// its kind up or down. Both kinds are swept at once, and in a row the cells of a kind are bounded by the others. They are written to
/// the memory of `distance`, whatever there is in it.
pub(super) fn distances_across(
    cells: &Cells,
    land: &[u8],
    limits: [f64; 2],
    mut distance: Vec<f32>,
    ctx: &Ctx<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let [width, height] = cells.size;
    distance.clear();
    distance.resize(width * height, f32::INFINITY);
    sweep_across(&mut distance, (land, width), cells.wrap[1], |k| k);
    ctx.check()?;
    sweep_across(&mut distance, (land, width), cells.wrap[1], |k| height - 1 - k);
    let ratio = cells.cell[1] / cells.cell[0];
    let most = limits.map(|limit| (limit / cells.cell[1]) as f32);
    par::try_for_each_part(&mut distance, width, 16, |part, rows| {
        let mut envelope = Envelope::default();
        for (k, row) in rows.chunks_mut(width).enumerate() {
            let land = &land[(16 * part + k) * width..][..width];
            envelope.rises.clear();
            envelope.rises.extend(row.iter().zip(land).map(|(&rows, &land)| {
                let most = if land > 0 { most[0] } else { most[1] };
                let up = f64::from(rows) * ratio;
                if rows <= most { up * up } else { f64::INFINITY }
            }));
            envelope.lower_across(cells.wrap[0], land, row);
            let metres = cells.cell[0] as f32;
            row.iter_mut().for_each(|squared| *squared = squared.sqrt() * metres);
        }
        ctx.check()
    })?;
    Ok(distance)
}

/// Counts the rows to the last cell of the other kind, in the order that `row` gives; once more from the last to the first where
/// the map wraps, as far as that changes anything.
fn sweep_across(
    distance: &mut [f32],
    (land, width): (&[u8], usize),
    wraps: bool,
    row: impl Fn(usize) -> usize,
) {
    let height = distance.len() / width;
    let mut before = vec![f32::INFINITY; width];
    for k in 0..height * (1 + usize::from(wraps)) {
        let at = row(k % height) * width;
        let last = row((k + height - 1) % height) * width;
        let (own, kinds) = (&mut distance[at..][..width], &land[at..][..width]);
        let last_kinds = if k == 0 { kinds } else { &land[last..][..width] };
        let kinds = [kinds, last_kinds];
        let is_nearer = dispatch!(Level::new(), _simd => count_on(own, kinds, &mut before));
        if k >= height && !is_nearer {
            return;
        }
    }
}

/// Counts on from the row `before`, of these kinds; says whether anything is nearer by that.
#[inline(always)]
fn count_on(own: &mut [f32], [kinds, last_kinds]: [&[u8]; 2], before: &mut [f32]) -> bool {
    let width = own.len();
    let (kinds, last_kinds, before) = (&kinds[..width], &last_kinds[..width], &mut before[..width]);
    let mut is_nearer = 0_u32;
    for i in 0..width {
        let is_other = (kinds[i] > 0) != (last_kinds[i] > 0);
        let next = if is_other { 1.0 } else { before[i] + 1.0 };
        is_nearer |= u32::from(next < own[i]);
        own[i] = if next < own[i] { next } else { own[i] };
        before[i] = own[i];
    }
    is_nearer > 0
}

/// Counts on from row to row, in the order that `row` gives; once more from the last to the first where the map wraps.
fn sweep(distance: &mut [f32], width: usize, wraps: bool, row: impl Fn(usize) -> usize) {
    let height = distance.len() / width;
    let mut before = vec![f32::INFINITY; width];
    for _ in 0..=usize::from(wraps) {
        for k in 0..height {
            let own = &mut distance[row(k) * width..][..width];
            for (own, before) in own.iter_mut().zip(&mut before) {
                let next = *before + 1.0;
                *own = if next < *own { next } else { *own };
                *before = *own;
            }
        }
    }
}

/// d² = (i − column)² + rise, the least from `from` on.
struct Parabola {
    column: f64,
    rise: f64,
    from: f64,
}

/// The least of the parabolas of a row.
#[derive(Default)]
struct Envelope {
    /// The square of the distance up or down in each column, in widths of a cell.
    rises: Vec<f64>,
    /// Whether each cell is land.
    kinds: Vec<bool>,
    parabolas: Vec<Parabola>,
}

impl Envelope {
    /// Writes the least of all parabolas.
    fn lower(&mut self, wraps: bool, out: &mut [f32]) {
        let width = out.len() as isize;
        let set = self.rises.iter().position(|&rise| rise == 0.0).map(|column| column as isize);
        let columns = match (wraps, set) {
            (false, _) => 0..width,
            // Once around, from a cell of the set to itself.
            (true, Some(start)) => start..start + width + 1,
            // Half around on both sides: nothing is farther away.
            (true, None) => -width / 2..width + width / 2 + 1,
        };
        let written = if set.is_none() { 0..width } else { columns.clone() };
        self.parabolas.clear();
        let mut start = written.start;
        for k in columns {
            let rise = self.rises[within(k, width)];
            if rise == 0.0 {
                if start < k {
                    self.push(k as f64, rise);
                    self.write(start..k, out);
                }
                self.parabolas.clear();
                out[within(k, width)] = 0.0;
                start = k + 1;
            }
            if rise < f64::INFINITY {
                self.push(k as f64, rise);
            }
        }
        self.write(start..written.end, out);
    }

    /// Writes the least of the parabolas of the cells of the same kind and of those of the other kind, which rise from 0.
    fn lower_across(&mut self, wraps: bool, land: &[u8], out: &mut [f32]) {
        let width = out.len();
        let is_land = |k: usize| land[k] > 0;
        let Some(edge) = (1..width).find(|&k| is_land(k) != is_land(k - 1)) else {
            // All of one kind: half around on both sides, where nothing is farther away.
            let width = width as isize;
            let columns = if wraps { -width / 2..width + width / 2 + 1 } else { 0..width };
            self.lower_within(columns, 0..width, out);
            return;
        };
        // A map that wraps is turned so that it begins with the first of a kind.
        let turn = if wraps { edge } else { 0 };
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.clear();
        kinds.extend(land[turn..].iter().chain(&land[..turn]).map(|&land| land > 0));
        self.rises.rotate_left(turn);
        out.rotate_left(turn);
        let mut start = 0;
        while start < width {
            let same = kinds[start..].iter().take_while(|&&kind| kind == kinds[start]).count();
            let end = start + same;
            let ends = [wraps || start > 0, wraps || end < width];
            self.lower_stretch(start..end, ends, turn, &mut out[start..end]);
            start = end;
        }
        out.rotate_right(turn);
        self.kinds = kinds;
    }

    /// The same for cells of one kind side by side, with one of the other kind at their ends or without. The first column has the
    /// number `turn`.
    fn lower_stretch(
        &mut self,
        cells: Range<usize>,
        [has_before, has_after]: [bool; 2],
        turn: usize,
        out: &mut [f32],
    ) {
        // Of the other kind: no rise.
        let beyond = |is_there: bool| if is_there { 0.0 } else { f64::INFINITY };
        let first = (cells.start + turn) as f64;
        self.parabolas.clear();
        if has_before {
            push(&mut self.parabolas, first - 1.0, 0.0);
        }
        let rises = &self.rises[cells];
        let mut before = beyond(has_before);
        for (k, &rise) in rises.iter().enumerate() {
            let next = rises.get(k + 1).copied().unwrap_or(beyond(has_after));
            // A parabola that rises above both of its neighbours' is nowhere the least.
            if rise < f64::INFINITY && before + next + 2.0 > 2.0 * rise {
                push(&mut self.parabolas, first + k as f64, rise);
            }
            before = rise;
        }
        if has_after {
            push(&mut self.parabolas, first + rises.len() as f64, 0.0);
        }
        let Some((mut least, mut others)) = self.parabolas.split_first() else {
            out.fill(f32::INFINITY);
            return;
        };
        for (k, out) in out.iter_mut().enumerate() {
            let column = first + k as f64;
            while let Some((next, after)) = others.split_first()
                && next.from <= column
            {
                (least, others) = (next, after);
            }
            let across = column - least.column;
            *out = (across * across + least.rise) as f32;
        }
    }

    /// Writes the least of the parabolas of some columns.
    fn lower_within(&mut self, columns: Range<isize>, written: Range<isize>, out: &mut [f32]) {
        self.parabolas.clear();
        for k in columns {
            let rise = self.rises[within(k, out.len() as isize)];
            if rise < f64::INFINITY {
                self.push(k as f64, rise);
            }
        }
        self.write(written, out);
    }

    fn push(&mut self, column: f64, rise: f64) {
        push(&mut self.parabolas, column, rise);
    }

    fn write(&self, columns: Range<isize>, out: &mut [f32]) {
        let width = out.len() as isize;
        let mut parabolas = self.parabolas.iter().peekable();
        let Some(mut least) = parabolas.next() else {
            columns.for_each(|i| out[within(i, width)] = f32::INFINITY);
            return;
        };
        for i in columns {
            while let Some(next) = parabolas.next_if(|next| next.from <= i as f64) {
                least = next;
            }
            let across = i as f64 - least.column;
            out[within(i, width)] = (across * across + least.rise) as f32;
        }
    }
}

/// Adds the next parabola to a stack of those that are the least somewhere.
fn push(parabolas: &mut Vec<Parabola>, column: f64, rise: f64) {
    let mut from = f64::NEG_INFINITY;
    while let Some(last) = parabolas.last() {
        // Most are side by side: what is divided by 1 is the same without, and there at once.
        let (up, apart) = (rise - last.rise, column - last.column);
        let slope = if apart == 1.0 { up } else { up / apart };
        from = 0.5 * (slope + column + last.column);
        if from > last.from {
            break;
        }
        parabolas.pop();
    }
    parabolas.push(Parabola { column, rise, from });
}

/// A column, less than once around the map beyond its edges.
fn within(k: isize, width: isize) -> usize {
    (if k < 0 {
        k + width
    } else if k >= width {
        k - width
    } else {
        k
    }) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn distances_are_those_of_brute_force() {
        let seed = Seed::new(11);
        for (case, &(size, sources)) in
            [([37, 23], 9), ([1, 8], 1), ([24, 5], 60), ([9, 9], 1), ([16, 16], 0)]
                .iter()
                .enumerate()
        {
            for wrap in [[true, true], [true, false], [false, false], [false, true]] {
                let cells = Cells { size, cell: [3.0, 2.0], wrap };
                let count = size[0] * size[1];
                let set: Vec<usize> = (0..sources)
                    .map(|k| seed.below(100 * case as u64 + k, count as u64) as usize)
                    .collect();
                let found =
                    distances(&cells, |cell| set.contains(&cell), f64::MAX, &Ctx::new(&(), ""))
                        .unwrap();
                let along = |axis: usize, a: usize, b: usize| {
                    let d = a.abs_diff(b);
                    let d = if wrap[axis] { d.min(size[axis] - d) } else { d };
                    d as f64 * cells.cell[axis]
                };
                for (cell, &d) in found.iter().enumerate() {
                    let to = |&source: &usize| {
                        let x = along(0, cell % size[0], source % size[0]);
                        let z = along(1, cell / size[0], source / size[0]);
                        (x * x + z * z).sqrt()
                    };
                    let exact = set.iter().map(to).fold(f64::INFINITY, f64::min);
                    let is_same =
                        f64::from(d) == exact || (f64::from(d) - exact).abs() < 1e-5 * exact;
                    assert!(is_same, "{size:?} {wrap:?} {cell}: {d} {exact}");
                }
            }
        }
    }

    #[test]
    fn distances_across_are_those_to_each_kind() {
        let seed = Seed::new(12);
        for (case, size) in [[37, 23], [1, 8], [8, 1], [24, 5], [16, 16]].into_iter().enumerate() {
            for wrap in [[true, true], [true, false], [false, false], [false, true]] {
                let cells = Cells { size, cell: [3.0, 2.0], wrap };
                let count = (size[0] * size[1]) as u64;
                let land: Vec<u8> = (0..count)
                    .map(|k| u8::from(seed.below(500 * case as u64 + k / 5, 7) < case as u64))
                    .collect();
                let ctx = Ctx::new(&(), "");
                let found =
                    distances_across(&cells, &land, [f64::MAX; 2], vec![5.0], &ctx).unwrap();
                let to_sea = distances(&cells, |c| land[c] == 0, f64::MAX, &ctx).unwrap();
                let to_land = distances(&cells, |c| land[c] > 0, f64::MAX, &ctx).unwrap();
                for cell in 0..land.len() {
                    let expected = if land[cell] > 0 { to_sea[cell] } else { to_land[cell] };
                    assert_eq!(found[cell], expected, "{size:?} {wrap:?} {cell}");
                }
            }
        }
    }
}
