//! Everything that can be asked for by menu or key: one list for the menus, the keyboard and the help page.

use eframe::egui::{Context, Key, KeyboardShortcut, Modifiers};

/// Something that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    New,
    Open,
    OpenStore,
    Save,
    SaveAs,
    #[cfg(target_arch = "wasm32")]
    CopyLink,
    Export,
    PicturePlan,
    PictureView,
    Quit,
    Undo,
    Redo,
    Copy,
    Paste,
    Duplicate,
    Delete,
    SelectAll,
    SelectNone,
    SelectInverse,
    AddPeak,
    Properties,
    DrawRiver,
    DrawPad,
    Brush,
    Reroll,
    Compare,
    Fit,
    FitSelection,
    ZoomIn,
    ZoomOut,
    ShowPlan,
    ShowBoth,
    ShowView,
    LeftPanel,
    RightPanel,
    Theme,
    Help,
    Tour,
}

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

/// Name, keys, and a sentence for the tooltip.
type Card = (Command, &'static str, Option<(Modifiers, Key)>, &'static str);

const CARDS: &[Card] = &[
    (Command::New, "New…", Some((CTRL, Key::N)), "A new terrain from a preset or by chance"),
    (Command::Open, "Open…", Some((CTRL, Key::O)), "A recipe, an Uplift terrain or a heightmap"),
    (
        Command::OpenStore,
        "Open a store…",
        None,
        "A folder .zarr that `landform build` made: larger than memory, only looked at",
    ),
    (
        Command::Save,
        "Save",
        Some((CTRL, Key::S)),
        "Asks for another name the first time, so that what was opened stays as it is",
    ),
    (Command::SaveAs, "Save as…", Some((CTRL_SHIFT, Key::S)), "Under another name"),
    #[cfg(target_arch = "wasm32")]
    (Command::CopyLink, "Copy a link", None, "An address with the whole terrain in it, to share"),
    (
        Command::Export,
        "Export…",
        Some((CTRL, Key::E)),
        "Files for Unity, Unreal, Godot, Blender and others",
    ),
    (Command::PicturePlan, "Picture of the map…", None, "The relief with its peaks as a PNG"),
    (Command::PictureView, "Picture in 3-D…", None, "A rendered view as a PNG"),
    (Command::Quit, "Quit", Some((CTRL, Key::Q)), "Asks if there is something to save"),
    (Command::Undo, "Undo", Some((CTRL, Key::Z)), "Takes the last step back"),
    (Command::Redo, "Redo", Some((CTRL_SHIFT, Key::Z)), "Makes the step again that was undone"),
    (Command::Copy, "Copy", Some((CTRL, Key::C)), "The selected peaks as UPD text"),
    (Command::Paste, "Paste", Some((CTRL, Key::V)), "Peaks from UPD text"),
    (
        Command::Duplicate,
        "Duplicate",
        Some((CTRL, Key::D)),
        "Copies of the selected peaks beside them",
    ),
    (Command::Delete, "Delete", Some((Modifiers::NONE, Key::Delete)), "Removes the selected peaks"),
    (Command::SelectAll, "Select all", Some((CTRL, Key::A)), "All peaks"),
    (Command::SelectNone, "Select none", Some((Modifiers::NONE, Key::Escape)), "Deselects"),
    (Command::SelectInverse, "Invert the selection", Some((CTRL, Key::I)), "What is not selected"),
    (
        Command::AddPeak,
        "Add a peak",
        Some((Modifiers::NONE, Key::A)),
        "At the pointer, or in the middle of the view; a double click does it too",
    ),
    (
        Command::Properties,
        "Properties",
        Some((Modifiers::NONE, Key::P)),
        "The numbers of the selected peak",
    ),
    (Command::DrawRiver, "Draw a river", None, "Drag on the map from its source to its mouth"),
    (Command::DrawPad, "Draw a flat place", None, "Drag on the map from its middle to its rim"),
    (
        Command::Brush,
        "Mask brush",
        Some((Modifiers::NONE, Key::M)),
        "Paints where the stage acts that is open in the list; with Shift it erases",
    ),
    (
        Command::Reroll,
        "Another seed",
        Some((CTRL, Key::R)),
        "Another terrain of the same character",
    ),
    (
        Command::Compare,
        "Before and after",
        Some((Modifiers::NONE, Key::B)),
        "Splits the map: left as saved, right as it is now",
    ),
    (Command::Fit, "Fit to the window", Some((Modifiers::NONE, Key::F)), "Shows all of the ground"),
    (
        Command::FitSelection,
        "Fit the selection",
        Some((Modifiers::SHIFT, Key::F)),
        "Shows the selected peaks",
    ),
    (Command::ZoomIn, "Zoom in", Some((Modifiers::NONE, Key::Plus)), "Or the wheel"),
    (Command::ZoomOut, "Zoom out", Some((Modifiers::NONE, Key::Minus)), "Or the wheel"),
    (Command::ShowPlan, "Map", Some((Modifiers::NONE, Key::Num1)), "Only the map"),
    (Command::ShowBoth, "Map and 3-D", Some((Modifiers::NONE, Key::Num2)), "Side by side"),
    (Command::ShowView, "3-D", Some((Modifiers::NONE, Key::Num3)), "Only the view"),
    (Command::LeftPanel, "Lists", Some((Modifiers::NONE, Key::F9)), "Peaks, stages and history"),
    (
        Command::RightPanel,
        "Settings",
        Some((Modifiers::NONE, Key::F10)),
        "Properties and how things are shown",
    ),
    (Command::Theme, "Light or dark", None, "Changes the colours of the window"),
    (Command::Help, "Keys and mouse", Some((Modifiers::NONE, Key::F1)), "Everything on one page"),
    (Command::Tour, "The tour", None, "The studio in a few sentences"),
];

