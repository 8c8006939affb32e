//! Files of all formats and odd sizes, for the checks in `tests/external`: `samples FOLDER`.
//!
//! Arrays of `make_npy.py` in the folder are read.

use std::path::Path;

use landform::{Grid, Lattice, Layer, Seed, Terrain};
use landform_io::{
    Error, Format, Manifest, Raster, ReadOptions, Simplify, WriteOptions, atomic, manifest, read,
};

fn ground(size: [u32; 2]) -> Terrain {
    let seed = Seed::new(5);
    let lattice = Lattice { size, spacing: [2.0, if size[0] == 300 { 3.0 } else { 2.0 }] };
    let heights = Grid::from_fn(size[0] as usize, size[1] as usize, |i, j| {
        let hill = (i as f32 - 20.0) * (j as f32 - 9.0) * 0.02;
        hill + seed.uniform_at(i as i64, j as i64) as f32 - 40.0
    });
    let moss = heights.map(|height| height * 0.5);
    let mut terrain = Terrain::new(lattice.whole(), 0.0, heights);
    terrain.insert(Layer::named("moss").expect("moss is a name"), moss);
    terrain
}

fn write(folder: &Path, terrain: &Terrain, prefix: &str) -> Result<(), Error> {
    let colours = terrain.height().map(|height| [*height as u8, 128, 40]);
    let options = WriteOptions { colours: Some(&colours), ..WriteOptions::default() };
    let mut listed = Manifest::of(terrain, Some(5));
    for (layer, samples) in terrain.layers() {
        let raster = Raster::new(samples, layer, terrain.extent());
        for format in Format::all() {
            if *layer != Layer::Height && format != Format::Npy {
                continue;
            }
            // The name of an HGT says where it lies.
            let stem = if format == Format::Hgt { "N51E010" } else { &format!("{prefix}{layer}") };
            let name = format!("{stem}.{}", format.extension());
            match atomic::write(&folder.join(&name), |out| format.write(&raster, out, &options)) {
                // HGT has two sizes only, solids need two rows, ASC wants square cells.
                Err(Error::Unfit { .. }) => continue,
                outcome => outcome?,
            }
            listed.add_raster(&name, layer.name(), &raster, format, &options);
        }
    }
    let simplify = Some(Simplify { error: 2.0, keeps_border: false });
    let fewer = WriteOptions { simplify, ..WriteOptions::default() };
    for (name, options) in [("bare", WriteOptions::default()), ("fewer", fewer)] {
        atomic::write(&folder.join(format!("{prefix}{name}.glb")), |out| {
            Format::Glb.write(&Raster::height(terrain), out, &options)
        })?;
    }
    if prefix.is_empty() {
        atomic::write(&folder.join(manifest::FILE_NAME), |out| {
            out.write_all(listed.to_json().as_bytes())
        })?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: samples FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    write(folder, &ground([300, 170]), "")?;
    atomic::write(&folder.join("N51E010.npy"), |out| {
        landform_io::npy::write(ground([1201, 1201]).height(), out)
    })?;
    for size in [[1, 1], [1, 9], [9, 1], [2, 2], [1025, 513], [1201, 1201]] {
        write(folder, &ground(size), &format!("{}x{}_", size[0], size[1]))?;
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("numpy_") {
            continue;
        }
        let heights = read(&std::fs::read(&path)?, Format::Npy, &ReadOptions::default())?.heights;
        let wrap = if name.contains("_u1_") { 256 } else { usize::MAX };
        let expected = Grid::from_fn(5, 3, |i, j| ((100 * j + i) % wrap) as f32);
        if heights != expected {
            return Err(format!("{name} was read as {heights:?}").into());
        }
    }
    Ok(())
}
