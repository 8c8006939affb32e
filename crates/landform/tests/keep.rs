//! What stages find out about the whole ground can be kept, and had back: the same terrain, without their running again.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use landform::{Grid, Inputs, Meaning, Plan, Raster, Recipe, Seed, Shelf, Terrain};

/// Every kind of stage, on a piece of ground.
const EVERYTHING: &str = include_str!("everything.toml");

/// A planet, and particles, which are not in the other.
const PLANET: &str = r#"
version = 1
seed = 4
size = [65, 33]
spacing = [625000, 625000]
topology = "sphere"

[[stage]]
kind = "plates"
plates = 6
steps = 6

[[stage]]
kind = "particle_deposition"
vents = 2
particles = 300
cell = 500000

[[stage]]
kind = "sea_level"

[[stage]]
kind = "climate"

[[stage]]
kind = "biomes"
"#;

/// The model of the report, whose map is flat.
const REPORT: &str = r#"
version = 1
seed = 4
size = [65, 33]
spacing = [625000, 625000]
topology = "torus"

[[stage]]
kind = "plates"
model = "report"
plates = 6
steps = 6

[[stage]]
kind = "sea_level"

[[stage]]
kind = "climate"
temperature = "drawn"
rain = "inland"

[[stage]]
kind = "biomes"
"#;

fn plan(text: &str) -> Plan {
    let samples =
        |width, height| Grid::from_fn(width, height, |i, j| ((i * 7 + j * 13) % 11) as f32 / 10.0);
    let mut inputs = Inputs::default();
    let paint = Raster { samples: samples(13, 9), meaning: Meaning::Brightness(None) };
    inputs.insert("paint", paint);
    inputs.insert("map", Raster { samples: samples(200, 31), meaning: Meaning::Values });
    Recipe::parse(text).unwrap().resolve(&inputs).unwrap()
}

fn fine(text: &str) -> String {
    text.replacen("spacing", "resolution = [150, 91]\nspacing", 1)
}

fn run(plan: &Plan) -> Terrain {
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

/// Keeps in memory.
#[derive(Default)]
struct Memory(RefCell<BTreeMap<String, Vec<u8>>>);

impl Shelf for Memory {
    fn get(&self, label: &str) -> Option<Vec<u8>> {
        self.0.borrow().get(label).cloned()
    }

    fn put(&self, label: &str, bytes: &[u8]) {
        self.0.borrow_mut().insert(label.to_owned(), bytes.to_vec());
    }
}

#[test]
fn what_was_kept_gives_the_same_terrain_and_nothing_runs_again() {
    let dry = PLANET.replace("\"sea_level\"", "\"sea_level\"\nocean = 0");
    for text in [EVERYTHING, PLANET, &dry, REPORT] {
        let expected = run(&plan(&fine(text)));
        let shelf = Memory::default();
        let first = plan(&fine(text));
        assert_eq!(first.simulate(&shelf, &()).unwrap(), first.simulations());
        assert!(first.simulations().len() >= 4 && run(&first) == expected);
        let second = plan(&fine(text));
        assert_eq!(second.simulate(&shelf, &()).unwrap(), [""; 0]);
        assert!(run(&second) == expected);
        // What is kept is of the ground, not of a resolution.
        let coarse = plan(text);
        assert_eq!(coarse.simulate(&shelf, &()).unwrap(), [""; 0]);
        assert!(run(&coarse) == run(&plan(text)));
        // What is lost is found out again, alone, and is the same.
        let lost = first.simulations()[first.simulations().len() - 2].to_owned();
        let before = shelf.0.borrow_mut().remove(&lost);
        assert_eq!(plan(text).simulate(&shelf, &()).unwrap(), [lost.as_str()]);
        assert!(shelf.0.borrow().get(&lost) == before.as_ref());
    }
}

#[test]
fn damaged_bytes_do_no_harm() {
    for text in [EVERYTHING, PLANET, REPORT] {
        let shelf = Memory::default();
        plan(text).simulate(&shelf, &()).unwrap();
        let labels: Vec<String> = shelf.0.borrow().keys().cloned().collect();
        let sound = shelf.0.into_inner();
        let seed = Seed::new(9);
        for round in 0..12 {
            let mut damaged = sound.clone();
            for (k, label) in labels.iter().enumerate() {
                let seed = seed.child(label);
                let bytes = damaged.get_mut(label).unwrap();
                let draw = |n: u64, below: usize| seed.below(8 * round + n, below as u64) as usize;
                match (round + k as u64) % 4 {
                    0 => bytes.truncate(draw(0, bytes.len())),
                    1 => bytes.extend([0; 3]),
                    // Lengths are at the front, numbers everywhere.
                    2 => {
                        let at = draw(1, bytes.len().min(40));
                        bytes[at] = draw(2, 256) as u8;
                    }
                    _ => (0..4).for_each(|n| {
                        let at = draw(n, bytes.len());
                        bytes[at] = [0xFF, 0x7F, 0x80, 0xF0][n as usize];
                    }),
                }
            }
            let plan = plan(text);
            plan.simulate(&Memory(RefCell::new(damaged)), &()).unwrap();
            plan.run(&plan.lattice().window(3, 2, 40, 20).unwrap(), &()).unwrap();
        }
    }
}

#[test]
fn the_part_of_a_recipe_that_counts_ends_with_the_stage() {
    let recipe = |text: &str| Recipe::parse(text).unwrap();
    let until = |text: &str| recipe(text).until("hydraulic");
    let one = until(EVERYTHING);
    assert_eq!(until(&fine(EVERYTHING)), one);
    assert_eq!(until(&EVERYTHING.replace("talus_angle = 20", "talus_angle = 30")), one);
    assert_ne!(until(&EVERYTHING.replace("drying = 1", "drying = 0.5")), one);
    assert_ne!(until(&EVERYTHING.replace("seed = 11", "seed = 12")), one);
    assert_ne!(recipe(EVERYTHING).until("evolve"), one);
}
