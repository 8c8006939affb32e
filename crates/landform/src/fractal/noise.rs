//! Fractal noise: hills on hills on hills, each octave smaller and lower than the one before.
//!
//! ```text
//! h(x, z) = amplitude · a(x, z)
//! ```
//!
//! a is one of four [fractal sums](Sum) of noise. Octave k has cells of wavelength / lacunarity^k metres and is
//! lacunarity^(−k·H) as high as the first (Musgrave, Kolb & Mace 1989); H is the fractal increment: 0 is as
//! jagged as can be, 1 natural, 2 all but smooth. Lengths are in metres, so another resolution is the same
//! terrain with more or less detail: octaves fade out between two samples a cell and one, and leave their mean.
//!
//! With `warp` the noise is looked up at places that are themselves moved by noise, which bends ridges and valleys
//! as folding and shearing do.
//!
//! With `translate` the noise, its warp included, is moved over the map:
//!
//! ```text
//! h'(x, z) = h(x − translate_x, z − translate_z)
//! ```
//!
//! Far enough away that is another region with the same character (Alcock 2007, section 6). Masks of parameters that vary,
//! and everything else on the map, stay where they are. Moved by whole grid lines, samples keep their bits as long as
//! multiples of the spacing have no rounding error.
//!
//! Perlin noise without warp is evaluated [row of cells by row of cells](super::grid_noise), everything
//! else point by point, both with the same bits at every width of vectors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fractal_sum::Terms;
use super::noise_field::{NoiseField, Warp};
use super::octave::Octave;
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Operator, Prepared, Reach, Reads, Site};
use crate::varying::Varying;
use crate::{Lattice, Seed, math};

pub use super::fractal_sum::Sum;
pub use super::octave::Basis;

/// Fractal noise, hills on hills on hills: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Noise {
    /// How octaves of noise become a height.
    pub sum: Sum,
    /// The noise itself.
    pub basis: Basis,
    /// How far the noise is moved over the map, along x and z: a hill at [0, 0] is then at this place. Far moves give another
    /// region of the same character.
    #[schemars(inner(range(min = -1e9, max = 1e9)), extend("unit" = "m"))]
    pub translate: [f64; 2],
    /// Size of the largest hills: the input scale.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub wavelength: f64,
    /// Height of the largest hills: the output scale.
    #[schemars(range(min = -100_000.0, max = 100_000.0), extend("unit" = "m"))]
    pub amplitude: Varying,
    /// Fractal increment H: 0 jagged, 1 natural, 2 smooth.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub h: Varying,
    /// How many times smaller each octave is than the one before.
    #[schemars(extend("exclusiveMinimum" = 1.0), range(max = 8.0))]
    pub lacunarity: f64,
    /// Number of octaves; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub octaves: u32,
    /// Where the sum begins (c_0), in amplitudes.
    #[schemars(range(min = -10.0, max = 10.0))]
    pub offset: Varying,
    /// What is added to the noise of each octave (c_t).
    #[schemars(range(min = -2.0, max = 2.0))]
    pub shift: f64,
    /// What the noise of each octave is multiplied by (c_s).
    #[schemars(range(min = -4.0, max = 4.0))]
    pub scale: f64,
    /// Of a ridged sum: how far down from the crests there is detail.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub feedback: f64,
    /// How far places are moved by noise before the height is looked up.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub warp: Varying,
    /// Size of the bends that the warp makes.
    #[schemars(range(min = 0.001, max = 10_000_000.0), extend("unit" = "m"))]
    pub warp_wavelength: f64,
    /// Number of octaves of the warp.
    #[schemars(range(min = 1, max = 12))]
    pub warp_octaves: u32,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            sum: Sum::Fbm,
            basis: Basis::Perlin,
            translate: [0.0; 2],
            wavelength: 4000.0,
            amplitude: 600.0.into(),
            h: 1.0.into(),
            lacunarity: 2.0,
            octaves: 12,
            offset: 0.0.into(),
            shift: 0.0,
            scale: 1.0,
            feedback: 2.0,
            warp: 0.0.into(),
            warp_wavelength: 3000.0,
            warp_octaves: 3,
        }
    }
}

impl Noise {
    /// The parameters that may vary, and their names.
    fn varying(&self) -> [(&'static str, &Varying); 4] {
        [
            ("amplitude", &self.amplitude),
            ("h", &self.h),
            ("offset", &self.offset),
            ("warp", &self.warp),
        ]
    }

    pub(crate) fn ready(&self, site: &Site<'_>) -> Result<NoiseField, Error> {
        let spacing = site.output.spacing;
        let size = (self.wavelength, self.lacunarity);
        let mut resolved = Vec::new();
        for (name, varying) in self.varying() {
            resolved.push(varying.resolve(name, site)?);
        }
        let [amplitude, h, offset, warp] = resolved.try_into().expect("as many as went in");
        let series = |seed: Seed, basis: Basis, size: (f64, f64), count: u32| -> Vec<Octave> {
            let octaves = Octave::series(seed, basis, size, count, spacing).into_iter();
            octaves.map(|octave| octave.translated(self.translate)).collect()
        };
        let warp = (self.warp.range().1 > 0.0).then(|| {
            let octaves = ["warp x", "warp z"].map(|name| {
                let size = (self.warp_wavelength, 2.0);
                series(site.seed.child(name), Basis::Perlin, size, self.warp_octaves)
            });
            Warp { octaves, strength: warp }
        });
        let octaves = series(site.seed, self.basis, size, self.octaves);
        let is_complete = octaves.iter().all(|octave| octave.share == 1.0);
        let terms = Terms {
            sum: self.sum,
            shift: self.shift as f32,
            scale: self.scale as f32,
            feedback: self.feedback as f32,
            mean: if is_complete { 0.0 } else { self.sum.mean_shape(self.basis) },
        };
        let log_lacunarity = math::ln(self.lacunarity);
        let basis = self.basis;
        Ok(NoiseField { terms, basis, octaves, log_lacunarity, amplitude, h, offset, warp })
    }
}

impl Operator for Noise {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(Prepared::Field(Box::new(self.ready(site)?)))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        match self.varying().map(|(_, varying)| varying.reach()).into_iter().max() {
            None | Some(0) => Reach::Point,
            Some(cells) => Reach::Cells(cells),
        }
    }

    fn files(&self) -> Vec<&str> {
        self.varying().into_iter().flat_map(|(_, varying)| varying.files()).collect()
    }

    fn access(&self) -> Access {
        let is_even = self.varying().iter().all(|(_, varying)| matches!(varying, Varying::Even(_)));
        let reads = if is_even { Reads::Nothing } else { Reads::Layers };
        Access { values: Some(reads), ..Access::PLAIN }
    }
}
