//! `web-bindgen MODULE FOLDER`: what `wasm-bindgen --target web` does, as a library of the version in our lock file, so
//! that it always suits the module.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &words[..] else { bail!("web-bindgen MODULE FOLDER") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.typescript(false).omit_default_module_path(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)
}
