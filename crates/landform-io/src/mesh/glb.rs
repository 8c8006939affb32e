//! Binary glTF 2.0: the mesh as engines take it.
//!
//! Positions, normals, places in a texture (v downwards as glTF has it), colours if there are any, 32-bit indices, and the texture, one
//! after the other, so that all is written in one pass. glTF is in metres with y up, as we are.
//!
//! Source: glTF 2.0 specification (Khronos, ISO/IEC 12113). A file holds at most 4 GiB.

use std::io::Write;

use landform::math;
use serde_json::{Value, json};

use super::{Mesh, Shape, check, normal, texture_place, write_elements};
use crate::format::{FormatEntry, Holds, Setting};
use crate::{Error, Format, Raster, Result, WriteOptions};

const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_INT: u32 = 5125;

/// What the table of formats says about it.
pub(crate) static FORMAT: FormatEntry = FormatEntry {
    name: "GLB",
    doc: "mesh as binary glTF, with a texture",
    extensions: &["glb"],
    holds: Holds::Mesh,
    uses: &[Setting::Colours, Setting::Texture, Setting::Simplify],
    side_file: None,
    check: None,
    write: |raster, out, options| write(raster, out, options),
    read: None,
};

/// Writes the mesh.
///
/// # Errors
/// If a height is not a finite number, the file would be larger than 4 GiB, or writing fails.
pub fn write(
    raster: &Raster<'_>,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    check(raster, Format::Glb, options)?;
    let mesh = Mesh::of(raster, options);
    let layout = Layout::of(&mesh, options);
    let mut description = layout.description(raster, &mesh, options).to_string();
    description.extend(std::iter::repeat_n(' ', (4 - description.len() % 4) % 4));
    let total = 12 + 8 + description.len() as u64 + 8 + layout.length;
    let total = u32::try_from(total).map_err(|_| {
        let (width, height) = (raster.width(), raster.rows());
        let reason =
            format!("the file would have {total} bytes, but GLB ends at 4294967295; write tiles");
        Error::Unfit { format: Format::Glb, width, height, reason }
    })?;
    out.write_all(b"glTF")?;
    for word in [2, total, description.len() as u32] {
        out.write_all(&word.to_le_bytes())?;
    }
    out.write_all(b"JSON")?;
    out.write_all(description.as_bytes())?;
    out.write_all(&(layout.length as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    write_arrays(raster, &mesh, out, options)
}

/// The arrays in the order of the file.
struct Layout {
    shape: Shape,
    vertices: u64,
    indices: u64,
    /// Name, type, component, bytes an element, number of elements.
    arrays: Vec<(&'static str, &'static str, u32, u64, u64)>,
    /// Bytes of all arrays.
    arrays_end: u64,
    /// Bytes of arrays and texture, filled up to a multiple of four.
    length: u64,
}

impl Layout {
    fn of(mesh: &Mesh, options: &WriteOptions<'_>) -> Self {
        let (vertices, indices) = (mesh.vertices() as u64, 3 * mesh.triangles() as u64);
        let mut arrays = vec![
            ("POSITION", "VEC3", FLOAT, 12, vertices),
            ("NORMAL", "VEC3", FLOAT, 12, vertices),
            ("TEXCOORD_0", "VEC2", FLOAT, 8, vertices),
        ];
        if options.colours.is_some() {
            arrays.push(("COLOR_0", "VEC4", UNSIGNED_BYTE, 4, vertices));
        }
        if indices > 0 {
            arrays.push(("indices", "SCALAR", UNSIGNED_INT, 4, indices));
        }
        let arrays_end: u64 = arrays.iter().map(|&(.., size, count)| size * count).sum();
        let texture = options.texture.map_or(0, |bytes| bytes.len() as u64);
        let length = (arrays_end + texture).next_multiple_of(4);
        Self { shape: mesh.shape, vertices, indices, arrays, arrays_end, length }
    }

    /// The JSON chunk.
    fn description(&self, raster: &Raster<'_>, mesh: &Mesh, options: &WriteOptions<'_>) -> Value {
        let (mut views, mut accessors, mut attributes) =
            (Vec::new(), Vec::new(), serde_json::Map::new());
        let mut offset = 0;
        for (k, &(name, kind, component, size, count)) in self.arrays.iter().enumerate() {
            let target = if name == "indices" { 34963 } else { 34962 };
            views.push(json!({
                "buffer": 0, "byteOffset": offset, "byteLength": size * count, "target": target
            }));
            offset += size * count;
            let mut accessor = json!({ "bufferView": k, "componentType": component, "count": count, "type": kind });
            match name {
                "POSITION" => {
                    let [low, high] = bounds(raster, mesh);
                    accessor["min"] = json!(low);
                    accessor["max"] = json!(high);
                }
                "COLOR_0" => accessor["normalized"] = json!(true),
                _ => {}
            }
            accessors.push(accessor);
            if name != "indices" {
                attributes.insert(name.to_owned(), json!(k));
            }
        }
        let mut primitive = json!({ "attributes": attributes, "material": 0 });
        match self.shape {
            Shape::Point => primitive["mode"] = json!(0),
            Shape::Line => primitive["mode"] = json!(3),
            Shape::Triangles => primitive["indices"] = json!(self.arrays.len() - 1),
        }
        let mut material = json!({
            "name": "ground",
            "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 },
        });
        if let Some(bytes) = options.texture {
            let length = bytes.len();
            views.push(json!({ "buffer": 0, "byteOffset": self.arrays_end, "byteLength": length }));
            material["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
        }
        let [x, z] = raster.origin;
        let mut description = json!({
            "asset": {
                "version": "2.0",
                "generator": concat!("Landform ", env!("CARGO_PKG_VERSION")),
                "extras": {
                    "vertices": self.vertices,
                    "triangles": self.indices / 3,
                    "size": [raster.width(), raster.rows()],
                    "spacing": raster.spacing,
                },
            },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "terrain", "mesh": 0, "translation": [x, 0.0, z] }],
            "meshes": [{ "name": "terrain", "primitives": [primitive] }],
            "materials": [material],
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{ "byteLength": self.length }],
        });
        if options.texture.is_some() {
            let view = self.arrays.len();
            description["images"] = json!([{ "bufferView": view, "mimeType": "image/png" }]);
            // Clamped to the edge: the borders of the ground must not show the opposite ones.
            description["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33071 }]);
            description["textures"] = json!([{ "source": 0, "sampler": 0 }]);
        }
        description
    }
}

/// The position of a vertex.
fn position(raster: &Raster<'_>, (i, j): (usize, usize)) -> [f32; 3] {
    let [dx, dz] = raster.spacing;
    [(i as f64 * dx) as f32, raster.samples[(i, j)], (j as f64 * dz) as f32]
}

/// The smallest and the largest position on each axis.
fn bounds(raster: &Raster<'_>, mesh: &Mesh) -> [[f32; 3]; 2] {
    let heights = (0..mesh.vertices()).map(|k| raster.samples[mesh.sample(k)]);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), height| {
        (low.min(height), high.max(height))
    });
    let [x, _, z] = position(raster, (raster.width() - 1, raster.rows() - 1));
    [[0.0, low, 0.0], [x, high, z]]
}

