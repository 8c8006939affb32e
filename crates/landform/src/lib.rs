//! Terrain as a list of landforms, evaluated at any resolution, tile by tile, with the same bytes everywhere.
//!
//! # A tour
//!
//! A [`Recipe`] is text: a list of [stages](stage::Stage), each an algorithm with its parameters. Resolving it
//! gives a [`Plan`], in which nothing is left that can fail. Running the plan over an [`Extent`], the whole
//! ground or one tile, gives a [`Terrain`]: [`Layer`]s of samples.
//!
//! ```
//! use landform::{Inputs, Recipe};
//!
//! let recipe = Recipe::parse(
//!     r#"
//!     version = 1
//!     seed = 7
//!     size = [129, 65]
//!     spacing = [20.0, 20.0]
//!
//!     [[stage]]
//!     kind = "uplift"
//!     peaks = 40
//!     "#,
//! )?;
//! let plan = recipe.resolve(&Inputs::default())?;
//! let whole = plan.run(&plan.lattice().whole(), &())?;
//!
//! // A tile is the same window of the whole, bit for bit, and costs only its share.
//! let window = plan.lattice().window(100, 20, 16, 16).expect("it lies on the lattice");
//! let tile = plan.run(&window, &())?;
//! assert_eq!(tile.height(), &whole.height().crop(100, 20, 16, 16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | part | what |
//! | --- | --- |
//! | [`recipe`], [`plan`], [`stage`] | text to terrain: parsing, checking, running; the closed list of stages |
//! | [`mask`], [`blend`], [`region`], [`varying`] | where a stage acts and how it joins the others; parameters that vary |
//! | [`uplift`] | the Uplift Model, its UPD format and its skylines |
//! | [`noise`], [`fractal`] | noise of one size; fractal sums, curves and surfaces |
//! | [`analysis`] | what can be measured |
//! | [`river`] | squig curves, rivers with falling beds, and their valleys |
//! | [`shape`] | planes, heightmaps, smoothing, levels, flat places |
//! | [`sketch`] | land from drawn lines that later stages obey |
//! | [`erosion`] | running water, scree, and the rock that resists them |
//! | [`world`], [`topology`] | plates, continents, mountain belts, climate and biomes of whole planets |
//! | [`drainage`] | where water runs and stands: rivers, lakes, catchments, and what they say about the land |
//! | [`evolution`] | land that rises while rivers carve it |
//! | [`ice`] | glaciers that wear valleys to troughs |
//! | [`grid`], [`extent`], [`layer`], [`terrain`], [`feature`], [`polygon`] | samples and where they sit; rivers and other objects |
//! | [`georeference`] | where a terrain lies on the Earth |
//! | [`demand`] | drawn lines that the ground meets |
//! | [`scale`] | the size of the ground in nature |
//! | `resample` | samples on another lattice, and between samples |
//! | [`keep`] | what stages have found out about the whole ground, kept as bytes |
//! | [`seed`], [`math`], [`par`], [`watch`] | random numbers, mathematics, threads, progress: the same everywhere |
#![forbid(unsafe_code)]

pub mod analysis;
pub mod blend;
pub mod cover;
pub mod demand;
pub mod drainage;
mod effort;
pub mod erosion;
pub mod error;
pub mod evolution;
pub mod extent;
pub mod feature;
pub mod fractal;
pub mod georeference;
pub mod grid;
pub mod ice;
pub mod inputs;
pub mod keep;
pub mod layer;
pub mod mask;
pub mod math;
pub mod noise;
pub mod par;
pub mod plan;
pub mod polygon;
pub mod preset;
pub mod recipe;
pub mod region;
pub(crate) mod resample;
pub mod river;
pub mod scale;
pub mod seed;
pub mod shape;
pub mod sketch;
pub mod stage;
pub mod terrain;
pub mod terrain_view;
pub mod topology;
pub mod uplift;
pub mod varying;
pub mod watch;
pub mod world;

pub use cover::GroundCover;
pub use effort::Effort;
pub use error::{Error, Problem, TextPosition};
pub use extent::{Extent, Lattice};
pub use feature::{Feature, River};
pub use georeference::{Crs, Georeference};
pub use grid::Grid;
pub use inputs::{Inputs, Meaning, Raster};
pub use keep::Shelf;
pub use layer::{CustomLayer, Layer, SampleKind};
pub use plan::Plan;
pub use polygon::Polygon;
pub use recipe::Recipe;
pub use scale::Scale;
pub use seed::Seed;
pub use terrain::Terrain;
pub use topology::Topology;
pub use watch::{Cancelled, Ctx, Watch};
