//! The foreground: two low hills with conifers, a river that runs between them, houses on the one behind.

use std::f64::consts::TAU;

use landform::{Seed, math};

use super::palette::Colors;
use crate::color::mix;
use crate::draw::{Drawing, Paint, Point, Shape, Stop};

/// How much of each there is, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foreground {
    pub(super) trees: f64,
    pub(super) river: f64,
    pub(super) buildings: f64,
}

impl Foreground {
    /// Whether there is a foreground at all.
    pub(super) fn is_there(self) -> bool {
        self.trees > 0.0 || self.river > 0.0 || self.buildings > 0.0
    }

    /// Draws it. Without river and buildings the hills and trees are where they would be with them.
    pub(super) fn add(self, drawing: &mut Drawing, seed: Seed, colors: &Colors) {
        let size = drawing.size.map(|side| side as f64);
        let place = seed.child("river");
        let mouth = place.between(0, 0.38, 0.62);
        let ground = Ground {
            size,
            seed: seed.child("trees"),
            river: (self.river > 0.0).then_some(mouth),
            valley: 0.05 + 0.08 * self.river,
            // Houses stand on the side with more room.
            village: (self.buildings > 0.0).then_some(if mouth > 0.5 { 0.24 } else { 0.76 }),
            street: 0.05 + 0.12 * self.buildings,
        };
        if let Some(mouth) = ground.river {
            let [w, h] = size;
            drawing
                .add(river([mouth * w, 0.84 * h], size, self.river, place), reflection(h, colors));
        }
        // A paler row behind, then the dark one.
        for (row, tint) in [(0_u64, 0.35_f32), (1, 0.0)] {
            let color = mix(colors.trees, colors.near, tint);
            drawing
                .shapes
                .push(Shape { rings: ground.row(row, self.trees), paint: Paint::Flat(color, 1.0) });
            if row == 0
                && let Some(middle) = ground.village
            {
                let houses = ground.houses(middle, self.buildings, seed.child("buildings"));
                houses.draw(drawing, colors);
            }
        }
    }
}

/// The hills of the foreground.
struct Ground {
    size: [f64; 2],
    seed: Seed,
    /// Where the river leaves the picture, as a share of its width, and half the width of its valley.
    river: Option<f64>,
    valley: f64,
    /// Where the middle of the village is, and half its width.
    village: Option<f64>,
    street: f64,
}

/// How far the hill behind stands above the one in front, as a share of the height of the picture.
const LIFT: f64 = 0.03;

impl Ground {
    /// The height of the hill in front.
    fn at(&self, x: f64) -> f64 {
        let [w, h] = self.size;
        let t = x / w;
        let wave = |n: u64, rate: f64| math::sin(TAU * (rate * t + self.seed.uniform(n)));
        let side = (2.0 * t - 1.0) * (2.0 * t - 1.0);
        let hill = h * (0.955 - 0.035 * side + 0.012 * wave(90, 0.9) + 0.006 * wave(91, 2.7));
        hill + 0.16 * h * self.dip(t)
    }

    /// How much of the valley of the river there is, 0 to 1.
    fn dip(&self, t: f64) -> f64 {
        let Some(river) = self.river else { return 0.0 };
        1.0 - math::smoothstep(0.0, 1.0, (t - river).abs() / self.valley)
    }

    fn is_street(&self, t: f64) -> bool {
        self.village.is_some_and(|middle| (t - middle).abs() < self.street)
    }

    /// A hill with its trees, taller towards the sides so that they frame the view.
    fn row(&self, row: u64, density: f64) -> Vec<Vec<Point>> {
        let [w, h] = self.size;
        let seed = self.seed.child(&row.to_string());
        let lift = if row == 0 { LIFT * h } else { 0.0 };
        let steps = 96;
        let mut hill = vec![[w, h], [0.0, h]];
        hill.extend((0..=steps).map(|k| {
            let x = f64::from(k) / f64::from(steps) * w;
            [x, (self.at(x) - lift).min(h)]
        }));
        let mut rings = vec![hill];
        if density <= 0.0 {
            return rings;
        }
        let spacing = 0.024 * h / density.max(0.05);
        let count = (w / spacing) as u64 + 2;
        for k in 0..count {
            let r = |n: u64| seed.uniform(16 * k + n);
            // Clearings, so that the row is not a fence.
            let clump = math::sin(0.9 * k as f64 * spacing / h * 20.0 + 5.0 * seed.uniform(7777));
            let x = (k as f64 - 0.5 + r(1)) * spacing;
            if r(0) > 0.62 + 0.38 * clump || self.dip(x / w) > 0.15 || self.is_street(x / w) {
                continue;
            }
            let side = (2.0 * x / w - 1.0) * (2.0 * x / w - 1.0);
            let tall = h
                * (0.045 + 0.075 * r(2) * r(2) + 0.10 * side * (0.5 + 0.5 * r(3)))
                * if row == 0 { 0.62 } else { 1.0 };
            let foot = [x, self.at(x) - lift + 0.01 * h];
            rings.push(conifer(seed.child(&k.to_string()), foot, tall));
        }
        rings
    }

    /// A village on the hill behind: houses side by side, and a church among them.
    fn houses(&self, middle: f64, amount: f64, seed: Seed) -> Houses {
        let [w, h] = self.size;
        let mut houses = Houses::default();
        let (first, last) = ((middle - self.street) * w, (middle + self.street) * w);
        let church = 1 + seed.below(1, 3);
        let mut x = first + 0.01 * h;
        let mut k = 0;
        while x < last - 0.03 * h {
            let r = |n: u64| seed.uniform(100 + 16 * k + n);
            let wide = h * (0.022 + 0.02 * r(0));
            let foot = self.at(x + 0.5 * wide) - LIFT * h + 0.006 * h;
            if k == church {
                houses.add_church([x, foot], 0.03 * h);
            } else {
                houses.add_house([x, foot], [wide, h * (0.014 + 0.012 * r(1))], r(2));
            }
            x += wide + h * (0.004 + 0.03 * r(3) * (1.3 - amount));
            k += 1;
        }
        houses
    }
}

