//! The styles a terrain can be drawn in.

use landform::{Terrain, par};

use crate::color::{byte, mix, srgb};
use crate::colormap::ColorMap;
use crate::draw::Canvas;
use crate::gradient::Slopes;
use crate::ground::{Frame, Ground};
use crate::hillshade::Hillshade;
use crate::inland::{inland_water, with_lakes};
use crate::legend::{Bar, Legend, strip_height};
use crate::{Image, Look, Plan, Projection, Scene, contours, derived, gray, relief};

/// A way to draw a terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Height as brightness.
    Gray,
    /// Shaded by several suns.
    Hillshade,
    /// Hypsometric tints, sea and shading.
    Relief,
    /// Perspective view with sun, sky and water.
    View3d,
    /// Peaks and their circles over the terrain.
    Plan,
    /// Contour lines with labels.
    Contours,
    /// Steepness.
    Slope,
    /// The direction that slopes face.
    Aspect,
    /// Unit normals as colours.
    Normal,
    /// Block diagram: parallel rays, cut sides.
    Block,
    /// Shaded triangles, as in the papers.
    Triangles,
    /// The edges of the triangles.
    Wireframe,
}

impl Style {
    /// All styles, in the order in which they are listed to users.
    pub const ALL: &'static [Self] = &[
        Self::Relief,
        Self::Hillshade,
        Self::Gray,
        Self::View3d,
        Self::Plan,
        Self::Contours,
        Self::Slope,
        Self::Aspect,
        Self::Normal,
        Self::Block,
        Self::Triangles,
        Self::Wireframe,
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Hillshade => "hillshade",
            Self::Relief => "relief",
            Self::View3d => "3d",
            Self::Plan => "plan",
            Self::Contours => "contours",
            Self::Slope => "slope",
            Self::Aspect => "aspect",
            Self::Normal => "normal",
            Self::Block => "block",
            Self::Triangles => "triangles",
            Self::Wireframe => "wireframe",
        }
    }

    /// The style called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|style| style.name() == name)
    }
}

/// How to draw. The default is a picture worth looking at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Width and height of the picture in pixels; chosen from the terrain if not given. The map keeps
    /// its proportions inside.
    pub size: Option<[usize; 2]>,
    /// Whether a strip with a scale bar and the meaning of the colours lies under a map.
    pub legend: bool,
    /// How maps are shaded.
    pub hillshade: Hillshade,
    /// The three-dimensional view.
    pub scene: Scene,
    /// The plan view.
    pub plan: Plan,
}

/// Draws `terrain`.
pub fn draw(terrain: &Terrain, style: Style, options: &Options) -> Image {
    let terrain = &*with_lakes(terrain);
    let scene = &options.scene;
    let looking = |look| Scene { look, ..scene.clone() }.draw(terrain, options.size);
    match style {
        Style::View3d => scene.draw(terrain, options.size),
        Style::Triangles => looking(Look::Triangles),
        Style::Wireframe => looking(Look::Wireframe),
        Style::Block => {
            let block = Scene { projection: Projection::Parallel, ..scene.clone() };
            block.draw(terrain, options.size)
        }
        Style::Plan => options.plan.draw(terrain, options.size, &options.hillshade),
        Style::Hillshade => shaded_alone(terrain, options)
            .unwrap_or_else(|| map(terrain, style, options).into_image()),
        _ => map(terrain, style, options).into_image(),
    }
}

/// Draws the ground at the size it has in the picture, on paper.
fn map(terrain: &Terrain, style: Style, options: &Options) -> Canvas {
    let sheet = Sheet::new(terrain, options);
    let [w, h] = sheet.frame.map;
    let ground = Ground::new(terrain, w, h);
    let hillshade = &options.hillshade;
    let mut legend = Legend { pixel: sheet.pixel(terrain), bar: None, note: String::new() };
    let (low, high) = (f64::from(ground.range.0), f64::from(ground.range.1));
    let bar = |low: f64, high: f64, unit: &str, color: Box<dyn Fn(f64) -> [f32; 3]>| {
        (high > low).then(|| Bar { low, high, unit: unit.to_owned(), color })
    };
    let drawn = match style {
        Style::Hillshade => {
            let exaggeration = f64::from(hillshade.shader(&ground).exaggeration);
            legend.note =
                format!("heights × {}", contours::number((exaggeration * 100.0).round() / 100.0));
            shaded(&ground, hillshade)
        }
        Style::Contours => {
            legend.note =
                format!("contours every {} m", contours::number(contours::interval(&ground)));
            contours::draw(&ground, &Ground::with_sea_floor(terrain, w, h), hillshade)
        }
        Style::Slope => {
            let most = derived::steepest(&ground);
            let color = move |value: f64| ColorMap::Heat.at(value as f32, (0.0, most as f32));
            legend.bar = bar(0.0, most, "slope °", Box::new(color));
            derived::slope(&ground)
        }
        Style::Aspect => {
            legend.bar =
                bar(0.0, 360.0, "facing °", Box::new(|deg| derived::facing(deg.to_radians())));
            derived::aspect(&ground)
        }
        Style::Normal => derived::normal(&ground),
        Style::Relief => {
            let tints = relief::Tints::of(&ground);
            legend.bar = bar(low, high, "m", Box::new(move |value| tints.at(value as f32)));
            let inland = inland_water(terrain, w, h);
            relief::draw(&Ground::with_sea_floor(terrain, w, h), hillshade, inland.as_ref())
        }
        _ => {
            legend.bar = bar(
                low,
                high,
                "m",
                Box::new(move |v| ColorMap::Gray.at(v as f32, (low as f32, high as f32))),
            );
            gray::draw(&ground)
        }
    };
    sheet.finish(drawn, &legend)
}

