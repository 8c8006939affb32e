//! Recipes that are run again and again while somebody edits one of their stages.
//!
//! What the stages before the edited one gave is kept, and so is what the last simulation gave: of an edit only the stages
//! behind it are run. Besides the terrain there is what each stage added to the height, with fewer samples.

use std::sync::Arc;

use landform::recipe::Entry;
use landform::stage::Reach;
use landform::{Grid, Inputs, Lattice, Recipe, Terrain, Watch};

use super::{COARSE, LARGEST_RECIPE, PREVIEW, Update, shown};

/// The longest side of the grids that say what a stage added.
const PART_SIDE: usize = 513;

/// What a stage added to the height.
#[derive(Clone, Debug, PartialEq)]
pub struct StageShare {
    /// The label of the stage.
    pub label: String,
    /// Metres, at every `every`-th sample of the terrain in both directions.
    pub heights: Grid,
    /// See `heights`.
    pub every: usize,
}

/// A recipe that was run, and what can be used again of it.
#[derive(Debug, Default)]
pub(super) struct Stages {
    last: Option<(Recipe, Arc<Inputs>)>,
    /// The terrain before a stage, by the place of that stage in the recipe.
    begun: Vec<(usize, Terrain)>,
    /// What each stage that takes part added, as far as it is known.
    parts: Vec<StageShare>,
    /// The recipe whose preview is shown.
    previewed: Option<Recipe>,
}

impl Stages {
    /// Shows a preview alone.
    pub(super) fn preview(
        &mut self,
        recipe: &Recipe,
        inputs: &Inputs,
        watch: &dyn Watch,
        tell: &mut dyn FnMut(Update),
    ) {
        let recipe = Recipe { resolution: None, extent: None, ..recipe.clone() };
        let Some(quick) = recipe.quick_preview(PREVIEW) else { return };
        match run_once(&quick, inputs, watch, tell) {
            Ok(()) if watch.is_cancelled() => {}
            Ok(()) => self.previewed = Some(recipe),
            Err(error) => tell(Update::Failed(error)),
        }
    }

    pub(super) fn run(
        &mut self,
        recipe: &Recipe,
        inputs: &Arc<Inputs>,
        watch: &dyn Watch,
        tell: &mut dyn FnMut(Update),
    ) {
        let full = shown(recipe.output(), LARGEST_RECIPE);
        // All numbers of the recipe are edited at its own scale, so that is what is shown.
        let own = Recipe { resolution: None, extent: None, ..recipe.clone() };
        let is_previewed = self.previewed.take().is_some_and(|previewed| previewed == own);
        let recipe = Recipe { resolution: Some(full.size), ..own };
        let first_changed = self.first_changed(&recipe, inputs);
        self.begun.retain(|(stage, _)| *stage <= first_changed);
        let begun = self.begun.iter().map(|(stage, _)| *stage).max();
        let is_begun = begun.is_some_and(|stage| recipe.stages[..stage].iter().any(is_world(full)));
        if !is_begun
            && !is_previewed
            && let Some(before) = preview(&recipe, full)
            && let Err(error) = run_once(&before, inputs, watch, tell)
        {
            return tell(Update::Failed(error));
        }
        if watch.is_cancelled() {
            return;
        }
        let plan = match recipe.resolve(inputs) {
            Ok(plan) => plan,
            Err(error) => return tell(Update::Failed(error)),
        };
        self.last = Some((recipe.clone(), Arc::clone(inputs)));
        let done_before = |stage: usize| {
            recipe.stages[..stage].iter().filter(|entry| entry.joint.enabled).count()
        };
        let begun = self.begun.iter().max_by_key(|(stage, _)| *stage);
        let begun = begun.map(|(stage, terrain)| (done_before(*stage), terrain.clone()));
        let mut old = begun.as_ref().map(|(_, terrain)| thinned(terrain.height()));
        self.parts.truncate(begun.as_ref().map_or(0, |(done, _)| *done));
        // The next edit is likely to be of the same stage, or of one behind a simulation.
        let (_, earlier) = recipe.stages.split_last().unzip();
        let after_slow = earlier.unwrap_or_default().iter().rposition(is_slow(full));
        let after_slow = after_slow.map(|stage| stage + 1);
        let mut wanted: Vec<usize> =
            [Some(first_changed), after_slow].into_iter().flatten().collect();
        wanted.retain(|stage| *stage < recipe.stages.len() && done_before(*stage) > 0);
        wanted.retain(|stage| !self.begun.iter().any(|(known, _)| known == stage));
        wanted.dedup();
        let (kept, parts) = (&mut self.begun, &mut self.parts);
        let mut seen = |done: usize, label: &str, terrain: &Terrain| {
            let now = thinned(terrain.height());
            parts.push(part(label, old.as_ref(), &now));
            old = Some(now);
            for &stage in wanted.iter().filter(|stage| done_before(**stage) == done) {
                kept.push((stage, terrain.clone()));
            }
        };
        if let Ok(terrain) = plan.run_by_stages(begun, watch, &mut seen) {
            tell(Update::Whole(Box::new(terrain), self.parts.clone()));
        }
    }

    /// The place of the first stage that is not as it was last.
    fn first_changed(&self, recipe: &Recipe, inputs: &Inputs) -> usize {
        let Some((old, old_inputs)) = &self.last else { return 0 };
        let head = |recipe: &Recipe| Recipe {
            title: String::new(),
            about: String::new(),
            stages: Vec::new(),
            ..recipe.clone()
        };
        if head(old) != head(recipe) {
            return 0;
        }
        let is_same = |(old, new): &(&Entry, &Entry)| {
            let alone = Recipe { stages: vec![(*new).clone()], ..head(recipe) };
            old == new && alone.files().iter().all(|file| inputs.get(file) == old_inputs.get(file))
        };
        old.stages.iter().zip(&recipe.stages).take_while(is_same).count()
    }
}

