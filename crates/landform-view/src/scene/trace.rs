//! Rays through pixels.

use landform::math::vector::{Vec3, distance};
use landform::{Grid, par};

use super::camera::Camera;
use super::field::{Field, Free};
use crate::Image;
use crate::color::{Rgb, byte, encode_with, encoder};
use crate::draw::dither;

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
    let mut pixels = vec![[0_u8; 3]; width * height];
    par::for_each_row(&mut pixels, width, |y, row| {
        let around = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
        let sharp: [Vec<Rgb>; 3] =
            around.map(|y| once.row(y).iter().map(|&light| encoded(light)).collect());
        for (x, out) in row.iter_mut().enumerate() {
            let mut color = sharp[1][x];
            if !is_plain(&sharp, x) {
                let mut sum = once[(x, y)];
                for place in AROUND {
                    let light = look(x, y, place);
                    sum = [0, 1, 2].map(|c| sum[c] + light[c]);
                }
                color = encoded(sum.map(|channel| channel / (1 + AROUND.len()) as f32));
            }
            // Noise of one step, so that slow gradients show no bands.
            let noise = dither(x, y);
            *out = color.map(|channel| byte(channel + noise));
        }
    });
    Image::from_pixels(width, height, pixels)
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

/// Whether a pixel of the middle row and the four beside it look the same.
fn is_plain([above, row, below]: &[Vec<Rgb>; 3], x: usize) -> bool {
    let here = row[x];
    let same = |there: Rgb| (0..3).all(|c| (here[c] - there[c]).abs() < 0.02);
    same(row[x.saturating_sub(1)])
        && same(row[(x + 1).min(row.len() - 1)])
        && same(above[x])
        && same(below[x])
}
