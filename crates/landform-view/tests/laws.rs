//! What holds for every picture.

mod support;

use landform::world::Biome;
use landform::{Grid, GroundCover, Layer, Terrain, Topology, math};
use landform_view::{
    ColorMap, Hillshade, Image, LayerMap, Light, MapProjection, Options, Palette, PeakMap, Scene,
    Skyline, Style, captioned, draw, draw_owned,
};
use support::{cones, islands, rough, terrain};

fn options(size: [usize; 2]) -> Options {
    Options { size: Some(size), ..Options::default() }
}

#[test]
fn the_hillshade_of_a_plane_is_its_formula_everywhere() {
    // Rising one in two to the east under a single sun in the west at 45 degrees.
    let plane = terrain([40, 30], 10.0, -1e6, |x, _| x / 2.0);
    let sun = Light { azimuth_deg: 270.0, elevation_deg: 45.0, weight: 1.0 };
    let hillshade = Hillshade { lights: vec![sun], exaggeration: Some(1.0) };
    let image = draw(&plane, Style::Hillshade, &Options { hillshade, ..options([40, 30]) });
    // n = (−1/2, 1, 0) / √(5/4), l = (−1, 1, 0) / √2.
    let want = (255.0 * (1.5 / (2.5_f64).sqrt()) + 0.5) as u8;
    assert!(image.pixels().iter().all(|&pixel| pixel == [want; 3]), "{:?}", image.pixel(3, 3));
}

#[test]
fn a_map_alone_is_the_map_on_a_sheet() {
    for ground in [rough(), islands()] {
        let (w, h) = (ground.extent().width(), ground.extent().height());
        for style in [Style::Hillshade, Style::Relief, Style::Gray] {
            let alone = draw(&ground, style, &options([w, h]));
            let boxed = draw(&ground, style, &options([w, h + 40]));
            for (x, y) in (0..w * h).map(|k| (k % w, k / w)) {
                assert_eq!(alone.pixel(x, y), boxed.pixel(x, y + 20), "{style:?} {x} {y}");
            }
        }
    }
}

#[test]
fn a_terrain_that_is_given_away_has_the_same_picture() {
    for style in [Style::View3d, Style::Block, Style::Relief, Style::Contours] {
        let kept = draw(&islands(), style, &options([60, 40]));
        assert!(draw_owned(islands(), style, &options([60, 40])) == kept, "{style:?}");
    }
}

#[test]
fn planets_are_exaggerated_until_their_ranges_show() {
    let heights = |x: f64, z: f64| if x > z { 5000.0 } else { -4000.0 };
    let factor =
        |spacing: f64| Scene::default().exaggeration(&terrain([40, 20], spacing, 0.0, heights));
    // 40 000 km by 5000 m: a fiftieth.
    assert_eq!(factor(1e6), 160.0);
    // Country that is no map of continents is never multiplied by more than 5.
    assert!(factor(12_000.0) <= 5.0, "{}", factor(12_000.0));
    assert!((5.0..7.0).contains(&factor(14_000.0)), "{}", factor(14_000.0));
}

#[test]
fn a_mirrored_terrain_gives_a_mirrored_gray() {
    let ground = rough();
    let (w, h) = (ground.extent().width(), ground.extent().height());
    let turned = Grid::from_fn(w, h, |i, j| ground.height()[(w - 1 - i, j)]);
    let turned = Terrain::new(*ground.extent(), 0.0, turned);
    let (a, b) = (
        draw(&ground, Style::Gray, &options([w, h])),
        draw(&turned, Style::Gray, &options([w, h])),
    );
    for y in 0..h {
        for x in 0..w {
            assert_eq!(a.pixel(x, y), b.pixel(w - 1 - x, y));
        }
    }
}

