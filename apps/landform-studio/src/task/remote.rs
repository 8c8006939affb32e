//! An export in a worker of the browser.

use eframe::egui;

use crate::export::{Made, Order};
use crate::live::Progress;
use crate::web::remote::Remote;

/// An export under way. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Task {
    remote: Remote,
}

impl Task {
    pub(crate) fn start(order: Order, ctx: &egui::Context) -> Self {
        let remote = Remote::new(ctx);
        remote.make(&order);
        Self { remote }
    }

    /// What came of it, once.
    pub(crate) fn poll(&self) -> Option<Result<Made, String>> {
        self.remote.poll_made()
    }

    pub(crate) fn progress(&self) -> Progress {
        self.remote.progress()
    }
}
