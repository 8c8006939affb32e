//! The ground as triangles.
//!
//! One vertex a sample, two triangles a cell, split from north-east to south-west. x to the east, y up, z to
//! the south, in metres, which is a right-handed frame; fronts face up. The first sample is at the origin of the
//! mesh, and a tile says apart where that lies, so that far tiles lose no precision.
//!
//! A line of samples becomes a line, a single one a point. With [`WriteOptions::simplify`] only some of the samples are vertices: see
//! `simplify.rs`.

pub mod glb;
pub mod obj;
pub mod ply;
mod simplify;
pub mod solid;
pub mod stl;
pub mod three_mf;

use std::io::Write;

use landform::analysis::derived;
use landform::par;

use crate::{Error, Format, Raster, Result, Simplify, WriteOptions};

/// What the vertices of a grid are joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Point,
    Line,
    Triangles,
}

impl Shape {
    pub(crate) fn of(raster: &Raster<'_>) -> Self {
        match (raster.width(), raster.rows()) {
            (1, 1) => Self::Point,
            (1, _) | (_, 1) => Self::Line,
            _ => Self::Triangles,
        }
    }
}

/// Which samples are vertices, and how they are joined.
#[derive(Debug)]
pub(crate) struct Mesh {
    pub(crate) shape: Shape,
    width: usize,
    rows: usize,
    /// Some of the samples; nothing for all of them.
    network: Option<simplify::Network>,
}

impl Mesh {
    pub(crate) fn of(raster: &Raster<'_>, options: &WriteOptions<'_>) -> Self {
        let shape = Shape::of(raster);
        let network = match options.simplify {
            Some(Simplify { error, keeps_border }) if shape == Shape::Triangles => {
                Some(simplify::simplify(raster.samples, error, keeps_border))
            }
            _ => None,
        };
        Self { shape, width: raster.width(), rows: raster.rows(), network }
    }

    /// Number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.network.as_ref().map_or(self.width * self.rows, |network| network.vertices.len())
    }

    /// Column and row of a vertex.
    #[inline]
    pub(crate) fn sample(&self, vertex: usize) -> (usize, usize) {
        match &self.network {
            Some(network) => {
                let [i, j] = network.vertices[vertex];
                (i as usize, j as usize)
            }
            None => (vertex % self.width, vertex / self.width),
        }
    }

    /// Number of triangles.
    pub(crate) fn triangles(&self) -> usize {
        match &self.network {
            Some(network) => network.triangles.len(),
            None if self.shape == Shape::Triangles => 2 * (self.width - 1) * (self.rows - 1),
            None => 0,
        }
    }

    /// The three vertices of a triangle.
    #[inline]
    pub(crate) fn triangle(&self, index: usize) -> [u32; 3] {
        if let Some(network) = &self.network {
            return network.triangles[index];
        }
        let (cell, half) = (index / 2, 3 * (index % 2));
        let (i, j) = (cell % (self.width - 1), cell / (self.width - 1));
        let corners = cell_triangles((j * self.width + i) as u32, self.width as u32);
        [corners[half], corners[half + 1], corners[half + 2]]
    }
}

/// The two triangles of the cell whose north-west sample is the `first` vertex, in rows of `width`.
#[inline]
pub(crate) fn cell_triangles(first: u32, width: u32) -> [u32; 6] {
    let [nw, ne, sw, se] = [first, first + 1, first + width, first + width + 1];
    [nw, sw, ne, ne, sw, se]
}

/// The upward normal of length 1 in column i and row j: central differences, one-sided at the border.
pub(crate) fn normal(raster: &Raster<'_>, i: usize, j: usize) -> [f32; 3] {
    let slopes = derived::gradient(raster.samples, raster.spacing, i, j);
    let [x, z] = slopes.map(|slope| -slope.clamp(-1e100, 1e100));
    // Scaled first, so that the square of a cliff stays finite.
    let largest = x.abs().max(z.abs()).max(1.0);
    let (x, y, z) = (x / largest, 1.0 / largest, z / largest);
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length].map(|part| part as f32)
}

