//! What is edited: an Uplift terrain (UPD) or a recipe, with its peaks as a list that can be changed one by one.

mod belts;
mod names;

use std::collections::BTreeMap;
use std::sync::Arc;

use landform::recipe::{self, Entry};
use landform::stage::Stage;
use landform::uplift::{Cone, Curve, Peak, Peaks, Upd};
use landform::{Error, GroundCover, Inputs, Lattice, Recipe, Seed};

use crate::large::Large;
use crate::painting::Painting;

/// A peak, and what people call it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The peak itself.
    pub peak: Peak,
    /// A name for people; may be empty.
    pub name: String,
    /// The group that it belongs to; may be empty.
    pub group: String,
}

impl From<Peak> for Item {
    fn from(peak: Peak) -> Self {
        Self { peak, name: String::new(), group: String::new() }
    }
}

/// What is edited.
#[derive(Clone, Debug)]
pub struct Document {
    lattice: Lattice,
    pub(crate) items: Vec<Item>,
    pub(crate) divisor: Option<f64>,
    /// Masks that were painted, by the name of their file.
    pub(crate) paintings: BTreeMap<String, Arc<Painting>>,
    /// The text of a UPD file as it was read: lines of peaks that were not edited are saved as they stand there.
    written: Option<Arc<str>>,
    form: Form,
}

/// The kind of text that a document is written as.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Upd,
    /// Larger than memory: looked at, not edited.
    Large(Large),
    /// The text as it was read or last edited; its peaks may be older than the list of items.
    Recipe {
        text: String,
        recipe: Box<Recipe>,
        owner: Option<Owner>,
    },
}

/// The stage of a recipe whose peaks are the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its place among the stages.
    pub stage: usize,
    /// Whether the peaks stand in the recipe, rather than being made by chance.
    pub by_hand: bool,
}

impl PartialEq for Document {
    /// Belts that plates raise follow from the text, as soon as they are known.
    fn eq(&self, other: &Self) -> bool {
        self.lattice == other.lattice
            && self.divisor == other.divisor
            && self.paintings == other.paintings
            && self.form == other.form
            && (self.items == other.items || self.is_raised())
    }
}

impl Document {
    /// An Uplift terrain.
    pub fn from_upd(upd: Upd) -> Self {
        let items = upd.peaks.into_iter().map(Item::from).collect();
        Self {
            lattice: upd.lattice,
            items,
            divisor: None,
            paintings: BTreeMap::new(),
            written: None,
            form: Form::Upd,
        }
    }

    /// An Uplift terrain from its text, which keeps the lines that are not edited.
    ///
    /// # Errors
    /// What is wrong with the text, with line and column.
    pub fn from_upd_text(text: &str) -> Result<Self, Error> {
        let document = Self::from_upd(Upd::parse(text)?);
        Ok(Self { written: Some(text.into()), ..document })
    }

    /// A terrain that is looked at.
    pub fn from_large(large: Large) -> Self {
        Self {
            lattice: large.lattice(),
            items: Vec::new(),
            divisor: None,
            paintings: BTreeMap::new(),
            written: None,
            form: Form::Large(large),
        }
    }

    /// The terrain that is looked at, if it is one.
    pub fn large(&self) -> Option<&Large> {
        match &self.form {
            Form::Large(large) => Some(large),
            Form::Upd | Form::Recipe { .. } => None,
        }
    }

    /// A recipe.
    ///
    /// # Errors
    /// What is wrong with the text, with line and column.
    pub fn from_recipe(text: String) -> Result<Self, Error> {
        let recipe = Recipe::parse(&text)?;
        let stages = || {
            let stages = recipe.stages.iter().enumerate();
            stages.filter(|(_, entry)| has_peaks(&entry.stage))
        };
        let owner = stages().find(|(_, entry)| entry.joint.enabled).or_else(|| stages().next());
        let owner = owner.map(|(stage, _)| stage);
        Self::of_recipe(text, recipe, owner)
    }

