//! A heightmap that the user brought, stretched over the ground.
//!
//! [`resample::raster`](crate::resample::raster) interpolates and averages it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::voids;
use crate::blend::Blend;
use crate::error::Error;
use crate::inputs::Meaning;
use crate::resample::raster::Resampled;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, par};

/// Ground from a picture: see the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Heightmap {
    /// The file, relative to the recipe.
    pub file: String,
    /// Height of black, if the file does not tell or is to be overruled. Not for files that hold metres.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Height of white, if the file does not tell or is to be overruled. Not for files that hold metres.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// What becomes of samples without a height, as elevation models have on water and in the shadow of mountains.
    pub voids: Voids,
}

/// Samples without a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Voids {
    /// They are an error that says how many there are, and where.
    #[default]
    Refuse,
    /// A membrane hangs in each of them from its edge.
    Fill,
}

/// How far white lies above black, if neither the file nor the recipe says it.
const ASSUMED_HIGH: f64 = 1000.0;

impl Operator for Heightmap {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let name = &self.file;
        let raster = match self.voids {
            Voids::Refuse => site.inputs.complete(
                "file",
                name,
                "voids = \"fill\" in its stage (--set heightmap.voids=fill) fills them",
            )?,
            Voids::Fill => site.inputs.of("file", name)?,
        };
        let mut resampled = raster.resampled(&site.output);
        voids::fill(&mut resampled.samples);
        match raster.meaning {
            Meaning::Values => {
                if self.low.is_some() || self.high.is_some() {
                    let which = if self.low.is_some() { "low" } else { "high" };
                    let message = format!("is given, but {name:?} holds metres already");
                    return Err(Error::of(which, message));
                }
            }
            Meaning::Brightness(range) => {
                let low = self.low.or(range.map(|[low, _]| low)).unwrap_or(0.0);
                let high = self.high.or(range.map(|[_, high]| high)).unwrap_or(low + ASSUMED_HIGH);
                resampled.scale(low, high - low);
            }
        }
        Ok(Prepared::Field(Box::new(resampled)))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn files(&self) -> Vec<&str> {
        vec![&self.file]
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

impl Field for Resampled {
    fn bytes(&self) -> u64 {
        4 * self.samples.samples().len() as u64
    }

    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        par::try_for_each_part(out, extent.width(), 1, |row, samples| {
            ctx.check()?;
            self.fill_row(extent, row, samples);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Raster};

    #[test]
    fn voids_are_refused_with_their_number_and_place_or_filled() {
        let text = "version = 1\nsize = [5, 5]\nspacing = [1, 1]\n[[stage]]\nkind = \"heightmap\"\nfile = \"dem\"\n";
        let samples = Grid::from_fn(5, 5, |i, j| if (i, j) == (2, 3) { f32::NAN } else { 9.0 });
        let mut inputs = crate::Inputs::default();
        inputs.insert("dem", Raster { samples, meaning: Meaning::Values });
        let resolve = |text: &str| crate::Recipe::parse(text).unwrap().resolve(&inputs);
        let error = resolve(text).unwrap_err().to_string();
        let expected =
            "1 of its 25 samples are no numbers that can be used, the first in column 2 of row 3";
        assert!(error.contains(expected) && error.contains("voids = \"fill\""), "{error}");
        let plan = resolve(&format!("{text}voids = \"fill\"\n")).unwrap();
        let filled = plan.run(&plan.lattice().whole(), &()).unwrap();
        assert_eq!(*filled.height(), Grid::filled(5, 5, 9.0));
    }
}
