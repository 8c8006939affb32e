//! Which plate covers a cell: convergence where there are two, divergence where there is none.
//!
//! Of two plates the denser one dives: ocean floor under continents, the plate with the older ocean floor under the one with the
//! younger; of two continents the one of the lighter plate. A cell that no plate covers belongs to the nearest: gaps are filled from their edges,
//! cell by cell, so the ridge is in their middle.

use super::crust::{BREAKS, Crust};
use super::motion::Plate;
use super::surface::{NONE, Surface};
use crate::{Cancelled, Ctx, par};

/// No plate.
pub(crate) const GAP: u16 = u16::MAX;

/// A cell that no plate covered.
#[derive(Clone, Copy, Debug)]
struct Gap {
    cell: u32,
    /// The covered cell from which it was filled.
    origin: u32,
    /// Cells from the edge of the plate.
    depth: u32,
}

/// Who is where.
#[derive(Clone, Debug)]
pub(crate) struct Cover {
    /// The plate of each cell.
    pub(crate) labels: Vec<u16>,
    /// Cells with more than one plate, both of them continental: (cell, plate above, plate below).
    pub(crate) collisions: Vec<(u32, u16, u16)>,
    gaps: Vec<Gap>,
    /// A number for each cell of a gap while gaps are filled; [`NONE`] elsewhere and else.
    scratch: Vec<u32>,
    near: Vec<Vec<u32>>,
    /// For each block the plates that are in it or in a block beside it; one plate: nothing changes there.
    plates_near: Vec<Vec<u16>>,
    /// The blocks in which there may be a border.
    pub(crate) busy: Vec<u32>,
}

/// A plate that covers a cell: where its crust comes from, and what decides who is above.
#[derive(Clone, Copy)]
struct Claim {
    plate: u16,
    land: bool,
}

impl Claim {
    /// Whether this stays above `other`.
    fn is_above(&self, other: &Self, plates: &[Plate]) -> bool {
        if self.land != other.land {
            return self.land;
        }
        let (own, other_plate) = (&plates[self.plate as usize], &plates[other.plate as usize]);
        let (a, b) = if self.land {
            (own.mass, other_plate.mass)
        } else {
            // By plates, not by cells: along a trench one plate dives.
            (own.ocean_birth, other_plate.ocean_birth)
        };
        if a == b { self.plate < other.plate } else { a > b }
    }
}

/// A bit for each of up to 64 things.
#[inline]
fn bits<T>(things: &[T], is: impl Fn(&T) -> bool) -> u64 {
    things.iter().rev().fold(0, |bits, thing| bits << 1 | u64::from(is(thing)))
}

impl Cover {
    pub(crate) fn new<S: Surface>(
        surface: &S,
        crust: &Crust,
        near: Vec<Vec<u32>>,
        count: usize,
    ) -> Self {
        let mut cover = Self {
            labels: crust.labels.clone(),
            collisions: Vec::new(),
            gaps: Vec::new(),
            scratch: vec![NONE; crust.labels.len()],
            near,
            plates_near: Vec::new(),
            busy: Vec::new(),
        };
        cover.survey(surface, crust, count);
        cover
    }

    /// Finds which plates are near each block, after the crust has been written.
    pub(crate) fn survey<S: Surface>(&mut self, surface: &S, crust: &Crust, count: usize) {
        let shape = surface.shape();
        self.labels.copy_from_slice(&crust.labels);
        let words = count.div_ceil(64);
        let mut present = vec![0_u64; shape.blocks() * words];
        for block in 0..shape.blocks() {
            let (first, columns, rows) = shape.block_at(block);
            let bits = &mut present[block * words..][..words];
            for j in 0..rows {
                for &label in &crust.labels[first + j * shape.width..][..columns] {
                    bits[label as usize / 64] |= 1 << (label % 64);
                }
            }
        }
        self.plates_near = self
            .near
            .iter()
            .map(|blocks| {
                let mut bits = vec![0_u64; words];
                for &block in blocks {
                    let other = &present[block as usize * words..][..words];
                    bits.iter_mut().zip(other).for_each(|(bits, other)| *bits |= other);
                }
                let has = |plate: &u16| bits[*plate as usize / 64] & (1 << (*plate % 64)) != 0;
                (0..count as u16).filter(has).collect()
            })
            .collect();
        self.busy = (0..shape.blocks() as u32)
            .filter(|&block| self.plates_near[block as usize].len() > 1)
            .collect();
    }