#[test]
fn ground_that_is_bare_is_not_green() {
    let plain = terrain([96, 96], 30.0, -1e6, |x, z| 200.0 + 0.02 * x + 0.01 * z);
    let picture = |ground: &Terrain| draw(ground, Style::View3d, &options([160, 100]));
    let (green, bare) = (picture(&plain), picture(&plain.clone().with_cover(GroundCover::Bare)));
    let both = || green.pixels().iter().zip(bare.pixels()).filter(|(green, bare)| green != bare);
    // Sky and haze are the same.
    assert!(both().count() > 160 * 100 / 8, "{}", both().count());
    let sum = |c: usize| {
        both().fold([0.0; 2], |[a, b], (green, bare)| {
            [a + f64::from(green[c]), b + f64::from(bare[c])]
        })
    };
    let (red, leaf) = (sum(0), sum(1));
    assert!(leaf[0] > 0.95 * red[0] && leaf[1] < 0.92 * red[1], "{red:?} {leaf:?}");
}

#[test]
fn ice_lies_on_its_bed_and_is_pale() {
    let mut ground = terrain([64, 64], 10.0, -1e6, |_, _| 300.0);
    let bare = draw(&ground, Style::Relief, &options([64, 64]));
    ground.insert(Layer::Ice, Grid::from_fn(64, 64, |i, _| if i < 32 { 0.0 } else { 50.0 }));
    let iced = draw(&ground, Style::Relief, &options([64, 64]));
    let [r, g, b] = iced.pixel(56, 32);
    assert!(r.min(g).min(b) > 190 && b >= r, "{:?}", iced.pixel(56, 32));
    assert!(bare.pixel(56, 32)[2] < 190, "{:?}", bare.pixel(56, 32));
    // The edge of the ice is a step of 50 m: it throws light or shade.
    assert_ne!(draw(&ground, Style::Hillshade, &options([64, 64])).pixel(32, 32), bare.pixel(8, 8));
    let view = |ground: &Terrain| draw(ground, Style::View3d, &options([160, 100]));
    let without = Terrain::new(*ground.extent(), -1e6, ground.height().clone());
    let sum = |image: &Image| image.pixels().iter().map(|p| f64::from(p[2])).sum::<f64>();
    assert!(sum(&view(&ground)) > 1.02 * sum(&view(&without)));
}

#[test]
fn sea_is_blue_and_land_is_not() {
    let half = terrain([64, 64], 10.0, 0.0, |x, _| x - 315.0);
    let image = draw(&half, Style::Relief, &options([64, 64]));
    for y in 0..64 {
        let [r, _, b] = image.pixel(8, y);
        assert!(b > r, "water {:?}", image.pixel(8, y));
        let [r, _, b] = image.pixel(40, y);
        assert!(b < r.max(image.pixel(40, y)[1]), "land {:?}", image.pixel(40, y));
    }
}

fn every_style(terrain: &Terrain, size: [usize; 2]) -> Vec<Image> {
    let plan = PeakMap { cones: cones(), selected: vec![3, 99], ..PeakMap::default() };
    let options = Options { plan, ..options(size) };
    let with_legend = Options { legend: true, ..options.clone() };
    let both = [&options, &with_legend];
    both.iter().flat_map(|o| Style::ALL.iter().map(|&style| draw(terrain, style, o))).collect()
}

#[test]
fn a_layer_has_a_map_in_every_colour_and_a_missing_one_none() {
    let mut ground = islands();
    let layer = Layer::named("moisture").unwrap();
    assert!(LayerMap::default().draw(&ground, &layer, &options([99, 99])).is_none());
    let moisture = ground.height().map(|&h| if h > 200.0 { f32::NAN } else { -h });
    ground.insert(layer.clone(), moisture);
    let colors = [
        ColorMap::Viridis,
        ColorMap::Gray,
        ColorMap::Temperature,
        ColorMap::Rain,
        ColorMap::Heat,
        ColorMap::Diverging,
        ColorMap::Categories,
    ];
    for colors in colors {
        let map = LayerMap { colors: Some(colors), ..LayerMap::default() };
        let options = Options { legend: true, ..options([300, 300]) };
        let image = map.draw(&ground, &layer, &options).unwrap();
        assert_eq!([image.width(), image.height()], [300, 300]);
        let first = image.pixel(0, 0);
        assert!(image.pixels().iter().any(|&pixel| pixel != first));
    }
}

