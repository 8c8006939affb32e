//! Rivers: the lines along which more than some amount of water runs, from sources to mouths, as objects.
//!
//! At a confluence the branch with the most water is the river and the others flow into it. Width and depth follow from the
//! discharge by the hydraulic geometry of [`profile`](crate::river::profile). The corners of the lattice are smoothed
//! away, each point by less than a sample, so a river stays in its valley; its bed never rises.

use super::compass::{Compass, NOWHERE};
use crate::feature::{River, RiverPoint};
use crate::river::profile::{DEPTH_FACTOR, WIDTH_FACTOR};
use crate::{Lattice, math};

/// Rivers with fewer points than this are not worth a name.
const FEWEST: usize = 8;
/// How often a course is smoothed.
const ROUNDS: usize = 4;

/// Where water runs, and how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streams<'a> {
    pub(crate) compass: &'a Compass,
    pub(crate) directions: &'a [u8],
    /// Downstream.
    pub(crate) order: &'a [u32],
    /// m³/s.
    pub(crate) discharge: &'a [f32],
    /// Height of the water, which falls downstream.
    pub(crate) surface: &'a [f32],
    /// m³/s from which on it is a river.
    pub(crate) least: f32,
}

/// A course as samples, from the source to the mouth.
struct Course {
    samples: Vec<u32>,
    /// The river that it flows into, and the place of its last sample there.
    into: Option<(usize, usize)>,
}

impl Streams<'_> {
    fn is_stream(&self, at: usize) -> bool {
        self.discharge[at] >= self.least && self.directions[at] != NOWHERE
    }

    /// The rivers, the largest first among those that end in the sea or on the border, each before those that flow into it;
    /// the first is called `river first`.
    pub(crate) fn rivers(&self, lattice: &Lattice, first: usize) -> Vec<River> {
        let courses = self.courses();
        let mut rivers: Vec<River> = Vec::with_capacity(courses.len());
        let mut lines: Vec<Vec<[f64; 2]>> = Vec::with_capacity(courses.len());
        let name = |k: usize| format!("river {}", first + k);
        for (k, course) in courses.iter().enumerate() {
            let mut line = self.smoothed(&course.samples, lattice);
            if let Some((main, place)) = course.into {
                let last = line.len() - 1;
                line[last] = lines[main][place];
            }
            let mut lowest = f64::INFINITY;
            let mut points: Vec<RiverPoint> = Vec::with_capacity(line.len());
            for (&at, &[x, z]) in course.samples.iter().zip(&line) {
                let at = at as usize;
                let discharge = match points.last() {
                    // The sea has no discharge, and the main river has more than this one.
                    Some(before) if points.len() + 1 == line.len() => before.discharge,
                    _ => f64::from(self.discharge[at]),
                };
                let width = WIDTH_FACTOR * discharge.sqrt();
                let depth = DEPTH_FACTOR * math::pow(discharge, 0.30);
                lowest = lowest.min(f64::from(self.surface[at]) - depth);
                points.push(RiverPoint { x, z, bed: lowest, width, depth, discharge });
            }
            if let (Some((main, place)), Some(last)) = (course.into, points.last_mut()) {
                last.bed = last.bed.min(rivers[main].points[place].bed);
            }
            lines.push(line);
            let into = course.into.map(|(main, _)| name(main));
            rivers.push(River { name: name(k), points, into });
        }
        rivers
    }

    fn courses(&self) -> Vec<Course> {
        let main = self.main_donors();
        let mut mouths: Vec<(u32, Option<(usize, usize)>)> = self
            .order
            .iter()
            .filter(|&&at| {
                let at = at as usize;
                let next = self.compass.next(at, self.directions[at]);
                self.is_stream(at) && !self.is_stream(next)
            })
            .map(|&at| (at, None))
            .collect();
        let water = |at: u32| self.discharge[at as usize];
        mouths.sort_by(|a, b| water(b.0).total_cmp(&water(a.0)).then(a.0.cmp(&b.0)));
        let mut courses: Vec<Course> = Vec::new();
        let mut next_mouth = 0;
        while next_mouth < mouths.len() {
            let (mouth, into) = mouths[next_mouth];
            next_mouth += 1;
            let mut samples =
                vec![self.compass.next(mouth as usize, self.directions[mouth as usize]) as u32];
            let mut at = mouth;
            loop {
                samples.push(at);
                match main[at as usize] {
                    u32::MAX => break,
                    donor => at = donor,
                }
            }
            if samples.len() < FEWEST {
                continue;
            }
            samples.reverse();
            let number = courses.len();
            for (place, &at) in samples.iter().enumerate().take(samples.len() - 1).rev() {
                for (direction, donor) in self.compass.around(at as usize) {
                    let flows_in = self.is_stream(donor)
                        && self.directions[donor] == super::compass::opposite(direction);
                    if flows_in && main[at as usize] != donor as u32 {
                        mouths.push((donor as u32, Some((number, place))));
                    }
                }
            }
            courses.push(Course { samples, into });
        }
        courses
    }

    /// The stream with the most water that flows into each sample, or [`u32::MAX`].
    fn main_donors(&self) -> Vec<u32> {
        let mut main = vec![u32::MAX; self.directions.len()];
        for &at in self.order {
            let source = at as usize;
            if self.is_stream(source) {
                let next = &mut main[self.compass.next(source, self.directions[source])];
                let is_more =
                    *next == u32::MAX || self.discharge[source] > self.discharge[*next as usize];
                if is_more {
                    *next = at;
                }
            }
        }
        main
    }

    /// A line through samples without the corners of the lattice; its ends stay.
    fn smoothed(&self, samples: &[u32], lattice: &Lattice) -> Vec<[f64; 2]> {
        let width = self.compass.width as u32;
        let [dx, dz] = lattice.spacing;
        let start: Vec<[f64; 2]> = samples
            .iter()
            .map(|&at| [f64::from(at % width) * dx, f64::from(at / width) * dz])
            .collect();
        let mut line = start.clone();
        for _ in 0..ROUNDS {
            let before = line.clone();
            for k in 1..line.len() - 1 {
                for axis in 0..2 {
                    let mean =
                        0.25 * (before[k - 1][axis] + 2.0 * before[k][axis] + before[k + 1][axis]);
                    let room = 0.75 * lattice.spacing[axis];
                    line[k][axis] = mean.clamp(start[k][axis] - room, start[k][axis] + room);
                }
            }
        }
        line
    }
}
