//! Sky, sun and haze.

use super::noise::{GRAIN, grain_at};
use super::vector::{Vec3, dot};
use crate::color::{Rgb, mix, smoothstep};

/// The light of the sun on ground that faces it.
pub(crate) const SUN: Rgb = [2.9, 2.55, 2.05];
/// The light of the whole sky on open level ground.
pub(crate) const SKY: Rgb = [0.40, 0.52, 0.74];

/// The air of a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Air {
    /// Unit vector to the sun.
    pub(crate) sun: Vec3,
    /// Distance over which haze hides about two thirds, in metres.
    pub(crate) reach: f64,
    /// Distance at which haze begins, in metres.
    pub(crate) start: f64,
}

impl Air {
    /// Linear light of the sky in a direction.
    pub(crate) fn sky(&self, direction: Vec3) -> Rgb {
        let up = (direction[1] as f32).max(0.0);
        let high = 1.0 - 1.0 / (1.0 + 5.5 * up);
        let mut color = mix([0.74, 0.80, 0.84], [0.13, 0.29, 0.60], high);
        color = mix(color, [0.86, 0.83, 0.76], 0.5 * self.glow(direction) * (1.0 - high));
        if up > 0.01 {
            let (x, z) = ((direction[0] as f32) / (up + 0.12), (direction[2] as f32) / (up + 0.12));
            let cloud = grain_at(&GRAIN, 46.0 * x + 17.0, 46.0 * z + 91.0)
                + 0.5 * grain_at(&GRAIN, 150.0 * x, 150.0 * z + 300.0);
            let cover = smoothstep(0.25, 1.5, cloud) * smoothstep(0.01, 0.10, up);
            color = mix(color, [0.93, 0.94, 0.95], 0.75 * cover);
        }
        color
    }

    /// How near to the sun a direction is, 0 to 1.
    fn glow(&self, direction: Vec3) -> f32 {
        let near = (0.5 + 0.5 * dot(direction, self.sun)).max(0.0);
        let near = near * near;
        (near * near) as f32
    }

    /// `color` seen through the air over a distance in metres.
    #[inline]
    pub(crate) fn haze(&self, color: Rgb, direction: Vec3, distance: f64) -> Rgb {
        let x = ((distance - self.start) / self.reach).max(0.0) as f32;
        // Close to 1 − exp(−x), without calling it for every ray.
        let hidden = 1.0 - 1.0 / (1.0 + x * (1.0 + x * (0.5 + 0.2 * x)));
        let veil = mix([0.58, 0.67, 0.76], [0.80, 0.77, 0.70], 0.7 * self.glow(direction));
        // Blue light is scattered first.
        [
            color[0] + (veil[0] - color[0]) * hidden * (0.88 + 0.12 * hidden),
            color[1] + (veil[1] - color[1]) * hidden * (0.94 + 0.06 * hidden),
            color[2] + (veil[2] - color[2]) * hidden,
        ]
    }
}

/// Linear light as a film shows it: bright parts roll off instead of burning out (after Narkowicz 2015).
#[inline]
pub(crate) fn develop(light: Rgb) -> Rgb {
    light.map(|channel| {
        let x = 0.62 * channel.max(0.0);
        x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)
    })
}
