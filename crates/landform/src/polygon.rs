//! Areas on the map: outlines and the holes in them, as maps and geographic systems want them.
//!
//! A polygon is *valid* (OGC 06-103r4, 6.1.11) if its rings do not cross, meet in single points at the most, and its holes lie
//! inside of its outline. All that is made here of valid polygons is valid.

use crate::math;

/// An area: an outline and the holes in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// x and z in metres of its corners; the last is joined to the first.
    pub outline: Vec<[f64; 2]>,
    /// The same of each hole.
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// A side of a line from north to south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Where x is less.
    West,
    /// Where x is more.
    East,
}

impl Polygon {
    /// An area without holes.
    pub fn of(outline: Vec<[f64; 2]>) -> Self {
        Self { outline, holes: Vec::new() }
    }

    /// The outline, then the holes.
    pub fn rings(&self) -> impl Iterator<Item = &Vec<[f64; 2]>> {
        std::iter::once(&self.outline).chain(&self.holes)
    }

    /// The outline, then the holes, to be changed.
    pub fn rings_mut(&mut self) -> impl Iterator<Item = &mut Vec<[f64; 2]>> {
        std::iter::once(&mut self.outline).chain(&mut self.holes)
    }

    /// Its size, without the holes.
    pub fn area(&self) -> f64 {
        let holes: f64 = self.holes.iter().map(|hole| area(hole).abs()).sum();
        area(&self.outline).abs() - holes
    }

    /// The areas that rings enclose which do not cross: a ring inside of an odd number of others is a hole.
    pub fn nested(rings: Vec<Vec<[f64; 2]>>) -> Vec<Self> {
        let boxes: Vec<[f64; 4]> = rings.iter().map(|ring| bounds(ring)).collect();
        let around = |inner: usize| {
            let ([west, north, east, south], point) = (boxes[inner], edge_point(&rings[inner]));
            let holds = |outer: &usize| {
                let [w, n, e, s] = boxes[*outer];
                let fits = w <= west && n <= north && e >= east && s >= south;
                *outer != inner && fits && is_inside(&rings[*outer], point)
            };
            (0..rings.len()).filter(holds).collect::<Vec<_>>()
        };
        let around: Vec<Vec<usize>> = (0..rings.len()).map(around).collect();
        let mut number = vec![usize::MAX; rings.len()];
        let mut polygons = Vec::new();
        for (k, ring) in
            rings.iter().enumerate().filter(|(k, _)| around[*k].len().is_multiple_of(2))
        {
            number[k] = polygons.len();
            polygons.push(Self::of(ring.clone()));
        }
        for (k, ring) in rings.iter().enumerate().filter(|(k, _)| around[*k].len() % 2 == 1) {
            // The nearest around a hole is the one that most others are around.
            // Rings that are the same, which input may have, hold each other and have none.
            let shells = around[k].iter().filter(|&&outer| number[outer] != usize::MAX);
            if let Some(&shell) = shells.max_by_key(|&&outer| around[outer].len()) {
                polygons[number[shell]].holes.push(ring.clone());
            }
        }
        polygons
    }

    /// What lies on one side of the line x.
    pub fn clipped(&self, x: f64, side: Side) -> Vec<Self> {
        let line = CutLine { x, side };
        let mut rings: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut chains = Vec::new();
        for (index, ring) in self.rings().enumerate() {
            // Outlines turn one way and holes the other, so that ends and beginnings of chains come in turn.
            let mut ring = ring.clone();
            if (area(&ring) > 0.0) != (index == 0) {
                ring.reverse();
            }
            match ring.iter().position(|point| !line.keeps(point)) {
                None => rings.push(ring),
                Some(outside) => cut(&ring, outside, line, &mut chains),
            }
        }
        rings.extend(joined(&chains));
        rings.retain(|ring| ring.len() > 2 && area(ring) != 0.0);
        Self::nested(rings)
    }
}

/// A line along z, and the side of it that is kept.
#[derive(Clone, Copy, Debug)]
struct CutLine {
    x: f64,
    side: Side,
}

impl CutLine {
    /// Whether a point is kept. Not the line itself: a ring that touches it is divided there.
    fn keeps(self, point: &[f64; 2]) -> bool {
        match self.side {
            Side::West => point[0] < self.x,
            Side::East => point[0] > self.x,
        }
    }
}

/// Adds the pieces of a ring on the side that is kept, from line to line; the point number `outside` is not there.
fn cut(ring: &[[f64; 2]], outside: usize, line: CutLine, chains: &mut Vec<Vec<[f64; 2]>>) {
    let turned = |k: usize| &ring[(outside + k) % ring.len()];
    let crossing = |a: &[f64; 2], b: &[f64; 2]| {
        let on_line = [a, b].into_iter().find(|point| point[0] == line.x);
        let share = (line.x - a[0]) / (b[0] - a[0]);
        on_line.copied().unwrap_or_else(|| [line.x, math::lerp(a[1], b[1], share)])
    };
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for k in 0..ring.len() {
        let (a, b) = (turned(k), turned(k + 1));
        match (line.keeps(a), line.keeps(b)) {
            (false, true) => chain = vec![crossing(a, b), *b],
            (true, true) => chain.push(*b),
            (true, false) => {
                chain.push(crossing(a, b));
                chains.push(std::mem::take(&mut chain));
            }
            (false, false) => {}
        }
    }
}

