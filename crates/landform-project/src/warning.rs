//! What had to be assumed, or will not be as good as it could be.

use std::fmt;

/// Something that the user should hear.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A file does not say which heights its levels stand for.
    AssumedRange {
        /// The file.
        file: String,
        /// The heights that were assumed, in metres.
        range: [f64; 2],
    },
    /// A file does not say how far apart its samples are.
    AssumedSpacing {
        /// The file.
        file: String,
        /// The distances that were assumed, in metres.
        spacing: [f64; 2],
    },
    /// The edges of a map that wraps do not fit together.
    Seam(String),
    /// A recipe lists no stages.
    NoStages,
    /// A store lacks tiles.
    Incomplete(String),
    /// An export will not be as good as it could be.
    Export(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AssumedRange { file, range: [low, high] } => {
                write!(f, "{file} does not say what its heights are: assumed {low} m to {high} m")
            }
            Self::AssumedSpacing { file, spacing: [dx, dz] } => write!(
                f,
                "{file} does not say how far apart its samples are: assumed {dx} m by {dz} m"
            ),
            Self::Seam(text) | Self::Export(text) => f.write_str(text),
            Self::NoStages => f.write_str("the recipe has no stages: the ground is flat"),
            Self::Incomplete(store) => write!(f, "{store} is not complete"),
        }
    }
}
