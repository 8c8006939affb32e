//! The stage `evolve` at its limits: no time, long times, and directions.
//!
//! `reference/sangabriel.u16` is a piece of the San Gabriel Mountains, 97 × 97 samples in metres, from NASADEM N34W119
//! (NASA and USGS, public domain).
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use landform::analysis::statistics::Statistics;
use landform::drainage::statistics::Drainage;
use landform::{Grid, Inputs, Meaning, Raster, Recipe, Terrain};

/// Metres between the samples of the real land.
const SPACING: [f64; 2] = [25.5, 30.8];

fn real_land() -> Grid {
    let bytes = include_bytes!("reference/sangabriel.u16");
    let metres =
        bytes.chunks_exact(2).map(|pair| f32::from(u16::from_le_bytes([pair[0], pair[1]])));
    Grid::from_vec(97, 97, metres.collect())
}

/// Real land that evolves, on a lattice of this size over the same ground.
fn evolved_land(size: u32, parameters: &str) -> Terrain {
    let [dx, dz] = SPACING;
    run(&format!(
        "version = 1\nseed = 3\nsize = [97, 97]\nspacing = [{dx}, {dz}]\nresolution = [{size}, {size}]\n\
         [[stage]]\nkind = \"heightmap\"\nfile = \"land\"\n\
         [[stage]]\nkind = \"evolve\"\nstart = 1\n{parameters}\n"
    ))
}

fn run(text: &str) -> Terrain {
    let mut inputs = Inputs::default();
    inputs.insert("land", Raster { samples: real_land(), meaning: Meaning::Values });
    let plan = Recipe::parse(text).unwrap().resolve(&inputs).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

/// Root of the mean square of the difference.
fn rms(a: &Grid, b: &Grid) -> f64 {
    let squares = a.samples().iter().zip(b.samples()).map(|(&a, &b)| f64::from(a - b));
    (squares.map(|off| off * off).sum::<f64>() / a.samples().len() as f64).sqrt()
}

#[test]
fn as_the_years_go_to_0_the_ground_stays_as_it_was() {
    let land = real_land();
    for more in ["uplift = 0", "uplift = 1\nlevels = 1", "uplift = 1\nsteps = 3\ndeposition = 1"] {
        let off =
            |years: u32| rms(evolved_land(97, &format!("years = {years}\n{more}")).height(), &land);
        let found = [1, 10, 100, 1000, 10_000].map(off);
        assert!(found[0] < 0.005 && found[4] < 15.0, "{more}: {found:?}");
        for pair in found.windows(2).skip(1) {
            // About linear: ten times the years, ten times the change.
            assert!((6.0..14.0).contains(&(pair[1] / pair[0])), "{more}: {found:?}");
        }
    }
}

#[test]
fn steep_land_is_not_worn_below_the_level_that_rivers_run_to() {
    // Peaks that rise a kilometre within a sample of the coarsest lattice, beside low hills.
    let hills = "version = 1\nsize = [129, 129]\nspacing = [15, 15]\n\
         [[stage]]\nkind = \"uplift\"\npeaks = 200\ny_min = 30\ny_max = 1500\ndivisor = 5\n";
    let range = "[[stage]]\nkind = \"uplift\"\nlabel = \"range\"\npeaks = 300\ny_min = 400\ny_max = 8000\nruggedness = 4\n\
         ruggedness_max = 20\ndivisor = 12\n\
         region = { kind = \"rectangle\", from = [1000, -200], to = [2200, 2200] }\n";
    let evolve = "[[stage]]\nkind = \"evolve\"\nstart = 1\nuplift = 2.5\nyears = 300000\nerodibility = 2e-5\n";
    for seed in 1..4 {
        let ground = run(&format!("seed = {seed}\n{hills}{range}"));
        let worn = run(&format!("seed = {seed}\n{hills}{range}{evolve}"));
        let (before, after) = (ground.height().range(), worn.height().range());
        assert!(before.1 > 1000.0 && after.0 > -0.01, "{seed}: {before:?} {after:?}");
    }
}

#[test]
fn without_time_the_sea_the_preview_and_finer_output_are_as_they_were_too() {
    let years = "uplift = 1\nyears = 1";
    let preview = evolved_land(97, &format!("{years}\npreview = 2"));
    assert!(rms(preview.height(), &real_land()) < 0.01);
    let plain =
        run("version = 1\nsize = [97, 97]\nspacing = [25.5, 30.8]\nresolution = [193, 193]\n\
         [[stage]]\nkind = \"heightmap\"\nfile = \"land\"\n");
    assert!(rms(evolved_land(193, years).height(), plain.height()) < 0.01);
    let ground = "version = 1\nsea_level = 1000\nsize = [97, 97]\nspacing = [25.5, 30.8]\n\
         [[stage]]\nkind = \"heightmap\"\nfile = \"land\"\n";
    for sea in [true, false] {
        let evolved =
            format!("{ground}[[stage]]\nkind = \"evolve\"\nstart = 1\n{years}\nsea = {sea}\n");
        assert!(rms(run(&evolved).height(), &real_land()) < 0.01, "sea = {sea}");
    }
}

#[test]
fn after_a_long_time_nothing_is_left_of_the_ground_that_came_in() {
    let land = |start: u32, seed: u32| {
        let terrain = run(&format!(
            "version = 1\nseed = {seed}\nsize = [129, 129]\nspacing = [40, 40]\nsea_level = 0\n\
             [[stage]]\nkind = \"plane\"\nheight = 600\n\
             [[stage]]\nkind = \"noise\"\nwavelength = 900\namplitude = 300\noctaves = 5\n\
             [[stage]]\nkind = \"evolve\"\nstart = {start}\nlift = \"height\"\nerodibility = 2e-5\nyears = 4000000\n"
        ));
        (Drainage::of(&terrain), Statistics::of(&terrain))
    };
    // A land this small has a concavity that is a fifth off at some seeds: the means of four are compared.
    let means = |start: u32| {
        let mut sums = [0.0; 4];
        for seed in 5..9 {
            let (drained, heights) = land(start, seed);
            assert!(drained.pits < 1.0, "{drained:?}");
            let found = [
                heights.slope_mean,
                drained.concavity.unwrap(),
                drained.spectral_slope_short.unwrap(),
                drained.drainage_density,
            ];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += 0.25 * found);
        }
        sums
    };
    // Which brooks have just enough samples to count differs from one network to the next.
    let tolerances = [0.1, 0.1, 0.1, 0.15];
    for (k, (found, expected)) in means(1).into_iter().zip(means(0)).enumerate() {
        assert!((found / expected - 1.0).abs() < tolerances[k], "{k}: {found} {expected}");
    }
}

