//! Deltas: what rivers bring to the sea settles before their mouths, and becomes land.
//!
//! ```text
//! top(d) = sea + F − S_f·max(0, d − R)       d = |p − mouth|·(1 + lobes·n(p)) distance from the mouth (m),
//!                                            R how far the plain reaches (m), n smooth noise,
//!                                            F height of the plain, S_f slope of the front under water
//! ```
//!
//! A plain with a steeper front that moves out to sea (Gilbert 1885), farther where the noise makes its way short: the same
//! places in all steps, so lobes grow on. R is such that what lies between the old floor and the
//! top is the volume that the river has brought: found by bisection. Rivers are taken one after the other, the one with the
//! most sediment first; each spreads over the sea that it can reach from its mouth, as far as [`REACH`] samples. What finds
//! no room there, and what brooks bring, is carried out to the deep sea. New land is drained like any other from the next
//! step on, so the mouth moves on and the plain grows by lobes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::stream_power::Landscape;
use crate::noise::gradient_noise::RowNoise;
use crate::noise::lattice::Position;
use crate::{Seed, math};

/// F: height of the plain over the sea, in metres.
const FREEBOARD: f32 = 1.0;
/// S_f, rise over run.
const FRONT: f64 = 0.1;
/// How far a river spreads in one step, in samples.
const REACH: f64 = 48.0;
/// How uneven the ways to the sea are, and how many samples lobes and their bays are wide.
const LOBES: [(f32, f64); 3] = [(0.5, 22.0), (0.22, 8.0), (0.1, 3.5)];
/// The shortest way there is, relative to the distance.
const SHORTEST: f32 = 0.45;
/// Less than this, in metres on one sample, is carried away.
const LEAST: f64 = 5.0;

/// The floor of the sea, as rivers fill it.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    /// Height of the ground under the sea; elsewhere it says nothing.
    pub(crate) floor: Vec<f32>,
    /// Whether a sample is sea.
    pub(crate) is_sea: Vec<bool>,
    pub(crate) sea: f32,
    /// 1 + lobes·n: how long the way to a sample is, relative to its distance.
    detour: Vec<f32>,
    /// The mouth that last looked at a sample, counted from 1.
    looked: Vec<u32>,
    mouths: u32,
}

/// Where the sediment has gone, in m³.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Settled {
    /// What has built the delta.
    pub(crate) deposited: f64,
    /// What has left: to the deep sea, or over the border.
    pub(crate) exported: f64,
}

/// A sample within reach of a mouth.
struct Near {
    at: usize,
    distance: f64,
    /// What fits between the floor and the plain, in metres.
    room: f64,
}

impl Shelf {
    /// The floor under a sea of this height, in rows of `width` samples.
    pub(crate) fn new(
        floor: Vec<f32>,
        is_sea: Vec<bool>,
        sea: f32,
        width: usize,
        seed: Seed,
    ) -> Self {
        let looked = vec![0; floor.len()];
        let mut detour = vec![1.0; floor.len()];
        for (k, (strength, wavelength)) in LOBES.into_iter().enumerate() {
            let place = |at: usize| Position::of(at as f64 / wavelength);
            let columns: Vec<_> = (0..width).map(place).collect();
            let mut noise = RowNoise::new(seed.child(&format!("lobes {k}")), &columns);
            for (j, row) in detour.chunks_mut(width).enumerate() {
                row.iter_mut().zip(noise.row(place(j))).for_each(|(d, n)| *d += strength * n);
            }
        }
        detour.iter_mut().for_each(|detour| *detour = detour.max(SHORTEST));
        Self { floor, is_sea, sea, detour, looked, mouths: 0 }
    }

    /// Lets what the land has lost since it had the heights `before`, `years` ago, settle in the sea. Samples that rise above
    /// the sea become land.
    pub(crate) fn settle(&mut self, land: &mut Landscape, before: &[f32], years: f64) -> Settled {
        let mut settled = Settled::default();
        for (mouth, load) in loads(land, before, years) {
            let deposited = if load >= LEAST && self.is_sea[mouth] {
                self.build(mouth, load, land)
            } else {
                0.0
            };
            settled.deposited += deposited;
            settled.exported += load - deposited;
        }
        for at in 0..self.floor.len() {
            if self.is_sea[at] && self.floor[at] > self.sea {
                self.is_sea[at] = false;
                land.is_base[at] = false;
                land.heights[at] = self.floor[at];
            }
        }
        let cell = land.compass.cell_area;
        Settled { deposited: settled.deposited * cell, exported: settled.exported * cell }
    }

