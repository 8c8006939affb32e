//! Heights as a file or as tiles: heightmaps and meshes.

use std::path::{Path, PathBuf};

use landform::{Extent, Terrain, Watch as _};
use landform_io::{Format, Raster, Simplify, WriteOptions, side_file};
use landform_view::{Image, TEXTURE_SIDE, texture as texture_of};

use crate::args::Build;
use crate::running::Monitor;
use crate::{misuse, output};

/// Writes the heights, and tells what was written.
pub(crate) fn write(
    (path, format): (&Path, Format),
    terrain: &Terrain,
    args: &Build,
    options: &WriteOptions<'_>,
    monitor: &Monitor,
) -> anyhow::Result<Vec<String>> {
    let [low, high] = options.range.unwrap_or_default();
    let scale = match format {
        Format::Png | Format::R16 => format!(", 0 = {low} m, 65535 = {high} m"),
        _ => String::new(),
    };
    let keeps_border = args.tiles.is_some();
    let simplify = args.meshes.simplify.map(|error| Simplify { error, keeps_border });
    let whole = *terrain.extent();
    let count = args.tiles.unwrap_or([1, 1]);
    let is_textured = format == Format::Glb && !args.meshes.no_texture;
    // One picture for all tiles: colours go by the heights of the whole.
    let picture =
        is_textured.then(|| texture_of(terrain, TEXTURE_SIDE * count[0].max(count[1]) as usize));
    let mut lines = Vec::new();
    for (path, extent) in tiles(path, &whole, args.tiles)? {
        if monitor.is_cancelled() {
            return Err(landform::Cancelled.into());
        }
        monitor.say(&path.display().to_string());
        let part = (extent != whole).then(|| terrain.crop(&extent));
        let texture = picture.as_ref().map(|picture| cut(picture, &whole, &extent)).transpose()?;
        let options = WriteOptions { simplify, texture: texture.as_deref(), ..*options };
        let raster = Raster::height(part.as_ref().unwrap_or(terrain));
        output::raster(&path, format, &raster, &options)?;
        lines.push(format!("{} ({format}{scale})", path.display()));
        if matches!(format, Format::R16 | Format::R32) {
            lines.push(side_file::path_of(&path).display().to_string());
        }
    }
    Ok(lines)
}

/// The map of a terrain as a PNG file, for a mesh to wear.
pub(crate) fn texture(terrain: &Terrain) -> anyhow::Result<Vec<u8>> {
    cut(&texture_of(terrain, TEXTURE_SIDE), terrain.extent(), terrain.extent())
}

/// The part of a picture that shows a part of the ground, as a PNG file.
fn cut(picture: &Image, whole: &Extent, part: &Extent) -> anyhow::Result<Vec<u8>> {
    let (i, j) = whole.offset_of(part);
    let place = |first: usize, count: usize, of: usize, pixels: usize| {
        let start = (first * pixels / of).min(pixels - 1);
        start..((first + count) * pixels / of).clamp(start + 1, pixels)
    };
    let columns = place(i, part.width(), whole.width(), picture.width());
    let rows = place(j, part.height(), whole.height(), picture.height());
    let row = |y: usize| &picture.pixels()[y * picture.width()..][columns.clone()];
    let pixels: Vec<[u8; 3]> = rows.flat_map(|y| row(y).iter().copied()).collect();
    let mut bytes = Vec::new();
    landform_io::png::encode_rgb8(columns.len(), &pixels, &mut bytes)?;
    Ok(bytes)
}

/// The windows of a file, each with its name: `NAME_x0_y0.EXT` and so on. Tiles share their borders; the last of a row or a column
/// may be smaller.
fn tiles(
    path: &Path,
    whole: &Extent,
    tiles: Option<[u32; 2]>,
) -> anyhow::Result<Vec<(PathBuf, Extent)>> {
    let Some(count) = tiles else { return Ok(vec![(path.to_owned(), *whole)]) };
    let cells = [whole.width(), whole.height()].map(|samples| samples as u32 - 1);
    if (0..2).any(|axis| count[axis] > cells[axis]) {
        let [columns, rows] = count;
        let [width, height] = cells.map(|cells| cells + 1);
        let message = "more tiles than there are cells between the samples of";
        return Err(misuse(format!("--tiles {columns}x{rows}: {message} {width}x{height}")));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let [left, top] = whole.origin();
    let side = [0, 1].map(|axis| cells[axis].div_ceil(count[axis]));
    let mut windows = Vec::new();
    for (row, j) in (0..cells[1]).step_by(side[1] as usize).enumerate() {
        for (column, i) in (0..cells[0]).step_by(side[0] as usize).enumerate() {
            let (width, height) = (side[0].min(cells[0] - i) + 1, side[1].min(cells[1] - j) + 1);
            let window = whole.lattice().window(left + i, top + j, width, height);
            let name = path.with_file_name(format!("{stem}_x{column}_y{row}.{extension}"));
            windows.push((name, window.expect("the tiles lie on the terrain")));
        }
    }
    Ok(windows)
}
