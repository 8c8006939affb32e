//! The editor of Landform.

fn main() {}
