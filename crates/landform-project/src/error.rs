//! What can go wrong when something is opened or made.

use std::fmt;
use std::path::Path;

/// Why a job could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is wrong: a recipe, an Uplift terrain, a list of pads or materials.
    #[error(transparent)]
    Text(#[from] landform::Error),
    /// The user wished for something that cannot be had. Each door names the wish by its own word.
    #[error("{wish}: {message}")]
    Wish {
        /// What the user wished for.
        wish: Wish,
        /// Why it cannot be had, and what can.
        message: String,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {cause}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A file was read, but is not what its name says.
    #[error("{file}: {cause}")]
    Malformed {
        /// The file.
        file: String,
        /// What is wrong with it.
        cause: landform_io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {file}: {cause}")]
    Write {
        /// The file.
        file: String,
        /// Why.
        cause: landform_io::Error,
    },
    /// A folder cannot be made.
    #[error("cannot make the folder {folder}: {cause}")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The work needs more memory than there is.
    #[error(
        "{}x{} samples need about {}, but only {} may be used",
        size[0], size[1], crate::memory::shown(*needed), crate::memory::shown(*limit)
    )]
    Memory {
        /// Number of columns and rows.
        size: [u32; 2],
        /// Bytes that the work needs.
        needed: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// A file is too long to be read.
    #[error(
        "reading {file} needs about {}, but only {} may be used",
        crate::memory::shown(*needed), crate::memory::shown(*limit)
    )]
    TooLong {
        /// The file.
        file: String,
        /// Bytes that reading needs.
        needed: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// A file has too many samples to be read.
    #[error(
        "{file} has {}x{} samples, which need about {}, but only {} may be used",
        size[0], size[1], crate::memory::shown(*needed), crate::memory::shown(*limit)
    )]
    TooManySamples {
        /// The file.
        file: String,
        /// Number of columns and rows.
        size: [u64; 2],
        /// Bytes that reading needs.
        needed: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// A store or a target refuses, for the reason that the message gives.
    #[error(transparent)]
    File(landform_io::Error),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
    /// The user stopped the work.
    #[error("cancelled")]
    Cancelled,
}

/// The result of a job.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A wish that cannot be had.
    pub fn wish(wish: Wish, message: impl Into<String>) -> Self {
        Self::Wish { wish, message: message.into() }
    }

    pub(crate) fn read(path: &Path, cause: std::io::Error) -> Self {
        Self::Read { file: path.display().to_string(), cause }
    }

    pub(crate) fn malformed(path: &Path, cause: landform_io::Error) -> Self {
        Self::Malformed { file: path.display().to_string(), cause }
    }

    pub(crate) fn write(path: &Path, cause: impl Into<landform_io::Error>) -> Self {
        match cause.into() {
            landform_io::Error::Cancelled(_) => Self::Cancelled,
            cause => Self::Write { file: path.display().to_string(), cause },
        }
    }
}

impl From<landform::Cancelled> for Error {
    fn from(_: landform::Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<landform_io::Error> for Error {
    fn from(error: landform_io::Error) -> Self {
        match error {
            landform_io::Error::Cancelled(_) => Self::Cancelled,
            error => Self::File(error),
        }
    }
}

/// What a user can wish for, and a door has its own word for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wish {
    /// The input itself.
    Input,
    /// Another seed.
    Seed,
    /// Another number of samples.
    Size,
    /// A preview.
    Preview,
    /// Another size of the ground in nature.
    Extent,
    /// Another value of a parameter, both as they were written.
    Set(String, String),
    /// Flat places from a file.
    Pads,
    /// All changes to the recipe together.
    Changes,
    /// A window of the terrain.
    Tile([u32; 4]),
    /// A number of tiles.
    Tiles([u32; 2]),
    /// An output, as it was written.
    Output(String),
    /// The belts of a world, written into its recipe.
    Belts,
    /// How a store is divided.
    Division,
    /// A peak, by its number.
    Select(usize),
    /// Pictures of moving plates.
    Frames,
    /// A heightmap in the place of plates.
    Heightmap,
    /// Many terrains of one recipe.
    Sweep,
    /// An explanation of the height at a place.
    At(String),
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input => f.write_str("input"),
            Self::Seed => f.write_str("seed"),
            Self::Size => f.write_str("size"),
            Self::Preview => f.write_str("preview"),
            Self::Extent => f.write_str("extent"),
            Self::Set(path, value) => write!(f, "set {path}={value}"),
            Self::Pads => f.write_str("pads"),
            Self::Changes => f.write_str("set, seed, size, extent or pads"),
            Self::Tile([i, j, width, height]) => write!(f, "tile {i},{j},{width},{height}"),
            Self::Tiles([columns, rows]) => write!(f, "tiles {columns}x{rows}"),
            Self::Output(output) => write!(f, "output {output}"),
            Self::Belts => f.write_str("belts"),
            Self::Division => f.write_str("chunk and shard"),
            Self::Select(index) => write!(f, "select {index}"),
            Self::Frames => f.write_str("frames"),
            Self::Heightmap => f.write_str("heightmap"),
            Self::Sweep => f.write_str("seeds and set"),
            Self::At(place) => write!(f, "at {place}"),
        }
    }
}
