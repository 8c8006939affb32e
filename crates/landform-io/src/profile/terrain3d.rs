//! Terrain3D for Godot: an RGB EXR in metres.
//!
//! The ground is regions, squares of 64 to 2048 samples, at most 32 × 32 around the origin: 16 to the east and to the south of it. An image
//! that ends within a region leaves the rest of it at height 0, and Terrain3D 1.0 replaces every region that an image touches. So sides are
//! multiples of the region size where the shape of the ground allows it, and tiles lie side by side without a shared border.
//!
//! There is one spacing for both axes. Godot reads PNG as 8 bits, so never that. Heights that are not a number become holes.
//!
//! `Terrain3DData.import_images` takes the position of the first sample in world units, divides it by the vertex spacing in single precision, and
//! rounds down: to a region in version 1.0, to a sample in later ones. So positions lie half a sample inside, where no rounding reaches the sample
//! before. The field "Import Position" of the importer is passed on as it is by version 1.0, and multiplied by the vertex spacing by later
//! ones. It takes whole numbers, so world units are rounded up. Source: Terrain3D documentation, "Importing & Exporting Data"; its `importer.gd` and
//! `terrain_3d_data.cpp`.

use super::script::{self, Template, materials, quoted, quoted_list, value};
use super::{Export, Job, Script, Shape, Target, TargetEntry, Tiles};
use crate::format::Channels;
use crate::splat::Packing;
use crate::{Format, WriteOptions};

/// What the table of targets says about it.
pub(super) static TARGET: TargetEntry = TargetEntry {
    name: "terrain3d",
    title: "Terrain3D for Godot",
    fit,
    tiles: Tiles { shares_border: false, ..Tiles::BY_COLUMN_AND_ROW },
    splat: Some((
        Packing::Control,
        "Control file: the same importer takes it; textures have the ids 0, 1, 2 … in the order above",
    )),
    has_levels: false,
    takes_print: false,
    script: Some(script),
    refuses,
    export: |job| Ok(export(job)),
};

/// Samples along a side of a region, the preferred first: 256 is Terrain3D's default.
const REGIONS: [u32; 6] = [256, 128, 64, 512, 1024, 2048];
const LARGEST_REGION: u32 = 2048;

/// Regions from the origin to the east and to the south. There are 16; one stays free, since a rounded position needs some room.
const HALF_MAP: u32 = 15;

/// The most tiles along a side.
const MOST_TILES: u32 = 2 * HALF_MAP + 1;

/// The largest relative difference between the spacings of the two axes.
const MOST_STRETCH: f64 = 0.01;

/// What the vertex spacing can be: Terrain3D takes the nearer end for what is beyond.
const VERTEX_SPACINGS: std::ops::RangeInclusive<f64> = 0.25..=100.0;

/// The largest number that the field "Import Position" takes.
const FARTHEST: f64 = 8192.0;

/// The most regions of this size along a side of the terrain. Only the largest are also put to the west and to the north of the origin.
fn most_regions(region: u32) -> u32 {
    if region == LARGEST_REGION { 2 * HALF_MAP + 1 } else { HALF_MAP }
}

fn has_room(tile: [u32; 2], tiles: [u32; 2], region: u32) -> bool {
    let most = u64::from(most_regions(region)) * u64::from(region);
    (0..2).all(|axis| u64::from(tile[axis]) * u64::from(tiles[axis]) <= most)
}

/// The size of regions for tiles of this size: they are whole regions if that can be.
fn region_size(tile: [u32; 2], tiles: [u32; 2]) -> u32 {
    let mut with_room = REGIONS.into_iter().filter(|&region| has_room(tile, tiles, region));
    let is_whole = |&region: &u32| tile.iter().all(|side| side.is_multiple_of(region));
    with_room.clone().find(is_whole).or_else(|| with_room.next()).unwrap_or(LARGEST_REGION)
}

