//! The terrain of a document: which work it is, and an engine that does it step by step, from coarse to fine.
//!
//! Peaks alone are kept by the core's [`EditableUplift`]: of an edit only the samples under the old and the new circle are
//! evaluated again. Of a recipe the stages behind the edited one are run again ([`StageShare`] says what each of them added).
//! A large change shows a coarse terrain first.

mod stages;

use std::sync::Arc;

use landform::blend::Blend;
use landform::stage::Stage;
use landform::uplift::{Cone, Curve, Divisor, EditableUplift};
use landform::{Extent, Grid, Inputs, Lattice, Layer, Recipe, Terrain, Watch};

use crate::document::Document;
use crate::large::{Large, Piece, Window};
pub use stages::StageShare;

/// The largest side that is shown; a larger terrain is shown with fewer samples and exported with all.
#[cfg(not(target_arch = "wasm32"))]
pub const LARGEST_SHOWN: u32 = 4097;
/// The largest side that is shown; a larger terrain is shown with fewer samples and exported with all.
#[cfg(target_arch = "wasm32")]
pub const LARGEST_SHOWN: u32 = 1025;
/// The largest side of a recipe that is shown: its stages may cost much for each sample.
const LARGEST_RECIPE: u32 = 2049;
/// The side of the coarse terrain.
const COARSE: u32 = 385;
/// The longest side of a preview of land that is carved.
const PREVIEW: u32 = 257;
/// So many samples can be evaluated while a person waits for nothing.
const INSTANT: f64 = 400_000.0;

/// What must be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Peaks alone.
    Uplift(Uplift),
    /// Stages.
    Recipe(Box<Recipe>, Arc<Inputs>),
    /// Stages, while the person is still at an edit: a preview alone.
    Preview(Box<Recipe>, Arc<Inputs>),
    /// A window of what lies on a disk; all of it, coarse, if none is said.
    Large(Large, Option<Window>),
}

/// Peaks alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Uplift {
    /// The grid lines of the terrain.
    pub lattice: Lattice,
    /// The peaks in metres.
    pub cones: Vec<Cone>,
    /// How they go on beyond their circles.
    pub curve: Curve,
    /// What their sum is divided by.
    pub divisor: f64,
    /// Height of the water table in metres.
    pub sea_level: f64,
}

impl Work {
    /// The work that shows `document`.
    pub fn of(document: &Document, inputs: &Arc<Inputs>) -> Self {
        if let Some(large) = document.large() {
            return Self::Large(large.clone(), None);
        }
        let recipe = document.recipe();
        let is_alone = document.is_upd()
            || match &recipe.stages[..] {
                [entry] => {
                    let joint = &entry.joint;
                    let is_plain = joint.enabled
                        && joint.mask.is_none()
                        && joint.amount == 1.0
                        && joint.layer == Layer::Height.name()
                        && matches!(joint.blend, None | Some(Blend::Add | Blend::Lerp));
                    is_plain && matches!(entry.stage, Stage::Peaks(_) | Stage::Uplift(_))
                }
                _ => false,
            };
        if !is_alone || recipe.topology != landform::Topology::Plane {
            return Self::Recipe(Box::new(recipe), document.inputs(inputs));
        }
        Self::Uplift(Uplift {
            lattice: shown(recipe.output(), LARGEST_SHOWN),
            cones: document.cones(),
            curve: document.curve(),
            divisor: document.divisor(),
            sea_level: document.sea_level(),
        })
    }
}

impl Work {
    /// The same while the person is still at an edit: a preview, where the whole takes long and one is like it.
    #[must_use]
    pub fn preview(self) -> Self {
        match self {
            Self::Recipe(recipe, inputs) if recipe.quick_preview(PREVIEW).is_some() => {
                Self::Preview(recipe, inputs)
            }
            other => other,
        }
    }

    /// Whether it is a preview, which is quick and like the whole: it is worth being finished though a newer one is wanted.
    pub fn is_preview(&self) -> bool {
        matches!(self, Self::Preview(..))
    }
}

/// The same ground with no more samples than can be shown.
fn shown(lattice: Lattice, largest: u32) -> Lattice {
    let longest = lattice.size[0].max(lattice.size[1]);
    if longest <= largest {
        return lattice;
    }
    let share = f64::from(largest) / f64::from(longest);
    lattice.resampled(lattice.size.map(|side| ((f64::from(side) * share) as u32).max(1)))
}

/// News of the terrain.
#[derive(Debug)]
pub enum Update {
    /// All of it, perhaps coarse, and what each of its stages added to the height, if that is known.
    Whole(Box<Terrain>, Vec<StageShare>),
    /// New heights of a part of what was shown last, whose first sample is this.
    Part([usize; 2], Grid),
    /// A part of the ground that lies on a disk.
    Piece(Box<Piece>),
    /// The recipe cannot be evaluated.
    Failed(landform::Error),
    /// The work is done.
    Done,
}

