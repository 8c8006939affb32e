//! A peak of a belt as a recipe lists it, and where it may stand.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::belts::BeltKind;
use crate::Topology;
use crate::error::number;
use crate::feature::Summit;

/// A peak of a belt: `[x, z, height, radius]` in metres, or `[x, z, height, radius, "range 3-5"]` with what made it and the plates
/// on both sides of the boundary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<ListItem>", into = "Vec<ListItem>")]
pub struct BeltLine {
    /// Metres from the west edge.
    pub x: f64,
    /// Metres from the north edge.
    pub z: f64,
    /// Metres above the ground, negative for a trench.
    pub height: f64,
    /// Metres.
    pub radius: f64,
    /// What made it, such as `range 3-5`; empty if nobody knows.
    pub made_by: String,
}

/// A number or a text of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ListItem {
    Number(f64),
    Text(String),
}

impl From<Vec<ListItem>> for BeltLine {
    /// What is no number where one belongs becomes one that lies in no range, so that the plan refuses it with its place.
    fn from(parts: Vec<ListItem>) -> Self {
        let number = |k: usize| match parts.get(k) {
            Some(&ListItem::Number(number)) => number,
            _ => f64::NAN,
        };
        let made_by = match parts.get(4) {
            Some(ListItem::Text(text)) => text.clone(),
            Some(ListItem::Number(number)) => number.to_string(),
            None => String::new(),
        };
        Self { x: number(0), z: number(1), height: number(2), radius: number(3), made_by }
    }
}

impl From<BeltLine> for Vec<ListItem> {
    fn from(line: BeltLine) -> Self {
        let numbers = [line.x, line.z, line.height, line.radius].map(ListItem::Number);
        let made_by = Some(ListItem::Text(line.made_by)).filter(|part| match part {
            ListItem::Text(text) => !text.is_empty(),
            ListItem::Number(_) => true,
        });
        numbers.into_iter().chain(made_by).collect()
    }
}

impl From<[f64; 4]> for BeltLine {
    fn from([x, z, height, radius]: [f64; 4]) -> Self {
        Self { x, z, height, radius, made_by: String::new() }
    }
}

impl From<&Summit> for BeltLine {
    /// In whole metres.
    fn from(summit: &Summit) -> Self {
        let [x, z] = [summit.x, summit.z].map(f64::round);
        let [height, radius] = [summit.height.round(), summit.radius.round().max(1.0)];
        let made_by = if is_belt(&summit.name) { summit.name.clone() } else { String::new() };
        Self { x, z, height, radius, made_by }
    }
}

impl JsonSchema for BeltLine {
    fn schema_name() -> Cow<'static, str> {
        "BeltLine".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = serde_json::json!({ "type": "number" });
        json_schema!({
            "type": "array",
            "prefixItems": [number, number, number, number, { "type": "string" }],
            "items": { "type": ["number", "string"] },
            "minItems": 4,
            "maxItems": 5,
        })
    }
}

/// What makes a belt, and the plates on both sides if they are told: `range` or `range 3-5`.
pub(crate) fn parsed(made_by: &str) -> Option<(BeltKind, Option<[u16; 2]>)> {
    let (kind, plates) = match made_by.split_once(' ') {
        Some((kind, plates)) => (kind, Some(plates)),
        None => (made_by, None),
    };
    let kind = BeltKind::ALL.into_iter().find(|known| known.name() == kind)?;
    let plates = match plates {
        Some(plates) => {
            let (one, other) = plates.split_once('-')?;
            Some([one.parse().ok()?, other.parse().ok()?])
        }
        None => None,
    };
    Some((kind, plates))
}

/// Whether a text says what made a belt, as [`BeltLine::made_by`] does.
pub fn is_belt(text: &str) -> bool {
    parsed(text).is_some()
}

/// Peaks of belts are not higher, nor trenches deeper, in metres.
const HIGHEST: f64 = 100_000.0;

/// Peaks may be as wide, in metres, on maps that are not: those that plates raise are up to 400 km wide on any map.
const WIDE: f64 = 500e3;

/// What belts are written down for.
pub(super) struct Room {
    pub(super) topology: Topology,
    /// Metres along x and z.
    pub(super) ground: [f64; 2],
    /// Width of a cell of the plates in metres.
    pub(super) cell: f64,
    pub(super) plates: u32,
}

