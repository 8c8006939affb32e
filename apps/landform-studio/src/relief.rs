//! The picture under the circles, kept on the graphics processor; while a peak is dragged only what changed is drawn anew.

use eframe::egui::{self, Color32, ColorImage, TextureHandle, TextureOptions};
use landform::{Grid, Layer, Terrain};
use landform_view::{Hillshade, LayerMap, LiveRelief, Style};

use crate::live::ShownGround;
use crate::options::Picture;
use crate::view3d::Window;

/// The longest side of the picture; graphics processors take at least that.
const LONGEST: usize = 2048;

/// The picture of one ground.
#[derive(Default)]
pub(crate) struct Relief {
    texture: Option<TextureHandle>,
    relief: Option<LiveRelief>,
    shown: Option<Shown>,
    /// The colour of each pixel, for the view, if the picture is not the relief.
    pub(crate) colors: Vec<[u8; 4]>,
    /// Counts the changes of `colors`.
    pub(crate) colors_version: u64,
}

/// A picture and the part of it that covers the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture2d {
    pub(crate) texture: egui::TextureId,
    pub(crate) uv: egui::Rect,
    /// Where it lies: from one corner to the other, in metres.
    pub(crate) place: [[f64; 2]; 2],
}

impl Picture2d {
    /// A picture of the ground from one corner to the other, in metres.
    pub(crate) fn of(texture: &TextureHandle, place: [[f64; 2]; 2]) -> Self {
        // Samples lie on grid lines, the first and the last on the border of the ground.
        let half = egui::Vec2::splat(0.5) / texture.size_vec2();
        let end = (egui::Vec2::splat(1.0) - half).to_pos2();
        let uv = egui::Rect::from_min_max(half.to_pos2(), end);
        Self { texture: texture.id(), uv, place }
    }
}

/// What the picture shows.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    version: u64,
    picture: Picture,
    sea_level: f64,
    size: [usize; 2],
    step: usize,
}

impl std::fmt::Debug for Relief {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relief").field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl Relief {
    /// The picture of `ground`. While `is_dragging`, colours and light stay as they are.
    pub(crate) fn texture(
        &mut self,
        ctx: &egui::Context,
        ground: &ShownGround,
        (picture, sea_level): (&Picture, f64),
        is_dragging: bool,
    ) -> Option<Picture2d> {
        let (width, height) = (ground.heights.width(), ground.heights.height());
        let step = width.max(height).div_ceil(LONGEST);
        let size = [width.div_ceil(step), height.div_ceil(step)];
        let version = ground.version;
        let wanted = Shown { version, picture: picture.clone(), sea_level, size, step };
        if self.shown.as_ref() != Some(&wanted) {
            let part = self.part(&wanted, ground);
            match part {
                Some(window) => self.draw_part(ground, window, step),
                None => self.draw_all(ctx, ground, &wanted, is_dragging),
            }
            self.shown = Some(wanted);
        }
        let texture = self.texture.as_ref()?;
        Some(Picture2d::of(texture, ground.corners()))
    }

    /// Takes the light and the colours of another, so that one picture goes on in the other.
    pub(crate) fn match_colors(&mut self, other: &Self) {
        self.relief.clone_from(&other.relief);
    }

    /// What must be drawn, if not all.
    fn part(&self, wanted: &Shown, ground: &ShownGround) -> Option<Window> {
        let shown = self.shown.as_ref()?;
        let is_next = Shown { version: wanted.version, ..shown.clone() } == *wanted
            && shown.version + 1 == wanted.version;
        let window = ground.changed.filter(|_| is_next && wanted.picture == Picture::Relief)?;
        // Slopes look one sample around.
        let whole = [ground.heights.width(), ground.heights.height()];
        Some(window.grown(1, whole))
    }

    fn draw_part(&mut self, ground: &ShownGround, window: Window, step: usize) {
        let (Some(relief), Some(texture)) = (&self.relief, &mut self.texture) else { return };
        let first = window.start.map(|at| at.div_ceil(step));
        let end = window.end.map(|at| at.div_ceil(step));
        if first[0] >= end[0] || first[1] >= end[1] {
            return;
        }
        let size = [end[0] - first[0], end[1] - first[1]];
        let pixels = relief.draw(&ground.heights, first.map(|at| at * step), size, step);
        texture.set_partial(first, image(size, &pixels), TextureOptions::LINEAR);
    }

