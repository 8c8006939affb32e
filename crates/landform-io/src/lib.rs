//! Terrains to and from bytes: heightmaps, meshes, manifests.
#![forbid(unsafe_code)]

pub mod vector;
