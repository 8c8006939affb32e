//! Open anything, make anything: the jobs that all doors of Landform share.
//!
//! A door (command line, studio, page, Python) turns a wish of its user into a call of this package and shows the answer. So
//! the same wish gives the same files everywhere, byte for byte.
//!
//! 1. **Open**: [`Project::open`] reads a recipe, a preset, an Uplift terrain, a heightmap with its side-car, a bundle or a
//!    store, from a disk or from memory ([`Files`]).
//! 2. **Describe**: [`describe`] gives all that is known of it as data; [`compare`] puts terrains on one scale.
//!    [`explain`](mod@explain) says why the ground at a place is as high as it is.
//! 3. **Make**: [`make`] writes heights, layers, vectors, bundles, folders for other programs, tiles, pictures and stores
//!    through a [`Sink`]: an atomic batch on a disk, a zip, or a buffer.
//!
//! ```
//! use landform_project::{Buffer, Opening, Project, make};
//!
//! let project = Project::open(Some("fbm".as_ref()), &Opening::default())?.with_resolution([65, 65])?;
//! let plan = project.plan()?;
//! let terrain = project.terrain(&plan, &())?;
//! let mut files = Buffer::default();
//! make::bundle(&terrain, &project.origin(), None, &mut files, &())?;
//! assert!(files.names().any(|name| name == "height.npy"));
//! # Ok::<(), landform_project::Error>(())
//! ```
//!
//! What belongs to one door stays there: flags and exit codes, widgets, arrays. Messages name a [`Wish`], and each door
//! shows it by its own word (`--seed`, `seed=`, a field of a dialog).
#![forbid(unsafe_code)]

pub mod compare;
pub mod describe;
pub mod error;
pub mod explain;
pub mod make;
pub mod memory;
mod open;
mod place;
mod range;
pub mod report;
pub mod sink;
pub mod sweep;
mod warning;

pub use error::{Error, Result, Wish};
pub use open::changes::{Changes, GroundSize};
pub use open::files::{Disk, Entry, Files, Memory, read_text};
pub use open::heightmap::{Named, Reading, read_heightmap};
pub use open::planet::{PlanetFromMap, planet_from_map};
pub use open::project::{Kind, Opening, Project, window};
pub use place::placed;
pub use range::{LevelRange, RangeSource};
pub use sink::{Buffer, DiskFolder, Sink, Stream, Watched, Writer, Zip};
pub use warning::Warning;

/// Looks on while files are made: progress, cancellation, and remarks for the user.
pub trait Observer: landform::Watch {
    /// Tells the user something once.
    fn note(&self, text: &str) {
        let _ = text;
    }
}

impl Observer for () {}
