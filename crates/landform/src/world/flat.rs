//! A flat map in cells that may wrap along x, along z, both or neither.

use std::ops::Range;

use fearless_simd::{Simd, f32x8, prelude::*};

use super::euclidean::{self, Cells};
use super::noise::floor;
use super::surface::{
    AROUND, Around, CellInterpolation, DistanceTransform, Geometry, Kinematics, MapCoordinates,
    NONE, Point, Shape, Stencil, TOGETHER, Tent, Tessellation, Turn, inner_neighbours, spline,
};
use crate::math::rounding;
use crate::math::vector::{dot, unit};
use crate::{Cancelled, Ctx, Lattice, math};

/// Cells along the side of a block.
const BLOCK: usize = 16;

/// The cells between the grid lines of a map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flat {
    size: [usize; 2],
    /// Width and depth of a cell in metres.
    cell: [f64; 2],
    /// Cells a metre.
    per_metre: [f64; 2],
    wrap: [bool; 2],
    /// 2ᵏ / width rounded up, and k: see [`Flat::split`].
    per_width: (u64, u32),
}

/// Columns of cells around those of a map.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The first and the last of the own ones.
    ends: [usize; 2],
    /// For each column of the map, that in which it lies, and the weights of the one before, of the own and of the next.
    own: Vec<(u32, [f32; 3])>,
}

/// Columns or rows in which places lie.
struct Lines {
    own: [i32; TOGETHER],
    /// Of the one before, of the own and of the next.
    weights: [[f32; TOGETHER]; 3],
}

impl Flat {
    pub(crate) fn new(lattice: &Lattice, wrap: [bool; 2]) -> Self {
        let size = lattice.size.map(|count| (count as usize - 1).max(1));
        let ground = lattice.ground();
        let cell = [0, 1].map(|axis| {
            if ground[axis] > 0.0 {
                ground[axis] / size[axis] as f64
            } else {
                lattice.spacing[axis]
            }
        });
        Self::of_cells(size, cell, wrap)
    }

    pub(super) fn of_cells(size: [usize; 2], cell: [f64; 2], wrap: [bool; 2]) -> Self {
        let shift = 63 - size[1].next_power_of_two().trailing_zeros();
        let per_width = ((1_u64 << shift).div_ceil(size[0] as u64), shift);
        Self { size, cell, per_metre: cell.map(|metres| 1.0 / metres), wrap, per_width }
    }

    fn length(&self, axis: usize) -> f64 {
        self.size[axis] as f64 * self.cell[axis]
    }

    /// The column and the row of a cell.
    #[inline]
    fn split(&self, cell: usize) -> (usize, usize) {
        // A multiplication takes a third of the time of a division, and is as exact for less than 2³¹ cells: the
        // product is too large by less than cells · width, which is less than 2ᵏ.
        let (factor, shift) = self.per_width;
        let row = ((cell as u64 * factor) >> shift) as usize;
        (cell - row * self.size[0], row)
    }

    /// The column or row k, around the map where it wraps.
    #[inline]
    fn index(&self, axis: usize, k: isize) -> Option<usize> {
        let count = self.size[axis] as isize;
        if (0..count).contains(&k) {
            Some(k as usize)
        } else if self.wrap[axis] {
            Some(k.rem_euclid(count) as usize)
        } else {
            None
        }
    }

    /// The cell in a column and a row that may lie beyond the edges.
    #[inline]
    fn cell_at(&self, i: isize, j: isize) -> u32 {
        let place = |axis: usize, k: isize| {
            // The last grid line belongs to the last cell.
            let is_last = k == self.size[axis] as isize && !self.wrap[axis];
            self.index(axis, k - isize::from(is_last))
        };
        match (place(0, i), place(1, j)) {
            (Some(i), Some(j)) => (j * self.size[0] + i) as u32,
            _ => NONE,
        }
    }

