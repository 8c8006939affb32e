//! New points between old ones by interpolation, each displaced at random: a pass of the matrix method and of midpoint
//! displacement.

use fearless_simd::{Simd, f32x8, i32x8, prelude::*, u32x8};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dyadic::{EachRow, Pass, Window};
use crate::noise::lattice::{finish, finish_eight};

/// How heights between old points are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// The mean of the two or four points around: the classic rule, which leaves creases along the axes.
    Bilinear,
    /// A cubic through the four points on each line (Dubuc 1986): no creases.
    Cubic,
}

/// Which points a pass displaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Displaced {
    All,
    New,
}

/// Fills in new points by interpolation, and displaces points.
#[inline(always)]
pub(super) fn interpolate<S: Simd>(
    simd: S,
    pass: &Pass,
    (by, displaced): (Interpolation, Displaced),
    (points, old): (&[f32], Window),
    window: Window,
    (out, each_row): (&mut [f32], EachRow<'_>),
) {
    let Pass { amplitude, keys: [key, _] } = *pass;
    // As `signed`, times the amplitude.
    let scale = amplitude * (1.0 / 2_147_483_648.0);
    let mut columns = vec![0; window.width];
    for (c, column) in columns.iter_mut().enumerate() {
        *column = key.column(window.i + c as i32);
    }
    let mut middle = vec![0.0; old.width];
    for (row, samples) in out.chunks_exact_mut(window.width).enumerate() {
        let j = window.j + row as i32;
        let at = ((j >> 1) - old.j) as usize;
        let line = |row: usize| &points[row * old.width..][..old.width];
        let is_new = j & 1 == 1;
        let points = if is_new {
            match by {
                Interpolation::Bilinear => {
                    for ((middle, a), b) in middle.iter_mut().zip(line(at)).zip(line(at + 1)) {
                        *middle = 0.5 * (a + b);
                    }
                }
                Interpolation::Cubic => {
                    let outer = line(at - 1).iter().zip(line(at + 2));
                    let inner = line(at).iter().zip(line(at + 1));
                    for ((middle, outer), inner) in middle.iter_mut().zip(outer).zip(inner) {
                        *middle = cubic([*outer.0, *inner.0, *inner.1, *outer.1]);
                    }
                }
            }
            &middle
        } else {
            line(at)
        };
        let old_scale = if displaced == Displaced::All || is_new { scale } else { 0.0 };
        let first = (window.i - 2 * old.i) as usize;
        let shaken = Shaken { columns: &columns, row: key.row(j), scales: [old_scale, scale] };
        widen(simd, by, (points, first), shaken, samples);
        each_row(samples);
    }
}

/// The cubic through four points in a row, half-way between the inner two.
#[inline(always)]
fn cubic([a, b, c, d]: [f32; 4]) -> f32 {
    0.5625 * (b + c) - 0.0625 * (a + d)
}

/// By how much the samples of a row are displaced.
struct Shaken<'a> {
    /// What the columns and the row add to the hashes of their points.
    columns: &'a [u32],
    row: u32,
    /// The amplitude of old and of new points, for whole numbers of 32 bits.
    scales: [f32; 2],
}

/// Puts a new point between each two neighbours of a row, and displaces all. Sample c lies at (c + first)/2.
#[inline(always)]
fn widen<S: Simd>(
    simd: S,
    by: Interpolation,
    (points, first): (&[f32], usize),
    shaken: Shaken<'_>,
    samples: &mut [f32],
) {
    let Shaken { columns, row, scales } = shaken;
    let one = |c: usize| {
        let at = (c + first) / 2;
        let height = match ((c + first) % 2, by) {
            (0, _) => points[at],
            (_, Interpolation::Bilinear) => 0.5 * (points[at] + points[at + 1]),
            (_, Interpolation::Cubic) => {
                cubic([points[at - 1], points[at], points[at + 1], points[at + 2]])
            }
        };
        height + scales[(c + first) % 2] * (finish(columns[c], row).cast_signed() as f32)
    };
    // Sixteen samples at once, from an old point on.
    let lead = (first % 2).min(samples.len());
    let from = (lead + first) / 2;
    // A row that is too short for the vectors leaves them without points.
    let shifted = |by: usize| points.get(from + by..).unwrap_or(&[]).as_chunks::<8>().0;
    let (here, right) = (shifted(0), shifted(1));
    let (left, beyond) = match by {
        Interpolation::Bilinear => (here, right),
        Interpolation::Cubic => (points[from - 1..].as_chunks::<8>().0, shifted(2)),
    };
    let groups = samples[lead..].as_chunks_mut::<16>().0;
    let count = groups.len().min(right.len()).min(beyond.len());
    let hashes = &columns[lead..].as_chunks::<16>().0[..count];
    let (here, right) = (&here[..count], &right[..count]);
    let (left, beyond) = (&left[..count], &beyond[..count]);
    let row = u32x8::splat(simd, row);
    let scales = f32x8::splat(simd, scales[0]).zip_low(f32x8::splat(simd, scales[1]));
    for k in 0..count {
        let load = |points: &[[f32; 8]]| f32x8::from_slice(simd, &points[k]);
        let (a, b) = (load(here), load(right));
        let middle = match by {
            Interpolation::Bilinear => (a + b) * 0.5,
            Interpolation::Cubic => (a + b) * 0.5625 - (load(left) + load(beyond)) * 0.0625,
        };
        let (first, second) = a.interleave(middle);
        for (half, heights) in [first, second].into_iter().enumerate() {
            let at = 8 * half..8 * half + 8;
            let column = u32x8::from_slice(simd, &hashes[k][at.clone()]);
            let random: i32x8<S> = finish_eight(column, row).bitcast();
            let random: f32x8<S> = random.to_float();
            (heights + random * scales).store_slice(&mut groups[k][at]);
        }
    }
    for c in (0..lead).chain(lead + 16 * count..samples.len()) {
        samples[c] = one(c);
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    #[test]
    fn the_cubic_rule_keeps_parabolas_at_every_simd_width() {
        assert_eq!(cubic([0.0, 1.0, 4.0, 9.0]), 2.25);
        for (first, width) in [(2, 7), (3, 6), (2, 60), (3, 61)] {
            let points: Vec<f32> = (0..40).map(|at| (at * at) as f32).collect();
            let widened = |level, scales| {
                let mut wide = vec![0.0; width];
                let shaken = Shaken { columns: &[5; 61], row: 0, scales };
                dispatch!(level, simd => {
                    widen(simd, Interpolation::Cubic, (&points, first), shaken, &mut wide);
                });
                wide
            };
            let scales = [1e-9, 3e-9];
            let wide = widened(Level::new(), scales);
            assert!(wide == widened(Level::baseline(), scales), "at another SIMD width");
            let wide = widened(Level::new(), [0.0; 2]);
            for (c, height) in wide.into_iter().enumerate() {
                assert_eq!(height, 0.25 * ((c + first) * (c + first)) as f32, "{first}: {c}");
            }
        }
    }
}
