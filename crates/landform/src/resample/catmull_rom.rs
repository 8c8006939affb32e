//! The cubic kernel of Catmull & Rom (1974), which goes through every sample.

/// The weight of a sample at distance t: the cubic kernel with a = −½.
pub(crate) fn catmull_rom(t: f64) -> f64 {
    let t = t.abs();
    if t < 1.0 {
        (1.5 * t - 2.5) * t * t + 1.0
    } else if t < 2.0 {
        ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_at_any_place_sum_to_one() {
        assert_eq!([-2.0, -1.0, 0.0, 1.0, 2.0].map(catmull_rom), [0.0, 0.0, 1.0, 0.0, 0.0]);
        for k in 0..=16 {
            let t = f64::from(k) / 16.0;
            let sum: f64 = (-1..=2).map(|sample| catmull_rom(f64::from(sample) - t)).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{t}: {sum}");
        }
    }
}
