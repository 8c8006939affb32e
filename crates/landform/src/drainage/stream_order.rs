//! Stream order (Strahler 1957) of rivers that are objects, point by point.
//!
//! A river begins with order 1. Where another joins it that has the same order, the order rises by one; a higher one is taken over. Only
//! rivers that are in the list count: streams too small for a name do not. A strand, which leaves a river and comes back to it, has the order of the river and
//! adds nothing. Where the edge of a map cuts a river in two, the second part goes on with the order of the first.

use std::collections::BTreeMap;

use crate::feature::River;
use crate::math;

/// The order at each point of each river.
pub fn stream_orders(rivers: &[&River]) -> Vec<Vec<u8>> {
    let mut network = Network::of(rivers);
    (0..rivers.len()).for_each(|river| network.follow(river));
    network.orders
}

/// Where a river meets another: its number, and the point.
type Meeting = (usize, usize);

struct Network<'a> {
    rivers: &'a [&'a River],
    /// For each river those that flow into it, with the point where they do.
    tributaries: Vec<Vec<Meeting>>,
    /// For each strand where it leaves its river.
    strands: Vec<Option<Meeting>>,
    /// For each river the earlier part of the same name.
    before: Vec<Option<usize>>,
    is_begun: Vec<bool>,
    orders: Vec<Vec<u8>>,
}

impl<'a> Network<'a> {
    fn of(rivers: &'a [&'a River]) -> Self {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut before = vec![None; rivers.len()];
        for (k, river) in rivers.iter().enumerate() {
            let parts = named.entry(&river.name).or_default();
            before[k] = parts.last().copied();
            parts.push(k);
        }
        let mut tributaries = vec![Vec::new(); rivers.len()];
        let mut strands = vec![None; rivers.len()];
        for (k, river) in rivers.iter().enumerate() {
            let mains = river.into.as_deref().and_then(|into| named.get(into));
            let mains: Vec<usize> =
                mains.into_iter().flatten().copied().filter(|&m| m != k).collect();
            let meets = |point: Option<&crate::feature::RiverPoint>| {
                let [x, z] = point.map(|point| [point.x, point.z])?;
                nearest(rivers, &mains, [x, z])
            };
            let (Some(first), Some(last)) =
                (meets(river.points.first()), meets(river.points.last()))
            else {
                continue;
            };
            if first.1 == 0.0 {
                strands[k] = Some(first.0);
            } else {
                let (main, point) = last.0;
                tributaries[main].push((k, point));
            }
        }
        let (is_begun, orders) = (vec![false; rivers.len()], vec![Vec::new(); rivers.len()]);
        Self { rivers, tributaries, strands, before, is_begun, orders }
    }

    /// Finds the orders of a river, after those that it depends on. Names that lead around in a circle end where they began.
    fn follow(&mut self, river: usize) {
        let mut open = vec![river];
        while let Some(&at) = open.last() {
            let needs = self.tributaries[at].iter().map(|(other, _)| *other);
            let needs = needs.chain(self.before[at]).chain(self.strands[at].map(|(main, _)| main));
            let missing: Vec<usize> = needs.filter(|&other| !self.is_begun[other]).collect();
            let is_new = !std::mem::replace(&mut self.is_begun[at], true);
            if is_new && !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            open.pop();
            if self.orders[at].is_empty() {
                self.orders[at] = self.along(at);
            }
        }
    }

    fn along(&self, river: usize) -> Vec<u8> {
        let points = self.rivers[river].points.len();
        if let Some((main, point)) = self.strands[river] {
            let order = self.orders[main].get(point).copied().unwrap_or(1);
            return vec![order; points];
        }
        let end = |river: usize| self.orders[river].last().copied();
        let mut order = self.before[river].and_then(end).unwrap_or(1);
        let mut orders = Vec::with_capacity(points);
        for k in 0..points {
            let joins = self.tributaries[river].iter().filter(|(_, point)| *point == k);
            let joins: Vec<u8> = joins.filter_map(|(other, _)| end(*other)).collect();
            let highest = joins.iter().copied().fold(order, u8::max);
            let count = joins.iter().filter(|&&join| join == highest).count();
            let count = count + usize::from(order == highest);
            order = highest + u8::from(count > 1 && !joins.is_empty());
            orders.push(order);
        }
        orders
    }
}

/// The nearest point of some rivers, and how far it is.
fn nearest(rivers: &[&River], among: &[usize], [x, z]: [f64; 2]) -> Option<(Meeting, f64)> {
    let points = among.iter().flat_map(|&river| {
        rivers[river].points.iter().enumerate().map(move |(k, point)| ((river, k), point))
    });
    let far = points.map(|(at, point)| (at, math::length(point.x - x, point.z - z)));
    far.min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::RiverPoint;

    fn river(name: &str, into: Option<&str>, line: &[[f64; 2]]) -> River {
        let point = |&[x, z]: &[f64; 2]| RiverPoint {
            x,
            z,
            bed: 0.0,
            width: 1.0,
            depth: 1.0,
            discharge: 1.0,
        };
        River {
            name: name.to_owned(),
            points: line.iter().map(point).collect(),
            into: into.map(str::to_owned),
        }
    }

    #[test]
    fn two_of_an_order_make_the_next_and_a_smaller_one_and_a_strand_change_nothing() {
        let rivers = [
            river("main", None, &[[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 4.0]]),
            river("left", Some("main"), &[[-2.0, 0.0], [-1.0, 0.5], [0.0, 1.0]]),
            river("right", Some("main"), &[[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]),
            river("brook", Some("right"), &[[3.0, 0.0], [1.0, 1.0]]),
            river("rill", Some("main"), &[[-2.0, 2.0], [0.0, 4.0]]),
            river("main strand 1", Some("main"), &[[0.0, 2.0], [0.5, 2.5], [0.0, 3.0]]),
        ];
        let orders = stream_orders(&rivers.iter().collect::<Vec<_>>());
        assert_eq!(orders[0], [1, 2, 2, 3, 3]);
        assert_eq!((&orders[1], &orders[2]), (&vec![1, 1, 1], &vec![1, 2, 2]));
        assert_eq!(orders[5], [2, 2, 2]);
    }

    #[test]
    fn a_river_cut_in_two_goes_on_and_a_circle_of_names_ends() {
        let parts = [
            river("main", None, &[[0.0, 0.0], [0.0, 1.0]]),
            river("main", None, &[[9.0, 1.0], [9.0, 2.0]]),
            river("left", Some("main"), &[[-2.0, 0.0], [0.0, 1.0]]),
        ];
        assert_eq!(stream_orders(&parts.iter().collect::<Vec<_>>())[1], [2, 2]);
        let circle = [
            river("a", Some("b"), &[[0.0, 0.0], [1.0, 0.0]]),
            river("b", Some("a"), &[[3.0, 0.0], [2.0, 0.0]]),
        ];
        let orders = stream_orders(&circle.iter().collect::<Vec<_>>());
        assert!(orders.iter().flatten().all(|&order| (1..=2).contains(&order)));
    }
}
