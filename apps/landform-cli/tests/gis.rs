//! Files for geographic systems, through the real program: they lie where the input says, and their polygons are sound.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use landform::{Crs, Georeference, Grid};
use landform_io::{Format, Heightmap, Raster, ReadOptions, WriteOptions, hgt, read};
use serde_json::Value;
use shared::{Folder, SMALL};

/// Rough ground of 60 × 40 samples, 30 m apart, with a lake in a bowl.
fn grid() -> Grid {
    Grid::from_fn(60, 40, |i, j| {
        let (x, z) = (i as f32 - 30.0, j as f32 - 20.0);
        (0.3 * (x * x + z * z)).min(60.0 + x) + ((i * 7 + j * 13) % 5) as f32
    })
}

fn utm() -> Georeference {
    Georeference::metres(Crs::Projected(32632), [500_100.0, 5_400_200.0])
}

/// Writes an elevation model as a GeoTIFF.
fn dem(folder: &Folder, name: &str, place: &Georeference, spacing: [f64; 2]) {
    let samples = grid();
    let raster = Raster { samples: &samples, spacing, origin: [0.0; 2], unit: "m" };
    let options = WriteOptions { place: Some(place), ..WriteOptions::default() };
    let mut bytes = Vec::new();
    Format::Tiff.write(&raster, &mut bytes, &options).unwrap();
    std::fs::write(folder.path(name), bytes).unwrap();
}

fn tiff(folder: &Folder, name: &str) -> Heightmap {
    read(&folder.read(name), Format::Tiff, &ReadOptions::default()).unwrap()
}

fn geojson(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

/// All positions of a collection.
fn positions(value: &Value, out: &mut Vec<[f64; 2]>) {
    match value.as_array().map(Vec::as_slice) {
        Some([east, north, ..]) if east.is_number() => {
            out.push([east.as_f64().unwrap(), north.as_f64().unwrap()]);
        }
        Some(list) => list.iter().for_each(|part| positions(part, out)),
        None => {}
    }
}

fn all_positions(collection: &Value) -> Vec<[f64; 2]> {
    let mut out = Vec::new();
    for feature in collection["features"].as_array().unwrap() {
        positions(&feature["geometry"]["coordinates"], &mut out);
    }
    out
}

fn near(a: [f64; 2], b: [f64; 2], tolerance: f64) -> bool {
    (a[0] - b[0]).abs() <= tolerance && (a[1] - b[1]).abs() <= tolerance
}

#[test]
fn the_place_of_a_geotiff_survives_every_way_through_the_program() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0; 2]);
    folder.ok(&["build", "dem.tif", "-o", "same.tif", "-o", "other/"]);
    folder.ok(&["build", "dem.tif", "--size", "119x79", "-o", "fine.tif"]);
    folder.ok(&["build", "dem.tif", "--tile", "10,5,20,20", "-o", "tile.tif"]);
    folder.ok(&["build", "dem.tif", "--tiles", "2x1", "-o", "parts.tif"]);
    folder.ok(&["build", "dem.tif", "-o", "store.zarr", "--chunk", "16", "--shard", "16"]);
    folder.ok(&["build", "store.zarr", "-o", "cog.tif"]);
    folder.ok(&["build", "store.zarr", "--tile", "10,5,20,20", "-o", "window.tif"]);
    folder.ok(&["build", "other/", "-o", "bundle.tif"]);
    folder.ok(&["build", "other/height.png", "-o", "picture.tif"]);
    folder.ok(&["build", "dem.tif", "-o", "raw.r16"]);
    folder.ok(&["build", "raw.r16", "-o", "raw.tif"]);
    folder.ok(&["build", "dem.tif", "--for", "gis", "-o", "gis/"]);
    let first = [500_100.0, 5_400_200.0];
    let inner = [500_100.0 + 300.0, 5_400_200.0 - 150.0];
    for (name, origin, spacing) in [
        ("same.tif", first, 30.0),
        ("fine.tif", first, 15.0),
        ("tile.tif", inner, 30.0),
        ("parts_x0_y0.tif", first, 30.0),
        ("parts_x1_y0.tif", [500_100.0 + 900.0, first[1]], 30.0),
        ("cog.tif", first, 30.0),
        ("window.tif", inner, 30.0),
        ("bundle.tif", first, 30.0),
        ("picture.tif", first, 30.0),
        ("raw.tif", first, 30.0),
        ("gis/dem.tif", first, 30.0),
    ] {
        let found = tiff(&folder, name);
        let expected = Georeference::metres(Crs::Projected(32632), origin);
        assert_eq!((found.place, found.spacing), (Some(expected), [spacing; 2]), "{name}");
    }
}

