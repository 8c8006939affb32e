//! What a drag in the plan does: move, widen, raise, turn, scale, select, or shift the border between before and after.

use eframe::egui::{Modifiers, Pos2, Rect};
use landform::uplift::Peak;

use crate::camera::Camera;
use crate::edits;
use crate::hit::{CirclePart, Hit};
use crate::options::Options;
use crate::selection::Selection;
use crate::session::Session;

/// A drag under way, with the peaks as they were when it began: nothing adds up but what the person does.
#[derive(Clone, Debug)]
pub(super) enum Drag {
    Rectangle { start: Pos2, is_additive: bool },
    Move { start: Pos2, peaks: Vec<(usize, Peak)> },
    Radius { index: usize, peak: Peak },
    Height { start: Pos2, index: usize, peak: Peak },
    Scale { start: Pos2, about: [f64; 2], peaks: Vec<(usize, Peak)> },
    Rotate { start: Pos2, about: [f64; 2], peaks: Vec<(usize, Peak)> },
    Split,
}

/// Where things are on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewport {
    pub(super) camera: Camera,
    pub(super) window: Rect,
    /// x of the border between before and after.
    pub(super) split: f32,
}

/// The handles of what is selected, on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handles {
    /// Raises the only selected peak.
    pub(super) height: Option<Pos2>,
    /// Box around several selected peaks.
    pub(super) frame: Option<Rect>,
}

impl Handles {
    pub(super) fn of(session: &Session, camera: Camera, window: Rect) -> Self {
        let lattice = &session.document().grid();
        let peaks = edits::selected(session.document(), &session.selection);
        let at = |peak: &Peak| {
            let cone = peak.cone(lattice);
            camera.to_screen(window, [cone.x, cone.z])
        };
        match &peaks[..] {
            [] => Self { height: None, frame: None },
            [(_, peak)] => {
                let center = at(peak);
                Self { height: Some(Pos2::new(center.x, center.y - 42.0)), frame: None }
            }
            several => {
                let places = several.iter().map(|(_, peak)| at(peak));
                let frame = places.fold(Rect::NOTHING, |rect, at| rect.union(Rect::from_pos(at)));
                Self { height: None, frame: Some(frame.expand(18.0)) }
            }
        }
    }

    /// The handle that turns.
    pub(super) fn turn(frame: Rect) -> Pos2 {
        Pos2::new(frame.center().x, frame.top() - 26.0)
    }

    pub(super) fn corners(frame: Rect) -> [Pos2; 4] {
        [frame.left_top(), frame.right_top(), frame.left_bottom(), frame.right_bottom()]
    }
}

const GRIP: f32 = 9.0;

impl Drag {
    pub(super) fn is_edit(&self) -> bool {
        !matches!(self, Self::Rectangle { .. } | Self::Split)
    }

    /// What a drag that begins at `start` does.
    pub(super) fn begin(
        session: &mut Session,
        place: Viewport,
        (start, hits): (Pos2, &[Hit]),
        is_additive: bool,
    ) -> Self {
        let Viewport { camera, window, split } = place;
        let handles = Handles::of(session, camera, window);
        let peaks = edits::selected(session.document(), &session.selection);
        if let (Some(handle), [(index, peak)]) = (handles.height, &peaks[..])
            && handle.distance(start) < GRIP
        {
            return Self::Height { start, index: *index, peak: *peak };
        }
        if let Some(frame) = handles.frame {
            let about = camera.to_world(window, frame.center());
            if Handles::turn(frame).distance(start) < GRIP {
                return Self::Rotate { start, about, peaks };
            }
            if Handles::corners(frame).iter().any(|corner| corner.distance(start) < GRIP) {
                return Self::Scale { start, about, peaks };
            }
        }
        if is_additive {
            return Self::Rectangle { start, is_additive };
        }
        // What is selected goes before what is nearer.
        let own = hits.iter().find(|hit| session.selection.contains(hit.index));
        let Some(hit) = own.or_else(|| hits.first()).copied() else {
            if (split - start.x).abs() < 6.0 {
                return Self::Split;
            }
            return Self::Rectangle { start, is_additive };
        };
        if !session.selection.contains(hit.index) {
            session.selection = Selection::one(hit.index);
        }
        let peak = session.document().items()[hit.index].peak;
        match hit.part {
            CirclePart::Rim if session.selection.len() == 1 => {
                Self::Radius { index: hit.index, peak }
            }
            _ => {
                Self::Move { start, peaks: edits::selected(session.document(), &session.selection) }
            }
        }
    }

    /// Does what the drag does, from where it began to `at`.
    pub(super) fn go_on(
        &self,
        session: &mut Session,
        options: &Options,
        (camera, window): (Camera, Rect),
        (at, modifiers): (Pos2, Modifiers),
    ) {
        let lattice = session.document().grid();
        let world = camera.to_world(window, at);
        let (label, change) = match self {
            Self::Rectangle { .. } | Self::Split => return,
            Self::Move { start, peaks } => {
                let from = camera.to_world(window, *start);
                let mut by = [0, 1].map(|axis| {
                    ((world[axis] - from[axis]) / lattice.spacing[axis]).round() as i64
                });
                if modifiers.shift {
                    // Along one axis only.
                    let across = usize::from(by[0].abs() > by[1].abs());
                    by[across] = 0;
                }
                let snap = i64::from(options.snap.max(1));
                if let (true, [(_, first), ..]) = (snap > 1, &peaks[..]) {
                    let snapped = |place: i64, by: i64, snap: i64| {
                        ((place + by) as f64 / snap as f64).round() as i64 * snap - place
                    };
                    let [across, down] = session.document().step().map(|step| step * snap);
                    by = [snapped(first.i, by[0], across), snapped(first.j, by[1], down)];
                }
                ("Move", edits::moved(peaks, by))
            }
            Self::Radius { index, peak } => {
                let cone = peak.cone(&lattice);
                let across = (world[0] - cone.x) / session.document().stretch(cone.z);
                let distance = across.hypot(world[1] - cone.z);
                let radius = rounded(distance / f64::from(options.radius_scale.max(1e-6)));
                ("Widen", edits::each(&[(*index, *peak)], |peak| Peak { radius, ..peak }))
            }
            Self::Height { start, index, peak } => {
                let factor = f64::from((start.y - at.y) / 120.0).exp2();
                let height = rounded(peak.height * factor);
                ("Raise", edits::each(&[(*index, *peak)], |peak| Peak { height, ..peak }))
            }
            Self::Scale { start, about, peaks } => {
                let from = camera.to_screen(window, *about);
                let factor = f64::from(from.distance(at) / from.distance(*start).max(1.0));
                ("Scale", edits::scaled(peaks, &lattice, *about, factor.clamp(0.01, 100.0)))
            }
            Self::Rotate { start, about, peaks } => {
                let from = camera.to_screen(window, *about);
                let mut angle = f64::from((at - from).angle() - (*start - from).angle());
                if modifiers.shift {
                    let step = std::f64::consts::PI / 12.0;
                    angle = (angle / step).round() * step;
                }
                ("Rotate", edits::rotated(peaks, &lattice, *about, angle))
            }
        };
        session.act_on_peaks(label, vec![change]);
    }
}

/// Four digits are as exact as a hand.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
