//! Rays against a height field.
//!
//! Each cell is two triangles, split from its north-west to its south-east corner. A pyramid holds the
//! highest sample of 1, 2, 4 … cells a side; a ray that passes over a block skips it whole (Tevs, Ihrke
//! & Seidel 2008), so it costs about the logarithm of the grid's size.

use landform::math::vector::Vec3;
use landform::{Grid, par};

/// A surface of triangles over a rectangle whose north-west corner is the origin.
#[derive(Debug)]
pub(crate) struct Field {
    /// Heights in metres, exaggerated; at least 2 × 2.
    pub(crate) heights: Grid,
    /// Width and depth of a cell in metres.
    pub(crate) cell: [f64; 2],
    /// The highest corner of blocks of 1, 2, 4 … cells.
    pyramid: Vec<Grid>,
    /// The same, of each block and the eight around it.
    wide: Vec<Grid>,
}

/// How far a bundle of rays is known to be free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Free {
    /// No ray of the bundle meets anything before this distance.
    pub(crate) t: f64,
    /// The level of the pyramid to go on from.
    level: usize,
}

impl Free {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { t: 0.0, level: usize::MAX };
}

/// Where a ray meets the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Distance along the ray, in lengths of its direction.
    pub(crate) t: f64,
    /// Column and row of the cell.
    pub(crate) cell: [usize; 2],
    /// Place in the cell, 0 to 1 east and south.
    pub(crate) place: [f64; 2],
    /// Whether the ray came in below the surface, through a side of the block.
    pub(crate) is_side: bool,
}

impl Field {
    pub(crate) fn new(heights: Grid, cell: [f64; 2]) -> Self {
        let (width, height) = (heights.width() - 1, heights.height() - 1);
        let mut cells = Grid::filled(width, height, 0.0_f32);
        par::for_each_row(cells.samples_mut(), width, |j, row| {
            let (a, b) = (heights.row(j), heights.row(j + 1));
            for (i, out) in row.iter_mut().enumerate() {
                *out = a[i].max(a[i + 1]).max(b[i].max(b[i + 1]));
            }
        });
        let mut pyramid = vec![cells];
        loop {
            let last = &pyramid[pyramid.len() - 1];
            let (w, h) = (last.width(), last.height());
            if w == 1 && h == 1 {
                break;
            }
            let next = Grid::from_fn(w.div_ceil(2), h.div_ceil(2), |i, j| {
                let (i, j) = (2 * i, 2 * j);
                let (k, l) = ((i + 1).min(w - 1), (j + 1).min(h - 1));
                last[(i, j)].max(last[(k, j)]).max(last[(i, l)].max(last[(k, l)]))
            });
            pyramid.push(next);
        }
        let wide = pyramid.iter().map(highest_around).collect();
        Self { heights, cell, pyramid, wide }
    }

    /// Width and depth in metres.
    pub(crate) fn ground(&self) -> [f64; 2] {
        [
            (self.heights.width() - 1) as f64 * self.cell[0],
            (self.heights.height() - 1) as f64 * self.cell[1],
        ]
    }

    /// The highest sample of about `side` × `side` blocks, each with the corners of its block in metres.
    pub(crate) fn blocks(&self, side: usize) -> Vec<([f64; 2], [f64; 2], f64)> {
        let level = (0..self.pyramid.len())
            .find(|&k| self.pyramid[k].width().max(self.pyramid[k].height()) <= side)
            .unwrap_or(self.pyramid.len() - 1);
        let tops = &self.pyramid[level];
        let ground = self.ground();
        let size = (1_u64 << level) as f64;
        (0..tops.samples().len())
            .map(|k| {
                let (i, j) = ((k % tops.width()) as f64, (k / tops.width()) as f64);
                let corner = |i: f64, j: f64| {
                    [
                        (i * size * self.cell[0]).min(ground[0]),
                        (j * size * self.cell[1]).min(ground[1]),
                    ]
                };
                (corner(i, j), corner(i + 1.0, j + 1.0), f64::from(tops.samples()[k]))
            })
            .collect()
    }