    /// The blocks that a block touches when it is moved by whole cells; [`NONE`] for beyond an edge.
    fn blocks_at(&self, block: usize, by: [isize; 2], out: &mut Vec<u32>) {
        let shape = self.shape();
        let (first, columns, rows) = shape.block_at(block);
        let (i, j) = self.split(first);
        let across = shape.block_counts()[0];
        let (left, top) = (i.wrapping_add_signed(by[0]), j.wrapping_add_signed(by[1]));
        if left < self.size[0]
            && top < self.size[1]
            && left + columns <= self.size[0]
            && top + rows <= self.size[1]
        {
            for row in top / BLOCK..=(top + rows - 1) / BLOCK {
                let touched = left / BLOCK..=(left + columns - 1) / BLOCK;
                out.extend(touched.map(|column| (row * across + column) as u32));
            }
            return;
        }
        for (row, _) in self.blocks_along((1, BLOCK), j as isize + by[1], rows) {
            for (column, _) in self.blocks_along((0, BLOCK), i as isize + by[0], columns) {
                let touched = row.zip(column).map(|(row, column)| (row * across + column) as u32);
                out.push(touched.unwrap_or(NONE));
            }
        }
    }

    /// The columns or rows of blocks of this side in which these columns or rows of cells lie, nothing for one beyond an edge; and
    /// which of the cells lie there.
    fn blocks_along(
        &self,
        (axis, side): (usize, usize),
        start: isize,
        count: usize,
    ) -> impl Iterator<Item = (Option<usize>, Range<isize>)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            if done >= count {
                return None;
            }
            let at = start + done as isize;
            let Some(k) = self.index(axis, at) else {
                done += 1;
                return Some((None, at..at + 1));
            };
            let block = k / side;
            let length = ((block + 1) * side).min(self.size[axis]) - k;
            done += length;
            Some((Some(block), at..at + length as isize))
        })
    }

    /// Calls `f` for each stretch of `count` cells of a row that comes from cells side by side, with its place among
    /// them and with these: up to the edge of the map, and on from the other one where it wraps.
    #[inline]
    fn stretches(
        &self,
        [columns, rows]: &[isize; 2],
        first: usize,
        count: usize,
        mut f: impl FnMut(Range<usize>, Range<usize>),
    ) {
        let (i, j) = self.split(first);
        let Some(row) = self.index(1, j as isize + rows) else { return };
        let (width, left) = (self.size[0], i as isize + columns);
        let mut done = if self.wrap[0] { 0 } else { (-left).max(0) as usize };
        while done < count {
            let Some(from) = self.index(0, left + done as isize) else { break };
            let length = (width - from).min(count - done);
            let source = row * width + from;
            f(done..done + length, source..source + length);
            done += length;
        }
    }

    /// The three columns or rows around a place, and their weights.
    #[inline(always)]
    pub(super) fn around(&self, axis: usize, at: f64) -> ([usize; 3], [f32; 3]) {
        let at = at * self.per_metre[axis];
        let last = self.size[axis] as isize - 1;
        let k = floor(at) as isize;
        let k = if self.wrap[axis] { k } else { k.clamp(0, last) };
        let weights = spline((at - k as f64 - 0.5).clamp(-0.5, 0.5));
        if k > 0 && k < last {
            let k = k as usize;
            return ([k - 1, k, k + 1], weights);
        }
        ([k - 1, k, k + 1].map(|k| self.near(axis, k)), weights)
    }

    /// The column or row k, around the map where it wraps, or else the last before the edge.
    #[inline]
    fn near(&self, axis: usize, k: isize) -> usize {
        let last = self.size[axis] as isize - 1;
        self.index(axis, k).unwrap_or_else(|| k.clamp(0, last) as usize)
    }

    /// The columns or rows in which places lie, and the [weights](spline) of the one before, of the own and of the next: those
    /// of [`Flat::around`], made side by side.
    #[inline(always)]
    fn lines(&self, axis: usize, at: &[f64; TOGETHER]) -> Lines {
        let last = (self.size[axis] - 1) as f64;
        let (low, high) = if self.wrap[axis] { (f64::MIN, f64::MAX) } else { (0.0, last) };
        let mut lines = Lines { own: [0; TOGETHER], weights: [[0.0; TOGETHER]; 3] };
        for lane in 0..TOGETHER {
            let at = at[lane] * self.per_metre[axis];
            let line = rounding::floor(at);
            let line = if line < low { low } else { line };
            let line = if line > high { high } else { line };
            lines.own[lane] = rounding::integer(line) as i32;
            let f = at - line - 0.5;
            let f = if f < -0.5 { -0.5 } else { f };
            let [before, own, next] = spline(if f > 0.5 { 0.5 } else { f });
            lines.weights[0][lane] = before;
            lines.weights[1][lane] = own;
            lines.weights[2][lane] = next;
        }
        lines
    }

    /// A column and a row that may lie beyond the edges, brought onto the map, and the numbers of the cells around there, two of each:
    /// those of three rows, of which the last two are not used.
    #[cold]
    fn at_edge(&self, [i, j]: [i32; 2], values: &[f32]) -> ([i32; 2], [[f32; 8]; 3]) {
        let columns = [i - 1, i, i + 1].map(|i| self.near(0, i as isize));
        let rows = [j - 1, j, j + 1].map(|j| self.near(1, j as isize));
        let mut around = [[0.0; 8]; 3];
        for (around, row) in around.iter_mut().zip(rows) {
            for (n, value) in around[..6].iter_mut().enumerate() {
                *value = values[2 * (row * self.size[0] + columns[n / 2]) + n % 2];
            }
        }
        ([columns[1] as i32, rows[1] as i32], around)
    }

    /// The shortest way from a to b, around the map where it wraps.
    #[inline]
    fn way(&self, a: Point, b: Point) -> [f64; 2] {
        [(0, 0), (1, 2)].map(|(axis, k)| {
            let d = b[k] - a[k];
            if !self.wrap[axis] {
                return d;
            }
            let length = self.length(axis);
            let d = if d.abs() > length { d - length * (d / length).floor() } else { d };
            if d > 0.5 * length {
                d - length
            } else if d < -0.5 * length {
                d + length
            } else {
                d
            }
        })
    }
}

