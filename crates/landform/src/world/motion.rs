//! Plates in motion (Baker 2018, section 2.4): they move on, collide, part, and exchange momentum.
//!
//! Crust is kept where it was when the plates last came to rest in the memory (an *epoch*); each plate has the turn
//! that it has made since. A cell of the surface is covered by a plate if the place from which it comes was crust of that
//! plate. So nothing is resampled from step to step, and remainders of cells are never lost. Only blocks near a border of
//! plates are looked at in a step. When a plate has moved far, the crust is written anew.
//!
//! ```text
//! Σ M v is kept by collisions      M mass of a plate (area, continental crust counted three times), v velocity
//! v_p −= f μ/M_p (v_p − v_q)       μ = M_p M_q / (M_p + M_q),  f = 1 − exp(−A/A_0),  A continent newly over continent
//! ```
//!
//! On the sphere v is the vector of the rotation about the Euler pole.

use fearless_simd::{Level, dispatch};

use super::cover::{GAP, PlateCover, stretches};
use super::crust::Crust;
use super::surface::{Kinematics, NONE, Point, Turn, block_neighbours};
use crate::math::vector::{add, dot, scale};
use crate::{Cancelled, Ctx, Seed, math};

/// Area of continent over continent by which a collision slows the plates to 1/e, in m².
const STOPPING_AREA: f64 = 1.2e12;

/// Parts of a step at the most.
pub(super) const MOST_PARTS: f64 = 1000.0;

/// A plate.
#[derive(Clone, Debug)]
pub(crate) struct Plate {
    /// Per million years: metres on a flat map, radians about an axis on a sphere.
    pub(crate) velocity: [f64; 3],
    /// What it has moved since the crust was last written.
    pub(crate) turn: Turn,
    /// At the most so many metres.
    pub(crate) travelled: f64,
    /// Area in m², continental crust counted three times.
    pub(crate) mass: f64,
    /// Mean time at which its ocean floor was made: the older is the denser and dives.
    pub(crate) ocean_birth: f64,
}

/// Continental crust in m²: where it came from and where it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ledger {
    /// At the start.
    pub(crate) start: f64,
    /// Pushed under other continental crust: folded into mountains.
    pub(crate) folded: f64,
    /// Stretched into the first of a gap.
    pub(crate) stretched: f64,
    /// What is there after the last of these, if nothing is rounded.
    expected: f64,
    /// Gained, or if negative lost, because a turned lattice does not fall on its cells.
    pub(crate) rounding: f64,
}

impl Ledger {
    /// Now.
    #[cfg(test)]
    pub(crate) fn now(&self) -> f64 {
        self.start - self.folded + self.stretched + self.rounding
    }
}

/// How plates move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Million years of a step.
    pub(crate) step: f64,
    /// Share of its velocity that a plate loses in a step.
    pub(crate) friction: f64,
    /// Metres a million years below which everything has stopped.
    pub(crate) stop: f64,
}

/// Plates on a surface at some time.
pub(crate) struct Motion<'a, S: Kinematics> {
    pub(crate) surface: &'a S,
    /// As it was last written; its labels are those of `cover`.
    crust: Crust,
    pub(crate) plates: Vec<Plate>,
    pub(crate) cover: PlateCover,
    pub(crate) ledger: Ledger,
    /// Million years since the start.
    pub(crate) now: f64,
    /// The area of continental crust in m².
    land: f64,
    /// When the crust was last written.
    epoch: f64,
    pace: Pace,
    /// The ways back for which `cover` has been found; none after the crust has been written.
    seen: Vec<S::Way>,
    /// Cells of continent over continent, for each pair of plates, in this epoch.
    contacts: Vec<u32>,
}

