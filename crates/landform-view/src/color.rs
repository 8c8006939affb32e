//! Colours: sRGB as screens show it, linear light for shading, Oklab for ramps.
//!
//! Ramps are blended in Oklab (Ottosson 2020), where equal steps look equal, and kept as tables, so that
//! a look-up costs no power function.

use std::sync::LazyLock;

use landform::math;

/// Red, green, blue from 0 to 1. Whether it is sRGB or linear light is said where it is used.
pub(crate) type Rgb = [f32; 3];

/// The sRGB colour written 0xRRGGBB.
pub(crate) const fn srgb(hex: u32) -> Rgb {
    [
        ((hex >> 16) & 255) as f32 / 255.0,
        ((hex >> 8) & 255) as f32 / 255.0,
        (hex & 255) as f32 / 255.0,
    ]
}

/// The colour written 0xRRGGBB in linear light.
pub(crate) fn linear(hex: u32) -> Rgb {
    srgb(hex).map(decode)
}

/// Linear light of an sRGB channel.
pub(crate) fn decode(channel: f32) -> f32 {
    let c = f64::from(channel);
    (if c <= 0.04045 { c / 12.92 } else { math::pow((c + 0.055) / 1.055, 2.4) }) as f32
}

/// √light → sRGB. Indexed by the root, because the curve is nearly straight there.
static ENCODED: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let encode = |k: usize| {
        let root = k as f64 / ENCODED_STEPS as f64;
        let light = root * root;
        if light <= 0.003_130_8 {
            12.92 * light
        } else {
            1.055 * math::pow(light, 1.0 / 2.4) - 0.055
        }
    };
    (0..=ENCODED_STEPS + 1).map(|k| encode(k) as f32).collect()
});
const ENCODED_STEPS: usize = 2048;

/// The table behind [`encode_with`]; fetched once per picture, not per pixel.
pub(crate) fn encoder() -> &'static [f32] {
    &ENCODED
}

/// sRGB channel of linear light, clamped to 0 … 1.
#[inline]
pub(crate) fn encode_with(table: &[f32], light: f32) -> f32 {
    let place = light.clamp(0.0, 1.0).sqrt() * ENCODED_STEPS as f32;
    let k = place as usize;
    table[k] + (table[k + 1] - table[k]) * (place - k as f32)
}

/// The nearest byte of a channel from 0 to 1.
#[inline]
pub(crate) fn byte(channel: f32) -> u8 {
    // Unlike a cast, this is vectorised.
    math::rounding::integer_single(channel.clamp(0.0, 1.0) * 255.0) as u8
}

/// `a` at t = 0, `b` at t = 1.
#[inline]
pub(crate) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * t)
}

/// 0 up to `from`, 1 beyond `to`, smooth between.
#[inline]
pub(crate) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Oklab of an sRGB colour.
pub(crate) fn oklab(color: Rgb) -> [f64; 3] {
    let [r, g, b] = color.map(|channel| f64::from(decode(channel)));
    let root = |x: f64| math::pow(x.max(0.0), 1.0 / 3.0);
    let l = root(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = root(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = root(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

/// Linear light of an Oklab colour, clamped to what a screen shows.
pub(crate) fn light_from_oklab([lightness, a, b]: [f64; 3]) -> Rgb {
    let cube = |x: f64| x * x * x;
    let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
    .map(|channel| channel.clamp(0.0, 1.0) as f32)
}

/// A smooth row of colours from t = 0 to t = 1.
#[derive(Clone, Debug)]
pub(crate) struct Ramp {
    light: Vec<Rgb>,
}

const RAMP_STEPS: usize = 512;

impl Ramp {
    /// Passes through the sRGB colours 0xRRGGBB at their places, which rise from 0 to 1.
    pub(crate) fn new(stops: &[(f64, u32)]) -> Self {
        let labs: Vec<(f64, [f64; 3])> =
            stops.iter().map(|&(place, hex)| (place, oklab(srgb(hex)))).collect();
        let at = |t: f64| {
            let after = labs.iter().position(|&(place, _)| place >= t).unwrap_or(labs.len() - 1);
            let before = after.saturating_sub(1);
            let ((t0, a), (t1, b)) = (labs[before], labs[after]);
            let share = if t1 > t0 { ((t - t0) / (t1 - t0)).clamp(0.0, 1.0) } else { 1.0 };
            light_from_oklab([0, 1, 2].map(|c| math::lerp(a[c], b[c], share)))
        };
        let light = (0..=RAMP_STEPS + 1).map(|k| at(k as f64 / RAMP_STEPS as f64)).collect();
        Self { light }
    }

    /// Linear light at t, which is clamped to 0 … 1; NaN is as 0.
    #[inline]
    pub(crate) fn at(&self, t: f32) -> Rgb {
        let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
        let place = t * RAMP_STEPS as f32;
        let k = place as usize;
        mix(self.light[k], self.light[k + 1], place - k as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_undoes_decoding_to_a_tenth_of_a_byte() {
        for byte in 0..=255 {
            let channel = byte as f32 / 255.0;
            let back = encode_with(encoder(), decode(channel));
            assert!((back - channel).abs() < 0.1 / 255.0, "{byte}: {back}");
        }
    }

    #[test]
    fn bytes_are_rounded_and_clamped() {
        assert_eq!([-1.0, 0.0, 0.499 / 255.0, 0.501 / 255.0].map(byte), [0, 0, 0, 1]);
        assert_eq!([254.4 / 255.0, 1.0, 7.0, f32::NAN].map(byte), [254, 255, 255, 0]);
    }

    #[test]
    fn a_ramp_passes_through_its_stops() {
        let ramp = Ramp::new(&[(0.0, 0x0033_6699), (0.25, 0x00FF_FFFF), (1.0, 0x0010_2030)]);
        for (t, hex) in
            [(0.0, 0x0033_6699), (0.25, 0x00FF_FFFF), (1.0, 0x0010_2030), (9.0, 0x10_2030)]
        {
            let got = ramp.at(t).map(|channel| encode_with(encoder(), channel));
            let want = srgb(hex);
            assert!(
                (0..3).all(|c| (got[c] - want[c]).abs() < 0.5 / 255.0),
                "{t}: {got:?} {want:?}"
            );
        }
        assert_eq!(ramp.at(f32::NAN), ramp.at(0.0));
    }
}
