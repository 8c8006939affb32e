//! Rays against a height field.
//!
//! Each cell is two triangles, split from its north-west to its south-east corner. A pyramid holds the
//! highest sample of 1, 2, 4 … cells a side; a ray that passes over a block skips it whole (Tevs, Ihrke
//! & Seidel 2008), so it costs about the logarithm of the grid's size.

use landform::{Grid, par};

use super::vector::Vec3;

/// A surface of triangles over a rectangle whose north-west corner is the origin.
#[derive(Debug)]
pub(crate) struct Field {
    /// Heights in metres, exaggerated; at least 2 × 2.
    pub(crate) heights: Grid,
    /// Width and depth of a cell in metres.
    pub(crate) cell: [f64; 2],
    /// The highest corner of blocks of 1, 2, 4 … cells.
    pyramid: Vec<Grid>,
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
        Self { heights, cell, pyramid }
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
    pub(crate) fn cast(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        let ray = Ray::new(self, origin, direction)?;
        let (mut t, end) = (ray.start, ray.end);
        // A ray that starts inside the rectangle cannot come in through a side.
        let mut is_side = ray.enters;
        let mut level = self.pyramid.len() - 1;
        // Every step leaves a block or goes down a level; the bound only guards against rounding.
        for _ in 0..16 * (self.heights.width() + self.heights.height()) + 64 {
            if t >= end {
                return None;
            }
            let (x, z) = (ray.x + ray.dx * t, ray.z + ray.dz * t);
            let cell = [ray.clamp_column(x), ray.clamp_row(z)];
            let exit = ray.exit(cell, level).min(end);
            let low = ray.y + ray.dy * if ray.dy < 0.0 { exit } else { t };
            let blocks = &self.pyramid[level];
            if low > f64::from(blocks[(cell[0] >> level, cell[1] >> level)]) {
                t = exit.max(t) + ray.nudge;
                is_side = false;
                let next =
                    [ray.clamp_column(ray.x + ray.dx * t), ray.clamp_row(ray.z + ray.dz * t)];
                // Leaving the parent block as well: look from further away again.
                let up = level + 1;
                if up < self.pyramid.len()
                    && (cell[0] >> up != next[0] >> up || cell[1] >> up != next[1] >> up)
                {
                    level = up;
                }
            } else if level > 0 {
                level -= 1;
            } else {
                if let Some((t, place)) = self.cast_in_cell(&ray, cell, [t, exit]) {
                    let side = is_side && t <= ray.start + 2.0 * ray.nudge;
                    return Some(Hit { t, cell, place, is_side: side });
                }
                t = exit.max(t) + ray.nudge;
                is_side = false;
                let next =
                    [ray.clamp_column(ray.x + ray.dx * t), ray.clamp_row(ray.z + ray.dz * t)];
                if self.pyramid.len() > 1
                    && (cell[0] >> 1 != next[0] >> 1 || cell[1] >> 1 != next[1] >> 1)
                {
                    level = 1;
                }
            }
        }
        None
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
        };
        (start < end).then_some(ray)
    }

    #[inline]
    fn clamp_column(&self, x: f64) -> usize {
        (x.max(0.0) as usize).min(self.columns - 1)
    }

    #[inline]
    fn clamp_row(&self, z: f64) -> usize {
        (z.max(0.0) as usize).min(self.rows - 1)
    }

    /// When the ray leaves the block of 2^level cells around `cell`.
    #[inline]
    fn exit(&self, cell: [usize; 2], level: usize) -> f64 {
        let plane = |k: usize, step: f64| {
            let block = k >> level;
            ((if step > 0.0 { block + 1 } else { block }) << level) as f64
        };
        let x = if self.dx == 0.0 {
            f64::INFINITY
        } else {
            (plane(cell[0], self.dx) - self.x) / self.dx
        };
        let z = if self.dz == 0.0 {
            f64::INFINITY
        } else {
            (plane(cell[1], self.dz) - self.z) / self.dz
        };
        x.min(z)
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::{along, unit};
    use super::*;
    use landform::Seed;

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
    fn a_ray_stops_where_small_steps_stop() {
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
            let mut t = 0.0;
            let mut want = None;
            while t < 600.0 {
                let p = along(origin, direction, t);
                if p[0] < 0.0 || p[2] < 0.0 || p[0] > ground[0] || p[2] > ground[1] {
                    break;
                }
                if p[1] <= height_at(&field, p[0], p[2]) {
                    want = Some(t);
                    break;
                }
                t += 0.02;
            }
            let got = field.cast(origin, direction).map(|hit| hit.t);
            hits += usize::from(want.is_some());
            match (got, want) {
                (Some(got), Some(want)) => assert!((got - want).abs() < 0.05, "{k}: {got} {want}"),
                (got, want) => assert_eq!(got.is_some(), want.is_some(), "{k}: {got:?} {want:?}"),
            }
        }
        assert!(hits > 300);
    }

    #[test]
    fn straight_down_hits_below_and_up_hits_nothing() {
        let field = rough();
        let hit = field.cast([123.0, 99.0, 77.0], [0.0, -1.0, 0.0]).unwrap();
        assert!((99.0 - hit.t - height_at(&field, 123.0, 77.0)).abs() < 1e-6);
        assert_eq!(field.cast([123.0, 99.0, 77.0], [0.0, 1.0, 0.0]), None);
    }

    #[test]
    fn a_ray_from_outside_below_the_surface_meets_the_side() {
        let field = Field::new(Grid::filled(5, 5, 10.0), [1.0, 1.0]);
        let hit = field.cast([-3.0, 5.0, 2.0], [1.0, 0.0, 0.0]).unwrap();
        assert!(hit.is_side && (hit.t - 3.0).abs() < 1e-5);
        let hit = field.cast([-3.0, 13.0, 2.0], unit([1.0, -0.7, 0.0])).unwrap();
        assert!(!hit.is_side);
    }
}
