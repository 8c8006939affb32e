//! What a plan says of its memory is what a run takes.
#![allow(clippy::unwrap_used, reason = "a test may stop")]
#![expect(unsafe_code, reason = "an allocator is the only witness of how much memory is held")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use landform::preset::Preset;
use landform::{Inputs, Recipe};

/// Counts what is held, and the most that ever was.
struct Witness;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn take(bytes: usize) {
    MOST.fetch_max(HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: all requests go to the system's allocator as they came.
unsafe impl GlobalAlloc for Witness {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            take(size - layout.size());
        } else {
            HELD.fetch_sub(layout.size() - size, Relaxed);
        }
        // SAFETY: the caller keeps the contract of the trait.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static WITNESS: Witness = Witness;

/// A preset on a smaller lattice over the same ground, evaluated on another one.
fn smaller(name: &str, design: u32, output: u32) -> Recipe {
    let mut recipe = Recipe::parse(Preset::named(name).unwrap().text).unwrap();
    let design = if design == 0 { recipe.size } else { [design; 2] };
    let lattice = recipe.design().resampled(design);
    (recipe.size, recipe.spacing) = (design, lattice.spacing);
    recipe.resolution = (output > 0).then_some([output; 2]);
    recipe
}

/// Bytes that are forgiven: threads of a pool, names, lists of objects.
const SMALL: f64 = 1e6;

/// One test, for all that this process holds is counted.
#[test]
fn a_run_takes_what_the_plan_says() {
    let mut wrong = Vec::new();
    for (name, design, output) in [
        ("uplift", 0, 0),
        ("fbm", 0, 0),
        ("lowland", 513, 0),
        ("islands", 513, 0),
        ("mountains", 257, 0),
        ("mountains", 129, 1000),
        ("badlands", 257, 0),
        ("natural", 257, 0),
        ("natural", 97, 769),
        ("eroded_hills", 257, 0),
        ("glaciated_range", 257, 0),
        ("river", 513, 0),
        ("scree", 129, 0),
        ("world_torus", 0, 0),
        ("world_rivers", 0, 700),
    ] {
        let plan = smaller(name, design, output).resolve(&Inputs::default()).unwrap();
        let whole = plan.lattice().whole();
        let told = plan.memory(&whole);
        let before = HELD.load(Relaxed);
        MOST.store(before, Relaxed);
        drop(plan.run(&whole, &()).unwrap());
        let found = (MOST.load(Relaxed) - before) as f64;
        let told = told as f64;
        if told > 1.3 * found + SMALL || found > 1.3 * told + SMALL {
            wrong.push(format!("{name} {design} {output}: {told} told, {found} taken"));
        }
        // A tile, after the simulations have run.
        let tile = plan.lattice().window(0, 0, whole.width() as u32 / 2, 64).unwrap();
        let told = plan.memory_after_simulations(&tile) as f64;
        let held = HELD.load(Relaxed);
        MOST.store(held, Relaxed);
        drop(plan.run(&tile, &()).unwrap());
        let found = (MOST.load(Relaxed) - before) as f64;
        if found > 1.3 * told + SMALL {
            wrong.push(format!("{name} {design} {output}, a tile: {told} told, {found} taken"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
