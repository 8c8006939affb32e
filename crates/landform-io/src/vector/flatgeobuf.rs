//! FlatGeobuf: objects in the coordinate system of the terrain, for geographic systems.
//!
//! One file is one layer: a header with the names and types of the columns and the EPSG code, then the features, without an index. A
//! layer of objects of one kind has one type of geometry; where kinds are mixed each object says its own. Coordinates have all their digits. Lists, such as the
//! widths of a river, are JSON.
//!
//! Points and lines have heights. Geometries of several types have none: not all readers know a mixed type with heights (GDAL does, GeoPandas does not), so
//! these are properties then, `height` or `heights`.
//!
//! It was chosen over GeoPackage because it can be written without a database, in a browser too. Source: the schema of FlatGeobuf 3.

use std::io::Write;

use landform::Polygon;

use super::flatbuffer::{Field, FlatBuffer, Reference};
use super::record::{Placed, Position, Record, Shape, Value};
use super::{Coordinates, geojson};
use crate::Result;

const MAGIC: &[u8; 8] = b"fgb\x03fgb\x01";

// Types of geometries.
const MIXED: u8 = 0;
const POINT: u8 = 1;
const LINE: u8 = 2;
const POLYGON: u8 = 3;
const LINES: u8 = 5;
const POLYGONS: u8 = 6;

// Types of columns.
const DOUBLE: u8 = 10;
const STRING: u8 = 11;
const JSON: u8 = 12;

/// A column: its name and type.
type Column = (&'static str, u8);

/// Writes records as a layer.
pub(super) fn write(
    records: &[Record],
    name: &str,
    to: &Coordinates,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    let placed: Vec<Placed> = records.iter().map(|record| record.shape.placed(to).0).collect();
    let kinds = records.iter().zip(&placed).map(|(record, placed)| kind_of(&record.shape, placed));
    let kinds: Vec<u8> = kinds.collect();
    let kind = common(&kinds);
    let flat: Vec<Record>;
    let records = if kind == MIXED {
        flat = records.iter().map(with_heights).collect();
        &flat
    } else {
        records
    };
    let columns = columns(records);
    out.write_all(MAGIC)?;
    out.write_all(&header(name, (kind, records.len()), &columns, (&placed, to)))?;
    for ((record, placed), own) in records.iter().zip(&placed).zip(kinds) {
        let own = if kind == MIXED { own } else { kind };
        let (mut buffer, root) = FlatBuffer::new();
        let fields = buffer.table(root, &[(0, Field::Child), (1, Field::Child)]);
        geometry(&mut buffer, fields[0], placed, (own, has_heights(kind)));
        buffer.vector(fields[1], 1, &properties(record, &columns, to));
        out.write_all(&buffer.finish())?;
    }
    Ok(())
}

/// Whether geometries of a layer of this type have heights.
fn has_heights(kind: u8) -> bool {
    matches!(kind, POINT | LINE | LINES)
}

/// A record with the heights of its points as a property.
fn with_heights(record: &Record) -> Record {
    let mut record = record.clone();
    match &record.shape {
        Shape::Point(point) => record.properties.push(("height", Value::Number(point[2]))),
        Shape::Line(points) => {
            let heights = points.iter().map(|point| point[2]).collect();
            record.properties.push(("heights", Value::Numbers(heights)));
        }
        Shape::Area(_) | Shape::Areas(_) => {}
    }
    record
}

fn kind_of(shape: &Shape, placed: &Placed) -> u8 {
    match (shape, placed) {
        (_, Placed::Point(_)) => POINT,
        (_, Placed::Lines(lines)) if lines.len() == 1 => LINE,
        (_, Placed::Lines(_)) => LINES,
        (Shape::Area(_), Placed::Areas(parts)) if parts.len() == 1 => POLYGON,
        (_, Placed::Areas(_)) => POLYGONS,
    }
}

/// The type that all geometries can have.
fn common(kinds: &[u8]) -> u8 {
    let all = |known: &[u8]| kinds.iter().all(|kind| known.contains(kind));
    let types: [(&[u8], u8); 5] = [
        (&[POINT], POINT),
        (&[LINE], LINE),
        (&[POLYGON], POLYGON),
        (&[LINE, LINES], LINES),
        (&[POLYGON, POLYGONS], POLYGONS),
    ];
    let found = types.into_iter().find(|(known, _)| !kinds.is_empty() && all(known));
    found.map_or(MIXED, |(_, kind)| kind)
}

/// All properties of all records, in the order in which they come. What is a number here and a list there, as the depth of lakes
/// and of rivers, is JSON.
fn columns(records: &[Record]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (name, value) in records.iter().flat_map(|record| &record.properties) {
        let kind = match value {
            Value::Text(_) | Value::Name(_) => STRING,
            Value::Number(_) => DOUBLE,
            Value::Numbers(_) | Value::Place(_) => JSON,
        };
        match columns.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if *known != kind => *known = JSON,
            Some(_) => {}
            None => columns.push((name, kind)),
        }
    }
    columns
}