impl<'a, S: Kinematics> Motion<'a, S> {
    /// Plates at rest with random velocities around `speed` metres a million years.
    pub(crate) fn new(
        surface: &'a S,
        mut crust: Crust,
        count: usize,
        speed: f64,
        pace: Pace,
        seed: Seed,
    ) -> Self {
        let near = block_neighbours(surface, surface.shape());
        let cover = PlateCover::new(surface, &mut crust, near, count);
        let still = Plate {
            velocity: [0.0; 3],
            turn: Turn::NONE,
            travelled: 0.0,
            mass: 0.0,
            ocean_birth: 0.0,
        };
        let mut motion = Self {
            surface,
            crust,
            plates: vec![still; count],
            cover,
            ledger: Ledger::default(),
            now: 0.0,
            land: 0.0,
            epoch: 0.0,
            pace,
            seen: Vec::new(),
            contacts: vec![0; count * count],
        };
        motion.weigh();
        motion.ledger.start = motion.land;
        let middles = if surface.is_round() { motion.middles() } else { vec![[0.0; 3]; count] };
        for (p, plate) in motion.plates.iter_mut().enumerate() {
            let draw = |k: u64| seed.uniform(4 * p as u64 + k);
            let metres = speed * (0.5 + 0.5 * draw(0));
            plate.velocity = surface.random_velocity(metres, middles[p], draw(1), draw(2));
        }
        motion
    }

    /// Finds the masses of the plates and the area of their continents.
    fn weigh(&mut self) {
        #[derive(Clone, Copy, Default)]
        struct Sums {
            mass: f64,
            ocean: f64,
            births: f64,
        }
        let mut all = vec![Sums::default(); self.plates.len()];
        let (labels, Crust { land, birth, .. }) = (&self.cover.labels, &self.crust);
        self.land = 0.0;
        let mut first = 0;
        // Along stretches of one plate, whose sums stay in registers.
        for stretch in stretches(labels) {
            let cells = first..first + stretch.len();
            first = cells.end;
            let mut sums = all[stretch[0] as usize];
            let (land, birth) = (&land[cells.clone()], &birth[cells.clone()]);
            if let Some(area) = self.surface.even_area() {
                let (ocean, births) = dispatch!(Level::new(), _simd => ocean_of(land, birth));
                let (ocean, land) = (area * ocean, area * (land.len() as f64 - ocean));
                sums.mass += ocean + 3.0 * land;
                sums.ocean += ocean;
                sums.births += area * births;
                self.land += land;
            } else {
                for (cell, (&land, &birth)) in cells.zip(land.iter().zip(birth)) {
                    let area = self.surface.area(cell);
                    let [ocean, land] = if land > 0 { [0.0, area] } else { [area, 0.0] };
                    sums.mass += ocean + 3.0 * land;
                    sums.ocean += ocean;
                    sums.births += ocean * f64::from(birth);
                    self.land += land;
                }
            }
            all[stretch[0] as usize] = sums;
        }
        for (plate, sums) in self.plates.iter_mut().zip(all) {
            plate.mass = sums.mass;
            plate.ocean_birth = if sums.ocean > 0.0 { sums.births / sums.ocean } else { self.now };
        }
    }

    /// The middles of the plates.
    fn middles(&self) -> Vec<Point> {
        let mut sums = vec![[0.0; 3]; self.plates.len()];
        let mut first = 0;
        for stretch in self.cover.labels.chunk_by(|a, b| a == b) {
            let sum = &mut sums[stretch[0] as usize];
            *sum = (first..first + stretch.len()).fold(*sum, |sum, cell| {
                add(sum, scale(self.surface.point(cell), self.surface.area(cell)))
            });
            first += stretch.len();
        }
        sums.into_iter().map(|sum| self.surface.settled(sum)).collect()
    }

    /// Metres a million years that a plate moves at the most.
    fn speed(&self, plate: &Plate) -> f64 {
        let direction = dot(plate.velocity, plate.velocity).sqrt();
        direction * self.surface.velocity_scale()
    }

