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
use crate::stage::Field;
use crate::topology::Topology;
use crate::view::View;
use crate::{Cancelled, Ctx, Extent, Lattice, Layer, Seed, math, par};

/// Height of the edge of continents in metres.
const SHELF: f64 = -190.0;
/// How much higher the middle of a large continent is.
const PLATFORM: f64 = 820.0;
/// Half the width of a large continent in metres.
const INLAND: f64 = 1.3e6;
/// Width of the slope from the shelf to the deep sea in metres.
const SLOPE: f64 = 250e3;

/// How rough the ground is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roughness {
    /// Factor of the height of detail.
    pub(crate) detail: f64,
    /// How far coasts and belts are moved by noise, in metres.
    pub(crate) warp: f64,
    pub(crate) seed: Seed,
}

/// What a cell gives to the ground around it.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Metres from the edge of continental crust: positive inland.
    inland: f32,
    /// Height of the ocean floor in metres.
    floor: f32,
    /// How far a place is moved, in the units of points.
    warp: [f32; 3],
}

/// A world that has been made: its ground at any extent.
pub(crate) struct Relief<S> {
    pub(crate) surface: S,
    topology: Topology,
    design: Lattice,
    nodes: Vec<Node>,
    pub(crate) crust: Crust,
    pub(crate) now: f64,
    bins: Bins,
    pub(crate) peaks: Vec<BeltPeak>,
    roughness: Roughness,
}

impl<S: Surface> Relief<S> {
    pub(crate) fn new(
        surface: S,
        (topology, design): (Topology, Lattice),
        (crust, now): (Crust, f64),
        peaks: Vec<BeltPeak>,
        roughness: Roughness,
        ctx: &Ctx<'_>,
    ) -> Result<Self, Cancelled> {
        let (to_sea, _) = distance_to(&surface, |cell| crust.land[cell] == 0, ctx)?;
        let (to_land, _) = distance_to(&surface, |cell| crust.land[cell] > 0, ctx)?;
        let half = 0.5 * surface.cell_size() as f32;
        let farthest = 1e7_f32;
        let inland = |cell: usize| {
            if crust.land[cell] > 0 {
                to_sea[cell].min(farthest) - half
            } else {
                half - to_land[cell].min(farthest)
            }
        };
        let shape = surface.shape();
        let place = (topology, &design);
        let warps = ["x", "y", "z"].map(|axis| {
            let seed = roughness.seed.child("warp").child(axis);
            Octaves::new(place, (9e5, surface.cell_size()), 0.9, 4, seed)
        });
        let unit = roughness.warp / surface.velocity_scale();
        let blank = Node { inland: 0.0, floor: 0.0, warp: [0.0; 3] };
        let mut nodes = vec![blank; shape.cells()];
        par::try_for_each_part(&mut nodes, shape.width, 8, |part, nodes| {
            for (k, node) in nodes.iter_mut().enumerate() {
                let cell = part * 8 * shape.width + k;
                let p = surface.point(cell);
                let age = (now - f64::from(crust.birth[cell])).clamp(0.0, 180.0);
                let moved = [0, 1, 2].map(|axis| unit as f32 * warps[axis].fbm(p));
                *node = Node {
                    inland: inland(cell),
                    floor: -((2150.0 + 350.0 * age.sqrt()).min(5000.0)) as f32,
                    warp: if topology == Topology::Sphere {
                        moved
                    } else {
                        [moved[0], 0.0, moved[2]]
                    },
                };
            }
            ctx.check()
        })?;
        let bins = Bins::new(&surface, &peaks);
        Ok(Self { surface, topology, design, nodes, crust, now, bins, peaks, roughness })
    }

    /// The weighted mean of the nodes around a point.
    #[inline]
    fn node(&self, p: Point) -> Node {
        let stencil = self.surface.stencil(p);
        let mut sum = Node { inland: 0.0, floor: 0.0, warp: [0.0; 3] };
        for (&cell, &weight) in stencil.cells.iter().zip(&stencil.weights) {
            let node = &self.nodes[cell as usize];
            sum.inland += weight * node.inland;
            sum.floor += weight * node.floor;
            for axis in 0..3 {
                sum.warp[axis] += weight * node.warp[axis];
            }
        }
        sum
    }

    /// Where the crust at `p` is read.
    #[inline]
    fn moved(&self, p: Point, node: &Node) -> Point {
        let [x, y, z] = node.warp.map(f64::from);
        self.surface.settled([p[0] + x, p[1] + y, p[2] + z])
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

    /// Calls `f` for each point of `extent`, row by row.
    pub(crate) fn for_each_point(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
        f: impl Fn(Point, &mut f32) + Sync,
    ) -> Result<(), Cancelled> {
        let ground = self.design.ground();
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        let width = extent.width();
        let columns: Vec<[f64; 2]> =
            (0..width).map(|i| self.surface.column(share(extent.x(i), 0))).collect();
        par::try_for_each_part(out, width, 4, |part, samples| {
            for (k, row) in samples.chunks_mut(width).enumerate() {
                let z = self.surface.row(share(extent.z(part * 4 + k), 1));
                for (&x, sample) in columns.iter().zip(row) {
                    f(self.surface.crossing(x, z), sample);
                }
            }
            ctx.check()
        })
    }

    /// The cell whose crust is seen at `p`.
    fn cell(&self, p: Point) -> usize {
        let cell = self.surface.locate(self.moved(p, &self.node(p)));
        if cell == NONE { self.surface.stencil(p).cells[4] as usize } else { cell as usize }
    }
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
    fn fill(
        &self,
        extent: &Extent,
        _view: &View<'_>,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let detail = self.octaves("detail", 2.6e6, 0.44, extent);
        let crests = self.octaves("crests", 3.6e5, 0.8, extent);
        let amplitude = 760.0 * self.roughness.detail;
        self.for_each_point(extent, out, ctx, |p, height| {
            let first = self.node(p);
            let q = self.moved(p, &first);
            let node = self.node(q);
            let base = ground(f64::from(node.inland), f64::from(node.floor));
            let up = self.bins.height_at(&self.surface, q, |_| true);
            let crest = if up.abs() > 1.0 && crests.count() > 0 {
                0.45 + 1.1 * f64::from(crests.ridged(p))
            } else {
                1.0
            };
            let noise = f64::from(detail.fbm(p));
            *height = (base + up * crest + noise * (amplitude + 0.12 * up.max(0.0))) as f32;
        })
    }

    fn fill_extra(
        &self,
        layer: &Layer,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        self.for_each_point(extent, out, ctx, |p, sample| {
            let cell = self.cell(p);
            *sample = match layer.name() {
                "plate" => f32::from(self.crust.labels[cell]),
                "crust" => f32::from(u8::from(self.crust.land[cell] > 0)),
                _ => (self.now as f32 - self.crust.birth[cell]).max(0.0),
            };
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