/// Walls with roofs, and windows.
#[derive(Default)]
struct Houses {
    walls: Vec<Vec<Point>>,
    windows: Vec<Vec<Point>>,
}

impl Houses {
    /// A house with a gable or, seen from the side, a ridge.
    fn add_house(&mut self, [x, foot]: Point, [wide, tall]: [f64; 2], chance: f64) {
        let (eaves, top) = (foot - tall, foot - tall - 0.55 * wide);
        let hang = 0.08 * wide;
        let ridge = if chance < 0.5 { 0.5 } else { 0.2 };
        self.walls.push(vec![
            [x, foot],
            [x, eaves],
            [x - hang, eaves],
            [x + ridge * wide, top],
            [x + (1.0 - ridge) * wide, top],
            [x + wide + hang, eaves],
            [x + wide, eaves],
            [x + wide, foot],
        ]);
        for share in [0.25, 0.65] {
            self.add_window([x + share * wide, eaves + 0.25 * tall], [0.14 * wide, 0.35 * tall]);
        }
    }

    /// A tower with a spire beside a nave.
    fn add_church(&mut self, [x, foot]: Point, wide: f64) {
        let (tower, nave) = (0.35 * wide, foot - 0.7 * wide);
        self.walls.push(vec![
            [x, foot],
            [x, foot - 1.3 * wide],
            [x + 0.5 * tower, foot - 2.4 * wide],
            [x + tower, foot - 1.3 * wide],
            [x + tower, nave],
            [x + tower + 0.1 * wide, nave - 0.35 * wide],
            [x + wide, nave - 0.35 * wide],
            [x + 1.1 * wide, nave],
            [x + 1.1 * wide, foot],
        ]);
        self.add_window([x + 0.3 * tower, foot - 1.15 * wide], [0.4 * tower, 0.3 * wide]);
    }

    fn add_window(&mut self, [x, y]: Point, [wide, tall]: [f64; 2]) {
        self.windows.push(vec![[x, y + tall], [x, y], [x + wide, y], [x + wide, y + tall]]);
    }

    /// Dark against the light; at dusk and by night there is light in the windows.
    fn draw(self, drawing: &mut Drawing, colors: &Colors) {
        let wall = Paint::Flat(mix(colors.trees, colors.near, 0.15), 1.0);
        drawing.shapes.push(Shape { rings: self.walls, paint: wall });
        let is_late = colors.stars > 0.0;
        let window = if is_late { colors.glow } else { mix(colors.near, colors.mist[1], 0.5) };
        let opacity = if is_late { 0.95 } else { 0.6 };
        drawing.shapes.push(Shape { rings: self.windows, paint: Paint::Flat(window, opacity) });
    }
}

/// A river that winds from the foot of the nearest range to the lower edge, wider as it comes.
fn river(spring: Point, [w, h]: [f64; 2], amount: f64, seed: Seed) -> Vec<Point> {
    let steps = 80;
    let phase = seed.uniform(1);
    let bank = |side: f64| {
        (0..=steps).map(move |k| {
            let t = f64::from(k) / f64::from(steps);
            let swing =
                0.11 * w * (1.0 - t) * t.sqrt() * math::sin(TAU * (1.6 * (1.0 - t) + phase));
            let half = w * (0.0015 + 0.06 * amount * t * t);
            [spring[0] + swing + side * half, spring[1] + (h - spring[1]) * t]
        })
    };
    let right: Vec<Point> = bank(1.0).collect();
    bank(-1.0).chain(right.into_iter().rev()).collect()
}

/// The sky in the water: light far away, darker near.
fn reflection(h: f64, colors: &Colors) -> Paint {
    let sky = |k: usize| colors.sky[k.min(colors.sky.len() - 1)].1;
    let stop = |place, color| Stop { place, color, opacity: 0.95 };
    let stops = vec![stop(0.0, sky(colors.sky.len() - 1)), stop(1.0, sky(colors.sky.len() / 2))];
    Paint::Vertical { top: 0.84 * h, bottom: h, stops }
}

/// A spruce as a ring that turns the same way as the hill it stands on.
fn conifer(seed: Seed, foot: Point, tall: f64) -> Vec<Point> {
    let tiers = 6 + seed.below(0, 4);
    let wide = tall * seed.between(1, 0.15, 0.21);
    let lean = tall * seed.between(2, -0.02, 0.02);
    let edge = |side: f64, n: u64| {
        let mut points = Vec::new();
        for k in 0..tiers {
            let t = (k as f64 + 0.35) / tiers as f64;
            let tip = t + 0.75 / tiers as f64;
            let jitter = 0.85 + 0.3 * seed.uniform(100 * n + k);
            let x = |t: f64| foot[0] + lean * (1.0 - t);
            let y = |t: f64| foot[1] - tall * (1.0 - t);
            points.push([x(t) + side * wide * (0.12 + 0.38 * t), y(t)]);
            points.push([x(tip) + side * wide * (0.18 + 0.82 * t) * jitter, y(tip.min(0.94))]);
        }
        points.push([foot[0] + side * 0.10 * wide, foot[1] - 0.05 * tall]);
        points.push([foot[0] + side * 0.10 * wide, foot[1]]);
        points
    };
    let mut ring = vec![[foot[0] + lean, foot[1] - tall]];
    ring.extend(edge(1.0, 1));
    ring.extend(edge(-1.0, 2).into_iter().rev());
    ring
}
