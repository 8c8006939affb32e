//! Geographic information systems: GeoTIFF of all layers, and ASC where cells are square; objects, contours and catchments as FlatGeobuf in the
//! same coordinate system, and objects as GeoJSON in degrees.

use landform::Lattice;

use super::{Export, Job, Target, TargetEntry, Tiles, any_shape, any_size};
use crate::{Crs, Format, Georeference, WriteOptions};

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
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

fn export(job: &Job<'_>) -> Export {
    let mut export = Export::new(Target::Gis);
    export.file(".tif", Format::Tiff, WriteOptions::default());
    let [dx, dz] = job.spacing();
    let size = job.size();
    match Format::Asc.check(&Lattice { size, spacing: [dx, dz] }, job.terrain.place()) {
        Ok(()) => export.file(".asc", Format::Asc, WriteOptions::default()),
        Err(error) => export.warnings.push(format!("no ASC was written: {error}")),
    }
    let extent = job.terrain.extent();
    let local = Georeference::metres(Crs::Local, [0.0; 2]);
    let place = job.terrain.place().unwrap_or(&local);
    let [east, north] = place.of_place([extent.x(0), extent.z(0)]);
    export.number("First sample, east", east);
    export.number("First sample, north", north);
    let length = |[east, north]: [f64; 2], step: f64| landform::math::length(east, north) * step;
    export.number("Cell size, east", length(place.x_axis, dx));
    export.number("Cell size, north", length(place.z_axis, dz));
    export.number("No data", "NaN (GeoTIFF), NODATA_value (ASC)");
    export.number("Coordinate system", format!("{}; samples are points", place.crs));
    export.step("Open the GeoTIFF: all of this stands in it; other layers are NAME_LAYER.tif");
    export.step("Add the objects: NAME_rivers.fgb and so on, in the same system; NAME.geojson is in degrees");
    export
}
