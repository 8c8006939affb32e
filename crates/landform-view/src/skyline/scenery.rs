//! Stars, sun and moon, clouds.

use landform::{Seed, math};

use super::palette::Colors;
use crate::color::mix;
use crate::draw::{Drawing, Paint, Point, Stop, circle};

/// A line of heights stretched over the width of the picture.
pub(crate) struct Ridge<'a> {
    heights: &'a [f64],
    width: f64,
}

impl<'a> Ridge<'a> {
    pub(crate) fn new(heights: &'a [f64], width: f64) -> Self {
        Self { heights, width }
    }

    /// The ground below the line, down to `bottom`. Long arrays are thinned to two points a pixel, the
    /// highest and the lowest of what falls there, so no summit is lost.
    pub(crate) fn ring(&self, bottom: f64) -> Vec<Point> {
        let n = self.heights.len();
        let mut ring = vec![[self.width, bottom], [0.0, bottom]];
        match n {
            0 => return Vec::new(),
            1 => ring.extend([[0.0, self.heights[0]], [self.width, self.heights[0]]]),
            _ => {
                let x = |i: usize| i as f64 / (n - 1) as f64 * self.width;
                let per_pixel = (n as f64 / self.width.max(1.0)).ceil() as usize;
                if per_pixel <= 2 {
                    ring.extend(self.heights.iter().enumerate().map(|(i, &y)| [x(i), y]));
                } else {
                    for (k, part) in self.heights.chunks(per_pixel).enumerate() {
                        let mut ends = [0, 0];
                        for (i, y) in part.iter().enumerate() {
                            if *y < part[ends[0]] {
                                ends[0] = i;
                            }
                            if *y > part[ends[1]] {
                                ends[1] = i;
                            }
                        }
                        ends.sort_unstable();
                        let first = k * per_pixel;
                        ring.extend(ends.map(|i| [x(first + i), part[i]]));
                    }
                    ring.push([self.width, self.heights[n - 1]]);
                }
            }
        }
        ring
    }
}

/// Stars, more of them overhead, most of them faint.
pub(crate) fn add_stars(
    drawing: &mut Drawing,
    seed: Seed,
    amount: f64,
    horizon: f64,
    colors: &Colors,
) {
    let seed = seed.child("stars");
    let w = drawing.size[0] as f64;
    let unit = (w * horizon).sqrt() / 1000.0;
    let count = (amount.clamp(0.0, 1.0) * 900.0) as u64;
    for k in 0..count {
        let r = |n: u64| seed.uniform(8 * k + n);
        let height = 1.0 - r(1) * r(1).sqrt();
        let fade = math::smoothstep(0.05, 0.45, height);
        let magnitude = r(2) * r(2);
        let radius = unit * (0.5 + 1.3 * magnitude * magnitude);
        let opacity = (0.25 + 0.75 * magnitude) * fade * if amount < 0.5 { 0.7 } else { 1.0 };
        let tint = mix([0.82, 0.88, 1.0], [1.0, 0.94, 0.84], r(3) as f32);
        let center = [r(0) * w, horizon * (1.0 - height)];
        let ring = circle(center, radius);
        drawing.add(ring, Paint::Flat(mix(tint, colors.disc, 0.2), opacity as f32));
    }
}

