//! Mountain skylines by the two-dimensional Uplift Model (Rankin 2014).
//!
//! ```text
//! y_i = (1/N_p) Σ_p max(0, y_p − R·|i_p − i|·Δ_x)      i = 0 … N_x
//! ```
//!
//! The peaks are random, or [given](SkylinePeak); a given one may have its own R_p in place of R.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Curve;
use crate::error::{Error, in_order};
use crate::{Seed, TextPosition, math};

/// The five parameters of a skyline, and its scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Skyline {
    /// Number of divisions along the horizon, `N_x`: there is one point more.
    #[schemars(range(min = 1, max = 100_000))]
    pub divisions: u32,
    /// Number of peaks, `N_p`.
    #[schemars(range(min = 1, max = 100_000))]
    pub peaks: u32,
    /// Lowest peak, `Y_min`.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub y_min: f64,
    /// Highest peak, `Y_max`.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub y_max: f64,
    /// Steepness of the sides of the tents, R.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub ruggedness: f64,
    /// Width of a division, `Δ_x`.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub spacing: f64,
    /// Whether the influence of a peak ends at the ground.
    pub curve: Curve,
}

impl Default for Skyline {
    fn default() -> Self {
        Self {
            divisions: 800,
            peaks: 30,
            y_min: 100.0,
            y_max: 400.0,
            ruggedness: 1.0,
            spacing: 1.0,
            curve: Curve::Tent,
        }
    }
}

/// A peak of a skyline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SkylinePeak {
    /// Its place on the horizon in divisions, `i_p`. It may lie beyond the ends.
    pub i: i64,
    /// Its height, `y_p`.
    pub height: f64,
    /// Its own steepness; that of the skyline unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruggedness: Option<f64>,
}

impl Skyline {
    /// The heights y_0 … y_N of a ridge of random peaks.
    ///
    /// # Errors
    /// If `y_min` is above `y_max`.
    pub fn heights(&self, seed: Seed) -> Result<Vec<f32>, Error> {
        Ok(self.average(&self.generate(seed)?))
    }

    /// Random peaks.
    ///
    /// # Errors
    /// If `y_min` is above `y_max`.
    pub fn generate(&self, seed: Seed) -> Result<Vec<SkylinePeak>, Error> {
        in_order("y_min", self.y_min, "y_max", self.y_max)?;
        let (places, heights) = (seed.child("place"), seed.child("height"));
        let count = u64::from(self.divisions) + 1;
        let peak = |p| SkylinePeak {
            i: places.below(p, count) as i64,
            height: heights.between(p, self.y_min, self.y_max),
            ruggedness: None,
        };
        Ok((0..u64::from(self.peaks)).map(peak).collect())
    }

    /// The heights y_0 … y_N of a ridge of these peaks; `peaks`, `y_min` and `y_max` do not count.
    pub fn average(&self, peaks: &[SkylinePeak]) -> Vec<f32> {
        let mut sums = vec![0.0; self.divisions as usize + 1];
        for peak in peaks {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += self.height_at(peak, i);
            }
        }
        let count = peaks.len().max(1) as f64;
        sums.into_iter().map(|sum| (sum / count) as f32).collect()
    }

    /// The influence of one peak alone: one of the curves that are averaged.
    pub fn influence(&self, peak: &SkylinePeak) -> Vec<f32> {
        (0..=self.divisions as usize).map(|i| self.height_at(peak, i) as f32).collect()
    }

    fn height_at(&self, peak: &SkylinePeak, i: usize) -> f64 {
        let ruggedness = peak.ruggedness.unwrap_or(self.ruggedness);
        let y = peak.height - ruggedness * (peak.i as f64 - i as f64).abs() * self.spacing;
        if self.curve == Curve::Tent { y.max(0.0) } else { y }
    }
}

/// The most peaks that a list may have.
const MOST_PEAKS: usize = 100_000;
/// How far off a peak may stand, in divisions, and how high and steep it may be.
const FARTHEST: i64 = 1_000_000_000;
const HIGHEST: f64 = 1_000_000.0;
const STEEPEST: [f64; 2] = [0.001, 1000.0];
/// What a line of a list of peaks holds.
const FORM: &str = "`i_p y_p`, or `i_p y_p R_p` for a steepness of its own";

