//! The core behind one function of bytes, for comparing what it gives in wasm32 and natively.
//!
//! [`answer`] is the function. The module for wasm32 exports it without any glue: the host asks for
//! [`input`] of some length and writes the question there, calls [`run`], and reads as many bytes as that
//! says at [`output`]. `run.mjs` is such a host; the program of this crate is the native twin.
#![expect(unsafe_code, reason = "exporting a function under its own name is unsafe by declaration")]

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use landform::uplift::Upd;
use landform::{Error, Inputs, Recipe, Seed, math};
use sha2::{Digest, Sha256};

/// What the core makes of `question`: one line `name hash` for each thing that was computed.
///
/// The first line of the question is its kind. `simd` asks for the vector instructions that the kernels use, and is the only
/// one whose answer depends on the machine; `math` asks for the parts that everything rests on; `toml` and
/// `upd` are followed by a recipe or a UPD, and ask for the layers of its terrain.
pub fn answer(question: &[u8]) -> String {
    let text = String::from_utf8_lossy(question);
    let (kind, body) = text.split_once('\n').unwrap_or((&text, ""));
    let layers = match kind {
        "simd" => return format!("{:?}\n", fearless_simd::Level::new()),
        "math" => return mathematics(),
        "toml" => Recipe::parse(body).and_then(|recipe| layers(&recipe)),
        "upd" => Upd::parse(body).and_then(|upd| layers(&upd.to_recipe())),
        _ => Err(Error::new(format!("no question is of the kind {kind}"))),
    };
    layers.unwrap_or_else(|error| format!("error: {error}\n"))
}

/// The hash of each layer of a terrain: of its samples, 32-bit little-endian floats row by row.
fn layers(recipe: &Recipe) -> Result<String, Error> {
    let plan = recipe.resolve(&Inputs::default())?;
    let terrain = plan.run(&plan.lattice().whole(), &());
    let terrain = terrain.map_err(|cancelled| Error::new(cancelled.to_string()))?;
    let line = |(layer, grid): (&landform::Layer, &landform::Grid)| {
        let bytes = grid.samples().iter().flat_map(|sample| sample.to_le_bytes());
        format!("{layer} {}\n", hash(bytes))
    };
    Ok(terrain.layers().map(line).collect())
}

/// Random numbers, and every function of [`math`].
fn mathematics() -> String {
    const COUNT: u64 = 20_000;
    let seed = Seed::new(42).child("probe");
    let (small, other) = (seed.child("small"), seed.child("other"));
    let arguments = |k| (small.between(k, -30.0, 30.0), other.between(k, 1e-3, 30.0));
    let mut lines = String::new();
    let mut record = |name: &str, f: &dyn Fn(f64, f64) -> f64| {
        let values = (0..COUNT).map(arguments).flat_map(|(x, y)| f(x, y).to_le_bytes());
        writeln!(lines, "{name} {}", hash(values)).expect("writing to a string cannot fail");
    };
    record("arguments", &|x, y| x + y);
    record("sqrt", &|_, y| y.sqrt());
    record("sin", &|x, _| math::sin(x));
    record("cos", &|x, _| math::cos(x));
    record("tan", &|x, _| math::tan(x));
    record("atan", &|x, _| math::atan(x));
    record("atan2", &math::atan2);
    record("exp", &|x, _| math::exp(x));
    record("ln", &|_, y| math::ln(y));
    record("pow", &|x, y| math::pow(y, x));
    record("length", &math::length);
    record("smoothstep", &|x, y| math::smoothstep(-y, y, x));
    lines
}

/// SHA-256 in hexadecimal digits.
fn hash(bytes: impl Iterator<Item = u8>) -> String {
    let digest = Sha256::digest(bytes.collect::<Vec<_>>());
    digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

fn locked<T>(buffer: &Mutex<T>) -> MutexGuard<'_, T> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for a question of `length` bytes, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut buffer = locked(&INPUT);
    buffer.clear();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Answers the question, and says how long the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    let answer = answer(&locked(&INPUT));
    let mut buffer = locked(&OUTPUT);
    *buffer = answer;
    buffer.len()
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    locked(&OUTPUT).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash(b"abc".iter().copied()), abc);
    }

    #[test]
    fn every_line_of_an_answer_is_a_name_and_a_hash() {
        let recipe = "toml\nversion = 1\nsize = [9, 5]\nspacing = [1.0, 1.0]\n";
        let (math, flat) = (answer(b"math"), answer(recipe.as_bytes()));
        assert_eq!((math.lines().count(), flat.lines().count()), (12, 1));
        for line in math.lines().chain(flat.lines()) {
            let (name, hash) = line.split_once(' ').unwrap();
            assert!(!name.is_empty() && hash.len() == 64, "{line}");
        }
    }

    #[test]
    fn what_cannot_be_answered_is_an_error() {
        for question in ["", "toml\nversion = 0\n", "upd\n1 1\n", "poem\n"] {
            assert!(answer(question.as_bytes()).starts_with("error: "), "{question}");
        }
    }
}
