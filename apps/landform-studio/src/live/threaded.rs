//! A worker on a thread of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui;
use landform::Watch;

use super::Progress;
use crate::evaluate::{Engine, Update, Work};

/// Does the newest work.
#[derive(Debug)]
pub(crate) struct Worker {
    jobs: Sender<(u64, Work)>,
    updates: Receiver<(u64, Update)>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    /// The number of the newest request.
    newest: AtomicU64,
    /// The number of the newest request that is no preview: previews that are begun are finished, or a drag would show none of them.
    newest_whole: AtomicU64,
    progress: Mutex<Progress>,
    ctx: egui::Context,
}

impl Worker {
    pub(crate) fn new(ctx: &egui::Context) -> Self {
        let (jobs, incoming) = channel::<(u64, Work)>();
        let (outgoing, updates) = channel();
        let state = Arc::new(State {
            newest: AtomicU64::new(0),
            newest_whole: AtomicU64::new(0),
            progress: Mutex::default(),
            ctx: ctx.clone(),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            let mut engine = Engine::default();
            while let Ok(mut job) = incoming.recv() {
                // Only the newest is still wanted.
                while let Ok(newer) = incoming.try_recv() {
                    job = newer;
                }
                let (number, work) = job;
                let mut tell = |update| {
                    // The window may be gone; then the next recv ends the thread.
                    let _ = outgoing.send((number, update));
                    shared.ctx.request_repaint();
                };
                let is_preview = work.is_preview();
                engine.run(&work, &Request { number, is_preview, state: &shared }, &mut tell);
            }
        });
        Self { jobs, updates, state }
    }

    pub(crate) fn request(&self, work: Work) {
        let number = self.state.newest.fetch_add(1, Ordering::SeqCst) + 1;
        if !work.is_preview() {
            self.state.newest_whole.store(number, Ordering::SeqCst);
        }
        self.state.set_progress("", 0.0);
        // The thread lives as long as this.
        let _ = self.jobs.send((number, work));
    }

    pub(crate) fn cancel(&self) {
        let number = self.state.newest.fetch_add(1, Ordering::SeqCst) + 1;
        self.state.newest_whole.store(number, Ordering::SeqCst);
    }

    pub(crate) fn progress(&self) -> Progress {
        self.state.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The next news. Heights that are no longer the newest are still nearer to them than what is shown, so they are shown too;
    /// the end of old work is not news.
    pub(crate) fn poll(&self) -> Option<Update> {
        loop {
            let (number, update) = self.updates.try_recv().ok()?;
            let is_newest = number == self.state.newest.load(Ordering::SeqCst);
            if is_newest
                || matches!(update, Update::Whole(..) | Update::Part(..) | Update::Piece(_))
            {
                return Some(update);
            }
        }
    }
}

impl State {
    fn set_progress(&self, stage: &str, done: f32) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        *progress = (stage.to_owned(), done);
    }
}

/// One request as the engine sees it.
struct Request<'a> {
    number: u64,
    is_preview: bool,
    state: &'a State,
}

impl Watch for Request<'_> {
    fn progress(&self, stage: &str, done: f32) {
        if !self.is_cancelled() {
            self.state.set_progress(stage, done);
            self.state.ctx.request_repaint();
        }
    }

    fn is_cancelled(&self) -> bool {
        if self.is_preview {
            return self.number < self.state.newest_whole.load(Ordering::SeqCst);
        }
        self.number != self.state.newest.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_gives_way_to_a_whole_alone_and_a_whole_to_anything_newer() {
        let state = State {
            newest: AtomicU64::new(1),
            newest_whole: AtomicU64::new(0),
            progress: Mutex::default(),
            ctx: egui::Context::default(),
        };
        let request = |is_preview| Request { number: 1, is_preview, state: &state };
        assert!(!request(true).is_cancelled() && !request(false).is_cancelled());
        state.newest.store(2, Ordering::SeqCst);
        assert!(!request(true).is_cancelled() && request(false).is_cancelled());
        state.newest_whole.store(2, Ordering::SeqCst);
        assert!(request(true).is_cancelled() && request(false).is_cancelled());
    }
}
