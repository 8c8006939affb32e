//! The widgets of the canvas as elements of the page, for screen readers and tests.
//!
//! egui describes its widgets after each frame; eframe has no use for that in a browser, but a plug-in sees it
//! first. A press of a mirrored element comes back as a request like that of a screen reader on the desktop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, accesskit};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::page;

/// Mirrors the widgets.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    shown: Vec<Widget>,
    /// Ids of elements that were pressed.
    pressed: Arc<Mutex<Vec<u64>>>,
}

/// A widget as the page knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Widget {
    /// As text, since the numbers of JavaScript are too small.
    id: String,
    role: String,
    label: String,
    value: String,
    /// Lowest, highest and present value.
    range: Option<[f64; 3]>,
    /// Left, top, right and bottom in pixels of the page.
    rect: [f64; 4],
    disabled: bool,
}

thread_local! {
    /// Made once: every function that is given to the page stays there.
    static ACT: std::cell::OnceCell<js_sys::Function> = const { std::cell::OnceCell::new() };
}

impl egui::Plugin for Mirror {
    fn debug_name(&self) -> &'static str {
        "mirror"
    }

    fn setup(&mut self, ctx: &egui::Context) {
        ctx.enable_accesskit();
        let (ctx, pressed) = (ctx.clone(), Arc::clone(&self.pressed));
        let act = Closure::<dyn Fn(String)>::new(move |id: String| {
            if let Ok(id) = id.parse() {
                pressed.lock().unwrap_or_else(PoisonError::into_inner).push(id);
                ctx.request_repaint();
            }
        });
        // There is one program in a page, and it stays.
        ACT.with(|cell| cell.set(act.into_js_value().unchecked_into()).ok());
    }

    fn input_hook(&mut self, _ctx: &egui::Context, input: &mut egui::RawInput) {
        let mut pressed = self.pressed.lock().unwrap_or_else(PoisonError::into_inner);
        input.events.extend(pressed.drain(..).map(|id| {
            egui::Event::AccessKitActionRequest(accesskit::ActionRequest {
                action: accesskit::Action::Click,
                target_tree: accesskit::TreeId::ROOT,
                target_node: accesskit::NodeId(id),
                data: None,
            })
        }));
    }

    fn output_hook(&mut self, ctx: &egui::Context, output: &mut egui::FullOutput) {
        let Some(update) = &output.platform_output.accesskit_update else { return };
        let widgets = widgets(update, f64::from(ctx.zoom_factor()));
        if widgets == self.shown {
            return;
        }
        if let Ok(json) = serde_json::to_string(&widgets) {
            ACT.with(|act| act.get().map(|act| page::mirror(&json, act)));
        }
        self.shown = widgets;
    }
}

/// The widgets that say something, in the order of the tree.
fn widgets(update: &accesskit::TreeUpdate, zoom: f64) -> Vec<Widget> {
    let nodes: HashMap<_, _> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let Some(root) = update.tree.as_ref().map(|tree| tree.root) else { return Vec::new() };
    let mut widgets = Vec::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let Some(node) = nodes.get(&id) else { continue };
        open.extend(node.children().iter().rev());
        let named = |node: &accesskit::Node| node.label().unwrap_or_default().to_owned();
        let mut label = named(node);
        if label.is_empty() {
            let by = node.labelled_by().iter().filter_map(|id| nodes.get(id));
            // A label has its text as its value.
            label = by
                .map(|by| by.label().or(by.value()).unwrap_or_default())
                .collect::<Vec<_>>()
                .join(" ");
        }
        let value = match (node.toggled(), node.value(), node.numeric_value()) {
            (Some(toggled), ..) => format!("{toggled:?}"),
            (None, Some(text), _) => text.to_owned(),
            (None, None, Some(number)) => number.to_string(),
            _ => String::new(),
        };
        let Some(rect) = node.bounds() else { continue };
        if label.is_empty() && value.is_empty() {
            continue;
        }
        let range = node.numeric_value().map(|value| {
            let low = node.min_numeric_value().unwrap_or(value);
            [low, node.max_numeric_value().unwrap_or(value), value]
        });
        widgets.push(Widget {
            id: id.0.to_string(),
            role: format!("{:?}", node.role()),
            label,
            value,
            range: range.filter(|range| range.iter().all(|value| value.is_finite())),
            rect: [rect.x0, rect.y0, rect.x1, rect.y1].map(|side| (side * zoom).round()),
            disabled: node.is_disabled(),
        });
    }
    widgets
}
