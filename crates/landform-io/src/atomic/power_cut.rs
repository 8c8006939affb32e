//! A power cut leaves what a bundle's manifest says, or no manifest; and single files as they were or as they are to be.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Batch, make_folders, write};
use crate::disk::power::{certain, for_each_cut, read_state, record, scratch, write_state};
use crate::manifest::hex;
use sha2::{Digest as _, Sha256};

type State = BTreeMap<PathBuf, Option<Vec<u8>>>;

const FILES: [&str; 4] = ["a.npy", "b.png", "tiles/0/c.png", "tiles/d.png"];

/// A bundle whose manifest is a line a file: its hash and its name.
fn bundle(root: &Path, version: &str) -> io::Result<()> {
    let folder = root.join("new/bundle");
    let mut batch = Batch::new(&folder)?;
    let mut manifest = String::new();
    for name in FILES {
        let path = folder.join(name);
        make_folders(&folder, path.parent().unwrap())?;
        let bytes = format!("{version} of {name}, long enough to be cut off");
        batch.write(&path, |out| out.write_all(bytes.as_bytes()))?;
        manifest += &format!("{} {name}\n", hex(&Sha256::digest(&bytes)));
    }
    batch.write_record(&folder.join("manifest"), manifest.as_bytes())?;
    batch.finish()
}

/// Whether there is a manifest; every file must then be as it says.
fn has_true_manifest(cut: &str, state: &State) -> bool {
    let folder = Path::new("new/bundle");
    let Some(Some(manifest)) = state.get(&folder.join("manifest")) else { return false };
    let manifest = std::str::from_utf8(manifest).unwrap();
    assert_eq!(manifest.lines().count(), FILES.len(), "{cut}: a manifest that is cut off");
    for line in manifest.lines() {
        let (hash, name) = line.split_once(' ').unwrap();
        let Some(Some(bytes)) = state.get(&folder.join(name)) else {
            panic!("{cut}: {name} is missing");
        };
        assert_eq!(hex(&Sha256::digest(bytes)), hash, "{cut}: {name}");
    }
    true
}

#[test]
fn a_power_cut_in_a_bundle_leaves_a_true_manifest_or_none() {
    let home = scratch();
    let mut ends = Vec::new();
    let steps = record(home.path(), || {
        bundle(home.path(), "old").unwrap();
        ends.push(read_state(home.path()));
        bundle(home.path(), "new").unwrap();
        ends.push(read_state(home.path()));
    });
    // When it has ended, nothing can be lost.
    assert_eq!(certain(&steps), ends[1]);
    let (mut with, mut without) = (0, 0);
    for_each_cut(&steps, 0, |cut, state| {
        if has_true_manifest(cut, state) {
            with += 1;
        } else {
            without += 1;
        }
        // Whoever does it again gets the new one. What a dead machine left goes a day later.
        let again = scratch();
        write_state(again.path(), state);
        bundle(again.path(), "new").unwrap_or_else(|error| panic!("{cut}: {error}"));
        let mut found = read_state(again.path());
        found.retain(|path, _| !path.to_string_lossy().ends_with(".tmp"));
        assert!(found == ends[1], "{cut}: {:?}", found.keys());
    });
    assert!(with > 10 && without > 10, "{with} with a manifest, {without} without");
}

#[test]
fn a_power_cut_leaves_a_single_file_old_or_new() {
    let home = scratch();
    let path = home.path().join("file");
    let steps = record(home.path(), || {
        for text in ["old", "new"] {
            write::<io::Error>(&path, |out| out.write_all(text.as_bytes())).unwrap();
        }
    });
    let first = steps.len() / 2;
    for_each_cut(&steps, first, |cut, state| {
        let bytes = state.get(Path::new("file")).and_then(Option::as_deref);
        assert!(bytes == Some(b"old") || bytes == Some(b"new"), "{cut}: {bytes:?}");
    });
    assert_eq!(certain(&steps)[Path::new("file")].as_deref(), Some(&b"new"[..]));
}
