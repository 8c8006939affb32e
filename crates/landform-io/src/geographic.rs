//! Objects on a planet in degrees: longitude and latitude, cut at the antimeridian as RFC 7946 wants it (section 3.1.9).

use landform::{Terrain, Topology};

/// What the coordinates of GeoJSON are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinates {
    /// Metres to the east and to the north.
    Metres,
    /// Degrees of longitude and latitude on a planet whose map has this width and depth in metres.
    Degrees {
        /// Width and depth of the map in metres.
        ground: [f64; 2],
    },
}

impl Coordinates {
    /// Degrees for a sphere, metres for all that is flat.
    pub fn of(terrain: &Terrain) -> Self {
        let ground = terrain.extent().lattice().ground();
        let is_round = terrain.topology() == Topology::Sphere;
        let is_round = is_round && ground.iter().all(|side| *side > 0.0);
        if is_round { Self::Degrees { ground } } else { Self::Metres }
    }

    /// What a place on the map, x to the east and z to the south, becomes.
    pub(crate) fn of_place(self, [x, z]: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Metres => [x, -z],
            Self::Degrees { ground } => {
                [x / ground[0] * 360.0 - 180.0, 90.0 - z / ground[1] * 180.0]
            }
        }
    }

    /// The place on the map, to the millimetre.
    pub(crate) fn place_of(self, [east, north]: [f64; 2]) -> [f64; 2] {
        let millimetre = |metres: f64| (metres * 1000.0).round() / 1000.0 + 0.0;
        match self {
            Self::Metres => [east, -north],
            Self::Degrees { ground } => [
                millimetre((east + 180.0) / 360.0 * ground[0]),
                millimetre((90.0 - north) / 180.0 * ground[1]),
            ],
        }
    }

    /// A number as text, to the millimetre on the ground.
    pub(crate) fn number(self, value: f64) -> String {
        match self {
            Self::Metres => crate::vector::number(value),
            Self::Degrees { .. } => {
                let rounded = (value * 1e9).round() / 1e9;
                if rounded.is_finite() { format!("{}", rounded + 0.0) } else { "0".to_owned() }
            }
        }
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
    pieces
}

type Ring = Vec<[f64; 2]>;

/// A polygon, its outline first and then its holes, as polygons that do not cross the antimeridian; rings are open, outlines run
/// against the clock and holes with it.
pub(crate) fn cut_polygon(rings: &[Ring]) -> Vec<Vec<Ring>> {
    let mut whole: Vec<Ring> = Vec::new();
    for ring in rings {
        let near = whole.first().and_then(|outline| outline.first()).map(|point| point[0]);
        whole.push(unwrapped(ring, near));
    }
    let mut parts = Vec::new();
    for turn in [-360.0, 0.0, 360.0] {
        let mut part: Vec<Ring> = Vec::new();
        for (index, ring) in whole.iter().enumerate() {
            let mut clipped = clip(ring, turn - 180.0, 1.0);
            clipped = clip(&clipped, turn + 180.0, -1.0);
            clipped.iter_mut().for_each(|point| point[0] -= turn);
            let area = area(&clipped);
            if clipped.len() < 3 || (area == 0.0 && turn != 0.0) {
                if index == 0 {
                    break;
                }
                continue;
            }
            // The first point stays the first.
            if (area > 0.0) != (index == 0) {
                clipped[1..].reverse();
            }
            part.push(clipped);
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// A ring whose longitudes have no jumps, as near to a longitude as it can be. One around a pole is led over it.
fn unwrapped(ring: &[[f64; 2]], near: Option<f64>) -> Ring {
    let mut out: Ring = Vec::with_capacity(ring.len() + 3);
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

/// What of a ring lies on the side of a meridian that `sign` tells, after Sutherland and Hodgman (1974).
fn clip(ring: &[[f64; 2]], meridian: f64, sign: f64) -> Ring {
    let beyond = |point: &[f64; 2]| sign * (point[0] - meridian);
    let mut out = Vec::with_capacity(ring.len());
    for (k, here) in ring.iter().enumerate() {
        let before = &ring[(k + ring.len() - 1) % ring.len()];
        let (a, b) = (beyond(before), beyond(here));
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let part = a / (a - b);
            out.push([meridian, before[1] + part * (here[1] - before[1])]);
        }
        if b >= 0.0 {
            out.push(*here);
        }
    }
    out
}

/// Twice the area of a ring, positive against the clock.
fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
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
    }

    #[test]
    fn polygons_are_cut_and_run_against_the_clock() {
        let ring = vec![[170.0, 0.0], [170.0, 10.0], [-170.0, 10.0], [-170.0, 0.0]];
        let parts = cut_polygon(&[ring]);
        assert_eq!(parts.len(), 2);
        for part in &parts {
            assert_eq!(area(&part[0]), 200.0);
            assert!(part[0].iter().all(|[east, _]| (-180.0..=180.0).contains(east)));
        }
        let hole = vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0]];
        let one = cut_polygon(&[vec![[0.0, 0.0], [0.0, 9.0], [9.0, 9.0], [9.0, 0.0]], hole]);
        assert!(one.len() == 1 && area(&one[0][0]) > 0.0 && area(&one[0][1]) < 0.0);
    }

    #[test]
    fn a_ring_around_a_pole_holds_the_pole() {
        let ring: Ring = (0..8).map(|k| [f64::from(k) * 45.0 - 180.0, 80.0]).collect();
        let parts = cut_polygon(&[ring]);
        let all: f64 = parts.iter().map(|part| area(&part[0])).sum();
        assert!((all - 2.0 * 360.0 * 10.0).abs() < 1e-6, "{all}");
    }
}