/// The weighted sum of three.
#[inline]
pub(super) fn blended<const N: usize>(values: [&[f32; N]; 3], weights: &[f32; 3]) -> [f32; N] {
    let mut sum = [0.0; N];
    for (k, sum) in sum.iter_mut().enumerate() {
        *sum = weights[0] * values[0][k] + weights[1] * values[1][k] + weights[2] * values[2][k];
    }
    sum
}

/// The weighted sums of the first eight numbers of three rows: as many as a register holds.
#[inline(always)]
fn blend_rows<V: Simd>(simd: V, [a, b, c]: [f32; 3], rows: [&[f32]; 3]) -> [f32; 8] {
    let one = f32x8::from_slice(simd, &rows[0][..8]) * f32x8::splat(simd, a);
    let other = f32x8::from_slice(simd, &rows[1][..8]) * f32x8::splat(simd, b);
    let third = f32x8::from_slice(simd, &rows[2][..8]) * f32x8::splat(simd, c);
    (one + other + third).into()
}

impl Geometry for Flat {
    #[inline]
    fn chord_squared(&self, a: Point, b: Point) -> f64 {
        let [x, z] = self.way(a, b);
        x * x + z * z
    }

    #[inline]
    fn distance(&self, a: Point, b: Point) -> f64 {
        let [x, z] = self.way(a, b);
        math::length(x, z)
    }

    #[inline]
    fn settled(&self, p: Point) -> Point {
        let back = |axis: usize, at: f64| {
            let length = self.length(axis);
            let is_in = !self.wrap[axis] || (0.0..length).contains(&at);
            if is_in { at } else { at - length * (at / length).floor() }
        };
        [back(0, p[0]), 0.0, back(1, p[2])]
    }

    #[inline]
    fn holds(&self, p: Point) -> bool {
        self.wrap == [true, true] || self.locate(p) != NONE
    }

