//! Height from crust, age and belts, at any resolution.
//!
//! ```text
//! continent   h = S + P √(D / D_0)                     D distance from its edge, S the shelf, P the platform
//! slope       from S down to the floor over 250 km
//! ocean floor h = −(2150 + 350 √t) m, at most 5000 m, t age in million years (after Parsons & Sclater 1977)
//! belts       Σ tents × (a + b·crests)                 crests of ridged noise
//! detail      fBm in space, the same at every resolution
//! ```
//!
//! Crust lives on the cells of the plates and is read with a quadratic B-spline at a place that is a little moved by noise;
//! belts and detail are functions of the place alone. So another size is the same world with more or less detail.

use fearless_simd::{Level, Simd, dispatch};

use super::belts::{BeltPeak, Bins};
use super::crinkles::{self, Crinkles};
use super::crust::Crust;
use super::noise::Octaves;
use super::row_noise::{Columns, ROWS, Rows};
use super::surface::{Around, Point, Surface, TOGETHER, Tessellation};
use crate::feature::{Feature, Summit};
use crate::keep::{self, Keep as _};
use crate::stage::{Field, FieldOutput, Simulated};
use crate::terrain_view::TerrainView;
use crate::topology::Topology;
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Seed, math, par};

/// Height of the edge of continents in metres.
const SHELF: f64 = -190.0;
/// How much higher the middle of a large continent is.
const PLATFORM: f64 = 820.0;
/// Half the width of a large continent in metres.
const INLAND: f64 = 1.3e6;
/// Width of the slope from the shelf to the deep sea in metres.
const SLOPE: f64 = 250e3;

/// Longest wavelength of the noise that bends coasts and belts, in metres, and its number of octaves.
const BEND: f64 = 9e5;
const BENDS: u32 = 4;

/// What is found along a row.
#[derive(Clone, Debug)]
struct RowRelief {
    /// Height without belts and detail.
    base: Vec<f64>,
    /// What belts add.
    up: Vec<f64>,
    /// The cells whose crust is seen.
    cells: Vec<u32>,
    /// Where that crust is, if borders are to be [crinkled](Crinkles).
    places: Vec<Point>,
}

impl RowRelief {
    fn of(width: usize, crinkles: Option<&Crinkles>) -> Self {
        let places = if crinkles.is_some() { vec![[0.0; 3]; width] } else { Vec::new() };
        Self { base: vec![0.0; width], up: vec![0.0; width], cells: vec![0; width], places }
    }
}

/// A part of [`RowRelief`]; no places if these are not needed.
struct RowReliefSlice<'a> {
    base: &'a mut [f64],
    up: &'a mut [f64],
    cells: &'a mut [u32],
    places: &'a mut [Point],
}

/// What is made along a row, one after the other.
struct Work<'a> {
    detail: Rows<'a>,
    ground: RowRelief,
    details: Vec<f32>,
    /// The places on belts, which column each is in, and how high crests are there.
    on_belts: (Vec<Point>, Vec<u32>, Vec<f32>),
    /// What belts are multiplied by.
    crests: Vec<f64>,
}

/// The noise of an extent.
struct Noise {
    detail: Octaves,
    crests: Octaves,
    /// Height of the detail in metres.
    amplitude: f64,
}

/// How rough the ground is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roughness {
    /// Factor of the height of detail.
    pub(crate) detail: f64,
    /// How far coasts and belts are moved by noise, in metres.
    pub(crate) warp: f64,
    pub(crate) seed: Seed,
}

/// A world that has been made: its ground at any extent.
pub(crate) struct Relief<S: Surface> {
    pub(crate) surface: S,
    topology: Topology,
    design: Lattice,
    /// Of each cell the metres from the edge of continental crust, positive inland, and the height of the ocean floor: two numbers.
    nodes: Vec<f32>,
    /// The cells of `warps`.
    bent: S,
    /// How far the crust at each cell is moved.
    warps: Vec<S::Move>,
    pub(crate) crust: Crust,
    pub(crate) now: f64,
    bins: Bins,
    pub(crate) peaks: Vec<BeltPeak>,
    roughness: Roughness,
}

/// What plates have found out: all of a relief that does not follow from the recipe.
struct Found<M> {
    nodes: Vec<f32>,
    warps: Vec<M>,
    crust: Crust,
    now: f64,
    peaks: Vec<BeltPeak>,
}

