//! The erosion step as the paper has it: sample by sample, in place. For comparison only.
//!
//! Alcock (2007) first served the neighbours one after the other, each from what the one before had left:
//! [`Sharing::InOrder`]. The first neighbours get the most, which made waves (his Figure 5). His cure was to share in
//! proportion, [`Sharing::InProportion`], still in place: a sample sees neighbours of which some have moved already.
//! Both prefer a direction and neither can run in parallel. [`runoff`](super::runoff) is what is used instead; the tests
//! show the bias of these and the benchmark their speed.

use crate::Grid;

/// How water is given to the eight neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// One after the other.
    InOrder,
    /// To all lower ones in proportion to the difference.
    InProportion,
}

/// Altitude, water and sediment, in metres, and the constants K_c, K_d and K_s.
#[derive(Clone, Debug)]
pub struct InPlace {
    /// Altitude.
    pub altitude: Grid,
    /// Water.
    pub water: Grid,
    /// Sediment in the water.
    pub sediment: Grid,
    /// K_c, K_d and K_s.
    pub constants: [f32; 3],
}

impl InPlace {
    /// Dry ground.
    pub fn new(altitude: Grid, constants: [f32; 3]) -> Self {
        let dry = Grid::filled(altitude.width(), altitude.height(), 0.0);
        Self { altitude, water: dry.clone(), sediment: dry, constants }
    }

    /// One step: rain, then every sample in turn, then evaporation.
    pub fn step(&mut self, sharing: Sharing, rain: f32, evaporation: f32) {
        self.water.samples_mut().iter_mut().for_each(|water| *water += rain);
        let (width, height) = (self.altitude.width(), self.altitude.height());
        for j in 0..height {
            for i in 0..width {
                match sharing {
                    Sharing::InOrder => self.give_in_order(i, j),
                    Sharing::InProportion => self.give_in_proportion(i, j),
                }
            }
        }
        self.water.samples_mut().iter_mut().for_each(|water| *water *= 1.0 - evaporation);
    }

    /// Index of the sample, and of its neighbours from north-west to south-east.
    fn places(&self, i: usize, j: usize) -> (usize, impl Iterator<Item = usize> + use<>) {
        let (width, height) = (self.altitude.width(), self.altitude.height());
        let beside = (-1..=1).flat_map(|dj: isize| (-1..=1).map(move |di: isize| (di, dj)));
        let neighbours = beside.filter(|&beside| beside != (0, 0)).filter_map(move |(di, dj)| {
            let (i, j) = (i.checked_add_signed(di)?, j.checked_add_signed(dj)?);
            (i < width && j < height).then_some(j * width + i)
        });
        (j * width + i, neighbours)
    }

    fn give_in_order(&mut self, i: usize, j: usize) {
        let (v, neighbours) = self.places(i, j);
        for u in neighbours {
            let (altitude, water) = (self.altitude.samples(), self.water.samples());
            let fall = (altitude[v] + water[v]) - (altitude[u] + water[u]);
            let moved = water[v].min(fall);
            if moved > 0.0 {
                let carried = self.carried(v, moved);
                self.water.samples_mut()[v] -= moved;
                self.water.samples_mut()[u] += moved;
                self.sediment.samples_mut()[u] += carried;
            } else {
                self.settle(v, 0.0);
            }
        }
    }

    fn give_in_proportion(&mut self, i: usize, j: usize) {
        let (v, neighbours) = self.places(i, j);
        let (altitude, water) = (self.altitude.samples(), self.water.samples());
        let level = altitude[v] + water[v];
        let mut lower = [(0, 0.0_f32); 8];
        let (mut count, mut sum, mut greatest) = (0, 0.0, 0.0_f32);
        for u in neighbours {
            let fall = level - (altitude[u] + water[u]);
            if fall > 0.0 {
                lower[count] = (u, fall);
                count += 1;
                sum += fall;
                greatest = greatest.max(fall);
            }
        }
        let moved = water[v].min(greatest);
        if moved <= 0.0 {
            self.settle(v, 0.0);
            return;
        }
        let carried = self.carried(v, moved);
        self.water.samples_mut()[v] -= moved;
        for &(u, fall) in &lower[..count] {
            self.water.samples_mut()[u] += moved * (fall / sum);
            self.sediment.samples_mut()[u] += carried * (fall / sum);
        }
    }

    /// Digs or drops at `v` when this much water leaves, and takes away what it carries.
    fn carried(&mut self, v: usize, moved: f32) -> f32 {
        let [capacity, _, softness] = self.constants;
        let limit = capacity * moved;
        let sediment = self.sediment.samples()[v];
        if sediment >= limit {
            self.settle(v, limit);
            return limit;
        }
        let dug = softness * (limit - sediment);
        self.altitude.samples_mut()[v] -= dug;
        self.sediment.samples_mut()[v] = 0.0;
        sediment + dug
    }

    /// Takes `leaving` out of the sediment at `v` and lets a share of the rest settle.
    fn settle(&mut self, v: usize, leaving: f32) {
        let rest = self.sediment.samples()[v] - leaving;
        let settled = self.constants[1] * rest;
        self.altitude.samples_mut()[v] += settled;
        self.sediment.samples_mut()[v] = rest - settled;
    }
}
