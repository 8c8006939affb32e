//! Lines as courses: smooth curves with a height at each point, and rivers that end where they meet water.

use super::line::Line;
use super::near::foot;
use crate::demand::{Demand, DemandKind};
use crate::error::{Error, number};
use crate::region::Region;
use crate::{Lattice, math};

/// Points that a smooth curve has from one drawn point to the next.
const PIECES: usize = 8;

/// How a bed falls: this share of the fall in proportion to the way, the rest with its square, so that it is steeper near the source.
const EVEN_FALL: f64 = 0.4;

/// What lines are laid out on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) lattice: Lattice,
    pub(super) sea_level: f64,
    /// Whether lines are smooth curves through their points.
    pub(super) curved: bool,
}

/// A line on the way to its demand.
struct Draft {
    demand: Demand,
    /// Heights that are given; those of a river's ends are laid out once its mouth is known.
    given: Vec<f64>,
}

impl Ground {
    /// The demands of some lines, each laid out on the ground.
    pub(super) fn demands(&self, lines: &[Line]) -> Result<Vec<Demand>, Error> {
        let mut drafts = Vec::with_capacity(lines.len());
        let mut names: Vec<String> = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            let (word, name) = line.title();
            let of_kind = lines[..=index].iter().filter(|one| one.title().0 == word).count();
            let name = if name.is_empty() { format!("{word} {of_kind}") } else { name.to_owned() };
            if names.contains(&name) {
                let (key, value) = (format!("lines[{index}].name"), format!("{name:?}"));
                return Err(Error::unfit(key, value, "another line is called that"));
            }
            names.push(name.clone());
            drafts.push(self.draft(index, line, name)?);
        }
        for index in 0..drafts.len() {
            self.end_at_water(index, &mut drafts)?;
        }
        join_rivers(&mut drafts, self.reach())?;
        Ok(drafts.into_iter().map(|draft| draft.demand).collect())
    }

    /// How near a river has to come to another one to flow into it.
    fn reach(&self) -> f64 {
        let [dx, dz] = self.lattice.spacing;
        1.5 * dx.max(dz)
    }

    /// A line as a demand; the heights of a river that are not given for each point are still missing.
    fn draft(&self, index: usize, line: &Line, name: String) -> Result<Draft, Error> {
        let (mut demand, mut given) = plain(line, name);
        if demand.kind == DemandKind::Coast {
            demand.level += self.sea_level;
            given = vec![self.sea_level];
        }
        let draft = Draft { given, demand };
        let mut points = draft.demand.points.clone();
        points.dedup();
        if draft.demand.is_closed && points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let least = match (&draft.demand.kind, draft.demand.is_closed) {
            (DemandKind::Point, _) => 1,
            (_, true) => 3,
            (_, false) => 2,
        };
        if points.len() < least {
            let why = format!(
                "{} {:?} has {} different points, and needs at least {least}",
                draft.demand.kind.word(),
                draft.demand.name,
                points.len()
            );
            return Err(Error::of(format!("lines[{index}].points"), why));
        }
        self.check_place(index, &draft.demand)?;
        self.with_heights(index, draft)
    }

    fn check_place(&self, index: usize, demand: &Demand) -> Result<(), Error> {
        let ground = self.lattice.ground();
        let [low, high] = demand.bounds();
        if (0..2).all(|axis| high[axis] >= 0.0 && low[axis] <= ground[axis]) {
            return Ok(());
        }
        let [[west, north], [east, south], [width, depth]] =
            [low, high, ground].map(|place| place.map(number));
        let (word, name) = (demand.kind.word(), &demand.name);
        let message = format!(
            "{word} {name:?} lies off the map: it covers [{west}, {north}] to [{east}, {south}], and the ground is [0, 0] to [{width}, {depth}]"
        );
        Err(Error::of(format!("lines[{index}]"), message))
    }

    /// Gives each point its height and makes the line smooth.
    fn with_heights(
        &self,
        index: usize,
        Draft { mut demand, given }: Draft,
    ) -> Result<Draft, Error> {
        let count = demand.points.len();
        let is_river = demand.kind == DemandKind::River;
        let is_for_each = given.len() == count && (count > 2 || !is_river);
        if given.len() > 2 && !is_for_each {
            let why = format!(
                "{} {:?} has {count} points: give one height, two for its ends, or {count}",
                demand.kind.word(),
                demand.name
            );
            let value = format!("a list of {}", given.len());
            return Err(Error::unfit(format!("lines[{index}].heights"), value, why));
        }
        demand.heights = if is_for_each {
            given.clone()
        } else if is_river {
            vec![0.0; count]
        } else {
            let ends = [given[0], given[given.len() - 1]];
            along(&demand.points).iter().map(|&t| math::lerp(ends[0], ends[1], t)).collect()
        };
        if self.curved && count > 2 {
            smooth(&mut demand);
        }
        let given = if is_for_each { Vec::new() } else { given };
        Ok(Draft { demand, given })
    }

    /// Ends a river where it first meets a coast from inside or a lake from outside, and lets it begin where it leaves a lake.
    fn end_at_water(&self, index: usize, drafts: &mut [Draft]) -> Result<(), Error> {
        if drafts[index].demand.kind != DemandKind::River {
            return Ok(());
        }
        let mut river = drafts[index].demand.clone();
        let mut mouth = None;
        for Draft { demand: shore, .. } in drafts.iter() {
            let (DemandKind::Coast | DemandKind::Lake) = shore.kind else { continue };
            let region = Region::Polygon { points: shore.points.clone() };
            let is_wet =
                |[x, z]: [f64; 2]| region.contains(x, z) == (shore.kind == DemandKind::Lake);
            let crossings = crossings(&river, shore);
            let begins_wet = is_wet(river.points[0]);
            if begins_wet && shore.kind == DemandKind::Coast {
                continue;
            }
            let mut crossings = crossings.into_iter();
            if begins_wet && let Some((k, at)) = crossings.next() {
                let height = shore.heights[0].min(river.heights[k + 1]);
                river.points.drain(..=k);
                river.heights.drain(..=k);
                river.points.insert(0, at);
                river.heights.insert(0, height.max(river.heights[0]));
            } else if let Some((k, at)) = crossings.next() {
                river.points.truncate(k + 1);
                river.heights.truncate(k + 1);
                river.points.push(at);
                river.heights.push(shore.heights[0]);
                mouth = Some(shore.heights[0]);
            }
        }
        let draft = &mut drafts[index];
        draft.demand = river;
        let Some(mouth) = mouth else { return Ok(()) };
        if let [source] | [source, _] = draft.given[..] {
            draft.given = vec![source, mouth];
            lay_out(&mut draft.demand, source, mouth);
        }
        Ok(())
    }
}

