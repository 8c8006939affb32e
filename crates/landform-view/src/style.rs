//! The styles a terrain can be drawn in.

use landform::Terrain;

use crate::color::{mix, srgb};
use crate::draw::Canvas;
use crate::ground::{Frame, Ground};
use crate::hillshade::Hillshade;
use crate::{Image, Plan, Scene, gray, relief};

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
}

impl Style {
    /// All styles, in the order in which they are listed to users.
    pub const ALL: &'static [Self] =
        &[Self::Gray, Self::Hillshade, Self::Relief, Self::View3d, Self::Plan];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Hillshade => "hillshade",
            Self::Relief => "relief",
            Self::View3d => "3d",
            Self::Plan => "plan",
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
    /// How maps are shaded.
    pub hillshade: Hillshade,
    /// The three-dimensional view.
    pub scene: Scene,
    /// The plan view.
    pub plan: Plan,
}

/// Draws `terrain`.
pub fn draw(terrain: &Terrain, style: Style, options: &Options) -> Image {
    match style {
        Style::Gray => map(terrain, options, gray::draw).into_image(),
        Style::Hillshade => {
            map(terrain, options, |ground| shaded(ground, &options.hillshade)).into_image()
        }
        Style::View3d => options.scene.draw(terrain, options.size),
        Style::Plan => options.plan.draw(terrain, options.size, &options.hillshade),
        Style::Relief => {
            map_with_sea(terrain, options, |ground| relief::draw(ground, &options.hillshade))
                .into_image()
        }
    }
}

/// Draws the ground at the size it has in the picture, on paper.
fn map(terrain: &Terrain, options: &Options, draw: impl Fn(&Ground<'_>) -> Canvas) -> Canvas {
    let frame = Frame::new(terrain, options.size);
    on_paper(frame, draw(&Ground::new(terrain, frame.map[0], frame.map[1])))
}

fn map_with_sea(
    terrain: &Terrain,
    options: &Options,
    draw: impl Fn(&Ground<'_>) -> Canvas,
) -> Canvas {
    let frame = Frame::new(terrain, options.size);
    on_paper(frame, draw(&Ground::with_sea_floor(terrain, frame.map[0], frame.map[1])))
}

fn on_paper(frame: Frame, drawn: Canvas) -> Canvas {
    if frame.size == frame.map {
        return drawn;
    }
    let mut canvas = Canvas::new(frame.size, srgb(PAPER));
    canvas.put(&drawn, frame.origin);
    canvas
}

pub(crate) const PAPER: u32 = 0xF6_F3EC;

fn shaded(ground: &Ground<'_>, hillshade: &Hillshade) -> Canvas {
    let mut pixels = hillshade.shader(ground).shade_all(ground).map(|&light| [light; 3]);
    if let Some(missing) = &ground.missing {
        for (pixel, &missing) in pixels.samples_mut().iter_mut().zip(missing.samples()) {
            *pixel = mix(*pixel, srgb(relief::MISSING), missing);
        }
    }
    Canvas::from_grid(pixels)
}
