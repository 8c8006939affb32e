//! What a grid of samples stands for.

use std::borrow::Cow;

/// The name of a quantity that a terrain has at every sample.
///
/// Lower-case letters, digits and underscores, beginning with a letter, at most 40 of them: it is also the
/// name of a file. The well-known layers have units; a layer that a recipe makes up is a plain number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layer(Cow<'static, str>);

/// The layers that mean the same in every recipe, with their units.
const WELL_KNOWN: &[(&str, &str)] = &[
    ("height", "m"),
    ("sediment", "m"),
    ("flow", "m²"),
    ("erosion", "m"),
    ("deposition", "m"),
    ("scree", "m"),
    ("river", "1"),
    ("water_depth", "m"),
    ("river_distance", "m"),
    ("plate", "1"),
    ("crust", "1"),
    ("crust_age", "Ma"),
    ("temperature", "°C"),
    ("precipitation", "cm/a"),
    ("wind_x", "m/s"),
    ("wind_z", "m/s"),
    ("biome", "1"),
    ("lake", "1"),
    ("wetness", "1"),
    ("depth_to_water", "m"),
];

impl Layer {
    /// Elevation above datum, in metres.
    pub const HEIGHT: Self = Self(Cow::Borrowed("height"));

    /// Share of the ground around a sample that is the water of a river, 0 to 1.
    pub const RIVER: Self = Self(Cow::Borrowed("river"));
    /// Depth of the water of rivers, in metres.
    pub const WATER_DEPTH: Self = Self(Cow::Borrowed("water_depth"));
    /// Distance to the nearest river, in metres: 0 in the water.
    pub const RIVER_DISTANCE: Self = Self(Cow::Borrowed("river_distance"));

    /// 1 in a lake, 0 elsewhere.
    pub const LAKE: Self = Self(Cow::Borrowed("lake"));
    /// The topographic wetness index ln(a / S): high where much water gathers on gentle ground.
    pub const WETNESS: Self = Self(Cow::Borrowed("wetness"));
    /// Height above the river, lake or sea that the ground drains to, in metres.
    pub const DEPTH_TO_WATER: Self = Self(Cow::Borrowed("depth_to_water"));

    /// Loose material that running water has left, in metres.
    pub const SEDIMENT: Self = Self(Cow::Borrowed("sediment"));

    /// The ground whose rain passes here, less what evaporates on its way, in square metres.
    pub const FLOW: Self = Self(Cow::Borrowed("flow"));

    /// How much lower erosion has made the ground, in metres.
    pub const EROSION: Self = Self(Cow::Borrowed("erosion"));

    /// How much higher erosion has made the ground, in metres.
    pub const DEPOSITION: Self = Self(Cow::Borrowed("deposition"));

    /// The number of the tectonic plate.
    pub const PLATE: Self = Self(Cow::Borrowed("plate"));

    /// 1 for continental crust, 0 for ocean floor.
    pub const CRUST: Self = Self(Cow::Borrowed("crust"));

    /// Age of the crust, in million years.
    pub const CRUST_AGE: Self = Self(Cow::Borrowed("crust_age"));

    /// Mean temperature of the year, in degrees Celsius.
    pub const TEMPERATURE: Self = Self(Cow::Borrowed("temperature"));

    /// Rain and snow, in centimetres of water a year.
    pub const PRECIPITATION: Self = Self(Cow::Borrowed("precipitation"));

    /// Wind towards the east, in metres a second.
    pub const WIND_X: Self = Self(Cow::Borrowed("wind_x"));

    /// Wind towards the south, in metres a second.
    pub const WIND_Z: Self = Self(Cow::Borrowed("wind_z"));

    /// The number of the [biome](crate::world::Biome).
    pub const BIOME: Self = Self(Cow::Borrowed("biome"));

    /// Loose material that has fallen from cliffs, in metres.
    pub const SCREE: Self = Self(Cow::Borrowed("scree"));

    /// The layer called `name`, or nothing if no layer can be called that.
    pub fn named(name: &str) -> Option<Self> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let fits = name.len() <= 40
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(is_word);
        fits.then(|| Self(Cow::Owned(name.to_owned())))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The unit of its samples; "1" for a plain number.
    pub fn unit(&self) -> &'static str {
        WELL_KNOWN.iter().find(|(name, _)| *name == self.0).map_or("1", |(_, unit)| unit)
    }
}

impl std::fmt::Display for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_named_like_a_file() {
        assert_eq!(Layer::named("height"), Some(Layer::HEIGHT));
        assert_eq!(Layer::HEIGHT.unit(), "m");
        assert_eq!(Layer::named("rock_2").unwrap().unit(), "1");
        for wrong in ["", "2", "Height", "a/b", "..", "a b"] {
            assert_eq!(Layer::named(wrong), None, "{wrong}");
        }
    }
}
