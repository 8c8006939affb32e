//! A folder to run the real program in.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A recipe that is built in a moment.
pub(crate) const SMALL: &str = "version = 1\nseed = 5\nsize = [65, 33]\nspacing = [10, 20]\n\n[[stage]]\nkind = \"uplift\" # the range\npeaks = 20\n";

/// A folder to work in.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.write("small.toml", SMALL);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn landform(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("landform").unwrap();
        command.current_dir(self.0.path()).args(args);
        command
    }

    /// Runs and gives standard output.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.landform(args).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {talk}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs, fails with this exit code, and gives what was said.
    pub(crate) fn fails(&self, code: i32, args: &[&str]) -> String {
        let output = self.landform(args).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {talk}");
        talk
    }

    pub(crate) fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

/// The names of what is in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The hash of the height that `inspect` tells.
pub(crate) fn hash(folder: &Folder, args: &[&str]) -> String {
    let args = [&["inspect", "--json"], args].concat();
    let report: serde_json::Value = serde_json::from_str(&folder.ok(&args)).unwrap();
    report["layers"][0]["sha256"].as_str().unwrap().to_owned()
}
