//! What the view is asked to show, and what it answers.

use std::ops::Range;

/// Everything that is seen, borrowed for one frame.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Samples to the east and to the south.
    pub size: [usize; 2],
    /// Metres between them.
    pub spacing: [f64; 2],
    /// Heights in metres, row by row. Where there is none, the ground is drawn as low as its lowest place.
    pub heights: &'a [f32],
    /// Counts the changes of `heights`; the same number means the same heights.
    pub version: u64,
    /// What changed between the version before this one and this one; all of it if not said.
    pub changed: Option<Window>,
    /// What the ground looks like.
    pub shading: Shading,
    /// Colours that lie on the ground.
    pub overlay: Option<Overlay<'a>>,
    /// Level of the water in metres, if there is water.
    pub water: Option<f64>,
    /// Where the sun stands, in degrees clockwise from north.
    pub sun_azimuth_deg: f64,
    /// How high it stands, in degrees over the horizon.
    pub sun_elevation_deg: f64,
    /// Heights are multiplied by this.
    pub exaggeration: f64,
    /// The peaks that can be picked, the largest first.
    pub peaks: &'a [PeakMark],
}

/// A rectangle of samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Copy)]
pub struct Window {
    /// The first column and row.
    pub start: [usize; 2],
    /// One beyond the last column and row.
    pub end: [usize; 2],
}

impl Window {
    /// All of a grid.
    pub fn whole(size: [usize; 2]) -> Self {
        Self { start: [0, 0], end: size }
    }

    /// The columns.
    pub fn columns(self) -> Range<usize> {
        self.start[0]..self.end[0]
    }

    /// The rows.
    pub fn rows(self) -> Range<usize> {
        self.start[1]..self.end[1]
    }

    /// Grown by `margin` samples on every side, cut to a grid of this size.
    pub fn grown(self, margin: usize, size: [usize; 2]) -> Self {
        let start = self.start.map(|place| place.saturating_sub(margin));
        let end = [0, 1].map(|axis| (self.end[axis].saturating_add(margin)).min(size[axis]));
        Self { start: [0, 1].map(|axis| start[axis].min(end[axis])), end }
    }
}

/// What bare ground looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Grass, rock, snow and sand.
    #[default]
    Natural,
    /// The same where nothing grows: dry soil instead of grass.
    Bare,
    /// The tints of the relief map.
    Relief,
    /// Pale where it is level, dark where it is steep.
    Slope,
}

/// A colour for every sample, laid over the ground: biomes, a layer, rivers.
#[derive(Clone, Copy, Debug)]
pub struct Overlay<'a> {
    /// Red, green, blue (sRGB) and opacity of each sample, row by row.
    pub colors: &'a [[u8; 4]],
    /// Counts their changes.
    pub version: u64,
}

/// A peak as the view knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakMark {
    /// What the caller calls it.
    pub id: usize,
    /// Metres to the east and to the south of the first sample.
    pub place: [f64; 2],
    /// Radius of its base circle in metres.
    pub radius: f64,
    /// Whether it is selected.
    pub is_selected: bool,
}

/// What the user did in the view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The ground under the pointer, in metres to the east and to the south.
    pub ground: Option<[f64; 2]>,
    /// A click that was not the end of a drag.
    pub click: Option<Click>,
    /// A peak being dragged.
    pub drag: Option<Drag>,
}

/// A click into the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Click {
    /// The peak that was clicked, if any.
    pub peak: Option<usize>,
    /// Whether it is to be added to what is selected.
    pub is_additive: bool,
}

/// A peak under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Its id.
    pub peak: usize,
    /// Where it is to go, in metres to the east and to the south of the first sample.
    pub to: [f64; 2],
    /// Whether it was let go here.
    pub is_done: bool,
}
