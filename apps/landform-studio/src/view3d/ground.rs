//! The surface that rays meet: samples joined by bilinear patches, in exaggerated metres.

use landform::math::vector::{Vec3, along};

use super::scene::Scene;

/// The heights of a scene, ready for rays.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeightSurface<'a> {
    pub(super) size: [usize; 2],
    pub(super) spacing: [f64; 2],
    pub(super) heights: &'a [f32],
    pub(super) exaggeration: f64,
    /// Lowest and highest sample in metres.
    pub(super) range: [f32; 2],
}

impl<'a> HeightSurface<'a> {
    pub(super) fn new(scene: &Scene<'a>, range: [f32; 2]) -> Self {
        let Scene { size, spacing, heights, exaggeration, .. } = *scene;
        Self { size, spacing, heights, exaggeration, range }
    }

    /// Metres to the east and to the south.
    pub(super) fn sides(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.size[axis].max(2) - 1) as f64 * self.spacing[axis])
    }

    /// Height at a place, which is moved to the border if it lies beyond.
    pub(super) fn height_at(&self, x: f64, z: f64) -> f64 {
        let cell = |axis: usize, value: f64| {
            let last = self.size[axis].saturating_sub(1);
            let place = (value / self.spacing[axis]).clamp(0.0, last as f64);
            let k = (place as usize).min(last.saturating_sub(1));
            (k, (k + 1).min(last), place - k as f64)
        };
        let ((i, k, u), (j, l, v)) = (cell(0, x), cell(1, z));
        let at = |i: usize, j: usize| {
            let height = self.heights[j * self.size[0] + i];
            f64::from(if height.is_finite() { height } else { self.range[0] })
        };
        let (top, bottom) =
            (at(i, j) + (at(k, j) - at(i, j)) * u, at(i, l) + (at(k, l) - at(i, l)) * u);
        (top + (bottom - top) * v) * self.exaggeration
    }

    /// Where a ray first meets the ground or the water over it.
    ///
    /// The ray is followed in steps of half a cell and the crossing then halved: a summit narrower than that
    /// and only grazed can be missed.
    pub(super) fn cast(&self, origin: Vec3, direction: Vec3, water: Option<f64>) -> Option<Vec3> {
        let level = water.map_or(f64::NEG_INFINITY, |level| level * self.exaggeration);
        let [start, end] = self.pass(origin, direction, level)?;
        let cells_a_metre =
            (direction[0].abs() / self.spacing[0]).max(direction[2].abs() / self.spacing[1]);
        let count = ((end - start) * cells_a_metre * 2.0).ceil().clamp(1.0, 1e5);
        let over = |t: f64| {
            let [x, y, z] = along(origin, direction, t);
            y - self.height_at(x, z).max(level)
        };
        let mut before = start;
        if over(start) < 0.0 {
            // Through a side of the block.
            return Some(along(origin, direction, start));
        }
        for k in 1..=count as usize {
            let t = start + (end - start) * k as f64 / count;
            if over(t) <= 0.0 {
                let (mut low, mut high) = (before, t);
                for _ in 0..40 {
                    let middle = 0.5 * (low + high);
                    if over(middle) > 0.0 { low = middle } else { high = middle }
                }
                return Some(along(origin, direction, high));
            }
            before = t;
        }
        None
    }

    /// The part of a ray over the terrain and below its highest place and the water.
    fn pass(&self, origin: Vec3, direction: Vec3, level: f64) -> Option<[f64; 2]> {
        let [gx, gz] = self.sides();
        let heights = self.range.map(|h| f64::from(h) * self.exaggeration);
        // A ray that goes below the lowest ground has passed it.
        let (low, high) =
            (heights[0].min(heights[1]) - 1e-6, heights[0].max(heights[1]).max(level) + 1e-6);
        let margin = 1e-3 * (high - low);
        let slabs = [(0.0, gx), (low - margin, high + margin), (0.0, gz)];
        let (mut start, mut end) = (0.0_f64, f64::INFINITY);
        for (axis, (from, to)) in slabs.into_iter().enumerate() {
            if direction[axis].abs() < 1e-12 {
                if !(from..=to).contains(&origin[axis]) {
                    return None;
                }
                continue;
            }
            let [a, b] = [from, to].map(|side| (side - origin[axis]) / direction[axis]);
            (start, end) = (start.max(a.min(b)), end.min(a.max(b)));
        }
        (start <= end && end.is_finite()).then_some([start, end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::math::vector::{sub, unit};

    fn bowl() -> Vec<f32> {
        let height = |k: usize| {
            let (x, z) = ((k % 33) as f32 - 16.0, (k / 33) as f32 - 16.0);
            0.5 * (x * x + z * z)
        };
        (0..33 * 33).map(height).collect()
    }

    fn ground(heights: &[f32], exaggeration: f64) -> HeightSurface<'_> {
        let range = [0.0, heights.iter().copied().fold(0.0, f32::max)];
        HeightSurface { size: [33, 33], spacing: [10.0, 20.0], heights, exaggeration, range }
    }

    #[test]
    fn a_ray_meets_the_ground_that_it_is_sent_to() {
        let heights = bowl();
        let ground = ground(&heights, 2.0);
        for (x, z) in [(160.0, 320.0), (100.0, 250.0), (203.0, 401.0)] {
            let aim = [x, ground.height_at(x, z), z];
            let eye = [170.0, 900.0, 330.0];
            let hit = ground.cast(eye, unit(sub(aim, eye)), None).expect("it is not hidden");
            assert!((0..3).all(|c| (hit[c] - aim[c]).abs() < 1e-6), "{hit:?} {aim:?}");
        }
    }

    #[test]
    fn a_ray_ends_at_the_water() {
        let heights = bowl();
        let ground = ground(&heights, 2.0);
        let hit = ground.cast([160.0, 900.0, 320.0], [0.0, -1.0, 0.0], Some(50.0)).unwrap();
        assert!((hit[1] - 100.0).abs() < 1e-6, "{hit:?}");
    }

    #[test]
    fn a_ray_beside_or_above_the_terrain_meets_nothing() {
        let heights = bowl();
        let ground = ground(&heights, 1.0);
        assert_eq!(ground.cast([-10.0, 900.0, 5.0], [0.0, -1.0, 0.0], None), None);
        assert_eq!(ground.cast([160.0, 900.0, 320.0], [0.0, 1.0, 0.0], None), None);
        assert_eq!(ground.cast([160.0, 900.0, 320.0], [1.0, 0.0, 0.0], None), None);
    }

    #[test]
    fn ground_without_heights_is_as_low_as_the_lowest() {
        let mut heights = bowl();
        heights[16 * 33 + 5] = f32::NAN;
        let ground = ground(&heights, 1.0);
        assert_eq!(ground.height_at(50.0, 320.0), 0.0);
    }

    #[test]
    fn one_sample_is_a_place_to_stand_on() {
        let ground = HeightSurface {
            size: [1, 1],
            spacing: [1.0, 1.0],
            heights: &[7.0],
            exaggeration: 1.0,
            range: [7.0, 7.0],
        };
        assert_eq!(ground.height_at(3.0, -2.0), 7.0);
        assert!(ground.cast([0.5, 100.0, 0.5], [0.0, -1.0, 0.0], None).is_some());
    }
}