impl SkylinePeak {
    /// A peak as it is typed: `i_p y_p` or `i_p y_p R_p`, with spaces, tabs or commas between.
    ///
    /// # Errors
    /// What is wrong with which number, and what is allowed.
    pub fn parse(line: &str) -> Result<Self, Error> {
        let words: Vec<&str> =
            line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        let (i, height, ruggedness) = match words[..] {
            [i, height] => (i, height, None),
            [i, height, ruggedness] => (i, height, Some(ruggedness)),
            _ => return Err(Error::new(format!("found {line:?}, expected a peak: {FORM}"))),
        };
        let wrong = |word: &str, what: &str| Error::new(format!("found {word:?}, expected {what}"));
        let number = |word: &str, [low, high]: [f64; 2], what: &str| {
            let value = word.parse::<f64>().ok().filter(|value| (low..=high).contains(value));
            value.ok_or_else(|| wrong(word, &format!("{what}: a number in {low}..={high}")))
        };
        let at = i.parse::<i64>().ok().filter(|at| (-FARTHEST..=FARTHEST).contains(at));
        let place = "i_p, the place of a peak in divisions: a whole number, at most 10⁹ away";
        Ok(Self {
            i: at.ok_or_else(|| wrong(i, place))?,
            height: number(height, [-HIGHEST, HIGHEST], "y_p, the height of a peak")?,
            ruggedness: ruggedness
                .map(|word| number(word, STEEPEST, "R_p, the steepness of a peak"))
                .transpose()?,
        })
    }

    /// Reads a list of peaks: one a line. Blank lines, and what follows a `#`, do not count.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn list(text: &str) -> Result<Vec<Self>, Error> {
        let mut peaks = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let place = TextPosition { file: None, line: index + 1, column: 1 };
            let at = |error: Error| Error { place: Some(place), ..error };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if peaks.len() == MOST_PEAKS {
                return Err(at(Error::new(format!("found more than {MOST_PEAKS} peaks"))));
            }
            peaks.push(Self::parse(line).map_err(at)?);
        }
        if peaks.is_empty() {
            return Err(Error::new(format!("found no peak, expected one a line: {FORM}")));
        }
        Ok(peaks)
    }
}

/// A Brownian curve (Lauwerier 1991): each step up or down is independent of all others. Its lowest point is 0.
///
/// ```text
/// y_0 = 0,  y_{i+1} = y_i + amplitude·g_i      g_i normal, variance 1
/// ```
pub fn brownian_curve(seed: Seed, divisions: u32, amplitude: f64) -> Vec<f32> {
    let mut y = 0.0;
    let mut curve = vec![0.0];
    for i in 0..u64::from(divisions) {
        y += amplitude * normal(seed, i);
        curve.push(y);
    }
    let lowest = curve.iter().copied().fold(f64::INFINITY, f64::min);
    curve.into_iter().map(|y| (y - lowest) as f32).collect()
}

