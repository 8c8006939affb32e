//! The recipes and what they must give: a picture and the hash of every layer, both on record.
//!
//! `recipes/NAME.png` is for eyes, `recipes/hashes.txt` for bits: a change too small to be seen is still a
//! change of somebody's world. A record that could not fail is worth nothing, so each stage of each recipe
//! is left out once, and the hashes must notice.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::picture::Picture;
use crate::project::{Project, stem};
use crate::test::Outcome;
use crate::{refuse_rest, take_flag};

const FOLDER: &str = "recipes";
const HASHES: &str = "recipes/hashes.txt";
/// Widest picture on record, in pixels.
const WIDTH: usize = 360;
const HEADER: &str = "\
# SHA-256 of the samples of every layer, 32-bit little-endian floats: recipe, layer, hash.
# Written by `cargo xtask golden`. A hash that changes is a world that changes: see CONTRIBUTING.md.
";

/// `cargo xtask golden`: writes the record anew, or with `--check` compares with it.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let check_only = take_flag(&mut words, "--check");
    refuse_rest(&words)?;
    let goldens = Goldens::new(project)?;
    ensure!(!goldens.recipes.is_empty(), "there is no recipe in {FOLDER}");
    if check_only { goldens.check() } else { goldens.bless() }
}

/// Compares with the record.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    if recipes(project)?.is_empty() {
        return Ok(Outcome::Skipped(format!("there is no recipe in {FOLDER} yet")));
    }
    let goldens = Goldens::new(project)?;
    goldens.check()?;
    Ok(Outcome::Passed(format!("{} recipes", goldens.recipes.len())))
}

/// The recipes, by name.
pub(crate) fn recipes(project: &Project) -> Result<Vec<PathBuf>> {
    project.files(FOLDER, &["toml", "upd"])
}

/// What a recipe is called in the record.
pub(crate) fn name(recipe: &Path) -> String {
    recipe.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The name and the hash of each layer of a recipe that are on record, a line each; nothing if the recipe is
/// not there.
pub(crate) fn on_record(project: &Project, name: &str) -> Result<Option<String>> {
    let path = project.root.join(HASHES);
    if !path.is_file() {
        return Ok(None);
    }
    let record = std::fs::read_to_string(path)?;
    let own = record.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let lines: String = own.map(|line| format!("{line}\n")).collect();
    Ok((!lines.is_empty()).then_some(lines))
}

fn layer_hashes(json: &str) -> Result<String> {
    let json: serde_json::Value = serde_json::from_str(json)?;
    let layers = json["layers"].as_array().context("no list of layers")?;
    let line = |layer: &serde_json::Value| {
        let (name, hash) = (layer["name"].as_str()?, layer["sha256"].as_str()?);
        Some(format!("{name} {hash}\n"))
    };
    layers.iter().map(|layer| line(layer).context("a layer without name or sha256")).collect()
}

struct Goldens<'a> {
    project: &'a Project,
    landform: PathBuf,
    recipes: Vec<PathBuf>,
    /// Where new pictures, and comparisons with the old ones, are put.
    scratch: PathBuf,
}

impl<'a> Goldens<'a> {
    fn new(project: &'a Project) -> Result<Self> {
        let recipes = recipes(project)?;
        let scratch = project.scratch("golden")?;
        Ok(Self { project, landform: project.landform()?, recipes, scratch })
    }

