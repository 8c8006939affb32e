//! Windows of a TIFF with overviews, such as [`write_cog`](super::write_cog) writes: only the tiles that they touch are read, so the file may
//! be larger than memory.

use std::io::{Read, Seek, SeekFrom};

use landform::{Grid, Lattice};
use tiff::decoder::{Decoder, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

use super::read::{GeoTags, metres, tile_bytes};
use crate::{Error, Format, ReadOptions, Result};

/// More directories than a terrain of any size has overviews.
const MOST_DIRECTORIES: usize = 64;
/// The longest table of tiles in bytes: one of a million tiles a side of a thousand.
const LONGEST_TABLE: u64 = 1 << 28;

/// A TIFF of one band that is read window by window, at one of its resolutions.
pub struct Pyramid<R: Read + Seek> {
    decoder: Decoder<R>,
    /// Bytes in the file.
    length: u64,
    /// The directory of each level and its columns and rows, the finest first.
    levels: Vec<(usize, [u32; 2])>,
    place: GeoTags,
    spacing: [f64; 2],
}

impl<R: Read + Seek> std::fmt::Debug for Pyramid<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pyramid").field("levels", &self.levels).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> Pyramid<R> {
    /// Reads the directories.
    ///
    /// # Errors
    /// If the bytes are no TIFF of one band.
    pub fn open(mut input: R) -> Result<Self> {
        let length = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(0))?;
        let mut limits = Limits::default();
        limits.ifd_value_size = usize::try_from(length.min(LONGEST_TABLE)).unwrap_or(usize::MAX);
        let mut decoder = Decoder::new(input).map_err(|error| wrong(&error))?.with_limits(limits);
        let [_, rows] = size(&mut decoder)?;
        let place = GeoTags::of(&mut decoder, rows);
        let mut levels: Vec<(usize, [u32; 2])> = Vec::new();
        for directory in 0..MOST_DIRECTORIES {
            if directory > 0 {
                if !decoder.more_images() {
                    break;
                }
                decoder.next_image().map_err(|error| wrong(&error))?;
            }
            // Bit 0: a picture of another at lower resolution; bit 2: a mask.
            let kind = decoder.find_tag_unsigned::<u32>(Tag::NewSubfileType);
            let kind = kind.map_err(|error| wrong(&error))?.unwrap_or(0);
            let size = size(&mut decoder)?;
            let is_coarser = match levels.last() {
                None => true,
                Some((_, finer)) => {
                    kind & 5 == 1 && size[0] <= finer[0] && size[1] <= finer[1] && size != *finer
                }
            };
            if is_coarser {
                levels.push((directory, size));
            }
        }
        let (spacing, _) = ReadOptions::default().spacing(place.spacing);
        Ok(Self { decoder, length, levels, place, spacing })
    }

    /// Columns and rows of each level, the finest first.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        self.levels.iter().map(|(_, size)| *size)
    }

    /// Metres from one sample of the finest level to the next, along x and z.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// The heights in a window of a level: first column and row, number of columns and rows. What is missing is NaN.
    ///
    /// # Errors
    /// If there is no such level or window, or a tile is damaged.
    pub fn read(&mut self, level: usize, window: [u32; 4]) -> Result<Grid> {
        let [x, y, width, height] = window;
        let known = self.levels.get(level).copied().filter(|(_, size)| {
            let lattice = Lattice { size: *size, spacing: [1.0; 2] };
            lattice.window(x, y, width, height).is_some()
        });
        let Some((directory, size)) = known else {
            let found = format!("the window {x},{y},{width},{height} of level {level}");
            let expected = format!("one of {} levels", self.levels.len());
            return Err(Error::malformed(Format::Tiff, None, found, expected));
        };
        self.decoder.seek_to_image(directory).map_err(|error| wrong(&error))?;
        let (across, down) = self.decoder.chunk_dimensions();
        let kind = self.decoder.colortype().map_err(|error| wrong(&error))?;
        tile_bytes((across, down), kind.bit_depth(), self.length)?;
        let mut grid = Grid::filled(width as usize, height as usize, f32::NAN);
        if across == 0 || down == 0 {
            return Ok(grid);
        }
        let tiles = size[0].div_ceil(across);
        for j in y / down..(y + height).div_ceil(down) {
            for i in x / across..(x + width).div_ceil(across) {
                let number = u64::from(j) * u64::from(tiles) + u64::from(i);
                let number = u32::try_from(number).map_err(|_| {
                    let found = format!("tile {number}");
                    Error::malformed(Format::Tiff, None, found, "at most 4294967295 of them")
                })?;
                self.tile(number, [i * across, j * down], window, &mut grid)?;
            }
        }
        if let Some(void) = self.place.void {
            let missing = grid.samples_mut().iter_mut().filter(|height| **height == void);
            missing.for_each(|height| *height = f32::NAN);
        }
        Ok(grid)
    }

    /// Copies what the window has of a tile whose first sample is `at`.
    fn tile(&mut self, tile: u32, at: [u32; 2], window: [u32; 4], grid: &mut Grid) -> Result<()> {
        let (tile_width, tile_height) = self.decoder.chunk_data_dimensions(tile);
        let samples = self.decoder.read_chunk(tile).map_err(|error| wrong(&error))?;
        let (heights, ..) = metres(samples, &self.place, &ReadOptions::default())?;
        let stride = tile_width as usize;
        if heights.len() < stride * tile_height as usize {
            let found = format!("{} samples in a tile", heights.len());
            let expected = format!("{tile_width} × {tile_height}");
            return Err(Error::malformed(Format::Tiff, None, found, expected));
        }
        let [x, y, width, height] = window;
        let (first, end) = (at[0].max(x), (at[0] + tile_width).min(x + width));
        for j in at[1].max(y)..(at[1] + tile_height).min(y + height) {
            let row = &heights[(j - at[1]) as usize * stride..][..stride];
            if first < end {
                let columns = (first - at[0]) as usize..(end - at[0]) as usize;
                grid.row_mut((j - y) as usize)[(first - x) as usize..(end - x) as usize]
                    .copy_from_slice(&row[columns]);
            }
        }
        Ok(())
    }
}

