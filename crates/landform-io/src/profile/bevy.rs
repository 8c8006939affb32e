//! Bevy: a GLB in metres, and a 16-bit PNG under the name that `bevy_heightmap` looks for.
//!
//! Bevy has y up and metres, as glTF. `bevy_heightmap` loads `*.hmp.png` as heights of 0 … 1 on a unit square, to be scaled by the transform.

use super::{BY_SCRIPT, Export, Job, Target, TargetEntry, Tiles, any_shape, any_size};
use crate::splat::Packing;
use crate::{Format, Levels, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "bevy",
    title: "Bevy",
    fit: any_size,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((Packing::Rgba, BY_SCRIPT)),
    has_levels: true,
    takes_print: false,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

fn export(job: &Job<'_>) -> Export {
    let range = job.range();
    let mut export = Export::new(Target::Bevy);
    export.file(".glb", Format::Glb, WriteOptions::default());
    let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
    export.file(".hmp.png", Format::Png, options);
    let [width, depth] = job.ground();
    export.number("Width in metres", width);
    export.number("Depth in metres", depth);
    export.number("Height scale", range[1] - range[0]);
    export.number("Height offset", range[0]);
    export.step("asset_server.load(\"….glb#Scene0\") gives the mesh in metres");
    export.step("The PNG holds 0 … 1: scale by width, height scale and depth, then add the offset");
    export.check_step(Levels::u16(range).step(), "take the GLB");
    export
}
