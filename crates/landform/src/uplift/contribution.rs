//! Which peaks make the ground at a place.

use super::{Cone, Curve};

/// What a peak adds to the ground at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// Its place in the list of peaks, counted from 0.
    pub index: usize,
    /// Metres: its own height there, divided by the divisor of the average.
    pub adds: f64,
}

/// What each peak adds at the place (x, z) in metres, the strongest first; those that do not reach it are left out.
pub fn contributions(
    cones: impl IntoIterator<Item = Cone>,
    curve: Curve,
    divisor: f64,
    [x, z]: [f64; 2],
) -> Vec<Contribution> {
    let of = |(index, cone): (usize, Cone)| Contribution {
        index,
        adds: cone.height_at(x, z, curve) / divisor,
    };
    let all = cones.into_iter().enumerate().map(of);
    let mut list: Vec<Contribution> = all.filter(|part| part.adds != 0.0).collect();
    list.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()).then(a.index.cmp(&b.index)));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_peak_comes_first_and_those_that_do_not_reach_are_left_out() {
        let cone = |x: f64, height: f64| Cone { x, z: 0.0, height, radius: 100.0 };
        let cones = [cone(90.0, 50.0), cone(10.0, 80.0), cone(500.0, 900.0), cone(0.0, -60.0)];
        let list = contributions(cones, Curve::Tent, 4.0, [0.0, 0.0]);
        let pairs: Vec<(usize, f64)> = list.iter().map(|part| (part.index, part.adds)).collect();
        assert_eq!(pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(), [1, 3, 0]);
        assert!((pairs[0].1 - 18.0).abs() < 1e-12 && pairs[1].1 == -15.0);
        assert_eq!(contributions(cones, Curve::InvertedV, 4.0, [0.0, 0.0]).len(), 4);
    }
}
