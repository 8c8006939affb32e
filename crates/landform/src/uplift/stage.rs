//! The stages `uplift` (peaks by chance) and `peaks` (peaks by hand).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::peak::shortened;
use super::{Cone, Curve, FarField, Peak};
use crate::blend::Blend;
use crate::error::{Error, in_order, number};
use crate::region::Region;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Lattice, Seed, math};

/// Mountains by the Uplift Model: the average of random uplifts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Uplift {
    /// Number of peaks, `N_p`. More peaks, smoother and lower ground.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub peaks: u32,
    /// Lowest peak, `Y_min`.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub y_min: f64,
    /// Highest peak, `Y_max`.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub y_max: f64,
    /// Steepness of the peaks, R: the base of a peak has the radius height / R. 1 gives hills, 20 the Andes.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub ruggedness: f64,
    /// If given, each peak has its own steepness between `ruggedness` and this.
    #[schemars(range(min = 0.001, max = 1000.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruggedness_max: Option<f64>,
    /// Above 1, low peaks outnumber high ones; 1 is as many of each, as in the paper.
    #[schemars(range(min = 0.1, max = 10.0))]
    pub skew: f64,
    /// Whether the influence of a peak ends at its base circle.
    pub curve: Curve,
    /// Where the peaks stand; on the whole ground unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// How far beyond the ground peaks may stand, so that its edges are not lower than its middle.
    #[schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "m"))]
    pub margin: f64,
    /// What the sum of the peaks is divided by: their number unless given.
    #[schemars(range(min = 1e-6, max = 1e12))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divisor: Option<f64>,
}

impl Default for Uplift {
    fn default() -> Self {
        Self {
            peaks: 100,
            y_min: 500.0,
            y_max: 6000.0,
            ruggedness: 2.0,
            ruggedness_max: None,
            skew: 1.0,
            curve: Curve::Tent,
            region: None,
            margin: 0.0,
            divisor: None,
        }
    }
}

/// How often a place is drawn until one lies in the region.
const TRIES: u64 = 10_000;

impl Uplift {
    /// The peaks that this stage stands for, on the grid lines of `design`.
    ///
    /// # Errors
    /// If parameters contradict each other, or no grid line crosses the region.
    pub fn generate(&self, seed: Seed, design: &Lattice) -> Result<Vec<Peak>, Error> {
        in_order("y_min", self.y_min, "y_max", self.y_max)?;
        let steepest = self.ruggedness_max.unwrap_or(self.ruggedness);
        in_order("ruggedness", self.ruggedness, "ruggedness_max", steepest)?;
        let (places, heights, slopes) =
            (seed.child("place"), seed.child("height"), seed.child("ruggedness"));
        (0..u64::from(self.peaks))
            .map(|p| {
                let [i, j] = self.place(places.child(&p.to_string()), design)?;
                let u = heights.uniform(p);
                let u = if self.skew == 1.0 { u } else { math::pow(u, self.skew) };
                let height = shortened(math::lerp(self.y_min, self.y_max, u));
                let ruggedness = slopes.between(p, self.ruggedness, steepest);
                // A peak without height has no base either; any circle will do.
                let radius = if height > 0.0 { shortened(height / ruggedness) } else { 1.0 };
                Ok(Peak { i, j, height, radius })
            })
            .collect()
    }

