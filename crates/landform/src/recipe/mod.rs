//! A terrain as text: what the user wrote, checked word by word.
//!
//! ```toml
//! version = 1
//! seed = 7
//! size = [513, 513]       # samples
//! spacing = [20.0, 20.0]  # metres between them
//!
//! [[stage]]
//! kind = "uplift"
//! peaks = 100
//! ```

mod edit;
mod materials;
mod node;
mod pads;
mod peak_lists;
mod schema;
mod stages;
mod upd;
mod validate;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};

use crate::blend::Blend;
use crate::error::{Error, Problem, number};
use crate::georeference::{Georeference, Placed};
use crate::mask::Mask;
use crate::shape::heightmap::Heightmap;
use crate::stage::{Reach, Stage};
use crate::uplift::Cone;
use crate::{GroundCover, Inputs, Lattice, Layer, Scale, Seed, Topology};
use node::Node;
use peak_lists::Shortened;
use validate::{Fault, Step, Validator};

pub use edit::{append, set, set_belts, set_seed, set_size, unset};
pub use schema::{
    Choice, KindDoc, OnlyWith, Parameter, Quantity, StageDoc, ValueKind, WordDoc, catalogue,
    schema, vocabulary,
};
pub use stages::{insert_stage, move_stage, remove_stage, replace_stage};
pub use validate::did_you_mean;

/// The newest version of the recipe language. A recipe of another version is refused with the reason, before anything else in it
/// is looked at: its words may mean something else there.
pub const VERSION: u32 = 1;

/// The largest relative difference between the factors by which `extent` scales the two axes.
const MOST_STRETCH: f64 = 0.01;

/// A terrain as a list of landforms. It may still be wrong: [`Recipe::resolve`] tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Version of the recipe language and of its stages.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// A short name for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What it is, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Another seed gives another terrain of the same character.
    #[serde(default)]
    pub seed: u64,
    /// Number of samples along x and z: the grid lines on which landforms are laid out and simulations run.
    #[schemars(inner(range(min = 1, max = 2_000_000)))]
    pub size: [u32; 2],
    /// Distance between grid lines along x and z.
    #[schemars(inner(range(min = 1e-6, max = 1e6)), extend("unit" = "m"))]
    pub spacing: [f64; 2],
    /// Number of samples along x and z at which the same ground is evaluated, if it is not `size`.
    #[schemars(inner(range(min = 1, max = 2_000_000)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<[u32; 2]>,
    /// Longest side of a preview in samples: the terrain has no more unless `resolution` says so, and rivers carve on as few. The
    /// summits and the main valleys are those of the whole run. Recipes with other simulations, such as plates, still run those in full.
    #[schemars(range(min = 2, max = 65_536))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<u32>,
    /// Width and depth that the ground has in nature, if not those that follow from `size` and `spacing`, in the same proportions. All lengths
    /// of the recipe are scaled with it: heights, wavelengths, places, the level of the sea.
    #[schemars(inner(range(min = 1e-3, max = 1e9)), extend("unit" = "m"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<[f64; 2]>,
    /// Heights of the lowest and the highest level of 16-bit files, so that an edit changes no number in an engine; those of the terrain unless given.
    /// They are not scaled by `extent`.
    #[schemars(inner(range(min = -1e9, max = 1e9)), extend("unit" = "m"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_range: Option<[f64; 2]>,
    /// Height of the water table.
    #[schemars(range(min = -20_000.0, max = 20_000.0), extend("unit" = "m"))]
    #[serde(default)]
    pub sea_level: f64,
    /// How the edges of the map belong together: a piece of ground, a planet, or a map that wraps.
    #[serde(default, skip_serializing_if = "Topology::is_plane")]
    pub topology: Topology,
    /// What the ground is covered with in views of it.
    #[serde(default, skip_serializing_if = "GroundCover::is_green")]
    pub ground: GroundCover,
    /// The landforms, in the order in which they join.
    #[serde(default, rename = "stage")]
    pub stages: Vec<Entry>,
}

