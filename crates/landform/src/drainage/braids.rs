//! Braids: rivers part into strands that meet again, where they are steep for their size and have room.
//!
//! ```text
//! S > 0.0125·Q^−0.44        S slope, Q discharge in flood (m³/s): steeper ones braid, others meander (Leopold & Wolman 1957)
//! ```
//!
//! A strand leaves the river where such a reach begins and comes back where it ends. Between them it lies beside the river by
//! a share of the room on that side, which wanders from one to the other: so strands meet and part again. The room ends
//! where the ground rises, or at a width in proportion to the water. A strand is as high as the river beside it, or
//! lower where the ground is; it never rises.

use crate::feature::{River, RiverPoint};
use crate::noise::gradient_noise::gradient_noise;
use crate::river::profile::DEPTH_FACTOR;
use crate::{Seed, math};

/// How many times the mean discharge a flood has that shapes the bed.
const FLOOD: f64 = 8.0;
/// Points over which slope and direction are taken, to each side.
const AROUND: usize = 10;
/// Fewest points of a reach that braids.
const FEWEST: usize = 24;
/// Half the width of all strands together for each of them, in widths of the river.
const SPREAD: f64 = 1.6;
/// How far from bend to bend of a strand, in widths of the river.
const BEND: f64 = 7.0;
/// How much higher than the water, in metres, ground may be that still belongs to the bed, and how fast it may rise.
const BANK: f64 = 2.5;
const RISE: f64 = 0.012;

/// How rivers braid.
pub(crate) struct Braids<'a> {
    /// Strands of a river, itself among them.
    pub(crate) strands: u32,
    pub(crate) seed: Seed,
    /// The ground before rivers are cut into it.
    pub(crate) ground: &'a dyn Fn(f64, f64) -> f64,
    /// Distance between samples in metres.
    pub(crate) step: f64,
}

impl Braids<'_> {
    /// Adds the strands of all rivers behind them. Where a river has strands it is as much narrower.
    pub(crate) fn add(&self, rivers: &mut Vec<River>) {
        let mut strands = Vec::new();
        for river in rivers.iter_mut() {
            let rooms = self.rooms(&river.points);
            let whole = river.points.clone();
            for reach in reaches(&rooms, &whole) {
                for _ in 1..self.strands {
                    let number = strands.len() as u64;
                    let points = self.strand(&whole, &rooms, reach.clone(), number);
                    let name = format!("{} strand {}", river.name, number + 1);
                    strands.push(River { name, points, into: Some(river.name.clone()) });
                }
                for point in &mut river.points[reach.start + 1..reach.end] {
                    point.width *= self.share().sqrt();
                }
            }
        }
        rivers.append(&mut strands);
    }

    /// Share of the water that a strand has.
    fn share(&self) -> f64 {
        1.0 / f64::from(self.strands.max(1))
    }

    /// How far strands can go to the left and to the right of each point.
    fn rooms(&self, points: &[RiverPoint]) -> Vec<[f64; 2]> {
        let raw: Vec<[f64; 2]> = (0..points.len())
            .map(|k| {
                let threshold = 0.0125 * math::pow((FLOOD * points[k].discharge).max(1e-9), -0.44);
                if slope(points, k) < threshold {
                    return [0.0; 2];
                }
                [1.0, -1.0].map(|side| self.room(points, k, side))
            })
            .collect();
        // A narrow place narrows what is around it, and nothing jumps.
        let around = |k: usize, far: usize| k.saturating_sub(far)..(k + far + 1).min(raw.len());
        let least: Vec<[f64; 2]> = (0..raw.len())
            .map(|k| {
                [0, 1]
                    .map(|side| raw[around(k, 3)].iter().fold(f64::INFINITY, |a, b| a.min(b[side])))
            })
            .collect();
        (0..raw.len())
            .map(|k| {
                let near = &least[around(k, AROUND)];
                [0, 1]
                    .map(|side| near.iter().map(|room| room[side]).sum::<f64>() / near.len() as f64)
            })
            .collect()
    }

    /// How far it is to where the ground rises.
    fn room(&self, points: &[RiverPoint], k: usize, side: f64) -> f64 {
        let point = &points[k];
        let [nx, nz] = normal(points, k);
        let most = SPREAD * f64::from(self.strands) * point.width;
        let level = point.bed + point.depth + BANK;
        let mut far = 0.0;
        while far < most {
            let next = far + self.step;
            let (x, z) = (point.x + side * next * nx, point.z + side * next * nz);
            if (self.ground)(x, z) > level + RISE * next {
                break;
            }
            far = next;
        }
        far.min(most)
    }

    fn strand(
        &self,
        whole: &[RiverPoint],
        rooms: &[[f64; 2]],
        reach: std::ops::Range<usize>,
        number: u64,
    ) -> Vec<RiverPoint> {
        let seed = self.seed.child("strand").child(&number.to_string());
        let mut points = Vec::with_capacity(reach.len());
        let (mut way, mut lowest) = (0.0, f64::INFINITY);
        let length: f64 = reach.clone().skip(1).map(|k| apart(&whole[k - 1], &whole[k])).sum();
        for k in reach.clone() {
            let main = whole[k];
            if k > reach.start {
                way += apart(&whole[k - 1], &main);
            }
            let [left, right] = rooms[k];
            let ends = (way.min(length - way) / (2.0 * (left + right)).max(1e-9)).min(1.0);
            let bend = BEND * main.width;
            let wave = f64::from(gradient_noise(seed, way / bend, 0.5))
                + 0.4 * f64::from(gradient_noise(seed.child("fine"), 2.3 * way / bend, 0.5));
            let share = (2.4 * wave).clamp(-1.0, 1.0) * math::smoothstep(0.0, 1.0, ends);
            let aside = share * if share > 0.0 { left } else { right };
            let [nx, nz] = normal(whole, k);
            let (x, z) = (main.x + aside * nx, main.z + aside * nz);
            let discharge = main.discharge * self.share();
            let depth = DEPTH_FACTOR * math::pow(discharge, 0.30);
            let ground = if aside == 0.0 { f64::INFINITY } else { (self.ground)(x, z) };
            lowest = lowest.min(main.bed + main.depth - depth).min(ground - depth);
            let width = main.width * self.share().sqrt();
            points.push(RiverPoint { x, z, bed: lowest, width, depth, discharge });
        }
        points
    }
}