#[test]
fn a_recipe_lies_where_its_heightmap_does_unless_it_has_other_ground() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0; 2]);
    let recipe = "version = 1\nsize = [60, 40]\nspacing = [30, 30]\n[[stage]]\nkind = \"heightmap\"\nfile = \"dem.tif\"\n\
                  [[stage]]\nkind = \"noise\"\namplitude = 5\n";
    folder.write("mine.toml", recipe);
    folder.write("wide.toml", &recipe.replace("[30, 30]", "[90, 90]"));
    folder.ok(&["sweep", "mine.toml", "-q", "--seeds", "1..2", "-o", "{seed}.tif"]);
    assert_eq!(tiff(&folder, "2.tif").place, Some(utm()));
    folder.ok(&["build", "mine.toml", "-o", "mine.tif", "--size", "237x157"]);
    assert_eq!(tiff(&folder, "mine.tif").place, Some(utm()));
    let output = folder.landform(&["build", "wide.toml", "-o", "wide.tif"]).output().unwrap();
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("dem.tif tells is dropped: it is that of 1770.0 × 1170.0 m"), "{talk}");
    assert_eq!(tiff(&folder, "wide.tif").place, None);
    let scaled = ["build", "dem.tif", "--extent", "3540mx2340m", "-o", "scaled.tif"];
    let talk = String::from_utf8(folder.landform(&scaled).output().unwrap().stderr).unwrap();
    assert!(talk.contains("1770.0 × 1170.0 m of ground, and the terrain has 3540.0 ×"), "{talk}");
}

#[test]
fn inspect_and_reports_tell_where_the_ground_lies() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0; 2]);
    folder.ok(&["build", "dem.tif", "-q", "-o", "dem/", "-o", "dem.zarr"]);
    let whole = serde_json::json!({
        "system": "EPSG:32632", "first": [500_100.0, 5_400_200.0], "last": [501_870.0, 5_399_030.0]
    });
    for input in ["dem.tif", "dem", "dem.zarr"] {
        let text = folder.ok(&["inspect", input, "-q", "--json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["place"], whole, "{input}");
        let text = folder.ok(&["inspect", input, "-q"]);
        let line =
            "  place     EPSG:32632, first sample at 500100, 5400200, last at 501870, 5399030\n";
        assert!(text.contains(line), "{input}: {text}");
    }
    let tile = ["build", "dem.tif", "-q", "--json", "--tile", "10,5,20,20", "-o", "tile.tif"];
    let report: Value = serde_json::from_str(&folder.ok(&tile)).unwrap();
    assert_eq!(report["place"]["first"], serde_json::json!([500_400.0, 5_400_050.0]));
    assert_eq!(report["place"]["last"], serde_json::json!([500_970.0, 5_399_480.0]));
    let nowhere: Value =
        serde_json::from_str(&folder.ok(&["inspect", "small.toml", "--json"])).unwrap();
    assert!(nowhere["place"].is_null());
}

#[test]
fn degrees_feet_turned_maps_and_systems_without_a_code_come_out_as_they_came_in() {
    let folder = Folder::new();
    let step = 1.0 / 3600.0;
    let spacing = hgt::spacing_at(47.0 - 20.0 * step, 3601);
    let degrees = Georeference {
        crs: Crs::Geographic(4326),
        origin: [10.0, 47.0],
        x_axis: [step / spacing[0], 0.0],
        z_axis: [0.0, -step / spacing[1]],
    };
    let turned = Georeference { x_axis: [0.8, 0.6], z_axis: [0.6, -0.8], ..utm() };
    for (name, place, spacing) in [("d", &degrees, spacing), ("t", &turned, [30.0; 2])] {
        dem(&folder, &format!("{name}.tif"), place, spacing);
        folder.ok(&["build", &format!("{name}.tif"), "-o", &format!("{name}2.tif")]);
        let (before, after) =
            (tiff(&folder, &format!("{name}.tif")), tiff(&folder, &format!("{name}2.tif")));
        let (a, b) = (before.place.unwrap(), after.place.unwrap());
        assert_eq!((&a.crs, a.origin), (&b.crs, b.origin), "{name}");
        let corner = [59.0 * spacing[0], 39.0 * spacing[1]];
        assert!(near(a.of_place(corner), b.of_place(corner), 1e-9), "{name}");
    }
}

#[test]
fn contours_lie_under_the_raster_in_degrees_and_in_the_system_of_the_input() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0; 2]);
    folder.ok(&["build", "dem.tif", "-o", "contours=lines.geojson", "-o", "contours=lines.fgb"]);
    // By PROJ: the corners of the map.
    let ([west, north], [east, south]) = ([9.001_360_5, 48.754_812_2], [9.025_436_6, 48.744_284_1]);
    let found = all_positions(&geojson(&folder, "lines.geojson"));
    assert!(found.len() > 100);
    for [longitude, latitude] in found {
        assert!(longitude > west - 1e-5 && longitude < east + 1e-5, "{longitude}");
        assert!(latitude > south - 1e-5 && latitude < north + 1e-5, "{latitude}");
    }
    let layer = folder.read("lines.fgb");
    assert!(layer.starts_with(b"fgb\x03fgb") && layer.windows(4).any(|four| four == b"EPSG"));
    // A system that is not known by its law keeps its coordinates, and says what to do about degrees.
    folder.ok(&["build", "dem.tif", "--epsg", "5514", "-o", "contours=lines.fgb"]);
    let talk =
        folder.fails(1, &["build", "dem.tif", "--epsg", "5514", "-o", "contours=lines.geojson"]);
    assert!(talk.contains("EPSG:5514") && talk.contains(".fgb"), "{talk}");
}

