//! What can be wrong with a file, or with the wish to write one.

use crate::Format;

/// Why bytes could not be read as a terrain, or a terrain not be written as bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not what the format demands.
    #[error("{format}: found {found}{}, expected {expected}", at_byte(*.offset))]
    Malformed {
        /// The format that was read.
        format: Format,
        /// Where in the file, if that helps.
        offset: Option<u64>,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// The file ends before its samples do.
    #[error(
        "{format}: the file has {found} bytes, but {expected} are needed for what it announces"
    )]
    Truncated {
        /// The format that was read.
        format: Format,
        /// Length of the file.
        found: u64,
        /// Length that its header asks for, at least.
        expected: u64,
    },
    /// The file announces more samples than [`Limits`] allow.
    #[error("{format}: {width} × {height} samples are more than the {limit} that are allowed")]
    TooLarge {
        /// The format that was read.
        format: Format,
        /// Number of columns.
        width: u64,
        /// Number of rows.
        height: u64,
        /// The limit in force.
        limit: u64,
    },
    /// A number that the caller gave does not fit the file.
    #[error("{format}: {what} is {found}, but must be {expected}")]
    Option {
        /// The format that was read or written.
        format: Format,
        /// Name of the option.
        what: &'static str,
        /// Its value.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A height that the format cannot hold: not a number, infinite, or outside the range of its levels.
    #[error(
        "{format}: the height at column {column}, row {row} is {height}, but must be {expected}"
    )]
    Height {
        /// The format that was written.
        format: Format,
        /// Column of the first such sample.
        column: usize,
        /// Row of the first such sample.
        row: usize,
        /// Its height in metres.
        height: f32,
        /// What the format can hold.
        expected: String,
    },
    /// The grid is too large, or has the wrong shape, for the format.
    #[error("{format} cannot hold a grid of {width} × {height} samples: {reason}")]
    Unfit {
        /// The format that was written.
        format: Format,
        /// Number of columns.
        width: usize,
        /// Number of rows.
        height: usize,
        /// Why, and what would do.
        reason: String,
    },
    /// The format can be written but not read, or the other way round.
    #[error("{format} files cannot be {action}; {instead}")]
    Direction {
        /// The format.
        format: Format,
        /// "read" or "written".
        action: &'static str,
        /// What can.
        instead: String,
    },
    /// A target of an export cannot take the terrain.
    #[error("{target}: {reason}")]
    Target {
        /// The program.
        target: &'static str,
        /// Why, and what would do.
        reason: String,
    },
    /// The manifest is not one.
    #[error("landform.json: found {found}, expected {expected}")]
    Manifest {
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A coordinate system that cannot be turned into degrees.
    #[error(
        "GeoJSON is in degrees of WGS 84, and how coordinates of {system} become such is not known: write .fgb, which keeps the system, \
         or reproject the input first (gdalwarp -t_srs EPSG:4326)"
    )]
    CoordinateSystem {
        /// The system.
        system: String,
    },
    /// Objects are not those that this program writes.
    #[error("found {found}, expected a GeoJSON feature collection")]
    Features {
        /// What is there.
        found: String,
    },
    /// A store is not one, not the expected one, or damaged.
    #[error("{path}: found {found}, expected {expected}")]
    Store {
        /// The folder or file.
        path: String,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A store cannot be divided so.
    #[error("found {found}, expected {expected}")]
    Division {
        /// What was asked for.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// One tile alone needs more memory than may be used.
    #[error("a tile needs about {} MiB, but only {} MiB may be used", needed >> 20, limit >> 20)]
    Memory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] landform::Cancelled),
    /// A file could not be written.
    #[error("cannot write {path}: {cause}")]
    Write {
        /// The file.
        path: String,
        /// Why not.
        cause: std::io::Error,
    },
    /// The bytes could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// What reading or writing gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn malformed(
        format: Format,
        offset: impl Into<Option<u64>>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Malformed {
            format,
            offset: offset.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

impl Error {
    /// The same without what was found: nothing is shown of a file that the user did not name.
    pub fn without_contents(mut self) -> Self {
        match &mut self {
            Self::Malformed { found, .. }
            | Self::Manifest { found, .. }
            | Self::Features { found }
            | Self::Store { found, .. } => *found = "something else".to_owned(),
            _ => {}
        }
        self
    }
}

fn at_byte(offset: Option<u64>) -> String {
    offset.map_or_else(String::new, |offset| format!(" at byte {offset}"))
}

/// What a reader will not go beyond, whatever a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of samples.
    pub max_samples: u64,
}

impl Default for Limits {
    /// 2³⁰ samples: 32768 × 32768, 4 GiB of heights.
    fn default() -> Self {
        Self { max_samples: 1 << 30 }
    }
}

impl Limits {
    /// The number of samples, if there is at least one and not too many.
    pub(crate) fn samples(&self, format: Format, width: u64, height: u64) -> Result<usize> {
        if width == 0 || height == 0 {
            let found = format!("{width} × {height} samples");
            return Err(Error::malformed(format, None, found, "at least one"));
        }
        let too_large = Error::TooLarge { format, width, height, limit: self.max_samples };
        let count = width.checked_mul(height).filter(|&count| count <= self.max_samples);
        count.and_then(|count| usize::try_from(count).ok()).ok_or(too_large)
    }
}

/// The first few bytes of a file, to be shown in an error.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "an empty file".to_owned();
    }
    let shown = &bytes[..bytes.len().min(8)];
    format!("a file that begins with \"{}\"", shown.escape_ascii())
}
