//! A block of ground with its base, for a 3-D printer.
//!
//! Millimetres, x to the east, y to the north, z up, all at or above 0. The surface is closed by a wall around it and a floor, every edge
//! shared by exactly two triangles that run along it in opposite directions, all fronts outwards.
//! The floor is a fan around its middle, so that it needs no vertices but those below the border.

use crate::{Error, Format, Raster, Result};

/// How ground becomes a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Print {
    /// Length of the longer side in millimetres.
    pub width_mm: f64,
    /// Thickness below the lowest point in millimetres.
    pub base_mm: f64,
    /// How many times steeper than in nature.
    pub exaggeration: f64,
    /// Height in metres of the top of the base, which tiles of one terrain must share; the lowest sample if not given.
    pub lowest: Option<f64>,
}

impl Default for Print {
    fn default() -> Self {
        Self { width_mm: 150.0, base_mm: 3.0, exaggeration: 1.0, lowest: None }
    }
}

/// The block: its vertices and triangles by number.
#[derive(Debug)]
pub(crate) struct Solid<'a> {
    raster: &'a Raster<'a>,
    print: Print,
    /// Millimetres a metre.
    scale: f64,
    lowest: f64,
}

impl<'a> Solid<'a> {
    pub(crate) fn new(raster: &'a Raster<'a>, print: Print, format: Format) -> Result<Self> {
        let (width, height) = (raster.width(), raster.rows());
        let unfit =
            |reason: &str| Err(Error::Unfit { format, width, height, reason: reason.to_owned() });
        if width < 2 || height < 2 {
            return unfit("a solid needs at least 2 × 2");
        }
        // Vertices and triangles are counted in 32 bits; there are about twice as many triangles.
        if width.checked_mul(height).is_none_or(|count| count > 1 << 30) {
            return unfit("a solid has at most 1073741824 samples; write tiles");
        }
        for (what, value) in [
            ("print.width_mm", print.width_mm),
            ("print.base_mm", print.base_mm),
            ("print.exaggeration", print.exaggeration),
        ] {
            if !(value > 0.0 && value <= 1e6) {
                let (found, expected) =
                    (value.to_string(), "above 0 and at most 1000000".to_owned());
                return Err(Error::Option { format, what, found, expected });
            }
        }
        raster.check_finite(format)?;
        let ground = [(width, 0), (height, 1)]
            .map(|(count, axis)| (count - 1) as f64 * raster.spacing[axis]);
        let scale = print.width_mm / ground[0].max(ground[1]);
        let lowest = print.lowest.unwrap_or(raster.samples.range().0.into());
        Ok(Self { raster, print, scale, lowest })
    }

    /// Number of samples on the border.
    fn ring(&self) -> usize {
        2 * (self.raster.width() - 1) + 2 * (self.raster.rows() - 1)
    }

    pub(crate) fn vertices(&self) -> usize {
        self.raster.width() * self.raster.rows() + self.ring() + 1
    }

    pub(crate) fn triangles(&self) -> usize {
        2 * (self.raster.width() - 1) * (self.raster.rows() - 1) + 3 * self.ring()
    }

    /// Vertices: the samples, then those below the border, then the middle of the floor.
    pub(crate) fn vertex(&self, k: usize) -> [f32; 3] {
        let (width, rows) = (self.raster.width(), self.raster.rows());
        let place = |i: f64, j: f64| {
            let x = i * self.raster.spacing[0] * self.scale;
            let y = ((rows - 1) as f64 - j) * self.raster.spacing[1] * self.scale;
            [x as f32, y as f32]
        };
        let samples = width * rows;
        if k < samples {
            let (i, j) = (k % width, k / width);
            let above = f64::from(self.raster.samples[(i, j)]) - self.lowest;
            let z = self.print.base_mm + above * self.scale * self.print.exaggeration;
            let [x, y] = place(i as f64, j as f64);
            return [x, y, z as f32];
        }
        let [x, y] = if k < samples + self.ring() {
            let (i, j) = self.border(k - samples);
            place(i as f64, j as f64)
        } else {
            place((width - 1) as f64 / 2.0, (rows - 1) as f64 / 2.0)
        };
        [x, y, 0.0]
    }