/// Does the work. Keeps what it can use again.
#[derive(Debug, Default)]
pub struct Engine {
    stages: stages::Stages,
    fine: Option<Kept>,
    coarse: Option<Kept>,
    /// Whether what was shown last is `fine`.
    shows_fine: bool,
}

/// Heights that can be changed peak by peak.
#[derive(Debug)]
struct Kept {
    lattice: Lattice,
    curve: Curve,
    divisor: f64,
    uplift: EditableUplift,
}

impl Engine {
    /// Does `work` and tells what comes of it, until it is done or `watch` says that nobody wants it any more.
    pub fn run(&mut self, work: &Work, watch: &dyn Watch, tell: &mut dyn FnMut(Update)) {
        match work {
            Work::Uplift(uplift) => {
                self.stages = stages::Stages::default();
                self.uplift(uplift, watch, tell);
            }
            Work::Recipe(recipe, inputs) => {
                (self.fine, self.coarse, self.shows_fine) = (None, None, false);
                self.stages.run(recipe, inputs, watch, tell);
            }
            Work::Preview(recipe, inputs) => {
                (self.fine, self.coarse, self.shows_fine) = (None, None, false);
                self.stages.preview(recipe, inputs, watch, tell);
            }
            Work::Large(large, None) => tell(Update::Piece(Box::new(large.overview().clone()))),
            Work::Large(large, Some(window)) => match large.read(*window, watch) {
                Ok(Some(piece)) => tell(Update::Piece(Box::new(piece))),
                Ok(None) => {}
                Err(why) => tell(Update::Failed(landform::Error::new(why))),
            },
        }
        if !watch.is_cancelled() {
            tell(Update::Done);
        }
    }

    fn uplift(&mut self, work: &Uplift, watch: &dyn Watch, tell: &mut dyn FnMut(Update)) {
        let coarse = shown(work.lattice, COARSE);
        let cost = self.fine.as_ref().and_then(|kept| kept.cost(work));
        if coarse != work.lattice && cost.is_none_or(|cost| cost > INSTANT) {
            let kept = updated(&mut self.coarse, work, coarse);
            let heights = kept.uplift.heights().clone();
            tell(whole(heights, coarse, work));
            self.shows_fine = false;
            watch.progress("uplift", 0.5);
            if watch.is_cancelled() {
                return;
            }
        }
        let Some(changed) = update(&mut self.fine, work, work.lattice) else {
            if !self.shows_fine
                && let Some(kept) = &self.fine
            {
                let heights = kept.uplift.heights().clone();
                tell(whole(heights, work.lattice, work));
                self.shows_fine = true;
            }
            return;
        };
        let Some(kept) = &self.fine else { return };
        let heights = kept.uplift.heights();
        let [i, j] = changed.origin().map(|at| at as usize);
        let (width, height) = (changed.width(), changed.height());
        let is_most = 2 * width * height > heights.samples().len();
        if self.shows_fine && !is_most {
            tell(Update::Part([i, j], heights.crop(i, j, width, height)));
        } else {
            tell(whole(heights.clone(), work.lattice, work));
        }
        self.shows_fine = true;
    }
}

fn whole(heights: Grid, lattice: Lattice, work: &Uplift) -> Update {
    let terrain = Terrain::new(lattice.whole(), work.sea_level, heights);
    Update::Whole(Box::new(terrain), Vec::new())
}

impl Kept {
    fn new(work: &Uplift, lattice: Lattice) -> Self {
        let divisor = Divisor::Fixed(work.divisor);
        let uplift = EditableUplift::new(lattice, work.cones.clone(), work.curve, divisor);
        Self { lattice, curve: work.curve, divisor: work.divisor, uplift }
    }

    /// Samples that must be evaluated for `work`; nothing if all must.
    fn cost(&self, work: &Uplift) -> Option<f64> {
        let fits = self.curve == work.curve
            && self.divisor == work.divisor
            && self.uplift.cones().len() == work.cones.len();
        if !fits {
            return None;
        }
        let [dx, dz] = self.lattice.spacing;
        let all = self.lattice.whole().len() as f64;
        let disc = |cone: &Cone| (4.0 * cone.radius * cone.radius / (dx * dz)).min(all);
        let old = self.uplift.cones();
        let changed = old.iter().zip(&work.cones).filter(|(old, new)| old != new);
        Some(changed.map(|(old, new)| disc(old) + disc(new)).sum())
    }
}

