//! Which plate covers a cell: convergence where there are two, divergence where there is none.
//!
//! Of two plates the denser one dives: ocean floor under continents, the plate with the older ocean floor under the one with the
//! younger; of two continents the one of the lighter plate. A cell that no plate covers belongs to the nearest: gaps are filled from their edges,
//! cell by cell, so the ridge is in their middle.

use std::ops::Range;

use fearless_simd::{Level, dispatch};

use super::crust::{BREAKS, Crust};
use super::motion::Plate;
use super::surface::{Kinematics, NONE, Shape, Tessellation, inner_neighbours};
use crate::{Cancelled, Ctx, par};

/// No plate.
pub(crate) const GAP: u16 = u16::MAX;

/// The bits of a code that are the plate; the highest says whether its crust is continental.
const PLATE: u16 = GAP >> 1;

/// A cell of a gap that is filled next.
const NEXT: u16 = GAP - 1;

/// A cell that no plate covered.
#[derive(Clone, Copy, Debug)]
struct Gap {
    cell: u32,
    /// The cell from which it was filled.
    origin: u32,
    /// Cells from the edge of the plate.
    depth: u32,
}

/// Who is where.
#[derive(Clone, Debug)]
pub(crate) struct PlateCover {
    /// The plate of each cell.
    pub(crate) labels: Vec<u16>,
    /// Cells with more than one plate, both of them continental: (cell, plate above, plate below).
    pub(crate) collisions: Vec<(u32, u16, u16)>,
    gaps: Vec<Gap>,
    /// Plate and kind of the crust of each cell as it was last written.
    codes: Vec<u16>,
    /// Where the crust is written anew.
    spare: (Vec<u8>, Vec<f32>),
    near: Vec<Vec<u32>>,
    /// The plate of each block when the crust was last written; [`GAP`] where there was more than one.
    written: Vec<u16>,
    /// The blocks in which each plate was then.
    blocks_of: Vec<Vec<u32>>,
    /// The plate that covers all of a block now; [`GAP`] where there is more than one, or a gap.
    owners: Vec<u16>,
    /// For each block the plates that may be in it now.
    plates_near: Vec<Vec<u16>>,
    /// The blocks in which, or at whose edge, there may be a border.
    pub(crate) borders: Vec<u32>,
}

/// A plate that covers a cell, and what decides who is above.
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

/// Two plates that both cover a cell: whether the second is above where both are ocean floor, and where both are continental. What
/// holds is 0xFFFF, and what does not is 0.
struct Pair {
    plates: [u16; 2],
    is_second_above: [u16; 2],
}

/// 0xFFFF or 0.
#[inline(always)]
fn holds(is: bool) -> u16 {
    if is { u16::MAX } else { 0 }
}

impl Pair {
    /// The plates near a block, if there are two.
    fn of(near: &[u16], plates: &[Plate]) -> Option<Self> {
        let &[first, second] = near else { return None };
        let is_second_above = [false, true].map(|land| {
            let [first, second] = [first, second].map(|plate| Claim { plate, land });
            holds(second.is_above(&first, plates))
        });
        Some(Self { plates: [first, second], is_second_above })
    }

    /// Finds who covers a row of cells, which come from cells with these codes; says what is to be noted of each, of any, and of all.
    #[inline(always)]
    fn cover(&self, codes: [&[u16]; 2], labels: &mut [u16], notes: &mut [u16]) -> [u16; 2] {
        // A row of a block is as long as a register or two: no loop for that.
        const ROW: usize = 16;
        let [first, second] = codes;
        match (
            first.as_array::<ROW>(),
            second.as_array::<ROW>(),
            labels.as_mut_array::<ROW>(),
            notes.as_mut_array::<ROW>(),
        ) {
            (Some(first), Some(second), Some(labels), Some(notes)) => {
                self.cover_each([first, second], labels, notes)
            }
            _ => self.cover_each(codes, labels, notes),
        }
    }