    /// The first place where the ray meets the surface from above, or a side of the block below it.
    /// `free` is what is known of the bundle that the ray belongs to.
    pub(crate) fn cast(&self, origin: Vec3, direction: Vec3, free: Free) -> Option<Hit> {
        let ray = Ray::new(self, origin, direction)?;
        let end = ray.end;
        let mut t = ray.start.max(free.t);
        // A ray that starts inside the rectangle cannot come in through a side.
        let enters = ray.enters && t == ray.start;
        let mut level = (self.pyramid.len() - 1).min(free.level);
        let mut cell = ray.cell(t);
        // Every step leaves a block or goes down a level; the bound only guards against rounding.
        for _ in 0..16 * (self.heights.width() + self.heights.height()) + 64 {
            if t >= end {
                return None;
            }
            let exit = ray.exit(cell, level).min(end);
            let low = ray.y + ray.dy * if ray.dy < 0.0 { exit } else { t };
            let blocks = &self.pyramid[level];
            if low <= f64::from(blocks.row(cell[1] >> level)[cell[0] >> level]) {
                if level > 0 {
                    level -= 1;
                    continue;
                }
                if let Some((t, place)) = self.cast_in_cell(&ray, cell, [t, exit]) {
                    return Some(Hit {
                        t,
                        cell,
                        place,
                        is_side: enters && t <= ray.start + 2.0 * ray.nudge,
                    });
                }
            }
            t = exit.max(t) + ray.nudge;
            let next = ray.cell(t);
            // Leaving the parent block as well: look from further away again.
            let crossed = (cell[0] ^ next[0]) | (cell[1] ^ next[1]);
            if crossed >> (level + 1) != 0 && level + 1 < self.pyramid.len() {
                level += 1;
            }
            cell = next;
        }
        None
    }

    /// How far a bundle of rays around `direction` is free: rays from within `radius` of `origin`, in
    /// directions that differ by at most `spread` in length.
    ///
    /// A block may be skipped if the lowest ray passes over it and its neighbours, as long as the bundle
    /// is narrower than a block.
    pub(crate) fn free(&self, origin: Vec3, direction: Vec3, radius: f64, spread: f64) -> Free {
        let narrow = self.cell[0].min(self.cell[1]);
        let (x, z) = (origin[0] / self.cell[0], origin[2] / self.cell[1]);
        let (dx, dz) = (direction[0] / self.cell[0], direction[2] / self.cell[1]);
        let inverse = [1.0 / dx, 1.0 / dz];
        let speed = dx.abs() + dz.abs();
        let top = f64::from(self.pyramid[self.pyramid.len() - 1][(0, 0)]);
        // Above everything nothing is met; the lowest ray of the bundle gets there first.
        let fall = -direction[1] + spread;
        let start = (origin[1] - radius - top) / fall;
        let mut t = if fall > 0.0 && start > 0.0 { start } else { 0.0 };
        let mut level = self.pyramid.len() - 1;
        if speed < 1e-12 {
            return Free { t, level };
        }
        for _ in 0..256 {
            let column = (x + dx * t).floor() as i64;
            let row = (z + dz * t).floor() as i64;
            let plane =
                |k: i64, step: f64| (((k >> level) + i64::from(step > 0.0)) << level) as f64;
            let leave_x =
                if dx == 0.0 { f64::INFINITY } else { (plane(column, dx) - x) * inverse[0] };
            let leave_z = if dz == 0.0 { f64::INFINITY } else { (plane(row, dz) - z) * inverse[1] };
            let exit = leave_x.min(leave_z).max(t);
            let width = radius + spread * exit;
            if width > narrow * (1_u64 << level) as f64 {
                // Wider than a block: its neighbours are not all there is below.
                return Free { t, level };
            }
            let low =
                origin[1] + (direction[1] * if direction[1] < 0.0 { exit } else { t }) - width;
            let blocks = &self.wide[level];
            let at = |k: i64, count: usize| (k >> level).clamp(0, count as i64 - 1) as usize;
            if low > f64::from(blocks[(at(column, blocks.width()), at(row, blocks.height()))]) {
                let out = 4 * (self.heights.width() + self.heights.height()) as i64;
                if column < -out || row < -out || column > out || row > out {
                    return Free { t, level };
                }
                t = exit + 1e-7 / speed;
                let next = [(x + dx * t).floor() as i64, (z + dz * t).floor() as i64];
                let up = level + 1;
                if up < self.wide.len()
                    && (column >> up != next[0] >> up || row >> up != next[1] >> up)
                {
                    level = up;
                }
            } else if level > 0 {
                level -= 1;
            } else {
                return Free { t, level };
            }
        }
        Free { t, level }
    }

    /// The two triangles of a cell: over each the height above ground is linear in t.
    #[inline]
    fn cast_in_cell(
        &self,
        ray: &Ray,
        [i, j]: [usize; 2],
        [from, to]: [f64; 2],
    ) -> Option<(f64, [f64; 2])> {
        let (north, south) = (self.heights.row(j), self.heights.row(j + 1));
        let [a, b] = [f64::from(north[i]), f64::from(north[i + 1])];
        let [c, d] = [f64::from(south[i]), f64::from(south[i + 1])];
        let (u0, v0) = (ray.x - i as f64, ray.z - j as f64);
        let at = |t: f64| (u0 + ray.dx * t, v0 + ray.dz * t);
        let above = |t: f64, upper: bool| {
            let (u, v) = at(t);
            let ground =
                if upper { a + u * (b - a) + v * (d - b) } else { a + v * (c - a) + u * (d - c) };
            ray.y + ray.dy * t - ground
        };
        let turn = ray.dx - ray.dz;
        let diagonal = if turn == 0.0 { to } else { ((v0 - u0) / turn).clamp(from, to) };
        for (from, to) in [(from, diagonal), (diagonal, to)] {
            let middle = at(0.5 * (from + to));
            let upper = middle.0 >= middle.1;
            let (start, end) = (above(from, upper), above(to, upper));
            if start <= 0.0 || end <= 0.0 {
                let t =
                    if start <= 0.0 { from } else { from + (to - from) * start / (start - end) };
                let (u, v) = at(t);
                return Some((t, [u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)]));
            }
        }
        None
    }
}

