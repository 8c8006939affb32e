//! Which base triangles a river runs through: the cheapest way downhill, where climbing is dear.
//!
//! ```text
//! cost of a step = length·(1 + 2·f·(h − h_min)/(h_max − h_min)) + 60·f·climb        f = how closely it follows low ground
//! ```
//!
//! h is the lowest ground on the edge that is crossed, climb how much that is above the lowest ground of the triangle
//! before. Solved by Dijkstra (1959). A river that comes to another one ends there: they are joined, and no river crosses
//! another. Rivers are laid out in order, so the first of two that meet is the main river.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::mesh::{Behind, Border, Mesh};
use super::squig::{Flow, Gate};
use crate::{Seed, math};

/// Where a river begins or ends: a word, or a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum End {
    /// A side of the ground, or chosen by the ground itself.
    Named(Named),
    /// x and z in metres.
    Point([f64; 2]),
}

/// The words for where a river begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// High ground for a source; the sea, a low side of the ground or another river for a mouth.
    Auto,
    /// z = 0.
    North,
    /// x is greatest.
    East,
    /// z is greatest.
    South,
    /// x = 0.
    West,
}

impl Named {
    /// The side that is meant, if it is one.
    pub fn border(self) -> Option<Border> {
        match self {
            Self::Auto => None,
            Self::North => Some(Border::North),
            Self::East => Some(Border::East),
            Self::South => Some(Border::South),
            Self::West => Some(Border::West),
        }
    }
}

impl Default for End {
    fn default() -> Self {
        Self::Named(Named::Auto)
    }
}

/// The words and the point side by side, so that an error can name them all.
impl JsonSchema for End {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "End".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut one_of = Named::json_schema(generator).to_value()["oneOf"].take();
        let point =
            json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 });
        one_of.as_array_mut().expect("the words are told one by one").push(point);
        json_schema!({
            "description": "Where a river begins or ends: a side of the ground, `auto`, or x and z in metres.",
            "oneOf": one_of,
        })
    }
}

/// What the ground is like around the base triangles.
#[derive(Debug)]
pub struct Relief {
    /// Lowest ground inside of each triangle.
    low: Vec<f64>,
    /// Where that is.
    low_at: Vec<[f64; 2]>,
    /// Lowest ground on each edge.
    pass: Vec<[f64; 3]>,
    range: (f64, f64),
    sea_level: f64,
}

impl Relief {
    /// Looks at some points of each triangle and each edge.
    pub fn new(mesh: &Mesh, height: &dyn Fn(f64, f64) -> f64, sea_level: f64) -> Self {
        const STEPS: usize = 6;
        let (mut low, mut low_at, mut pass) = (Vec::new(), Vec::new(), Vec::new());
        for triangle in &mesh.triangles {
            let at = |weights: [f64; 3]| {
                [0, 1].map(|axis| (0..3).map(|k| weights[k] * triangle.0[k].at[axis]).sum::<f64>())
            };
            // Points well inside, so that a source never lies on an edge.
            let mut lowest = (f64::INFINITY, triangle.middle());
            for a in 1..STEPS {
                for b in 1..STEPS - a {
                    let (u, v) = (a as f64 / STEPS as f64, b as f64 / STEPS as f64);
                    let point = at([u, v, 1.0 - u - v]);
                    let here = height(point[0], point[1]);
                    if here < lowest.0 {
                        lowest = (here, point);
                    }
                }
            }
            low.push(lowest.0);
            low_at.push(lowest.1);
            pass.push([0, 1, 2].map(|k| {
                let [a, b] = triangle.edge(k).map(|corner| corner.at);
                let along = (1..STEPS).map(|step| {
                    let t = step as f64 / STEPS as f64;
                    height(math::lerp(a[0], b[0], t), math::lerp(a[1], b[1], t))
                });
                along.fold(f64::INFINITY, f64::min)
            }));
        }
        let range = low.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &h| {
            (least.min(h), most.max(h))
        });
        Self { low, low_at, pass, range, sea_level }
    }

    /// 0 on the lowest ground, 1 on the highest.
    fn share(&self, height: f64) -> f64 {
        let (least, most) = self.range;
        if most > least { ((height - least) / (most - least)).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Rivers over base triangles, each joined to the network at most once: a forest.
#[derive(Debug)]
pub struct Layout<'a> {
    mesh: &'a Mesh,
    relief: &'a Relief,
    seed: Seed,
    follow: f64,
    /// Longest side of the ground.
    scale: f64,
    /// The triangles that have water.
    flows: Vec<Option<Flow>>,
    /// The triangles of each river downstream; the last of a tributary belongs to another river.
    pub paths: Vec<Vec<usize>>,
    /// Where each river comes from.
    pub sources: Vec<Gate>,
}

/// How a way ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    Mouth(Gate),
    Confluence,
}

