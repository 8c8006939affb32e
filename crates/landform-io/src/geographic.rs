//! Objects in the coordinates of a file. Degrees: longitude and latitude, cut at the antimeridian as RFC 7946 wants it (section 3.1.9).

use landform::polygon::{Polygon, Side, area};
use landform::{Crs, Georeference};

use crate::Result;
use crate::projection::Projection;

/// How places on the map become coordinates of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    place: Option<Georeference>,
    /// From the coordinates of the place to degrees; nothing where they stay as they are.
    projection: Option<Projection>,
}

impl Coordinates {
    /// Those of the place itself; metres to the east and to the north where there is none.
    pub fn of_place(place: Option<&Georeference>) -> Self {
        Self { place: place.cloned(), projection: None }
    }

    /// Degrees of longitude and latitude in WGS 84, as GeoJSON wants them; metres where nobody said where the terrain lies.
    ///
    /// # Errors
    /// If it lies in a system that cannot be turned into degrees.
    pub fn degrees(place: Option<&Georeference>) -> Result<Self> {
        let projection = match place {
            Some(place) if place.crs != Crs::Local && !place.crs.is_degrees() => {
                Some(Projection::of(&place.crs)?)
            }
            _ => None,
        };
        Ok(Self { place: place.cloned(), projection })
    }

    /// Metres to the east and to the north of the first sample.
    pub fn metres() -> Self {
        Self { place: None, projection: None }
    }

    /// The coordinate system of the place; degrees are in another.
    pub(crate) fn place(&self) -> Option<&Georeference> {
        self.place.as_ref()
    }

    /// Whether they are degrees, which end at the antimeridian.
    pub(crate) fn is_degrees(&self) -> bool {
        self.projection.is_some() || self.place.as_ref().is_some_and(|place| place.crs.is_degrees())
    }

    /// What a place on the map, x to the east and z to the south, becomes.
    pub(crate) fn of_map(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let Some(place) = &self.place else { return [x, -z] };
        let at = place.of_place([x, z]);
        self.projection.as_ref().map_or(at, |projection| projection.degrees_of(at))
    }

    /// The place on the map, to the millimetre.
    pub(crate) fn on_map(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let millimetre = |metres: f64| (metres * 1000.0).round() / 1000.0 + 0.0;
        let Some(place) = &self.place else { return [east, -north] };
        let projection = self.projection.as_ref();
        let at =
            projection.map_or([east, north], |projection| projection.of_degrees([east, north]));
        place.place_of(at).map(millimetre)
    }

    /// The member of a collection that says how places are found back; none where they are metres.
    pub(crate) fn member(&self) -> String {
        let Some(place) = &self.place else { return String::new() };
        let text = serde_json::to_string(place).expect("numbers and words have a JSON form");
        format!("  \"place\": {text},\n")
    }

    /// A number as text, to the millimetre on the ground.
    pub(crate) fn number(&self, value: f64) -> String {
        if !self.is_degrees() {
            return crate::vector::number(value);
        }
        let rounded = (value * 1e9).round() / 1e9;
        if rounded.is_finite() { format!("{}", rounded + 0.0) } else { "0".to_owned() }
    }
}

/// The longitude between −180° and 180°.
fn wrapped(longitude: f64) -> f64 {
    if (-180.0..=180.0).contains(&longitude) || !longitude.is_finite() {
        return longitude;
    }
    longitude - 360.0 * ((longitude + 180.0) / 360.0).floor()
}

/// A line of longitudes, latitudes and heights in pieces that do not cross the antimeridian.
pub(crate) fn cut_line(points: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
    let mut pieces = vec![Vec::new()];
    let mut before: Option<[f64; 3]> = None;
    for &[east, north, height] in points {
        let here = [wrapped(east), north, height];
        if let Some(last) = before.filter(|last| (here[0] - last[0]).abs() > 180.0) {
            let edge = if last[0] > 0.0 { 180.0 } else { -180.0 };
            // Where the next point would lie beyond the edge.
            let beyond = here[0] + 2.0 * edge;
            let part = if beyond == last[0] { 0.0 } else { (edge - last[0]) / (beyond - last[0]) };
            let at = |axis: usize| last[axis] + part * (here[axis] - last[axis]);
            if let Some(piece) = pieces.last_mut() {
                piece.push([edge, at(1), at(2)]);
            }
            pieces.push(vec![[-edge, at(1), at(2)]]);
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(here);
        }
        before = Some(here);
    }
    if pieces.len() > 1 {
        // A line that begins or ends on the edge has nothing beyond.
        for piece in &mut pieces {
            piece.dedup_by(|next, point| next[..2] == point[..2]);
        }
        pieces.retain(|piece| piece.len() > 1);
    }
    pieces
}