    fn draw_all(
        &mut self,
        ctx: &egui::Context,
        ground: &ShownGround,
        wanted: &Shown,
        is_dragging: bool,
    ) {
        let Shown { picture, sea_level, size, step, .. } = wanted;
        let spacing = ground.lattice.spacing;
        let image = match picture {
            Picture::Relief => {
                let kept = self.relief.as_ref().filter(|_| is_dragging);
                let relief = match kept {
                    Some(relief) => relief.at_spacing(spacing),
                    None => {
                        let light = Hillshade::default();
                        LiveRelief::new(&ground.heights, spacing, *sea_level, &light)
                    }
                };
                let pixels = relief.draw(&ground.heights, [0, 0], *size, *step);
                self.relief = Some(relief);
                self.colors.clear();
                image(*size, &pixels)
            }
            other => {
                let drawn = styled(ground, other, *sea_level);
                let size = [drawn.width(), drawn.height()];
                let opaque = |&[r, g, b]: &[u8; 3]| [r, g, b, 255];
                let is_whole = size == [ground.heights.width(), ground.heights.height()];
                self.colors.clear();
                if is_whole {
                    self.colors.extend(drawn.pixels().iter().map(opaque));
                }
                image(size, drawn.pixels())
            }
        };
        self.colors_version += 1;
        match &mut self.texture {
            Some(texture) => texture.set(image, TextureOptions::LINEAR),
            None => self.texture = Some(ctx.load_texture("relief", image, TextureOptions::LINEAR)),
        }
    }
}

fn image(size: [usize; 2], pixels: &[[u8; 3]]) -> ColorImage {
    let colors = pixels.iter().map(|[r, g, b]| Color32::from_rgb(*r, *g, *b));
    ColorImage::new(size, colors.collect())
}

/// The ground as a terrain with all its layers.
pub(crate) fn terrain(ground: &ShownGround, sea_level: f64) -> Terrain {
    let mut terrain = Terrain::new(ground.lattice.whole(), sea_level, ground.heights.clone());
    let fits = |grid: &Grid| {
        (grid.width(), grid.height()) == (ground.heights.width(), ground.heights.height())
    };
    for (layer, grid) in ground.layers.iter().filter(|(_, grid)| fits(grid)) {
        terrain.insert(layer.clone(), grid.clone());
    }
    terrain
}

/// A picture of another kind than the relief.
fn styled(ground: &ShownGround, picture: &Picture, sea_level: f64) -> landform_view::Image {
    let terrain = terrain(ground, sea_level);
    let size = [ground.heights.width(), ground.heights.height()];
    let options = landform_view::Options { size: Some(size), ..Default::default() };
    let layer = match picture {
        Picture::Layer(name) => Layer::named(name),
        _ => None,
    };
    let of_layer = layer.and_then(|layer| LayerMap::default().draw(&terrain, &layer, &options));
    of_layer.unwrap_or_else(|| {
        let style = match picture {
            Picture::Style(name) => Style::named(name),
            _ => None,
        };
        landform_view::draw(&terrain, style.unwrap_or(Style::Relief), &options)
    })
}

/// Maps that are not in the list: the live relief stands for its style, the plan is the editor itself, and normals are data.
const ELSEWHERE: [Style; 3] = [Style::Relief, Style::Plan, Style::Normal];

/// The pictures that can be drawn of a ground with these layers: label and choice.
pub(crate) fn pictures(ground: Option<&ShownGround>) -> Vec<(String, Picture)> {
    let mut pictures = vec![("Relief".to_owned(), Picture::Relief)];
    let has = |layer: &Layer| ground.is_some_and(|ground| ground.layer(layer).is_some());
    for style in Style::ALL {
        let is_drawn = match style.layer() {
            Some(layer) => has(&layer),
            None => style.is_map() && !ELSEWHERE.contains(style),
        };
        if is_drawn {
            pictures.push((titled(style.name()), Picture::Style(style.name().to_owned())));
        }
    }
    let named: Vec<Layer> = Style::ALL.iter().filter_map(|style| style.layer()).collect();
    for (layer, _) in ground.into_iter().flat_map(|ground| &ground.layers) {
        if !named.contains(layer) {
            pictures.push((titled(layer.name()), Picture::Layer(layer.name().to_owned())));
        }
    }
    pictures
}

/// A word as a title.
pub(crate) fn titled(word: &str) -> String {
    let word = word.replace('_', " ");
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