fn header(
    name: &str,
    (kind, count): (u8, usize),
    columns: &[Column],
    (placed, to): (&[Placed], &Coordinates),
) -> Vec<u8> {
    let (mut buffer, root) = FlatBuffer::new();
    let bounds = bounds(placed);
    let crs = to.place().map(|place| &place.crs).filter(|crs| **crs != landform::Crs::Local);
    let mut fields = vec![(0, Field::Child)];
    fields.extend(bounds.map(|_| (1, Field::Child)));
    fields.push((2, Field::Byte(kind)));
    fields.push((3, Field::Byte(u8::from(has_heights(kind)))));
    fields.push((7, Field::Child));
    fields.push((8, Field::Long(count as u64)));
    fields.push((9, Field::Short(0)));
    fields.extend(crs.map(|_| (10, Field::Child)));
    let mut children = buffer.table(root, &fields).into_iter();
    let mut next = || children.next().expect("there is a reference for each child");
    buffer.string(next(), name);
    if let Some(bounds) = bounds {
        buffer.doubles(next(), bounds.into_iter());
    }
    for (at, (name, kind)) in buffer.tables(next(), columns.len()).into_iter().zip(columns) {
        let text = buffer.table(at, &[(0, Field::Child), (1, Field::Byte(*kind))]);
        buffer.string(text[0], name);
    }
    if let Some(crs) = crs {
        match crs.epsg() {
            Some(code) => {
                let text = buffer.table(next(), &[(0, Field::Child), (1, Field::Int(code.into()))]);
                buffer.string(text[0], "EPSG");
            }
            None => {
                let text = buffer.table(next(), &[(2, Field::Child)]);
                buffer.string(text[0], &crs.to_string());
            }
        }
    }
    buffer.finish()
}

/// Least easting and northing, and greatest; nothing if there are no points.
fn bounds(placed: &[Placed]) -> Option<[f64; 4]> {
    let mut bounds: Option<[f64; 4]> = None;
    let mut add = |east: f64, north: f64| {
        let [w, s, e, n] = bounds.unwrap_or([east, north, east, north]);
        bounds = Some([w.min(east), s.min(north), e.max(east), n.max(north)]);
    };
    for shape in placed {
        match shape {
            Placed::Point([east, north, _]) => add(*east, *north),
            Placed::Lines(lines) => {
                lines.iter().flatten().for_each(|[east, north, _]| add(*east, *north));
            }
            Placed::Areas(parts) => {
                let corners = parts.iter().flat_map(Polygon::rings).flatten();
                corners.for_each(|[east, north]| add(*east, *north));
            }
        }
    }
    bounds
}

fn geometry(
    buffer: &mut FlatBuffer,
    at: Reference,
    placed: &Placed,
    (kind, has_heights): (u8, bool),
) {
    match placed {
        Placed::Point(point) => {
            positions(buffer, at, &[std::slice::from_ref(point)], (kind, has_heights));
        }
        Placed::Lines(lines) => {
            let lines: Vec<&[Position]> = lines.iter().map(Vec::as_slice).collect();
            positions(buffer, at, &lines, (kind, has_heights));
        }
        Placed::Areas(parts) => match (kind, parts.as_slice()) {
            (POLYGON, [one]) => polygon(buffer, at, one),
            _ => {
                let list = buffer.table(at, &[(6, Field::Byte(kind)), (7, Field::Child)]);
                let tables = buffer.tables(list[0], parts.len());
                for (at, part) in tables.into_iter().zip(parts) {
                    polygon(buffer, at, part);
                }
            }
        },
    }
}

/// Lines or a point.
fn positions(
    buffer: &mut FlatBuffer,
    at: Reference,
    lines: &[&[Position]],
    (kind, has_heights): (u8, bool),
) {
    let mut fields = vec![(1, Field::Child), (6, Field::Byte(kind))];
    if has_heights {
        fields.insert(1, (2, Field::Child));
    }
    if lines.len() > 1 {
        fields.insert(0, (0, Field::Child));
    }
    let mut children = buffer.table(at, &fields);
    if lines.len() > 1 {
        ends(buffer, children.remove(0), lines.iter().map(|line| line.len()));
    }
    let points = || lines.iter().flat_map(|line| line.iter());
    buffer.doubles(children[0], points().flat_map(|[east, north, _]| [*east, *north]));
    if has_heights {
        buffer.doubles(children[1], points().map(|point| point[2]));
    }
}

/// Rings, each of which ends where it begins.
fn polygon(buffer: &mut FlatBuffer, at: Reference, part: &Polygon) {
    let fields = [(0, Field::Child), (1, Field::Child), (6, Field::Byte(POLYGON))];
    let children = buffer.table(at, &fields);
    ends(buffer, children[0], part.rings().map(|ring| ring.len() + 1));
    let corners = || part.rings().flat_map(|ring| ring.iter().chain(ring.first()));
    buffer.doubles(children[1], corners().flat_map(|corner| *corner));
}

/// How many points there are up to the end of each line or ring.
fn ends(buffer: &mut FlatBuffer, at: Reference, lengths: impl Iterator<Item = usize>) {
    let sums = lengths.scan(0_u32, |sum, length| {
        *sum += length as u32;
        Some(*sum)
    });
    let bytes: Vec<u8> = sums.flat_map(u32::to_le_bytes).collect();
    buffer.vector(at, 4, &bytes);
}

/// The values of an object, each behind the number of its column.
fn properties(record: &Record, columns: &[Column], to: &Coordinates) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in &record.properties {
        let column = columns.iter().position(|(known, _)| known == name);
        let column = column.expect("the columns are those of all records");
        let text = match (columns[column].1, value) {
            (_, Value::Name(None) | Value::Place(None)) => continue,
            (STRING, Value::Text(text) | Value::Name(Some(text))) => text.clone(),
            (DOUBLE, Value::Number(number)) => {
                bytes.extend((column as u16).to_le_bytes());
                bytes.extend(number.to_le_bytes());
                continue;
            }
            _ => geojson::json(value, to),
        };
        bytes.extend((column as u16).to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}
