//! Voronoi cells: every place belongs to the nearest of some centres. The report's alternative to
//! [frontier growth](super::frontier); its borders are straight.

use super::surface::Tessellation;
use crate::par;

/// The nearest of `centres` for each cell.
pub(crate) fn nearest<S: Tessellation>(surface: &S, centres: &[u32]) -> Vec<u16> {
    let shape = surface.shape();
    let points: Vec<_> = centres.iter().map(|&cell| surface.point(cell as usize)).collect();
    let mut labels = vec![0_u16; shape.cells()];
    par::for_each_row(&mut labels, shape.width, |row, labels| {
        for (i, label) in labels.iter_mut().enumerate() {
            let p = surface.point(row * shape.width + i);
            let mut best = f64::INFINITY;
            for (k, &centre) in points.iter().enumerate() {
                let d = surface.distance(p, centre);
                if d < best {
                    (best, *label) = (d, k as u16);
                }
            }
        }
    });
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lattice, world::flat::Flat};

    #[test]
    fn the_nearest_centre_may_lie_across_the_edge_of_the_map() {
        let flat = Flat::new(&Lattice { size: [11, 11], spacing: [1.0, 1.0] }, [true, true]);
        // Columns 1 and 6, rows 1 and 6.
        let labels = nearest(&flat, &[11, 66]);
        assert_eq!(labels[99], 0, "the last cell is next to the first");
        assert_eq!(labels[55], 1);
    }
}
