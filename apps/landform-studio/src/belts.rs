//! The mountain belts of a world as peaks: on a grid of metres, since the grid lines of a planet lie too far apart for them.

use landform::Lattice;
use landform::feature::Summit;
use landform::uplift::Peak;

use crate::document::Item;
use crate::edits::{grid_lines, within_limits};

/// As many lines as UPD allows, which the clipboard writes.
const MOST_LINES: f64 = 1e6;

/// The grid of metres on a ground.
pub(crate) fn grid(lattice: &Lattice) -> Lattice {
    let size = lattice.ground().map(|metres| (metres + 1.0).min(MOST_LINES) as u32);
    Lattice { size, spacing: [1.0; 2] }
}

/// A belt of a recipe, `[x, z, height, radius]` in metres, as a peak.
pub(crate) fn peak(&[x, z, height, radius]: &[f64; 4]) -> Peak {
    let metres = Lattice { size: [1, 1], spacing: [1.0; 2] };
    let [i, j] = grid_lines(&metres, [x, z]);
    within_limits(Peak { i, j, height, radius })
}

/// A belt that plates have raised, in whole metres, in a group by what made it.
pub(crate) fn item(summit: &Summit) -> Item {
    let Summit { name, x, z, height, radius } = summit;
    let peak = peak(&[*x, *z, height.round(), radius.round().max(1.0)]);
    Item { peak, name: String::new(), group: name.clone() }
}

/// The belts as a recipe has them.
pub(crate) fn list(items: &[Item]) -> Vec<[f64; 4]> {
    let belt = |item: &Item| {
        let Peak { i, j, height, radius } = item.peak;
        [i as f64, j as f64, height, radius]
    };
    items.iter().map(belt).collect()
}

/// The belts as the text of a recipe.
pub(crate) fn text(items: &[Item]) -> String {
    let mut text = String::from("[\n");
    for [x, z, height, radius] in list(items) {
        text += &format!("    [{x}, {z}, {height}, {radius}],\n");
    }
    text + "]"
}

/// Whether the items are those of the recipe, whose places need not be whole metres.
pub(crate) fn are_same(belts: &[[f64; 4]], items: &[Item]) -> bool {
    belts.len() == items.len()
        && belts.iter().zip(items).all(|(belt, item)| peak(belt) == item.peak)
}
