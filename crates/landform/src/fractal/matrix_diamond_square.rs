//! The matrix method of Raj, Rastogi & Kushvah: a matrix of heights, refined and shaken until it is a terrain.
//!
//! ```text
//! T ← start                                       any matrix of at least 2 × 2 heights
//! repeat:  T ← bilinear refinement of T by two;   T ← T + A·U(−1, 1) at every point;   A ← A/2
//! h = low + (high − low)·(T − min T)/(max T − min T)
//! ```
//!
//! The printed listing adds the minimum where it must subtract it: see
//! [`normalize`](MatrixDiamondSquare::normalize). Every point is shaken in every pass, not only the new
//! ones, so this is not the [diamond-square](super::diamond_square) that its name recalls, and has fewer of its creases.
//!
//! The matrix is stretched over the ground, its outermost heights on the outermost grid lines, however many passes follow:
//! a size of 2ⁿ·(k − 1) + 1 samples is refined exactly, any other is read between the points of the next finer
//! lattice. The least and greatest height are those on the recipe's own lattice, so that a finer output is the same
//! terrain, and may exceed them a little.

use std::sync::{Mutex, OnceLock, PoisonError};

use fearless_simd::{Level, dispatch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dyadic::{Dyadic, KEEP, Rule, Start, passes_for};

pub use super::interpolation::Interpolation;
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::{Access, Field, FieldOutput, Operator, Prepared, Reach, Site};
use crate::terrain_view::TerrainView;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, par};

/// Heights refined and shaken until they are a terrain: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MatrixDiamondSquare {
    /// The heights to begin with, row by row from the north; every row has as many.
    #[schemars(
        length(min = 2, max = 1000),
        inner(length(min = 2, max = 1000), inner(range(min = -1e6, max = 1e6))),
        extend("unit" = "m")
    )]
    pub start: Vec<Vec<f64>>,
    /// How much the first pass shakes the heights, up or down.
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "m"))]
    pub amplitude: f64,
    /// By how much each pass shakes less than the one before: ½ in the paper.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub falloff: f64,
    /// How a pass finds the heights between old ones: bilinear in the paper, cubic without its creases.
    pub interpolation: Interpolation,
    /// Number of passes; those too fine for the output are left out.
    #[schemars(range(min = 1, max = 24))]
    pub passes: u32,
    /// Whether the heights are brought to the range from `low` to `high`. The paper's listing adds the least height by
    /// mistake (`Terr + min(min(Terr))`), which leaves the least at no fixed value and may keep it negative. Here it is
    /// subtracted: the least height becomes `low`, the greatest `high`.
    pub normalize: bool,
    /// The least height, if normalized.
    #[schemars(range(min = -100_000.0, max = 100_000.0), extend("unit" = "m"))]
    pub low: f64,
    /// The greatest height, if normalized.
    #[schemars(range(min = -100_000.0, max = 100_000.0), extend("unit" = "m"))]
    pub high: f64,
}

impl Default for MatrixDiamondSquare {
    fn default() -> Self {
        Self {
            start: vec![vec![1000.0; 2]; 2],
            amplitude: 1000.0,
            falloff: 0.5,
            interpolation: Interpolation::Bilinear,
            passes: 16,
            normalize: true,
            low: 0.0,
            high: 1500.0,
        }
    }
}

impl MatrixDiamondSquare {
    /// The start as a grid.
    fn matrix(&self) -> Result<Grid, Error> {
        let columns = self.start[0].len();
        if let Some(row) = self.start.iter().position(|row| row.len() != columns) {
            let found = self.start[row].len();
            let message = format!("has {found} heights, but the first row has {columns}");
            return Err(Error::of(format!("start[{row}]"), message));
        }
        Ok(Grid::from_fn(columns, self.start.len(), |i, j| self.start[j][i] as f32))
    }