impl<S: Surface> Relief<S> {
    pub(crate) fn new(
        surface: S,
        (topology, design): (Topology, Lattice),
        (crust, now, buffer): (Crust, f64, Vec<f32>),
        peaks: Vec<BeltPeak>,
        roughness: Roughness,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        // Where no cell around a place is nearer, its height is the same.
        let margin = 5.0 * surface.cell_size();
        let limits = [2.0 * INLAND + margin, SLOPE + margin];
        let across = surface.distances_across(&crust.land, limits, buffer, ctx)?;
        let half = 0.5 * surface.cell_size() as f32;
        let nodes = nodes_from(across, (now, half), &crust);
        let place = (topology, &design);
        let bends = ["x", "y", "z"].map(|axis| {
            let seed = roughness.seed.child("warp").child(axis);
            Octaves::new(place, (BEND, surface.cell_size()), 0.9, BENDS, seed)
        });
        let unit = (roughness.warp / surface.velocity_scale()) as f32;
        let bent = bent(&surface, &design);
        let shape = bent.shape();
        let row_at = |first: usize| (first..first + shape.width).map(|cell| bent.point(cell));
        let first_row: Vec<Point> = row_at(0).collect();
        let columns = bends.each_ref().map(|bends| Columns::new(bends, &first_row));
        let mut warps = vec![S::Move::default(); shape.cells()];
        par::try_for_each_part(&mut warps, shape.width, ROWS, |part, warps| {
            let mut bends = columns.each_ref().map(Columns::rows);
            let mut bent = vec![0.0; shape.width];
            for (k, warps) in warps.chunks_mut(shape.width).enumerate() {
                let needed = if topology == Topology::Sphere { shape.width } else { 1 };
                let row = row_at((part * ROWS + k) * shape.width);
                let points: Vec<Point> = row.take(needed).collect();
                for (k, &axis) in S::AXES.iter().enumerate() {
                    bends[axis].fbm(&points, &mut bent);
                    let warps = warps.iter_mut().zip(&bent);
                    warps.for_each(|(warp, bent)| warp.as_mut()[k] = unit * bent);
                }
            }
            ctx.check()
        })?;
        let found = Found { nodes, warps, crust, now, peaks };
        Ok(Self::from_found(surface, (topology, design), found, roughness))
    }

    fn from_found(
        surface: S,
        (topology, design): (Topology, Lattice),
        Found { nodes, warps, crust, now, peaks }: Found<S::Move>,
        roughness: Roughness,
    ) -> Self {
        let bins = Bins::new(&surface, &peaks);
        let bent = bent(&surface, &design);
        Self { surface, topology, design, nodes, bent, warps, crust, now, bins, peaks, roughness }
    }

    /// The same from what was [kept](crate::stage::Simulated::keep) of it; nothing if these bytes cannot be that.
    pub(crate) fn restored(
        surface: S,
        place: (Topology, Lattice),
        roughness: Roughness,
        kept: &[u8],
    ) -> Option<Self> {
        let (nodes, warps, crust, (now, peaks)) = keep::thing(kept)?;
        let found = Found { nodes, warps, crust, now, peaks };
        let Crust { labels, land, birth } = &found.crust;
        let cells = surface.shape().cells();
        let is_whole = found.nodes.len() == 2 * cells
            && found.warps.len() == bent(&surface, &place.1).shape().cells()
            && [labels.len(), land.len(), birth.len()] == [cells; 3];
        // No map is as large: what lies farther away cannot be.
        let is_place = |x: f64| x.abs() < 1e15;
        let is_sound = found.peaks.iter().flat_map(|peak| peak.at).all(is_place)
            && found
                .warps
                .iter()
                .flat_map(|warp: &S::Move| warp.as_ref())
                .all(|&x| is_place(f64::from(x)));
        (is_whole && is_sound).then(|| Self::from_found(surface, place, found, roughness))
    }

    /// Metres between the samples of an extent, for the finest detail that it shows.
    fn spacing(extent: &Extent) -> f64 {
        let [dx, dz] = extent.lattice().spacing;
        dx.max(dz)
    }

    fn octaves(&self, name: &str, longest: f64, h: f64, extent: &Extent) -> Octaves {
        let place = (self.topology, &self.design);
        let seed = self.roughness.seed.child(name);
        Octaves::new(place, (longest, Self::spacing(extent)), h, 16, seed)
    }