#[test]
fn a_turntable_begins_where_the_camera_stands_and_comes_around() {
    let ground = islands();
    let frames: Vec<_> = Scene::default().turntable(&ground, Some([80, 50]), 3).collect();
    assert_eq!(frames.len(), 3);
    assert!(frames[0] != frames[1] && frames[1] != frames[2] && frames[2] != frames[0]);
    let around = Scene { azimuth_deg: 200.0 + 120.0, ..Scene::default() };
    assert_eq!(around.turntable(&ground, Some([80, 50]), 1).next().unwrap(), frames[1]);
    assert_eq!(Scene::default().turntable(&ground, None, 0).count(), 0);
}

#[test]
fn every_terrain_has_a_picture_of_the_size_asked_for() {
    let nan = f64::NAN;
    let odd = [
        terrain([1, 1], 1.0, 0.0, |_, _| 7.0),
        terrain([1, 9], 1.0, 0.0, |_, z| z - 3.0),
        terrain([9, 1], 0.1, 0.0, |x, _| x),
        terrain([2, 2], 1e6, 0.0, |x, z| x + z),
        terrain([5, 5], 1.0, 0.0, |_, _| 0.0),
        terrain([5, 5], 1.0, 0.0, |_, _| -3.0),
        terrain([5, 5], 1.0, 0.0, move |_, _| nan),
        terrain([9, 7], 1.0, 0.0, move |x, z| if x > 4.0 { nan } else { x * z }),
        terrain([9, 7], 1.0, 0.0, |x, _| if x > 4.0 { f64::INFINITY } else { 3e38 * x }),
        terrain([9, 7], 1e-9, 1e30, |x, z| 1e-30 * (x + z)),
        terrain([9, 7], 1.0, nan, |x, z| x + z),
    ];
    for (k, terrain) in odd.iter().enumerate() {
        for size in [[31, 20], [1, 1], [5, 40]] {
            for image in every_style(terrain, size) {
                assert_eq!([image.width(), image.height()], size, "terrain {k}");
            }
        }
    }
}

#[test]
fn without_a_size_a_picture_has_one() {
    for &style in Style::ALL {
        let image = draw(&islands(), style, &Options::default());
        assert!(image.width() >= 384 && image.height() >= 384, "{style:?}: {image:?}");
    }
}

#[test]
fn sizes_beyond_reason_are_cut_down() {
    let flat = terrain([1, 1], 1.0, 0.0, |_, _| 0.0);
    let image = draw(&flat, Style::Gray, &options([0, usize::MAX]));
    assert_eq!([image.width(), image.height()], [1, landform_view::MAX_SIDE]);
}

#[test]
fn every_style_has_its_own_name_and_a_line_about_it() {
    for (k, &style) in Style::ALL.iter().enumerate() {
        assert_eq!(Style::named(style.name()), Some(style), "{style:?}");
        assert!(Style::ALL[..k].iter().all(|other| other.doc() != style.doc()), "{style:?}");
        let doc = style.doc();
        assert!(!doc.is_empty() && doc.trim() == doc && !doc.ends_with('.'), "{style:?}: {doc:?}");
    }
    assert_eq!(Style::named("nothing"), None);
}

#[test]
fn a_style_is_a_map_or_a_scene_and_only_maps_show_a_layer() {
    for &style in Style::ALL {
        assert_eq!(style.is_map(), style.scene(&Options::default()).is_none(), "{style:?}");
        assert!(style.is_map() || style.layer().is_none(), "{style:?}");
    }
}

#[test]
fn a_map_of_a_layer_that_is_not_there_is_the_relief() {
    let (ground, options) = (islands(), options([60, 50]));
    for &style in Style::ALL.iter().filter(|style| style.layer().is_some()) {
        assert_eq!(draw(&ground, style, &options), draw(&ground, Style::Relief, &options));
    }
}

#[test]
fn palettes_have_names_that_find_them() {
    for &palette in Palette::ALL {
        assert_eq!(Palette::named(palette.name()), Some(palette));
    }
}

#[test]
fn a_peak_off_the_grid_is_drawn() {
    let ground = islands();
    let with = |x: f64| {
        let cone = landform::uplift::Cone { x, z: 400.0, height: 10.0, radius: 50.0 };
        let plan = PeakMap { cones: vec![cone], ..PeakMap::default() };
        draw(&ground, Style::Plan, &Options { plan, ..options([300, 240]) })
    };
    let is_green = |pixel: &&[u8; 3]| {
        let [r, g, b] = pixel.map(i32::from);
        g > r + 80 && g > b + 40
    };
    for x in [500.0, -300.0, 1500.0, 1e9] {
        assert!(with(x).pixels().iter().filter(is_green).count() > 5, "{x}");
    }
}

