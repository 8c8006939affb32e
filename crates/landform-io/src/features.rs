//! Objects that were written as GeoJSON by [`vector::geojson`](crate::vector::geojson), read back.
//!
//! What else a collection holds is left aside: other programs may have added to it.

use landform::Feature;
use landform::feature::{Lake, Place, River, RiverPoint, Summit};
use serde_json::Value;

use crate::{Error, Result};

/// Reads the objects of a GeoJSON feature collection whose coordinates are metres, as this program writes them.
///
/// # Errors
/// If it is no feature collection.
pub fn from_geojson(bytes: &[u8]) -> Result<Vec<Feature>> {
    let wrong = |found: String| Error::Features { found };
    let json: Value = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    let list = json.get("features").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("no list of features".to_owned()))?;
    Ok(list.iter().filter_map(feature).collect())
}

fn feature(json: &Value) -> Option<Feature> {
    let (of, shape) = (json.get("properties")?, json.get("geometry")?.get("coordinates")?);
    let name = of.get("name")?.as_str()?.to_owned();
    Some(match of.get("kind")?.as_str()? {
        "river" => {
            let list = |key: &str| numbers(of.get(key)?);
            let (width, depth, discharge) = (list("width")?, list("depth")?, list("discharge")?);
            let point = |(k, at): (usize, &Value)| {
                let at = numbers(at)?;
                let [x, z, bed] = [*at.first()?, -*at.get(1)?, *at.get(2)?];
                let [width, depth, discharge] =
                    [*width.get(k)?, *depth.get(k)?, *discharge.get(k)?];
                Some(RiverPoint { x, z, bed, width, depth, discharge })
            };
            let points = shape.as_array()?.iter().enumerate().map(point).collect::<Option<_>>()?;
            let into = of.get("into").and_then(Value::as_str).map(str::to_owned);
            Feature::River(River { name, points, into })
        }
        "lake" => {
            let mut rings = shape.as_array()?.iter().map(ring).collect::<Option<Vec<_>>>()?;
            let outline = if rings.is_empty() { return None } else { rings.remove(0) };
            let number = |key: &str| of.get(key)?.as_f64();
            Feature::Lake(Lake {
                name,
                outline,
                islands: rings,
                level: number("level")?,
                depth: number("depth")?,
                area: number("area")?,
                outlet: of.get("outlet").and_then(place),
            })
        }
        "peak" => {
            let [x, north, height] = <[f64; 3]>::try_from(numbers(shape)?).ok()?;
            let radius = of.get("radius")?.as_f64()?;
            Feature::Summit(Summit { name, x, z: -north, height, radius })
        }
        kind @ ("road" | "place") => {
            let is_road = kind == "road";
            let outline = match is_road {
                true => shape.as_array()?.iter().map(place).collect::<Option<_>>()?,
                false => ring(shape.as_array()?.first()?)?,
            };
            Feature::Place(Place { name, outline, is_road, levels: numbers(of.get("levels")?)? })
        }
        _ => return None,
    })
}

fn numbers(json: &Value) -> Option<Vec<f64>> {
    json.as_array()?.iter().map(Value::as_f64).collect()
}

/// x and z of a point.
fn place(json: &Value) -> Option<[f64; 2]> {
    let at = numbers(json)?;
    Some([*at.first()?, -*at.get(1)?])
}

/// A ring without the point that closes it.
fn ring(json: &Value) -> Option<Vec<[f64; 2]>> {
    let mut points: Vec<[f64; 2]> = json.as_array()?.iter().map(place).collect::<Option<_>>()?;
    points.pop();
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::geojson;

    #[test]
    fn objects_read_back_as_they_were_written() {
        let point =
            |x: f64| RiverPoint { x, z: 8.0, bed: -1.5, width: 2.0, depth: 0.5, discharge: 3.25 };
        let square = vec![[0.0, 1.0], [4.0, 1.0], [4.0, 5.0]];
        let features = vec![
            Feature::River(River {
                name: "the \"Long\" one".to_owned(),
                points: vec![point(1.0), point(2.5)],
                into: Some("b".to_owned()),
            }),
            Feature::Lake(Lake {
                name: "l".to_owned(),
                outline: square.clone(),
                islands: vec![square.clone()],
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
            Feature::Place(Place {
                name: "p".to_owned(),
                outline: square.clone(),
                is_road: false,
                levels: vec![1.0],
            }),
            Feature::Place(Place {
                name: "r".to_owned(),
                outline: square,
                is_road: true,
                levels: vec![1.0, 2.0],
            }),
        ];
        assert_eq!(from_geojson(geojson(&features).as_bytes()).unwrap(), features);
        assert_eq!(from_geojson(geojson(&[]).as_bytes()).unwrap(), []);
    }

    #[test]
    fn what_is_no_collection_is_refused_and_strangers_are_left_aside() {
        assert!(from_geojson(b"").is_err() && from_geojson(b"{}").is_err());
        let stranger = br#"{"features": [{"type": "Feature"}, 7, {"properties": {"kind": "tree", "name": "t"}, "geometry": {"coordinates": []}}]}"#;
        assert_eq!(from_geojson(stranger).unwrap(), []);
    }
}