    fn of_recipe(text: String, recipe: Recipe, owner: Option<usize>) -> Result<Self, Error> {
        let lattice = recipe.design();
        let (mut items, mut divisor) = (Vec::new(), None);
        let plain = |peaks: Vec<Peak>| peaks.into_iter().map(Item::from).collect();
        let entry = owner.and_then(|stage| Some((stage, recipe.stages.get(stage)?)));
        let owner = match entry {
            Some((stage, entry)) => match &entry.stage {
                Stage::Peaks(peaks) => {
                    (items, divisor) = (plain(peaks.list()?), peaks.divisor);
                    Some(Owner { stage, by_hand: true })
                }
                Stage::Uplift(uplift) => {
                    let seed = Seed::new(recipe.seed).child(entry.label());
                    (items, divisor) = (plain(uplift.generate(seed, &lattice)?), uplift.divisor);
                    Some(Owner { stage, by_hand: false })
                }
                Stage::Plates(plates) => {
                    items = plates.belts.iter().flatten().map(belts::item).collect();
                    divisor = Some(1.0);
                    Some(Owner { stage, by_hand: plates.belts.is_some() })
                }
                _ => None,
            },
            None => None,
        };
        let form = Form::Recipe { text, recipe: Box::new(recipe), owner };
        Ok(Self { lattice, items, divisor, paintings: BTreeMap::new(), written: None, form })
    }

    /// The grid lines on which the peaks lie.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The peaks that can be edited, in the order of the file.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The peaks in metres.
    pub fn cones(&self) -> Vec<Cone> {
        let grid = self.grid();
        self.items.iter().map(|item| item.peak.cone(&grid)).collect()
    }

    /// What the sum of the peaks is divided by.
    pub fn divisor(&self) -> f64 {
        self.divisor.unwrap_or_else(|| self.items.len().max(1) as f64)
    }

    /// Whether it is written as UPD.
    pub fn is_upd(&self) -> bool {
        self.form == Form::Upd
    }

