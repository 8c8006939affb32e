//! The laws that every recipe keeps: tiles, threads, resolutions, seeds, cancellation.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use landform::{Cancelled, Grid, Inputs, Layer, Meaning, Plan, Raster, Recipe, Terrain, Watch};
use proptest::prelude::*;

/// A recipe that uses every kind of mask and blend, and the kinds of stages that are not in the other.
const EVERYTHING: &str = include_str!("everything.toml");
/// The kinds of stages that make ground alone.
const FRACTALS: &str = include_str!("fractals.toml");

fn inputs() -> Inputs {
    let raster = |width, height, meaning| Raster {
        samples: Grid::from_fn(width, height, |i, j| ((i * 7 + j * 13) % 11) as f32 / 10.0),
        meaning,
    };
    let mut inputs = Inputs::default();
    inputs.insert("paint", raster(13, 9, Meaning::Brightness(None)));
    inputs.insert("map", raster(200, 31, Meaning::Values));
    inputs
}

fn plan(text: &str) -> Plan {
    Recipe::parse(text).unwrap().resolve(&inputs()).unwrap()
}

fn whole(plan: &Plan) -> Terrain {
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

#[test]
fn every_kind_of_stage_is_in_a_test_recipe_and_in_a_preset() {
    let kinds_of = |text: &str| -> BTreeSet<&'static str> {
        let recipe = Recipe::parse(text).unwrap();
        recipe.stages.iter().map(|entry| entry.stage.kind()).collect()
    };
    let all: BTreeSet<String> =
        landform::recipe::catalogue().0.into_iter().map(|stage| stage.kind).collect();
    let tested = &kinds_of(EVERYTHING) | &kinds_of(FRACTALS);
    assert!(all.iter().map(String::as_str).eq(tested.iter().copied()), "{all:?} {tested:?}");
    let mut shown: BTreeSet<&str> =
        landform::preset::PRESETS.iter().flat_map(|preset| kinds_of(preset.text)).collect();
    // It needs a file, which no preset has.
    shown.insert("heightmap");
    assert!(all.iter().map(String::as_str).eq(shown.iter().copied()), "{all:?} {shown:?}");
}

#[test]
fn every_stage_that_makes_ground_alone_matters() {
    let recipe = Recipe::parse(FRACTALS).unwrap();
    let all = whole(&plan(FRACTALS));
    for index in 0..recipe.stages.len() {
        let mut less = recipe.clone();
        less.stages[index].joint.enabled = false;
        let less = whole(&less.resolve(&inputs()).unwrap());
        assert!(less != all, "without {}", recipe.stages[index].label());
    }
}

#[test]
fn every_stage_mask_and_blend_of_the_test_recipe_matters() {
    let recipe = Recipe::parse(EVERYTHING).unwrap();
    let all = whole(&recipe.resolve(&inputs()).unwrap());
    assert_eq!(
        all.layers().map(|(layer, _)| layer.name()).collect::<Vec<_>>(),
        [
            "height",
            "rock",
            "sediment",
            "flow",
            "ice",
            "till",
            "erosion",
            "deposition",
            "scree",
            "river",
            "water_depth",
            "river_distance",
            "wetness",
            "depth_to_water",
            "lake",
            "plate",
            "crust",
            "crust_age",
            "temperature",
            "precipitation",
            "wind_x",
            "wind_z",
            "biome"
        ]
    );
    for index in 0..recipe.stages.len() {
        let mut less = recipe.clone();
        // Biomes need a climate, and nothing else can be done without one.
        if less.stages[index].label() == "climate" {
            less.stages[index + 1].joint.enabled = false;
        }
        // The mask of "tilt" looks at the layer that "rock" makes.
        if less.stages[index].label() == "rock" {
            less.stages[index].joint.amount = 0.0;
        } else {
            less.stages[index].joint.enabled = false;
        }
        let less = whole(&less.resolve(&inputs()).unwrap());
        assert!(less != all, "without {}", recipe.stages[index].label());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tile_is_the_same_window_of_the_whole(
        i in 0_u32..97, j in 0_u32..61, width in 1_u32..97, height in 1_u32..61, fine: bool,
        fractals in prop::bool::weighted(0.3),
    ) {
        let text = if fractals { FRACTALS } else { EVERYTHING };
        let text = match fine {
            true => text.replacen("sea_level", "resolution = [193, 101]\nsea_level", 1),
            false => text.to_owned(),
        };
        let size = plan(&text).lattice().size;
        let (width, height) = (width.min(size[0] - i), height.min(size[1] - j));
        // The tile first: nothing may depend on the whole having been run.
        let tiled = plan(&text);
        let window = tiled.lattice().window(i, j, width, height).unwrap();
        let tile = tiled.run(&window, &()).unwrap();
        prop_assert!(tile == whole(&plan(&text)).crop(&window));
    }
}

#[test]
#[cfg(feature = "parallel")]
fn one_thread_and_many_give_the_same_bytes() {
    for text in [EVERYTHING, FRACTALS] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| whole(&plan(text)))
        };
        let one = on(1);
        assert!(on(2) == one);
        assert!(on(7) == one);
    }
}

