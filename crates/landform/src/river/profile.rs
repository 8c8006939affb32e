//! How much water a river has, how wide and deep it is, and how its bed falls.
//!
//! ```text
//! Q(s) = Q_source + (Q_mouth − Q_source)·s/L + Σ Q of the tributaries above s      discharge (m³/s)
//! w = 7.2·Q^0.50     d = 0.27·Q^0.30                                               width and depth of the water (m)
//! bed(s) = min over all s' ≤ s of  ground(s') − incision − d(s')                   falls, or is level
//! ```
//!
//! s is the way from the source, L the length of the longest river. The hydraulic geometry is that of Moody & Troutman
//! (2002). Where the ground falls in steps the bed is evened out, only ever downwards, and it always falls by a least
//! gradient. A tributary comes down to the bed of its main river. The paper's way, to lower the ground to one level
//! without regard to its slope, is an option.

use super::course::{Course, Main};
use super::stage::{Bed, Rivers};
use crate::feature::{River, RiverPoint};
use crate::noise::gradient_noise::gradient_noise;
use crate::{Seed, math};

/// Width in metres of a river of 1 m³/s.
pub(crate) const WIDTH_FACTOR: f64 = 7.2;
/// Depth in metres of a river of 1 m³/s.
pub(crate) const DEPTH_FACTOR: f64 = 0.27;

/// A point of a river and of its valley.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// The water.
    pub water: RiverPoint,
    /// How far the valley reaches to the left and to the right of the middle of the river, in metres.
    pub radius: [f64; 2],
    /// Share of that which is flood plain.
    pub plain: f64,
    /// Fall of the river around here, metres a metre: the plain rises as much away from it.
    pub gradient: f64,
}

/// The sections of all rivers of a stage, on the ground of this height. No bed lies above its cap, if there are caps: one
/// for each vertex of each river.
pub fn sections(
    rivers: &Rivers,
    courses: &[Course],
    earlier: &[River],
    (height, caps): (&dyn Fn(f64, f64) -> f64, &[Vec<f64>]),
    seed: Seed,
) -> Vec<Vec<Section>> {
    let mut profiles: Vec<Profile<'_>> =
        courses.iter().map(|course| Profile::new(course, courses)).collect();
    let longest = profiles.iter().map(Profile::length).fold(0.0, f64::max);
    for k in 0..profiles.len() {
        let end = match profiles[k].joins {
            Some((main, at)) => profiles[main].share[at],
            None => 1.0,
        };
        profiles[k].set_shares(end);
    }
    // Tributaries come after their main river, so this goes downstream.
    for k in (0..profiles.len()).rev() {
        let tributaries: Vec<(usize, f64, f64)> = (k + 1..profiles.len())
            .filter_map(|other| {
                let (main, at) = profiles[other].joins?;
                let last = profiles[other].way.len() - 1;
                let water = profiles[other].discharge[last];
                (main == k).then_some((at, water, profiles[other].bed[last]))
            })
            .collect();
        let profile = &mut profiles[k];
        profile.set_discharge(rivers, longest, &tributaries);
        let caps = caps.get(k).map_or(&[][..], Vec::as_slice);
        profile.set_bed(rivers, (height, caps), &tributaries);
    }
    // And this upstream: a tributary ends on the bed of its main river, and crosses its flood plain first.
    for k in 0..profiles.len() {
        let (target, crossed) = match (courses[k].into, profiles[k].joins) {
            (Some((Main::Earlier(index), point)), _) => (bed_near(&earlier[index], point), 0.0),
            (_, Some((main, at))) => {
                let main = &profiles[main];
                (
                    main.bed[at],
                    1.5 * rivers.plain_at(main.share[at]) * rivers.radius_at(main.share[at]),
                )
            }
            _ => continue,
        };
        if rivers.bed == Bed::Falling {
            profiles[k].come_down_to(target, crossed);
        }
    }
    let parts = profiles.iter().enumerate();
    parts.map(|(k, profile)| profile.sections(rivers, seed.child(&k.to_string()))).collect()
}

/// The bed of a river at the vertex nearest to a point.
fn bed_near(river: &River, point: [f64; 2]) -> f64 {
    let away = |p: &RiverPoint| math::length(p.x - point[0], p.z - point[1]);
    let nearest = river.points.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.map_or(0.0, |point| point.bed)
}

