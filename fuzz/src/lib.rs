//! What several targets need: sound bytes of our own that an input damages, and a folder to put them in.
//!
//! A file with checksums and lengths is hardly ever hit upon by chance. So an input says what is done to a sound one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use landform::{Grid, Inputs, Meaning, Raster, Shelf};

/// Does to `sound` what `edits` say, four bytes for each: where (u16), what, and a value.
pub fn patched(sound: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for &[low, high, what, value] in edits.as_chunks::<4>().0 {
        let at = usize::from(u16::from_le_bytes([low, high])) % (bytes.len() + 1);
        match what % 5 {
            0 if at < bytes.len() => bytes[at] = value,
            1 if at < bytes.len() => bytes[at] ^= value,
            2 => bytes.insert(at, value),
            3 if at < bytes.len() => {
                bytes.remove(at);
            }
            4 => bytes.truncate(at),
            _ => {}
        }
    }
    bytes
}

/// The other bytes, or the sound ones with edits: the first byte of `input` says which.
pub fn damaged(sound: &[u8], input: &[u8]) -> Vec<u8> {
    match input.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, edits)) => patched(sound, edits),
        None => sound.to_vec(),
    }
}

/// An empty folder of this process.
pub fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("landform-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}

/// The rasters that the recipes of the tests refer to.
pub fn inputs() -> Inputs {
    let samples =
        |width, height| Grid::from_fn(width, height, |i, j| ((i * 7 + j * 13) % 11) as f32 / 10.0);
    let mut inputs = Inputs::default();
    let paint = Raster { samples: samples(13, 9), meaning: Meaning::Brightness(None) };
    inputs.insert("paint", paint);
    inputs.insert("map", Raster { samples: samples(20, 31), meaning: Meaning::Values });
    inputs
}

/// Keeps in memory what stages find out.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub RefCell<BTreeMap<String, Vec<u8>>>);

impl Shelf for Memory {
    fn get(&self, label: &str) -> Option<Vec<u8>> {
        self.0.borrow().get(label).cloned()
    }

    fn put(&self, label: &str, bytes: &[u8]) {
        self.0.borrow_mut().insert(label.to_owned(), bytes.to_vec());
    }
}
