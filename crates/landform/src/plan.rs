//! A recipe that has been checked: nothing left that can fail, ready to run over any extent.

#[cfg(test)]
mod declared;
mod memory;
mod simulations;

use std::sync::Arc;

use simulations::Kept;

use crate::blend::Blend;
use crate::demand::Demand;
use crate::effort::Effort;
use crate::error::{Error, Problem};
use crate::inputs::Inputs;
use crate::mask::ResolvedMask;
use crate::recipe::{Entry, Recipe};
use crate::sketch::Reserve;
use crate::stage::{
    Access, Field, FieldOutput, Prepared, Reach, Reads, Simulated, Simulation, Site, Stage,
};
use crate::terrain_view::TerrainView;
use crate::watch::Rising;
use crate::{
    Cancelled, Ctx, Extent, Georeference, Grid, GroundCover, Lattice, Layer, Scale, Seed, Terrain,
    Topology, Watch, par,
};

/// How many rows are evaluated before they are joined to the terrain: enough to work on, few to hold.
const BAND: usize = 256;

/// How many samples around one a stage may look at.
const FARTHEST: u32 = 1 << 14;

/// The largest number that a stage may write, up or down: blending multiplies, and what is drawn is squared.
const LARGEST: f32 = 1e9;

/// A recipe that is ready to run.
#[derive(Debug)]
pub struct Plan {
    /// The same recipe on its own lattice, where simulations run; nothing if that is this plan.
    design: Option<Box<Self>>,
    /// As far apart as the recipe says.
    output: Lattice,
    /// By what the ground is larger.
    scale: Scale,
    /// As far apart as they are in nature.
    ground: Lattice,
    sea_level: f64,
    topology: Topology,
    cover: GroundCover,
    place: Option<Georeference>,
    input_bytes: u64,
    steps: Vec<Step>,
}

/// A stage that is ready to run.
struct Step {
    label: String,
    layer: Layer,
    blend: Blend,
    amount: f32,
    mask: Option<ResolvedMask>,
    /// Ground that it leaves alone.
    reserve: Option<Reserve>,
    /// Lines that the ground meets after it.
    demands: Vec<Demand>,
    /// How many samples around one the stage and its mask look at.
    reach: u32,
    access: Access,
    work: Work,
    effort: Option<Effort>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step").field("label", &self.label).finish_non_exhaustive()
    }
}

/// Looks at the terrain after a stage.
type Seen<'a> = dyn FnMut(usize, &str, &Terrain) + 'a;

/// A terrain of which some stages are done.
struct Begun<'a> {
    done: usize,
    /// How many stages there are to be.
    count: usize,
    terrain: Terrain,
    seen: Option<&'a mut Seen<'a>>,
    wanted: Wanted,
}

/// Which extra layers a run writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Those that a later stage may look at, up to the one that the run is made for: nobody else sees them.
    Read,
}

enum Work {
    Field(Box<dyn Field>),
    /// What has been simulated on the whole ground is kept for all tiles.
    Simulation(Box<dyn Simulation>, Arc<Kept>),
}

impl Recipe {
    /// Checks the recipe as a whole and makes it ready to run.
    ///
    /// # Errors
    /// What does not fit together: stages of the same name, layers that there are not, parameters that
    /// contradict each other, missing inputs.
    pub fn resolve(&self, inputs: &Inputs) -> Result<Plan, Error> {
        let (simulated, output) = (self.simulated(), self.output());
        let scale = self.scale()?;
        self.check_range()?;
        let mut plan = self.resolve_for(output, inputs)?;
        (plan.scale, plan.ground) = (scale, scale.lattice(&output));
        let has_simulation =
            plan.steps.iter().any(|step| matches!(step.work, Work::Simulation(..)));
        if has_simulation && output != simulated {
            plan.design = Some(Box::new(self.resolve_for(simulated, inputs)?));
        }
        Ok(plan)
    }

