//! The editor of Landform: terrains by hand, on the desktop and in the browser.
//!
//! # A tour
//!
//! [`Studio`] is the program; `main.rs` and the web page only start it. What is edited is apart from how it is shown:
//!
//! | part | what |
//! | --- | --- |
//! | [`Studio`] | the window |
//! | [`files`] | the only part that knows of disks, dialogs and the browser's storage |

#[cfg(not(target_arch = "wasm32"))]
mod browser;
pub mod files;
mod studio;

pub use studio::Studio;
