//! How the plan is drawn.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Visuals, pos2, vec2,
};
use eframe::epaint::EllipseShape;
use landform::{Feature, Lattice};

use super::drag::Handles;
use super::objects::ObjectDrag;
use super::{Pictures, Tool};
use crate::camera::{Camera, length, scale_bar};
use crate::document::Document;
use crate::hit::Circle;
use crate::objects::{self, Point};
use crate::options::Options;
use crate::session::Session;
use crate::theme::{MARKER, PLACE, RIVER, SELECTED};

/// So many rims are drawn at once, of the largest peaks that are seen; beyond that nobody can tell them apart. Closer by there are
/// others.
const MOST_RIMS: usize = 120;

/// A place to draw on.
#[derive(Clone)]
pub(super) struct Canvas {
    pub(super) painter: Painter,
    pub(super) window: Rect,
    pub(super) camera: Camera,
    pub(super) visuals: Visuals,
}

impl Canvas {
    /// The base grid with its picture.
    pub(super) fn ground(
        &self,
        lattice: &Lattice,
        options: &Options,
        pictures: Pictures,
        split: f32,
    ) {
        let painter = &self.painter;
        painter.rect_filled(self.window, 0.0, self.visuals.extreme_bg_color);
        let ground = self.camera.ground(self.window, lattice);
        painter.rect_filled(ground, 0.0, self.visuals.faint_bg_color);
        let tint = Color32::WHITE.gamma_multiply(options.opacity);
        if let Some(now) = pictures.now {
            painter.image(now.texture, self.place(now.place), now.uv, tint);
        }
        if let Some(detail) = pictures.detail {
            let place = self.place(detail.place);
            // What is seen through it is not to be seen twice.
            painter.rect_filled(place, 0.0, self.visuals.faint_bg_color);
            painter.image(detail.texture, place, detail.uv, tint);
        }
        if let Some(before) = pictures.before {
            let x = self.window.left() + split * self.window.width();
            let left = self.window.with_max_x(x);
            painter.with_clip_rect(left).image(before.texture, ground, before.uv, tint);
            let stroke = Stroke::new(2.0, Color32::WHITE);
            painter.vline(x, self.window.y_range(), stroke);
            let font = FontId::proportional(13.0);
            for (align, offset, text) in
                [(Align2::RIGHT_TOP, -8.0, "as saved"), (Align2::LEFT_TOP, 8.0, "now")]
            {
                let at = pos2(x + offset, self.window.top() + 10.0);
                let galley = painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE);
                let rect = align.anchor_size(at, galley.size());
                painter.rect_filled(
                    rect.expand2(vec2(6.0, 3.0)),
                    5.0,
                    Color32::from_black_alpha(150),
                );
                painter.galley(rect.min, galley, Color32::WHITE);
            }
        }
        if let Some(plates) = pictures.plates {
            painter.image(plates.texture, self.place(plates.place), plates.uv, Color32::WHITE);
        }
        if options.grid {
            self.grid(lattice, ground);
        }
        let frame = Stroke::new(1.5, self.visuals.strong_text_color().gamma_multiply(0.8));
        painter.rect_stroke(ground, 0.0, frame, StrokeKind::Outside);
    }

    /// A part of the ground on the screen.
    fn place(&self, [from, to]: [[f64; 2]; 2]) -> Rect {
        let at = |place| self.camera.to_screen(self.window, place);
        Rect::from_min_max(at(from), at(to))
    }

    /// Grid lines where they are far enough apart, and axes through the middle of the ground.
    fn grid(&self, lattice: &Lattice, ground: Rect) {
        let middle = self.camera.to_screen(self.window, lattice.ground().map(|side| side / 2.0));
        let axis = Stroke::new(1.0, self.visuals.strong_text_color().gamma_multiply(0.28));
        self.painter.vline(middle.x, ground.y_range(), axis);
        self.painter.hline(ground.x_range(), middle.y, axis);
        for axis in 0..2 {
            let cell = lattice.spacing[axis] * self.camera.scale;
            // Every line, every 10th, every 100th …, as soon as they do not crowd.
            let mut every = 1.0;
            while cell * every < 9.0 {
                every *= 10.0;
            }
            let strength = ((cell * every - 9.0) / 80.0).clamp(0.05, 0.22) as f32;
            let stroke =
                Stroke::new(1.0, self.visuals.strong_text_color().gamma_multiply(strength));
            let (first, last) = if axis == 0 {
                (self.window.left().max(ground.left()), self.window.right().min(ground.right()))
            } else {
                (self.window.top().max(ground.top()), self.window.bottom().min(ground.bottom()))
            };
            let start = if axis == 0 { ground.left() } else { ground.top() };
            let step = (cell * every) as f32;
            let mut line = ((first - start) / step).ceil().max(0.0);
            while start + line * step <= last {
                let at = start + line * step;
                if axis == 0 {
                    self.painter.vline(at, ground.y_range(), stroke);
                } else {
                    self.painter.hline(ground.x_range(), at, stroke);
                }
                line += 1.0;
            }
        }
    }

    /// Rims and markers, the smallest first and selected ones last.
    pub(super) fn circles(&self, session: &Session, circles: &[Circle], hovered: Option<usize>) {
        let selection = &session.selection;
        let is_seen = |circle: &&Circle| {
            let nearest = self.window.clamp(circle.center);
            let far = [
                self.window.left_top(),
                self.window.right_top(),
                self.window.left_bottom(),
                self.window.right_bottom(),
            ];
            let farthest = far.iter().map(|at| at.distance(circle.center)).fold(0.0, f32::max);
            nearest.distance(circle.center) <= circle.radius && farthest >= circle.radius
        };
        let rims: Vec<&Circle> = circles.iter().filter(is_seen).take(MOST_RIMS).collect();
        // A confusion of circles is drawn more faintly.
        let ink = (4.5 / (rims.len() as f32 + 4.0).sqrt()).clamp(0.16, 0.8);
        let color = if self.visuals.dark_mode { Color32::WHITE } else { Color32::from_gray(25) };
        let plain = Stroke::new(1.2, color.gamma_multiply(ink));
        for circle in rims.iter().rev().filter(|circle| !selection.contains(circle.index)) {
            let stroke =
                if hovered == Some(circle.index) { Stroke::new(2.2, MARKER) } else { plain };
            self.painter.add(ring(circle, stroke));
        }
        let fill = SELECTED.gamma_multiply(if selection.len() > 20 { 0.03 } else { 0.10 });
        for circle in circles.iter().filter(|circle| selection.contains(circle.index)) {
            let radius = circle.radius.min(20_000.0);
            let radii = vec2(radius * circle.stretch, radius);
            self.painter.add(EllipseShape::filled(circle.center, radii, fill));
            self.painter.add(ring(circle, Stroke::new(2.2, SELECTED)));
        }
        let room = self.window.expand(8.0);
        let size = match circles.len() {
            0..=120 => 4.0,
            121..=2000 => 3.0,
            _ => 2.2,
        };
        for circle in circles.iter().rev().filter(|circle| room.contains(circle.center)) {
            let is_selected = selection.contains(circle.index);
            let size = if is_selected { 5.0 } else { size };
            let color = if is_selected { SELECTED } else { MARKER };
            self.marker(circle.center, size, color);
        }
        for circle in circles.iter().filter(|circle| !self.window.contains(circle.center)).take(400)
        {
            if selection.contains(circle.index) {
                self.arrow(circle.center, SELECTED);
            }
        }
        self.names(session, circles);
    }

    /// A square is drawn faster than a disc, and small ones look the same.
    fn marker(&self, at: Pos2, size: f32, color: Color32) {
        if size < 3.0 {
            self.painter.rect_filled(
                Rect::from_center_size(at, vec2(size, size) * 1.7),
                0.0,
                color,
            );
        } else {
            self.painter.circle_filled(at, size + 1.5, Color32::from_white_alpha(230));
            self.painter.circle_filled(at, size, color);
        }
    }

    /// Points to a selected peak beyond the window.
    fn arrow(&self, to: Pos2, color: Color32) {
        let tip = self.window.shrink(8.0).clamp(to);
        let along = (to - tip).normalized() * 12.0;
        let across = along.rot90() * 0.55;
        let points = vec![tip, tip - along + across, tip - along - across];
        self.painter.add(Shape::convex_polygon(points, color, Stroke::new(1.0, Color32::WHITE)));
    }

    /// Names beside the peaks that have one.
    fn names(&self, session: &Session, circles: &[Circle]) {
        let items = session.document().items();
        let named = circles.iter().filter(|circle| !items[circle.index].name.is_empty());
        for circle in named.filter(|circle| self.window.contains(circle.center)).take(150) {
            let text = items[circle.index].name.clone();
            let font = FontId::proportional(12.5);
            let galley = self.painter.layout_no_wrap(text, font, Color32::WHITE);
            let rect = Rect::from_min_size(circle.center + vec2(9.0, -8.0), galley.size());
            self.painter.rect_filled(
                rect.expand2(vec2(4.0, 1.0)),
                4.0,
                Color32::from_black_alpha(140),
            );
            self.painter.galley(rect.min, galley, Color32::WHITE);
        }
    }

    /// What can be dragged of the selection.
    pub(super) fn handles(&self, session: &Session) {
        if !session.document().has_peaks() {
            return;
        }
        let handles = Handles::of(session, self.camera, self.window);
        let line = Stroke::new(1.5, SELECTED);
        let white = Stroke::new(1.5, Color32::WHITE);
        if let Some(at) = handles.height {
            self.painter.line_segment([at + vec2(0.0, 36.0), at], line);
            let diamond = [vec2(0.0, -7.0), vec2(6.0, 0.0), vec2(0.0, 7.0), vec2(-6.0, 0.0)];
            let points = diamond.iter().map(|offset| at + *offset).collect();
            self.painter.add(Shape::convex_polygon(points, SELECTED, white));
        }
        if let Some(frame) = handles.frame {
            self.painter.rect_stroke(frame, 3.0, line, StrokeKind::Middle);
            let turn = Handles::turn(frame);
            self.painter.line_segment([pos2(turn.x, frame.top()), turn], line);
            self.painter.circle(turn, 6.0, SELECTED, white);
            for corner in Handles::corners(frame) {
                let square = Rect::from_center_size(corner, vec2(10.0, 10.0));
                self.painter.rect(square, 2.0, SELECTED, white, StrokeKind::Middle);
            }
        }
    }

    /// Rivers as they run, flat places, and the points by which they are dragged.
    pub(super) fn objects(&self, document: &Document, features: &[Feature]) {
        let at = |place: [f64; 2]| self.camera.to_screen(self.window, place);
        for river in features.iter().filter_map(Feature::as_river) {
            let line = river.points.iter().map(|point| at([point.x, point.z])).collect();
            self.painter.add(Shape::line(line, Stroke::new(2.0, RIVER)));
        }
        for outline in objects::outlines(document) {
            let mut line: Vec<Pos2> = outline.points.iter().map(|place| at(*place)).collect();
            if outline.is_closed
                && let Some(first) = line.first().copied()
            {
                line.push(first);
            }
            self.painter.add(Shape::line(line, Stroke::new(2.0, PLACE)));
        }
        for handle in objects::handles(document) {
            let color = match handle.point {
                Point::Source(_) | Point::Mouth(_) => RIVER,
                Point::Middle(_) | Point::Rim(_) | Point::Corner(..) => PLACE,
            };
            let square = Rect::from_center_size(at(handle.place), vec2(9.0, 9.0));
            let white = Stroke::new(1.5, Color32::WHITE);
            self.painter.rect(square, 2.0, color, white, StrokeKind::Middle);
            if matches!(handle.point, Point::Middle(_)) && !handle.name.is_empty() {
                let font = FontId::proportional(12.5);
                let text = at(handle.place) + vec2(9.0, -3.0);
                self.painter.text(text, Align2::LEFT_BOTTOM, &handle.name, font, Color32::WHITE);
            }
        }
    }

    /// A river or place that is being drawn.
    pub(super) fn object(&self, drag: &ObjectDrag) {
        let at = |place: [f64; 2]| self.camera.to_screen(self.window, place);
        if let ObjectDrag::Draw { tool, from, to } = drag {
            let (from, to) = (at(*from), at(*to));
            match tool {
                Tool::Pad => {
                    self.painter.circle_stroke(from, from.distance(to), Stroke::new(2.0, PLACE));
                }
                _ => {
                    self.painter.line_segment([from, to], Stroke::new(2.5, RIVER));
                }
            }
        }
    }

    /// The rectangle that selects.
    pub(super) fn rectangle(&self, rect: Rect) {
        let color = self.visuals.selection.bg_fill;
        let stroke = Stroke::new(1.0, color);
        self.painter.rect(rect, 2.0, color.gamma_multiply(0.2), stroke, StrokeKind::Middle);
    }

    /// Scale bar and axes.
    pub(super) fn furniture(&self) {
        let (metres, points) = scale_bar(self.camera, 140.0);
        let end = self.window.left_bottom() + vec2(16.0, -22.0);
        let ink = self.visuals.strong_text_color();
        let stroke = Stroke::new(2.0, ink);
        let plate =
            Rect::from_min_max(end + vec2(-8.0, -24.0), end + vec2(points.max(60.0) + 8.0, 9.0));
        let paper = self.visuals.panel_fill.gamma_multiply(0.78);
        self.painter.rect_filled(plate, 6.0, paper);
        self.painter.line_segment([end, end + vec2(points, 0.0)], stroke);
        for x in [0.0, points] {
            self.painter.line_segment([end + vec2(x, -4.0), end + vec2(x, 4.0)], stroke);
        }
        let text = length(metres);
        let font = FontId::proportional(12.0);
        self.painter.text(end + vec2(0.0, -6.0), Align2::LEFT_BOTTOM, text, font.clone(), ink);
        let origin = self.window.left_top() + vec2(18.0, 18.0);
        let plate = Rect::from_min_size(origin + vec2(-10.0, -10.0), vec2(58.0, 58.0));
        self.painter.rect_filled(plate, 6.0, paper);
        let thin = Stroke::new(1.5, ink);
        self.painter.arrow(origin, vec2(26.0, 0.0), thin);
        self.painter.arrow(origin, vec2(0.0, 26.0), thin);
        self.painter.text(origin + vec2(32.0, 0.0), Align2::LEFT_CENTER, "x", font.clone(), ink);
        self.painter.text(origin + vec2(0.0, 28.0), Align2::CENTER_TOP, "z", font, ink);
    }
}

/// A circle with as many corners as it needs.
fn ring(circle: &Circle, stroke: Stroke) -> Shape {
    let count = (circle.radius.max(1.0).sqrt() * 5.0).clamp(10.0, 160.0) as usize;
    let point = |k: usize| {
        let angle = k as f32 / count as f32 * std::f32::consts::TAU;
        circle.center + circle.radius * vec2(angle.cos() * circle.stretch, angle.sin())
    };
    Shape::closed_line((0..count).map(point).collect(), stroke)
}
