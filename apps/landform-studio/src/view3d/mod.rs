//! The terrain in three dimensions, drawn by the graphics processor while it is edited.
//!
//! | part | what |
//! | --- | --- |
//! | [`scene`] | what the view is asked to show, and what it answers |
//! | [`camera`], [`steer`] | where it is seen from, and how the user changes that |
//! | [`ground`] | rays that meet the ground: what is under the pointer |
//! | [`pyramid`], [`light`], [`terrain`] | heights, slopes and light for the textures, as far as they changed |
//! | [`lod`] | which parts are drawn how finely |
//! | [`frame`], [`gpu`], [`pipeline`], [`textures`] | the graphics processor; `shader.wgsl` runs there |
//! | [`marks`] | peaks: dots, handles, and which one is under the pointer |

mod camera;
mod frame;
mod gpu;
mod ground;
mod light;
mod lod;
mod marks;
mod pipeline;
mod pyramid;
mod scene;
mod steer;
mod terrain;
mod textures;

#[cfg(test)]
mod tests;

use eframe::{egui, egui_wgpu};

use self::camera::Camera;
use self::frame::{Frame, Levels, Setting};
use self::gpu::Gpu;
use self::ground::HeightSurface;
use self::lod::Field;
use self::steer::Surroundings;
use self::terrain::Terrain;

pub use self::scene::{Click, Drag, Overlay, PeakMark, Response, Scene, Shading, Window};

/// The view: its camera, and what it keeps on the graphics processor.
pub struct View3d {
    gpu: Option<Gpu>,
    terrain: Option<Terrain>,
    /// Nothing until there is a scene, and when everything is to be seen.
    camera: Option<Camera>,
    exaggeration: f64,
    grabbed: Option<Grabbed>,
    pace: Pace,
    has_pointer: bool,
}

/// A peak that is being dragged.
#[derive(Clone, Copy, Debug)]
struct Grabbed {
    peak: usize,
    /// The level plane in which it moves.
    level: f64,
    /// From where the pointer meets that plane to the peak.
    offset: [f64; 2],
    /// Where it was last.
    at: [f64; 2],
}

impl std::fmt::Debug for View3d {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View3d").field("camera", &self.camera).finish_non_exhaustive()
    }
}

impl View3d {
    /// A view that draws with `render_state`, which eframe's `CreationContext` has.
    pub fn new(render_state: Option<egui_wgpu::RenderState>) -> Self {
        let gpu = render_state.map(Gpu::new);
        let pace = Pace::new(gpu.as_ref().is_some_and(Gpu::is_software));
        Self {
            gpu,
            terrain: None,
            camera: None,
            exaggeration: 1.0,
            grabbed: None,
            pace,
            has_pointer: false,
        }
    }

    /// Moves the camera so that all of the terrain is seen, when it is drawn next.
    pub fn fit(&mut self) {
        self.camera = None;
    }

    /// Another terrain is shown next, whose versions are counted anew.
    pub fn clear(&mut self) {
        (self.terrain, self.camera, self.grabbed) = (None, None, None);
    }

    /// Whether the pointer is over the view: then the keys W, A, S, D, Q and E fly.
    pub fn has_pointer(&self) -> bool {
        self.has_pointer
    }

    /// The view is not shown: the pointer is elsewhere.
    pub fn leave(&mut self) {
        self.has_pointer = false;
    }

