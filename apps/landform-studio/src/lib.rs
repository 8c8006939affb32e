//! The editor of Landform: terrains by hand, on the desktop and in the browser.
//!
//! # A tour
//!
//! [`Studio`] is the program; `main.rs` and the web page only start it. What is edited is apart from how it is shown:
//!
//! | part | what |
//! | --- | --- |
//! | [`document`], [`action`], [`history`] | what is edited; every change is a value that knows its way back |
//! | [`session`] | a document with its history, its selection and its file |
//! | [`edits`] | what a person can do to peaks: move, add, delete, rotate …, as changes |
//! | [`objects`] | rivers and flat places of a recipe as things on the map |
//! | [`painting`] | masks that are painted on the map |
//! | [`evaluate`], [`live`] | the terrain of a document, in the background, coarse first, newest wins |
//! | [`large`] | terrains larger than memory, which are looked at |
//! | [`files`] | the only part that knows of disks, dialogs and the browser's storage |
//! | [`view3d`] | the terrain in three dimensions |

pub mod action;
mod autosave;
mod base64;
#[cfg(not(target_arch = "wasm32"))]
mod browser;
mod camera;
mod commands;
mod dialogs;
pub mod document;
pub mod edits;
pub mod evaluate;
mod export;
pub mod files;
pub mod history;
mod hit;
pub mod large;
#[cfg(any(test, target_arch = "wasm32"))]
mod link;
pub mod live;
pub mod objects;
mod open;
mod options;
pub mod painting;
mod panels;
mod plan;
mod relief;
pub mod selection;
pub mod session;
mod studio;
mod task;
mod theme;
pub mod view3d;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use studio::Studio;
