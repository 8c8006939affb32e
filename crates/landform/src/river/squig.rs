//! Squig curves: winding lines by random subdivision of triangles.
//!
//! ```text
//!        C                    C            A river enters a triangle by one marked edge and leaves by another.
//!       / \                  / \           Each edge is cut in two; of a marked edge exactly one half keeps the
//!      /   \    subdivide   /───\          mark. The marks of the inner edges follow: the one way through the four
//!   in ▸    ▸ out   →   in ▸\   / \         children that joins the marked halves.
//!    /       \            /  ▸ \ ▸ \ out
//!   A─────────B          A─────▾────B      The path joins the midpoints of the marked edges.
//! ```
//!
//! Source: Mandelbrot's squig curves as Prusinkiewicz & Hammel (1993) use them for rivers, with edges that are shared
//! between neighbours and marked or neutral, not labelled entry and exit (Alcock 2007, section 4.2.1). Beyond them:
//! each triangle has its own depth; a river may begin and end inside of a triangle; rivers that meet in a triangle are
//! joined there; edges may be cut off their middle, so that no angle repeats.
//!
//! All random numbers belong to an edge, by the place of its midpoint among all levels. So both neighbours agree,
//! and a deeper subdivision of the same seed stays inside the same triangles.

use crate::Seed;

/// The most levels of subdivision.
pub const DEEPEST: u32 = 12;

/// Corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Its place among the corners of all levels: base corners are multiples of 2^[`DEEPEST`], the cut of an edge lies
    /// half way between its ends.
    pub key: [i64; 2],
    /// x and z in metres.
    pub at: [f64; 2],
}

/// An edge, by its ends.
pub type Edge = [Corner; 2];

/// The place of the midpoint of an edge, doubled. No two edges of any level have the same.
pub fn edge_key([a, b]: &Edge) -> [i64; 2] {
    [a.key[0] + b.key[0], a.key[1] + b.key[1]]
}

/// A triangle; edge k lies opposite of corner k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle(pub [Corner; 3]);

impl Triangle {
    /// The edge opposite of corner k.
    pub fn edge(&self, k: usize) -> Edge {
        [self.0[(k + 1) % 3], self.0[(k + 2) % 3]]
    }

    /// The mean of the corners.
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.0.iter().map(|corner| corner.at[axis]).sum::<f64>() / 3.0)
    }

    /// The length of the legs of a right-angled triangle of the same area.
    pub fn size(&self) -> f64 {
        side(self.0[0].at, self.0[1].at, self.0[2].at).abs().sqrt()
    }

    /// Whether a point lies inside or on an edge, but for rounding.
    pub fn contains(&self, point: [f64; 2]) -> bool {
        let sides = [0, 1, 2].map(|k| {
            let [a, b] = self.edge(k);
            side(a.at, b.at, point) * side(a.at, b.at, self.0[k].at).signum()
        });
        let slack = 1e-9 * side(self.0[0].at, self.0[1].at, self.0[2].at).abs();
        sides.iter().all(|&inside| inside >= -slack)
    }

    /// The four children: child k < 3 has corner k, child 3 is the middle one. Edge k of the parent is cut into the
    /// edges k of two corner children, and edge k of the middle child is edge k of child k.
    fn children(&self, cut: &dyn Cut) -> [Self; 4] {
        let cuts = [0, 1, 2].map(|k| cut.corner(&self.edge(k)));
        let corner = |k: usize| {
            let mut corners = [self.0[k]; 3];
            corners[(k + 1) % 3] = cuts[(k + 2) % 3];
            corners[(k + 2) % 3] = cuts[(k + 1) % 3];
            Self(corners)
        };
        [corner(0), corner(1), corner(2), Self(cuts)]
    }
}

/// Above 0 on the left of the line from a to b, below 0 on its right: twice the area of the triangle.
fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// How edges are cut, and which half of a marked edge the river takes.
pub trait Cut {
    /// Where an edge is cut in two.
    fn corner(&self, edge: &Edge) -> Corner;

    /// The end of a marked edge whose half keeps the mark: 0 or 1.
    fn marked(&self, edge: &Edge) -> usize;
}

/// Cuts by chance, drawn to low ground.
pub struct GroundCut<'a> {
    /// The random numbers.
    pub seed: Seed,
    /// 0 cuts every edge in its middle, 1 up to a quarter of its length away from it.
    pub irregularity: f64,
    /// How much likelier the lower half is: 0 not at all, 1 by far.
    pub follow: f64,
    /// Height of the ground at x and z, in metres.
    pub height: &'a dyn Fn(f64, f64) -> f64,
}

impl std::fmt::Debug for GroundCut<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GroundCut").field("follow", &self.follow).finish_non_exhaustive()
    }
}

/// The difference of slope at which low ground is as strong as chance can be.
const NOTICED_SLOPE: f64 = 0.03;

