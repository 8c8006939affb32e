//! Textures of the view, and what is written into them.

use bytemuck::Pod;
use eframe::wgpu;
use landform_view::palette;

use super::light::LightMap;
use super::pyramid::{Pyramid, Update};
use super::scene::Window;

/// All textures that the shader reads.
#[derive(Debug)]
pub(super) struct Textures {
    pub(super) heights: wgpu::Texture,
    pub(super) slopes: wgpu::Texture,
    pub(super) light: wgpu::Texture,
    pub(super) overlay: wgpu::Texture,
    pub(super) grain: wgpu::Texture,
    pub(super) ramps: wgpu::Texture,
}

impl Textures {
    /// Grain and colours, and the smallest textures for the rest.
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        use wgpu::TextureFormat as Format;
        let one = |label, format| texture(device, label, format, [1, 1], 1);
        let light = one("light", Format::Rg8Unorm);
        write(queue, &light, 0, Window::whole([1, 1]), &[[255_u8; 2]]);
        let (size, grain) = grain_texels();
        let grain = mipmapped(device, queue, Format::Rgba8Unorm, size, grain);
        let ramps = texture(device, "ramps", Format::Rgba8UnormSrgb, [256, 2], 1);
        let shares = (0..256).map(|k| k as f32 / 255.0);
        let land = shares.clone().map(palette::land_tint);
        let tints: Vec<[u8; 4]> =
            land.chain(shares.map(palette::water_tint)).map(|[r, g, b]| [r, g, b, 255]).collect();
        write(queue, &ramps, 0, Window::whole([256, 2]), &tints);
        Self {
            heights: one("heights", Format::R32Float),
            slopes: one("slopes", Format::Rg16Float),
            light,
            overlay: one("overlay", Format::Rgba8UnormSrgb),
            grain,
            ramps,
        }
    }

    /// Room for the heights of `pyramid`.
    pub(super) fn resize(&mut self, device: &wgpu::Device, pyramid: &Pyramid) {
        use wgpu::TextureFormat as Format;
        let size = pyramid.size();
        self.heights = texture(device, "heights", Format::R32Float, size, 1);
        self.slopes = texture(device, "slopes", Format::Rg16Float, size, pyramid.level_count());
    }

    /// Writes what changed.
    pub(super) fn update(&self, queue: &wgpu::Queue, update: &Update) {
        write(queue, &self.heights, 0, update.window, &update.heights);
        for (level, slopes) in (0..).zip(&update.slopes) {
            write(queue, &self.slopes, level, slopes.window, &slopes.texels);
        }
    }

    /// Replaces the light. Says whether there is a new texture.
    pub(super) fn set_light(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        map: &LightMap,
    ) -> bool {
        let is_new = texels_of(&self.light) != map.size;
        if is_new {
            self.light = texture(device, "light", wgpu::TextureFormat::Rg8Unorm, map.size, 1);
        }
        write(queue, &self.light, 0, Window::whole(map.size), &map.texels);
        is_new
    }

    /// Replaces the colours that lie on the ground.
    pub(super) fn set_overlay(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: [usize; 2],
        colors: Vec<[u8; 4]>,
    ) {
        self.overlay = mipmapped(device, queue, wgpu::TextureFormat::Rgba8UnormSrgb, size, colors);
    }
}

fn texels_of(texture: &wgpu::Texture) -> [usize; 2] {
    [texture.width() as usize, texture.height() as usize]
}

fn texture(
    device: &wgpu::Device,
    label: &str,
    format: wgpu::TextureFormat,
    size: [usize; 2],
    levels: u32,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: extent(size),
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn extent(size: [usize; 2]) -> wgpu::Extent3d {
    let [width, height] = size.map(|side| side as u32);
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

fn write<T: Pod>(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    level: u32,
    window: Window,
    texels: &[T],
) {
    let size = [window.columns().len(), window.rows().len()];
    if texels.is_empty() {
        return;
    }
    let [x, y] = window.start.map(|place| place as u32);
    let target = wgpu::TexelCopyTextureInfo {
        texture,
        mip_level: level,
        origin: wgpu::Origin3d { x, y, z: 0 },
        aspect: wgpu::TextureAspect::All,
    };
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some((size[0] * size_of::<T>()) as u32),
        rows_per_image: None,
    };
    queue.write_texture(target, bytemuck::cast_slice(texels), layout, extent(size));
}

/// A texture with all its levels.
fn mipmapped(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    format: wgpu::TextureFormat,
    size: [usize; 2],
    texels: Vec<[u8; 4]>,
) -> wgpu::Texture {
    let levels = size[0].max(size[1]).max(1).ilog2() + 1;
    let texture = texture(device, "mipmapped", format, size, levels);
    let (mut size, mut texels) = (size, texels);
    for level in 0..levels {
        write(queue, &texture, level, Window::whole(size), &texels);
        (size, texels) = halved(size, &texels);
    }
    texture
}

fn halved(size: [usize; 2], texels: &[[u8; 4]]) -> ([usize; 2], Vec<[u8; 4]>) {
    let half = size.map(|side| (side / 2).max(1));
    let mean = |k: usize| {
        let (i, j) = (2 * (k % half[0]), 2 * (k / half[0]));
        let (i, j) = ([i, (i + 1).min(size[0] - 1)], [j, (j + 1).min(size[1] - 1)]);
        let four = j.into_iter().flat_map(|j| i.map(|i| texels[j * size[0] + i]));
        let sum = four
            .fold([0_u16; 4], |sum, texel| std::array::from_fn(|c| sum[c] + u16::from(texel[c])));
        sum.map(|channel| ((channel + 2) / 4) as u8)
    };
    (half, (0..half[0] * half[1]).map(mean).collect())
}

/// The grain, and its slopes to the east and to the south, as the shader decodes them.
fn grain_texels() -> ([usize; 2], Vec<[u8; 4]>) {
    let grain = palette::grain();
    let size = [grain.width(), grain.height()];
    let byte = |value: f32| (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8;
    let texel = |k: usize| {
        let (i, j) = (k % size[0], k / size[0]);
        let here = grain[(i, j)];
        let east = grain[((i + 1) % size[0], j)] - here;
        let south = grain[(i, (j + 1) % size[1])] - here;
        [byte(0.5 + 0.25 * here), byte(0.5 + 0.5 * east), byte(0.5 + 0.5 * south), 255]
    };
    (size, (0..size[0] * size[1]).map(texel).collect())
}
