//! Movement (section 2.4.1): plates have random velocities, move by whole pixels, and exchange momentum where they collide.
//!
//! ```text
//! |v| = V (½ + ½ u)                                   V the asked speed, u uniform in 0 … 1, any direction
//! v_a −= 2 m_b/(m_a + m_b) ((v_a − v_b)·n) n          n from the middle of a to that of b
//! v_b += 2 m_a/(m_a + m_b) ((v_a − v_b)·n) n          m the number of pixels
//! ```
//!
//! The report names an exchange of linear momentum and gives no formula; its program re-draws all velocities instead. This is the
//! elastic collision of two bodies, which swaps the momenta of equal ones: it keeps the sum of m v and of m v². Two plates collide in a
//! step in which one covers a part of the other, if their middles approach each other. No plate turns. Parts of a pixel that a
//! plate has not moved yet are kept for the next step, where the program loses them.

use crate::world::frontier::FREE;
use crate::{Seed, math};

use super::World;
use crate::world::raster::Raster;

/// A plate that moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plate {
    /// Pixels a step along x and z.
    pub(super) velocity: [f64; 2],
    /// The part of a pixel that it has still to move.
    rest: [f64; 2],
}

impl Plate {
    pub(super) fn new(velocity: [f64; 2]) -> Self {
        Self { velocity, rest: [0.0; 2] }
    }

    /// Plates with half to all of this speed, in pixels a step along x and z.
    pub(super) fn with_random_velocities(count: usize, speed: [f64; 2], seed: Seed) -> Vec<Self> {
        let plate = |index: u64| {
            let share = 0.5 + 0.5 * seed.uniform(2 * index);
            let angle = std::f64::consts::TAU * seed.uniform(2 * index + 1);
            Self::new([speed[0] * share * math::cos(angle), speed[1] * share * math::sin(angle)])
        };
        (0..count as u64).map(plate).collect()
    }

    /// Moves on by a step: by how many whole pixels.
    pub(super) fn advance(&mut self) -> [i64; 2] {
        [0, 1].map(|axis| {
            let offset = self.velocity[axis] + self.rest[axis];
            let shift = (offset + 0.5).floor();
            self.rest[axis] = offset - shift;
            shift as i64
        })
    }
}

/// Whether the plates have come to rest: all of them together move no more than a pixel a step.
pub(super) fn has_stopped(plates: &[Plate]) -> bool {
    plates.iter().map(|plate| math::length(plate.velocity[0], plate.velocity[1])).sum::<f64>()
        <= 1.0
}

/// Which plates cover each pixel after they have moved.
#[derive(Debug)]
pub(super) struct Cover {
    /// How many.
    pub(super) count: Vec<u16>,
    /// The one on top: the last in the order of plates. [`FREE`] in a gap.
    pub(super) top: Vec<u16>,
    /// The highest of their heights.
    pub(super) highest: Vec<f32>,
    /// Pairs of plates of which the second covers a part of the first, in order.
    pub(super) collisions: Vec<[u16; 2]>,
}

impl Cover {
    /// What plates with these pixels and heights cover after these moves.
    pub(super) fn of(
        raster: &Raster,
        (owner, heights): (&[u16], &[f32]),
        shifts: &[[i64; 2]],
    ) -> Self {
        let cells = raster.cells();
        let mut cover = Self {
            count: vec![0; cells],
            top: vec![FREE; cells],
            highest: vec![f32::NEG_INFINITY; cells],
            collisions: Vec::new(),
        };
        for_each_move(raster, owner, shifts, |from, to| {
            let (count, top) = (&mut cover.count[to], &mut cover.top[to]);
            *top = if *count == 0 { owner[from] } else { (*top).max(owner[from]) };
            *count += 1;
            cover.highest[to] = cover.highest[to].max(heights[from]);
        });
        let plates = shifts.len();
        let mut collides = vec![false; plates * plates];
        for_each_move(raster, owner, shifts, |from, to| {
            collides[owner[from] as usize * plates + cover.top[to] as usize] = true;
        });
        let pairs = (0..plates * plates).filter(|&pair| collides[pair]);
        let pairs = pairs.map(|pair| [(pair / plates) as u16, (pair % plates) as u16]);
        cover.collisions = pairs.filter(|[lower, upper]| lower != upper).collect();
        cover
    }

