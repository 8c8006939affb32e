//! Terrain3D for Godot: an RGB EXR in metres.
//!
//! Any size up to 32 × 32 regions of 2048; one spacing for both axes. Godot reads PNG as 8 bits, so never that. Heights that are not a
//! number become holes. Source: Terrain3D documentation, "Importing & Exporting Data".

use super::{Export, Job, Target, TargetEntry, Tiles};
use crate::format::Channels;
use crate::splat::Packing;
use crate::{Format, Result, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "terrain3d",
    title: "Terrain3D for Godot",
    fit: |wanted| wanted.map(|count| count.clamp(1, LARGEST)),
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((
        Packing::Control,
        "Control file: the same importer takes it; textures have the ids 0, 1, 2 … in the order above",
    )),
    takes_print: false,
    export,
};

/// 32 regions of 2048 samples.
const LARGEST: u32 = 32 * 2048;

fn export(job: &Job<'_>) -> Result<Export> {
    let target = Target::Terrain3d;
    let [dx, dz] = job.spacing();
    if dx != dz {
        return Err(target
            .refuse(format!("it has one vertex spacing, but samples are {dx} × {dz} m apart")));
    }
    let [width, height] = job.size();
    let region = (6..=11).map(|k| 1_u32 << k).find(|side| width.max(height) <= 32 * side);
    let region = region.unwrap_or(2048).max(256);
    let mut export = Export::new(target);
    let options = WriteOptions { channels: Channels::Rgb, ..WriteOptions::default() };
    export.file(format!("{}.exr", job.name), Format::Exr, options);
    export.number("Region Size", region);
    export.number("Vertex Spacing", dx);
    export.number("Import Scale", 1);
    export.number("Height Offset", 0);
    export.number("Height range", format!("{} … {} m", job.range[0], job.range[1]));
    let origin = job.terrain.extent().origin();
    export.number("Import Position", format!("{} {}", origin[0], origin[1]));
    export
        .step("Open the scene addons/terrain_3d/tools/importer.tscn and select Terrain3DImporter");
    export.step("Set the region size and vertex spacing, then the height file and run the import");
    Ok(export)
}
