//! What was made, as lines for people and as one JSON object for programs.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use landform_project::make::MadeFile;
use landform_project::report::{FileReport, ImportReport, Report, TerrainReport};

use crate::talk;

/// What was made.
#[derive(Default)]
pub(crate) struct Made {
    /// Lines for people.
    pub(crate) lines: Vec<String>,
    /// The files and folders, with what is in them.
    files: Vec<(PathBuf, Option<String>)>,
}

impl Made {
    /// A first line.
    pub(crate) fn new(line: String) -> Self {
        Self { lines: vec![line], files: Vec::new() }
    }

    /// Files beside `path`, a line each.
    pub(crate) fn beside(&mut self, path: &Path, made: Vec<MadeFile>) {
        for MadeFile { name, about } in made {
            let path = path.with_file_name(&name);
            self.lines.push(match &about {
                Some(about) => format!("{} ({about})", path.display()),
                None => path.display().to_string(),
            });
            self.files.push((path, about));
        }
    }

    /// A folder with these files.
    pub(crate) fn folder<'a>(&mut self, folder: &Path, names: impl Iterator<Item = &'a str>) {
        self.lines.push(format!("{}:", folder.display()));
        for name in names {
            self.lines.push(format!("  {name}"));
            self.files.push((folder.join(name), None));
        }
    }

    /// A file or folder that lines already tell of.
    pub(crate) fn file(&mut self, path: &Path) {
        self.files.push((path.to_owned(), None));
    }

    /// Adds what was made after.
    pub(crate) fn extend(&mut self, later: Self) {
        self.lines.extend(later.lines);
        self.files.extend(later.files);
    }

    /// Prints it for programs.
    pub(crate) fn print_json(
        &self,
        terrain: TerrainReport,
        import: Option<ImportReport>,
    ) -> anyhow::Result<()> {
        let file = |(path, about): &(PathBuf, Option<String>)| FileReport::of(path, about.clone());
        let files = self.files.iter().map(file).collect::<Result<_, _>>()?;
        let report = Report { terrain, files, import, warnings: talk::warnings() };
        let text = serde_json::to_string_pretty(&report)? + "\n";
        Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
    }
}
