//! The numbers that tell a drained landscape from mere relief.
//!
//! ```text
//! Hack:            L ∝ A^h       longest way upstream against drainage area; h 0.43 … 0.60 (Hack 1957)
//! concavity:       S ∝ A^−θ      slope of channels against drainage area; θ 0.35 … 0.55 (Flint 1974)
//! Horton:          R_B = N_w / N_w+1,  R_L = L_w+1 / L_w      number and mean length of the streams of order w (Horton 1945)
//! area exponent:   P(A > a) ∝ a^−β      β about 0.43 (Rodríguez-Iturbe et al. 1992)
//! ```
//!
//! Channels are where at least [`CHANNEL`] samples drain. Exponents are slopes of lines through the means of classes of area,
//! each twice the one before, by least squares on logarithms. Where there is too little land to fit a line the number is
//! not given.

use serde::Serialize;

use super::compass::{Compass, NOWHERE};
use super::depressions::{route, spill_levels};
use super::order::accumulate;
use super::receivers::receivers;
use super::strahler::strahler;
use crate::analysis::aspect::aspect_harmonics;
use crate::analysis::spectrum::spectral_slopes;
use crate::math::line_fit::{LineFit, fit_line};
use crate::{Terrain, math};

/// Samples that must drain through one for it to be a channel.
pub const CHANNEL: f32 = 100.0;

/// Numbers about the drainage of a terrain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drainage {
    /// Samples lower than all around them, on land and not on the border, in ten thousand.
    pub pits: f64,
    /// The same of the ground turned upside down.
    pub inverted_pits: f64,
    /// How much deeper, on average, the hollows of the ground turned upside down are: above 1 where valleys lead on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverted_depth: Option<f64>,
    /// h of Hack's law.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hack: Option<f64>,
    /// θ, how fast channels grow gentle downstream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concavity: Option<f64>,
    /// How well a line fits slope against area: 1 is perfect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concavity_fit: Option<f64>,
    /// How many streams of one order there are for one of the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bifurcation_ratio: Option<f64>,
    /// How much longer streams of the next order are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_ratio: Option<f64>,
    /// Horton's table: the streams of each order, from 1.
    pub stream_orders: Vec<StreamOrder>,
    /// β of the distribution of drainage areas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_exponent: Option<f64>,
    /// Length of channels over the area of the land, in km/km².
    pub drainage_density: f64,
    /// β at wavelengths of 4 to 16 samples: see [`spectrum`](crate::analysis::spectrum).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectral_slope_short: Option<f64>,
    /// β at wavelengths from 20 samples up to an eighth of the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectral_slope_long: Option<f64>,
    /// Mean of cos 4θ of the aspect: see [`aspect`](crate::analysis::aspect). Real land has 0.00 ± 0.03.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspect_fourth: Option<f64>,
    /// Mean of cos 8θ of the aspect. Real land has 0.00 ± 0.01.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspect_eighth: Option<f64>,
}

/// The streams of one order (Horton 1945): they begin at a source or where two of the order before meet, and end where their order
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StreamOrder {
    /// The order of Strahler.
    pub order: u8,
    /// How many streams there are.
    pub streams: u32,
    /// Mean length in metres.
    pub mean_length: f64,
    /// Mean area that drains through their ends, in m².
    pub mean_area: f64,
    /// Mean slope from end to end, as rise over run.
    pub mean_slope: f64,
}