    fn towards(&self, p: Point, q: Point) -> [f64; 3] {
        let [x, z] = self.way(p, q);
        unit([x, 0.0, z])
    }

    #[inline]
    fn ahead(&self, p: Point, direction: [f64; 3], metres: f64) -> Point {
        self.settled([p[0] + direction[0] * metres, 0.0, p[2] + direction[2] * metres])
    }

    fn random_point(&self, u: f64, v: f64) -> Point {
        self.on_map([u, v])
    }

    fn velocity_scale(&self) -> f64 {
        1.0
    }

    /// Eight points side by side: those of a part of a row mostly have the same tents.
    #[inline(always)]
    fn raise<V: Simd>(&self, _simd: V, tents: &[Tent], points: &[Point], sums: &mut [f64]) {
        const LANES: usize = 8;
        let lengths = [self.length(0), self.length(1)];
        // Half the way around the map; never where it does not wrap.
        let mut half = [f64::INFINITY; 2];
        for axis in 0..2 {
            if self.wrap[axis] {
                half[axis] = 0.5 * lengths[axis];
            }
        }
        for (points, sums) in points.chunks(LANES).zip(sums.chunks_mut(LANES)) {
            let mut at = [[0.0; LANES]; 2];
            for (lane, p) in points.iter().enumerate() {
                (at[0][lane], at[1][lane]) = (p[0], p[2]);
            }
            let mut sum = [0.0; LANES];
            for tent in tents {
                let mut squared = [0.0; LANES];
                let mut is_near = false;
                for lane in 0..LANES {
                    let (x, z) = (tent.at[0] - at[0][lane], tent.at[2] - at[1][lane]);
                    let x = x - if x > half[0] { lengths[0] } else { 0.0 };
                    let x = x + if x < -half[0] { lengths[0] } else { 0.0 };
                    let z = z - if z > half[1] { lengths[1] } else { 0.0 };
                    let z = z + if z < -half[1] { lengths[1] } else { 0.0 };
                    squared[lane] = x * x + z * z;
                    is_near |= squared[lane] < tent.radius * tent.radius;
                }
                if is_near {
                    // Step by step for all lanes: else they are made one by one.
                    let mut shares = [0.0; LANES];
                    for lane in 0..LANES {
                        shares[lane] = 1.0 - squared[lane].sqrt() / tent.radius;
                    }
                    for lane in 0..LANES {
                        let share = if shares[lane] > 0.0 { shares[lane] } else { 0.0 };
                        sum[lane] += tent.height * share;
                    }
                }
            }
            sums.iter_mut().zip(sum).for_each(|(out, sum)| *out += sum);
        }
    }
}

impl Tessellation for Flat {
    fn shape(&self) -> Shape {
        Shape { faces: 1, width: self.size[0], height: self.size[1], block: BLOCK }
    }

    fn of(&self, lattice: &Lattice) -> Self {
        Self::new(lattice, self.wrap)
    }

    fn coarser(&self) -> Self {
        let size = self.size.map(|count| count.div_ceil(2));
        let cell = [0, 1].map(|axis| self.length(axis) / size[axis] as f64);
        Self::of_cells(size, cell, self.wrap)
    }

    fn cell_size(&self) -> f64 {
        (self.cell[0] * self.cell[1]).sqrt()
    }

    #[inline]
    fn point(&self, cell: usize) -> Point {
        let (i, j) = self.split(cell);
        [(i as f64 + 0.5) * self.cell[0], 0.0, (j as f64 + 0.5) * self.cell[1]]
    }

    #[inline]
    fn locate(&self, p: Point) -> u32 {
        let place = |axis: usize, at: f64| floor(at * self.per_metre[axis]) as isize;
        self.cell_at(place(0, p[0]), place(1, p[2]))
    }