/// A number of the normal law, by Box & Muller (1958).
fn normal(seed: Seed, index: u64) -> f64 {
    let (u, v) = (1.0 - seed.uniform(2 * index), seed.uniform(2 * index + 1));
    (-2.0 * math::ln(u)).sqrt() * math::cos(std::f64::consts::TAU * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places at which the slope changes.
    fn turns(ys: &[f32]) -> Vec<usize> {
        let is_turn = |y: &[f32]| ((y[2] - y[1]) - (y[1] - y[0])).abs() > 1e-3;
        ys.windows(3).enumerate().filter(|(_, y)| is_turn(y)).map(|(i, _)| i + 1).collect()
    }

    #[test]
    fn one_tent_is_a_triangle_on_the_ground() {
        let skyline =
            Skyline { divisions: 100, peaks: 1, y_min: 10.0, y_max: 10.0, ..Skyline::default() };
        let heights = skyline.heights(Seed::new(1)).unwrap();
        let top = heights.iter().position(|&y| y == 10.0).unwrap();
        for (i, &y) in heights.iter().enumerate() {
            assert_eq!(y, (10.0 - i.abs_diff(top) as f32).max(0.0));
        }
    }

    #[test]
    fn the_average_of_two_inverted_vs_has_3_segments_and_that_of_two_tents_7() {
        // Figures 2 and 4 of the paper: the right peak is higher, and the tents overlap.
        let peaks = ["200 150", "400 250"].map(|line| SkylinePeak::parse(line).unwrap());
        let of = |curve| Skyline { divisions: 700, curve, ..Skyline::default() }.average(&peaks);
        let plateau = of(Curve::InvertedV);
        assert_eq!(turns(&plateau), [200, 400]);
        assert_eq!(plateau[200], plateau[400], "the higher peak has no effect");
        let tents = of(Curve::Tent);
        // The feet and the tops of both.
        assert_eq!(turns(&tents), [50, 150, 200, 350, 400, 650]);
        assert!(tents[400] > tents[200], "the higher peak raises the land near it");
    }

    #[test]
    fn the_average_is_that_of_the_influences() {
        let skyline = Skyline { spacing: 2.5, ..Skyline::default() };
        let peaks = skyline.generate(Seed::new(4)).unwrap();
        let average = skyline.average(&peaks);
        assert_eq!(average, skyline.heights(Seed::new(4)).unwrap());
        let parts: Vec<Vec<f32>> = peaks.iter().map(|peak| skyline.influence(peak)).collect();
        for (i, &y) in average.iter().enumerate() {
            let sum: f32 = parts.iter().map(|part| part[i]).sum();
            assert!((sum / peaks.len() as f32 - y).abs() < 1e-3);
        }
    }

    #[test]
    fn divisions_have_a_width_and_peaks_their_own_steepness() {
        let skyline =
            Skyline { divisions: 10, spacing: 3.0, ruggedness: 2.0, ..Skyline::default() };
        let heights = |line| skyline.average(&[SkylinePeak::parse(line).unwrap()]);
        assert_eq!(heights("5, 12")[3..8], [0.0, 6.0, 12.0, 6.0, 0.0]);
        assert_eq!(heights("5,12,1")[1..6], [0.0, 3.0, 6.0, 9.0, 12.0]);
        assert_eq!(heights("-1 12 1")[0..4], [9.0, 6.0, 3.0, 0.0]);
    }

    #[test]
    fn a_list_of_peaks_is_read_and_what_is_wrong_has_its_line() {
        let text = "# i y R\n10 400\n\n20,300.5\t4 # own\n";
        let peaks = SkylinePeak::list(text).unwrap();
        let second = SkylinePeak { i: 20, height: 300.5, ruggedness: Some(4.0) };
        assert_eq!((peaks.len(), peaks[1]), (2, second));
        let wrong = |text: &str| SkylinePeak::list(text).unwrap_err().in_file("a.txt").to_string();
        assert!(
            wrong("1 2\n3\n").ends_with("`i_p y_p R_p` for a steepness of its own, at a.txt:2:1")
        );
        assert!(wrong("1.5 2").contains("found \"1.5\", expected i_p"));
        assert!(wrong("1 nan").contains("found \"nan\", expected y_p"));
        assert!(wrong("1 2 0").contains("found \"0\", expected R_p"));
        assert!(wrong("# none\n").contains("found no peak"));
    }

    #[test]
    fn more_peaks_wear_the_range_down() {
        let top = |peaks| {
            let range = Skyline { peaks, y_min: 400.0, ..Skyline::default() };
            range.heights(Seed::new(2)).unwrap().into_iter().fold(0.0, f32::max)
        };
        assert!(top(1) > top(10) && top(10) > top(1000));
    }

    #[test]
    fn brownian_steps_have_the_variance_of_their_amplitude() {
        let curve = brownian_curve(Seed::new(9), 20_000, 3.0);
        let steps = curve.windows(2).map(|y| f64::from(y[1] - y[0]));
        let variance = steps.map(|step| step * step).sum::<f64>() / 20_000.0;
        assert!((variance / 9.0 - 1.0).abs() < 0.05, "{variance}");
        assert_eq!(curve.iter().copied().fold(f32::INFINITY, f32::min), 0.0);
        let turns = curve.windows(3).filter(|y| (y[1] - y[0]) * (y[2] - y[1]) < 0.0).count();
        assert!((turns as f64 / 20_000.0 - 0.5).abs() < 0.02, "half of all changes are reversals");
    }
}
