//! Sky, sun and haze.

use landform::math::vector::{Vec3, dot};

use super::noise::{GRAIN, grain_at};
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
        let high = 1.0 - 1.0 / (1.0 + 5.0 * up);
        let mut color = mix(self.veil(direction), [0.10, 0.27, 0.62], high);
        if up > 0.01 {
            let (x, z) = ((direction[0] as f32) / (up + 0.12), (direction[2] as f32) / (up + 0.12));
            let cloud = grain_at(&GRAIN, 46.0 * x + 17.0, 46.0 * z + 91.0)
                + 0.5 * grain_at(&GRAIN, 150.0 * x, 150.0 * z + 300.0);
            let cover = smoothstep(0.1, 1.4, cloud) * smoothstep(0.01, 0.12, up);
            color = mix(color, [1.0, 1.0, 1.0], 0.8 * cover);
        }
        color
    }

    /// Linear light of the air at the horizon: what distance fades into.
    fn veil(&self, direction: Vec3) -> Rgb {
        let near = (0.5 + 0.5 * dot(direction, self.sun)).max(0.0) as f32;
        let glow = near * near * near * near;
        mix([0.47, 0.62, 0.80], [0.98, 0.90, 0.78], 0.75 * glow)
    }

    /// `color` seen through the air over a distance in metres.
    #[inline]
    pub(crate) fn haze(&self, color: Rgb, direction: Vec3, distance: f64) -> Rgb {
        let x = ((distance - self.start) / self.reach).max(0.0) as f32;
        // Close to 1 − exp(−x), without calling it for every ray.
        let hidden = 1.0 - 1.0 / (1.0 + x * (1.0 + x * (0.5 + 0.2 * x)));
        let veil = self.veil(direction);
        // Blue light is scattered first.
        [
            color[0] + (veil[0] - color[0]) * hidden * (0.85 + 0.15 * hidden),
            color[1] + (veil[1] - color[1]) * hidden * (0.93 + 0.07 * hidden),
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
