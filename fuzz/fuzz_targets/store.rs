//! Stores with one damaged file: an error or samples, never a crash. A complete one gives no other samples than it was made
//! with.
//!
//! The first bytes say which store, which of its files, and whether checksums are made right after the damage.
#![no_main]

#[allow(dead_code, reason = "only its checksum is needed")]
#[path = "../../crates/landform-io/src/store/shard.rs"]
mod shard;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use landform::{Grid, Inputs, Layer, Recipe};
use landform_fuzz::{damaged, scratch};
use landform_io::store::{Builder, Check, Division, Manifest, Sharding, Store, fill, write_tiles};
use libfuzzer_sys::fuzz_target;

const RECIPE: &str = "version = 1\nsize = [70, 45]\nspacing = [10, 10]\n\
    [[stage]]\nkind = \"noise\"\n[[stage]]\nkind = \"thermal\"\nsteps = 2\n";

/// A store and its files, which are put back after every run.
struct Sound {
    root: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Its heights, if all are there.
    heights: Option<Grid>,
}

static STORES: LazyLock<Vec<Sound>> = LazyLock::new(|| {
    let folder = scratch("store");
    let of = |sharding, is_whole| sound(&folder, sharding, is_whole);
    vec![of(Sharding::Shards, true), of(Sharding::Chunks, true), of(Sharding::Shards, false)]
});

fn sound(folder: &Path, sharding: Sharding, is_whole: bool) -> Sound {
    let recipe = Recipe::parse(RECIPE).expect("it is a recipe");
    let plan = recipe.resolve(&Inputs::default()).expect("it needs no files");
    let division = Division { chunk: Some(16), shard: Some(32), sharding };
    let whole = plan.lattice().whole();
    let manifest = Manifest::new(&plan, &whole, &division, (RECIPE, Some(0)), &Inputs::default());
    let root = folder.join(format!("{sharding:?}{is_whole}.zarr"));
    let builder =
        Builder::start(&root, manifest.expect("it can be divided so")).expect("it is new");
    let heights = is_whole.then(|| {
        fill(&builder, &plan, 1 << 30, &()).expect("there is room");
        Store::open(&root).and_then(|store| store.window([0, 0, 70, 45])).expect("it is sound")
    });
    if !is_whole {
        write_tiles(&builder, &plan, &[[1, 0]], &()).expect("there is room");
    }
    let mut files = Vec::new();
    list(&root, &mut files);
    files.sort();
    Sound { root, files, heights: heights.map(|terrain| terrain.height().clone()) }
}

fn list(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("it was just made") {
        let path = entry.expect("it was just made").path();
        match path.is_dir() {
            true => list(&path, files),
            false => files.push((path.clone(), fs::read(path).expect("it was just made"))),
        }
    }
}

/// Gives the last four bytes the checksum of those before, from `start` on.
fn mend(bytes: &mut [u8], start: usize) {
    if let Some(end) = bytes.len().checked_sub(4).filter(|&end| start <= end) {
        let sum = shard::crc32c(&bytes[start..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&[which, file, mending], rest)) = input.split_first_chunk::<3>() else { return };
    let store = &STORES[usize::from(which) % STORES.len()];
    let (path, bytes) = &store.files[usize::from(file) % store.files.len()];
    let mut changed = damaged(bytes, rest);
    match mending % 4 {
        1 => mend(&mut changed, 0),
        // The index of a shard of four chunks, or of one.
        2 => {
            let start = changed.len().saturating_sub(4 * 16 + 4);
            mend(&mut changed, start);
        }
        3 => {
            let start = changed.len().saturating_sub(16 + 4);
            mend(&mut changed, start);
        }
        _ => {}
    }
    fs::write(path, &changed).expect("there is room");
    look(store, changed == *bytes || path.ends_with("zarr.json"));
    fs::write(path, bytes).expect("there is room");
});

/// Reads all that the store has, if that is little.
fn look(sound: &Sound, may_differ: bool) {
    let Ok(store) = Store::open(&sound.root) else { return };
    let layout = store.layout().clone();
    for level in 0..layout.levels() {
        let [width, height] = layout.level(level).size;
        let (w, h) = (width.min(80), height.min(80));
        for layer in layout.layers().take(8) {
            for window in [[0, 0, w, h], [width - w, height - h, w, h]] {
                if let Ok(grid) = store.read(level, &layer, window) {
                    assert_eq!((grid.width(), grid.height()), (w as usize, h as usize));
                }
            }
        }
    }
    assert!(store.read(0, &Layer::Height, [0, 0, u32::MAX, 2]).is_err());
    let is_small = layout.size.iter().all(|&side| side < 500);
    if is_small && layout.chunk <= 64 && layout.layers.len() < 9 {
        if let (Ok(grid), Some(heights)) =
            (store.read(0, &Layer::Height, [0, 0, 70, 45]), &sound.heights)
        {
            assert!(may_differ || grid == *heights, "damage that nobody noticed");
        }
        let _ = store.overview(1000);
        let _ = store.survey(&());
        let damage = store.damage(Check::Contents, &()).expect("nobody cancels");
        let _ = (damage.shown(), store.damage(Check::Lengths, &()));
        if let Ok(builder) = Builder::join(&sound.root) {
            let _ = layout.bases().map(|base| builder.pending(base)).collect::<Vec<_>>();
        }
    }
}
