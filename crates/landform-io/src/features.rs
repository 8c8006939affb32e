//! Objects that were written as GeoJSON by [`vector::geojson`](crate::vector::geojson), read back.
//!
//! What else a collection holds is left aside: other programs may have added to it.

use landform::feature::{Earthwork, Lake, River, RiverPoint, Summit};
use landform::{Feature, Georeference, Polygon};
use serde::Deserialize as _;
use serde_json::Value;

use crate::vector::Coordinates;
use crate::{Error, Result};

/// Reads the objects of a GeoJSON feature collection as this program writes them: in metres, or in degrees with the `place` that it
/// tells.
///
/// # Errors
/// If it is no feature collection.
pub fn from_geojson(bytes: &[u8]) -> Result<Vec<Feature>> {
    let wrong = |found: String| Error::Features { found };
    let json: Value = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    let list = json.get("features").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("no list of features".to_owned()))?;
    let place = json.get("place").map(Georeference::deserialize);
    let place = place.transpose().map_err(|error| wrong(error.to_string()))?;
    let place = place.filter(Georeference::is_sound);
    let from = Coordinates::degrees(place.as_ref())?;
    Ok(list.iter().filter_map(|json| feature(json, &from)).collect())
}

fn feature(json: &Value, from: &Coordinates) -> Option<Feature> {
    let (of, shape) = (json.get("properties")?, json.get("geometry")?.get("coordinates")?);
    // What was cut at the antimeridian is whole there.
    let shape = of.get("uncut").unwrap_or(shape);
    let place = |json: &Value| place(json, from);
    let name = of.get("name")?.as_str()?.to_owned();
    Some(match of.get("kind")?.as_str()? {
        "river" => {
            let list = |key: &str| numbers(of.get(key)?);
            let (width, depth, discharge) = (list("width")?, list("depth")?, list("discharge")?);
            let point = |(k, at): (usize, &Value)| {
                let [x, z] = place(at)?;
                let bed = at.get(2)?.as_f64()?;
                let [width, depth, discharge] =
                    [*width.get(k)?, *depth.get(k)?, *discharge.get(k)?];
                Some(RiverPoint { x, z, bed, width, depth, discharge })
            };
            let points = shape.as_array()?.iter().enumerate().map(point).collect::<Option<_>>()?;
            let into = of.get("into").and_then(Value::as_str).map(str::to_owned);
            Feature::River(River { name, points, into })
        }
        "lake" => {
            let polygon = |json: &Value| polygon(json, from);
            let parts = shape.as_array()?.iter().map(polygon).collect::<Option<Vec<_>>>()?;
            let number = |key: &str| of.get(key)?.as_f64();
            Feature::Lake(Lake {
                name,
                parts,
                level: number("level")?,
                depth: number("depth")?,
                area: number("area")?,
                outlet: of.get("outlet").and_then(place),
            })
        }
        "peak" => {
            let [east, north, height] = <[f64; 3]>::try_from(numbers(shape)?).ok()?;
            let [x, z] = from.on_map([east, north]);
            let radius = of.get("radius")?.as_f64()?;
            Feature::Summit(Summit { name, x, z, height, radius })
        }
        kind @ ("road" | "place") => {
            let is_road = kind == "road";
            let outline = match is_road {
                true => shape.as_array()?.iter().map(place).collect::<Option<_>>()?,
                false => ring(shape.as_array()?.first()?, from)?,
            };
            Feature::Earthwork(Earthwork {
                name,
                outline,
                is_road,
                levels: numbers(of.get("levels")?)?,
            })
        }
        _ => return None,
    })
}

fn numbers(json: &Value) -> Option<Vec<f64>> {
    json.as_array()?.iter().map(Value::as_f64).collect()
}

/// x and z of a point.
fn place(json: &Value, from: &Coordinates) -> Option<[f64; 2]> {
    let at = numbers(json)?;
    Some(from.on_map([*at.first()?, *at.get(1)?]))
}

/// An outline and its holes.
fn polygon(json: &Value, from: &Coordinates) -> Option<Polygon> {
    let rings = json.as_array()?.iter().map(|json| ring(json, from));
    let mut rings = rings.collect::<Option<Vec<_>>>()?;
    let holes = if rings.is_empty() { return None } else { rings.split_off(1) };
    Some(Polygon { outline: rings.remove(0), holes })
}