impl Drainage {
    /// Measures the height of `terrain`. The sea and the border are where water ends.
    pub fn of(terrain: &Terrain) -> Self {
        let lattice = {
            let extent = terrain.extent();
            crate::Lattice {
                size: [extent.width() as u32, extent.height() as u32],
                spacing: extent.lattice().spacing,
            }
        };
        let compass = Compass::new(&lattice);
        let sea = terrain.sea_level() as f32;
        let heights: Vec<f32> = terrain
            .height()
            .samples()
            .iter()
            .map(|&h| if h.is_finite() { h } else { sea })
            .collect();
        let is_base = bases(&heights, sea, &compass);
        let raw = receivers(&heights, &is_base, &compass, None);
        let land = is_base.iter().filter(|&&base| !base).count();
        let in_ten_thousand = |pits: usize| 1e4 * pits as f64 / land.max(1) as f64;
        let upside_down: Vec<f32> = heights.iter().map(|h| -h).collect();
        let inverted_pits = pits(&upside_down, &is_base, &compass);
        let inverted_depth = inverted_depth(&heights, &upside_down, &compass);
        let [spectral_slope_short, spectral_slope_long] = spectral_slopes(&heights, &lattice);
        let aspect = aspect_harmonics(&heights, &lattice);
        let (directions, order) = route(raw, &heights, &is_base, &compass);
        let network = Network::new(&heights, &directions, &order, &compass);
        let slopes = network.line(|at| network.slope(at));
        let stream_orders = network.stream_orders();
        let (numbers, lengths) = horton(&stream_orders);
        let channels: f64 = (0..compass.len())
            .filter(|&at| network.area[at] >= CHANNEL && !is_base[at])
            .map(|at| network.step(at))
            .sum();
        let ground = (land as f64 * compass.cell_area).max(1e-9);
        Self {
            pits: in_ten_thousand(pits(&heights, &is_base, &compass)),
            inverted_pits: in_ten_thousand(inverted_pits),
            inverted_depth,
            hack: network.line(|at| f64::from(network.way[at])).map(|line| line.slope),
            concavity: slopes.map(|line| -line.slope),
            concavity_fit: slopes.map(|line| line.fit),
            bifurcation_ratio: numbers.map(|line| math::exp(-line.slope)),
            length_ratio: lengths.map(|line| math::exp(line.slope)),
            stream_orders,
            area_exponent: network.exceedance().map(|line| -line.slope),
            drainage_density: 1000.0 * channels / ground,
            spectral_slope_short,
            spectral_slope_long,
            aspect_fourth: aspect.map(|[fourth, _]| fourth),
            aspect_eighth: aspect.map(|[_, eighth]| eighth),
        }
    }
}

/// The sea, and the border of the ground.
pub(crate) fn bases(heights: &[f32], sea: f32, compass: &Compass) -> Vec<bool> {
    let Compass { width, height, .. } = *compass;
    let is_edge = |at: usize| {
        let (i, j) = (at % width, at / width);
        i == 0 || j == 0 || i + 1 == width || j + 1 == height
    };
    (0..heights.len()).map(|at| is_edge(at) || heights[at] <= sea).collect()
}

/// Number of samples that are lower than all around them.
fn pits(heights: &[f32], is_base: &[bool], compass: &Compass) -> usize {
    let is_pit =
        |at: usize| !is_base[at] && compass.around(at).all(|(_, next)| heights[next] > heights[at]);
    (0..heights.len()).filter(|&at| is_pit(at)).count()
}

/// Mean depth of the hollows of the ground upside down over that of the ground as it is.
fn inverted_depth(heights: &[f32], upside_down: &[f32], compass: &Compass) -> Option<f64> {
    let depth = |heights: &[f32]| {
        let edges = bases(heights, f32::NEG_INFINITY, compass);
        let filled = spill_levels(heights, &edges, compass);
        filled.iter().zip(heights).map(|(&level, &h)| f64::from(level - h)).sum::<f64>()
    };
    let upright = depth(heights);
    let turned = depth(upside_down);
    // A millimetre on average is nothing.
    let least = 1e-3 * heights.len() as f64;
    (turned > least).then(|| turned / upright.max(least))
}

/// A drained ground.
struct Network<'a> {
    heights: &'a [f32],
    directions: &'a [u8],
    order: &'a [u32],
    compass: &'a Compass,
    /// Samples that drain through each.
    area: Vec<f32>,
    /// Longest way upstream in metres.
    way: Vec<f32>,
}

