//! Tectonic plates, with the numbers under which belts name them.

use landform::{Grid, Layer, Terrain, math};

use super::{Key, Subject, WorldMap, borders};
use crate::color::{Rgb, encode_with, encoder, mix};
use crate::draw::Canvas;
use crate::plate_numbers;
use crate::resample::{nearest, resample};
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "plates",
    doc: "tectonic plates",
    draws: Draws::World(WorldMap { layer: Layer::Plate, draw, labels: Some(plate_numbers::draw) }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let [width, height] = map.size;
    let mut canvas = map.shaded(&plate_tints(map.terrain, map.samples, map.size), 0.45, None);
    borders(&mut canvas, &nearest(map.samples, width, height));
    (canvas, plate_key(map.samples))
}

/// The plates that there are, by the numbers under which belts name them.
fn plate_key(samples: &Grid) -> Key {
    let mut numbers: Vec<u32> = Vec::new();
    for &sample in samples.samples() {
        let number = sample.max(0.0) as u32;
        if numbers.last() != Some(&number) && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    let encoded = |number: u32| plate_color(number as f32).map(|c| encode_with(encoder(), c));
    let named = |&number: &u32| (format!("plate {number}"), encoded(number));
    Key::Swatches(numbers.iter().map(named).collect())
}

/// Hues a golden angle apart: neighbours in number are far apart in colour. Numbers that are 5, 8 or 13 apart are
/// near in hue and differ in lightness.
fn plate_color(number: f32) -> Rgb {
    let hue = number * 2.399_963;
    let at = |shift: f32| 0.5 + 0.5 * math::cos(f64::from(hue + shift)) as f32;
    let lightness = [1.0, 0.62, 1.4][number as usize % 3];
    [at(0.0), at(2.094), at(4.189)].map(|c| lightness * (0.10 + 0.45 * c))
}

/// A colour for each plate, paler on land.
fn plate_tints(terrain: &Terrain, plates: &Grid, [width, height]: [usize; 2]) -> Grid<Rgb> {
    let plates = nearest(plates, width, height);
    let land = resample(terrain.height(), width, height);
    let sea = terrain.sea_level() as f32;
    Grid::from_fn(width, height, |i, j| {
        let color = plate_color(plates[(i, j)]);
        if land[(i, j)] > sea { mix(color, [0.85, 0.83, 0.76], 0.55) } else { color }
    })
}