fn write_arrays(
    raster: &Raster<'_>,
    mesh: &Mesh,
    out: &mut (impl Write + ?Sized),
    options: &WriteOptions<'_>,
) -> Result<()> {
    let count = mesh.vertices();
    let at = |k: usize| mesh.sample(k);
    write_elements(out, count, 12, |k, bytes| put(bytes, &position(raster, at(k))))?;
    write_elements(out, count, 12, |k, bytes| put(bytes, &normal(raster, at(k).0, at(k).1)))?;
    write_elements(out, count, 8, |k, bytes| {
        put(bytes, &texture_place(raster, at(k).0, at(k).1));
    })?;
    if let Some(colours) = options.colours {
        // glTF wants linear light, we have sRGB.
        let linear: Vec<u8> = (0..=255).map(linear_light).collect();
        write_elements(out, count, 4, |k, bytes| {
            let [r, g, b] = colours[at(k)].map(|part| linear[usize::from(part)]);
            bytes.copy_from_slice(&[r, g, b, 255]);
        })?;
    }
    write_elements(out, mesh.triangles(), 12, |k, bytes| {
        for (bytes, corner) in bytes.chunks_exact_mut(4).zip(mesh.triangle(k)) {
            bytes.copy_from_slice(&corner.to_le_bytes());
        }
    })?;
    let texture = options.texture.unwrap_or_default();
    out.write_all(texture)?;
    // All arrays are multiples of four bytes long.
    out.write_all(&[0; 3][..texture.len().next_multiple_of(4) - texture.len()])?;
    Ok(())
}