    /// The same recipe as `plan`, of which it was made, with another number of samples. What either has simulated the other need not.
    ///
    /// # Errors
    /// As [`Recipe::resolve`].
    pub fn resolve_beside(
        &self,
        plan: &Plan,
        size: [u32; 2],
        inputs: &Inputs,
    ) -> Result<Plan, Error> {
        let mut other = Self { resolution: Some(size), ..self.clone() }.resolve(inputs)?;
        let own = other.design.as_deref_mut().map_or(&mut other.steps, |design| &mut design.steps);
        let known = &plan.design.as_deref().unwrap_or(plan).steps;
        for (step, known) in own.iter_mut().zip(known) {
            if let (Work::Simulation(_, done), Work::Simulation(_, known)) =
                (&mut step.work, &known.work)
            {
                *done = Arc::clone(known);
            }
        }
        Ok(other)
    }

    fn check_range(&self) -> Result<(), Error> {
        match self.output_range {
            Some(range) if range[0] >= range[1] => {
                let allowed = "the lower height, then the higher";
                Err(Error::not_allowed("output_range", format!("{range:?}"), allowed))
            }
            _ => Ok(()),
        }
    }

    /// Share of the ground that is to lie below the sea, if a stage says so.
    fn ocean(&self) -> Option<f64> {
        self.stages.iter().filter(|entry| entry.joint.enabled).find_map(|entry| {
            match &entry.stage {
                Stage::SeaLevel(stage) => Some(stage.ocean),
                _ => None,
            }
        })
    }

    /// The plan by which the recipe is evaluated on the grid lines of `output`.
    fn resolve_for(&self, output: Lattice, inputs: &Inputs) -> Result<Plan, Error> {
        let design = self.design();
        let mut known = vec![Layer::Height];
        let mut demands: Vec<Demand> = Vec::new();
        let mut labels: Vec<&str> = Vec::new();
        let mut steps = Vec::new();
        for (index, entry) in self.stages.iter().enumerate() {
            let label = entry.label();
            let named = |error| Error { stage: Some((index + 1, label.to_owned())), ..error };
            if labels.contains(&label) {
                return Err(named(Error::with(None, Problem::DoubleLabel)));
            }
            labels.push(label);
            if entry.joint.enabled {
                let seed = Seed::new(self.seed).child(label);
                let before = (known.clone(), demands.clone());
                let site = Site {
                    seed,
                    design,
                    output,
                    inputs,
                    layers: &before.0,
                    demands: &before.1,
                    topology: self.topology,
                    sea_level: self.sea_level,
                    ocean: self.ocean(),
                };
                let mut step = Step::new(entry, &site, &mut known).map_err(named)?;
                if step.layer == Layer::Height && !entry.stage.operator().obeys() {
                    step.reserve = Reserve::around(&demands, &design);
                }
                demands.extend_from_slice(&step.demands);
                steps.push(step);
            }
        }
        let input_bytes = inputs.bytes();
        Ok(Plan {
            design: None,
            output,
            scale: Scale::NATURAL,
            ground: output,
            sea_level: self.sea_level,
            topology: self.topology,
            cover: self.ground,
            place: self.place(inputs),
            input_bytes,
            steps,
        })
    }
}

