//! Every parameter at the ends of its range, alone and in pairs: a recipe is refused with the name of the parameter, or it runs
//! within bounded memory and work, and every number is finite.
//!
//! `LANDFORM_SWEEP=N` tries N pairs of each stage in place of a few.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

#[path = "shared/counting.rs"]
mod counting;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use landform::recipe::{Parameter, ValueKind, catalogue, vocabulary};
use landform::{Error, Grid, Inputs, Meaning, Raster, Recipe, Seed, Terrain, Watch};

/// Bytes that a terrain of 25 × 13 samples may take: some stages have lattices of their own.
const MEMORY: usize = 256 << 20;

/// A stage that says it takes more steps is not run to its end here.
const PATIENCE: f64 = 2e7;

/// Names and values of parameters.
type Settings = Vec<(String, String)>;

fn inputs() -> Inputs {
    let mut inputs = Inputs::default();
    let samples = Grid::from_fn(20, 31, |i, j| ((i * 7 + j * 13) % 11) as f32 / 10.0);
    inputs.insert("map", Raster { samples, meaning: Meaning::Values });
    inputs
}

/// What stands before a stage, so that it has something to work on.
fn before(kind: &str) -> &'static str {
    match kind {
        "uplift" | "peaks" | "plates" => "",
        "climate" => "[[stage]]\nkind = \"plates\"\nsteps = 2\n",
        "biomes" => {
            "[[stage]]\nkind = \"plates\"\nsteps = 2\n[[stage]]\nkind = \"sea_level\"\n[[stage]]\nkind = \"climate\"\n"
        }
        _ => "[[stage]]\nkind = \"uplift\"\nlabel = \"base\"\ny_max = 900\n",
    }
}

/// What a stage must be given.
fn required(kind: &str) -> &'static str {
    match kind {
        "peaks" => "peaks = [[10, 8, 900, 300], [-5, 70, 800, 900]]\n",
        "heightmap" => "file = \"map\"\n",
        "flatten" => "pads = [{ x = 60, z = 40, radius = 80, margin = 100 }]\n",
        "sketch" => {
            "lines = [{ kind = \"ridge\", points = [[60, 40], [300, 200]], heights = [300] }, { kind = \"river\", points = [[200, 40], [400, 60]], heights = [90, 20] }]\n"
        }
        "matrix_diamond_square" => "start = [[0, 100], [50, 20]]\n",
        _ => "",
    }
}

fn recipe(kind: &str, settings: &Settings) -> String {
    let (before, required) = (before(kind), required(kind));
    let mut text = format!(
        "version = 1\nseed = 3\nsize = [25, 13]\nspacing = [20, 30]\n{before}[[stage]]\nkind = \"{kind}\"\n"
    );
    let is_set =
        |line: &str| settings.iter().any(|(name, _)| line.starts_with(&format!("{name} ")));
    for line in required.lines().filter(|line| !is_set(line)) {
        writeln!(text, "{line}").unwrap();
    }
    for (name, value) in settings {
        writeln!(text, "{name} = {value}").unwrap();
    }
    text
}

/// The ends of the range of a parameter, and what lies just inside; all choices of a word.
fn ends(parameter: &Parameter) -> Vec<String> {
    let (low, high) = (parameter.minimum, parameter.maximum);
    match parameter.value {
        ValueKind::Whole => {
            let (low, high) = (low.unwrap_or(0.0) as i64, high.unwrap_or(1e9) as i64);
            [low, low + 1, high - 1, high].iter().map(i64::to_string).collect()
        }
        ValueKind::Number => {
            let (low, high) = (low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX));
            let all = [low, low.next_up(), high.next_down(), high];
            all.iter().map(|value| format!("{value:?}")).collect()
        }
        ValueKind::Switch => vec!["true".to_owned(), "false".to_owned()],
        ValueKind::Choice => parameter.choices.iter().map(|c| format!("{:?}", c.word)).collect(),
        ValueKind::Text | ValueKind::List | ValueKind::Table => Vec::new(),
    }
}

/// Stops work after so many questions whether to go on.
struct Patience(u32, AtomicU32);

impl Watch for Patience {
    fn is_cancelled(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) >= self.0
    }
}