    /// Whether all plates have come to rest.
    pub(crate) fn has_stopped(&self) -> bool {
        self.plates.iter().all(|plate| plate.mass == 0.0 || self.speed(plate) < self.pace.stop)
    }

    /// Moves all plates for one step; `after` is called for each part of it that is short enough.
    pub(crate) fn step(
        &mut self,
        ctx: &Ctx<'_>,
        mut after: impl FnMut(&Self, f64),
    ) -> Result<(), Cancelled> {
        let limit = self.surface.longest_move();
        let fastest = self.plates.iter().map(|plate| self.speed(plate)).fold(0.0, f64::max);
        let parts = (fastest * self.pace.step / limit).ceil().clamp(1.0, MOST_PARTS);
        let time = self.pace.step / parts;
        for _ in 0..parts as u32 {
            ctx.check()?;
            let is_far = |plate: &Plate| plate.travelled + self.speed(plate) * time > limit;
            if self.plates.iter().any(is_far) {
                self.write(ctx)?;
            }
            self.now += time;
            for p in 0..self.plates.len() {
                let by = self.surface.turn(scale(self.plates[p].velocity, time));
                let metres = self.speed(&self.plates[p]) * time;
                let plate = &mut self.plates[p];
                plate.turn = plate.turn.then(&by);
                plate.travelled += metres;
            }
            self.look(ctx)?;
            self.collide();
            after(self, time);
        }
        let kept = 1.0 - self.pace.friction;
        self.plates.iter_mut().for_each(|plate| plate.velocity = scale(plate.velocity, kept));
        Ok(())
    }

    /// Finds who covers each cell, unless that is known.
    fn look(&mut self, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let back = |plate: &Plate| self.surface.way_back(&plate.turn);
        let back: Vec<S::Way> = self.plates.iter().map(back).collect();
        if back != self.seen {
            self.cover.look(self.surface, &self.plates, &back, ctx)?;
            self.seen = back;
        }
        Ok(())
    }

    /// Exchanges momentum where continents have come over each other.
    fn collide(&mut self) {
        let count = self.plates.len();
        let mut now = vec![0_u32; count * count];
        for &(_, over, under) in &self.cover.collisions {
            let (low, high) = (over.min(under) as usize, over.max(under) as usize);
            now[low * count + high] += 1;
        }
        let cell = self.surface.cell_size() * self.surface.cell_size();
        for low in 0..count {
            for high in low + 1..count {
                let pair = low * count + high;
                let fresh = now[pair].saturating_sub(self.contacts[pair]);
                if fresh > 0 {
                    let share = 1.0 - math::exp(-f64::from(fresh) * cell / STOPPING_AREA);
                    exchange(&mut self.plates, low, high, share);
                }
            }
        }
        self.contacts = now;
    }

    /// Writes the crust anew where it is now, and gets ready to go on.
    pub(crate) fn write(&mut self, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let rests = self.write_last(ctx)?;
        self.weigh();
        self.ledger.rounding += self.land - self.ledger.expected;
        self.epoch = self.now;
        self.contacts.fill(0);
        for (plate, rest) in self.plates.iter_mut().zip(rests) {
            plate.turn = rest;
            // A remainder is less than a cell.
            plate.travelled = self.surface.cell_size();
        }
        self.cover.survey(self.surface, &self.crust);
        ctx.check()?;
        debug_assert!(self.cover.labels.iter().all(|&label| label != GAP));
        Ok(())
    }

