//! The styles a terrain can be drawn in.

use std::borrow::Cow;

use landform::{Layer, Terrain, Topology, math, par};

use crate::color::{Rgb, byte, mix, srgb};
use crate::colormap::ColorMap;
use crate::draw::{Canvas, painted_image};
use crate::gradient::Slopes;
use crate::ground::{Frame, Ground, finite_range, lacks_floor};
use crate::hillshade::Hillshade;
use crate::inland::{inland_water, with_lakes};
use crate::legend::{Bar, Legend, strip_height};
use crate::world_map::Key;
use crate::{
    Image, Look, MapProjection, PeakMap, Projection, Scene, contours, derived, gray, plate_numbers,
    poster, relief, world_map,
};

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
    /// A planet: biomes shaded by relief, water by depth.
    World,
    /// Biomes, each in its colour.
    Biomes,
    /// Tectonic plates.
    Plates,
    /// Continental crust and ocean floor.
    Crust,
    /// Age of the ocean floor.
    Age,
    /// Mean temperature.
    Temperature,
    /// Rain and snow.
    Precipitation,
    /// Winds, as arrows.
    Wind,
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
        Self::World,
        Self::Biomes,
        Self::Plates,
        Self::Crust,
        Self::Age,
        Self::Temperature,
        Self::Precipitation,
        Self::Wind,
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
            Self::World => "world",
            Self::Biomes => "biomes",
            Self::Plates => "plates",
            Self::Crust => "crust",
            Self::Age => "age",
            Self::Temperature => "temperature",
            Self::Precipitation => "precipitation",
            Self::Wind => "wind",
        }
    }

    /// The layer that a map of a world shows, without which it is drawn as relief; nothing for the other styles.
    pub fn layer(self) -> Option<Layer> {
        world_map::layer_of(self)
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
    pub plan: PeakMap,
    /// How a map of a whole planet is laid on paper.
    pub projection: MapProjection,
    /// Whether meridians and parallels are drawn on a map of a planet.
    pub graticule: bool,
    /// Makes a map a poster with this title.
    pub poster: Option<String>,
}

impl Style {
    /// The scene of a style that is seen from the side; nothing for a map.
    pub fn scene(self, options: &Options) -> Option<Scene> {
        let scene = options.scene.clone();
        Some(match self {
            Self::View3d => scene,
            Self::Triangles => Scene { look: Look::Triangles, ..scene },
            Self::Wireframe => Scene { look: Look::Wireframe, ..scene },
            Self::Block => Scene { projection: Projection::Parallel, ..scene },
            _ => return None,
        })
    }
}

impl Style {
    /// The map that tells most about a terrain: biomes if it is a world, else its relief.
    pub fn map_of(terrain: &Terrain) -> Self {
        if terrain.layer(&Layer::BIOME).is_some() { Self::World } else { Self::Relief }
    }

    /// The view that shows most of a terrain, with its options: the globe with its land in front if it is a planet, else from the side.
    pub fn view_of(terrain: &Terrain) -> (Self, Options) {
        let map = Self::map_of(terrain);
        let extent = terrain.extent();
        let is_planet =
            terrain.topology() == Topology::Sphere && *extent == extent.lattice().whole();
        if map != Self::World || !is_planet {
            return (Self::View3d, Options::default());
        }
        let projection =
            MapProjection::Globe { longitude_deg: longitude_of_land(terrain), latitude_deg: 20.0 };
        (map, Options { projection, size: Some([1200, 1200]), ..Options::default() })
    }
}

/// The longitude in degrees around which most land lies.
fn longitude_of_land(terrain: &Terrain) -> f64 {
    let (heights, sea) = (terrain.height(), terrain.sea_level() as f32);
    let turn = std::f64::consts::TAU / (heights.width() - 1).max(1) as f64;
    let [mut x, mut y] = [0.0; 2];
    // The last column is the first one again.
    for i in 0..heights.width() - 1 {
        let rows = (0..heights.height()).filter(|&j| heights[(i, j)] > sea);
        let weight =
            |j: usize| math::sin(std::f64::consts::PI * j as f64 / heights.height() as f64);
        let land: f64 = rows.map(weight).sum();
        x += land * math::cos(turn * i as f64);
        y += land * math::sin(turn * i as f64);
    }
    let degrees = math::atan2(y, x).to_degrees();
    // The first column is the antimeridian.
    if degrees > 0.0 { degrees - 180.0 } else { degrees + 180.0 }
}

