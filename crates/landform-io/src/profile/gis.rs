//! Geographic information systems: GeoTIFF, and ASC where cells are square.

use super::{Export, Job, Target, TargetEntry, Tiles, any_size};
use crate::{Format, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "gis",
    title: "QGIS, GDAL and other GIS",
    fit: any_size,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: None,
    has_levels: false,
    takes_print: false,
    script: None,
    export: |job| Ok(export(job)),
};

fn export(job: &Job<'_>) -> Export {
    let mut export = Export::new(Target::Gis);
    export.file(".tif", Format::Tiff, WriteOptions::default());
    let [dx, dz] = job.spacing();
    if dx == dz {
        export.file(".asc", Format::Asc, WriteOptions::default());
    } else {
        let note =
            format!("no ASC was written: cells are {dx} × {dz} m, and it has square ones only");
        export.warnings.push(note);
    }
    let extent = job.terrain.extent();
    export.number("First sample, east", extent.x(0));
    export.number("First sample, north", 0.0 - extent.z(0));
    export.number("Cell size, east", dx);
    export.number("Cell size, north", dz);
    export.number("No data", "NaN (GeoTIFF), NODATA_value (ASC)");
    export.number("Coordinate system", "local, metres; samples are points");
    export.step("Open the GeoTIFF: all of this stands in it");
    export
}
