//! Colours and grain of our pictures, for programs that draw with a graphics processor.

use landform::Grid;

use crate::color::{Rgb, byte, encode_with, encoder};
use crate::relief::{LAND, WATER, top_tint};
use crate::scene::GRAIN;

/// The tint (sRGB) of land in the relief map, from the shore (0) to snow (1).
pub fn land_tint(rise: f32) -> [u8; 3] {
    bytes(LAND.at(rise))
}

/// The tint (sRGB) of water in the relief map, from the shore (0) to the deepest place (1).
pub fn water_tint(depth: f32) -> [u8; 3] {
    bytes(WATER.at(depth))
}

/// The rise whose tint the highest land has if its land lies between these heights: only mountains end in the white
/// of snow.
pub fn highest_rise(low: f32, high: f32) -> f32 {
    top_tint((low, high))
}

/// A square of noise that repeats, mean 0 and most of it within −1 to 1: the grain of ground, waves and clouds.
pub fn grain() -> &'static Grid {
    &GRAIN
}

fn bytes(light: Rgb) -> [u8; 3] {
    light.map(|channel| byte(encode_with(encoder(), channel)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_are_those_of_the_ramps() {
        assert_eq!(land_tint(1.0), [0xFB, 0xFA, 0xF8]);
        assert_eq!(water_tint(1.0), [0x2E, 0x5F, 0x93]);
        assert_eq!(land_tint(f32::NAN), land_tint(0.0));
    }
}
