//! Heightmaps, with the scale that lies beside them.

use std::path::Path;

use landform_io::{
    Format, Georeference, Heightmap, Limits, Manifest, ReadOptions, Scale, SideFile, Source, hgt,
    manifest, side_file,
};

use super::files::{Files, extension, file_name, read_description};
use crate::memory::{PROGRAM, READING};
use crate::{Error, Result, Warning};

/// Files with fewer bytes fit beside any program.
const SHORT: u64 = 1 << 18;

/// What the user says of a heightmap that does not say it itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Number of samples, metres between them, heights of the lowest and the highest level.
    pub scale: Scale,
    /// Whether a file without a header has its most significant byte first.
    pub is_big_endian: bool,
    /// Where files may lie that a recipe or a manifest names.
    pub named: Named,
    /// Bytes that may be used; as many as readers allow unless given.
    pub memory: Option<u64>,
}

impl Reading {
    /// Refuses a file that is too long to be read.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub(super) fn check(&self, files: &dyn Files, path: &Path, per_byte: u64) -> Result<()> {
        let long = files.length(path).filter(|&length| length > SHORT);
        let needed = long.map(|length| PROGRAM + length.saturating_mul(per_byte));
        match (needed, self.memory) {
            (Some(needed), Some(limit)) if needed > limit => {
                Err(Error::TooLong { file: path.display().to_string(), needed, limit })
            }
            _ => Ok(()),
        }
    }

    /// How many samples may be decoded from a file of so many bytes.
    fn limits(&self, length: u64) -> Limits {
        let own = Limits::default();
        let left = self.memory.map(|memory| memory.saturating_sub(PROGRAM + length) / READING);
        Limits { max_samples: left.unwrap_or(u64::MAX).min(own.max_samples) }
    }
}

/// Where files may lie that another file names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// In the folder of the file that names them.
    #[default]
    Within,
    /// Anywhere: the user trusts who wrote it.
    Anywhere,
}

impl Named {
    /// Refuses a name that leads out of its folder.
    ///
    /// # Errors
    /// If it does, and may not.
    pub(super) fn check(self, files: &dyn Files, folder: &Path, name: &str) -> Result<()> {
        if self == Self::Anywhere || files.is_within(folder, Path::new(name)) {
            return Ok(());
        }
        Err(Error::Other(format!(
            "{} lies outside of the folder of the file that names it: put it there, or allow it (--allow-outside, allow_outside=True)",
            folder.join(name).display()
        )))
    }

    /// An error of a file that another one names, without what is in it.
    pub(super) fn hidden(self, error: Error) -> Error {
        match (self, error) {
            (Self::Within, Error::Malformed { file, cause }) => {
                Error::Malformed { file, cause: cause.without_contents() }
            }
            (_, error) => error,
        }
    }
}

/// Reads a heightmap. What it does not say is taken from `reading`, then from the file `NAME.json` or the manifest
/// beside it.
///
/// # Errors
/// If it cannot be read, or is not a heightmap.
pub fn read_heightmap(files: &dyn Files, path: &Path, reading: &Reading) -> Result<Heightmap> {
    read_with(files, path, reading, None)
}

