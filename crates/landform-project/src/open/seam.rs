//! Whether a heightmap closes where the edges of a map belong together.

use landform::stage::Stage;
use landform::{Grid, Recipe, Topology};

/// The step, as a share of the range of heights, from which on a seam is worth a word.
const STEP: f64 = 0.01;

/// What is to be said about `heights`, the file of a heightmap on a map that wraps.
pub(super) fn warnings(recipe: &Recipe, file: &str, heights: &Grid) -> Vec<String> {
    let is_ground =
        |stage: &Stage| matches!(stage, Stage::Heightmap(heightmap) if heightmap.file == file);
    if !recipe.stages.iter().any(|entry| is_ground(&entry.stage)) {
        return Vec::new();
    }
    let (low, high) = heights.range();
    let range = f64::from(high) - f64::from(low);
    let (right, bottom) = (heights.width() - 1, heights.height() - 1);
    let mut warnings = Vec::new();
    let mut tell = |step: f64, what: &str, why: &str| {
        if range > 0.0 && step > STEP * range {
            let percent = (100.0 * step / range).round();
            warnings.push(format!("{file}: {what} by up to {percent} % of the heights: {why}"));
        }
    };
    let apart = |a: f32, b: f32| f64::from(a - b).abs();
    let [wraps_x, wraps_z] = recipe.topology.wraps();
    if wraps_x {
        let rows = heights.rows();
        let step = rows.map(|row| apart(row[0], row[right])).fold(0.0, f64::max);
        let why = "they are the same meridian, and there will be a seam";
        tell(step, "the first and the last column differ", why);
    }
    if wraps_z {
        let ends = heights.row(0).iter().zip(heights.row(bottom));
        let step = ends.map(|(&a, &b)| apart(a, b)).fold(0.0, f64::max);
        let why = "the map wraps there, and there will be a seam";
        tell(step, "the first and the last row differ", why);
    }
    if recipe.topology == Topology::Sphere {
        for (row, pole) in [(0, "north"), (bottom, "south")] {
            let row = heights.row(row);
            let (low, high) = row
                .iter()
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), &h| (a.min(h), b.max(h)));
            let what = format!("the row of the {pole} pole varies");
            tell(
                apart(high, low),
                &what,
                "it is one place, and the ground will meet there in creases",
            );
        }
    }
    warnings
}
