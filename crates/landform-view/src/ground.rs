//! A terrain as a map sees it: finite heights, one per pixel, and where there are none.

use std::borrow::Cow;

use landform::{Grid, Terrain, par};

use crate::resample::resample;
use crate::sea::distance_to;

/// Largest side of a picture in pixels.
pub const MAX_SIDE: usize = 16_384;

/// Heights beyond this many metres are taken for missing: their differences would overflow.
const MAX_HEIGHT: f32 = 1e12;

/// Where the map lies in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Width and height of the picture.
    pub(crate) size: [usize; 2],
    /// Column and row of the map's first pixel.
    pub(crate) origin: [usize; 2],
    /// Width and height of the map.
    pub(crate) map: [usize; 2],
}

impl Frame {
    /// The largest map with the proportions of the ground in a picture of `size`; or, if that is not
    /// given, one pixel per sample where that is 768 to 2048 pixels, and else the nearer of the two.
    pub(crate) fn new(terrain: &Terrain, size: Option<[usize; 2]>) -> Self {
        let extent = terrain.extent();
        let spacing = extent.lattice().spacing;
        let ground = [extent.width() as f64 * spacing[0], extent.height() as f64 * spacing[1]];
        let samples = extent.width().max(extent.height()) as f64;
        let longest = samples.clamp(768.0, 2048.0);
        let bounds = size.map_or([longest; 2], |size| clamp_size(size).map(|side| side as f64));
        let scale = (bounds[0] / ground[0]).min(bounds[1] / ground[1]);
        // A line of samples is drawn as a ribbon, not as a hair.
        let map = [0, 1].map(|axis| {
            let side = (ground[axis] * scale).round();
            let least = 32.0_f64.min(bounds[axis]);
            // A map that nearly fills its picture fills it.
            let side =
                if size.is_some() && side > 0.99 * bounds[axis] { bounds[axis] } else { side };
            side.clamp(least, bounds[axis]) as usize
        });
        let size = size.map_or(map, clamp_size);
        Self { size, origin: [0, 1].map(|axis| (size[axis] - map[axis]) / 2), map }
    }
}

impl Frame {
    /// The largest map of these proportions, width over height, in a picture of `size`.
    pub(crate) fn of_aspect(aspect: f64, size: Option<[usize; 2]>) -> Self {
        let size = size.map_or_else(|| [1600, (1600.0 / aspect) as usize], clamp_size);
        let width = (size[0] as f64).min(size[1] as f64 * aspect).max(1.0);
        let map = [width as usize, ((width / aspect) as usize).clamp(1, size[1])];
        let map = map.map(|side| side.max(1));
        Self { size, origin: [0, 1].map(|axis| (size[axis] - map[axis]) / 2), map }
    }
}

/// The nearest size that can be drawn.
pub(crate) fn clamp_size(size: [usize; 2]) -> [usize; 2] {
    size.map(|side| side.clamp(1, MAX_SIDE))
}

/// Heights of a terrain at some resolution.
#[derive(Clone, Debug)]
pub(crate) struct Ground<'a> {
    /// Heights in metres, all finite.
    pub(crate) heights: Cow<'a, Grid>,
    /// The share of each cell, 0 to 1, whose height is missing. Nothing if all are there.
    pub(crate) missing: Option<Grid>,
    /// Width and depth of a cell in metres.
    pub(crate) cell: [f32; 2],
    /// Height of the water table in metres.
    pub(crate) sea: f32,
    /// The lowest and the highest height of the samples.
    pub(crate) range: (f32, f32),
}

impl<'a> Ground<'a> {
    /// `terrain` with `width` × `height` samples.
    pub(crate) fn new(terrain: &'a Terrain, width: usize, height: usize) -> Self {
        Self::of(terrain.height(), terrain, [width, height])
    }

    /// The same with other heights, one for each sample of `terrain`.
    fn of(grid: &'a Grid, terrain: &Terrain, [width, height]: [usize; 2]) -> Self {
        let extent = terrain.extent();
        let spacing = extent.lattice().spacing;
        // Looked through in parts without a way out of them: so eight samples are compared at once.
        let has_hole = |part: &[f32]| part.iter().fold(false, |hole, &h| hole | !is_there(h));
        let holes = grid.samples().chunks(1024).any(has_hole);
        let (whole, holes) = if holes {
            let holes = grid.map(|&h| if is_there(h) { 0.0 } else { 1.0 });
            (Cow::Owned(fill_holes(grid)), Some(holes))
        } else {
            (Cow::Borrowed(grid), None)
        };
        let range = finite_range(grid);
        let same = (grid.width(), grid.height()) == (width, height);
        let heights = if same { whole } else { Cow::Owned(resample(&whole, width, height)) };
        let cell = [
            (extent.width() as f64 * spacing[0] / width as f64) as f32,
            (extent.height() as f64 * spacing[1] / height as f64) as f32,
        ];
        let missing = holes.map(|holes| resample(&holes, width, height));
        Self { heights, missing, cell, sea: terrain.sea_level() as f32, range }
    }

