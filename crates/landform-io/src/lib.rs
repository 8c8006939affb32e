//! Terrains to and from files: bytes in, bytes out.
//!
//! Nothing here opens a file, except [`atomic`] and [`store`], which every native door needs. A [`Format`] is found by its extension,
//! writes a [`Raster`] (one layer of a terrain) to any writer in pieces, and reads a [`Heightmap`] from bytes:
//!
//! ```
//! use landform::{Grid, Lattice, Terrain};
//! use landform_io::{Format, Raster, ReadOptions, WriteOptions, read};
//!
//! let lattice = Lattice { size: [3, 2], spacing: [10.0, 10.0] };
//! let heights = Grid::from_fn(3, 2, |i, j| (100 * i + j) as f32);
//! let terrain = Terrain::new(lattice.whole(), 0.0, heights);
//!
//! let format = Format::from_extension("png").expect("PNG is a format");
//! let mut bytes = Vec::new();
//! format.write(&Raster::height(&terrain), &mut bytes, &WriteOptions::default())?;
//! let heightmap = read(&bytes, format, &ReadOptions::default())?;
//! assert_eq!(heightmap.spacing, [10.0, 10.0]);
//! assert!((heightmap.heights[(2, 1)] - 201.0).abs() < 0.01);
//! # Ok::<(), landform_io::Error>(())
//! ```
//!
//! | format | samples | carries its scale | read |
//! | --- | --- | --- | --- |
//! | [NPY](npy) | f32 metres | no | yes |
//! | [PNG](png) | 16-bit levels | in text chunks | yes |
//! | [RAW, R16](raw::r16) | 16-bit levels | in a [file beside it](side_file) | yes |
//! | [R32](raw::r32) | f32 metres | in a [file beside it](side_file) | yes |
//! | [TIFF](tiff) | f32 metres | with its place on the Earth | yes |
//! | [EXR](exr) | f32 metres | in attributes | yes |
//! | [ASC](asc) | metres as text | with its place on the Earth | yes |
//! | [HGT](hgt) | whole metres | by its definition | yes |
//! | [OBJ](mesh::obj), [GLB](mesh::glb), [PLY](mesh::ply) | triangles in metres | yes | no |
//! | [Zarr](store) | f32 metres, all layers, in tiles of any number | yes | by its own functions |
//! | [STL](mesh::stl), [3MF](mesh::three_mf) | closed block in millimetres | yes | no |
//!
//! A [`profile`] picks size, formats and options for a certain program, and says which numbers to type there.
//!
//! What a file does not carry is in the [`Manifest`] beside it, which readers take as a side-car. A reader tells where each
//! number came from ([`Source`]), so that a scale that was only assumed can be named to the user.
//!
//! Formats of floating-point numbers keep NaN and infinities. Levels and meshes cannot hold them and refuse,
//! naming the sample. A grid may be 1 × 1, 1 × N or N × 1, and flat, in every format.
//!
//! Readers take memory only for what the length of the file can account for, within [`Limits`].
#![forbid(unsafe_code)]

pub mod asc;
pub mod atomic;
mod blocks;
mod deflate;
mod disk;
pub mod error;
pub mod exr;
pub mod features;
pub mod format;
mod geographic;
pub mod heightmap;
pub mod hgt;
pub mod kept;
pub mod manifest;
pub mod mesh;
pub mod npy;
pub mod png;
pub mod profile;
mod projection;
pub mod raw;
pub mod regular;
pub mod side_file;
pub mod splat;
pub mod store;
pub mod tiff;
pub mod vector;
pub mod web;
pub mod zip;

pub use error::{Error, Limits, Result};
pub use format::{
    Channels, Endian, Format, Holds, ReadOptions, RowOrder, Scale, Setting, Simplify, WriteOptions,
    read,
};
pub use heightmap::{Heightmap, Levels, Raster, Source};
pub use kept::Kept;
pub use landform::{Crs, Georeference};
pub use manifest::Manifest;
pub use mesh::solid::Print;
pub use side_file::SideFile;
pub use store::Store;