/// An island with a round coast, so that the border of the lattice prefers no direction.
fn island(seed: u32, spacing: [f64; 2]) -> Terrain {
    let [dx, dz] = spacing;
    let side = (256.0 * dx / dz) as u32 + 1;
    let [center, radius] = [128.0 * dx, 119.0 * dx];
    run(&format!(
        "version = 1\nseed = {seed}\nsize = [257, {side}]\nspacing = [{dx}, {dz}]\n\
         [[stage]]\nkind = \"plane\"\nheight = -50\n\
         [[stage]]\nkind = \"plane\"\nlabel = \"land\"\nheight = 500\n\
         mask = {{ kind = \"region\", region = {{ kind = \"circle\", center = [{center}, {center}], radius = {radius} }} }}\n\
         [[stage]]\nkind = \"evolve\"\nrelief = 1500\noutlets = []\n"
    ))
}

#[test]
fn slopes_of_evolved_land_prefer_no_direction_of_the_lattice() {
    for spacing in [[40.0, 40.0], [30.0, 40.0]] {
        let seeds = 4;
        let mut means = [0.0; 2];
        for seed in 1..=seeds {
            let drained = Drainage::of(&island(seed, spacing));
            means[0] += drained.aspect_fourth.unwrap() / f64::from(seeds);
            means[1] += drained.aspect_eighth.unwrap() / f64::from(seeds);
        }
        // Steepest descent has 0.16 in the second, and −0.06 in the first as random weights have.
        assert!(means[0].abs() < 0.03 && means[1].abs() < 0.02, "{spacing:?}: {means:?}");
    }
}

#[test]
fn hard_rock_stands_out_of_a_land_of_given_relief_and_leaves_no_plain_around_it() {
    let land = |more: &str| {
        let terrain = run(&format!(
            "version = 1\nseed = 7\nsize = [129, 129]\nspacing = [80, 80]\n\
             [[stage]]\nkind = \"plane\"\nheight = 1500\n\
             [[stage]]\nkind = \"noise\"\nwavelength = 4500\namplitude = 300\noctaves = 4\n\
             [[stage]]\nkind = \"evolve\"\nrelief = 1700\n{more}\n"
        ));
        Statistics::of(&terrain)
    };
    let mask = "mask = { kind = \"noise\", wavelength = 3000, cover = 0.2 }";
    let even = land("");
    for rock in ["granite", "clay"] {
        for deposition in [0.2, 1.0] {
            let found = land(&format!(
                "rocks = [{{ rock = \"{rock}\", {mask} }}]\ndeposition = {deposition}"
            ));
            let what = format!("{rock}, {deposition}: {found:?}");
            assert!((found.max / 1700.0 - 1.0).abs() < 0.05, "{what}");
            assert!((0.5..1.3).contains(&(found.mean / even.mean)), "{what}");
            assert!((0.6..1.4).contains(&(found.slope_mean / even.slope_mean)), "{what}");
        }
    }
}
