//! What a run holds in memory, known before it starts.
//!
//! The stages are walked as a run walks them. Three things count: the layers of the terrain (four bytes a sample each), the
//! results of simulations, and what a stage holds while it works. Each stage declares the last two.

use super::{BAND, Plan, Step, Work};
use crate::{Extent, Layer};

/// Bytes at the worst moment of a walk, at its end, and when the first simulation begins.
#[derive(Clone, Copy, Default)]
struct Walked {
    most: u64,
    /// The results of simulations.
    found: u64,
    /// The terrain.
    terrain: u64,
    before_simulations: u64,
}

/// What is walked.
#[derive(Clone, Copy)]
struct Walk<'a> {
    extent: &'a Extent,
    /// Bytes of the results that are there at the start.
    found: u64,
    /// Whether simulations run when they are reached.
    simulates: bool,
}

impl Plan {
    /// Bytes that [`Plan::run`] holds at the most.
    pub fn memory(&self, extent: &Extent) -> u64 {
        let extent = extent.on(self.output);
        let has_simulation = self.steps.iter().any(Step::simulates);
        if !has_simulation || self.design.is_none() && extent == self.output.whole() {
            let walk = Walk { extent: &extent, found: 0, simulates: has_simulation };
            return self.walked(self.steps.len(), walk).most + self.held();
        }
        // They run when the first of them is reached, beside what is there of the extent.
        let simulated = self.simulated();
        let walk = Walk { extent: &extent, found: simulated.found, simulates: false };
        let walked = self.walked(self.steps.len(), walk);
        walked.most.max(walked.before_simulations + simulated.most) + self.held()
    }

    /// Bytes that [`Plan::simulate`] holds at the most.
    pub fn memory_of_simulations(&self) -> u64 {
        self.simulated().most + self.held()
    }

    /// Bytes that [`Plan::run`] holds at the most once all [simulations](Plan::simulate) have run.
    pub fn memory_after_simulations(&self, extent: &Extent) -> u64 {
        let found = self.simulated().found;
        let walk = Walk { extent: &extent.on(self.output), found, simulates: false };
        self.walked(self.steps.len(), walk).most + self.held()
    }

    /// Bytes that the plan itself holds.
    fn held(&self) -> u64 {
        let of_step = |step: &Step| match &step.work {
            Work::Field(field) => field.bytes(),
            Work::Simulation(..) => 0,
        };
        let steps: u64 = self.steps.iter().map(of_step).sum();
        steps + self.design.as_ref().map_or(self.input_bytes, |design| design.held())
    }

    /// The sweep over the whole of the design lattice.
    fn simulated(&self) -> Walked {
        let plan = self.design.as_deref().unwrap_or(self);
        let whole = plan.output.whole();
        let Some(last) = plan.steps.iter().rposition(Step::simulates) else {
            return Walked::default();
        };
        let walk = Walk { extent: &whole, found: 0, simulates: true };
        let before = plan.walked(last, walk);
        let samples = whole.len() as u64;
        let (run, found) = plan.steps[last].simulated(samples);
        let most = before.most.max(before.terrain + before.found + run);
        Walked { most, found: before.found + found, ..before }
    }

    /// The first `count` stages. Where they are not all, only the layers that a later one reads are made.
    fn walked(&self, count: usize, walk: Walk<'_>) -> Walked {
        let bytes = |extent: &Extent, layers: usize| 4 * (extent.len() * layers) as u64;
        let mut halo: u32 = self.steps[..count].iter().map(|step| step.reach).sum();
        let mut layers = vec![&Layer::Height];
        let mut is_fresh = true;
        let mut area = walk.extent.grown(halo);
        let mut sum = Walked {
            found: walk.found,
            terrain: bytes(&area, 1),
            most: bytes(&area, 1) + walk.found,
            ..Walked::default()
        };
        for (index, step) in self.steps[..count].iter().enumerate() {
            if step.simulates() {
                if sum.before_simulations == 0 {
                    sum.before_simulations = sum.terrain;
                }
                if walk.simulates {
                    let (run, found) = step.simulated(area.len() as u64);
                    sum.most = sum.most.max(sum.terrain + sum.found + run);
                    sum.found += found;
                }
            }
            halo -= step.reach;
            let inner = walk.extent.grown(halo);
            let is_new = !layers.contains(&&step.layer);
            let is_filled = step.reach == 0
                && ((is_fresh && step.layer == Layer::Height || is_new) && step.is_plain()
                    || step.is_new_alone());
            if is_new {
                layers.push(&step.layer);
            }
            let part = if is_filled { area } else { area.rows(0, BAND.min(area.height())) };
            let mut most = bytes(&area, layers.len()) + self.work(step, &part);
            if !is_filled {
                most += step.bands(&area, inner.width());
                let cropped = if inner == area { 0 } else { bytes(&inner, layers.len()) };
                most = most.max(bytes(&area, layers.len()) + cropped);
            }
            let is_wanted = count == self.steps.len()
                || self.steps[index + 1..=count].iter().any(Step::reads_layers);
            if is_wanted && !step.access.layers.is_empty() {
                // Layers that are there already are made anew, and then replaced.
                let made = bytes(&inner, layers.len() + step.access.layers.len());
                most = most.max(made + self.work(step, &part));
                let new = step.access.layers.iter().filter(|layer| !layers.contains(layer));
                let new: Vec<_> = new.collect();
                layers.extend(new);
            }
            is_fresh = is_fresh && step.layer != Layer::Height;
            area = inner;
            sum.terrain = bytes(&area, layers.len());
            sum.most = sum.most.max(sum.found + most.max(sum.terrain));
        }
        sum
    }

    /// Bytes that the values of a stage take beside the samples of a part.
    fn work(&self, step: &Step, part: &Extent) -> u64 {
        match &step.work {
            Work::Field(field) => field.memory(part),
            Work::Simulation(simulation, _) => {
                let design = self.design.as_deref().map_or(self.output, |design| design.output);
                simulation.field_memory(&design, part)
            }
        }
    }
}

impl Step {
    fn simulates(&self) -> bool {
        matches!(self.work, Work::Simulation(..))
    }

    /// Bytes that a simulation holds at the most while it runs on so many samples, and those of its result.
    fn simulated(&self, samples: u64) -> (u64, u64) {
        match &self.work {
            Work::Simulation(simulation, _) => {
                let found = simulation.found_memory(samples);
                (simulation.memory(samples).max(found), found)
            }
            Work::Field(_) => (0, 0),
        }
    }

    /// Old samples of a band and around it, and new ones before they are joined.
    fn bands(&self, area: &Extent, inner_width: usize) -> u64 {
        let rows = BAND.min(area.height());
        let around = (rows + 2 * self.reach as usize).min(area.height());
        let old = if self.reads_old() { around } else { 0 };
        let new = if self.is_whole() { 0 } else { rows };
        let cut = if inner_width < area.width() { rows } else { 0 };
        4 * (area.width() * (old + new + cut)) as u64
    }
}
