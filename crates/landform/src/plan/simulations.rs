//! The stages of the whole ground, run once and kept: for tiles, for a run that goes on where another was interrupted, for the
//! machines of a cluster.

use std::sync::OnceLock;

use super::{Begun, Plan, Seen, Step, Wanted, Work};
use crate::keep::Shelf;
use crate::recipe::Recipe;
use crate::stage::{Simulated, Simulation};
use crate::watch::Rising;
use crate::{Cancelled, Ctx, Terrain, Watch};

/// What a simulation of the whole ground found, once it has run.
pub(super) type Kept = OnceLock<Box<dyn Simulated>>;

impl Step {
    /// The work on the whole ground, if it is such a stage, and what it has found out so far.
    fn simulation(&self) -> Option<(&dyn Simulation, &Kept)> {
        match &self.work {
            Work::Simulation(simulation, done) => Some((&**simulation, done)),
            Work::Field(_) => None,
        }
    }
}

impl Plan {
    /// Labels of the stages that look at the whole ground, in their order.
    pub fn simulations(&self) -> Vec<&str> {
        let simulations = self.steps.iter().filter(|step| step.simulation().is_some());
        simulations.map(|step| step.label.as_str()).collect()
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
            let Some((simulation, done)) = step.simulation() else { continue };
            if done.get().is_none()
                && let Some(field) =
                    shelf.get(&step.label).and_then(|kept| simulation.restore(&kept))
            {
                // Another thread may have been first; both have the same.
                let _ = done.set(field);
            }
            if done.get().is_none() {
                missing.push(index);
            }
        }
        let Some(&last) = missing.last() else { return Ok(Vec::new()) };
        let rising = Rising::new(watch);
        let keep = |index: usize| {
            let step = &plan.steps[index];
            if missing.contains(&index)
                && let Some(field) = step.simulation().and_then(|(_, done)| done.get())
            {
                shelf.put(&step.label, &field.keep());
            }
        };
        let mut seen = |done: usize, _: &str, _: &Terrain| keep(done - 1);
        plan.sweep(last, Some(&mut seen), &Ctx::new(&rising, ""))?;
        keep(last);
        Ok(missing.into_iter().map(|index| plan.steps[index].label.as_str()).collect())
    }

    /// Runs all stages that look at the whole ground, since somebody asks for the one at `index`: a run over any extent needs all of
    /// them in the end, and each for itself would evaluate the stages before it again.
    pub(super) fn run_simulations(&self, index: usize, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let last = self.steps.iter().rposition(|step| step.simulation().is_some());
        self.sweep(last.unwrap_or(index), None, ctx)
    }

    /// Evaluates this plan over the whole of its lattice up to the stage `last`, which looks at it. What is made of the terrain is
    /// what such stages look at.
    fn sweep<'a>(
        &self,
        last: usize,
        seen: Option<&'a mut Seen<'a>>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let whole = self.output.whole();
        let share = last as f32 / (last + 1) as f32;
        let begun = Begun { seen, wanted: Wanted::Read, ..self.begin(last, &whole) };
        let before = self.run_steps(begun, &whole, &ctx.part("", 0.0, share))?;
        self.field(last, &before, &ctx.part(&self.steps[last].label, share, 1.0))?;
        Ok(())
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
            extent: None,
            output_range: None,
            stages: self.stages[..count].to_vec(),
            ..self.clone()
        };
        serde_json::to_string(&part).unwrap_or_else(|_| format!("{part:?}"))
    }
}