    /// The heights on a lattice, before they are normalized.
    fn surface(&self, matrix: &Grid, site: &Site<'_>, lattice: &Lattice) -> Dyadic {
        let cells = [matrix.width() - 1, matrix.height() - 1];
        let step =
            [0, 1].map(|axis| cells[axis] as f64 / f64::from(lattice.size[axis] - 1).max(1.0));
        let passes = passes_for(step, lattice).min(self.passes);
        let kind = (Rule::Matrix(self.interpolation), Start::Matrix(matrix.clone()));
        Dyadic::new(kind, (self.amplitude, self.falloff), site.seed, passes, step)
    }
}

impl Operator for MatrixDiamondSquare {
    fn prepare(&self, site: &Site<'_>) -> Result<Prepared, Error> {
        let matrix = self.matrix()?;
        let surface = self.surface(&matrix, site, &site.output);
        if !self.normalize {
            return Ok(Prepared::Field(Box::new(Raw(surface))));
        }
        Ok(Prepared::Field(Box::new(Normalized {
            surface,
            design: (self.surface(&matrix, site, &site.design), site.design),
            output: site.output,
            to: (self.low as f32, self.high as f32),
            range: OnceLock::new(),
        })))
    }

    fn blend(&self) -> Blend {
        Blend::Add
    }

    fn reach(&self, _output: &Lattice) -> Reach {
        if self.normalize { Reach::Whole } else { Reach::Point }
    }

    fn access(&self) -> Access {
        Access::PLAIN
    }
}

/// The surface as it is.
pub(crate) struct Raw(pub(crate) Dyadic);

impl Field for Raw {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        self.0.fill(extent, out, KEEP, ctx)
    }
}

/// The surface brought to a range.
struct Normalized {
    surface: Dyadic,
    /// The surface on the recipe's own lattice, whose least and greatest height count.
    design: (Dyadic, Lattice),
    output: Lattice,
    to: (f32, f32),
    range: OnceLock<(f32, f32)>,
}

/// The least and the greatest of the heights that it has seen, in whichever order.
struct Seen(Level, Mutex<(f32, f32)>);

impl Seen {
    fn new() -> Self {
        Self(Level::new(), Mutex::new((f32::INFINITY, f32::NEG_INFINITY)))
    }

    fn add(&self, heights: &[f32]) {
        let (low, high) = dispatch!(self.0, _simd => range_of(heights));
        let mut range = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        *range = (range.0.min(low), range.1.max(high));
    }

