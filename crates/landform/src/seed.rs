//! Counter-based random numbers.
//!
//! A number is a hash of (seed, stage label, index), not the next one of a stream. So the order in which
//! numbers are asked for never matters, a tile needs only its own, and inserting a stage changes no other.
//!
//! The hash is the 64-bit finaliser of splitmix64 (Steele, Lea & Flood 2014, with Stafford's constants).

/// A source of random numbers: as many as there are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(u64);

/// 2⁶⁴ divided by the golden ratio: successive multiples are spread evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Seed {
    /// The seed of a whole recipe.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed.wrapping_add(GOLDEN)))
    }

    /// The seed of the part called `label`: a stage, or a use of random numbers inside one.
    pub fn child(self, label: &str) -> Self {
        let folded = label
            .bytes()
            .fold(self.0, |state, byte| mix(state.wrapping_add(GOLDEN) ^ u64::from(byte)));
        Self(mix(folded.wrapping_add(label.len() as u64)))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(self, index: u64) -> u64 {
        mix(self.0.wrapping_add(index.wrapping_mul(GOLDEN)))
    }

    /// 64 random bits for a lattice point.
    #[inline]
    pub fn bits_at(self, i: i64, j: i64) -> u64 {
        mix(self.bits(i as u64).wrapping_add((j as u64).wrapping_mul(GOLDEN)))
    }

    /// Uniform in 0 ≤ u < 1, a multiple of 2⁻⁵³.
    #[inline]
    pub fn uniform(self, index: u64) -> f64 {
        unit(self.bits(index))
    }

    /// Uniform in 0 ≤ u < 1 for a lattice point.
    #[inline]
    pub fn uniform_at(self, i: i64, j: i64) -> f64 {
        unit(self.bits_at(i, j))
    }

    /// Uniform in low ≤ u ≤ high.
    #[inline]
    pub fn between(self, index: u64, low: f64, high: f64) -> f64 {
        (low + (high - low) * self.uniform(index)).clamp(low, high)
    }

    /// A whole number in 0 ≤ n < `count`, each as likely to one part in 2⁶⁴ / `count`.
    #[inline]
    pub fn below(self, index: u64, count: u64) -> u64 {
        ((u128::from(self.bits(index)) * u128::from(count)) >> 64) as u64
    }
}

#[inline]
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_indices_give_unrelated_numbers() {
        let root = Seed::new(7);
        let (hills, range) = (root.child("hills"), root.child("range"));
        assert_ne!(hills, range);
        assert_ne!(hills.bits(0), hills.bits(1));
        assert_ne!(hills.bits_at(1, 2), hills.bits_at(2, 1));
        assert_eq!(hills, Seed::new(7).child("hills"));
    }

    #[test]
    fn uniform_numbers_have_the_mean_and_variance_of_the_uniform_law() {
        let seed = Seed::new(1).child("test");
        let n = 100_000;
        let (mut sum, mut squares, mut lag) = (0.0, 0.0, 0.0);
        for k in 0..n {
            let u = seed.uniform(k) - 0.5;
            sum += u;
            squares += u * u;
            lag += u * (seed.uniform(k + 1) - 0.5);
        }
        let n = n as f64;
        // Four standard deviations of each estimate.
        assert!((sum / n).abs() < 4.0 * (1.0 / 12.0_f64 / n).sqrt());
        assert!((squares / n - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0_f64 / n).sqrt());
        assert!((lag / n).abs() < 4.0 / 12.0 / n.sqrt());
    }

    #[test]
    fn below_covers_its_range() {
        let seed = Seed::new(3);
        let mut seen = [false; 5];
        (0..100).for_each(|k| seen[seed.below(k, 5) as usize] = true);
        assert_eq!(seen, [true; 5]);
        assert_eq!(seed.below(9, 1), 0);
    }
}
