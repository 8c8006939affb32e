//! Cross-sections of valleys: how a wall rises from the floor, which tells valleys of rivers from troughs of ice.
//!
//! ```text
//! z − z_0 = a·|x|^b       x distance from the lowest place of the section, z_0 its height
//! ```
//!
//! b is about 1 where straight slopes meet in a V, and about 2 where ice has worn a U (Svensson 1959; Pattyn & Van Huele 1998). It is the slope
//! of the straight line through (ln x, ln(z − z_0)) of samples at even distances, up to half the height of the wall: above it often stands what the
//! ice has not reached. Both walls of a section are fitted alone, and b is their mean.
//!
//! Sections stand on places that drain more than a given area, across the line that those places make around them. Places where
//! valleys meet have no such line and are left out, as are sections with a wall lower than a given height.

use crate::{Grid, Lattice, math};

/// Samples around a place that tell the direction of its valley.
const WINDOW: usize = 5;
/// How much longer than wide the line of a valley is there: the ratio of its second moments.
const LINE: f64 = 8.0;
/// Samples to both sides among which the lowest place of a section is sought.
const SEARCH: i32 = 4;
/// Share of the height of a wall that is fitted.
const FITTED: f64 = 0.5;
/// Share of the height of a wall below which its samples are floor.
const FLOOR: f64 = 0.01;
/// How far a wall may fall back before it ends, as a share of its height, and in m: floors are uneven.
const NOTCH: f64 = 0.05;
const UNEVEN: f64 = 15.0;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Least area that drains through a place, in m².
    pub least_area: f64,
    /// Least height of both walls, in m.
    pub least_wall: f64,
    /// Half the length of a section, in m.
    pub reach: f64,
}

/// A section across a valley.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValleyProfile {
    /// Where it crosses the valley, in m.
    pub place: [f64; 2],
    /// Height of the lowest place, in m.
    pub floor: f64,
    /// Height of the lower wall, in m.
    pub depth: f64,
    /// b, the mean of both walls.
    pub exponent: f64,
}

/// All sections across the valleys of `heights`; `flow` is the area in m² that drains through each sample.
///
/// # Panics
/// If the grids have not the size of the lattice.
pub fn valley_profiles(
    heights: &Grid,
    flow: &Grid,
    lattice: &Lattice,
    search: &Search,
) -> Vec<ValleyProfile> {
    let size = lattice.size.map(|count| count as usize);
    for grid in [heights, flow] {
        assert_eq!([grid.width(), grid.height()], size, "grids must cover the lattice");
    }
    let ground = Section { heights, lattice, search };
    let mut found = Vec::new();
    for j in WINDOW..size[1].saturating_sub(WINDOW) {
        for i in WINDOW..size[0].saturating_sub(WINDOW) {
            if f64::from(flow[(i, j)]) >= search.least_area
                && let Some(along) = direction(flow, lattice, search.least_area, [i, j])
                && let Some(profile) = ground.across([i, j], along)
            {
                found.push(profile);
            }
        }
    }
    found
}

/// The middle of the exponents; nothing if there are no sections.
pub fn median_exponent(profiles: &[ValleyProfile]) -> Option<f64> {
    let mut exponents: Vec<f64> = profiles.iter().map(|profile| profile.exponent).collect();
    exponents.sort_by(f64::total_cmp);
    exponents.get(exponents.len() / 2).copied()
}

/// The unit vector along the valley, if the places of a valley around a sample lie on a line.
fn direction(flow: &Grid, lattice: &Lattice, least: f64, [i, j]: [usize; 2]) -> Option<[f64; 2]> {
    let [dx, dz] = lattice.spacing;
    let (mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0);
    for row in j - WINDOW..=j + WINDOW {
        for column in i - WINDOW..=i + WINDOW {
            if f64::from(flow[(column, row)]) >= least {
                let x = (column as f64 - i as f64) * dx;
                let z = (row as f64 - j as f64) * dz;
                xx += x * x;
                xz += x * z;
                zz += z * z;
            }
        }
    }
    // Eigenvalues of the matrix of second moments.
    let (mean, half) = (0.5 * (xx + zz), 0.5 * (xx - zz));
    let spread = (half * half + xz * xz).sqrt();
    let (long, short) = (mean + spread, mean - spread);
    if long <= 0.0 || long < LINE * short {
        return None;
    }
    let along = if half >= 0.0 { [half + spread, xz] } else { [xz, spread - half] };
    let length = math::length(along[0], along[1]);
    (length > 0.0).then(|| along.map(|part| part / length))
}

struct Section<'a> {
    heights: &'a Grid,
    lattice: &'a Lattice,
    search: &'a Search,
}