impl Cut for GroundCut<'_> {
    fn corner(&self, edge: &Edge) -> Corner {
        // Both neighbours must cut at the same bits, in whatever order they name the ends.
        let [a, b] = in_order(edge);
        let key = edge_key(&[a, b]);
        let u = self.seed.child("cut").uniform_at(key[0], key[1]);
        let share = 0.5 + 0.5 * self.irregularity * (u - 0.5);
        let at = [0, 1].map(|axis| a.at[axis] + (b.at[axis] - a.at[axis]) * share);
        Corner { key: key.map(|twice| twice / 2), at }
    }

    fn marked(&self, edge: &Edge) -> usize {
        let ordered = in_order(edge);
        let cut = self.corner(edge);
        let key = edge_key(&ordered);
        let [first, second] = ordered.map(|end| {
            let middle = [0, 1].map(|axis| 0.5 * (end.at[axis] + cut.at[axis]));
            (self.height)(middle[0], middle[1])
        });
        let [a, b] = ordered.map(|end| end.at);
        let apart = 0.5 * crate::math::length(b[0] - a[0], b[1] - a[1]);
        // How much lower the first half is, squeezed into −1..1.
        let slope = (second - first) / apart.max(f64::MIN_POSITIVE) / NOTICED_SLOPE;
        let lower = slope / (1.0 + slope.abs());
        let u = self.seed.child("mark").uniform_at(key[0], key[1]);
        let chosen = usize::from(u >= 0.5 + 0.5 * self.follow * lower);
        if ordered[0].key == edge[0].key { chosen } else { 1 - chosen }
    }
}

fn in_order(edge: &Edge) -> Edge {
    if edge[0].key <= edge[1].key { *edge } else { [edge[1], edge[0]] }
}

/// The half of a marked edge that keeps the mark.
pub fn marked_half(cut: &dyn Cut, edge: &Edge) -> Edge {
    [edge[cut.marked(edge)], cut.corner(edge)]
}

/// Where a river comes into a triangle or leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate {
    /// By an edge, which is marked.
    Side(usize),
    /// It begins or ends inside, at this x and z.
    Point([f64; 2]),
}

/// A triangle with water in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The triangle.
    pub triangle: Triangle,
    /// How often it has been divided.
    pub level: u32,
    /// The base triangle that it is part of.
    pub base: usize,
    /// Where rivers come in, and which: at least one.
    pub inlets: Vec<(Gate, usize)>,
    /// Where the water leaves: under the name of the first of the rivers.
    pub outlet: Gate,
}

impl Flow {
    /// The river that goes on; the others end here.
    pub fn river(&self) -> usize {
        self.inlets.iter().map(|&(_, river)| river).min().expect("water comes from somewhere")
    }

    /// The parts of this triangle that have water in them, one level deeper.
    pub fn subdivided(&self, cut: &dyn Cut) -> Vec<Self> {
        const MIDDLE: usize = 3;
        let children = self.triangle.children(cut);
        let child_of = |gate: Gate| match gate {
            // Child k has corner k, and with it the half of the edge that ends there.
            Gate::Side(k) => (k + 1 + cut.marked(&self.triangle.edge(k))) % 3,
            Gate::Point(point) => self.child_around(&children[MIDDLE], point),
        };
        let mut inlets: [Vec<(Gate, usize)>; 4] = Default::default();
        for &(gate, river) in &self.inlets {
            inlets[child_of(gate)].push((gate, river));
        }
        let last = child_of(self.outlet);
        let mut outlets = [None; 4];
        outlets[last] = Some(self.outlet);
        // All ways lead through the middle, so they are settled from the corners inwards and then out.
        let first_river = |inlets: &[(Gate, usize)]| inlets.iter().map(|&(_, river)| river).min();
        for k in (0..3).filter(|&k| k != last) {
            if let Some(river) = first_river(&inlets[k]) {
                outlets[k] = Some(Gate::Side(k));
                inlets[MIDDLE].push((Gate::Side(k), river));
            }
        }
        if last != MIDDLE
            && let Some(river) = first_river(&inlets[MIDDLE])
        {
            outlets[MIDDLE] = Some(Gate::Side(last));
            inlets[last].push((Gate::Side(last), river));
        }
        let with_water = children.into_iter().zip(inlets).zip(outlets);
        with_water
            .filter(|((_, inlets), _)| !inlets.is_empty())
            .map(|((triangle, inlets), outlet)| Self {
                triangle,
                level: self.level + 1,
                base: self.base,
                inlets,
                outlet: outlet.expect("where water comes in, it leaves"),
            })
            .collect()
    }

    /// The child that holds a point: the middle one, if it lies between two.
    fn child_around(&self, middle: &Triangle, point: [f64; 2]) -> usize {
        let is_beyond = |k: &usize| {
            let [a, b] = middle.edge(*k).map(|corner| corner.at);
            side(a, b, point) * side(a, b, self.triangle.0[*k].at) > 0.0
        };
        (0..3).find(is_beyond).unwrap_or(3)
    }

    /// Subdivides until each triangle is as deep as `depth` says, at most [`DEEPEST`] levels.
    pub fn refined(self, cut: &dyn Cut, depth: &dyn Fn(&Self) -> u32) -> Vec<Self> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(flow) = open.pop() {
            if flow.level < depth(&flow).min(DEEPEST) {
                open.extend(flow.subdivided(cut));
            } else {
                leaves.push(flow);
            }
        }
        leaves
    }
}