fn is_world(lattice: Lattice) -> impl Fn(&Entry) -> bool {
    move |entry| entry.joint.enabled && entry.stage.operator().reach(&lattice) == Reach::Whole
}

/// Whether a stage simulates: the whole world at once, or step by step from sample to sample.
fn is_slow(lattice: Lattice) -> impl Fn(&Entry) -> bool {
    move |entry| {
        entry.joint.enabled
            && match entry.stage.operator().reach(&lattice) {
                Reach::Point => false,
                Reach::Cells(cells) => cells > 8,
                Reach::Whole => true,
            }
    }
}

/// What is shown before the whole recipe has run. Where rivers can carve fewer samples, it is the same land, coarser. Where a
/// simulation costs the same at any size, it is the ground that the simulation begins with.
fn preview(recipe: &Recipe, full: Lattice) -> Option<Recipe> {
    if let Some(quick) = recipe.quick_preview(PREVIEW) {
        return Some(quick);
    }
    let coarse = shown(full, COARSE / 2);
    let mut before = Recipe { resolution: Some(coarse.size), ..recipe.clone() };
    match recipe.stages.iter().position(is_world(full)) {
        Some(first) => before.stages.truncate(first),
        None if coarse == full => return None,
        None => {}
    }
    before.stages.iter().any(|entry| entry.joint.enabled).then_some(before)
}

fn run_once(
    recipe: &Recipe,
    inputs: &Inputs,
    watch: &dyn Watch,
    tell: &mut dyn FnMut(Update),
) -> Result<(), landform::Error> {
    let plan = recipe.resolve(inputs)?;
    if let Ok(terrain) = plan.run(&plan.lattice().whole(), watch) {
        tell(Update::Whole(Box::new(terrain), Vec::new()));
    }
    Ok(())
}

/// Every so many samples are kept of a grid that is so long.
fn every(grid: &Grid) -> usize {
    (grid.width().max(grid.height()) - 1).div_ceil(PART_SIDE - 1).max(1)
}

struct Thinned {
    heights: Grid,
    every: usize,
}

fn thinned(grid: &Grid) -> Thinned {
    let every = every(grid);
    let rows = (0..grid.height()).step_by(every);
    let samples: Vec<f32> = rows.flat_map(|j| grid.row(j).iter().step_by(every).copied()).collect();
    let width = grid.width().div_ceil(every);
    Thinned { heights: Grid::from_vec(width, samples.len() / width, samples), every }
}

fn part(label: &str, old: Option<&Thinned>, new: &Thinned) -> StageShare {
    let mut heights = new.heights.clone();
    if let Some(old) = old {
        for (sample, old) in heights.samples_mut().iter_mut().zip(old.heights.samples()) {
            *sample -= old;
        }
    }
    StageShare { label: label.to_owned(), heights, every: new.every }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const TEXT: &str = "version = 1\nsize = [129, 129]\nspacing = [30.0, 30.0]\n\n[[stage]]\nkind = \"noise\"\namplitude = 500\n\n[[stage]]\nkind = \"hydraulic\"\n\n[[stage]]\nkind = \"smooth\"\n\n[[stage]]\nkind = \"levels\"\n";

    /// Remembers which stages ran.
    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Watch for Heard {
        fn progress(&self, stage: &str, _: f32) {
            let mut heard = self.0.lock().unwrap();
            if !stage.is_empty() && heard.last().is_none_or(|last| last != stage) {
                heard.push(stage.to_owned());
            }
        }
    }

    fn run(stages: &mut Stages, text: &str) -> (Terrain, Vec<StageShare>, Vec<String>) {
        let recipe = Recipe::parse(text).unwrap();
        let (mut last, heard) = (None, Heard::default());
        stages.run(&recipe, &Arc::default(), &heard, &mut |update| {
            if let Update::Whole(terrain, parts) = update {
                last = Some((*terrain, parts));
            }
        });
        let (terrain, parts) = last.unwrap();
        (terrain, parts, heard.0.into_inner().unwrap())
    }

    #[test]
    fn an_edit_runs_only_the_stages_behind_it_and_gives_the_same_bytes() {
        let mut stages = Stages::default();
        let (_, parts, heard) = run(&mut stages, TEXT);
        assert!(heard.contains(&"hydraulic".to_owned()), "{heard:?}");
        assert_eq!(parts.len(), 4);
        for amplitude in ["amplitude = 500", "amplitude = 400"] {
            for step in [20, 30, 40] {
                let text = TEXT.replace("amplitude = 500", amplitude);
                let text = format!("{text}amount = 0.{step}\n");
                let (terrain, parts, heard) = run(&mut stages, &text);
                let plan = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap();
                assert!(terrain == plan.run(&plan.lattice().whole(), &()).unwrap());
                let ran = heard.contains(&"hydraulic".to_owned());
                assert_eq!(ran, amplitude.contains("400") && step == 20, "{heard:?}");
                let sum =
                    |at: usize| parts.iter().map(|part| part.heights.samples()[at]).sum::<f32>();
                for at in [0, 1000, 16_000] {
                    assert!((sum(at) - terrain.height().samples()[at]).abs() < 0.01);
                }
            }
        }
    }
}