/// Values along the line of a river, one a vertex.
struct Profile<'a> {
    line: &'a [[f64; 2]],
    /// The river of this stage that it flows into, and the vertex of it.
    joins: Option<(usize, usize)>,
    /// Metres from the source.
    way: Vec<f64>,
    /// 0 at a source, 1 at the mouth of a main river.
    share: Vec<f64>,
    discharge: Vec<f64>,
    bed: Vec<f64>,
    /// How deep the bed is cut into the ground.
    cut: Vec<f64>,
}

impl<'a> Profile<'a> {
    fn new(course: &'a Course, courses: &[Course]) -> Self {
        let line = course.line.as_slice();
        let mut way = vec![0.0];
        for ends in line.windows(2) {
            let step = math::length(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
            way.push(way[way.len() - 1] + step);
        }
        let joins = course.into.and_then(|(main, point)| match main {
            Main::Here(main) => {
                let at = courses[main].line.iter().position(|vertex| *vertex == point)?;
                Some((main, at))
            }
            Main::Earlier(_) => None,
        });
        let none = Vec::new;
        Self { line, joins, way, share: none(), discharge: none(), bed: none(), cut: none() }
    }

    fn length(&self) -> f64 {
        self.way[self.way.len() - 1]
    }

    fn set_shares(&mut self, end: f64) {
        let length = self.length().max(f64::MIN_POSITIVE);
        self.share = self.way.iter().map(|way| end * way / length).collect();
    }

    fn set_discharge(&mut self, rivers: &Rivers, longest: f64, joining: &[(usize, f64, f64)]) {
        let flow = |width: f64| (width / WIDTH_FACTOR) * (width / WIDTH_FACTOR);
        let (source, mouth) = (flow(rivers.width), flow(rivers.width_mouth.max(rivers.width)));
        let longest = longest.max(f64::MIN_POSITIVE);
        let own = self.way.iter().map(|way| math::lerp(source, mouth, way / longest));
        self.discharge = own.collect();
        for &(at, water, _) in joining {
            self.discharge[at..].iter_mut().for_each(|sum| *sum += water);
        }
    }

    fn depth(&self, rivers: &Rivers, k: usize) -> f64 {
        rivers.water_depth * DEPTH_FACTOR * math::pow(self.discharge[k], 0.3)
    }

    fn set_bed(
        &mut self,
        rivers: &Rivers,
        (height, caps): (&dyn Fn(f64, f64) -> f64, &[f64]),
        joining: &[(usize, f64, f64)],
    ) {
        let count = self.line.len();
        let ground: Vec<f64> = (0..count).map(|k| self.ground(k, rivers, height)).collect();
        if rivers.bed == Bed::BaseLevel {
            self.bed = vec![rivers.base_level; count];
        } else {
            let mut bed: Vec<f64> = (0..count)
                .map(|k| {
                    let mouth = rivers.incision_mouth.unwrap_or(rivers.incision);
                    let incision = math::lerp(rivers.incision, mouth, self.share[k]);
                    ground[k] - incision - self.depth(rivers, k)
                })
                .collect();
            joining.iter().for_each(|&(at, _, least)| bed[at] = bed[at].min(least));
            bed.iter_mut().zip(caps).for_each(|(bed, cap)| *bed = bed.min(*cap));
            let fall = rivers.fall / 1000.0;
            self.make_fall(&mut bed, fall);
            let even = self.evened(&bed);
            bed.iter_mut().zip(even).for_each(|(bed, even)| *bed = bed.min(even));
            self.make_fall(&mut bed, fall);
            self.bed = bed;
        }
        self.cut = (0..count).map(|k| (ground[k] - self.bed[k]).max(0.0)).collect();
    }

    /// The lowest ground across the river, so that the river lies in the ground and not on a slope.
    fn ground(&self, k: usize, rivers: &Rivers, height: &dyn Fn(f64, f64) -> f64) -> f64 {
        let (a, b) = (self.line[k.saturating_sub(1)], self.line[(k + 1).min(self.line.len() - 1)]);
        let length = math::length(b[0] - a[0], b[1] - a[1]).max(f64::MIN_POSITIVE);
        let across = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
        let half = 0.5 * WIDTH_FACTOR * self.discharge[k].sqrt();
        let plain = rivers.plain_at(self.share[k]);
        let radius = rivers.radius_at(self.share[k]);
        let reach = half + 0.5 * (plain + 0.15) * (radius - half).max(0.0);
        let offsets = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| share * reach);
        let [x, z] = self.line[k];
        let heights = offsets.map(|away| height(x + away * across[0], z + away * across[1]));
        heights.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Lowers what does not fall by the least gradient.
    fn make_fall(&self, bed: &mut [f64], fall: f64) {
        for k in 1..bed.len() {
            bed[k] = bed[k].min(bed[k - 1] - fall * (self.way[k] - self.way[k - 1]));
        }
    }

    /// The mean over a stretch of the river around each vertex, shorter towards its ends: what fell before, still falls.
    fn evened(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0];
        for k in 1..values.len() {
            let step = self.way[k] - self.way[k - 1];
            sums.push(sums[k - 1] + 0.5 * (values[k] + values[k - 1]) * step);
        }
        let stretch = 0.05 * self.length();
        let integral = |way: f64| {
            let k = self.way.partition_point(|&at| at < way).clamp(1, values.len() - 1);
            let step = self.way[k] - self.way[k - 1];
            let t = if step > 0.0 { (way - self.way[k - 1]) / step } else { 0.0 };
            let value = math::lerp(values[k - 1], values[k], t);
            sums[k - 1] + 0.5 * (values[k - 1] + value) * t * step
        };
        (0..values.len())
            .map(|k| {
                let half = stretch.min(self.way[k]).min(self.length() - self.way[k]);
                if half <= 0.0 {
                    return values[k];
                }
                (integral(self.way[k] + half) - integral(self.way[k] - half)) / (2.0 * half)
            })
            .collect()
    }