/// Draws `terrain`.
pub fn draw(terrain: &Terrain, style: Style, options: &Options) -> Image {
    let terrain = &*with_lakes(terrain);
    if let Some(scene) = style.scene(options) {
        return scene.draw(terrain, options.size);
    }
    draw_map(terrain, style, options)
}

/// The picture of [`draw()`]. The terrain is let go as soon as a view no longer needs its samples, which are most of what is
/// held then.
pub fn draw_owned(mut terrain: Terrain, style: Style, options: &Options) -> Image {
    if let Cow::Owned(full) = with_lakes(&terrain) {
        terrain = full;
    }
    match style.scene(options) {
        Some(scene) => scene.draw_owned(terrain, options.size),
        None => draw_map(&terrain, style, options),
    }
}

/// Draws a map of a terrain whose lakes are full.
fn draw_map(terrain: &Terrain, style: Style, options: &Options) -> Image {
    match (style, &options.poster) {
        (Style::Plan, _) => options.plan.draw(terrain, options.size, &options.hillshade),
        (_, Some(title)) => poster::draw(terrain, style, options, title).into_image(),
        (_, None) => alone(terrain, style, options)
            .unwrap_or_else(|| map(terrain, style, options).into_image()),
    }
}

/// Pixels along the longer side of the picture that a mesh wears.
pub const TEXTURE_SIDE: usize = 2048;

/// The [map](Style::map_of) of a terrain for a mesh to wear: at most `most` pixels wide and high, and nothing around it.
pub fn texture(terrain: &Terrain, most: usize) -> Image {
    let extent = terrain.extent();
    let [dx, dz] = extent.lattice().spacing;
    let ground = [extent.width() as f64 * dx, extent.height() as f64 * dz];
    let pixels = most.min(extent.width().max(extent.height())) as f64;
    let size = ground.map(|side| (side / ground[0].max(ground[1]) * pixels).ceil() as usize);
    draw(terrain, Style::map_of(terrain), &Options { size: Some(size), ..Options::default() })
}

/// Draws the ground at the size it has in the picture, on paper.
fn map(terrain: &Terrain, style: Style, options: &Options) -> Canvas {
    let sheet = Sheet::new(terrain, options);
    let place = match terrain.topology() {
        Topology::Sphere => " on the equator",
        _ => "",
    };
    let mut legend = Legend { pixel: sheet.pixel(terrain), place, ..Legend::default() };
    let drawn = on_paper(terrain, style, options, sheet.frame.map, &mut legend);
    sheet.finish(drawn, &legend)
}

/// Draws the map at a size, in the projection that was asked for, and says in `legend` what it shows.
pub(crate) fn on_paper(
    terrain: &Terrain,
    style: Style,
    options: &Options,
    size: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let projection = options.projection;
    let drawn = flat(terrain, style, options, projection.source(size), legend);
    let mut drawn = projection.apply(drawn, size, paper(options));
    if options.graticule {
        projection.graticule(&mut drawn, ([1.0; 3], 0.28));
    }
    if let (Style::Plates, Some(plates)) = (style, terrain.layer(&Layer::PLATE)) {
        plate_numbers::draw(&mut drawn, plates, projection);
    }
    if projection != MapProjection::Equirectangular {
        if options.poster.is_none() && paper(options) == srgb(PAPER) {
            let thick = (size[0] as f64 / 1200.0).max(1.0);
            projection.outline(&mut drawn, size.map(|side| side as f64), [0.0; 2], thick);
        }
        // One scale would be wrong nearly everywhere.
        legend.pixel = [1.0, 2.0];
    }
    drawn
}

/// What lies around a map: space around a globe that stands alone, and else paper.
fn paper(options: &Options) -> Rgb {
    let is_alone = !options.legend && options.poster.is_none();
    let is_globe = matches!(options.projection, MapProjection::Globe { .. });
    srgb(if is_globe && is_alone { SPACE } else { PAPER })
}