#[test]
fn maps_for_browsers_show_the_ground_where_it_is() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0; 2]);
    folder.ok(&["build", "dem.tif", "-q", "-o", "map.tiles", "-o", "map.pmtiles"]);
    let described: Value = serde_json::from_slice(&folder.read("map.tiles/tiles.json")).unwrap();
    let bounds: Vec<f64> =
        described["bounds"].as_array().unwrap().iter().map(|side| side.as_f64().unwrap()).collect();
    // By PROJ: the corners of the map, of which the north-western lies farther in the west, and the south-eastern in the south.
    for (found, expected) in bounds.iter().zip([9.001_36, 48.744_28, 9.025_44, 48.754_82]) {
        assert!((found - expected).abs() < 1e-4, "{bounds:?}");
    }
    let archive = folder.read("map.pmtiles");
    let degrees =
        |at: usize| f64::from(i32::from_le_bytes(archive[at..at + 4].try_into().unwrap())) / 1e7;
    for (at, side) in [102, 106, 110, 114].into_iter().zip(&bounds) {
        assert!((degrees(at) - side).abs() < 1e-6, "{at}");
    }
    // A system that is not known by its law.
    let build = ["build", "dem.tif", "--epsg", "5514", "-o", "other.pmtiles"];
    let talk = String::from_utf8(folder.landform(&build).output().unwrap().stderr).unwrap();
    assert!(talk.contains("warning: other.pmtiles: EPSG:5514 cannot be turned into"), "{talk}");
}

#[test]
fn objects_of_a_bundle_that_lies_somewhere_read_back_to_where_they_were() {
    let folder = Folder::new();
    let recipe = SMALL.replace("[65, 33]", "[129, 129]").replace("[10, 20]", "[15, 15]")
        + "\n[[stage]]\nkind = \"drainage\"\nsource = 0.0005\nlake_depth = 0.5\nlake_area = 1000\n";
    folder.write("wet.toml", &recipe);
    folder.ok(&["build", "wet.toml", "--epsg", "32632", "--place", "500000,5400000", "-o", "wet/"]);
    let placed = geojson(&folder, "wet/features.geojson");
    let rivers: Vec<&Value> = placed["features"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|feature| feature["properties"]["kind"] == "river")
        .collect();
    assert!(!rivers.is_empty());
    for river in rivers {
        let of = &river["properties"];
        let orders = of["orders"].as_array().unwrap();
        let points = river["geometry"]["coordinates"].as_array().unwrap();
        assert!(of["order"].as_f64().unwrap() >= 1.0 && orders.len() == points.len());
    }
    for [longitude, latitude] in all_positions(&placed) {
        assert!((8.9..9.1).contains(&longitude) && (48.7..48.8).contains(&latitude));
    }
}

