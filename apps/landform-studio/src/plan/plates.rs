//! The boundaries of plates over the ground of a world.

use eframe::egui::{self, Color32, ColorImage, TextureHandle, TextureOptions};
use landform::{Grid, Layer};

use crate::live::ShownGround;
use crate::relief::Picture2d;
use crate::theme::BOUNDARY;

/// The picture of the boundaries, kept until there is another ground.
#[derive(Default)]
pub(crate) struct Boundaries {
    texture: Option<TextureHandle>,
    version: Option<u64>,
}

impl std::fmt::Debug for Boundaries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boundaries").field("version", &self.version).finish_non_exhaustive()
    }
}

impl Boundaries {
    /// The boundaries of a ground, if it has plates.
    pub(crate) fn texture(
        &mut self,
        ctx: &egui::Context,
        ground: &ShownGround,
    ) -> Option<Picture2d> {
        let plates = ground.layer(&Layer::Plate)?;
        if self.version != Some(ground.version) {
            let image = image(plates);
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => {
                    let texture = ctx.load_texture("plates", image, TextureOptions::LINEAR);
                    self.texture = Some(texture);
                }
            }
            self.version = Some(ground.version);
        }
        let texture = self.texture.as_ref()?;
        Some(Picture2d::of(texture, ground.corners()))
    }
}

/// A sample is on a boundary if its neighbour to the east or to the south belongs to another plate.
fn image(plates: &Grid) -> ColorImage {
    let (width, height) = (plates.width(), plates.height());
    let pixel = |k: usize| {
        let (i, j) = (k % width, k / width);
        let own = plates[(i, j)];
        let is_other = |i: usize, j: usize| plates[(i.min(width - 1), j.min(height - 1))] != own;
        let is_border = is_other(i + 1, j) || is_other(i, j + 1);
        if is_border { BOUNDARY } else { Color32::TRANSPARENT }
    };
    ColorImage::new([width, height], (0..width * height).map(pixel).collect())
}