    /// The ending that its files have.
    pub fn extension(&self) -> &'static str {
        if self.is_upd() { "upd" } else { "toml" }
    }

    /// Whether it is a recipe, with stages that can be edited.
    pub fn is_recipe(&self) -> bool {
        matches!(self.form, Form::Recipe { .. })
    }

    /// The stage that the items belong to, in a recipe.
    pub fn owner(&self) -> Option<Owner> {
        match &self.form {
            Form::Upd | Form::Large(_) => None,
            Form::Recipe { owner, .. } => *owner,
        }
    }

    /// Whether peaks can be added, moved and removed as they are.
    pub fn is_by_hand(&self) -> bool {
        self.is_upd() || self.owner().is_some_and(|owner| owner.by_hand)
    }

    /// Whether peaks can be edited, perhaps after they were [written down](Document::by_hand).
    pub fn has_peaks(&self) -> bool {
        self.is_upd() || self.owner().is_some()
    }

    /// The whole as a recipe, with the peaks as they are.
    pub fn recipe(&self) -> Recipe {
        match &self.form {
            Form::Upd => self.upd().to_recipe(),
            Form::Large(large) => {
                Recipe::of_heightmap(large.name(), &self.lattice, large.sea_level())
            }
            Form::Recipe { recipe: own, owner, .. } => {
                let mut recipe = (**own).clone();
                let by_hand = owner.filter(|owner| owner.by_hand);
                let entry = by_hand.and_then(|owner| recipe.stages.get_mut(owner.stage));
                match entry.map(|entry| &mut entry.stage) {
                    Some(Stage::Peaks(peaks)) => {
                        peaks.peaks = self.items.iter().map(|item| item.peak.into()).collect();
                        peaks.divisor = self.divisor;
                    }
                    Some(Stage::Plates(plates)) => {
                        if let Some(old) = &mut plates.belts
                            && !belts::are_same(old, &self.items, own)
                        {
                            *old = belts::list(&self.items, own);
                        }
                    }
                    _ => {}
                }
                recipe
            }
        }
    }

    /// Masks that were painted, by the name of their file.
    pub fn paintings(&self) -> &BTreeMap<String, Arc<Painting>> {
        &self.paintings
    }

    /// The paintings that the recipe refers to, as files.
    pub fn painted_files(&self) -> Vec<(String, Vec<u8>)> {
        let recipe = self.recipe();
        let files = recipe.files();
        let used = self.paintings.iter().filter(|(file, _)| files.contains(&file.as_str()));
        used.map(|(file, painting)| (file.clone(), painting.png())).collect()
    }

    /// The rasters that the recipe refers to: those that were read, and the paintings.
    pub fn inputs(&self, read: &Arc<Inputs>) -> Arc<Inputs> {
        if self.paintings.is_empty() {
            return Arc::clone(read);
        }
        let mut inputs = (**read).clone();
        for (file, painting) in &self.paintings {
            inputs.insert(file, painting.raster());
        }
        Arc::new(inputs)
    }

    /// The stages as they were last written; nothing for UPD.
    pub fn stages(&self) -> &[Entry] {
        match &self.form {
            Form::Upd | Form::Large(_) => &[],
            Form::Recipe { recipe, .. } => &recipe.stages,
        }
    }

    /// Height of the water table in metres.
    pub fn sea_level(&self) -> f64 {
        match &self.form {
            Form::Upd => 0.0,
            Form::Large(large) => large.sea_level(),
            Form::Recipe { recipe, .. } => recipe.sea_level,
        }
    }

    /// What the ground is covered with in views of it.
    pub fn cover(&self) -> GroundCover {
        match &self.form {
            Form::Upd => GroundCover::Green,
            Form::Large(large) => large.cover(),
            Form::Recipe { recipe, .. } => recipe.ground,
        }
    }

    /// How uplifts go on beyond their circles.
    pub fn curve(&self) -> Curve {
        let stage = self.owner().and_then(|owner| self.stages().get(owner.stage));
        match stage.map(|entry| &entry.stage) {
            Some(Stage::Peaks(peaks)) => peaks.curve,
            Some(Stage::Uplift(uplift)) => uplift.curve,
            _ => Curve::Tent,
        }
    }

    fn upd(&self) -> Upd {
        Upd { lattice: self.lattice, peaks: self.items.iter().map(|item| item.peak).collect() }
    }

    /// The text that is saved; none if it is only looked at.
    pub fn text(&self) -> String {
        match &self.form {
            Form::Upd => match &self.written {
                Some(written) => self.upd().to_text_like(written),
                None => self.upd().to_text(),
            },
            Form::Large(_) => String::new(),
            Form::Recipe { text, recipe, owner } => {
                self.written(text, recipe, *owner).unwrap_or_else(|_| self.recipe().to_toml())
            }
        }
    }

    /// The text of a recipe with the peaks as they are; comments stay.
    fn written(&self, text: &str, recipe: &Recipe, owner: Option<Owner>) -> Result<String, Error> {
        let Some(Owner { stage, by_hand: true }) = owner else { return Ok(text.to_owned()) };
        let Some(entry) = recipe.stages.get(stage) else { return Ok(text.to_owned()) };
        if let Stage::Plates(plates) = &entry.stage {
            let is_same =
                plates.belts.as_ref().is_some_and(|old| belts::are_same(old, &self.items, recipe));
            return match is_same {
                true => Ok(text.to_owned()),
                false => recipe::set_belts(text, entry.label(), &belts::list(&self.items, recipe)),
            };
        }
        let Stage::Peaks(old) = &entry.stage else { return Ok(text.to_owned()) };
        let mut text = text.to_owned();
        let is_same = old.list().is_ok_and(|peaks| {
            peaks.len() == self.items.len()
                && peaks.iter().zip(&self.items).all(|(peak, item)| *peak == item.peak)
        });
        if !is_same {
            let mut lines = String::from("[\n");
            for Item { peak: Peak { i, j, height, radius }, .. } in &self.items {
                lines += &format!("    [{i}, {j}, {height:?}, {radius:?}],\n");
            }
            lines += "]";
            text = recipe::set(&text, &format!("{}.peaks", entry.label()), &lines)?;
        }
        if old.divisor != self.divisor {
            let path = format!("{}.divisor", entry.label());
            text = match self.divisor {
                Some(divisor) => recipe::set(&text, &path, &format!("{divisor:?}"))?,
                None => recipe::unset(&text, &path)?,
            };
        }
        Ok(text)
    }

    /// The same document with another text: a recipe that was edited. Names stay with their peaks.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn with_text(&self, text: String) -> Result<Self, Error> {
        if self.is_upd() {
            return Self::from_upd_text(&text).map(|document| document.with_names_of(self));
        }
        let kept = self.owner().map(|owner| owner.stage).filter(|&stage| {
            let kind = |entry: &Entry| entry.stage.kind();
            Recipe::parse(&text).is_ok_and(|recipe| {
                recipe.stages.get(stage).map(kind) == self.stages().get(stage).map(kind)
            })
        });
        let document = match kept {
            Some(stage) => {
                let recipe = Recipe::parse(&text)?;
                Self::of_recipe(text, recipe, Some(stage))?
            }
            None => Self::from_recipe(text)?,
        };
        Ok(document.with_names_of(self))
    }

    /// The same document with the peaks of another stage as its items.
    ///
    /// # Errors
    /// If the parameters of that stage contradict each other.
    pub fn with_owner(&self, stage: usize) -> Result<Self, Error> {
        let text = self.text();
        let recipe = Recipe::parse(&text)?;
        let document = Self::of_recipe(text, recipe, Some(stage))?;
        Ok(Self { paintings: self.paintings.clone(), ..document })
    }

    /// The same terrain with peaks that stand in the recipe: a stage `uplift` becomes `peaks`, and plates get their belts, as soon as
    /// these are known.
    ///
    /// # Errors
    /// If the recipe is written in a way that cannot be taken apart.
    pub fn by_hand(&self) -> Result<Self, Error> {
        let Form::Recipe { text, recipe, owner: Some(Owner { stage, by_hand: false }) } =
            &self.form
        else {
            return Ok(self.clone());
        };
        let Some(entry) = recipe.stages.get(*stage) else { return Ok(self.clone()) };
        if let (Stage::Plates(_), false) = (&entry.stage, self.items.is_empty()) {
            let text = recipe::set_belts(text, entry.label(), &belts::list(&self.items, recipe))?;
            let recipe = Recipe::parse(&text)?;
            return Ok(Self::of_recipe(text, recipe, Some(*stage))?.with_names_of(self));
        }
        let Entry { stage: Stage::Uplift(uplift), joint } = entry else {
            return Ok(self.clone());
        };
        let peaks = Peaks {
            peaks: self.items.iter().map(|item| item.peak.into()).collect(),
            curve: uplift.curve,
            divisor: uplift.divisor,
        };
        let mut joint = joint.clone();
        // Masks of other stages and `--set` may name it.
        joint.label.get_or_insert_with(|| "uplift".to_owned());
        let entry = Entry { stage: Stage::Peaks(peaks), joint };
        let text = recipe::replace_stage(text, *stage, &entry)?;
        let recipe = Recipe::parse(&text)?;
        Ok(Self::of_recipe(text, recipe, Some(*stage))?.with_names_of(self))
    }
}