    #[inline]
    fn locate_ahead<const N: usize>(
        &self,
        p: Point,
        ways: &[[f64; 3]; N],
        metres: f64,
    ) -> [u32; N] {
        let mut cells = [NONE; N];
        for (cell, way) in cells.iter_mut().zip(ways) {
            let (x, z) = (p[0] + way[0] * metres, p[2] + way[2] * metres);
            let (i, j) = (floor(x * self.per_metre[0]), floor(z * self.per_metre[1]));
            let is_in =
                (0..self.size[0] as i64).contains(&i) && (0..self.size[1] as i64).contains(&j);
            *cell = if is_in {
                (j * self.size[0] as i64 + i) as u32
            } else {
                self.locate(self.settled([x, 0.0, z]))
            };
        }
        cells
    }

    #[inline]
    fn neighbours(&self, cell: usize) -> [u32; 8] {
        let width = self.size[0];
        let (i, j) = self.split(cell);
        if i > 0 && j > 0 && i + 1 < width && j + 1 < self.size[1] {
            return inner_neighbours(cell, width);
        }
        AROUND.map(|(di, dj)| {
            match (self.index(0, i as isize + di), self.index(1, j as isize + dj)) {
                (Some(i), Some(j)) => (j * width + i) as u32,
                _ => NONE,
            }
        })
    }

    fn area(&self, _cell: usize) -> f64 {
        self.cell[0] * self.cell[1]
    }

    fn even_area(&self) -> Option<f64> {
        Some(self.cell[0] * self.cell[1])
    }

    fn blocks_within(&self, shape: &Shape, p: Point, metres: f64, out: &mut Vec<u32>) -> bool {
        let across = shape.block_counts()[0];
        // The cells within that way along each axis: at the most once around the map.
        let span = |axis: usize, at: f64| {
            let reach = metres * self.per_metre[axis];
            let start = floor(at * self.per_metre[axis] - reach) as isize;
            let end = floor(at * self.per_metre[axis] + reach) as isize + 1;
            (start, (end - start).min(self.size[axis] as isize) as usize)
        };
        // Metres from the point to the nearest of some columns or rows.
        let gap = |axis: usize, cells: &Range<isize>, at: f64| {
            let [low, high] = [cells.start, cells.end].map(|k| k as f64 * self.cell[axis]);
            (low - at).max(at - high).max(0.0)
        };
        let ((left, columns), (top, rows)) = (span(0, p[0]), span(1, p[2]));
        // So wide that it meets itself around the map: all of it.
        let is_around = columns == self.size[0] || rows == self.size[1];
        for (row, its_rows) in self.blocks_along((1, shape.block), top, rows) {
            for (column, its_columns) in self.blocks_along((0, shape.block), left, columns) {
                let (x, z) = (gap(0, &its_columns, p[0]), gap(1, &its_rows, p[2]));
                if let (Some(row), Some(column)) = (row, column)
                    && (is_around || x * x + z * z < 1.01 * metres * metres)
                {
                    let block = (row * across + column) as u32;
                    if !is_around || !out.contains(&block) {
                        out.push(block);
                    }
                }
            }
        }
        true
    }
}

impl DistanceTransform for Flat {
    fn distances(
        &self,
        is_source: impl Fn(usize) -> bool,
        limit: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        let cells = Cells { size: self.size, cell: self.cell, wrap: self.wrap };
        euclidean::distances(&cells, is_source, limit, ctx)
    }

    fn distances_across(
        &self,
        land: &[u8],
        limits: [f64; 2],
        buffer: Vec<f32>,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        let cells = Cells { size: self.size, cell: self.cell, wrap: self.wrap };
        euclidean::distances_across(&cells, land, limits, buffer, ctx)
    }
}

impl Kinematics for Flat {
    /// Columns and rows.
    type Way = [isize; 2];

    fn is_round(&self) -> bool {
        false
    }

    fn turn(&self, velocity: [f64; 3]) -> Turn {
        Turn { shift: velocity, ..Turn::NONE }
    }

    fn way_back(&self, turn: &Turn) -> [isize; 2] {
        // All cells are as wide, so the middles of all fall into cells as far away.
        [(0, 0), (1, 2)].map(|(axis, k)| floor(0.5 - turn.shift[k] / self.cell[axis]) as isize)
    }