    /// The same. There is no branch, so that all cells are found side by side.
    #[inline(always)]
    fn cover_each(
        &self,
        [first, second]: [&[u16]; 2],
        labels: &mut [u16],
        notes: &mut [u16],
    ) -> [u16; 2] {
        let [a, b] = self.plates;
        let [over_ocean, over_land] = self.is_second_above;
        let (mut any, mut all) = (0, u16::MAX);
        let cells = labels.iter_mut().zip(notes).zip(first.iter().zip(second));
        for ((label, note), (&first, &second)) in cells {
            let (is_a, is_b) = (holds(first & PLATE == a), holds(second & PLATE == b));
            let (land_a, land_b) = (holds(first > PLATE), holds(second > PLATE));
            // Land stays above ocean floor.
            let above = (!land_a & (land_b | over_ocean)) | (land_a & land_b & over_land);
            let take_b = is_b & (!is_a | above);
            *label = (take_b & b) | (!take_b & is_a & a) | (!is_a & !is_b & GAP);
            *note = (!is_a & !is_b & OPEN) | (is_a & is_b & land_a & land_b & COLLISION);
            any |= *note;
            all &= *note;
        }
        [any, all]
    }

    /// The plate above and the one below where both are continental.
    fn colliding(&self) -> [u16; 2] {
        let [a, b] = self.plates;
        if self.is_second_above[1] > 0 { [b, a] } else { [a, b] }
    }
}

/// What is to be noted of a cell: no plate covers it, or two continents do.
const OPEN: u16 = 1;
const COLLISION: u16 = 2;

/// The plate above all others that claim a cell; `collide` is told of continents over continents, above and below.
fn top(
    mut claims: impl Iterator<Item = Claim>,
    plates: &[Plate],
    mut collide: impl FnMut(u16, u16),
) -> u16 {
    let Some(mut above) = claims.next() else { return GAP };
    for claim in claims {
        let (over, under) =
            if claim.is_above(&above, plates) { (claim, above) } else { (above, claim) };
        if under.land {
            collide(over.plate, under.plate);
        }
        above = over;
    }
    above.plate
}

/// The stretches of cells side by side that have the same plate. Most are long, so many cells are compared at once.
pub(crate) fn stretches(mut labels: &[u16]) -> impl Iterator<Item = &[u16]> {
    const MANY: usize = 32;
    std::iter::from_fn(move || {
        let &own = labels.first()?;
        let is_own =
            |cells: &&[u16; MANY]| cells.iter().fold(0, |bits, label| bits | (label ^ own)) == 0;
        let start = MANY * labels.as_chunks().0.iter().take_while(is_own).count();
        let rest = labels[start..].iter().take_while(|&&label| label == own).count();
        let stretch;
        (stretch, labels) = labels.split_at(start + rest);
        Some(stretch)
    })
}

/// The plate of some columns of rows of cells; [`GAP`] where there is more than one, or a gap.
#[inline(always)]
fn only_plate(labels: &[u16], width: usize, columns: Range<usize>) -> u16 {
    let only = labels[columns.start];
    for row in labels.chunks(width) {
        let mut others = 0;
        for label in &row[columns.clone()] {
            others |= label ^ only;
        }
        if others != 0 {
            return GAP;
        }
    }
    only
}

/// What is seen in a row of blocks.
#[derive(Default)]
struct Seen {
    /// Blocks, and the plate that covers all of each; [`GAP`] where there is more than one, or a gap.
    owners: Vec<(u32, u16)>,
    collisions: Vec<(u32, u16, u16)>,
    gaps: Vec<u32>,
    /// Of the block that is looked at: where it comes from for each plate near it, codes of its rows that do not come from cells
    /// side by side, and how many plates cover the cells of a row or what is to be noted of them.
    sources: Vec<Option<usize>>,
    gathered: Vec<u16>,
    counts: Vec<u16>,
}

/// Notes where a plate covers a row of cells, which come from cells with these codes.
#[inline(always)]
fn cover(plate: u16, codes: &[u16], labels: &mut [u16], counts: &mut [u16]) {
    #[inline(always)]
    fn each(plate: u16, codes: &[u16], labels: &mut [u16], counts: &mut [u16]) {
        for ((label, count), code) in labels.iter_mut().zip(counts).zip(codes) {
            let covers = holds(code & PLATE == plate);
            *label = (covers & plate) | (!covers & *label);
            *count += covers & 1;
        }
    }
    // A row of a block is as long as a register or two: no loop for that.
    const ROW: usize = 16;
    match (codes.as_array::<ROW>(), labels.as_mut_array::<ROW>(), counts.as_mut_array::<ROW>()) {
        (Some(codes), Some(labels), Some(counts)) => each(plate, codes, labels, counts),
        _ => each(plate, codes, labels, counts),
    }
}