/// The stretches that have room for strands.
fn reaches(rooms: &[[f64; 2]], points: &[RiverPoint]) -> Vec<std::ops::Range<usize>> {
    let is_wide = |k: usize| rooms[k][0] + rooms[k][1] > 2.0 * points[k].width;
    let mut all = Vec::new();
    let mut start = 0;
    while start < rooms.len() {
        let end = (start..rooms.len()).find(|&k| !is_wide(k)).unwrap_or(rooms.len());
        if end - start >= FEWEST {
            all.push(start..end);
        }
        start = end + 1;
    }
    all
}

fn apart(a: &RiverPoint, b: &RiverPoint) -> f64 {
    math::length(b.x - a.x, b.z - a.z)
}

/// The points around one.
fn ends(points: &[RiverPoint], k: usize) -> [&RiverPoint; 2] {
    [&points[k.saturating_sub(AROUND)], &points[(k + AROUND).min(points.len() - 1)]]
}

/// Fall over way around a point.
fn slope(points: &[RiverPoint], k: usize) -> f64 {
    let [a, b] = ends(points, k);
    (a.bed - b.bed) / apart(a, b).max(1e-9)
}

/// The unit vector to the left of a river.
fn normal(points: &[RiverPoint], k: usize) -> [f64; 2] {
    let [a, b] = ends(points, k);
    let length = apart(a, b).max(1e-9);
    [(b.z - a.z) / length, -(b.x - a.x) / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn river(slope: f64) -> Vec<River> {
        let point = |k: u32| RiverPoint {
            x: 500.0,
            z: 10.0 * f64::from(k),
            bed: 100.0 - slope * 10.0 * f64::from(k),
            width: 20.0,
            depth: 1.0,
            discharge: 8.0,
        };
        vec![River { name: "river 1".into(), points: (0..300).map(point).collect(), into: None }]
    }

    fn braided(slope: f64, ground: &dyn Fn(f64, f64) -> f64) -> Vec<River> {
        let mut rivers = river(slope);
        Braids { strands: 4, seed: Seed::new(1), ground, step: 10.0 }.add(&mut rivers);
        rivers
    }

    #[test]
    fn a_steep_river_on_a_plain_parts_into_strands_that_never_rise() {
        let rivers = braided(0.01, &|_, z| 101.5 - 0.01 * z);
        assert_eq!(rivers.len(), 4);
        for strand in &rivers[1..] {
            assert_eq!(strand.into.as_deref(), Some("river 1"));
            let (first, last) = (&strand.points[0], strand.points.last().unwrap());
            assert_eq!((first.x, last.x), (500.0, 500.0), "strands begin and end in the river");
            assert!(strand.points.windows(2).all(|pair| pair[1].bed <= pair[0].bed));
            let widest = strand.points.iter().fold(0.0_f64, |a, p| a.max((p.x - 500.0).abs()));
            assert!((20.0..=4.0 * SPREAD * 20.0).contains(&widest), "{widest}");
            let crossings =
                strand.points.windows(2).filter(|p| (p[0].x < 500.0) != (p[1].x < 500.0));
            assert!(crossings.count() > 1);
        }
    }

    #[test]
    fn a_gentle_river_and_one_in_a_gorge_stay_one() {
        assert_eq!(braided(0.0005, &|_, z| 101.5 - 0.0005 * z).len(), 1);
        let gorge = |x: f64, z: f64| 101.5 - 0.01 * z + 2.0 * (x - 500.0).abs();
        assert_eq!(braided(0.01, &gorge).len(), 1);
    }
}
