//! From what the user names to a [`Project`](project::Project).

mod bundle;
pub(crate) mod changes;
pub(crate) mod files;
pub(crate) mod heightmap;
pub(crate) mod planet;
pub(crate) mod project;
mod seam;
mod sniff;
