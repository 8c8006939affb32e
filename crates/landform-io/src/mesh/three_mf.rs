//! 3MF: a closed block for a 3-D printer, with its unit.
//!
//! A zip of three parts: the types of the contents, the relation that names the model, and the model as XML in millimetres. See [`solid`](super::solid).
//! The model is made and compressed in pieces, so its length and checksum follow it, as zip allows.
//!
//! Sources: 3MF Core Specification 1.3; ECMA-376 part 2 (OPC); PKWARE APPNOTE 6.3.

use std::fmt::Write as _;
use std::io::Write;

use landform::par;

use super::solid::Solid;
use crate::deflate::{self, Compressor, Piece, Reach};
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
/// Pieces that are made side by side.
const BATCH: usize = 16;

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
    let mut zip = Zip { out, at: 0, entries: Vec::new() };
    zip.add("[Content_Types].xml", 1, |_, text| text.push_str(TYPES))?;
    zip.add("_rels/.rels", 1, |_, text| text.push_str(RELATIONS))?;
    let vertex_pieces = vertices.div_ceil(PIECE);
    let pieces = vertex_pieces + triangles.div_ceil(PIECE);
    zip.add("3D/3dmodel.model", pieces, |piece, text| {
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

/// A zip on its way.
struct Zip<'a, W: ?Sized> {
    out: &'a mut W,
    at: u64,
    entries: Vec<Entry>,
}

struct Entry {
    name: &'static str,
    start: u32,
    checksum: u32,
    compressed: u32,
    length: u32,
}

impl Entry {
    /// The fields that a part's header and the directory share: version 2.0, lengths follow, deflate, 1980-01-01.
    fn common(&self, lengths: [u32; 3]) -> Vec<u8> {
        let mut bytes = vec![20, 0, 8, 0, 8, 0, 0, 0, 0x21, 0];
        bytes.extend(lengths.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }
}

#[derive(Clone, Default)]
struct ZipBlock {
    text: String,
    compressor: Compressor,
    out: Vec<u8>,
    length: usize,
}

impl<W: Write + ?Sized> Zip<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }

    /// Adds a part whose text `make` gives in `count` pieces.
    fn add(
        &mut self,
        name: &'static str,
        count: usize,
        make: impl Fn(usize, &mut String) + Sync + Send,
    ) -> Result<()> {
        let start = self.at as u32;
        let mut entry = Entry { name, start, checksum: 0, compressed: 0, length: 0 };
        self.put(b"PK\x03\x04")?;
        self.put(&entry.common([0; 3]))?;
        self.put(name.as_bytes())?;
        let mut checksum = crc32fast::Hasher::new();
        let mut parts = vec![ZipBlock::default(); count.min(BATCH)];
        for first in (0..count).step_by(BATCH) {
            let batch = &mut parts[..(count - first).min(BATCH)];
            par::for_each_part(batch, 1, 1, |k, part| {
                let part = &mut part[0];
                part.text.clear();
                make(first + k, &mut part.text);
                let bytes = part.text.as_bytes();
                part.out.resize(deflate::bound(bytes.len()), 0);
                let piece = if first + k + 1 == count { Piece::Last } else { Piece::Inner };
                part.length =
                    part.compressor.compress(bytes, 1, Reach::Window, piece, &mut part.out);
            });
            for part in batch {
                checksum.update(part.text.as_bytes());
                entry.length += part.text.len() as u32;
                entry.compressed += part.length as u32;
                self.put(&part.out[..part.length])?;
            }
        }
        entry.checksum = checksum.finalize();
        self.put(b"PK\x07\x08")?;
        for number in [entry.checksum, entry.compressed, entry.length] {
            self.put(&number.to_le_bytes())?;
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the directory.
    fn finish(mut self) -> Result<()> {
        let start = self.at as u32;
        for entry in std::mem::take(&mut self.entries) {
            self.put(b"PK\x01\x02\x14\0")?;
            self.put(&entry.common([entry.checksum, entry.compressed, entry.length]))?;
            self.put(&[0; 10])?;
            self.put(&entry.start.to_le_bytes())?;
            self.put(entry.name.as_bytes())?;
        }
        let size = self.at as u32 - start;
        self.put(b"PK\x05\x06\0\0\0\0\x03\0\x03\0")?;
        self.put(&size.to_le_bytes())?;
        self.put(&start.to_le_bytes())?;
        self.put(&[0; 2])
    }
}
