//! A run that shows its progress and stops at Ctrl-C.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use landform::{Watch, par};
use landform_project::Observer;

use crate::args::Running;
use crate::talk;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How finely a progress bar moves.
const STEPS: u64 = 1000;

/// The least time between two lines of progress where there is no terminal: logs stay short.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// How long work has to end in good order. Drawing and compressing do not ask whether they are to end: files are complete
/// or not there, so the process may end wherever they are.
const GRACE: Duration = Duration::from_millis(150);

/// Runs `work` as was asked for: with so many threads, with progress, until Ctrl-C or a request to end.
pub(crate) fn run<R: Send>(
    running: &Running,
    work: impl FnOnce(&Monitor) -> R + Send,
) -> anyhow::Result<R> {
    // Only the first call installs the handler; there is one command a process.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        talk::say(format_args!("error: {}", landform::Cancelled));
        landform_io::atomic::exit(1);
    });
    let monitor = Monitor::new(running);
    let result = match running.threads {
        Some(threads) => par::with_threads(usize::from(threads), || work(&monitor))?,
        None => work(&monitor),
    };
    monitor.finish();
    Ok(result)
}

/// Shows progress: a bar on a terminal, plain lines elsewhere, nothing if quiet.
pub(crate) struct Monitor {
    bar: Option<ProgressBar>,
    /// When the last line was printed, or the run began.
    said: Option<Mutex<Instant>>,
}

impl Monitor {
    fn new(running: &Running) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = (!running.quiet && is_terminal).then(|| {
            let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        let said = (!running.quiet && !is_terminal).then(|| Mutex::new(Instant::now()));
        Self { bar, said }
    }

    /// Tells what is being done outside of a plan.
    pub(crate) fn say(&self, what: &str) {
        self.show(what, 1.0);
    }

    /// Warns of something, and notes it for the report.
    pub(crate) fn warn(&self, warning: String) {
        self.note(&format!("warning: {warning}"));
        talk::note(warning);
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, stage: &str, done: f32) {
        if let Some(bar) = &self.bar {
            bar.set_position((f64::from(done) * STEPS as f64) as u64);
            if !stage.is_empty() {
                bar.set_message(stage.to_owned());
            }
        }
        if let Some(said) = &self.said
            && let Ok(mut said) = said.lock()
            && !stage.is_empty()
            && said.elapsed() >= BETWEEN_LINES
        {
            talk::say(format_args!("{:3.0} %  {stage}", 100.0 * done));
            *said = Instant::now();
        }
    }
}

impl Watch for Monitor {
    fn progress(&self, stage: &str, done: f32) {
        self.show(stage, done);
    }

    fn is_cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

impl Observer for Monitor {
    fn note(&self, text: &str) {
        match (&self.bar, &self.said) {
            (Some(bar), _) => bar.println(text),
            (None, Some(_)) => talk::say(text),
            (None, None) => {}
        }
    }
}