    /// The places of a sample along an axis of the map, as shares of its length.
    fn share(&self, at: f64, axis: usize) -> f64 {
        let ground = self.design.ground();
        if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 }
    }

    /// What all points of each column of `extent` have in common.
    fn columns(&self, extent: &Extent) -> Vec<[f64; 2]> {
        (0..extent.width()).map(|i| self.surface.column(self.share(extent.x(i), 0))).collect()
    }

    /// The points of the first row of `extent`.
    fn first_row(&self, extent: &Extent) -> Vec<Point> {
        let z = self.surface.row(self.share(extent.z(0), 1));
        self.columns(extent).into_iter().map(|x| self.surface.crossing(x, z)).collect()
    }

    /// Calls `f` for each row of `extent`, with its points, with what `begin` gave for its part of the rows, and with this row of
    /// all `grids`.
    fn for_each_row<'a, B>(
        &self,
        extent: &Extent,
        grids: impl Iterator<Item = &'a mut [f32]>,
        ctx: &Ctx<'_>,
        begin: impl Fn() -> B + Sync,
        f: impl Fn(&mut B, &[Point], &mut [&mut [f32]]) + Sync,
    ) -> Result<(), Cancelled> {
        let width = extent.width();
        let columns = self.columns(extent);
        par::try_for_each_part_of_all(grids, width, ROWS, |part, grids| {
            let mut points = Vec::with_capacity(width);
            let mut begun = begin();
            let first = part * ROWS;
            let mut grids: Vec<_> = grids.into_iter().map(|rows| rows.chunks_mut(width)).collect();
            for j in first..(first + ROWS).min(extent.height()) {
                ctx.check()?;
                let z = self.surface.row(self.share(extent.z(j), 1));
                points.clear();
                points.extend(columns.iter().map(|&x| self.surface.crossing(x, z)));
                let mut rows: Vec<_> = grids.iter_mut().filter_map(Iterator::next).collect();
                f(&mut begun, &points, &mut rows);
            }
            Ok(())
        })
    }

    /// What is found at places in a row: see [`RowRelief`]. Those of a part of it are looked up together.
    fn look(&self, across: &S::Across, points: &[Point], found: &mut RowRelief) {
        // The crust at a place is read beside it, as far as the surface is bent.
        let warps = self.bent.row_means(across, points, &self.warps);
        for (part, (points, warps)) in
            points.chunks(TOGETHER).zip(warps.chunks(TOGETHER)).enumerate()
        {
            let these = part * TOGETHER..part * TOGETHER + points.len();
            let RowRelief { base, up, cells, places } = &mut *found;
            let places = places.get_mut(these.clone()).unwrap_or_default();
            let base = &mut base[these.clone()];
            let found = RowReliefSlice {
                base,
                up: &mut up[these.clone()],
                cells: &mut cells[these],
                places,
            };
            dispatch!(Level::new(), simd => self.look_together(simd, points, warps, found));
        }
    }

    #[inline(always)]
    fn look_together<V: Simd>(
        &self,
        simd: V,
        points: &[Point],
        warps: &[S::Move],
        RowReliefSlice { base, up, cells, places }: RowReliefSlice<'_>,
    ) {
        let mut around = Around::NOTHING;
        let (mut moved, mut settled) = ([[0.0; 3]; TOGETHER], [[0.0; 3]; TOGETHER]);
        for (k, (p, warp)) in points.iter().zip(warps).enumerate() {
            moved[k] = self.surface.moved(*p, *warp);
            settled[k] = self.surface.settled(moved[k]);
        }
        for (place, moved) in places.iter_mut().zip(&moved) {
            *place = *moved;
        }
        let settled = &settled[..points.len()];
        let nodes = (self.nodes.as_chunks().0, self.bins.shape());
        self.surface.look_around(simd, settled, nodes, &mut around);
        let Around { means: [inlands, floors], cells: own, blocks } = &around;
        for ((base, &inland), &floor) in base.iter_mut().zip(inlands).zip(floors) {
            *base = ground(f64::from(inland), f64::from(floor));
        }
        up.fill(0.0);
        self.bins.raise(simd, &self.surface, (settled, &blocks[..points.len()]), up);
        for (k, cell) in cells.iter_mut().enumerate() {
            // Beyond an edge there is no crust: it is that of the place itself.
            let is_there = self.surface.holds(moved[k]);
            *cell = if is_there { own[k] } else { self.surface.stencil(points[k]).cells[4] };
        }
    }

    /// What is needed to make rows of this width.
    fn work<'a>(detail: &'a Columns<'a>, width: usize, crinkles: Option<&Crinkles>) -> Work<'a> {
        Work {
            detail: detail.rows(),
            ground: RowRelief::of(width, crinkles),
            details: vec![0.0; width],
            on_belts: Default::default(),
            crests: vec![1.0; width],
        }
    }

    /// Heights along a row; the ground of `work` is then what has been found there.
    fn sample(
        &self,
        (noise, across): (&Noise, &S::Across),
        work: &mut Work<'_>,
        points: &[Point],
        out: &mut [f32],
    ) {
        let Work { detail, ground, details, on_belts: (places, columns, ridges), crests } = work;
        detail.fbm(points, details);
        self.look(across, points, ground);
        // Crests are looked up where there is a belt.
        places.clear();
        columns.clear();
        if !noise.crests.is_empty() {
            for (k, (p, up)) in points.iter().zip(&ground.up).enumerate() {
                if up.abs() > 1.0 {
                    places.push(*p);
                    columns.push(k as u32);
                }
            }
        }
        ridges.clear();
        ridges.resize(places.len(), 0.0);
        noise.crests.ridged(places, ridges);
        crests.fill(1.0);
        for (&column, &ridge) in columns.iter().zip(&*ridges) {
            crests[column as usize] = 0.3 + 1.1 * f64::from(ridge);
        }
        dispatch!(Level::new(), _simd => join(noise.amplitude, (ground, crests, details), out));
    }

    /// What crinkles the borders of cells, if samples are finer than these.
    fn crinkles(&self, extent: &Extent) -> Option<Crinkles> {
        let cell = self.surface.cell_size();
        if Self::spacing(extent) > 0.75 * cell {
            return None;
        }
        let noise = ["crinkle x", "crinkle y", "crinkle z"]
            .map(|name| self.octaves(name, crinkles::LONGEST * cell, 0.8, extent));
        Some(Crinkles::new(&self.surface, &self.crust, noise))
    }

    fn noise(&self, extent: &Extent) -> Noise {
        Noise {
            detail: self.octaves("detail", 2.6e6, 0.44, extent),
            crests: self.octaves("crests", 2.6e5, 0.5, extent),
            amplitude: 760.0 * self.roughness.detail,
        }
    }

    /// Writes a row of layers from the cells whose crust is seen.
    fn write_layers(
        &self,
        layers: &[&Layer],
        (points, ground): (&[Point], &mut RowRelief),
        crinkles: Option<&Crinkles>,
        out: &mut [&mut [f32]],
    ) {
        if let Some(crinkles) = crinkles {
            crinkles.apply(&self.surface, points, (&ground.places, &mut ground.cells));
        }
        let cells = &ground.cells;
        let Crust { labels, land, birth } = &self.crust;
        let now = self.now as f32;
        for (layer, row) in layers.iter().zip(out) {
            let samples = row.iter_mut().zip(cells.iter().map(|&cell| cell as usize));
            match layer {
                Layer::Plate => {
                    samples.for_each(|(sample, cell)| *sample = f32::from(labels[cell]));
                }
                Layer::Crust => samples.for_each(|(sample, cell)| {
                    *sample = if land[cell] > 0 { 1.0 } else { 0.0 };
                }),
                Layer::CrustAge => {
                    samples.for_each(|(sample, cell)| *sample = birth[cell]);
                    row.iter_mut().for_each(|sample| *sample = (now - *sample).max(0.0));
                }
                other => unreachable!("plates give no layer {other}"),
            }
        }
    }
}

