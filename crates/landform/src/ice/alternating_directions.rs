//! Implicit diffusion with a conductance of its own for every face, one direction after the other.
//!
//! ```text
//! (1 + Σ c)·δ − Σ c·δ' = Σ c·(s' − s) − o·h      a sample, its two neighbours along a line, the border
//! ```
//!
//! s level, δ its change, c conductance of a face times the step over the squared spacing, o the share of the store h that the
//! border takes in a step. The unknown is the change and not the level: what leaves a sample enters the next to the rounding of a small
//! number. Lines are solved by Thomas's algorithm, [`LANES`] side by side; tasks gather, so threads change no bit.

use crate::{Cancelled, Ctx, par};

/// Lines that are solved side by side.
pub(super) const LANES: usize = 16;

type Lane = [f32; LANES];

/// Conductances of the faces of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    /// Between a sample and the next one to the east; nothing in the last column.
    pub(super) east: Vec<f32>,
    /// Between a sample and the next one to the south; nothing in the last row.
    pub(super) south: Vec<f32>,
    /// Shares that the border takes: west, east, north, south.
    pub(super) border: [Vec<f32>; 4],
}

impl Faces {
    /// Closed faces.
    pub(super) fn closed([width, height]: [usize; 2]) -> Self {
        let len = width * height;
        Self {
            east: vec![0.0; len],
            south: vec![0.0; len],
            border: [height, height, width, width].map(|count| vec![0.0; count]),
        }
    }
}

/// The two ends of a strip of lines: the share that the border takes, and the store it takes it from.
struct Ends {
    share: [Lane; 2],
    store: [Lane; 2],
}

/// The changes of a strip of lines; empty if nothing flows in it.
type Strip = Vec<Lane>;

/// Changes `levels`, and gives `store` the same change. The border takes from `store` alone.
pub(super) fn diffuse(
    levels: &mut [f32],
    mut store: Option<&mut [f32]>,
    faces: &Faces,
    [width, height]: [usize; 2],
    ctx: &Ctx<'_>,
) -> Result<f64, Cancelled> {
    ctx.check()?;
    let along_x = {
        let (levels, store) = (&*levels, store.as_deref());
        par::map(height.div_ceil(LANES), |k| strip_of_rows(levels, store, faces, width, k))
    };
    let mut lost = 0.0;
    add_rows(levels, &along_x, width);
    if let Some(store) = store.as_deref_mut() {
        lost += border_loss(
            store,
            &along_x,
            [&faces.border[0], &faces.border[1]],
            |line, end| line * width + end * (width - 1),
            width,
        );
        add_rows(store, &along_x, width);
    }
    drop(along_x);
    ctx.check()?;
    let along_z = {
        let (levels, store) = (&*levels, store.as_deref());
        par::map(width.div_ceil(LANES), |k| {
            strip_of_columns(levels, store, faces, [width, height], k)
        })
    };
    add_columns(levels, &along_z, width);
    if let Some(store) = store {
        lost += border_loss(
            store,
            &along_z,
            [&faces.border[2], &faces.border[3]],
            |line, end| end * (height - 1) * width + line,
            height,
        );
        add_columns(store, &along_z, width);
    }
    Ok(lost)
}

/// What the border takes, in depths of the store, before the changes are added.
fn border_loss(
    store: &[f32],
    strips: &[Strip],
    shares: [&[f32]; 2],
    at: impl Fn(usize, usize) -> usize,
    length: usize,
) -> f64 {
    let mut lost = 0.0;
    for (end, shares) in shares.into_iter().enumerate() {
        for (line, &share) in shares.iter().enumerate() {
            let strip = &strips[line / LANES];
            if share > 0.0 && !strip.is_empty() {
                let change = strip[end * (length - 1)][line % LANES];
                lost += f64::from(share * (store[at(line, end)].max(0.0) + change));
            }
        }
    }
    lost
}

fn strip_of_rows(
    levels: &[f32],
    store: Option<&[f32]>,
    faces: &Faces,
    width: usize,
    k: usize,
) -> Strip {
    let height = levels.len() / width;
    let first = k * LANES;
    let count = LANES.min(height - first);
    let rows = first * width..(first + count) * width;
    let ends = ends_of(store, [&faces.border[0], &faces.border[1]], first, count, |line, end| {
        line * width + end * (width - 1)
    });
    if is_closed(&faces.east[rows.clone()], &ends) {
        return Strip::new();
    }
    // The same column of all rows side by side; rows that are not there stay 0.
    let mut lines = vec![([0.0_f32; LANES], [0.0_f32; LANES]); width];
    for (lane, (levels, east)) in
        levels[rows.clone()].chunks(width).zip(faces.east[rows].chunks(width)).enumerate()
    {
        for (line, (&level, &face)) in lines.iter_mut().zip(levels.iter().zip(east)) {
            line.0[lane] = level;
            line.1[lane] = face;
        }
    }
    solve(width, |i| lines[i], &ends)
}

fn strip_of_columns(
    levels: &[f32],
    store: Option<&[f32]>,
    faces: &Faces,
    [width, height]: [usize; 2],
    k: usize,
) -> Strip {
    let first = k * LANES;
    let count = LANES.min(width - first);
    let ends = ends_of(store, [&faces.border[2], &faces.border[3]], first, count, |line, end| {
        end * (height - 1) * width + line
    });
    let is_still = |j: usize| faces.south[j * width + first..][..count].iter().all(|&c| c == 0.0);
    if ends.share == [[0.0; LANES]; 2] && (0..height).all(is_still) {
        return Strip::new();
    }
    let load = |samples: &[f32], j: usize| {
        let mut lane = [0.0; LANES];
        lane[..count].copy_from_slice(&samples[j * width + first..][..count]);
        lane
    };
    solve(height, |j| (load(levels, j), load(&faces.south, j)), &ends)
}

