//! Mathematics with the same bits on every machine.
//!
//! `+ − × ÷ √` are exact everywhere by IEEE 754. All other functions come from here, where they are
//! computed in Rust by [`libm`]; the methods of `f64` with the same names call the platform's library and
//! are refused by the linter.
//!
//! | part | what |
//! | --- | --- |
//! | `power` | x^p of many samples |
//! | [`rounding`] | to whole numbers, several at once |
//! | [`vector`] | points and directions in space |
//! | `line_fit` | the straight line through a cloud of points |

pub(crate) mod line_fit;
pub(crate) mod power;
pub mod rounding;
pub mod vector;

pub use libm::{asinh, atan, atan2, atanh, cos, cosh, exp, log as ln, pow, sin, sinh, tan};

/// √(x² + z²).
#[inline]
pub fn length(x: f64, z: f64) -> f64 {
    (x * x + z * z).sqrt()
}

/// `a` at t = 0, `b` at t = 1.
#[inline]
pub fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 0 up to `from`, 1 beyond `to`, and 3t² − 2t³ between. A step when `from` equals `to`.
#[inline]
pub fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    if x <= from {
        return 0.0;
    }
    if x >= to {
        return 1.0;
    }
    let t = (x - from) / (to - from);
    t * t * (3.0 - 2.0 * t)
}

/// cos 2πt and sin 2πt for |t| below 2⁵¹: right to 10⁻⁷, and many times as fast as [`cos`] and [`sin`].
#[inline]
pub fn cos_sin_of_turns(t: f64) -> [f64; 2] {
    let half = std::f64::consts::PI * (t - rounding::nearest(t));
    let q = half * half;
    // The series of Taylor for the sine and cosine of half the angle, at most π/2.
    let sine = half
        * (1.0
            - q * (1.0 / 6.0
                - q * (1.0 / 120.0
                    - q * (1.0 / 5_040.0 - q * (1.0 / 362_880.0 - q * (1.0 / 39_916_800.0))))));
    let cosine = 1.0
        - q * (1.0 / 2.0
            - q * (1.0 / 24.0
                - q * (1.0 / 720.0
                    - q * (1.0 / 40_320.0 - q * (1.0 / 3_628_800.0 - q * (1.0 / 479_001_600.0))))));
    [1.0 - 2.0 * sine * sine, 2.0 * sine * cosine]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_angles() {
        for k in -4000..4000 {
            let t = f64::from(k) * 0.001_37;
            let [cosine, sine] = cos_sin_of_turns(t);
            let angle = std::f64::consts::TAU * t;
            assert!((cosine - cos(angle)).abs() < 3e-7, "{t}: {cosine}");
            assert!((sine - sin(angle)).abs() < 3e-7, "{t}: {sine}");
        }
    }

    #[test]
    fn smoothstep_is_a_step_when_its_ends_meet() {
        assert_eq!(smoothstep(2.0, 2.0, 2.0), 0.0);
        assert_eq!(smoothstep(2.0, 2.0, 2.0 + 1e-9), 1.0);
        assert_eq!(smoothstep(0.0, 4.0, 2.0), 0.5);
    }
}
