//! Winds, as arrows over their speed.

use landform::{Grid, Layer, Terrain, math};

use super::{Key, Subject, WorldMap, ramp};
use crate::color::srgb;
use crate::colormap::ColorMap;
use crate::draw::{Canvas, Coverage, Point};
use crate::style::{Draws, StyleEntry};

/// What the table of styles says about it.
pub(crate) static STYLE: StyleEntry = StyleEntry {
    name: "wind",
    doc: "winds, as arrows",
    draws: Draws::World(WorldMap { layer: Layer::WindX, draw, labels: None }),
};

fn draw(map: &Subject<'_>) -> (Canvas, Key) {
    let speed = speed(map.terrain);
    let (tints, key) = ramp(&speed, map.size, ColorMap::Rain, (0.0, 12.0), "m/s");
    let mut canvas = map.shaded(&tints, 0.5, None);
    map.add_coasts(&mut canvas);
    arrows(&mut canvas, map.terrain);
    (canvas, key)
}

/// The speed of the wind.
fn speed(terrain: &Terrain) -> Grid {
    let (x, z) = (terrain.layer(&Layer::WindX), terrain.layer(&Layer::WindZ));
    let extent = terrain.extent();
    Grid::from_fn(extent.width(), extent.height(), |i, j| {
        let part = |grid: Option<&Grid>| grid.map_or(0.0, |grid| grid[(i, j)]);
        (part(x) * part(x) + part(z) * part(z)).sqrt()
    })
}

/// Draws the wind as arrows.
fn arrows(canvas: &mut Canvas, terrain: &Terrain) {
    let (Some(x), Some(z)) = (terrain.layer(&Layer::WindX), terrain.layer(&Layer::WindZ)) else {
        return;
    };
    let size = [canvas.width(), canvas.height()];
    let step = (size[0] as f64 / 56.0).max(10.0);
    let mut strokes: Vec<Vec<Point>> = Vec::new();
    let mut b = 0.5 * step;
    while b < size[1] as f64 {
        let mut a = 0.5 * step;
        while a < size[0] as f64 {
            let pick = |at: f64, pixels: usize, samples: usize| {
                ((at / pixels as f64 * samples as f64) as usize).min(samples - 1)
            };
            let at = (pick(a, size[0], x.width()), pick(b, size[1], x.height()));
            let wind = [f64::from(x[at]), f64::from(z[at])];
            let speed = math::length(wind[0], wind[1]);
            if speed > 0.3 {
                let length = 0.85 * step * (speed / 9.0).min(1.0);
                let way = [wind[0] / speed, wind[1] / speed];
                let point = |along: f64, aside: f64| {
                    [a + way[0] * along - way[1] * aside, b + way[1] * along + way[0] * aside]
                };
                let (tip, barb) = (0.5 * length, 0.28 * length);
                strokes.push(vec![point(-tip, 0.0), point(tip, 0.0)]);
                strokes.push(vec![
                    point(tip - barb, 0.6 * barb),
                    point(tip, 0.0),
                    point(tip - barb, -0.6 * barb),
                ]);
            }
            a += step;
        }
        b += step;
    }
    let thin = (size[0] as f64 / 1100.0).max(0.9);
    canvas.fill(&Coverage::of_strokes(size, &strokes, thin), srgb(0x1B_2430), 0.85);
}
