//! Pictures of a terrain.

use landform::{Layer, Recipe, Terrain, Watch};
use landform_io::png::{Animation, encode_rgb8};
use landform_view::{Image, LayerMap, MapProjection, Options, Scene, Style};

use super::begin;
use crate::{Error, Result, Sink, Watched, Wish};

/// Circles of a plan unless more are asked for: thousands hide the ground.
pub const PLAN_PEAKS: usize = 200;

/// How a picture is drawn. What is not given suits the terrain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Width and height in pixels.
    pub size: Option<[usize; 2]>,
    /// Whether the colours of a map are explained.
    pub legend: bool,
    /// Where the camera stands, or the middle of a globe, in degrees to the east.
    pub azimuth_deg: Option<f64>,
    /// How high the camera stands, or the middle of a globe, in degrees.
    pub elevation_deg: Option<f64>,
    /// How much steeper than in nature.
    pub exaggeration: Option<f64>,
    /// How a planet is laid on paper.
    pub projection: MapProjection,
    /// Whether meridians and parallels are drawn.
    pub graticule: bool,
    /// Makes a map a poster with this title; that of the recipe if it is empty.
    pub poster: Option<String>,
    /// How large the circles of a plan are.
    pub circle_scale: Option<f64>,
    /// How many peaks of a plan are drawn, the highest.
    pub largest: Option<usize>,
    /// Peaks of a plan that are marked.
    pub selected: Vec<usize>,
}

impl Drawing {
    /// The options for a picture of what `recipe` makes; nothing for samples that come from none.
    ///
    /// # Errors
    /// If the recipe's peaks cannot be made, or a selected one is none of them.
    pub fn options(&self, recipe: Option<&Recipe>) -> Result<Options> {
        let mut options = Options { legend: self.legend, size: self.size, ..Options::default() };
        let scene = &mut options.scene;
        scene.azimuth_deg = self.azimuth_deg.unwrap_or(scene.azimuth_deg);
        scene.elevation_deg = self.elevation_deg.unwrap_or(scene.elevation_deg);
        scene.exaggeration = self.exaggeration.or(scene.exaggeration);
        options.projection = self.projection;
        if let MapProjection::Globe { longitude_deg, latitude_deg } = &mut options.projection {
            *longitude_deg = self.azimuth_deg.unwrap_or(*longitude_deg);
            *latitude_deg = self.elevation_deg.unwrap_or(*latitude_deg).clamp(-90.0, 90.0);
        }
        options.graticule = self.graticule;
        let title = || recipe.map(|recipe| recipe.title.clone()).unwrap_or_default();
        options.poster = self
            .poster
            .as_ref()
            .map(|given| if given.is_empty() { title() } else { given.clone() });
        let plan = &mut options.plan;
        plan.cones = recipe.map(Recipe::cones).transpose()?.unwrap_or_default();
        plan.largest = Some(self.largest.unwrap_or(PLAN_PEAKS));
        plan.radius_scale = self.circle_scale.unwrap_or(plan.radius_scale);
        let count = plan.cones.len();
        if let Some(&wrong) = self.selected.iter().find(|&&index| index >= count) {
            let message = format!("the terrain has {count} peaks, counted from 0");
            return Err(Error::wish(Wish::Select(wrong), message));
        }
        plan.selected.clone_from(&self.selected);
        Ok(options)
    }
}

/// Draws a terrain in a style, or up to two of its layers in colours.
///
/// # Errors
/// If the terrain has not that layer.
pub fn picture(
    terrain: Terrain,
    style: Style,
    layers: &[Layer],
    options: &Options,
) -> Result<Image> {
    let draw = |layer: &Layer| -> Result<Image> {
        let image = LayerMap::default().draw(&terrain, layer, options);
        image.ok_or_else(|| Error::Other(format!("the terrain has no layer {layer}")))
    };
    match layers {
        [] => Ok(landform_view::draw_owned(terrain, style, options)),
        [one] => draw(one),
        [one, other, ..] => Ok(draw(one)?.blended(&draw(other)?)),
    }
}

/// Writes a picture as PNG. The batch goes on.
///
/// # Errors
/// Those of the sink.
pub fn put_image(sink: &mut dyn Sink, name: &str, image: &Image) -> Result<()> {
    sink.put(name, &mut |out| encode_rgb8(image.width(), image.pixels(), out))
}

/// Draws a scene from all sides, as a moving picture of five seconds (APNG).
///
/// # Errors
/// Those of the sink, and by cancellation.
pub fn turntable(
    terrain: &Terrain,
    scene: &Scene,
    size: Option<[usize; 2]>,
    count: u32,
    name: &str,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<()> {
    let sink = &mut Watched::new(sink, watch);
    let delay_ms = (5000 / count.max(1)).clamp(20, 500) as u16;
    sink.put(name, &mut |out| {
        let mut out = Some(out);
        let mut animation: Option<Animation<_>> = None;
        for (k, frame) in scene.turntable(terrain, size, count as usize).enumerate() {
            watch.progress("turntable", k as f32 / count as f32);
            if watch.is_cancelled() {
                return Err(landform::Cancelled.into());
            }
            if let Some(out) = out.take() {
                let size = [frame.width(), frame.height()];
                animation = Some(Animation::new(out, size, count, delay_ms)?);
            }
            animation.as_mut().expect("it has begun").add(frame.pixels())?;
        }
        animation.map_or(Ok(()), Animation::finish)
    })?;
    begin(watch, name)?;
    sink.finish()
}
