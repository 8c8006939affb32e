//! The report's simplified chart: boxes in temperature and precipitation, with the limits of its program (Baker 2018).

use super::Biome;

/// The biome of land with this mean temperature in °C and this precipitation in cm a year.
pub fn classify(celsius: f64, rain: f64) -> Biome {
    if celsius < -5.0 {
        return Biome::Tundra;
    }
    if rain < 75.0 {
        let is_shrubland = celsius < 20.0 && rain > 50.0;
        return if is_shrubland { Biome::Shrubland } else { Biome::Desert };
    }
    if celsius < 5.0 {
        return Biome::Taiga;
    }
    let (limits, names) = if celsius < 20.0 {
        use Biome::{Grassland, TemperateForest, TemperateRainforest, Woodland};
        (
            [100.0, 125.0, 225.0, f64::INFINITY],
            [Grassland, Woodland, TemperateForest, TemperateRainforest, TemperateRainforest],
        )
    } else {
        use Biome::{
            Savannah, ThornForest, ThornScrub, TropicalRainforest, TropicalSeasonalForest,
        };
        (
            [100.0, 125.0, 150.0, 250.0],
            [ThornScrub, Savannah, ThornForest, TropicalSeasonalForest, TropicalRainforest],
        )
    };
    // All limits are compared: which is the first above is hard to foresee.
    let index: usize = limits.iter().map(|&limit| usize::from(rain >= limit)).sum();
    names[index.min(4)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boxes_are_those_of_the_report() {
        assert_eq!(classify(-6.0, 300.0), Biome::Tundra);
        assert_eq!(classify(10.0, 60.0), Biome::Shrubland);
        assert_eq!(classify(25.0, 60.0), Biome::Desert);
        assert_eq!(classify(0.0, 80.0), Biome::Taiga);
        assert_eq!(classify(10.0, 90.0), Biome::Grassland);
        assert_eq!(classify(10.0, 300.0), Biome::TemperateRainforest);
        assert_eq!(classify(25.0, 140.0), Biome::ThornForest);
        assert_eq!(classify(25.0, 251.0), Biome::TropicalRainforest);
    }
}
