//! Colours and distances of the window.

use eframe::egui::{self, Color32, CornerRadius, Stroke, TextStyle, Visuals, vec2};

/// A peak.
pub(crate) const MARKER: Color32 = Color32::from_rgb(0x22, 0xB8, 0x66);
/// A selected peak.
pub(crate) const SELECTED: Color32 = Color32::from_rgb(0xE8, 0x2C, 0x4B);
/// A river.
pub(crate) const RIVER: Color32 = Color32::from_rgb(0x2E, 0x86, 0xDE);
/// Where two plates meet.
pub(crate) const BOUNDARY: Color32 = Color32::from_rgb(0xFF, 0x7A, 0x2E);
/// A flat place.
pub(crate) const PLACE: Color32 = Color32::from_rgb(0xF0, 0xA0, 0x30);
/// What is on, and what is done.
const ACCENT: Color32 = Color32::from_rgb(0x2F, 0x8F, 0x83);

/// Arrows and other signs that the font for text lacks come from the font for code.
pub(crate) fn load_fonts(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    if let Some(family) = fonts.families.get_mut(&egui::FontFamily::Proportional) {
        family.push("Hack".to_owned());
    }
    ctx.set_fonts(fonts);
}

/// The button that a dialog is there for.
pub(crate) fn primary(text: &str) -> egui::Button<'_> {
    egui::Button::new(egui::RichText::new(text).color(Color32::WHITE).strong()).fill(ACCENT)
}

/// Dresses the window.
pub(crate) fn apply(ctx: &egui::Context, is_dark: bool) {
    let theme = if is_dark { egui::Theme::Dark } else { egui::Theme::Light };
    ctx.set_theme(theme);
    let visuals = if is_dark { dark() } else { light() };
    ctx.set_visuals_of(theme, visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(8.0, 4.0);
        style.spacing.interact_size.y = 24.0;
        style.spacing.slider_width = 130.0;
        style.text_styles.insert(TextStyle::Heading, egui::FontId::proportional(18.0));
        style.text_styles.insert(TextStyle::Body, egui::FontId::proportional(13.5));
        style.text_styles.insert(TextStyle::Button, egui::FontId::proportional(13.5));
        style.text_styles.insert(TextStyle::Small, egui::FontId::proportional(11.5));
    });
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(0x1F, 0x24, 0x29);
    visuals.window_fill = Color32::from_rgb(0x26, 0x2C, 0x32);
    visuals.extreme_bg_color = Color32::from_rgb(0x14, 0x18, 0x1C);
    visuals.faint_bg_color = Color32::from_rgb(0x27, 0x2D, 0x33);
    visuals.widgets.noninteractive.bg_stroke =
        Stroke::new(1.0, Color32::from_rgb(0x33, 0x3B, 0x43));
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(0xC3, 0xCB, 0xD2);
    visuals.widgets.inactive.fg_stroke.color = Color32::from_rgb(0xD5, 0xDC, 0xE2);
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(0x31, 0x39, 0x41);
    visuals.widgets.inactive.bg_fill = Color32::from_rgb(0x39, 0x42, 0x4B);
    visuals.widgets.hovered.weak_bg_fill = Color32::from_rgb(0x3B, 0x45, 0x4E);
    finish(visuals)
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    visuals.panel_fill = Color32::from_rgb(0xF4, 0xF5, 0xF3);
    visuals.window_fill = Color32::from_rgb(0xFD, 0xFD, 0xFB);
    visuals.extreme_bg_color = Color32::from_rgb(0xE3, 0xE6, 0xE4);
    visuals.faint_bg_color = Color32::from_rgb(0xEC, 0xEE, 0xEB);
    finish(visuals)
}

fn finish(mut visuals: Visuals) -> Visuals {
    let round = CornerRadius::same(5);
    let widgets = &mut visuals.widgets;
    for state in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        state.corner_radius = round;
    }
    visuals.window_corner_radius = CornerRadius::same(9);
    visuals.menu_corner_radius = CornerRadius::same(7);
    visuals.selection.bg_fill = ACCENT;
    visuals.selection.stroke.color = Color32::WHITE;
    visuals.slider_trailing_fill = true;
    visuals.hyperlink_color = ACCENT;
    visuals
}