impl PlateCover {
    /// With crust whose labels it takes: while plates move it knows them better.
    pub(crate) fn new<S: Tessellation>(
        surface: &S,
        crust: &mut Crust,
        near: Vec<Vec<u32>>,
        count: usize,
    ) -> Self {
        let mut cover = Self {
            labels: std::mem::take(&mut crust.labels),
            collisions: Vec::new(),
            gaps: Vec::new(),
            codes: vec![0; crust.land.len()],
            spare: (vec![0; crust.land.len()], vec![0.0; crust.birth.len()]),
            written: vec![GAP; near.len()],
            blocks_of: vec![Vec::new(); count],
            owners: Vec::new(),
            plates_near: vec![Vec::new(); near.len()],
            borders: Vec::new(),
            near,
        };
        cover.survey(surface, crust);
        cover
    }

    /// The plate of each cell, and memory for as many numbers.
    pub(crate) fn into_labels(self) -> (Vec<u16>, Vec<f32>) {
        (self.labels, self.spare.1)
    }

    /// The plate of a cell as the crust was last written, and whether it was continental.
    pub(crate) fn written(&self, cell: usize) -> (u16, bool) {
        let code = self.codes[cell];
        (code & PLATE, code > PLATE)
    }

    /// Finds which plates are in each block, after the crust has been written where the labels are.
    pub(crate) fn survey<S: Tessellation>(&mut self, surface: &S, crust: &Crust) {
        let shape = surface.shape();
        let across = shape.block_counts()[0];
        let line = shape.width * shape.block;
        self.blocks_of.iter_mut().for_each(Vec::clear);
        // Both for one row of blocks after the other, which is then at hand.
        let kinds = self.labels.chunks(line).zip(crust.land.chunks(line));
        for (k, (codes, (labels, lands))) in self.codes.chunks_mut(line).zip(kinds).enumerate() {
            for (code, (&label, &land)) in codes.iter_mut().zip(labels.iter().zip(lands)) {
                *code = if land > 0 { label | !PLATE } else { label };
            }
            for block in k * across..(k + 1) * across {
                let (first, columns, _) = shape.block_at(block);
                let left = first % shape.width;
                let only = labels[left];
                self.written[block] = only;
                let mut mark = |label: u16| {
                    let blocks = &mut self.blocks_of[label as usize];
                    if blocks.last() != Some(&(block as u32)) {
                        blocks.push(block as u32);
                    }
                };
                mark(only);
                for row in labels.chunks(shape.width) {
                    let row = &row[left..left + columns];
                    // Most rows are of one plate, which is soon seen.
                    if !row.iter().fold(true, |is_one, &label| is_one & (label == only)) {
                        row.iter().copied().for_each(&mut mark);
                        self.written[block] = GAP;
                    }
                }
            }
        }
        self.owners.clone_from(&self.written);
        self.find_borders(shape);
    }

    /// Finds which plates may be in each block, and where that is only one.
    fn reach<S: Kinematics>(&mut self, surface: &S, back: &[S::Way]) {
        let shape = surface.shape();
        self.plates_near.iter_mut().for_each(Vec::clear);
        let mut found = Vec::new();
        for (plate, blocks) in self.blocks_of.iter().enumerate() {
            for &block in blocks {
                found.clear();
                let near = &self.near[block as usize];
                surface.block_targets(&back[plate], (block as usize, near), &mut found);
                for &target in &found {
                    let plates = &mut self.plates_near[target as usize];
                    if plates.last() != Some(&(plate as u16)) {
                        plates.push(plate as u16);
                    }
                }
            }
        }
        for block in 0..shape.blocks() {
            let mut owner = GAP;
            if let [plate] = self.plates_near[block][..] {
                found.clear();
                let near = &self.near[block];
                surface.block_sources(&back[plate as usize], (block, near), &mut found);
                let is_own = |source: &u32| self.written.get(*source as usize) == Some(&plate);
                owner = if found.iter().all(is_own) { plate } else { GAP };
            }
            if owner != GAP && owner != self.owners[block] {
                let (first, columns, rows) = shape.block_at(block);
                for j in 0..rows {
                    self.labels[first + j * shape.width..][..columns].fill(owner);
                }
            }
            self.owners[block] = owner;
        }
    }

