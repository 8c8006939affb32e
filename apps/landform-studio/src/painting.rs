//! Masks that are painted on the map: pictures of 256 levels, stretched over the ground, as a recipe refers to them.
//!
//! A stroke covers what lies near its line, fully in the middle and less towards the rim of the brush. The levels come from the
//! picture before the stroke and from the greatest cover so far, so that they do not depend on how fast the hand was.

use std::sync::{Arc, OnceLock};

use landform::mask::Mask;
use landform::recipe::{self, Entry};
use landform::{Grid, Inputs, Meaning, Raster};

use crate::action::Change;
use crate::document::Document;
use crate::session::Session;

/// The longest side of a new painting, in pixels.
const SIDE: f64 = 512.0;
/// From this share of the radius on the brush becomes weaker.
const CORE: f64 = 0.4;
/// What the history calls a stroke.
const STEP: &str = "Paint a mask";

/// A painted mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Painting {
    width: usize,
    levels: Vec<u8>,
}

impl Painting {
    /// A painting of one level for the ground of `document`.
    pub fn blank(document: &Document, level: u8) -> Self {
        let ground = document.lattice().ground();
        let longest = ground[0].max(ground[1]).max(f64::MIN_POSITIVE);
        let side = |metres: f64| ((metres / longest * SIDE).round() as usize).max(2);
        let [width, height] = ground.map(side);
        Self { width, levels: vec![level; width * height] }
    }

    /// The painting nearest to a raster.
    pub fn of_raster(raster: &Raster) -> Self {
        let level = |weight: &f32| (weight.clamp(0.0, 1.0) * 255.0).round() as u8;
        let levels = raster.samples.samples().iter().map(level).collect();
        Self { width: raster.samples.width(), levels }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.levels.len() / self.width]
    }

    /// The levels, row by row from the north.
    pub fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// What a recipe reads: the same as from the written file.
    pub fn raster(&self) -> Raster {
        let [width, height] = self.size();
        let table = weights();
        let weights = self.levels.iter().map(|&level| table[usize::from(level)]);
        let samples = Grid::from_vec(width, height, weights.collect());
        Raster { samples, meaning: Meaning::Brightness(None) }
    }

    /// The file of the painting.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Whole rows, into memory.
        let _ = landform_io::png::encode_gray8(self.width, &self.levels, &mut bytes);
        bytes
    }

    /// The painting of a file.
    pub fn from_png(bytes: &[u8]) -> Option<Self> {
        let options = landform_io::ReadOptions::default();
        let read = landform_io::read(bytes, landform_io::Format::Png, &options).ok()?;
        Some(Self::of_raster(&read.into_input()))
    }
}

/// The weight of each level, to the bit what the reader of files makes of it.
fn weights() -> &'static [f32; 256] {
    static WEIGHTS: OnceLock<[f32; 256]> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let all = Painting { width: 256, levels: (0..=255).collect() };
        let options = landform_io::ReadOptions::default();
        let read = landform_io::read(&all.png(), landform_io::Format::Png, &options);
        let read = read.ok().map(landform_io::Heightmap::into_input);
        let read = read.and_then(|raster| raster.samples.samples().try_into().ok());
        read.unwrap_or_else(|| std::array::from_fn(|level| level as f32 / 255.0))
    })
}

/// The brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Metres.
    pub radius: f64,
    /// How much the middle of a stroke changes, from 0 to 1.
    pub strength: f64,
    /// Whether it takes away.
    pub erases: bool,
}

/// A stroke under way.
#[derive(Clone, Debug)]
pub struct Stroke {
    file: String,
    brush: Brush,
    before: Arc<Painting>,
    cover: Vec<f32>,
    last: [f64; 2],
}

/// The file that the mask of a stage is, if it is a picture.
pub fn file_of(entry: &Entry) -> Option<&str> {
    match &entry.joint.mask {
        Some(Mask::Image { file }) => Some(file),
        _ => None,
    }
}

/// The painting under a name, or the picture that was read under it.
pub fn painting_of(document: &Document, inputs: &Inputs, file: &str) -> Option<Arc<Painting>> {
    let painted = document.paintings().get(file).cloned();
    painted.or_else(|| inputs.get(file).map(|raster| Arc::new(Painting::of_raster(raster))))
}