/// A stage of a recipe, and how it joins the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The algorithm and its parameters.
    pub stage: Stage,
    /// What every stage has.
    pub joint: Joint,
}

/// What every stage of a recipe can say beside its own parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Joint {
    /// Name of the stage; its random numbers depend on it. The kind, unless another is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether it takes part.
    #[serde(skip_serializing_if = "is_true")]
    pub enabled: bool,
    /// The layer that it changes.
    #[schemars(extend("word" = "layer"))]
    #[serde(skip_serializing_if = "is_height")]
    pub layer: String,
    /// How its values join that layer; each kind of stage has a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<Blend>,
    /// How strongly it acts.
    #[schemars(range(min = -100.0, max = 100.0))]
    #[serde(skip_serializing_if = "is_one")]
    pub amount: f64,
    /// Where it acts; everywhere unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
}

impl Default for Joint {
    fn default() -> Self {
        let layer = Layer::Height.name().to_owned();
        Self { label: None, enabled: true, layer, blend: None, amount: 1.0, mask: None }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_true(value: &bool) -> bool {
    *value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn is_height(layer: &str) -> bool {
    layer == Layer::Height.name()
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// The first thing that is wrong: its place, stage, parameter and value, and what is allowed.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if let Some(short) = Shortened::of(text) {
            let mut recipe = Self::parse_plain(&short.text)?;
            if short.put_into(&mut recipe) {
                return Ok(recipe);
            }
        }
        Self::parse_plain(text)
    }

    /// The same, with all values in memory at once.
    fn parse_plain(text: &str) -> Result<Self, Error> {
        let node = Node::from_toml(text)?;
        Self::from_node(&node).map_err(|fault| error_of(fault, &node, Some(text)))
    }

    /// A heightmap alone, under the name by which it is found among the [inputs](crate::Inputs).
    pub fn of_heightmap(file: &str, lattice: &Lattice, sea_level: f64) -> Self {
        let stage = Heightmap { file: file.to_owned(), ..Heightmap::default() };
        Self {
            version: VERSION,
            title: String::new(),
            about: String::new(),
            seed: 0,
            size: lattice.size,
            spacing: lattice.spacing,
            topology: Topology::Plane,
            ground: GroundCover::Green,
            resolution: None,
            preview: None,
            extent: None,
            output_range: None,
            sea_level,
            stages: vec![Entry::new(Stage::Heightmap(stage))],
        }
    }

    /// Reads a recipe that is JSON: the same keys and values.
    ///
    /// # Errors
    /// As [`Recipe::parse`], without a place.
    pub fn from_json(json: &Json) -> Result<Self, Error> {
        let node = Node::from(json);
        Self::from_node(&node).map_err(|fault| error_of(fault, &node, None))
    }

    fn from_node(node: &Node) -> Result<Self, Fault> {
        check_version(node)?;
        let schema = schema();
        let json = Validator::new(schema).check(schema, node)?;
        serde_json::from_value(json).map_err(|error| Fault {
            path: Vec::new(),
            problem: Box::new(Problem::Other(error.to_string())),
            byte: None,
        })
    }

    /// Writes the recipe. Reading that gives the same recipe.
    pub fn to_toml(&self) -> String {
        peak_lists::written(self)
    }

    /// The grid lines on which the landforms are laid out.
    pub fn design(&self) -> Lattice {
        Lattice { size: self.size, spacing: self.spacing }
    }

    /// How many times as large the ground is as `size` and `spacing` say.
    ///
    /// # Errors
    /// If `extent` has other proportions.
    pub fn scale(&self) -> Result<Scale, Error> {
        let Some(extent) = self.extent else { return Ok(Scale::NATURAL) };
        let ground = self.design().ground();
        // An axis with one sample has no length.
        let factors = [0, 1].map(|axis| (ground[axis] > 0.0).then(|| extent[axis] / ground[axis]));
        let [x, z] = match factors {
            [Some(x), Some(z)] => [x, z],
            [Some(one), None] | [None, Some(one)] => [one, one],
            [None, None] => return Ok(Scale::NATURAL),
        };
        if (x / z - 1.0).abs() > MOST_STRETCH {
            let [[width, depth], [east, south]] = [ground, extent];
            return Err(Error::unfit(
                "extent",
                format!("{extent:?}"),
                format!(
                    "the ground is {width} m by {depth} m, and all of it is scaled alike: {} m by {south} m and {east} m by {} m have its \
                     proportions; `size` changes them",
                    number(south * width / depth),
                    number(east * depth / width),
                ),
            ));
        }
        Ok(Scale::new([x, z]))
    }

    /// The grid lines on which the terrain is evaluated, as far apart as `spacing` says.
    pub fn output(&self) -> Lattice {
        self.resolution.map_or_else(|| self.previewed(), |size| self.design().resampled(size))
    }

    /// The grid lines on which simulations run: those of the recipe, or fewer for a preview.
    pub fn simulated(&self) -> Lattice {
        if self.can_preview() { self.previewed() } else { self.design() }
    }

    /// The grid lines of the recipe, or as few as `preview` asks for.
    fn previewed(&self) -> Lattice {
        self.preview.map_or_else(|| self.design(), |most| self.design().halved_to(most))
    }

    /// Whether all stages that look at the whole ground find the same land on fewer grid lines.
    fn can_preview(&self) -> bool {
        let lattice = self.design();
        let enabled = self.stages.iter().filter(|entry| entry.joint.enabled);
        let mut operators = enabled.map(|entry| entry.stage.operator());
        operators.all(|stage| stage.reach(&lattice) != Reach::Whole || stage.can_preview())
    }

    /// The recipe of a quick preview whose longest side is at most `most` samples, and at most half of the grid lines; nothing if it would
    /// be no quicker: if no stage looks at the whole ground, or one of them needs all grid lines.
    #[must_use]
    pub fn quick_preview(&self, most: u32) -> Option<Self> {
        let lattice = self.design();
        let is_whole = |entry: &&Entry| {
            entry.joint.enabled && entry.stage.operator().reach(&lattice) == Reach::Whole
        };
        self.stages.iter().find(is_whole)?;
        let longest = lattice.size[0].max(lattice.size[1]);
        let preview = Some(most.min(longest.div_ceil(2)));
        let quick = Self { preview, resolution: None, ..self.clone() };
        (quick.simulated().size != self.simulated().size).then_some(quick)
    }

    /// The uplifts of all enabled stages, as large as they are in nature: what a plan view shows.
    ///
    /// # Errors
    /// If the parameters of such a stage contradict each other, or `extent` has other proportions than the ground.
    pub fn cones(&self) -> Result<Vec<Cone>, Error> {
        let mut cones = Vec::new();
        for entry in self.stages.iter().filter(|entry| entry.joint.enabled) {
            let peaks = match &entry.stage {
                Stage::Uplift(uplift) => {
                    uplift.generate(Seed::new(self.seed).child(entry.label()), &self.design())?
                }
                Stage::Peaks(peaks) => peaks.list()?,
                _ => continue,
            };
            cones.extend(peaks.iter().map(|peak| peak.cone(&self.design())));
        }
        let scale = self.scale()?;
        cones.iter_mut().for_each(|cone| *cone = cone.scaled(&scale));
        Ok(cones)
    }

    /// The files that the recipe refers to, each once.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for entry in self.stages.iter().filter(|entry| entry.joint.enabled) {
            files.extend(entry.stage.operator().files());
            files.extend(entry.joint.mask.iter().flat_map(Mask::files));
        }
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Where the terrain lies on the Earth: a planet in degrees; else where the first heightmap says it lies, unless it has other
    /// ground.
    pub fn place(&self, inputs: &Inputs) -> Option<Georeference> {
        let design = self.design();
        let ground = self.scale().map_or(design, |scale| scale.lattice(&design)).ground();
        if self.topology == Topology::Sphere {
            return ground.iter().all(|side| *side > 0.0).then(|| Georeference::planet(ground));
        }
        self.placing(inputs).and_then(|(_, placed)| placed.on(ground))
    }