/// The same for a file of a bundle, whose manifest is known.
pub(super) fn read_with(
    files: &dyn Files,
    path: &Path,
    reading: &Reading,
    manifest: Option<&Manifest>,
) -> Result<Heightmap> {
    let format = Format::from_extension(&extension(path)).filter(|format| format.is_read());
    let format = format.ok_or_else(|| {
        let readable = readable_extensions().join(", .");
        Error::Other(format!("{} is not a heightmap: expected .{readable}", path.display()))
    })?;
    reading.check(files, path, 1)?;
    let bytes = files.read(path).map_err(|cause| Error::read(path, cause))?;
    let length = bytes.len() as u64;
    let name = file_name(path);
    let side = match manifest {
        None if format.side_file().is_some() => read_side_file(files, path, reading.named)?,
        _ => None,
    };
    let entry = manifest.and_then(|manifest| manifest.files.iter().find(|file| file.name == name));
    let beside = match (manifest, &side) {
        (Some(manifest), _) => manifest.scale_of(&name),
        (None, Some(side)) => Some(side.scale()),
        (None, None) => {
            manifest_beside(files, path, reading.named).and_then(|found| found.scale_of(&name))
        }
    };
    let told = side.as_ref().map(|side| (side.byte_order, side.row_order));
    let told = told.or(entry.map(|entry| (entry.byte_order, entry.row_order)));
    let (endian, rows) = told.unwrap_or_default();
    let options = ReadOptions {
        given: reading.scale,
        side_car: beside.unwrap_or_default(),
        endian: if reading.is_big_endian { landform_io::Endian::Big } else { endian },
        rows,
        limits: reading.limits(length),
    };
    let read = landform_io::read(&bytes, format, &options);
    let mut heightmap = read.map_err(|cause| match (cause, reading.memory) {
        (landform_io::Error::TooLarge { width, height, .. }, Some(limit)) => {
            let needed = width.saturating_mul(height).saturating_mul(READING);
            let needed = needed.saturating_add(PROGRAM + length);
            let file = path.display().to_string();
            Error::TooManySamples { file, size: [width, height], needed, limit }
        }
        (cause, _) => Error::malformed(path, cause),
    })?;
    if format == Format::Hgt
        && let Some(corner) = hgt::corner_of(&name)
    {
        // The name says where the tile lies, and so how wide a degree of longitude is there.
        let side = heightmap.heights.width();
        if heightmap.spacing_from == Source::File {
            heightmap.spacing = hgt::spacing_at(corner[0] + 0.5, side);
        }
        heightmap.place = Some(hgt::place_of(corner, heightmap.spacing, side));
    }
    if heightmap.place.is_none() {
        let told = side.and_then(|side| side.place).filter(Georeference::is_sound);
        heightmap.place = told.or_else(|| match manifest {
            Some(manifest) => manifest.place_of_first(),
            None => manifest_beside(files, path, reading.named)?.place_of_file(&name),
        });
    }
    Ok(heightmap)
}

/// What lies beside a file without a header, if anything does.
fn read_side_file(files: &dyn Files, path: &Path, named: Named) -> Result<Option<SideFile>> {
    let path = side_file::path_of(path);
    if files.entry(&path).is_none() {
        return Ok(None);
    }
    let bytes = read_description(files, &path).map_err(|cause| Error::read(&path, cause))?;
    named.check(files, path.parent().unwrap_or(Path::new("")), &file_name(&path))?;
    let side = SideFile::from_json(&bytes)
        .map_err(|cause| named.hidden(Error::malformed(&path, cause)))?;
    Ok(Some(side))
}

/// The manifest beside a file, if there is one that can be read.
fn manifest_beside(files: &dyn Files, path: &Path, named: Named) -> Option<Manifest> {
    named.check(files, path.parent().unwrap_or(Path::new("")), manifest::FILE_NAME).ok()?;
    let bytes = read_description(files, &path.with_file_name(manifest::FILE_NAME)).ok()?;
    Manifest::from_json(&bytes).ok()
}

/// What had to be assumed of a heightmap.
pub(super) fn assumptions(path: &Path, heightmap: &Heightmap) -> Vec<Warning> {
    let file = || path.display().to_string();
    let mut warnings = Vec::new();
    // Heights that are fractions are taken as metres.
    if heightmap.scale_from == Source::Assumed
        && let Some(levels) = heightmap.levels
    {
        warnings.push(Warning::AssumedRange { file: file(), range: levels.range });
    }
    if heightmap.spacing_from == Source::Assumed {
        warnings.push(Warning::AssumedSpacing { file: file(), spacing: heightmap.spacing });
    }
    warnings
}

pub(super) fn readable_extensions() -> Vec<&'static str> {
    Format::all().filter(|format| format.is_read()).map(Format::extension).collect()
}
