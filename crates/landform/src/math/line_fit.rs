//! The straight line through a cloud of points, by least squares.

/// A line through points by least squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineFit {
    pub(crate) slope: f64,
    /// Square of the correlation.
    pub(crate) fit: f64,
}

/// The line through at least three points.
pub(crate) fn fit_line(points: &[(f64, f64)]) -> Option<LineFit> {
    if points.len() < 3 {
        return None;
    }
    let n = points.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| f(p.0 - x, p.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (xx > 0.0 && yy > 0.0).then(|| LineFit { slope: xy / xx, fit: xy * xy / (xx * yy) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_fitted_exactly() {
        let line = fit_line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-12 && (line.fit - 1.0).abs() < 1e-12);
        assert!(fit_line(&[(0.0, 1.0), (1.0, 3.0)]).is_none());
    }
}