/// The normals as pixels: red east, green north, blue up, each −1 … 1 as 0 … 255.
pub fn normal_map(raster: &Raster<'_>) -> Vec<[u8; 3]> {
    let level = |part: f32| ((0.5 + 0.5 * part) * 255.0).round() as u8;
    let mut pixels = vec![[0; 3]; raster.samples.samples().len()];
    par::for_each_row(&mut pixels, raster.width(), |j, row| {
        for (i, pixel) in row.iter_mut().enumerate() {
            let [x, y, z] = normal(raster, i, j);
            *pixel = [level(x), level(-z), level(y)];
        }
    });
    pixels
}

/// Place of a sample in the unit square of a texture: (0, 0) is the north-west corner.
pub(crate) fn texture_place(raster: &Raster<'_>, i: usize, j: usize) -> [f32; 2] {
    let place = |k: usize, count: usize| (k as f64 / (count - 1).max(1) as f64) as f32;
    [place(i, raster.width()), place(j, raster.rows())]
}

/// Fails unless a mesh can be made: heights are finite, vertices can be counted, and colours fit.
pub(crate) fn check(raster: &Raster<'_>, format: Format, options: &WriteOptions<'_>) -> Result<()> {
    let (width, height) = (raster.width(), raster.rows());
    if width.checked_mul(height).is_none_or(|count| count >= u32::MAX as usize) {
        let reason = "a mesh has at most 4294967294 vertices".to_owned();
        return Err(Error::Unfit { format, width, height, reason });
    }
    if let Some(colours) = options.colours
        && (colours.width(), colours.height()) != (width, height)
    {
        let found = format!("{} × {}", colours.width(), colours.height());
        let expected = format!("{width} × {height}, as the heights");
        return Err(Error::Option { format, what: "size of colours", found, expected });
    }
    let ground = [(width, 0), (height, 1)].map(|(count, axis)| count as f64 * raster.spacing[axis]);
    if ground.iter().any(|&side| side > 1e30) {
        let reason = "the ground is wider than the numbers of a mesh reach".to_owned();
        return Err(Error::Unfit { format, width, height, reason });
    }
    if let Some(Simplify { error, .. }) = options.simplify
        && (error.is_nan() || error < 0.0)
    {
        let (found, expected) = (format!("{error} m"), "0 m or more".to_owned());
        return Err(Error::Option { format, what: "largest error of a mesh", found, expected });
    }
    raster.check_finite(format)
}

/// Writes `count` elements of `size` bytes each, made side by side in batches.
pub(crate) fn write_elements(
    out: &mut (impl Write + ?Sized),
    count: usize,
    size: usize,
    element: impl Fn(usize, &mut [u8]) + Sync + Send,
) -> Result<()> {
    const PART: usize = 1 << 12;
    const BATCH: usize = 64 * PART;
    let mut bytes = vec![0; size * count.min(BATCH)];
    for first in (0..count).step_by(BATCH) {
        let batch = &mut bytes[..size * (count - first).min(BATCH)];
        par::for_each_part(batch, size * PART, 1, |part, elements| {
            for (k, bytes) in elements.chunks_exact_mut(size).enumerate() {
                element(first + part * PART + k, bytes);
            }
        });
        out.write_all(batch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Grid;

    #[test]
    fn normals_of_a_plane_are_all_the_same() {
        let plane = Grid::from_fn(4, 3, |i, j| 2.0 * (5.0 * i as f32) - 0.5 * (3.0 * j as f32));
        let raster = Raster { samples: &plane, spacing: [5.0, 3.0], origin: [0.0; 2], unit: "m" };
        let length = 5.25_f64.sqrt();
        for (i, j) in [(0, 0), (3, 2), (1, 1), (0, 2)] {
            let [x, y, z] = normal(&raster, i, j).map(f64::from);
            assert!((x + 2.0 / length).abs() < 1e-6 && (y - 1.0 / length).abs() < 1e-6);
            assert!((z - 0.5 / length).abs() < 1e-6);
        }
    }

    #[test]
    fn a_cliff_of_the_largest_number_has_a_normal_of_length_one() {
        let cliff = Grid::from_vec(2, 1, vec![f32::MIN, f32::MAX]);
        let raster = Raster { samples: &cliff, spacing: [1e-300; 2], origin: [0.0; 2], unit: "m" };
        let [x, y, z] = normal(&raster, 0, 0);
        assert_eq!((x, y < 1e-30, z), (-1.0, true, 0.0));
    }
}
