//! Wavefront OBJ: the mesh as text.
//!
//! Vertices (`v`), places in a texture (`vt`, v upwards as OBJ has it), normals (`vn`) and faces. With colours, a vertex
//! has three more numbers between 0 and 1, as most programs understand. Heights are written so that they
//! read back to the same bits. OBJ has no units: the numbers are metres.

use std::fmt::Write as _;
use std::io::Write;

use landform::par;

use super::{Mesh, Shape, check, normal, texture_place};
use crate::format::{FormatEntry, Holds, Setting};
use crate::{Format, Raster, Result, WriteOptions};

/// Lines of text that are made by one, and how many make them side by side.
const LINES: usize = 1 << 10;
const BATCH: usize = 64;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "OBJ",
    doc: "mesh as text",
    extensions: &["obj"],
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
/// If a height is not a finite number, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    check(raster, Format::Obj, options)?;
    let mesh = Mesh::of(raster, options);
    let [x, z] = raster.origin;
    writeln!(out, "# Landform: metres, x east, y up, z south; first sample at {x} {z}")?;
    writeln!(out, "o terrain")?;
    write_lines(out, mesh.vertices(), |text, k| {
        let (i, j) = mesh.sample(k);
        let x = (i as f64 * raster.spacing[0]) as f32;
        let z = (j as f64 * raster.spacing[1]) as f32;
        put(text, format_args!("v {x} {} {z}", raster.samples[(i, j)]));
        if let Some(colours) = options.colours {
            let [r, g, b] = colours[(i, j)].map(|part| f32::from(part) / 255.0);
            put(text, format_args!(" {r:.4} {g:.4} {b:.4}"));
        }
        text.push('\n');
    })?;
    write_lines(out, mesh.vertices(), |text, k| {
        let (i, j) = mesh.sample(k);
        let [u, v] = texture_place(raster, i, j);
        put(text, format_args!("vt {u} {}\n", 1.0 - v));
    })?;
    write_lines(out, mesh.vertices(), |text, k| {
        let (i, j) = mesh.sample(k);
        let [x, y, z] = normal(raster, i, j);
        put(text, format_args!("vn {x:.6} {y:.6} {z:.6}\n"));
    })?;
    match mesh.shape {
        Shape::Point => writeln!(out, "p 1")?,
        Shape::Line => {
            for vertex in 1..mesh.vertices() {
                writeln!(out, "l {vertex} {}", vertex + 1)?;
            }
        }
        Shape::Triangles => write_lines(out, mesh.triangles(), |text, k| {
            let [a, b, c] = mesh.triangle(k).map(|corner| corner + 1);
            put(text, format_args!("f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}\n"));
        })?,
    }
    Ok(())
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line).expect("a string takes all text");
}

/// Writes what `line` says for each of `count`, parts made side by side.
fn write_lines(
    out: &mut (impl Write + ?Sized),
    count: usize,
    line: impl Fn(&mut String, usize) + Sync,
) -> Result<()> {
    let mut texts = vec![String::new(); BATCH.min(count.div_ceil(LINES))];
    for first in (0..count).step_by(BATCH * LINES) {
        let batch = (count - first).div_ceil(LINES).min(BATCH);
        par::for_each_part(&mut texts[..batch], 1, 1, |k, text| {
            text[0].clear();
            let start = first + k * LINES;
            (start..count.min(start + LINES)).for_each(|index| line(&mut text[0], index));
        });
        for text in &texts[..batch] {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Grid;

    fn obj(samples: &Grid, options: &WriteOptions<'_>) -> String {
        let raster = Raster { samples, spacing: [2.0, 3.0], origin: [0.0; 2], unit: "m" };
        let mut bytes = Vec::new();
        write(&raster, &mut bytes, options).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_cell_is_two_triangles_facing_up() {
        let text = obj(&Grid::from_vec(2, 2, vec![0.0, 1.0, 2.0, 3.5]), &WriteOptions::default());
        let begins = |start: &'static str| text.lines().filter(move |line| line.starts_with(start));
        assert_eq!(
            begins("v ").collect::<Vec<_>>(),
            ["v 0 0 0", "v 2 1 0", "v 0 2 3", "v 2 3.5 3"]
        );
        assert_eq!(begins("vt").collect::<Vec<_>>(), ["vt 0 1", "vt 1 1", "vt 0 0", "vt 1 0"]);
        assert_eq!(
            begins("f ").collect::<Vec<_>>(),
            ["f 1/1/1 3/3/3 2/2/2", "f 2/2/2 3/3/3 4/4/4"]
        );
    }

    #[test]
    fn a_line_and_a_point_are_written_as_such() {
        let line = obj(&Grid::from_vec(1, 3, vec![0.0, 1.0, 2.0]), &WriteOptions::default());
        assert!(line.ends_with("l 1 2\nl 2 3\n"));
        assert!(obj(&Grid::filled(1, 1, 7.0), &WriteOptions::default()).ends_with("p 1\n"));
    }

    #[test]
    fn colours_follow_the_place() {
        let colours = Grid::filled(2, 2, [255, 0, 51]);
        let options = WriteOptions { colours: Some(&colours), ..WriteOptions::default() };
        assert!(obj(&Grid::filled(2, 2, 0.0), &options).contains("v 2 0 3 1.0000 0.0000 0.2000\n"));
    }
}
