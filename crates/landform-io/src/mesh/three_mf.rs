//! 3MF: a closed block for a 3-D printer, with its unit.
//!
//! A zip of three parts: the types of the contents, the relation that names the model, and the model as XML in millimetres. See [`solid`](super::solid).
//! The model is made and compressed in pieces.
//!
//! Sources: 3MF Core Specification 1.3; ECMA-376 part 2 (OPC).

use std::fmt::Write as _;
use std::io::Write;

use super::solid::Solid;
use crate::format::{FormatEntry, Holds, Setting};
use crate::zip::Zip;
use crate::{Error, Format, Raster, Result, WriteOptions};

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>
"#;
const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>
"#;
const MODEL_START: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><metadata name="Title">Landform terrain</metadata><resources><object id="1" type="model"><mesh><vertices>
"#;
const MODEL_MIDDLE: &str = "</vertices><triangles>\n";
const MODEL_END: &str =
    "</triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>\n";

/// Vertices or triangles in a piece of text.
const PIECE: usize = 1 << 14;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "3MF",
    doc: "closed block for a 3-D printer, in millimetres",
    extensions: &["3mf"],
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
/// If the ground is not at least 2 × 2, a height is not finite, the file would pass 4 GiB, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let solid = Solid::new(raster, options.print, Format::ThreeMf)?;
    let (vertices, triangles) = (solid.vertices(), solid.triangles());
    // A line has less than 80 bytes. Beyond 4 GiB zip needs an extension that slicers may not know.
    if (vertices + triangles) as u64 * 80 > u64::from(u32::MAX) {
        let (width, height) = (raster.width(), raster.rows());
        let reason = "3MF ends at about 17 million samples; write STL, or tiles".to_owned();
        return Err(Error::Unfit { format: Format::ThreeMf, width, height, reason });
    }
    let mut zip = Zip::new(out);
    zip.add_pieces("[Content_Types].xml", 1, |_, text| text.push_str(TYPES))?;
    zip.add_pieces("_rels/.rels", 1, |_, text| text.push_str(RELATIONS))?;
    let vertex_pieces = vertices.div_ceil(PIECE);
    let pieces = vertex_pieces + triangles.div_ceil(PIECE);
    zip.add_pieces("3D/3dmodel.model", pieces, |piece, text| {
        if piece == 0 {
            text.push_str(MODEL_START);
        }
        if piece < vertex_pieces {
            for k in piece * PIECE..((piece + 1) * PIECE).min(vertices) {
                let [x, y, z] = solid.vertex(k);
                put(text, format_args!("<vertex x=\"{x}\" y=\"{y}\" z=\"{z}\"/>\n"));
            }
            return;
        }
        if piece == vertex_pieces {
            text.push_str(MODEL_MIDDLE);
        }
        let first = (piece - vertex_pieces) * PIECE;
        for t in first..(first + PIECE).min(triangles) {
            let [a, b, c] = solid.triangle(t);
            put(text, format_args!("<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>\n"));
        }
        if piece == pieces - 1 {
            text.push_str(MODEL_END);
        }
    })?;
    zip.finish()
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line).expect("a string takes all text");
}
