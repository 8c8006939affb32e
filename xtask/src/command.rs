//! Commands that are shown before they run, and named when they fail.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result, bail};

/// A command with what is needed to type it again.
#[derive(Debug)]
pub(crate) struct Cmd {
    command: Command,
    root: PathBuf,
    shown: String,
}

impl Cmd {
    /// `program`, to be run in `root`. Nothing is read from the terminal.
    pub(crate) fn new(program: &Path, root: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(root).stdin(Stdio::null());
        let mut cmd = Self { command, root: root.to_owned(), shown: String::new() };
        cmd.show(program.as_os_str());
        cmd
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.show(arg.as_ref());
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub(crate) fn args<S: AsRef<OsStr>>(self, args: impl IntoIterator<Item = S>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    /// Sets a variable that changes what the command does.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.shown = format!("{name}={} {}", self.quoted(value.as_ref()), self.shown);
        self.quiet_env(name, value)
    }

    /// Sets a variable that is not worth showing.
    pub(crate) fn quiet_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it with its output on the terminal.
    pub(crate) fn run(mut self) -> Result<()> {
        self.announce();
        let status = self.command.status().with_context(|| self.cannot_start())?;
        self.check(status)
    }

    /// Runs it with its output on the terminal, and shows each line of its standard output to `see`.
    pub(crate) fn tee(mut self, mut see: impl FnMut(&str)) -> Result<()> {
        self.announce();
        let mut child =
            self.command.stdout(Stdio::piped()).spawn().with_context(|| self.cannot_start())?;
        let stdout = child.stdout.take().expect("the output was asked for as a pipe");
        for line in BufReader::new(stdout).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            println!("{line}");
            see(&line);
        }
        let status = child.wait()?;
        self.check(status)
    }

    /// Runs it silently and gives what it wrote to standard output.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self.command.output().with_context(|| self.cannot_start())?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
        }
        self.check(output.status)?;
        String::from_utf8(output.stdout).with_context(|| format!("not text: {}", self.shown))
    }

    /// What it wrote to standard output, or nothing if it failed, which is no error.
    pub(crate) fn try_read(mut self) -> Option<String> {
        let output = self.command.output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether it can be run and succeeds. Its output is thrown away.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn announce(&self) {
        println!("$ {}", self.shown);
    }

    fn check(&self, status: ExitStatus) -> Result<()> {
        if !status.success() {
            bail!("{status}: {}", self.shown);
        }
        Ok(())
    }

    fn cannot_start(&self) -> String {
        format!("cannot start: {}", self.shown)
    }

    fn show(&mut self, word: &OsStr) {
        let word = self.quoted(word);
        let gap = if self.shown.is_empty() { "" } else { " " };
        write!(self.shown, "{gap}{word}").expect("writing to a string cannot fail");
    }

    /// As it is typed in a shell in the root of the repository.
    fn quoted(&self, word: &OsStr) -> String {
        let (word, root) = (word.to_string_lossy(), format!("{}/", self.root.display()));
        // As text, since a path forgets the slash at its end, which says that it is a folder.
        let word = word.strip_prefix(&root).unwrap_or(&word);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@,+%".contains(c);
        if word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_is_typed_in_the_root() {
        let root = Path::new("/landform");
        let cmd = Cmd::new(&root.join("target/release/landform"), root)
            .args(["view", "two words.toml"])
            .arg(root.join("docs/"))
            .env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            cmd.shown,
            "RUSTDOCFLAGS='-D warnings' target/release/landform view 'two words.toml' docs/"
        );
    }

    #[test]
    fn a_failing_command_is_named() {
        let error = Cmd::new(Path::new("false"), Path::new("/")).arg("x").run().unwrap_err();
        assert!(error.to_string().ends_with(": false x"), "{error}");
    }
}