impl Step {
    fn new(entry: &Entry, site: &Site<'_>, known: &mut Vec<Layer>) -> Result<Self, Error> {
        let joint = &entry.joint;
        let layer = Layer::named(&joint.layer).ok_or_else(|| {
            let allowed = "lower-case letters, digits and _, beginning with a letter";
            Error::not_allowed("layer", format!("{:?}", joint.layer), allowed)
        })?;
        let mask = joint.mask.as_ref().map(|mask| mask.resolve(site)).transpose()?;
        let operator = entry.stage.operator();
        // Before anything is made for it.
        let effort = operator.effort(site);
        effort.as_ref().map_or(Ok(()), |effort| effort.check(&site.design))?;
        let work = match operator.prepare(site)? {
            Prepared::Field(field) => Work::Field(field),
            Prepared::Simulation(simulation) => Work::Simulation(simulation, Arc::default()),
        };
        let own_reach = match operator.reach_at(site) {
            Reach::Point | Reach::Whole => 0,
            Reach::Cells(cells) if cells > FARTHEST => {
                let message = format!(
                    "looks {cells} samples around each, but may look no farther than {FARTHEST}: give a smaller radius or wavelength, or fewer samples"
                );
                return Err(Error::new(message));
            }
            Reach::Cells(cells) => cells,
        };
        // What only a part of the ground meets, or by half, is no demand.
        let is_met = joint.mask.is_none() && joint.amount == 1.0 && layer == Layer::Height;
        let demands = if is_met { operator.demands(site)? } else { Vec::new() };
        let mask_reach = joint.mask.as_ref().map_or(0, crate::mask::Mask::reach);
        let access = operator.access();
        for layer in std::iter::once(&layer).chain(&access.layers) {
            if !known.contains(layer) {
                known.push(layer.clone());
            }
        }
        Ok(Self {
            label: entry.label().to_owned(),
            layer,
            blend: joint.blend.unwrap_or_else(|| operator.blend()),
            amount: joint.amount as f32,
            mask,
            reserve: None,
            demands,
            reach: own_reach.max(mask_reach),
            access,
            work,
            effort,
        })
    }

    /// Whether it looks at old samples around those that it writes.
    fn reads_old(&self) -> bool {
        self.mask.is_some()
            || self.reserve.is_some()
            || !matches!(self.access.values, None | Some(Reads::Nothing))
    }

    /// Whether it may look at layers other than the height, or change one.
    fn reads_layers(&self) -> bool {
        self.access.needs_layers() || self.mask.is_some() || self.layer != Layer::Height
    }

    /// Whether the values can be written straight into a layer that is still 0.
    fn is_plain(&self) -> bool {
        self.is_everywhere() && matches!(self.blend, Blend::Add | Blend::Lerp)
    }

    /// Whether the terrain becomes what is new: a fade with the weight 1 everywhere, by which nothing has to be joined.
    fn is_whole(&self) -> bool {
        self.is_everywhere() && self.blend == Blend::Lerp
    }

    /// Whether it acts everywhere with its full strength.
    fn is_everywhere(&self) -> bool {
        self.mask.is_none() && self.reserve.is_none() && self.amount == 1.0
    }

    /// Whether the terrain becomes what is new, which is made without a look at the old samples.
    fn is_new_alone(&self) -> bool {
        self.is_whole() && self.access.values == Some(Reads::Nothing)
    }

    /// Evaluates the stage at the samples of `extent`, which `view` covers, and joins them to `out`, which holds
    /// the old ones.
    fn join(
        &self,
        field: &dyn Field,
        extent: &Extent,
        view: &TerrainView<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let width = extent.width();
        let evaluate = |out: &mut [f32]| match self.access.values {
            Some(_) => field.evaluate(extent, view, FieldOutput::of_values(out), ctx),
            None => Ok(()),
        };
        if self.is_whole() {
            evaluate(out)?;
            limit(out, width);
            return Ok(());
        }
        let mut new = out.to_vec();
        evaluate(&mut new)?;
        par::for_each_row(out, width, |row, old| {
            let mut weights = vec![1.0; width];
            if let Some(mask) = &self.mask {
                mask.weigh(view, extent, row, &mut weights);
            }
            if let Some(reserve) = &self.reserve {
                reserve.weigh(extent, row, &mut weights);
            }
            let new = &new[row * width..][..width];
            for ((old, &new), weight) in old.iter_mut().zip(new).zip(weights) {
                let joined = self.blend.join(*old, new, self.amount * weight);
                *old = joined.clamp(-LARGEST, LARGEST);
            }
        });
        Ok(())
    }
}

impl Plan {
    /// The grid lines of the terrain.
    pub fn lattice(&self) -> &Lattice {
        &self.ground
    }

