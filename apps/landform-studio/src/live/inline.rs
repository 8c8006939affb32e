//! A worker without threads, for browsers: it works when it is asked for news.

use std::collections::VecDeque;

use eframe::egui;

use super::Progress;
use crate::evaluate::{Engine, Update, Work};

/// Does the newest work.
#[derive(Debug)]
pub(crate) struct Worker {
    engine: Engine,
    job: Option<Work>,
    updates: VecDeque<Update>,
    ctx: egui::Context,
}

impl Worker {
    pub(crate) fn new(ctx: &egui::Context) -> Self {
        Self { engine: Engine::default(), job: None, updates: VecDeque::new(), ctx: ctx.clone() }
    }

    pub(crate) fn request(&mut self, work: Work) {
        self.job = Some(work);
        self.ctx.request_repaint();
    }

    pub(crate) fn cancel(&mut self) {
        self.job = None;
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress::default()
    }

    /// The next news.
    pub(crate) fn poll(&mut self) -> Option<Update> {
        if let Some(job) = self.job.take() {
            let updates = &mut self.updates;
            self.engine.run(&job, &(), &mut |update| updates.push_back(update));
        }
        self.updates.pop_front()
    }
}
