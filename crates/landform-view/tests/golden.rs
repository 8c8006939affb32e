//! Small pictures that must not change by a byte.
//!
//! `LANDFORM_BLESS=1 cargo test -p landform-view --test golden` writes them anew: look at them before
//! they are committed. A picture that differs is written beside the expected one and their difference.

mod support;

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use landform::{Inputs, Recipe, Terrain};
use landform_view::{Image, MapProjection, Options, Palette, PeakMap, Skyline, Style, draw};
use support::{cones, islands, rough};

fn cases() -> Vec<(String, Image)> {
    let plan = PeakMap { cones: cones(), selected: vec![2], ..PeakMap::default() };
    let options = Options { size: Some([240, 180]), plan, legend: true, ..Options::default() };
    let mut cases = Vec::new();
    for (name, terrain) in [("islands", islands()), ("rough", rough())] {
        for &style in Style::ALL.iter().filter(|style| style.layer().is_none()) {
            cases.push((format!("{name}-{}", style.name()), draw(&terrain, style, &options)));
        }
    }
    let planet = planet();
    for &style in Style::ALL.iter().filter(|style| style.layer().is_some()) {
        cases.push((format!("planet-{}", style.name()), draw(&planet, style, &options)));
    }
    let globe = MapProjection::Globe { longitude_deg: 40.0, latitude_deg: 20.0 };
    for (name, projection) in [("globe", globe), ("mollweide", MapProjection::Mollweide)] {
        let options = Options { projection, graticule: true, legend: false, ..options.clone() };
        cases.push((format!("planet-{name}"), draw(&planet, Style::World, &options)));
    }
    for palette in [Palette::Day, Palette::Night] {
        let tent = |at: f32, i: usize| (60.0 - (i as f32 - at).abs()).max(0.0);
        let height = |k: usize, i: usize| (0..6).map(|p| tent((41 * p + 17 * k) as f32, i)).sum();
        let range = |k: usize| (0..240).map(|i| height(k, i)).collect();
        let skyline =
            Skyline { ranges: (0..3).map(range).collect(), palette, seed: 4, ..Skyline::default() };
        cases.push((format!("skyline-{}", palette.name()), skyline.draw(options.size)));
    }
    cases
}

/// A small planet with climate, biomes and rivers.
fn planet() -> Terrain {
    let text = "version = 1\nseed = 4\ntopology = \"sphere\"\nsize = [97, 49]\nspacing = [417000, 417000]\n\
        resolution = [240, 120]\n\
        [[stage]]\nkind = \"plates\"\nplates = 7\nsteps = 8\n[[stage]]\nkind = \"sea_level\"\nocean = 60\n\
        [[stage]]\nkind = \"climate\"\n[[stage]]\nkind = \"biomes\"\n\
        [[stage]]\nkind = \"drainage\"\nrain_layer = \"precipitation\"\nsource = 1000\nlake_depth = 300\n";
    let recipe = Recipe::parse(text).expect("the recipe is right");
    let plan = recipe.resolve(&Inputs::default()).expect("the recipe fits together");
    plan.run(&plan.lattice().whole(), &()).expect("nobody cancels")
}

#[test]
fn pictures_are_the_blessed_ones_byte_for_byte() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("LANDFORM_BLESS").is_some();
    let mut differing = Vec::new();
    for (name, image) in cases() {
        let path = golden.join(format!("{name}.png"));
        if bless {
            write(&path, &image);
            continue;
        }
        let want = read(&path);
        if want.as_ref() != Some(&image) {
            let panels = target().join(format!("{name}.png"));
            write(&panels, &three_panels(want.as_ref(), &image));
            differing.push(panels.display().to_string());
        }
    }
    assert!(differing.is_empty(), "expected, got and difference are in\n{}", differing.join("\n"));
}

#[test]
fn one_thread_and_three_draw_the_same() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(cases)
    };
    assert_eq!(with(1), with(3));
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden")
}

fn write(path: &Path, image: &Image) {
    save(path, image).expect("the folder can be written");
}

fn save(path: &Path, image: &Image) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(path.parent().ok_or("a file lies in a folder")?)?;
    let file = BufWriter::new(fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, image.width() as u32, image.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(image.bytes())?;
    Ok(())
}

fn read(path: &Path) -> Option<Image> {
    let file = std::io::BufReader::new(fs::File::open(path).ok()?);
    let mut reader = png::Decoder::new(file).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let pixels = bytes.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
    Some(Image::from_pixels(info.width as usize, info.height as usize, pixels))
}

/// Expected, got, and eight times their difference, side by side.
fn three_panels(want: Option<&Image>, got: &Image) -> Image {
    let (w, h) = (got.width(), got.height());
    let want = |x: usize, y: usize| match want {
        Some(image) if x < image.width() && y < image.height() => image.pixel(x, y),
        _ => [0; 3],
    };
    let pixel = |k: usize| {
        let (x, y) = (k % (3 * w), k / (3 * w));
        match x / w {
            0 => want(x, y),
            1 => got.pixel(x - w, y),
            _ => {
                let (a, b) = (want(x - 2 * w, y), got.pixel(x - 2 * w, y));
                [0, 1, 2].map(|c| a[c].abs_diff(b[c]).saturating_mul(8))
            }
        }
    };
    Image::from_pixels(3 * w, h, (0..3 * w * h).map(pixel).collect())
}