impl<'a> Network<'a> {
    fn new(
        heights: &'a [f32],
        directions: &'a [u8],
        order: &'a [u32],
        compass: &'a Compass,
    ) -> Self {
        let mut area = vec![1.0; heights.len()];
        accumulate(&mut area, order, directions, compass);
        let mut way = vec![0.0_f32; heights.len()];
        for &at in order {
            let at = at as usize;
            if let Some(length) = compass.lengths.get(directions[at] as usize) {
                let next = compass.next(at, directions[at]);
                way[next] = way[next].max(way[at] + length);
            }
        }
        Self { heights, directions, order, compass, area, way }
    }

    /// Metres to the receiver.
    fn step(&self, at: usize) -> f64 {
        self.compass.lengths.get(self.directions[at] as usize).map_or(0.0, |&l| f64::from(l))
    }

    /// Slope over a few steps downstream: over one alone a lattice shows.
    fn slope(&self, at: usize) -> f64 {
        let (mut end, mut length) = (at, 0.0);
        for _ in 0..5 {
            length += self.step(end);
            end = self.compass.next(end, self.directions[end]);
        }
        f64::from(self.heights[at] - self.heights[end]) / length.max(1e-9)
    }

    /// Logarithms of means of a value against logarithms of the area, class by class.
    fn line(&self, value: impl Fn(usize) -> f64) -> Option<LineFit> {
        let mut classes = vec![(0_u32, 0.0, 0.0); 64];
        for (at, &area) in self.area.iter().enumerate() {
            if area >= CHANNEL && self.directions[at] != NOWHERE {
                let value = value(at);
                let log = math::ln(f64::from(area)) / std::f64::consts::LN_2;
                let class = &mut classes[log as usize];
                if value > 0.0 {
                    *class = (class.0 + 1, class.1 + log, class.2 + value);
                }
            }
        }
        let points: Vec<(f64, f64)> = classes
            .iter()
            .filter(|class| class.0 >= 30)
            .map(|&(count, log, value)| {
                let n = f64::from(count);
                (log / n * std::f64::consts::LN_2, math::ln(value / n))
            })
            .collect();
        fit_line(&points)
    }

    /// Logarithms of the number of samples with at least some area against that of the area.
    fn exceedance(&self) -> Option<LineFit> {
        let mut counts = vec![0_u64; 64];
        for &area in &self.area {
            counts[(math::ln(f64::from(area.max(1.0))) / std::f64::consts::LN_2) as usize] += 1;
        }
        let mut above = 0;
        let mut points = Vec::new();
        for (class, &count) in counts.iter().enumerate().rev() {
            above += count;
            let area = class as f64 * std::f64::consts::LN_2;
            // Beyond a hundredth of the ground its size cuts the law off.
            let is_small = math::exp(area) < 0.01 * self.area.len() as f64;
            if class >= 4 && is_small && above > 0 {
                points.push((area, math::ln(above as f64)));
            }
        }
        fit_line(&points)
    }

    /// The streams of each order.
    fn stream_orders(&self) -> Vec<StreamOrder> {
        // Streams that reach the sea in the same place do not meet.
        let is_stream = |at: usize| self.area[at] >= CHANNEL && self.directions[at] != NOWHERE;
        let numbers = strahler(is_stream, self.order, self.directions, self.compass);
        // Height of the beginning of the stream that a sample belongs to, and metres from there.
        let mut tops: Vec<f32> = self.heights.to_vec();
        let mut way = vec![0.0_f64; numbers.len()];
        let mut table: Vec<StreamOrder> = Vec::new();
        for &at in self.order {
            let at = at as usize;
            let number = numbers[at];
            if number == 0 {
                continue;
            }
            while table.len() < usize::from(number) {
                let order = table.len() as u8 + 1;
                let none = StreamOrder {
                    order,
                    streams: 0,
                    mean_length: 0.0,
                    mean_area: 0.0,
                    mean_slope: 0.0,
                };
                table.push(none);
            }
            let next = self.compass.next(at, self.directions[at]);
            let length = way[at] + self.step(at);
            if numbers[next] == number {
                // No other stream of this order comes: two of them would make the next.
                (tops[next], way[next]) = (tops[at], length);
                continue;
            }
            let entry = &mut table[usize::from(number) - 1];
            let drop = f64::from(tops[at] - self.heights[next]);
            entry.streams += 1;
            entry.mean_length += length;
            entry.mean_area += f64::from(self.area[at]) * self.compass.cell_area;
            entry.mean_slope += if length > 0.0 { drop / length } else { 0.0 };
        }
        for entry in &mut table {
            let count = f64::from(entry.streams.max(1));
            for sum in [&mut entry.mean_length, &mut entry.mean_area, &mut entry.mean_slope] {
                *sum /= count;
            }
        }
        table
    }
}

