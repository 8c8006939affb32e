//! Objects on the map as text: GeoJSON for maps and geographic systems, SVG for pictures, CSV for tables.
//!
//! Coordinates are metres on the ground; in GeoJSON of a planet, [degrees](Coordinates). GeoJSON has the y axis to the north, so z becomes −z; its third coordinate is the
//! height. SVG has it down, as on the map. All numbers are rounded to a millimetre, widths and discharges alike.

use std::fmt::Write as _;

use landform::Feature;
use landform::analysis::contour::Contour;
use landform::feature::{Earthwork, Lake, River, RiverPoint, Summit};

use crate::geographic::{cut_line, cut_polygon};

pub use crate::geographic::Coordinates;

/// Why writing into a string cannot fail.
const INFALLIBLE: &str = "a string takes all that is written";

/// The objects as a GeoJSON feature collection: rivers and roads as lines, places and lakes as polygons, peaks as points.
///
/// The properties of a river are its name, the river that it flows `into`, and lists of `width`, `depth` and
/// `discharge`, one number a point; of a place, its name and its `levels`; of a lake, its name, `level`, `depth`, `area` and `outlet`, which is null
/// for a lake without one.
///
/// Metres, unlike degrees, are no coordinates that RFC 7946 knows: a reader must be told. In degrees the collection tells the
/// `ground`, the width and depth of the map in metres; what crosses the antimeridian is cut there, and has its coordinates as they were before as
/// `uncut`.
pub fn geojson(features: &[Feature], coordinates: Coordinates) -> String {
    let mut text = head(coordinates);
    for (index, feature) in features.iter().enumerate() {
        text.push_str(if index == 0 { "\n    " } else { ",\n    " });
        let (properties, shape) = match feature {
            Feature::River(river) => river_geojson(river, coordinates),
            Feature::Earthwork(place) => place_geojson(place, coordinates),
            Feature::Summit(summit) => summit_geojson(summit, coordinates),
            Feature::Lake(lake) => lake_geojson(lake, coordinates),
        };
        let Shape { kind, coordinates, uncut } = shape;
        let uncut = uncut.map(|uncut| format!(r#", "uncut": {uncut}"#)).unwrap_or_default();
        write!(
            text,
            r#"{{"type": "Feature", "properties": {{{properties}{uncut}}}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}"#
        )
        .expect(INFALLIBLE);
    }
    text.push_str(if features.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
    text
}

/// The beginning of a collection.
fn head(coordinates: Coordinates) -> String {
    let ground = match coordinates {
        Coordinates::Metres => String::new(),
        Coordinates::Degrees { ground: [width, depth] } => {
            format!("  \"ground\": [{width}, {depth}],\n")
        }
    };
    format!("{{\n  \"type\": \"FeatureCollection\",\n{ground}  \"features\": [")
}

/// A geometry.
struct Shape {
    kind: &'static str,
    coordinates: String,
    /// The coordinates before it was cut, if it was.
    uncut: Option<String>,
}

/// Places on the map with heights as a line.
fn line(points: &[[f64; 3]], has_heights: bool, to: Coordinates) -> Shape {
    let position = |&[east, north, height]: &[f64; 3]| {
        let (east, north) = (to.number(east), to.number(north));
        match has_heights {
            true => format!("[{east}, {north}, {}]", number(height)),
            false => format!("[{east}, {north}]"),
        }
    };
    let whole = |points: &[[f64; 3]]| format!("[{}]", list(points.iter().map(position)));
    let placed: Vec<[f64; 3]> = points
        .iter()
        .map(|&[x, z, height]| {
            let [east, north] = to.of_place([x, z]);
            [east, north, height]
        })
        .collect();
    let pieces = match to {
        Coordinates::Metres => Vec::new(),
        Coordinates::Degrees { .. } => cut_line(&placed),
    };
    if pieces.len() < 2 {
        return Shape { kind: "LineString", coordinates: whole(&placed), uncut: None };
    }
    let coordinates = format!("[{}]", list(pieces.iter().map(|piece| whole(piece))));
    Shape { kind: "MultiLineString", coordinates, uncut: Some(whole(&placed)) }
}

/// Rings of places on the map, the outline first, as a polygon.
fn polygon(rings: &[&Vec<[f64; 2]>], to: Coordinates) -> Shape {
    let position =
        |&[east, north]: &[f64; 2]| format!("[{}, {}]", to.number(east), to.number(north));
    // A ring ends where it begins.
    let ring =
        |ring: &Vec<[f64; 2]>| format!("[{}]", list(ring.iter().chain(ring.first()).map(position)));
    let whole = |rings: &[Vec<[f64; 2]>]| format!("[{}]", list(rings.iter().map(ring)));
    let place = |ring: &&Vec<[f64; 2]>| ring.iter().map(|&at| to.of_place(at)).collect();
    let placed: Vec<Vec<[f64; 2]>> = rings.iter().map(place).collect();
    let mut parts = match to {
        Coordinates::Metres => Vec::new(),
        Coordinates::Degrees { .. } => cut_polygon(&placed),
    };
    if parts.len() < 2 {
        let placed = parts.pop().unwrap_or(placed);
        return Shape { kind: "Polygon", coordinates: whole(&placed), uncut: None };
    }
    let coordinates = format!("[{}]", list(parts.iter().map(|part| whole(part))));
    Shape { kind: "MultiPolygon", coordinates, uncut: Some(whole(&placed)) }
}

fn river_geojson(river: &River, to: Coordinates) -> (String, Shape) {
    let name = quoted(&river.name);
    let into = river.into.as_deref().map_or_else(|| "null".to_owned(), quoted);
    let mut text = format!(r#""kind": "river", "name": {name}, "into": {into}"#);
    let mut add = |key: &str, value: &dyn Fn(&RiverPoint) -> f64| {
        let numbers = list(river.points.iter().map(|point| number(value(point))));
        write!(text, r#", "{key}": [{numbers}]"#).expect(INFALLIBLE);
    };
    add("width", &|point| point.width);
    add("depth", &|point| point.depth);
    add("discharge", &|point| point.discharge);
    let points: Vec<_> = river.points.iter().map(|point| [point.x, point.z, point.bed]).collect();
    (text, line(&points, true, to))
}

fn place_geojson(place: &Earthwork, to: Coordinates) -> (String, Shape) {
    let name = quoted(&place.name);
    let kind = if place.is_road { "road" } else { "place" };
    let levels = list(place.levels.iter().map(|level| number(*level)));
    let text = format!(r#""kind": "{kind}", "name": {name}, "levels": [{levels}]"#);
    let points: Vec<_> = place.outline.iter().map(|&[x, z]| [x, z, 0.0]).collect();
    let shape = match place.is_road {
        true => line(&points, false, to),
        false => polygon(&[&place.outline], to),
    };
    (text, shape)
}

fn summit_geojson(summit: &Summit, to: Coordinates) -> (String, Shape) {
    let name = quoted(&summit.name);
    let [east, north] = to.of_place([summit.x, summit.z]).map(|value| to.number(value));
    let [height, radius] = [summit.height, summit.radius].map(number);
    let coordinates = format!("[{east}, {north}, {height}]");
    let text = format!(r#""kind": "peak", "name": {name}, "radius": {radius}"#);
    (text, Shape { kind: "Point", coordinates, uncut: None })
}

fn lake_geojson(lake: &Lake, to: Coordinates) -> (String, Shape) {
    let name = quoted(&lake.name);
    let point = |&at: &[f64; 2]| {
        let [east, north] = to.of_place(at).map(|value| to.number(value));
        format!("[{east}, {north}]")
    };
    let outlet = lake.outlet.as_ref().map_or_else(|| "null".to_owned(), point);
    let [level, depth, area] = [lake.level, lake.depth, lake.area].map(number);
    let text = format!(
        r#""kind": "lake", "name": {name}, "level": {level}, "depth": {depth}, "area": {area}, "outlet": {outlet}"#
    );
    let rings: Vec<_> = std::iter::once(&lake.outline).chain(&lake.islands).collect();
    (text, polygon(&rings, to))
}

/// The objects as an SVG picture of a ground of `width` × `depth` metres: rivers as wide as they are.
pub fn svg(features: &[Feature], [width, depth]: [f64; 2]) -> String {
    let (width, depth) = (number(width.max(1.0)), number(depth.max(1.0)));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {depth}\">\n\
         <style>.river {{ fill: #3a78b5 }} .place {{ fill: #c9b28a; fill-opacity: 0.7 }} \
         .lake {{ fill: #3a78b5; fill-rule: evenodd }} \
         .road {{ fill: none; stroke: #8a7550; stroke-width: 8 }} .peak {{ fill: #7a4a2a; fill-opacity: 0.15 }}</style>\n"
    );
    for feature in features {
        let (class, name, path) = match feature {
            Feature::River(river) => ("river", &river.name, closed(&banks(river))),
            Feature::Earthwork(place) if place.is_road => {
                ("road", &place.name, open(&place.outline))
            }
            Feature::Earthwork(place) => ("place", &place.name, closed(&place.outline)),
            Feature::Summit(summit) => {
                let [z, r] = [summit.z, summit.radius].map(number);
                let right = number(summit.x + summit.radius);
                let left = number(summit.x - summit.radius);
                let path =
                    format!("M{right} {z} A{r} {r} 0 0 1 {left} {z} A{r} {r} 0 0 1 {right} {z} Z");
                ("peak", &summit.name, path)
            }
            Feature::Lake(lake) => {
                let rings = std::iter::once(&lake.outline).chain(&lake.islands);
                let rings: Vec<String> = rings.map(|ring| closed(ring)).collect();
                ("lake", &lake.name, rings.join(" "))
            }
        };
        let name = escaped(name);
        writeln!(text, r#"<path class="{class}" d="{path}"><title>{name}</title></path>"#)
            .expect(INFALLIBLE);
    }
    text.push_str("</svg>\n");
    text
}

/// The rivers as a table: one line a point, from the source to the mouth. Where there are none, the peaks, one a line.
pub fn csv(features: &[Feature]) -> String {
    if features.iter().all(|feature| feature.as_river().is_none()) {
        return peaks_csv(features);
    }
    let mut text = String::from("river,point,x,z,bed,width,depth,discharge\n");
    for river in features.iter().filter_map(Feature::as_river) {
        let name = cell(&river.name);
        for (k, point) in river.points.iter().enumerate() {
            let RiverPoint { x, z, bed, width, depth, discharge } = *point;
            let numbers = [x, z, bed, width, depth, discharge].map(number).join(",");
            writeln!(text, "{name},{k},{numbers}").expect(INFALLIBLE);
        }
    }
    text
}

fn peaks_csv(features: &[Feature]) -> String {
    let mut text = String::from("peak,x,z,height,radius\n");
    for summit in features.iter().filter_map(Feature::as_summit) {
        let numbers = [summit.x, summit.z, summit.height, summit.radius].map(number).join(",");
        writeln!(text, "{},{numbers}", cell(&summit.name)).expect(INFALLIBLE);
    }
    text
}

/// Contours as a GeoJSON feature collection: a line string each, with its `level`, at that height.
pub fn contours_geojson(contours: &[Contour], coordinates: Coordinates) -> String {
    let mut text = head(coordinates);
    let mut separator = "\n    ";
    for contour in contours {
        let level = number(contour.level);
        for found in &contour.lines {
            let closing = found.points.first().filter(|_| found.is_closed);
            let points = found.points.iter().chain(closing);
            let points: Vec<_> = points.map(|&[x, z]| [x, z, contour.level]).collect();
            let Shape { kind, coordinates, .. } = line(&points, true, coordinates);
            write!(
                text,
                r#"{separator}{{"type": "Feature", "properties": {{"kind": "contour", "level": {level}}}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}"#
            )
            .expect(INFALLIBLE);
            separator = ",\n    ";
        }
    }
    text.push_str("\n  ]\n}\n");
    text
}

/// Contours as an SVG picture of a ground of `width` × `depth` metres; every fifth is an index contour.
pub fn contours_svg(contours: &[Contour], interval: f64, [width, depth]: [f64; 2]) -> String {
    let (width, depth) = (width.max(1.0), depth.max(1.0));
    let thin = number(width.max(depth) / 2000.0);
    let thick = number(width.max(depth) / 900.0);
    let (width, depth) = (number(width), number(depth));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {depth}\">\n\
         <style>path {{ fill: none; stroke: #7a5230; stroke-width: {thin} }} \
         .index {{ stroke-width: {thick} }}</style>\n"
    );
    for contour in contours {
        let is_index = interval > 0.0 && (contour.level / interval).round().rem_euclid(5.0) == 0.0;
        let class = if is_index { r#" class="index""# } else { "" };
        let path = contour.lines.iter().map(|line| match line.is_closed {
            true => closed(&line.points),
            false => open(&line.points),
        });
        let path = path.collect::<Vec<_>>().join(" ");
        let level = number(contour.level);
        writeln!(text, r#"<path{class} d="{path}"><title>{level} m</title></path>"#)
            .expect(INFALLIBLE);
    }
    text.push_str("</svg>\n");
    text
}

/// The line along the left bank and back along the right one.
fn banks(river: &River) -> Vec<[f64; 2]> {
    let points = &river.points;
    let bank = |k: usize, side: f64| {
        let (a, b) = (&points[k.saturating_sub(1)], &points[(k + 1).min(points.len() - 1)]);
        let (dx, dz) = (b.x - a.x, b.z - a.z);
        let length = (dx * dx + dz * dz).sqrt();
        let half = if length > 0.0 { 0.5 * side * points[k].width / length } else { 0.0 };
        [points[k].x - half * dz, points[k].z + half * dx]
    };
    let left = (0..points.len()).map(|k| bank(k, -1.0));
    left.chain((0..points.len()).rev().map(|k| bank(k, 1.0))).collect()
}

fn open(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (k, [x, z]) in points.iter().enumerate() {
        let letter = if k == 0 { "M" } else { " L" };
        write!(path, "{letter}{} {}", number(*x), number(*z)).expect(INFALLIBLE);
    }
    path
}

fn closed(points: &[[f64; 2]]) -> String {
    open(points) + " Z"
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// A number to the millimetre; what is no number, which no object has, as 0, since JSON has no word for it.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Adding 0 makes −0 into 0.
    if rounded.is_finite() { format!("{}", rounded + 0.0) } else { "0".to_owned() }
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

/// Text inside of XML. Control characters, which XML cannot hold, become spaces.
fn escaped(text: &str) -> String {
    let one = |letter: char| match letter {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        letter if letter.is_control() => " ".to_owned(),
        letter => letter.to_string(),
    };
    text.chars().map(one).collect()
}

/// A cell of a table, quoted if it must be.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Vec<Feature> {
        let point = |x, z, bed| RiverPoint { x, z, bed, width: 10.0, depth: 1.5, discharge: 2.0 };
        vec![
            Feature::River(River {
                name: "Old \"Grey\", <river> & co".to_owned(),
                points: vec![point(0.0, 0.0, 9.0), point(100.0, 0.0, 7.12345)],
                into: Some("Main".to_owned()),
            }),
            Feature::Earthwork(Earthwork {
                name: "town".to_owned(),
                outline: vec![[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]],
                is_road: false,
                levels: vec![42.0],
            }),
            Feature::Earthwork(Earthwork {
                name: "road".to_owned(),
                outline: vec![[0.0, 0.0], [10.0, 20.0]],
                is_road: true,
                levels: vec![1.0, 2.0],
            }),
            Feature::Lake(Lake {
                name: "lake".to_owned(),
                outline: vec![[0.0, 0.0], [8.0, 0.0], [8.0, 8.0]],
                islands: vec![vec![[5.0, 2.0], [6.0, 2.0], [6.0, 3.0]]],
                level: 7.5,
                depth: 2.0,
                area: 31.5,
                outlet: None,
            }),
        ]
    }

    #[test]
    fn geojson_has_lines_with_heights_and_closed_rings() {
        let text = geojson(&features(), Coordinates::Metres);
        assert!(text.contains(r#""name": "Old \"Grey\", <river> & co", "into": "Main""#));
        assert!(text.contains(r#""width": [10, 10]"#));
        assert!(text.contains(r#""coordinates": [[0, 0, 9], [100, 0, 7.123]]"#));
        assert!(text.contains(r#""coordinates": [[[0, 0], [10, 0], [10, -5], [0, 0]]]"#));
        assert!(text.contains(r#""kind": "road", "name": "road", "levels": [1, 2]"#));
        assert!(text.contains(r#""level": 7.5, "depth": 2, "area": 31.5, "outlet": null"#));
        assert!(
            text.contains(
                "[[[0, 0], [8, 0], [8, -8], [0, 0]], [[5, -2], [6, -2], [6, -3], [5, -2]]]"
            )
        );
        let balance =
            |open: char, close: char| text.matches(open).count() == text.matches(close).count();
        assert!(balance('{', '}') && balance('[', ']'));
        assert!(geojson(&[], Coordinates::Metres).contains("\"features\": []"));
    }

    #[test]
    fn svg_draws_rivers_as_wide_as_they_are() {
        let text = svg(&features(), [200.0, 100.0]);
        assert!(text.contains("viewBox=\"0 0 200 100\""));
        assert!(
            text.contains("M0 5 L100 5 L100 -5 L0 -5 Z")
                || text.contains("M0 -5 L100 -5 L100 5 L0 5 Z")
        );
        assert!(text.contains("&lt;river&gt; &amp; co"));
        assert!(text.contains(r#"class="lake" d="M0 0 L8 0 L8 8 Z M5 2 L6 2 L6 3 Z""#));
    }

    #[test]
    fn csv_has_a_line_a_point_and_quotes_what_it_must() {
        let text = csv(&features());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "river,point,x,z,bed,width,depth,discharge");
        assert_eq!(lines[2], "\"Old \"\"Grey\"\", <river> & co\",1,100,0,7.123,10,1.5,2");
        assert_eq!(lines.len(), 3);
    }
}