impl Stroke {
    /// Begins a stroke at a place in metres, on the mask of a stage. A stage without a painted mask gets one: empty for a
    /// stroke that adds, full for one that takes away. What was read from a file is painted under another name.
    ///
    /// # Errors
    /// If the recipe is written in a way that cannot be edited.
    pub fn begin(
        session: &mut Session,
        stage: usize,
        brush: Brush,
        at: [f64; 2],
    ) -> Result<Option<Self>, landform::Error> {
        let Some(entry) = session.document().stages().get(stage) else { return Ok(None) };
        let (label, old_file) = (entry.label().to_owned(), file_of(entry).map(str::to_owned));
        let is_saved = session.place.is_some();
        let name = if is_saved { session.name.clone() } else { session.suggested_name() };
        let file = mask_name(&name, &label);
        let old = old_file.as_deref();
        let old_painting =
            old.and_then(|file| painting_of(session.document(), &session.inputs, file));
        let level = if brush.erases { 255 } else { 0 };
        let before =
            old_painting.unwrap_or_else(|| Arc::new(Painting::blank(session.document(), level)));
        session.close_step();
        if old != Some(file.as_str()) {
            let mask = format!("{{ kind = \"image\", file = {file:?} }}");
            let path = format!("{label}.mask");
            session.edit_text(STEP, |text| recipe::set(text, &path, &mask))?;
        }
        let cover = vec![0.0; before.levels.len()];
        let mut stroke = Self { file, brush, before, cover, last: at };
        stroke.go_on(session, at);
        Ok(Some(stroke))
    }

    /// Paints on to a place in metres.
    pub fn go_on(&mut self, session: &mut Session, to: [f64; 2]) {
        let [width, height] = self.before.size();
        let ground = session.document().lattice().ground();
        // Metres from one pixel to the next: the first and the last lie on the border of the ground.
        let pixel = [ground[0] / (width - 1) as f64, ground[1] / (height - 1) as f64];
        let (from, radius) = (self.last, self.brush.radius.max(pixel[0].min(pixel[1])));
        let span = |axis: usize, count: usize| {
            let low = from[axis].min(to[axis]) - radius;
            let high = from[axis].max(to[axis]) + radius;
            let first = (low / pixel[axis]).ceil().clamp(0.0, count as f64) as usize;
            let end = ((high / pixel[axis]).floor() + 1.0).clamp(0.0, count as f64) as usize;
            first..end.max(first)
        };
        let columns = span(0, width);
        for j in span(1, height) {
            for i in columns.clone() {
                let place = [i as f64 * pixel[0], j as f64 * pixel[1]];
                let cover = self.brush.cover(distance(place, from, to) / radius) as f32;
                let old = &mut self.cover[j * width + i];
                *old = old.max(cover);
            }
        }
        self.last = to;
        let level = |(&before, &cover): (&u8, &f32)| {
            let before = f32::from(before);
            let aim = if self.brush.erases { 0.0 } else { 255.0 };
            (before + (aim - before) * cover).round() as u8
        };
        let levels = self.before.levels.iter().zip(&self.cover).map(level).collect();
        let painting = Arc::new(Painting { width, levels });
        if session.document().paintings().get(&self.file) != Some(&painting) {
            session.act(STEP, vec![Change::Paint(self.file.clone(), Some(painting))]);
        }
    }
}

impl Brush {
    /// How much is changed at a share of the radius.
    fn cover(&self, share: f64) -> f64 {
        let fall = ((share - CORE) / (1.0 - CORE)).clamp(0.0, 1.0);
        self.strength.clamp(0.0, 1.0) * (1.0 - fall * fall * (3.0 - 2.0 * fall))
    }
}

/// From a point to a line between two others.
fn distance(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let line = [to[0] - from[0], to[1] - from[1]];
    let to_point = [point[0] - from[0], point[1] - from[1]];
    let length = line[0] * line[0] + line[1] * line[1];
    let along = (to_point[0] * line[0] + to_point[1] * line[1]) / length.max(f64::MIN_POSITIVE);
    let along = along.clamp(0.0, 1.0);
    (to_point[0] - along * line[0]).hypot(to_point[1] - along * line[1])
}

/// The file of a painted mask, after the document and the stage that it belongs to.
fn mask_name(document: &str, label: &str) -> String {
    let stem = document.rsplit_once('.').map_or(document, |(stem, _)| stem);
    format!("{}-{}-mask.png", plain(stem), plain(label))
}

