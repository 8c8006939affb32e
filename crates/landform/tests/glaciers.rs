//! What ice does to river-carved land.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::sync::LazyLock;

use landform::analysis::valley_profile::{Search, median_exponent, valley_profiles};
use landform::{Grid, Inputs, Layer, Recipe, Terrain};

/// A range whose valleys are half a kilometre wide.
const RANGE: &str = r#"
version = 1
seed = 7
size = [513, 513]
spacing = [30.0, 30.0]
[[stage]]
kind = "plane"
height = 2000
[[stage]]
kind = "peaks"
peaks = [[200, 560, 500, 11000], [520, 470, 800, 11000], [840, 500, 600, 11000]]
divisor = 1
[[stage]]
kind = "noise"
wavelength = 6000
amplitude = 350
octaves = 4
[[stage]]
kind = "evolve"
relief = 1700
diffusivity = 0.04
deposition = 0.3
detail = 0.7
"#;
const GLACIERS: &str = "[[stage]]\nkind = \"glaciers\"\n";

/// The land before the ice, and after it; then some of the ice is left.
static RIVERS: LazyLock<Terrain> = LazyLock::new(|| run(RANGE));
static ICE: LazyLock<Terrain> =
    LazyLock::new(|| run(&format!("{RANGE}{GLACIERS}last_line = 1100\n")));

fn run(text: &str) -> Terrain {
    let recipe = Recipe::parse(text).unwrap();
    let plan = recipe.resolve(&Inputs::default()).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

fn flow() -> &'static Grid {
    RIVERS.layer(&Layer::Flow).unwrap()
}

/// Sections across valleys that glaciers have filled, and their median exponent.
fn exponent(terrain: &Terrain) -> (usize, f64) {
    let search = Search { least_area: 1e6, least_wall: 150.0, reach: 1500.0 };
    let lattice = *terrain.extent().lattice();
    let mut profiles = valley_profiles(terrain.height(), flow(), &lattice, &search);
    profiles.retain(|profile| {
        let [i, j] = profile.place.map(|length| (length / 30.0) as usize);
        RIVERS.height()[(i, j)] > 600.0
    });
    (profiles.len(), median_exponent(&profiles).unwrap())
}

#[test]
fn valleys_of_rivers_are_v_shaped_and_troughs_of_ice_are_u_shaped() {
    let (count, v) = exponent(&RIVERS);
    assert!(count >= 100 && (0.8..1.4).contains(&v), "{count} sections, {v}");
    let (count, u) = exponent(&ICE);
    assert!(count >= 100 && (1.7..2.4).contains(&u), "{count} sections, {u}");
}

#[test]
fn tributaries_hang_above_trunks() {
    let (before, after) = (RIVERS.height(), ICE.height());
    let rises: Vec<f32> = confluences(before, flow())
        .into_iter()
        .map(|[trunk, tributary]| {
            (after[tributary] - after[trunk]) - (before[tributary] - before[trunk])
        })
        .collect();
    let share = |is: fn(&f32) -> bool| {
        rises.iter().filter(|rise| is(rise)).count() as f64 / rises.len() as f64
    };
    let (higher, lower) = (share(|&rise| rise > 20.0), share(|&rise| rise < -20.0));
    assert!(rises.len() >= 20, "{}", rises.len());
    assert!(higher > 0.4 && lower < 0.1, "{higher} {lower}");
}

/// Columns and rows of a sample.
type Place = (usize, usize);

/// Where small streams meet rivers high up: a place of the river, and one six samples up the stream.
fn confluences(height: &Grid, flow: &Grid) -> Vec<[Place; 2]> {
    let around = |at: Place| {
        let near = move |k: usize| (at.0 + k % 3 - 1, at.1 + k / 3 - 1);
        (0..9).map(near).filter(move |&next| next != at)
    };
    let most = |a: &Place, b: &Place| flow[*a].total_cmp(&flow[*b]);
    let mut found = Vec::new();
    for j in 12..501 {
        for i in 12..501 {
            let trunk = around((i, j)).max_by(most).unwrap();
            let here = flow[(i, j)];
            if here < 3e5 || flow[trunk] < 4.0 * here || height[trunk] < 500.0 {
                continue;
            }
            let mut at = (i, j);
            for _ in 0..6 {
                let donors = around(at).filter(|&next| flow[next] < flow[at]);
                at = donors.max_by(most).unwrap_or(at);
            }
            found.push([trunk, at]);
        }
    }
    found
}

#[test]
fn ice_is_left_where_the_last_line_is_given() {
    let none = run(&format!("{RANGE}{GLACIERS}"));
    assert!(none.layer(&Layer::Ice).unwrap().samples().iter().all(|&ice| ice == 0.0));
    let (ice, height) = (ICE.layer(&Layer::Ice).unwrap(), ICE.height());
    let iced: Vec<f32> = (0..ice.samples().len())
        .filter(|&k| ice.samples()[k] > 10.0)
        .map(|k| height.samples()[k])
        .collect();
    let share = iced.len() as f64 / ice.samples().len() as f64;
    assert!((0.005..0.5).contains(&share), "{share}");
    // Its bed is the ground: the same with ice on it and without.
    assert_eq!(none.height(), height);
    assert!(iced.iter().all(|&height| height > 500.0));
}