/// Summits above [`HIGH`] are worn down, the higher the more: however fine the lattice on which crests are looked at, none
/// is more than 4 km higher.
#[inline(always)]
fn weathered(height: f64) -> f64 {
    let above = if height > HIGH { height - HIGH } else { 0.0 };
    height - above + above / (1.0 + above / 4000.0)
}

/// Metres above which summits are worn down.
const HIGH: f64 = 6500.0;

/// The cells on which the bends of a surface are kept: two for the shortest, where its own are finer.
fn bent<S: Tessellation>(surface: &S, design: &Lattice) -> S {
    let shortest = BEND / f64::from(1 << (BENDS - 1));
    let ratio = (0.5 * shortest / surface.cell_size()).floor().max(1.0) as u32;
    surface.of(&design.resampled(design.size.map(|count| (count - 1).div_ceil(ratio) + 1)))
}

/// The nodes of a relief from distances across, the time, and half the width of a cell. They take the place of the distances, the
/// last first: new memory would have to be got from the system.
fn nodes_from(mut across: Vec<f32>, when: (f64, f32), crust: &Crust) -> Vec<f32> {
    const MANY: usize = 1024;
    let count = across.len();
    across.resize(2 * count, 0.0);
    let mut distances = [0.0; MANY];
    for first in (0..count).step_by(MANY).rev() {
        let cells = first..count.min(first + MANY);
        let distances = &mut distances[..cells.len()];
        distances.copy_from_slice(&across[cells.clone()]);
        let nodes = across[2 * first..].as_chunks_mut().0;
        let cells = (&*distances, &crust.land[cells.clone()], &crust.birth[cells]);
        dispatch!(Level::new(), _simd => make_nodes(when, cells, nodes));
    }
    across
}

