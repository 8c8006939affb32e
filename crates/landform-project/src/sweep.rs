//! Many terrains of one recipe: seeds and values of parameters, each with files of its own, and a table of what came out.
//!
//! A run that is in the table and whose files are there is not made again, so a sweep that was interrupted goes on. A row
//! names its run by a hash of all that the run depends on: a changed recipe has other runs.

mod table;
mod terrain;

use std::collections::BTreeSet;
use std::fmt;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use landform::par;
use landform_io::kept::hash_of_inputs;
use landform_io::{manifest, regular};
use landform_view::Style;

use crate::make::Output;
use crate::{Changes, Error, Observer, Project, Result, Warning, Wish, memory};
use table::Table;
use terrain::Made;

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
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// Terrains that were made now.
    pub made: usize,
    /// Terrains that were there already.
    pub found: usize,
    /// What is to be said of those that were made now, one for each kind of warning.
    pub warnings: Vec<SweepWarning>,
}

/// A warning of some of the terrains.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepWarning {
    /// The first file of the first of them.
    pub file: String,
    /// How many others have a warning of this kind.
    pub others: usize,
    /// What is to be said of the first.
    pub warning: Warning,
}

impl SweepWarning {
    /// Notes the warnings of another terrain.
    fn note(all: &mut Vec<Self>, file: &str, warnings: Vec<Warning>) {
        for warning in warnings {
            let kind = discriminant(&warning);
            match all.iter_mut().find(|other| discriminant(&other.warning) == kind) {
                Some(other) => other.others += 1,
                None => all.push(Self { file: file.to_owned(), others: 0, warning }),
            }
        }
    }
}

impl fmt::Display for SweepWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, others, warning } = self;
        match others {
            0 => write!(f, "{file}: {warning}"),
            _ => write!(f, "{file}, and of this kind {others} more: {warning}"),
        }
    }
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
        let mut warnings = Vec::new();
        for (n, batch) in missing.chunks(at_once).enumerate() {
            let done = found + n * at_once;
            let text =
                format!("terrain {} of {}", (done + batch.len()).min(runs.len()), runs.len());
            observer.progress(&text, done as f32 / runs.len() as f32);
            let rows = par::map(batch.len(), |k| sweep.make(&runs[batch[k]], observer));
            let mut failed = None;
            for (&k, row) in batch.iter().zip(rows) {
                match row {
                    Ok(Made { mut row, warnings: of_it }) => {
                        SweepWarning::note(&mut warnings, &first(&runs[k]), of_it);
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
        Ok(Swept { made: missing.len(), found, warnings })
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
