//! Draws test terrains in every style: `cargo run --release --example look -- FOLDER [TERRAIN] [STYLE]`.

mod terrains;

use std::path::Path;

use landform_view::{Image, Options, Palette, PeakMap, Skyline, Style, draw};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(args.first().map_or("target/look", String::as_str));
    std::fs::create_dir_all(folder)?;
    let is_wanted =
        |place: usize, name: &str| args.get(place).is_none_or(|want| want == "all" || want == name);
    if is_wanted(1, "skyline") {
        skylines(folder)?;
    }
    let plan = PeakMap { cones: terrains::island_cones(), selected: vec![7], ..PeakMap::default() };
    let options = Options { plan, legend: true, ..Options::default() };
    for (name, make) in terrains::ALL.iter().filter(|(name, _)| is_wanted(1, name)) {
        let terrain = make();
        for style in Style::ALL.iter().filter(|style| is_wanted(2, style.name())) {
            let start = std::time::Instant::now();
            let image = draw(&terrain, *style, &options);
            eprintln!("{name} {}: {:.0?}", style.name(), start.elapsed());
            save(&image, &folder.join(format!("{name}-{}.png", style.name())))?;
        }
    }
    Ok(())
}

fn skylines(folder: &Path) -> Outcome {
    for (k, &palette) in Palette::ALL.iter().enumerate() {
        let ranges = terrains::ranges(3 + k as u64);
        let skyline = Skyline { ranges, palette, seed: k as u64, ..Skyline::default() };
        let path = folder.join(format!("skyline-{}.png", palette.name()));
        save(&skyline.draw(None), &path)?;
        std::fs::write(path.with_extension("svg"), skyline.to_svg(None))?;
    }
    Ok(())
}

fn save(image: &Image, path: &Path) -> Outcome {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, image.width() as u32, image.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(image.bytes())?;
    Ok(())
}