    /// The heightmap that says where it lies but has other ground than the recipe, so that the terrain lies nowhere.
    pub fn misplaced<'a>(&'a self, inputs: &'a Inputs) -> Option<(&'a str, &'a Placed)> {
        let is_elsewhere = self.topology == Topology::Sphere || self.place(inputs).is_some();
        self.placing(inputs).filter(|_| !is_elsewhere)
    }

    /// The first heightmap that says where it lies.
    fn placing<'a>(&'a self, inputs: &'a Inputs) -> Option<(&'a str, &'a Placed)> {
        let enabled = self.stages.iter().filter(|entry| entry.joint.enabled);
        let mut files = enabled.filter_map(|entry| match &entry.stage {
            Stage::Heightmap(heightmap) => Some(heightmap.file.as_str()),
            _ => None,
        });
        files.find_map(|file| Some((file, inputs.place(file)?)))
    }

    /// The error that `file`, to which the recipe refers, cannot be used because of `why`: the first stage and parameter that names it.
    pub fn file_error(&self, file: &str, why: &str) -> Error {
        let enabled = self.stages.iter().enumerate().filter(|(_, entry)| entry.joint.enabled);
        let mut users = enabled.filter_map(|(index, entry)| {
            let json = serde_json::to_value(entry).expect("a stage is plain data");
            Some((index, entry, parameter_with(&json, file)?))
        });
        match users.next() {
            Some((index, entry, parameter)) => Error {
                stage: Some((index + 1, entry.label().to_owned())),
                ..Error::unfit(parameter, format!("{file:?}"), why)
            },
            None => Error::new(format!("a file is {file:?}, but {why}")),
        }
    }
}