/// Metres inland and the height of the ocean floor from distances, crust, the time and half the width of a cell.
#[inline(always)]
fn make_nodes(
    (now, half): (f64, f32),
    (across, land, birth): (&[f32], &[u8], &[f32]),
    nodes: &mut [[f32; 2]],
) {
    const FARTHEST: f32 = 1e7;
    let count = across.len();
    let (land, birth, nodes) = (&land[..count], &birth[..count], &mut nodes[..count]);
    for k in 0..count {
        let metres = if across[k] < FARTHEST { across[k] } else { FARTHEST } - half;
        let age = now - f64::from(birth[k]);
        let age = if age < 180.0 { age } else { 180.0 };
        let depth = 2150.0 + 350.0 * (if age > 0.0 { age } else { 0.0 }).sqrt();
        let floor = -(if depth < 5000.0 { depth } else { 5000.0 }) as f32;
        nodes[k] = [if land[k] > 0 { metres } else { -metres }, floor];
    }
}

/// Joins belts and detail to the ground of a row.
#[inline(always)]
fn join(amplitude: f64, (ground, crests, details): (&RowRelief, &[f64], &[f32]), out: &mut [f32]) {
    let count = out.len();
    let (base, up) = (&ground.base[..count], &ground.up[..count]);
    let (crests, details) = (&crests[..count], &details[..count]);
    for k in 0..count {
        let rough = amplitude + 0.12 * if up[k] > 0.0 { up[k] } else { 0.0 };
        let detail = f64::from(details[k]) * rough;
        out[k] = weathered(base[k] + up[k] * crests[k] + detail) as f32;
    }
}

/// Height of ground this far inland over an ocean floor of this height, in metres. Of continent and sea both are made and one is
/// taken: without a branch many are made side by side.
#[inline(always)]
fn ground(inland: f64, floor: f64) -> f64 {
    let far = inland / INLAND;
    let land = SHELF + PLATFORM * (if far < 2.0 { far } else { 2.0 }).sqrt();
    let down = -inland / SLOPE;
    let down = if down < 1.0 { down } else { 1.0 };
    let sea = math::lerp(SHELF, floor, down * down * (3.0 - 2.0 * down));
    if inland >= 0.0 { land } else { sea }
}

impl<S: Surface> Field for Relief<S> {
    fn evaluate(
        &self,
        extent: &Extent,
        _view: &TerrainView<'_>,
        out: FieldOutput<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let (layers, grids): (Vec<&Layer>, Vec<&mut [f32]>) = out.layers.into_iter().unzip();
        let row = self.first_row(extent);
        let across = self.bent.across(&row);
        let crinkles = if layers.is_empty() { None } else { self.crinkles(extent) };
        let Some(heights) = out.values else {
            let begin = || RowRelief::of(extent.width(), crinkles.as_ref());
            return self.for_each_row(
                extent,
                grids.into_iter(),
                ctx,
                begin,
                |ground, points, rows| {
                    self.look(&across, points, ground);
                    self.write_layers(&layers, (points, ground), crinkles.as_ref(), rows);
                },
            );
        };
        let noise = self.noise(extent);
        let columns = Columns::new(&noise.detail, &row);
        let begin = || Self::work(&columns, extent.width(), crinkles.as_ref());
        let grids = std::iter::once(heights).chain(grids);
        self.for_each_row(extent, grids, ctx, begin, |work, points, rows| {
            let [heights, rows @ ..] = rows else { return };
            self.sample((&noise, &across), work, points, heights);
            self.write_layers(&layers, (points, &mut work.ground), crinkles.as_ref(), rows);
        })
    }

    fn features(&self) -> Vec<Feature> {
        let ground = self.design.ground();
        let summit = |peak: &BeltPeak| {
            let [x, z] = self.surface.to_map(peak.at);
            let (low, high) = (peak.plate.min(peak.other), peak.plate.max(peak.other));
            Feature::Summit(Summit {
                name: format!("{} {low}-{high}", peak.kind.name()),
                x: x * ground[0],
                z: z * ground[1],
                height: peak.height,
                radius: peak.radius,
            })
        };
        self.peaks.iter().map(summit).collect()
    }
}

impl<S: Surface> Simulated for Relief<S> {
    fn keep(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.nodes.write(&mut out);
        self.warps.write(&mut out);
        self.crust.write(&mut out);
        self.now.write(&mut out);
        self.peaks.write(&mut out);
        out
    }
}
