//! Rivers, or peaks, as a table.

use std::fmt::Write as _;

use landform::Feature;
use landform::feature::RiverPoint;

use super::{Coordinates, INFALLIBLE, number};

/// The rivers as a table: one line a point, from the source to the mouth. Where there are none, the peaks, one a line.
///
/// Places are x and z in metres on the map; where the terrain says where it lies, its coordinates, and on a planet degrees.
pub fn csv(features: &[Feature], to: &Coordinates) -> String {
    if features.iter().all(|feature| feature.as_river().is_none()) {
        return peaks_csv(features, to);
    }
    let mut text = format!("river,point,{},bed,width,depth,discharge\n", names(to));
    for river in features.iter().filter_map(Feature::as_river) {
        let name = cell(&river.name);
        for (k, point) in river.points.iter().enumerate() {
            let RiverPoint { x, z, bed, width, depth, discharge } = *point;
            let numbers = [bed, width, depth, discharge].map(number).join(",");
            writeln!(text, "{name},{k},{},{numbers}", place([x, z], to)).expect(INFALLIBLE);
        }
    }
    text
}

/// The names of the columns with the place.
fn names(to: &Coordinates) -> &'static str {
    match to.place() {
        None => "x,z",
        Some(place) if place.crs.is_degrees() => "longitude,latitude",
        Some(_) => "easting,northing",
    }
}

fn place([x, z]: [f64; 2], to: &Coordinates) -> String {
    if to.place().is_none() {
        return [x, z].map(number).join(",");
    }
    to.of_map([x, z]).map(|value| to.number(value)).join(",")
}

fn peaks_csv(features: &[Feature], to: &Coordinates) -> String {
    let mut text = format!("peak,{},height,radius\n", names(to));
    for summit in features.iter().filter_map(Feature::as_summit) {
        let numbers = [summit.height, summit.radius].map(number).join(",");
        let place = place([summit.x, summit.z], to);
        writeln!(text, "{},{place},{numbers}", cell(&summit.name)).expect(INFALLIBLE);
    }
    text
}

/// A cell of a table, quoted if it must be.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
