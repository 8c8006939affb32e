//! Biomes: what grows where, by temperature and precipitation.
//!
//! | file | what |
//! | --- | --- |
//! | [`whittaker`] | Whittaker's chart with its curved boundaries |
//! | [`linear`] | the report's boxes |
//! | `lakes` | water that does not belong to the sea |

mod lakes;
pub mod linear;
mod stage;
pub mod whittaker;

pub use stage::{Biomes, Chart};

macro_rules! biomes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $color:literal;)+) => {
        /// A kind of land or water. Its number in the layer `biome` is its place in [`Biome::ALL`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Biome {
            $($(#[$doc])* $name,)+
        }

        impl Biome {
            /// All biomes, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// What it is called.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Its colour on maps, as 0xRRGGBB.
            pub fn color(self) -> u32 {
                match self { $(Self::$name => $color,)+ }
            }
        }
    };
}

biomes! {
    /// The sea.
    Ocean = "ocean", 0x2F_5D8C;
    /// Sea that is frozen for most of the year.
    SeaIce = "sea ice", 0xD5_E3EA;
    /// Water that does not belong to the sea.
    Lake = "lake", 0x4F_86B0;
    /// Land under ice.
    Ice = "ice", 0xF1_F5F7;
    /// No trees: too cold.
    Tundra = "tundra", 0xA9_AE97;
    /// Conifers of the north.
    Taiga = "taiga", 0x4D_6E58;
    /// Wet forest of temperate coasts.
    TemperateRainforest = "temperate rainforest", 0x2F_6F4E;
    /// Forest that sheds its leaves.
    TemperateForest = "temperate forest", 0x5C_8C4A;
    /// Open forest.
    Woodland = "woodland", 0x8C_A05A;
    /// Grass, where forest would need more rain.
    Grassland = "grassland", 0xB9_BE78;
    /// Shrubs of dry temperate lands.
    Shrubland = "shrubland", 0xC4_AE7C;
    /// Forest of the wet tropics.
    TropicalRainforest = "tropical rainforest", 0x1F_5A34;
    /// Forest with a dry season.
    TropicalSeasonalForest = "tropical seasonal forest", 0x4B_8038;
    /// Thorny trees of the dry tropics.
    ThornForest = "thorn forest", 0x84_8C3E;
    /// Grass with scattered trees.
    Savannah = "savannah", 0xB8_B45E;
    /// Thorny shrubs.
    ThornScrub = "thorn scrub", 0xC9_A660;
    /// Hardly anything: too dry.
    Desert = "desert", 0xE3_CB98;
}

impl Biome {
    /// The biome with this number in the layer `biome`.
    pub fn from_sample(sample: f32) -> Option<Self> {
        let index = sample.round();
        if index < 0.0 { None } else { Self::ALL.get(index as usize).copied() }
    }

    /// Whether it is water or ice on water.
    pub fn is_water(self) -> bool {
        matches!(self, Self::Ocean | Self::SeaIce | Self::Lake)
    }
}
