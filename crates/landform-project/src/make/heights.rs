//! Heights as a file or as tiles: heightmaps and meshes.

use std::path::Path;

use landform::{Extent, Grid, Terrain, Watch};
use landform_io::format::Setting;
use landform_io::{Format, Georeference, Raster, SideFile, Simplify, WriteOptions, hgt, side_file};
use landform_view::{Image, TEXTURE_SIDE, texture as texture_of};

use super::{MadeFile, begin};
use crate::{Error, Result, Sink, Warning, Watched, Wish};

/// How heights are written.
#[derive(Clone, Copy, Debug)]
pub struct Heights<'a> {
    /// The format.
    pub format: Format,
    /// Columns and rows of tiles; nothing for one file.
    pub tiles: Option<[u32; 2]>,
    /// Fewer triangles: as few as keep every sample within this many metres of the mesh.
    pub simplify: Option<f64>,
    /// Whether a mesh that can wear the map does.
    pub is_textured: bool,
    /// Whether heights beyond the range of 16-bit levels become its ends; without it they are refused.
    pub is_clamped: bool,
    /// Range, place and byte order.
    pub options: WriteOptions<'a>,
}

impl Heights<'_> {
    /// The usual way to write a format.
    pub fn new(format: Format) -> Self {
        let options = WriteOptions::default();
        Self { format, tiles: None, simplify: None, is_textured: true, is_clamped: false, options }
    }
}

/// Writes the heights as `name`, or as tiles `NAME_x0_y0.EXT` and so on.
///
/// # Errors
/// If the format cannot hold the heights, those of the sink, and by cancellation.
pub fn heights(
    terrain: &Terrain,
    job: &Heights<'_>,
    name: &str,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Vec<MadeFile>> {
    let sink = &mut Watched::new(sink, watch);
    let format = job.format;
    let (low, high) = terrain.height().range();
    let range = job.options.range.unwrap_or([low.into(), high.into()]);
    let scale = match format.has_levels() {
        true => format!(", 0 = {} m, 65535 = {} m", range[0], range[1]),
        false => String::new(),
    };
    let keeps_border = job.tiles.is_some();
    let simplify = job.simplify.map(|error| Simplify { error, keeps_border });
    let whole = *terrain.extent();
    let count = job.tiles.unwrap_or([1, 1]);
    let is_textured = job.is_textured && format.uses(Setting::Texture);
    // One picture for all tiles: colours go by the heights of the whole.
    let picture =
        is_textured.then(|| texture_of(terrain, TEXTURE_SIDE * count[0].max(count[1]) as usize));
    let mut made = Vec::new();
    for (name, extent) in tiles(name, &whole, job.tiles)? {
        begin(watch, &name)?;
        let part = (extent != whole).then(|| terrain.crop(&extent));
        let texture = picture.as_ref().map(|picture| cut(picture, &whole, &extent)).transpose()?;
        let texture = texture.as_deref();
        let place = terrain.place();
        check_tile(format, &name, place, &extent)?;
        let options = WriteOptions { range: Some(range), simplify, texture, place, ..job.options };
        let raster = Raster::height(part.as_ref().unwrap_or(terrain));
        let within = if job.is_clamped && format.has_levels() {
            clamped(raster.samples, range)
        } else {
            None
        };
        let raster = Raster { samples: within.as_ref().unwrap_or(raster.samples), ..raster };
        let side = put_raster(sink, &name, format, &raster, &options)?;
        made.push(MadeFile::new(&name, format!("{format}{scale}")));
        made.extend(side);
    }
    sink.finish()?;
    Ok(made)
}

/// Checks that a tile of the Earth, or of a planet, is the one that its name says.
///
/// # Errors
/// If it is not.
pub fn check_tile(
    format: Format,
    name: &str,
    place: Option<&Georeference>,
    extent: &Extent,
) -> Result<()> {
    match place.filter(|place| format == Format::Hgt && place.crs.is_degrees()) {
        Some(place) => Ok(hgt::check_tile(name, place, extent)?),
        None => Ok(()),
    }
}

/// Heights clamped to the range of 16-bit levels; nothing if they are within it.
pub(super) fn clamped(heights: &Grid, range: [f64; 2]) -> Option<Grid> {
    let (lowest, highest) = heights.range();
    Warning::outside_range([lowest.into(), highest.into()], range)?;
    // The ends of the range need not be numbers of 32 bits: the nearest ones within it are taken.
    let [mut low, mut high] = range.map(|end| end as f32);
    if f64::from(low) < range[0] {
        low = low.next_up();
    }
    if f64::from(high) > range[1] {
        high = high.next_down();
    }
    // What is not a number stays so, and is refused.
    Some(heights.map(|&height| match height {
        below if below < low => low,
        above if above > high => high,
        within => within,
    }))
}

/// Writes one layer, or a mesh; beside it what the format cannot say of itself.
pub(super) fn put_raster(
    sink: &mut dyn Sink,
    name: &str,
    format: Format,
    raster: &Raster<'_>,
    options: &WriteOptions<'_>,
) -> Result<Option<MadeFile>> {
    sink.put(name, &mut |out| format.write(raster, out, options))?;
    let Some(side) = SideFile::of(raster, format, options) else { return Ok(None) };
    let beside = side_file::path_of(Path::new(name)).to_string_lossy().into_owned();
    // An old scale beside new samples would be worse than none.
    sink.put_record(&beside, &side.to_json())?;
    Ok(Some(MadeFile { name: beside, about: None }))
}

/// The map of a terrain as a PNG file, for a mesh to wear.
pub(super) fn texture(terrain: &Terrain) -> Result<Vec<u8>> {
    cut(&texture_of(terrain, TEXTURE_SIDE), terrain.extent(), terrain.extent())
}

/// The part of a picture that shows a part of the ground, as a PNG file.
fn cut(picture: &Image, whole: &Extent, part: &Extent) -> Result<Vec<u8>> {
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

/// The windows of a file, each with its name. Tiles share their borders; the last of a row or a column may be smaller.
fn tiles(name: &str, whole: &Extent, tiles: Option<[u32; 2]>) -> Result<Vec<(String, Extent)>> {
    let Some(count) = tiles else { return Ok(vec![(name.to_owned(), *whole)]) };
    let cells = [whole.width(), whole.height()].map(|samples| samples as u32 - 1);
    if (0..2).any(|axis| count[axis] > cells[axis]) {
        let [width, height] = cells.map(|cells| cells + 1);
        let message = "more tiles than there are cells between the samples of";
        return Err(Error::wish(Wish::Tiles(count), format!("{message} {width}x{height}")));
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let [left, top] = whole.origin();
    let side = [0, 1].map(|axis| cells[axis].div_ceil(count[axis]));
    let mut windows = Vec::new();
    for (row, j) in (0..cells[1]).step_by(side[1] as usize).enumerate() {
        for (column, i) in (0..cells[0]).step_by(side[0] as usize).enumerate() {
            let (width, height) = (side[0].min(cells[0] - i) + 1, side[1].min(cells[1] - j) + 1);
            let window = whole.lattice().window(left + i, top + j, width, height);
            let name = format!("{stem}_x{column}_y{row}.{extension}");
            windows.push((name, window.expect("the tiles lie on the terrain")));
        }
    }
    Ok(windows)
}