/// Logarithms of the numbers and of the mean lengths of streams against their order.
fn horton(table: &[StreamOrder]) -> (Option<LineFit>, Option<LineFit>) {
    let points = |least: u32, value: &dyn Fn(&StreamOrder) -> f64| {
        let of = |entry: &StreamOrder| {
            (entry.streams >= least).then(|| (f64::from(entry.order), value(entry)))
        };
        table.iter().filter_map(of).collect::<Vec<_>>()
    };
    let counts = fit_line(&points(2, &|entry| math::ln(f64::from(entry.streams))));
    let lengths = fit_line(&points(4, &|entry| math::ln(entry.mean_length.max(1e-9))));
    (counts, lengths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Lattice};

    #[test]
    fn a_valley_with_two_branches_has_two_streams_of_the_first_order_and_one_of_the_second() {
        // Two channels fall to the south at a slope of 1/10 and meet in the middle.
        let lattice = Lattice { size: [61, 61], spacing: [10.0, 10.0] };
        let grid = Grid::from_fn(61, 61, |i, j| {
            let (x, z) = (i as f32 - 30.0, j as f32);
            let apart = (30.0 - z).max(0.0) * 0.5;
            let off = (x.abs() - apart).abs();
            100.0 - z + 2.0 * off
        });
        let table = Drainage::of(&Terrain::new(lattice.whole(), -1e6, grid)).stream_orders;
        assert_eq!(table.iter().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(table.iter().map(|entry| entry.streams).collect::<Vec<_>>(), [2, 1]);
        assert!(table[1].mean_area > 2.0 * table[0].mean_area, "{table:?}");
        assert!((table[1].mean_slope - 0.1).abs() < 0.01, "{table:?}");
        assert!((table[1].mean_length - 300.0).abs() < 40.0, "{table:?}");
    }

    #[test]
    fn streams_that_reach_the_sea_in_the_same_place_do_not_meet() {
        // A furrow falls from both sides to one sample of sea.
        let lattice = Lattice { size: [61, 41], spacing: [1.0, 1.0] };
        let grid = Grid::from_fn(61, 41, |i, j| {
            let (x, z) = (i.abs_diff(30) as f32, j.abs_diff(20) as f32);
            if (i, j) == (30, 20) { -1.0 } else { 1.0 + 0.1 * x + z }
        });
        let table = Drainage::of(&Terrain::new(lattice.whole(), 0.0, grid)).stream_orders;
        let numbers: Vec<_> = table.iter().map(|entry| (entry.order, entry.streams)).collect();
        assert_eq!(numbers, [(1, 2)]);
    }

    #[test]
    fn a_plane_has_no_pits_and_a_tray_of_eggs_has_many() {
        let lattice = Lattice { size: [60, 60], spacing: [10.0, 10.0] };
        let of = |grid: Grid| Drainage::of(&Terrain::new(lattice.whole(), -1e6, grid));
        let plane = of(Grid::from_fn(60, 60, |i, _| i as f32));
        assert_eq!((plane.pits, plane.inverted_depth), (0.0, None));
        let eggs =
            of(Grid::from_fn(60, 60, |i, j| if i % 3 == 1 && j % 3 == 1 { 0.0 } else { 1.0 }));
        assert!(eggs.pits > 900.0, "{}", eggs.pits);
        let one = Lattice { size: [1, 1], spacing: [1.0, 1.0] };
        assert_eq!(
            Drainage::of(&Terrain::new(one.whole(), 0.0, Grid::filled(1, 1, 2.0))).hack,
            None
        );
    }
}