    fn whole_cells(&self, turn: &Turn) -> (Turn, Turn) {
        let [x, _, z] = turn.shift;
        let whole = [
            (x / self.cell[0]).round() * self.cell[0],
            0.0,
            (z / self.cell[1]).round() * self.cell[1],
        ];
        let rest = [x - whole[0], 0.0, z - whole[2]];
        (Turn { shift: whole, ..Turn::NONE }, Turn { shift: rest, ..Turn::NONE })
    }

    fn longest_move(&self) -> f64 {
        // As much of the map at every size.
        (self.size[0] as f64 / 64.0).max(8.0) * self.cell_size()
    }

    fn drift(&self, velocity: [f64; 3], _p: Point) -> [f64; 3] {
        velocity
    }

    fn random_velocity(&self, metres: f64, _p: Point, u: f64, _v: f64) -> [f64; 3] {
        let angle = std::f64::consts::TAU * u;
        [metres * math::cos(angle), 0.0, metres * math::sin(angle)]
    }

    fn source(&self, way: &[isize; 2], first: usize, [columns, rows]: [usize; 2]) -> Option<usize> {
        let (i, j) = self.split(first);
        let left = self.index(0, i as isize + way[0])?;
        let top = self.index(1, j as isize + way[1])?;
        let is_one = left + columns <= self.size[0] && top + rows <= self.size[1];
        is_one.then_some(top * self.size[0] + left)
    }

    fn gather(&self, way: &[isize; 2], first: usize, from: &[u16], out: &mut [u16]) {
        self.stretches(way, first, out.len(), |to, source| {
            let (out, from) = (&mut out[to], &from[source]);
            // A row of a block is as long as a register or two: no call for that.
            match (out.as_mut_array::<BLOCK>(), from.as_array::<BLOCK>()) {
                (Some(out), Some(from)) => *out = *from,
                _ => out.copy_from_slice(from),
            }
        });
    }

    fn carry(
        &self,
        way: &[isize; 2],
        first: usize,
        (lands, births): (&[u8], &[f32]),
        (land, birth): (&mut [u8], &mut [f32]),
    ) {
        self.stretches(way, first, land.len(), |to, source| {
            land[to.clone()].copy_from_slice(&lands[source.clone()]);
            birth[to].copy_from_slice(&births[source]);
        });
    }

    fn block_targets(&self, way: &[isize; 2], (block, _): (usize, &[u32]), out: &mut Vec<u32>) {
        self.blocks_at(block, way.map(|cells| -cells), out);
        out.retain(|&target| target != NONE);
    }

    fn block_sources(&self, way: &[isize; 2], (block, _): (usize, &[u32]), out: &mut Vec<u32>) {
        self.blocks_at(block, *way, out);
    }
}

impl CellInterpolation for Flat {
    type Across = Columns;

    /// Nothing moves up or down.
    type Move = [f32; 2];

    const AXES: &'static [usize] = &[0, 2];

    #[inline(always)]
    fn stencil(&self, p: Point) -> Stencil {
        let ((columns, across), (rows, down)) = (self.around(0, p[0]), self.around(1, p[2]));
        let mut stencil = Stencil { cells: [0; 9], weights: [0.0; 9] };
        for k in 0..9 {
            stencil.cells[k] = (rows[k / 3] * self.size[0] + columns[k % 3]) as u32;
            stencil.weights[k] = across[k % 3] * down[k / 3];
        }
        stencil
    }

    fn across(&self, row: &[Point]) -> Columns {
        let own = |p: &Point| {
            let ([_, own, _], weights) = self.around(0, p[0]);
            (own as u32, weights)
        };
        let own: Vec<(u32, [f32; 3])> = row.iter().map(own).collect();
        let columns = own.iter().map(|&(column, _)| column as usize);
        let ends = [columns.clone().min(), columns.max()].map(Option::unwrap_or_default);
        Columns { ends, own }
    }

