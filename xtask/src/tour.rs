//! What the documentation tells readers to do works as written.
//!
//! Every `sh` block of the front page, of the tour, of the page of UPD and of the pages of the papers runs line by line in an
//! empty folder, with the real program on the path. A command fails the step if it fails, warns, writes nothing where `-o` is given, or makes a
//! terrain with hardly any land. Marks after the language of a block say more:
//!
//! - `sh no-run`: needs a clone, Blender, a browser, a cluster or an hour, and is left out.
//! - `toml file=NAME`: a file that readers save under this name; later commands find it.
//!
//! A page of the papers shows pictures that its own commands make: what lies in the folder of its name must be, pixel by
//! pixel, what the commands wrote.
//!
//! `rust` blocks are run by rustdoc; `python` blocks by the tests of the Python package. All links of all pages
//! must lead to files and headings that exist.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context as _, Result, ensure};

use crate::markdown::{self, Block};
use crate::project::Project;
use crate::test::Outcome;

/// The pages whose blocks are run, beside those of the papers.
const PAGES: [&str; 3] = ["README.md", "docs/tour.md", "docs/upd.md"];
/// The pages of the papers, each with a folder of its name for its pictures.
const PAPERS: &str = "docs/papers";
/// A block with this mark is not run.
const NO_RUN: &str = "no-run";
/// The share of land that a terrain of the tour has at least. Less is a drowned island.
const LEAST_LAND: f64 = 0.05;
/// Outputs whose heights `landform inspect` reads without further options.
const HEIGHTS: [&str; 6] = ["toml", "upd", "npy", "tif", "r16", "zarr"];

/// Runs the pages and follows their links.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let program = project.landform()?;
    let (mut faults, mut ran) = (Vec::new(), 0);
    for page in &run_pages(project)? {
        let folder = project.scratch(&format!("tour/{}", page.replace('/', "-")))?;
        let text = project.read(page)?;
        match (Walk { page, program: &program, folder: folder.clone() }).run(&text) {
            Ok(count) => ran += count,
            Err(error) => faults.push(format!("{error:#}")),
        }
        if page.starts_with(PAPERS) {
            faults.extend(other_pictures(project, page, &folder)?);
        }
    }
    faults.extend(rust_blocks(project).err().map(|error| format!("{error:#}")));
    let (followed, broken) = follow_links(project)?;
    faults.extend(broken);
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(Outcome::Passed(format!("{ran} commands, {followed} links")))
}

/// The pages whose blocks are run.
fn run_pages(project: &Project) -> Result<Vec<String>> {
    let mut papers = Vec::new();
    for path in project.files(PAPERS, &["md"])? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        papers.push(format!("{PAPERS}/{name}"));
    }
    papers.sort();
    Ok(PAGES.iter().map(|&page| page.to_owned()).chain(papers).collect())
}

/// The pictures in the folder of a page that are not those that its commands made in `made`.
fn other_pictures(project: &Project, page: &str, made: &Path) -> Result<Vec<String>> {
    let shown = project.root.join(page).with_extension("");
    let mut faults = Vec::new();
    if !shown.is_dir() {
        return Ok(faults);
    }
    for path in files(&shown)?.into_keys() {
        let (old, new) = (shown.join(&path), made.join(&path));
        let is_same = match std::fs::read(&new) {
            Ok(new) => std::fs::read(&old)? == new,
            Err(_) => false,
        };
        if !is_same {
            let (old, new) = (old.display(), new.display());
            faults.push(format!("{old} is not what {page} makes: look at {new} and copy it there"));
        }
    }
    Ok(faults)
}

/// A reader who types what a page says.
struct Walk<'a> {
    page: &'a str,
    program: &'a Path,
    /// Where the reader works; empty at first.
    folder: PathBuf,
}