impl Command {
    /// All commands in the order of the menus.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        CARDS.iter().map(|card| card.0)
    }

    fn card(self) -> &'static Card {
        CARDS.iter().find(|card| card.0 == self).expect("every command has its card")
    }

    /// What menus call it.
    pub(crate) fn label(self) -> &'static str {
        self.card().1
    }

    /// What it does, in a sentence.
    pub(crate) fn about(self) -> &'static str {
        self.card().3
    }

    /// The keys, as people write them.
    pub(crate) fn keys(self, ctx: &Context) -> Option<String> {
        let (modifiers, key) = self.card().2?;
        Some(ctx.format_shortcut(&KeyboardShortcut::new(modifiers, key)))
    }

    /// The commands whose keys were pressed.
    pub(crate) fn pressed(ctx: &Context) -> Vec<Self> {
        // While somebody types, letters are letters.
        let is_typing = ctx.text_edit_focused();
        ctx.input_mut(|input| {
            // Those with more modifiers first, since the others would take their keys.
            let mut cards: Vec<&Card> = CARDS.iter().collect();
            cards.sort_by_key(|card| card.2.map_or(9, |(modifiers, _)| 3 - weight(modifiers)));
            let mut pressed = Vec::new();
            for (command, _, keys, _) in cards {
                let Some((modifiers, key)) = *keys else { continue };
                let is_plain = modifiers == Modifiers::NONE || modifiers == Modifiers::SHIFT;
                let is_function = matches!(key, Key::F1 | Key::F9 | Key::F10);
                let is_text = matches!(
                    command,
                    Self::Copy | Self::Paste | Self::SelectAll | Self::Undo | Self::Redo
                );
                // The system turns these keys into events of their own.
                let is_event = matches!(command, Self::Copy | Self::Paste);
                if is_event || (is_typing && (is_text || (is_plain && !is_function))) {
                    continue;
                }
                if input.consume_key(modifiers, key) {
                    pressed.push(*command);
                }
            }
            if !is_typing {
                let also = [
                    (CTRL, Key::Y, Self::Redo),
                    (Modifiers::NONE, Key::Backspace, Self::Delete),
                    (Modifiers::NONE, Key::Equals, Self::ZoomIn),
                    (Modifiers::SHIFT, Key::Plus, Self::ZoomIn),
                    (Modifiers::NONE, Key::Num0, Self::Fit),
                ];
                for (modifiers, key, command) in also {
                    if input.consume_key(modifiers, key) {
                        pressed.push(command);
                    }
                }
            }
            pressed
        })
    }
}

fn weight(modifiers: Modifiers) -> i32 {
    i32::from(modifiers.command) + i32::from(modifiers.shift) + i32::from(modifiers.alt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_have_the_same_keys() {
        for (k, card) in CARDS.iter().enumerate() {
            let same = CARDS[..k].iter().any(|other| other.2.is_some() && other.2 == card.2);
            assert!(!same, "{:?}", card.0);
        }
    }
}