    /// The border, counter-clockwise seen from above, from the south-west corner.
    fn border(&self, k: usize) -> (usize, usize) {
        let (east, south) = (self.raster.width() - 1, self.raster.rows() - 1);
        let k = k % self.ring();
        if k < east {
            (k, south)
        } else if k < east + south {
            (east, south - (k - east))
        } else if k < 2 * east + south {
            (east - (k - east - south), 0)
        } else {
            (0, k - 2 * east - south)
        }
    }

    /// Triangles: the surface, then the wall, then the floor.
    pub(crate) fn triangle(&self, t: usize) -> [u32; 3] {
        let width = self.raster.width();
        let cells = (width - 1) * (self.raster.rows() - 1);
        if t < 2 * cells {
            let (i, j) = (t / 2 % (width - 1), t / 2 / (width - 1));
            let corners = super::cell_triangles((j * width + i) as u32, width as u32);
            let first = 3 * (t % 2);
            return [corners[first], corners[first + 1], corners[first + 2]];
        }
        let samples = width * self.raster.rows();
        let (edge, part) = ((t - 2 * cells) / 3, (t - 2 * cells) % 3);
        let above = |k: usize| {
            let (i, j) = self.border(k);
            (j * width + i) as u32
        };
        let below = |k: usize| (samples + k % self.ring()) as u32;
        let middle = (samples + self.ring()) as u32;
        match part {
            0 => [below(edge), below(edge + 1), above(edge + 1)],
            1 => [below(edge), above(edge + 1), above(edge)],
            _ => [middle, below(edge + 1), below(edge)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Grid;
    use std::collections::BTreeMap;

    #[test]
    fn every_edge_is_shared_by_two_triangles_in_opposite_directions() {
        for (width, rows) in [(2, 2), (2, 5), (5, 2), (7, 4)] {
            let samples = Grid::from_fn(width, rows, |i, j| ((i * 7 + j * 5) % 4) as f32);
            let raster =
                Raster { samples: &samples, spacing: [3.0, 2.0], origin: [0.0; 2], unit: "m" };
            let solid = Solid::new(&raster, Print::default(), Format::Stl).unwrap();
            let mut edges = BTreeMap::new();
            let mut volume = 0.0;
            for t in 0..solid.triangles() {
                let [a, b, c] = solid.triangle(t);
                for edge in [(a, b), (b, c), (c, a)] {
                    assert!(edges.insert(edge, t).is_none(), "{edge:?} twice the same way");
                }
                let [a, b, c] = [a, b, c].map(|k| solid.vertex(k as usize).map(f64::from));
                volume += (a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0]))
                    / 6.0;
            }
            assert!(edges.keys().all(|&(a, b)| edges.contains_key(&(b, a))), "an edge is open");
            let used = edges.keys().map(|edge| edge.0).max().unwrap() as usize;
            assert_eq!(used + 1, solid.vertices());
            // Fronts face outwards: the volume is positive, and at least that of the base.
            let [x, y] = [(width - 1) as f64 * 3.0, (rows - 1) as f64 * 2.0];
            let scale = 150.0 / x.max(y);
            assert!(volume > x * y * scale * scale * 3.0 * 0.999, "{volume}");
        }
    }

    #[test]
    fn the_longer_side_has_the_width_and_the_lowest_point_the_base() {
        let samples = Grid::from_vec(3, 2, vec![10.0, 20.0, 30.0, 10.0, 10.0, 10.0]);
        let raster = Raster { samples: &samples, spacing: [50.0; 2], origin: [0.0; 2], unit: "m" };
        let print = Print { width_mm: 100.0, base_mm: 2.0, exaggeration: 2.0, lowest: None };
        let solid = Solid::new(&raster, print, Format::Stl).unwrap();
        assert_eq!(solid.vertex(0), [0.0, 50.0, 2.0]);
        assert_eq!(solid.vertex(2), [100.0, 50.0, 42.0]);
        let line = Grid::filled(3, 1, 0.0);
        let raster = Raster { samples: &line, ..raster };
        assert!(Solid::new(&raster, print, Format::Stl).is_err());
        let print = Print { base_mm: 0.0, ..print };
        let raster = Raster { samples: &samples, ..raster };
        let error = Solid::new(&raster, print, Format::Stl).unwrap_err().to_string();
        assert!(error.contains("print.base_mm is 0"), "{error}");
    }
}