/// Refuses a recipe of another version than this program reads.
fn check_version(node: &Node) -> Result<(), Fault> {
    let Some(version) = node.get("version") else { return Ok(()) };
    let node::NodeValue::Integer(found) = version.value else { return Ok(()) };
    let why = match found.cmp(&i64::from(VERSION)) {
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Greater => format!(
            "this program reads recipes up to version {VERSION}: a newer Landform wrote it, so update the program"
        ),
        std::cmp::Ordering::Less => {
            format!(
                "there is no such version, the first is 1: write `version = {VERSION}` and look at the result"
            )
        }
    };
    Err(Fault {
        path: vec![Step::Key("version".to_owned())],
        problem: Box::new(Problem::Unfit { value: found.to_string(), why }),
        byte: version.span.as_ref().map(|span| span.start),
    })
}

/// The parameter `file`, here or in what is inside, that has this value.
fn parameter_with(json: &Json, file: &str) -> Option<String> {
    match json {
        Json::Object(entries) => entries.iter().find_map(|(key, value)| {
            if key == "file" && value == file {
                return Some(key.clone());
            }
            let inner = parameter_with(value, file)?;
            let dot = if inner.starts_with('[') { "" } else { "." };
            Some(format!("{key}{dot}{inner}"))
        }),
        Json::Array(items) => items.iter().enumerate().find_map(|(index, value)| {
            let inner = parameter_with(value, file)?;
            let dot = if inner.starts_with('[') { "" } else { "." };
            Some(format!("[{index}]{dot}{inner}"))
        }),
        _ => None,
    }
}