#[test]
fn a_planet_is_in_degrees_in_every_format() {
    let folder = Folder::new();
    let planet = "version = 1\nsize = [73, 37]\nspacing = [556000, 556000]\ntopology = \"sphere\"\n[[stage]]\nkind = \"plates\"\nsteps = 2\n";
    folder.write("planet.toml", planet);
    folder.ok(&[
        "build",
        "planet.toml",
        "-o",
        "p.tif",
        "-o",
        "p.csv",
        "-o",
        "p.asc",
        "-o",
        "p.fgb",
    ]);
    let place = tiff(&folder, "p.tif").place.unwrap();
    assert_eq!((place.crs, place.origin), (Crs::Geographic(4326), [-180.0, 90.0]));
    let table = folder.text("p.csv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("peak,longitude,latitude,height,radius"));
    let first: Vec<f64> =
        lines.next().unwrap().rsplit(',').take(4).map(|cell| cell.parse().unwrap()).collect();
    assert!(first[3].abs() <= 180.0 && first[2].abs() <= 90.0, "{first:?}");
    assert!(folder.text("p.asc").contains("xllcenter -180\nyllcenter -90\ncellsize 5\n"));
    folder.ok(&["build", "planet.toml", "-o", "p.zarr"]);
    folder.ok(&["build", "p.zarr", "-o", "cog.tif"]);
    assert_eq!(tiff(&folder, "cog.tif").place.unwrap().origin, [-180.0, 90.0]);
}

#[test]
fn a_tile_of_a_planet_has_the_name_of_its_corner() {
    let folder = Folder::new();
    folder.write(
        "planet.toml",
        "version = 1\nsize = [73, 37]\nspacing = [556000, 556000]\ntopology = \"sphere\"\n[[stage]]\nkind = \"noise\"\nwavelength = 1e6\n",
    );
    let window = ["--size", "432001x216001", "--tile", "228000,45600,1201,1201"];
    let build = |name: &'static str| [&["build", "planet.toml", "-o", name], &window[..]].concat();
    let talk =
        folder.fails(1, &["build", "planet.toml", "-o", "N51E010.hgt", "--size", "1201x1201"]);
    assert!(talk.contains("432001 × 216001 samples, and take the window 228000,45600"), "{talk}");
    let talk = folder.fails(1, &build("N50E010.hgt"));
    assert!(talk.contains("is the tile N51E010.hgt"), "{talk}");
    folder.ok(&build("N51E010.hgt"));
    folder.ok(&["build", "N51E010.hgt", "-o", "back.tif"]);
    let back = tiff(&folder, "back.tif").place.unwrap();
    assert_eq!((back.crs, back.origin), (Crs::Geographic(4326), [10.0, 52.0]));
}

#[test]
fn inspect_tells_hortons_table() {
    let folder = Folder::new();
    folder.write("hills.toml", "version = 1\nsize = [129, 129]\nspacing = [30, 30]\n[[stage]]\nkind = \"noise\"\nwavelength = 2000\namplitude = 300\n");
    let report: Value =
        serde_json::from_str(&folder.ok(&["inspect", "hills.toml", "--json"])).unwrap();
    let table = report["drainage"]["stream_orders"].as_array().unwrap();
    assert!(table.len() > 1, "{table:?}");
    let numbers: Vec<u64> = table.iter().map(|row| row["streams"].as_u64().unwrap()).collect();
    assert!(numbers[0] > numbers[1] && numbers[1] > 0, "{numbers:?}");
    for row in table {
        for key in ["mean_length", "mean_area", "mean_slope"] {
            assert!(row[key].as_f64().unwrap() > 0.0, "{key} of {row}");
        }
    }
    let text = folder.ok(&["inspect", "hills.toml"]);
    assert!(text.contains("mean slope (Horton)"), "{text}");
}

#[test]
fn an_export_for_gis_has_all_layers_and_objects() {
    let folder = Folder::new();
    let recipe = SMALL.replace("[65, 33]", "[129, 129]").replace("[10, 20]", "[15, 15]")
        + "\n[[stage]]\nkind = \"drainage\"\nsource = 0.0005\n";
    folder.write("wet.toml", &recipe);
    let place = ["--epsg", "25832", "--place", "500000,5400000"];
    folder.ok(&[&["build", "wet.toml", "--for", "gis", "-o", "gis/"], &place[..]].concat());
    for name in [
        "wet.tif",
        "wet_flow.tif",
        "wet_lake.tif",
        "wet_rivers.fgb",
        "wet_contours.fgb",
        "wet_catchments.fgb",
        "wet_subcatchments.fgb",
        "wet.geojson",
    ] {
        assert!(
            folder.path("gis").join(name).exists(),
            "{name}: {:?}",
            shared::names(&folder.path("gis"))
        );
    }
    assert_eq!(tiff(&folder, "gis/wet_flow.tif").place.unwrap().crs, Crs::Projected(25832));
    assert!(folder.text("gis/import-gis.txt").contains("EPSG:25832"));
}

/// The number of a property, summed over the features for which `keeps` says so.
fn sum(collection: &Value, key: &str, keeps: impl Fn(&Value) -> bool) -> f64 {
    let features = collection["features"].as_array().unwrap().iter();
    let properties = features.map(|feature| &feature["properties"]);
    properties.filter(|p| keeps(p)).map(|p| p[key].as_f64().unwrap()).sum()
}

#[test]
fn catchments_are_those_of_the_streams_and_lie_where_the_ground_does() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0, 30.0]);
    let recipe = "version = 1\nsize = [60, 40]\nspacing = [30, 30]\n[[stage]]\nkind = \"heightmap\"\nfile = \"dem.tif\"\n\
        [[stage]]\nkind = \"drainage\"\nsource = 0.0005\n";
    folder.write("wet.toml", recipe);
    let streams = ["-o", "subcatchments=streams.geojson", "-o", "subcatchments=streams.fgb"];
    let build = ["build", "wet.toml", "-o", "catchments=mouths.geojson", "-o", "river.geojson"];
    folder.ok(&[&build[..], &streams].concat());
    let [mouths, parts] =
        ["mouths", "streams"].map(|name| geojson(&folder, &format!("{name}.geojson")));
    // As many of each order, which drain as much, as Horton's table tells.
    let report: Value =
        serde_json::from_str(&folder.ok(&["inspect", "wet.toml", "--json"])).unwrap();
    let table = report["drainage"]["stream_orders"].as_array().unwrap();
    for row in table {
        let is_of_order = |p: &Value| p["order"] == row["order"];
        let all = parts["features"].as_array().unwrap().iter();
        let count = all.filter(|feature| is_of_order(&feature["properties"])).count();
        assert_eq!(row["streams"], count, "{row}");
        let drained = row["mean_area"].as_f64().unwrap() * count as f64;
        assert!((sum(&parts, "drained", is_of_order) - drained).abs() < 1.0, "{row}");
    }
    assert!(!table.is_empty());
    // The parts of each are the whole.
    for whole in mouths["features"].as_array().unwrap() {
        let whole = &whole["properties"];
        let inside = sum(&parts, "area", |part| part["within"] == whole["name"]);
        assert!((inside - whole["area"].as_f64().unwrap()).abs() < 1.0, "{whole}");
    }
    // The largest has the river, and all of it lies on the ground.
    let largest = &mouths["features"][0];
    let rivers = geojson(&folder, "river.geojson");
    assert_eq!(largest["properties"]["river"], rivers["features"][0]["properties"]["name"]);
    assert_eq!(largest["geometry"]["type"], "MultiPolygon");
    for [east, north] in all_positions(&mouths) {
        assert!((9.0..9.03).contains(&east) && (48.73..48.77).contains(&north), "{east} {north}");
    }
    assert!(folder.read("streams.fgb").starts_with(b"fgb\x03"));
}

