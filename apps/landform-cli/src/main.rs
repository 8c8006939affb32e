//! The program `landform`.

fn main() {}