impl Walk<'_> {
    /// Runs all blocks and says how many commands they had.
    fn run(&self, text: &str) -> Result<usize> {
        let mut count = 0;
        for block in markdown::blocks(text) {
            if let Some(name) = block.marks.iter().find_map(|mark| mark.strip_prefix("file=")) {
                std::fs::write(self.folder.join(name), &block.text).context(name.to_owned())?;
            }
            if block.language == "sh" && !block.marks.iter().any(|mark| mark == NO_RUN) {
                for (line, command) in commands(&block) {
                    let place = format!("{}:{line}", self.page);
                    println!("{place}: {command}");
                    self.check(&command).with_context(|| format!("{place}: {command}"))?;
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    fn check(&self, command: &str) -> Result<()> {
        let before = files(&self.folder)?;
        self.shell(command)?;
        let after = files(&self.folder)?;
        let new = after.iter().filter(|&(path, state)| before.get(path) != Some(state));
        let new: Vec<&Path> =
            new.filter(|(_, state)| state.length > 0).map(|(path, _)| path.as_path()).collect();
        for output in outputs(command) {
            let is_there = new.iter().any(|path| belongs_to(path, &output.path));
            ensure!(is_there, "wrote nothing to {}", output.path);
            if makes_terrain(command) && !output.is_map {
                self.check_land(&output.path)?;
            }
        }
        Ok(())
    }

    /// Runs a line as readers do, in their shell. It must succeed without a warning.
    fn shell(&self, command: &str) -> Result<()> {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(&self.folder)
            .env("PATH", self.path()?)
            .stdin(Stdio::null())
            .output()
            .context("cannot start sh")?;
        let talk = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}\n{}", output.status, talk.trim_end());
        let warning = talk.lines().find(|line| line.starts_with("warning"));
        ensure!(warning.is_none(), "{}", warning.unwrap_or_default());
        Ok(())
    }

    fn path(&self) -> Result<OsString> {
        let folder = self.program.parent().context("the program lies in no folder")?.to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        Ok(std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path)))?)
    }

    /// A terrain that is all sea is a mistake of the tour. A planet may be one.
    fn check_land(&self, output: &str) -> Result<()> {
        let path = self.folder.join(output);
        let is_profile = path.join("recipe.toml").is_file() && !path.join("height.npy").is_file();
        let path = if is_profile { path.join("recipe.toml") } else { path };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_bundle = path.join("height.npy").is_file();
        if !is_bundle && !extension.is_some_and(|extension| HEIGHTS.contains(&extension)) {
            return Ok(());
        }
        let inspect = Command::new(self.program)
            .args(["inspect", "--json", "--quiet"])
            .arg(&path)
            .output()
            .context("cannot start landform inspect")?;
        let talk = String::from_utf8_lossy(&inspect.stderr);
        ensure!(inspect.status.success(), "landform inspect {output}: {}", talk.trim_end());
        let report: serde_json::Value = serde_json::from_slice(&inspect.stdout)?;
        if report.get("world").is_some() {
            return Ok(());
        }
        let land = report["statistics"]["land"].as_f64().context("inspect tells no land")?;
        let is_sensible = (LEAST_LAND..=1.0).contains(&land);
        ensure!(is_sensible, "{output} has {:.1} % of land, the rest is sea", 100.0 * land);
        Ok(())
    }
}

/// The commands of a block with their lines. A backslash at the end of a line joins it to the next.
fn commands(block: &Block) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (offset, line) in block.text.lines().enumerate() {
        let (part, continues) = line.strip_suffix('\\').map_or((line, false), |part| (part, true));
        match commands.last_mut().filter(|_| goes_on) {
            Some((_, command)) => *command += part.trim_start(),
            None => commands.push((block.line + offset, part.to_owned())),
        }
        goes_on = continues;
    }
    let uncommented =
        |text: &str| format!("{text} ").split(" #").next().map(str::trim).map(str::to_owned);
    let is_command = |text: &String| !text.is_empty() && !text.starts_with('#');
    let stripped =
        commands.into_iter().filter_map(|(line, text)| Some((line, uncommented(&text)?)));
    stripped.filter(|(_, text)| is_command(text)).collect()
}

/// What `-o` names.
#[derive(Debug, PartialEq)]
struct Output {
    path: String,
    /// Whether it is another map than the heights: `-o slope=FILE`.
    is_map: bool,
}

fn outputs(command: &str) -> Vec<Output> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let named = words.windows(2).filter(|pair| pair[0] == "-o").map(|pair| pair[1]);
    let output = |name: &str| match name.split_once('=') {
        Some((_, path)) => Output { path: path.to_owned(), is_map: true },
        None => Output { path: name.to_owned(), is_map: false },
    };
    named.map(output).collect()
}

fn makes_terrain(command: &str) -> bool {
    ["landform new ", "landform build "].iter().any(|start| command.starts_with(start))
}

/// Whether a file is an output or a part of it: in its folder, or a tile of it such as `my_x0_y0.glb` of `my.glb`.
fn belongs_to(file: &Path, output: &str) -> bool {
    let output = Path::new(output);
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_tile = file.parent() == output.parent()
        && file.extension() == output.extension()
        && stem(file).starts_with(&stem(output));
    file.starts_with(output) || is_tile
}

/// What tells whether a file was written.
#[derive(PartialEq)]
struct State {
    modified: SystemTime,
    length: u64,
}

