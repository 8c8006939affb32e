//! What a grid of samples stands for.

use std::cmp::Ordering;
use std::fmt;

use crate::error::Error;

/// What the samples of a layer are, and so whether they can be averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    /// A quantity that varies from place to place. Means of samples are meaningful.
    Quantity,
    /// A share of the ground, 0 to 1.
    Share,
    /// A component of a vector; other layers hold the others.
    Component,
    /// Numbers of classes, such as plates. They have no mean.
    Category,
}

impl SampleKind {
    /// Whether the mean of several samples means something.
    pub fn has_mean(self) -> bool {
        match self {
            Self::Quantity | Self::Share | Self::Component => true,
            Self::Category => false,
        }
    }
}

macro_rules! layers {
    ($($(#[doc = $about:literal])+ $layer:ident = $name:literal, $unit:literal, $samples:ident;)+) => {
        /// A quantity that a terrain has at every sample.
        ///
        /// The well-known layers mean the same in every recipe and have units. A recipe can make up others, which are
        /// plain numbers: see [`Layer::named`].
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Layer {
            $($(#[doc = $about])+ $layer,)+
            /// A layer that a recipe makes up.
            Custom(CustomLayer),
        }

        impl Layer {
            /// The layers that mean the same in every recipe.
            pub const WELL_KNOWN: &'static [Self] = &[$(Self::$layer),+];

            /// The name: lower case, and fit for the name of a file.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$layer => $name,)+
                    Self::Custom(layer) => &layer.0,
                }
            }

            /// The unit of its samples; "1" for a plain number.
            pub fn unit(&self) -> &'static str {
                match self {
                    $(Self::$layer => $unit,)+
                    Self::Custom(_) => "1",
                }
            }

            /// What its samples are.
            pub fn sample_kind(&self) -> SampleKind {
                match self {
                    $(Self::$layer => SampleKind::$samples,)+
                    Self::Custom(_) => SampleKind::Quantity,
                }
            }

            /// What it is, in a sentence.
            pub fn about(&self) -> &'static str {
                match self {
                    $(Self::$layer => concat!($($about),+).trim_ascii_start(),)+
                    Self::Custom(_) => "A layer that a recipe makes up.",
                }
            }
        }
    };
}

layers! {
    /// Elevation above datum, in metres.
    Height = "height", "m", Quantity;
    /// Loose material that running water has left, in metres.
    Sediment = "sediment", "m", Quantity;
    /// The ground whose rain passes here, less what evaporates on its way, in square metres.
    Flow = "flow", "m²", Quantity;
    /// How much lower erosion has made the ground, in metres.
    Erosion = "erosion", "m", Quantity;
    /// How much higher erosion has made the ground, in metres.
    Deposition = "deposition", "m", Quantity;
    /// Loose material that has fallen from cliffs, in metres.
    Scree = "scree", "m", Quantity;
    /// Share of the ground around a sample that is the water of a river, 0 to 1.
    River = "river", "1", Share;
    /// Depth of the water of rivers and lakes, in metres.
    WaterDepth = "water_depth", "m", Quantity;
    /// Distance to the nearest river, in metres: 0 in the water.
    RiverDistance = "river_distance", "m", Quantity;
    /// The number of the tectonic plate.
    Plate = "plate", "1", Category;
    /// 1 for continental crust, 0 for ocean floor.
    Crust = "crust", "1", Category;
    /// Age of the crust, in million years.
    CrustAge = "crust_age", "Ma", Quantity;
    /// Mean temperature of the year, in degrees Celsius.
    Temperature = "temperature", "°C", Quantity;
    /// Rain and snow, in centimetres of water a year.
    Precipitation = "precipitation", "cm/a", Quantity;
    /// Wind towards the east, in metres a second.
    WindX = "wind_x", "m/s", Component;
    /// Wind towards the south, in metres a second.
    WindZ = "wind_z", "m/s", Component;
    /// The number of the biome.
    Biome = "biome", "1", Category;
    /// 1 in a lake, 0 elsewhere.
    Lake = "lake", "1", Category;
    /// The topographic wetness index ln(a / S): high where much water gathers on gentle ground.
    Wetness = "wetness", "1", Quantity;
    /// Height above the river, lake or sea that the ground drains to, in metres.
    DepthToWater = "depth_to_water", "m", Quantity;
    /// Thickness of the ice on the ground, in metres.
    Ice = "ice", "m", Quantity;
    /// Loose material that ice has left, in metres.
    Till = "till", "m", Quantity;
}

impl Layer {
    /// How many lengths its samples are multiplied of: 1 for metres, 2 for square metres.
    pub(crate) fn lengths(&self) -> u32 {
        match self.unit() {
            "m" => 1,
            "m²" => 2,
            _ => 0,
        }
    }
}

/// The name of a layer that a recipe makes up. [`Layer::named`] alone makes one, so it is never that of a well-known layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CustomLayer(Box<str>);

impl Layer {
    /// The layer called `name`, or nothing if no layer can be called that: lower-case letters, digits and underscores,
    /// beginning with a letter, at most 40 of them. It is also the name of a file.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(known) = Self::WELL_KNOWN.iter().find(|layer| layer.name() == name) {
            return Some(known.clone());
        }
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let fits = name.len() <= 40
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(is_word);
        fits.then(|| Self::Custom(CustomLayer(name.into())))
    }

    /// The layer of the layers before a stage that `parameter` names.
    pub(crate) fn among(known: &[Self], parameter: &str, name: &str) -> Result<Self, Error> {
        let found = known.iter().find(|layer| layer.name() == name);
        found.cloned().ok_or_else(|| {
            let names = known.iter().map(Self::name).collect::<Vec<_>>().join(", ");
            Error::unfit(
                parameter,
                format!("{name:?}"),
                format!("the layers before it are {names}"),
            )
        })
    }
}

/// By name.
impl Ord for Layer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Layer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_named_like_a_file() {
        assert_eq!(Layer::named("height"), Some(Layer::Height));
        assert_eq!(Layer::Height.unit(), "m");
        assert_eq!(Layer::named("rock_2").unwrap().unit(), "1");
        for wrong in ["", "2", "Height", "a/b", "..", "a b"] {
            assert_eq!(Layer::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_well_known_layer_is_found_by_its_name() {
        for layer in Layer::WELL_KNOWN {
            assert_eq!(Layer::named(layer.name()).as_ref(), Some(layer));
            assert!(!layer.about().is_empty() && !layer.about().starts_with(' '), "{layer}");
        }
        let custom = Layer::named("rock").unwrap();
        assert!(matches!(custom, Layer::Custom(_)) && custom.name() == "rock");
    }

    #[test]
    fn layers_are_in_the_order_of_their_names() {
        let mut layers =
            ["wind_x", "moss", "biome", "height"].map(|name| Layer::named(name).unwrap());
        layers.sort();
        assert_eq!(layers.map(|layer| layer.to_string()), ["biome", "height", "moss", "wind_x"]);
    }
}
