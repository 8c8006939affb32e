//! Where water has to go and where it must not: what drawn lines say about receivers.
//!
//! A river is a chain of samples of which each has the next one for its receiver. A ridge is a line of samples that hang together by
//! their sides and stand above all others while receivers are looked for: water of both sides runs away from it.

use crate::drainage::compass::{Compass, STEPS};

/// How far a ridge stands above its neighbours while receivers are looked for, in metres.
const BARRIER: f32 = 1e5;

/// What is said about receivers on one lattice.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// Samples that no other one drains to.
    pub barrier: Vec<u32>,
    /// Samples whose receiver is given, with its direction.
    pub links: Vec<(u32, u8)>,
}

impl Guide {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.barrier.is_empty() && self.links.is_empty()
    }

    /// Raises the ridges, and gives their heights.
    pub(super) fn raise(&self, heights: &mut [f32]) -> Vec<f32> {
        let raise = |&at: &u32| {
            let height = &mut heights[at as usize];
            let before = *height;
            *height += BARRIER;
            before
        };
        self.barrier.iter().map(raise).collect()
    }

    /// Gives the ridges their heights back.
    pub(super) fn lower(&self, heights: &mut [f32], before: &[f32]) {
        for (&at, &height) in self.barrier.iter().zip(before) {
            heights[at as usize] = height;
        }
    }

    /// Gives the samples of rivers their receivers.
    pub(super) fn link(&self, directions: &mut [u8]) {
        self.links.iter().for_each(|&(at, direction)| directions[at as usize] = direction);
    }
}

/// The direction from a sample to one beside it.
pub(super) fn direction(compass: &Compass, from: usize, to: usize) -> Option<u8> {
    let place = |at: usize| ((at % compass.width) as isize, (at / compass.width) as isize);
    let (a, b) = (place(from), place(to));
    let step = (b.0 - a.0, b.1 - a.1);
    STEPS.iter().position(|known| *known == step).map(|direction| direction as u8)
}

#[cfg(test)]
mod tests {
    use crate::evolution::stream_power::Landscape;
    use crate::{Ctx, Lattice};

    #[test]
    fn water_keeps_to_a_chain_and_off_a_ridge() {
        // A plane that falls to the west; a ridge across it in column 4, and a river up the slope in row 0.
        let lattice = Lattice { size: [9, 6], spacing: [10.0, 10.0] };
        let heights: Vec<f32> = (0..54).map(|at| (at % 9) as f32).collect();
        let is_base: Vec<bool> = (0..54).map(|at| at % 9 == 0 || at == 8).collect();
        let mut land = Landscape::new(&lattice, heights.clone(), vec![0.0; 54], is_base);
        land.guide.barrier = (1..6).map(|j| 9 * j + 4).collect();
        land.guide.links = (5..8).map(|i| (i, 0)).collect();
        land.route(None, &Ctx::new(&(), "")).unwrap();
        assert_eq!(land.heights, heights);
        for at in 0..54 {
            let next = land.compass.next(at, land.directions[at]);
            assert!(next == at || !land.guide.barrier.contains(&(next as u32)), "{at}");
        }
        let end = |mut at: usize| {
            while land.compass.next(at, land.directions[at]) != at {
                at = land.compass.next(at, land.directions[at]);
            }
            at
        };
        assert_eq!([end(5), end(7)], [8, 8]);
        assert_eq!(end(3 * 9 + 3) % 9, 0);
    }
}
