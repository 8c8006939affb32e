//! Draws test terrains in every style: `cargo run --release --example look -- FOLDER [TERRAIN] [STYLE]`.

mod terrains;

use std::path::Path;

use landform_view::{Image, Options, Palette, Plan, Skyline, Style, draw};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = args.first().map_or("target/look", String::as_str);
    let wanted =
        |place: usize, name: &str| args.get(place).is_none_or(|want| want == "all" || want == name);
    if args.get(1).is_some_and(|name| name == "skyline") {
        return skylines(Path::new(folder));
    }
    let plan = Plan {
        cones: terrains::cones(5, 60, 10_240.0, [4000.0, 12000.0], [500.0, 1700.0]),
        selected: vec![7],
        ..Plan::default()
    };
    let options = Options { plan, ..Options::default() };
    for (name, terrain) in terrains::all(|name| wanted(1, name)) {
        for style in Style::ALL.iter().filter(|style| wanted(2, style.name())) {
            let start = std::time::Instant::now();
            let image = draw(&terrain, *style, &options);
            eprintln!("{name} {}: {:.0?}", style.name(), start.elapsed());
            save(&image, &Path::new(folder).join(format!("{name}-{}.png", style.name())));
        }
    }
}

fn skylines(folder: &Path) {
    for (k, &palette) in Palette::ALL.iter().enumerate() {
        let ranges = terrains::ranges(3 + k as u64);
        let skyline = Skyline { ranges, palette, seed: k as u64, ..Skyline::default() };
        let path = folder.join(format!("skyline-{}.png", palette.name()));
        save(&skyline.draw(None), &path);
        std::fs::write(path.with_extension("svg"), skyline.to_svg(None)).unwrap();
    }
}

fn save(image: &Image, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, image.width() as u32, image.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(image.bytes()).unwrap();
}
