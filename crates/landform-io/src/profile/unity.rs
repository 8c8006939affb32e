//! Unity Terrain: a headerless RAW of 16 bits.
//!
//! The heightmap is square, 2ⁿ + 1 samples a side from 33 to 4097; byte order "Windows" is little-endian. Unity counts z to the north, so the
//! southernmost row comes first and nothing needs to be flipped. Level 65535 is the terrain's height, level 0 its position.
//!
//! Inside, Unity keeps only levels up to 32766, so one of its levels is two of the file's. Source: Unity manual, "Terrain
//! settings" and "Working with heightmaps"; `TerrainData.kMaxHeight`.

use super::script::{self, Template, materials, quoted, quoted_list, value};
use super::{Export, Job, Script, Shape, Target, TargetEntry, Tiles, nearest};
use crate::format::RowOrder;
use crate::splat::Packing;
use crate::{Format, Result, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "unity",
    title: "Unity Terrain",
    fit,
    tiles: TILES,
    splat: Some((
        Packing::Rgba,
        "Splat map: the script makes terrain layers of it; the channels have the order above, and row 0 is the north",
    )),
    has_levels: true,
    takes_print: false,
    script: Some(script),
    refuses,
    export,
};

const SIDES: [u32; 8] = [33, 65, 129, 257, 513, 1025, 2049, 4097];

fn fit([width, height]: [u32; 2], _: [u32; 2]) -> [u32; 2] {
    [nearest(&SIDES, width.max(height)); 2]
}

/// Unity's z goes north.
const TILES: Tiles = Tiles {
    place: |[i, j], [_, rows]| [i, rows - 1 - j],
    // Batch import of Terrain Tools reads the place of a tile from it.
    suffix: |[i, j]| format!("_{i}_{j}"),
    shares_border: true,
};

fn refuses(shape: &Shape<'_>) -> Option<String> {
    let Shape { size, spacing, .. } = *shape;
    let is_wide = (0..2).any(|axis| f64::from(size[axis] - 1) * spacing[axis] > 100_000.0);
    is_wide.then(|| "a terrain is at most 100000 m wide; export tiles".to_owned())
}

fn export(job: &Job<'_>) -> Result<Export> {
    let range = job.range();
    let [low, high] = range;
    let [width, length] = job.ground();
    let target = Target::Unity;
    if high - low > 10_000.0 {
        let relief = high - low;
        return Err(target.refuse(format!("a terrain is at most 10000 m high, this is {relief}")));
    }
    let mut export = Export::new(target);
    let options =
        WriteOptions { range: Some(range), rows: RowOrder::SouthFirst, ..WriteOptions::default() };
    export.file(".raw", Format::R16, options);
    export.number("Depth", "Bit 16");
    export.number("Resolution", job.size()[0]);
    export.number("Byte order", "Windows");
    export.number("Flip vertically", "off");
    export.number("Terrain size X", width);
    export.number("Terrain size Z", length);
    export.number("Terrain size Y", high - low);
    export.number("Position Y", low);
    if let Some([i, j]) = job.tile {
        export.number("Position X", f64::from(i) * width);
        export.number("Position Z", f64::from(j) * length);
    }
    export.step("Select the terrain, Terrain Settings, Import Raw…, choose the file");
    export.step("Type depth, resolution, byte order and the three terrain sizes");
    export.step("Set the Transform's position, so that heights are above the same zero and tiles lie side by side");
    export.check_step(
        (high - low) / 32766.0,
        "Unity keeps 15 bits; split the terrain where the relief is lower, or smooth it there",
    );
    Ok(export)
}

/// Colours of layers whose textures are still to be chosen, by the name of the material.
const COLORS: [(&str, [f32; 3]); 6] = [
    ("grass", [0.33, 0.45, 0.20]),
    ("sand", [0.80, 0.72, 0.52]),
    ("rock", [0.45, 0.42, 0.40]),
    ("snow", [0.94, 0.95, 0.97]),
    ("soil", [0.42, 0.32, 0.22]),
    ("scree", [0.58, 0.55, 0.52]),
];

/// Of materials that the user has named.
const OTHER_COLOR: [f32; 3] = [0.5, 0.5, 0.5];

fn script(name: &str, tiles: &[Export]) -> Script {
    let class = format!("LandformImport_{}", script::word(name));
    let names = materials(&tiles[0]);
    let color = |material: &&str| {
        let known = COLORS.iter().find(|(known, _)| known == material);
        let [r, g, b] = known.map_or(OTHER_COLOR, |(_, color)| *color);
        format!("new Color({r}f, {g}f, {b}f)")
    };
    let colors: Vec<String> = names.iter().map(color).collect();
    let tiles: String = tiles.iter().map(tile).collect();
    Template::new(include_str!("script/unity.cs"), name)
        .with("CLASS", &class)
        .with("MATERIALS", &quoted_list(&names))
        .with("COLORS", &colors.join(", "))
        .with("TILES", tiles.trim_end())
        .script(
            format!("{class}.cs"),
            "Or let the script do it: copy this folder into Assets and choose Landform in the menu",
        )
}

/// A tile as an entry of the script's list.
fn tile(export: &Export) -> String {
    let metres = |label: &str| match export.value(label) {
        Some(value) => format!("(float){value}"),
        None => "0f".to_owned(),
    };
    let vector = |labels: [&str; 3]| format!("new Vector3({})", labels.map(metres).join(", "));
    let splat = quoted_list(export.splat.iter().map(|file| &file.name));
    let [column, row] = export.place;
    format!(
        "        new Tile {{ Heights = {}, Weights = new string[] {{ {splat} }}, Column = {column}, Row = {row}, Resolution = {},\n            \
         Size = {}, Position = {} }},\n",
        quoted(script::heights(export)),
        value(export, "Resolution"),
        vector(["Terrain size X", "Terrain size Y", "Terrain size Z"]),
        vector(["Position X", "Position Y", "Position Z"]),
    )
}