    /// Shows `scene` in the whole of what `ui` has left, and says what the user did there.
    pub fn ui(&mut self, ui: &mut egui::Ui, scene: &Scene<'_>) -> Response {
        let size = ui.available_size().max(egui::vec2(16.0, 16.0));
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        let name = || egui::WidgetInfo::labeled(egui::Role::Image, true, "3-D view");
        response.widget_info(name);
        self.has_pointer = response.contains_pointer();
        let count = scene.size[0] * scene.size[1];
        if count == 0 || scene.heights.len() != count {
            return Response::default();
        }
        let Some(gpu) = &mut self.gpu else {
            let middle = egui::Align2::CENTER_CENTER;
            let font = egui::TextStyle::Body.resolve(ui.style());
            let color = ui.visuals().weak_text_color();
            ui.painter().text(rect.center(), middle, "No graphics processor", font, color);
            return Response::default();
        };
        if self.terrain.as_ref().is_none_or(|terrain| !terrain.suits(scene)) {
            // The same ground with more samples or fewer is seen from the same place.
            let is_same = self.terrain.as_ref().is_some_and(|terrain| terrain.covers(scene));
            self.camera = self.camera.filter(|_| is_same);
            self.terrain = Some(Terrain::new(gpu, scene));
        }
        let terrain = self.terrain.as_mut().expect("it was just made");
        if terrain.follow(gpu, scene) {
            ui.ctx().request_repaint();
        }
        let ground = HeightSurface::new(scene, terrain.pyramid.range());
        let world = Surroundings { ground: &ground, water: scene.water, rect };
        let mut camera = self.camera.unwrap_or_else(|| fitted(scene, &ground, rect));
        camera.aspect = f64::from(rect.width() / rect.height());
        if self.exaggeration != scene.exaggeration {
            if self.camera.is_some() && self.exaggeration != 0.0 {
                camera.target[1] *= scene.exaggeration / self.exaggeration;
            }
            self.exaggeration = scene.exaggeration;
        }
        let (answer, moved) = interact(&world, &mut camera, scene, &response, &mut self.grabbed);
        self.camera = Some(camera);
        if wants_all(&response) {
            self.camera = None;
            ui.ctx().request_repaint();
        }
        let scale = self.pace.scale(ui.ctx(), moved);
        let pixels = rect.size() * ui.ctx().pixels_per_point() * scale;
        let most = gpu.device().limits().max_texture_dimension_2d;
        let pixels = [pixels.x, pixels.y].map(|side| (side.round() as u32).clamp(1, most));
        let over = height_over(&camera, &ground);
        let texels = terrain.pyramid.size();
        let stride = terrain.pyramid.stride();
        let frame = Frame::new(&Setting {
            scene,
            ground: &ground,
            camera: &camera,
            texels,
            stride,
            rows: pixels[1],
            over,
        });
        let levels = Levels::of(scene, &ground);
        let field = Field {
            size: texels,
            cell: ground.spacing.map(|side| side * stride as f64),
            heights: [levels.base, levels.high],
            over,
            detail: self.pace.detail(scale),
        };
        let picture = gpu.draw(&frame, field.patches(&camera), pixels);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let painter = ui.painter_at(rect);
        painter.image(picture, rect, whole, egui::Color32::WHITE);
        let hovered = response
            .hover_pos()
            .and_then(|at| marks::peak_at(&world, &camera, scene, at))
            .or(self.grabbed.map(|grabbed| grabbed.peak));
        if hovered.is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        }
        marks::draw(&world, &camera, scene, &painter, hovered);
        answer
    }
}

/// Lets the user move the camera or a peak; says what was done and whether anything moved.
fn interact(
    world: &Surroundings<'_>,
    camera: &mut Camera,
    scene: &Scene<'_>,
    response: &egui::Response,
    grabbed: &mut Option<Grabbed>,
) -> (Response, bool) {
    let mut answer = Response::default();
    let origin = response.ctx.input(|input| input.pointer.press_origin());
    if response.drag_started_by(egui::PointerButton::Primary) {
        *grabbed = origin.and_then(|at| grab(world, camera, scene, at));
    }
    let mut moved = false;
    if let Some(held) = *grabbed {
        let is_done = !response.dragged_by(egui::PointerButton::Primary);
        if let Some(at) = response.interact_pointer_pos()
            && let Some([x, z]) = on_level(camera, world.in_picture(at), held.level)
        {
            let to = [x + held.offset[0], z + held.offset[1]];
            answer.drag = Some(Drag { peak: held.peak, to, is_done });
            moved = to != held.at;
            *grabbed = Some(Grabbed { at: to, ..held });
        }
        if is_done {
            *grabbed = None;
        }
    } else {
        moved = world.steer(camera, response);
    }
    if let Some(at) = response.hover_pos() {
        let seen = world.seen_at(camera, world.in_picture(at));
        answer.ground = seen.map(|[x, _, z]| [x, z]);
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        let is_additive =
            response.ctx.input(|input| input.modifiers.shift || input.modifiers.command);
        let peak = marks::peak_at(world, camera, scene, at);
        answer.click = Some(Click { peak, is_additive });
    }
    (answer, moved)
}

