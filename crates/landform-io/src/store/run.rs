//! Filling a store on one machine, within so much memory.
//!
//! Tiles are made in windows of several, as many as memory allows where stages look around themselves: the halo of a
//! window is evaluated once, not once a tile. While one tile is made by all threads, the one before is written by another.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Instant;

use landform::{Extent, Plan, Watch};

use super::builder::Builder;
use super::layout::Layout;
use super::metadata::Manifest;
use super::tile::Encoded;
use super::writer::TileWriter;
use crate::{Error, Result};

/// Bytes that streaming may use unless another number is given: 1 GiB.
pub const MEMORY: u64 = 1 << 30;

/// Bytes that a program takes before it holds any samples: its code, threads and buffers, as measured.
pub const PROGRAM: u64 = 14 << 20;

/// Encoded tiles at the same time: one is written while the next is encoded.
const ENCODED: u64 = 2;

/// Bytes of an encoded tile over those of its samples: noise hardly gets smaller, overviews add a third, and most layers are even.
const ENCODED_SHARE: f64 = 0.6;

/// Of the work, this share may be for halos before a larger window is tried.
const HALO_SHARE: f64 = 0.02;

/// How the terrain will be made: windows of so many tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Windows {
    /// Tiles along a side of a window.
    pub tiles: u32,
    /// Bytes that are needed at the most.
    pub memory: u64,
    /// Samples that are evaluated for one that is kept, in a window in the middle.
    pub overhead: f64,
}

impl Windows {
    /// The best windows within `memory` bytes.
    ///
    /// # Errors
    /// If one tile does not fit.
    pub fn choose(plan: &Plan, layout: &Layout, memory: u64) -> Result<Self> {
        let mut best: Option<Self> = None;
        for tiles in [1, 2, 4, 8] {
            let windows = Self::of(plan, layout, tiles);
            if windows.memory > memory {
                return best.ok_or(Error::Memory { needed: windows.memory, limit: memory });
            }
            best = Some(windows);
            if windows.overhead <= 1.0 + HALO_SHARE {
                break;
            }
        }
        best.ok_or(Error::Memory { needed: 0, limit: memory })
    }

    fn of(plan: &Plan, layout: &Layout, tiles: u32) -> Self {
        let side = tiles.saturating_mul(layout.shard);
        // One in the middle has its halo on all sides.
        let middle = [0, 1].map(|axis| {
            let (size, first) = (layout.size[axis], layout.origin[axis]);
            let length = side.min(size);
            (first + (size - length) / 2, length)
        });
        let [(i, width), (j, height)] = middle;
        let extent = layout.lattice().window(i, j, width, height);
        let extent = extent.expect("a part of the extent lies on its lattice");
        let [width, height] = [width, height].map(|side| u64::from(side.min(layout.shard)));
        let layer = 4 * width * height;
        let tile = (layer * layout.layers.len() as u64) as f64 * ENCODED_SHARE;
        // The chunks of a layer are there twice while they are joined.
        let encoding = ENCODED * tile as u64 + 2 * layer;
        let kept = extent.len() as f64;
        let made = plan.memory_after_simulations(&extent) + encoding;
        Self {
            tiles,
            memory: PROGRAM + made.max(plan.memory_of_simulations()),
            overhead: extent.grown(plan.halo()).len() as f64 / kept,
        }
    }
}

/// Makes all that is missing, and sums up.
///
/// # Errors
/// If `watch` cancels, memory is not enough, or a file cannot be written; what is there then is kept.
pub fn fill(builder: &Builder, plan: &Plan, memory: u64, watch: &dyn Watch) -> Result<Manifest> {
    let layout = builder.layout();
    let windows = Windows::choose(plan, layout, memory)?;
    let pending = builder.pending(0)?;
    if !pending.is_empty() {
        builder.simulate(plan, watch)?;
    }
    let clock = Clock::new(layout, &pending);
    std::thread::scope(|scope| -> Result<()> {
        let (sender, receiver) = mpsc::sync_channel::<([u32; 2], Encoded)>(0);
        let writer = scope.spawn(move || -> Result<()> {
            let mut writer = TileWriter::new(builder)?;
            let written = receiver
                .into_iter()
                .try_for_each(|(tile, encoded)| writer.write(0, tile, &encoded));
            // What was made before an error counts.
            written.and(writer.settle())
        });
        let made = make(
            builder,
            plan,
            &pending,
            windows.tiles,
            |tile, encoded| {
                clock.tell(tile, watch);
                // The writer only goes away when it has failed.
                sender.send((tile, encoded)).is_ok()
            },
            watch,
        );
        drop(sender);
        let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written.and(made)
    })?;
    for base in layout.bases().skip(1) {
        builder.make_overviews(base, &builder.pending(base)?, watch)?;
    }
    builder.finish()
}

