//! Rounding to whole numbers, several at once.
//!
//! A float of 2⁵² or more has no bits for a fraction (2²³ or more in single precision). So adding 1.5·2⁵² rounds to
//! the nearest whole number, halves to the even one, and leaves that number in the low bits; subtracting it again
//! gives the number back as a float. The factor 1.5 keeps the sum in the same binade for negative numbers.
//!
//! `round`, `floor` and `as i64` are exact too, but without newer instructions than the compiler may assume each is a
//! call or a scalar conversion. An addition is one instruction everywhere and vectorises.

use fearless_simd::{Simd, f64x4};

/// 1.5·2⁵²: adding it rounds a number of less than 2⁵¹ and leaves the integer in the low bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// 1.5·2²³: adding it rounds a number of less than 2²² and leaves the integer in the low bits.
pub(crate) const SHIFT_SINGLE: f32 = 12_582_912.0;

/// The whole number nearest to x, halves to the even one, for |x| below 2⁵¹.
#[inline(always)]
pub fn nearest(x: f64) -> f64 {
    (x + SHIFT) - SHIFT
}

/// [`nearest`] in single precision, for |x| below 2²².
#[inline(always)]
pub(crate) fn nearest_single(x: f32) -> f32 {
    (x + SHIFT_SINGLE) - SHIFT_SINGLE
}

/// [`nearest`] of four numbers.
#[inline(always)]
pub(crate) fn nearest_four<S: Simd>(x: f64x4<S>) -> f64x4<S> {
    (x + SHIFT) - SHIFT
}

/// The largest whole number not above x, for |x| below 2⁵¹.
#[inline(always)]
pub(crate) fn floor(x: f64) -> f64 {
    let nearest = nearest(x);
    nearest - if nearest > x { 1.0 } else { 0.0 }
}

/// [`floor`] in single precision, for |x| below 2²².
#[inline(always)]
pub(crate) fn floor_single(x: f32) -> f32 {
    let nearest = nearest_single(x);
    nearest - if nearest > x { 1.0 } else { 0.0 }
}

/// The integer nearest to x, halves to the even one, for |x| below 2⁵¹.
#[inline(always)]
pub(crate) fn integer(x: f64) -> i64 {
    (x + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()).cast_signed()
}

/// [`integer`] in single precision, for |x| below 2²².
#[inline(always)]
pub fn integer_single(x: f32) -> i32 {
    (x + SHIFT_SINGLE).to_bits().wrapping_sub(SHIFT_SINGLE.to_bits()).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_library_does() {
        let last = [2_251_799_813_685_246.5, -2_251_799_813_685_246.5];
        let quarters = (-4000..4000).map(|k| f64::from(k) * 0.25);
        for x in quarters.chain(last).chain([0.1 + 0.2, -1e-300, 1e9 + 0.5]) {
            assert_eq!(nearest(x), x.round_ties_even(), "{x}");
            assert_eq!(floor(x), x.floor(), "{x}");
            assert_eq!(integer(x), x.round_ties_even() as i64, "{x}");
        }
        let quarters = (-4000..4000).map(|k| k as f32 * 0.25);
        for x in quarters.chain([4_194_303.5, -4_194_303.5, 1e6 + 0.25]) {
            assert_eq!(nearest_single(x), x.round_ties_even(), "{x}");
            assert_eq!(floor_single(x), x.floor(), "{x}");
            assert_eq!(integer_single(x), x.round_ties_even() as i32, "{x}");
        }
    }
}
