//! The numbers of plates on their map, so that a belt called "fold 6-11" can be found.
//!
//! A number stands where a piece of its plate, as the projection shows it, is widest: at the place farthest from every border.

use landform::Grid;

use crate::MapProjection;
use crate::draw::{Align, Canvas};
use crate::graticule::haloed;
use crate::sea::distance_to;

/// Columns of the lattice on which places are looked for.
const COLUMNS: usize = 480;

/// Writes the numbers of `plates` on a map of them in a projection.
pub(crate) fn draw(canvas: &mut Canvas, plates: &Grid, projection: MapProjection) {
    let size = [canvas.width(), canvas.height()];
    let columns = size[0].min(COLUMNS);
    let scale = size[0] as f64 / columns as f64;
    let rows = ((size[1] as f64 / scale) as usize).max(1);
    let largest = (0.02 * size[0] as f64).clamp(9.0, 60.0);
    for (number, [i, j], width) in places(plates, projection, [columns, rows]) {
        let at = [(i as f64 + 0.5) * scale, (j as f64 + 0.5) * size[1] as f64 / rows as f64];
        let text = (1.4 * width * scale).clamp(0.5 * largest, largest).max(7.0);
        haloed(canvas, &number.to_string(), [at[0], at[1] + 0.35 * text], text, Align::Middle);
    }
}

/// The plates that are shown, the places where their pieces are widest, and the distances from there to the border.
fn places(
    plates: &Grid,
    projection: MapProjection,
    [columns, rows]: [usize; 2],
) -> Vec<(u32, [usize; 2], f64)> {
    let [half_x, half_y] = projection.extent();
    let shown: Grid<Option<u32>> = Grid::from_fn(columns, rows, |i, j| {
        let x = half_x * (2.0 * (i as f64 + 0.5) / columns as f64 - 1.0);
        let y = half_y * (1.0 - 2.0 * (j as f64 + 0.5) / rows as f64);
        let [longitude, latitude] = projection.unproject(x, y)?;
        let turn = (longitude / std::f64::consts::TAU + 0.5).rem_euclid(1.0);
        let down = 0.5 - latitude / std::f64::consts::PI;
        let pick = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
        Some(plates[(pick(turn, plates.width()), pick(down, plates.height()))].max(0.0) as u32)
    });
    let is_border = Grid::from_fn(columns, rows, |i, j| {
        let own = shown[(i, j)];
        // The edge of the paper is a border too, lest a number be cut off.
        let is_inner = i > 0 && j > 0 && i + 1 < columns && j + 1 < rows;
        own.is_none()
            || !is_inner
            || [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)].iter().any(|&at| shown[at] != own)
    });
    let distances = distance_to(&is_border);
    let mut seen = Grid::filled(columns, rows, false);
    let mut widest: Vec<(u32, [usize; 2], f64)> = Vec::new();
    for start in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
        let Some(number) = shown[start] else { continue };
        let Some(piece) = widest_of_piece(start, &shown, &distances, &mut seen) else { continue };
        widest.push((number, [piece.0.0, piece.0.1], piece.1));
    }
    // A plate in several pieces has its number on each that has room for it, and at least on one.
    let room = (columns as f64 / 40.0).max(2.0);
    let most = |number: u32, widest: &[(u32, [usize; 2], f64)]| {
        widest.iter().filter(|piece| piece.0 == number).map(|piece| piece.2).fold(0.0, f64::max)
    };
    let all = widest.clone();
    widest.retain(|&(number, _, width)| width >= room || width == most(number, &all));
    // A sliver at the edge of a globe is no place for one.
    widest.retain(|&(.., width)| width >= 1.5);
    widest
}

/// The place in the piece around `start` that is farthest from its border, and how far; nothing if it was seen before.
fn widest_of_piece(
    start: (usize, usize),
    shown: &Grid<Option<u32>>,
    distances: &Grid,
    seen: &mut Grid<bool>,
) -> Option<((usize, usize), f64)> {
    if std::mem::replace(&mut seen[start], true) {
        return None;
    }
    let (columns, rows) = (shown.width(), shown.height());
    let mut best = (start, f64::from(distances[start]));
    let mut open = vec![start];
    while let Some((i, j)) = open.pop() {
        if f64::from(distances[(i, j)]) > best.1 {
            best = ((i, j), f64::from(distances[(i, j)]));
        }
        let near = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
        for at in near.into_iter().filter(|at| at.0 < columns && at.1 < rows) {
            if shown[at] == shown[start] && !std::mem::replace(&mut seen[at], true) {
                open.push(at);
            }
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_in_the_middle_of_its_plate() {
        let plates = Grid::from_fn(90, 45, |i, _| if i < 60 { 3.0 } else { 11.0 });
        let flat = places(&plates, MapProjection::Equirectangular, [90, 45]);
        let numbers: Vec<u32> = flat.iter().map(|(number, ..)| *number).collect();
        assert_eq!(numbers, [3, 11]);
        for (number, [i, j], _) in flat {
            assert_eq!(plates[(i, j)], number as f32);
            assert!(
                j.abs_diff(22) < 11 && (number != 11 || i.abs_diff(75) < 2),
                "{number} {i} {j}"
            );
        }
    }

    #[test]
    fn a_globe_shows_the_numbers_of_its_near_side_alone() {
        let plates = Grid::from_fn(90, 45, |i, _| if (35..55).contains(&i) { 1.0 } else { 2.0 });
        let far = MapProjection::Globe { longitude_deg: 180.0, latitude_deg: 0.0 };
        let seen: Vec<u32> =
            places(&plates, far, [80, 80]).iter().map(|(number, ..)| *number).collect();
        assert_eq!(seen, [2]);
    }
}