    /// The same, with a floor under water that is level with the sea, as between the islands of the
    /// Uplift Model: it shelves from the shore, so that the water has depths to show and a shore to draw.
    pub(crate) fn with_sea_floor(terrain: &'a Terrain, width: usize, height: usize) -> Self {
        let (grid, sea) = (terrain.height(), terrain.sea_level() as f32);
        let (low, high) = finite_range(grid);
        let relief = high - low;
        if !lacks_floor(terrain) {
            return Self::new(terrain, width, height);
        }
        let longest = grid.width().max(grid.height()) as f32;
        let (depth, reach) = (0.2 * relief, 0.1 * longest);
        let offshore = distance_to(&grid.map(|&h| !is_there(h) || h > sea));
        let mut carved = offshore;
        for (d, &h) in carved.samples_mut().iter_mut().zip(grid.samples()) {
            let floor = sea - depth * (*d - 0.5) / (*d - 0.5 + reach);
            *d = if h <= sea { h.min(floor) } else { h };
        }
        let ground = Ground::of(&carved, terrain, [width, height]);
        Self {
            heights: Cow::Owned(ground.heights.into_owned()),
            missing: ground.missing,
            cell: ground.cell,
            sea,
            range: ground.range,
        }
    }

    /// Lowest and highest land, for tints: from the sea, or from the lowest land if none is below it.
    pub(crate) fn land_range(&self) -> (f32, f32) {
        (self.range.0.max(self.sea), self.range.1.max(self.sea))
    }
}

/// Whether the sea of a terrain is level with its floor.
pub(crate) fn lacks_floor(terrain: &Terrain) -> bool {
    let ((low, high), sea) = (finite_range(terrain.height()), terrain.sea_level() as f32);
    !(low > sea || sea - low > 1e-3 * (high - low) || high <= sea)
}

fn is_there(height: f32) -> bool {
    height.abs() <= MAX_HEIGHT
}

pub(crate) fn finite_range(grid: &Grid) -> (f32, f32) {
    let (low, high) = grid.range();
    if is_there(low) && is_there(high) {
        return (low, high);
    }
    grid.map(|&h| if is_there(h) { h } else { f32::NAN }).range()
}

/// Gives missing samples the height of the nearest in their row, or of the nearest row that has any.
fn fill_holes(grid: &Grid) -> Grid {
    let mut whole = grid.clone();
    let width = grid.width();
    par::for_each_row(whole.samples_mut(), width, |_, row| fill_line(row));
    let is_row_there = |grid: &Grid, j: usize| is_there(grid[(0, j)]);
    let full: Vec<usize> = (0..grid.height()).filter(|&j| is_row_there(&whole, j)).collect();
    for j in 0..grid.height() {
        if is_row_there(&whole, j) {
            continue;
        }
        let row = match full.iter().min_by_key(|&&k| k.abs_diff(j)) {
            Some(&nearest) => whole.row(nearest).to_vec(),
            None => vec![0.0; width],
        };
        whole.row_mut(j).copy_from_slice(&row);
    }
    whole
}

fn fill_line(line: &mut [f32]) {
    let there: Vec<usize> = (0..line.len()).filter(|&i| is_there(line[i])).collect();
    if there.is_empty() || there.len() == line.len() {
        return;
    }
    let mut next = 0;
    for i in 0..line.len() {
        if is_there(line[i]) && there.get(next) == Some(&i) {
            next += 1;
            continue;
        }
        let after = there.get(next).copied();
        let before = next.checked_sub(1).map(|k| there[k]);
        let nearest = match (before, after) {
            (Some(b), Some(a)) => {
                if i - b <= a - i {
                    b
                } else {
                    a
                }
            }
            (Some(k), None) | (None, Some(k)) => k,
            (None, None) => continue,
        };
        line[i] = line[nearest];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Lattice;

    fn terrain(size: [u32; 2], spacing: [f64; 2]) -> Terrain {
        let lattice = Lattice { size, spacing };
        let height = Grid::filled(size[0] as usize, size[1] as usize, 1.0);
        Terrain::new(lattice.whole(), 0.0, height)
    }

    #[test]
    fn a_map_has_the_proportions_of_the_ground() {
        let frame = |size, spacing, picture| Frame::new(&terrain(size, spacing), picture);
        assert_eq!(frame([1000, 1000], [5.0, 5.0], None).map, [1000, 1000]);
        assert_eq!(frame([1000, 500], [5.0, 10.0], None).map, [1000, 1000]);
        assert_eq!(frame([20, 10], [1.0, 1.0], None).map, [768, 384]);
        assert_eq!(frame([1, 50], [1.0, 1.0], None).map, [32, 768]);
        let boxed = frame([100, 100], [1.0, 1.0], Some([300, 200]));
        assert_eq!((boxed.size, boxed.origin, boxed.map), ([300, 200], [50, 0], [200, 200]));
        assert_eq!(frame([9, 9], [1.0, 1.0], Some([0, 0])).map, [1, 1]);
    }

    #[test]
    fn missing_heights_take_the_nearest() {
        let nan = f32::NAN;
        let grid = Grid::from_vec(4, 2, vec![nan, 1.0, nan, 4.0, nan, f32::INFINITY, nan, nan]);
        let filled = fill_holes(&grid);
        assert_eq!(filled.row(0), [1.0, 1.0, 1.0, 4.0]);
        assert_eq!(filled.row(1), filled.row(0));
        assert_eq!(finite_range(&grid), (1.0, 4.0));
        assert_eq!(fill_holes(&Grid::filled(2, 2, nan)).samples(), [0.0; 4]);
    }
}