/// A ring without the point that closes it.
fn ring(json: &Value, from: &Coordinates) -> Option<Vec<[f64; 2]>> {
    let points = json.as_array()?.iter().map(|json| place(json, from));
    let mut points: Vec<[f64; 2]> = points.collect::<Option<_>>()?;
    points.pop();
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::geojson;
    use landform::Crs;

    #[test]
    fn objects_read_back_as_they_were_written() {
        let point =
            |x: f64| RiverPoint { x, z: 8.0, bed: -1.5, width: 2.0, depth: 0.5, discharge: 3.25 };
        // On a planet outlines run against the clock and holes with it.
        let square = vec![[0.0, 1.0], [4.0, 5.0], [4.0, 1.0]];
        let hole = vec![[0.0, 1.0], [4.0, 1.0], [4.0, 5.0]];
        let features = vec![
            Feature::River(River {
                name: "the \"Long\" one".to_owned(),
                points: vec![point(1.0), point(2.5)],
                into: Some("b".to_owned()),
            }),
            Feature::Lake(Lake {
                name: "l".to_owned(),
                parts: vec![
                    Polygon { outline: square.clone(), holes: vec![hole] },
                    Polygon::of(vec![[8.0, 3.0], [9.0, 3.0], [9.0, 1.0]]),
                ],
                level: 7.0,
                depth: 2.0,
                area: 50.0,
                outlet: Some([4.0, 5.0]),
            }),
            Feature::Summit(Summit {
                name: "fold 1-2".to_owned(),
                x: 3.0,
                z: 9.0,
                height: 80.0,
                radius: 6.0,
            }),
            Feature::Earthwork(Earthwork {
                name: "p".to_owned(),
                outline: square.clone(),
                is_road: false,
                levels: vec![1.0],
            }),
            Feature::Earthwork(Earthwork {
                name: "r".to_owned(),
                outline: square,
                is_road: true,
                levels: vec![1.0, 2.0],
            }),
        ];
        let ground = [40_030_208.0, 20_015_104.0];
        let planet = Georeference::planet(ground);
        let projected = Georeference::metres(Crs::Projected(32632), [400_000.0, 5_400_000.0]);
        for place in [None, Some(&planet), Some(&projected)] {
            let to = Coordinates::degrees(place).unwrap();
            assert_eq!(from_geojson(geojson(&features, &to).as_bytes()).unwrap(), features);
            assert_eq!(from_geojson(geojson(&[], &to).as_bytes()).unwrap(), []);
        }
    }

    #[test]
    fn what_was_cut_at_the_antimeridian_reads_back_whole() {
        let ground = [40e6, 20e6];
        let point =
            |x: f64| RiverPoint { x, z: 5e6, bed: 7.0, width: 2.0, depth: 0.5, discharge: 3.25 };
        let features = vec![
            Feature::River(River {
                name: "around".to_owned(),
                points: vec![point(39e6), point(39.9e6), point(0.2e6)],
                into: None,
            }),
            Feature::Lake(Lake {
                name: "around too".to_owned(),
                parts: vec![Polygon::of(vec![
                    [39.9e6, 1e6],
                    [0.1e6, 1e6],
                    [0.1e6, 2e6],
                    [39.9e6, 2e6],
                ])],
                level: 7.0,
                depth: 2.0,
                area: 50.0,
                outlet: Some([0.1e6, 2e6]),
            }),
        ];
        let text =
            geojson(&features, &Coordinates::degrees(Some(&Georeference::planet(ground))).unwrap());
        assert!(text.contains("MultiLineString") && text.contains("MultiPolygon"), "{text}");
        assert!(text.contains("[180, 45, 7]], [[-180, 45, 7]"), "{text}");
        assert_eq!(from_geojson(text.as_bytes()).unwrap(), features);
    }

    #[test]
    fn what_is_no_collection_is_refused_and_strangers_are_left_aside() {
        assert!(from_geojson(b"").is_err() && from_geojson(b"{}").is_err());
        let stranger = br#"{"features": [{"type": "Feature"}, 7, {"properties": {"kind": "tree", "name": "t"}, "geometry": {"coordinates": []}}]}"#;
        assert_eq!(from_geojson(stranger).unwrap(), []);
    }
}