#[test]
fn skylines_are_drawn_whatever_the_ranges_are() {
    let ranges = [
        vec![],
        vec![vec![]],
        vec![vec![3.0]],
        vec![vec![0.0; 9], vec![f32::NAN, f32::INFINITY, 1.0]],
        vec![(0..5000).map(|i| (i % 37) as f32).collect()],
    ];
    for ranges in ranges {
        let skyline = Skyline { ranges, clouds: 9.0, stars: Some(f64::NAN), ..Skyline::default() };
        for size in [[1, 1], [64, 48]] {
            let image = skyline.draw(Some(size));
            assert_eq!([image.width(), image.height()], size);
            check_xml(&skyline.to_svg(Some(size)));
        }
    }
}

/// Elements are closed in the order in which they were opened, and attributes are quoted.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray bracket");
        let end = start + rest[start..].find('>').expect("an element is closed");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        if !tag.ends_with('/') {
            open.push(tag.split([' ', '\n']).next().expect("split gives one at least"));
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
}

/// A planet whose every sample is of one biome and temperature, with a rough floor below the sea.
fn of_one_biome(biome: Biome, celsius: f32) -> Terrain {
    let floor = |x: f64, z: f64| -800.0 - 60.0 * (math::sin(0.4 * x) + math::cos(0.3 * z));
    let mut planet = terrain([64, 32], 1.0, 0.0, floor).with_topology(Topology::Sphere);
    planet.insert(Layer::Biome, Grid::filled(64, 32, f32::from(biome as u8)));
    planet.insert(Layer::Temperature, Grid::filled(64, 32, celsius));
    planet
}

#[test]
fn sea_ice_is_flat_whatever_lies_below_it() {
    for style in [Style::World, Style::Biomes] {
        let ice = draw(&of_one_biome(Biome::SeaIce, -15.0), style, &options([128, 64]));
        assert!(ice.pixels().iter().all(|pixel| *pixel == ice.pixel(0, 0)), "{style:?}");
        let sea = draw(&of_one_biome(Biome::Ocean, 5.0), style, &options([128, 64]));
        assert!(sea.pixels().iter().any(|pixel| *pixel != sea.pixel(0, 0)), "{style:?}");
    }
}

#[test]
fn cold_lakes_are_ice() {
    let at = |celsius: f32, style| {
        draw(&of_one_biome(Biome::Lake, celsius), style, &options([64, 32])).pixel(30, 15)
    };
    for style in [Style::World, Style::Biomes] {
        let (open, frozen) = (at(4.0, style), at(-12.0, style));
        assert!(open[0] < 110 && frozen[0] > 190, "{open:?} {frozen:?}");
    }
}

#[test]
fn worlds_from_the_side_have_the_colours_of_their_biomes() {
    // The share of the picture that is as bright as snow or ice.
    let white = |biome, celsius| {
        let view = draw(&of_one_biome(biome, celsius), Style::View3d, &options([96, 54]));
        let is_white = |pixel: &&[u8; 3]| pixel.iter().all(|channel| *channel > 185);
        view.pixels().iter().filter(is_white).count()
    };
    assert!(white(Biome::SeaIce, -15.0) > 4 * white(Biome::Ocean, 10.0) + 50);
}

#[test]
fn the_view_of_a_planet_is_its_globe_with_land_in_front() {
    // Land a quarter of the way around from the middle of the map to the east.
    let island = |x: f64, _: f64| if (x - 47.25).abs() < 5.0 { 500.0 } else { -500.0 };
    let mut planet = terrain([64, 32], 1.0, 0.0, island).with_topology(Topology::Sphere);
    planet.insert(Layer::Biome, Grid::filled(64, 32, f32::from(Biome::Desert as u8)));
    let (style, options) = Style::view_of(&planet);
    assert_eq!(style, Style::World);
    let MapProjection::Globe { longitude_deg, .. } = options.projection else { panic!("a globe") };
    assert!((longitude_deg - 90.0).abs() < 6.0, "{longitude_deg}");
    assert_eq!(Style::view_of(&rough()).0, Style::View3d);
    assert_eq!(Style::map_of(&rough()), Style::Relief);
}

