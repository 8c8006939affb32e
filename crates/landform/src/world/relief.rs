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

use super::belts::{BeltPeak, Bins};
use super::crust::Crust;
use super::distance::distance_to;
use super::noise::Octaves;
use super::surface::{NONE, Point, Surface};
use crate::feature::{Feature, Summit};
use crate::keep::{self, Keep as _, keep_struct};
use crate::stage::Field;
use crate::topology::Topology;
use crate::view::View;
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Layer, Seed, Terrain, math, par};

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

/// Rows whose cells are held at once.
const BAND: usize = 64;

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
pub(crate) struct Relief<S> {
    pub(crate) surface: S,
    topology: Topology,
    design: Lattice,
    /// Of each cell the metres from the edge of continental crust, positive inland, and the height of the ocean floor.
    nodes: Vec<[f32; 2]>,
    /// The cells of `warps`.
    bent: S,
    /// How far the crust at each cell is moved, in the units of points. The fourth number is not used: four are added at once.
    warps: Vec<[f32; 4]>,
    pub(crate) crust: Crust,
    pub(crate) now: f64,
    bins: Bins,
    pub(crate) peaks: Vec<BeltPeak>,
    roughness: Roughness,
}

/// What plates have found out: all of a relief that does not follow from the recipe.
struct Found {
    nodes: Vec<[f32; 2]>,
    warps: Vec<[f32; 4]>,
    crust: Crust,
    now: f64,
    peaks: Vec<BeltPeak>,
}

keep_struct!(Found { nodes, warps, crust, now, peaks });

