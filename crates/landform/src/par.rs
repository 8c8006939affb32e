//! Parallel work over rows: the only place that knows about threads.
//!
//! Work gathers, it does not scatter: a task writes only its own rows, so the bytes are the same for any
//! number of threads, and without the `parallel` feature.

use std::sync::atomic::{AtomicU32, Ordering};

/// Calls `f(k, part)` for each part of `rows_per_part` rows of `samples`, k counting the parts.
pub fn for_each_part<T: Send>(
    samples: &mut [T],
    width: usize,
    rows_per_part: usize,
    f: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    let length = width * rows_per_part;
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        samples.par_chunks_mut(length).enumerate().for_each(|(k, part)| f(k, part));
    }
    #[cfg(not(feature = "parallel"))]
    samples.chunks_mut(length).enumerate().for_each(|(k, part)| f(k, part));
}

/// Calls `f(j, row)` for each row.
pub fn for_each_row<T: Send>(
    samples: &mut [T],
    width: usize,
    f: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    for_each_part(samples, width, 1, f);
}

/// Calls `f(j, row, row)` for each row of two grids of the same size.
pub fn for_each_row_of_two<T: Send, U: Send>(
    one: &mut [T],
    other: &mut [U],
    width: usize,
    f: impl Fn(usize, &mut [T], &mut [U]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let rows = one.par_chunks_mut(width).zip(other.par_chunks_mut(width));
        rows.enumerate().for_each(|(j, (one, other))| f(j, one, other));
    }
    #[cfg(not(feature = "parallel"))]
    {
        let rows = one.chunks_mut(width).zip(other.chunks_mut(width));
        rows.enumerate().for_each(|(j, (one, other))| f(j, one, other));
    }
}

/// Calls `f(k, part)` for each part of `rows_per_part` rows until one fails.
///
/// # Errors
/// The error of a part that failed.
pub fn try_for_each_part<T: Send, E: Send>(
    samples: &mut [T],
    width: usize,
    rows_per_part: usize,
    f: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    let length = width * rows_per_part;
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        samples.par_chunks_mut(length).enumerate().try_for_each(|(k, part)| f(k, part))
    }
    #[cfg(not(feature = "parallel"))]
    samples.chunks_mut(length).enumerate().try_for_each(|(k, part)| f(k, part))
}

/// Calls `f(k, parts)` for each part of `rows_per_part` rows of several grids of the same size until one fails.
///
/// # Errors
/// The error of a part that failed.
pub fn try_for_each_part_of_all<'a, T: Send + 'a, E: Send>(
    grids: impl Iterator<Item = &'a mut [T]>,
    width: usize,
    rows_per_part: usize,
    f: impl Fn(usize, Vec<&'a mut [T]>) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    let mut parts: Vec<Vec<&'a mut [T]>> = Vec::new();
    for grid in grids {
        for (k, part) in grid.chunks_mut(width * rows_per_part).enumerate() {
            if k == parts.len() {
                parts.push(Vec::new());
            }
            parts[k].push(part);
        }
    }
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        parts.into_par_iter().enumerate().try_for_each(|(k, parts)| f(k, parts))
    }
    #[cfg(not(feature = "parallel"))]
    parts.into_iter().enumerate().try_for_each(|(k, parts)| f(k, parts))
}

/// The results of two pieces of work that need not wait for each other.
pub fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    {
        rayon::join(one, other)
    }
    #[cfg(not(feature = "parallel"))]
    (one(), other())
}

/// The results of `f(0)` … `f(count − 1)`, in that order.
pub fn map<R: Send>(count: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(f).collect()
    }
    #[cfg(not(feature = "parallel"))]
    (0..count).map(f).collect()
}

/// The results of `f(k, part)` for each part of `rows_per_part` rows of `samples`, in that order.
pub fn map_parts<T: Send, R: Send>(
    samples: &mut [T],
    width: usize,
    rows_per_part: usize,
    f: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    let length = width * rows_per_part;
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        samples.par_chunks_mut(length).enumerate().map(|(k, part)| f(k, part)).collect()
    }
    #[cfg(not(feature = "parallel"))]
    samples.chunks_mut(length).enumerate().map(|(k, part)| f(k, part)).collect()
}

/// Numbers that tasks write where they like, for the few cases in which work has to scatter: as many tasks as want may
/// write a place as long as all of them write the same number there.
///
/// # Why the bytes do not depend on threads
///
/// A place is one atomic word: nobody sees half of a number. Nothing is concluded from one place about another, so relaxed order
/// is enough; and whoever runs after [`map`] sees all that its tasks wrote, since it waits for them. Two uses remain to be looked at.
///
/// *One writer, no reader* (`evolution/stream_power.rs`): each sample lies in one tree, and each tree in one task. Nobody reads
/// before the tasks are done.
///
/// *Many writers, one number* (`drainage/depressions.rs`): a place holds "unknown" or the number f of its catchment. Pits and base levels
/// hold it from the start, written by an earlier [`map`]. Everywhere else f(a) = f(next a), which depends on the directions alone, and they
/// have no cycle. A task walks down from a until it reads a known number. By induction over the writes, a known number is f of its place,
/// so it is f(a); a task that still reads "unknown", because a write of another has not arrived, walks on and ends at the same number. It
/// then writes f(a) to places on that way, all of which have this f. At the end no place is unknown: each is the start of one walk, whose first
/// write it is, unless it is known already.
#[derive(Debug, Default)]
pub struct Cells(Vec<AtomicU32>);

impl Clone for Cells {
    fn clone(&self) -> Self {
        Self((0..self.len()).map(|at| AtomicU32::new(self.get(at))).collect())
    }
}

impl Cells {
    /// Makes it `len` places with 0 in those that are new.
    pub fn resize(&mut self, len: usize) {
        self.0.resize_with(len, AtomicU32::default);
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is there.
    #[inline]
    pub fn get(&self, at: usize) -> u32 {
        self.0[at].load(Ordering::Relaxed)
    }

    /// Writes a number.
    #[inline]
    pub fn set(&self, at: usize, value: u32) {
        self.0[at].store(value, Ordering::Relaxed);
    }
}

/// How many threads work at the same time.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        // Asking for the number of those that are not there yet would start them.
        match rayon::current_thread_index() {
            Some(_) => rayon::current_num_threads(),
            None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs `work` with this many threads.
///
/// # Errors
/// If the system gives no more threads.
pub fn with_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, std::io::Error> {
    #[cfg(feature = "parallel")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(pool.map_err(std::io::Error::other)?.install(work))
    }
    #[cfg(not(feature = "parallel"))]
    {
        let _ = threads;
        Ok(work())
    }
}
