//! Objects on the map: GeoJSON and FlatGeobuf for maps and geographic systems, SVG for pictures, CSV for tables.
//!
//! Coordinates are metres on the ground. In GeoJSON they are [degrees](Coordinates) of WGS 84 where the terrain says where it lies, and on a planet;
//! FlatGeobuf keeps the coordinate system of the terrain. Both have the y axis to the north; their third coordinate is the height (a property in FlatGeobuf of several kinds). SVG has it down, as on the map. All numbers are rounded to a millimetre, widths and discharges alike.
//!
//! Objects become [records](record) first, properties and a shape, which each format writes in its own way.

mod csv;
mod flatbuffer;
mod flatgeobuf;
mod geojson;
mod record;
mod svg;

use std::io::Write;

use landform::analysis::contour::Contour;
use landform::drainage::catchments::Catchment;
use landform::{Feature, Georeference};

use crate::Result;
pub use crate::geographic::Coordinates;
pub use csv::csv;
pub use geojson::{catchments_geojson, contours_geojson, geojson};
use record::Record;
pub use svg::{contours_svg, svg};

/// What an object is, as its property `kind` says.
pub fn kind(feature: &Feature) -> &'static str {
    match feature {
        Feature::River(_) => "river",
        Feature::Lake(_) => "lake",
        Feature::Summit(_) => "peak",
        Feature::Earthwork(place) if place.is_road => "road",
        Feature::Earthwork(_) => "place",
    }
}

/// Writes the objects as a FlatGeobuf layer called `name`, in the coordinates of the place.
///
/// # Errors
/// If writing fails.
pub fn flatgeobuf(
    features: &[Feature],
    name: &str,
    place: Option<&Georeference>,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    flatgeobuf::write(&Record::all(features), name, &Coordinates::of_place(place), out)
}

/// Writes contours in the same way.
///
/// # Errors
/// If writing fails.
pub fn contours_flatgeobuf(
    contours: &[Contour],
    name: &str,
    place: Option<&Georeference>,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    flatgeobuf::write(&Record::of_contours(contours), name, &Coordinates::of_place(place), out)
}

/// Writes catchments, or their parts, in the same way.
///
/// # Errors
/// If writing fails.
pub fn catchments_flatgeobuf(
    catchments: &[Catchment],
    name: &str,
    place: Option<&Georeference>,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    flatgeobuf::write(&Record::of_catchments(catchments), name, &Coordinates::of_place(place), out)
}

/// Why writing into a string cannot fail.
const INFALLIBLE: &str = "a string takes all that is written";

/// A number to the millimetre; what is no number, which no object has, as 0, since JSON has no word for it.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Adding 0 makes −0 into 0.
    if rounded.is_finite() { format!("{}", rounded + 0.0) } else { "0".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Polygon;
    use landform::feature::{Earthwork, Lake, River, RiverPoint};

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
                parts: vec![
                    Polygon {
                        outline: vec![[0.0, 0.0], [8.0, 8.0], [8.0, 0.0]],
                        holes: vec![vec![[5.0, 2.0], [6.0, 2.0], [6.0, 3.0]]],
                    },
                    Polygon::of(vec![[9.0, 0.0], [10.0, 1.0], [10.0, 0.0]]),
                ],
                level: 7.5,
                depth: 2.0,
                area: 31.5,
                outlet: None,
            }),
        ]
    }

    #[test]
    fn geojson_has_lines_with_heights_and_closed_rings() {
        let text = geojson(&features(), &Coordinates::metres());
        assert!(text.contains(r#""name": "Old \"Grey\", <river> & co", "into": "Main""#));
        assert!(text.contains(r#""width": [10, 10]"#));
        assert!(text.contains(r#""coordinates": [[0, 0, 9], [100, 0, 7.123]]"#));
        assert!(
            text.contains(r#""Polygon", "coordinates": [[[0, 0], [10, -5], [10, 0], [0, 0]]]"#)
        );
        assert!(text.contains(r#""kind": "road", "name": "road", "levels": [1, 2]"#));
        assert!(text.contains(r#""level": 7.5, "depth": 2, "area": 31.5, "outlet": null"#));
        assert!(
            text.contains(
                r#""MultiPolygon", "coordinates": [[[[0, 0], [8, -8], [8, 0], [0, 0]], [[5, -2], [6, -2], [6, -3], [5, -2]]], [[[9, 0], [10, -1], [10, 0], [9, 0]]]]"#
            )
        );
        let balance =
            |open: char, close: char| text.matches(open).count() == text.matches(close).count();
        assert!(balance('{', '}') && balance('[', ']'));
        assert!(geojson(&[], &Coordinates::metres()).contains("\"features\": []"));
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
        assert!(
            text.contains(
                r#"class="lake" d="M0 0 L8 8 L8 0 Z M5 2 L6 2 L6 3 Z M9 0 L10 1 L10 0 Z""#
            )
        );
    }

    #[test]
    fn csv_has_a_line_a_point_and_quotes_what_it_must() {
        let text = csv(&features(), &Coordinates::metres());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "river,point,x,z,bed,width,depth,discharge");
        assert_eq!(lines[2], "\"Old \"\"Grey\"\", <river> & co\",1,100,0,7.123,10,1.5,2");
        assert_eq!(lines.len(), 3);
    }
}
