//! What the ground is made of, by rule: the weights that engines call splat maps.
//!
//! Materials are listed from the lowest to the uppermost, as paint is laid on. Each covers those below it where
//! its [mask](Mask) acts; the first is everywhere. So the weights of a sample always sum to 1:
//!
//! ```text
//! w_k = m_k · Π_{l > k} (1 − m_l)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statistics::Statistics;
use crate::error::{Error, Problem};
use crate::inputs::Inputs;
use crate::mask::Mask;
use crate::stage::Site;
use crate::terrain_view::TerrainView;
use crate::{Grid, Layer, Seed, Terrain, par};

/// Something that the ground is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Where it is; everywhere if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
}

/// A list of materials, as a file has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Materials {
    /// From the lowest to the uppermost.
    #[schemars(length(min = 1, max = 32))]
    #[serde(rename = "material")]
    pub list: Vec<Material>,
}

/// The materials of ground that nobody has said more about, from the lowest to the uppermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaturalMaterial {
    /// Everywhere.
    Grass,
    /// By the water and in the beds of rivers.
    Sand,
    /// Where it is steep.
    Rock,
    /// On the heights.
    Snow,
}

impl NaturalMaterial {
    /// All of them, as paint is laid on.
    pub const ALL: [Self; 4] = [Self::Grass, Self::Sand, Self::Rock, Self::Snow];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grass => "grass",
            Self::Sand => "sand",
            Self::Rock => "rock",
            Self::Snow => "snow",
        }
    }

    /// Where it is; everywhere if nothing.
    fn mask(self, terrain: &Terrain, statistics: &Statistics) -> Option<Mask> {
        let sea = terrain.sea_level();
        let relief = (statistics.max - sea).max(1.0);
        let band = |from: Option<f64>, to: Option<f64>, fade: f64, layer: &Layer| Mask::Height {
            from,
            to,
            fade,
            layer: layer.name().to_owned(),
        };
        match self {
            Self::Grass => None,
            Self::Sand => {
                let top = sea + 0.01 * relief;
                let mut wet = vec![band(None, Some(top), 0.01 * relief, &Layer::Height)];
                if terrain.layer(&Layer::River).is_some() {
                    wet.push(band(Some(0.2), None, 0.2, &Layer::River));
                }
                if terrain.layer(&Layer::Sediment).is_some() {
                    let (least, fade) = (0.02 * relief, 0.01 * relief);
                    wet.push(band(Some(least), None, fade, &Layer::Sediment));
                }
                Some(Mask::Any { of: wet })
            }
            Self::Rock => {
                // Samples far apart see only gentle slopes: there the steepest of them are rock.
                let from = (0.9 * statistics.slope_95).clamp(15.0, 38.0);
                Some(Mask::Slope { from, to: 90.0, fade: 0.3 * from })
            }
            Self::Snow => {
                // Snow stays above two thirds of the relief, but not below 1200 m and not on cliffs.
                let snow_line = (sea + 0.66 * relief).max(sea + 1200.0);
                let high = band(Some(snow_line), None, 0.1 * relief, &Layer::Height);
                let gentle = Mask::Slope { from: 0.0, to: 45.0, fade: 10.0 };
                Some(Mask::All { of: vec![high, gentle] })
            }
        }
    }
}

impl Materials {
    /// Grass, rock where it is steep, sand by the water and in the beds of rivers, and snow on the heights.
    pub fn natural(terrain: &Terrain) -> Self {
        let statistics = Statistics::of(terrain);
        let material = |natural: NaturalMaterial| Material {
            name: natural.name().to_owned(),
            mask: natural.mask(terrain, &statistics),
        };
        Self { list: NaturalMaterial::ALL.map(material).into() }
    }

