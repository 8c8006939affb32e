//! What had to be assumed, or will not be as good as it could be.

use std::fmt;

use landform::{Extent, Georeference, Inputs, Recipe, Terrain, Topology};
use landform_io::vector::Coordinates;

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
    /// The recipe of a bundle cannot be read, for this reason: its samples are taken as they are.
    UnreadRecipe(String),
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
    /// All of the ground lies below the sea.
    Drowned {
        /// The highest point in metres.
        highest: f64,
        /// The level of the sea in metres.
        sea_level: f64,
    },
    /// The ground is higher than any on Earth, or than it is wide, or all of it lies higher above the sea than that.
    Towering {
        /// The lowest and the highest height, in metres.
        heights: [f64; 2],
        /// Width and depth of the ground in metres.
        ground: [f64; 2],
    },
    /// A heightmap says where it lies, but is stretched over other ground.
    Misplaced {
        /// The file.
        file: String,
        /// Width and depth of its ground in metres, and of the recipe's.
        grounds: [[f64; 2]; 2],
    },
    /// The terrain lies in a coordinate system that cannot be turned into degrees: what is wrong and what was done.
    Unprojected(String),
    /// An export will not be as good as it could be.
    Export(String),
}

/// More metres from the lowest to the highest point than a piece of ground has on Earth.
const HIGHEST_RELIEF: f64 = 12_000.0;

/// The same for a whole world, with its trenches.
const HIGHEST_WORLD: f64 = 40_000.0;

/// Ground whose summit lies higher above the sea than this, and whose lowest point higher than the ground is wide, was made for
/// another size: a recipe of islands on a tenth of their spacing is one block.
const HIGHEST_BLOCK: f64 = 5000.0;

impl Warning {
    /// Warns if a heightmap says where it lies, and the recipe has other ground.
    pub(crate) fn misplaced(recipe: &Recipe, inputs: &Inputs) -> Option<Self> {
        let (file, placed) = recipe.misplaced(inputs)?;
        let design = recipe.design();
        let ground = recipe.scale().map_or(design, |scale| scale.lattice(&design)).ground();
        let grounds = [placed.ground, ground];
        Some(Self::Misplaced { file: file.to_owned(), grounds })
    }

    /// Warns if a map in a browser cannot show ground of this place where it is on the Earth.
    pub fn off_the_map(place: Option<&Georeference>) -> Option<Self> {
        let crs = &place?.crs;
        Coordinates::degrees(place).is_err().then(|| {
            Self::Unprojected(format!(
                "{crs} cannot be turned into degrees: maps in browsers show the ground where the equator meets the prime meridian"
            ))
        })
    }

    /// Warns if these heights leave the range that 16-bit levels stand for.
    pub fn outside_range(heights: [f64; 2], range: [f64; 2]) -> Option<Self> {
        let is_outside = heights[0] < range[0] || heights[1] > range[1];
        is_outside.then_some(Self::OutsideRange { heights, range })
    }

    /// What is absurd about a terrain. A part of one may lie below the sea.
    pub fn about(terrain: &Terrain) -> Vec<Self> {
        let (low, high) = terrain.height().range();
        let heights = [low, high].map(f64::from);
        Self::about_heights(heights, terrain.extent(), terrain.sea_level(), terrain.topology())
    }

    /// The same of a terrain that is not in memory: its lowest and highest height, in metres.
    pub fn about_heights(
        [low, high]: [f64; 2],
        extent: &Extent,
        sea_level: f64,
        topology: Topology,
    ) -> Vec<Self> {
        let ground = extent.lattice().ground();
        let is_whole = *extent == extent.lattice().whole();
        let mut warnings = Vec::new();
        if is_whole && (high < sea_level || (high == sea_level && low < high)) {
            warnings.push(Self::Drowned { highest: high, sea_level });
        }
        let most = match topology {
            Topology::Plane => HIGHEST_RELIEF,
            Topology::Sphere | Topology::Cylinder | Topology::Torus => HIGHEST_WORLD,
        };
        let (relief, longer) = (high - low, ground[0].max(ground[1]));
        let is_high = relief > most || high - sea_level > most;
        let is_block = high - sea_level > HIGHEST_BLOCK && low - sea_level > longer;
        if is_high || (longer > 0.0 && (relief > longer || is_block)) {
            warnings.push(Self::Towering { heights: [low, high], ground });
        }
        warnings
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
            Self::Seam(text) | Self::Export(text) | Self::Unprojected(text) => f.write_str(text),
            Self::Misplaced { file, grounds: [[told_x, told_z], [x, z]] } => write!(
                f,
                "the place on the Earth that {file} tells is dropped: it is that of {told_x:.1} × {told_z:.1} m of ground, and the \
                 terrain has {x:.1} × {z:.1} m, by the size, spacing and extent of the recipe"
            ),
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
            Self::Drowned { highest, sea_level } => write!(
                f,
                "there is no land: the highest point is at {highest:.1} m and the sea at {sea_level} m"
            ),
            Self::Towering { heights: [low, high], ground: [width, depth] } => write!(
                f,
                "heights go from {low:.0} m to {high:.0} m on {} km by {} km of ground: an `extent` scales heights and wavelengths with it, `spacing` does not",
                width / 1000.0,
                depth / 1000.0
            ),
            Self::UnreadRecipe(why) => write!(f, "the folder is shown without its recipe: {why}"),
            Self::NoStages => f.write_str("the recipe has no stages: the ground is flat"),
            Self::Differs { file, layer, found, expected } => write!(
                f,
                "{file}: the samples of {layer} are not those that were written: their hash is {found}, the manifest says {expected}"
            ),
            Self::Incomplete(store) => write!(f, "{store} is not complete"),
        }
    }
}