    /// Whether no plate covers anything.
    pub(super) fn is_bare(&self) -> bool {
        self.top.iter().all(|&top| top == FREE)
    }
}

/// Calls `f` with each pixel that stays on the map, and where it moves to.
fn for_each_move(
    raster: &Raster,
    owner: &[u16],
    shifts: &[[i64; 2]],
    mut f: impl FnMut(usize, usize),
) {
    let [width, height] = raster.size();
    for j in 0..height {
        for i in 0..width {
            let from = j * width + i;
            let [di, dj] = shifts[owner[from] as usize];
            let to = raster.index(0, i as i64 + di).zip(raster.index(1, j as i64 + dj));
            if let Some((i, j)) = to {
                f(from, j * width + i);
            }
        }
    }
}

/// What counts of a plate in a collision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// Its number of pixels.
    pub(super) mass: f64,
    /// Its middle in pixels.
    pub(super) middle: [f64; 2],
    /// The width of the map along each axis that wraps.
    around: [Option<f64>; 2],
}

impl Body {
    #[cfg(test)]
    pub(super) fn at(mass: f64, middle: [f64; 2]) -> Self {
        Self { mass, middle, around: [None; 2] }
    }

    /// The unit vector to another, the shortest way around the map; nothing if they have the same middle.
    fn towards(&self, other: &Self) -> Option<[f64; 2]> {
        let [x, z] = [0, 1].map(|axis| {
            let way = other.middle[axis] - self.middle[axis];
            self.around[axis].map_or(way, |around| way - around * (way / around + 0.5).floor())
        });
        let length = math::length(x, z);
        (length > 1e-9).then(|| [x / length, z / length])
    }
}

impl World<'_> {
    /// The plates as bodies. Along an axis that wraps, the middle is that of the pixels on a circle.
    pub(super) fn bodies(&self) -> Vec<Body> {
        let (size, wrap) = (self.raster.size(), self.raster.wrap());
        let turn = |axis: usize, k: usize| std::f64::consts::TAU * k as f64 / size[axis] as f64;
        let places = [0, 1].map(|axis| -> Vec<[f64; 2]> {
            let place = |k: usize| match wrap[axis] {
                true => [math::cos(turn(axis, k)), math::sin(turn(axis, k))],
                false => [k as f64, 0.0],
            };
            (0..size[axis]).map(place).collect()
        });
        let mut sums = vec![([[0.0; 2]; 2], 0.0); self.plates.len()];
        for (row, owners) in self.owner.chunks(size[0]).enumerate() {
            for (column, &owner) in owners.iter().enumerate() {
                let (sums, mass) = &mut sums[owner as usize];
                for (sum, place) in sums.iter_mut().zip([places[0][column], places[1][row]]) {
                    *sum = [sum[0] + place[0], sum[1] + place[1]];
                }
                *mass += 1.0;
            }
        }
        let body = |(sums, mass): ([[f64; 2]; 2], f64)| {
            let middle = [0, 1].map(|axis| {
                let [x, y] = sums[axis];
                match wrap[axis] {
                    true => math::atan2(y, x) / std::f64::consts::TAU * size[axis] as f64,
                    false => x / mass.max(1.0),
                }
            });
            let around = [0, 1].map(|axis| wrap[axis].then_some(size[axis] as f64));
            Body { mass, middle, around }
        };
        sums.into_iter().map(body).collect()
    }
}