    /// Writes the crust anew where it is now, after which plates no longer move. Gives what is left of their turns.
    pub(crate) fn write_last(&mut self, ctx: &Ctx<'_>) -> Result<Vec<Turn>, Cancelled> {
        // What is left of a cell counts for the next time.
        let mut rests = Vec::with_capacity(self.plates.len());
        for plate in &mut self.plates {
            let (whole, rest) = self.surface.whole_cells(&plate.turn);
            plate.turn = whole;
            rests.push(rest);
        }
        self.look(ctx)?;
        let before = self.land;
        let area = |cell: u32| self.surface.area(cell as usize);
        let folded: f64 = self.cover.collisions.iter().map(|&(cell, ..)| area(cell)).sum();
        let elapsed = self.now - self.epoch;
        let times = (self.now, elapsed);
        let stretched = self.cover.rewrite(self.surface, &mut self.crust, &self.seen, times);
        self.seen.clear();
        self.ledger.folded += folded;
        self.ledger.stretched += stretched;
        self.ledger.expected = before - folded + stretched;
        Ok(rests)
    }
}

/// Number of cells of ocean floor, and the sum of when they were made, side by side.
#[inline(always)]
fn ocean_of(land: &[u8], birth: &[f32]) -> (f64, f64) {
    const LANES: usize = 8;
    let (lands, last_lands) = land.as_chunks::<LANES>();
    let (births, last_births) = birth.as_chunks::<LANES>();
    let (mut counts, mut sums) = ([0_u32; LANES], [0.0_f64; LANES]);
    for (land, birth) in lands.iter().zip(births) {
        // Masks, and step by step for all lanes: else they are added one by one.
        let (mut oceans, mut births) = ([0_u32; LANES], [0.0_f32; LANES]);
        for lane in 0..LANES {
            oceans[lane] = u32::from(land[lane] == 0);
        }
        for lane in 0..LANES {
            births[lane] = f32::from_bits(birth[lane].to_bits() & oceans[lane].wrapping_neg());
        }
        for lane in 0..LANES {
            counts[lane] += oceans[lane];
        }
        for lane in 0..LANES {
            sums[lane] += f64::from(births[lane]);
        }
    }
    for (lane, (&land, &birth)) in last_lands.iter().zip(last_births).enumerate() {
        counts[lane] += u32::from(land == 0);
        sums[lane] += if land == 0 { f64::from(birth) } else { 0.0 };
    }
    (f64::from(counts.iter().sum::<u32>()), sums.iter().sum())
}

impl<S: Kinematics> Motion<'_, S> {
    /// The crust, after it has been [written](Self::write), and memory for as many numbers as there are cells.
    pub(crate) fn into_crust(self) -> (Crust, Vec<f32>) {
        let (labels, buffer) = self.cover.into_labels();
        (Crust { labels, ..self.crust }, buffer)
    }

    /// Continental crust as it was last written.
    #[cfg(test)]
    pub(crate) fn land_cells(&self) -> &[u8] {
        &self.crust.land
    }
}

/// The area of continental crust in m².
#[cfg(test)]
pub(crate) fn land_area<S: super::surface::Tessellation>(surface: &S, land: &[u8]) -> f64 {
    let land = land.iter().enumerate().filter(|(_, land)| **land > 0);
    land.map(|(cell, _)| surface.area(cell)).sum()
}

/// Brings the velocities of two plates this share of the way to their common one. Σ M v is kept.
pub(crate) fn exchange(plates: &mut [Plate], p: usize, q: usize, share: f64) {
    let (a, b) = (plates[p].mass, plates[q].mass);
    if a <= 0.0 || b <= 0.0 {
        return;
    }
    let between = add(plates[p].velocity, scale(plates[q].velocity, -1.0));
    let impulse = scale(between, share * a * b / (a + b));
    plates[p].velocity = add(plates[p].velocity, scale(impulse, -1.0 / a));
    plates[q].velocity = add(plates[q].velocity, scale(impulse, 1.0 / b));
}

impl<S: Kinematics> Motion<'_, S> {
    /// Whether the crust of `plate` at `p` is continental now. What has grown since the crust was last written is not.
    pub(crate) fn is_land(&self, p: Point, plate: u16) -> bool {
        let back = self.plates[plate as usize].turn.inverse();
        let source = self.surface.locate(back.apply(p));
        source != NONE && self.cover.written(source as usize) == (plate, true)
    }
}