    /// Finds who covers each cell after the turns of `plates`.
    pub(crate) fn look<S: Surface>(
        &mut self,
        surface: &S,
        crust: &Crust,
        plates: &[Plate],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let shape = surface.shape();
        let back: Vec<S::Way> = plates.iter().map(|plate| surface.way_back(&plate.turn)).collect();
        let (busy, plates_near) = (&self.busy, &self.plates_near);
        // Each block by itself, then into its place.
        let found = par::map(busy.len(), |k| {
            let block = busy[k] as usize;
            let (first, columns, rows) = shape.block_at(block);
            let near = &plates_near[block];
            let mut labels = vec![GAP; columns * rows];
            let mut collisions = Vec::new();
            let mut sources = vec![NONE; near.len() * columns];
            let mut covers = vec![0_u64; near.len()];
            for (j, labels) in labels.chunks_mut(columns).enumerate() {
                let start = first + j * shape.width;
                // The cells of the row that each plate covers, bit by bit; those that any and that many do.
                let (mut once, mut twice) = (0, 0);
                for (n, &plate) in near.iter().enumerate() {
                    let sources = &mut sources[n * columns..][..columns];
                    surface.sources(&back[plate as usize], start, sources);
                    covers[n] = bits(sources, |&source| {
                        crust.labels.get(source as usize).is_some_and(|&label| label == plate)
                    });
                    twice |= once & covers[n];
                    once |= covers[n];
                }
                for (&plate, covers) in near.iter().zip(&covers) {
                    for (i, label) in labels.iter_mut().enumerate() {
                        *label = if covers >> i & 1 == 1 { plate } else { *label };
                    }
                }
                while twice > 0 {
                    let i = twice.trailing_zeros() as usize;
                    twice &= twice - 1;
                    let mut above: Option<Claim> = None;
                    for (n, &plate) in
                        near.iter().enumerate().filter(|(n, _)| covers[*n] >> i & 1 == 1)
                    {
                        let source = sources[n * columns + i] as usize;
                        let claim = Claim { plate, land: crust.land[source] > 0 };
                        let Some(top) = above else {
                            above = Some(claim);
                            continue;
                        };
                        let (over, under) =
                            if claim.is_above(&top, plates) { (claim, top) } else { (top, claim) };
                        if under.land {
                            collisions.push(((start + i) as u32, over.plate, under.plate));
                        }
                        above = Some(over);
                    }
                    labels[i] = above.map_or(GAP, |claim| claim.plate);
                }
            }
            (labels, collisions)
        });
        ctx.check()?;
        self.collisions.clear();
        self.gaps.clear();
        for (k, (labels, collisions)) in found.iter().enumerate() {
            let (first, columns, _) = shape.block_at(self.busy[k] as usize);
            for (j, row) in labels.chunks(columns).enumerate() {
                let start = first + j * shape.width;
                self.labels[start..start + columns].copy_from_slice(row);
                let gaps = row.iter().enumerate().filter(|(_, label)| **label == GAP);
                let gap = |(i, _)| Gap { cell: (start + i) as u32, origin: NONE, depth: 0 };
                self.gaps.extend(gaps.map(gap));
            }
            self.collisions.extend_from_slice(collisions);
        }
        self.fill_gaps(surface);
        Ok(())
    }

    /// Gives the cells of gaps to the nearest plate, ring by ring.
    fn fill_gaps<S: Surface>(&mut self, surface: &S) {
        let mut open = std::mem::take(&mut self.gaps);
        let mut origins = std::mem::take(&mut self.scratch);
        let mut depth = 0;
        while !open.is_empty() {
            depth += 1;
            let mut ring = Vec::new();
            let mut rest = Vec::with_capacity(open.len());
            for gap in open {
                let around = surface.neighbours(gap.cell as usize);
                let from = around.iter().find(|&&n| n != NONE && self.labels[n as usize] != GAP);
                match from {
                    Some(&from) => {
                        let known = origins[from as usize];
                        let origin = if known == NONE { from } else { known };
                        ring.push((Gap { origin, depth, ..gap }, self.labels[from as usize]));
                    }
                    None => rest.push(gap),
                }
            }
            if ring.is_empty() {
                // Nothing is covered at all: it is the first plate's.
                rest.iter().for_each(|gap| self.labels[gap.cell as usize] = 0);
                self.gaps.extend(rest.into_iter().map(|gap| Gap {
                    origin: gap.cell,
                    depth,
                    ..gap
                }));
                break;
            }
            for (gap, label) in ring {
                self.labels[gap.cell as usize] = label;
                origins[gap.cell as usize] = gap.origin;
                self.gaps.push(gap);
            }
            open = rest;
        }
        self.gaps.iter().for_each(|gap| origins[gap.cell as usize] = NONE);
        self.scratch = origins;
    }

