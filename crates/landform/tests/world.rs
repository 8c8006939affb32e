//! The laws of worlds: shares, sizes, coasts, heights, climates.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::sync::atomic::{AtomicU32, Ordering};

use landform::analysis::world::WorldStatistics;
use landform::preset::Preset;
use landform::world::Biome;
use landform::{
    Cancelled, Grid, Inputs, Layer, Meaning, Plan, Raster, Recipe, Terrain, Watch, math,
};

fn plan_of(text: &str) -> Plan {
    Recipe::parse(text).unwrap().resolve(&Inputs::default()).unwrap()
}

fn run(text: &str) -> Terrain {
    let plan = plan_of(text);
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

/// A preset with another seed, and another resolution if one is given.
fn preset(name: &str, seed: u64, resolution: Option<[u32; 2]>) -> String {
    let text = Preset::named(name).unwrap().text;
    let text = landform::recipe::set_seed(text, seed).unwrap();
    match resolution {
        Some([width, height]) => {
            landform::recipe::set(&text, "resolution", &format!("[{width}, {height}]")).unwrap()
        }
        None => text,
    }
}

#[test]
fn the_sea_covers_what_was_asked_for() {
    for (name, ocean) in
        [("world", 0.71), ("world_report", 0.60), ("world_torus", 0.60), ("archipelago", 0.86)]
    {
        let found = WorldStatistics::of(&run(&preset(name, 5, None)));
        assert!((found.land - (1.0 - ocean)).abs() < 1e-3, "{name}: {}", found.land);
    }
}

#[test]
fn another_size_is_the_same_world() {
    let [small, large] = [[257, 129], [1025, 513]].map(|size| run(&preset("world", 9, Some(size))));
    let (mut same, mut all) = (0.0, 0.0);
    let weights = small.topology().row_weights(small.extent().lattice());
    for j in 0..129 {
        for i in 0..257 {
            let (a, b) = (small.height()[(i, j)], large.height()[(4 * i, 4 * j)]);
            all += weights[j];
            same += if (a > 0.0) == (b > 0.0) { weights[j] } else { 0.0 };
        }
    }
    assert!(same / all > 0.97, "{}", same / all);
}

/// Box-counting dimension of the coast, from boxes of 1 to 16 samples a side.
fn coast_dimension(terrain: &Terrain) -> f64 {
    border_dimension(terrain.height(), |height| u8::from(height > 0.0), 16)
}

/// Boxes that the border between kinds crosses, between 60° north and south, at sides of 1, 2, 4 … `most` samples: the slope
/// of their numbers.
fn border_dimension(grid: &Grid, kind: impl Fn(f32) -> u8, most: usize) -> f64 {
    let kinds = grid.map(|&sample| kind(sample));
    let (width, rows) = (kinds.width(), kinds.height());
    let (top, bottom) = (rows / 6, rows - rows / 6);
    let mut counts = Vec::new();
    let mut side = 1;
    while side <= most {
        let mut count = 0;
        for j in (top..bottom - side).step_by(side) {
            for i in (0..width - side).step_by(side) {
                let first = kinds[(i, j)];
                let differs = |a: usize, b: usize| kinds[(i + a, j + b)] != first;
                let crossed = (0..=side).any(|b| (0..=side).any(|a| differs(a, b)));
                count += u32::from(crossed);
            }
        }
        counts.push(math::ln(f64::from(count)) / std::f64::consts::LN_2);
        side *= 2;
    }
    let n = counts.len() as f64;
    let mean_x = (n - 1.0) / 2.0;
    let mean_y = counts.iter().sum::<f64>() / n;
    let (mut xy, mut xx) = (0.0, 0.0);
    for (k, y) in counts.iter().enumerate() {
        xy += (k as f64 - mean_x) * (y - mean_y);
        xx += (k as f64 - mean_x) * (k as f64 - mean_x);
    }
    -xy / xx
}

#[test]
fn coasts_are_as_rough_at_every_size() {
    for name in ["world", "world_torus", "world_flat"] {
        for size in [[513, 257], [1025, 513], [2049, 1025]] {
            let mut sum = 0.0;
            for seed in 1..=2 {
                sum += coast_dimension(&run(&preset(name, seed, Some(size))));
            }
            let dimension = sum / 2.0;
            assert!((1.15..1.35).contains(&dimension), "{name}, {size:?}: {dimension}");
        }
    }
}

#[test]
fn borders_of_plates_and_crust_are_no_stairs_on_fine_samples() {
    // Eight samples a cell: stairs of cells have the dimension 1.02 to 1.03 within them.
    let fine = run(&format!("resolution = [769, 385]\n{SMALL}"));
    for layer in [Layer::Plate, Layer::Crust] {
        let dimension = border_dimension(fine.layer(&layer).unwrap(), |kind| kind as u8, 4);
        assert!(dimension > 1.045, "{layer}: {dimension}");
    }
}

#[test]
fn land_is_low_whatever_share_of_sea_is_asked() {
    for ocean in [45.0, 60.0, 80.0] {
        let text = Preset::named("world").unwrap().text;
        let text = landform::recipe::set(text, "sea_level.ocean", &f64::to_string(&ocean)).unwrap();
        let terrain = run(&text);
        let mut land: Vec<f32> =
            terrain.height().samples().iter().copied().filter(|&height| height > 0.0).collect();
        let middle = land.len() / 2;
        let (_, &mut median, _) = land.select_nth_unstable_by(middle, f32::total_cmp);
        assert!(median < 900.0, "{ocean} % of sea: half of the land is above {median} m");
    }
}

#[test]
fn heights_have_two_modes_with_the_sea_between() {
    let found = WorldStatistics::of(&run(&preset("world", 4, None)));
    let share = |low: f64| found.heights.iter().find(|(at, _)| *at == low).map_or(0.0, |(_, s)| *s);
    let deep = share(-5000.0) + share(-4000.0) + share(-6000.0);
    let slope = share(-3000.0) + share(-2000.0);
    let plains = share(0.0) + share(-1000.0);
    assert!(deep > 0.3 && plains > 0.2 && slope < 0.6 * plains, "{:?}", found.heights);
}

#[test]
fn deserts_are_dry_belts_and_the_cold_is_at_the_poles_and_on_high() {
    let (mut desert, mut land, mut in_belt) = (0.0, 0.0, 0.0);
    let mut present = vec![0; Biome::ALL.len()];
    let seeds = 4;
    for seed in 1..=seeds {
        let terrain = run(&preset("world", seed, None));
        let weights = terrain.topology().row_weights(terrain.extent().lattice());
        let biomes = terrain.layer(&Layer::Biome).unwrap();
        let mut seen = vec![false; Biome::ALL.len()];
        for (j, row) in biomes.rows().enumerate() {
            let latitude = (90.0 - 180.0 * j as f64 / 256.0_f64).abs();
            for &sample in row {
                let biome = Biome::from_sample(sample).unwrap();
                seen[biome as usize] = true;
                land += if biome.is_water() { 0.0 } else { weights[j] };
                if biome == Biome::Desert {
                    desert += weights[j];
                    in_belt += if (15.0..=35.0).contains(&latitude) { weights[j] } else { 0.0 };
                }
            }
        }
        present.iter_mut().zip(seen).for_each(|(count, seen)| *count += i32::from(seen));
    }
    assert!((0.10..0.30).contains(&(desert / land)), "{}", desert / land);
    assert!(in_belt / desert > 0.5, "{}", in_belt / desert);
    for (biome, &worlds) in Biome::ALL.iter().zip(&present) {
        assert!(2 * worlds > seeds as i32 || *biome == Biome::Lake, "{}", biome.name());
    }
}

/// Mean over a row of samples.
fn mean(samples: &[f32]) -> f64 {
    samples.iter().map(|&s| f64::from(s)).sum::<f64>() / samples.len() as f64
}

#[test]
fn the_wind_has_its_belts_and_is_the_same_where_the_map_meets_itself() {
    let terrain = run(&preset("world", 3, None));
    let [east, south] = [Layer::WindX, Layer::WindZ].map(|layer| terrain.layer(&layer).unwrap());
    let at = |grid: &Grid, latitude: f64| {
        let row = ((90.0 - latitude) / 180.0 * 256.0).round() as usize;
        mean(&grid.samples()[row * 513..][..513])
    };
    for north in [1.0, -1.0] {
        assert!(at(east, 15.0 * north) < -1.0 && at(south, 15.0 * north) * north > 0.5, "trades");
        assert!(
            at(east, 45.0 * north) > 1.0 && at(south, 45.0 * north) * north < -0.3,
            "westerlies"
        );
        assert!(at(east, 75.0 * north) < -0.5, "polar easterlies");
    }
    for j in 0..257 {
        assert_eq!((east[(0, j)], south[(0, j)]), (east[(512, j)], south[(512, j)]), "row {j}");
    }
    for i in 0..513 {
        assert!(east[(i, 0)].abs() < 1.0 && south[(i, 256)].abs() < 1.0, "calm at the poles");
    }
}

#[test]
fn rain_at_sea_follows_the_air_and_not_the_latitude_alone() {
    let terrain = run(&preset("world", 3, None));
    let (height, rain) = (terrain.height(), terrain.layer(&Layer::Precipitation).unwrap());
    let rows = (40..217).map(|j| {
        let sea = (0..513).filter(|&i| height[(i, j)] <= 0.0).map(|i| rain[(i, j)]);
        sea.collect::<Vec<f32>>()
    });
    let rows: Vec<Vec<f32>> = rows.filter(|row| !row.is_empty()).collect();
    let all: Vec<f32> = rows.concat();
    let squares = |row: &[f32], from: f64| {
        row.iter().map(|&s| (f64::from(s) - from) * (f64::from(s) - from)).sum::<f64>()
    };
    let within: f64 = rows.iter().map(|row| squares(row, mean(row))).sum();
    let share = 1.0 - within / squares(&all, mean(&all));
    assert!(share < 0.85, "latitude explains {share} of it");
}

#[test]
fn mountains_are_colder_than_the_plain_beside_them() {
    let terrain = run(&preset("world", 2, None));
    let (height, celsius) = (terrain.height(), terrain.layer(&Layer::Temperature).unwrap());
    let mut checked = 0;
    for j in 60..200 {
        for i in 3..510 {
            if height[(i, j)] - height[(i - 3, j)] > 1500.0 && height[(i - 3, j)] > 0.0 {
                assert!(celsius[(i, j)] < celsius[(i - 3, j)] - 5.0, "{i} {j}");
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "{checked}");
}

/// What is wrong with a planet whose second belt is this line.
fn refusal(preset: &str, line: &str) -> String {
    let belts = format!("[[1e6, 1e6, 3000, 5e4, \"fold\"], {line}]");
    let text = Preset::named(preset).unwrap().text;
    let text = landform::recipe::set(text, "plates.belts", &belts).unwrap();
    let resolved = Recipe::parse(&text).unwrap().resolve(&Inputs::default());
    resolved.map_or_else(|error| error.to_string(), |_| "nothing".to_owned())
}

#[test]
fn a_belt_that_cannot_be_is_refused_with_its_place() {
    for (line, told) in [
        ("[1e6, 1e6, 1e9, 5e4]", "has the height 1000000000, but it must be within ±100000 m"),
        ("[1e6, 1e6, -1e6, 5e4]", "has the height -1000000, but it must be"),
        ("[1e6, 1e6, 3000, 0]", "has the radius 0, but it must be in"),
        ("[1e6, 1e6, 3000, 3]", "has the radius 3, but it must be in"),
        ("[1e6, 1e6, 3000, 3e7]", "has the radius 30000000, but it must be in"),
        (
            "[-1e4, 1e6, 3000, 5e4]",
            "has the x -10000, but it must be in 0..=40030208, from one side of the map to the other, where it wraps",
        ),
        ("[1e11, 1e6, 3000, 5e4]", "has the x 100000000000, but it must be in 0..=40030208"),
        (
            "[1e6, 2.1e7, 3000, 5e4]",
            "has the z 21000000, but it must be in 0..=20015104, from pole to pole",
        ),
        ("[1e6, 1e6, 3000, 5e4, \"hill 1-2\"]", "by one of fold, range, arc, hot_spot"),
        (
            "[1e6, 1e6, 3000, 5e4, \"range 3-99\"]",
            "is made by `range 3-99`, but there are 16 plates, 0 to 15",
        ),
    ] {
        let error = refusal("world", line);
        assert!(error.starts_with("stage 1 (plates): belts[1] "), "{line}: {error}");
        assert!(error.contains(told), "{line}: {error}");
    }
    for right in [
        "[0, 0, 3000, 5e4, \"range 0-15\"]",
        "[40030208, 20015104, -3000, 1e7]",
        "[1e6, 1e6, 3000, 2e7]",
    ] {
        assert_eq!(refusal("world", right), "nothing", "{right}");
    }
}

#[test]
fn a_belt_may_stand_beyond_an_edge_as_far_as_it_reaches_the_map() {
    for (line, told) in [
        ("[1e6, -4e4, 3000, 5e4]", "nothing"),
        ("[1e6, 5160000, 3000, 5e4]", "nothing"),
        (
            "[1e6, -6e4, 3000, 5e4]",
            "belts[1] has the z -60000, but it must be in -50000..=5170000, the map and as far beyond its edges as the radius reaches",
        ),
        ("[-4e4, 1e6, 3000, 5e4]", "belts[1] has the x -40000, but it must be in 0..=10240000"),
    ] {
        let error = refusal("world_flat", line);
        assert!(error.contains(told), "{line}: {error}");
    }
}

#[test]
fn the_belts_of_a_flat_world_can_be_fed_back() {
    let text = preset("world_flat", 2, Some([129, 65]));
    let terrain = run(&text);
    let summits = terrain.features().iter().filter_map(landform::Feature::as_summit);
    let lines: Vec<_> = summits.map(landform::world::BeltLine::from).collect();
    let off = |z: f64| !(0.0..=5.12e6).contains(&z);
    assert!(lines.iter().any(|line| off(line.z)), "none has drifted off the map");
    let again = landform::recipe::set_belts(&text, "plates", &lines).unwrap();
    let again = run(&again);
    let pairs = terrain.height().samples().iter().zip(again.height().samples());
    let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 5.0, "{worst}");
}

#[test]
fn belts_can_be_written_down_and_fed_back() {
    let text = preset("world", 6, Some([129, 65]));
    let terrain = run(&text);
    let lines: Vec<String> = terrain
        .features()
        .iter()
        .filter_map(landform::Feature::as_summit)
        .map(|s| format!("[{:?}, {:?}, {:?}, {:?}, {:?}]", s.x, s.z, s.height, s.radius, s.name))
        .collect();
    assert!(lines.len() > 300, "{}", lines.len());
    let list = format!("[{}]", lines.join(", "));
    let again = run(&landform::recipe::set(&text, "plates.belts", &list).unwrap());
    let pairs = terrain.height().samples().iter().zip(again.height().samples());
    let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1.0, "{worst}");
    let names = |terrain: &Terrain| {
        let summits = terrain.features().iter().filter_map(landform::Feature::as_summit);
        summits.map(|summit| summit.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&terrain), names(&again), "kind and boundary");
    let none = run(&landform::recipe::set(&text, "plates.belts", "[]").unwrap());
    assert!(none.height().range().1 < 0.7 * terrain.height().range().1);
}

#[test]
fn ice_on_the_sea_is_near_the_temperature_that_was_asked_for() {
    let (mut ice, mut warm, mut cold) = (0, 0, 0);
    for (seed, uneven) in [(107, 1.0), (107, 5.0), (3, 1.0)] {
        let text = preset("world", seed, Some([257, 129]));
        let text =
            landform::recipe::set(&text, "biomes.unevenness", &f64::to_string(&uneven)).unwrap();
        let terrain = run(&text);
        let biomes = terrain.layer(&Layer::Biome).unwrap().samples();
        let celsius = terrain.layer(&Layer::Temperature).unwrap().samples();
        for (&sample, &celsius) in biomes.iter().zip(celsius) {
            match Biome::from_sample(sample).unwrap() {
                Biome::SeaIce => {
                    assert!(celsius < -2.0, "seed {seed}: ice on the sea at {celsius} °C");
                    ice += 1;
                    warm += i32::from(celsius > -8.0);
                }
                Biome::Ocean => {
                    assert!(celsius > -16.0, "seed {seed}: open sea at {celsius} °C");
                    cold += i32::from(celsius < -10.0);
                }
                _ => {}
            }
        }
    }
    // Its edge is no line of equal temperature.
    assert!(20 * warm > ice && 20 * cold > ice, "{warm} and {cold} of {ice}");
}

#[test]
fn a_frozen_lake_is_a_lake() {
    let text = "version = 1\nsize = [101, 101]\nspacing = [1000, 1000]\n\
        [[stage]]\nkind = \"heightmap\"\nfile = \"map\"\n\
        [[stage]]\nkind = \"climate\"\nequator = -30\npole = -30\n[[stage]]\nkind = \"biomes\"\n";
    let mut inputs = Inputs::default();
    let is_lake = |i: usize, j: usize| (70..74).contains(&i) && (50..54).contains(&j);
    let height = |i: usize, j: usize| if i < 30 || is_lake(i, j) { -10.0 } else { 10.0 };
    inputs.insert(
        "map",
        Raster { samples: Grid::from_fn(101, 101, height), meaning: Meaning::Values },
    );
    let plan = Recipe::parse(text).unwrap().resolve(&inputs).unwrap();
    let terrain = plan.run(&plan.lattice().whole(), &()).unwrap();
    let biomes = terrain.layer(&Layer::Biome).unwrap();
    let at = |i: usize| Biome::from_sample(biomes[(i, 52)]).unwrap();
    assert_eq!([at(10), at(50), at(72)], [Biome::SeaIce, Biome::Ice, Biome::Lake]);
}

#[test]
fn a_world_without_a_sea_has_the_climate_of_one_with_little() {
    let of = |ocean: &str| {
        let text = preset("world", 7, Some([257, 129]));
        run(&landform::recipe::set(&text, "sea_level.ocean", ocean).unwrap())
    };
    let [none, little] = ["0", "1"].map(of);
    let weights = none.topology().row_weights(none.extent().lattice());
    let celsius = |terrain: &Terrain| {
        let grid = terrain.layer(&Layer::Temperature).unwrap();
        let rows = grid.rows().zip(&weights).map(|(row, weight)| weight * mean(row));
        rows.sum::<f64>() / weights.iter().sum::<f64>()
    };
    let (without, with) = (celsius(&none), celsius(&little));
    assert!((without - with).abs() < 2.0, "{without} °C without a sea, {with} °C with 1 %");
    let plan = plan_of(&SMALL.replace("\"sea_level\"", "\"sea_level\"\nocean = 0"));
    let whole = plan.run(&plan.lattice().whole(), &()).unwrap();
    let window = plan.lattice().window(31, 17, 20, 9).unwrap();
    assert!(plan.run(&window, &()).unwrap() == whole.crop(&window), "a tile is another");
}

#[test]
fn a_highland_far_from_the_sea_is_as_cold_as_it_is_high() {
    let text = "version = 1\nsize = [33, 33]\nspacing = [1000, 1000]\n\
        [[stage]]\nkind = \"plane\"\nheight = 4000\n\
        [[stage]]\nkind = \"climate\"\nequator = 20\npole = 20\nmaritime = 0\n";
    let celsius = mean(run(text).layer(&Layer::Temperature).unwrap().samples());
    assert!((celsius + 6.0).abs() < 0.1, "{celsius} °C");
}

#[test]
fn a_map_from_pole_to_pole_has_no_other_latitudes() {
    let climate = |topology: &str, line: &str| {
        let text = format!(
            "version = 1\nsize = [33, 17]\nspacing = [1000000, 1000000]\ntopology = \"{topology}\"\n\
            [[stage]]\nkind = \"climate\"\n{line}\n"
        );
        let resolved = Recipe::parse(&text).unwrap().resolve(&Inputs::default());
        resolved.map_or_else(|error| error.in_recipe(&text).to_string(), |_| "nothing".to_owned())
    };
    let error = climate("sphere", "south = 20");
    assert_eq!(
        error,
        "stage 1 (climate): south is 20, but a sphere reaches from pole to pole, from 90 to -90: \
         only the topology plane is a part of a planet, at line 7, column 1"
    );
    for topology in ["sphere", "cylinder", "torus"] {
        assert!(climate(topology, "north = 60").contains("north is 60, but a"), "{topology}");
        assert_eq!(climate(topology, "north = 90\nsouth = -90"), "nothing", "{topology}");
    }
    assert_eq!(climate("plane", "north = 60\nsouth = 20"), "nothing");
}

#[test]
fn an_own_map_gets_a_climate() {
    let text = "version = 1\nsize = [65, 33]\nspacing = [600000, 600000]\ntopology = \"sphere\"\n\
        [[stage]]\nkind = \"heightmap\"\nfile = \"map\"\n\
        [[stage]]\nkind = \"sea_level\"\nocean = 60\n\
        [[stage]]\nkind = \"climate\"\n[[stage]]\nkind = \"biomes\"\n";
    let mut inputs = Inputs::default();
    // Few grays: many samples are exactly as high as the sea will be.
    let samples = Grid::from_fn(64, 32, |i, j| (((i / 6) * 3 + (j / 5) * 5) % 8) as f32 * 300.0);
    inputs.insert("map", Raster { samples, meaning: Meaning::Values });
    let plan = Recipe::parse(text).unwrap().resolve(&inputs).unwrap();
    let terrain = plan.run(&plan.lattice().whole(), &()).unwrap();
    let found = WorldStatistics::of(&terrain);
    assert!((found.land - 0.4).abs() < 0.01, "{}", found.land);
    assert!(
        found.biomes.iter().filter(|(_, share)| *share > 0.0).count() > 6,
        "{:?}",
        found.biomes
    );
}

#[test]
fn odd_parameters_are_defined_or_told() {
    let start =
        "version = 1\nsize = [33, 17]\nspacing = [1000000, 1000000]\ntopology = \"sphere\"\n";
    let rest = "[[stage]]\nkind = \"climate\"\n[[stage]]\nkind = \"biomes\"\n";
    let world = |plates: &str, ocean: &str| {
        format!(
            "{start}[[stage]]\nkind = \"plates\"\n{plates}\n[[stage]]\nkind = \"sea_level\"\nocean = {ocean}\n{rest}"
        )
    };
    let none = Recipe::parse(&world("plates = 0", "71")).unwrap_err().to_string();
    assert!(none.contains("plates") && none.contains('0'), "{none}");
    let many = Recipe::parse(&world("plates = 1000", "71")).unwrap();
    let many = many.resolve(&Inputs::default()).unwrap_err().to_string();
    assert!(many.contains("1000") && many.contains("cells"), "{many}");
    let dry = WorldStatistics::of(&run(&world("plates = 5", "0")));
    assert!((dry.land - 1.0).abs() < 1e-9);
    let wet = WorldStatistics::of(&run(&world("plates = 5", "100")));
    assert_eq!(wet.land, 0.0);
    for topology in ["sphere", "torus", "cylinder", "plane"] {
        for size in ["[1, 1]", "[2, 2]", "[5, 3]"] {
            let text = world("plates = 1\nsteps = 3", "50")
                .replace("\"sphere\"", &format!("\"{topology}\""))
                .replace("[33, 17]", size);
            if size == "[1, 1]" && ["torus", "cylinder"].contains(&topology) {
                let error = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap_err();
                assert!(error.to_string().contains("2 samples"), "{error}");
                continue;
            }
            let terrain = run(&text);
            let is_finite = |grid: &Grid| grid.samples().iter().all(|s| s.is_finite());
            assert!(terrain.layers().all(|(_, grid)| is_finite(grid)), "{topology} {size}");
        }
    }
    let without = format!("{start}[[stage]]\nkind = \"biomes\"\n");
    let error = Recipe::parse(&without).unwrap().resolve(&Inputs::default()).unwrap_err();
    assert!(error.to_string().contains("climate"), "{error}");
}

const SMALL: &str = "version = 1\nseed = 3\nsize = [97, 49]\nspacing = [400000, 400000]\n\
    topology = \"sphere\"\n[[stage]]\nkind = \"plates\"\nplates = 7\nsteps = 12\n\
    [[stage]]\nkind = \"sea_level\"\n[[stage]]\nkind = \"climate\"\n[[stage]]\nkind = \"biomes\"\n";

#[test]
fn tiles_and_threads_and_topologies_agree() {
    for topology in ["sphere", "torus", "cylinder", "plane"] {
        let text = SMALL.replace("\"sphere\"", &format!("\"{topology}\""));
        let text = text.replace("size =", "resolution = [193, 91]\nsize =");
        let whole = run(&text);
        for [i, j, w, h] in [[0, 0, 40, 20], [150, 60, 43, 31], [77, 13, 1, 60]] {
            let plan = plan_of(&text);
            let window = plan.lattice().window(i, j, w, h).unwrap();
            assert!(plan.run(&window, &()).unwrap() == whole.crop(&window), "{topology} {i} {j}");
        }
        let one = landform::par::with_threads(1, || run(&text)).unwrap();
        let five = landform::par::with_threads(5, || run(&text)).unwrap();
        assert!(one == whole && five == whole, "{topology}");
    }
}

/// The report's model, on a small map.
const REPORT: &str = "version = 1\nseed = 3\nsize = [97, 49]\nspacing = [400000, 400000]\n\
    topology = \"torus\"\n[[stage]]\nkind = \"plates\"\nmodel = \"report\"\nplates = 7\nsteps = 12\n\
    [[stage]]\nkind = \"sea_level\"\nocean = 60\n[[stage]]\nkind = \"climate\"\ntemperature = \"drawn\"\n\
    rain = \"inland\"\n[[stage]]\nkind = \"biomes\"\nchart = \"linear\"\n";

#[test]
fn tiles_threads_and_topologies_of_the_report_agree() {
    for topology in ["torus", "cylinder", "plane"] {
        let text = REPORT.replace("\"torus\"", &format!("\"{topology}\""));
        for layout in ["frontier", "voronoi"] {
            let text = text.replace("plates = 7", &format!("plates = 7\nlayout = \"{layout}\""));
            let fine = text.replace("size =", "resolution = [193, 91]\nsize =");
            let whole = run(&fine);
            for [i, j, w, h] in [[0, 0, 40, 20], [150, 60, 43, 31], [77, 13, 1, 60]] {
                let plan = plan_of(&fine);
                let window = plan.lattice().window(i, j, w, h).unwrap();
                let tile = plan.run(&window, &()).unwrap();
                assert!(tile == whole.crop(&window), "{topology} {layout} {i} {j}");
            }
            let one = landform::par::with_threads(1, || run(&fine)).unwrap();
            let five = landform::par::with_threads(5, || run(&fine)).unwrap();
            assert!(one == whole && five == whole, "{topology} {layout}");
        }
    }
}

#[test]
fn a_finer_map_of_the_report_is_the_same_between_its_pixels() {
    let [own, fine] = ["", "resolution = [193, 97]\n"]
        .map(|line| run(&REPORT.replace("size =", &format!("{line}size ="))));
    assert_eq!(own.layer(&Layer::Plate).unwrap().range().1, 6.0);
    for j in 0..49 {
        for i in 0..97 {
            let (a, b) = (own.height()[(i, j)], fine.height()[(2 * i, 2 * j)]);
            assert!((a - b).abs() < 0.01, "{i} {j}: {a} {b}");
            let plates = [(&own, (i, j)), (&fine, (2 * i, 2 * j))]
                .map(|(terrain, at)| terrain.layer(&Layer::Plate).unwrap()[at]);
            assert_eq!(plates[0], plates[1]);
        }
    }
    // Where the map wraps, its last line is its first.
    for j in 0..49 {
        assert_eq!(own.height()[(0, j)], own.height()[(96, j)], "row {j}");
    }
    for i in 0..97 {
        assert_eq!(own.height()[(i, 0)], own.height()[(i, 48)], "column {i}");
    }
}

#[test]
fn temperatures_of_the_report_are_drawn_from_its_ranges() {
    let mut equators = Vec::new();
    for seed in 0..12 {
        let terrain = run(&REPORT.replace("seed = 3", &format!("seed = {seed}")));
        let celsius = terrain.layer(&Layer::Temperature).unwrap();
        let of_row = |row: usize| {
            let row = (0..97).map(|i| (terrain.height()[(i, row)], celsius[(i, row)]));
            row.collect::<Vec<(f32, f32)>>()
        };
        // At sea it is 0.8 T − 5, and no land is warmer than T nor colder by more than 20 °C.
        for (row, [low, high]) in [(24, [30.0, 40.0]), (0, [-15.0, -10.0])] {
            let row = of_row(row);
            let at_sea = row.iter().find(|(height, _)| *height <= 0.0).map(|(_, celsius)| *celsius);
            let Some(at_sea) = at_sea else { continue };
            let zonal = (at_sea + 5.0) / 0.8;
            assert!((low - 0.01..=high + 0.01).contains(&zonal), "seed {seed}: {zonal}");
            for (_, celsius) in row.iter().filter(|(height, _)| *height > 0.0) {
                assert!((zonal - 20.01..=zonal + 0.01).contains(celsius), "seed {seed}: {celsius}");
            }
            if low > 0.0 {
                equators.push(zonal);
            }
        }
    }
    equators.sort_by(f32::total_cmp);
    assert!(equators[equators.len() - 1] - equators[0] > 3.0, "{equators:?}");
}

/// The rain by distance of section 2.5.2, from the formula alone: metres to every pixel are compared.
fn expected_rain(ground: &Grid, [nx, nz]: [usize; 2], wraps: [bool; 2], spacing: [f64; 2]) -> Grid {
    let is_sea = |i: usize, j: usize| ground[(i % nx, j % nz)] <= 0.0;
    let step = |k: usize, by: isize, count: usize, wraps: bool| {
        let k = k as isize + by;
        if wraps {
            Some(k.rem_euclid(count as isize))
        } else {
            (0..count as isize).contains(&k).then_some(k)
        }
    };
    let is_coast = |i: usize, j: usize| {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().any(|(di, dj)| {
            step(i, di, nx, wraps[0])
                .zip(step(j, dj, nz, wraps[1]))
                .is_some_and(|(i, j)| is_sea(i as usize, j as usize))
        })
    };
    let pixels = || (0..nz).flat_map(|j| (0..nx).map(move |i| (i, j)));
    let coast: Vec<(usize, usize)> =
        pixels().filter(|&(i, j)| !is_sea(i, j) && is_coast(i, j)).collect();
    let way = |a: usize, b: usize, count: usize, wraps: bool| {
        let way = a.abs_diff(b);
        if wraps { way.min(count - way) } else { way }
    };
    let depth = (ground.height() - 1) as f64 * spacing[1];
    Grid::from_fn(ground.width(), ground.height(), |i, j| {
        let (i, row) = (i % nx, j % nz);
        if is_sea(i, row) {
            return 450.0;
        }
        let metres = |&(a, b): &(usize, usize)| {
            let dx = way(i, a, nx, wraps[0]) as f64 * spacing[0];
            math::length(dx, way(row, b, nz, wraps[1]) as f64 * spacing[1])
        };
        let d = coast.iter().map(metres).fold(f64::MAX, f64::min);
        // e is 1 on the equator and 0 at both poles, which are the same line of a torus.
        let e = 1.0 - (2.0 * j as f64 / (ground.height() - 1) as f64 - 1.0).abs();
        let rain = e * e * (450.0 - 225.0) - 50.0 + 225.0 / 0.5 / (32.0 * d / depth + 1.0);
        rain.max(0.0) as f32
    })
}

#[test]
fn rain_by_distance_is_the_formula_of_the_report_pixel_by_pixel() {
    for (topology, wraps, pixels) in [
        ("torus", [true, true], [40, 26]),
        ("cylinder", [true, false], [40, 27]),
        ("plane", [false, false], [41, 27]),
    ] {
        let text = format!(
            "version = 1\nsize = [41, 27]\nspacing = [500000, 700000]\ntopology = \"{topology}\"\n\
             [[stage]]\nkind = \"heightmap\"\nfile = \"map\"\n\
             [[stage]]\nkind = \"climate\"\nrain = \"inland\"\n"
        );
        // Two continents, one of them over both seams, and an island of one pixel.
        let height = |i: usize, j: usize| {
            let (i, j) = (i % pixels[0], j % pixels[1]);
            let is_land = (12..29).contains(&i) && (5..20).contains(&j) && (i + 2 * j) % 11 != 0;
            let is_over_seams = !(7..36).contains(&i) && !(4..23).contains(&j);
            if is_land || is_over_seams || (i, j) == (9, 14) { 300.0 } else { -2000.0 }
        };
        let samples = Grid::from_fn(41, 27, height);
        let mut inputs = Inputs::default();
        let expected = expected_rain(&samples, pixels, wraps, [500e3, 700e3]);
        inputs.insert("map", Raster { samples, meaning: Meaning::Values });
        let plan = Recipe::parse(&text).unwrap().resolve(&inputs).unwrap();
        let terrain = plan.run(&plan.lattice().whole(), &()).unwrap();
        let rain = terrain.layer(&Layer::Precipitation).unwrap();
        for (i, j) in (0..27).flat_map(|j| (0..41).map(move |i| (i, j))) {
            // The two lines of a torus that are one pixel have the rain of their latitude, which is the same.
            let (found, expected) = (rain[(i, j)], expected[(i, j)]);
            assert!((found - expected).abs() < 1e-2, "{topology} {i} {j}: {found} {expected}");
        }
    }
}

#[test]
fn parameters_of_the_other_model_are_refused_with_their_place() {
    let error_of = |text: &str| match Recipe::parse(text) {
        Err(error) => error.in_recipe(text).to_string(),
        Ok(recipe) => recipe
            .resolve(&Inputs::default())
            .map_or_else(|error| error.in_recipe(text).to_string(), |_| "nothing".to_owned()),
    };
    let with = |line: &str| error_of(&REPORT.replace("plates = 7", &format!("plates = 7\n{line}")));
    assert_eq!(
        with("clustering = 0.2"),
        "stage 1 (plates): clustering is 0.2, but it counts only with `model` = \"drift\", not \"report\": leave it out, \
         at line 10, column 14"
    );
    assert!(with("belts = []").contains("belts is an empty list, but it counts only"), "belts");
    // Files that list all parameters with their defaults stay right.
    assert_eq!(with("clustering = 0.72\nmountains = 1\nhot_spots = 10"), "nothing");
    let own = REPORT.replace("model = \"report\"", "minimum = -3000");
    assert!(
        error_of(&own).contains("minimum is -3000, but it counts only with `model` = \"report\"")
    );
    assert_eq!(with("minimum = -3000"), "nothing");
    let sphere = error_of(&REPORT.replace("torus", "sphere"));
    assert!(
        sphere.contains("model is \"report\", but this model moves plates on a flat map"),
        "{sphere}"
    );
    let climate = error_of(&REPORT.replace("\"drawn\"", "\"drawn\"\nequator = 20"));
    assert!(
        climate.contains("equator is 20, but it counts only with `temperature` = \"given\""),
        "{climate}"
    );
    let many = error_of(&REPORT.replace("[97, 49]", "[3, 3]"));
    assert!(many.contains("plates is 7, but a map of 3 × 3 samples has 4 pixels"), "{many}");
}

/// Cancels after some number of questions.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn is_cancelled(&self) -> bool {
        let ask = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, ask).is_err()
    }
}

