//! An export under way: made apart from the window, which shows how far it is and can cancel it by forgetting it.

#[cfg(not(target_arch = "wasm32"))]
#[path = "threaded.rs"]
mod worker;
#[cfg(target_arch = "wasm32")]
#[path = "remote.rs"]
mod worker;

pub(crate) use worker::Task;
