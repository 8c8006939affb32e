//! The laws of whole worlds of this model, on small maps.

use super::movement::{Cover, Plate};
use super::*;
use crate::world::plates::Layout;
use crate::{Grid, Lattice};

const LATTICE: Lattice = Lattice { size: [97, 49], spacing: [400e3, 400e3] };

fn ready(wrap: [bool; 2], seed: u64, plates: Plates) -> Ready {
    let raster = Raster::new(wrap, &LATTICE);
    Ready { share: 0.6, plates, raster, seed: Seed::new(seed) }
}

/// The settings of the report: a hundredth of the depth of the map a step.
fn settings() -> Plates {
    Plates { plates: 8, continents: 50, steps: 25, speed: 4.8, step: 4.0, ..Plates::default() }
}

fn world(ready: &Ready) -> World<'_> {
    let ctx = Ctx::new(&(), "");
    let patches = Patches { layout: Layout::Frontier, count: 50 };
    let heights = initial_heights(&ready.raster, patches, 0.6, ready.seed, &ctx).unwrap();
    ready.with_plates(heights, &ctx).unwrap()
}

#[test]
fn every_pixel_belongs_to_a_plate_and_is_finite_after_every_step() {
    let ctx = Ctx::new(&(), "");
    for wrap in [[true, true], [true, false], [false, false]] {
        for seed in 0..3 {
            let ready = ready(wrap, seed, settings());
            let mut world = world(&ready);
            for step in 0..25 {
                world.step(&ctx).unwrap();
                assert!(world.owner.iter().all(|&owner| owner < 8), "{wrap:?}, step {step}");
                assert!(world.heights.iter().all(|height| height.is_finite()));
            }
        }
    }
}

#[test]
fn a_step_changes_heights_only_in_overlaps_and_gaps() {
    let ctx = Ctx::new(&(), "");
    let ready = ready([true, true], 5, settings());
    let mut world = world(&ready);
    for _ in 0..6 {
        let shifts: Vec<[i64; 2]> = world.plates.clone().iter_mut().map(Plate::advance).collect();
        let cover = Cover::of(world.raster, (&world.owner, &world.heights), &shifts);
        world.step(&ctx).unwrap();
        for (cell, &height) in world.heights.iter().enumerate() {
            match cover.count[cell] {
                0 => assert!(f64::from(height) >= world.minimum),
                1 => assert_eq!(height, cover.highest[cell]),
                _ => assert!(height >= cover.highest[cell]),
            }
            assert!(cover.count[cell] == 0 || world.owner[cell] == cover.top[cell]);
        }
    }
}

#[test]
fn the_sum_of_momenta_stays_while_plates_collide() {
    let ctx = Ctx::new(&(), "");
    let ready = ready([true, true], 2, settings());
    let mut world = world(&ready);
    let sum = |world: &World<'_>, masses: &[f64]| {
        let part = |axis: usize| -> f64 {
            world.plates.iter().zip(masses).map(|(plate, mass)| mass * plate.velocity[axis]).sum()
        };
        [part(0), part(1)]
    };
    let velocities = |world: &World<'_>| -> Vec<[f64; 2]> {
        world.plates.iter().map(|plate| plate.velocity).collect()
    };
    let at_first = velocities(&world);
    for _ in 0..10 {
        let masses: Vec<f64> = world.bodies().iter().map(|body| body.mass).collect();
        let before = sum(&world, &masses);
        world.step(&ctx).unwrap();
        let after = sum(&world, &masses);
        let off = [0, 1].map(|axis| (before[axis] - after[axis]).abs());
        assert!(off.iter().all(|off| *off < 1e-6), "{off:?}");
    }
    assert!(velocities(&world) != at_first, "some have collided");
}

#[test]
fn slow_plates_stop_before_they_change_anything() {
    let run = |speed: f64, steps: u32| {
        let ready = ready([true, true], 3, Plates { speed, steps, ..settings() });
        let lattice = LATTICE.whole();
        let before = Terrain::new(lattice, 0.0, Grid::filled(97, 49, 0.0));
        ready.run(&before, &Ctx::new(&(), "")).unwrap().keep()
    };
    // Eight plates, each below an eighth of a pixel a step.
    let slow = 400e3 / 8.0 / (CM_A * 4.0);
    assert!(run(slow, 25) == run(slow, 0));
    assert!(run(4.0 * slow, 25) != run(4.0 * slow, 0));
}

#[test]
fn one_plate_carries_the_map_around() {
    let ready = ready([true, true], 9, Plates { plates: 1, ..settings() });
    let mut world = world(&ready);
    let before = world.heights.clone();
    let mut moved = [0, 0];
    for _ in 0..5 {
        let shift = world.plates[0].clone().advance();
        moved = [moved[0] + shift[0], moved[1] + shift[1]];
        world.step(&Ctx::new(&(), "")).unwrap();
    }
    let place = |cell: usize| {
        let [i, j] = [(cell % 96) as i64 + moved[0], (cell / 96) as i64 + moved[1]];
        (j.rem_euclid(48) * 96 + i.rem_euclid(96)) as usize
    };
    assert_ne!(moved, [0, 0]);
    assert!((0..before.len()).all(|cell| world.heights[place(cell)] == before[cell]));
}

#[test]
fn plates_that_leave_a_map_with_edges_leave_the_ground_behind() {
    let ready = ready([false, false], 1, Plates { speed: 100.0, step: 100.0, ..settings() });
    let mut world = world(&ready);
    let before = (world.owner.clone(), world.heights.clone());
    world.step(&Ctx::new(&(), "")).unwrap();
    assert!(world.owner == before.0 && world.heights == before.1);
}