    /// Lays a volume down before a mouth, in metres on one sample; gives how much has found room.
    fn build(&mut self, mouth: usize, load: f64, land: &Landscape) -> f64 {
        let near = self.near(mouth, load, land);
        let top = |place: &Near, reach: f64| {
            (place.room - FRONT * (place.distance - reach).max(0.0)).max(0.0)
        };
        let volume = |reach: f64| near.iter().map(|place| top(place, reach)).sum::<f64>();
        let deepest = near.iter().fold(0.0_f64, |most, place| most.max(place.room));
        let step = f64::from(land.compass.lengths[0].max(land.compass.lengths[2]));
        let edge = near.iter().filter(|place| place.distance > (REACH - 2.0) * step);
        // The front comes down to the floor within reach, or the edge of what is looked at would show.
        let farthest = edge.map(|place| place.distance - place.room / FRONT);
        let (mut low, mut high) = (-deepest / FRONT, farthest.fold(REACH * step, f64::min));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if volume(middle) <= load { low = middle } else { high = middle }
        }
        let mut laid = 0.0;
        for place in &near {
            let old = self.floor[place.at];
            let new = (f64::from(old) + top(place, low)) as f32;
            self.floor[place.at] = new;
            laid += f64::from(new) - f64::from(old);
        }
        laid
    }

    /// The sea around a mouth, nearest first: as far as the volume can matter.
    fn near(&mut self, mouth: usize, load: f64, land: &Landscape) -> Vec<Near> {
        let compass = &land.compass;
        let [dx, dz] = [compass.lengths[0], compass.lengths[2]].map(f64::from);
        let (i0, j0) = ((mouth % compass.width) as f64, (mouth / compass.width) as f64);
        let detour = &self.detour;
        let distance = |at: usize| {
            let (i, j) = ((at % compass.width) as f64 - i0, (at / compass.width) as f64 - j0);
            math::length(i * dx, j * dz) * f64::from(detour[at])
        };
        let mut near = Vec::new();
        self.mouths += 1;
        self.looked[mouth] = self.mouths;
        let mut waiting = BinaryHeap::from([Reverse((0_u64, mouth))]);
        let reach = REACH * dx.max(dz);
        let (mut sum, mut deepest, mut plain) = (0.0, 0.0_f64, reach);
        while let Some(Reverse((_, at))) = waiting.pop() {
            let here = distance(at);
            let room = f64::from(self.sea + FREEBOARD - self.floor[at]);
            deepest = deepest.max(room);
            // Its front ends where it meets the deepest floor.
            if here > reach || here > plain + deepest / FRONT {
                break;
            }
            sum += room;
            near.push(Near { at, distance: here, room });
            if sum >= load {
                // The plain reaches no farther than this.
                plain = plain.min(here);
            }
            for (_, next) in compass.around(at) {
                if self.is_sea[next] && self.looked[next] != self.mouths {
                    self.looked[next] = self.mouths;
                    // Distances are not negative, so their bits are in the same order.
                    waiting.push(Reverse((distance(next).to_bits(), next)));
                }
            }
        }
        near
    }
}

/// What comes to each end of the water, in metres on one sample, the most first.
fn loads(land: &Landscape, before: &[f32], years: f64) -> Vec<(usize, f64)> {
    let mut loads: Vec<(usize, f64)> = Vec::new();
    for trees in land.forest.pieces() {
        for (k, &at) in trees.samples.iter().enumerate() {
            let at = at as usize;
            if trees.receiver(k) == k {
                // A root, and after it all that drains to it.
                loads.push((at, 0.0));
            }
            if let Some(load) = loads.last_mut().filter(|_| !land.is_base[at]) {
                let lifted = before[at] + land.uplift[at] * years as f32;
                load.1 += f64::from(lifted) - f64::from(land.heights[at]);
            }
        }
    }
    loads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    loads
}