/// Draws the map as the samples are.
fn flat(
    terrain: &Terrain,
    style: Style,
    options: &Options,
    [w, h]: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let hillshade = &options.hillshade;
    let style = match world_map::draw(terrain, style, options, [w, h]) {
        Some((drawn, key)) => {
            match key {
                Key::Bar(bar) => legend.bar = Some(bar),
                Key::Swatches(swatches) => legend.swatches = swatches,
            }
            legend.note = style.name().to_owned();
            return drawn;
        }
        // Without the layer, what there is: the ground.
        None if world_map::layer_of(style).is_some() => Style::Relief,
        None => style,
    };
    let range = finite_range(terrain.height());
    let (low, high) = (f64::from(range.0), f64::from(range.1));
    let bar = |low: f64, high: f64, unit: &str, color: Box<dyn Fn(f64) -> [f32; 3]>| {
        (high > low).then(|| Bar { low, high, unit: unit.to_owned(), color })
    };
    if style == Style::Relief {
        let tints = relief::Tints::scaled(range, terrain.sea_level() as f32, w.max(h));
        legend.bar = bar(low, high, "m", Box::new(move |value| tints.at(value as f32)));
        let map = relief_map(terrain, hillshade, [w, h]);
        return Canvas::painted([w, h], |first, part| map.paint(first, part));
    }
    let ground = Ground::new(terrain, w, h);
    match style {
        Style::Hillshade => {
            let exaggeration = f64::from(hillshade.shader(&ground).exaggeration);
            legend.note =
                format!("heights × {}", contours::number((exaggeration * 100.0).round() / 100.0));
            shaded(&ground, hillshade)
        }
        Style::Contours => {
            legend.note =
                format!("contours every {} m", contours::number(contours::interval(&ground)));
            let floored = lacks_floor(terrain).then(|| Ground::with_sea_floor(terrain, w, h));
            contours::draw(ground, floored, hillshade)
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
        _ => {
            legend.bar = bar(
                low,
                high,
                "m",
                Box::new(move |v| ColorMap::Gray.at(v as f32, (low as f32, high as f32))),
            );
            Canvas::painted([w, h], |first, part| gray::paint(&ground, first, part))
        }
    }
}

fn relief_map<'a>(
    terrain: &'a Terrain,
    hillshade: &Hillshade,
    [w, h]: [usize; 2],
) -> relief::Map<'a> {
    let inland = inland_water(terrain, w, h);
    relief::Map::new(Ground::with_sea_floor(terrain, w, h), hillshade, inland)
}

/// Paper with room for a map, and for a legend if one is wanted.
pub(crate) struct Sheet {
    pub(crate) frame: Frame,
    strip: usize,
    paper: Rgb,
}

impl Sheet {
    pub(crate) fn new(terrain: &Terrain, options: &Options) -> Self {
        let framed = |size| match options.projection {
            MapProjection::Equirectangular => Frame::new(terrain, size),
            other => Frame::of_aspect(other.aspect(), size),
        };
        if !options.legend {
            return Self { frame: framed(options.size), strip: 0, paper: paper(options) };
        }
        let width = options.size.map_or_else(|| framed(None).size[0], |size| size[0]);
        let strip = strip_height(width);
        // The strip is taken from a height that was asked for, and added to one that was not.
        let room = options.size.map(|[w, h]| [w, h.saturating_sub(strip).max(1)]);
        let mut frame = framed(room);
        frame.size[1] =
            options.size.map_or(frame.size[1] + strip, |size| frame.size[1].max(size[1]));
        let strip = if frame.size[1] > frame.map[1] { strip } else { 0 };
        Self { strip, frame, paper: paper(options) }
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
        let mut canvas = Canvas::new(frame.size, self.paper);
        canvas.put(&drawn, frame.origin);
        if self.strip > 0 {
            legend.draw(&mut canvas, frame.size[1] - self.strip);
        }
        canvas
    }
}

pub(crate) const PAPER: u32 = 0xF6_F3EC;
/// Behind a globe.
const SPACE: u32 = 0x0B_0F17;

/// A map that is all of its picture is made in one pass, from heights to bytes, in the styles that need no more.
fn alone(terrain: &Terrain, style: Style, options: &Options) -> Option<Image> {
    let frame = Frame::new(terrain, options.size);
    let is_flat = options.projection == MapProjection::Equirectangular && !options.graticule;
    if !is_flat || options.legend || frame.size != frame.map {
        return None;
    }
    let [width, height] = frame.map;
    match style {
        Style::Hillshade => shaded_alone(&Ground::new(terrain, width, height), &options.hillshade),
        Style::Relief => {
            let map = relief_map(terrain, &options.hillshade, frame.map);
            Some(painted_image(frame.map, |first, part| map.paint(first, part)))
        }
        Style::Gray => {
            let ground = Ground::new(terrain, width, height);
            Some(painted_image(frame.map, |first, part| gray::paint(&ground, first, part)))
        }
        _ => None,
    }
}

/// A hillshade that lacks nothing.
fn shaded_alone(ground: &Ground<'_>, hillshade: &Hillshade) -> Option<Image> {
    if ground.missing.is_some() {
        return None;
    }
    let (width, height) = (ground.heights.width(), ground.heights.height());
    let shader = hillshade.shader(ground);
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
