//! From marked triangles to lines: follows each river from its source through the triangles, and rounds its corners.
//!
//! A line is rounded inside of the triangles that it runs through, so rounding can make no two lines cross: where it
//! passes from one triangle to the next it may slide along the shared edge, and inside of a triangle it is a cubic of
//! Bézier whose control points lie in that triangle. Neighbouring cubics share their direction on the edge.

use std::collections::HashMap;

use super::squig::{Edge, Flow, Gate, Triangle, edge_key};
use crate::math;

/// Where a river passes from one triangle to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Post {
    /// Just here.
    Fixed([f64; 2]),
    /// Somewhere on the edge between two points.
    Edge([[f64; 2]; 2]),
}

/// The way of a river through the finest triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The triangles downstream, as indices of the finest ones.
    pub leaves: Vec<usize>,
    /// Where it comes into each of them; and where it leaves the last, unless it ends there in another river.
    pub posts: Vec<Post>,
    /// The river that it flows into.
    pub into: Option<usize>,
}

/// The finest triangles, and which one follows which.
#[derive(Clone)]
pub struct Network<'a> {
    leaves: &'a [Flow],
    cut: &'a dyn Fn(&Edge) -> Edge,
    deepest: u32,
    /// The triangle that is entered by an edge, or by any half of it that keeps the mark.
    entered_by: HashMap<[i64; 2], usize>,
}

impl std::fmt::Debug for Network<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("leaves", &self.leaves.len()).finish_non_exhaustive()
    }
}

impl<'a> Network<'a> {
    /// Links triangles that may be of different depth: `half` gives the half of a marked edge that keeps the mark.
    pub fn new(leaves: &'a [Flow], half: &'a dyn Fn(&Edge) -> Edge) -> Self {
        let deepest = leaves.iter().map(|leaf| leaf.level).max().unwrap_or(0);
        let mut network = Self { leaves, cut: half, deepest, entered_by: HashMap::new() };
        for (index, leaf) in leaves.iter().enumerate() {
            for (gate, _) in &leaf.inlets {
                let Gate::Side(k) = gate else { continue };
                for edge in network.halves(leaf.triangle.edge(*k), leaf.level) {
                    network.entered_by.insert(edge_key(&edge), index);
                }
            }
        }
        network
    }

    /// An edge and its marked halves, down to the deepest level.
    fn halves(&self, edge: Edge, level: u32) -> Vec<Edge> {
        let mut edges = vec![edge];
        for _ in level..self.deepest {
            edges.push((self.cut)(&edges[edges.len() - 1]));
        }
        edges
    }

    /// The triangle behind a marked edge, and that edge as the finer of both neighbours has it.
    fn behind(&self, edge: Edge, level: u32) -> Option<(usize, Edge)> {
        let mut halves = self.halves(edge, level).into_iter();
        halves.find_map(|half| Some((*self.entered_by.get(&edge_key(&half))?, half)))
    }

    /// Follows a river from where it comes into its base triangle.
    pub fn trace(&self, river: usize, base: &Triangle, source: Gate) -> Option<Trace> {
        let (mut index, post) = match source {
            Gate::Side(k) => {
                let (index, half) = self.behind(base.edge(k), 0)?;
                (index, Post::Edge(half.map(|corner| corner.at)))
            }
            Gate::Point(point) => {
                let is_source = |leaf: &Flow| leaf.inlets.contains(&(Gate::Point(point), river));
                (self.leaves.iter().position(is_source)?, Post::Fixed(point))
            }
        };
        let mut trace = Trace { leaves: vec![index], posts: vec![post], into: None };
        loop {
            let leaf = &self.leaves[index];
            if leaf.river() != river {
                trace.into = Some(leaf.river());
                return Some(trace);
            }
            let Gate::Side(k) = leaf.outlet else {
                if let Gate::Point(mouth) = leaf.outlet {
                    trace.posts.push(Post::Fixed(mouth));
                }
                return Some(trace);
            };
            let edge = leaf.triangle.edge(k);
            let next = self.behind(edge, leaf.level);
            let shared = next.map_or(edge, |(_, half)| half);
            trace.posts.push(Post::Edge(shared.map(|corner| corner.at)));
            match next {
                Some((next, _)) => {
                    trace.leaves.push(next);
                    index = next;
                }
                None => return Some(trace),
            }
        }
    }
}

/// A point of a line, and the place in the trace of the triangle that it lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// x and z in metres.
    pub at: [f64; 2],
    /// Which of the triangles of the trace.
    pub leaf: usize,
}

/// How far from its middle a line may slide on an edge, as a share of it.
const SLIDE: f64 = 0.42;
/// Points of a rounded line over the length of a triangle.
const PARTS: f64 = 10.0;
/// How often the line is drawn towards its neighbours.
const ROUNDS: usize = 8;

