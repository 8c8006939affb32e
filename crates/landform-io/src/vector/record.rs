//! What is written about an object, whatever the format: properties, and a shape in metres on the map.

use landform::analysis::contour::Contour;
use landform::drainage::catchments::Catchment;
use landform::drainage::stream_order::stream_orders;
use landform::feature::{Earthwork, Lake, River, RiverPoint, Summit};
use landform::{Feature, Polygon};

use crate::geographic::{Coordinates, cut_line, cut_polygon, oriented};

/// An object as formats see it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Names and values, the same names for all objects of a kind.
    pub(crate) properties: Vec<(&'static str, Value)>,
    /// Where it is, in metres on the map.
    pub(crate) shape: Shape,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    /// A name, or none.
    Name(Option<String>),
    Number(f64),
    Numbers(Vec<f64>),
    /// A place on the map, or none.
    Place(Option<[f64; 2]>),
}

/// x, z and height of a point, in metres; or east, north and height in the coordinates of a file.
pub(crate) type Position = [f64; 3];

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Point(Position),
    Line(Vec<Position>),
    /// One area.
    Area(Polygon),
    /// Any number of areas.
    Areas(Vec<Polygon>),
}

/// A shape in the coordinates of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Placed {
    Point(Position),
    Lines(Vec<Vec<Position>>),
    Areas(Vec<Polygon>),
}

impl Shape {
    /// The shape in the coordinates of a file, and as it was before it was cut at the antimeridian, if it was.
    pub(crate) fn placed(&self, to: &Coordinates) -> (Placed, Option<Placed>) {
        let position = |&[x, z, height]: &Position| {
            let [east, north] = to.of_map([x, z]);
            [east, north, height]
        };
        match self {
            Self::Point(point) => (Placed::Point(position(point)), None),
            Self::Line(points) => {
                let whole: Vec<Position> = points.iter().map(position).collect();
                let pieces = if to.is_degrees() { cut_line(&whole) } else { Vec::new() };
                if pieces.len() < 2 {
                    return (Placed::Lines(vec![whole]), None);
                }
                (Placed::Lines(pieces), Some(Placed::Lines(vec![whole])))
            }
            Self::Area(part) => placed_areas(std::slice::from_ref(part), to),
            Self::Areas(parts) => placed_areas(parts, to),
        }
    }
}

fn placed_areas(parts: &[Polygon], to: &Coordinates) -> (Placed, Option<Placed>) {
    let place = |part: &Polygon| {
        let mut part = part.clone();
        part.rings_mut().flatten().for_each(|point| *point = to.of_map(*point));
        part
    };
    let whole: Vec<Polygon> = parts.iter().map(place).collect();
    if !to.is_degrees() {
        return (Placed::Areas(whole.into_iter().map(oriented).collect()), None);
    }
    let cut: Vec<Polygon> = whole.iter().flat_map(cut_polygon).collect();
    let uncut = (cut.len() > whole.len()).then_some(Placed::Areas(whole));
    (Placed::Areas(cut), uncut)
}

impl Record {
    /// The records of objects.
    pub(crate) fn all(features: &[Feature]) -> Vec<Self> {
        let rivers: Vec<&River> = features.iter().filter_map(Feature::as_river).collect();
        let mut orders = stream_orders(&rivers).into_iter();
        let record = |feature: &Feature| {
            let mut record = Self::of(feature);
            if let Some(orders) = feature.as_river().and_then(|_| orders.next()) {
                let number = |order: &u8| f64::from(*order);
                let highest = orders.iter().max().map_or(1.0, number);
                let orders = orders.iter().map(number).collect();
                record.properties.push(("order", Value::Number(highest)));
                record.properties.push(("orders", Value::Numbers(orders)));
            }
            record
        };
        features.iter().map(record).collect()
    }

    fn of(feature: &Feature) -> Self {
        match feature {
            Feature::River(river) => of_river(river),
            Feature::Earthwork(place) => of_place(place),
            Feature::Summit(summit) => of_summit(summit),
            Feature::Lake(lake) => of_lake(lake),
        }
    }

    /// The records of catchments, or of their parts.
    pub(crate) fn of_catchments(catchments: &[Catchment]) -> Vec<Self> {
        catchments.iter().map(of_catchment).collect()
    }

