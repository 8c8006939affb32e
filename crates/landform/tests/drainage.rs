//! What real land shows, and evolved land too, whatever the seed.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use landform::analysis::statistics::Statistics;
use landform::drainage::statistics::Drainage;
use landform::{Inputs, Recipe, Terrain};

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
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (f64::from(a) - mean_a, f64::from(b) - mean_b);
        (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
    }
    let correlation = ab / (aa * bb).sqrt();
    assert!(correlation > 0.85 && a != b, "{correlation}");
    // Both have the summit that was asked for. Hills that the coarse lattice has no room for are missing.
    let highest = |h: &[f32]| h.iter().fold(0.0_f32, |most, &h| most.max(h));
    assert!((highest(a) / 1700.0 - 1.0).abs() < 0.02, "{}", highest(a));
    assert!((highest(b) / 1700.0 - 1.0).abs() < 0.02, "{}", highest(b));
    assert!((0.9..1.0).contains(&(mean_b / mean_a)), "{mean_a} {mean_b}");
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