/// The highest of each block and the eight around it.
fn highest_around(blocks: &Grid) -> Grid {
    let (w, h) = (blocks.width(), blocks.height());
    let three = |k: usize, count: usize| [k.saturating_sub(1), k, (k + 1).min(count - 1)];
    let mut across = Grid::filled(w, h, 0.0_f32);
    par::for_each_row(across.samples_mut(), w, |j, row| {
        let line = blocks.row(j);
        for (i, out) in row.iter_mut().enumerate() {
            *out = three(i, w).map(|k| line[k]).into_iter().fold(f32::NEG_INFINITY, f32::max);
        }
    });
    let mut around = Grid::filled(w, h, 0.0_f32);
    par::for_each_row(around.samples_mut(), w, |j, row| {
        let [a, b, c] = three(j, h).map(|k| across.row(k));
        for (i, out) in row.iter_mut().enumerate() {
            *out = a[i].max(b[i]).max(c[i]);
        }
    });
    around
}

/// A ray in columns, metres and rows, cut to the block.
struct Ray {
    x: f64,
    y: f64,
    z: f64,
    dx: f64,
    dy: f64,
    dz: f64,
    columns: usize,
    rows: usize,
    start: f64,
    end: f64,
    nudge: f64,
    enters: bool,
    /// 1 / dx and 1 / dz; a large number where that would be infinite.
    inverse: [f64; 2],
}

impl Ray {
    fn new(field: &Field, origin: Vec3, direction: Vec3) -> Option<Self> {
        let (columns, rows) = (field.heights.width() - 1, field.heights.height() - 1);
        let top = f64::from(field.pyramid[field.pyramid.len() - 1][(0, 0)]) + 1e-9;
        let (x, z) = (origin[0] / field.cell[0], origin[2] / field.cell[1]);
        let (dx, dz) = (direction[0] / field.cell[0], direction[2] / field.cell[1]);
        let (mut start, mut end) = (0.0_f64, f64::INFINITY);
        let mut enters = false;
        for (place, step, side) in [(x, dx, columns as f64), (z, dz, rows as f64)] {
            if step == 0.0 {
                if place < 0.0 || place > side {
                    return None;
                }
                continue;
            }
            let (a, b) = (-place / step, (side - place) / step);
            if a.min(b) > start {
                start = a.min(b);
                enters = true;
            }
            end = end.min(a.max(b));
        }
        let over = (top - origin[1]) / direction[1];
        if direction[1] < 0.0 && over > start {
            start = over;
            enters = false;
        } else if direction[1] > 0.0 {
            end = end.min(over);
        } else if direction[1] == 0.0 && origin[1] > top {
            return None;
        }
        let speed = dx.abs() + dz.abs();
        // Straight down stays in one cell.
        let nudge = if speed > 0.0 { 1e-7 / speed } else { 1e30 };
        let end = if end.is_finite() { end } else { start + 1e30 };
        let ray = Self {
            x,
            y: origin[1],
            z,
            dx,
            dy: direction[1],
            dz,
            columns,
            rows,
            start,
            end,
            nudge,
            enters,
            inverse: [dx, dz].map(|step| if step == 0.0 { f64::MAX } else { 1.0 / step }),
        };
        (start < end).then_some(ray)
    }

    /// Column and row of the cell that the ray is in at `t`.
    #[inline]
    fn cell(&self, t: f64) -> [usize; 2] {
        // Conversion clamps at 0 by itself.
        let (x, z) = ((self.x + self.dx * t) as u32, (self.z + self.dz * t) as u32);
        [(x as usize).min(self.columns - 1), (z as usize).min(self.rows - 1)]
    }