    /// A random crossing of grid lines, in the region if there is one.
    fn place(&self, seed: Seed, design: &Lattice) -> Result<[i64; 2], Error> {
        let ground = design.ground();
        let bounds = match &self.region {
            Some(region) => region.bounds(),
            None => [[-self.margin; 2], ground.map(|length| length + self.margin)],
        };
        let [first, last] = [f64::ceil, f64::floor].map(|round| {
            let corner = if round(0.5) == 1.0 { bounds[0] } else { bounds[1] };
            [0, 1].map(|axis| round(corner[axis] / design.spacing[axis]) as i64)
        });
        let far = Peak::FARTHEST;
        let fits =
            |axis: usize| first[axis] <= last[axis] && first[axis] >= -far && last[axis] <= far;
        if fits(0) && fits(1) {
            for t in 0..TRIES {
                let [i, j] = [0, 1].map(|axis| {
                    let count = (last[axis] - first[axis] + 1) as u64;
                    first[axis] + seed.below(2 * t + axis as u64, count) as i64
                });
                let (x, z) = (i as f64 * design.spacing[0], j as f64 * design.spacing[1]);
                if self.region.as_ref().is_none_or(|region| region.contains(x, z)) {
                    return Ok([i, j]);
                }
            }
        }
        Err(Error::of("region", "has hardly any crossing of grid lines in it, or is out of reach"))
    }
}

impl Operator for Uplift {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let peaks = self.generate(site.seed, &site.design)?;
        Ok(average(peaks, self.curve, self.divisor, site))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// Mountains by hand: the average of the peaks in a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Peaks {
    /// The peaks: grid lines i and j of the centre, height and radius in metres. A height below 0 is a hollow.
    #[schemars(length(max = 1_000_000))]
    pub peaks: Vec<PeakLine>,
    /// Whether the influence of a peak ends at its base circle.
    pub curve: Curve,
    /// What the sum of the peaks is divided by: their number unless given. A fixed one keeps all heights when a
    /// peak is added or removed.
    #[schemars(range(min = 1e-6, max = 1e12))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divisor: Option<f64>,
}

/// A peak as the recipe has it: `[i, j, height, radius]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
#[schemars(with = "[f64; 4]")]
pub struct PeakLine(pub [f64; 4]);

impl From<[f64; 4]> for PeakLine {
    fn from(numbers: [f64; 4]) -> Self {
        Self(numbers)
    }
}

impl From<PeakLine> for [f64; 4] {
    fn from(line: PeakLine) -> Self {
        line.0
    }
}

impl From<Peak> for PeakLine {
    fn from(peak: Peak) -> Self {
        Self([peak.i as f64, peak.j as f64, peak.height, peak.radius])
    }
}

impl Peaks {
    /// The peaks, checked.
    ///
    /// # Errors
    /// The first line that is not a peak.
    pub fn list(&self) -> Result<Vec<Peak>, Error> {
        let peak = |(index, line): (usize, &PeakLine)| {
            let [i, j, height, radius] = line.0;
            let wrong = |what: &str| Error::of(format!("peaks[{index}]"), what.to_owned());
            let is_line = |at: f64| at == at.trunc() && at.abs() <= Peak::FARTHEST as f64;
            if !is_line(i) || !is_line(j) {
                let (i, j) = (number(i), number(j));
                let what = format!("is at {i}, {j}, but must be on grid lines, at most 10⁹ away");
                return Err(wrong(&what));
            }
            if radius <= 0.0 {
                let radius = number(radius);
                return Err(wrong(&format!("has the radius {radius}, but it must be above 0")));
            }
            Ok(Peak { i: i as i64, j: j as i64, height, radius })
        };
        self.peaks.iter().enumerate().map(peak).collect()
    }
}

impl Operator for Peaks {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        Ok(average(self.list()?, self.curve, self.divisor, site))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        Reach::Point
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// The average of peaks, ready to be evaluated.
fn average(peaks: Vec<Peak>, curve: Curve, divisor: Option<f64>, site: &Site<'_>) -> Prepared {
    let divisor = divisor.unwrap_or_else(|| peaks.len().max(1) as f64);
    let cones: Vec<Cone> = peaks.into_iter().map(|peak| peak.cone(&site.design)).collect();
    Prepared::Field(Box::new(FarField::new(site.output, &cones, curve, divisor)))
}

impl Field for FarField {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        self.fill(extent, out, ctx)
    }

    fn bytes(&self) -> u64 {
        self.held()
    }
}