fn is_finite(terrain: &Terrain) -> bool {
    terrain.layers().all(|(_, grid)| grid.samples().iter().all(|sample| sample.is_finite()))
}

/// Runs a recipe to its end, or until it has been seen that it can be cancelled.
fn run(text: &str) -> Result<(), Error> {
    let plan = Recipe::parse(text)?.resolve(&inputs())?;
    let whole = plan.lattice().whole();
    let steps: f64 = plan.efforts().map(|(_, effort)| effort.steps).sum();
    if steps > PATIENCE {
        assert!(plan.run(&whole, &Patience(100, AtomicU32::new(0))).is_err(), "{text}");
        return Ok(());
    }
    let terrain = plan.run(&whole, &Patience(400_000, AtomicU32::new(0)));
    let terrain = terrain.unwrap_or_else(|_| panic!("more work than was told: {text}"));
    assert!(is_finite(&terrain), "not finite: {text}");
    Ok(())
}

/// Runs a recipe, or finds that it is refused for one of these parameters.
fn check(text: &str, settings: &Settings) {
    let (done, bytes) = counting::peak(|| run(text));
    assert!(bytes < MEMORY, "{bytes} bytes: {text}");
    let Err(error) = done else { return };
    let named = error.parameters();
    let is_named = |(name, _): &(String, String)| {
        named.iter().any(|told| told.split(['.', '[']).any(|part| part == name))
    };
    // How far a stage looks may come from more parameters than one: the text names what to change.
    let told = error.to_string();
    let is_told = settings.iter().any(|(name, _)| named.is_empty() && told.contains(name.as_str()));
    assert!(is_told || settings.iter().any(is_named), "{error}\n{text}");
}

/// One test for all: the allocator counts for the whole process.
#[test]
fn parameters_at_the_ends_of_their_ranges_are_refused_by_name_or_run() {
    let pairs = std::env::var("LANDFORM_SWEEP").ok().and_then(|count| count.parse().ok());
    let pairs: u64 = pairs.unwrap_or(12);
    let (stages, _) = catalogue();
    for stage in &stages {
        let kind = stage.kind.as_str();
        let all: Vec<(&str, Vec<String>)> =
            stage.parameters.iter().map(|own| (own.name.as_str(), ends(own))).collect();
        let all: Vec<_> = all.into_iter().filter(|(_, values)| !values.is_empty()).collect();
        for (name, values) in &all {
            for value in values {
                let settings = vec![((*name).to_owned(), value.clone())];
                check(&recipe(kind, &settings), &settings);
            }
        }
        let seed = Seed::new(22).child(kind);
        for pair in 0..if all.len() < 2 { 0 } else { pairs } {
            let drawn = |k: u64, count: usize| seed.below(4 * pair + k, count as u64) as usize;
            let first = drawn(0, all.len());
            let second = (first + 1 + drawn(1, all.len() - 1)) % all.len();
            let one = |at: usize, k: u64| {
                let (name, values) = &all[at];
                ((*name).to_owned(), values[drawn(k, values.len())].clone())
            };
            let settings = vec![one(first, 2), one(second, 3)];
            check(&recipe(kind, &settings), &settings);
        }
    }
    masks();
}

/// The parameters of masks, which say where a stage acts.
fn masks() {
    let masks = vocabulary().into_iter().find(|word| word.word == "mask").unwrap();
    for kind in masks.kinds {
        let must = match kind.kind.as_str() {
            "region" => "region = { kind = \"circle\", center = [90, 90], radius = 60 }",
            "noise" => "wavelength = 300",
            "gradient" => "from = [0, 0], to = [90, 90]",
            "height" | "slope" => "layer",
            _ => continue,
        };
        for parameter in &kind.parameters {
            for value in ends(parameter) {
                let name = &parameter.name;
                let must = if must.starts_with(name.as_str()) || must == "layer" {
                    String::new()
                } else {
                    format!(", {must}")
                };
                let mask = format!("{{ kind = \"{}\", {name} = {value}{must} }}", kind.kind);
                let settings = vec![(name.clone(), value)];
                check(&recipe("plane", &vec![("mask".to_owned(), mask)]), &settings);
            }
        }
    }
}