impl<'a> Layout<'a> {
    /// A ground without rivers.
    pub fn new(mesh: &'a Mesh, relief: &'a Relief, follow: f64, seed: Seed, scale: f64) -> Self {
        let flows = vec![None; mesh.triangles.len()];
        Self { mesh, relief, seed, follow, scale, flows, paths: vec![], sources: vec![] }
    }

    /// The triangles with water.
    pub fn flows(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().flatten()
    }

    /// Lays out one more river.
    pub fn add(&mut self, from: End, to: End) {
        let river = self.paths.len();
        let (start, source) = self.source(from, river);
        let (path, ending) = self.route(start, source, from, to);
        let mut inlet = source;
        for (place, &index) in path.iter().enumerate() {
            if let Some(flow) = &mut self.flows[index] {
                flow.inlets.push((inlet, river));
                break;
            }
            let (outlet, next) = match path.get(place + 1) {
                Some(&next) => self.step(index, next),
                None => match ending {
                    Ending::Mouth(gate) => (gate, gate),
                    Ending::Confluence => unreachable!("a confluence is where there is water"),
                },
            };
            self.flows[index] = Some(Flow {
                triangle: self.mesh.triangles[index],
                level: 0,
                base: index,
                inlets: vec![(inlet, river)],
                outlet,
            });
            inlet = next;
        }
        self.paths.push(path);
        self.sources.push(source);
    }

    /// The edge between two neighbours, as seen from each.
    fn step(&self, from: usize, to: usize) -> (Gate, Gate) {
        let between =
            self.mesh.behind[from].iter().enumerate().find_map(|(k, behind)| match behind {
                Behind::Triangle(other, there) if *other == to => Some((k, *there)),
                _ => None,
            });
        let (here, there) = between.expect("a path goes from neighbour to neighbour");
        (Gate::Side(here), Gate::Side(there))
    }

    /// The triangle that a river begins in, and where in it.
    fn source(&self, from: End, river: usize) -> (usize, Gate) {
        let place = match from {
            End::Point(point) => return (self.mesh.around(point), Gate::Point(point)),
            End::Named(place) => place,
        };
        let chance = self.seed.child("source").child(&river.to_string());
        let spread = |index: usize| {
            let apart = |path: &Vec<usize>| self.apart(index, path[0]) / (0.4 * self.scale);
            let others = self.paths.iter().filter(|path| !path.is_empty());
            others.map(apart).fold(1.0, f64::min)
        };
        let free = |index: &usize| self.flows[*index].is_none();
        let best = |candidates: &mut dyn Iterator<Item = (usize, f64)>| {
            let scored = candidates.map(|(index, liking)| {
                (liking + 0.5 * chance.uniform(index as u64) + 0.7 * spread(index), index)
            });
            scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
        };
        let all = || 0..self.mesh.triangles.len();
        let Some(border) = place.border() else {
            let is_inland = |index: &usize| {
                let edges = &self.mesh.behind[*index];
                edges.iter().all(|behind| matches!(behind, Behind::Triangle(..)))
            };
            let liking = |index: usize| (index, self.relief.share(self.relief.low[index]));
            let inland = best(&mut all().filter(free).filter(is_inland).map(liking));
            let index = inland.or_else(|| best(&mut all().filter(free).map(liking))).unwrap_or(0);
            return (index, Gate::Point(self.relief.low_at[index]));
        };
        // Rivers come into the picture by valleys.
        let edge = |index: usize| {
            let edges = self.mesh.behind[index].iter();
            edges.clone().position(|behind| *behind == Behind::Border(border))
        };
        let liking = |index: usize| {
            let pass = self.relief.pass[index][edge(index)?];
            Some((index, -1.5 * self.relief.share(pass)))
        };
        match best(&mut all().filter(free).filter_map(liking)) {
            Some(index) => (index, edge(index).map_or(Gate::Point([0.0; 2]), Gate::Side)),
            None => {
                let index = best(&mut all().filter_map(liking)).unwrap_or(0);
                (index, Gate::Point(self.relief.low_at[index]))
            }
        }
    }

