//! The recipe of a world on the ground of a heightmap: climate and biomes on a map that the user brought.

use std::path::{Path, PathBuf};

use landform::preset::Preset;
use landform::{Recipe, recipe};
use landform_io::Source::Assumed;

use super::files::{Disk, file_name};
use super::heightmap::{Reading, read_heightmap};
use super::seam;
use crate::{Error, Result, Warning, Wish};

/// Heights of black and white in a picture that does not tell them; a stage finds out where the sea is.
const LEVELS: [i32; 2] = [-6000, 6000];

/// What divides a recipe into stages.
const STAGE: &str = "\n[[stage]]\n";

/// The recipe of a world on a map that the user brought.
#[derive(Clone, Debug)]
pub struct PlanetFromMap {
    /// The recipe.
    pub text: String,
    /// What the user should hear.
    pub warnings: Vec<Warning>,
}

/// The text of `preset`, a world, with the heightmap `path` in place of its plates. The recipe is to lie at `output`. It
/// has the resolution of the map where that is finer, unless `size` asks for another.
///
/// # Errors
/// If the preset is no world, or the heightmap cannot be read.
pub fn planet_from_map(
    preset: &Preset,
    path: &Path,
    output: Option<&Path>,
    size: Option<[u32; 2]>,
) -> Result<PlanetFromMap> {
    let mut parts = preset.text.split(STAGE);
    let header = parts.next().unwrap_or_default();
    let mut stages: Vec<String> = parts.map(str::to_owned).collect();
    let plates = stages.iter().position(|stage| is_kind(stage, "plates"));
    let Some(plates) = plates else {
        let message = format!(
            "it takes the place of plates, but the preset {} has none: start from a world, such as `landform new world`",
            preset.name
        );
        return Err(Error::wish(Wish::Heightmap, message));
    };
    let heightmap = read_heightmap(&Disk, path, &Reading::default())?;
    let (low, _) = heightmap.heights.range();
    let is_metres = heightmap.levels.is_none() || heightmap.scale_from != Assumed;
    let file = toml_string(&relative(path, output)?);
    let mut stage = format!("kind = \"heightmap\"\nfile = {file}\n");
    if !is_metres {
        let [low, high] = LEVELS;
        stage += &format!("low = {low}   # metres of black; the file does not tell them\n");
        stage += &format!("high = {high}   # metres of white\n");
    }
    stages[plates] = stage;
    // Heights that go below 0 say where the sea is.
    if is_metres && low < 0.0 {
        stages.retain(|stage| !is_kind(stage, "sea_level"));
    }
    let is_comment = |line: &&str| line.starts_with('#');
    let header: Vec<&str> = header.lines().skip_while(is_comment).collect();
    let mut text = format!(
        "# Climate and biomes on the ground of {}: the first and the last column are the same meridian, the first and the\n\
         # last row are the poles. Look at it: landform view THIS.toml -o map.png --style world\n{}\n",
        file_name(path),
        header.join("\n"),
    );
    for stage in &stages {
        text += &format!("{STAGE}{}\n", stage.trim_end());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    text = recipe::set(&text, "title", &toml_string(&stem))?;
    text = recipe::set(&text, "about", "\"climate and biomes on a map of your own\"")?;
    let recipe = Recipe::parse(&text)?;
    let [width, height] = [heightmap.heights.width(), heightmap.heights.height()];
    if width > recipe.size[0] as usize && size.is_none() {
        text = recipe::set(&text, "resolution", &format!("[{width}, {height}]"))?;
    }
    let name = recipe.files().first().map(|name| (*name).to_owned()).unwrap_or_default();
    let seams = seam::warnings(&recipe, &name, &heightmap.heights);
    Ok(PlanetFromMap { text, warnings: seams.into_iter().map(Warning::Seam).collect() })
}

fn is_kind(stage: &str, kind: &str) -> bool {
    stage.lines().any(|line| line.trim_end() == format!("kind = \"{kind}\""))
}

/// The path of `file` as a recipe at `output` has to name it.
fn relative(file: &Path, output: Option<&Path>) -> Result<String> {
    let parent = |path: &Path| path.parent().map(PathBuf::from).unwrap_or_default();
    let folder = output.map(parent).unwrap_or_default();
    let path = if parent(file) == folder {
        PathBuf::from(file_name(file))
    } else if folder.as_os_str().is_empty() || file.is_absolute() {
        file.to_owned()
    } else {
        file.canonicalize().map_err(|cause| Error::read(file, cause))?
    };
    Ok(path.to_string_lossy().into_owned())
}

fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
