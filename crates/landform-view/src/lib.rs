//! Pictures of terrains, drawn on the CPU.
#![forbid(unsafe_code)]
