//! What stages have found out about the whole ground, in a folder: simulations that took minutes are read in a moment.
//!
//! ```text
//! FOLDER/0f3a…   "landform kept 1\n", SHA-256 of what follows, and that: the bytes of `Plan::simulate`
//! ```
//!
//! A file is named by a hash of all that its contents depend on: this version of the program, the recipe up to the stage without its
//! resolution, and the rasters that it refers to. So another recipe finds nothing, and another size or tile of the same ground
//! finds everything. A damaged file is as good as none.

use std::fs;
use std::path::{Path, PathBuf};

use landform::{Inputs, Recipe, Shelf};
use sha2::{Digest as _, Sha256};

use crate::manifest::hex;
use crate::{atomic, regular};

const MAGIC: &[u8; 16] = b"landform kept 1\n";
const HASH: usize = 32;

/// A folder that keeps what the stages of one recipe have found out.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
    recipe: Recipe,
    inputs: String,
}

impl Kept {
    /// Keeps in `folder`, which is made when it is needed.
    pub fn new(folder: impl Into<PathBuf>, recipe: &Recipe, inputs: &Inputs) -> Self {
        Self::of_hashed(folder.into(), recipe.clone(), hash_of_inputs(inputs))
    }

    pub(crate) fn of_hashed(folder: PathBuf, recipe: Recipe, inputs: String) -> Self {
        Self { folder, recipe, inputs }
    }

    fn file(&self, label: &str) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(concat!("landform ", env!("CARGO_PKG_VERSION"), "\n"));
        hash.update(&self.inputs);
        hash.update(self.recipe.until(label));
        self.folder.join(&hex(&hash.finalize())[..40])
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let parts = [MAGIC.as_slice(), &Sha256::digest(bytes), bytes];
        atomic::put(path, &self.folder, &parts.concat())
    }
}

/// SHA-256 of the rasters that a recipe refers to, in hexadecimal.
pub fn hash_of_inputs(inputs: &Inputs) -> String {
    let mut hash = Sha256::new();
    for (file, raster) in inputs.iter() {
        hash.update(format!("{file} {:?} ", raster.meaning));
        hash.update(crate::manifest::sha256(&raster.samples));
    }
    hex(&hash.finalize())
}

impl Shelf for Kept {
    fn get(&self, label: &str) -> Option<Vec<u8>> {
        let mut bytes = regular::read(&self.file(label)).ok()?;
        let (magic, rest) = bytes.split_first_chunk()?;
        let (hash, kept) = rest.split_first_chunk::<HASH>()?;
        if magic != MAGIC || Sha256::digest(kept)[..] != hash[..] {
            return None;
        }
        bytes.drain(..MAGIC.len() + HASH);
        Some(bytes)
    }

    /// What cannot be written is lost, and found out again by whoever needs it.
    fn put(&self, label: &str, bytes: &[u8]) {
        let _ = self.write(&self.file(label), bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "version = 1\nsize = [33, 33]\nspacing = [30, 30]\n\
        [[stage]]\nkind = \"noise\"\n[[stage]]\nkind = \"thermal\"\nsteps = 3\n";

    #[test]
    fn a_damaged_or_foreign_file_is_as_good_as_none() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("kept");
        let shelf =
            |text: &str| Kept::new(&folder, &Recipe::parse(text).unwrap(), &Inputs::default());
        let mine = shelf(RECIPE);
        assert!(mine.get("thermal").is_none());
        mine.put("thermal", b"found out");
        assert_eq!(mine.get("thermal").as_deref(), Some(&b"found out"[..]));
        let fine = RECIPE.replacen("spacing", "resolution = [99, 99]\nspacing", 1);
        assert_eq!(shelf(&fine).get("thermal").as_deref(), Some(&b"found out"[..]));
        assert!(shelf(&RECIPE.replace("steps = 3", "steps = 4")).get("thermal").is_none());
        let path = mine.file("thermal");
        let sound = fs::read(&path).unwrap();
        for at in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 4;
            fs::write(&path, &damaged).unwrap();
            assert!(mine.get("thermal").is_none(), "byte {at}");
            fs::write(&path, &sound[..at]).unwrap();
            assert!(mine.get("thermal").is_none(), "cut at {at}");
        }
    }
}