/// A line with the points that are drawn, and the heights that are given.
fn plain(line: &Line, name: String) -> (Demand, Vec<f64>) {
    let demand = |kind, points: &[[f64; 2]], is_closed| Demand {
        name,
        kind,
        points: points.to_vec(),
        heights: Vec::new(),
        is_closed,
        slopes: [0.0; 2],
        radius: 0.0,
        roughness: 0.0,
        half_widths: [0.0; 2],
        level: 0.0,
        discharge: 0.0,
        into: None,
        margin: 0.0,
    };
    match line {
        Line::Ridge { points, heights, slope_left, slope_right, radius, roughness, .. } => {
            let slopes = [slope(*slope_left), slope(*slope_right)];
            let (radius, roughness) = (*radius, *roughness);
            let plain = demand(DemandKind::Ridge, points, false);
            (Demand { slopes, radius, roughness, ..plain }, heights.clone())
        }
        Line::River { points, heights, width, discharge, slope: bank, radius, .. } => {
            let half_widths = [0.25 * width, 0.5 * width];
            let discharge = discharge.unwrap_or(0.04 * width * width);
            let (slopes, radius) = ([-slope(*bank); 2], *radius);
            let plain = demand(DemandKind::River, points, false);
            (Demand { slopes, radius, half_widths, discharge, ..plain }, heights.clone())
        }
        Line::Coast { points, slope: beach, radius, shelf, depth, .. } => {
            let plain = demand(DemandKind::Coast, points, true);
            let slopes = [-slope(*beach), slope(*shelf)];
            (Demand { slopes, radius: *radius, level: -depth, ..plain }, Vec::new())
        }
        Line::Lake { points, level, depth, slope: shore, radius, .. } => {
            let plain = demand(DemandKind::Lake, points, true);
            let (floor, slopes) = (level - depth, [LAKE_FLOOR, -slope(*shore)]);
            (Demand { slopes, radius: *radius, level: floor, ..plain }, vec![*level])
        }
        Line::Contour { points, height, closed, .. } => {
            (demand(DemandKind::Contour, points, *closed), vec![*height])
        }
        Line::Point { at, height, slope: fall, radius, .. } => {
            let plain = demand(DemandKind::Point, &[*at], false);
            (Demand { slopes: [slope(*fall); 2], radius: *radius, ..plain }, vec![*height])
        }
        Line::Plateau { points, level, rim, slope: flank, radius, .. } => {
            let plain = demand(DemandKind::Plateau, points, true);
            let slopes = [slope(*flank).max(0.02), slope(*flank)];
            (Demand { slopes, radius: *radius, level: *level, ..plain }, vec![level + rim])
        }
        Line::Basin { points, level, rim, slope: flank, .. } => {
            let plain = demand(DemandKind::Basin, points, true);
            (Demand { slopes: [slope(*flank), 0.0], level: *level, ..plain }, vec![level + rim])
        }
    }
}

