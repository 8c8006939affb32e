//! Unity Terrain: a headerless RAW of 16 bits.
//!
//! The heightmap is square, 2ⁿ + 1 samples a side from 33 to 4097; byte order "Windows" is little-endian. Unity counts z to the north, so the
//! southernmost row comes first and nothing needs to be flipped. Level 65535 is the terrain's height, level 0 its position.
//!
//! Inside, Unity keeps only levels up to 32766, so one of its levels is two of the file's. Source: Unity manual, "Terrain
//! settings" and "Working with heightmaps"; `TerrainData.kMaxHeight`.

use super::{Export, Job, Target, TargetEntry, Tiles, nearest};
use crate::format::RowOrder;
use crate::splat::Packing;
use crate::{Format, Result, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "unity",
    title: "Unity Terrain",
    fit,
    tiles: TILES,
    splat: Some((
        Packing::Rgba,
        "Splat map: give TerrainData.SetAlphamaps the channels in the order above, from a script; row 0 is the north",
    )),
    has_levels: true,
    takes_print: false,
    export,
};

const SIDES: [u32; 8] = [33, 65, 129, 257, 513, 1025, 2049, 4097];

fn fit([width, height]: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    [nearest(&SIDES, width.max(height)); 2]
}

/// Unity's z goes north.
const TILES: Tiles = Tiles {
    place: |[i, j], [_, rows]| [i, rows - 1 - j],
    // Batch import of Terrain Tools reads the place of a tile from it.
    suffix: |[i, j]| format!("_{i}_{j}"),
    shares_border: true,
};

fn export(job: &Job<'_>) -> Result<Export> {
    let range = job.range();
    let [low, high] = range;
    let [width, length] = job.ground();
    let target = Target::Unity;
    if high - low > 10_000.0 {
        let relief = high - low;
        return Err(target.refuse(format!("a terrain is at most 10000 m high, this is {relief}")));
    }
    if width.max(length) > 100_000.0 {
        let reason = "a terrain is at most 100000 m wide; export tiles";
        return Err(target.refuse(reason.to_owned()));
    }
    let mut export = Export::new(target);
    let options =
        WriteOptions { range: Some(range), rows: RowOrder::SouthFirst, ..WriteOptions::default() };
    export.file(".raw", Format::R16, options);
    export.number("Depth", "Bit 16");
    export.number("Resolution", job.size()[0]);
    export.number("Byte order", "Windows");
    export.number("Flip vertically", "off");
    export.number("Terrain size X", width);
    export.number("Terrain size Z", length);
    export.number("Terrain size Y", high - low);
    export.number("Position Y", low);
    if let Some([i, j]) = job.tile {
        export.number("Position X", f64::from(i) * width);
        export.number("Position Z", f64::from(j) * length);
    }
    export.step("Select the terrain, Terrain Settings, Import Raw…, choose the file");
    export.step("Type depth, resolution, byte order and the three terrain sizes");
    export.step("Set the Transform's position, so that heights are above the same zero and tiles lie side by side");
    export.check_step(
        (high - low) / 32766.0,
        "Unity keeps 15 bits; split the terrain where the relief is lower, or smooth it there",
    );
    Ok(export)
}
