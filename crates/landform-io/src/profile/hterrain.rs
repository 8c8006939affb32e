//! `HTerrain` for Godot: an EXR of one channel in metres, or RAW of 16 bits.
//!
//! Square, 513, 1025, 2049 or 4097 samples a side. The EXR is in metres; the RAW needs the heights of its lowest and highest
//! level typed. Source: HTerrain documentation, "Import an existing terrain".

use super::{Export, Job, Target, TargetEntry, Tiles, any_shape, nearest};
use crate::splat::Packing;
use crate::{Format, Levels, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "hterrain",
    title: "HTerrain for Godot",
    fit,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((Packing::Rgba, "Splat map: Import maps takes it for the shader \"Classic4\"")),
    has_levels: true,
    takes_print: false,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

fn fit([width, height]: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    [nearest(&[513, 1025, 2049, 4097], width.max(height)); 2]
}

fn export(job: &Job<'_>) -> Export {
    let range = job.range();
    let mut export = Export::new(Target::Hterrain);
    export.file(".exr", Format::Exr, WriteOptions::default());
    let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
    export.file(".raw", Format::R16, options);
    export.number("Resolution", job.size()[0]);
    export.number("Min height (RAW)", range[0]);
    export.number("Max height (RAW)", range[1]);
    export.number("Bit depth (RAW)", 16);
    export.number("Raw endianness", "Little Endian");
    let [dx, dz] = job.spacing();
    export.number("Map scale X", dx);
    export.number("Map scale Z", dz);
    export.step("Terrain menu, Import maps: the EXR is in metres and needs no range");
    export.step("Set the map scale on the HTerrain node");
    export.check_step(Levels::u16(range).step(), "take the EXR");
    export
}