    /// Finds the blocks in which, or at whose east or south edge, there may be a border.
    fn find_borders(&mut self, shape: Shape) {
        let [across, down] = shape.block_counts();
        let owners = &self.owners;
        self.borders.clear();
        for line in 0..shape.faces * down {
            let is_last = line % down + 1 == down;
            for (i, block) in (line * across..(line + 1) * across).enumerate() {
                let own = owners[block];
                let has_border = if is_last || i + 1 == across {
                    self.near[block].iter().any(|&n| owners[n as usize] != own)
                } else {
                    (owners[block + 1] ^ own) | (owners[block + across] ^ own) != 0
                };
                if own == GAP || has_border {
                    self.borders.push(block as u32);
                }
            }
        }
    }

    /// Finds who covers each cell after the turns of `plates`, whose ways back these are.
    pub(crate) fn look<S: Kinematics>(
        &mut self,
        surface: &S,
        plates: &[Plate],
        back: &[S::Way],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let shape = surface.shape();
        self.reach(surface, back);
        let mut labels = std::mem::take(&mut self.labels);
        let across = shape.block_counts()[0];
        let seen = par::map_parts(&mut labels, shape.width, shape.block, |line, labels| {
            let mut seen = Seen::default();
            let blocks = line * across..(line + 1) * across;
            for block in blocks.filter(|&block| self.owners[block] == GAP) {
                dispatch!(Level::new(), _simd => {
                    self.look_at(surface, (plates, back), block, (labels, &mut seen));
                });
            }
            seen
        });
        self.labels = labels;
        ctx.check()?;
        self.collisions.clear();
        self.gaps.clear();
        let mut gaps = Vec::new();
        for seen in seen {
            seen.owners.iter().for_each(|&(block, owner)| self.owners[block as usize] = owner);
            gaps.extend_from_slice(&seen.gaps);
            self.collisions.extend_from_slice(&seen.collisions);
        }
        self.fill_gaps(surface, gaps);
        self.find_borders(shape);
        Ok(())
    }

    /// Finds who covers each cell of a block, and writes it to the labels of its row of blocks.
    #[inline(always)]
    fn look_at<S: Kinematics>(
        &self,
        surface: &S,
        (plates, back): (&[Plate], &[S::Way]),
        block: usize,
        (labels, seen): (&mut [u16], &mut Seen),
    ) {
        let shape = surface.shape();
        let (first, columns, rows) = shape.block_at(block);
        let left = first % shape.width;
        let near = &self.plates_near[block];
        // Where the block comes from as a whole; or else row by row.
        let source = |&plate: &u16| surface.source(&back[plate as usize], first, [columns, rows]);
        let Seen { owners, collisions, gaps, sources, gathered, counts } = seen;
        sources.clear();
        sources.extend(near.iter().map(source));
        let pair = Pair::of(near, plates);
        gathered.resize(near.len() * columns, GAP);
        counts.resize(columns, 0);
        for j in 0..rows {
            let start = first + j * shape.width;
            let labels = &mut labels[left + j * shape.width..][..columns];
            if let (Some(pair), &[Some(one), Some(other)]) = (&pair, &sources[..]) {
                // Nearly always there are two, and what decides between them is the same for all cells.
                let one = &self.codes[one + j * shape.width..][..columns];
                let other = &self.codes[other + j * shape.width..][..columns];
                let [any, all] = pair.cover([one, other], labels, counts);
                if all == OPEN {
                    gaps.extend(start as u32..(start + columns) as u32);
                } else if any != 0 {
                    let [over, under] = pair.colliding();
                    for (cell, &note) in (start as u32..).zip(&*counts) {
                        match note {
                            OPEN => gaps.push(cell),
                            COLLISION => collisions.push((cell, over, under)),
                            _ => {}
                        }
                    }
                }
                continue;
            }
            labels.fill(GAP);
            counts.fill(0);
            for (k, &plate) in near.iter().enumerate() {
                let codes = match sources[k] {
                    Some(source) => &self.codes[source + j * shape.width..][..columns],
                    None => {
                        let codes = &mut gathered[k * columns..][..columns];
                        codes.fill(GAP);
                        surface.gather(&back[plate as usize], start, &self.codes, codes);
                        codes
                    }
                };
                cover(plate, codes, labels, counts);
            }
            // Most rows are covered once everywhere, which is soon seen.
            if counts.iter().fold(true, |is_one, &count| is_one & (count == 1)) {
                continue;
            }
            let code = |k: usize, i: usize| match sources[k] {
                Some(source) => self.codes[source + j * shape.width + i],
                None => gathered[k * columns + i],
            };
            for (i, (label, &count)) in labels.iter_mut().zip(&*counts).enumerate() {
                let cell = (start + i) as u32;
                if count == 0 {
                    gaps.push(cell);
                } else if count > 1 {
                    let codes = near.iter().enumerate().map(|(k, &plate)| (plate, code(k, i)));
                    let claims = codes.filter(|&(plate, code)| code & PLATE == plate);
                    let claims = claims.map(|(plate, code)| Claim { plate, land: code > PLATE });
                    *label = top(claims, plates, |over, under| {
                        collisions.push((cell, over, under));
                    });
                }
            }
        }
        owners.push((block as u32, only_plate(labels, shape.width, left..left + columns)));
    }

