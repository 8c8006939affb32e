//! The stages of the whole ground, run once and kept: for tiles, for a run that goes on where another was interrupted, for the
//! machines of a cluster.

use std::sync::OnceLock;

use super::{Begun, Plan, Step, Work};
use crate::keep::Shelf;
use crate::recipe::Recipe;
use crate::stage::{Field, World};
use crate::watch::Rising;
use crate::{Cancelled, Ctx, Terrain, Watch};

/// What a simulation of the whole ground found, once it has run.
type Kept = OnceLock<Box<dyn Field>>;

impl Step {
    /// The work on the whole ground, if it is such a stage, and what it has found out so far.
    fn world(&self) -> Option<(&dyn World, &Kept)> {
        match &self.work {
            Work::World(world, done) => Some((&**world, done)),
            Work::Field(_) => None,
        }
    }
}

impl Plan {
    /// Labels of the stages that look at the whole ground, in their order.
    pub fn worlds(&self) -> Vec<&str> {
        let worlds = self.steps.iter().filter(|step| step.world().is_some());
        worlds.map(|step| step.label.as_str()).collect()
    }

    /// Runs the stages that look at the whole ground, as far as this plan has not run them and they are not on the shelf, and puts each
    /// of them there when it is done. Gives the labels of those that had to run.
    ///
    /// # Errors
    /// Only when `watch` cancels.
    pub fn simulate(&self, shelf: &dyn Shelf, watch: &dyn Watch) -> Result<Vec<&str>, Cancelled> {
        let plan = self.design.as_deref().unwrap_or(self);
        let mut missing = Vec::new();
        for (index, step) in plan.steps.iter().enumerate() {
            let Some((world, done)) = step.world() else { continue };
            if done.get().is_none()
                && let Some(field) = shelf.get(&step.label).and_then(|kept| world.restore(&kept))
            {
                // Another thread may have been first; both have the same.
                let _ = done.set(field);
            }
            if done.get().is_none() {
                missing.push(index);
            }
        }
        let Some(last) = missing.last() else { return Ok(Vec::new()) };
        let rising = Rising::new(watch);
        let keep = |index: usize| {
            let step = &plan.steps[index];
            if missing.contains(&index)
                && let Some(field) = step.world().and_then(|(_, done)| done.get())
            {
                shelf.put(&step.label, &field.keep());
            }
        };
        let ctx = Ctx::new(&rising, "");
        let share = *last as f32 / (last + 1) as f32;
        let whole = plan.output.whole();
        let mut seen = |done: usize, _: &str, _: &Terrain| keep(done - 1);
        let begun = Begun { seen: Some(&mut seen), ..plan.begin(*last, &whole) };
        let before = plan.run_steps(begun, &whole, &ctx.part("", 0.0, share))?;
        plan.field(*last, &before, &ctx.part(&plan.steps[*last].label, share, 1.0))?;
        keep(*last);
        Ok(missing.into_iter().map(|index| plan.steps[index].label.as_str()).collect())
    }
}

impl Recipe {
    /// The part of the recipe on which depends what a stage of the whole ground finds out: that stage and those before it, on the
    /// recipe's own lattice. As text, for people and hashes.
    pub fn until(&self, label: &str) -> String {
        let last = self.stages.iter().position(|entry| entry.label() == label);
        let count = last.map_or(self.stages.len(), |last| last + 1);
        let part = Self {
            title: String::new(),
            about: String::new(),
            resolution: None,
            stages: self.stages[..count].to_vec(),
            ..self.clone()
        };
        serde_json::to_string(&part).unwrap_or_else(|_| format!("{part:?}"))
    }
}