#[test]
fn inserting_a_stage_changes_no_random_number_of_another() {
    let start = "version = 1\nseed = 3\nsize = [65, 65]\nspacing = [10, 10]\n";
    let hills = "[[stage]]\nkind = \"uplift\"\nlabel = \"hills\"\n";
    let alone = whole(&plan(&format!("{start}{hills}")));
    let first = "[[stage]]\nkind = \"uplift\"\namount = 0\n";
    assert!(whole(&plan(&format!("{start}{first}{hills}"))) == alone);
    let other = hills.replace("hills", "knolls");
    assert!(whole(&plan(&format!("{start}{other}"))) != alone);
}

#[test]
fn a_finer_resolution_is_the_same_terrain() {
    let text = "version = 1\nseed = 3\nsize = [65, 33]\nspacing = [10, 20]\n[[stage]]\nkind = \"uplift\"\n";
    let coarse = whole(&plan(text));
    let fine = whole(&plan(&text.replace("size =", "resolution = [257, 129]\nsize =")));
    let (low, high) = coarse.height().range();
    for j in 0..33 {
        for i in 0..65 {
            let difference = fine.height()[(4 * i, 4 * j)] - coarse.height()[(i, j)];
            assert!(difference.abs() <= 4e-6 * (high - low), "at {i}, {j}: {difference}");
        }
    }
}

#[test]
fn a_recipe_without_stages_is_flat_and_one_sample_is_enough() {
    let flat = whole(&plan("version = 1\nsize = [3, 2]\nspacing = [1, 1]\n"));
    assert_eq!(flat.height(), &Grid::filled(3, 2, 0.0));
    let point = EVERYTHING.replace("[97, 61]", "[1, 1]").replace("plates = 4", "plates = 1");
    let mut point = Recipe::parse(&point).unwrap();
    // Lines that lie off the map are refused, and this one has no extent.
    point.stages.retain(|entry| entry.stage.kind() != "sketch");
    assert!(whole(&point.resolve(&inputs()).unwrap()).height()[(0, 0)].is_finite());
}

/// Cancels after some number of questions.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn is_cancelled(&self) -> bool {
        let ask = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, ask).is_err()
    }
}

#[test]
fn a_run_can_be_cancelled_anywhere_and_run_again() {
    for text in [FRACTALS, EVERYTHING] {
        let plan = plan(text);
        let extent = plan.lattice().whole();
        // Every place at the start, then some: with each of them the test would take as long as all others together.
        let mut patience = 0;
        let terrain = loop {
            assert!(patience < 100_000, "the run never ends");
            match plan.run(&extent, &Impatient(AtomicU32::new(patience))) {
                Err(Cancelled) => patience += 1 + patience / 16,
                Ok(terrain) => break terrain,
            }
        };
        assert!(patience > 5, "each stage asks");
        assert!(terrain == whole(&self::plan(text)));
    }
}

/// Keeps what it is told.
#[derive(Default)]
struct Listener(std::sync::Mutex<Vec<f32>>);

impl Watch for Listener {
    fn progress(&self, _stage: &str, done: f32) {
        self.0.lock().unwrap().push(done);
    }
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let listener = Listener::default();
    let plan = plan(EVERYTHING);
    plan.run(&plan.lattice().whole(), &listener).unwrap();
    let told = listener.0.into_inner().unwrap();
    assert_eq!((told[0], told[told.len() - 1]), (0.0, 1.0));
    assert!(told.is_sorted(), "it never goes back: {told:?}");
}

#[test]
fn memory_is_known_beforehand() {
    let plain =
        plan("version = 1\nsize = [1000, 1000]\nspacing = [1, 1]\n[[stage]]\nkind = \"uplift\"\n");
    let whole = plain.lattice().whole();
    assert!(plain.memory(&whole) < 4_000_000 + 4_000_000);
    let tile = plain.lattice().window(0, 0, 10, 10).unwrap();
    assert!(plain.memory(&tile) < plain.memory(&whole) / 4);
    assert!(plan(EVERYTHING).layers().contains(&Layer::named("rock").unwrap()));
}