impl<S: Surface> Relief<S> {
    pub(crate) fn new(
        surface: S,
        (topology, design): (Topology, Lattice),
        (crust, now): (Crust, f64),
        peaks: Vec<BeltPeak>,
        roughness: Roughness,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        // Where no cell around a place is nearer, its height is the same.
        let margin = 5.0 * surface.cell_size();
        let is_sea = |cell: usize| crust.land[cell] == 0;
        let to_sea = distance_to(&surface, is_sea, 2.0 * INLAND + margin, ctx)?;
        let is_land = |cell: usize| crust.land[cell] > 0;
        let to_land = distance_to(&surface, is_land, SLOPE + margin, ctx)?;
        let half = 0.5 * surface.cell_size() as f32;
        let farthest = 1e7_f32;
        let node = |cell: usize| {
            let inland = if crust.land[cell] > 0 {
                to_sea[cell].min(farthest) - half
            } else {
                half - to_land[cell].min(farthest)
            };
            let age = (now - f64::from(crust.birth[cell])).clamp(0.0, 180.0);
            [inland, -((2150.0 + 350.0 * age.sqrt()).min(5000.0)) as f32]
        };
        let shape = surface.shape();
        let nodes: Vec<[f32; 2]> = (0..shape.cells()).map(node).collect();
        drop((to_sea, to_land));
        let place = (topology, &design);
        let bends = ["x", "y", "z"].map(|axis| {
            let seed = roughness.seed.child("warp").child(axis);
            Octaves::new(place, (BEND, surface.cell_size()), 0.9, BENDS, seed)
        });
        let unit = (roughness.warp / surface.velocity_scale()) as f32;
        let bent = bent(&surface, &design);
        let shape = bent.shape();
        let mut warps = vec![[0.0; 4]; shape.cells()];
        par::try_for_each_part(&mut warps, shape.width, 8, |part, warps| {
            let first = part * 8 * shape.width;
            let points: Vec<Point> =
                (first..first + warps.len()).map(|cell| bent.point(cell)).collect();
            let mut bent = vec![0.0; points.len()];
            for (axis, bends) in bends.iter().enumerate() {
                // On a flat map nothing moves up or down.
                if axis != 1 || topology == Topology::Sphere {
                    bends.fbm(&points, &mut bent);
                    warps.iter_mut().zip(&bent).for_each(|(warp, bent)| warp[axis] = unit * bent);
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
        Found { nodes, warps, crust, now, peaks }: Found,
        roughness: Roughness,
    ) -> Self {
        let bins = Bins::new(&surface, &peaks);
        let bent = bent(&surface, &design);
        Self { surface, topology, design, nodes, bent, warps, crust, now, bins, peaks, roughness }
    }

    /// The same from what was [kept](Field::keep) of it; nothing if these bytes cannot be that.
    pub(crate) fn restored(
        surface: S,
        place: (Topology, Lattice),
        roughness: Roughness,
        kept: &[u8],
    ) -> Option<Self> {
        let found: Found = keep::thing(kept)?;
        let Crust { labels, land, birth } = &found.crust;
        let cells = surface.shape().cells();
        let is_whole = found.nodes.len() == cells
            && found.warps.len() == bent(&surface, &place.1).shape().cells()
            && [labels.len(), land.len(), birth.len()] == [cells; 3];
        // No map is as large: what lies farther away cannot be.
        let is_place = |x: f64| x.abs() < 1e15;
        let is_sound = found.peaks.iter().flat_map(|peak| peak.at).all(is_place)
            && found.warps.iter().flatten().all(|&x| is_place(f64::from(x)));
        (is_whole && is_sound).then(|| Self::from_found(surface, place, found, roughness))
    }

    /// Where the crust at the points of a row is read: beside the surface, as far as that is bent.
    fn moved(&self, points: &[Point]) -> Vec<Point> {
        let warps = self.bent.row_means(points, &self.warps);
        let moved = |(p, warp): (&Point, [f32; 4])| {
            let [x, y, z, _] = warp.map(f64::from);
            [p[0] + x, p[1] + y, p[2] + z]
        };
        points.iter().zip(warps).map(moved).collect()
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

    /// Calls `f` for each row of `extent`, with its points.
    fn for_each_row<T: Send>(
        &self,
        extent: &Extent,
        out: &mut [T],
        ctx: &Ctx<'_>,
        f: impl Fn(&[Point], &mut [T]) + Sync,
    ) -> Result<(), Cancelled> {
        let ground = self.design.ground();
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        let width = extent.width();
        let columns: Vec<[f64; 2]> =
            (0..width).map(|i| self.surface.column(share(extent.x(i), 0))).collect();
        par::try_for_each_part(out, width, 4, |part, samples| {
            let mut points = Vec::with_capacity(width);
            for (k, row) in samples.chunks_mut(width).enumerate() {
                let z = self.surface.row(share(extent.z(part * 4 + k), 1));
                points.clear();
                points.extend(columns.iter().map(|&x| self.surface.crossing(x, z)));
                f(&points, row);
            }
            ctx.check()
        })
    }

    /// The cell whose crust is seen at `p`, where that at `moved` is read.
    fn cell(&self, p: Point, moved: Point) -> usize {
        let cell = self.surface.locate(moved);
        if cell == NONE { self.surface.stencil(p).cells[4] as usize } else { cell as usize }
    }
}

/// The cells on which the bends of a surface are kept: two for the shortest, where its own are finer.
fn bent<S: Surface>(surface: &S, design: &Lattice) -> S {
    let shortest = BEND / f64::from(1 << (BENDS - 1));
    let ratio = (0.5 * shortest / surface.cell_size()).floor().max(1.0) as u32;
    surface.of(&design.resampled(design.size.map(|count| (count - 1).div_ceil(ratio) + 1)))
}

/// Height of ground this far inland over an ocean floor of this height, in metres.
fn ground(inland: f64, floor: f64) -> f64 {
    if inland >= 0.0 {
        SHELF + PLATFORM * (inland / INLAND).min(2.0).sqrt()
    } else {
        math::lerp(SHELF, floor, math::smoothstep(0.0, SLOPE, -inland))
    }
}

impl<S: Surface> Field for Relief<S> {
    fn keep(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.nodes.write(&mut out);
        self.warps.write(&mut out);
        self.crust.write(&mut out);
        self.now.write(&mut out);
        self.peaks.write(&mut out);
        out
    }

    fn fill(
        &self,
        extent: &Extent,
        _view: &View<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let detail = self.octaves("detail", 2.6e6, 0.44, extent);
        let crests = self.octaves("crests", 2.6e5, 0.5, extent);
        let amplitude = 760.0 * self.roughness.detail;
        self.for_each_row(extent, out, ctx, |points, heights| {
            let mut noise = vec![0.0; points.len()];
            detail.fbm(points, &mut noise);
            // Base and belts; crests are looked up where there is a belt.
            let mut ground_at = Vec::with_capacity(points.len());
            let (mut columns, mut on_belts) = (Vec::new(), Vec::new());
            for (i, (&p, moved)) in points.iter().zip(self.moved(points)).enumerate() {
                let q = self.surface.settled(moved);
                let around = self.surface.stencil(q);
                let [inland, floor] = around.mean(&self.nodes).map(f64::from);
                let base = ground(inland, floor);
                let up = self.bins.height_at(&self.surface, (q, around.cells[4]), |_| true);
                if up.abs() > 1.0 && !crests.is_empty() {
                    columns.push(i);
                    on_belts.push(p);
                }
                ground_at.push((base, up, 1.0));
            }
            let mut ridges = vec![0.0; on_belts.len()];
            crests.ridged(&on_belts, &mut ridges);
            for (i, ridge) in columns.into_iter().zip(ridges) {
                ground_at[i].2 = 0.3 + 1.1 * f64::from(ridge);
            }
            for ((height, (base, up, crest)), noise) in heights.iter_mut().zip(ground_at).zip(noise)
            {
                let noise = f64::from(noise) * (amplitude + 0.12 * up.max(0.0));
                *height = (base + up * crest + noise) as f32;
            }
        })
    }

    fn fill_layers(
        &self,
        layers: &[Layer],
        now: &Terrain,
        out: &mut [Grid],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let extent = now.extent();
        let value = |layer: &Layer, cell: usize| match layer.name() {
            "plate" => f32::from(self.crust.labels[cell]),
            "crust" => f32::from(u8::from(self.crust.land[cell] > 0)),
            _ => (self.now as f32 - self.crust.birth[cell]).max(0.0),
        };
        let width = extent.width();
        let mut cells = vec![0_u32; width * BAND.min(extent.height())];
        for first in (0..extent.height()).step_by(BAND) {
            let band = extent.rows(first, BAND.min(extent.height() - first));
            let cells = &mut cells[..band.len()];
            self.for_each_row(&band, cells, ctx, |points, cells| {
                for ((&p, moved), cell) in points.iter().zip(self.moved(points)).zip(cells) {
                    *cell = self.cell(p, moved) as u32;
                }
            })?;
            for (layer, grid) in layers.iter().zip(&mut *out) {
                let samples = &mut grid.samples_mut()[first * width..];
                for (sample, &cell) in samples.iter_mut().zip(&*cells) {
                    *sample = value(layer, cell as usize);
                }
            }
        }
        Ok(())
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
