//! The five filters of PNG: each byte becomes its difference from what its neighbours let expect.
//!
//! Source: PNG specification (third edition), section 9. Encoding reads only original bytes, so no byte waits
//! for another and the loops run many bytes at a time.

/// How a byte is predicted from the byte to the left (a), above (b) and above left (c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None = 0,
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
}

impl Filter {
    /// Filters `row`, which has `above` to the north, `pixel` bytes a pixel.
    pub(super) fn apply(self, row: &[u8], above: &[u8], pixel: usize, out: &mut [u8]) {
        let (first, rest) = out.split_at_mut(pixel);
        for (i, byte) in first.iter_mut().enumerate() {
            *byte = row[i].wrapping_sub(self.predict(0, above[i], 0));
        }
        let length = rest.len();
        let (x, a) = (&row[pixel..][..length], &row[..length]);
        let (b, c) = (&above[pixel..][..length], &above[..length]);
        // One loop for each filter: the choice is made outside, so that each loop has no branch.
        macro_rules! filter {
            ($predict:expr) => {
                for i in 0..length {
                    rest[i] = x[i].wrapping_sub($predict(a[i], b[i], c[i]));
                }
            };
        }
        match self {
            Self::None => rest.copy_from_slice(x),
            Self::Sub => filter!(|a, _, _| a),
            Self::Up => filter!(|_, b, _| b),
            Self::Average => filter!(average),
            Self::Paeth => filter!(paeth),
        }
    }

    fn predict(self, a: u8, b: u8, c: u8) -> u8 {
        match self {
            Self::None => 0,
            Self::Sub => a,
            Self::Up => b,
            Self::Average => average(a, b, c),
            Self::Paeth => paeth(a, b, c),
        }
    }

    /// All filters, the one that serves terrain best first.
    pub(super) const ALL: [Self; 5] = [Self::Paeth, Self::Up, Self::Sub, Self::Average, Self::None];
}

#[inline]
fn average(a: u8, b: u8, _: u8) -> u8 {
    // The floor of the mean without a ninth bit.
    (a & b) + ((a ^ b) >> 1)
}

#[inline]
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (wide_a, wide_b, wide_c) = (i16::from(a), i16::from(b), i16::from(c));
    let from_a = (wide_b - wide_c).abs();
    let from_b = (wide_a - wide_c).abs();
    let from_c = (wide_a + wide_b - 2 * wide_c).abs();
    let b_or_c = if from_b <= from_c { b } else { c };
    if from_a <= from_b && from_a <= from_c { a } else { b_or_c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filtered_row_can_be_put_back() {
        let above: Vec<u8> = (0..64).map(|i| (i * 37 + 11) as u8).collect();
        let row: Vec<u8> = (0..64).map(|i| (i * i * 5 + 200) as u8).collect();
        for filter in Filter::ALL {
            for pixel in [1, 2, 3, 4] {
                let mut filtered = vec![0; row.len()];
                filter.apply(&row, &above, pixel, &mut filtered);
                let mut back: Vec<u8> = Vec::new();
                for i in 0..row.len() {
                    let (a, c) =
                        if i < pixel { (0, 0) } else { (back[i - pixel], above[i - pixel]) };
                    back.push(filtered[i].wrapping_add(filter.predict(a, above[i], c)));
                }
                assert_eq!(back, row, "{filter:?} {pixel}");
            }
        }
    }
}