    /// How many times as large the ground is as the numbers of the recipe say.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// Height of the water table in metres.
    pub fn sea_level(&self) -> f64 {
        self.sea_level * self.scale.length()
    }

    /// How the edges of the map belong together.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// What the ground is covered with in views of it.
    pub fn cover(&self) -> GroundCover {
        self.cover
    }

    /// Where the terrain lies on the Earth, or on its planet; nothing if nobody said it.
    pub fn place(&self) -> Option<&Georeference> {
        self.place.as_ref()
    }

    /// The same plan for a terrain at this place.
    #[must_use]
    pub fn with_place(self, place: Option<Georeference>) -> Self {
        Self { place, ..self }
    }

    /// How many samples around an extent are evaluated, and then left out, so that its edges are right.
    pub fn halo(&self) -> u32 {
        self.steps.iter().map(|step| step.reach).sum()
    }

    /// Names of the layers that the terrain will have.
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers = vec![Layer::Height];
        for step in &self.steps {
            for layer in std::iter::once(&step.layer).chain(&step.access.layers) {
                if !layers.contains(layer) {
                    layers.push(layer.clone());
                }
            }
        }
        layers
    }

    /// How much work the stages are whose work does not go by the number of samples alone, with their labels.
    pub fn efforts(&self) -> impl Iterator<Item = (&str, Effort)> {
        self.steps.iter().filter_map(|step| Some((step.label.as_str(), step.effort?)))
    }

    /// Evaluates the terrain over `extent`. The result is the same window of the whole, bit for bit.
    ///
    /// # Errors
    /// Only when `watch` cancels.
    pub fn run(&self, extent: &Extent, watch: &dyn Watch) -> Result<Terrain, Cancelled> {
        let rising = Rising::new(watch);
        let ctx = Ctx::new(&rising, "");
        let extent = extent.on(self.output);
        let terrain = self.run_steps(self.begin(self.steps.len(), &extent), &extent, &ctx)?;
        rising.progress("", 1.0);
        Ok(terrain.scaled(&self.scale))
    }

    /// Evaluates the terrain over `extent` as [`Self::run`] does, and lets `seen` look at it after each stage that takes part: how
    /// many of them are done, the label of the last, and the terrain, which may have samples around `extent`. What is seen has the
    /// size that the numbers of the recipe say, and only the result is [scaled](Scale).
    ///
    /// # Errors
    /// Only when `watch` cancels.
    pub fn run_and_look<'a>(
        &self,
        extent: &Extent,
        watch: &dyn Watch,
        seen: &'a mut (dyn FnMut(usize, &str, &Terrain) + 'a),
    ) -> Result<Terrain, Cancelled> {
        let rising = Rising::new(watch);
        let ctx = Ctx::new(&rising, "");
        let extent = extent.on(self.output);
        let begun = Begun { seen: Some(seen), ..self.begin(self.steps.len(), &extent) };
        let terrain = self.run_steps(begun, &extent, &ctx)?;
        rising.progress("", 1.0);
        Ok(terrain.scaled(&self.scale))
    }

    /// Evaluates the whole terrain, and lets `seen` look at it after each stage that takes part: how many of them are done, the
    /// label of the last, and the terrain. It can go on later from what it saw: `begun` is the terrain after so many stages of
    /// a plan that has the same stages up to there and the same lattice. One of another size is not used. What is seen has the size that the numbers
    /// of the recipe say, and only the result is [scaled](Scale).
    ///
    /// # Errors
    /// Only when `watch` cancels.
    pub fn run_by_stages<'a>(
        &self,
        begun: Option<(usize, Terrain)>,
        watch: &dyn Watch,
        seen: &'a mut (dyn FnMut(usize, &str, &Terrain) + 'a),
    ) -> Result<Terrain, Cancelled> {
        let whole = self.output.whole();
        let rising = Rising::new(watch);
        let ctx = Ctx::new(&rising, "");
        let count = self.steps.len();
        let fits = |begun: &(usize, Terrain)| begun.0 <= count && *begun.1.extent() == whole;
        let begun = match begun.filter(fits) {
            Some((done, terrain)) => {
                Begun { done, count, terrain, seen: Some(seen), wanted: Wanted::All }
            }
            None => Begun { seen: Some(seen), ..self.begin(count, &whole) },
        };
        let terrain = self.run_steps(begun, &whole, &ctx)?;
        rising.progress("", 1.0);
        Ok(terrain.scaled(&self.scale))
    }

    /// Nothing yet of a terrain over `extent` with `count` stages.
    fn begin(&self, count: usize, extent: &Extent) -> Begun<'static> {
        let halo = self.steps[..count].iter().map(|step| step.reach).sum();
        let start = extent.grown(halo);
        let height = Grid::filled(start.width(), start.height(), 0.0);
        let terrain = Terrain::new(start, self.sea_level, height)
            .with_topology(self.topology)
            .with_cover(self.cover)
            .with_place(self.place.clone());
        Begun { done: 0, count, terrain, seen: None, wanted: Wanted::All }
    }

    /// Goes on with a terrain until its stages are done.
    fn run_steps(
        &self,
        begun: Begun<'_>,
        extent: &Extent,
        ctx: &Ctx<'_>,
    ) -> Result<Terrain, Cancelled> {
        let Begun { done, count, mut terrain, mut seen, wanted } = begun;
        let steps = &self.steps[..count];
        let is_wanted = |index: usize| {
            wanted == Wanted::All || self.steps[index + 1..=count].iter().any(Step::reads_layers)
        };
        ctx.evaluates(terrain.extent().len());
        let mut halo: u32 = steps[done..].iter().map(|step| step.reach).sum();
        let mut is_fresh = steps[..done].iter().all(|step| step.layer != Layer::Height);
        for (index, step) in steps.iter().enumerate().skip(done) {
            let share = |k: usize| k as f32 / count as f32;
            let ctx = ctx.part(&step.label, share(index), share(index + 1));
            ctx.progress(0.0)?;
            let field = self.field(index, &terrain, &ctx)?;
            halo -= step.reach;
            let layers = if is_wanted(index) { &*step.access.layers } else { &[] };
            let is_new = is_fresh || terrain.layer(&step.layer).is_none();
            if step.reach == 0 && (is_new && step.is_plain() || step.is_new_alone()) {
                fill_new((step, layers), field, &mut terrain, &ctx)?;
            } else {
                let inner = extent.grown(halo);
                in_bands(step, field, &mut terrain, &inner, &ctx)?;
                if *terrain.extent() != inner {
                    terrain = terrain.crop(&inner);
                }
                fill_layers(layers, field, &mut terrain, &ctx)?;
            }
            terrain.add_features(field.features());
            terrain.add_demands(&step.demands);
            is_fresh = is_fresh && step.layer != Layer::Height;
            if let Some(seen) = &mut seen {
                seen(index + 1, &step.label, &terrain);
            }
        }
        Ok(terrain)
    }

    /// The values of a stage: at hand, or simulated now on the whole ground.
    fn field(&self, index: usize, now: &Terrain, ctx: &Ctx<'_>) -> Result<&dyn Field, Cancelled> {
        let step = &self.steps[index];
        match (&step.work, &self.design) {
            (Work::Field(field), _) => Ok(&**field),
            (Work::Simulation(..), Some(design)) => design.field(index, now, ctx),
            (Work::Simulation(simulation, done), None) => {
                if done.get().is_none() {
                    if *now.extent() == self.output.whole() {
                        // Another thread may have been first; both made the same.
                        let _ = done.set(simulation.run(now, ctx)?);
                    } else {
                        self.run_simulations(index, ctx)?;
                    }
                }
                let simulated: &dyn Simulated = &**done.get().expect("set above");
                Ok(simulated)
            }
        }
    }
}

