//! `landform.json`: what lies in a folder of files, in a form for programs.
//!
//! It is the side-car of every file beside it: sizes, spacing and the metres of levels stand here even for
//! formats that cannot carry them. The SHA-256 of a layer is that of its samples as little-endian f32, row by row,
//! which is what follows the header of its NPY, and so the same whatever the file formats are.

use landform::{Georeference, Grid, Terrain, Topology};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Endian, Error, Format, Raster, Result, RowOrder, Scale, WriteOptions};

/// The name of the manifest's file.
pub const FILE_NAME: &str = "landform.json";

/// The version of the manifest that is written, and the highest that is read.
pub const VERSION: u32 = 1;

/// The contents of `landform.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this description: [`VERSION`].
    pub version: u32,
    /// The program that wrote it, with its version.
    pub generator: String,
    /// Seed of the recipe; nothing for a terrain that has none.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Δx and Δz in metres.
    pub spacing: [f64; 2],
    /// Column and row of the first sample in the whole terrain: not zero for a tile.
    #[serde(default)]
    pub origin: [u32; 2],
    /// Lowest height in metres.
    pub min: f64,
    /// Highest height in metres.
    pub max: f64,
    /// Height of the water table in metres.
    #[serde(default)]
    pub sea_level: f64,
    /// Where the whole terrain lies, on the Earth or on its planet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Georeference>,
    /// How the edges of the whole map belong together; not written for a piece of ground.
    #[serde(default, skip_serializing_if = "is_plane")]
    pub topology: Topology,
    /// What is known at every sample.
    pub layers: Vec<LayerEntry>,
    /// The files beside this one.
    #[serde(default)]
    pub files: Vec<FileEntry>,
}

/// A layer of the terrain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerEntry {
    /// Its name.
    pub name: String,
    /// Unit of its samples; "1" for plain numbers.
    pub unit: String,
    /// Smallest sample that is a finite number.
    pub min: f64,
    /// Largest sample that is a finite number.
    pub max: f64,
    /// SHA-256 of the samples as little-endian f32, row by row, in hexadecimal.
    pub sha256: String,
}

/// A file beside the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// The layer it holds; nothing for pictures, meshes and texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// What the lowest and the highest level stand for, in the layer's unit; nothing if it holds the
    /// samples themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<[f64; 2]>,
    /// Number of its columns and rows; nothing if they are those of the terrain. A tile has fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 2]>,
    /// The order of its rows, if it has no header and the southernmost comes first.
    #[serde(default, skip_serializing_if = "is_north_first")]
    pub row_order: RowOrder,
    /// The order of the bytes of a sample, if it has no header and the most significant comes first.
    #[serde(default, skip_serializing_if = "is_little")]
    pub byte_order: Endian,
}

impl Manifest {
    /// Where the first sample of its files lies.
    pub fn place_of_first(&self) -> Option<Georeference> {
        let first = [0, 1].map(|axis| f64::from(self.origin[axis]) * self.spacing[axis]);
        self.place.as_ref().filter(|place| place.is_sound()).map(|place| place.moved(first))
    }

    /// Where the ground of a file beside it lies; nothing for a tile.
    pub fn place_of_file(&self, name: &str) -> Option<Georeference> {
        let file = self.files.iter().find(|file| file.name == name)?;
        self.place_of_first().filter(|_| file.size.is_none())
    }

    /// Describes a terrain, with no files yet.
    pub fn of(terrain: &Terrain, seed: Option<u64>) -> Self {
        let extent = terrain.extent();
        let (min, max) = finite_range(terrain.height());
        let layers = terrain.layers().map(|(layer, samples)| {
            let (min, max) = finite_range(samples);
            LayerEntry {
                name: layer.name().to_owned(),
                unit: layer.unit().to_owned(),
                min: min.into(),
                max: max.into(),
                sha256: sha256(samples),
            }
        });
        Self {
            version: VERSION,
            generator: concat!("landform ", env!("CARGO_PKG_VERSION")).to_owned(),
            seed,
            size: [extent.width() as u32, extent.height() as u32],
            spacing: extent.lattice().spacing,
            origin: extent.origin(),
            min: min.into(),
            max: max.into(),
            sea_level: terrain.sea_level(),
            place: terrain.place().cloned(),
            topology: terrain.topology(),
            layers: layers.collect(),
            files: Vec::new(),
        }
    }

