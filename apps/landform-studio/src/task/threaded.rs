//! An export on a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui;
use landform::Watch;

use crate::export::{self, Made, Order};
use crate::live::Progress;

/// An export under way. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Task {
    made: Receiver<Result<Made, String>>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    is_cancelled: AtomicBool,
    progress: Mutex<Progress>,
    ctx: egui::Context,
}

impl Task {
    pub(crate) fn start(order: Order, ctx: &egui::Context) -> Self {
        let (sender, made) = channel();
        let state = Arc::new(State {
            is_cancelled: AtomicBool::new(false),
            progress: Mutex::default(),
            ctx: ctx.clone(),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            // If nobody waits any more, nobody misses it.
            let _ = sender.send(export::make(&order, &*shared));
            shared.ctx.request_repaint();
        });
        Self { made, state }
    }

    /// What came of it, once.
    pub(crate) fn poll(&self) -> Option<Result<Made, String>> {
        match self.made.try_recv() {
            Ok(made) => Some(made),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err("the work ended without a result".to_owned()))
            }
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        self.state.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.state.is_cancelled.store(true, Ordering::SeqCst);
    }
}

impl Watch for State {
    fn progress(&self, stage: &str, done: f32) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        *progress = (stage.to_owned(), done);
        drop(progress);
        self.ctx.request_repaint();
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }
}