/// Evaluates a stage straight into a layer that is still 0, or of which nothing stays. The extra layers are evaluated with it, unless they are made from what
/// it becomes.
fn fill_new(
    (step, layers): (&Step, &[Layer]),
    field: &dyn Field,
    terrain: &mut Terrain,
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    let extent = *terrain.extent();
    let is_together = step.access.layers_from == Reads::Nothing;
    let (with, after): (_, &[Layer]) = if is_together { (layers, &[]) } else { (&[], layers) };
    let mut grid = terrain
        .take(&step.layer)
        .unwrap_or_else(|| Grid::filled(extent.width(), extent.height(), 0.0));
    let mut grids = empty(&extent, with);
    let view = TerrainView::before(terrain, &step.layer, (&[], extent));
    let values = step.access.values.map(|_| grid.samples_mut());
    let out = FieldOutput { values, layers: asked(with, &mut grids) };
    field.evaluate(&extent, &view, out, ctx)?;
    limit(grid.samples_mut(), extent.width());
    terrain.insert(step.layer.clone(), grid);
    insert(terrain, with, grids);
    fill_layers(after, field, terrain, ctx)
}

/// Writes extra layers of a stage whose values have been joined to the terrain.
fn fill_layers(
    layers: &[Layer],
    field: &dyn Field,
    terrain: &mut Terrain,
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    if !layers.is_empty() {
        let mut grids = empty(terrain.extent(), layers);
        let out = FieldOutput { values: None, layers: asked(layers, &mut grids) };
        field.evaluate(terrain.extent(), &TerrainView::of(terrain), out, &ctx.share(1.0, 1.0))?;
        insert(terrain, layers, grids);
    }
    Ok(())
}