/// The exchange of momentum of plates that collide, one pair after the other.
pub(super) fn exchange(plates: &mut [Plate], bodies: &[Body], collisions: &[[u16; 2]]) {
    for &[a, b] in collisions {
        let (a, b) = (a as usize, b as usize);
        let Some(n) = bodies[a].towards(&bodies[b]) else { continue };
        let [v_a, v_b] = [a, b].map(|plate| plates[plate].velocity);
        let approach = (v_a[0] - v_b[0]) * n[0] + (v_a[1] - v_b[1]) * n[1];
        let all = bodies[a].mass + bodies[b].mass;
        if approach > 0.0 && all > 0.0 {
            let [to_a, to_b] = [bodies[b].mass, bodies[a].mass].map(|m| 2.0 * approach * m / all);
            for axis in 0..2 {
                plates[a].velocity[axis] -= to_a * n[axis];
                plates[b].velocity[axis] += to_b * n[axis];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn momentum(plates: &[Plate], bodies: &[Body]) -> [f64; 2] {
        let part = |axis: usize| {
            plates.iter().zip(bodies).map(|(plate, body)| body.mass * plate.velocity[axis]).sum()
        };
        [part(0), part(1)]
    }

    fn energy(plates: &[Plate], bodies: &[Body]) -> f64 {
        let square = |[x, z]: [f64; 2]| x * x + z * z;
        plates.iter().zip(bodies).map(|(plate, body)| body.mass * square(plate.velocity)).sum()
    }

    #[test]
    fn collisions_keep_momentum_and_energy() {
        let seed = Seed::new(6);
        let mut plates = Plate::with_random_velocities(6, [2.0, 3.0], seed);
        let at = |k: u64| 100.0 * seed.uniform(k);
        let bodies: Vec<Body> =
            (0..6).map(|k| Body::at(1.0 + at(k), [at(10 + k), at(20 + k)])).collect();
        let before = (momentum(&plates, &bodies), energy(&plates, &bodies), plates.clone());
        let all: Vec<[u16; 2]> = (0..6).flat_map(|a| (a + 1..6).map(move |b| [a, b])).collect();
        exchange(&mut plates, &bodies, &all);
        let after = (momentum(&plates, &bodies), energy(&plates, &bodies));
        for axis in 0..2 {
            assert!((before.0[axis] - after.0[axis]).abs() < 1e-9, "{axis}");
        }
        assert!((before.1 - after.1).abs() < 1e-9 * before.1);
        assert_ne!(plates, before.2);
    }

    #[test]
    fn equal_plates_swap_their_momenta_and_those_that_part_keep_theirs() {
        let bodies = [Body::at(40.0, [0.0, 5.0]), Body::at(40.0, [9.0, 5.0])];
        let start = [Plate::new([2.0, 0.5]), Plate::new([-1.0, 0.0])];
        let mut plates = start.clone();
        exchange(&mut plates, &bodies, &[[0, 1]]);
        assert_eq!([plates[0].velocity, plates[1].velocity], [[-1.0, 0.5], [2.0, 0.0]]);
        let parted = plates.clone();
        exchange(&mut plates, &bodies, &[[0, 1]]);
        assert_eq!(plates, parted);
    }

    #[test]
    fn the_way_between_middles_goes_around_the_map() {
        let around = [Some(100.0), None];
        let [a, b] = [2.0, 97.0].map(|x| Body { mass: 1.0, middle: [x, 3.0], around });
        assert_eq!(a.towards(&b), Some([-1.0, 0.0]));
        assert_eq!(b.towards(&a), Some([1.0, 0.0]));
        assert_eq!(a.towards(&a), None);
    }

    #[test]
    fn speeds_are_half_to_all_of_the_asked_one() {
        let plates = Plate::with_random_velocities(300, [4.0, 4.0], Seed::new(2));
        let speeds = plates.iter().map(|plate| math::length(plate.velocity[0], plate.velocity[1]));
        let (mut low, mut high) = (f64::MAX, 0.0_f64);
        speeds.for_each(|speed| (low, high) = (low.min(speed), high.max(speed)));
        assert!((2.0..2.1).contains(&low) && (3.9..4.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn parts_of_pixels_are_kept_from_step_to_step() {
        let mut plate = Plate::new([0.2, -0.3]);
        let mut moved = [0, 0];
        for _ in 0..40 {
            let shift = plate.advance();
            moved = [moved[0] + shift[0], moved[1] + shift[1]];
        }
        assert_eq!(moved, [8, -12]);
    }

    #[test]
    fn plates_stop_when_all_of_them_together_move_a_pixel_at_most() {
        let plates = |speed: f64| [Plate::new([speed, 0.0]), Plate::new([0.0, -speed])];
        assert!(has_stopped(&plates(0.5)));
        assert!(!has_stopped(&plates(0.51)));
    }
}