#[cfg(test)]
mod tests {
    use super::super::stream_power::Law;
    use super::*;
    use crate::{Ctx, Lattice};

    const LATTICE: Lattice = Lattice { size: [81, 101], spacing: [50.0, 50.0] };
    const LAW: Law =
        Law { erodibility: 2e-5, area_exponent: 0.45, slope_exponent: 1.0, deposition: 0.4 };

    /// Land in the north, a sea that grows deeper to the south.
    fn coast(deepening: f32) -> (Landscape, Shelf) {
        let samples = 81 * 101;
        let (seed, row) = (Seed::new(3), |at: usize| (at / 81) as f32);
        let ground = |at: usize| deepening * (50.0 - row(at)) + seed.uniform(at as u64) as f32;
        let floor: Vec<f32> = (0..samples).map(ground).collect();
        let is_sea: Vec<bool> = floor.iter().map(|&h| h < 0.0).collect();
        let heights = floor.iter().map(|&h| h.max(0.0)).collect();
        let uplift = is_sea.iter().map(|&is_sea| if is_sea { 0.0 } else { 1e-3 }).collect();
        let land = Landscape::new(&LATTICE, heights, uplift, is_sea.clone());
        (land, Shelf::new(floor, is_sea, 0.0, 81, seed))
    }

    fn volume(land: &Landscape, shelf: &Shelf) -> f64 {
        let height = |at: usize| if shelf.is_sea[at] { shelf.floor[at] } else { land.heights[at] };
        (0..land.heights.len()).map(|at| f64::from(height(at))).sum::<f64>()
            * land.compass.cell_area
    }

    #[test]
    fn what_leaves_the_land_is_in_the_delta_or_in_the_deep_sea() {
        let ctx = Ctx::new(&(), "");
        for deepening in [0.3, 1.0] {
            let (mut land, mut shelf) = coast(deepening);
            let sea = |shelf: &Shelf| shelf.is_sea.iter().filter(|&&is_sea| is_sea).count();
            let (start, wet) = (volume(&land, &shelf), sea(&shelf));
            let (mut uplifted, mut sum) = (0.0, Settled::default());
            for _ in 0..20 {
                land.route(None, &ctx).unwrap();
                let before = land.heights.clone();
                uplifted += land.step(&LAW, 4e3, &ctx).unwrap().uplifted;
                let settled = shelf.settle(&mut land, &before, 4e3);
                sum.deposited += settled.deposited;
                sum.exported += settled.exported;
            }
            let rest = start + uplifted - volume(&land, &shelf) - sum.exported;
            assert!(rest.abs() < 1e-6 * uplifted, "{rest} of {uplifted}");
            assert!(sum.deposited > 0.8 * (sum.deposited + sum.exported), "{sum:?}");
            assert!(sea(&shelf) + 20 < wet, "{} of {wet} are still sea", sea(&shelf));
        }
    }

    #[test]
    fn a_river_builds_a_half_circle_with_a_front_before_an_even_coast() {
        let (land, mut shelf) = coast(0.2);
        shelf.detour.fill(1.0);
        shelf.floor.iter_mut().for_each(|floor| *floor = -9.0);
        (0..81 * 101).for_each(|at| shelf.is_sea[at] = at / 81 >= 50);
        let mouth = 50 * 81 + 40;
        let laid = shelf.build(mouth, 2000.0, &land);
        assert!((laid - 2000.0).abs() < 1e-3, "{laid}");
        let plain = shelf.floor.iter().filter(|&&floor| floor > 0.9).count();
        // Ten metres deep: a plain, and a front that is 100 m long.
        assert!((120..200).contains(&plain), "{plain}");
        assert_eq!(shelf.floor[mouth - 81], -9.0);
        assert_eq!(shelf.floor[mouth + 11], shelf.floor[mouth - 11]);
        assert_eq!(shelf.floor[mouth + 11 * 81], shelf.floor[mouth - 11]);
    }
}
