//! Which share of each pixel a polygon covers, exactly.
//!
//! Every edge adds its signed area to the pixels right of it; a running sum along the row then gives the
//! winding-weighted cover of each pixel. Polygons that turn the same way add up and are clamped to 1, so
//! a stroke may be laid of overlapping pieces.

/// A point in pixels: (0, 0) is the top left corner of the top left pixel.
pub(crate) type Point = [f64; 2];

/// A shape being covered, within the box that it may touch.
#[derive(Debug)]
pub(crate) struct Coverage {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    /// Differences along x of the cover; one more column than the box.
    steps: Vec<f32>,
}

impl Coverage {
    /// An empty shape in a picture of `size` that may touch the box from `low` to `high`.
    pub(crate) fn new(size: [usize; 2], low: Point, high: Point) -> Self {
        let edge = |value: f64, side: usize| value.clamp(0.0, side as f64) as usize;
        let (left, top) = (edge(low[0].floor(), size[0]), edge(low[1].floor(), size[1]));
        let width = edge(high[0].ceil(), size[0]).saturating_sub(left);
        let height = edge(high[1].ceil(), size[1]).saturating_sub(top);
        Self { left, top, width, height, steps: vec![0.0; (width + 1) * height] }
    }

    /// The shape of closed rings: holes turn the other way.
    pub(crate) fn of_rings(size: [usize; 2], rings: &[Vec<Point>]) -> Self {
        let points = || rings.iter().flatten().filter(|p| p[0].is_finite() && p[1].is_finite());
        let low = points().fold([f64::INFINITY; 2], |a, p| [a[0].min(p[0]), a[1].min(p[1])]);
        let high = points().fold([f64::NEG_INFINITY; 2], |a, p| [a[0].max(p[0]), a[1].max(p[1])]);
        let mut shape = Self::new(size, low, high);
        rings.iter().for_each(|ring| shape.add(ring));
        shape
    }

    /// The shape of a line along `points`, `thickness` pixels wide, with round joins and ends.
    pub(crate) fn of_stroke(size: [usize; 2], points: &[Point], thickness: f64) -> Self {
        Self::of_strokes(size, std::slice::from_ref(&points), thickness)
    }

    /// The shape of several lines together.
    pub(crate) fn of_strokes<L: AsRef<[Point]>>(
        size: [usize; 2],
        lines: &[L],
        thickness: f64,
    ) -> Self {
        let r = thickness / 2.0;
        let points = || lines.iter().flat_map(|line| line.as_ref());
        let low = points().fold([f64::INFINITY; 2], |a, p| [a[0].min(p[0]), a[1].min(p[1])]);
        let high = points().fold([f64::NEG_INFINITY; 2], |a, p| [a[0].max(p[0]), a[1].max(p[1])]);
        let mut shape = Self::new(size, low.map(|v| v - r - 1.0), high.map(|v| v + r + 1.0));
        for line in lines {
            shape.add_stroke(line.as_ref(), r);
        }
        shape
    }

