//! The native twin of `run.mjs`: `wasm-probe KIND [FILE]` writes the answer to standard output.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut words = std::env::args_os().skip(1);
    let mut question = words.next().unwrap_or_default().into_encoded_bytes();
    question.push(b'\n');
    if let Some(file) = words.next() {
        question.extend(std::fs::read(file)?);
    }
    std::io::stdout().write_all(wasm_probe::answer(&question).as_bytes())
}
