//! The plan view: the base grid from above, every peak a green marker with its base circle, selected ones red (Rankin 2015).

mod brush;
mod drag;
mod objects;
mod paint;
mod plates;

use eframe::egui::{self, Key, Pos2, Rect, Sense, Vec2, vec2};

use crate::camera::Camera;
use crate::document::Item;
use crate::edits;
use crate::hit::{Circle, CirclePart, Cycle, Hit, candidates};
use crate::options::Options;
use crate::relief::Picture2d;
use crate::selection::Selection;
use crate::session::Session;
use drag::Drag;
pub(crate) use plates::Boundaries;

/// The plan view: what is shown of the ground, and what the pointer is doing.
#[derive(Debug, Default)]
pub(crate) struct PlanView {
    camera: Option<Camera>,
    /// Whether a person chose what is seen; until then all of the ground is, whatever the size of the window.
    is_steered: bool,
    cycle: Cycle,
    drag: Option<Drag>,
    order: Order,
    /// What a drag over nothing does.
    pub(crate) tool: Tool,
    object: Option<objects::ObjectDrag>,
    pub(crate) brush: brush::Brushwork,
    /// Where the map is split for before and after, as a share of its width.
    split: f32,
    window: Option<Rect>,
    /// The place under the pointer, in metres.
    pub(crate) pointer: Option<[f64; 2]>,
}

/// What a drag over nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Select,
    /// Draws a river from its source to its mouth.
    River,
    /// Draws a flat place from its middle to its rim.
    Pad,
    /// Paints where a stage acts.
    Brush,
}

/// The pictures under the circles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pictures {
    pub(crate) now: Option<Picture2d>,
    /// As it was saved; only while before and after are compared.
    pub(crate) before: Option<Picture2d>,
    /// A part of the ground that is known better.
    pub(crate) detail: Option<Picture2d>,
    /// The boundaries of plates.
    pub(crate) plates: Option<Picture2d>,
}

/// The peaks from the largest to the smallest.
#[derive(Debug, Default)]
struct Order {
    version: Option<u64>,
    indices: Vec<usize>,
}

impl Order {
    fn update(&mut self, session: &Session) {
        if self.version != Some(session.version()) {
            let items = session.document().items();
            self.indices = (0..items.len()).collect();
            // Of a world the mountains come first, then the trenches.
            let has_belts = session.document().has_belts();
            let size = |k: usize| {
                let height = items[k].peak.height;
                if has_belts { height } else { height.abs() }
            };
            self.indices.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
            self.version = Some(session.version());
        }
    }
}

impl PlanView {
    /// Shows all of the ground when it is drawn next.
    pub(crate) fn fit(&mut self) {
        (self.camera, self.is_steered) = (None, false);
    }

    /// Shows the selected peaks.
    pub(crate) fn fit_selection(&mut self, session: &Session, options: &Options) {
        let (Some(window), Some(camera)) = (self.window, &mut self.camera) else { return };
        let lattice = &session.document().grid();
        let mut bounds: Option<[f64; 4]> = None;
        for (_, peak) in edits::selected(session.document(), &session.selection) {
            let cone = peak.cone(lattice);
            let r = cone.radius * f64::from(options.radius_scale);
            let own = [cone.x - r, cone.z - r, cone.x + r, cone.z + r];
            bounds = Some(bounds.map_or(own, |b| {
                [b[0].min(own[0]), b[1].min(own[1]), b[2].max(own[2]), b[3].max(own[3])]
            }));
        }
        if let Some([left, top, right, bottom]) = bounds {
            camera.center = [(left + right) / 2.0, (top + bottom) / 2.0];
            let room = window.size() * 0.8;
            let scale = |points: f32, metres: f64| f64::from(points) / metres.max(1e-6);
            camera.scale = scale(room.x, right - left).min(scale(room.y, bottom - top));
            self.is_steered = true;
        }
    }

    /// Zooms about the middle.
    pub(crate) fn zoom(&mut self, factor: f64) {
        if let (Some(camera), Some(window)) = (&mut self.camera, self.window) {
            camera.zoom(window, window.center(), factor);
            self.is_steered = true;
        }
    }