/// Sun or moon with its glow.
pub(crate) fn add_disc(drawing: &mut Drawing, center: Point, horizon: f64, colors: &Colors) {
    let radius = 0.055 * horizon * if colors.is_moon { 0.9 } else { 1.0 };
    let stop = |place, opacity| Stop { place, color: colors.glow, opacity };
    let reach = if colors.is_moon { 6.0 } else { 10.0 } * radius;
    let stops =
        vec![stop(0.0, 0.85), stop(0.12, 0.5), stop(0.3, 0.22), stop(0.6, 0.07), stop(1.0, 0.0)];
    drawing.add(circle(center, reach), Paint::Radial { center, radius: reach, stops });
    if !colors.is_moon {
        drawing.add(circle(center, radius), Paint::Flat(colors.disc, 1.0));
        return;
    }
    // A gibbous moon with a few seas.
    drawing.add(circle(center, radius), Paint::Flat(colors.disc, 1.0));
    let seas = [
        (-0.35, -0.25, 0.30),
        (0.05, -0.42, 0.20),
        (0.28, -0.08, 0.26),
        (-0.2, 0.25, 0.22),
        (-0.48, 0.12, 0.16),
    ];
    for (x, y, r) in seas {
        let at = [center[0] + x * radius, center[1] + y * radius];
        let stop = |place, opacity| Stop { place, color: [0.62, 0.66, 0.72], opacity };
        let stops = vec![stop(0.0, 0.55), stop(0.6, 0.4), stop(1.0, 0.0)];
        drawing
            .add(circle(at, r * radius), Paint::Radial { center: at, radius: r * radius, stops });
    }
}

/// Long thin clouds in a few layers, smaller and closer together towards the horizon.
pub(crate) fn add_clouds(
    drawing: &mut Drawing,
    seed: Seed,
    amount: f64,
    horizon: f64,
    colors: &Colors,
) {
    let seed = seed.child("clouds");
    let w = drawing.size[0] as f64;
    let count = (amount.clamp(0.0, 1.0) * 16.0).round() as u64;
    for k in 0..count {
        let seed = seed.child(&k.to_string());
        let height = 0.12 + 0.8 * seed.uniform(0);
        let middle = [seed.between(1, -0.1, 1.1) * w, horizon * (1.0 - height)];
        let near = 0.35 + 0.65 * height;
        let length = w * near * seed.between(2, 0.14, 0.42);
        let thickness = horizon * near * seed.between(3, 0.018, 0.045);
        for layer in 0..3_u64 {
            let shift = [
                length * seed.between(10 + layer, -0.22, 0.22),
                thickness * seed.between(20 + layer, -0.7, 0.7),
            ];
            let scale = seed.between(30 + layer, 0.45, 1.0);
            let at = [middle[0] + shift[0], middle[1] + shift[1]];
            let ring =
                streak(seed.child(&layer.to_string()), at, length * scale, thickness * scale);
            let stop = |place, opacity| Stop { place, color: colors.cloud, opacity };
            let paint = Paint::Vertical {
                top: at[1] - thickness * scale,
                bottom: at[1] + 0.6 * thickness * scale,
                stops: vec![stop(0.0, 0.34), stop(0.6, 0.22), stop(1.0, 0.05)],
            };
            drawing.add(ring, paint);
        }
    }
}

/// A cloud seen from the side: billows on top, nearly flat below, pointed at both ends.
fn streak(seed: Seed, at: Point, length: f64, thickness: f64) -> Vec<Point> {
    let steps = 72;
    let edge = |label: &str, waves: f64, t: f64| {
        let seed = seed.child(label);
        let wave = |n: u64, rate: f64| {
            math::sin(std::f64::consts::TAU * (rate * waves * t + seed.uniform(n)))
        };
        0.62 + 0.22 * wave(0, 1.0) + 0.12 * wave(1, 2.3) + 0.07 * wave(2, 5.1)
    };
    let taper = |t: f64| {
        let s = 1.0 - (2.0 * t - 1.0) * (2.0 * t - 1.0);
        s * s.sqrt()
    };
    let x = |t: f64| at[0] + length * (t - 0.5);
    let top = (0..=steps).map(|k| {
        let t = f64::from(k) / f64::from(steps);
        [x(t), at[1] - thickness * taper(t) * edge("top", 2.0, t)]
    });
    let bottom = (0..=steps).rev().map(|k| {
        let t = f64::from(k) / f64::from(steps);
        [x(t), at[1] + 0.45 * thickness * taper(t) * edge("bottom", 1.0, t)]
    });
    top.chain(bottom).collect()
}