    /// When the ray leaves the block of 2^level cells around `cell`.
    #[inline]
    fn exit(&self, cell: [usize; 2], level: usize) -> f64 {
        let plane = |k: usize, step: f64| {
            let block = k >> level;
            ((if step >= 0.0 { block + 1 } else { block }) << level) as f64
        };
        let x = (plane(cell[0], self.dx) - self.x) * self.inverse[0];
        let z = (plane(cell[1], self.dz) - self.z) * self.inverse[1];
        x.min(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Seed;
    use landform::math::vector::{along, unit};

    fn rough() -> Field {
        let seed = Seed::new(4);
        Field::new(
            Grid::from_fn(37, 23, |i, j| (20.0 * seed.uniform_at(i as i64, j as i64)) as f32),
            [10.0, 15.0],
        )
    }

    /// Height of the triangles at a point.
    fn height_at(field: &Field, x: f64, z: f64) -> f64 {
        let (x, z) = (x / field.cell[0], z / field.cell[1]);
        let i = (x as usize).min(field.heights.width() - 2);
        let j = (z as usize).min(field.heights.height() - 2);
        let (u, v) = (x - i as f64, z - j as f64);
        let h = |i: usize, j: usize| f64::from(field.heights[(i, j)]);
        let (a, b, c, d) = (h(i, j), h(i + 1, j), h(i, j + 1), h(i + 1, j + 1));
        if u >= v { a + u * (b - a) + v * (d - b) } else { a + v * (c - a) + u * (d - c) }
    }

    #[test]
    fn a_ray_stops_on_the_surface_and_passes_over_all_before_it() {
        let field = rough();
        let seed = Seed::new(9);
        let ground = field.ground();
        let mut hits = 0;
        for k in 0..400 {
            let r = |n: u64| seed.uniform(8 * k + n);
            let origin = [r(0) * ground[0], 60.0, r(1) * ground[1]];
            let target = [r(2) * ground[0], 20.0 * r(3), r(4) * ground[1]];
            let direction =
                unit([target[0] - origin[0], target[1] - origin[1], target[2] - origin[2]]);
            let hit = field.cast(origin, direction, Free::NONE);
            let end = hit.map_or(600.0, |hit| hit.t - 1e-6);
            let mut t = 0.0;
            while t < end {
                let p = along(origin, direction, t);
                let inside = p[0] >= 0.0 && p[2] >= 0.0 && p[0] <= ground[0] && p[2] <= ground[1];
                assert!(
                    !inside || p[1] > height_at(&field, p[0], p[2]) - 1e-6,
                    "{k}: below at {t}"
                );
                t += 0.05;
            }
            if let Some(hit) = hit {
                let p = along(origin, direction, hit.t);
                assert!(
                    (p[1] - height_at(&field, p[0], p[2])).abs() < 1e-4,
                    "{k}: off the surface"
                );
                hits += 1;
            }
        }
        assert!(hits > 300);
    }

    #[test]
    fn what_a_bundle_knows_changes_no_ray() {
        let field = rough();
        let seed = Seed::new(19);
        let ground = field.ground();
        for k in 0..300 {
            let r = |n: u64| seed.uniform(16 * k + n);
            let origin = [-200.0 + 700.0 * r(0), 30.0 + 80.0 * r(1), -200.0 + 700.0 * r(2)];
            let target = [r(3) * ground[0], 20.0 * r(4), r(5) * ground[1]];
            let direction = unit([0, 1, 2].map(|c| target[c] - origin[c]));
            let spread = 0.02 * r(6);
            let free = field.free(origin, direction, 0.0, spread);
            for n in 7..10 {
                let aside = [r(n) - 0.5, r(n + 3) - 0.5, r(n + 6) - 0.5].map(|c| 0.9 * spread * c);
                let direction = unit([0, 1, 2].map(|c| direction[c] + aside[c]));
                let (got, want) = (
                    field.cast(origin, direction, free),
                    field.cast(origin, direction, Free::NONE),
                );
                match (got, want) {
                    (Some(got), Some(want)) => {
                        assert!((got.t - want.t).abs() < 1e-5, "{k} {free:?}");
                    }
                    (got, want) => assert_eq!(got, want, "{k} {free:?}"),
                }
            }
        }
    }

    #[test]
    fn straight_down_hits_below_and_up_hits_nothing() {
        let field = rough();
        let hit = field.cast([123.0, 99.0, 77.0], [0.0, -1.0, 0.0], Free::NONE).unwrap();
        assert!((99.0 - hit.t - height_at(&field, 123.0, 77.0)).abs() < 1e-6);
        assert_eq!(field.cast([123.0, 99.0, 77.0], [0.0, 1.0, 0.0], Free::NONE), None);
    }

    #[test]
    fn a_ray_from_outside_below_the_surface_meets_the_side() {
        let field = Field::new(Grid::filled(5, 5, 10.0), [1.0, 1.0]);
        let hit = field.cast([-3.0, 5.0, 2.0], [1.0, 0.0, 0.0], Free::NONE).unwrap();
        assert!(hit.is_side && (hit.t - 3.0).abs() < 1e-5);
        let hit = field.cast([-3.0, 13.0, 2.0], unit([1.0, -0.7, 0.0]), Free::NONE).unwrap();
        assert!(!hit.is_side);
    }
}