    /// Adds the file `name`, to which `raster`, the layer `layer`, was written as `format`.
    pub fn add_raster(
        &mut self,
        name: &str,
        layer: &str,
        raster: &Raster<'_>,
        format: Format,
        options: &WriteOptions<'_>,
    ) {
        let (low, high) = raster.samples.range();
        let range = options.range.unwrap_or([low.into(), high.into()]);
        let levels = format.has_levels().then_some(range);
        let size = [raster.width() as u32, raster.rows() as u32];
        let size = (size != self.size).then_some(size);
        let layer = Some(layer.to_owned());
        let (row_order, byte_order) = match format.side_file() {
            Some(_) => (options.rows, options.endian),
            None => Default::default(),
        };
        let name = name.to_owned();
        self.files.push(FileEntry { name, layer, levels, size, row_order, byte_order });
    }

    /// Adds a file that holds no layer: a picture, a mesh, a text.
    pub fn add_file(&mut self, name: &str) {
        let (row_order, byte_order) = Default::default();
        let (layer, levels, size) = Default::default();
        let name = name.to_owned();
        self.files.push(FileEntry { name, layer, levels, size, row_order, byte_order });
    }

    /// What the manifest, as a side-car, says about the file called `name`; nothing if it does not list it.
    pub fn scale_of(&self, name: &str) -> Option<Scale> {
        let file = self.files.iter().find(|file| file.name == name && file.layer.is_some())?;
        Some(Scale {
            size: file.size.or(Some(self.size)),
            spacing: Some(self.spacing),
            range: file.levels,
        })
    }

    /// The first file with all heights that can be read; the first tile where there are only tiles.
    pub fn heights(&self) -> Option<&FileEntry> {
        let is_read = |name: &str| {
            let extension = name.rsplit('.').next().unwrap_or_default();
            Format::from_extension(extension).is_some_and(Format::is_read)
        };
        let is_heights =
            |file: &&FileEntry| file.layer.as_deref() == Some("height") && is_read(&file.name);
        let all = || self.files.iter().filter(is_heights);
        all().find(|file| file.size.is_none()).or_else(|| all().next())
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("a struct of numbers and strings has a JSON form");
        text.push('\n');
        text
    }

