//! Some rows of a picture on their way to compressed bytes.

use std::ops::Range;

use super::filter::Filter;
use crate::deflate::{self, Compressor, Piece, Reach};

/// The rows of a picture: `fill(j, bytes)` gives row j.
#[derive(Debug)]
pub(super) struct Rows<'a, F> {
    /// Bytes of a row.
    pub(super) stride: usize,
    /// Bytes of a pixel.
    pub(super) pixel: usize,
    /// Number of rows.
    pub(super) height: usize,
    pub(super) fill: &'a F,
}

/// How all strips of a picture are to be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StripPlan {
    /// By runs only, each strip with the filter that suits it best.
    Runs,
    /// Each strip by the better of two ways: runs or the window, each with its filter.
    Window { runs: Filter, window: Filter },
}

/// The window must save this share before it is worth its time.
const WORTHWHILE: f64 = 0.985;

impl StripPlan {
    /// Tries all filters and reaches on a few rows here and there.
    pub(super) fn for_picture<F: Fn(usize, &mut [u8])>(rows: &Rows<'_, F>) -> Self {
        const SPOTS: usize = 12;
        let count = rows.height.min(4);
        let mut strip = Strip::default();
        let mut bits = [[0.0; 2]; Filter::ALL.len()];
        for spot in 0..SPOTS.min(rows.height.div_ceil(count)) {
            let start = (rows.height - count) * spot / (SPOTS - 1);
            strip.load(rows, start..start + count);
            for (filter, bits) in Filter::ALL.into_iter().zip(&mut bits) {
                bits[0] += strip.estimate(rows, filter, Reach::Runs);
                bits[1] += strip.estimate(rows, filter, Reach::Window);
            }
        }
        let best = |reach: usize| {
            let order = |&a: &usize, &b: &usize| bits[a][reach].total_cmp(&bits[b][reach]);
            let best = (0..bits.len()).min_by(order).expect("there are five filters");
            (Filter::ALL[best], bits[best][reach])
        };
        let ((runs, bits_by_runs), (window, bits_by_window)) = (best(0), best(1));
        if bits_by_window < WORTHWHILE * bits_by_runs {
            Self::Window { runs, window }
        } else {
            Self::Runs
        }
    }
}

/// Some rows, with buffers that serve many strips.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// The row above, then the rows.
    raw: Vec<u8>,
    /// The rows, each with its filter before it.
    filtered: Vec<u8>,
    compressor: Compressor,
    compressed: Vec<u8>,
    /// Bytes of `compressed` that are used.
    length: usize,
    /// Adler-32 of what was compressed.
    checksum: u32,
}

impl Strip {
    /// Compresses the rows `range`.
    pub(super) fn make<F: Fn(usize, &mut [u8])>(
        &mut self,
        rows: &Rows<'_, F>,
        range: Range<usize>,
        plan: StripPlan,
        piece: Piece,
    ) {
        let count = range.len();
        let Rows { stride, pixel, .. } = *rows;
        self.load(rows, range);
        let (filter, reach) = match plan {
            StripPlan::Runs => (self.best_filter(rows), Reach::Runs),
            StripPlan::Window { runs, window } => {
                let by_runs = self.estimate(rows, runs, Reach::Runs);
                let by_window = self.estimate(rows, window, Reach::Window);
                if by_window < WORTHWHILE * by_runs {
                    (window, Reach::Window)
                } else {
                    (runs, Reach::Runs)
                }
            }
        };
        self.filtered.resize(count * (stride + 1), 0);
        for (j, line) in self.filtered.chunks_exact_mut(stride + 1).enumerate() {
            let (above, row) = self.raw[j * stride..].split_at(stride);
            line[0] = filter as u8;
            filter.apply(&row[..stride], above, pixel, &mut line[1..]);
        }
        self.compressed.resize(deflate::bound(self.filtered.len()), 0);
        self.length =
            self.compressor.compress(&self.filtered, pixel, reach, piece, &mut self.compressed);
        self.checksum = simd_adler32::adler32(&self.filtered.as_slice());
    }

    /// What became of the rows.
    pub(super) fn compressed(&self) -> &[u8] {
        &self.compressed[..self.length]
    }

    /// Adler-32 and length of what was compressed.
    pub(super) fn checksum(&self) -> (u32, usize) {
        (self.checksum, self.filtered.len())
    }

    fn load<F: Fn(usize, &mut [u8])>(&mut self, rows: &Rows<'_, F>, range: Range<usize>) {
        let stride = rows.stride;
        self.raw.resize((range.len() + 1) * stride, 0);
        match range.start.checked_sub(1) {
            Some(above) => (rows.fill)(above, &mut self.raw[..stride]),
            None => self.raw[..stride].fill(0),
        }
        for (j, row) in range.zip(self.raw[stride..].chunks_exact_mut(stride)) {
            (rows.fill)(j, row);
        }
    }

    fn best_filter<F>(&mut self, rows: &Rows<'_, F>) -> Filter {
        let mut best = (f64::INFINITY, Filter::Paeth);
        for filter in Filter::ALL {
            let bits = self.estimate(rows, filter, Reach::Runs);
            if bits < best.0 {
                best = (bits, filter);
            }
        }
        best.1
    }

    /// The bits that two or four rows in the middle would take.
    fn estimate<F>(&mut self, rows: &Rows<'_, F>, filter: Filter, reach: Reach) -> f64 {
        let Rows { stride, pixel, .. } = *rows;
        let count = self.raw.len() / stride - 1;
        // Matches are often with the row above: they need some.
        let tried = count.min(if reach == Reach::Runs { 2 } else { 4 });
        let first = (count - tried) / 2;
        self.filtered.resize(tried * stride, 0);
        for (j, line) in self.filtered.chunks_exact_mut(stride).enumerate() {
            let (above, row) = self.raw[(first + j) * stride..].split_at(stride);
            filter.apply(&row[..stride], above, pixel, line);
        }
        self.compressor.estimate(&self.filtered, pixel, reach) / tried as f64
    }
}
