//! Binary STL: a closed block for a 3-D printer.
//!
//! 80 bytes of comment, the number of triangles, then 50 bytes for each: normal, three corners, two bytes unused; little-endian.
//! STL has no units; slicers take millimetres. See [`solid`](super::solid). Source: 3D Systems, StereoLithography
//! Interface Specification (1989).

use std::io::Write;

use super::solid::Solid;
use super::write_elements;
use crate::format::{FormatEntry, Holds, Setting};
use crate::{Format, Raster, Result, WriteOptions};

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "STL",
    doc: "closed block for a 3-D printer, as binary STL",
    extensions: &["stl"],
    holds: Holds::Solid,
    uses: &[Setting::Print],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: None,
};

/// Writes the block.
///
/// # Errors
/// If the ground is not at least 2 × 2, a height is not finite, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let solid = Solid::new(raster, options.print, Format::Stl)?;
    // It must not begin with "solid", which begins a file of text.
    let comment = b"Landform terrain, millimetres, z up";
    let mut head = [b' '; 80];
    head[..comment.len()].copy_from_slice(comment);
    out.write_all(&head)?;
    out.write_all(&(solid.triangles() as u32).to_le_bytes())?;
    write_elements(out, solid.triangles(), 50, |t, bytes| {
        let corners = solid.triangle(t).map(|k| solid.vertex(k as usize));
        let numbers = [normal(&corners), corners[0], corners[1], corners[2]];
        for (bytes, number) in bytes.chunks_exact_mut(4).zip(numbers.as_flattened()) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes[48..].fill(0);
    })
}

/// The outward normal of length 1; zero for a triangle without area.
fn normal(corners: &[[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let [u, v] = [b, c].map(|corner| [0, 1, 2].map(|axis| corner[axis] - a[axis]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 { cross.map(|part| (part / length) as f32) } else { [0.0; 3] }
}
