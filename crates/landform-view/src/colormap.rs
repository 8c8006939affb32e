//! Colours for quantities.

use std::sync::LazyLock;

use landform::Layer;

use crate::color::{Ramp, Rgb};

/// A way to turn numbers into colours. All but [`ColorMap::Categories`] rise steadily in lightness on each
/// side of their middle, so they read without colour too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Violet, green, yellow: for anything.
    #[default]
    Viridis,
    /// Black to white.
    Gray,
    /// Blue through pale to red, cold to hot.
    Temperature,
    /// Sand through green to deep blue, dry to wet.
    Rain,
    /// White through orange to violet: for slopes and amounts that are mostly small.
    Heat,
    /// Brown, white, blue-green: for what is below and above 0.
    Diverging,
    /// A different colour for each whole number: plates, biomes.
    Categories,
}

static VIRIDIS: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0x44_0154),
        (0.125, 0x47_2D7B),
        (0.25, 0x3B_528B),
        (0.375, 0x2C_728E),
        (0.5, 0x21_918C),
        (0.625, 0x28_AE80),
        (0.75, 0x5E_C962),
        (0.875, 0xAD_DC30),
        (1.0, 0xFD_E725),
    ])
});
static GRAY: LazyLock<Ramp> = LazyLock::new(|| Ramp::new(&[(0.0, 0x00_0000), (1.0, 0xFF_FFFF)]));
static TEMPERATURE: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0x2B_3E8C),
        (0.25, 0x6C_A0D6),
        (0.5, 0xF3_EFD8),
        (0.75, 0xE8_9A5A),
        (1.0, 0x9B_1C2E),
    ])
});
static RAIN: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0xF2_E6C4),
        (0.25, 0xB9_D9A0),
        (0.5, 0x5F_B89A),
        (0.75, 0x2E_7EA6),
        (1.0, 0x21_2F73),
    ])
});
static HEAT: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0xFB_FBF2),
        (0.2, 0xF8_DD95),
        (0.4, 0xEE_A262),
        (0.6, 0xC8_6160),
        (0.8, 0x80_3668),
        (1.0, 0x2D_1440),
    ])
});
static DIVERGING: LazyLock<Ramp> = LazyLock::new(|| {
    Ramp::new(&[
        (0.0, 0x5E_3A0E),
        (0.25, 0xC0_8F4C),
        (0.5, 0xF5_F3EC),
        (0.75, 0x5D_AFA6),
        (1.0, 0x0C_4B49),
    ])
});

/// Twelve colours that people with any colour vision tell apart (after Okabe & Ito 2008 and Tol 2021).
const CATEGORIES: [u32; 12] = [
    0x33_7AB7, 0xE6_9F00, 0x3F_9F6F, 0xCC_79A7, 0x8F_C7E8, 0xD5_5E00, 0x88_2255, 0xDD_CC77,
    0x33_2288, 0xBB_BBBB, 0x99_9933, 0x66_4433,
];

impl ColorMap {
    /// What suits a layer.
    pub fn for_layer(layer: &Layer) -> Self {
        match layer {
            Layer::Temperature => Self::Temperature,
            Layer::Precipitation => Self::Rain,
            Layer::Plate | Layer::Biome => Self::Categories,
            Layer::Flow | Layer::River | Layer::RiverDistance => Self::Heat,
            Layer::Height
            | Layer::Sediment
            | Layer::Erosion
            | Layer::Deposition
            | Layer::Scree
            | Layer::WaterDepth
            | Layer::Crust
            | Layer::CrustAge
            | Layer::WindX
            | Layer::WindZ
            | Layer::Lake
            | Layer::Wetness
            | Layer::DepthToWater
            | Layer::Ice
            | Layer::Till => Self::Viridis,
            Layer::Custom(_) => Self::for_name(layer.name()),
        }
    }

    /// What suits a layer that a recipe makes up: its name is all that is known of it.
    fn for_name(name: &str) -> Self {
        let has = |word: &str| name.contains(word);
        if has("temperature") {
            Self::Temperature
        } else if has("precipitation") || has("rain") || has("moisture") || has("humidity") {
            Self::Rain
        } else if ["plate", "biome", "region", "basin", "class"].iter().any(|word| has(word)) {
            Self::Categories
        } else if has("slope") || has("flow") || has("river") {
            Self::Heat
        } else if has("difference") || has("curvature") {
            Self::Diverging
        } else {
            Self::Viridis
        }
    }

    /// Whether numbers between two samples mean anything.
    pub(crate) fn is_continuous(self) -> bool {
        self != Self::Categories
    }

    /// Linear light of `value` where the colours go from `low` to `high`.
    pub(crate) fn at(self, value: f32, (low, high): (f32, f32)) -> Rgb {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        match self {
            Self::Viridis => VIRIDIS.at(share),
            Self::Gray => GRAY.at(share),
            Self::Temperature => TEMPERATURE.at(share),
            Self::Rain => RAIN.at(share),
            Self::Heat => HEAT.at(share),
            Self::Diverging => DIVERGING.at(share),
            Self::Categories => {
                let class = (value.round() as i64).rem_euclid(CATEGORIES.len() as i64);
                crate::color::linear(CATEGORIES[class as usize])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::{encode_with, encoder, oklab};

    fn lightness(map: ColorMap, share: f32) -> f64 {
        let color = map.at(share, (0.0, 1.0)).map(|c| encode_with(encoder(), c));
        oklab(color)[0]
    }

    #[test]
    fn lightness_rises_or_falls_steadily() {
        for map in [ColorMap::Viridis, ColorMap::Gray, ColorMap::Heat, ColorMap::Rain] {
            let steps: Vec<f64> = (0..=40).map(|k| lightness(map, k as f32 / 40.0)).collect();
            let rises = steps[40] > steps[0];
            assert!(steps.windows(2).all(|w| (w[1] > w[0]) == rises), "{map:?} {steps:?}");
        }
        for map in [ColorMap::Temperature, ColorMap::Diverging] {
            let steps: Vec<f64> = (0..=40).map(|k| lightness(map, k as f32 / 40.0)).collect();
            assert!(steps[..=20].windows(2).all(|w| w[1] > w[0]), "{map:?}");
            assert!(steps[20..].windows(2).all(|w| w[1] < w[0]), "{map:?}");
        }
    }
}
