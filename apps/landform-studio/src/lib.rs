//! The editor of Landform: terrains by hand, on the desktop and in the browser.

pub mod view3d;