    fn apart(&self, a: usize, b: usize) -> f64 {
        let [p, q] = [a, b].map(|index| self.mesh.triangles[index].middle());
        math::length(p[0] - q[0], p[1] - q[1])
    }

    /// The cheapest way from a triangle to a place where a river may end.
    fn route(&self, start: usize, source: Gate, from: End, to: End) -> (Vec<usize>, Ending) {
        let count = self.mesh.triangles.len();
        let mut cost = vec![f64::INFINITY; count];
        let mut before = vec![usize::MAX; count];
        let mut best: Option<(f64, usize, Ending)> = None;
        let mut open = BinaryHeap::from([(Reverse(0_u64), start)]);
        cost[start] = 0.0;
        while let Some((Reverse(bits), index)) = open.pop() {
            let here = f64::from_bits(bits);
            if here > cost[index] {
                continue;
            }
            if best.is_some_and(|(least, ..)| here >= least) {
                break;
            }
            if let Some((extra, ending)) = self.ending(index, (start, source), from, to)
                && best.is_none_or(|(least, ..)| here + extra < least)
            {
                best = Some((here + extra, index, ending));
            }
            if self.flows[index].is_some() {
                continue;
            }
            for k in 0..3 {
                let Behind::Triangle(next, _) = self.mesh.behind[index][k] else { continue };
                let there = here + self.step_cost(index, k, next);
                if there < cost[next] {
                    cost[next] = there;
                    before[next] = index;
                    // Costs are not negative, so their bits are in the same order.
                    open.push((Reverse(there.to_bits()), next));
                }
            }
        }
        let (_, last, ending) =
            best.unwrap_or((0.0, start, Ending::Mouth(Gate::Point(self.relief.low_at[start]))));
        let mut path = vec![last];
        while path[path.len() - 1] != start {
            path.push(before[path[path.len() - 1]]);
        }
        path.reverse();
        (path, ending)
    }

    fn step_cost(&self, index: usize, k: usize, next: usize) -> f64 {
        let pass = self.relief.pass[index][k];
        let climb = (pass - self.relief.low[index]).max(0.0);
        let length = self.apart(index, next);
        length * (1.0 + 2.0 * self.follow * self.relief.share(pass)) + 60.0 * self.follow * climb
    }

    /// How a river may end in a triangle, and how little it is liked.
    fn ending(
        &self,
        index: usize,
        (start, source): (usize, Gate),
        from: End,
        to: End,
    ) -> Option<(f64, Ending)> {
        let place = match to {
            _ if self.flows[index].is_some() => {
                // Whoever names a mouth would rather not have it in another river.
                let is_wanted = to == End::Named(Named::Auto);
                let unliked = if is_wanted { 0.0 } else { 3.0 * self.scale };
                return Some((unliked, Ending::Confluence));
            }
            End::Point(point) => {
                let here = index == self.mesh.around(point);
                return here.then_some((0.0, Ending::Mouth(Gate::Point(point))));
            }
            End::Named(place) => place,
        };
        // A river that is over at once is none.
        let short = (1.0 - self.apart(start, index) / (0.4 * self.scale)).max(0.0);
        let too_short = 3.0 * self.scale * short;
        let wanted = place.border();
        if wanted.is_none() && index != start && self.relief.low[index] < self.relief.sea_level {
            let gate = Gate::Point(self.relief.low_at[index]);
            return Some((too_short, Ending::Mouth(gate)));
        }
        let came_by = match from {
            End::Named(place) => place.border(),
            End::Point(_) => None,
        };
        let edges = self.mesh.behind[index].iter().enumerate().filter_map(|(k, behind)| {
            let Behind::Border(border) = *behind else { return None };
            let fits = wanted.map_or(came_by != Some(border), |wanted| wanted == border);
            let is_taken = index == start && source == Gate::Side(k);
            (fits && !is_taken).then_some(k)
        });
        let unliked = |k: usize| {
            let high = self.relief.share(self.relief.pass[index][k]);
            too_short + 3.0 * self.follow * self.scale * high
        };
        let best = edges.min_by(|&a, &b| unliked(a).total_cmp(&unliked(b)))?;
        Some((unliked(best), Ending::Mouth(Gate::Side(best))))
    }
}