#[test]
fn what_cannot_become_degrees_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0, 30.0]);
    for out in ["a.geojson", "contours=a.geojson", "catchments=a.geojson"] {
        let build = ["build", "dem.tif", "--epsg", "2263", "-o", "a.tif", "-o", out];
        let talk = folder.fails(1, &build);
        assert!(talk.contains("EPSG:2263") && talk.contains("write .fgb"), "{talk}");
        assert!(!folder.path("a.tif").exists());
    }
    let talk = folder.fails(2, &["build", "world", "-o", "catchments=a.fgb"]);
    assert!(talk.contains("catchments are found on flat ground"), "{talk}");
    let talk = folder.fails(2, &["build", "dem.tif", "-o", "catchments=a.png"]);
    assert!(talk.contains("expected a file that ends in .geojson or .fgb"), "{talk}");
}

/// What FlatBuffers calls a table: the place of a field by its number.
fn field(bytes: &[u8], table: usize, number: usize) -> Option<usize> {
    let list = table - u32_at(bytes, table);
    let [size, offset] = [list, list + 4 + 2 * number].map(|at| u16_at(bytes, at));
    (4 + 2 * number < size && offset > 0).then(|| table + offset)
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()).into()
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Where a field leads to.
fn child(bytes: &[u8], table: usize, number: usize) -> usize {
    let at = field(bytes, table, number).unwrap();
    at + u32_at(bytes, at)
}

