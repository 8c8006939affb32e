//! How Landform is built and tested.

fn main() {}