    /// The cells of gaps at which a plate may be: those that have nothing but gap around them are left out, since of most gaps that is
    /// the larger part.
    fn outer<S: Tessellation>(&self, surface: &S, open: &[u32]) -> Vec<u32> {
        let width = surface.shape().width;
        let is_inner =
            |cell: usize| cell > width && surface.neighbours(cell) == inner_neighbours(cell, width);
        let mut found = Vec::with_capacity(open.len() / 2);
        // All bits of three cells one above the other, which are gap if all of these are.
        let mut columns = Vec::new();
        for stretch in open.chunk_by(|a, b| a + 1 == *b) {
            let (first, count) = (stretch[0] as usize, stretch.len());
            let is_within = first / width == (first + count - 1) / width
                && is_inner(first)
                && is_inner(first + count - 1);
            if !is_within {
                found.extend_from_slice(stretch);
                continue;
            }
            let row = |start: usize| &self.labels[start - 1..][..count + 2];
            let rows = row(first - width).iter().zip(row(first)).zip(row(first + width));
            columns.clear();
            columns.extend(rows.map(|((above, own), below)| above & own & below));
            let is_outer = |around: &[u16]| around[0] & around[1] & around[2] != GAP;
            let cells = stretch.iter().zip(columns.windows(3));
            found.extend(cells.filter(|(_, around)| is_outer(around)).map(|(cell, _)| cell));
        }
        found
    }

    /// Gives the cells of gaps to the nearest plate, ring by ring.
    fn fill_gaps<S: Tessellation>(&mut self, surface: &S, open: Vec<u32>) {
        let mut candidates = self.outer(surface, &open);
        let mut depth = 0;
        let mut found = Vec::new();
        while !candidates.is_empty() {
            depth += 1;
            let ring = self.gaps.len();
            found.clear();
            for &cell in &candidates {
                let around = surface.neighbours(cell as usize);
                // All are looked at: which is the first is hard to foresee.
                let mut filled = 0_u32;
                for (k, &n) in around.iter().enumerate() {
                    let is_filled = self.labels.get(n as usize).is_some_and(|&label| label < NEXT);
                    filled |= u32::from(is_filled) << k;
                }
                if let Some(&origin) = around.get(filled.trailing_zeros() as usize) {
                    self.gaps.push(Gap { cell, origin, depth });
                    found.push(self.labels[origin as usize]);
                }
            }
            for (gap, label) in self.gaps[ring..].iter().zip(&found) {
                self.labels[gap.cell as usize] = *label;
            }
            candidates.clear();
            for gap in &self.gaps[ring..] {
                for n in surface.neighbours(gap.cell as usize) {
                    if n != NONE && self.labels[n as usize] == GAP {
                        self.labels[n as usize] = NEXT;
                        candidates.push(n);
                    }
                }
            }
        }
        if self.gaps.len() < open.len() {
            // Nothing is covered at all: it is the first plate's.
            for cell in open {
                self.labels[cell as usize] = 0;
                self.gaps.push(Gap { cell, origin: cell, depth });
            }
        }
    }

