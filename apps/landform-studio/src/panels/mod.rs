//! What stands around the map: menus, lists, settings, the status line.

pub(crate) mod history;
pub(crate) mod large;
pub(crate) mod menus;
pub(crate) mod parameter;
pub(crate) mod peaks;
pub(crate) mod properties;
pub(crate) mod settings;
pub(crate) mod stages;
pub(crate) mod status;
