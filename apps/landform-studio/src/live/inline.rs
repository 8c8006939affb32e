//! A worker for browsers: peaks are evaluated in the page when it is asked for news, which is quick; recipes in a worker
//! of the browser.

use std::collections::VecDeque;

use eframe::egui;

use super::Progress;
use crate::evaluate::{Engine, Update, Work};
use crate::web::remote::Remote;

/// Does the newest work.
#[derive(Debug)]
pub(crate) struct Worker {
    engine: Engine,
    job: Option<Work>,
    /// Whether the worker of the browser is at a preview: it is finished, since a worker that is ended takes long to begin again.
    is_at_preview: bool,
    /// What comes after it.
    next: Option<Work>,
    updates: VecDeque<Update>,
    remote: Remote,
    ctx: egui::Context,
}

impl Worker {
    pub(crate) fn new(ctx: &egui::Context) -> Self {
        Self {
            engine: Engine::default(),
            job: None,
            is_at_preview: false,
            next: None,
            updates: VecDeque::new(),
            remote: Remote::new(ctx),
            ctx: ctx.clone(),
        }
    }

    pub(crate) fn request(&mut self, work: Work) {
        if self.is_at_preview && matches!(work, Work::Recipe(..) | Work::Preview(..)) {
            self.next = Some(work);
            return;
        }
        self.cancel();
        self.updates.clear();
        self.start(work);
    }

    fn start(&mut self, work: Work) {
        self.is_at_preview = work.is_preview();
        match &work {
            Work::Recipe(recipe, inputs) | Work::Preview(recipe, inputs) => {
                self.remote.start(recipe, inputs, work.is_preview());
            }
            Work::Uplift(_) | Work::Large(..) => self.job = Some(work),
        }
        self.ctx.request_repaint();
    }

    pub(crate) fn cancel(&mut self) {
        (self.job, self.next, self.is_at_preview) = (None, None, false);
        self.remote.stop();
    }

    pub(crate) fn progress(&self) -> Progress {
        self.remote.progress()
    }

    /// The next news.
    pub(crate) fn poll(&mut self) -> Option<Update> {
        if let Some(job) = self.job.take() {
            let updates = &mut self.updates;
            self.engine.run(&job, &(), &mut |update| updates.push_back(update));
        }
        let update = self.updates.pop_front().or_else(|| self.remote.poll())?;
        if matches!(update, Update::Done) {
            self.is_at_preview = false;
            if let Some(next) = self.next.take() {
                self.start(next);
                return None;
            }
        }
        Some(update)
    }
}
