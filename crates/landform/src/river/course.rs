//! The lines of all rivers of a stage: laid out, subdivided, traced, joined.

use super::layout::{End, Layout, Relief};
use super::mesh::Mesh;
use super::rounding::{crosses, round, thinned};
use super::squig::{Cut, Edge, Flow, GroundCut, marked_half};
use super::trace::{Network, Trace, Vertex};
use crate::feature::River;
use crate::{Cancelled, Ctx, Seed, math};

/// The line of a river, from its source to its mouth.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// x and z in metres, downstream.
    pub line: Vec<[f64; 2]>,
    /// The river that it flows into, and the point of that river's line where it does.
    pub into: Option<(Main, [f64; 2])>,
}

/// A river that another one flows into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Main {
    /// One of the same stage, by its place in the list; it comes before its tributaries.
    Here(usize),
    /// One of an earlier stage.
    Earlier(usize),
}

/// How rivers wind: see the parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winding {
    /// Size of the base cells in metres.
    pub cell: f64,
    /// How uneven the triangles are, 0 to 1.
    pub irregularity: f64,
    /// How closely low ground is followed, 0 to 1.
    pub follow: f64,
    /// How far corners are rounded, 0 to 1.
    pub smoothing: f64,
}

/// The ground that rivers are laid out on.
#[derive(Clone, Copy)]
pub struct CourseGround<'a> {
    /// Its width and depth in metres, each above 0.
    pub ground: [f64; 2],
    /// Height at x and z.
    pub height: &'a dyn Fn(f64, f64) -> f64,
    /// Height of the sea.
    pub sea_level: f64,
    /// The random numbers.
    pub seed: Seed,
}

impl std::fmt::Debug for CourseGround<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CourseGround").field("ground", &self.ground).finish_non_exhaustive()
    }
}

/// A river by its ends, and its subdivision.
pub struct Wish<'a> {
    /// Where it begins.
    pub from: End,
    /// Where it ends, unless another river is in the way.
    pub to: End,
    /// How deep the triangle around x and z is divided, this share of the way (0 to 1) down the river.
    pub depth: &'a dyn Fn([f64; 2], f64) -> u32,
}

impl std::fmt::Debug for Wish<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wish").field("from", &self.from).field("to", &self.to).finish()
    }
}

/// Rivers as triangles: what the lines are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Squig {
    /// The finest triangles with water in them.
    pub leaves: Vec<Flow>,
    /// The way of each river through them.
    pub traces: Vec<Trace>,
}

/// Lays out and subdivides rivers.
///
/// # Errors
/// Only by cancellation.
pub fn squig(
    place: &CourseGround<'_>,
    winding: &Winding,
    wishes: &[Wish<'_>],
    ctx: &Ctx<'_>,
) -> Result<Squig, Cancelled> {
    let Winding { cell, irregularity, follow, .. } = *winding;
    let mesh = Mesh::new(place.ground, cell, irregularity, place.seed);
    let relief = Relief::new(&mesh, place.height, place.sea_level);
    let scale = place.ground[0].max(place.ground[1]);
    let mut layout = Layout::new(&mesh, &relief, follow, place.seed, scale);
    for wish in wishes {
        ctx.check()?;
        layout.add(wish.from, wish.to);
    }
    let cut =
        GroundCut { seed: place.seed.child("squig"), irregularity, follow, height: place.height };
    let depth = |flow: &Flow| {
        let river = flow.river();
        let path = &layout.paths[river];
        let way = path.iter().position(|&base| base == flow.base).unwrap_or(0);
        let share = if path.len() > 1 { way as f64 / (path.len() - 1) as f64 } else { 0.0 };
        (wishes[river].depth)(flow.triangle.middle(), share)
    };
    let mut leaves: Vec<Flow> = Vec::new();
    for flow in layout.flows() {
        ctx.check()?;
        leaves.extend(flow.clone().refined(&cut, &depth));
    }
    let half = |edge: &Edge| marked_half(&cut as &dyn Cut, edge);
    let network = Network::new(&leaves, &half);
    let traces = (0..wishes.len())
        .map(|river| {
            let base = &mesh.triangles[layout.paths[river][0]];
            network.trace(river, base, layout.sources[river]).expect("a river has a source")
        })
        .collect();
    Ok(Squig { leaves, traces })
}

impl Squig {
    /// The lines of the rivers, joined where they meet.
    ///
    /// `smoothing` in 0..=1 rounds them, as [`Winding`] has it; a rounded line may differ by `tolerance` metres.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn courses(
        &self,
        smoothing: f64,
        tolerance: f64,
        ctx: &Ctx<'_>,
    ) -> Result<Vec<Course>, Cancelled> {
        let mut lines: Vec<Vec<Vertex>> = Vec::new();
        let mut courses: Vec<Option<(Main, [f64; 2])>> = Vec::new();
        for trace in &self.traces {
            ctx.check()?;
            let mut line = trace.line(&self.leaves, smoothing);
            let mut into = None;
            if let Some(main) = trace.into {
                let (leaf, from) = (trace.leaves[trace.leaves.len() - 1], line[line.len() - 1].at);
                let way = self.traces[main].leaves.iter().position(|&other| other == leaf);
                let way = way.expect("a tributary ends in a triangle of its main river");
                let point = join(&mut lines[main], way, from);
                line.push(Vertex { at: point, leaf: trace.leaves.len() - 1 });
                into = Some((Main::Here(main), point));
            }
            lines.push(line);
            courses.push(into);
        }
        let of = |(line, into): (Vec<Vertex>, _)| Course {
            line: line.into_iter().map(|vertex| vertex.at).collect(),
            into,
        };
        let mut courses: Vec<Course> = lines.into_iter().zip(courses).map(of).collect();
        if smoothing > 0.0 {
            round(&mut courses, (ROUNDS * smoothing) as usize, ctx)?;
            thin(&mut courses, tolerance);
        }
        Ok(courses)
    }
}