    fn add_stroke(&mut self, points: &[Point], r: f64) {
        for pair in points.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = (dx * dx + dy * dy).sqrt();
            if length > 0.0 {
                let (nx, ny) = (-dy / length * r, dx / length * r);
                self.add(&[
                    [a[0] + nx, a[1] + ny],
                    [a[0] - nx, a[1] - ny],
                    [b[0] - nx, b[1] - ny],
                    [b[0] + nx, b[1] + ny],
                ]);
            }
        }
        // Thin lines need no joins: the gap is a small part of a pixel.
        if r > 0.75 {
            points.iter().for_each(|&p| self.add(&circle(p, r)));
        }
    }

    /// Adds the closed ring through `points`.
    pub(crate) fn add(&mut self, points: &[Point]) {
        let Some(&last) = points.last() else { return };
        let mut from = last;
        for &to in points {
            self.add_edge(from, to);
            from = to;
        }
    }

    fn add_edge(&mut self, from: Point, to: Point) {
        let finite = from.iter().chain(&to).all(|value| value.is_finite());
        if !finite || from[1] == to[1] {
            return;
        }
        let (sign, top, bottom) = if from[1] < to[1] { (1.0, from, to) } else { (-1.0, to, from) };
        let offset = [self.left as f64, self.top as f64];
        let (x0, y0) = (top[0] - offset[0], top[1] - offset[1]);
        let (x1, y1) = (bottom[0] - offset[0], bottom[1] - offset[1]);
        let lean = (x1 - x0) / (y1 - y0);
        let (start, end) = (y0.max(0.0), y1.min(self.height as f64));
        if start >= end {
            return;
        }
        for row in start as usize..(end.ceil() as usize).min(self.height) {
            let (a, b) = (start.max(row as f64), end.min(row as f64 + 1.0));
            self.add_span(row, [x0 + (a - y0) * lean, x0 + (b - y0) * lean], sign * (b - a));
        }
    }

    /// Adds an edge piece inside one row, from x to x, that is `rise` rows high.
    fn add_span(&mut self, row: usize, x: [f64; 2], rise: f64) {
        let (left, right) = (x[0].min(x[1]), x[0].max(x[1]));
        let steps = &mut self.steps[row * (self.width + 1)..(row + 1) * (self.width + 1)];
        let width = self.width as f64;
        let run = right - left;
        // Left of the box an edge covers whole pixels; right of it none.
        let outside =
            if run > 0.0 { ((-left).clamp(0.0, run)) / run } else { f64::from(left < 0.0) };
        steps[0] += (rise * outside) as f32;
        let (inner_left, inner_right) = (left.max(0.0), right.min(width));
        if inner_left > inner_right || inner_left >= width || right < 0.0 {
            return;
        }
        let mut from = inner_left;
        let mut column = inner_left as usize;
        loop {
            let to = inner_right.min((column + 1) as f64);
            let share = if run > 0.0 { (to - from) / run } else { 1.0 };
            let mean = (from + to) / 2.0 - column as f64;
            steps[column] += (rise * share * (1.0 - mean)) as f32;
            steps[column + 1] += (rise * share * mean) as f32;
            column += 1;
            if (column as f64) >= inner_right {
                break;
            }
            from = to;
        }
    }

    /// Calls `f(x, y, cover)` for every pixel that is covered.
    pub(crate) fn for_each(&self, mut f: impl FnMut(usize, usize, f32)) {
        if self.width == 0 {
            return;
        }
        for (y, row) in self.steps.chunks_exact(self.width + 1).enumerate() {
            let mut sum = 0.0_f32;
            for (x, step) in row[..self.width].iter().enumerate() {
                sum += step;
                let cover = sum.abs().min(1.0);
                // What remains of a sum that should be 0 is rounding.
                if cover > 1e-4 {
                    f(self.left + x, self.top + y, cover);
                }
            }
        }
    }
}

/// A circle as a ring with sides of about half a pixel's deviation at most.
pub(crate) fn circle(center: Point, radius: f64) -> Vec<Point> {
    let sides = (8.0 + 4.0 * radius.max(0.0).sqrt() * 2.0).clamp(12.0, 720.0) as usize;
    (0..sides)
        .map(|k| {
            let angle = k as f64 / sides as f64 * std::f64::consts::TAU;
            [
                center[0] + radius * landform::math::cos(angle),
                center[1] + radius * landform::math::sin(angle),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(shape: &Coverage) -> f64 {
        let mut sum = 0.0;
        shape.for_each(|_, _, cover| sum += f64::from(cover));
        sum
    }

    #[test]
    fn cover_is_the_area_of_the_polygon() {
        let square = vec![[1.25, 1.5], [4.75, 1.5], [4.75, 3.25], [1.25, 3.25]];
        assert!((area(&Coverage::of_rings([8, 8], &[square])) - 3.5 * 1.75).abs() < 1e-5);
        let triangle = vec![[0.3, 7.1], [6.9, 5.2], [3.3, 0.4]];
        let want = 0.5 * (6.6_f64 * -6.7 - 3.0 * -1.9).abs();
        assert!((area(&Coverage::of_rings([8, 8], &[triangle])) - want).abs() < 1e-4);
    }

    #[test]
    fn what_lies_outside_the_picture_is_cut_off() {
        let large = vec![[-50.0, -3.0], [99.0, -3.0], [99.0, 40.0], [-50.0, 40.0]];
        assert!((area(&Coverage::of_rings([8, 6], &[large])) - 48.0).abs() < 1e-4);
        let tilted = vec![[-9.0, 4.0], [4.0, -9.0], [17.0, 4.0], [4.0, 17.0]];
        assert!((area(&Coverage::of_rings([8, 8], &[tilted])) - 64.0).abs() < 1e-3);
        let away = vec![[-9.0, -4.0], [-4.0, -9.0], [-3.0, -4.0]];
        assert_eq!(area(&Coverage::of_rings([8, 8], &[away])), 0.0);
    }

    #[test]
    fn a_ring_with_a_hole_covers_what_lies_between() {
        let hole: Vec<Point> = circle([10.0, 10.0], 4.0).into_iter().rev().collect();
        let shape = Coverage::of_rings([20, 20], &[circle([10.0, 10.0], 8.0), hole]);
        let want = std::f64::consts::PI * (64.0 - 16.0);
        assert!((area(&shape) / want - 1.0).abs() < 0.02);
    }

    #[test]
    fn a_stroke_is_as_wide_as_asked() {
        let shape = Coverage::of_stroke([40, 40], &[[5.0, 6.0], [35.0, 30.0]], 1.0);
        let length = (30.0_f64 * 30.0 + 24.0 * 24.0).sqrt();
        assert!((area(&shape) / length - 1.0).abs() < 0.01);
    }
}