    /// Writes the crust where it is now, after a [look](Self::look). Returns how many m² of continent have been stretched.
    pub(crate) fn rewrite<S: Kinematics>(
        &mut self,
        surface: &S,
        crust: &mut Crust,
        back: &[S::Way],
        (now, elapsed): (f64, f64),
    ) -> f64 {
        let width = surface.shape().width;
        let (mut lands, mut births) = std::mem::take(&mut self.spare);
        par::for_each_row_of_two(&mut lands, &mut births, width, |row, mut land, mut birth| {
            let mut first = row * width;
            for cells in stretches(&self.labels[first..first + width]) {
                let (own_land, next_land) = land.split_at_mut(cells.len());
                let (own_birth, next_birth) = birth.split_at_mut(cells.len());
                let way = &back[cells[0] as usize];
                surface.carry(way, first, (&crust.land, &crust.birth), (own_land, own_birth));
                first += cells.len();
                (land, birth) = (next_land, next_birth);
            }
        });
        let stretched = self.fill_crust(surface, (&mut lands, &mut births), (now, elapsed));
        std::mem::swap(&mut crust.land, &mut lands);
        std::mem::swap(&mut crust.birth, &mut births);
        self.spare = (lands, births);
        stretched
    }

    /// Makes crust in the gaps: a rim of stretched continent, then ocean floor, the younger the nearer to the ridge.
    fn fill_crust<S: Tessellation>(
        &mut self,
        surface: &S,
        (lands, births): (&mut [u8], &mut [f32]),
        (now, elapsed): (f64, f64),
    ) -> f64 {
        /// In a gap, but not reached from a ridge. No plate has this code.
        const FAR: u16 = GAP;
        // All plates have left the map: there is no crust to begin with.
        for cell in self.gaps.iter().filter(|gap| gap.origin == gap.cell).map(|gap| gap.cell) {
            (lands[cell as usize], births[cell as usize]) = (0, 0.0);
        }
        // Ring by ring, so that each cell gets what there is at the edge of its plate.
        for gap in &self.gaps {
            let (cell, origin) = (gap.cell as usize, gap.origin as usize);
            (lands[cell], births[cell]) = (lands[origin], births[origin]);
        }
        // Steps to the ridge, in the place of codes: those are made anew where the crust is written.
        let to_ridge = &mut self.codes;
        self.gaps.iter().for_each(|gap| to_ridge[gap.cell as usize] = FAR);
        let is_ridge = |cell: u32| {
            let own = self.labels[cell as usize];
            let around = surface.neighbours(cell as usize);
            let label = |n: &u32| self.labels.get(*n as usize).copied().unwrap_or(own);
            around.iter().fold(0, |bits, n| bits | (label(n) ^ own)) != 0
        };
        let mut ring: Vec<u32> =
            self.gaps.iter().map(|gap| gap.cell).filter(|&cell| is_ridge(cell)).collect();
        ring.iter().for_each(|&cell| to_ridge[cell as usize] = 0);
        let mut away = 0;
        let mut next = Vec::new();
        while !ring.is_empty() {
            away = (away + 1).min(FAR - 1);
            for cell in ring.drain(..) {
                for n in surface.neighbours(cell as usize) {
                    if n != NONE && to_ridge[n as usize] == FAR {
                        to_ridge[n as usize] = away;
                        next.push(n);
                    }
                }
            }
            std::mem::swap(&mut ring, &mut next);
        }
        let mut stretched = 0.0;
        for gap in &self.gaps {
            let cell = gap.cell as usize;
            let (land, birth) = (lands[cell], births[cell]);
            let is_far = to_ridge[cell] == FAR;
            let steps = u32::from(to_ridge[cell]);
            let is_narrow = !is_far && steps + gap.depth <= 2;
            let value = if land > 0 && is_narrow {
                (land, birth)
            } else if land > 0 && land < BREAKS && gap.depth == 1 {
                (land + 1, birth)
            } else {
                let share =
                    if is_far { 1.0 } else { f64::from(steps) / f64::from(steps + gap.depth) };
                (0, (now - elapsed * share) as f32)
            };
            if value.0 > 0 {
                stretched += surface.area(cell);
            }
            (lands[cell], births[cell]) = value;
        }
        stretched
    }
}