fn fit(wanted: [u32; 2], tiles: [u32; 2]) -> [u32; 2] {
    let largest = most_regions(LARGEST_REGION) * LARGEST_REGION;
    let wanted = [0, 1].map(|axis| wanted[axis].clamp(1, (largest / tiles[axis]).max(1)));
    let is_whole = |region: u32| wanted.iter().all(|side| side.is_multiple_of(region));
    if is_whole(region_size(wanted, tiles)) {
        return wanted;
    }
    let smallest = wanted[0].min(wanted[1]);
    let regions = REGIONS.into_iter().filter(|&region| region == 64 || region <= smallest);
    let rounded = regions.map(|region| {
        let tile = wanted.map(|side| ((side + region / 2) / region).max(1) * region);
        (tile, region)
    });
    // The ground stays the same, so sides that are rounded differently have different spacings.
    let is_in_shape = |tile: [u32; 2]| {
        let [x, z] = [0, 1].map(|axis| {
            let cells = |side: u32| f64::from((side * tiles[axis]).max(2) - 1);
            cells(tile[axis]) / cells(wanted[axis])
        });
        (x / z - 1.0).abs() <= MOST_STRETCH
    };
    let found = rounded
        .into_iter()
        .find(|&(tile, region)| has_room(tile, tiles, region) && is_in_shape(tile));
    found.map_or(wanted, |(tile, _)| tile)
}

fn refuses(shape: &Shape<'_>) -> Option<String> {
    let Shape { spacing: [dx, dz], tiles, .. } = *shape;
    if tiles.iter().any(|&count| count > MOST_TILES) {
        let [columns, rows] = tiles;
        return Some(format!(
            "{columns}x{rows} tiles are more than {MOST_TILES}x{MOST_TILES}: each is a region at the least, and a map has 32 of them along a side"
        ));
    }
    (stretch([dx, dz]) > MOST_STRETCH).then(|| {
        format!(
            "it has one vertex spacing, but samples are {dx} × {dz} m apart: take a size with the proportions of the ground"
        )
    })
}

/// The relative difference between the spacings of the two axes.
fn stretch([dx, dz]: [f64; 2]) -> f64 {
    (dx / dz).max(dz / dx) - 1.0
}

fn export(job: &Job<'_>) -> Export {
    let target = Target::Terrain3d;
    let [dx, dz] = job.spacing();
    let stretch = stretch([dx, dz]);
    let spacing = if dx == dz { dx } else { (dx * dz).sqrt() };
    let tile = job.size();
    let region = region_size(tile, job.tiles);
    let mut export = Export::new(target);
    let options = WriteOptions { channels: Channels::Rgb, ..WriteOptions::default() };
    export.file(".exr", Format::Exr, options);
    export.number("Region Size", region);
    export.number("Vertex Spacing", spacing);
    export.number("Import Scale", 1);
    export.number("Height Offset", 0);
    export.number("Height range", format!("{} … {} m", job.range[0], job.range[1]));
    let first = first_sample(tile, job.tile.unwrap_or_default(), job.tiles, region);
    let within = |share: f64| {
        let inside = |sample: f64| if sample == 0.0 { 0.0 } else { sample + share };
        first.map(|sample| inside(sample) * spacing)
    };
    let pair = |[x, z]: [f64; 2]| format!("{x} {z}");
    let rounded = within(0.125).map(|metres| metres.ceil() + 0.0);
    export.number("Import Position (Terrain3D 1.0)", pair(rounded));
    export.number("Import Position (later)", pair(first));
    let in_world = within(0.5);
    export.number("import_images position", pair(in_world));
    export
        .step("Open the scene addons/terrain_3d/tools/importer.tscn and select Terrain3DImporter");
    export.step("Set the region size and vertex spacing, then the height file and run the import");
    export.step(
        "Import Position is in world units in Terrain3D 1.0, and counts samples in later versions",
    );
    let most =
        first.into_iter().chain(in_world).fold(0.0, |most: f64, place| most.max(place.abs()));
    if most > FARTHEST {
        export.warnings.push(format!(
            "Import Position takes {FARTHEST} at most: where a tile lies farther out, run import_terrain3d.gd, which has no such limit"
        ));
    }
    if first.into_iter().any(|sample| is_lost(sample, spacing)) {
        export.warnings.push(
            "Import Position (later) of some tiles is rounded to the sample before theirs: run import_terrain3d.gd, which is safe from that".to_owned(),
        );
    }
    if !VERTEX_SPACINGS.contains(&spacing) {
        export.warnings.push(format!(
            "samples are {spacing} m apart, but Terrain3D has a vertex spacing of 0.25 m to 100 m: take another size, or another extent of the ground"
        ));
    }
    if stretch > 0.0 {
        export.warnings.push(format!(
            "samples are {dx} × {dz} m apart and Terrain3D has one spacing: the ground is stretched by {:.2} %",
            100.0 * stretch
        ));
    }
    if !tile.iter().all(|side| side.is_multiple_of(region)) {
        export.warnings.push(format!(
            "{} × {} samples are not whole regions of {region}: Terrain3D fills the last ones with height 0",
            tile[0], tile[1]
        ));
    }
    export
}

