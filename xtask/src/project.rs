//! The repository on disk: where things are, and how commands are started in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::command::Cmd;

/// The repository.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The folder that holds the workspace's manifest.
    pub(crate) root: PathBuf,
    /// Where everything that is built goes, the tools and packages that the tests need among it.
    pub(crate) target: PathBuf,
    /// Whether checks that take long run in full: `cargo xtask test --all`. Else they take samples.
    pub(crate) runs_all: bool,
}

impl Project {
    /// The repository that this program was built in.
    pub(crate) fn here() -> Self {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().expect("xtask lies inside the repository").to_owned();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        Self { root, target, runs_all: false }
    }

    /// A command that is started in the root, finds the installed tools, and builds into `target`.
    pub(crate) fn cmd(&self, program: impl AsRef<Path>) -> Cmd {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.tools().join("bin")).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(paths).unwrap_or(path);
        Cmd::new(program.as_ref(), &self.root)
            .quiet_env("PATH", path)
            .quiet_env("CARGO_TARGET_DIR", &self.target)
    }

    /// `cargo` with these arguments.
    pub(crate) fn cargo<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Cmd {
        self.cmd("cargo").args(args)
    }

    /// Where `cargo install` puts the programs that the tests need.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// Builds the program `landform` as users get it and says where it is.
    pub(crate) fn landform(&self) -> Result<PathBuf> {
        self.cargo(["build", "--release", "--package", "landform-cli"]).run()?;
        let program =
            self.target.join("release/landform").with_extension(std::env::consts::EXE_EXTENSION);
        ensure!(program.is_file(), "cargo built no program at {}", program.display());
        Ok(program)
    }

    /// An empty folder under `target` for what a task writes.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join("xtask").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }

    /// The text of a file of the repository.
    pub(crate) fn read(&self, file: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(file)).with_context(|| format!("cannot read {file}"))
    }

    /// The files of a folder of the repository with one of these extensions, by name. None if there is no
    /// such folder.
    pub(crate) fn files(&self, folder: &str, extensions: &[&str]) -> Result<Vec<PathBuf>> {
        let folder = self.root.join(folder);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in
            folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?
        {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| extensions.contains(&extension)) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}

/// The name of a file without folder and extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
