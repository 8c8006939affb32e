//! Where a stage acts: a weight from 0 (not here) to 1 (fully) at every sample.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, in_order};
use crate::noise::gradient_noise::gradient_noise;
use crate::region::Region;
use crate::resample::raster::Resampled;
use crate::stage::Site;
use crate::terrain_view::TerrainView;
use crate::{Extent, Layer, Seed, math};

/// Where a stage acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Mask {
    /// Where a layer, the height unless another is named, lies in a band.
    Height {
        /// Lower end of the band; none if absent.
        #[schemars(extend("unit" = "m"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<f64>,
        /// Upper end of the band; none if absent.
        #[schemars(extend("unit" = "m"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<f64>,
        /// Over which difference the weight falls to 0 outside of the band.
        #[schemars(range(min = 0.0), extend("unit" = "m"))]
        #[serde(default)]
        fade: f64,
        /// The layer to look at.
        #[schemars(extend("word" = "layer"))]
        #[serde(default = "height_layer")]
        layer: String,
    },
    /// Where the ground is as steep as this.
    Slope {
        /// Gentlest slope.
        #[schemars(range(min = 0.0, max = 90.0), extend("unit" = "°"))]
        #[serde(default)]
        from: f64,
        /// Steepest slope.
        #[schemars(range(min = 0.0, max = 90.0), extend("unit" = "°"))]
        #[serde(default = "upright")]
        to: f64,
        /// Over which difference the weight falls to 0.
        #[schemars(range(min = 0.0, max = 90.0), extend("unit" = "°"))]
        #[serde(default)]
        fade: f64,
    },
    /// Inside a region.
    Region {
        /// The region.
        region: Region,
        /// How far outside the weight falls to 0.
        #[schemars(range(min = 0.0), extend("unit" = "m"))]
        #[serde(default)]
        fade: f64,
    },
    /// By a painted picture, stretched over the ground: black is 0, white is 1.
    Image {
        /// The file, relative to the recipe.
        file: String,
    },
    /// In patches, by noise.
    Noise {
        /// Size of the patches.
        #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
        wavelength: f64,
        /// Share of the ground that is covered.
        #[schemars(range(min = 0.0, max = 1.0))]
        #[serde(default = "half")]
        cover: f64,
        /// Softness of the edges of the patches.
        #[schemars(range(min = 0.0, max = 1.0))]
        #[serde(default = "half")]
        fade: f64,
    },
    /// Across the ground: 0 up to one point, 1 from another on, and smoothly between, along the line that joins
    /// them.
    Gradient {
        /// x and z of the point up to which the weight is 0.
        #[schemars(extend("unit" = "m"))]
        from: [f64; 2],
        /// x and z of the point from which the weight is 1.
        #[schemars(extend("unit" = "m"))]
        to: [f64; 2],
    },
    /// Everywhere but in a mask.
    Not {
        /// The mask.
        of: Box<Self>,
    },
    /// Where all of several masks act: their product.
    All {
        /// The masks.
        #[schemars(length(min = 1, max = 100))]
        of: Vec<Self>,
    },
    /// Where any of several masks acts: the greatest of them.
    Any {
        /// The masks.
        #[schemars(length(min = 1, max = 100))]
        of: Vec<Self>,
    },
}

fn height_layer() -> String {
    Layer::Height.name().to_owned()
}

fn upright() -> f64 {
    90.0
}

fn half() -> f64 {
    0.5
}

impl Mask {
    /// The files that the mask needs.
    pub(crate) fn files(&self) -> Vec<&str> {
        match self {
            Self::Image { file } => vec![file],
            Self::Not { of } => of.files(),
            Self::All { of } | Self::Any { of } => of.iter().flat_map(Self::files).collect(),
            _ => Vec::new(),
        }
    }

