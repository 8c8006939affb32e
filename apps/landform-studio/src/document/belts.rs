//! The mountain belts of a world as peaks: on a grid of metres, since the grid lines of a planet lie too far apart for them.

use landform::stage::Stage;
use landform::topology::latitude;
use landform::uplift::Peak;
use landform::world::BeltLine;
use landform::world::belt_line::is_belt;
use landform::{Feature, Lattice, Recipe, Topology};

use super::{Document, Form, Item};
use crate::edits::{grid_lines, within_limits};

/// As many lines as UPD allows, which the clipboard writes.
const MOST_LINES: f64 = 1e6;

impl Document {
    /// The grid lines that the peaks are counted by: those of the lattice, or metres for the belts of a world.
    pub fn grid(&self) -> Lattice {
        if self.has_belts() { grid(&self.lattice) } else { self.lattice }
    }

    /// By how many lines of the [grid](Document::grid) a key moves a peak.
    pub fn step(&self) -> [i64; 2] {
        let [dx, dz] = self.lattice.spacing;
        if self.has_belts() { [dx, dz].map(|step| (step.round() as i64).max(1)) } else { [1, 1] }
    }

    /// How much wider than high a circle is drawn at a place: on the map of a sphere more towards the poles.
    pub fn stretch(&self, z: f64) -> f64 {
        match &self.form {
            Form::Recipe { recipe, .. } if recipe.topology == Topology::Sphere => {
                1.0 / latitude(&self.lattice, z).to_radians().cos().max(0.1)
            }
            _ => 1.0,
        }
    }

    /// Whether the peaks are those of the mountain belts of a world.
    pub fn has_belts(&self) -> bool {
        let stage = self.owner().and_then(|owner| self.stages().get(owner.stage));
        stage.is_some_and(|entry| matches!(entry.stage, Stage::Plates(_)))
    }

    /// Whether the peaks are belts that the plates raise, rather than written down.
    pub fn is_raised(&self) -> bool {
        self.has_belts() && !self.is_by_hand()
    }

    /// Takes the belts that the plates have raised. Whether they are others than before.
    pub(crate) fn take_belts(&mut self, features: &[Feature]) -> bool {
        if !self.is_raised() {
            return false;
        }
        let summits = features.iter().filter_map(Feature::as_summit);
        let new: Vec<Item> = summits.map(|summit| item(&BeltLine::from(summit))).collect();
        let is_same = new.len() == self.items.len()
            && new.iter().zip(&self.items).all(|(new, old)| new.peak == old.peak);
        if !is_same {
            self.items = new;
        }
        !is_same
    }
}

/// The grid of metres on a ground.
pub(super) fn grid(lattice: &Lattice) -> Lattice {
    let size = lattice.ground().map(|metres| (metres + 1.0).min(MOST_LINES) as u32);
    Lattice { size, spacing: [1.0; 2] }
}

/// A belt of a recipe as a peak, in a group by what made it.
pub(super) fn item(line: &BeltLine) -> Item {
    let metres = Lattice { size: [1, 1], spacing: [1.0; 2] };
    let [i, j] = grid_lines(&metres, [line.x, line.z]);
    let peak = within_limits(Peak { i, j, height: line.height, radius: line.radius });
    Item { peak, name: String::new(), group: line.made_by.clone() }
}

/// The belts as a recipe has them: on the map, around which those have gone that were dragged over an edge.
pub(super) fn list(items: &[Item], recipe: &Recipe) -> Vec<BeltLine> {
    let belt = |item: &Item| {
        let [x, z] = on_map(&item.peak, recipe);
        let line = BeltLine::from([x, z, item.peak.height, item.peak.radius]);
        BeltLine { made_by: made_by(item), ..line }
    };
    items.iter().map(belt).collect()
}

/// Where a belt stands on the map: on the other side if it wraps, else at the edge that it was moved over. Beyond an edge that is no pole
/// it may stand as far as it reaches.
fn on_map(peak: &Peak, recipe: &Recipe) -> [f64; 2] {
    let (ground, wraps) = (recipe.design().ground(), recipe.topology.wraps());
    let reach = if recipe.topology == Topology::Plane { peak.radius } else { 0.0 };
    let at = [peak.i as f64, peak.j as f64];
    [0, 1].map(|axis| match wraps[axis] {
        true if (0.0..=ground[axis]).contains(&at[axis]) => at[axis],
        true => at[axis].rem_euclid(ground[axis]),
        false => at[axis].clamp(0.0 - reach, ground[axis] + reach),
    })
}

/// What made a belt, unless its group is one of the user's own.
fn made_by(item: &Item) -> String {
    if is_belt(&item.group) { item.group.clone() } else { String::new() }
}

/// Whether the items are those of the recipe, whose places need not be whole metres.
pub(super) fn are_same(belts: &[BeltLine], items: &[Item], recipe: &Recipe) -> bool {
    let is_same = |(old, new): (&BeltLine, &BeltLine)| {
        item(old).peak == item(new).peak && old.made_by == new.made_by
    };
    belts.len() == items.len() && belts.iter().zip(&list(items, recipe)).all(is_same)
}
