//! How the shader is set up: pipelines, and the layout of what they read.

use eframe::wgpu;

use super::gpu::{COLOR, DEPTH, SAMPLES};
use super::lod::{Patch, Vertex};
use super::textures::Textures;

/// The three things that are drawn, in this order.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) sky: wgpu::RenderPipeline,
    pub(super) ground: wgpu::RenderPipeline,
    pub(super) plane: wgpu::RenderPipeline,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, bindings: &wgpu::BindGroupLayout) -> Self {
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("terrain"),
            source: wgpu::ShaderSource::Wgsl(include_str!("shader.wgsl").into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("terrain"),
            bind_group_layouts: &[Some(bindings)],
            immediate_size: 0,
        });
        let instances = wgpu::vertex_attr_array![1 => Float32x4];
        let vertices = wgpu::vertex_attr_array![0 => Uint8x4];
        let buffers = [
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Vertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &vertices,
            }),
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Patch>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &instances,
            }),
        ];
        let part = PipelineParts { device, layout: &layout, shader: &shader };
        let nearer = wgpu::CompareFunction::Greater;
        let always = wgpu::CompareFunction::Always;
        let list = wgpu::PrimitiveTopology::TriangleList;
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        Self {
            sky: part.pipeline("sky", &[], list, (always, false)),
            ground: part.pipeline("ground", &buffers, list, (nearer, true)),
            plane: part.pipeline("plane", &[], strip, (nearer, false)),
        }
    }
}

struct PipelineParts<'a> {
    device: &'a wgpu::Device,
    layout: &'a wgpu::PipelineLayout,
    shader: &'a wgpu::ShaderModule,
}

impl PipelineParts<'_> {
    fn pipeline(
        &self,
        name: &str,
        buffers: &[Option<wgpu::VertexBufferLayout<'_>>],
        topology: wgpu::PrimitiveTopology,
        (compare, writes_depth): (wgpu::CompareFunction, bool),
    ) -> wgpu::RenderPipeline {
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(name),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.shader,
                entry_point: Some(&format!("{name}_vertex")),
                compilation_options: Default::default(),
                buffers,
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(writes_depth),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: self.shader,
                entry_point: Some(&format!("{name}_fragment")),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: COLOR,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The layout of what the shader reads.
pub(super) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |(binding, ty)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = |filterable| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let types = [
        uniform,
        texture(false),
        texture(true),
        texture(true),
        texture(true),
        texture(true),
        texture(true),
        sampler,
        sampler,
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("terrain"),
        entries: &(0..).zip(types).map(entry).collect::<Vec<_>>(),
    })
}

/// What the shader reads.
pub(super) fn bind_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    frame: &wgpu::Buffer,
    textures: &Textures,
    samplers: &[wgpu::Sampler; 2],
) -> wgpu::BindGroup {
    let Textures { heights, slopes, light, overlay, grain, ramps } = textures;
    let views = [heights, slopes, light, grain, overlay, ramps]
        .map(|texture| texture.create_view(&Default::default()));
    let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
    let resources = std::iter::once(frame.as_entire_binding())
        .chain(views.iter().map(wgpu::BindingResource::TextureView))
        .chain(samplers.iter().map(wgpu::BindingResource::Sampler));
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("terrain"),
        layout,
        entries: &(0..).zip(resources).map(entry).collect::<Vec<_>>(),
    })
}

/// A sampler that is smooth in every way.
pub(super) fn sampler(
    device: &wgpu::Device,
    mode: wgpu::AddressMode,
    anisotropy_clamp: u16,
) -> wgpu::Sampler {
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("terrain"),
        address_mode_u: mode,
        address_mode_v: mode,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp,
        ..Default::default()
    })
}
