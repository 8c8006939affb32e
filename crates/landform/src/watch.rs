//! Progress and cancellation of long work.

use std::sync::Mutex;

/// The work was stopped because its [`Watch`] asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Looks on while a plan runs: a progress bar, a cancel button, or both.
///
/// Its methods are called from any thread, often, and must return quickly.
pub trait Watch: Sync {
    /// `stage` is being worked on, and this share (0 to 1) of the whole run is done.
    fn progress(&self, stage: &str, done: f32) {
        let _ = (stage, done);
    }

    /// Whether the run should stop. It does so within 100 ms.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// So many samples are evaluated next, with those around the extent that was asked for: a measure of the work.
    fn evaluates(&self, samples: usize) {
        let _ = samples;
    }
}

/// Watches nothing: the run goes on to its end.
impl Watch for () {}

/// Passes on only progress that goes forward: stages tell theirs from several threads.
pub(crate) struct Rising<'a> {
    watch: &'a dyn Watch,
    most: Mutex<f32>,
}

impl<'a> Rising<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, most: Mutex::new(-1.0) }
    }
}

impl Watch for Rising<'_> {
    fn progress(&self, stage: &str, done: f32) {
        // While one thread tells, what others would tell is soon out of date.
        if let Ok(mut most) = self.most.try_lock()
            && done > *most
        {
            *most = done;
            self.watch.progress(stage, done);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }

    fn evaluates(&self, samples: usize) {
        self.watch.evaluates(samples);
    }
}

/// What a stage sees of the run it is part of.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    watch: &'a dyn Watch,
    stage: &'a str,
    /// The share of the run that lies before this stage, and the share that it is.
    span: (f32, f32),
}

impl std::fmt::Debug for Ctx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx").field("stage", &self.stage).finish_non_exhaustive()
    }
}

impl<'a> Ctx<'a> {
    /// The context of a run of one stage.
    pub fn new(watch: &'a dyn Watch, stage: &'a str) -> Self {
        Self { watch, stage, span: (0.0, 1.0) }
    }

    /// The context of a part of this work: the share from `start` to `end`, called `stage`.
    pub fn part<'b>(&self, stage: &'b str, start: f32, end: f32) -> Ctx<'b>
    where
        'a: 'b,
    {
        let (before, share) = self.span;
        Ctx { watch: self.watch, stage, span: (before + start * share, (end - start) * share) }
    }

    /// The context of the share from `start` to `end` of this work, under the same name.
    pub fn share(&self, start: f32, end: f32) -> Self {
        self.part(self.stage, start, end)
    }

    /// Goes on, unless the run is cancelled.
    ///
    /// # Errors
    /// When the watch asks for it.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.watch.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Tells that so many samples are evaluated next.
    pub(crate) fn evaluates(&self, samples: usize) {
        self.watch.evaluates(samples);
    }

    /// Tells that the share `done` (0 to 1) of this work is done, and goes on unless cancelled.
    ///
    /// # Errors
    /// When the watch asks for it.
    pub fn progress(&self, done: f32) -> Result<(), Cancelled> {
        self.watch.progress(self.stage, self.span.0 + done * self.span.1);
        self.check()
    }
}