/// How steep the floor of a lake falls from its shore.
const LAKE_FLOOR: f64 = 0.1;

/// Rise over run of an angle in degrees.
fn slope(degrees: f64) -> f64 {
    let angle = degrees.to_radians();
    math::sin(angle) / math::cos(angle)
}

/// Gives the bed of a river its heights between those of its ends.
fn lay_out(river: &mut Demand, source: f64, mouth: f64) {
    let left = |t: f64| (1.0 - t) * (EVEN_FALL + (1.0 - EVEN_FALL) * (1.0 - t));
    let ways = along(&river.points);
    river.heights = ways.iter().map(|&t| mouth + (source - mouth) * left(t)).collect();
}

/// Share of the way along a line at each of its points.
fn along(points: &[[f64; 2]]) -> Vec<f64> {
    let mut way = 0.0;
    let mut ways = vec![0.0];
    for ends in points.windows(2) {
        way += math::length(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
        ways.push(way);
    }
    let all = if way > 0.0 { way } else { 1.0 };
    ways.iter().map(|way| way / all).collect()
}

/// A curve of Catmull & Rom through the points; heights are straight between them, so that they rise and fall nowhere else.
fn smooth(demand: &mut Demand) {
    let (points, heights) = (&demand.points, &demand.heights);
    let count = points.len() as isize;
    let point = |k: isize| {
        let at = if demand.is_closed { k.rem_euclid(count) } else { k.clamp(0, count - 1) };
        points[at as usize]
    };
    let (mut curve, mut curve_heights) = (Vec::new(), Vec::new());
    for [from, to] in demand.segments() {
        let around = [-1, 0, 1, 2].map(|step| point(from as isize + step));
        for piece in 0..PIECES {
            let t = piece as f64 / PIECES as f64;
            curve.push([0, 1].map(|axis| between(around.map(|p| p[axis]), t)));
            curve_heights.push(math::lerp(heights[from], heights[to], t));
        }
    }
    if !demand.is_closed {
        curve.push(points[points.len() - 1]);
        curve_heights.push(heights[heights.len() - 1]);
    }
    (demand.points, demand.heights) = (curve, curve_heights);
}

/// The cubic of Catmull & Rom from the second to the third of four numbers.
fn between([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
}

/// Where a line crosses another: the number of its segment and the place, in the order of the line.
fn crossings(line: &Demand, other: &Demand) -> Vec<(usize, [f64; 2])> {
    let mut found: Vec<(usize, f64, [f64; 2])> = Vec::new();
    for [a, b] in line.segments() {
        for [c, d] in other.segments() {
            let ends = [line.points[a], line.points[b], other.points[c], other.points[d]];
            if let Some((t, _)) = crossing(ends) {
                let at = [0, 1].map(|axis| math::lerp(ends[0][axis], ends[1][axis], t));
                found.push((a, t, at));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.into_iter().map(|(k, _, at)| (k, at)).collect()
}

/// Shares of the way from a to b and from c to d where these cross.
pub(super) fn crossing([a, b, c, d]: [[f64; 2]; 4]) -> Option<(f64, f64)> {
    let minus = |p: [f64; 2], q: [f64; 2]| [p[0] - q[0], p[1] - q[1]];
    let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
    let (along, other, between) = (minus(b, a), minus(d, c), minus(c, a));
    let area = cross(along, other);
    if area == 0.0 {
        return None;
    }
    let (t, u) = (cross(between, other) / area, cross(between, along) / area);
    let is_on = |share: f64| (0.0..=1.0).contains(&share);
    (is_on(t) && is_on(u)).then_some((t, u))
}

/// Lets rivers that end on another one flow into it, and lays out their beds down to the bed there.
fn join_rivers(drafts: &mut [Draft], reach: f64) -> Result<(), Error> {
    let is_open = |draft: &Draft| draft.demand.kind == DemandKind::River && !draft.given.is_empty();
    let mut waiting: Vec<usize> = (0..drafts.len()).filter(|&k| is_open(&drafts[k])).collect();
    let settled: Vec<usize> =
        waiting.iter().copied().filter(|&k| drafts[k].given.len() == 2).collect();
    // Those that end at water, or whose mouth has a height, are known. A mouth on another river is moved onto it below.
    for &k in &settled {
        let [source, mouth] = [drafts[k].given[0], drafts[k].given[1]];
        lay_out(&mut drafts[k].demand, source, mouth);
    }
    waiting.retain(|k| !settled.contains(k));
    while !waiting.is_empty() {
        let next = waiting.iter().position(|&k| {
            confluence(k, drafts, reach).is_some_and(|found| !waiting.contains(&found.0))
        });
        let Some(next) = next else {
            let (k, name) = (waiting[0], &drafts[waiting[0]].demand.name);
            let why = format!(
                "river {name:?} ends on dry land: give the height of its mouth too, or let it end on a coast, a lake or another river"
            );
            let value = format!("[{}]", number(drafts[k].given[0]));
            return Err(Error::unfit(format!("lines[{k}].heights"), value, why));
        };
        let k = waiting.remove(next);
        if let Some((_, _, bed)) = confluence(k, drafts, reach) {
            let source = drafts[k].given[0];
            lay_out(&mut drafts[k].demand, source, bed);
        }
    }
    for k in 0..drafts.len() {
        if drafts[k].demand.kind == DemandKind::River
            && let Some((into, at, _)) = confluence(k, drafts, reach)
        {
            let name = drafts[into].demand.name.clone();
            let river = &mut drafts[k].demand;
            if let Some(last) = river.points.last_mut() {
                *last = at;
            }
            river.into = Some(name);
        }
    }
    Ok(())
}

/// The river that one ends on: its number, the place, and the height of the bed there.
fn confluence(k: usize, drafts: &[Draft], reach: f64) -> Option<(usize, [f64; 2], f64)> {
    let mouth = *drafts[k].demand.points.last()?;
    let others = drafts.iter().enumerate();
    let others =
        others.filter(|(other, draft)| *other != k && draft.demand.kind == DemandKind::River);
    let mut best: Option<(f64, usize, [f64; 2], f64)> = None;
    for (other, Draft { demand, .. }) in others {
        for [a, b] in demand.segments() {
            let (at, share) = foot(demand.points[a], demand.points[b], mouth);
            let distance = math::length(at[0] - mouth[0], at[1] - mouth[1]);
            let bed = math::lerp(demand.heights[a], demand.heights[b], share);
            // Two rivers that share their mouth are two rivers.
            let is_mouth = Some(&at) == demand.points.last();
            if distance <= reach && !is_mouth && best.is_none_or(|best| distance < best.0) {
                best = Some((distance, other, at, bed));
            }
        }
    }
    best.map(|(_, other, at, bed)| (other, at, bed))
}
