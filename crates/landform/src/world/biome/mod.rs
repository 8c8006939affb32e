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

/// What a biome is before it is a certain one: how maps draw it follows from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiomeClass {
    /// Open sea.
    Sea,
    /// Sea under ice.
    SeaIce,
    /// Water that does not belong to the sea.
    Lake,
    /// Land under ice.
    LandIce,
    /// Land with plants, or bare.
    Land,
}

macro_rules! biomes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $color:literal, $class:ident;)+) => {
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

            /// What it is before it is this one.
            pub fn class(self) -> BiomeClass {
                match self { $(Self::$name => BiomeClass::$class,)+ }
            }
        }
    };
}

biomes! {
    /// The sea.
    Ocean = "ocean", 0x2F_5D8C, Sea;
    /// Sea that is frozen for most of the year.
    SeaIce = "sea ice", 0xCD_DFE9, SeaIce;
    /// Water that does not belong to the sea.
    Lake = "lake", 0x4F_86B0, Lake;
    /// Land under ice.
    Ice = "ice", 0xF1_F5F7, LandIce;
    /// No trees: too cold.
    Tundra = "tundra", 0x9D_A89C, Land;
    /// Conifers of the north.
    Taiga = "taiga", 0x46_5F58, Land;
    /// Wet forest of temperate coasts.
    TemperateRainforest = "temperate rainforest", 0x2E_7D68, Land;
    /// Forest that sheds its leaves.
    TemperateForest = "temperate forest", 0x6A_9C5E, Land;
    /// Open forest.
    Woodland = "woodland", 0x97_A862, Land;
    /// Grass, where forest would need more rain.
    Grassland = "grassland", 0xBF_CF8A, Land;
    /// Shrubs of dry temperate lands.
    Shrubland = "shrubland", 0xC6_AC84, Land;
    /// Forest of the wet tropics.
    TropicalRainforest = "tropical rainforest", 0x14_501F, Land;
    /// Forest with a dry season.
    TropicalSeasonalForest = "tropical seasonal forest", 0x48_7F2A, Land;
    /// Thorny trees of the dry tropics.
    ThornForest = "thorn forest", 0x7F_7F33, Land;
    /// Grass with scattered trees.
    Savannah = "savannah", 0xC6_B658, Land;
    /// Thorny shrubs.
    ThornScrub = "thorn scrub", 0xC4_9A62, Land;
    /// Hardly anything: too dry.
    Desert = "desert", 0xEA_D6A8, Land;
}

impl Biome {
    /// The biome with this number in the layer `biome`.
    pub fn from_sample(sample: f32) -> Option<Self> {
        let index = sample.round();
        if index < 0.0 { None } else { Self::ALL.get(index as usize).copied() }
    }

    /// Whether it is water or ice on water.
    pub fn is_water(self) -> bool {
        match self.class() {
            BiomeClass::Sea | BiomeClass::SeaIce | BiomeClass::Lake => true,
            BiomeClass::LandIce | BiomeClass::Land => false,
        }
    }
}
