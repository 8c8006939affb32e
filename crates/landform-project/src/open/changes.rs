//! Changes to a recipe that are made while it is opened.

use landform::Recipe;
use landform::recipe::{self, Entry};
use landform::shape::flatten::Flatten;
use landform::shape::pad::Pad;
use landform::stage::Stage;

use crate::{Error, Result, Wish};

/// How large the ground is in nature, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundSize {
    /// The longer side; the other follows.
    Longer(f64),
    /// Width and depth.
    Sides([f64; 2]),
}

impl GroundSize {
    /// Width and depth of the ground of a recipe.
    fn sides(self, recipe: &Recipe) -> [f64; 2] {
        match self {
            Self::Sides(sides) => sides,
            Self::Longer(metres) => {
                let ground = recipe.design().ground();
                let longer = ground[0].max(ground[1]);
                // An axis with one sample has no length.
                ground.map(|side| if side > 0.0 { side / longer * metres } else { metres })
            }
        }
    }
}

/// Changes to a recipe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Another seed.
    pub seed: Option<u64>,
    /// Number of samples. The landforms stay where they are.
    pub size: Option<[u32; 2]>,
    /// Longest side of a preview, whose rivers are carved on as few samples.
    pub preview: Option<u32>,
    /// How large the ground is in nature; all of it is scaled.
    pub extent: Option<GroundSize>,
    /// Parameters and their values, as TOML.
    pub set: Vec<(String, String)>,
    /// Lists of flat places; each becomes a stage at the end.
    pub pads: Vec<Vec<Pad>>,
}

impl Changes {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a value of a parameter names this file.
    pub(super) fn names(&self, file: &str) -> bool {
        self.set.iter().any(|(_, value)| value.contains(file))
    }

    /// The recipe `text` with all changes; comments stay.
    ///
    /// # Errors
    /// The change that cannot be made.
    pub fn apply(&self, text: String) -> Result<String> {
        let mut text = self.apply_to_design(text)?;
        if let Some(most) = self.preview {
            // What was asked for before is not the size of a preview.
            text = recipe::unset(&text, "resolution")?;
            text = recipe::set(&text, "preview", &most.to_string())
                .map_err(|error| Error::wish(Wish::Preview, error.to_string()))?;
        }
        match self.size {
            Some(size) => Ok(set_resolution(&text, size)?),
            None => Ok(text),
        }
    }

    /// The recipe `text` with all changes but the size, which for a new recipe may mean its grid lines.
    ///
    /// # Errors
    /// The change that cannot be made.
    pub fn apply_to_design(&self, mut text: String) -> Result<String> {
        for (path, value) in &self.set {
            text = recipe::set(&text, path, value).map_err(|error| {
                Error::wish(Wish::Set(path.clone(), value.clone()), error.to_string())
            })?;
        }
        if let Some(seed) = self.seed {
            text = recipe::set_seed(&text, seed)
                .map_err(|error| Error::wish(Wish::Seed, error.to_string()))?;
        }
        if let Some(extent) = self.extent {
            let refused = |error: landform::Error| Error::wish(Wish::Extent, error.to_string());
            let [width, depth] = extent.sides(&Recipe::parse(&text)?);
            text = recipe::set(&text, "extent", &format!("[{width:?}, {depth:?}]"))
                .map_err(refused)?;
            Recipe::parse(&text)?.scale().map_err(refused)?;
        }
        for (index, pads) in self.pads.iter().enumerate() {
            // Whoever writes pads knows the ground as it comes out.
            let scale = Recipe::parse(&text)?.scale()?;
            let pads: Vec<Pad> = pads.iter().map(|pad| pad.unscaled(&scale)).collect();
            let flatten = Flatten { pads, ..Flatten::default() };
            let mut entry = Entry::new(Stage::Flatten(flatten));
            entry.joint.label = Some(format!("pads {}", index + 1));
            text = recipe::append(&text, &entry)
                .map_err(|error| Error::wish(Wish::Pads, error.to_string()))?;
        }
        Ok(text)
    }
}

/// The recipe `text` with another number of samples over the same ground.
pub(crate) fn set_resolution(
    text: &str,
    [width, height]: [u32; 2],
) -> Result<String, landform::Error> {
    recipe::set(text, "resolution", &format!("[{width}, {height}]"))
}