    /// Whether something is being dragged that changes the terrain.
    pub(crate) fn is_dragging(&self) -> bool {
        self.object.is_some()
            || self.brush.is_painting()
            || self.drag.as_ref().is_some_and(Drag::is_edit)
    }

    /// The place where a new peak goes unless the pointer says another.
    pub(crate) fn middle(&self) -> Option<[f64; 2]> {
        Some(self.camera?.center)
    }

    /// The part of the ground that is seen, from one corner to the other in metres, and how many metres a point is.
    pub(crate) fn seen(&self) -> Option<([[f64; 2]; 2], f64)> {
        let (camera, window) = (self.camera?, self.window?);
        let corner = |at| camera.to_world(window, at);
        Some(([corner(window.left_top()), corner(window.right_bottom())], 1.0 / camera.scale))
    }

    /// The peaks that are shown: the largest, and the selected ones.
    pub(crate) fn shown(&mut self, session: &Session, options: &Options) -> Vec<usize> {
        self.order.update(session);
        let mut shown: Vec<usize> = Vec::new();
        for (place, &k) in self.order.indices.iter().enumerate() {
            if place < options.largest || session.selection.contains(k) {
                shown.push(k);
            }
        }
        shown
    }

    /// Draws the plan in all the room there is, and lets the person edit in it.
    pub(crate) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        session: &mut Session,
        options: &Options,
        (pictures, features): (Pictures, &[landform::Feature]),
    ) {
        let (window, response) =
            ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Map of the terrain")
        });
        self.window = Some(window);
        let fitting = Camera::fitting(session.document().lattice(), window);
        let start = self.camera.filter(|_| self.is_steered).unwrap_or(fitting);
        let mut camera = start;
        self.navigate(ui, &response, &mut camera);
        self.is_steered |= camera != start;
        self.camera = Some(camera);
        self.pointer = response.hover_pos().map(|at| camera.to_world(window, at));
        let shown = self.shown(session, options);
        let circles = self.circles(session, options, &shown);
        if pictures.before.is_none() {
            self.split = 0.5;
        }
        if self.tool == Tool::Brush && session.document().is_recipe() {
            self.brush.paint(ui, &response, session, (camera, options));
        } else if !self.objects(ui, &response, session) {
            self.point(ui, &response, session, (options, &circles));
        }
        let is_focused = !ui.ctx().text_edit_focused() && !ui.ctx().any_popup_open();
        if is_focused {
            self.keys(ui, session, options);
        }
        // What was just dragged is drawn where it is now.
        let circles = self.circles(session, options, &shown);
        let hovered = response.hover_pos().filter(|_| self.drag.is_none());
        let hovered =
            hovered.and_then(|at| candidates(circles.iter().copied(), at).first().copied());
        let dragged_to = response.interact_pointer_pos();
        if self.tool != Tool::Select {
            response.on_hover_cursor(egui::CursorIcon::Crosshair);
        } else if let Some(hit) = hovered {
            response.on_hover_cursor(match hit.part {
                CirclePart::Center => egui::CursorIcon::Move,
                CirclePart::Rim => egui::CursorIcon::ResizeHorizontal,
            });
        }
        let canvas = paint::Canvas {
            painter: ui.painter_at(window),
            window,
            camera,
            visuals: ui.visuals().clone(),
        };
        canvas.ground(session.document().lattice(), options, pictures, self.split);
        canvas.objects(session.document(), features);
        if self.tool != Tool::Brush {
            canvas.circles(session, &circles, hovered.map(|hit: Hit| hit.index));
            canvas.handles(session);
        }
        if let Some(drag) = &self.object {
            canvas.object(drag);
        }
        if self.tool == Tool::Brush {
            self.brush.draw(ui, &canvas, session, options);
        }
        if let Some(Drag::Rectangle { start, .. }) = &self.drag
            && let Some(at) = dragged_to
        {
            canvas.rectangle(crate::camera::spanned(*start, at));
        }
        canvas.furniture();
        self.scroll_bars(ui, session, window);
    }

    fn circles(&self, session: &Session, options: &Options, shown: &[usize]) -> Vec<Circle> {
        let (Some(camera), Some(window)) = (self.camera, self.window) else { return Vec::new() };
        let (document, grid) = (session.document(), session.document().grid());
        let items = document.items();
        let circle = |&k: &usize| {
            let cone = items.get(k)?.peak.cone(&grid);
            let center = camera.to_screen(window, [cone.x, cone.z]);
            let radius = (cone.radius * camera.scale) as f32 * options.radius_scale;
            let stretch = document.stretch(cone.z) as f32;
            Some(Circle { index: k, center, radius, stretch })
        };
        shown.iter().filter_map(circle).collect()
    }

    /// Wheel, pinch, and drags with the other buttons.
    fn navigate(&self, ui: &egui::Ui, response: &egui::Response, camera: &mut Camera) {
        let window = response.rect;
        if let Some(at) = response.hover_pos() {
            let (zoom, scroll, modifiers) = ui
                .input(|input| (input.zoom_delta(), input.smooth_scroll_delta(), input.modifiers));
            if zoom != 1.0 {
                camera.zoom(window, at, f64::from(zoom));
            } else if modifiers.shift {
                camera.pan(if scroll.x == 0.0 { vec2(scroll.y, 0.0) } else { scroll });
            } else if scroll.y != 0.0 {
                camera.zoom(window, at, (f64::from(scroll.y) / 240.0).exp());
            }
        }
        let is_space = ui.input(|input| input.key_down(Key::Space));
        let pans = response.dragged_by(egui::PointerButton::Middle)
            || response.dragged_by(egui::PointerButton::Secondary)
            || (is_space && response.dragged_by(egui::PointerButton::Primary));
        if pans {
            camera.pan(response.drag_delta());
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
        }
    }

    /// Clicks and drags with the first button.
    fn point(
        &mut self,
        ui: &egui::Ui,
        response: &egui::Response,
        session: &mut Session,
        (options, circles): (&Options, &[Circle]),
    ) {
        let (Some(camera), window) = (self.camera, response.rect) else { return };
        let modifiers = ui.input(|input| input.modifiers);
        let is_additive = modifiers.shift || modifiers.command;
        let is_panning = ui.input(|input| input.key_down(Key::Space));
        if response.drag_started_by(egui::PointerButton::Primary) && !is_panning {
            let start = ui.input(|input| input.pointer.press_origin());
            let start = start.or_else(|| response.interact_pointer_pos());
            if let Some(start) = start {
                let split = window.left() + self.split * window.width();
                let hits = candidates(circles.iter().copied(), start);
                let place = drag::Viewport { camera, window, split };
                self.drag = Some(Drag::begin(session, place, (start, &hits), is_additive));
            }
        }
        if let (Some(drag), Some(at)) = (&mut self.drag, response.interact_pointer_pos()) {
            if let Drag::Split = drag {
                self.split = ((at.x - window.left()) / window.width()).clamp(0.02, 0.98);
            } else {
                drag.go_on(session, options, (camera, window), (at, modifiers));
            }
        }
        if response.drag_stopped() || (self.drag.is_some() && !ui.input(|i| i.pointer.any_down())) {
            if let Some(Drag::Rectangle { start, is_additive }) = self.drag
                && let Some(at) = ui.input(|input| input.pointer.latest_pos())
            {
                select_inside(session, circles, crate::camera::spanned(start, at), is_additive);
            }
            self.drag = None;
            session.close_step();
        }
        let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) else {
            return;
        };
        if response.double_clicked() && candidates(circles.iter().copied(), at).is_empty() {
            self.add_peak(session, Some(camera.to_world(window, at)));
        } else {
            self.click(session, circles, at, is_additive);
        }
    }

    fn click(&mut self, session: &mut Session, circles: &[Circle], at: Pos2, is_additive: bool) {
        let hits = candidates(circles.iter().copied(), at);
        match self.cycle.pick(&hits, at) {
            Some(hit) if is_additive => session.selection.toggle(hit.index),
            Some(hit) => session.selection = Selection::one(hit.index),
            None if !is_additive => session.selection.clear(),
            None => {}
        }
    }

    /// Adds a peak like its neighbours.
    pub(crate) fn add_peak(&self, session: &mut Session, place: Option<[f64; 2]>) {
        if !session.document().has_peaks() {
            return;
        }
        let Some(place) = place.or(self.pointer).or_else(|| self.middle()) else { return };
        let lattice = *session.document().lattice();
        let [i, j] = edits::grid_lines(&session.document().grid(), place);
        let items = session.document().items();
        let like = session.selection.lead().and_then(|k| items.get(k));
        let middle = self.order.indices.get(self.order.indices.len() / 2);
        let like = like.or_else(|| items.get(*middle?));
        let ground = lattice.ground();
        let (height, radius) = like.map_or_else(
            || {
                let side = ground[0].max(ground[1]).max(1.0);
                // Planets are smoother than landscapes.
                let height = if session.document().has_belts() { 3000.0 } else { side / 4.0 };
                (height, side / if session.document().has_belts() { 80.0 } else { 8.0 })
            },
            |item| (item.peak.height, item.peak.radius),
        );
        let peak = landform::uplift::Peak { i, j, height, radius };
        session.add("Add a peak", vec![Item::from(edits::within_limits(peak))]);
    }

    /// Arrow keys: move the selection by grid steps, or the view if nothing is selected.
    fn keys(&mut self, ui: &egui::Ui, session: &mut Session, options: &Options) {
        let steps = [
            (Key::ArrowLeft, [-1, 0]),
            (Key::ArrowRight, [1, 0]),
            (Key::ArrowUp, [0, -1]),
            (Key::ArrowDown, [0, 1]),
        ];
        for (key, [di, dj]) in steps {
            let (plain, ten) = ui.input_mut(|input| {
                let ten = input.count_and_consume_key(egui::Modifiers::SHIFT, key);
                (input.count_and_consume_key(egui::Modifiers::NONE, key), ten)
            });
            let count = plain as i64 + 10 * ten as i64;
            if count == 0 {
                continue;
            }
            if session.selection.is_empty() {
                if let Some(camera) = &mut self.camera {
                    self.is_steered = true;
                    camera.pan(vec2(di as f32, dj as f32) * -40.0 * count as f32);
                }
            } else {
                let times = count * i64::from(options.snap.max(1));
                let [across, down] = session.document().step();
                session.move_selected([di * times * across, dj * times * down]);
            }
        }
    }

    /// Bars at the right and at the bottom, over the ground and all peaks near it.
    fn scroll_bars(&mut self, ui: &egui::Ui, session: &Session, window: Rect) {
        let Some(camera) = &mut self.camera else { return };
        let ground = session.document().lattice().ground();
        for axis in 0..2 {
            let points = if axis == 0 { window.width() } else { window.height() };
            let seen = f64::from(points) / camera.scale;
            let (low, high) = (-ground[axis].max(1.0), 2.0 * ground[axis].max(1.0));
            let (first, last) =
                (camera.center[axis] - seen / 2.0, camera.center[axis] + seen / 2.0);
            let (low, high) = (low.min(first), high.max(last));
            let share = |place: f64| ((place - low) / (high - low)) as f32;
            let room = points - 16.0;
            let (start, end) =
                (share(first) * room, (share(last) * room).max(share(first) * room + 24.0));
            let bar = if axis == 0 {
                let left = window.left() + start;
                Rect::from_min_size(egui::pos2(left, window.bottom() - 9.0), vec2(end - start, 6.0))
            } else {
                let top = window.top() + start;
                Rect::from_min_size(egui::pos2(window.right() - 9.0, top), vec2(6.0, end - start))
            };
            let id = ui.scope_id().with(("scroll", axis));
            let response = ui.interact(bar.expand(2.0), id, Sense::drag());
            let delta: Vec2 = response.drag_delta();
            let moved = if axis == 0 { delta.x } else { delta.y };
            camera.center[axis] += f64::from(moved / room) * (high - low);
            self.is_steered |= moved != 0.0;
            let color =
                ui.style().interact(&response).fg_stroke.color.gamma_multiply(
                    if response.hovered() || response.dragged() { 0.6 } else { 0.22 },
                );
            ui.painter().rect_filled(bar, 3.0, color);
        }
    }
}

fn select_inside(session: &mut Session, circles: &[Circle], inside: Rect, is_additive: bool) {
    let mut selection = if is_additive { session.selection.clone() } else { Selection::default() };
    circles.iter().filter(|circle| inside.contains(circle.center)).for_each(|circle| {
        selection.add(circle.index);
    });
    session.selection = selection;
}
