//! What a stage sees of the terrain while one of its layers is being rewritten.

use crate::{Extent, Layer, Terrain};

/// The layer that a stage changes unless the recipe says otherwise.
static HEIGHT: Layer = Layer::Height;

/// The layers before a stage: those that stay, and the old samples of the one that it changes.
#[derive(Clone, Copy, Debug)]
pub struct TerrainView<'a> {
    terrain: &'a Terrain,
    target: &'a Layer,
    /// The samples of `target` from before, row-major, and where they lie; the terrain no longer has them.
    old: Option<(&'a [f32], Extent)>,
}

impl<'a> TerrainView<'a> {
    /// A terrain of which no layer is being rewritten.
    pub fn of(terrain: &'a Terrain) -> Self {
        Self { terrain, target: &HEIGHT, old: None }
    }

    /// A terrain whose layer `target` is being rewritten, and the old samples of that over an extent.
    pub(crate) fn before(
        terrain: &'a Terrain,
        target: &'a Layer,
        old: (&'a [f32], Extent),
    ) -> Self {
        Self { terrain, target, old: Some(old) }
    }

    /// The layer that changes.
    pub fn target(&self) -> &'a Layer {
        self.target
    }

    /// The sample of `layer` at a column and row of `extent`; 0 for a layer that there is not.
    ///
    /// The column and row may lie beyond `extent`, as far as the stage said that it looks; beyond the lattice
    /// the sample on its edge is taken.
    pub fn sample(&self, layer: &Layer, extent: &Extent, column: isize, row: isize) -> f32 {
        let Some((samples, held)) = self.held(layer) else {
            return 0.0;
        };
        let place = |axis: usize, at: isize, count: usize| {
            let first = extent.origin()[axis] as isize - held.origin()[axis] as isize;
            (first + at).clamp(0, count as isize - 1) as usize
        };
        let (i, j) = (place(0, column, held.width()), place(1, row, held.height()));
        samples.get(j * held.width() + i).copied().unwrap_or(0.0)
    }

    /// A row of `extent` in `layer`, which the view must cover; nothing for a layer that there is not.
    pub fn row(&self, layer: &Layer, extent: &Extent, row: usize) -> &[f32] {
        self.held(layer).map_or(&[], |(samples, held)| {
            let (i, j) = held.offset_of(extent);
            &samples[(j + row) * held.width() + i..][..extent.width()]
        })
    }

    /// Height of the water table in metres.
    pub fn sea_level(&self) -> f64 {
        self.terrain.sea_level()
    }

    /// Slope (∂/∂x, ∂/∂z) of `layer`, by central differences; one-sided on the edge of the lattice.
    pub fn gradient(&self, layer: &Layer, extent: &Extent, column: usize, row: usize) -> [f64; 2] {
        let (column, row) = (column as isize, row as isize);
        let lattice = extent.lattice();
        [0, 1].map(|axis| {
            let at = extent.origin()[axis] as isize + if axis == 0 { column } else { row };
            let back = isize::from(at > 0);
            let ahead = isize::from(at + 1 < lattice.size[axis] as isize);
            if back + ahead == 0 {
                return 0.0;
            }
            let sample = |step: isize| {
                let (di, dj) = if axis == 0 { (step, 0) } else { (0, step) };
                f64::from(self.sample(layer, extent, column + di, row + dj))
            };
            (sample(ahead) - sample(-back)) / ((back + ahead) as f64 * lattice.spacing[axis])
        })
    }

    /// The samples of a layer and where they lie.
    pub(crate) fn held(&self, layer: &Layer) -> Option<(&[f32], &Extent)> {
        match &self.old {
            Some((samples, extent)) if layer == self.target => Some((samples, extent)),
            _ => Some((self.terrain.layer(layer)?.samples(), self.terrain.extent())),
        }
    }
}