/// All files in a folder and in those inside it, by their path from it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, State>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(inner) = folders.pop() {
        for entry in inner.read_dir().with_context(|| inner.display().to_string())? {
            let (path, data) = {
                let entry = entry?;
                (entry.path(), entry.metadata()?)
            };
            if data.is_dir() {
                folders.push(path);
            } else {
                let state = State { modified: data.modified()?, length: data.len() };
                files.insert(path.strip_prefix(folder)?.to_owned(), state);
            }
        }
    }
    Ok(files)
}

/// Compiles and runs the `rust` blocks with the core, as readers would.
fn rust_blocks(project: &Project) -> Result<()> {
    project.cargo(["build", "--release", "--package", "landform"]).run()?;
    let library = project.target.join("release/liblandform.rlib");
    let mut external = OsString::from("landform=");
    external.push(library);
    let mut dependencies = OsString::from("dependency=");
    dependencies.push(project.target.join("release/deps"));
    for page in run_pages(project)? {
        let has_rust =
            markdown::blocks(&project.read(&page)?).iter().any(|block| block.language == "rust");
        if !has_rust {
            continue;
        }
        let rustdoc =
            project.cmd("rustdoc").args(["--test", "--edition", "2024", &page, "--extern"]);
        rustdoc.arg(&external).arg("-L").arg(&dependencies).run()?;
    }
    Ok(())
}

/// Follows the links of all pages: how many there are, and those that lead nowhere.
fn follow_links(project: &Project) -> Result<(usize, Vec<String>)> {
    let (mut count, mut broken) = (0, Vec::new());
    for page in pages(project)? {
        let text = project.read(&page)?;
        for link in markdown::links(&text) {
            if ["https:", "http:", "mailto:"].iter().any(|scheme| link.target.starts_with(scheme)) {
                continue;
            }
            count += 1;
            if !leads_somewhere(&project.root.join(&page), &link.target) {
                broken.push(format!("{page}:{}: {} does not exist", link.line, link.target));
            }
        }
    }
    Ok((count, broken))
}

/// Whether a link of a page leads to a file, and if it names a heading, to one of that file.
fn leads_somewhere(page: &Path, target: &str) -> bool {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().unwrap_or(page);
    let path = if file.is_empty() { page.to_owned() } else { folder.join(file) };
    if heading.is_empty() {
        return path.exists();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    markdown::anchors(&text).iter().any(|anchor| anchor == heading)
}

/// The pages of the documentation, by their path from the root.
fn pages(project: &Project) -> Result<Vec<String>> {
    let mut pages = Vec::new();
    for path in project.files(".", &["md"])? {
        pages.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    }
    for folder in ["docs", "bindings"] {
        let inside = files(&project.root.join(folder))?.into_keys();
        let inside =
            inside.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        pages.extend(inside.map(|path| format!("{folder}/{}", path.display())));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Block {
        let (language, marks) = ("sh".to_owned(), Vec::new());
        Block { line: 10, language, marks, text: text.to_owned() }
    }

    #[test]
    fn commands_have_their_lines_and_no_comments() {
        let block =
            block("# first\nlandform new --list   # presets\n\nlandform view a \\\n  -o b.png\n");
        let expected = [(11, "landform new --list"), (13, "landform view a -o b.png")];
        let expected = expected.map(|(line, text)| (line, text.to_owned()));
        assert_eq!(commands(&block), expected);
    }

    #[test]
    fn outputs_are_told_from_maps() {
        let found = outputs("landform build a.toml -o a/ -o slope=slope.exr --seed 3");
        let expected = [("a/", false), ("slope.exr", true)];
        let expected = expected.map(|(path, is_map)| Output { path: path.to_owned(), is_map });
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_belongs_to_its_output_folder_or_tiles() {
        let belongs = |file: &str, output: &str| belongs_to(Path::new(file), output);
        assert!(belongs("my/height.npy", "my/"));
        assert!(belongs("my_x0_y1.glb", "my.glb"));
        assert!(belongs("big.zarr/0/height/zarr.json", "big.zarr"));
        assert!(!belongs("other/height.npy", "my/"));
        assert!(!belongs("my.png", "my.glb"));
    }

    #[test]
    fn a_link_needs_its_file_and_its_heading() {
        let readme = Project::here().root.join("README.md");
        assert!(leads_somewhere(&readme, "docs/tour.md"));
        assert!(leads_somewhere(&readme, "CONTRIBUTING.md#build-and-test"));
        assert!(!leads_somewhere(&readme, "CONTRIBUTING.md#nothing"));
        assert!(!leads_somewhere(&readme, "docs/nothing.md"));
    }
}
