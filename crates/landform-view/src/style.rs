//! The table of styles that a terrain can be drawn in, and how they come to be pictures.
//!
//! A style is a file that declares a [`StyleEntry`] called `STYLE`, and a line in the table below.

use std::borrow::Cow;

use landform::{Layer, Terrain, Topology, math};

use crate::color::{Rgb, srgb};
use crate::draw::Canvas;
use crate::ground::Frame;
use crate::hillshade::Hillshade;
use crate::inland::with_lakes_and_ice;
use crate::legend::{Legend, strip_height};
use crate::world_map::{Key, WorldMap};
use crate::{Image, MapProjection, PeakMap, Scene, poster, relief};

/// What a style is and how it draws. Its own file declares it.
pub(crate) struct StyleEntry {
    /// What users type.
    pub(crate) name: &'static str,
    /// What it shows, in a few words.
    pub(crate) doc: &'static str,
    pub(crate) draws: Draws,
}

/// How a style draws.
pub(crate) enum Draws {
    /// A view from the side: its scene, from that of the options.
    Scene(fn(Scene) -> Scene),
    /// A picture of its own, without legend, projection and poster.
    Picture(fn(&Terrain, &Options) -> Image),
    /// A map of the heights.
    Ground(GroundMap),
    /// A map of another layer; without that layer, the relief is drawn.
    World(WorldMap),
}

/// A map of the heights.
pub(crate) struct GroundMap {
    /// What its bar of colours measures; nothing for the name of the style.
    pub(crate) measures: Option<&'static str>,
    /// Draws the map at a size in pixels, and says in the legend what it shows.
    pub(crate) draw: fn(&Terrain, &Options, [usize; 2], &mut Legend<'_>) -> Canvas,
    /// Draws a map that is all of its picture in one pass, from heights to bytes, where it can.
    pub(crate) alone: Option<DrawAlone>,
}

type DrawAlone = fn(&Terrain, &Options, [usize; 2]) -> Option<Image>;

macro_rules! styles {
    ($($style:ident => $($module:ident)::+,)+) => {
        /// A way to draw a terrain. Each is declared by its file; [`Style::doc`] says what it shows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Style {
            $(#[doc = concat!("`crate", $("::", stringify!($module),)+ "`")] $style,)+
        }

        impl Style {
            /// All styles, in the order in which they are listed to users.
            pub const ALL: &'static [Self] = &[$(Self::$style),+];

            fn entry(self) -> &'static StyleEntry {
                match self { $(Self::$style => &crate::$($module)::+::STYLE,)+ }
            }
        }
    };
}

styles! {
    Relief => relief,
    Hillshade => hillshade,
    Gray => gray,
    View3d => scene::view3d,
    Plan => plan,
    Contours => contours,
    Slope => derived::slope,
    Aspect => derived::aspect,
    Normal => derived::normal,
    Block => scene::block,
    Triangles => scene::triangles,
    Wireframe => scene::wireframe,
    World => world_map::world,
    Biomes => world_map::biomes,
    Plates => world_map::plates,
    Crust => world_map::crust,
    Age => world_map::age,
    Temperature => world_map::temperature,
    Precipitation => world_map::precipitation,
    Wind => world_map::wind,
}

impl Style {
    /// The name that users type.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// What it shows, in a few words.
    pub fn doc(self) -> &'static str {
        self.entry().doc
    }

    /// The style called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|style| style.name() == name)
    }

    /// The layer that a map of a world shows, without which it is drawn as relief; nothing for the other styles.
    pub fn layer(self) -> Option<Layer> {
        match &self.entry().draws {
            Draws::World(map) => Some(map.layer.clone()),
            Draws::Scene(_) | Draws::Picture(_) | Draws::Ground(_) => None,
        }
    }

    /// Whether it shows the ground from above, not from the side.
    pub fn is_map(self) -> bool {
        !matches!(self.entry().draws, Draws::Scene(_))
    }

    /// What a bar of its colours measures.
    pub(crate) fn measures(self) -> &'static str {
        match &self.entry().draws {
            Draws::Ground(map) => map.measures.unwrap_or(self.name()),
            Draws::Scene(_) | Draws::Picture(_) | Draws::World(_) => self.name(),
        }
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
        match self.entry().draws {
            Draws::Scene(adapt) => Some(adapt(options.scene.clone())),
            Draws::Picture(_) | Draws::Ground(_) | Draws::World(_) => None,
        }
    }
}

impl Style {
    /// The map that tells most about a terrain: biomes if it is a world, else its relief.
    pub fn map_of(terrain: &Terrain) -> Self {
        if terrain.layer(&Layer::Biome).is_some() { Self::World } else { Self::Relief }
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
    let terrain = &*with_lakes_and_ice(terrain);
    if let Some(scene) = style.scene(options) {
        return scene.draw(terrain, options.size);
    }
    draw_map(terrain, style, options)
}

/// The picture of [`draw()`]. The terrain is let go as soon as a view no longer needs its samples, which are most of what is
/// held then.
pub fn draw_owned(mut terrain: Terrain, style: Style, options: &Options) -> Image {
    if let Cow::Owned(full) = with_lakes_and_ice(&terrain) {
        terrain = full;
    }
    match style.scene(options) {
        Some(scene) => scene.draw_owned(terrain, options.size),
        None => draw_map(&terrain, style, options),
    }
}

/// Draws a map of a terrain whose lakes are full and whose ice lies on it.
fn draw_map(terrain: &Terrain, style: Style, options: &Options) -> Image {
    match (&style.entry().draws, &options.poster) {
        (Draws::Picture(draw), _) => draw(terrain, options),
        (_, Some(title)) => poster::draw(terrain, style, options, title).into_image(),
        (draws, None) => alone(terrain, draws, options)
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
    if let Draws::World(WorldMap { layer, labels: Some(label), .. }) = &style.entry().draws
        && let Some(samples) = terrain.layer(layer)
    {
        label(&mut drawn, samples, projection);
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
    size: [usize; 2],
    legend: &mut Legend<'_>,
) -> Canvas {
    let draws = &style.entry().draws;
    if let Draws::World(map) = draws
        && let Some((drawn, key)) = map.draw(terrain, options, size)
    {
        match key {
            Key::Bar(bar) => legend.bar = Some(bar),
            Key::Swatches(swatches) => legend.swatches = swatches,
        }
        legend.note = style.name().to_owned();
        return drawn;
    }
    let map = match draws {
        Draws::Ground(map) => map,
        // Without the layer, what there is: the ground.
        Draws::World(_) | Draws::Scene(_) | Draws::Picture(_) => &relief::MAP,
    };
    (map.draw)(terrain, options, size, legend)
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

/// A map that is all of its picture, in the styles that draw it in one pass.
fn alone(terrain: &Terrain, draws: &Draws, options: &Options) -> Option<Image> {
    let Draws::Ground(GroundMap { alone: Some(draw), .. }) = draws else { return None };
    let frame = Frame::new(terrain, options.size);
    let is_flat = options.projection == MapProjection::Equirectangular && !options.graticule;
    if !is_flat || options.legend || frame.size != frame.map {
        return None;
    }
    draw(terrain, options, frame.map)
}
