//! Binary PLY: the mesh as tools for scans and point clouds take it.
//!
//! Little-endian, metres, x to the east, y to the north, z up (as such tools have it), colours if there are any; quads are split
//! into triangles. Source: Turk, "The PLY Polygon File Format" (1994).

use std::io::Write;

use super::{Mesh, check, write_elements};
use crate::format::{FormatEntry, Holds, Setting};
use crate::{Format, Raster, Result, WriteOptions};

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "PLY",
    doc: "mesh as binary PLY",
    extensions: &["ply"],
    holds: Holds::Mesh,
    uses: &[Setting::Colours, Setting::Simplify],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: None,
};

/// Writes the mesh.
///
/// # Errors
/// If a height is not finite, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    check(raster, Format::Ply, options)?;
    let (mesh, rows) = (Mesh::of(raster, options), raster.rows());
    let [x, z] = raster.origin;
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment Landform: metres, first sample at {x} {}\n",
        0.0 - z
    )?;
    writeln!(out, "element vertex {}", mesh.vertices())?;
    write!(out, "property float x\nproperty float y\nproperty float z\n")?;
    if options.colours.is_some() {
        write!(out, "property uchar red\nproperty uchar green\nproperty uchar blue\n")?;
    }
    write!(
        out,
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.triangles()
    )?;

    let size = if options.colours.is_some() { 15 } else { 12 };
    write_elements(out, mesh.vertices(), size, |k, bytes| {
        let (i, j) = mesh.sample(k);
        let (x, y) = (i as f64 * raster.spacing[0], (rows - 1 - j) as f64 * raster.spacing[1]);
        let place = [x as f32, y as f32, raster.samples[(i, j)]];
        for (bytes, number) in bytes.chunks_exact_mut(4).zip(place) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        if let Some(colours) = options.colours {
            bytes[12..].copy_from_slice(&colours[(i, j)]);
        }
    })?;
    write_elements(out, mesh.triangles(), 13, |k, bytes| {
        bytes[0] = 3;
        for (bytes, corner) in bytes[1..].chunks_exact_mut(4).zip(mesh.triangle(k)) {
            bytes.copy_from_slice(&corner.to_le_bytes());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Grid;

    #[test]
    fn the_length_is_what_the_header_announces() {
        let samples = Grid::from_fn(3, 2, |i, j| (i + j) as f32);
        let raster = Raster { samples: &samples, spacing: [1.0, 2.0], origin: [0.0; 2], unit: "m" };
        let mut bytes = Vec::new();
        write(&raster, &mut bytes, &WriteOptions::default()).unwrap();
        let end = bytes.windows(11).position(|part| part == b"end_header\n").unwrap() + 11;
        let body = &bytes[end..];
        assert_eq!(body.len(), 6 * 12 + 4 * 13);
        // The first sample is the north-west one: y is the whole depth.
        assert_eq!(body[4..8], 2.0_f32.to_le_bytes());
        assert_eq!(body[72..76], [3, 0, 0, 0]);
    }
}
