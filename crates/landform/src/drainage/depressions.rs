//! Ways out of depressions: every pit is given a path over its lowest pass, in linear time (Cordonnier, Bovy & Braun 2019).
//!
//! The catchments of the pits are the nodes of a graph, the lowest places between two of them its edges. Its minimal
//! spanning tree leads from each of them to a base level: in each round every catchment is joined to a neighbour over its
//! lowest pass (Borůvka 1926), which at least halves their number, so no pass has to be sorted. No two passes are equal,
//! so there is one such tree. The receivers from a pass back down to the pit are then turned around, so that the water
//! climbs out of the depression along one line of neighbours. Heights are not changed: [`breach`] or
//! [`fill`](super::priority_flood) do that.

use super::compass::{Compass, NOWHERE, opposite};
use super::order::downstream;
use super::receivers::receivers;
use crate::par::{self, Cells};

/// A pass between two catchments: how high it is, and the sample and direction where it is crossed. The lowest one is the
/// least; of equals it is the first on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pass {
    height: Level,
    at: u32,
    direction: u8,
}

/// A pass and the catchments on both sides, the one with the smaller number first.
#[derive(Clone, Copy, Debug)]
struct Edge {
    sides: [u32; 2],
    pass: Pass,
}

/// A height that compares as [`f32::total_cmp`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Level(i32);

impl Level {
    #[inline]
    fn of(height: f32) -> Self {
        let bits = height.to_bits().cast_signed();
        Self(bits ^ ((bits >> 31) & i32::MAX))
    }
}

/// Turns receivers around so that the water of every pit runs to a base level. Where there is none at all, the lowest sample
/// becomes one. Tells whether anything was changed. `labels` is room to work in.
pub fn route_out(
    directions: &mut [u8],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    labels: &mut Cells,
) -> bool {
    let ways = ways_out(directions, heights, is_base, compass, labels).1;
    for &(at, direction) in &ways {
        turn_around(directions, at, direction, compass);
    }
    !ways.is_empty()
}

/// The height to which water must rise at each sample to reach a base level: the ground, or the level at which its depression
/// runs over. Without base levels the lowest sample is one.
pub fn spill_levels(heights: &[f32], is_base: &[bool], compass: &Compass) -> Vec<f32> {
    let directions = receivers(heights, is_base, compass, None);
    let mut labels = Cells::default();
    let (count, ways) = ways_out(&directions, heights, is_base, compass, &mut labels);
    let mut spill = heights.to_vec();
    if ways.is_empty() {
        return spill;
    }
    let mut levels = vec![f32::NEG_INFINITY; count as usize];
    for (at, direction) in ways {
        let next = compass.next(at, direction);
        let [inside, outside] = [at, next].map(|at| labels.get(at) as usize);
        // Of two zeros it does not matter which.
        levels[inside] = levels[outside].max(heights[at]).max(heights[next]);
    }
    par::for_each_row(&mut spill, compass.width, |j, row| {
        for (i, level) in row.iter_mut().enumerate() {
            *level = level.max(levels[labels.get(j * compass.width + i) as usize]);
        }
    });
    spill
}

/// Labels the catchments; gives their number, and where each but the first is left on the way out, those nearer to the sea first.
fn ways_out(
    directions: &[u8],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
    labels: &mut Cells,
) -> (u32, Vec<(usize, u8)>) {
    labels.resize(directions.len());
    let count = label(labels, directions, heights, is_base, compass);
    if count == 1 {
        return (count, Vec::new());
    }
    let bands = compass.height.div_ceil(BAND);
    let edges = par::map(bands, |band| edges(band, labels, heights, compass)).concat();
    let tree = spanning_tree(edges, count);
    (count, outward(&tree, labels, count, compass))
}

/// Rows that are looked at together.
const BAND: usize = 64;

/// No catchment yet.
const UNKNOWN: u32 = u32::MAX;

