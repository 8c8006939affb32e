//! The result of a run: layers of samples over one extent.

use crate::demand::Demand;
use crate::feature::Feature;
use crate::scale::Scale;
use crate::{Extent, Georeference, Grid, GroundCover, Layer, Topology};

/// Ground that has been evaluated: the same rectangle of samples for every layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    extent: Extent,
    sea_level: f64,
    topology: Topology,
    cover: GroundCover,
    place: Option<Georeference>,
    layers: Vec<(Layer, Grid)>,
    features: Vec<Feature>,
    demands: Vec<Demand>,
}

impl Terrain {
    /// A terrain that has its height and no other layer yet.
    ///
    /// # Panics
    /// If `height` has not the size of `extent`.
    pub fn new(extent: Extent, sea_level: f64, height: Grid) -> Self {
        let (layers, features, demands) = (Vec::new(), Vec::new(), Vec::new());
        let (topology, cover) = (Topology::Plane, GroundCover::Green);
        let place = None;
        let mut terrain =
            Self { extent, sea_level, topology, cover, place, layers, features, demands };
        terrain.insert(Layer::Height, height);
        terrain
    }

    /// Where the samples sit.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Height of the water table in metres.
    pub fn sea_level(&self) -> f64 {
        self.sea_level
    }

    /// How the edges of the whole map belong together.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The same terrain on a map whose edges belong together in this way.
    #[must_use]
    pub fn with_topology(self, topology: Topology) -> Self {
        Self { topology, ..self }
    }

    /// What the ground is covered with.
    pub fn cover(&self) -> GroundCover {
        self.cover
    }

    /// The same terrain with this on its ground.
    #[must_use]
    pub fn with_cover(self, cover: GroundCover) -> Self {
        Self { cover, ..self }
    }

    /// Where the whole terrain lies on the Earth, or on its planet; nothing if nobody said it.
    pub fn place(&self) -> Option<&Georeference> {
        self.place.as_ref()
    }

    /// The same terrain at this place.
    #[must_use]
    pub fn with_place(self, place: Option<Georeference>) -> Self {
        Self { place, ..self }
    }

    /// Elevation in metres.
    pub fn height(&self) -> &Grid {
        self.layer(&Layer::Height).expect("a terrain is made with its height")
    }

    /// The samples of a layer, if the terrain has it.
    pub fn layer(&self, layer: &Layer) -> Option<&Grid> {
        self.layers.iter().find(|(known, _)| known == layer).map(|(_, grid)| grid)
    }

    /// All layers, in the order in which they came: height first.
    pub fn layers(&self) -> impl Iterator<Item = (&Layer, &Grid)> {
        self.layers.iter().map(|(layer, grid)| (layer, grid))
    }

    /// Adds a layer, or puts `grid` in the place of the one it has.
    ///
    /// # Panics
    /// If `grid` has not the size of the extent.
    pub fn insert(&mut self, layer: Layer, grid: Grid) {
        let size = (self.extent.width(), self.extent.height());
        assert_eq!((grid.width(), grid.height()), size, "{layer} must cover the extent");
        match self.layers.iter_mut().find(|(known, _)| *known == layer) {
            Some((_, old)) => *old = grid,
            None => self.layers.push((layer, grid)),
        }
    }

    /// Takes the samples of a layer out; [`Terrain::insert`] puts new ones in their place.
    pub(crate) fn take(&mut self, layer: &Layer) -> Option<Grid> {
        let known = self.layers.iter_mut().find(|(known, _)| known == layer)?;
        Some(std::mem::replace(&mut known.1, Grid::filled(1, 1, 0.0)))
    }

    /// The samples of all layers, in the order of [`Terrain::layers`].
    pub fn into_layers(self) -> Vec<(Layer, Grid)> {
        self.layers
    }

    /// The objects on the whole ground, of which the extent may be a part.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Adds objects that lie on the ground.
    pub fn add_features(&mut self, features: Vec<Feature>) {
        self.features.extend(features);
    }

    /// Lines that the ground meets, and that later stages keep to.
    pub fn demands(&self) -> &[Demand] {
        &self.demands
    }

    /// Adds lines that the ground meets from now on.
    pub fn add_demands(&mut self, demands: &[Demand]) {
        self.demands.extend_from_slice(demands);
    }

    /// The same ground at another size.
    pub(crate) fn scaled(mut self, scale: &Scale) -> Self {
        if scale.is_natural() {
            return self;
        }
        for (layer, grid) in &mut self.layers {
            scale.samples(layer, grid.samples_mut());
        }
        self.features.iter_mut().for_each(|feature| scale.feature(feature));
        self.demands = self.demands.into_iter().map(|demand| demand.scaled(scale)).collect();
        let sea_level = self.sea_level * scale.length();
        Self { extent: scale.extent(&self.extent), sea_level, ..self }
    }

    /// The window `inner` of this terrain, which must lie inside it.
    pub fn crop(&self, inner: &Extent) -> Self {
        let (i, j) = self.extent.offset_of(inner);
        let crop = |grid: &Grid| grid.crop(i, j, inner.width(), inner.height());
        let layers = self.layers.iter().map(|(layer, grid)| (layer.clone(), crop(grid))).collect();
        let (features, demands) = (self.features.clone(), self.demands.clone());
        Self { extent: *inner, layers, features, demands, place: self.place.clone(), ..*self }
    }
}
