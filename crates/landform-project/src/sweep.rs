//! Many terrains of one recipe: seeds and values of parameters, each with files of its own, and a table of what came out.
//!
//! A run that is in the table and whose files are there is not made again, so a sweep that was interrupted goes on. A row
//! names its run by a hash of all that the run depends on: a changed recipe has other runs.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use landform::analysis::statistics::Statistics;
use landform::{Terrain, par};
use landform_io::kept::hash_of_inputs;
use landform_io::{Format, manifest, regular};
use landform_view::{Options, Style};

use crate::make::{self, Heights, MapOptions, Output, Silent};
use crate::{
    Changes, DiskFolder, Error, Observer, Project, Result, Sink as _, Watched, Wish, memory,
};
use table::Table;

/// The largest number of runs.
const MOST: usize = 1_000_000;

/// Many terrains of one recipe.
#[derive(Clone, Debug)]
pub struct Sweep<'a> {
    /// The recipe.
    pub project: &'a Project,
    /// The seeds; that of the recipe if there are none.
    pub seeds: Vec<u64>,
    /// Parameters, each with its values as TOML.
    pub set: Vec<(String, Vec<String>)>,
    /// The outputs of a run, as patterns such as `runs/{seed}-{noise.h}.png`.
    pub outputs: Vec<String>,
    /// How a `.png` is drawn; without a style it is a heightmap.
    pub style: Option<Style>,
    /// The table of what came out, a CSV file.
    pub table: PathBuf,
    /// Bytes that may be used; what is free if not given.
    pub memory: Option<u64>,
    /// How many terrains are made at the same time, if memory allows.
    pub side_by_side: usize,
}

/// One terrain of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its outputs, as they would be typed.
    pub outputs: Vec<String>,
    changes: Changes,
}

/// What a sweep has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept {
    /// Terrains that were made now.
    pub made: usize,
    /// Terrains that were there already.
    pub found: usize,
}