    /// The crust where it is now, after a [look](Self::look), and how many m² of continent have been stretched.
    pub(crate) fn rewritten<S: Surface>(
        &mut self,
        surface: &S,
        crust: &Crust,
        plates: &[Plate],
        (now, elapsed): (f64, f64),
    ) -> (Crust, f64) {
        let shape = surface.shape();
        let back: Vec<S::Way> = plates.iter().map(|plate| surface.way_back(&plate.turn)).collect();
        let labels = self.labels.clone();
        let mut made = vec![(0_u8, 0.0_f32); shape.cells()];
        par::for_each_row(&mut made, shape.width, |row, made| {
            let mut first = row * shape.width;
            let mut sources = vec![NONE; shape.width];
            let mut made = made;
            for cells in labels[first..first + shape.width].chunk_by(|a, b| a == b) {
                surface.sources(&back[cells[0] as usize], first, &mut sources[..cells.len()]);
                for (made, &source) in made.iter_mut().zip(&sources[..cells.len()]) {
                    if source != NONE {
                        *made = (crust.land[source as usize], crust.birth[source as usize]);
                    }
                }
                first += cells.len();
                made = &mut made[cells.len()..];
            }
        });
        let stretched = self.fill_crust(surface, &mut made, (now, elapsed));
        let land = made.iter().map(|&(land, _)| land).collect();
        let birth = made.iter().map(|&(_, birth)| birth).collect();
        (Crust { labels, land, birth }, stretched)
    }

    /// Makes crust in the gaps: a rim of stretched continent, then ocean floor, the younger the nearer to the ridge.
    fn fill_crust<S: Surface>(
        &mut self,
        surface: &S,
        made: &mut [(u8, f32)],
        (now, elapsed): (f64, f64),
    ) -> f64 {
        /// In a gap, but not reached from a ridge.
        const FAR: u32 = NONE - 1;
        let mut to_ridge = std::mem::take(&mut self.scratch);
        self.gaps.iter().for_each(|gap| to_ridge[gap.cell as usize] = FAR);
        let is_ridge = |cell: u32| {
            let own = self.labels[cell as usize];
            let around = surface.neighbours(cell as usize);
            around.iter().any(|&n| n != NONE && self.labels[n as usize] != own)
        };
        let mut ring: Vec<u32> =
            self.gaps.iter().map(|gap| gap.cell).filter(|&cell| is_ridge(cell)).collect();
        ring.iter().for_each(|&cell| to_ridge[cell as usize] = 0);
        let mut away = 0;
        while !ring.is_empty() {
            away += 1;
            let mut next = Vec::new();
            for cell in ring {
                for n in surface.neighbours(cell as usize) {
                    if n != NONE && to_ridge[n as usize] == FAR {
                        to_ridge[n as usize] = away;
                        next.push(n);
                    }
                }
            }
            ring = next;
        }
        let mut stretched = 0.0;
        for gap in &self.gaps {
            let steps = to_ridge[gap.cell as usize];
            let (land, birth) = made[gap.origin as usize];
            let is_narrow = steps != FAR && steps + gap.depth <= 2;
            let value = if land > 0 && is_narrow {
                (land, birth)
            } else if land > 0 && land < BREAKS && gap.depth == 1 {
                (land + 1, birth)
            } else {
                let share = if steps == FAR {
                    1.0
                } else {
                    f64::from(steps) / f64::from(steps + gap.depth)
                };
                (0, (now - elapsed * share) as f32)
            };
            if value.0 > 0 {
                stretched += surface.area(gap.cell as usize);
            }
            made[gap.cell as usize] = value;
        }
        self.gaps.iter().for_each(|gap| to_ridge[gap.cell as usize] = NONE);
        self.scratch = to_ridge;
        stretched
    }
}