/// Whether the importer of later versions comes to another sample: it multiplies by the spacing, and `import_images` divides in single
/// precision and rounds down.
fn is_lost(sample: f64, spacing: f64) -> bool {
    let spacing = spacing as f32;
    let place = (sample * f64::from(spacing)) as f32;
    f64::from((place / spacing).floor()) != sample
}

fn script(name: &str, tiles: &[Export]) -> Script {
    let first = &tiles[0];
    // A number without a point is an integer in GDScript.
    let float = |text: &str| if text.contains('.') { text.to_owned() } else { format!("{text}.0") };
    let tile = |export: &Export| {
        let position = value(export, "import_images position");
        let (x, z) = position.split_once(' ').expect("it was written as two numbers");
        let entry = |key: &str, value: String| format!("\t\t\"{key}\": {value},\n");
        let control = export.splat.first().map(|file| entry("control", quoted(&file.name)));
        format!(
            "\t{{\n{}{}{}\t}},\n",
            entry("heights", quoted(script::heights(export))),
            control.unwrap_or_default(),
            entry("position", format!("Vector3({}, 0.0, {})", float(x), float(z)))
        )
    };
    let lines: String = tiles.iter().map(tile).collect();
    Template::new(include_str!("script/terrain3d.gd"), name)
        .with("REGION", value(first, "Region Size"))
        .with("SPACING", &float(value(first, "Vertex Spacing")))
        .with("MATERIALS", &quoted_list(materials(first)))
        .with("TILES", lines.trim_end())
        .script(
            "import_terrain3d.gd",
            "Or let the script do it: copy this folder into the project, open import_terrain3d.gd in the script editor and choose File, Run",
        )
}

/// Where the first sample of a tile lies, counted in samples from the origin. The terrain begins there unless it is too long for that.
fn first_sample(tile: [u32; 2], place: [u32; 2], tiles: [u32; 2], region: u32) -> [f64; 2] {
    [0, 1].map(|axis| {
        let regions = (tile[axis] * tiles[axis]).div_ceil(region);
        let west = regions.saturating_sub(HALF_MAP) * region;
        f64::from(place[axis] * tile[axis]) - f64::from(west)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_whole_regions_where_the_shape_allows_it() {
        for (wanted, tiles, fitting, region) in [
            ([513, 513], [1, 1], [512, 512], 256),
            ([1025, 513], [1, 1], [1024, 512], 256),
            ([100, 100], [1, 1], [128, 128], 128),
            ([257, 257], [2, 2], [256, 256], 256),
            // 15 regions of 256 are 3840 samples.
            ([4097, 4097], [1, 1], [4096, 4096], 512),
            ([1300, 1300], [8, 8], [1024, 1024], 1024),
            ([100_000, 100_000], [1, 1], [63_488, 63_488], 2048),
            // No multiples have this shape.
            ([700, 500], [1, 1], [700, 500], 256),
        ] {
            assert_eq!(fit(wanted, tiles), fitting, "{wanted:?}");
            assert_eq!(fit(fitting, tiles), fitting, "{wanted:?}");
            assert_eq!(region_size(fitting, tiles), region, "{wanted:?}");
        }
    }

    #[test]
    fn a_terrain_ends_within_the_32_regions_around_the_origin() {
        assert_eq!(first_sample([512, 512], [1, 0], [2, 2], 256), [512.0, 0.0]);
        let side = 31 * 2048;
        let [west, _] = first_sample([side; 2], [0, 0], [1, 1], 2048);
        assert_eq!(west, -16.0 * 2048.0);
        assert!(west + f64::from(side) <= 16.0 * 2048.0);
    }
}
