//! One terrain of a sweep: its files, its row in the table, and what is to be said of it.

use landform::Terrain;
use landform::analysis::statistics::Statistics;
use landform_io::{Format, WriteOptions, manifest};
use landform_view::Options;

use super::{Run, Sweep};
use crate::make::{self, Heights, MapOptions, Output, Silent};
use crate::{DiskFolder, Observer, Project, Result, Sink as _, Warning, Watched};

/// A terrain that was made.
pub(super) struct Made {
    /// Its row, without the last column.
    pub(super) row: Vec<String>,
    /// What is to be said of it.
    pub(super) warnings: Vec<Warning>,
}

impl Sweep<'_> {
    /// Makes one terrain and its files.
    pub(super) fn make(&self, run: &Run, observer: &dyn Observer) -> Result<Made> {
        let project = self.project.changed(&run.changes)?;
        let plan = project.plan()?;
        let terrain = project.terrain(&plan, &Silent(observer))?;
        for typed in &run.outputs {
            self.put(&project, &terrain, typed, observer)?;
        }
        let statistics = Statistics::of(&terrain);
        let seed = project.recipe().seed.to_string();
        let values = run.changes.set.iter().map(|(_, value)| value.clone());
        let numbers = [
            statistics.min,
            statistics.max,
            statistics.mean,
            statistics.deviation,
            statistics.land,
            statistics.hypsometric_integral,
            statistics.slope_mean,
            statistics.slope_95,
        ];
        let numbers = numbers.iter().map(f64::to_string);
        let hash = manifest::sha256(terrain.height());
        let files = run.outputs.iter().cloned();
        let row = files.chain([seed]).chain(values).chain(numbers).chain([hash]).collect();
        Ok(Made { row, warnings: self.warnings(run, &project, &terrain)? })
    }

    /// What is to be said of a terrain and its files.
    fn warnings(&self, run: &Run, project: &Project, terrain: &Terrain) -> Result<Vec<Warning>> {
        let mut warnings = Warning::about(terrain);
        let mut has_levels = false;
        for typed in &run.outputs {
            let (output, _) = Output::of(typed)?;
            // Pictures are no heights.
            let is_drawn = output == Output::Heights(Format::Png) && self.style.is_some();
            has_levels |= output.has_levels() && !is_drawn;
        }
        if let Some(range) = project.range().filter(|_| has_levels) {
            let (low, high) = terrain.height().range();
            warnings.extend(Warning::outside_range([low.into(), high.into()], range));
        }
        Ok(warnings)
    }

    /// Makes one output of a terrain.
    fn put(
        &self,
        project: &Project,
        terrain: &Terrain,
        typed: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let watch = &Silent(observer);
        let (output, path) = Output::of(typed)?;
        if output == Output::Bundle {
            let mut sink = DiskFolder::new(path);
            let range = project.range();
            return make::bundle(terrain, &project.origin(), range, &mut sink, watch).map(|_| ());
        }
        let name = crate::open::files::file_name(path);
        let mut folder = DiskFolder::of_file(path);
        let mut sink = Watched::new(&mut folder, watch);
        match (output, self.style) {
            (Output::Heights(Format::Png), Some(style)) => {
                let drawing = make::Drawing::default().options(Some(project.made_by()))?;
                let options = Options { plan: drawing.plan, ..Options::default() };
                let image = landform_view::draw(terrain, style, &options);
                make::put_image(&mut sink, &name, &image)?;
                sink.finish()
            }
            (Output::Heights(format), _) => {
                // All terrains have the scale that the recipe declares.
                let range = project.range();
                let options = WriteOptions { range, ..WriteOptions::default() };
                let is_clamped = range.is_some();
                let heights = Heights { options, is_clamped, ..Heights::new(format) };
                make::heights(terrain, &heights, &name, &mut sink, watch).map(|_| ())
            }
            (Output::Map(map), _) => {
                let options = MapOptions::default();
                make::map(terrain, &map, &options, project.inputs(), &name, &mut sink).map(|_| ())
            }
            (Output::Vector(format), _) => {
                make::vector(terrain, format, &name, &mut sink).map(|_| ())
            }
            (Output::Uplift, _) => {
                make::uplift(terrain, project.recipe(), project.upd_text(), &name, &mut sink)
                    .map(|_| ())
            }
            (Output::Recipe, _) => make::recipe(project.text(), &name, &mut sink).map(|_| ()),
            (Output::Bundle | Output::Streamed(_), _) => Ok(()),
        }
    }
}
