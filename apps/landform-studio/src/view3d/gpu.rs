//! Drawing with the graphics processor, into a texture that egui shows.
//!
//! The view is not drawn inside egui's own pass: a picture of its own is kept as long as nothing in it changes,
//! has its own depth and smooth edges, and may be smaller than the window while a slow machine moves it.

use eframe::egui_wgpu::RenderState;
use eframe::{egui, wgpu};

use super::frame::Frame;
use super::lod::{self, Patch};
use super::pipeline::{Pipelines, bind_group, bind_group_layout, sampler};
use super::textures::Textures;

/// Samples per pixel.
pub(super) const SAMPLES: u32 = 4;
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// The most patches that are drawn.
const MOST_PATCHES: usize = 4096;

/// Everything that lives on the graphics processor.
pub(super) struct Gpu {
    state: RenderState,
    layout: wgpu::BindGroupLayout,
    samplers: [wgpu::Sampler; 2],
    pipelines: Pipelines,
    frame: wgpu::Buffer,
    vertices: wgpu::Buffer,
    corners: wgpu::Buffer,
    corner_count: u32,
    patches: wgpu::Buffer,
    pub(super) textures: Textures,
    /// Ties the textures to the shader; made anew when one of them is replaced.
    bindings: Option<wgpu::BindGroup>,
    target: Option<Target>,
    /// What was drawn last.
    drawn: Option<(Frame, Vec<Patch>)>,
}

/// The picture.
struct Target {
    size: [u32; 2],
    color: wgpu::Texture,
    smooth: wgpu::TextureView,
    depth: wgpu::TextureView,
    id: egui::TextureId,
}

impl Gpu {
    pub(super) fn new(state: RenderState) -> Self {
        let device = &state.device;
        let layout = bind_group_layout(device);
        let pipelines = Pipelines::new(device, &layout);
        let info = state.adapter.get_info();
        // Costly without a graphics processor, and a browser does not say whether there is one.
        let is_certain =
            info.device_type != wgpu::DeviceType::Cpu && info.backend != wgpu::Backend::Gl;
        let anisotropy = if is_certain { 4 } else { 1 };
        let samplers = [wgpu::AddressMode::ClampToEdge, wgpu::AddressMode::Repeat]
            .map(|mode| sampler(device, mode, anisotropy));
        let (vertices, corners) = lod::patch_mesh();
        let buffer = |label, usage, bytes: &[u8]| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.len() as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            state.queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let no_patches = vec![0; MOST_PATCHES * size_of::<Patch>()];
        Self {
            layout,
            samplers,
            pipelines,
            frame: buffer("frame", wgpu::BufferUsages::UNIFORM, &[0; size_of::<Frame>()]),
            vertices: buffer(
                "vertices",
                wgpu::BufferUsages::VERTEX,
                bytemuck::cast_slice(&vertices),
            ),
            corners: buffer("corners", wgpu::BufferUsages::INDEX, bytemuck::cast_slice(&corners)),
            corner_count: corners.len() as u32,
            patches: buffer("patches", wgpu::BufferUsages::VERTEX, &no_patches),
            textures: Textures::new(device, &state.queue),
            bindings: None,
            target: None,
            drawn: None,
            state,
        }
    }

    pub(super) fn device(&self) -> &wgpu::Device {
        &self.state.device
    }

    pub(super) fn queue(&self) -> &wgpu::Queue {
        &self.state.queue
    }

    /// Whether the processor of the machine draws, and not a graphics processor.
    pub(super) fn is_software(&self) -> bool {
        self.state.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// The next picture differs even if it is of the same frame, because a texture was written or replaced.
    pub(super) fn textures_changed(&mut self) {
        self.bindings = None;
        self.drawn = None;
    }

    /// The picture of a frame, `size` pixels wide and high.
    pub(super) fn draw(
        &mut self,
        frame: &Frame,
        patches: Vec<Patch>,
        size: [u32; 2],
    ) -> egui::TextureId {
        if self.target.as_ref().is_none_or(|target| target.size != size) {
            self.resize(size);
        }
        let target = self.target.as_ref().expect("there is one of the right size");
        let id = target.id;
        let drawn = (*frame, patches);
        if self.drawn.as_ref() == Some(&drawn) {
            return id;
        }
        let bindings = self.bindings.get_or_insert_with(|| {
            bind_group(
                &self.state.device,
                &self.layout,
                &self.frame,
                &self.textures,
                &self.samplers,
            )
        });
        let queue = &self.state.queue;
        let count = drawn.1.len().min(MOST_PATCHES);
        queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(frame));
        queue.write_buffer(&self.patches, 0, bytemuck::cast_slice(&drawn.1[..count]));
        let mut encoder = self.state.device.create_command_encoder(&Default::default());
        {
            let mut pass = target.begin(&mut encoder);
            pass.set_bind_group(0, &*bindings, &[]);
            pass.set_pipeline(&self.pipelines.sky);
            pass.draw(0..3, 0..1);
            pass.set_pipeline(&self.pipelines.ground);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.set_vertex_buffer(1, self.patches.slice(..));
            pass.set_index_buffer(self.corners.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..self.corner_count, 0, 0..count as u32);
            pass.set_pipeline(&self.pipelines.plane);
            pass.draw(0..4, 0..1);
        }
        queue.submit([encoder.finish()]);
        self.drawn = Some(drawn);
        id
    }

    fn resize(&mut self, size: [u32; 2]) {
        let old = self.target.take().map(|target| target.id);
        self.drawn = None;
        let device = &self.state.device;
        let texture = |format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("view"),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let shown =
            attachment | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let color = texture(COLOR, 1, shown);
        let view = color.create_view(&Default::default());
        let mut renderer = self.state.renderer.write();
        let filter = wgpu::FilterMode::Linear;
        let id = match old {
            Some(id) => {
                renderer.update_egui_texture_from_wgpu_texture(device, &view, filter, id);
                id
            }
            None => renderer.register_native_texture(device, &view, filter),
        };
        self.target = Some(Target {
            size,
            color,
            smooth: texture(COLOR, SAMPLES, attachment).create_view(&Default::default()),
            depth: texture(DEPTH, SAMPLES, attachment).create_view(&Default::default()),
            id,
        });
    }
}

impl Target {
    /// Begins to draw.
    fn begin<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        let view = self.color.create_view(&Default::default());
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("terrain"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.smooth,
                depth_slice: None,
                resolve_target: Some(&view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                // Infinitely far.
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}
