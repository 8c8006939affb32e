//! What ice does to river-carved land.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use landform::analysis::valley_profile::{Search, median_exponent, valley_profiles};
use landform::{Grid, Inputs, Layer, Recipe, Terrain};

/// A range whose valleys are a kilometre wide.
const RANGE: &str = r#"
version = 1
seed = 4
size = [257, 257]
spacing = [40.0, 40.0]
[[stage]]
kind = "plane"
height = 2000
[[stage]]
kind = "peaks"
peaks = [[60, 140, 500, 6000], [130, 118, 800, 6000], [210, 125, 600, 6000]]
divisor = 1
[[stage]]
kind = "noise"
wavelength = 5000
amplitude = 350
octaves = 4
[[stage]]
kind = "evolve"
relief = 1800
diffusivity = 0.04
deposition = 0.3
"#;
const GLACIERS: &str = "[[stage]]\nkind = \"glaciers\"\n";
const LINE: f32 = 900.0;

fn run(text: &str) -> Terrain {
    let recipe = Recipe::parse(text).unwrap();
    let plan = recipe.resolve(&Inputs::default()).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

fn glaciated(more: &str) -> Terrain {
    run(&format!("{RANGE}{GLACIERS}equilibrium_line = {LINE}\n{more}"))
}

/// Sections across valleys whose floors were well above the snouts of the glaciers, and their median exponent.
fn exponent(terrain: &Terrain, flow: &Grid, before: &Grid) -> (usize, f64) {
    let search = Search { least_area: 8e5, least_wall: 120.0, reach: 1200.0 };
    let lattice = *terrain.extent().lattice();
    let mut profiles = valley_profiles([terrain.height(), flow], &lattice, &search);
    profiles.retain(|profile| {
        let [i, j] = [0, 1].map(|k| (profile.place[k] / 40.0) as usize);
        before[(i, j)] > LINE - 200.0
    });
    (profiles.len(), median_exponent(&profiles).unwrap())
}

#[test]
fn valleys_of_rivers_are_v_shaped_and_troughs_of_ice_are_u_shaped() {
    let (rivers, ice) = (run(RANGE), glaciated(""));
    let flow = rivers.layer(&Layer::Flow).unwrap();
    let (count, v) = exponent(&rivers, flow, rivers.height());
    assert!(count >= 100 && (0.8..1.4).contains(&v), "{count} sections, {v}");
    let (count, u) = exponent(&ice, flow, rivers.height());
    assert!(count >= 100 && (1.6..2.4).contains(&u), "{count} sections, {u}");
}

#[test]
fn tributaries_hang_above_trunks() {
    let (rivers, ice) = (run(RANGE), glaciated(""));
    let flow = rivers.layer(&Layer::Flow).unwrap();
    let (before, after) = (steps(&rivers, flow), steps(&ice, flow));
    let high = |steps: &[f32]| steps.iter().filter(|&&step| step > 50.0).count();
    assert!(before.len() >= 20, "{}", before.len());
    assert!(high(&after) >= 4 + 2 * high(&before), "{} {}", high(&before), high(&after));
}

/// How far the floors of tributaries five samples above their mouths stand over the trunk.
fn steps(terrain: &Terrain, flow: &Grid) -> Vec<f32> {
    let height = terrain.height();
    let mut steps = Vec::new();
    for j in 9..247 {
        for i in 9..247 {
            let here = flow[(i, j)];
            let neighbours = |at: (usize, usize)| {
                let around = move |k: usize| (at.0 + k % 3 - 1, at.1 + k / 3 - 1);
                (0..9).map(around).filter(move |&next| next != at)
            };
            let trunk = neighbours((i, j)).max_by(|&a, &b| flow[a].total_cmp(&flow[b])).unwrap();
            let is_mouth =
                here > 4e5 && flow[trunk] > 4.0 * here && height_of(terrain, trunk) > 300.0;
            if !is_mouth {
                continue;
            }
            let mut at = (i, j);
            for _ in 0..5 {
                let donors = neighbours(at).filter(|&next| flow[next] < flow[at]);
                at = donors.max_by(|&a, &b| flow[a].total_cmp(&flow[b])).unwrap();
            }
            steps.push(height[at] - height[trunk]);
        }
    }
    steps
}

fn height_of(terrain: &Terrain, at: (usize, usize)) -> f32 {
    terrain.height()[at]
}

#[test]
fn ice_is_left_where_the_last_line_is_given() {
    let none = glaciated("");
    assert!(none.layer(&Layer::Ice).unwrap().samples().iter().all(|&ice| ice == 0.0));
    let some = glaciated("last_line = 1150\n");
    let (ice, height) = (some.layer(&Layer::Ice).unwrap(), some.height());
    let iced: Vec<f32> = (0..ice.samples().len())
        .filter(|&k| ice.samples()[k] > 20.0)
        .map(|k| height.samples()[k])
        .collect();
    let share = iced.len() as f64 / ice.samples().len() as f64;
    assert!((0.005..0.5).contains(&share), "{share}");
    // Its bed is the ground: the same with ice on it and without.
    assert_eq!(none.height(), some.height());
    assert!(iced.iter().all(|&height| height > 400.0));
}
