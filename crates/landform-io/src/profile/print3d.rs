//! 3-D printing: a closed block as STL, and as 3MF, which knows its unit.

use super::{Export, Job, Target, TargetEntry, Tiles, any_shape};
use crate::{Format, Print, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "print3d",
    title: "3-D printer",
    fit: |wanted, _| wanted.map(|count| count.max(2)),
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: None,
    has_levels: false,
    takes_print: true,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

fn export(job: &Job<'_>) -> Export {
    let mut export = Export::new(Target::Print3d);
    // Tiles stand on one floor, so that they meet where they are put together.
    let lowest = job.tile.map(|_| job.range[0]);
    let print = Print { lowest, ..job.print };
    let options = WriteOptions { print, ..WriteOptions::default() };
    export.file(".stl", Format::Stl, options);
    export.file(".3mf", Format::ThreeMf, options);
    let [width, depth] = job.ground();
    let scale = job.print.width_mm / width.max(depth);
    let (low, high) = job.terrain.height().range();
    let relief = (f64::from(high) - lowest.unwrap_or(low.into())) * scale * job.print.exaggeration;
    export.number("Unit", "millimetre");
    export.number("Width", width * scale);
    export.number("Depth", depth * scale);
    export.number("Height", job.print.base_mm + relief);
    export.number("Base", job.print.base_mm);
    export.number("Exaggeration", job.print.exaggeration);
    export.number("Scale", format!("1 : {:.0}", 1000.0 / scale));
    export.step(
        "Open either file in the slicer; if it asks for the unit of the STL, it is millimetres",
    );
    if relief < 1.0 {
        export.warnings.push(format!(
            "the relief is {relief:.2} mm, a few layers only: raise the exaggeration"
        ));
    }
    export
}