/// The objects of a FlatGeobuf as texts by the names of columns, and whether the layer has heights.
fn flatgeobuf(bytes: &[u8]) -> (Vec<Vec<(String, String)>>, bool) {
    let text =
        |at: usize| String::from_utf8(bytes[at + 4..at + 4 + u32_at(bytes, at)].into()).unwrap();
    let header = 12 + u32_at(bytes, 12);
    let has_heights = field(bytes, header, 3).is_some_and(|at| bytes[at] == 1);
    let list = child(bytes, header, 7);
    let columns: Vec<(String, u8)> = (0..u32_at(bytes, list))
        .map(|k| list + 4 + 4 * k)
        .map(|at| at + u32_at(bytes, at))
        .map(|column| (text(child(bytes, column, 0)), bytes[field(bytes, column, 1).unwrap()]))
        .collect();
    let mut objects = Vec::new();
    let mut at = 12 + u32_at(bytes, 8);
    while at < bytes.len() {
        let feature = at + 4 + u32_at(bytes, at + 4);
        let list = child(bytes, feature, 1);
        let (mut next, end) = (list + 4, list + 4 + u32_at(bytes, list));
        let mut object = Vec::new();
        while next < end {
            let (name, kind) = &columns[u16_at(bytes, next)];
            next += 2;
            // 10 is a number, 11 a text and 12 JSON.
            let value = match kind {
                10 => f64::from_le_bytes(bytes[next..next + 8].try_into().unwrap()).to_string(),
                _ => text(next),
            };
            next += if *kind == 10 { 8 } else { 4 + value.len() };
            object.push((name.clone(), value));
        }
        assert_eq!(next, end, "{object:?}");
        objects.push(object);
        at += 4 + u32_at(bytes, at);
    }
    (objects, has_heights)
}

#[test]
fn rivers_lakes_and_places_are_one_layer_that_every_reader_knows() {
    let folder = Folder::new();
    dem(&folder, "dem.tif", &utm(), [30.0, 30.0]);
    let recipe = "version = 1\nsea_level = -100\nsize = [60, 40]\nspacing = [30, 30]\n[[stage]]\nkind = \"heightmap\"\nfile = \"dem.tif\"\n\
        [[stage]]\nkind = \"drainage\"\nsource = 0.0005\nlake_area = 900\n\
        [[stage]]\nkind = \"flatten\"\npads = [{ name = \"town\", x = 1500, z = 300, radius = 60 }]\n";
    folder.write("wet.toml", recipe);
    folder.ok(&["build", "wet.toml", "-o", "all.fgb", "-o", "all.geojson"]);
    let (objects, has_heights) = flatgeobuf(&folder.read("all.fgb"));
    let expected = geojson(&folder, "all.geojson");
    let expected = expected["features"].as_array().unwrap();
    assert_eq!(objects.len(), expected.len());
    let mut kinds = std::collections::BTreeSet::new();
    for (object, feature) in objects.iter().zip(expected) {
        let value =
            |key: &str| object.iter().find(|(name, _)| name == key).map(|(_, value)| &**value);
        let told = &feature["properties"];
        kinds.insert(told["kind"].as_str().unwrap());
        assert_eq!(value("kind"), told["kind"].as_str());
        // The depth of a lake is a number and that of a river a list.
        for key in ["depth", "levels", "width"].iter().filter(|key| !told[**key].is_null()) {
            let found: Value = serde_json::from_str(value(key).unwrap()).unwrap();
            assert_eq!(
                found.to_string().replace(".0", ""),
                told[*key].to_string().replace(".0", "")
            );
        }
        // Not all readers know a type of several geometries with heights.
        if told["kind"] == "river" {
            let beds: Vec<f64> = serde_json::from_str(value("heights").unwrap()).unwrap();
            assert_eq!(feature["geometry"]["coordinates"][0][2].as_f64(), Some(beds[0]));
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["lake", "place", "river"]);
    assert!(!has_heights);
}