#[test]
fn ground_without_a_sea_has_no_beaches() {
    // Just above the level of a sea that is not there, and 40 m above it.
    let view = |sea: f64| {
        let hills = terrain([96, 96], 30.0, sea, |x, z| {
            1.0 + 40.0 * (1.0 + math::sin(0.004 * x)) + 0.01 * z
        });
        draw(&hills, Style::View3d, &options([160, 90]))
    };
    assert!(view(0.0) == view(-40.0));
}

const CREAM: [u8; 3] = [0xF6, 0xF3, 0xEC];

#[test]
fn posters_keep_within_their_frame() {
    let planet = of_one_biome(Biome::Desert, 20.0);
    let title = "A very long title that tells of everything there is on this map and of more";
    let globe = MapProjection::Globe { longitude_deg: 0.0, latitude_deg: 20.0 };
    for size in [[600, 400], [500, 700], [900, 300]] {
        for style in [Style::World, Style::Temperature, Style::Relief, Style::Contours] {
            for projection in [MapProjection::EqualEarth, MapProjection::Equirectangular, globe] {
                let poster = Some(title.to_owned());
                let options = Options { projection, poster, ..options(size) };
                let image = draw(&planet, style, &options);
                let margin = 0.015 * size[0].min(size[1]) as f64;
                let (m, [w, h]) = (margin as usize, size);
                let is_edge = |x: usize, y: usize| x < m || y < m || x >= w - m || y >= h - m;
                for (k, pixel) in image.pixels().iter().enumerate() {
                    let (x, y) = (k % w, k / w);
                    assert!(!is_edge(x, y) || *pixel == CREAM, "{size:?} {style:?} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn a_globe_hangs_in_space_or_lies_on_paper() {
    let planet = of_one_biome(Biome::Desert, 20.0);
    let projection = MapProjection::Globe { longitude_deg: 0.0, latitude_deg: 20.0 };
    let globe = Options { projection, ..options([300, 200]) };
    let space = [0x0B, 0x0F, 0x17];
    let alone = draw(&planet, Style::World, &globe);
    for (x, y) in [(0, 0), (299, 0), (150, 0), (150, 199), (299, 199)] {
        assert_eq!(alone.pixel(x, y), space, "{x} {y}");
    }
    let poster = Options { poster: Some("Globe".to_owned()), ..globe.clone() };
    for options in [poster, Options { legend: true, ..globe }] {
        let image = draw(&planet, Style::World, &options);
        assert!(!image.pixels().contains(&space));
    }
}

#[test]
fn plates_have_a_key_and_numbers() {
    let mut planet = of_one_biome(Biome::Ocean, 5.0);
    planet.insert(Layer::Plate, Grid::from_fn(64, 32, |i, _| if i < 32 { 0.0 } else { 1.0 }));
    let image = draw(&planet, Style::Plates, &Options { legend: true, ..options([400, 240]) });
    let strip = || (205..240).flat_map(|y| (0..400).map(move |x| (x, y)));
    assert!(strip().filter(|&(x, y)| image.pixel(x, y) != CREAM).count() > 400);
    let is_white = |pixel: &[u8; 3]| pixel.iter().all(|&channel| channel > 170);
    let map = || (0..200).flat_map(|y| (0..400).map(move |x| (x, y)));
    let white = map().filter(|&(x, y)| is_white(&image.pixel(x, y))).count();
    assert!((4..400).contains(&white), "the numbers are white: {white} pixels");
}

#[test]
fn words_can_be_written_on_a_picture() {
    let image = draw(&rough(), Style::Hillshade, &options([200, 120]));
    let with = captioned(&image, "12 million years");
    let differs = |x: usize, y: usize| image.pixel(x, y) != with.pixel(x, y);
    assert!((0..100).any(|x| differs(x, 115)) && !(0..200).any(|x| differs(x, 60)));
}