/// Writes the number of its catchment to each sample, and gives how many there are. All base levels are one, 0: the sea
/// beyond.
fn label(
    labels: &Cells,
    directions: &[u8],
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
) -> u32 {
    let bands = compass.height.div_ceil(BAND);
    let band = |band: usize| {
        let first = band * BAND * compass.width;
        first..(first + BAND * compass.width).min(directions.len())
    };
    let is_pit = |at: usize| directions[at] == NOWHERE && !is_base[at];
    let pits = par::map(bands, |k| band(k).filter(|&at| is_pit(at)).count() as u32);
    let mut count = 1;
    let mut firsts = Vec::with_capacity(bands);
    for pits in pits {
        firsts.push(count);
        count += pits;
    }
    if count == 1 {
        return count;
    }
    par::map(bands, |k| {
        let mut next = firsts[k];
        for at in band(k) {
            let is_pit = is_pit(at);
            let known = if is_base[at] { 0 } else { UNKNOWN };
            labels.set(at, if is_pit { next } else { known });
            next += u32::from(is_pit);
        }
    });
    let has_base = is_base.contains(&true);
    if !has_base {
        let lowest = (0..heights.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        if let Some(lowest) = lowest {
            labels.set(lowest, 0);
        }
    }
    // From each sample down to the first that is known, and once more to hand the number on. Where two tasks meet they
    // write the same numbers.
    par::map(bands, |k| {
        for start in band(k) {
            let (mut at, mut found) = (start, labels.get(start));
            if found != UNKNOWN {
                continue;
            }
            while found == UNKNOWN {
                at = compass.next(at, directions[at]);
                found = labels.get(at);
            }
            at = start;
            while labels.get(at) == UNKNOWN {
                labels.set(at, found);
                at = compass.next(at, directions[at]);
            }
        }
    });
    count
}

/// Where the water could cross from one catchment into another in a band of rows, and to the row below it: the lowest place
/// of each stretch of a border.
fn edges(band: usize, labels: &Cells, heights: &[f32], compass: &Compass) -> Vec<Edge> {
    let width = compass.width;
    let mut edges = Edges { list: Vec::new(), newest: vec![u32::MAX; 1024] };
    for j in band * BAND..((band + 1) * BAND).min(compass.height) {
        let has_south = j + 1 < compass.height;
        for i in 0..width {
            let at = j * width + i;
            let here = labels.get(at);
            let is_inner = i > 0 && i + 1 < width && has_south;
            let same = |next: usize| labels.get(next) == here;
            if is_inner
                && same(at + 1)
                && same(at + width - 1)
                && same(at + width)
                && same(at + width + 1)
            {
                continue;
            }
            let mut look = |direction: u8| {
                let next = compass.next(at, direction);
                let there = labels.get(next);
                if here != there {
                    let height = Level::of(heights[at]).max(Level::of(heights[next]));
                    edges.add([here, there], Pass { height, at: at as u32, direction });
                }
            };
            if i + 1 < width {
                look(0);
                if has_south {
                    look(1);
                }
            }
            if has_south {
                look(2);
                if i > 0 {
                    look(3);
                }
            }
        }
    }
    edges.list
}

/// Edges as they are found.
struct Edges {
    list: Vec<Edge>,
    /// The edge that was added last to some catchments: most places lie on the border where the one before lay.
    newest: Vec<u32>,
}

impl Edges {
    fn add(&mut self, [here, there]: [u32; 2], pass: Pass) {
        let sides = [here.min(there), here.max(there)];
        let newest = &mut self.newest[sides[1] as usize % 1024];
        match self.list.get_mut(*newest as usize).filter(|edge| edge.sides == sides) {
            Some(edge) => edge.pass = edge.pass.min(pass),
            None => {
                *newest = self.list.len() as u32;
                self.list.push(Edge { sides, pass });
            }
        }
    }
}

/// The passes that join all catchments.
fn spanning_tree(mut edges: Vec<Edge>, count: u32) -> Vec<Pass> {
    let mut parents: Vec<u32> = (0..count).collect();
    let mut lowest = vec![u32::MAX; count as usize];
    let mut tree = Vec::with_capacity(count as usize);
    while !edges.is_empty() {
        for (k, edge) in edges.iter().enumerate() {
            for side in edge.sides {
                let best = &mut lowest[side as usize];
                if edges.get(*best as usize).is_none_or(|best| edge.pass < best.pass) {
                    *best = k as u32;
                }
            }
        }
        for side in 0..count {
            let best = std::mem::replace(&mut lowest[side as usize], u32::MAX);
            let Some(edge) = edges.get(best as usize) else { continue };
            let [a, b] = edge.sides.map(|side| root(&mut parents, side));
            if a != b {
                parents[a.max(b) as usize] = a.min(b);
                tree.push(edge.pass);
            }
        }
        edges.retain_mut(|edge| {
            edge.sides = edge.sides.map(|side| root(&mut parents, side));
            edge.sides[0] != edge.sides[1]
        });
    }
    tree
}

fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        // Halving the path keeps it short.
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

/// The passes as they are crossed on the way out, those nearer to the sea first: the last sample inside, and the direction
/// that leads out.
fn outward(tree: &[Pass], labels: &Cells, count: u32, compass: &Compass) -> Vec<(usize, u8)> {
    let ends = |pass: &Pass| {
        let at = pass.at as usize;
        let next = compass.next(at, pass.direction);
        [(at, pass.direction), (next, opposite(pass.direction))]
    };
    // The passes of each catchment, one list after the other.
    let mut first = vec![0_u32; count as usize + 1];
    for (at, _) in tree.iter().flat_map(ends) {
        first[labels.get(at) as usize + 1] += 1;
    }
    for k in 0..count as usize {
        first[k + 1] += first[k];
    }
    let mut free = first.clone();
    let mut of_node = vec![0_u32; 2 * tree.len()];
    for (k, pass) in tree.iter().enumerate() {
        for (at, _) in ends(pass) {
            let slot = &mut free[labels.get(at) as usize];
            of_node[*slot as usize] = k as u32;
            *slot += 1;
        }
    }
    let mut out = Vec::with_capacity(tree.len());
    let mut seen = vec![false; count as usize];
    let mut open = vec![0_u32];
    seen[0] = true;
    while let Some(node) = open.pop() {
        let node = node as usize;
        for &k in &of_node[first[node] as usize..first[node + 1] as usize] {
            for (at, direction) in ends(&tree[k as usize]) {
                let inside = labels.get(at) as usize;
                if !seen[inside] {
                    seen[inside] = true;
                    out.push((at, direction));
                    open.push(inside as u32);
                }
            }
        }
    }
    out
}

/// Lets the water of a pit flow back up its way from `at`, and over the pass.
fn turn_around(directions: &mut [u8], mut at: usize, mut direction: u8, compass: &Compass) {
    loop {
        let old = std::mem::replace(&mut directions[at], direction);
        if old == NOWHERE {
            return;
        }
        at = compass.next(at, old);
        direction = opposite(old);
    }
}

/// The receivers of all samples and the order downstream, every pit led out.
pub fn route(
    mut directions: Vec<u8>,
    heights: &[f32],
    is_base: &[bool],
    compass: &Compass,
) -> (Vec<u8>, Vec<u32>) {
    route_out(&mut directions, heights, is_base, compass, &mut Cells::default());
    let order = downstream(&directions, compass);
    (directions, order)
}

/// Cuts through what dams up the water: no sample is left below its receiver, and each lies above it by at least `fall` a
/// metre where that costs no more than `fall` itself. Only lowers the ground. Gives the volume over the cell area.
pub fn breach(
    heights: &mut [f32],
    order: &[u32],
    directions: &[u8],
    compass: &Compass,
    fall: f32,
) -> f64 {
    let mut cut = 0.0;
    for &at in order {
        let at = at as usize;
        let direction = directions[at];
        if direction == NOWHERE {
            continue;
        }
        let next = compass.next(at, direction);
        let most = below(heights[at], fall * compass.lengths[direction as usize]);
        if heights[next] > most {
            cut += f64::from(heights[next]) - f64::from(most);
            heights[next] = most;
        }
    }
    cut
}

/// A number that is smaller by `step`, or by as little as can be told apart.
#[inline]
pub(crate) fn below(height: f32, step: f32) -> f32 {
    let lower = height - step;
    if lower < height { lower } else { height.next_down() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::priority_flood::fill;
    use crate::{Lattice, Seed};

    #[test]
    fn water_rises_to_the_levels_of_the_priority_flood() {
        for (width, height, seed) in [(61, 150, 1), (2, 50, 2), (1, 9, 3), (97, 70, 4)] {
            let compass = Compass::new(&Lattice { size: [width, height], spacing: [2.0, 1.0] });
            let seed = Seed::new(seed);
            for levels in [5, 1000] {
                let heights: Vec<f32> =
                    (0..compass.len()).map(|k| seed.below(k as u64, levels) as f32 - 3.0).collect();
                for every in [3, 11, usize::MAX] {
                    let is_base: Vec<bool> = (0..compass.len()).map(|k| k % every == 1).collect();
                    let found = spill_levels(&heights, &is_base, &compass);
                    assert_eq!(found, fill(&heights, &is_base, &compass), "{levels} {every}");
                }
            }
        }
    }

    #[test]
    fn a_pit_is_left_over_its_lowest_pass() {
        // A bowl with a notch in the east; the border is the sea.
        let compass = Compass::new(&Lattice { size: [5, 3], spacing: [1.0, 1.0] });
        let heights = [9.0, 9.0, 9.0, 9.0, 0.0, 9.0, 1.0, 3.0, 5.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0];
        let is_base: Vec<bool> = (0..15).map(|k| k % 5 == 4).collect();
        let raw = receivers(&heights, &is_base, &compass, None);
        assert_eq!(raw[6], NOWHERE);
        let (directions, order) = route(raw, &heights, &is_base, &compass);
        assert_eq!((directions[6], directions[7], directions[8]), (0, 0, 0));
        let mut cut = heights;
        breach(&mut cut, &order, &directions, &compass, 0.0);
        assert!(cut[6] == 1.0 && cut[7] < 1.0 && cut[8] < cut[7] && cut[8] > 0.99);
    }

    #[test]
    fn all_water_of_any_ground_reaches_a_base_level() {
        for (width, height, seed) in [(40, 31, 1), (2, 50, 2), (1, 9, 3), (17, 1, 4), (64, 64, 5)] {
            let compass = Compass::new(&Lattice { size: [width, height], spacing: [1.0, 1.0] });
            let seed = Seed::new(seed);
            // Few levels: there are flats as well as pits.
            let heights: Vec<f32> =
                (0..compass.len()).map(|k| seed.below(k as u64, 6) as f32).collect();
            for bases in [1, 7, usize::MAX] {
                let is_base: Vec<bool> = (0..compass.len())
                    .map(|k| bases < usize::MAX && k % (3 * bases) == 0)
                    .collect();
                let raw = receivers(&heights, &is_base, &compass, None);
                let (directions, order) = route(raw, &heights, &is_base, &compass);
                assert_eq!(order.len(), compass.len());
                let ends = (0..compass.len()).filter(|&at| directions[at] == NOWHERE);
                let ends: Vec<usize> = ends.collect();
                if bases < usize::MAX {
                    assert!(ends.iter().all(|&at| is_base[at]));
                } else {
                    assert_eq!(ends.len(), 1);
                }
                let mut cut = heights.clone();
                breach(&mut cut, &order, &directions, &compass, 1e-3);
                for (at, &direction) in directions.iter().enumerate() {
                    let next = compass.next(at, direction);
                    assert!(direction == NOWHERE || cut[next] < cut[at]);
                }
            }
        }
    }
}
