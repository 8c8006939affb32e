//! How things are shown: settings that are kept from one start to the next, and change no terrain.

use serde::{Deserialize, Serialize};

/// What stands in the middle of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Layout {
    Plan,
    #[default]
    Both,
    View,
}

/// What is drawn under the circles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Picture {
    /// The shaded relief, kept up to date while a peak is dragged.
    #[default]
    Relief,
    /// A style of `landform-view`, by name.
    Style(String),
    /// A layer, by name.
    Layer(String),
}

/// What the ground of the view looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ground3d {
    #[default]
    Natural,
    Relief,
    Slope,
    /// What the map shows.
    Map,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Options {
    pub(crate) is_dark: bool,
    pub(crate) layout: Layout,
    pub(crate) left_panel: bool,
    pub(crate) right_panel: bool,
    /// Files that were open, the newest first.
    pub(crate) recent: Vec<String>,
    pub(crate) has_seen_tour: bool,
    #[serde(skip)]
    pub(crate) picture: Picture,
    /// Opacity of the picture under the circles.
    pub(crate) opacity: f32,
    pub(crate) grid: bool,
    /// Whether the boundaries of plates are drawn.
    pub(crate) plates: bool,
    /// Peaks snap to every so many grid lines.
    pub(crate) snap: u32,
    /// Radius of the mask brush, as a share of the longer side of the ground.
    pub(crate) brush_size: f32,
    pub(crate) brush_strength: f32,
    #[serde(skip)]
    pub(crate) brush_erases: bool,
    pub(crate) ground: Ground3d,
    pub(crate) exaggeration: f64,
    pub(crate) sun_azimuth: f64,
    pub(crate) sun_elevation: f64,
    pub(crate) water: bool,
    /// Level of the water that is shown for UPD, which has none of its own.
    #[serde(skip)]
    pub(crate) water_level: f64,
    /// Drawn radii are multiplied by this: 001's scale factor.
    #[serde(skip)]
    pub(crate) radius_scale: f32,
    /// Only so many of the largest peaks are shown; all if there are fewer.
    #[serde(skip)]
    pub(crate) largest: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            is_dark: true,
            layout: Layout::default(),
            left_panel: true,
            right_panel: true,
            recent: Vec::new(),
            has_seen_tour: false,
            picture: Picture::default(),
            opacity: 0.9,
            grid: true,
            plates: true,
            snap: 1,
            brush_size: 0.06,
            brush_strength: 0.8,
            brush_erases: false,
            ground: Ground3d::default(),
            exaggeration: 1.0,
            sun_azimuth: 315.0,
            sun_elevation: 40.0,
            water: true,
            water_level: 0.0,
            radius_scale: 1.0,
            largest: usize::MAX,
        }
    }
}

impl Options {
    /// Remembers a file as the newest.
    pub(crate) fn remember(&mut self, place: &str) {
        self.recent.retain(|known| known != place);
        self.recent.insert(0, place.to_owned());
        self.recent.truncate(10);
    }
}
