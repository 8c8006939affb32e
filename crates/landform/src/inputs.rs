//! Rasters that a recipe refers to by file name: painted masks and heightmaps that the user brought.
//!
//! The core reads no files. A door asks the recipe for its [`files`](crate::Recipe::files), reads them and
//! hands them over.

use std::collections::BTreeMap;

use crate::Grid;
use crate::error::Error;
use crate::georeference::Placed;

/// A picture or heightmap.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// The samples, row 0 in the north.
    pub samples: Grid,
    /// What they stand for.
    pub meaning: Meaning,
}

/// What the samples of a raster stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// Metres in a heightmap, weights in a mask.
    Values,
    /// Brightness from 0 (black) to 1 (white), and the heights of black and white in metres if the file tells.
    Brightness(Option<[f64; 2]>),
}

/// The rasters of a recipe, by the file name that the recipe uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    rasters: BTreeMap<String, Raster>,
    /// Where those lie that say it.
    places: BTreeMap<String, Placed>,
}

impl Inputs {
    /// Adds a raster under the name that the recipe uses for it.
    pub fn insert(&mut self, file: impl Into<String>, raster: Raster) {
        self.rasters.insert(file.into(), raster);
    }

    /// Tells where the ground of a raster lies.
    pub fn insert_place(&mut self, file: impl Into<String>, placed: Placed) {
        self.places.insert(file.into(), placed);
    }

    /// Where the ground of a file lies, if it says it.
    pub fn place(&self, file: &str) -> Option<&Placed> {
        self.places.get(file)
    }

    /// The raster of a file.
    pub fn get(&self, file: &str) -> Option<&Raster> {
        self.rasters.get(file)
    }

    /// The raster of the file that `parameter` names.
    pub(crate) fn of(&self, parameter: &str, file: &str) -> Result<&Raster, Error> {
        let wrong = || Error::unfit(parameter, format!("{file:?}"), "there is no such input");
        self.get(file).ok_or_else(wrong)
    }

    /// The raster of the file that `parameter` names; all of its samples are numbers. `cure` says what to do if they are not.
    pub(crate) fn complete(
        &self,
        parameter: &str,
        file: &str,
        cure: &str,
    ) -> Result<&Raster, Error> {
        let raster = self.of(parameter, file)?;
        let samples = raster.samples.samples();
        let Some(first) = samples.iter().position(|sample| !sample.is_finite()) else {
            return Ok(raster);
        };
        let holes = samples.iter().filter(|sample| !sample.is_finite()).count();
        let (width, count) = (raster.samples.width(), samples.len());
        let (i, j) = (first % width, first / width);
        let why = format!(
            "{holes} of its {count} samples are no numbers that can be used, the first in column {i} of row {j}, \
             both counted from 0: {cure}"
        );
        Err(Error::unfit(parameter, format!("{file:?}"), why))
    }

    /// All rasters with their names, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Raster)> {
        self.rasters.iter().map(|(file, raster)| (file.as_str(), raster))
    }

    /// Bytes that the samples take.
    pub(crate) fn bytes(&self) -> u64 {
        self.rasters.values().map(|raster| 4 * raster.samples.samples().len() as u64).sum()
    }
}
