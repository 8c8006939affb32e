//! A map to hang on a wall: title, frame, graticule, legend and scale.

use landform::Terrain;

use crate::color::srgb;
use crate::draw::{Align, Canvas, Coverage, text_rings};
use crate::legend::{Legend, swatches, write};
use crate::style::{Options, PAPER, Style, on_paper};

const INK: u32 = 0x2B_3036;

/// Draws `terrain` as a poster called `title`.
pub(crate) fn draw(terrain: &Terrain, style: Style, options: &Options, title: &str) -> Canvas {
    let size = options.size.unwrap_or([2400, 1600]).map(|side| side.max(64));
    let (width, height) = (size[0] as f64, size[1] as f64);
    let margin = 0.045 * width.min(height);
    let (head, foot) = (0.11 * height, 0.17 * height);
    let room = [width - 2.0 * margin, height - head - foot - margin];
    let mut canvas = Canvas::new(size, srgb(PAPER));
    let [w, h] = inside(terrain, options, room);
    let mut legend = Legend::default();
    let with_lines = Options { graticule: true, ..options.clone() };
    let map = on_paper(terrain, style, &with_lines, [w as usize, h as usize], &mut legend);
    let origin = [0.5 * (width - w), head + 0.5 * (room[1] - h)];
    canvas.put(&map, origin.map(|at| at as usize));

    let letters = 0.052 * height;
    let spaced = title.to_uppercase();
    let rings = text_rings(&spaced, [0.5 * width, 0.68 * head], letters, Align::Middle);
    canvas.fill(&Coverage::of_rings(size, &rings), srgb(INK), 1.0);
    for (gap, thick) in [(0.45 * margin, 0.0022 * width), (0.62 * margin, 0.0008 * width)] {
        let (a, b) = (gap, width - gap);
        let (c, d) = (gap, height - gap);
        let frame = [[a, c], [b, c], [b, d], [a, d], [a, c]];
        canvas.fill(&Coverage::of_stroke(size, &frame, thick.max(1.0)), srgb(INK), 0.8);
    }

    let top = height - foot - 0.2 * margin;
    let text = 0.017 * height;
    if legend.swatches.is_empty() {
        legend.note = style.name().to_owned();
        legend.draw(&mut canvas, (height - 0.75 * foot) as usize);
    } else {
        let below = [1.6 * margin, top + 0.1 * foot, width - 1.6 * margin, 0.52 * foot];
        swatches(&mut canvas, &legend.swatches, below);
    }
    let scale = scale_of(terrain, w, width);
    let at = [0.5 * width, height - 1.15 * margin];
    write(&mut canvas, &scale, at, text, Align::Middle);
    canvas
}

/// The size of the largest map with the right proportions in a room.
fn inside(terrain: &Terrain, options: &Options, room: [f64; 2]) -> [f64; 2] {
    let aspect = match options.projection {
        crate::MapProjection::Equirectangular => {
            let extent = terrain.extent();
            let [dx, dz] = extent.lattice().spacing;
            extent.width() as f64 * dx / (extent.height() as f64 * dz)
        }
        other => other.aspect(),
    };
    let w = room[0].min(room[1] * aspect).max(1.0);
    [w, (w / aspect).max(1.0)]
}

/// The scale along the equator when the poster is printed a metre wide.
fn scale_of(terrain: &Terrain, map: f64, poster: f64) -> String {
    let metres = terrain.extent().lattice().ground()[0];
    let shown = map / poster;
    let million = metres / shown / 1e6;
    let rounded = if million >= 10.0 { million.round() } else { (million * 10.0).round() / 10.0 };
    format!(
        "1 : {rounded} million on the equator, printed a metre wide    ·    {:.0} km around",
        metres / 1000.0
    )
}
