//! How long somebody who stops the work has to wait at the most: the longest time between two questions. The goal is 100 ms.
//!
//! ```sh
//! cargo bench -p landform-project --bench cancel -- fbm natural
//! ```
#![expect(clippy::print_stdout, reason = "the table is what this is for")]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use landform::Watch;
use landform::preset::PRESETS;
use landform_project::make::{self, Drawing};
use landform_project::{Buffer, Observer, Opening, Project, Result, Sink as _, Watched};
use landform_view::Style;

/// Samples along a side of the output.
const SIDE: u32 = 2049;

/// Notes the longest time without a question, and what was worked on then.
struct Clock(Mutex<Noted>);

struct Noted {
    last: Instant,
    stage: String,
    longest: (Duration, String),
}

impl Clock {
    fn start() -> Self {
        let (last, longest) = (Instant::now(), (Duration::ZERO, String::new()));
        Self(Mutex::new(Noted { last, stage: String::new(), longest }))
    }

    fn asked(&self) {
        if let Ok(mut noted) = self.0.lock() {
            let gap = noted.last.elapsed();
            if gap > noted.longest.0 {
                noted.longest = (gap, noted.stage.clone());
            }
            noted.last = Instant::now();
        }
    }

    fn tell(self, name: &str, job: &str) {
        self.asked();
        if let Ok(noted) = self.0.into_inner() {
            let (gap, stage) = noted.longest;
            println!("{name:24} {job:8} {:6.0} ms  {stage}", gap.as_secs_f64() * 1e3);
        }
    }
}

impl Watch for Clock {
    fn progress(&self, stage: &str, _done: f32) {
        if let Ok(mut noted) = self.0.lock() {
            stage.clone_into(&mut noted.stage);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.asked();
        false
    }
}

impl Observer for Clock {}

fn measure(name: &str, text: &str) -> Result<()> {
    let project = Project::of_text(text.to_owned(), None, &Opening::default())?;
    let project = project.with_resolution([SIDE, SIDE])?;
    let plan = project.plan()?;
    let clock = Clock::start();
    let terrain = project.terrain(&plan, &clock)?;
    clock.tell(name, "run");
    let clock = Clock::start();
    make::bundle(&terrain, &project.origin(), None, &mut Buffer::default(), &clock)?;
    clock.tell(name, "bundle");
    let clock = Clock::start();
    let drawing = Drawing { size: Some([1600, 1200]), ..Drawing::default() };
    let options = drawing.options(Some(project.made_by()))?;
    let image = make::picture(terrain, Style::View3d, &[], &options)?;
    let mut files = Buffer::default();
    let mut sink = Watched::new(&mut files, &clock);
    make::put_image(&mut sink, "a.png", &image)?;
    sink.finish()?;
    clock.tell(name, "view");
    Ok(())
}

fn main() -> Result<()> {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for preset in PRESETS {
        if wanted.is_empty() || wanted.iter().any(|name| name == preset.name) {
            measure(preset.name, preset.text)?;
        }
    }
    Ok(())
}
