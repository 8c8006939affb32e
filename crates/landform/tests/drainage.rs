//! What real land shows, and evolved land too, whatever the seed.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use landform::analysis::statistics::Statistics;
use landform::drainage::statistics::Drainage;
use landform::{Grid, Inputs, Layer, Recipe, Terrain};

/// A range like the preset `alpine_range`, smaller.
const RANGE: &str = r#"
version = 1
size = [513, 513]
spacing = [40.0, 40.0]
[[stage]]
kind = "plane"
height = 1500
[[stage]]
kind = "peaks"
peaks = [[100, 280, 450, 8500], [260, 235, 700, 8000], [420, 250, 550, 8500]]
divisor = 1
[[stage]]
kind = "noise"
wavelength = 4500
amplitude = 120
octaves = 4
[[stage]]
kind = "evolve"
relief = 1700
"#;

fn built(seed: u64) -> Terrain {
    run(&format!("seed = {seed}\n{RANGE}"))
}

fn run(text: &str) -> Terrain {
    let recipe = Recipe::parse(text).unwrap();
    let plan = recipe.resolve(&Inputs::default()).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

#[test]
fn mountains_of_any_seed_are_drained_as_real_ones_are() {
    for seed in 1..=4 {
        let terrain = built(seed);
        let (drained, heights) = (Drainage::of(&terrain), Statistics::of(&terrain));
        let is_within = |name: &str, value: f64, [low, high]: [f64; 2]| {
            let what = format!("seed {seed}: {name} is {value:.3}, not in {low} to {high}");
            assert!((low..=high).contains(&value), "{what}\n{drained:?}\n{heights:?}");
        };
        is_within("pits", drained.pits, [0.0, 1.0]);
        is_within("Hack exponent", drained.hack.unwrap(), [0.43, 0.60]);
        is_within("concavity", drained.concavity.unwrap(), [0.35, 0.55]);
        is_within("fit of concavity", drained.concavity_fit.unwrap(), [0.95, 1.0]);
        is_within("bifurcation ratio", drained.bifurcation_ratio.unwrap(), [3.0, 5.0]);
        is_within("length ratio", drained.length_ratio.unwrap(), [1.8, 2.8]);
        is_within("area exponent", drained.area_exponent.unwrap(), [0.43, 0.61]);
        is_within("hypsometric integral", heights.hypsometric_integral, [0.34, 0.73]);
        is_within("95th percentile of slope", heights.slope_95, [20.0, 47.0]);
        is_within("depth of hollows upside down", drained.inverted_depth.unwrap(), [100.0, 1e9]);
        let (short, long) =
            (drained.spectral_slope_short.unwrap(), drained.spectral_slope_long.unwrap());
        is_within("spectral slope at short wavelengths", short, [3.5, 6.0]);
        is_within("spectral slope at long wavelengths", long, [2.0, 4.0]);
        is_within("difference of spectral slopes", short - long, [0.5, 4.0]);
    }
}

#[test]
fn a_preview_has_the_same_large_valleys() {
    let range = RANGE.replace("513, 513", "257, 257");
    let (whole, preview) = (run(&range), run(&format!("{range}preview = 2\n")));
    let (a, b) = (whole.height().samples(), preview.height().samples());
    let mean = |h: &[f32]| h.iter().map(|&h| f64::from(h)).sum::<f64>() / h.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let correlation = correlation(a, b);
    assert!(correlation > 0.85 && a != b, "{correlation}");
    // Both have the summit that was asked for. Hills that the coarse lattice has no room for are missing.
    let highest = |h: &[f32]| h.iter().fold(0.0_f32, |most, &h| most.max(h));
    assert!((highest(a) / 1700.0 - 1.0).abs() < 0.02, "{}", highest(a));
    assert!((highest(b) / 1700.0 - 1.0).abs() < 0.02, "{}", highest(b));
    assert!((0.9..1.0).contains(&(mean_b / mean_a)), "{mean_a} {mean_b}");
}

/// How alike the ups and downs of two lists of heights are: 1 is the same.
fn correlation(a: &[f32], b: &[f32]) -> f64 {
    let mean = |h: &[f32]| h.iter().map(|&h| f64::from(h)).sum::<f64>() / h.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (f64::from(a) - mean_a, f64::from(b) - mean_b);
        (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
    }
    ab / (aa * bb).sqrt()
}

/// Every so many samples of a grid along both axes.
fn every(grid: &Grid, step: usize) -> Vec<f32> {
    let rows = (0..grid.height()).step_by(step);
    rows.flat_map(|j| grid.row(j).iter().step_by(step).copied()).collect()
}

#[test]
fn a_preview_on_fewer_grid_lines_is_what_the_whole_run_knows_before_it_gets_finer() {
    let range = RANGE.replace("513, 513", "257, 257");
    let whole = run(&range);
    let quick = run(&format!("preview = 65\n{range}"));
    assert_eq!((quick.height().width(), quick.height().height()), (65, 65));
    let left_out = run(&format!("{range}preview = 2\n"));
    let same = correlation(quick.height().samples(), &every(left_out.height(), 4));
    assert!(same > 0.99, "{same}");
    let alike = correlation(quick.height().samples(), &every(whole.height(), 4));
    assert!(alike > 0.85, "{alike}");
    // On more samples it is the same land.
    let fine = run(&format!("preview = 65\nresolution = [257, 257]\n{range}"));
    assert_eq!(fine.height().width(), 257);
    assert!(correlation(quick.height().samples(), &every(fine.height(), 4)) > 0.999);
}

/// Hills and one high mountain whose place is to be filled in; rivers carve both.
fn mountain(at: [u32; 2], more: &str) -> Terrain {
    run(&format!(
        "version = 1\nseed = 3\nsize = [257, 257]\nspacing = [60, 60]\n{more}\n\
         [[stage]]\nkind = \"uplift\"\npeaks = 60\ny_min = 100\ny_max = 1500\ndivisor = 4\n\
         [[stage]]\nkind = \"peaks\"\npeaks = [[{}, {}, 1500, 4000]]\ndivisor = 1\n\
         [[stage]]\nkind = \"evolve\"\nstart = 1\nuplift = 1.5\nyears = 1000000\nerodibility = 1.2e-5\n",
        at[0], at[1]
    ))
}

#[test]
fn a_preview_has_the_summit_and_the_main_valleys_of_the_whole_run() {
    let mut summits = Vec::new();
    for at in [[80, 90], [170, 150]] {
        let (whole, quick) = (mountain(at, ""), mountain(at, "preview = 65"));
        let summit = |grid: &Grid| {
            let highest = grid.range().1;
            let at = grid.samples().iter().position(|&h| h == highest).unwrap();
            ([at % grid.width(), at / grid.width()], highest)
        };
        let ((fine, high), (coarse, low)) = (summit(whole.height()), summit(quick.height()));
        for axis in 0..2 {
            assert!((4 * coarse[axis]).abs_diff(fine[axis]) <= 8, "{fine:?} {coarse:?}");
        }
        // Samples 240 m apart miss the tip.
        assert!((0.8..1.05).contains(&(low / high)), "{high} {low}");
        summits.push(fine);
        // Where much water runs in the one, it does in the other, as near as the samples tell.
        let flow = |terrain: &Terrain| terrain.layer(&Layer::Flow).unwrap().clone();
        let (fine, coarse) = (flow(&whole), flow(&quick));
        let (mut found, mut all) = (0, 0);
        for j in 3..62 {
            for i in 3..62 {
                let most = |grid: &Grid, x: usize, z: usize, reach: usize| {
                    let rows = z - reach..=z + reach;
                    let row = |j: usize| grid.row(j)[x - reach..=x + reach].iter();
                    rows.flat_map(row).fold(0.0_f32, |most, &flow| most.max(flow))
                };
                let large = 8e6;
                if most(&coarse, i, j, 0) > large {
                    all += 1;
                    found += u32::from(most(&fine, 4 * i, 4 * j, 8) > 0.5 * large);
                }
            }
        }
        assert!(all > 50 && 10 * found > 7 * all, "{at:?}: {found} of {all}");
    }
    assert!(summits[0][0] + 60 < summits[1][0], "a peak that is moved moves the summit");
}

#[test]
fn what_rivers_lay_down_changes_the_land_steadily() {
    let range = RANGE.replace("513, 513", "129, 129");
    let land = |deposition: f64, steps: u32| {
        let terrain = run(&format!("{range}deposition = {deposition}\nsteps = {steps}\n"));
        let heights = Statistics::of(&terrain);
        assert!((heights.max / 1700.0 - 1.0).abs() < 0.05, "{deposition}: {heights:?}");
        heights.mean
    };
    let mut last = land(0.0, 8);
    for deposition in [0.5, 1.0, 2.0, 3.5, 5.0] {
        let (mean, finer) = (land(deposition, 8), land(deposition, 12));
        assert!((finer / mean - 1.0).abs() < 0.08, "{deposition}: {mean} {finer}");
        assert!((mean / last - 1.0).abs() < 0.25, "{deposition}: {last} {mean}");
        last = mean;
    }
}

const DELTA: &str = r#"
version = 1
seed = 4
size = [193, 193]
spacing = [60.0, 60.0]
[[stage]]
kind = "plane"
height = -10
[[stage]]
kind = "plane"
label = "land"
height = 400
mask = { kind = "gradient", from = [0, 6500], to = [0, 4500] }
[[stage]]
kind = "noise"
wavelength = 5000
amplitude = 8
octaves = 3
[[stage]]
kind = "evolve"
relief = 900
outlets = []
"#;

#[test]
fn rivers_build_land_into_the_sea() {
    let (old, new) = (run(DELTA), run(&format!("{DELTA}delta_years = 20000\n")));
    let land = |terrain: &Terrain| terrain.height().samples().iter().filter(|&&h| h > 0.0).count();
    assert!(land(&new) > land(&old) + 50, "{} {}", land(&new), land(&old));
    let floor_rises = old.height().samples().iter().zip(new.height().samples());
    let lower = floor_rises.filter(|&(&old, &new)| old < -1.0 && new < old - 0.01).count();
    assert_eq!(lower, 0, "the floor of the sea only rises");
}