    /// Reads the text of the file. Unknown keys are left aside: a later program may have added them.
    ///
    /// # Errors
    /// If it is not a manifest, or one of a later version.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let wrong = |error: serde_json::Error| Error::Manifest {
            found: error.to_string(),
            expected: "a landform.json".to_owned(),
        };
        let Version { version } = serde_json::from_slice(bytes).map_err(wrong)?;
        if version == 0 || version > VERSION {
            let (found, expected) = (format!("version {version}"), format!("1 … {VERSION}"));
            return Err(Error::Manifest { found, expected });
        }
        serde_json::from_slice(bytes).map_err(wrong)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_north_first(order: &RowOrder) -> bool {
    *order == RowOrder::NorthFirst
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_little(order: &Endian) -> bool {
    *order == Endian::Little
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_plane(topology: &Topology) -> bool {
    *topology == Topology::Plane
}

/// The smallest and the largest finite sample: JSON has no infinity.
pub(crate) fn finite_range(samples: &Grid) -> (f32, f32) {
    let (low, high) = samples.range();
    if low.is_finite() && high.is_finite() {
        return (low, high);
    }
    samples.map(|sample| if sample.is_finite() { *sample } else { f32::NAN }).range()
}

/// SHA-256 of samples as little-endian f32, row by row, in hexadecimal.
pub fn sha256(samples: &Grid) -> String {
    struct Hash(Sha256);
    impl std::io::Write for Hash {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hash(Sha256::new());
    crate::npy::write_f32(samples.samples(), &mut hash, f32::to_le_bytes)
        .expect("a hash takes every byte");
    hex(&hash.0.finalize())
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::{Lattice, Layer};

    fn terrain() -> Terrain {
        let lattice = Lattice { size: [8, 8], spacing: [2.0, 3.0] };
        let extent = lattice.window(1, 2, 3, 2).unwrap();
        let mut terrain =
            Terrain::new(extent, 5.0, Grid::from_fn(3, 2, |i, j| (i + 10 * j) as f32));
        terrain.insert(Layer::named("moss").unwrap(), Grid::filled(3, 2, 0.5));
        terrain
    }

    #[test]
    fn a_manifest_reads_back_and_is_a_side_car() {
        let terrain = terrain();
        let mut manifest = Manifest::of(&terrain, Some(u64::MAX));
        let options = WriteOptions { range: Some([0.0, 20.0]), ..WriteOptions::default() };
        let raster = Raster::height(&terrain);
        manifest.add_raster("height.r16", "height", &raster, Format::R16, &options);
        manifest.add_raster("height.npy", "height", &raster, Format::Npy, &options);
        manifest.add_file("map.png");
        let back = Manifest::from_json(manifest.to_json().as_bytes()).unwrap();
        assert_eq!(back, manifest);
        assert_eq!((back.min, back.max, back.origin), (0.0, 12.0, [1, 2]));
        let scale = back.scale_of("height.r16").unwrap();
        assert_eq!(scale.range, Some([0.0, 20.0]));
        assert_eq!((scale.size, scale.spacing), (Some([3, 2]), Some([2.0, 3.0])));
        assert_eq!(back.scale_of("height.npy").unwrap().range, None);
        assert_eq!(back.scale_of("map.png"), None);
    }

    #[test]
    fn a_planet_is_one_in_its_manifest() {
        let planet = terrain().with_topology(Topology::Sphere);
        let json = Manifest::of(&planet, None).to_json();
        assert!(json.contains("\"topology\": \"sphere\""), "{json}");
        assert_eq!(Manifest::from_json(json.as_bytes()).unwrap().topology, Topology::Sphere);
        assert!(!Manifest::of(&terrain(), None).to_json().contains("topology"));
    }

    #[test]
    fn the_hash_is_that_of_little_endian_floats() {
        // printf '\0\0\200\077' | sha256sum
        let one = sha256(&Grid::filled(1, 1, 1.0));
        assert_eq!(one, "e00e5eb9444182f352323374ef4e08ebcb784725fdd4fd612d7730540b3e0c8c");
    }

    #[test]
    fn infinite_samples_do_not_spoil_the_file() {
        let lattice = Lattice { size: [3, 1], spacing: [1.0; 2] };
        let heights = Grid::from_vec(3, 1, vec![f32::NEG_INFINITY, 4.0, f32::NAN]);
        let manifest = Manifest::of(&Terrain::new(lattice.whole(), 0.0, heights), None);
        assert_eq!((manifest.min, manifest.max), (4.0, 4.0));
        assert_eq!(Manifest::from_json(manifest.to_json().as_bytes()).unwrap(), manifest);
    }

    #[test]
    fn later_versions_and_other_json_are_refused() {
        let json = Manifest::of(&terrain(), None).to_json();
        let later = json.replace("\"version\": 1", "\"version\": 9, \"more\": {}");
        let error = Manifest::from_json(later.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("found version 9, expected 1 … 1"), "{error}");
        let more = json.replace("\"version\": 1", "\"version\": 1, \"more\": {}");
        assert!(Manifest::from_json(more.as_bytes()).is_ok());
        assert!(Manifest::from_json(b"{}").is_err());
        assert!(Manifest::from_json(b"").is_err());
    }
}
