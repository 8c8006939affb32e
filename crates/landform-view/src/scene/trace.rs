//! Rays through pixels.

use landform::{Grid, par};

use super::camera::Camera;
use super::field::{Field, Free};
use super::vector::{Vec3, distance};
use crate::Image;
use crate::color::{Rgb, encode_with, encoder};
use crate::draw::Canvas;

/// What is seen along a ray, in linear light from 0 to 1.
pub(crate) trait Light: Sync {
    fn along(&self, origin: Vec3, direction: Vec3, free: Free) -> Rgb;
}

/// Side of the tiles whose rays are bundled, in pixels.
const TILE: usize = 8;

/// Four places in a pixel around its middle, no two in a row or a column: a rotated grid.
const AROUND: [[f64; 2]; 4] = [[0.125, 0.625], [0.375, 0.125], [0.625, 0.875], [0.875, 0.375]];

/// Looks through the middle of each pixel, and through four places more where neighbours differ.
pub(crate) fn draw(light: &impl Light, field: &Field, camera: &Camera, size: [usize; 2]) -> Image {
    let [width, height] = size;
    let tiles = width.div_ceil(TILE);
    let free = par::map(tiles * height.div_ceil(TILE), |k| {
        free_of_tile(field, camera, size, [k % tiles, k / tiles])
    });
    let look = |x: usize, y: usize, [dx, dy]: [f64; 2]| {
        let (origin, direction) = camera.ray_through(size, [x as f64 + dx, y as f64 + dy]);
        light.along(origin, direction, free[y / TILE * tiles + x / TILE])
    };
    let table = encoder();
    let encoded = |light: Rgb| light.map(|channel| encode_with(table, channel));
    let mut once = Grid::filled(width, height, [0.0_f32; 3]);
    par::for_each_row(once.samples_mut(), width, |y, row| {
        row.iter_mut().enumerate().for_each(|(x, out)| *out = look(x, y, [0.5, 0.5]));
    });
    let sharp = once.map(|&light| encoded(light));
    let mut pixels = Grid::filled(width, height, [0.0_f32; 3]);
    par::for_each_row(pixels.samples_mut(), width, |y, row| {
        for (x, out) in row.iter_mut().enumerate() {
            if is_plain(&sharp, x, y) {
                *out = sharp[(x, y)];
                continue;
            }
            let mut sum = once[(x, y)];
            for place in AROUND {
                let light = look(x, y, place);
                sum = [0, 1, 2].map(|c| sum[c] + light[c]);
            }
            *out = encoded(sum.map(|channel| channel / (1 + AROUND.len()) as f32));
        }
    });
    Canvas::from_grid(pixels).into_dithered_image()
}

/// How far the rays through a tile of the picture are free.
fn free_of_tile(field: &Field, camera: &Camera, size: [usize; 2], [i, j]: [usize; 2]) -> Free {
    let corner = |x: usize, y: usize| {
        camera.ray_through(size, [((i + x) * TILE) as f64, ((j + y) * TILE) as f64])
    };
    let middle = [(i as f64 + 0.5) * TILE as f64, (j as f64 + 0.5) * TILE as f64];
    let (origin, direction) = camera.ray_through(size, middle);
    let (mut radius, mut spread) = (0.0_f64, 0.0_f64);
    for (from, to) in [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)] {
        radius = radius.max(distance(from, origin));
        spread = spread.max(distance(to, direction));
    }
    field.free(origin, direction, 1.01 * radius, 1.01 * spread)
}

/// Whether a pixel and the four beside it look the same.
fn is_plain(pixels: &Grid<Rgb>, x: usize, y: usize) -> bool {
    let (width, height) = (pixels.width(), pixels.height());
    let here = pixels[(x, y)];
    let same = |there: Rgb| (0..3).all(|c| (here[c] - there[c]).abs() < 0.02);
    same(pixels[(x.saturating_sub(1), y)])
        && same(pixels[((x + 1).min(width - 1), y)])
        && same(pixels[(x, y.saturating_sub(1))])
        && same(pixels[(x, (y + 1).min(height - 1))])
}