impl Section<'_> {
    /// The section through a sample, across a direction.
    fn across(&self, [i, j]: [usize; 2], along: [f64; 2]) -> Option<ValleyProfile> {
        let [dx, dz] = self.lattice.spacing;
        let step = dx.min(dz);
        let middle = [i as f64 * dx, j as f64 * dz];
        let at = |k: i32| {
            let s = f64::from(k) * step;
            self.height([middle[0] - along[1] * s, middle[1] + along[0] * s])
        };
        let (mut lowest, mut floor) = (0, at(0)?);
        for k in -SEARCH..=SEARCH {
            let height = at(k)?;
            if height < floor {
                (lowest, floor) = (k, height);
            }
        }
        let most = (self.search.reach / step) as i32;
        let wall = |side: i32| {
            let rises = (1..=most).map_while(|k| at(lowest + side * k)).map(|z| z - floor);
            let wall = up_to_ridge(rises.collect());
            let height = wall.last().copied().unwrap_or(0.0);
            (height >= self.search.least_wall)
                .then(|| Some((height, exponent(&wall, height)?)))
                .flatten()
        };
        let ((left, b_left), (right, b_right)) = (wall(-1)?, wall(1)?);
        let exponent = 0.5 * (b_left + b_right);
        Some(ValleyProfile { place: middle, floor, depth: left.min(right), exponent })
    }

    /// Between the samples; nothing beyond the border.
    fn height(&self, [x, z]: [f64; 2]) -> Option<f64> {
        let (u, v) = (x / self.lattice.spacing[0], z / self.lattice.spacing[1]);
        if u < 0.0 || v < 0.0 {
            return None;
        }
        let (i, j) = (u as usize, v as usize);
        if i + 1 >= self.heights.width() || j + 1 >= self.heights.height() {
            return None;
        }
        let at = |i: usize, j: usize| f64::from(self.heights[(i, j)]);
        let (s, t) = (u - i as f64, v - j as f64);
        let north = math::lerp(at(i, j), at(i + 1, j), s);
        let south = math::lerp(at(i, j + 1), at(i + 1, j + 1), s);
        Some(math::lerp(north, south, t))
    }
}

/// A wall from the floor to its ridge: the highest place before it falls back.
fn up_to_ridge(mut rises: Vec<f64>) -> Vec<f64> {
    let (mut top, mut ridge) = (0.0_f64, 0);
    for (k, &rise) in rises.iter().enumerate() {
        if rise > top {
            (top, ridge) = (rise, k + 1);
        } else if rise < top - (NOTCH * top).max(UNEVEN) {
            break;
        }
    }
    rises.truncate(ridge);
    rises
}

/// b of a wall whose samples rise so much over the floor, one step after the other.
fn exponent(wall: &[f64], height: f64) -> Option<f64> {
    let (mut n, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (k, &rise) in wall.iter().enumerate().take_while(|(_, rise)| **rise <= FITTED * height) {
        // The floor itself is no part of the wall, and what rises by nothing has no logarithm.
        if rise < FLOOR * height {
            continue;
        }
        let (ln_x, ln_z) = (math::ln((k + 1) as f64), math::ln(rise));
        n += 1.0;
        x += ln_x;
        y += ln_z;
        xx += ln_x * ln_x;
        xy += ln_x * ln_z;
    }
    let spread = n * xx - x * x;
    (n >= 4.0 && spread > 0.0).then(|| (n * xy - x * y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight valley to the south-east whose walls rise by this power.
    fn valley(power: f64) -> [Grid; 2] {
        let x = |i: usize, j: usize| (i as f64 - j as f64).abs() * 20.0 / 2.0_f64.sqrt();
        let height = |i: usize, j: usize| {
            let rise = 400.0 * math::pow(x(i, j) / 600.0, power);
            (rise.min(800.0 - rise.min(400.0)) + 0.5 * (i + j) as f64) as f32
        };
        let flow = |i: usize, j: usize| if i == j { 1e6 } else { 400.0 };
        [Grid::from_fn(101, 101, height), Grid::from_fn(101, 101, flow)]
    }

    const LATTICE: Lattice = Lattice { size: [101, 101], spacing: [20.0, 20.0] };
    const SEARCH: Search = Search { least_area: 5e5, least_wall: 100.0, reach: 600.0 };

    #[test]
    fn the_power_of_the_walls_is_found() {
        for power in [1.0, 1.5, 2.0, 2.5] {
            let [heights, flow] = valley(power);
            let profiles = valley_profiles(&heights, &flow, &LATTICE, &SEARCH);
            let median = median_exponent(&profiles).unwrap();
            assert!(profiles.len() > 40, "{}", profiles.len());
            assert!((median - power).abs() < 0.1, "{power}: {median}");
        }
    }

    #[test]
    fn plains_and_low_walls_have_no_sections() {
        let [heights, flow] = valley(2.0);
        let low = Search { least_wall: 1000.0, ..SEARCH };
        assert!(valley_profiles(&heights, &flow, &LATTICE, &low).is_empty());
        let plain = Grid::filled(101, 101, 5.0);
        assert!(valley_profiles(&plain, &flow, &LATTICE, &SEARCH).is_empty());
        assert_eq!(median_exponent(&[]), None);
    }
}
