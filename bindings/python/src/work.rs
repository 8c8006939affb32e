//! Long work on a thread of its own, while Python's thread looks after Ctrl-C and progress.
//!
//! Python is free meanwhile: other threads of it run. The progress function is called by the thread that asked for
//! the work, at most every [`LOOK`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use landform::Watch;
use pyo3::prelude::*;

use crate::error;

/// How often Python's thread looks up.
const LOOK: Duration = Duration::from_millis(40);

/// What the thread that works and the thread that looks on share.
#[derive(Default)]
pub(crate) struct Shared {
    is_cancelled: AtomicBool,
    progress: Mutex<(String, f32)>,
}

impl Watch for Shared {
    fn progress(&self, stage: &str, done: f32) {
        // Whoever looks just now will look again.
        if let Ok(mut progress) = self.progress.try_lock() {
            if progress.0 != stage && !stage.is_empty() {
                stage.clone_into(&mut progress.0);
            }
            progress.1 = done;
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

impl landform_project::Observer for Shared {}

/// Wakes the thread that waits, also if the work panics.
struct Wake(std::thread::Thread);

impl Drop for Wake {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

/// Does `work`. Ctrl-C, and an exception of `progress`, cancel it; a panic becomes an exception.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Shared) -> R + Send,
) -> PyResult<R> {
    let shared = Shared::default();
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _wake = Wake(waiting);
            work(&shared)
        });
        let mut failure = None;
        let mut told = 0.0;
        while !worker.is_finished() {
            py.detach(|| std::thread::park_timeout(LOOK));
            if failure.is_none() && !worker.is_finished() {
                failure =
                    py.check_signals().and_then(|()| report(progress, &shared, &mut told)).err();
                shared.is_cancelled.store(failure.is_some(), Ordering::Relaxed);
            }
        }
        let result = worker.join();
        match (failure, result) {
            (Some(failure), _) => Err(failure),
            (None, Err(panic)) => Err(error::bug(&*panic)),
            (None, Ok(result)) => {
                if let Some(progress) = progress {
                    progress.call1(("", 1.0_f32))?;
                }
                Ok(result)
            }
        }
    })
}

/// Tells how far the work is; never less than was told before.
fn report(progress: Option<&Bound<'_, PyAny>>, shared: &Shared, told: &mut f32) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let (stage, done) = match shared.progress.lock() {
        Ok(now) => now.clone(),
        Err(_) => return Ok(()),
    };
    *told = told.max(done);
    progress.call1((stage, *told)).map(|_| ())
}
