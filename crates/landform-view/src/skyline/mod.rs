//! Mountain skylines as finished scenes: sky, far and near ranges, and a foreground of trees, a river and houses.
//!
//! A range is an array of heights from left to right, as the two-dimensional Uplift Model gives it
//! (Rankin 2014). The sky is light at sea level and darkens with height; each range is a step nearer,
//! darker and lower, with mist at its foot. The scene is a list of shapes, painted as pixels or written
//! as SVG.

mod curves;
mod foreground;
mod palette;
mod scenery;

use landform::Seed;

pub use self::curves::{Curves, Panel};
use self::foreground::Foreground;
pub use self::palette::Palette;
use self::scenery::{Ridge, add_clouds, add_disc, add_stars};
use crate::Image;
use crate::color::mix;
use crate::draw::{Drawing, Paint, Stop};
use crate::ground::clamp_size;

/// A scene of mountain ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Skyline {
    /// Heights of each range from left to right in any unit, the farthest range first. What is not
    /// finite counts as 0.
    pub ranges: Vec<Vec<f32>>,
    /// The light.
    pub palette: Palette,
    /// How many stars, 0 to 1; as the palette has it if not given.
    pub stars: Option<f64>,
    /// How many clouds, 0 to 1.
    pub clouds: f64,
    /// Sun or moon, whichever the palette has.
    pub disc: Disc,
    /// How densely trees stand in the foreground, 0 to 1. Without them, river and buildings there is no foreground.
    pub trees: f64,
    /// How wide a river runs through the foreground, 0 to 1; 0 is none.
    pub river: f64,
    /// How large a village stands in the foreground, 0 to 1; 0 is none.
    pub buildings: f64,
    /// Where stars, clouds and trees are.
    pub seed: u64,
}

/// Whether there is a sun or a moon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Disc {
    /// None.
    Hidden,
    /// Where the palette likes it.
    #[default]
    Auto,
    /// At a share of the picture's width and of the sky's height over the horizon, both 0 to 1.
    At(f64, f64),
}

impl Default for Skyline {
    fn default() -> Self {
        Self {
            ranges: Vec::new(),
            palette: Palette::Day,
            stars: None,
            clouds: 0.4,
            disc: Disc::Auto,
            trees: 0.7,
            river: 0.0,
            buildings: 0.0,
            seed: 0,
        }
    }
}

/// Size of a skyline whose size is not given.
const SIZE: [usize; 2] = [1600, 900];

impl Skyline {
    /// The scene as pixels.
    pub fn draw(&self, size: Option<[usize; 2]>) -> Image {
        self.drawing(clamp_size(size.unwrap_or(SIZE))).paint()
    }

    /// The scene as an SVG document.
    pub fn to_svg(&self, size: Option<[usize; 2]>) -> String {
        self.drawing(clamp_size(size.unwrap_or(SIZE))).to_svg()
    }

    fn drawing(&self, size: [usize; 2]) -> Drawing {
        let colors = self.palette.colors();
        let seed = Seed::new(self.seed).child("skyline");
        let [w, h] = size.map(|side| side as f64);
        let foreground = self.foreground();
        let horizon = if foreground.is_there() { 0.66 * h } else { 0.74 * h };
        let mut drawing = Drawing::new(size);
        let sky =
            colors.sky.iter().map(|&(place, color)| Stop { place, color, opacity: 1.0 }).collect();
        drawing.add(drawing.sheet(), Paint::Vertical { top: 0.0, bottom: horizon, stops: sky });
        add_stars(&mut drawing, seed, self.stars.unwrap_or(colors.stars), horizon, colors);
        let disc = match self.disc {
            Disc::Hidden => None,
            Disc::Auto => Some((seed.child("disc").between(0, 0.2, 0.8), colors.disc_height)),
            Disc::At(x, y) => Some((x, y)),
        };
        if let Some((x, y)) = disc {
            add_disc(&mut drawing, [x * w, horizon * (1.0 - y)], horizon, colors);
        }
        add_clouds(&mut drawing, seed, self.clouds, horizon, colors);
        self.add_ranges(&mut drawing, horizon);
        if foreground.is_there() {
            foreground.add(&mut drawing, seed, colors);
        }
        drawing
    }

    fn foreground(&self) -> Foreground {
        // What is no number is nothing.
        let [trees, river, buildings] = [self.trees, self.river, self.buildings]
            .map(|amount| if amount > 0.0 { amount.min(1.0) } else { 0.0 });
        Foreground { trees, river, buildings }
    }

    fn add_ranges(&self, drawing: &mut Drawing, horizon: f64) {
        let colors = self.palette.colors();
        let [w, h] = drawing.size.map(|side| side as f64);
        let finite = |&y: &f32| if y.is_finite() { f64::from(y) } else { 0.0 };
        let all = self.ranges.iter().flatten().map(finite);
        let highest = all.fold(0.0, f64::max);
        let scale = if highest > 0.0 { 0.52 * h / highest } else { 0.0 };
        let count = self.ranges.len();
        // Each range stands lower in the picture than the one behind it, the last just over the trees.
        let drop = if self.foreground().is_there() { 0.86 * h } else { h } - horizon;
        for (k, range) in self.ranges.iter().enumerate() {
            let nearness = if count > 1 { k as f64 / (count - 1) as f64 } else { 0.6 };
            let base = horizon + drop * nearness * if count > 1 { 1.0 } else { 0.0 };
            // Ranges are often of one height; nearer ones must not hide the farther.
            let scale = scale * (1.0 - 0.45 * nearness * f64::from(u8::from(count > 1)));
            let ridge: Vec<f64> = range.iter().map(|y| base - finite(y) * scale).collect();
            let top = ridge.iter().copied().fold(base, f64::min);
            let ring = Ridge::new(&ridge, w).ring(h);
            let share = nearness as f32;
            let crest = mix(colors.far, colors.near, share);
            let mist = mix(colors.mist[0], colors.mist[1], share);
            let stop = |place, color| Stop { place, color, opacity: 1.0 };
            let stops = vec![
                stop(0.0, crest),
                stop(0.35, mix(crest, mist, 0.18)),
                stop(1.0, mix(crest, mist, 0.9)),
            ];
            let bottom = base + 0.06 * h;
            drawing.add(ring, Paint::Vertical { top, bottom: bottom.max(top + 1.0), stops });
        }
    }
}
