//! Whoever asks a run to stop is heard soon: how much work lies between two questions, counted in samples, not timed.
//!
//! A stage tells what share of its work is done. What it does between two questions is that share of the samples. The lattice is
//! narrow and long, since bands of rows are small then: a stage that asks once a pass, or once a stage, stands out.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::sync::Mutex;

use landform::{Grid, Inputs, Meaning, Raster, Recipe, Watch, par};

/// Recipes that have every kind of stage together.
const RECIPES: [&str; 2] = [include_str!("everything.toml"), include_str!("fractals.toml")];
const WIDTH: usize = 33;
const HEIGHT: usize = 2049;

/// Samples that may be worked on between two questions: a band of 256 rows, and what is done beside it.
const MOST: f32 = 400.0 * WIDTH as f32;

/// Stages that go over the whole lattice a few times without a question, and the share of their work that this is. Each takes less
/// than 0.1 µs a sample; on more than a million samples they are heard later than the others.
const PASSES: [(&str, f32); 2] = [("sea_level", 0.5), ("drainage", 0.2)];

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

/// Work between two times that progress was told.
struct Stretch {
    /// Shares of the run that were done before and after it.
    from: f32,
    to: f32,
    /// How often somebody asked.
    asked: u16,
}

/// Notes the stretches of a run.
#[derive(Default)]
struct Listener {
    done: Mutex<(f32, u16)>,
    stretches: Mutex<Vec<Stretch>>,
}

impl Watch for Listener {
    fn progress(&self, _stage: &str, done: f32) {
        let (from, asked) = std::mem::replace(&mut *self.done.lock().unwrap(), (done, 0));
        self.stretches.lock().unwrap().push(Stretch { from, to: done, asked });
    }

    fn is_cancelled(&self) -> bool {
        let asked = &mut self.done.lock().unwrap().1;
        *asked = asked.saturating_add(1);
        false
    }
}

#[test]
fn no_stage_works_long_without_a_question() {
    for text in RECIPES {
        let text = text.replacen("[97, 61]", &format!("[{WIDTH}, {HEIGHT}]"), 1);
        let recipe = Recipe::parse(&text).unwrap();
        let plan = recipe.resolve(&inputs()).unwrap();
        let listener = Listener::default();
        // One thread: several would ask for each other.
        par::with_threads(1, || plan.run(&plan.lattice().whole(), &listener)).unwrap().unwrap();
        let stages: Vec<&str> = recipe.stages.iter().map(|entry| entry.stage.kind()).collect();
        let count = stages.len() as f32;
        let mut long = Vec::new();
        for stretch in listener.stretches.into_inner().unwrap() {
            let share = count * (stretch.to - stretch.from) / f32::from(stretch.asked.max(1));
            let middle = 0.5 * (stretch.from + stretch.to) * count;
            let stage = stages[(middle as usize).min(stages.len() - 1)];
            let samples = share * (WIDTH * HEIGHT) as f32;
            let passes = PASSES.iter().find(|(kind, _)| *kind == stage).map_or(0.0, |pass| pass.1);
            if samples > MOST && share > passes + 1e-3 {
                long.push(format!("{stage}: {samples} samples, {share} of its work"));
            }
        }
        assert!(long.is_empty(), "{long:#?}");
    }
}