impl Room {
    /// How far beyond the edges of an axis a peak may stand: it has to reach the map.
    fn beyond(&self, axis: usize, radius: f64) -> f64 {
        let ends = self.topology != Topology::Sphere && !self.topology.wraps()[axis];
        if ends { radius } else { 0.0 }
    }

    /// Whether a peak can be felt on the map, if it stands at a place along an axis.
    fn reaches_along(&self, axis: usize, at: f64, radius: f64) -> bool {
        let beyond = self.beyond(axis, radius);
        // Places are written down in whole metres, and peaks are looked for a little farther than they reach.
        let slack = 1.0 + 0.01 * beyond;
        (-beyond - slack..=self.ground[axis] + beyond + slack).contains(&at)
    }

    /// Whether a peak can be felt on the map.
    pub(super) fn reaches(&self, place: [f64; 2], radius: f64) -> bool {
        (0..2).all(|axis| self.reaches_along(axis, place[axis], radius))
    }

    /// What is wrong with a place along an axis.
    fn misplaced(&self, axis: usize, at: f64, radius: f64) -> Option<String> {
        if self.reaches_along(axis, at, radius) {
            return None;
        }
        let beyond = self.beyond(axis, radius);
        let extent = if beyond > 0.0 {
            "the map and as far beyond its edges as the radius reaches"
        } else if self.topology.wraps()[axis] {
            "from one side of the map to the other, where it wraps"
        } else {
            "from pole to pole"
        };
        let [at, low, high] = [at, 0.0 - beyond, self.ground[axis] + beyond].map(number);
        let name = ["x", "z"][axis];
        Some(format!("has the {name} {at}, but it must be in {low}..={high}, {extent}"))
    }

    /// What is wrong with a line of `belts`.
    pub(super) fn fault(&self, line: &BeltLine) -> Option<String> {
        let BeltLine { x, z, height, radius, made_by } = line;
        if [x, z, height, radius].iter().any(|number| number.is_nan()) {
            return Some("must begin with four numbers: x, z, height, radius".to_owned());
        }
        if height.abs() > HIGHEST {
            let height = number(*height);
            return Some(format!("has the height {height}, but it must be within ±{HIGHEST} m"));
        }
        let (least, most) = (0.01 * self.cell, WIDE.max(0.5 * self.ground[0].max(self.ground[1])));
        if !(least..=most).contains(radius) {
            let [radius, least, most] = [*radius, least, most].map(number);
            return Some(format!(
                "has the radius {radius}, but it must be in {least}..={most}: a hundredth of a cell to half of the map"
            ));
        }
        let misplaced = self.misplaced(0, *x, *radius).or_else(|| self.misplaced(1, *z, *radius));
        if misplaced.is_some() || made_by.is_empty() {
            return misplaced;
        }
        match parsed(made_by) {
            None => {
                let kinds = BeltKind::ALL.map(BeltKind::name).join(", ");
                Some(format!(
                    "is made by `{made_by}`, but must be by one of {kinds}, and its plates, as `range 3-5`"
                ))
            }
            Some((_, Some(both))) if both.iter().any(|&plate| u32::from(plate) >= self.plates) => {
                let (count, last) = (self.plates, self.plates - 1);
                Some(format!("is made by `{made_by}`, but there are {count} plates, 0 to {last}"))
            }
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_made_a_belt_is_read_and_written() {
        assert_eq!(parsed("range 3-5"), Some((BeltKind::Range, Some([3, 5]))));
        assert_eq!(parsed("hot_spot"), Some((BeltKind::HotSpot, None)));
        for wrong in ["", "range 3", "hill 1-2", "range 3-x", "range 3-5-7"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
        let line = BeltLine { made_by: "fold 1-2".to_owned(), ..[1.0, 2.0, 3.0, 4.0].into() };
        let json = serde_json::to_string(&line).unwrap();
        assert_eq!(json, r#"[1.0,2.0,3.0,4.0,"fold 1-2"]"#);
        assert_eq!(serde_json::from_str::<BeltLine>(&json).unwrap(), line);
        let plain: BeltLine = serde_json::from_str("[1, 2, 3, 4]").unwrap();
        assert_eq!(plain, [1.0, 2.0, 3.0, 4.0].into());
    }
}
