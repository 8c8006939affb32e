//! What every door relies on: all inputs are opened, and what was made is an input again.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::path::Path;

use landform::{Crs, Georeference, Layer};
use landform_io::Format;
use landform_project::make::{self, Heights};
use landform_project::{
    Buffer, Changes, DiskFolder, Error, Kind, Memory, Opening, Project, RangeSource, Warning, Wish,
    window,
};

const RECIPE: &str = "version = 1\nseed = 5\nsize = [33, 17]\nspacing = [10.0, 20.0]\n\n\
    [[stage]]\nkind = \"uplift\"\npeaks = 9\n";

fn small() -> Project {
    Project::of_text(RECIPE.to_owned(), None, &Opening::default()).unwrap()
}

fn in_memory(files: Buffer) -> Memory {
    Memory(files.files.into_iter().collect())
}

#[test]
fn a_raw_file_is_read_with_the_scale_beside_it() {
    let project = small();
    let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
    let mut files = Buffer::default();
    let made = make::heights(&terrain, &Heights::new(Format::R16), "a.r16", &mut files, &());
    let names: Vec<String> = made.unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["a.r16", "a.r16.json"]);
    let files = in_memory(files);
    let opening = Opening { files: &files, ..Opening::default() };
    let read = Project::open(Some(Path::new("a.r16")), &opening).unwrap();
    assert_eq!((read.kind(), read.warnings()), (Kind::Heightmap, [].as_slice()));
    assert_eq!(read.recipe().output(), project.recipe().output());
    let back = read.terrain(&read.plan().unwrap(), &()).unwrap();
    let (low, high) = terrain.height().range();
    let level = (high - low) / 65535.0;
    let pairs = terrain.height().samples().iter().zip(back.height().samples());
    assert!(pairs.clone().all(|(a, b)| (a - b).abs() <= level), "{low} {high}");
    // Without it, the size cannot be known.
    let bare = Memory([("a.r16".to_owned(), files.0["a.r16"].clone())].into());
    let opening = Opening { files: &bare, ..Opening::default() };
    assert!(Project::open(Some(Path::new("a.r16")), &opening).is_err());
}

#[test]
fn a_bundle_is_the_terrain_that_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let text = landform::recipe::set_size(
        landform::preset::Preset::named("river").unwrap().text,
        [65, 65],
    );
    let project = Project::of_text(text.unwrap(), None, &Opening::default()).unwrap();
    let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
    let mut sink = DiskFolder::new(&path);
    let manifest = make::bundle(&terrain, &project.origin(), None, &mut sink, &()).unwrap();
    assert!(manifest.files.iter().any(|file| file.name == "features.geojson"));
    let read = Project::open(Some(&path), &Opening::default()).unwrap();
    assert_eq!(read.kind(), Kind::Bundle);
    let plan = read.plan().unwrap();
    let back = read.terrain(&plan, &()).unwrap();
    assert_eq!(read.layers(&plan), project.layers(&project.plan().unwrap()));
    for (layer, samples) in terrain.layers() {
        assert!(back.layer(layer) == Some(samples), "{layer}");
    }
    assert_eq!(back.features().len(), terrain.features().len());
    assert_eq!(read.made_by(), project.recipe());
}

#[test]
fn rasters_that_are_given_keep_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let project = small();
    let place = Georeference::metres(Crs::Projected(32632), [500_000.0, 5_400_000.0]);
    let plan = project.plan().unwrap().with_place(Some(place.clone()));
    let terrain = project.terrain(&plan, &()).unwrap();
    let mut sink = DiskFolder::new(folder.path());
    make::heights(&terrain, &Heights::new(Format::Tiff), "a.tif", &mut sink, &()).unwrap();
    let recipe =
        RECIPE.replace("kind = \"uplift\"\npeaks = 9", "kind = \"heightmap\"\nfile = \"a.tif\"");
    let path = folder.path().join("a.toml");
    let read = Project::of_text(recipe.clone(), Some(&path), &Opening::default()).unwrap();
    // As the studio makes files of what it has read.
    let opening = Opening { given: Some(read.inputs()), ..Opening::default() };
    let given = Project::of_text(recipe, None, &opening).unwrap();
    let seeded = read.changed(&Changes { seed: Some(3), ..Changes::default() }).unwrap();
    for project in [read, given, seeded] {
        assert_eq!(project.plan().unwrap().place(), Some(&place));
    }
}

#[test]
fn a_wish_that_cannot_be_had_is_named() {
    let open = |changes: &Changes, path: Option<&str>| {
        let opening = Opening { changes, ..Opening::default() };
        match path {
            Some(path) => Project::open(Some(Path::new(path)), &opening),
            None => Project::of_text(RECIPE.to_owned(), None, &opening),
        }
    };
    let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let wrong = Changes { set: vec![set("uplift.peaks", "0")], ..Changes::default() };
    let error = open(&wrong, None).unwrap_err();
    let expected = Wish::Set("uplift.peaks".to_owned(), "0".to_owned());
    assert!(matches!(&error, Error::Wish { wish, .. } if *wish == expected), "{error}");
    assert!(error.to_string().starts_with("set uplift.peaks=0: "), "{error}");
    let seeded = Changes { seed: Some(3), ..Changes::default() };
    let folder = tempfile::tempdir().unwrap();
    let upd = folder.path().join("a.upd");
    std::fs::write(&upd, "9 9\n1 1\n1\n4 4 5 3\n").unwrap();
    let error = open(&seeded, upd.to_str()).unwrap_err();
    assert!(matches!(&error, Error::Wish { wish: Wish::Seed, .. }), "{error}");
    let plan = small().plan().unwrap();
    let error = window(&plan, Some([30, 0, 9, 9])).unwrap_err();
    assert!(error.to_string().contains("33x17 samples"), "{error}");
    let error = open(&Changes::default(), Some("mountain")).unwrap_err();
    assert!(error.to_string().contains("did you mean `mountains`?"), "{error}");
}

#[test]
fn tiles_share_the_range_of_the_whole() {
    let project = small();
    let plan = project.plan().unwrap();
    let whole = project.terrain(&plan, &()).unwrap();
    let tile = plan.run(&window(&plan, Some([3, 2, 5, 4])).unwrap(), &()).unwrap();
    let (low, high) = whole.height().range();
    let range = project.level_range(None, &plan, &tile, &()).unwrap();
    assert_eq!((range.ends, range.source), ([low, high].map(f64::from), RangeSource::Whole));
}

#[test]
fn what_had_to_be_assumed_is_told() {
    let mut files = Buffer::default();
    let project = small();
    let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
    make::heights(&terrain, &Heights::new(Format::Npy), "a.npy", &mut files, &()).unwrap();
    let files = in_memory(files);
    let opening = Opening { files: &files, ..Opening::default() };
    let read = Project::open(Some(Path::new("a.npy")), &opening).unwrap();
    let spacing = Warning::AssumedSpacing { file: "a.npy".to_owned(), spacing: [1.0, 1.0] };
    assert_eq!(read.warnings(), [spacing]);
    assert!(read.plan().unwrap().layers() == [Layer::Height]);
}
