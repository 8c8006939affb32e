//! A parameter that may vary over the map: one number everywhere, or a blend of two by a mask.
//!
//! ```toml
//! amplitude = 400                                                  # the same everywhere
//! amplitude = { from = 900, to = 40, by = { kind = "gradient", from = [0, 0], to = [0, 8000] } }
//! ```
//!
//! The value at a sample is `from` where the mask weighs 0, `to` where it weighs 1, and in proportion between.
//! Any mask will do: a gradient, a painted image, a region, noise, or a layer by its band of values. The range
//! that a parameter declares holds for the number and for both ends.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::error::Error;
use crate::mask::{Mask, ResolvedMask};
use crate::stage::Site;
use crate::terrain_view::TerrainView;
use crate::{Extent, math};

/// A number, or numbers that vary over the map: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Varying {
    /// The same everywhere.
    Even(f64),
    /// `from + (to − from)·w`, w being the weight of a mask.
    Blended {
        /// The value where the mask weighs 0.
        from: f64,
        /// The value where the mask weighs 1.
        to: f64,
        /// The mask.
        by: Box<Mask>,
    },
}

impl From<f64> for Varying {
    fn from(value: f64) -> Self {
        Self::Even(value)
    }
}

impl Varying {
    /// The one value that it has everywhere, if it does.
    pub fn even(&self) -> Option<f64> {
        match self {
            Self::Even(value) => Some(*value),
            Self::Blended { from, to, .. } => (from == to).then_some(*from),
        }
    }

    /// The least and the greatest value that it can have.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Even(value) => (*value, *value),
            Self::Blended { from, to, .. } => (from.min(*to), from.max(*to)),
        }
    }

    /// The files that its mask needs.
    pub fn files(&self) -> Vec<&str> {
        match self {
            Self::Even(_) => Vec::new(),
            Self::Blended { by, .. } => by.files(),
        }
    }

    /// How many samples around one its mask looks at.
    pub fn reach(&self) -> u32 {
        match self {
            Self::Even(_) => 0,
            Self::Blended { by, .. } => by.reach(),
        }
    }

    /// Checks the mask of the parameter called `name`. The values can then be had on the lattice
    /// `site.output`; a stage that runs on the design lattice gives a site with that as its output.
    pub(crate) fn resolve(&self, name: &str, site: &Site<'_>) -> Result<ResolvedVarying, Error> {
        match self {
            Self::Even(value) => Ok(ResolvedVarying::Even(*value)),
            Self::Blended { from, to, by } => {
                let site = Site { seed: site.seed.child(name), ..*site };
                let mask = by.resolve(&site).map_err(|error| {
                    error.renamed(|at| at.replacen("mask", &format!("{name}.by"), 1))
                })?;
                Ok(ResolvedVarying::Blended { from: *from, to: *to, mask })
            }
        }
    }
}

/// A parameter whose values can be had anywhere.
#[derive(Clone, Debug)]
pub(crate) enum ResolvedVarying {
    Even(f64),
    Blended { from: f64, to: f64, mask: ResolvedMask },
}

impl ResolvedVarying {
    /// The one value that it has everywhere, if it does.
    pub(crate) fn even(&self) -> Option<f64> {
        match self {
            Self::Even(value) => Some(*value),
            Self::Blended { from, to, .. } => (from == to).then_some(*from),
        }
    }

    /// The least and the greatest value that it can have.
    pub(crate) fn range(&self) -> (f64, f64) {
        match self {
            Self::Even(value) => (*value, *value),
            Self::Blended { from, to, .. } => (from.min(*to), from.max(*to)),
        }
    }

    /// The values at row `row` of `extent`.
    pub(crate) fn fill_row(
        &self,
        view: &TerrainView<'_>,
        extent: &Extent,
        row: usize,
        values: &mut [f32],
    ) {
        match self {
            Self::Even(value) => values.fill(*value as f32),
            Self::Blended { from, to, mask } => {
                mask.weigh(view, extent, row, values);
                for value in values {
                    *value = math::lerp(*from, *to, f64::from(*value)) as f32;
                }
            }
        }
    }
}

/// The word in the schema of a parameter that tells that it may vary.
pub(crate) const VARIES: &str = "varies";

/// A number or a table. The attributes of the field (range, unit) fall on the number; [`spread_ranges`]
/// copies them to both ends.
impl JsonSchema for Varying {
    fn schema_name() -> Cow<'static, str> {
        "Varying".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mask = generator.subschema_for::<Mask>();
        json_schema!({
            "type": ["number", "object"],
            VARIES: true,
            "properties": {
                "from": { "type": "number", "description": "The value where the mask weighs 0." },
                "to": { "type": "number", "description": "The value where the mask weighs 1." },
                "by": mask,
            },
            "required": ["from", "to", "by"],
            "additionalProperties": false,
        })
    }
}

/// Gives the ends of each varying parameter in a schema the range and the unit of the parameter itself.
pub(crate) fn spread_ranges(schema: &mut Json) {
    match schema {
        Json::Object(entries) => {
            if entries.contains_key(VARIES) {
                let names = ["minimum", "maximum", "exclusiveMinimum", "unit"];
                let shared = names.iter().filter_map(|&name| Some((name, entries.get(name)?)));
                let shared: Vec<_> = shared.map(|(name, value)| (name, value.clone())).collect();
                let ends = entries.get_mut("properties").and_then(Json::as_object_mut);
                for (_, end) in ends.into_iter().flatten().filter(|(name, _)| *name != "by") {
                    shared.iter().for_each(|(name, value)| end[*name] = value.clone());
                }
            }
            entries.values_mut().for_each(spread_ranges);
        }
        Json::Array(items) => items.iter_mut().for_each(spread_ranges),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Inputs, Lattice, Layer, Seed, Terrain};

    #[test]
    fn both_forms_are_read_and_written() {
        for text in [
            "2.5",
            r#"{"from":1.0,"to":3.0,"by":{"kind":"slope","from":0.0,"to":90.0,"fade":0.0}}"#,
        ] {
            let varying: Varying = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&varying).unwrap(), text);
        }
    }

    #[test]
    fn values_go_from_one_end_to_the_other_with_the_mask() {
        let by = Box::new(Mask::Gradient { from: [10.0, 5.0], to: [30.0, 5.0] });
        let varying = Varying::Blended { from: 100.0, to: 20.0, by };
        let lattice = Lattice { size: [5, 1], spacing: [10.0, 10.0] };
        let extent = lattice.whole();
        let (inputs, layers) = (Inputs::default(), [Layer::Height]);
        let site = Site {
            seed: Seed::new(1),
            design: lattice,
            output: lattice,
            inputs: &inputs,
            layers: &layers,
            topology: crate::Topology::Plane,
            sea_level: 0.0,
            demands: &[],
            ocean: None,
        };
        let resolved = varying.resolve("amplitude", &site).unwrap();
        let terrain = Terrain::new(extent, 0.0, Grid::filled(5, 1, 0.0));
        let view = TerrainView::of(&terrain);
        let mut values = [0.0; 5];
        resolved.fill_row(&view, &extent, 0, &mut values);
        assert_eq!(values, [100.0, 100.0, 60.0, 20.0, 20.0]);
        assert_eq!((varying.even(), varying.range()), (None, (20.0, 100.0)));
    }
}
