//! What plates are made of.

use crate::keep::keep_struct;

/// Crust, cell by cell.
#[derive(Clone, Debug)]
pub(crate) struct Crust {
    /// The plate.
    pub(crate) labels: Vec<u16>,
    /// 0 for ocean floor; 1 for continental crust, more where it has been stretched.
    pub(crate) land: Vec<u8>,
    /// When ocean floor was made, in million years since the start: negative for before.
    pub(crate) birth: Vec<f32>,
}

keep_struct!(Crust { labels, land, birth });

/// How often continental crust can be stretched by a cell before the sea breaks in.
pub(crate) const BREAKS: u8 = 3;