    fn row_means(
        &self,
        Columns { ends: [first, last], own }: &Columns,
        points: &[Point],
        moves: &[[f32; 2]],
    ) -> Vec<[f32; 2]> {
        let Some(&[_, _, z]) = points.first() else { return Vec::new() };
        let (rows, down) = self.around(1, z);
        // Down the three rows once for all points, from the column before the first to the one after the last, then across.
        let rows = rows.map(|row| &moves[row * self.size[0]..][..self.size[0]]);
        let blend = |k: usize| blended([&rows[0][k], &rows[1][k], &rows[2][k]], &down);
        let mut line = Vec::with_capacity(last - first + 3);
        line.push(blend(self.near(0, *first as isize - 1)));
        line.extend((*first..=*last).map(blend));
        line.push(blend(self.near(0, *last as isize + 1)));
        let mean = |(column, weights): &(u32, [f32; 3])| {
            let around = line[*column as usize - first..].first_chunk();
            let [before, own, next] = around.expect("two more than columns");
            blended([before, own, next], weights)
        };
        own.iter().map(mean).collect()
    }

    #[inline(always)]
    fn moved(&self, p: Point, [x, z]: [f32; 2]) -> Point {
        [p[0] + f64::from(x), 0.0, p[2] + f64::from(z)]
    }

    #[inline(always)]
    fn look_around<V: Simd>(
        &self,
        simd: V,
        points: &[Point],
        (values, shape): (&[[f32; 2]], &Shape),
        out: &mut Around,
    ) {
        let [width, height] = self.size;
        let mut at = [[0.0; TOGETHER]; 2];
        for (k, p) in points.iter().enumerate() {
            (at[0][k], at[1][k]) = (p[0], p[2]);
        }
        let Lines { own: columns, weights: across } = &self.lines(0, &at[0]);
        let Lines { own: rows, weights: down } = &self.lines(1, &at[1]);
        let shift = shape.block.next_power_of_two().trailing_zeros();
        let blocks_across = shape.block_counts()[0] as u32;
        let values = values.as_flattened();
        let is_within = |k: i32, count: usize| k > 0 && k + 2 < count as i32;
        // Two numbers of each of four cells, of which the last is not used: down the columns, then across.
        for k in 0..points.len() {
            let (mut i, mut j) = (columns[k], rows[k]);
            // No closures here: those would be called, and be compiled for the least machine.
            let down = [down[0][k], down[1][k], down[2][k]];
            let line = if is_within(i, width) && is_within(j, height) {
                let first = 2 * ((j as usize - 1) * width + i as usize - 1);
                let (second, third) = (first + 2 * width, first + 4 * width);
                blend_rows(simd, down, [&values[first..], &values[second..], &values[third..]])
            } else {
                let rows;
                ([i, j], rows) = self.at_edge([i, j], values);
                blend_rows(simd, down, [&rows[0], &rows[1], &rows[2]])
            };
            for n in 0..2 {
                out.means[n][k] = across[0][k] * line[n]
                    + across[1][k] * line[2 + n]
                    + across[2][k] * line[4 + n];
            }
            let (i, j) = (i as u32, j as u32);
            out.cells[k] = j * width as u32 + i;
            out.blocks[k] = (j >> shift) * blocks_across + (i >> shift);
        }
    }
}

impl MapCoordinates for Flat {
    fn column(&self, share: f64) -> [f64; 2] {
        [share * self.length(0), 0.0]
    }

    fn row(&self, share: f64) -> [f64; 2] {
        [share * self.length(1), 0.0]
    }

    #[inline]
    fn crossing(&self, [x, _]: [f64; 2], [z, _]: [f64; 2]) -> Point {
        [x, 0.0, z]
    }

    fn to_map(&self, p: Point) -> [f64; 2] {
        let p = self.settled(p);
        debug_assert!(dot(p, p).is_finite());
        [p[0] / self.length(0), p[2] / self.length(1)]
    }
}
