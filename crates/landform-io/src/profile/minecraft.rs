//! Minecraft, by `WorldPainter`: a 16-bit PNG, one pixel a block.
//!
//! The world goes from y = −64 to 319, and the sea stands at 62. One block is as high as it is wide unless the relief does not fit; then
//! heights are pressed until it does, and the page says by how much. Source: `WorldPainter` documentation, "Import height map".

use super::{Export, Job, Target, TargetEntry, Tiles, any_shape, any_size};
use crate::{Format, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "minecraft",
    title: "Minecraft by WorldPainter",
    fit: any_size,
    tiles: Tiles::BY_COLUMN_AND_ROW,
    splat: None,
    has_levels: true,
    takes_print: false,
    script: None,
    refuses: any_shape,
    export: |job| Ok(export(job)),
};

const SEA: f64 = 62.0;
const LOWEST: f64 = -60.0;
const HIGHEST: f64 = 312.0;

fn export(job: &Job<'_>) -> Export {
    let range = job.range();
    let sea = job.terrain.sea_level();
    let [dx, dz] = job.spacing();
    let natural = 1.0 / dx;
    // Blocks a metre at which the highest point and the deepest floor still fit.
    let room =
        |metres: f64, blocks: f64| if metres > 0.0 { blocks / metres } else { f64::INFINITY };
    let blocks =
        natural.min(room(range[1] - sea, HIGHEST - SEA)).min(room(sea - range[0], SEA - LOWEST));
    let level = |metres: f64| SEA + (metres - sea) * blocks;
    let mut export = Export::new(Target::Minecraft);
    let options = WriteOptions { range: Some(range), ..WriteOptions::default() };
    export.file(".png", Format::Png, options);
    export.number("Image low", 0);
    export.number("Image high", 65535);
    export.number("Minecraft level for image low", format!("{:.2}", level(range[0])));
    export.number("Minecraft level for image high", format!("{:.2}", level(range[1])));
    export.number("Water level", SEA);
    export.number("Lower build limit", -64);
    export.number("Upper build limit", 320);
    export.number("Scale", "100 %");
    export.step("WorldPainter: File, Import, Height map; choose the file and type the levels");
    if blocks < natural {
        export.warnings.push(format!(
            "the relief is higher than the world: heights are pressed to {:.0} % of their natural steepness",
            100.0 * blocks / natural
        ));
    }
    if dx != dz {
        let note = format!(
            "blocks are square, but samples are {dx} × {dz} m apart: the map will look stretched"
        );
        export.warnings.push(note);
    }
    export
}