/// Makes tiles of level 0 and writes them: what a worker of a cluster does.
///
/// # Errors
/// As [`fill`].
pub fn write_tiles(
    builder: &Builder,
    plan: &Plan,
    tiles: &[[u32; 2]],
    watch: &dyn Watch,
) -> Result<()> {
    builder.simulate(plan, &Silent(watch))?;
    let mut writer = TileWriter::new(builder)?;
    let make = |writer: &mut TileWriter<'_>| {
        for &tile in tiles {
            let extent = rectangle(builder.layout(), tile, tile);
            let terrain = plan.run(&extent, &Silent(watch))?;
            writer.write(0, tile, &builder.encode(&terrain, tile))?;
        }
        Ok(())
    };
    let made = make(&mut writer);
    made.and(writer.settle())
}

/// Makes the tiles window by window, until `take` has had enough.
fn make(
    builder: &Builder,
    plan: &Plan,
    pending: &[[u32; 2]],
    side: u32,
    take: impl Fn([u32; 2], Encoded) -> bool,
    watch: &dyn Watch,
) -> Result<()> {
    let window_of = |&[i, j]: &[u32; 2]| [j / side, i / side];
    let windows: BTreeSet<[u32; 2]> = pending.iter().map(window_of).collect();
    for window in windows {
        let tiles: Vec<[u32; 2]> =
            pending.iter().copied().filter(|tile| window_of(tile) == window).collect();
        let least = |axis: usize| tiles.iter().map(|tile| tile[axis]).min().unwrap_or_default();
        let most = |axis: usize| tiles.iter().map(|tile| tile[axis]).max().unwrap_or_default();
        let extent = rectangle(builder.layout(), [least(0), least(1)], [most(0), most(1)]);
        let terrain = plan.run(&extent, &Silent(watch))?;
        for tile in tiles {
            stop_if_cancelled(watch)?;
            if !take(tile, builder.encode(&terrain, tile)) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The extent from one tile to another.
fn rectangle(layout: &Layout, first: [u32; 2], last: [u32; 2]) -> Extent {
    let [x, y, ..] = layout.window(0, first);
    let [right, bottom, width, height] = layout.window(0, last);
    let [i, j] = layout.origin;
    let window = layout.lattice().window(i + x, j + y, right + width - x, bottom + height - y);
    window.expect("tiles lie on the lattice")
}

fn stop_if_cancelled(watch: &dyn Watch) -> Result<()> {
    if watch.is_cancelled() { Err(landform::Cancelled.into()) } else { Ok(()) }
}

/// Lets a run be cancelled without its telling of progress.
struct Silent<'a>(&'a dyn Watch);

impl Watch for Silent<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn evaluates(&self, samples: usize) {
        self.0.evaluates(samples);
    }
}

/// Tells how fast it goes and how long it will take.
struct Clock<'a> {
    layout: &'a Layout,
    start: Instant,
    /// Samples that were missing when the work began, and how many have been made since.
    missing: u64,
    made: Cell<u64>,
    /// Tiles of all, and those that are there.
    all: usize,
    done: Cell<usize>,
}

impl<'a> Clock<'a> {
    fn new(layout: &'a Layout, pending: &[[u32; 2]]) -> Self {
        let [across, down] = layout.tiles(0);
        let all = across as usize * down as usize;
        let missing = pending.iter().map(|&tile| samples(layout, tile)).sum();
        let done = Cell::new(all - pending.len());
        Self { layout, start: Instant::now(), missing, made: Cell::new(0), all, done }
    }

    /// Another tile is made.
    fn tell(&self, tile: [u32; 2], watch: &dyn Watch) {
        self.made.set(self.made.get() + samples(self.layout, tile));
        self.done.set(self.done.get() + 1);
        let made = self.made.get() as f64;
        let rate = made / self.start.elapsed().as_secs_f64().max(1e-9);
        let text = format!(
            "tile {} of {}, {:.1} M samples/s, {} left",
            self.done.get(),
            self.all,
            rate / 1e6,
            shown((self.missing as f64 - made) / rate),
        );
        watch.progress(&text, self.done.get() as f32 / self.all as f32);
    }
}

fn samples(layout: &Layout, tile: [u32; 2]) -> u64 {
    let [_, _, width, height] = layout.window(0, tile);
    u64::from(width) * u64::from(height)
}

/// A time for people.
fn shown(seconds: f64) -> String {
    match seconds.ceil() as u64 {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