/// A polygon as polygons that do not cross the antimeridian; outlines run against the clock and holes with it.
pub(crate) fn cut_polygon(polygon: &Polygon) -> Vec<Polygon> {
    let outline = unwrapped(&polygon.outline, None);
    let near = outline.first().map(|point| point[0]);
    let holes = polygon.holes.iter().map(|hole| unwrapped(hole, near)).collect();
    let whole = Polygon { outline, holes };
    let mut parts = Vec::new();
    let eastings = || whole.outline.iter().map(|point| point[0]);
    let least = eastings().fold(f64::INFINITY, f64::min);
    let most = eastings().fold(f64::NEG_INFINITY, f64::max);
    if least >= -180.0 && most <= 180.0 {
        return vec![oriented(whole)];
    }
    for turn in [-360.0, 0.0, 360.0] {
        let [west, east] = [turn - 180.0, turn + 180.0];
        let clipped = whole.clipped(west, Side::East).into_iter();
        for mut part in clipped.flat_map(|part| part.clipped(east, Side::West)) {
            part.rings_mut().flatten().for_each(|point| point[0] -= turn);
            parts.push(oriented(part));
        }
    }
    parts
}

/// The polygon with its outline against the clock, and its holes with it (RFC 7946, 3.1.6); the first point of a ring stays the first.
pub(crate) fn oriented(mut polygon: Polygon) -> Polygon {
    for (index, ring) in polygon.rings_mut().enumerate() {
        if (area(ring) > 0.0) != (index == 0) && ring.len() > 1 {
            ring[1..].reverse();
        }
    }
    polygon
}

/// A ring whose longitudes have no jumps, as near to a longitude as it can be. One around a pole is led over it.
fn unwrapped(ring: &[[f64; 2]], near: Option<f64>) -> Vec<[f64; 2]> {
    let mut out: Vec<[f64; 2]> = Vec::with_capacity(ring.len() + 3);
    let near_to =
        |longitude: f64, other: f64| longitude - 360.0 * ((longitude - other) / 360.0).round();
    for &[east, north] in ring {
        let east = match out.last().map(|point| point[0]).or(near) {
            Some(before) => near_to(east, before),
            None => wrapped(east),
        };
        out.push([east, north]);
    }
    if let (Some(&first), Some(&last)) = (out.first(), out.last()) {
        let closing = near_to(first[0], last[0]);
        if (closing - first[0]).abs() > 180.0 {
            let pole = if first[1] < 0.0 { -90.0 } else { 90.0 };
            out.extend([[closing, first[1]], [closing, pole], [first[0], pole]]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_where_the_map_ends() {
        let line = [[170.0, 0.0, 1.0], [-170.0, 10.0, 3.0], [-160.0, 10.0, 3.0]];
        let pieces = cut_line(&line);
        assert_eq!(pieces[0], [[170.0, 0.0, 1.0], [180.0, 5.0, 2.0]]);
        assert_eq!(pieces[1][0], [-180.0, 5.0, 2.0]);
        assert_eq!(pieces[1].len(), 3);
        // The same line, whose longitudes go on beyond 180°.
        let beyond = line.map(|[e, n, h]| [if e < 0.0 { e + 360.0 } else { e }, n, h]);
        assert_eq!(cut_line(&beyond), pieces);
        assert_eq!(cut_line(&line[1..]).len(), 1);
        // On the edge, it begins on the other side of the map.
        let edge = cut_line(&[[180.0, 0.0, 1.0], [-170.0, 10.0, 3.0]]);
        assert_eq!(edge, [[[-180.0, 0.0, 1.0], [-170.0, 10.0, 3.0]]]);
    }

    #[test]
    fn polygons_are_cut_and_run_against_the_clock() {
        let ring = vec![[170.0, 0.0], [170.0, 10.0], [-170.0, 10.0], [-170.0, 0.0]];
        let parts = cut_polygon(&Polygon::of(ring));
        assert_eq!(parts.len(), 2);
        for part in &parts {
            assert_eq!(area(&part.outline), 100.0);
            assert!(part.outline.iter().all(|[east, _]| (-180.0..=180.0).contains(east)));
        }
        let hole = vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0]];
        let outline = vec![[0.0, 0.0], [0.0, 9.0], [9.0, 9.0], [9.0, 0.0]];
        let one = cut_polygon(&Polygon { outline, holes: vec![hole] });
        assert!(one.len() == 1 && area(&one[0].outline) > 0.0 && area(&one[0].holes[0]) < 0.0);
    }

    #[test]
    fn a_ring_around_a_pole_holds_the_pole() {
        let ring = (0..8).map(|k| [f64::from(k) * 45.0 - 180.0, 80.0]).collect();
        let parts = cut_polygon(&Polygon::of(ring));
        let all: f64 = parts.iter().map(|part| area(&part.outline)).sum();
        assert!((all - 360.0 * 10.0).abs() < 1e-6, "{all}");
    }
}