impl Sweep<'_> {
    /// All runs, in the order of the table: seed by seed, the last parameter varies fastest.
    ///
    /// # Errors
    /// If a pattern names something that does not vary, or gives one name to two runs.
    pub fn runs(&self) -> Result<Vec<Run>> {
        for (k, (name, _)) in self.set.iter().enumerate() {
            if self.set[..k].iter().any(|(other, _)| other == name) {
                let message = format!("{name} is given twice: list its values, divided by commas");
                return Err(Error::wish(Wish::Sweep, message));
            }
            if name == "seed" && !self.seeds.is_empty() {
                return Err(Error::wish(Wish::Sweep, "both give the seed: --seeds is enough"));
            }
        }
        let counts = self.set.iter().map(|(_, values)| values.len());
        let all = counts.fold(self.seeds.len().max(1), usize::saturating_mul);
        if all > MOST {
            let message = format!("{all} terrains are more than the {MOST} that are allowed");
            return Err(Error::wish(Wish::Sweep, message));
        }
        let seeds = match self.seeds.as_slice() {
            [] => vec![None],
            seeds => seeds.iter().copied().map(Some).collect(),
        };
        let mut runs = Vec::with_capacity(all);
        let mut names = BTreeSet::new();
        for seed in seeds {
            for k in 0..all / self.seeds.len().max(1) {
                let changes = Changes { seed, set: self.values(k), ..Changes::default() };
                let run = self.named(changes)?;
                for output in &run.outputs {
                    if !names.insert(output.clone()) {
                        let message = format!(
                            "two terrains would be {output}: name what varies, such as {{seed}}"
                        );
                        return Err(Error::wish(Wish::Output(output.clone()), message));
                    }
                }
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// The values of the parameters in the combination `k`.
    fn values(&self, mut k: usize) -> Vec<(String, String)> {
        let mut set = Vec::new();
        for (name, values) in self.set.iter().rev() {
            set.push((name.clone(), values[k % values.len()].clone()));
            k /= values.len();
        }
        set.reverse();
        set
    }

    /// A run with the names of its outputs.
    fn named(&self, changes: Changes) -> Result<Run> {
        let seed = changes.seed.unwrap_or(self.project.recipe().seed).to_string();
        let set = changes.set.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let known: Vec<(&str, &str)> = [("seed", seed.as_str())].into_iter().chain(set).collect();
        let outputs: Result<_> =
            self.outputs.iter().map(|pattern| filled(pattern, &known)).collect();
        Ok(Run { outputs: outputs?, changes })
    }

    /// What is to be made: the whole sweep is checked, and nothing is written.
    ///
    /// # Errors
    /// If a run cannot be, or the table is that of another sweep.
    pub fn planned(&self) -> Result<Planned<'_>> {
        if let Some(pattern) = self.outputs.iter().find(|pattern| is_stdout(pattern)) {
            let message = "a sweep makes files, and standard output takes one";
            return Err(Error::wish(Wish::Output(pattern.clone()), message));
        }
        let runs = self.runs()?;
        for typed in runs.first().iter().flat_map(|run| &run.outputs) {
            if matches!(Output::of(typed)?.0, Output::Streamed(_)) {
                let message = "what is made tile by tile takes a build of its own";
                return Err(Error::wish(Wish::Output(typed.clone()), message));
            }
        }
        let inputs = hash_of_inputs(self.project.inputs());
        let mut keys = Vec::with_capacity(runs.len());
        for run in &runs {
            // What cannot be is refused before there is work.
            let project = self.project.changed(&run.changes)?;
            let plan = project.plan()?;
            for typed in &run.outputs {
                Output::of(typed)?.0.check(&plan)?;
            }
            keys.push(self.key(run, &project, &inputs));
        }
        let table = Table::open(&self.table, self.header())?;
        let at_once = self.at_once(&runs)?;
        Ok(Planned { sweep: self, runs, keys, table, at_once })
    }

    /// What a run depends on, as a word.
    fn key(&self, run: &Run, project: &Project, inputs: &str) -> String {
        let style = self.style.map_or("", Style::name);
        let outputs = run.outputs.join("\n");
        let version = env!("CARGO_PKG_VERSION");
        let all = format!("landform {version}\n{inputs}\n{style}\n{outputs}\n{}", project.text());
        regular::sha256_of(all.as_bytes())[..16].to_owned()
    }

    /// How many terrains fit into memory side by side.
    fn at_once(&self, runs: &[Run]) -> Result<usize> {
        let Some(run) = runs.first() else { return Ok(1) };
        let project = self.project.changed(&run.changes)?;
        let plan = project.plan()?;
        let size = plan.lattice().size;
        let samples = u64::from(size[0]) * u64::from(size[1]);
        let beside = run.outputs.iter().map(|typed| Ok(Output::of(typed)?.0.memory()));
        let beside = beside.collect::<Result<Vec<u64>>>()?.into_iter().max().unwrap_or_default();
        let needed = project.memory(&plan, &plan.lattice().whole()) + beside * samples;
        memory::check(size, needed, self.memory)?;
        let limit = self.memory.or_else(memory::free).unwrap_or(u64::MAX);
        let left = limit.saturating_sub(memory::PROGRAM);
        let each = needed.saturating_sub(memory::PROGRAM).max(1);
        let fitting = usize::try_from(left / each).unwrap_or(usize::MAX);
        Ok(self.side_by_side.min(fitting).max(1))
    }

    /// The names of the columns.
    fn header(&self) -> Vec<String> {
        let set = self.set.iter().map(|(name, _)| name.clone());
        let files = (0..self.outputs.len()).map(|k| match k {
            0 => "file".to_owned(),
            k => format!("file_{}", k + 1),
        });
        let numbers = [
            "min",
            "max",
            "mean",
            "deviation",
            "land",
            "hypsometric_integral",
            "slope_mean",
            "slope_95",
            "sha256",
            "run",
        ];
        let numbers = numbers.into_iter().map(str::to_owned);
        files.chain(["seed".to_owned()]).chain(set).chain(numbers).collect()
    }

    /// Makes one terrain and its files; gives its row without the last column.
    fn make(&self, run: &Run, observer: &dyn Observer) -> Result<Vec<String>> {
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
        Ok(files.chain([seed]).chain(values).chain(numbers).chain([hash]).collect())
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
                let heights = Heights::new(format);
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

/// A sweep that can be: all of its runs are checked.
#[derive(Debug)]
pub struct Planned<'a> {
    sweep: &'a Sweep<'a>,
    runs: Vec<Run>,
    /// What each run depends on.
    keys: Vec<String>,
    table: Table,
    /// How many terrains are made at the same time.
    at_once: usize,
}

impl Planned<'_> {
    /// All runs, in the order of the table.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Makes all terrains that are not there yet, several at the same time, and writes the table.
    ///
    /// # Errors
    /// Those of the disk, and by cancellation: the same sweep then goes on where it stopped.
    pub fn run(self, observer: &dyn Observer) -> Result<Swept> {
        let Self { sweep, runs, keys, mut table, at_once } = self;
        let first = |run: &Run| run.outputs.first().cloned().unwrap_or_default();
        let missing: Vec<usize> =
            (0..runs.len()).filter(|&k| !table.holds(&keys[k], || is_there(&runs[k]))).collect();
        let names: BTreeSet<String> = runs.iter().map(first).collect();
        table.begin(&keys, &names);
        let found = runs.len() - missing.len();
        for (n, batch) in missing.chunks(at_once).enumerate() {
            let done = found + n * at_once;
            let text =
                format!("terrain {} of {}", (done + batch.len()).min(runs.len()), runs.len());
            observer.progress(&text, done as f32 / runs.len() as f32);
            let rows = par::map(batch.len(), |k| sweep.make(&runs[batch[k]], observer));
            let mut failed = None;
            for (&k, row) in batch.iter().zip(rows) {
                match row {
                    Ok(mut row) => {
                        row.push(keys[k].clone());
                        table.insert(k, row);
                    }
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            if failed.is_some() || table.is_worth_writing() {
                table.write(&sweep.table)?;
            }
            if let Some(error) = failed {
                return Err(error);
            }
        }
        table.write(&sweep.table)?;
        Ok(Swept { made: missing.len(), found })
    }
}

/// Whether a pattern stands for standard output, as `build` has it.
fn is_stdout(pattern: &str) -> bool {
    pattern == "-" || (pattern.starts_with("-.") && !pattern.contains('/'))
}

/// Whether the outputs of a run are there.
fn is_there(run: &Run) -> bool {
    run.outputs.iter().all(|typed| {
        Output::of(typed).is_ok_and(|(output, path)| match output {
            Output::Bundle => path.join(manifest::FILE_NAME).is_file(),
            _ => Path::new(path).is_file(),
        })
    })
}

/// A pattern with the values of what it names.
fn filled(pattern: &str, known: &[(&str, &str)]) -> Result<String> {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let wrong = |message: String| Error::wish(Wish::Output(pattern.to_owned()), message);
        let (name, after) =
            after.split_once('}').ok_or_else(|| wrong("a { without its }".to_owned()))?;
        let value = known.iter().find(|(other, _)| *other == name).ok_or_else(|| {
            let names: Vec<String> = known.iter().map(|(name, _)| format!("{{{name}}}")).collect();
            wrong(format!("{{{name}}} does not vary: there are {}", names.join(", ")))
        })?;
        // A text has its quotes, and a value could lead to another folder.
        let is_plain = |c: char| c.is_alphanumeric() || "+-._,".contains(c);
        let plain = |c: char| if is_plain(c) { c } else { '_' };
        out += before;
        out.extend(value.1.trim_matches('"').chars().map(plain));
        rest = after;
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_filled_with_what_varies_and_stay_in_their_folder() {
        let known = [("seed", "7"), ("noise.h", "0.9"), ("noise.kind", "\"../fbm\"")];
        assert_eq!(filled("r/{seed}-{noise.h}.png", &known).unwrap(), "r/7-0.9.png");
        assert_eq!(filled("{noise.kind}.png", &known).unwrap(), ".._fbm.png");
        let error = filled("{sed}.png", &known).unwrap_err().to_string();
        assert!(error.contains("{sed} does not vary: there are {seed}, {noise.h}"), "{error}");
        assert!(filled("{seed.png", &known).is_err());
    }
}
