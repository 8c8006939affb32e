//! Flax Engine: a square RAW of 16 bits.
//!
//! A terrain is patches of 4 × 4 chunks; with chunks of 127 quads a patch has 508, so a side has 508 · patches + 1 samples. Flax counts in
//! centimetres. Source: Flax documentation, "Terrain".

use super::{BY_SCRIPT, Export, Job, Target, TargetEntry, Tiles, any_shape};
use crate::splat::Packing;
use crate::{Format, Levels, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "flax",
    title: "Flax Engine",
    fit,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((Packing::Rgba, BY_SCRIPT)),
    has_levels: true,
    takes_print: false,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

const CHUNK: u32 = 127;
const PATCH: u32 = 4 * CHUNK;

fn fit([width, height]: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    let patches = (width.max(height).saturating_sub(1) + PATCH / 2) / PATCH;
    [patches.clamp(1, 64) * PATCH + 1; 2]
}

fn export(job: &Job<'_>) -> Export {
    let range = job.range();
    let mut export = Export::new(Target::Flax);
    let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
    export.file(".raw", Format::R16, options);
    let patches = (job.size()[0] - 1) / PATCH;
    export.number("Chunk Size", CHUNK);
    export.number("Patches Count", format!("{patches} x {patches}"));
    export.number("Heightmap Scale", 100.0 * (range[1] - range[0]));
    export.number("Location Y", 100.0 * range[0]);
    let [dx, dz] = job.spacing();
    // A quad is a metre, 100 units.
    export.number("Scale X", dx);
    export.number("Scale Z", dz);
    export.step("Carve, Terrain, New terrain: type the numbers and choose the file as heightmap");
    export.check_step(Levels::u16(range).step(), "split the terrain where the relief is lower");
    export
}