/// Paper with room for a map, and for a legend if one is wanted.
pub(crate) struct Sheet {
    pub(crate) frame: Frame,
    strip: usize,
}

impl Sheet {
    pub(crate) fn new(terrain: &Terrain, options: &Options) -> Self {
        if !options.legend {
            return Self { frame: Frame::new(terrain, options.size), strip: 0 };
        }
        let width = options.size.map_or_else(|| Frame::new(terrain, None).size[0], |size| size[0]);
        let strip = strip_height(width);
        // The strip is taken from a height that was asked for, and added to one that was not.
        let room = options.size.map(|[w, h]| [w, h.saturating_sub(strip).max(1)]);
        let mut frame = Frame::new(terrain, room);
        frame.size[1] =
            options.size.map_or(frame.size[1] + strip, |size| frame.size[1].max(size[1]));
        Self { strip: if frame.size[1] > frame.map[1] { strip } else { 0 }, frame }
    }

    /// Metres per pixel, east and south.
    pub(crate) fn pixel(&self, terrain: &Terrain) -> [f64; 2] {
        let extent = terrain.extent();
        let spacing = extent.lattice().spacing;
        [
            extent.width() as f64 * spacing[0] / self.frame.map[0] as f64,
            extent.height() as f64 * spacing[1] / self.frame.map[1] as f64,
        ]
    }

    /// Lays the map on the paper and draws the legend.
    pub(crate) fn finish(&self, drawn: Canvas, legend: &Legend<'_>) -> Canvas {
        let frame = self.frame;
        if frame.size == frame.map {
            return drawn;
        }
        let mut canvas = Canvas::new(frame.size, srgb(PAPER));
        canvas.put(&drawn, frame.origin);
        if self.strip > 0 {
            legend.draw(&mut canvas, frame.size[1] - self.strip);
        }
        canvas
    }
}

pub(crate) const PAPER: u32 = 0xF6_F3EC;

/// A hillshade that is all of its picture and lacks nothing is made in one pass, from heights to bytes.
fn shaded_alone(terrain: &Terrain, options: &Options) -> Option<Image> {
    let frame = Frame::new(terrain, options.size);
    if options.legend || frame.size != frame.map {
        return None;
    }
    let [width, height] = frame.map;
    let ground = Ground::new(terrain, width, height);
    if ground.missing.is_some() {
        return None;
    }
    let shader = options.hillshade.shader(&ground);
    let mut pixels = vec![[0_u8; 3]; width * height];
    par::for_each_part(&mut pixels, width, 16, |k, part| {
        let (mut slopes, mut light) = (Slopes::default(), vec![0.0_f32; width]);
        for (n, row) in part.chunks_exact_mut(width).enumerate() {
            slopes.of_row(&ground.heights, 16 * k + n, ground.cell, shader.exaggeration);
            shader.shade_row(&slopes, &mut light);
            for (out, &light) in row.iter_mut().zip(&light) {
                *out = [byte(light); 3];
            }
        }
    });
    Some(Image::from_pixels(width, height, pixels))
}

fn shaded(ground: &Ground<'_>, hillshade: &Hillshade) -> Canvas {
    let mut pixels = hillshade.shader(ground).shade_all(ground).map(|&light| [light; 3]);
    if let Some(missing) = &ground.missing {
        for (pixel, &missing) in pixels.samples_mut().iter_mut().zip(missing.samples()) {
            *pixel = mix(*pixel, srgb(relief::MISSING), missing);
        }
    }
    Canvas::from_grid(pixels)
}