fn is_closed(faces: &[f32], ends: &Ends) -> bool {
    ends.share == [[0.0; LANES]; 2] && faces.iter().all(|&c| c == 0.0)
}

fn ends_of(
    store: Option<&[f32]>,
    border: [&[f32]; 2],
    first: usize,
    count: usize,
    at: impl Fn(usize, usize) -> usize,
) -> Ends {
    let mut ends = Ends { share: [[0.0; LANES]; 2], store: [[0.0; LANES]; 2] };
    let Some(store) = store else { return ends };
    for end in 0..2 {
        for lane in 0..count {
            ends.share[end][lane] = border[end][first + lane];
            ends.store[end][lane] = store[at(first + lane, end)].max(0.0);
        }
    }
    ends
}

/// Thomas's algorithm on [`LANES`] lines; `load` gives level and next face at a place.
fn solve(count: usize, load: impl Fn(usize) -> (Lane, Lane), ends: &Ends) -> Strip {
    let mut changes = vec![[0.0_f32; LANES]; count];
    let mut upper = vec![[0.0_f32; LANES]; count];
    let (mut level, mut face) = load(0);
    let (mut before, mut inflow) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    let (mut last_change, mut last_upper) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for place in 0..count {
        let is_last = place + 1 == count;
        let next = if is_last { (level, [0.0; LANES]) } else { load(place + 1) };
        if is_last {
            face = [0.0; LANES];
        }
        let mut share = [0.0_f32; LANES];
        let mut loss = [0.0_f32; LANES];
        for end in 0..2 {
            if place == end * (count - 1) {
                for lane in 0..LANES {
                    share[lane] += ends.share[end][lane];
                    loss[lane] += ends.share[end][lane] * ends.store[end][lane];
                }
            }
        }
        for lane in 0..LANES {
            let gain = face[lane] * (next.0[lane] - level[lane]);
            let diagonal = 1.0 + before[lane] + face[lane] + share[lane];
            let scale = 1.0 / (diagonal - before[lane] * last_upper[lane]);
            last_upper[lane] = face[lane] * scale;
            last_change[lane] =
                (gain - inflow[lane] - loss[lane] + before[lane] * last_change[lane]) * scale;
            inflow[lane] = gain;
            before[lane] = face[lane];
        }
        (changes[place], upper[place]) = (last_change, last_upper);
        (level, face) = next;
    }
    for place in (0..count.saturating_sub(1)).rev() {
        let after = changes[place + 1];
        for lane in 0..LANES {
            changes[place][lane] += upper[place][lane] * after[lane];
        }
    }
    changes
}

fn add_rows(samples: &mut [f32], strips: &[Strip], width: usize) {
    par::for_each_part(samples, width, LANES, |k, rows| {
        if strips[k].is_empty() {
            return;
        }
        for (lane, row) in rows.chunks_mut(width).enumerate() {
            row.iter_mut().zip(&strips[k]).for_each(|(sample, change)| *sample += change[lane]);
        }
    });
}

fn add_columns(samples: &mut [f32], strips: &[Strip], width: usize) {
    par::for_each_part(samples, width, LANES, |part, rows| {
        for (lane, row) in rows.chunks_mut(width).enumerate() {
            for (piece, strip) in row.chunks_mut(LANES).zip(strips) {
                if let Some(changes) = strip.get(part * LANES + lane) {
                    piece.iter_mut().zip(changes).for_each(|(sample, change)| *sample += change);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uneven(k: usize) -> f32 {
        ((k * 7919) % 101) as f32
    }

    #[test]
    fn what_leaves_a_sample_enters_the_next() {
        let size = [37, 21];
        let mut faces = Faces::closed(size);
        for k in 0..37 * 21 {
            faces.east[k] = if k % 5 == 0 { 0.0 } else { uneven(k) };
            faces.south[k] = if k % 7 == 0 { 0.0 } else { uneven(k + 3) };
        }
        let mut levels: Vec<f32> = (0..37 * 21).map(|k| 1000.0 + uneven(k + 11)).collect();
        let sum = |levels: &[f32]| levels.iter().map(|&level| f64::from(level)).sum::<f64>();
        let (before, first) = (sum(&levels), levels.clone());
        for _ in 0..20 {
            diffuse(&mut levels, None, &faces, size, &Ctx::new(&(), "")).unwrap();
        }
        assert!((sum(&levels) / before - 1.0).abs() < 1e-7, "{} {before}", sum(&levels));
        assert!(levels != first && levels.iter().all(|level| (999.9..1101.1).contains(level)));
    }

    #[test]
    fn the_border_takes_from_the_store_and_is_counted() {
        let size = [9, 5];
        let mut faces = Faces::closed(size);
        faces.border[1].fill(0.5);
        faces.border[2][3] = 0.25;
        let (mut levels, mut store) = (vec![50.0; 45], vec![8.0; 45]);
        let lost =
            diffuse(&mut levels, Some(&mut store), &faces, size, &Ctx::new(&(), "")).unwrap();
        let left: f64 = store.iter().map(|&depth| f64::from(depth)).sum();
        assert!(lost > 10.0 && (left + lost - 360.0).abs() < 1e-4, "{left} {lost}");
        assert!(
            store.iter().zip(&levels).all(|(depth, level)| (level - depth - 42.0).abs() < 1e-4)
        );
    }
}
