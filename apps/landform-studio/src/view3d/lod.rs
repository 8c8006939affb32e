//! Which parts of the ground are drawn how finely.
//!
//! The ground is a quadtree of square nodes (Strugar 2009, "Continuous distance-dependent level of detail").
//! A node of level l is [`NODE`] steps of 2^l texels wide and is used up to a distance of its range; each of its
//! quarters that no finer level covers is drawn as one patch, always the same small grid. Towards the end of
//! its range the odd lines of a patch slide onto the even ones, in the vertex shader, so neighbours of
//! different levels meet without a crack and nothing jumps. Distance is measured in plan and to the height
//! of the eye, so it does not depend on the ground, and the shader knows the same one.
//!
//! However large the terrain, the number of patches is bounded by the ranges.

use bytemuck::{Pod, Zeroable};
use landform::math::vector::{Vec3, add, dot, scale, sub};

use super::camera::{Axes, Camera};

/// Steps on a side of a patch.
pub(super) const PATCH: u8 = 16;
/// Steps on a side of a node.
const NODE: f64 = 2.0 * PATCH as f64;
/// Share of a range after which patches begin to slide.
pub(super) const MORPH_FROM: f64 = 0.75;

/// One patch, as the shader gets it.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Patch {
    /// First column and row in texels.
    pub(super) start: [f32; 2],
    /// Texels between lines.
    pub(super) step: f32,
    /// Range of the level in metres.
    pub(super) range: f32,
}

/// A vertex of the grid that every patch is: column, row, what it belongs to, unused.
pub(super) type Vertex = [u8; 4];
/// A vertex of the surface.
const SURFACE: u8 = 0;
/// Vertices of the walls at the border of the terrain: at the surface and at the bottom.
const WALL: [u8; 2] = [1, 2];

/// The terrain as far as levels of detail are concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// Texels.
    pub(super) size: [usize; 2],
    /// Metres between them.
    pub(super) cell: [f64; 2],
    /// Lowest and highest ground, the bottom of the walls included, in exaggerated metres.
    pub(super) heights: [f64; 2],
    /// Height of the eye over the ground.
    pub(super) over: f64,
    /// How many widths of a node its range is; at least 3.
    pub(super) detail: f64,
}

impl Field {
    /// Distance up to which a level is used.
    fn range(&self, level: u32) -> f64 {
        self.detail * NODE * f64::from(1_u32 << level) * self.cell[0].max(self.cell[1])
    }

    /// The patches that `camera` sees.
    pub(super) fn patches(&self, camera: &Camera) -> Vec<Patch> {
        let longest = (self.size[0].max(self.size[1]).max(2) - 1) as f64;
        let mut top = 0;
        while NODE * f64::from(1_u32 << top) < longest {
            top += 1;
        }
        let mut patches = Vec::new();
        let seen = Seen::by(camera);
        self.select([0.0, 0.0], top, top, &seen, &mut patches);
        patches
    }

    /// Adds the patches of a node, and says whether they cover it: not if it lies beyond its range.
    fn select(
        &self,
        start: [f64; 2],
        level: u32,
        top: u32,
        seen: &Seen,
        patches: &mut Vec<Patch>,
    ) -> bool {
        let step = f64::from(1_u32 << level);
        let side = NODE * step;
        if level < top && self.distance(seen.eye, start, side) >= self.range(level) {
            return false;
        }
        if !self.is_seen(seen, start, side) {
            return true;
        }
        for quarter in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
            let start = [0, 1].map(|axis| start[axis] + quarter[axis] * 0.5 * side);
            let is_ground = (0..2).all(|axis| start[axis] < self.size[axis].max(2) as f64 - 1.0);
            if !is_ground || (level > 0 && self.select(start, level - 1, top, seen, patches)) {
                continue;
            }
            if self.is_seen(seen, start, 0.5 * side) {
                let range = if level < top { self.range(level) as f32 } else { 1e30 };
                patches.push(Patch { start: start.map(|s| s as f32), step: step as f32, range });
            }
        }
        true
    }

    /// Distance of the eye from the nearest place of a square.
    fn distance(&self, eye: Vec3, start: [f64; 2], side: f64) -> f64 {
        let [x, z] = [0, 1].map(|axis| {
            let (from, to) =
                (start[axis] * self.cell[axis], (start[axis] + side) * self.cell[axis]);
            let at = eye[2 * axis];
            (from - at).max(at - to).max(0.0)
        });
        (x * x + z * z + self.over * self.over).sqrt()
    }

    /// Whether a square may be in the picture.
    fn is_seen(&self, seen: &Seen, start: [f64; 2], side: f64) -> bool {
        let low = [start[0] * self.cell[0], self.heights[0], start[1] * self.cell[1]];
        let high =
            [(start[0] + side) * self.cell[0], self.heights[1], (start[1] + side) * self.cell[1]];
        // The corner that lies furthest inside of each border.
        seen.borders.iter().all(|border| {
            let corner = [0, 1, 2].map(|c| if border[c] > 0.0 { high[c] } else { low[c] });
            dot(sub(corner, seen.eye), *border) >= 0.0
        })
    }
}

/// What a camera sees: all inside of four planes through its eye.
struct Seen {
    eye: Vec3,
    borders: [Vec3; 4],
}

