//! Terrains larger than memory, in a folder of many files: Zarr 3, read by xarray, Dask, GDAL and napari.
//!
//! ```text
//! big.zarr/zarr.json            the terrain: recipe, division, levels, hashes (attribute `landform`), and all below, consolidated
//! big.zarr/0/height/c/J/I       a tile of level 0: one shard of many chunks
//! big.zarr/0/x, 0/y             coordinates in metres, with the names and units of CF
//! big.zarr/1/height/c/J/I       half as many samples each way; 2, 3 … are coarser still
//! big.zarr/.checksums           what every file of samples must be
//! big.zarr/.landform            while it is being filled: a record a tile, and what stages found out about the whole ground
//! ```
//!
//! [`Builder`] fills a store, tile by tile, from one program ([`fill`]) or from many ([`write_tiles`]); whoever is interrupted
//! can go on, and the bytes are the same. [`Store`] reads windows of it.
//!
//! Written without the crate `zarrs`: what is needed of the format is a description in JSON, an index and a compressor that is here
//! already, a few hundred lines, while `zarrs` brings dozens of crates and C libraries for all that others may have
//! written. Compression is [deflate in Blosc](blosc), which also keeps the bytes the same on every machine.

mod blosc;
mod builder;
mod layout;
mod lock;
mod metadata;
#[cfg(test)]
mod power_cut;
mod read;
mod run;
mod seals;
mod shard;
mod survey;
mod tile;
mod writer;

pub use builder::Builder;
pub use layout::{Division, Layout, Level, Sharding};
pub use lock::Lock;
pub use metadata::{LayerSummary, Manifest};
pub use read::Store;
pub use run::{MEMORY, PROGRAM, Windows, fill, write_tiles};
pub use seals::{Check, Damage};
pub use survey::Survey;
