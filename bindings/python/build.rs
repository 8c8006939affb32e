//! Lets the module leave the symbols of Python open until it is loaded, where the linker must be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