impl Trace {
    /// The line; `smoothing` 0 joins the middles of the edges, 1 is rounded as far as the triangles let it.
    pub fn line(&self, leaves: &[Flow], smoothing: f64) -> Vec<Vertex> {
        let points = self.slid(smoothing);
        let mut line = vec![Vertex { at: points[0], leaf: 0 }];
        for (place, ends) in points.windows(2).enumerate() {
            let triangle = &leaves[self.leaves[place]].triangle;
            let (p, q) = (ends[0], ends[1]);
            let direction = |k: usize| {
                let (a, b) = (points[k.saturating_sub(1)], points[(k + 1).min(points.len() - 1)]);
                [b[0] - a[0], b[1] - a[1]]
            };
            let chord = math::length(q[0] - p[0], q[1] - p[1]);
            let reach = 0.38 * chord * smoothing;
            let [dx, dz] = direction(place + 1);
            let controls = [
                handle(triangle, p, direction(place), reach),
                handle(triangle, q, [-dx, -dz], reach),
            ];
            // Points as far apart as the triangle is large: rounding is as wide as the triangles are.
            let most = if smoothing > 0.0 { PARTS } else { 0.0 };
            let parts = (most * chord / triangle.size()).ceil().clamp(1.0, PARTS) as usize;
            for k in 1..=parts {
                let at = bezier(p, controls, q, k as f64 / parts as f64);
                line.push(Vertex { at, leaf: place });
            }
        }
        line
    }

    /// Where the line passes each post.
    fn slid(&self, smoothing: f64) -> Vec<[f64; 2]> {
        let on = |post: &Post, share: f64| match post {
            Post::Fixed(point) => *point,
            Post::Edge([a, b]) => [0, 1].map(|axis| math::lerp(a[axis], b[axis], share)),
        };
        let mut shares = vec![0.5; self.posts.len()];
        let limit = SLIDE * smoothing;
        for _ in 0..ROUNDS {
            let points: Vec<_> = self.posts.iter().zip(&shares).map(|(p, &s)| on(p, s)).collect();
            for k in 1..self.posts.len().saturating_sub(1) {
                let Post::Edge([a, b]) = self.posts[k] else { continue };
                let middle = [0, 1].map(|axis| 0.5 * (points[k - 1][axis] + points[k + 1][axis]));
                let along = [b[0] - a[0], b[1] - a[1]];
                let squared = along[0] * along[0] + along[1] * along[1];
                let foot = (middle[0] - a[0]) * along[0] + (middle[1] - a[1]) * along[1];
                let foot = if squared > 0.0 { foot / squared } else { 0.5 };
                shares[k] = (0.5 * (shares[k] + foot)).clamp(0.5 - limit, 0.5 + limit);
            }
        }
        self.posts.iter().zip(&shares).map(|(p, &s)| on(p, s)).collect()
    }
}

/// The control point at most `reach` from `p` in a direction that stays inside of the triangle.
fn handle(triangle: &Triangle, p: [f64; 2], direction: [f64; 2], reach: f64) -> [f64; 2] {
    let length = math::length(direction[0], direction[1]);
    if length == 0.0 {
        return p;
    }
    let unit = direction.map(|part| part / length);
    let farthest = (0..3).fold(reach, |farthest, k| {
        let [a, b] = triangle.edge(k).map(|corner| corner.at);
        let normal = [a[1] - b[1], b[0] - a[0]];
        let inward = {
            let c = triangle.0[k].at;
            (c[0] - a[0]) * normal[0] + (c[1] - a[1]) * normal[1]
        };
        let sign = if inward < 0.0 { -1.0 } else { 1.0 };
        let above = sign * ((p[0] - a[0]) * normal[0] + (p[1] - a[1]) * normal[1]);
        let sinking = -sign * (unit[0] * normal[0] + unit[1] * normal[1]);
        // A tenth is left, so that rounding cannot carry the line out.
        if sinking > 0.0 { farthest.min(0.9 * above.max(0.0) / sinking) } else { farthest }
    });
    [p[0] + farthest * unit[0], p[1] + farthest * unit[1]]
}

fn bezier(p: [f64; 2], [c, d]: [[f64; 2]; 2], q: [f64; 2], t: f64) -> [f64; 2] {
    if t == 1.0 {
        return q;
    }
    let s = 1.0 - t;
    [0, 1].map(|axis| {
        s * s * s * p[axis]
            + 3.0 * s * s * t * c[axis]
            + 3.0 * s * t * t * d[axis]
            + t * t * t * q[axis]
    })
}