    /// The records of all lines of contours.
    pub(crate) fn of_contours(contours: &[Contour]) -> Vec<Self> {
        let line = |contour: &Contour| {
            let level = contour.level;
            let record = |found: &landform::analysis::contour::Line| {
                let closing = found.points.first().filter(|_| found.is_closed);
                let points = found.points.iter().chain(closing).map(|&[x, z]| [x, z, level]);
                Self {
                    properties: vec![
                        ("kind", Value::Text("contour".to_owned())),
                        ("level", Value::Number(level)),
                    ],
                    shape: Shape::Line(points.collect()),
                }
            };
            contour.lines.iter().map(record).collect::<Vec<_>>()
        };
        contours.iter().flat_map(line).collect()
    }
}

fn head(kind: &str, name: &str) -> Vec<(&'static str, Value)> {
    vec![("kind", Value::Text(kind.to_owned())), ("name", Value::Text(name.to_owned()))]
}

fn of_river(river: &River) -> Record {
    let mut properties = head("river", &river.name);
    let mut add = |key: &'static str, value: fn(&RiverPoint) -> f64| {
        properties.push((key, Value::Numbers(river.points.iter().map(value).collect())));
    };
    add("width", |point| point.width);
    add("depth", |point| point.depth);
    add("discharge", |point| point.discharge);
    properties.insert(2, ("into", Value::Name(river.into.clone())));
    let points = river.points.iter().map(|point| [point.x, point.z, point.bed]).collect();
    Record { properties, shape: Shape::Line(points) }
}

fn of_place(place: &Earthwork) -> Record {
    let mut properties = head(if place.is_road { "road" } else { "place" }, &place.name);
    properties.push(("levels", Value::Numbers(place.levels.clone())));
    let shape = match place.is_road {
        true => Shape::Line(road(place)),
        false => Shape::Area(Polygon::of(place.outline.clone())),
    };
    Record { properties, shape }
}

/// The points of a road with their heights: as given, or rising evenly from end to end.
fn road(place: &Earthwork) -> Vec<Position> {
    let (points, levels) = (&place.outline, &place.levels);
    let step = |k: usize| match k {
        0 => 0.0,
        k => {
            let [a, b] = [points[k - 1], points[k]];
            landform::math::length(b[0] - a[0], b[1] - a[1])
        }
    };
    let length: f64 = (0..points.len()).map(step).sum();
    let mut way = 0.0;
    let mut height = |k: usize| {
        way += step(k);
        let [first, last] = [levels.first(), levels.last()].map(|end| end.copied().unwrap_or(0.0));
        match levels.get(k).filter(|_| levels.len() == points.len()) {
            Some(level) => *level,
            None => {
                landform::math::lerp(first, last, if length > 0.0 { way / length } else { 0.0 })
            }
        }
    };
    points.iter().enumerate().map(|(k, &[x, z])| [x, z, height(k)]).collect()
}

fn of_summit(summit: &Summit) -> Record {
    let mut properties = head("peak", &summit.name);
    properties.push(("radius", Value::Number(summit.radius)));
    Record { properties, shape: Shape::Point([summit.x, summit.z, summit.height]) }
}

fn of_lake(lake: &Lake) -> Record {
    let mut properties = head("lake", &lake.name);
    properties.extend([
        ("level", Value::Number(lake.level)),
        ("depth", Value::Number(lake.depth)),
        ("area", Value::Number(lake.area)),
        ("outlet", Value::Place(lake.outlet)),
    ]);
    Record { properties, shape: Shape::Areas(lake.parts.clone()) }
}

fn of_catchment(catchment: &Catchment) -> Record {
    let is_part = catchment.within.is_some();
    let mut properties = head(if is_part { "subcatchment" } else { "catchment" }, &catchment.name);
    if is_part {
        properties.extend([
            ("within", Value::Name(catchment.within.clone())),
            ("into", Value::Name(catchment.into.clone())),
        ]);
    } else {
        properties.push(("river", Value::Name(catchment.river.clone())));
    }
    properties.extend([
        ("order", Value::Number(catchment.order.into())),
        ("area", Value::Number(catchment.area)),
        ("drained", Value::Number(catchment.drained)),
        ("length", Value::Number(catchment.length)),
        ("mouth", Value::Place(Some(catchment.mouth))),
    ]);
    Record { properties, shape: Shape::Areas(catchment.parts.clone()) }
}