fn put(bytes: &mut [u8], numbers: &[f32]) {
    for (bytes, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
}

/// Linear light of an sRGB value (IEC 61966-2-1), in the same 0 … 255.
fn linear_light(srgb: u32) -> u8 {
    let part = f64::from(srgb) / 255.0;
    let linear =
        if part <= 0.04045 { part / 12.92 } else { math::pow((part + 0.055) / 1.055, 2.4) };
    (linear * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simplify;
    use landform::Grid;

    fn glb(samples: &Grid, options: &WriteOptions<'_>) -> (Value, Vec<u8>) {
        let raster = Raster { samples, spacing: [2.0, 3.0], origin: [100.0, 7.0], unit: "m" };
        let mut bytes = Vec::new();
        write(&raster, &mut bytes, options).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let json = &bytes[20..20 + word(12)];
        let binary = 20 + word(12);
        assert_eq!((&bytes[16..20], &bytes[binary + 4..binary + 8]), (&b"JSON"[..], &b"BIN\0"[..]));
        assert_eq!(word(binary) + binary + 8, bytes.len());
        (serde_json::from_slice(json).unwrap(), bytes[binary + 8..].to_vec())
    }

    #[test]
    fn positions_and_indices_are_where_the_description_says() {
        let samples = Grid::from_vec(2, 2, vec![0.0, 1.0, 2.0, 3.5]);
        let (json, binary) = glb(&samples, &WriteOptions::default());
        assert_eq!(json["accessors"][0]["max"], json!([2.0, 3.5, 3.0]));
        assert_eq!(json["nodes"][0]["translation"], json!([100.0, 0.0, 7.0]));
        assert_eq!(json["buffers"][0]["byteLength"], json!(binary.len()));
        let last = json["bufferViews"].as_array().unwrap().last().unwrap();
        let offset = last["byteOffset"].as_u64().unwrap() as usize;
        let indices: Vec<u8> = binary[offset..].iter().step_by(4).copied().collect();
        assert_eq!(indices, [0, 2, 1, 1, 2, 3]);
        let z = f32::from_le_bytes(binary[3 * 12 + 8..4 * 12].try_into().unwrap());
        assert_eq!(z, 3.0);
    }

    #[test]
    fn a_texture_and_fewer_triangles_are_where_the_description_says() {
        let samples = Grid::from_fn(9, 9, |i, _| i as f32);
        let simplify = Some(Simplify { error: 0.5, keeps_border: false });
        let picture = b"picture".as_slice();
        let options = WriteOptions { simplify, texture: Some(picture), ..WriteOptions::default() };
        let (json, binary) = glb(&samples, &options);
        assert_eq!(json["asset"]["extras"]["triangles"], 2);
        assert_eq!(json["accessors"][0]["count"], 4);
        let view = &json["bufferViews"][json["images"][0]["bufferView"].as_u64().unwrap() as usize];
        let offset = view["byteOffset"].as_u64().unwrap() as usize;
        assert_eq!(&binary[offset..offset + 7], picture);
        assert_eq!((binary.len(), view["byteLength"].as_u64()), (offset + 8, Some(7)));
    }

    #[test]
    fn lines_and_points_have_no_indices() {
        let (json, _) = glb(&Grid::filled(3, 1, 1.0), &WriteOptions::default());
        assert_eq!(json["meshes"][0]["primitives"][0]["mode"], 3);
        let (json, _) = glb(&Grid::filled(1, 1, 1.0), &WriteOptions::default());
        assert_eq!(json["meshes"][0]["primitives"][0]["mode"], 0);
    }

    #[test]
    fn white_stays_white_and_grey_becomes_linear() {
        assert_eq!([0, 128, 255].map(linear_light), [0, 55, 255]);
    }
}