/// Whether a stage has peaks that can be edited.
pub(crate) fn has_peaks(stage: &Stage) -> bool {
    matches!(stage, Stage::Peaks(_) | Stage::Uplift(_) | Stage::Plates(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "version = 1\nseed = 3\nsize = [65, 65]\nspacing = [10.0, 10.0]\n\n# Mountains.\n[[stage]]\nkind = \"uplift\"\npeaks = 5\n\n[[stage]]\nkind = \"smooth\"\n";

    #[test]
    fn peaks_by_chance_become_peaks_by_hand_and_the_terrain_stays() {
        let document = Document::from_recipe(RECIPE.to_owned()).unwrap();
        assert_eq!(document.owner(), Some(Owner { stage: 0, by_hand: false }));
        let by_hand = document.by_hand().unwrap();
        assert!(by_hand.is_by_hand());
        assert_eq!(by_hand.items(), document.items());
        assert!(by_hand.text().contains("# Mountains."));
        let run = |document: &Document| {
            let plan = document.recipe().resolve(&Inputs::default()).unwrap();
            plan.run(&plan.lattice().whole(), &()).unwrap()
        };
        assert_eq!(run(&by_hand), run(&document));
    }

    #[test]
    fn an_edited_upd_file_keeps_the_text_of_its_other_lines() {
        let text = "100 100\n10.0 10.0\n2\n1 2 4000 200.0\n3 4 +50 60\n";
        let mut document = Document::from_upd_text(text).unwrap();
        assert_eq!(document.text(), text);
        document.items[1].peak.i = 7;
        assert_eq!(document.text(), text.replace("3 4 +50 60", "7 4 50 60"));
    }

    #[test]
    fn a_belt_that_is_dragged_over_the_edge_of_a_planet_comes_in_on_the_other_side() {
        let planet = "version = 1\ntopology = \"sphere\"\nsize = [65, 33]\nspacing = [600000.0, 600000.0]\n\n[[stage]]\nkind = \"plates\"\nplates = 4\nsteps = 1\nbelts = [[1000000, 9000000, 3000, 400000]]\n";
        let mut document = Document::from_recipe(planet.to_owned()).unwrap();
        document.items[0].peak.i = -2_000_000;
        document.items[0].peak.j = -5;
        let width = document.lattice.ground()[0];
        let text = document.text();
        assert!(text.contains(&format!("[{}, 0, 3000, 400000]", width - 2e6)), "{text}");
        document.recipe().resolve(&Inputs::default()).unwrap();
    }

    #[test]
    fn an_edited_recipe_keeps_its_comments_and_is_read_back_the_same() {
        let mut document = Document::from_recipe(RECIPE.to_owned()).unwrap().by_hand().unwrap();
        document.items[2].peak.i = -7;
        document.items[2].name = "Old Man".to_owned();
        document.divisor = Some(4.0);
        let text = document.text();
        assert!(text.contains("# Mountains."), "{text}");
        let mut again = Document::from_recipe(text).unwrap();
        again.set_names(&document.names());
        assert_eq!((again.items(), again.divisor), (document.items(), document.divisor));
        document.divisor = None;
        assert_eq!(Document::from_recipe(document.text()).unwrap().divisor, None);
    }
}