    fn range(self) -> (f32, f32) {
        self.1.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The least and the greatest height.
#[inline(always)]
fn range_of(heights: &[f32]) -> (f32, f32) {
    let (mut low, mut high) = ([f32::INFINITY; 32], [f32::NEG_INFINITY; 32]);
    let (chunks, rest) = heights.as_chunks::<32>();
    for chunk in chunks {
        for k in 0..32 {
            low[k] = if chunk[k] < low[k] { chunk[k] } else { low[k] };
            high[k] = if chunk[k] > high[k] { chunk[k] } else { high[k] };
        }
    }
    let ends = rest.iter().map(|&height| (height, height)).chain(low.into_iter().zip(high));
    ends.fold((f32::INFINITY, f32::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Heights brought from one range to another.
#[derive(Clone, Copy, Debug)]
struct Scaling {
    level: Level,
    from: f32,
    to: f32,
    factor: f32,
}

impl Scaling {
    fn new(from: (f32, f32), to: (f32, f32)) -> Self {
        // A surface without any relief lies at the lower end.
        let factor = if from.1 > from.0 { (to.1 - to.0) / (from.1 - from.0) } else { 0.0 };
        Self { level: Level::new(), from: from.0, to: to.0, factor }
    }

    fn apply(self, heights: &mut [f32]) {
        let Self { level, from, to, factor } = self;
        dispatch!(level, _simd => {
            for height in heights {
                *height = to + (*height - from) * factor;
            }
        });
    }
}

/// Rows whose heights are held at once while the range is looked for.
const BAND: usize = 256;

impl Normalized {
    /// The range on the recipe's own lattice. It is looked for once, whichever extent is asked for first.
    fn range(&self, ctx: &Ctx<'_>) -> Result<(f32, f32), Cancelled> {
        if let Some(range) = self.range.get() {
            return Ok(*range);
        }
        let (surface, lattice) = &self.design;
        let whole = lattice.whole();
        let mut heights = vec![0.0; whole.width() * BAND.min(whole.height())];
        let seen = Seen::new();
        for first in (0..whole.height()).step_by(BAND) {
            let rows = whole.rows(first, BAND.min(whole.height() - first));
            surface.fill(&rows, &mut heights[..rows.len()], &|row| seen.add(row), ctx)?;
        }
        Ok(*self.range.get_or_init(|| seen.range()))
    }
}

impl Field for Normalized {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(out) = out.values else { return Ok(()) };
        let is_design = self.output == self.design.1 && *extent == self.output.whole();
        if is_design && self.range.get().is_none() {
            // The whole of the recipe's own lattice is at hand: no need to make it again for its range.
            let seen = Seen::new();
            self.surface.fill(extent, out, &|row| seen.add(row), ctx)?;
            let range = *self.range.get_or_init(|| seen.range());
            let scaling = Scaling::new(range, self.to);
            par::for_each_row(out, extent.width(), |_, heights| scaling.apply(heights));
            return Ok(());
        }
        let scaling = Scaling::new(self.range(ctx)?, self.to);
        self.surface.fill(extent, out, &|row| scaling.apply(row), ctx)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Inputs, Recipe};

    const START: &str = "version = 1\nseed = 2\nsize = [65, 33]\nspacing = [10, 10]\n\
        [[stage]]\nkind = \"matrix_diamond_square\"\nlow = -20\nhigh = 300\n";

    fn run(text: &str) -> crate::Terrain {
        let plan = Recipe::parse(text).unwrap().resolve(&Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap()
    }

    #[test]
    fn heights_fill_the_range_from_low_to_high() {
        let (low, high) = run(START).height().range();
        assert!((low + 20.0).abs() < 1e-3 && (high - 300.0).abs() < 1e-3, "{low} {high}");
        let flat = run(&format!("{START}amplitude = 0\n"));
        assert_eq!(flat.height().range(), (-20.0, -20.0));
    }

    #[test]
    fn another_resolution_has_the_range_of_the_recipe() {
        let coarse = run(START);
        let fine = run(&START.replace("seed", "resolution = [257, 129]\nseed"));
        for (i, j) in (0..65).flat_map(|i| (0..33).map(move |j| (i, j))) {
            let difference = coarse.height()[(i, j)] - fine.height()[(4 * i, 4 * j)];
            assert!(difference.abs() < 20.0, "at {i}, {j}: {difference}");
        }
    }

    #[test]
    fn a_start_that_is_no_matrix_is_refused() {
        let refused = |start: &str| {
            let text = format!("{START}start = {start}\n");
            match Recipe::parse(&text) {
                Err(error) => error.to_string(),
                Ok(recipe) => recipe.resolve(&Inputs::default()).unwrap_err().to_string(),
            }
        };
        let message = refused("[[1, 2]]");
        assert!(
            message.contains("start is a list of 1 value, but must be a list of 2 to 1000"),
            "{message}"
        );
        let message = refused("[[1], [2]]");
        assert!(
            message.contains("start[0] is a list of 1 value, but must be a list of 2"),
            "{message}"
        );
        let message = refused("[[1, 2], [3, nan]]");
        assert!(message.contains("start[1][1] is NaN, but must be a number"), "{message}");
        let message = refused("[[1, 2], [3, 4, 5]]");
        assert!(message.contains("start[1] has 3 heights, but the first row has 2"), "{message}");
    }
}
