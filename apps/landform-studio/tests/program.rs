//! The real program in a window on a screen that nobody sees (Xvfb): opened, used with mouse and keys, killed, recovered.

#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const UPD: &str = "101 101\n10 10\n3\n20 20 900 100\n50 50 1200 250\n80 75 600 120\n";

/// A screen with the program on it.
struct Screen {
    xvfb: Child,
    display: String,
    program: Option<Child>,
    home: PathBuf,
}

impl Drop for Screen {
    fn drop(&mut self) {
        for child in self.program.iter_mut().chain([&mut self.xvfb]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn has(program: &str) -> bool {
    let found = Command::new("which").arg(program).stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

impl Screen {
    /// Nothing where the programs that it needs are not installed.
    fn new(home: &Path) -> Option<Self> {
        if !["Xvfb", "xdotool", "import"].iter().all(|program| has(program)) {
            return None;
        }
        // It chooses a number that nobody has, and tells it. Without "-noreset" it begins anew when its last window is
        // closed, and refuses the next one meanwhile.
        let mut xvfb = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-screen", "0", "1280x800x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let told = xvfb.stdout.as_mut().expect("its output is ours");
        BufReader::new(told).read_line(&mut number).expect("Xvfb tells the number of its screen");
        let display = format!(":{}", number.trim());
        let mut screen = Self { xvfb, display, program: None, home: home.to_owned() };
        screen
            .until("the screen is there", |screen| screen.tool(&["getdisplaygeometry"]).is_some());
        Some(screen)
    }

    fn tool(&self, words: &[&str]) -> Option<String> {
        let output =
            Command::new("xdotool").args(words).env("DISPLAY", &self.display).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            let log = || std::fs::read_to_string(self.home.join("log.txt")).unwrap_or_default();
            let has_ended = self
                .program
                .as_mut()
                .is_some_and(|program| program.try_wait().is_ok_and(|end| end.is_some()));
            assert!(!has_ended, "the program ended before {what}\n{}", log());
            let is_patient = start.elapsed() < Duration::from_secs(90);
            assert!(is_patient, "waited in vain until {what}\n{}", log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn start(&mut self, file: Option<&Path>) {
        let log = std::fs::File::create(self.home.join("log.txt")).expect("the folder is ours");
        let program = Command::new(env!("CARGO_BIN_EXE_landform-studio"))
            .args(file)
            .current_dir(&self.home)
            .env("DISPLAY", &self.display)
            .env("LANDFORM_STUDIO_HOME", self.home.join("settings"))
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the program was built");
        self.program = Some(program);
        self.until("the window is there", |screen| {
            screen.tool(&["search", "--name", "Landform Studio"]).is_some()
        });
    }

    /// Waits for a title, such as that of another file.
    fn until_title(&mut self, title: &str) {
        self.until(title, |screen| screen.tool(&["search", "--name", title]).is_some());
        // No window manager gives the keyboard to a new window.
        self.until("it has the keyboard", |screen| {
            screen.tool(&["search", "--name", title, "windowfocus"]).is_some()
        });
        // A window that is drawn by the processor takes its time.
        std::thread::sleep(Duration::from_millis(1500));
    }

    fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tool(&["key", "--delay", "40", key]).expect("a key");
            std::thread::sleep(Duration::from_millis(350));
        }
    }

    fn click(&self, x: u32, y: u32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(&["mousemove", &x, &y]).expect("the pointer moves");
        std::thread::sleep(Duration::from_millis(400));
        self.tool(&["click", "1"]).expect("a click");
        std::thread::sleep(Duration::from_millis(700));
    }

    /// A picture of the screen, kept for people to look at.
    fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{name}.png"));
        let taken = Command::new("import")
            .args(["-window", "root"])
            .arg(path)
            .env("DISPLAY", &self.display)
            .status();
        assert!(taken.is_ok_and(|status| status.success()));
    }

    fn kill(&mut self) {
        if let Some(mut program) = self.program.take() {
            program.kill().expect("it runs");
            program.wait().expect("it was killed");
        }
    }
}

/// One window after the other: two at once draw too slowly.
static TURN: Mutex<()> = Mutex::new(());

fn home(name: &str) -> tempfile::TempDir {
    let home = tempfile::Builder::new().prefix(name).tempdir().expect("a folder of ours");
    let settings = home.path().join("settings");
    std::fs::create_dir_all(&settings).expect("a folder of ours");
    // No tour, and the panels out of the way: the map is the whole window.
    let text =
        r#"{ "has_seen_tour": true, "layout": "Plan", "left_panel": false, "right_panel": false }"#;
    std::fs::write(settings.join("settings.json"), text).expect("a folder of ours");
    home
}

/// The program with a terrain, whose second peak is selected. Nothing where the programs that it needs are not installed.
fn opened(name: &str) -> Option<(MutexGuard<'static, ()>, tempfile::TempDir, Screen)> {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let home = home(name);
    let Some(mut screen) = Screen::new(home.path()) else {
        eprintln!("skipped: Xvfb, xdotool and ImageMagick are needed");
        return None;
    };
    let file = home.path().join("three.upd");
    std::fs::write(&file, UPD).expect("a folder of ours");
    screen.start(Some(&file));
    screen.until_title("three.upd");
    // The middle of the ground is the middle of the map, where that peak has its centre.
    screen.click(640, 412);
    Some((turn, home, screen))
}

#[test]
fn a_person_opens_selects_moves_saves_as_and_opens_again() {
    let Some((_turn, home, mut screen)) = opened("studio-open") else { return };
    let file = home.path().join("three.upd");
    screen.keys(&["Right", "Right", "shift+Down"]);
    screen.picture("moved");
    screen.keys(&["ctrl+s"]);
    screen.picture("save-as");
    // The name that is suggested is another than that of the file.
    screen.keys(&["Return"]);
    let saved = home.path().join("three-edited.upd");
    screen.until("it is saved", |_| saved.exists());
    let moved = UPD.replace("50 50 1200", "52 60 1200");
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), moved);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), UPD, "what was opened stays");
    screen.until_title("three-edited.upd");
    screen.kill();
    screen.start(Some(&saved));
    screen.until_title("three-edited.upd");
    screen.picture("reopened");
}

#[test]
fn what_was_done_five_seconds_before_a_kill_is_recovered() {
    let Some((_turn, home, mut screen)) = opened("studio-kill") else { return };
    screen.keys(&["Right", "Right", "Right"]);
    std::thread::sleep(Duration::from_secs(5));
    screen.kill();
    let kept = std::fs::read_to_string(home.path().join("settings/recovery-0.json")).unwrap();
    assert!(kept.contains("53 50 1200 250"), "{kept}");
    screen.start(None);
    screen.until_title("peaks.upd");
    screen.picture("recover");
}
