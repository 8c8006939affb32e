//! Lakes: water that stands in a depression, to the level at which it runs over.

use super::compass::Compass;
use crate::analysis::contour::rings;
use crate::feature::Lake;
use crate::{Grid, Lattice, Polygon};

/// The depressions of a ground: number 0 for samples that are in none, and for each, from 1, what it is like.
#[derive(Clone, Debug)]
pub struct Depressions {
    /// The depression that each sample lies in.
    pub labels: Vec<u32>,
    /// The depressions.
    pub list: Vec<Depression>,
}

/// Ground from which water cannot run off before it has risen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depression {
    /// Height in metres at which it runs over.
    pub level: f32,
    /// The greatest depth below that, in metres.
    pub depth: f32,
    /// Number of samples.
    pub samples: u32,
}

impl Depressions {
    /// Tells where `spill`, the [filled](super::priority_flood::fill) ground, lies above the ground.
    pub fn of(heights: &[f32], spill: &[f32], compass: &Compass) -> Self {
        let mut labels = vec![0_u32; heights.len()];
        let mut list = Vec::new();
        let mut open = Vec::new();
        for start in 0..heights.len() {
            if labels[start] != 0 || spill[start] <= heights[start] {
                continue;
            }
            let level = spill[start];
            let number = list.len() as u32 + 1;
            let mut found = Depression { level, depth: 0.0, samples: 0 };
            labels[start] = number;
            open.push(start);
            while let Some(at) = open.pop() {
                found.depth = found.depth.max(level - heights[at]);
                found.samples += 1;
                for (_, next) in compass.around(at) {
                    let is_wet = spill[next] == level && spill[next] > heights[next];
                    if labels[next] == 0 && is_wet {
                        labels[next] = number;
                        open.push(next);
                    }
                }
            }
            list.push(found);
        }
        Self { labels, list }
    }

    /// The shores of the depressions for which `keeps` says so, as lakes with numbers for names; `outlets` are where the water
    /// of each leaves.
    pub(crate) fn lakes(
        &self,
        heights: &[f32],
        lattice: &Lattice,
        names: &[Option<String>],
        outlets: &[Option<[f64; 2]>],
    ) -> Vec<Lake> {
        let [width, height] = lattice.size.map(|count| count as usize);
        let boxes = self.boxes(width);
        let shores = (0..self.list.len()).filter_map(|k| {
            let name = names[k].clone()?;
            let Depression { level, depth, samples } = self.list[k];
            // A margin of two samples, so that the shore is closed wherever the lattice goes on.
            let [i0, j0, i1, j1] = boxes[k];
            let (i0, j0) = (i0.saturating_sub(2), j0.saturating_sub(2));
            let (i1, j1) = ((i1 + 2).min(width - 1), (j1 + 2).min(height - 1));
            let extent =
                lattice.window(i0 as u32, j0 as u32, (i1 - i0 + 1) as u32, (j1 - j0 + 1) as u32)?;
            let number = k as u32 + 1;
            let depths = Grid::from_fn(extent.width(), extent.height(), |i, j| {
                let at = (j0 + j) * width + i0 + i;
                let is_edge =
                    i0 + i == 0 || j0 + j == 0 || i0 + i + 1 == width || j0 + j + 1 == height;
                if self.labels[at] == number && !is_edge {
                    level - heights[at]
                } else {
                    // Beside the lake the ground is higher, or it is the outlet.
                    (level - heights[at]).min(-0.05 * depth.max(0.01))
                }
            });
            let mut parts = Polygon::nested(rings(&depths, &extent));
            parts.sort_by(|a, b| b.area().total_cmp(&a.area()));
            if parts.is_empty() {
                return None;
            }
            let cell = lattice.spacing[0] * lattice.spacing[1];
            Some(Lake {
                name,
                parts,
                level: level.into(),
                depth: depth.into(),
                area: f64::from(samples) * cell,
                outlet: outlets[k],
            })
        });
        shores.collect()
    }

    /// Least and greatest column and row of each depression.
    fn boxes(&self, width: usize) -> Vec<[usize; 4]> {
        let mut boxes = vec![[usize::MAX, usize::MAX, 0, 0]; self.list.len()];
        for (at, &label) in self.labels.iter().enumerate() {
            if label > 0 {
                let (i, j) = (at % width, at / width);
                let [i0, j0, i1, j1] = &mut boxes[label as usize - 1];
                (*i0, *j0, *i1, *j1) = ((*i0).min(i), (*j0).min(j), (*i1).max(i), (*j1).max(j));
            }
        }
        boxes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drainage::priority_flood::fill;
    use crate::drainage::statistics::bases;

    #[test]
    fn a_round_bowl_makes_a_round_lake_of_its_closed_form() {
        // A paraboloid h = r²/100 whose rim at r = 150 has a notch in the east at height 100: level 100, radius 100.
        let lattice = Lattice { size: [41, 41], spacing: [10.0, 10.0] };
        let compass = Compass::new(&lattice);
        let heights: Vec<f32> = (0..compass.len())
            .map(|at| {
                let (x, z) = ((at % 41) as f32 * 10.0 - 200.0, (at / 41) as f32 * 10.0 - 200.0);
                let bowl = (x * x + z * z) / 100.0;
                if z == 0.0 && x > 0.0 { bowl.min(100.0) } else { bowl }
            })
            .collect();
        let is_base = bases(&heights, f32::NEG_INFINITY, &compass);
        let spill = fill(&heights, &is_base, &compass);
        let depressions = Depressions::of(&heights, &spill, &compass);
        assert_eq!(depressions.list.len(), 1);
        let names = [Some("lake".to_owned())];
        let lakes = depressions.lakes(&heights, &lattice, &names, &[None]);
        let lake = &lakes[0];
        assert_eq!((lake.level, lake.depth), (100.0, 100.0));
        assert_eq!((lake.parts.len(), lake.parts[0].holes.len()), (1, 0));
        let circle = std::f64::consts::PI * 100.0 * 100.0;
        assert!((lake.parts[0].area() / circle - 1.0).abs() < 0.02);
        assert!((lake.area / circle - 1.0).abs() < 0.05);
    }
}
