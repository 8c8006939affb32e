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
    updates: VecDeque<Update>,
    remote: Remote,
    ctx: egui::Context,
}

impl Worker {
    pub(crate) fn new(ctx: &egui::Context) -> Self {
        Self {
            engine: Engine::default(),
            job: None,
            updates: VecDeque::new(),
            remote: Remote::new(ctx),
            ctx: ctx.clone(),
        }
    }

    pub(crate) fn request(&mut self, work: Work) {
        self.remote.stop();
        self.updates.clear();
        match &work {
            Work::Recipe(recipe, inputs) => self.remote.start(recipe, inputs),
            Work::Uplift(_) | Work::Large(..) => self.job = Some(work),
        }
        self.ctx.request_repaint();
    }

    pub(crate) fn cancel(&mut self) {
        self.job = None;
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
        self.updates.pop_front().or_else(|| self.remote.poll())
    }
}
