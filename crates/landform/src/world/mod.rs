//! Whole worlds: plates, mountain belts, sea level, climate, biomes (after Baker 2018, "Realistic Terrain
//! Generation").
//!
//! | file | what |
//! | --- | --- |
//! | [`plates`] | the stage: continents, plates that move, and the relief that they leave |
//! | `surface`, `sphere`, `flat` | cells on a sphere (a cube blown up) or on a flat map that may wrap |
//! | `frontier`, `voronoi` | patches: random frontier growth, or the nearest centre |
//! | `report` | the other model of plates: the raster of the report, to the letter |
//! | `raster` | the pixels of the report, which its plates and its rain share |
//! | `refine` | patches on very many cells, coarse to fine |
//! | `continents`, `crust` | what is continental crust |
//! | `motion`, `cover` | momentum, convergence, divergence |
//! | [`belts`] | mountain belts, arcs, trenches, hot spots: peaks |
//! | `distance`, `euclidean` | distance along the surface: of any, of a flat map |
//! | `relief` | height at any resolution |
//! | `noise`, `row_noise` | detail without a seam: at any points, and along the rows of a flat map |
//! | [`sea_level`] | the level below which the asked share lies |
//! | [`climate`] | temperature, wind, precipitation |
//! | [`biome`] | the report's boxes, and Whittaker's chart |
//!
//! What the default does better than the report:
//!
//! | the report | here |
//! | --- | --- |
//! | depths in pixels, a coast that is a contour of them | metres, exact distances, noise in space: as rough a coast at every size |
//! | plates jitter back and forth, all borders are torn up | velocities last, collisions and friction slow them, crust is kept from step to step |
//! | heights from the depth of one overlap | belts of peaks by the rate of convergence, continents fold, ocean floor dives and sinks with age |
//! | a map whose poles touch | spheres, or maps that wrap along one axis |
//! | straight borders of biomes, rings of rain | curved chart, winds that carry rain, noise at borders, cold mountains |

pub mod belt_line;
pub mod belts;
pub mod biome;
pub mod climate;
mod continents;
mod cover;
mod crinkles;
mod crust;
mod distance;
mod euclidean;
mod flat;
mod frontier;
#[cfg(test)]
mod laws;
mod motion;
mod noise;
pub mod plates;
mod raster;
mod refine;
mod relief;
mod report;
mod row_noise;
pub mod sea_level;
mod sphere;
pub(crate) mod surface;
mod voronoi;

pub use belt_line::BeltLine;
pub use belts::BeltKind;
pub use biome::{Biome, BiomeClass, Biomes};
pub use climate::Climate;
pub use plates::Plates;
pub use sea_level::SeaLevel;
