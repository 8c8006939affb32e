//! GeoJSON (RFC 7946): records as features of a collection.

use std::fmt::Write as _;

use landform::analysis::contour::Contour;
use landform::drainage::catchments::Catchment;
use landform::{Feature, Polygon};

use super::record::{Placed, Position, Record, Shape, Value};
use super::{Coordinates, INFALLIBLE, number};

/// The objects as a GeoJSON feature collection: rivers and roads as lines, places and lakes as polygons, peaks as points.
///
/// The properties of a river are its name, the river that it flows `into`, lists of `width`, `depth` and
/// `discharge`, one number a point, its `order` by Strahler at the mouth, and the `orders` of its points; of a place, its name and its `levels`; of a lake, its name, `level`, `depth`, `area` and `outlet`, which is null
/// for a lake without one.
///
/// Metres, unlike degrees, are no coordinates that RFC 7946 knows: a reader must be told. In degrees the collection tells the
/// `place`, by which they become metres on the map again; what crosses the antimeridian is cut there, and has its coordinates as they were before as
/// `uncut`.
pub fn geojson(features: &[Feature], coordinates: &Coordinates) -> String {
    collection(&Record::all(features), coordinates, Cut::Remembered)
}

/// Contours as a GeoJSON feature collection: a line string each, with its `level`, at that height.
pub fn contours_geojson(contours: &[Contour], coordinates: &Coordinates) -> String {
    collection(&Record::of_contours(contours), coordinates, Cut::Forgotten)
}

/// Catchments, or their parts, as a GeoJSON feature collection.
pub fn catchments_geojson(catchments: &[Catchment], coordinates: &Coordinates) -> String {
    collection(&Record::of_catchments(catchments), coordinates, Cut::Forgotten)
}

/// Whether a shape that is cut at the antimeridian is also written as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Remembered,
    Forgotten,
}

fn collection(records: &[Record], to: &Coordinates, cut: Cut) -> String {
    let mut text =
        format!("{{\n  \"type\": \"FeatureCollection\",\n{}  \"features\": [", to.member());
    for (index, record) in records.iter().enumerate() {
        text.push_str(if index == 0 { "\n    " } else { ",\n    " });
        let (placed, uncut) = record.shape.placed(to);
        let mut properties: Vec<String> =
            record.properties.iter().map(|(key, value)| property(key, value, to)).collect();
        if let Some(uncut) = uncut.filter(|_| cut == Cut::Remembered) {
            properties.push(format!(r#""uncut": {}"#, geometry(&record.shape, &uncut, to).1));
        }
        let properties = properties.join(", ");
        let (kind, coordinates) = geometry(&record.shape, &placed, to);
        write!(
            text,
            r#"{{"type": "Feature", "properties": {{{properties}}}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}"#
        )
        .expect(INFALLIBLE);
    }
    text.push_str(if records.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
    text
}

fn property(key: &str, value: &Value, to: &Coordinates) -> String {
    format!(r#""{key}": {}"#, json(value, to))
}

/// A value as JSON; a place in coordinates of the file.
pub(super) fn json(value: &Value, to: &Coordinates) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Name(name) => name.as_deref().map_or_else(|| "null".to_owned(), quoted),
        Value::Number(value) => number(*value),
        Value::Numbers(numbers) => format!("[{}]", list(numbers.iter().map(|n| number(*n)))),
        Value::Place(None) => "null".to_owned(),
        Value::Place(Some(place)) => {
            let [east, north] = to.of_map(*place).map(|value| to.number(value));
            format!("[{east}, {north}]")
        }
    }
}

/// The type of a shape that has been placed, and its coordinates.
fn geometry(shape: &Shape, placed: &Placed, to: &Coordinates) -> (&'static str, String) {
    let position = |&[east, north, height]: &Position| {
        format!("[{}, {}, {}]", to.number(east), to.number(north), number(height))
    };
    let line = |points: &Vec<Position>| format!("[{}]", list(points.iter().map(position)));
    let corner = |&[east, north]: &[f64; 2]| format!("[{}, {}]", to.number(east), to.number(north));
    // A ring ends where it begins.
    let ring =
        |ring: &Vec<[f64; 2]>| format!("[{}]", list(ring.iter().chain(ring.first()).map(corner)));
    let polygon = |part: &Polygon| format!("[{}]", list(part.rings().map(ring)));
    match placed {
        Placed::Point(point) => ("Point", position(point)),
        Placed::Lines(lines) => match lines.as_slice() {
            [one] => ("LineString", line(one)),
            many => ("MultiLineString", format!("[{}]", list(many.iter().map(line)))),
        },
        Placed::Areas(parts) => match (shape, parts.as_slice()) {
            (Shape::Area(_), [one]) => ("Polygon", polygon(one)),
            (_, many) => ("MultiPolygon", format!("[{}]", list(many.iter().map(polygon)))),
        },
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            letter if letter < ' ' => {
                write!(quoted, "\\u{:04x}", letter as u32).expect(INFALLIBLE);
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