/// Brings `kept` up to date. The samples that may have changed, if any have.
fn update(kept: &mut Option<Kept>, work: &Uplift, lattice: Lattice) -> Option<Extent> {
    let all = lattice.whole();
    if let Some(kept) = kept
        && kept.lattice == lattice
        && kept.cost(work).is_some_and(|cost| cost < 2.0 * all.len() as f64)
    {
        let mut changed: Option<Extent> = None;
        for (k, cone) in work.cones.iter().enumerate() {
            if kept.uplift.cones()[k] != *cone
                && let Some(extent) = kept.uplift.replace(k, *cone)
            {
                changed = Some(changed.map_or(extent, |old| union(&old, &extent)));
            }
        }
        return changed;
    }
    *kept = Some(Kept::new(work, lattice));
    Some(all)
}

fn updated<'a>(kept: &'a mut Option<Kept>, work: &Uplift, lattice: Lattice) -> &'a Kept {
    update(kept, work, lattice);
    kept.get_or_insert_with(|| Kept::new(work, lattice))
}

/// The smallest window that holds both.
fn union(a: &Extent, b: &Extent) -> Extent {
    let (first_a, first_b) = (a.origin(), b.origin());
    let ends = |extent: &Extent| {
        let [i, j] = extent.origin();
        [i + extent.width() as u32, j + extent.height() as u32]
    };
    let (end_a, end_b) = (ends(a), ends(b));
    let first = [0, 1].map(|axis| first_a[axis].min(first_b[axis]));
    let end = [0, 1].map(|axis| end_a[axis].max(end_b[axis]));
    let window = a.lattice().window(first[0], first[1], end[0] - first[0], end[1] - first[1]);
    window.unwrap_or_else(|| a.lattice().whole())
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::uplift::Upd;

    fn run(engine: &mut Engine, work: &Work) -> Vec<Update> {
        let mut updates = Vec::new();
        engine.run(work, &(), &mut |update| updates.push(update));
        updates
    }

    fn document(text: &str) -> Document {
        Document::from_upd(Upd::parse(text).unwrap())
    }

    /// Enough peaks for the core to keep sums of them.
    fn many(first: &str) -> Document {
        let peak = |k: usize| {
            let (i, j) = (k * 37 % 600, k * 91 % 500);
            format!("{i} {j} {} {}\n", 100 + k, 300 + 5 * (k % 40))
        };
        let others: String = (0..400).map(peak).collect();
        document(&format!("600 500\n10 10\n401\n{first}\n{others}"))
    }

    #[test]
    fn a_moved_peak_gives_only_its_part_and_the_bytes_of_a_new_evaluation() {
        let (start, moved) = (many("100 100 900 300"), many("103 100 900 300"));
        let inputs = Arc::default();
        let mut engine = Engine::default();
        let updates = run(&mut engine, &Work::of(&start, &inputs));
        let [Update::Whole(..), Update::Whole(first, _), Update::Done] = &updates[..] else {
            panic!("coarse, fine, done")
        };
        let mut heights = first.height().clone();
        let updates = run(&mut engine, &Work::of(&moved, &inputs));
        let [Update::Part([i, j], part), Update::Done] = &updates[..] else { panic!("a part") };
        assert!(part.samples().len() < 10_000);
        for row in 0..part.height() {
            heights.row_mut(j + row)[*i..i + part.width()].copy_from_slice(part.row(row));
        }
        let plan = moved.recipe().resolve(&inputs).unwrap();
        let terrain = plan.run(&plan.lattice().whole(), &()).unwrap();
        assert!(&heights == terrain.height());
        assert!(matches!(run(&mut engine, &Work::of(&moved, &inputs))[..], [Update::Done]));
    }

    #[test]
    fn a_recipe_is_shown_coarse_first_and_its_fault_is_told() {
        let text = "version = 1\nsize = [300, 300]\nspacing = [10.0, 10.0]\n[[stage]]\nkind = \"uplift\"\n[[stage]]\nkind = \"noise\"\n";
        let document = Document::from_recipe(text.to_owned()).unwrap();
        let updates = run(&mut Engine::default(), &Work::of(&document, &Arc::default()));
        let sizes = updates.iter().filter_map(|update| match update {
            Update::Whole(terrain, _) => Some(terrain.extent().width()),
            _ => None,
        });
        assert_eq!(sizes.collect::<Vec<_>>(), [192, 300]);
        let text = text.replace("\"noise\"", "\"heightmap\"\nfile = \"none.png\"");
        let document = Document::from_recipe(text).unwrap();
        let updates = run(&mut Engine::default(), &Work::of(&document, &Arc::default()));
        assert!(matches!(updates[0], Update::Failed(_)));
    }
}