    /// The weight of each material at every sample of a terrain.
    ///
    /// # Errors
    /// If a mask names a layer or a file that there is not.
    pub fn weigh(&self, terrain: &Terrain, inputs: &Inputs) -> Result<Vec<(String, Grid)>, Error> {
        let extent = *terrain.extent();
        let layers: Vec<Layer> = terrain.layers().map(|(layer, _)| layer.clone()).collect();
        let lattice = *extent.lattice();
        let view = TerrainView::of(terrain);
        let mut weights: Vec<(String, Grid)> = Vec::new();
        for material in &self.list {
            let mut own = Grid::filled(extent.width(), extent.height(), 1.0_f32);
            if let Some(mask) = &material.mask {
                let seed = Seed::new(0).child(&material.name);
                let site = Site {
                    seed,
                    design: lattice,
                    output: lattice,
                    inputs,
                    layers: &layers,
                    topology: terrain.topology(),
                    sea_level: terrain.sea_level(),
                    demands: &[],
                    ocean: None,
                };
                let mask = mask.resolve(&site).map_err(|error| {
                    let (name, problem) = (material.name.clone(), error.problem);
                    Error { problem: Box::new(Problem::Material { name, problem }), ..error }
                })?;
                par::for_each_row(own.samples_mut(), extent.width(), |j, row| {
                    mask.weigh(&view, &extent, j, row);
                });
            }
            for (_, below) in &mut weights {
                let pairs = below.samples_mut().iter_mut().zip(own.samples());
                pairs.for_each(|(below, own)| *below *= 1.0 - own);
            }
            weights.push((material.name.clone(), own));
        }
        // Where the first has a mask of its own, what is left over is shared out.
        if self.list.first().is_some_and(|first| first.mask.is_some()) {
            fill_up(&mut weights);
        }
        Ok(weights)
    }
}

/// Scales the weights of each sample to sum to 1; all to the first where there are none.
fn fill_up(weights: &mut [(String, Grid)]) {
    let count = weights.first().map_or(0, |(_, grid)| grid.samples().len());
    for at in 0..count {
        let sum: f32 = weights.iter().map(|(_, grid)| grid.samples()[at]).sum();
        for (k, (_, grid)) in weights.iter_mut().enumerate() {
            let weight = &mut grid.samples_mut()[at];
            *weight = if sum > 1e-6 { *weight / sum } else { f32::from(k == 0) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    fn hill() -> Terrain {
        let extent = Lattice { size: [60, 40], spacing: [50.0, 50.0] }.whole();
        let heights = Grid::from_fn(60, 40, |i, _| (i as f32 - 10.0) * 60.0);
        Terrain::new(extent, 0.0, heights)
    }

    #[test]
    fn weights_sum_to_one_and_lie_where_they_belong() {
        let terrain = hill();
        let weights = Materials::natural(&terrain).weigh(&terrain, &Inputs::default()).unwrap();
        let names: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["grass", "sand", "rock", "snow"]);
        for at in 0..60 * 40 {
            let sum: f32 = weights.iter().map(|(_, grid)| grid.samples()[at]).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        }
        // 60 m up every 50 m is 50°: rock, but sand under the sea is not asked for its slope.
        assert!(weights[2].1[(30, 5)] > 0.9);
    }

    #[test]
    fn a_file_lists_materials_and_its_errors_have_places() {
        let text = "[[material]]\nname = \"soil\"\n\n[[material]]\nname = \"cliff\"\nmask = { kind = \"slope\", from = 30 }\n";
        let materials = Materials::parse(text).unwrap();
        let weights = materials.weigh(&hill(), &Inputs::default()).unwrap();
        assert_eq!(weights[1].1[(30, 5)], 1.0);
        let wrong = Materials::parse(&text.replace("30", "130")).unwrap_err().to_string();
        assert!(wrong.contains("from") && wrong.contains("130"), "{wrong}");
        let missing = "[[material]]\nname = \"a\"\nmask = { kind = \"height\", layer = \"mud\" }\n";
        let error = Materials::parse(missing).unwrap().weigh(&hill(), &Inputs::default());
        assert!(error.unwrap_err().to_string().contains("mud"));
    }
}