    /// Lowers, or fills, the lower course so that it ends at `target`, after the last `crossed` metres on a plain.
    fn come_down_to(&mut self, target: f64, crossed: f64) {
        let length = self.length();
        let last = self.bed.len() - 1;
        let crossed = crossed.min(0.5 * length);
        let hill = (length - crossed).max(f64::MIN_POSITIVE);
        let gradient = 1.5 * (self.bed[0] - target).max(0.0) / hill;
        for k in 0..=last {
            let left = length - self.way[k];
            let most = target + 0.004 * left + gradient * (left - crossed).max(0.0);
            let before = self.bed[k];
            self.bed[k] = before.min(most).max(target);
            self.cut[k] += before - self.bed[k];
        }
    }

    /// The mean fall within a distance up and down the river.
    fn gradient(&self, way: f64, reach: f64) -> f64 {
        let bed = |way: f64| {
            let k = self.way.partition_point(|&at| at < way).clamp(1, self.way.len() - 1);
            let step = self.way[k] - self.way[k - 1];
            let t = if step > 0.0 { (way - self.way[k - 1]) / step } else { 0.0 };
            math::lerp(self.bed[k - 1], self.bed[k], t)
        };
        let (from, to) = ((way - reach).max(0.0), (way + reach).min(self.length()));
        if to > from { ((bed(from) - bed(to)) / (to - from)).max(0.0) } else { 0.0 }
    }

    fn sections(&self, rivers: &Rivers, seed: Seed) -> Vec<Section> {
        let cut = self.evened(&self.cut);
        let wave = |label: &str, way: f64| f64::from(gradient_noise(seed.child(label), way, 0.5));
        let mean_width = 0.5 * (rivers.width + rivers.width_mouth);
        let mean_radius = 0.5 * (rivers.radius + rivers.radius_mouth);
        (0..self.line.len())
            .map(|k| {
                let [x, z] = self.line[k];
                let (way, share) = (self.way[k], self.share[k]);
                let plain_width = WIDTH_FACTOR * self.discharge[k].sqrt();
                let width = plain_width * (1.0 + 0.25 * wave("width", way / (9.0 * mean_width)));
                let radius = rivers.radius_at(share);
                let plain = rivers.plain_at(share);
                // Where the river cuts deep the valley is wide enough for its sides to stand.
                let radius = radius.max(plain * radius + 1.5 * cut[k] / rivers.wall);
                // Alike on both sides at the ends, around which the valley closes.
                let inside = way.min(self.length() - way) / radius;
                let uneven = 0.35 * inside.clamp(0.0, 1.0);
                let radius = ["left", "right"].map(|label| {
                    let wide = radius * (1.0 + uneven * wave(label, way / (1.7 * mean_radius)));
                    wide.max(1.6 * width)
                });
                let depth = self.depth(rivers, k);
                let discharge = self.discharge[k];
                let water = RiverPoint { x, z, bed: self.bed[k], width, depth, discharge };
                let gradient = self.gradient(way, radius[0].max(radius[1]));
                Section { water, radius, plain, gradient }
            })
            .collect()
    }
}