/// Reads something other than a recipe from TOML, with the same kind of errors.
pub(crate) fn parse_as<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, Error> {
    let schema = schemars::schema_for!(T).to_value();
    let node = Node::from_toml(text)?;
    let json = Validator::new(&schema)
        .check(&schema, &node)
        .map_err(|fault| error_of(fault, &node, Some(text)))?;
    serde_json::from_value(json).map_err(|error| Error::new(error.to_string()))
}

/// Checks a struct of parameters that did not come from a text against its declared ranges.
///
/// # Errors
/// The parameter that is out of range, its value and what is allowed.
pub fn check<T: Serialize + JsonSchema>(parameters: &T) -> Result<(), Error> {
    let schema = schemars::schema_for!(T).to_value();
    let json = serde_json::to_value(parameters).map_err(|error| Error::new(error.to_string()))?;
    let node = Node::from(&json);
    let checked = Validator::new(&schema).check(&schema, &node);
    checked.map(|_| ()).map_err(|fault| error_of(fault, &node, None))
}

impl Entry {
    /// A stage that acts everywhere, in the way of its kind.
    pub fn new(stage: Stage) -> Self {
        Self { stage, joint: Joint::default() }
    }

    /// The name of the stage.
    pub fn label(&self) -> &str {
        self.joint.label.as_deref().unwrap_or_else(|| self.stage.kind())
    }
}

/// A stage is one table in which its own parameters and those of every stage stand side by side.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = |json: Result<Json, serde_json::Error>| match json {
            Ok(Json::Object(map)) => Ok(map),
            Ok(_) => Err(serde::ser::Error::custom("a stage is a table")),
            Err(error) => Err(serde::ser::Error::custom(error)),
        };
        let stage = table(serde_json::to_value(&self.stage))?;
        let joint = table(serde_json::to_value(&self.joint))?;
        let kind = stage.get("kind").cloned().map(|kind| ("kind".to_owned(), kind));
        let own = stage.into_iter().filter(|(key, _)| key != "kind");
        kind.into_iter().chain(joint).chain(own).collect::<Map<_, _>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = Map::deserialize(deserializer)?;
        let shared = schema::joint_keys();
        let (joint, stage): (Map<_, _>, Map<_, _>) =
            all.into_iter().partition(|(key, _)| shared.contains(&key.as_str()));
        Ok(Self {
            stage: Stage::deserialize(Json::Object(stage)).map_err(serde::de::Error::custom)?,
            joint: Joint::deserialize(Json::Object(joint)).map_err(serde::de::Error::custom)?,
        })
    }
}

/// Turns the path of a fault into the words of a user: which stage, which parameter.
fn error_of(fault: Fault, root: &Node, text: Option<&str>) -> Error {
    let mut path = fault.path.as_slice();
    let mut stage = None;
    if let [Step::Key(first), Step::Index(index), rest @ ..] = path
        && first == "stage"
    {
        stage = Some((index + 1, label_of(root, *index)));
        path = rest;
    }
    let mut parameter = String::new();
    for step in path {
        match step {
            Step::Key(key) if parameter.is_empty() => parameter.push_str(key),
            Step::Key(key) => parameter.extend([".", key]),
            Step::Index(index) => parameter.extend(["[", &index.to_string(), "]"]),
        }
    }
    let parameter = (!parameter.is_empty()).then_some(parameter);
    let error = Error { stage, ..Error::with(parameter, *fault.problem) };
    match (text, fault.byte) {
        (Some(text), Some(byte)) => error.at(text, byte),
        _ => error,
    }
}

/// What a stage that may be wrong is called.
fn label_of(root: &Node, index: usize) -> String {
    let word = |node: &Node, key: &str| match node.get(key).map(|found| &found.value) {
        Some(node::NodeValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let stage = match root.get("stage").map(|stages| &stages.value) {
        Some(node::NodeValue::Array(stages)) => stages.get(index),
        _ => None,
    };
    stage.and_then(|stage| word(stage, "label").or_else(|| word(stage, "kind"))).unwrap_or_default()
}

#[cfg(test)]
mod tests;
