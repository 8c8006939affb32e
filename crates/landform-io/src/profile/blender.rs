//! Blender: a mesh, and an EXR in metres for a Displace modifier.
//!
//! The image must be read as Non-Color, else heights are bent. With metres in the image, strength 1 and midlevel 0 are right.
//! Source: Blender manual, "Displace Modifier".

use super::{BY_SCRIPT, Export, Job, Target, TargetEntry, Tiles, any_shape, any_size};
use crate::splat::Packing;
use crate::{Format, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "blender",
    title: "Blender",
    fit: any_size,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((Packing::Rgba, BY_SCRIPT)),
    has_levels: false,
    takes_print: false,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

fn export(job: &Job<'_>) -> Export {
    let mut export = Export::new(Target::Blender);
    export.file(".glb", Format::Glb, WriteOptions::default());
    export.file(".exr", Format::Exr, WriteOptions::default());
    let [width, depth] = job.ground();
    export.number("Plane dimensions X", width);
    export.number("Plane dimensions Y", depth);
    export.number("Subdivisions X", job.size()[0].saturating_sub(1));
    export.number("Subdivisions Y", job.size()[1].saturating_sub(1));
    export.number("Displace Strength", 1);
    export.number("Displace Midlevel", 0);
    export.number("Color Space", "Non-Color");
    export.step("File, Import, glTF 2.0: the mesh arrives in metres, one vertex a sample");
    export.step("Or: a grid with those subdivisions, a Displace modifier with the EXR, direction Z, coordinates UV");
    if job.size()[0] as u64 * job.size()[1] as u64 > 2049 * 2049 {
        let note = "the mesh has more than 4 million vertices; the EXR is lighter to work with";
        export.warnings.push(note.to_owned());
    }
    export
}
