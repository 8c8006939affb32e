//! The scale of 16-bit files of one tile: the same for all tiles, and found without building the whole ground.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::sync::atomic::{AtomicUsize, Ordering};

use landform::preset::PRESETS;
use landform::{Recipe, Watch};
use landform_project::{LevelRange, Opening, Project, RangeSource, window};

/// Counts the samples that are evaluated.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Watch for Counter {
    fn evaluates(&self, samples: usize) {
        self.0.fetch_add(samples, Ordering::Relaxed);
    }
}

fn opened(text: &str) -> Project {
    Project::of_text(text.to_owned(), None, &Opening::default()).unwrap()
}

fn preset(name: &str) -> &'static str {
    landform::preset::Preset::named(name).unwrap().text
}

#[test]
fn a_tile_costs_at_most_twice_its_samples_however_large_the_ground_is() {
    for name in ["fbm", "paper_islands"] {
        let project = opened(preset(name)).with_resolution([65537, 65537]).unwrap();
        let plan = project.plan().unwrap();
        for tile in [[0, 0, 512, 512], [40_000, 30_000, 512, 512]] {
            let watch = Counter::default();
            let extent = window(&plan, Some(tile)).unwrap();
            let terrain = plan.run(&extent, &watch).unwrap();
            let own = watch.0.load(Ordering::Relaxed);
            let range = project.level_range(None, &plan, &terrain, &watch).unwrap();
            let all = watch.0.load(Ordering::Relaxed);
            assert!(own >= 512 * 512 && all <= 2 * own, "{name}: {own}, then {all}");
            let overview = RangeSource::Overview { size: [252, 252], margin: 12 };
            assert_eq!(range.source, overview, "{name}");
        }
    }
}

#[test]
fn what_was_simulated_for_a_tile_is_not_simulated_again_for_its_range() {
    let project = opened(&landform::recipe::set_size(preset("eroded_hills"), [129, 129]).unwrap());
    let project = project.with_resolution([4097, 4097]).unwrap();
    let plan = project.plan().unwrap();
    let watch = Counter::default();
    let terrain = plan.run(&window(&plan, Some([0, 0, 64, 64])).unwrap(), &watch).unwrap();
    let own = watch.0.swap(0, Ordering::Relaxed);
    assert!(own >= 129 * 129, "the simulation ran: {own}");
    project.level_range(None, &plan, &terrain, &watch).unwrap();
    let more = watch.0.load(Ordering::Relaxed);
    assert!(more < 252 * 252 + 129 * 129, "{more}");
}

#[test]
fn all_tiles_have_the_same_range() {
    let project = opened(preset("fbm")).with_resolution([2049, 2049]).unwrap();
    let range = |tile| -> LevelRange {
        let plan = project.plan().unwrap();
        let terrain = plan.run(&window(&plan, Some(tile)).unwrap(), &()).unwrap();
        project.level_range(None, &plan, &terrain, &()).unwrap()
    };
    assert_eq!(range([0, 0, 16, 16]), range([1500, 900, 33, 5]));
}

#[test]
fn the_estimate_holds_the_ground_of_every_preset() {
    for preset in PRESETS {
        // Smaller design lattices, so that simulations are quick.
        let size = Recipe::parse(preset.text).unwrap().size.map(|side| (side - 1) / 8 + 1);
        let project = opened(&landform::recipe::set_size(preset.text, size).unwrap());
        let project = project.with_resolution([385, 385]).unwrap();
        let plan = project.plan().unwrap();
        let tile = plan.run(&window(&plan, Some([0, 0, 2, 2])).unwrap(), &()).unwrap();
        let range = project.level_range(None, &plan, &tile, &()).unwrap();
        let whole = plan.run(&plan.lattice().whole(), &()).unwrap();
        let (low, high) = whole.height().range();
        let [low, high] = [low, high].map(f64::from);
        let ends = range.ends;
        assert!(ends[0] <= low && high <= ends[1], "{}: {low}, {high}: {range:?}", preset.name);
        assert!(
            ends[1] - ends[0] < 2.1 * (high - low),
            "{}: {low}, {high}: {range:?}",
            preset.name
        );
    }
}
