//! Whittaker's chart (1975) with its curved boundaries, as lines in temperature and precipitation.
//!
//! Moisture classes lie between four curves, from rainforest to desert; three more, nearly upright, part the tropics, the
//! temperate lands, the taiga and the tundra. Between forest and desert there is a zone in which grass may stand instead of trees
//! and shrubs, by soil, fire and season: there `grass` decides. The curves were read off the chart in the report (±3 cm, ±0.3 °C).

use super::Biome;

type Curve = &'static [(f64, f64)];

/// Points (°C, cm) from cold to warm.
const RAINFOREST: Curve = &[
    (-4.7, 77.0),
    (-2.5, 107.0),
    (0.0, 133.0),
    (3.5, 159.0),
    (5.0, 172.0),
    (10.0, 200.0),
    (15.0, 216.0),
    (20.0, 230.0),
    (25.0, 241.0),
    (29.0, 248.0),
];
const FOREST: Curve = &[
    (-5.4, 47.0),
    (-4.0, 32.0),
    (-2.0, 30.0),
    (0.0, 35.0),
    (2.8, 48.0),
    (4.7, 61.0),
    (7.0, 77.0),
    (10.0, 92.0),
    (15.0, 107.0),
    (20.0, 116.0),
    (25.0, 121.0),
    (28.8, 122.0),
];
const WOODLAND: Curve = &[
    (-5.4, 30.0),
    (-4.0, 22.0),
    (-2.0, 22.0),
    (0.0, 26.0),
    (2.8, 34.0),
    (4.7, 39.0),
    (9.5, 52.0),
    (15.0, 66.0),
    (19.0, 73.0),
    (21.0, 75.0),
    (29.2, 85.0),
];
const SCRUB: Curve = &[
    (-5.5, 12.0),
    (0.0, 16.0),
    (5.0, 20.0),
    (10.0, 23.0),
    (15.0, 27.0),
    (20.0, 32.0),
    (25.0, 40.0),
    (30.0, 50.0),
];
/// The upper limit of grass.
const GRASS: Curve = &[
    (5.0, 65.0),
    (10.0, 99.0),
    (15.0, 125.0),
    (20.0, 141.0),
    (22.0, 147.0),
    (25.0, 150.0),
    (27.0, 145.0),
    (29.3, 120.0),
];
/// Upright boundaries: points (cm, °C) from dry to wet.
const TROPICS: Curve = &[(0.0, 18.9), (115.0, 19.3), (230.0, 19.7), (316.0, 20.0)];
const TAIGA: Curve = &[(0.0, 2.8), (80.0, 2.8), (130.0, 3.0), (183.0, 3.8)];
const TUNDRA: Curve = &[(7.0, -5.5), (50.0, -5.3), (75.0, -4.8), (98.0, -3.8)];

/// Dry land that is colder is tundra: the chart has desert down to −5.5 °C, as a strip of sand between taiga and ice.
const FROST: f64 = 1.0;

/// The value of a curve at x, level beyond its ends.
fn at(curve: Curve, x: f64) -> f64 {
    let next = curve.iter().position(|&(point, _)| point > x);
    match next {
        Some(0) => curve[0].1,
        Some(k) => {
            let ((a, low), (b, high)) = (curve[k - 1], curve[k]);
            low + (high - low) * (x - a) / (b - a)
        }
        None => curve[curve.len() - 1].1,
    }
}

/// The biome of land with this mean temperature in °C and this precipitation in cm a year. Where it could be either, grass stands
/// instead of trees and shrubs when `grass`, 0 to 1, is high.
pub fn classify(celsius: f64, rain: f64, grass: f64) -> Biome {
    if celsius < at(TUNDRA, rain) {
        return Biome::Tundra;
    }
    if rain < at(SCRUB, celsius) {
        return if celsius < FROST { Biome::Tundra } else { Biome::Desert };
    }
    if celsius < at(TAIGA, rain) {
        return if rain < at(WOODLAND, celsius) { Biome::Shrubland } else { Biome::Taiga };
    }
    let is_tropical = celsius > at(TROPICS, rain);
    let (forest, woodland) = (at(FOREST, celsius), at(WOODLAND, celsius));
    // Grass is likeliest along the line between woodland and scrub.
    let (low, high) = (at(SCRUB, celsius), at(GRASS, celsius).max(woodland + 1.0));
    let place = if rain < woodland {
        (rain - low) / (woodland - low)
    } else {
        (high - rain) / (high - woodland)
    };
    if place.clamp(0.0, 1.0) * 0.85 > 1.0 - grass {
        return if is_tropical { Biome::Savannah } else { Biome::Grassland };
    }
    let wet = at(RAINFOREST, celsius);
    let class = [woodland, forest, wet].iter().filter(|&&limit| rain >= limit).count();
    match (is_tropical, class) {
        (true, 0) => Biome::ThornScrub,
        (true, 1) => Biome::ThornForest,
        (true, 2) => Biome::TropicalSeasonalForest,
        (true, _) => Biome::TropicalRainforest,
        (false, 0) => Biome::Shrubland,
        (false, 1) => Biome::Woodland,
        (false, 2) => Biome::TemperateForest,
        (false, _) => Biome::TemperateRainforest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middles_of_the_areas_of_the_chart_have_their_names() {
        let cases = [
            (26.0, 330.0, Biome::TropicalRainforest),
            (25.0, 180.0, Biome::TropicalSeasonalForest),
            (25.0, 100.0, Biome::ThornForest),
            (25.0, 60.0, Biome::ThornScrub),
            (25.0, 20.0, Biome::Desert),
            (12.0, 230.0, Biome::TemperateRainforest),
            (12.0, 150.0, Biome::TemperateForest),
            (12.0, 80.0, Biome::Woodland),
            (12.0, 40.0, Biome::Shrubland),
            (12.0, 10.0, Biome::Desert),
            (0.0, 80.0, Biome::Taiga),
            (-10.0, 20.0, Biome::Tundra),
            (-2.0, 8.0, Biome::Tundra),
        ];
        for (celsius, rain, biome) in cases {
            assert_eq!(classify(celsius, rain, 0.0), biome, "{celsius} {rain}");
        }
        assert_eq!(classify(25.0, 84.0, 1.0), Biome::Savannah);
        assert_eq!(classify(12.0, 60.0, 1.0), Biome::Grassland);
    }
}