/// Takes hold of the peak at a place of the screen.
fn grab(
    world: &Surroundings<'_>,
    camera: &Camera,
    scene: &Scene<'_>,
    at: egui::Pos2,
) -> Option<Grabbed> {
    let id = marks::peak_at(world, camera, scene, at)?;
    let peak = scene.peaks.iter().find(|peak| peak.id == id)?;
    let [x, level, z] = marks::place_of(world, peak);
    let [px, pz] = on_level(camera, world.in_picture(at), level)?;
    Some(Grabbed { peak: id, level, offset: [x - px, z - pz], at: [x, z] })
}

/// Where a line of sight meets a level plane in front of the camera.
fn on_level(camera: &Camera, place: [f64; 2], level: f64) -> Option<[f64; 2]> {
    let (eye, ray) = (camera.eye(), camera.ray(place));
    let t = (level - eye[1]) / ray[1];
    let hit = landform::math::vector::along(eye, ray, t);
    (t > 0.0 && t < 50.0 * camera.distance).then_some([hit[0], hit[2]])
}

/// Whether the user asked to see everything.
fn wants_all(response: &egui::Response) -> bool {
    response.double_clicked()
        || (response.contains_pointer()
            && !response.ctx.egui_wants_keyboard_input()
            && response.ctx.input(|input| input.key_pressed(egui::Key::Home)))
}

/// A camera that sees all of the terrain.
fn fitted(scene: &Scene<'_>, ground: &HeightSurface<'_>, rect: egui::Rect) -> Camera {
    let [gx, gz] = ground.sides();
    let levels = Levels::of(scene, ground);
    let base = levels.sea.unwrap_or(levels.base);
    let steps = 24;
    let mut points = vec![[0.0, base, 0.0], [gx, base, 0.0], [0.0, base, gz], [gx, base, gz]];
    for j in 0..=steps {
        for i in 0..=steps {
            let (x, z) = (gx * f64::from(i) / 24.0, gz * f64::from(j) / 24.0);
            points.push([x, ground.height_at(x, z).max(base), z]);
        }
    }
    Camera::fitting(&points, f64::from(rect.width() / rect.height()))
}

/// Height of the eye over the nearest ground, at least 0.
fn height_over(camera: &Camera, ground: &HeightSurface<'_>) -> f64 {
    let [x, y, z] = camera.eye();
    (y - ground.height_at(x, z)).max(0.0)
}

/// Draws less while things move if the machine is too slow for more.
#[derive(Clone, Copy, Debug)]
struct Pace {
    is_slow: bool,
    /// Frames in a row that were too late.
    late: u32,
}

impl Pace {
    /// Seconds that a frame may take.
    const FRAME: f32 = 0.045;

    fn new(is_slow: bool) -> Self {
        Self { is_slow, late: 0 }
    }

    /// Pixels drawn for each pixel of the screen, along a side.
    fn scale(&mut self, ctx: &egui::Context, moves: bool) -> f32 {
        if !moves {
            self.late = 0;
            return 1.0;
        }
        let took = ctx.input(|input| input.unstable_dt);
        // A very long frame is one that something else held up, or the first after a rest.
        self.late = if (Self::FRAME..0.5).contains(&took) { self.late + 1 } else { 0 };
        self.is_slow |= self.late > 4;
        // At rest everything is drawn once more.
        ctx.request_repaint();
        if self.is_slow { 0.5 } else { 1.0 }
    }

    /// How finely the ground is divided.
    fn detail(self, scale: f32) -> f64 {
        if scale < 1.0 { 3.5 } else { 8.0 }
    }
}
