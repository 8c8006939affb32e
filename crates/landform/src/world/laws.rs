//! The laws of moving plates, on small random worlds.

use super::crust::Crust;
use super::flat::Flat;
use super::frontier::{Growth, grow, starts};
use super::motion::{Motion, Pace, exchange, land_area};
use super::sphere::CubeSphere;
use super::surface::{Kinematics, Tessellation};
use crate::math::vector::{add, scale};
use crate::{Ctx, Lattice, Seed};

const LATTICE: Lattice = Lattice { size: [129, 65], spacing: [312_000.0, 312_000.0] };
const PACE: Pace = Pace { step: 4.0, friction: 0.01, stop: 0.0 };

fn motion<S: Kinematics>(surface: &S, count: usize, seed: u64) -> Motion<'_, S> {
    let ctx = Ctx::new(&(), "");
    let seed = Seed::new(seed);
    let seeds = starts(surface, count, seed.child("plates"));
    let growth = |name: &str| Growth { connectivity: 4, seed: seed.child(name) };
    let labels = grow(surface, &seeds, growth("growth"), &ctx).unwrap().labels;
    let spots = starts(surface, 20, seed.child("land"));
    let patches = grow(surface, &spots, growth("patches"), &ctx).unwrap().labels;
    let land = patches.iter().map(|&patch| u8::from(patch < 8)).collect();
    let birth = vec![-60.0; labels.len()];
    Motion::new(surface, Crust { labels, land, birth }, count, 6e4, PACE, seed.child("motion"))
}

fn check_covered<S: Kinematics>(surface: &S, off: f64) {
    for seed in 0..3 {
        let mut motion = motion(surface, 8, seed);
        let ctx = Ctx::new(&(), "");
        for step in 0..20 {
            motion.step(&ctx, |_, _| ()).unwrap();
            assert!(motion.cover.labels.iter().all(|&label| label < 8), "step {step}");
        }
        motion.write(&ctx).unwrap();
        let land = land_area(surface, motion.land_cells());
        let ledger = motion.ledger;
        assert!((ledger.now() - land).abs() < 1e-9 * land);
        assert!(ledger.folded > 0.0, "{ledger:?}");
        // A turned lattice does not fall on its cells, but neither grows nor shrinks.
        assert!(ledger.rounding.abs() < off * ledger.start, "{ledger:?}");
    }
}

#[test]
fn every_cell_has_one_plate_after_every_step_and_crust_is_accounted_for() {
    check_covered(&CubeSphere::new(&LATTICE), 0.05);
    check_covered(&Flat::new(&LATTICE, [true, true]), 0.02);
    // Here crust also leaves across the edges.
    check_covered(&Flat::new(&LATTICE, [true, false]), 0.2);
}

#[test]
fn a_cell_that_one_plate_covers_belongs_to_it_wherever_blocks_were_skipped() {
    for wrap in [[true, true], [true, false], [false, false]] {
        let flat = Flat::new(&LATTICE, wrap);
        let mut motion = motion(&flat, 6, 5);
        let ctx = Ctx::new(&(), "");
        for step in 0..12 {
            motion.step(&ctx, |_, _| ()).unwrap();
            let back: Vec<_> = motion.plates.iter().map(|plate| plate.turn.inverse()).collect();
            let is_from = |cell: usize, plate: usize| {
                let p = back[plate].apply(flat.point(cell));
                let is_on_map = [(0, 0), (1, 2)].iter().all(|&(axis, k): &(usize, usize)| {
                    wrap[axis] || (0.0..LATTICE.ground()[axis]).contains(&p[k])
                });
                let source = flat.locate(p) as usize;
                is_on_map && motion.cover.written(source).0 == plate as u16
            };
            for (cell, &label) in motion.cover.labels.iter().enumerate() {
                let mut over = (0..6).filter(|&plate| is_from(cell, plate));
                if let (Some(only), None) = (over.next(), over.next()) {
                    assert_eq!(usize::from(label), only, "step {step}, cell {cell}, {wrap:?}");
                }
            }
        }
    }
}

#[test]
fn whole_cells_are_moved_without_rounding_on_a_map_that_wraps() {
    let flat = Flat::new(&LATTICE, [true, true]);
    let mut motion = motion(&flat, 1, 4);
    let ctx = Ctx::new(&(), "");
    let before = motion.land_cells().to_vec();
    for _ in 0..10 {
        motion.step(&ctx, |_, _| ()).unwrap();
    }
    motion.write(&ctx).unwrap();
    assert_eq!(motion.ledger.rounding, 0.0);
    let count = |land: &[u8]| land.iter().filter(|&&land| land > 0).count();
    assert_eq!(count(motion.land_cells()), count(&before));
    assert_ne!(motion.land_cells(), before, "it has moved");
}

#[test]
fn slow_plates_move_too() {
    // A tenth of a cell a step: after forty steps about four cells.
    let flat = Flat::new(&LATTICE, [true, true]);
    let mut motion = motion(&flat, 1, 4);
    motion.plates[0].velocity = [0.1 * 312_000.0 / PACE.step, 0.0, 0.0];
    let ctx = Ctx::new(&(), "");
    let before = motion.land_cells().to_vec();
    for _ in 0..40 {
        motion.step(&ctx, |_, _| ()).unwrap();
        motion.write(&ctx).unwrap();
    }
    // Friction of 1 % a step leaves 33 tenths of a cell.
    let moved = |cell: usize| cell / 128 * 128 + (cell % 128 + 125) % 128;
    let same = (0..before.len()).all(|cell| motion.land_cells()[cell] == before[moved(cell)]);
    assert!(same, "three cells to the east");
}

#[test]
fn collisions_keep_the_momentum_and_stop_plates() {
    let sphere = CubeSphere::new(&LATTICE);
    let mut motion = motion(&sphere, 5, 7);
    let momentum = |motion: &Motion<'_, CubeSphere>| {
        motion
            .plates
            .iter()
            .fold([0.0; 3], |sum, plate| add(sum, scale(plate.velocity, plate.mass)))
    };
    let before = momentum(&motion);
    exchange(&mut motion.plates, 1, 3, 0.6);
    exchange(&mut motion.plates, 0, 3, 1.0);
    let after = momentum(&motion);
    for axis in 0..3 {
        assert!((before[axis] - after[axis]).abs() < 1e-9 * motion.plates[0].mass);
    }
    for axis in 0..3 {
        let (a, b) = (motion.plates[0].velocity[axis], motion.plates[3].velocity[axis]);
        assert!((a - b).abs() < 1e-12, "a whole exchange gives one velocity");
    }
}

#[test]
fn the_sphere_has_no_edge_and_its_cells_cover_it() {
    let sphere = CubeSphere::new(&LATTICE);
    let cells = sphere.shape().cells();
    let radius = LATTICE.ground()[0] / std::f64::consts::TAU;
    let area: f64 = (0..cells).map(|cell| sphere.area(cell)).sum();
    let exact = 4.0 * std::f64::consts::PI * radius * radius;
    assert!((area / exact - 1.0).abs() < 1e-3, "{area} {exact}");
    for cell in 0..cells {
        assert_eq!(sphere.locate(sphere.point(cell)) as usize, cell);
        for &next in &sphere.neighbours(cell)[..4] {
            let back = sphere.neighbours(next as usize);
            assert!(back[..4].contains(&(cell as u32)), "{cell} {next}");
        }
    }
}