    /// How many samples around one the mask looks at.
    pub(crate) fn reach(&self) -> u32 {
        match self {
            Self::Slope { .. } => 1,
            Self::Not { of } => of.reach(),
            Self::All { of } | Self::Any { of } => of.iter().map(Self::reach).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Checks what the schema cannot, and fetches the images.
    pub(crate) fn resolve(&self, site: &Site<'_>) -> Result<ResolvedMask, Error> {
        let several = |of: &[Self]| -> Result<Vec<ResolvedMask>, Error> {
            of.iter().map(|mask| mask.resolve(site)).collect()
        };
        Ok(match self {
            Self::Height { from, to, fade, layer } => {
                let (low, high) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
                in_order("mask.from", low, "to", high)?;
                let layer = Layer::among(site.layers, "mask.layer", layer)?;
                ResolvedMask::Band { layer, low, high, fade: *fade }
            }
            Self::Slope { from, to, fade } => {
                in_order("mask.from", *from, "to", *to)?;
                ResolvedMask::Slope { low: *from, high: *to, fade: *fade }
            }
            Self::Region { region, fade } => {
                ResolvedMask::Region { region: region.clone(), fade: *fade }
            }
            Self::Image { file } => ResolvedMask::Image(
                site.inputs
                    .complete("mask.file", file, "give them a brightness first")?
                    .resampled(&site.output),
            ),
            Self::Noise { wavelength, cover, fade } => ResolvedMask::Noise {
                seed: site.seed.child("mask"),
                wavelength: *wavelength,
                level: noise_quantile(1.0 - cover),
                softness: fade * 0.5,
            },
            Self::Gradient { from, to } => {
                if from == to {
                    let from = ("mask.from", format!("{from:?}"));
                    return Err(Error::contradiction(
                        from,
                        "not be the same point as",
                        ("to", None),
                    ));
                }
                ResolvedMask::Gradient { from: *from, to: *to }
            }
            Self::Not { of } => ResolvedMask::Not(Box::new(of.resolve(site)?)),
            Self::All { of } => ResolvedMask::All(several(of)?),
            Self::Any { of } => ResolvedMask::Any(several(of)?),
        })
    }
}

/// The value that a share of all gradient noise lies below: normal, with the standard deviation of the noise,
/// by the logistic approximation, so that the cover is right to a few per cent.
fn noise_quantile(share: f64) -> f64 {
    match share {
        s if s <= 0.0 => -2.0,
        s if s >= 1.0 => 2.0,
        s => 0.365 * 0.551 * math::ln(s / (1.0 - s)),
    }
}

/// A mask that can be evaluated anywhere.
#[derive(Clone, Debug)]
pub(crate) enum ResolvedMask {
    Band { layer: Layer, low: f64, high: f64, fade: f64 },
    Slope { low: f64, high: f64, fade: f64 },
    Region { region: Region, fade: f64 },
    Image(Resampled),
    Noise { seed: Seed, wavelength: f64, level: f64, softness: f64 },
    Gradient { from: [f64; 2], to: [f64; 2] },
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl ResolvedMask {
    /// The weights at row `row` of `extent`.
    pub(crate) fn weigh(
        &self,
        view: &TerrainView<'_>,
        extent: &Extent,
        row: usize,
        weights: &mut [f32],
    ) {
        match self {
            Self::Band { layer, low, high, fade } => {
                for (column, weight) in weights.iter_mut().enumerate() {
                    let value =
                        f64::from(view.sample(layer, extent, column as isize, row as isize));
                    *weight = band(value, *low, *high, *fade) as f32;
                }
            }
            Self::Slope { low, high, fade } => {
                for (column, weight) in weights.iter_mut().enumerate() {
                    let [gx, gz] = view.gradient(&Layer::Height, extent, column, row);
                    let degrees = math::atan(math::length(gx, gz)).to_degrees();
                    *weight = band(degrees, *low, *high, *fade) as f32;
                }
            }
            Self::Region { region, fade } => {
                for (column, weight) in weights.iter_mut().enumerate() {
                    let distance = region.distance(extent.x(column), extent.z(row));
                    *weight = band(distance, 0.0, 0.0, *fade) as f32;
                }
            }
            Self::Image(image) => {
                image.fill_row(extent, row, weights);
                weights.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, 1.0));
            }
            Self::Noise { seed, wavelength, level, softness } => {
                for (column, weight) in weights.iter_mut().enumerate() {
                    let (x, z) = (extent.x(column) / wavelength, extent.z(row) / wavelength);
                    let noise = f64::from(gradient_noise(*seed, x, z));
                    *weight = math::smoothstep(level - softness, level + softness, noise) as f32;
                }
            }
            Self::Gradient { from, to } => {
                let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
                let squared = dx * dx + dz * dz;
                for (column, weight) in weights.iter_mut().enumerate() {
                    let (x, z) = (extent.x(column) - from[0], extent.z(row) - from[1]);
                    *weight = math::smoothstep(0.0, squared, x * dx + z * dz) as f32;
                }
            }
            Self::Not(of) => {
                of.weigh(view, extent, row, weights);
                weights.iter_mut().for_each(|weight| *weight = 1.0 - *weight);
            }
            Self::All(of) => combine(of, (view, extent, row), weights, |a, b| a * b),
            Self::Any(of) => combine(of, (view, extent, row), weights, f32::max),
        }
    }
}

/// Weighs by each of several masks and joins the weights.
fn combine(
    of: &[ResolvedMask],
    (view, extent, row): (&TerrainView<'_>, &Extent, usize),
    weights: &mut [f32],
    join: impl Fn(f32, f32) -> f32,
) {
    let Some((first, others)) = of.split_first() else { return };
    first.weigh(view, extent, row, weights);
    let mut more = vec![0.0; weights.len()];
    for mask in others {
        mask.weigh(view, extent, row, &mut more);
        weights.iter_mut().zip(&more).for_each(|(weight, &other)| *weight = join(*weight, other));
    }
}

/// 1 from `low` to `high`, falling smoothly to 0 over `fade` on both sides.
fn band(value: f64, low: f64, high: f64, fade: f64) -> f64 {
    let outside = (low - value).max(value - high);
    if outside <= 0.0 { 1.0 } else { 1.0 - math::smoothstep(0.0, fade, outside) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_one_inside_and_fades_outside() {
        assert_eq!(band(5.0, 0.0, 10.0, 0.0), 1.0);
        assert_eq!(band(10.1, 0.0, 10.0, 0.0), 0.0);
        assert_eq!(band(12.0, 0.0, 10.0, 4.0), 0.5);
        assert_eq!(band(-9.0, f64::NEG_INFINITY, 10.0, 4.0), 1.0);
    }

    #[test]
    fn a_noise_mask_covers_the_share_that_was_asked_for() {
        for cover in [0.1, 0.3, 0.5, 0.8] {
            let level = noise_quantile(1.0 - cover);
            let seed = Seed::new(3);
            let n = 200;
            let covered = (0..n * n).filter(|k| {
                let (x, z) = (f64::from(k % n) * 0.37, f64::from(k / n) * 0.37);
                f64::from(gradient_noise(seed, x, z)) > level
            });
            let share = covered.count() as f64 / f64::from(n * n);
            assert!((share - cover).abs() < 0.05, "{cover} asked, {share} covered");
        }
    }
}
