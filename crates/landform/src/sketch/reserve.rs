//! Ground beside locked lines, which later stages leave alone.
//!
//! ```text
//! weight = s((d − Δ)/M)      d distance from the line, Δ grid lines of the recipe, M its margin, s(t) = 3t² − 2t³
//! ```

use super::near::nearest;
use super::profile::is_near_row;
use crate::demand::Demand;
use crate::{Extent, Lattice, math};

/// Lines that earlier stages have locked.
#[derive(Clone, Debug)]
pub(crate) struct Reserve {
    demands: Vec<Demand>,
    /// Metres beside a line that do not change at all.
    held: f64,
}

impl Reserve {
    /// The reserve around some lines on the lattice of the recipe; nothing if there are none.
    pub(crate) fn around(demands: &[Demand], design: &Lattice) -> Option<Self> {
        let held = design.spacing[0].max(design.spacing[1]);
        (!demands.is_empty()).then(|| Self { demands: demands.to_vec(), held })
    }

    /// Takes from the weights of a row what is reserved.
    pub(crate) fn weigh(&self, extent: &Extent, row: usize, weights: &mut [f32]) {
        for demand in &self.demands {
            let reach = self.held + demand.margin;
            if !is_near_row(demand, extent.z(row), reach) {
                continue;
            }
            for (weight, near) in weights.iter_mut().zip(nearest(demand, extent, row, reach)) {
                if demand.kind.is_area() && !near.is_right {
                    *weight = 0.0;
                } else if near.distance.is_finite() {
                    *weight *= math::smoothstep(self.held, reach, near.beyond()) as f32;
                }
            }
        }
    }
}
