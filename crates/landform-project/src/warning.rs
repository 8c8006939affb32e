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
    /// A file of a folder does not hold the samples that its manifest tells.
    Differs {
        /// The file.
        file: String,
        /// The layer.
        layer: String,
        /// SHA-256 of its samples.
        found: String,
        /// The SHA-256 that the manifest tells.
        expected: String,
    },
    /// Heights leave the range that 16-bit levels stand for.
    OutsideRange {
        /// The lowest and the highest height, in metres.
        heights: [f64; 2],
        /// The heights of the lowest and the highest level, in metres.
        range: [f64; 2],
    },
    /// An export will not be as good as it could be.
    Export(String),
}

impl Warning {
    /// Warns if these heights leave the range that 16-bit levels stand for.
    pub fn outside_range(heights: [f64; 2], range: [f64; 2]) -> Option<Self> {
        let is_outside = heights[0] < range[0] || heights[1] > range[1];
        is_outside.then_some(Self::OutsideRange { heights, range })
    }
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
            Self::OutsideRange { heights, range } => {
                let beyond = [(range[0] - heights[0], "below"), (heights[1] - range[1], "above")];
                let parts = beyond.iter().filter(|(metres, _)| *metres > 0.0);
                let parts: Vec<_> =
                    parts.map(|(metres, where_to)| format!("{metres} m {where_to}")).collect();
                let [low, high] = range;
                write!(
                    f,
                    "heights go {} the range of {low} m to {high} m: 16-bit files clamp them",
                    parts.join(" and ")
                )
            }
            Self::NoStages => f.write_str("the recipe has no stages: the ground is flat"),
            Self::Differs { file, layer, found, expected } => write!(
                f,
                "{file}: the samples of {layer} are not those that were written: their hash is {found}, the manifest says {expected}"
            ),
            Self::Incomplete(store) => write!(f, "{store} is not complete"),
        }
    }
}