impl Seen {
    fn by(camera: &Camera) -> Self {
        let Axes { right, up, forward } = camera.axes();
        let [w, h] = camera.half();
        let border = |side: Vec3, half: f64| add(side, scale(forward, half));
        let borders = [
            border(right, w),
            border(scale(right, -1.0), w),
            border(up, h),
            border(scale(up, -1.0), h),
        ];
        Self { eye: camera.eye(), borders }
    }
}

/// The vertices and the corners of the triangles of a patch.
pub(super) fn patch_mesh() -> (Vec<Vertex>, Vec<u16>) {
    let lines = u16::from(PATCH) + 1;
    let mut vertices = Vec::new();
    let mut corners = Vec::new();
    for j in 0..=PATCH {
        vertices.extend((0..=PATCH).map(|i| [i, j, SURFACE, 0]));
    }
    for j in 0..lines - 1 {
        for i in 0..lines - 1 {
            let at = j * lines + i;
            corners.extend([at, at + lines, at + 1, at + 1, at + lines, at + lines + 1]);
        }
    }
    // Each side once more, with a twin below. Where it is not the border of the terrain, both fall together.
    let sides: [fn(u8) -> [u8; 2]; 4] = [|k| [k, 0], |k| [k, PATCH], |k| [0, k], |k| [PATCH, k]];
    for (side, place) in (0..).zip(sides) {
        for k in 0..=PATCH {
            let [i, j] = place(k);
            let at = vertices.len() as u16;
            vertices.extend(WALL.map(|wall| [i, j, wall, side]));
            if k < PATCH {
                corners.extend([at, at + 1, at + 2, at + 2, at + 1, at + 3]);
            }
        }
    }
    (vertices, corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(size: [usize; 2], detail: f64) -> Field {
        Field { size, cell: [10.0, 10.0], heights: [0.0, 800.0], over: 300.0, detail }
    }

    fn camera(field: &Field, share: f64) -> Camera {
        let [gx, gz] = [0, 1].map(|axis| field.size[axis] as f64 * field.cell[axis]);
        let corners = [[0.0, 0.0, 0.0], [gx, 0.0, 0.0], [0.0, 0.0, gz], [gx, 800.0, gz]];
        let mut camera = Camera::fitting(&corners, 1.6);
        camera.zoom(1.0 / share, [0.4 * gx, 0.0, 0.6 * gz], [1.0, 1e9]);
        camera
    }

    #[test]
    fn patches_lie_side_by_side_over_all_that_is_seen() {
        for size in [[300, 170], [33, 33], [2, 5]] {
            for share in [1.0, 0.2, 0.02] {
                let field = field(size, 3.0);
                let camera = camera(&field, share);
                let patches = field.patches(&camera);
                let seen = Seen::by(&camera);
                for j in 0..size[1] - 1 {
                    for i in 0..size[0] - 1 {
                        let place = [i as f64 + 0.5, j as f64 + 0.5];
                        let holds = |patch: &&Patch| {
                            (0..2).all(|axis| {
                                let from = f64::from(patch.start[axis]);
                                let side = f64::from(patch.step) * f64::from(PATCH);
                                (from..from + side).contains(&place[axis])
                            })
                        };
                        let count = patches.iter().filter(holds).count();
                        let is_seen = field.is_seen(&seen, place, 1e-6);
                        assert!(count == 1 || (count == 0 && !is_seen), "{place:?}: {count}");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_meet_where_the_finer_has_slid_and_the_coarser_has_not_begun() {
        let field = field([4097, 4097], 3.0);
        for share in [1.0, 0.3, 0.1, 0.01] {
            let camera = camera(&field, share);
            let eye = camera.eye();
            let patches = field.patches(&camera);
            let distance = |x: f64, z: f64| field.distance(eye, [x, z], 0.0);
            for fine in &patches {
                let side = f64::from(fine.step) * f64::from(PATCH);
                for coarse in patches.iter().filter(|coarse| coarse.step > fine.step) {
                    let wide = f64::from(coarse.step) * f64::from(PATCH);
                    let [a, b] = [0, 1].map(|axis| {
                        let from = f64::from(fine.start[axis]).max(f64::from(coarse.start[axis]));
                        let to = (f64::from(fine.start[axis]) + side)
                            .min(f64::from(coarse.start[axis]) + wide);
                        (from, to)
                    });
                    if a.0 > a.1 || b.0 > b.1 {
                        continue;
                    }
                    assert_eq!(coarse.step, 2.0 * fine.step, "levels differ by one");
                    for (x, z) in [(a.0, b.0), (a.1, b.0), (a.0, b.1), (a.1, b.1)] {
                        let d = distance(x, z);
                        assert!(d >= f64::from(fine.range) * 0.999_999, "{d} {fine:?}");
                        assert!(d <= f64::from(coarse.range) * MORPH_FROM, "{d} {coarse:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_number_of_patches_hardly_grows_with_the_terrain() {
        for size in [1025, 4097, 16_385] {
            let field = field([size, size], 3.0);
            let most =
                [1.0, 0.3, 0.1, 0.03].map(|share| field.patches(&camera(&field, share)).len());
            assert!(most.iter().all(|&count| count < 500), "{size}: {most:?}");
        }
    }

    #[test]
    fn every_corner_is_a_vertex() {
        let (vertices, corners) = patch_mesh();
        assert!(corners.iter().all(|&corner| usize::from(corner) < vertices.len()));
        assert_eq!(corners.len(), 6 * (16 * 16 + 4 * 16));
    }
}