    fn bless(&self) -> Result<()> {
        let before = std::fs::read_to_string(self.project.root.join(HASHES)).unwrap_or_default();
        let after = self.hash_record()?;
        differing_lines(&before, &after).iter().for_each(|line| println!("{line}"));
        std::fs::write(self.project.root.join(HASHES), &after)?;
        for recipe in &self.recipes {
            let (path, new) = (recipe.with_extension("png"), self.render(recipe)?);
            // The encoder may change its bytes; only pixels make a new picture.
            if !path.is_file() || Picture::read(&path)? != new {
                new.write(&path)?;
                println!("new picture, look at it: {FOLDER}/{}", name(&path));
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let on_record = std::fs::read_to_string(self.project.root.join(HASHES))
            .with_context(|| format!("cannot read {HASHES}; cargo xtask golden writes it"))?;
        let mut faults = differing_lines(&on_record, &self.hash_record()?);
        for recipe in &self.recipes {
            faults.extend(self.picture_fault(recipe)?);
            faults.extend(self.thread_fault(recipe)?);
            faults.extend(self.idle_stages(recipe)?);
        }
        ensure!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(())
    }

    fn hash_record(&self) -> Result<String> {
        let mut record = HEADER.to_owned();
        for recipe in &self.recipes {
            let name = name(recipe);
            for line in self.hashes(recipe, &[])?.lines() {
                record += &format!("{name} {line}\n");
            }
        }
        Ok(record)
    }

    /// The name and the hash of each layer that the program makes of a recipe, a line each.
    fn hashes(&self, recipe: &Path, options: &[&str]) -> Result<String> {
        let inspect = self.project.cmd(&self.landform).arg("inspect").arg(recipe);
        let json = inspect.args(["--json", "--quiet"]).args(options).read()?;
        layer_hashes(&json).with_context(|| format!("landform inspect {}", recipe.display()))
    }

    /// The picture of a recipe, small enough to be kept.
    fn render(&self, recipe: &Path) -> Result<Picture> {
        let path = self.scratch.join(stem(recipe)).with_extension("png");
        let view = self.project.cmd(&self.landform).arg("view").arg(recipe).arg("-o").arg(&path);
        view.args(["--style", "relief", "--quiet"]).read()?;
        let picture = Picture::read(&path)?;
        Ok(picture.shrunk(picture.width().div_ceil(WIDTH)))
    }

    fn picture_fault(&self, recipe: &Path) -> Result<Option<String>> {
        let path = recipe.with_extension("png");
        if !path.is_file() {
            let name = name(&path);
            return Ok(Some(format!("{FOLDER}/{name} is missing; cargo xtask golden makes it")));
        }
        let (old, new) = (Picture::read(&path)?, self.render(recipe)?);
        let count = old.difference(&new);
        if count == 0 {
            return Ok(None);
        }
        let panels = self.scratch.join(format!("{}-difference.png", stem(recipe)));
        old.beside(&new).write(&panels)?;
        let name = name(&path);
        Ok(Some(format!("{name}: {count} pixels differ, shown in {}", panels.display())))
    }

    /// A copy of the recipe with fewer samples on the same ground, for what need not be seen in full.
    fn small(&self, recipe: &Path) -> Result<PathBuf> {
        small(recipe, &self.scratch)
    }

    /// The number of threads changes how long it takes, and nothing else.
    fn thread_fault(&self, recipe: &Path) -> Result<Option<String>> {
        let small = self.small(recipe)?;
        let [one, seven] = ["1", "7"].map(|count| self.hashes(&small, &["--threads", count]));
        let name = name(recipe);
        Ok((one? != seven?).then(|| format!("{name}: 1 thread and 7 give different hashes")))
    }

    /// The stages that could be taken out of a recipe without any hash changing.
    fn idle_stages(&self, recipe: &Path) -> Result<Vec<String>> {
        let small = self.small(recipe)?;
        let text = std::fs::read_to_string(&small)?;
        let whole = self.hashes(&small, &[])?;
        let mut faults = Vec::new();
        for (number, shorter) in each_stage_left_out(&text).iter().enumerate() {
            let path = self.scratch.join("shorter").with_extension("toml");
            std::fs::write(&path, shorter)?;
            // A recipe that is wrong without the stage needs it, too.
            let inspect = self.project.cmd(&self.landform).arg("inspect").arg(&path).arg("--json");
            let same = inspect
                .try_read()
                .is_some_and(|json| layer_hashes(&json).is_ok_and(|hashes| hashes == whole));
            if same {
                let name = name(recipe);
                faults.push(format!("{name}: nothing changes without stage {}", number + 1));
            }
        }
        Ok(faults)
    }
}

/// Writes a copy of a recipe into `folder` that has a third of the samples a side on the same ground.
pub(crate) fn small(recipe: &Path, folder: &Path) -> Result<PathBuf> {
    thinned(recipe, folder, 3.0)
}

/// Writes a copy of a recipe into `folder` that has so many times fewer samples a side on the same ground.
pub(crate) fn thinned(recipe: &Path, folder: &Path, times: f64) -> Result<PathBuf> {
    let extension = recipe.extension().unwrap_or_default();
    let path = folder.join(format!("{}-small", stem(recipe))).with_extension(extension);
    std::fs::write(&path, coarser(&std::fs::read_to_string(recipe)?, times))?;
    Ok(path)
}

/// The text of a recipe with fewer samples a side, and as many times as far apart.
fn coarser(text: &str, times: f64) -> String {
    let head = text.find("[[stage]]").unwrap_or(0);
    let scaled = |line: &str, key: &str, scale: &dyn Fn(f64) -> f64| -> Option<String> {
        let numbers = line.strip_prefix(key)?.trim().strip_prefix('=')?.trim();
        let numbers = numbers.strip_prefix('[')?.split(']').next()?;
        let numbers: Option<Vec<String>> =
            numbers.split(',').map(|n| Some(scale(n.trim().parse().ok()?).to_string())).collect();
        Some(format!("{key} = [{}]\n", numbers?.join(", ")))
    };
    let line = |line: &str| {
        scaled(line, "size", &|n| ((n - 1.0) / times).ceil() + 1.0)
            .or_else(|| scaled(line, "spacing", &|n| n * times))
            .unwrap_or_else(|| line.to_owned())
    };
    let shorter: String = text[..head].split_inclusive('\n').map(line).collect();
    shorter + &peaks_on_a_coarser_grid(&text[head..], times)
}

/// Peaks stand on grid lines, so the number of their lines is divided, too.
fn peaks_on_a_coarser_grid(stages: &str, times: f64) -> String {
    let Some((before, rest)) = stages.split_once("peaks = [[") else { return stages.to_owned() };
    let Some((peaks, after)) = rest.split_once("]]") else { return stages.to_owned() };
    let fewer =
        |n: &str| n.trim().parse().map_or(n.to_owned(), |n: f64| (n / times).round().to_string());
    let peak = |numbers: &str| -> String {
        let scaled = |(k, n): (usize, &str)| if k < 2 { fewer(n) } else { n.to_owned() };
        numbers.split(',').enumerate().map(scaled).collect::<Vec<_>>().join(",")
    };
    let peaks: Vec<String> = peaks.split('[').map(peak).collect();
    format!("{before}peaks = [[{}]]{}", peaks.join("["), peaks_on_a_coarser_grid(after, times))
}

/// The text of a recipe without its first stage, without its second, and so on.
fn each_stage_left_out(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let starts = |line: &&str| line.trim_start().starts_with("[[stage]]");
    let mut ends: Vec<usize> = (0..lines.len()).filter(|&k| starts(&lines[k])).collect();
    ends.push(lines.len());
    ends.windows(2).map(|at| [&lines[..at[0]], &lines[at[1]..]].concat().concat()).collect()
}

fn differing_lines(on_record: &str, computed: &str) -> Vec<String> {
    let lacks =
        |text: &str, line: &str| !line.starts_with('#') && !text.lines().any(|other| other == line);
    let lost = on_record.lines().filter(|line| lacks(computed, line));
    let found = computed.lines().filter(|line| lacks(on_record, line));
    let lost = lost.map(|line| format!("on record, but not computed: {line}"));
    lost.chain(found.map(|line| format!("computed, but not on record: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_is_left_out_once_with_its_tables() {
        let text =
            "seed = 1\n[[stage]]\nkind = \"a\"\n[stage.mask]\nx = 1\n[[stage]]\nkind = \"b\"\n";
        assert_eq!(
            each_stage_left_out(text),
            [
                "seed = 1\n[[stage]]\nkind = \"b\"\n",
                "seed = 1\n[[stage]]\nkind = \"a\"\n[stage.mask]\nx = 1\n"
            ]
        );
        assert!(each_stage_left_out("5 5\n1 1\n0\n").is_empty());
    }

    #[test]
    fn a_coarser_recipe_has_the_same_ground() {
        let text = "size = [1025, 769]\nspacing = [10.0, 2]\n[[stage]]\nsize = [5, 5]\n";
        let want = "size = [343, 257]\nspacing = [30, 6]\n[[stage]]\nsize = [5, 5]\n";
        assert_eq!(coarser(text, 3.0), want);
        let text = "[[stage]]\npeaks = [[256, 30, 420, 900],\n [-9, 6, 1, 2]]\nradius = 3\n";
        let want = "[[stage]]\npeaks = [[85,10, 420, 900],\n [-3,2, 1, 2]]\nradius = 3\n";
        assert_eq!(coarser(text, 3.0), want);
        assert_eq!(coarser("5 5\n1 1\n0\n", 3.0), "5 5\n1 1\n0\n");
    }

    #[test]
    fn a_hash_that_changed_is_shown_before_and_after() {
        assert_eq!(
            differing_lines("a height 1\nb height 2\n", "a height 1\nb height 2\n").len(),
            0
        );
        assert_eq!(
            differing_lines("a height 1\nb height 2\n", "a height 1\nb height 3\n"),
            ["on record, but not computed: b height 2", "computed, but not on record: b height 3"]
        );
    }

    #[test]
    fn hashes_are_read_from_the_list_of_layers() {
        let json = r#"{"layers": [{"name": "height", "sha256": "ab"}, {"name": "water", "sha256": "cd"}]}"#;
        assert_eq!(layer_hashes(json).unwrap(), "height ab\nwater cd\n");
        assert!(layer_hashes(r#"{"layers": [{"name": "height"}]}"#).is_err());
        assert!(layer_hashes("{}").is_err());
    }
}