/// Names the masks of a document after the file in which it is saved: those that were painted, and those that were painted
/// earlier, when it had the name that it has. It is a step that can be undone.
///
/// # Errors
/// If the recipe is written in a way that cannot be edited; the document is then as it was.
pub fn name_masks_after(session: &mut Session, name: &str) -> Result<(), landform::Error> {
    let document = session.document();
    let (mut text, mut paintings) = (document.text(), document.paintings().clone());
    let mut is_changed = false;
    for entry in document.stages() {
        let Some(old) = file_of(entry) else { continue };
        let new = mask_name(name, entry.label());
        let is_own = paintings.contains_key(old) || old == mask_name(&session.name, entry.label());
        let painting = painting_of(document, &session.inputs, old);
        if let (true, Some(painting)) = (is_own && old != new, painting) {
            let mask = format!("{{ kind = \"image\", file = {new:?} }}");
            text = recipe::set(&text, &format!("{}.mask", entry.label()), &mask)?;
            paintings.insert(new, painting);
            is_changed = true;
        }
    }
    if is_changed {
        let mut document = document.with_text(text)?;
        document.paintings = paintings;
        session.close_step();
        session.act("Name the masks after the file", vec![Change::Whole(Box::new(document))]);
        session.close_step();
    }
    Ok(())
}

/// A name as a part of the name of a file.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version = 1\nsize = [101, 51]\nspacing = [10.0, 10.0]\n\n# Hills.\n[[stage]]\nkind = \"noise\"\n";
    const BRUSH: Brush = Brush { radius: 100.0, strength: 1.0, erases: false };

    fn session() -> Session {
        Session::new("hills.toml", Document::from_recipe(TEXT.to_owned()).unwrap())
    }

    #[test]
    fn a_stroke_is_one_step_and_its_undo_gives_the_very_document_back() {
        let mut session = session();
        let start = session.document().clone();
        let mut stroke = Stroke::begin(&mut session, 0, BRUSH, [200.0, 200.0]).unwrap().unwrap();
        stroke.go_on(&mut session, [600.0, 300.0]);
        stroke.go_on(&mut session, [800.0, 300.0]);
        session.close_step();
        let painted = session.document().clone();
        assert!(painted.text().contains("hills-noise-mask.png"), "{}", painted.text());
        assert!(painted.text().contains("# Hills."));
        assert_eq!(session.history().position(), 1);
        session.undo();
        assert_eq!(*session.document(), start);
        session.redo();
        assert_eq!(*session.document(), painted);
    }

    #[test]
    fn the_speed_of_the_hand_does_not_matter_and_an_eraser_takes_all_away() {
        let painting =
            |session: &Session| session.document().paintings()["hills-noise-mask.png"].clone();
        let mut slow = session();
        let mut stroke = Stroke::begin(&mut slow, 0, BRUSH, [100.0, 250.0]).unwrap().unwrap();
        (1..=90).for_each(|k| stroke.go_on(&mut slow, [100.0 + 8.0 * f64::from(k), 250.0]));
        let mut fast = session();
        let mut stroke = Stroke::begin(&mut fast, 0, BRUSH, [100.0, 250.0]).unwrap().unwrap();
        stroke.go_on(&mut fast, [820.0, 250.0]);
        assert_eq!(painting(&slow), painting(&fast));
        assert_eq!(painting(&fast).size(), [512, 256]);
        assert!(painting(&fast).levels().contains(&255));
        let eraser = Brush { radius: 5000.0, erases: true, ..BRUSH };
        Stroke::begin(&mut fast, 0, eraser, [0.0, 0.0]).unwrap();
        assert!(painting(&fast).levels().iter().all(|level| *level == 0));
        assert_eq!(fast.history().position(), 2);
    }

    #[test]
    fn the_written_picture_is_read_as_it_was_painted() {
        let mut session = session();
        Stroke::begin(&mut session, 0, Brush { strength: 0.7, ..BRUSH }, [500.0, 250.0]).unwrap();
        let painting = &session.document().paintings()["hills-noise-mask.png"];
        let options = landform_io::ReadOptions::default();
        let read = landform_io::read(&painting.png(), landform_io::Format::Png, &options).unwrap();
        assert!(read.into_input() == painting.raster());
        assert_eq!(Painting::from_png(&painting.png()).as_ref(), Some(&**painting));
    }
}