#[test]
fn a_world_can_be_cancelled_in_every_phase() {
    let expected = run(SMALL);
    let plan = plan_of(SMALL);
    let (mut cancelled, mut patience) = (0, 0);
    while patience < 100_000 {
        match plan.run(&plan.lattice().whole(), &Impatient(AtomicU32::new(patience))) {
            Err(Cancelled) => {
                cancelled += 1;
                patience += 1 + patience / 16;
            }
            Ok(terrain) => {
                assert!(cancelled > 30, "{cancelled}");
                assert!(terrain == expected);
                return;
            }
        }
    }
    panic!("the run never ends");
}

#[test]
fn what_wraps_has_no_seam() {
    let torus = run(&SMALL.replace("sphere", "torus"));
    let height = torus.height();
    for j in 0..49 {
        assert!((height[(0, j)] - height[(96, j)]).abs() < 1.0, "row {j}");
    }
    for i in 0..97 {
        assert!((height[(i, 0)] - height[(i, 48)]).abs() < 1.0, "column {i}");
    }
    let sphere = run(SMALL);
    let height = sphere.height();
    for j in 0..49 {
        assert!((height[(0, j)] - height[(96, j)]).abs() < 1.0, "row {j}");
    }
    for i in 1..97 {
        assert!((height[(i, 0)] - height[(0, 0)]).abs() < 1.0, "the pole is one place");
    }
}
