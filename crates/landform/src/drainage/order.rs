//! The order in which water passes the samples, and what gathers on its way.
//!
//! Every sample has one receiver, so the lattice is a forest of trees that grow upstream from pits and base levels (Braun &
//! Willett 2013). Here the order goes *downstream*: a sample comes when all that flows into it has come (Kahn 1962).
//! From each source one walks down until a confluence is reached that still waits for another branch, so most steps go to
//! a neighbour and memory is read nearly in a row. Backwards it is an order in which a receiver comes before its donors.

use super::compass::{Compass, NOWHERE};

/// All samples, each after everything that flows into it.
///
/// Samples on a circle of receivers, which steepest descent cannot make, are left out.
pub fn downstream(directions: &[u8], compass: &Compass) -> Vec<u32> {
    let samples = directions.len();
    let mut donors = vec![0_u8; samples];
    for (at, &direction) in directions.iter().enumerate() {
        if direction != NOWHERE {
            donors[compass.next(at, direction)] += 1;
        }
    }
    let mut order = Vec::with_capacity(samples);
    for start in 0..samples {
        let mut at = start;
        while donors[at] == 0 {
            donors[at] = DONE;
            order.push(at as u32);
            let direction = directions[at];
            if direction == NOWHERE {
                break;
            }
            at = compass.next(at, direction);
            donors[at] -= 1;
        }
    }
    order
}

/// More donors than a sample can have.
const DONE: u8 = 255;

/// Adds to each sample what all samples upstream of it have.
pub fn accumulate(values: &mut [f32], order: &[u32], directions: &[u8], compass: &Compass) {
    for &at in order {
        let at = at as usize;
        let direction = directions[at];
        if direction != NOWHERE {
            values[compass.next(at, direction)] += values[at];
        }
    }
}

/// The ground that drains through each sample, its own included, in m².
pub fn drainage_area(order: &[u32], directions: &[u8], compass: &Compass) -> Vec<f32> {
    let mut area = vec![1.0; directions.len()];
    accumulate(&mut area, order, directions, compass);
    // Samples are counted and then scaled: counts are exact.
    let cell = compass.cell_area as f32;
    area.iter_mut().for_each(|area| *area *= cell);
    area
}

/// The number of the catchment that each sample lies in: those of base levels and pits, counted in the order of their
/// samples; and how many there are.
pub fn catchments(order: &[u32], directions: &[u8], compass: &Compass) -> (Vec<u32>, u32) {
    let mut labels = vec![u32::MAX; directions.len()];
    let mut count = 0;
    for (at, &direction) in directions.iter().enumerate() {
        if direction == NOWHERE {
            labels[at] = count;
            count += 1;
        }
    }
    for &at in order.iter().rev() {
        let at = at as usize;
        labels[at] = labels[compass.next(at, directions[at])];
    }
    (labels, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::receivers::receivers;
    use crate::{Lattice, Seed};

    #[test]
    fn every_drop_arrives_and_donors_come_before_their_receiver() {
        let compass = Compass::new(&Lattice { size: [37, 23], spacing: [2.0, 3.0] });
        let seed = Seed::new(9);
        let heights: Vec<f32> = (0..compass.len()).map(|k| seed.uniform(k as u64) as f32).collect();
        let directions = receivers(&heights, &vec![false; heights.len()], &compass, None);
        let order = downstream(&directions, &compass);
        assert_eq!(order.len(), compass.len());
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &at)| place[at as usize] = k);
        for (at, &direction) in directions.iter().enumerate() {
            assert!(direction == NOWHERE || place[compass.next(at, direction)] > place[at]);
        }
        let area = drainage_area(&order, &directions, &compass);
        let ends = (0..directions.len()).filter(|&at| directions[at] == NOWHERE);
        let arrived: f32 = ends.map(|at| area[at]).sum();
        assert_eq!(arrived, 37.0 * 23.0 * 6.0);
        let (labels, count) = catchments(&order, &directions, &compass);
        assert!(labels.iter().all(|&label| label < count));
        for (at, &direction) in directions.iter().enumerate() {
            assert_eq!(labels[at], labels[compass.next(at, direction)]);
        }
    }
}