/// Steps of rounding: enough to open the tip of a triangle.
const ROUNDS: f64 = 240.0;

/// Leaves out points that hardly bend the lines: the others tell the same course.
fn thin(courses: &mut [Course], tolerance: f64) {
    let joins: Vec<[f64; 2]> = courses.iter().filter_map(|course| Some(course.into?.1)).collect();
    let before: Vec<Vec<[f64; 2]>> = courses.iter().map(|course| course.line.clone()).collect();
    for course in courses.iter_mut() {
        course.line = thinned(&course.line, &joins, tolerance);
    }
    let lines: Vec<Vec<[f64; 2]>> = courses.iter().map(|course| course.line.clone()).collect();
    if crosses(&lines) {
        courses.iter_mut().zip(before).for_each(|(course, line)| course.line = line);
    }
}

/// The point of a line inside of one triangle that is nearest to another point; it becomes a vertex of the line. No
/// way to the nearest point of a line crosses the line.
fn join(line: &mut Vec<Vertex>, leaf: usize, from: [f64; 2]) -> [f64; 2] {
    let parts = (1..line.len()).filter(|&k| line[k].leaf == leaf);
    let feet = parts.map(|k| {
        let foot = foot(line[k - 1].at, line[k].at, from);
        (math::length(foot[0] - from[0], foot[1] - from[1]), k, foot)
    });
    let nearest = feet.min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, k, foot) = nearest.expect("a river has a line in each of its triangles");
    // Two tributaries from one place: rounding must not give them two mouths that later cross.
    let is_near = |at: [f64; 2]| math::length(at[0] - foot[0], at[1] - foot[1]) < SAME;
    if let Some(vertex) = [&line[k - 1], &line[k]].into_iter().find(|vertex| is_near(vertex.at)) {
        return vertex.at;
    }
    line.insert(k, Vertex { at: foot, leaf });
    foot
}

/// Points that are nearer to each other than this, in metres, are one point.
const SAME: f64 = 1e-6;

/// The point between a and b that is nearest to p.
pub(crate) fn foot(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    let share = if squared > 0.0 { (share / squared).clamp(0.0, 1.0) } else { 0.0 };
    if share == 1.0 { b } else { [a[0] + share * along[0], a[1] + share * along[1]] }
}

/// Ends rivers where they reach the sea: behind the last point of their line that is on land. Rivers that flow into what
/// is cut off reach the sea themselves.
pub fn end_at_the_sea(courses: &mut [Course], place: &CourseGround<'_>) {
    for k in 0..courses.len() {
        let is_land = |p: &[f64; 2]| (place.height)(p[0], p[1]) >= place.sea_level;
        if let Some(last) = courses[k].line.iter().rposition(is_land)
            && last + 2 < courses[k].line.len()
        {
            courses[k].line.truncate(last + 2);
            courses[k].into = None;
        }
        if let Some((Main::Here(main), point)) = courses[k].into
            && !courses[main].line.contains(&point)
        {
            courses[k].into = None;
        }
    }
}

/// Ends rivers where they meet one of an earlier stage. What a river brought to its lower course goes on in the first of
/// its tributaries there.
pub fn end_at_earlier_rivers(courses: &mut [Course], earlier: &[River]) {
    for k in 0..courses.len() {
        let Some((index, point, river)) = first_crossing(&courses[k].line, earlier) else {
            continue;
        };
        let rest = courses[k].line.split_off(index);
        courses[k].line.push(point);
        let mouth = courses[k].into.replace((Main::Earlier(river), point));
        let mut heir: Option<usize> = None;
        for at in 0..rest.len() {
            for other in k + 1..courses.len() {
                if courses[other].into != Some((Main::Here(k), rest[at])) {
                    continue;
                }
                match heir {
                    Some(heir) => courses[other].into = Some((Main::Here(heir), rest[at])),
                    None => {
                        courses[other].line.extend_from_slice(&rest[at + 1..]);
                        courses[other].into = mouth;
                        heir = Some(other);
                    }
                }
            }
        }
    }
}

/// The first place where a line crosses a river: the vertex behind it, the point, and the river.
fn first_crossing(line: &[[f64; 2]], rivers: &[River]) -> Option<(usize, [f64; 2], usize)> {
    (1..line.len()).find_map(|k| {
        let (a, b) = (line[k - 1], line[k]);
        let crossings = rivers.iter().enumerate().flat_map(|(river, other)| {
            other.points.windows(2).filter_map(move |ends| {
                let t = crossing(a, b, [ends[0].x, ends[0].z], [ends[1].x, ends[1].z])?;
                Some((t, river))
            })
        });
        let (t, river) = crossings.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((k, [math::lerp(a[0], b[0], t), math::lerp(a[1], b[1], t)], river))
    })
}

/// The share of the way from a to b at which it crosses the way from c to d.
pub(crate) fn crossing(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> Option<f64> {
    let apart = |axis: usize| {
        let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        c[axis].max(d[axis]) < low || c[axis].min(d[axis]) > high
    };
    if apart(0) || apart(1) {
        return None;
    }
    let (r, s) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
    let between = [c[0] - a[0], c[1] - a[1]];
    let area = r[0] * s[1] - r[1] * s[0];
    if area == 0.0 {
        return None;
    }
    let t = (between[0] * s[1] - between[1] * s[0]) / area;
    let u = (between[0] * r[1] - between[1] * r[0]) / area;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some(t)
}
