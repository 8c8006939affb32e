//! Terrain tiles for maps in browsers: heights in the colours of PNGs, as MapLibre and others read them.
//!
//! ```text
//! height = 256 R + G + B / 256 − 32768 metres        encoding "terrarium"
//! tile z/x/y: zoom, column from the west, row from the north, on the square map of Mercator (EPSG:3857)
//! ```
//!
//! A planet is laid on the map by longitude and latitude, and ground whose place on the Earth is known where it lies. Other ground is put where the
//! equator meets the prime meridian, where a metre of the map is a metre. The largest zoom has at least the samples of
//! the terrain; coarser ones are taken from the overviews of a [store](crate::store). Heights between samples are bilinear, and beyond the ground
//! they are 0.
//!
//! Sources: the Terrarium format of Mapzen's terrain tiles; OSGeo Tile Map Service for the numbering (rows from the north, as in XYZ);
//! PMTiles specification, version 3.

mod mercator;
mod pmtiles;
mod terrarium;

use std::path::Path;

use landform::{Watch, par};
use serde_json::json;

use crate::atomic::Bulk;
use crate::{Error, Result, Store};
use mercator::MercatorFrame;
pub use pmtiles::write as write_pmtiles;

/// Pixels along a side of a tile.
const SIDE: usize = 256;
/// Tiles that are made side by side.
const BATCH: usize = 64;

/// A tile of a zoom: column from the west, row from the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tile {
    zoom: u8,
    x: u32,
    y: u32,
}

/// Makes tiles in batches and gives each, in order, to `take`.
fn for_each(
    store: &Store,
    tiles: &[Tile],
    watch: &dyn Watch,
    mut take: impl FnMut(Tile, Vec<u8>) -> Result<()>,
) -> Result<()> {
    let place = MercatorFrame::of(store.layout());
    for (k, batch) in tiles.chunks(BATCH).enumerate() {
        watch.progress("tiles for maps", (k * BATCH) as f32 / tiles.len() as f32);
        if watch.is_cancelled() {
            return Err(landform::Cancelled.into());
        }
        let made = par::map(batch.len(), |k| terrarium::tile(store, &place, batch[k]));
        for (&tile, png) in batch.iter().zip(made) {
            take(tile, png?)?;
        }
    }
    Ok(())
}

/// Writes the tiles of a store as files `Z/X/Y.png` into `folder`, with their description, `tiles.json`. Tiles that are there
/// already are left alone, so that a run that was interrupted can go on.
///
/// # Errors
/// If the store cannot be read, a file not be written, or `watch` cancels.
pub fn write_folder(store: &Store, folder: &Path, watch: &dyn Watch) -> Result<()> {
    let place = MercatorFrame::of(store.layout());
    let path = |tile: &Tile| folder.join(format!("{}/{}/{}.png", tile.zoom, tile.x, tile.y));
    let unfinished = folder.join(".unfinished");
    let wrong = |path: &Path| {
        let path = path.display().to_string();
        move |cause| Error::Write { path, cause }
    };
    let mut files = Bulk::new(folder, &unfinished).map_err(wrong(&unfinished))?;
    let missing: Vec<Tile> =
        place.tiles().into_iter().filter(|tile| !path(tile).exists()).collect();
    let made = for_each(store, &missing, watch, |tile, png| {
        let path = path(&tile);
        files.put(&path, &png).map_err(wrong(&path))?;
        if files.is_due() { files.settle().map_err(wrong(folder)) } else { Ok(()) }
    });
    made.and(files.settle().map_err(wrong(folder)))?;
    let [west, south, east, north] = place.bounds();
    let description = json!({
        "tilejson": "3.0.0",
        "name": "terrain",
        "tiles": ["{z}/{x}/{y}.png"],
        "encoding": "terrarium",
        "tileSize": SIDE,
        "minzoom": place.least_zoom(),
        "maxzoom": place.most_zoom(),
        "bounds": [west, south, east, north],
    });
    let file = folder.join("tiles.json");
    files.put(&file, format!("{description:#}\n").as_bytes()).map_err(wrong(&file))?;
    files.settle().map_err(wrong(&file))?;
    let _ = std::fs::remove_dir_all(unfinished);
    Ok(())
}