/// Columns and rows of the directory that the decoder is at, which must have one band.
fn size<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<[u32; 2]> {
    match decoder.colortype().map_err(|error| wrong(&error))? {
        ColorType::Gray(_) => {}
        other => {
            let found = format!("samples of {other:?}");
            return Err(Error::malformed(Format::Tiff, None, found, "one band of heights"));
        }
    }
    let (width, height) = decoder.dimensions().map_err(|error| wrong(&error))?;
    if width == 0 || height == 0 || width.max(height) > 1 << 30 {
        let found = format!("{width} × {height} samples");
        return Err(Error::malformed(Format::Tiff, None, found, "1 to 1073741824 along each side"));
    }
    Ok([width, height])
}

fn wrong(error: &TiffError) -> Error {
    let found = format!("a file that cannot be decoded ({error})");
    Error::malformed(Format::Tiff, None, found, "a TIFF")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use landform::{Layer, Recipe};

    use super::*;
    use crate::store::{Builder, Division, MEMORY, Manifest, fill};

    /// A terrain of 150 × 100 samples in chunks of 16 as a cloud-optimized TIFF, and its store.
    fn cog(folder: &std::path::Path) -> (Vec<u8>, crate::Store) {
        let text =
            "version = 1\nsize = [150, 100]\nspacing = [10.0, 20.0]\n[[stage]]\nkind = \"noise\"\n";
        let recipe = Recipe::parse(text).unwrap();
        let plan = recipe.resolve(&landform::Inputs::default()).unwrap();
        let division = Division { chunk: Some(16), shard: Some(64), ..Division::default() };
        let root = folder.join("t.zarr");
        let (extent, inputs) = (plan.lattice().whole(), landform::Inputs::default());
        let manifest = Manifest::new(&plan, &extent, &division, (text, Some(0)), &inputs).unwrap();
        let builder = Builder::start(&root, manifest).unwrap();
        fill(&builder, &plan, MEMORY, &()).unwrap();
        let store = crate::Store::open(&root).unwrap();
        let mut bytes = Cursor::new(Vec::new());
        super::super::write_cog(&store, &Layer::Height, &mut bytes, &()).unwrap();
        (bytes.into_inner(), store)
    }

    #[test]
    fn windows_of_every_level_are_those_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let (bytes, store) = cog(folder.path());
        let mut pyramid = Pyramid::open(Cursor::new(&bytes)).unwrap();
        assert_eq!(pyramid.spacing(), [10.0, 20.0]);
        let sizes: Vec<[u32; 2]> = pyramid.sizes().collect();
        let levels = 0..store.layout().levels();
        assert_eq!(sizes, levels.map(|k| store.layout().level(k).size).collect::<Vec<_>>());
        for (k, [width, height]) in sizes.into_iter().enumerate() {
            let whole = [0, 0, width, height];
            let part = [width / 3, height / 4, width / 2 + 1, height / 3 + 1];
            for window in [whole, part] {
                let read = pyramid.read(k, window).unwrap();
                assert!(read == store.read(k, &Layer::Height, window).unwrap(), "level {k}");
            }
        }
        assert!(pyramid.read(0, [149, 0, 2, 1]).is_err());
        assert!(pyramid.read(40, [0, 0, 1, 1]).is_err());
    }

    /// Two by two samples, and in the directory a tile of two thousand million columns.
    const WIDE_TILE: &[u8] = include_bytes!("../../../../fuzz/corpus/tiff/wide_tile.tif");
    /// As many columns, and twice as many rows: more bits than a number of 64 bits can count.
    const HUGE_TILE: &[u8] = include_bytes!("../../../../fuzz/corpus/tiff/huge_tile.tif");

    #[test]
    fn no_tile_is_wider_than_the_file_can_hold() {
        for (file, size) in [(WIDE_TILE, "2147483664 × 16"), (HUGE_TILE, "2147483664 × 4294967284")]
        {
            let mut pyramid = Pyramid::open(Cursor::new(file)).unwrap();
            let message = pyramid.read(0, [0, 0, 2, 2]).unwrap_err().to_string();
            assert!(message.contains(&format!("tiles of {size} samples")), "{message}");
        }
    }

    #[test]
    fn what_is_cut_off_or_no_tiff_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (bytes, _) = cog(folder.path());
        assert!(Pyramid::open(Cursor::new(b"version = 1".as_slice())).is_err());
        for length in [0, 3, 8, 40, 200, bytes.len() / 2] {
            let cut = Cursor::new(&bytes[..length]);
            let read = Pyramid::open(cut).and_then(|mut pyramid| pyramid.read(0, [0, 0, 150, 100]));
            assert!(read.is_err(), "{length} bytes");
        }
    }
}
