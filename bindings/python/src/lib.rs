//! Landform for Python: the part that is compiled. What users see is `python/landform/`, which calls this.
//!
//! Samples move from Rust to NumPy without being copied. Long work runs in a thread of its own ([`work`]), so that Python
//! goes on meanwhile, Ctrl-C stops it, and a panic becomes an exception.

mod draw;
mod error;
mod ground;
mod plan;
mod recipe;
mod store;
mod work;
mod write;

use pyo3::pymodule;

/// The compiled part of the package `landform`.
#[pymodule]
mod _core {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::draw::{brownian_curve, draw, draw_skyline, png, skyline_heights, styles};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::ground::Ground;
    #[pymodule_export]
    use crate::plan::{Plan, read_heightmap, sha256};
    #[pymodule_export]
    use crate::recipe::{
        presets, recipe_append, recipe_files, recipe_json, recipe_pads, recipe_peaks,
        recipe_preview, recipe_set, recipe_text, schema, upd_from_recipe, upd_parse, upd_to_recipe,
    };
    #[pymodule_export]
    use crate::store::{Store, create_store, fill_store};
    #[pymodule_export]
    use crate::write::{bundle, export, fitting_size, formats, targets, write, write_bytes};
}
