//! Unreal Engine Landscape: a 16-bit PNG.
//!
//! ```text
//! metres = (level − 32768) / 128 · (Z scale / 100)        relative to the landscape's own place
//! ```
//!
//! We let level 0 be the lowest height and 65535 the highest, so Z scale = 12800 · step (step: metres a level), and place the landscape at the
//! height of level 32768. Sides are components × quads + 1: with 2 × 2 sections of 63 quads up to 32 components, 4033; beyond
//! that 2 × 2 sections of 127, up to 8129. Source: Epic, "Landscape Technical Guide".

use super::script::{self, Template, quoted, value};
use super::{Export, Job, Script, Shape, Target, TargetEntry, Tiles};
use crate::splat::Packing;
use crate::{Format, Levels, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "unreal",
    title: "Unreal Engine Landscape",
    fit,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: Some((
        Packing::Gray,
        "Landscape layers: in Manage, Import, choose for each layer of the material its weight map",
    )),
    has_levels: true,
    takes_print: false,
    script: Some(script),
    refuses,
    export: |job| Ok(export(job)),
};

/// Quads a side of a component with 2 × 2 sections of 63 or 127.
const QUADS: [u32; 2] = [126, 254];
const MOST_COMPONENTS: u32 = 32;

fn fit(wanted: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    let largest = wanted[0].max(wanted[1]);
    // Half a component over is still rounded down.
    let quads = if largest <= 126 * MOST_COMPONENTS + 1 + 63 { QUADS[0] } else { QUADS[1] };
    let is_legal = |quads: u32| {
        let fits = |side: u32| {
            side > 1 && (side - 1).is_multiple_of(quads) && (side - 1) / quads <= MOST_COMPONENTS
        };
        wanted.iter().all(|&side| fits(side))
    };
    if QUADS.into_iter().any(is_legal) {
        return wanted;
    }
    wanted.map(|side| {
        let components = (side.saturating_sub(1) + quads / 2) / quads;
        components.clamp(1, MOST_COMPONENTS) * quads + 1
    })
}

fn refuses(shape: &Shape<'_>) -> Option<String> {
    names_a_tile(shape.name).then(|| {
        format!(
            "the name {} would be read as the place of a tile; take one without a number on both sides of x",
            shape.name
        )
    })
}

fn export(job: &Job<'_>) -> Export {
    let target = Target::Unreal;
    let range = job.range();
    let levels = Levels::u16(range);
    let size = job.size();
    let quads = if size.iter().all(|side| (side - 1).is_multiple_of(QUADS[0])) {
        QUADS[0]
    } else {
        QUADS[1]
    };
    let mut export = Export::new(target);
    let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
    export.file(".png", Format::Png, options);
    export.number("Section Size", format!("{0}x{0} Quads", quads / 2));
    export.number("Sections Per Component", "2x2 Sections");
    let [across, down] = size.map(|side| (side - 1) / quads);
    export.number("Number of Components", format!("{across} x {down}"));
    export.number("Overall Resolution", format!("{} x {}", size[0], size[1]));
    export.number("Scale X", 100.0 * job.spacing()[0]);
    export.number("Scale Y", 100.0 * job.spacing()[1]);
    export.number("Scale Z", 12800.0 * levels.step());
    let middle = levels.range[0] + 32768.0 * levels.step();
    export.number("Location Z", 100.0 * middle);
    if let Some([i, j]) = job.tile {
        let [width, length] = job.ground();
        export.number("Location X", 100.0 * f64::from(i) * width);
        export.number("Location Y", 100.0 * f64::from(j) * length);
    }
    export.step("Landscape mode, Manage, New, Import from File, choose the file");
    export.step("Type the numbers; Location and Scale are in centimetres, as all of Unreal");
    export.check_step(levels.step(), "import tiles with a lower relief each");
    export
}

fn script(name: &str, tiles: &[Export]) -> Script {
    let first = &tiles[0];
    let lines = |entries: Vec<[&str; 2]>| -> String {
        let line = |[key, value]: &[&str; 2]| format!("    {}: {},\n", quoted(key), quoted(value));
        entries.iter().map(line).collect()
    };
    let dialog =
        ["Section Size", "Sections Per Component", "Number of Components", "Overall Resolution"];
    let dialog = dialog.map(|label| [label, value(first, label)]).to_vec();
    let weights = first.splat.iter().map(|file| [file.materials[0].as_str(), &file.name]).collect();
    let tiles: String = tiles.iter().map(tile).collect();
    Template::new(include_str!("script/unreal.py"), name)
        .with("TILES", tiles.trim_end())
        .with("WEIGHTS", lines(weights).trim_end())
        .with("DIALOG", lines(dialog).trim_end())
        .script(
            "place_in_unreal.py",
            "Then Tools, Execute Python Script, place_in_unreal.py sets Scale and Location and checks the result",
        )
}

/// A tile as an entry of the script's list.
fn tile(export: &Export) -> String {
    let number = |label: &str| value(export, label).parse::<f64>().expect("it was written as one");
    let scale = ["Scale X", "Scale Y", "Scale Z"].map(number);
    let location = |label: &str| export.value(label).and_then(|value| value.parse().ok());
    let [x, y, z]: [f64; 3] =
        ["Location X", "Location Y", "Location Z"].map(|label| location(label).unwrap_or(0.0));
    let quads: Vec<u32> = value(export, "Overall Resolution")
        .split(" x ")
        .filter_map(|side| Some(side.parse::<u32>().ok()? - 1))
        .collect();
    // Level 32768 is at the location, and a level is scale / 128 centimetres.
    let height = |level: f64| z + (level - 32768.0) * scale[2] / 128.0;
    let file = script::heights(export);
    let stem = file.strip_suffix(".png").unwrap_or(file);
    format!(
        "    {{\n        \"name\": {},\n        \"file\": {},\n        \"quads\": {quads:?},\n        \"scale\": {scale:?},\n        \
         \"location\": {:?},\n        \"heights\": {:?},\n    }},\n",
        quoted(stem),
        quoted(file),
        [x, y, z],
        [height(0.0), height(65535.0)],
    )
}

/// Whether a name has a number, an x, and a number.
fn names_a_tile(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.windows(3).any(|three| {
        three[0].is_ascii_digit()
            && three[1].eq_ignore_ascii_case(&b'x')
            && three[2].is_ascii_digit()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_epic_recommends() {
        for (wanted, legal) in [
            (128, 127),
            (256, 253),
            (512, 505),
            (1024, 1009),
            (2048, 2017),
            (4096, 4033),
            (8192, 8129),
            (4033, 4033),
            (1, 127),
            (100_000, 8129),
        ] {
            assert_eq!(fit([wanted; 2], [1, 1]), [legal; 2], "{wanted}");
        }
        let oblong = fit([8129, 4033], [1, 1]);
        assert_eq!(fit(oblong, [1, 1]), oblong);
    }

    #[test]
    fn a_name_like_a_size_is_noticed() {
        assert!(names_a_tile("island_4033x4033") && !names_a_tile("box 3x") && !names_a_tile("x1"));
    }
}