/// Chains that begin and end on one line, as rings: along the line their ends bound the area in turn.
fn joined(chains: &[Vec<[f64; 2]>]) -> Vec<Vec<[f64; 2]>> {
    // Place on the line, chain, and whether it begins there.
    let ends = chains.iter().enumerate().flat_map(|(k, chain)| {
        let [first, last] = [chain[0], chain[chain.len() - 1]];
        [(first[1], k, true), (last[1], k, false)]
    });
    let mut ends: Vec<(f64, usize, bool)> = ends.collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut next = vec![0; chains.len()];
    for pair in (0..ends.len()).step_by(2) {
        // Where two chains meet in a point, either may come first; an end is joined to a beginning.
        if ends[pair].2 == ends[pair + 1].2 && pair + 2 < ends.len() {
            ends.swap(pair + 1, pair + 2);
        }
        let (a, b) = (ends[pair], ends[pair + 1]);
        let (from, to) = if a.2 { (b.1, a.1) } else { (a.1, b.1) };
        next[from] = to;
    }
    let mut is_done = vec![false; chains.len()];
    let mut rings = Vec::new();
    for first in 0..chains.len() {
        let (mut ring, mut at) = (Vec::new(), first);
        while !is_done[at] {
            is_done[at] = true;
            ring.extend_from_slice(&chains[at]);
            at = next[at];
        }
        ring.dedup();
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        rings.push(ring);
    }
    rings
}

/// Signed area of a ring: above 0 if it turns from x to z.
pub fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| 0.5 * (a[0] * b[1] - b[0] * a[1])).sum()
}

/// Least x and z, and greatest.
fn bounds(ring: &[[f64; 2]]) -> [f64; 4] {
    let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    ring.iter().fold(none, |[w, n, e, s], &[x, z]| [w.min(x), n.min(z), e.max(x), s.max(z)])
}

/// The middle of the first side: rings may meet in their corners.
fn edge_point(ring: &[[f64; 2]]) -> [f64; 2] {
    let (a, b) = (ring[0], ring[1 % ring.len()]);
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

/// Whether a ray from the point crosses the ring an odd number of times.
fn is_inside(ring: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    let crosses = |(a, b): &(&[f64; 2], &[f64; 2])| {
        (a[1] > z) != (b[1] > z) && x < math::lerp(a[0], b[0], (z - a[1]) / (b[1] - a[1]))
    };
    pairs.filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, z: f64, side: f64) -> Vec<[f64; 2]> {
        vec![[x, z], [x, z + side], [x + side, z + side], [x + side, z]]
    }

    #[test]
    fn a_hole_belongs_to_the_ring_around_it_and_an_island_in_it_is_an_area() {
        let rings = vec![
            square(4.0, 4.0, 2.0),
            square(20.0, 0.0, 5.0),
            square(0.0, 0.0, 10.0),
            square(2.0, 2.0, 6.0),
        ];
        let polygons = Polygon::nested(rings);
        let areas: Vec<f64> = polygons.iter().map(Polygon::area).collect();
        assert_eq!(areas, [4.0, 25.0, 64.0]);
        assert_eq!(polygons[2].holes, [square(2.0, 2.0, 6.0)]);
    }

    #[test]
    fn a_comb_is_cut_into_its_teeth() {
        // A back on the left and three teeth to the right, the middle one with a hole.
        let mut comb = vec![[0.0, 0.0], [0.0, 50.0]];
        for tooth in [40.0, 20.0, 0.0] {
            comb.extend([[10.0, tooth + 10.0], [10.0, tooth]]);
            if tooth > 0.0 {
                comb.extend([[2.0, tooth], [2.0, tooth - 10.0]]);
            }
        }
        let mut comb = Polygon::of(comb);
        comb.holes.push(square(5.0, 22.0, 2.0));
        let whole = comb.area();
        let teeth = comb.clipped(4.0, Side::East);
        assert_eq!(teeth.len(), 3);
        assert!(teeth.iter().all(|tooth| tooth.outline.len() == 4));
        assert_eq!(teeth.iter().map(|tooth| tooth.holes.len()).sum::<usize>(), 1);
        let back = comb.clipped(4.0, Side::West);
        assert_eq!(back.len(), 1);
        let sum: f64 = teeth.iter().chain(&back).map(Polygon::area).sum();
        assert!((sum - whole).abs() < 1e-9, "{sum} of {whole}");
        // Through the hole: it becomes part of the outline.
        let right = comb.clipped(6.0, Side::East);
        assert_eq!(right.iter().map(|tooth| tooth.holes.len()).sum::<usize>(), 0);
        assert_eq!(right.iter().map(Polygon::area).sum::<f64>(), 118.0);
    }

    #[test]
    fn corners_on_the_line_cut_nothing_off() {
        let diamond = Polygon::of(vec![[0.0, 0.0], [5.0, 5.0], [0.0, 10.0], [-5.0, 5.0]]);
        let whole = diamond.clipped(5.0, Side::West);
        assert_eq!((whole.len(), whole[0].outline.len(), whole[0].area()), (1, 4, 50.0));
        assert_eq!(diamond.clipped(5.0, Side::East), []);
        assert_eq!(diamond.clipped(0.0, Side::East).len(), 1);
        assert_eq!(diamond.clipped(0.0, Side::East)[0].area(), 25.0);
        // Two waists on the line: two parts on each side.
        let chain = vec![[-3.0, 0.0], [3.0, 0.0], [0.0, 2.0], [3.0, 4.0], [-3.0, 4.0]];
        let chain = Polygon::of(chain);
        let east = chain.clipped(0.0, Side::East);
        assert_eq!(east.iter().map(Polygon::area).sum::<f64>(), 6.0);
        assert_eq!(east.len(), 2);
    }
}
