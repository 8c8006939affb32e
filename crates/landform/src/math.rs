//! Mathematics with the same bits on every machine.
//!
//! `+ − × ÷ √` are exact everywhere by IEEE 754. All other functions come from here, where they are
//! computed in Rust by [`libm`]; the methods of `f64` with the same names call the platform's library and
//! are refused by the linter.

pub use libm::{atan, atan2, cos, exp, log as ln, pow, sin, tan};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothstep_is_a_step_when_its_ends_meet() {
        assert_eq!(smoothstep(2.0, 2.0, 2.0), 0.0);
        assert_eq!(smoothstep(2.0, 2.0, 2.0 + 1e-9), 1.0);
        assert_eq!(smoothstep(0.0, 4.0, 2.0), 0.5);
    }
}