/// Keeps numbers finite, whatever a recipe adds up or multiplies.
fn limit(samples: &mut [f32], width: usize) {
    par::for_each_part(samples, width, BAND, |_, part| {
        part.iter_mut().for_each(|sample| *sample = sample.clamp(-LARGEST, LARGEST));
    });
}

fn empty(extent: &Extent, layers: &[Layer]) -> Vec<Grid> {
    // Not clones of one: those would be written twice.
    layers.iter().map(|_| Grid::filled(extent.width(), extent.height(), 0.0)).collect()
}

fn asked<'a>(layers: &'a [Layer], grids: &'a mut [Grid]) -> Vec<(&'a Layer, &'a mut [f32])> {
    layers.iter().zip(grids.iter_mut().map(Grid::samples_mut)).collect()
}

fn insert(terrain: &mut Terrain, layers: &[Layer], grids: Vec<Grid>) {
    for (layer, grid) in layers.iter().zip(grids) {
        terrain.insert(layer.clone(), grid);
    }
}

/// Runs a stage at the samples of `inner`, band by band in the place of the old samples. Those that it looks at around a band are
/// kept until the next one is done, so no more than a few bands are held beside the terrain.
fn in_bands(
    step: &Step,
    field: &dyn Field,
    terrain: &mut Terrain,
    inner: &Extent,
    ctx: &Ctx<'_>,
) -> Result<(), Cancelled> {
    let whole = *terrain.extent();
    let width = whole.width();
    let mut grid =
        terrain.take(&step.layer).unwrap_or_else(|| Grid::filled(width, whole.height(), 0.0));
    let (left, _) = whole.offset_of(inner);
    // The old samples of a band and of the rows around it, and the first of these rows.
    let (mut old, mut top): (Vec<f32>, usize) = (Vec::new(), 0);
    for first in (0..inner.height()).step_by(BAND) {
        let part = inner.rows(first, BAND.min(inner.height() - first));
        let share = |row: usize| row as f32 / inner.height() as f32;
        let ctx = ctx.part(&step.label, share(first), share(first + part.height()));
        ctx.progress(0.0)?;
        let around = part.grown(step.reach);
        let rows = whole.offset_of(&around).1;
        if step.reads_old() {
            let held = top + old.len() / width;
            old.drain(..(rows - top) * width);
            old.extend_from_slice(&grid.samples()[held * width..(rows + around.height()) * width]);
            top = rows;
        }
        let view =
            TerrainView::before(terrain, &step.layer, (&old, whole.rows(rows, around.height())));
        let start = whole.offset_of(&part).1;
        if part.width() == width {
            let band = &mut grid.samples_mut()[start * width..][..part.len()];
            step.join(field, &part, &view, band, &ctx)?;
            continue;
        }
        let mut band = Vec::with_capacity(part.len());
        for row in start..start + part.height() {
            band.extend_from_slice(&grid.row(row)[left..left + part.width()]);
        }
        step.join(field, &part, &view, &mut band, &ctx)?;
        for (row, band) in (start..).zip(band.chunks(part.width())) {
            grid.row_mut(row)[left..left + part.width()].copy_from_slice(band);
        }
    }
    terrain.insert(step.layer.clone(), grid);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_goes_on_from_what_was_seen_and_gives_the_same_bytes() {
        let text = "version = 1\nsize = [65, 65]\nspacing = [30.0, 30.0]\n\n[[stage]]\nkind = \"noise\"\namplitude = 500\n\n[[stage]]\nkind = \"hydraulic\"\n\n[[stage]]\nkind = \"smooth\"\n";
        let recipe = Recipe::parse(text).unwrap();
        let inputs = Inputs::default();
        let plan = recipe.resolve(&inputs).unwrap();
        let mut seen = Vec::new();
        let mut keep = |done: usize, label: &str, terrain: &Terrain| {
            seen.push((done, label.to_owned(), terrain.clone()));
        };
        let whole = plan.run_by_stages(None, &(), &mut keep).unwrap();
        assert_eq!(whole, plan.run(&plan.lattice().whole(), &()).unwrap());
        let labels: Vec<&str> = seen.iter().map(|(_, label, _)| label.as_str()).collect();
        assert_eq!(labels, ["noise", "hydraulic", "smooth"]);
        for (done, _, terrain) in seen {
            let mut later = 0;
            let mut count = |_: usize, _: &str, _: &Terrain| later += 1;
            let again = recipe.resolve(&inputs).unwrap();
            let again = again.run_by_stages(Some((done, terrain)), &(), &mut count).unwrap();
            assert!(again == whole, "from stage {done} on");
            assert_eq!(later, 3 - done);
        }
    }

    const AROUND: &str = "version = 1\nsize = [33, 700]\nspacing = [30.0, 30.0]\n\n[[stage]]\nkind = \"noise\"\namplitude = 500\n\n[[stage]]\nkind = \"smooth\"\n\n[[stage]]\nkind = \"gullies\"\nmask = { kind = \"slope\", from = 5 }\n";

    #[test]
    fn the_bands_of_a_stage_that_looks_around_itself_do_not_show() {
        let plan = Recipe::parse(AROUND).unwrap().resolve(&Inputs::default()).unwrap();
        let whole = plan.run(&plan.lattice().whole(), &()).unwrap();
        // Other bands than those of the whole, and around the edges of those.
        for (first, rows) in [(0, 300), (200, 112), (255, 2), (400, 300)] {
            let tile = plan.lattice().window(4, first, 20, rows).unwrap();
            assert!(plan.run(&tile, &()).unwrap() == whole.crop(&tile), "{rows} rows from {first}");
        }
    }

    #[test]
    fn a_stage_that_looks_around_itself_holds_no_second_terrain() {
        let recipe = AROUND.replace("[33, 700]", "[700, 700]\nresolution = [4097, 4097]");
        let plan = Recipe::parse(&recipe).unwrap().resolve(&Inputs::default()).unwrap();
        let (whole, output) = (plan.lattice().whole(), 4 * 4097 * 4097);
        assert!(plan.memory(&whole) < output + output / 10 + (64 << 20));
    }
}
