//! Keeps the textures true to the scene.

use super::gpu::Gpu;
use super::light::{Lighting, Quality, Sun};
use super::pyramid::Pyramid;
use super::scene::{Scene, Window};

/// What the textures hold.
#[derive(Debug)]
pub(super) struct Terrain {
    pub(super) pyramid: Pyramid,
    size: [usize; 2],
    spacing: [f64; 2],
    version: u64,
    overlay: Option<u64>,
    sun: Sun,
    /// Light in the making.
    lighting: Option<(Lighting, Quality)>,
    /// Whether the light is made for the ground as it is, and as fine as it gets.
    is_lit: bool,
}

impl Terrain {
    /// Writes all of `scene` into textures.
    pub(super) fn new(gpu: &mut Gpu, scene: &Scene<'_>) -> Self {
        let most = gpu.device().limits().max_texture_dimension_2d as usize;
        let mut pyramid = Pyramid::new(scene, most);
        let update = pyramid.update(scene, Window::whole(scene.size));
        let device = gpu.device().clone();
        gpu.textures.resize(&device, &pyramid);
        gpu.textures.update(gpu.queue(), &update);
        gpu.textures_changed();
        let sun = Sun::of(scene);
        let quick = Lighting::new(scene, &pyramid, Quality::Moving);
        let lighting = Some((quick, Quality::Moving));
        Self {
            pyramid,
            size: scene.size,
            spacing: scene.spacing,
            version: scene.version,
            overlay: None,
            sun,
            lighting,
            is_lit: false,
        }
    }

    /// Whether the textures can take over `scene` as it is now.
    pub(super) fn suits(&self, scene: &Scene<'_>) -> bool {
        self.size == scene.size && self.spacing == scene.spacing
    }

    /// Whether `scene` is the same piece of ground.
    pub(super) fn covers(&self, scene: &Scene<'_>) -> bool {
        (0..2).all(|axis| {
            let sides = [(self.size, self.spacing), (scene.size, scene.spacing)]
                .map(|(size, spacing)| size[axis].saturating_sub(1) as f64 * spacing[axis]);
            (sides[0] - sides[1]).abs() <= 0.02 * sides[1]
        })
    }

    /// Writes what changed since the last frame. Says whether there is work left for the next one.
    pub(super) fn follow(&mut self, gpu: &mut Gpu, scene: &Scene<'_>) -> bool {
        let mut moved = false;
        if self.version != scene.version {
            let is_next = self.version.checked_add(1) == Some(scene.version);
            let changed = scene.changed.filter(|_| is_next);
            let changed = changed.unwrap_or(Window::whole(scene.size));
            let update = self.pyramid.update(scene, changed);
            gpu.textures.update(gpu.queue(), &update);
            gpu.textures_changed();
            self.version = scene.version;
            moved = true;
        }
        let sun = Sun::of(scene);
        if sun != self.sun {
            self.sun = sun;
            moved = true;
        }
        if moved {
            let quick = Lighting::new(scene, &self.pyramid, Quality::Moving);
            self.lighting = Some((quick, Quality::Moving));
            self.is_lit = false;
        }
        self.light(gpu, scene, moved);
        self.lay(gpu, scene);
        !self.is_lit
    }

    /// Goes on with the light: at once while things move, and slowly but better when they rest.
    fn light(&mut self, gpu: &mut Gpu, scene: &Scene<'_>, moved: bool) {
        if self.is_lit {
            return;
        }
        let (mut lighting, quality) = match self.lighting.take() {
            Some(begun) => begun,
            None if moved => return,
            None => (Lighting::new(scene, &self.pyramid, Quality::Resting), Quality::Resting),
        };
        let Some(map) = lighting.advance(quality) else {
            self.lighting = Some((lighting, quality));
            return;
        };
        let (device, queue) = (gpu.device().clone(), gpu.queue().clone());
        gpu.textures.set_light(&device, &queue, &map);
        gpu.textures_changed();
        self.is_lit = quality == Quality::Resting;
    }

    /// Lays the overlay on the ground.
    fn lay(&mut self, gpu: &mut Gpu, scene: &Scene<'_>) {
        let version = scene.overlay.map(|overlay| overlay.version);
        let Some(overlay) = scene.overlay.filter(|_| version != self.overlay) else { return };
        self.overlay = version;
        let (stride, [width, height]) = (self.pyramid.stride(), self.pyramid.size());
        let color = |k: usize| {
            let [i, j] = [0, 1].map(|axis| {
                let texel = if axis == 0 { k % width } else { k / width };
                (texel * stride).min(scene.size[axis] - 1)
            });
            overlay.colors[j * scene.size[0] + i]
        };
        let colors = (0..width * height).map(color).collect();
        let (device, queue) = (gpu.device().clone(), gpu.queue().clone());
        gpu.textures.set_overlay(&device, &queue, [width, height], colors);
        gpu.textures_changed();
    }
}
