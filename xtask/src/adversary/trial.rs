//! One run of the program, with limits and an eye on how it ends.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

/// Address space, in KiB. The program alone takes a tenth of it; what a recipe or file may ask for is limited by `--memory`.
const MEMORY: u64 = 3 << 20;
/// How long a run on small files may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the program runs.
#[derive(Debug)]
pub(super) struct Arena {
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct End {
    /// Nothing if a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) is_late: bool,
    pub(super) took: Duration,
    pub(super) talk: String,
}

impl Arena {
    /// An empty folder of that name to work in.
    pub(super) fn inside(&self, name: &str) -> Result<Self> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self { program: self.program.clone(), folder })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
        fs::write(self.path(name), bytes).with_context(|| format!("cannot write {name}"))
    }

    /// Starts the program; no file may grow longer than so many blocks of 512 bytes.
    pub(super) fn start(&self, words: &[&str], blocks: Option<u64>) -> Result<Child> {
        // A signal that is ignored stays ignored: a file that is full is then an error, as on a full disk.
        let limits = format!(
            "trap '' XFSZ; ulimit -v {MEMORY}; {} exec \"$@\"",
            blocks.map_or_else(String::new, |blocks| format!("ulimit -f {blocks};"))
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &limits, "sh"]).arg(&self.program).args(words);
        shell.current_dir(&self.folder).stdin(Stdio::null());
        shell.env("XDG_CACHE_HOME", self.path("cache"));
        let talk = fs::File::create(self.talk_of(words))?;
        shell.stdout(Stdio::null()).stderr(talk).spawn().context("cannot start sh")
    }

    /// Waits for what was started, for as long as is bearable.
    pub(super) fn wait(&self, mut child: Child, words: &[&str]) -> Result<End> {
        let start = Instant::now();
        let mut is_late = false;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > PATIENCE {
                is_late = true;
                child.kill()?;
            }
            sleep(Duration::from_millis(2));
        };
        let talk = fs::read(self.talk_of(words)).unwrap_or_default();
        let talk = String::from_utf8_lossy(&talk).into_owned();
        Ok(End { code: status.code(), is_late, took: start.elapsed(), talk })
    }

    /// Runs the program to its end.
    pub(super) fn run(&self, words: &[&str]) -> Result<End> {
        self.wait(self.start(words, None)?, words)
    }

    /// Runs what has to succeed.
    pub(super) fn ok(&self, words: &[&str]) -> Result<Duration> {
        let end = self.run(words)?;
        ensure!(end.code == Some(0), "{}", end.shown(words));
        Ok(end.took)
    }

    /// A file for each command, since two may run at a time.
    fn talk_of(&self, words: &[&str]) -> PathBuf {
        let name: String = words
            .iter()
            .flat_map(|word| word.chars())
            .filter(char::is_ascii_alphanumeric)
            .collect();
        self.folder.with_extension(format!("{}.talk", &name[..name.len().min(80)]))
    }
}

impl End {
    /// Whether it ended by itself with a code that a user is told about, and without a panic.
    pub(super) fn is_good(&self) -> bool {
        !self.is_late && matches!(self.code, Some(0..=2)) && !self.talk.contains("panicked")
    }

    pub(super) fn shown(&self, words: &[&str]) -> String {
        let how = match (self.is_late, self.code) {
            (true, _) => format!("no end after {} s", PATIENCE.as_secs()),
            (false, Some(code)) => format!("exit code {code}"),
            (false, None) => "ended by a signal".to_owned(),
        };
        let last = self.talk.lines().last().unwrap_or_default();
        format!("landform {}: {how}: {last}", words.join(" "))
    }
}

/// The files of a folder, those of its folders among them, with their bytes. Locks and notes of the program are left out.
pub(super) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in next.read_dir().with_context(|| format!("cannot list {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                found.insert(name, fs::read(path)?);
            }
        }
    }
    Ok(found)
}

/// Removes a file or a folder, if it is there.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path)?,
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    Ok(())
}
