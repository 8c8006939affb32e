//! The laws of erosion, as tests.

use super::{Border, Hydraulic, NamedRock, RockBody, RockKind, RockName, Sharing, Strata, Thermal};
use crate::mask::Mask;
use crate::noise::gradient_noise::gradient_noise;
use crate::recipe::Entry;
use crate::region::Region;
use crate::resample::symmetry::{SYMMETRIES, Symmetry, turned};
use crate::stage::Stage;
use crate::varying::Varying;
use crate::{Grid, Inputs, Layer, Raster, Recipe, Seed, Terrain};

/// Hills with detail of all sizes, 0 to about 600 m high.
fn hills(width: usize, height: usize, spacing: f64) -> Grid {
    let seed = Seed::new(5);
    Grid::from_fn(width, height, |i, j| {
        let at = |wavelength: f64| {
            let scale = spacing / wavelength;
            f64::from(gradient_noise(seed, i as f64 * scale + 0.3, j as f64 * scale + 0.7))
                * wavelength
        };
        (300.0 + 0.3 * (at(1000.0) + at(430.0) + at(210.0) + at(90.0) + at(40.0))) as f32
    })
}

/// Runs one stage on `ground`.
fn after(stage: Stage, ground: &Grid, spacing: [f64; 2]) -> Terrain {
    let size = [ground.width() as u32, ground.height() as u32];
    run(&recipe(vec![Entry::new(stage)], size, spacing), ground)
}

fn recipe(stages: Vec<Entry>, size: [u32; 2], spacing: [f64; 2]) -> Recipe {
    let start = "version = 1\nsize = [2, 2]\nspacing = [1, 1]\n[[stage]]\nkind = \"heightmap\"\nfile = \"ground\"";
    let mut recipe = Recipe::parse(start).unwrap();
    recipe.stages.extend(stages);
    Recipe { size, spacing, sea_level: 100.0, ..recipe }
}

fn inputs(ground: &Grid) -> Inputs {
    let mut inputs = Inputs::default();
    inputs.insert("ground", Raster { samples: ground.clone(), meaning: crate::Meaning::Values });
    inputs
}

fn run(recipe: &Recipe, ground: &Grid) -> Terrain {
    let plan = recipe.resolve(&inputs(ground)).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

fn sum(grid: &Grid) -> f64 {
    grid.samples().iter().map(|&sample| f64::from(sample)).sum()
}

fn layer<'a>(terrain: &'a Terrain, name: &str) -> &'a Grid {
    terrain.layer(&Layer::named(name).unwrap()).unwrap()
}

fn quick() -> Hydraulic {
    Hydraulic { steps: 30, rain: 0.02, levels: 2, softness: 0.03.into(), ..Hydraulic::default() }
}

const SHARINGS: [Sharing; 4] =
    [Sharing::Weighted, Sharing::InOrder, Sharing::Proportional, Sharing::Eighths];

/// The law of the paper.
fn papers() -> Hydraulic {
    Hydraulic { levels: 1, steepness: 0.0, bank_angle: 90.0, creep: 0.0, ..quick() }
}

fn turned_spacing([dx, dz]: [f64; 2], symmetry: Symmetry) -> [f64; 2] {
    if symmetry.is_transposed { [dz, dx] } else { [dx, dz] }
}

fn assert_turns(stage: &Stage, spacing: [f64; 2], size: [usize; 2]) {
    let ground = hills(size[0], size[1], spacing[0]);
    let expected = after(stage.clone(), &ground, spacing);
    assert!(expected.height() != &ground, "it does something");
    for symmetry in SYMMETRIES {
        let found =
            after(stage.clone(), &turned(&ground, symmetry), turned_spacing(spacing, symmetry));
        for (layer, grid) in expected.layers() {
            let same = found.layer(layer).unwrap() == &turned(grid, symmetry);
            assert!(same, "{layer} {symmetry:?} {stage:?}");
        }
    }
}

#[test]
fn turned_ground_is_eroded_to_the_turned_result_bit_for_bit() {
    let hard = Mask::Height { from: Some(320.0), to: None, fade: 30.0, layer: "height".into() };
    let kinds = [
        Hydraulic { levels: 3, ..quick() },
        Hydraulic { border: Border::Closed, sea: false, rain_every: 3, ..quick() },
        Hydraulic { steepness: 0.3, bank_angle: 90.0, cell: Some(17.0), ..quick() },
        Hydraulic { sharing: Sharing::Proportional, ..quick() },
        Hydraulic { sharing: Sharing::Eighths, ..quick() },
        Hydraulic { sharing: Sharing::Proportional, border: Border::Closed, ..papers() },
        Hydraulic { sharing: Sharing::Eighths, cell: Some(17.0), ..papers() },
        Hydraulic {
            rocks: vec![RockBody { rock: RockKind::Granite.into(), mask: hard }],
            strata: Some(Strata::default()),
            ..quick()
        },
    ];
    for (k, kind) in kinds.into_iter().enumerate() {
        let spacing = [[12.0, 12.0], [10.0, 15.0]][k % 2];
        assert_turns(&Stage::Hydraulic(kind), spacing, [45, 70]);
    }
}

#[test]
fn turned_cliffs_crumble_to_the_turned_result_bit_for_bit() {
    let thermal = Thermal { talus_angle: 15.0, steps: 40, levels: 3 };
    assert_turns(&Stage::Thermal(thermal), [10.0, 13.0], [45, 70]);
}

#[test]
fn altitude_and_sediment_are_kept_to_rounding_inside_a_closed_border() {
    let ground = hills(83, 66, 12.0);
    for sharing in SHARINGS {
        for (levels, cell) in [(1, None), (3, None), (1, Some(15.0)), (3, Some(15.0))] {
            let hydraulic = Hydraulic { sharing, levels, cell, border: Border::Closed, ..quick() };
            let eroded = after(Stage::Hydraulic(hydraulic), &ground, [12.0, 12.0]);
            let moved = sum(layer(&eroded, "deposition"));
            let lost = sum(eroded.height()) - sum(&ground);
            assert!(moved > 83.0 * 66.0 * 0.1, "much is moved: {moved}");
            assert!(lost.abs() < 1e-4 * moved, "{sharing:?} {levels} {cell:?}: {lost} of {moved}");
        }
    }
}

#[test]
fn an_open_border_loses_and_never_gains() {
    let ground = hills(83, 66, 12.0);
    let eroded = after(Stage::Hydraulic(quick()), &ground, [12.0, 12.0]);
    assert!(sum(eroded.height()) < sum(&ground));
}

#[test]
fn flat_ground_under_rain_stays_as_it_is() {
    let ground = Grid::filled(40, 30, 250.0);
    let stage = Stage::Hydraulic(Hydraulic { border: Border::Closed, ..quick() });
    assert_eq!(after(stage, &ground, [5.0, 5.0]).height(), &ground);
}

#[test]
fn one_sample_one_row_and_one_column_can_be_eroded() {
    for (width, height) in [(1, 1), (1, 30), (30, 1), (2, 2), (3, 9)] {
        let ground = hills(width, height, 20.0);
        let hydraulic = SHARINGS.map(|sharing| Hydraulic { sharing, ..quick() });
        let stages = hydraulic.into_iter().map(Stage::Hydraulic);
        for stage in stages.chain([Stage::Thermal(Thermal::default())]) {
            let done = after(stage, &ground, [20.0, 20.0]);
            assert!(done.height().samples().iter().all(|height| height.is_finite()));
        }
    }
}

#[test]
fn serving_neighbours_in_order_prefers_a_direction_and_no_other_scheme_does() {
    // A round hill: whatever is not symmetric in the result was put there by the scheme.
    let n = 41;
    let cone = Grid::from_fn(n, n, |i, j| {
        let (x, z) = (i as f64 - 20.0, j as f64 - 20.0);
        (400.0 - 12.0 * crate::math::length(x, z)) as f32
    });
    let bias = |grid: &Grid| {
        let differences = SYMMETRIES.iter().map(|&symmetry| {
            let turned = turned(grid, symmetry);
            let pairs = grid.samples().iter().zip(turned.samples());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        });
        differences.fold(0.0, f32::max)
    };
    let bias_of = |sharing| {
        let constants = Hydraulic {
            capacity: 0.5.into(),
            deposition: 0.1.into(),
            softness: 0.3.into(),
            ..papers()
        };
        let stage = Hydraulic { sharing, steps: 40, rain: 0.1, evaporation: 0.05, ..constants };
        let eroded = after(Stage::Hydraulic(stage), &cone, [12.0, 12.0]);
        assert!(eroded.height() != &cone, "it does something");
        bias(eroded.height())
    };
    let in_order = bias_of(Sharing::InOrder);
    assert!(in_order > 0.5, "{in_order}");
    for sharing in [Sharing::Weighted, Sharing::Proportional, Sharing::Eighths] {
        assert_eq!(bias_of(sharing), 0.0, "{sharing:?}");
    }
}

/// Hills with one stage of the paper's law, evaluated at more samples than it runs on.
fn shared(sharing: Sharing) -> (Recipe, Grid) {
    let rocks = vec![RockBody {
        rock: RockKind::Granite.into(),
        mask: Mask::Height { from: Some(320.0), to: None, fade: 30.0, layer: "height".into() },
    }];
    let stage = Hydraulic { sharing, rocks, steps: 12, ..quick() };
    let mut recipe = recipe(vec![Entry::new(Stage::Hydraulic(stage))], [70, 90], [12.0, 12.0]);
    recipe.resolution = Some([100, 130]);
    (recipe, hills(70, 90, 12.0))
}

#[test]
fn every_scheme_gives_tiles_that_are_windows_of_the_whole() {
    for sharing in SHARINGS {
        let (recipe, ground) = shared(sharing);
        let whole = run(&recipe, &ground);
        let plan = recipe.resolve(&inputs(&ground)).unwrap();
        for (i, j, width, height) in [(0, 0, 33, 40), (33, 64, 67, 66), (99, 129, 1, 1)] {
            let window = plan.lattice().window(i, j, width, height).unwrap();
            assert!(plan.run(&window, &()).unwrap() == whole.crop(&window), "{sharing:?}");
        }
    }
}

#[test]
#[cfg(feature = "parallel")]
fn every_scheme_gives_the_same_bytes_on_one_thread_and_on_many() {
    for sharing in SHARINGS {
        let (recipe, ground) = shared(sharing);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&recipe, &ground))
        };
        let one = on(1);
        assert!(on(2) == one && on(7) == one, "{sharing:?}");
    }
}

#[test]
fn the_schemes_of_the_paper_are_its_python_reference() {
    let text = include_str!("../../tests/reference/sharing.txt");
    let mut lines = text.lines();
    let grid_of = |lines: &mut std::str::Lines<'_>| {
        let rows: Vec<Vec<f32>> = (0..11)
            .map(|_| lines.next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect())
            .collect();
        Grid::from_fn(13, 11, |i, j| rows[j][i])
    };
    assert_eq!(lines.next(), Some("ground"));
    let ground = grid_of(&mut lines);
    let mut names = Vec::new();
    while let Some(name) = lines.next() {
        let (heights, catchments) = (grid_of(&mut lines), grid_of(&mut lines));
        let [sharing, border, steepness] = name.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{name} does not name a run");
        };
        let stage = format!(
            "version = 1\nsize = [13, 11]\nspacing = [10, 10]\n\
             [[stage]]\nkind = \"heightmap\"\nfile = \"ground\"\n\
             [[stage]]\nkind = \"hydraulic\"\nsharing = \"{sharing}\"\nborder = \"{border}\"\n\
             steepness = {steepness}\nsteps = 6\nrain = 0.5\nrain_every = 2\nevaporation = 0.1\n\
             drying = 0.7\ncapacity = 0.8\ndeposition = 0.2\nsoftness = 0.3\nbank_angle = 90\n\
             creep = 0\nlevels = 1\nsea = false\n"
        );
        let eroded = run(&Recipe::parse(&stage).unwrap(), &ground);
        for (i, j) in (0..13).flat_map(|i| (0..11).map(move |j| (i, j))) {
            let (found, expected) = (eroded.height()[(i, j)], heights[(i, j)]);
            assert!((found - expected).abs() < 1e-3, "{name} at {i}, {j}: {found} {expected}");
            let (found, expected) = (layer(&eroded, "flow")[(i, j)], catchments[(i, j)]);
            let is_near = (found - expected).abs() < 1e-3 * expected.max(1.0);
            assert!(is_near, "{name}, flow at {i}, {j}: {found} {expected}");
        }
        names.push(sharing);
    }
    assert_eq!(
        names,
        ["in_order", "in_order", "proportional", "proportional", "eighths", "eighths"]
    );
}

/// The greatest slope between neighbours.
fn steepest(grid: &Grid, [dx, dz]: [f64; 2]) -> f64 {
    let mut steepest = 0.0_f64;
    for j in 0..grid.height() {
        for i in 0..grid.width() {
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let Some(u) = i.checked_add_signed(di).filter(|&u| u < grid.width()) else {
                    continue;
                };
                if j + dj >= grid.height() {
                    continue;
                }
                let rise = f64::from(grid[(u, j + dj)]) - f64::from(grid[(i, j)]);
                let run = crate::math::length(di as f64 * dx, dj as f64 * dz);
                steepest = steepest.max((rise / run).abs());
            }
        }
    }
    steepest
}

#[test]
fn any_start_ends_below_the_talus_angle_and_keeps_its_volume() {
    let spike = Grid::from_fn(50, 37, |i, j| if (i, j) == (11, 30) { 3000.0 } else { 0.0 });
    let seed = Seed::new(2);
    let rough = Grid::from_fn(33, 64, |i, j| 500.0 * seed.uniform_at(i as i64, j as i64) as f32);
    let cliff = Grid::from_fn(70, 20, |i, _| if i < 20 { 900.0 } else { 0.0 });
    for ground in [spike, rough, cliff, hills(60, 60, 10.0)] {
        for spacing in [[10.0, 10.0], [10.0, 17.0]] {
            let stage = Stage::Thermal(Thermal { talus_angle: 30.0, steps: 20_000, levels: 16 });
            let settled = after(stage, &ground, spacing);
            let limit = crate::math::tan(30.0_f64.to_radians());
            let slope = steepest(settled.height(), spacing);
            assert!(slope <= limit, "{slope} is above {limit}");
            let lost = sum(settled.height()) - sum(&ground);
            // The cliff takes tens of thousands of steps, and in each all its rows are rounded alike.
            assert!(lost.abs() < 1e-4 * sum(&ground), "{lost}");
        }
    }
}

#[test]
fn ground_below_the_talus_angle_is_left_alone() {
    let ground = Grid::from_fn(60, 45, |i, j| 2.0 * i as f32 + 3.0 * j as f32);
    let stage = Stage::Thermal(Thermal { talus_angle: 30.0, steps: 100, levels: 16 });
    assert_eq!(after(stage, &ground, [10.0, 10.0]).height(), &ground);
}

#[test]
fn another_resolution_is_the_same_valley() {
    let fine = hills(129, 65, 10.0);
    let coarse = Grid::from_fn(65, 33, |i, j| fine[(2 * i, 2 * j)]);
    for stage in [Stage::Hydraulic(quick()), Stage::Thermal(Thermal::default())] {
        let own = after(stage.clone(), &coarse, [20.0, 20.0]);
        let mut recipe = recipe(vec![Entry::new(stage)], [65, 33], [20.0, 20.0]);
        recipe.resolution = Some([129, 65]);
        let finer = run(&recipe, &coarse);
        for (layer, grid) in own.layers() {
            let finer = finer.layer(layer).unwrap();
            let most = grid.range().1;
            for j in 0..33 {
                for i in 0..65 {
                    let difference = (finer[(2 * i, 2 * j)] - grid[(i, j)]).abs();
                    assert!(difference <= 1e-5 * most, "{layer} at {i}, {j}: {difference}");
                }
            }
        }
    }
}

#[test]
fn a_cell_in_metres_gives_the_same_valleys_whatever_the_lattice() {
    let fine = hills(129, 129, 10.0);
    let coarse = Grid::from_fn(65, 65, |i, j| fine[(2 * i, 2 * j)]);
    let stage = Stage::Hydraulic(Hydraulic { cell: Some(20.0), steps: 60, ..quick() });
    let [one, other] = [(&fine, 10.0), (&coarse, 20.0)]
        .map(|(ground, spacing)| after(stage.clone(), ground, [spacing, spacing]));
    let depth = |terrain: &Terrain, step: usize| {
        Grid::from_fn(65, 65, |i, j| layer(terrain, "erosion")[(step * i, step * j)])
    };
    let (one, other) = (depth(&one, 2), depth(&other, 1));
    let pairs = || one.samples().iter().zip(other.samples());
    let product: f64 = pairs().map(|(a, b)| f64::from(a * b)).sum();
    let length = |grid: &Grid| grid.samples().iter().map(|&a| f64::from(a * a)).sum::<f64>().sqrt();
    let likeness = product / (length(&one) * length(&other));
    assert!(likeness > 0.8, "{likeness}");
}

#[test]
fn a_hard_core_stands_out_when_the_rest_is_worn_away() {
    let ground = Grid::from_fn(65, 65, |i, j| {
        let d = crate::math::length(i as f64 - 32.0, j as f64 - 32.0);
        (400.0 - 10.0 * d) as f32
    });
    let region = Region::Circle { center: [320.0, 320.0], radius: 60.0 };
    let core =
        RockBody { rock: RockKind::Granite.into(), mask: Mask::Region { region, fade: 10.0 } };
    let soft = Hydraulic { steps: 200, rock: RockKind::Shale.into(), ..quick() };
    let hard = Hydraulic { rocks: vec![core], ..soft.clone() };
    let [soft, hard] =
        [soft, hard].map(|hydraulic| after(Stage::Hydraulic(hydraulic), &ground, [10.0, 10.0]));
    let rim = |terrain: &Terrain| ground[(36, 32)] - terrain.height()[(36, 32)];
    assert!(rim(&hard) < 0.2 * rim(&soft), "{} {}", rim(&hard), rim(&soft));
}

/// A half of the map, sharply cut.
fn east() -> Mask {
    let region = Region::Rectangle { from: [400.0, -1e6], to: [1e6, 1e6] };
    Mask::Region { region, fade: 0.0 }
}

/// The law of the paper alone: nothing slides, and one lattice.
fn alone() -> Hydraulic {
    Hydraulic { steps: 12, levels: 1, bank_angle: 90.0, creep: 0.0, ..quick() }
}

#[test]
fn constants_that_vary_count_where_they_are() {
    let ground = hills(81, 60, 10.0);
    let varying = |from, to| Varying::Blended { from, to, by: Box::new(east()) };
    let after = |hydraulic: Hydraulic| after(Stage::Hydraulic(hydraulic), &ground, [10.0, 10.0]);
    let dug = |terrain: &Terrain, columns: std::ops::Range<usize>| {
        let erosion = layer(terrain, "erosion");
        let at = |j: usize| columns.clone().map(move |i| (i, j));
        (0..60).flat_map(at).map(|place| erosion[place]).fold(0.0, f32::max)
    };
    let hard = after(Hydraulic { softness: varying(0.03, 0.0), ..alone() });
    assert!(dug(&hard, 0..40) > 0.1, "{}", dug(&hard, 0..40));
    assert_eq!(dug(&hard, 41..81), 0.0, "nothing is dug out of what has no softness");
    let clear = after(Hydraulic { capacity: varying(0.0, 25.0), ..alone() });
    assert_eq!(dug(&clear, 0..40), 0.0, "water that carries nothing digs nothing");
    assert!(dug(&clear, 42..81) > 0.1);
    let settling = after(Hydraulic { deposition: varying(0.0, 1.0), ..alone() });
    assert!(settling.height() != after(alone()).height());
    // A blend of a number with itself is that number.
    let same = Hydraulic { softness: varying(0.03, 0.03), ..alone() };
    assert!(after(same).height() == after(alone()).height());
}

#[test]
fn a_constant_that_varies_is_a_body_of_rock_with_that_factor() {
    let ground = hills(81, 60, 10.0);
    let after = |hydraulic: Hydraulic| after(Stage::Hydraulic(hydraulic), &ground, [10.0, 10.0]);
    let by = || Box::new(east());
    let varying = after(Hydraulic {
        capacity: Varying::Blended { from: 25.0, to: 50.0, by: by() },
        deposition: Varying::Blended { from: 0.1, to: 0.05, by: by() },
        softness: Varying::Blended { from: 0.03, to: 0.006, by: by() },
        ..alone()
    });
    let tuff = NamedRock {
        name: "tuff".into(),
        capacity: 2.0,
        deposition: 0.5,
        softness: 0.2,
        creep: 1.0,
        headwaters: 1.0,
    };
    let body = RockBody { rock: RockName::Own("tuff".into()), mask: east() };
    let body = after(Hydraulic { rocks: vec![body], named_rocks: vec![tuff], ..alone() });
    assert!(body.height() != after(alone()).height());
    assert!(varying.height() == body.height());
}

#[test]
fn a_rock_with_the_factors_of_a_known_kind_is_that_kind() {
    let ground = hills(64, 48, 10.0);
    let strata = |rock: &RockName| Strata {
        beds: vec![
            super::Bed { rock: rock.clone(), thickness: 30.0 },
            super::Bed { rock: RockKind::Sandstone.into(), thickness: 50.0 },
        ],
        ..Strata::default()
    };
    let [capacity, deposition, softness] = RockKind::Shale.factors();
    let mine = NamedRock {
        name: "mine".into(),
        capacity,
        deposition,
        softness,
        creep: 1.0,
        headwaters: 1.0,
    };
    let own = RockName::Own("mine".into());
    let run = |rock: RockName, has_beds| {
        let strata = if has_beds { Some(strata(&rock)) } else { None };
        let hydraulic = Hydraulic { rock, strata, named_rocks: vec![mine.clone()], ..quick() };
        after(Stage::Hydraulic(hydraulic), &ground, [10.0, 10.0])
    };
    for has_beds in [false, true] {
        let known = run(RockKind::Shale.into(), has_beds);
        assert!(known.height() == run(own.clone(), has_beds).height());
    }
}

#[test]
fn no_more_settles_than_there_is() {
    let ground = hills(64, 48, 10.0);
    // Sand settles 1.5 times as fast.
    let run = |rock: RockName, deposition: f64| {
        let once = NamedRock {
            name: "once".into(),
            capacity: 0.7,
            deposition: 1.0,
            softness: 4.0,
            creep: 1.0,
            headwaters: 1.0,
        };
        let hydraulic =
            Hydraulic { rock, deposition: deposition.into(), named_rocks: vec![once], ..quick() };
        after(Stage::Hydraulic(hydraulic), &ground, [10.0, 10.0])
    };
    let sand = run(RockKind::Sand.into(), 1.0);
    assert!(sand.height() == run(RockName::Own("once".into()), 1.0).height());
}

#[test]
fn rivers_end_in_the_sea_and_leave_their_load_there() {
    let shore = Grid::from_fn(80, 40, |i, j| 100.0 + 4.0 * (40.0 - i as f32) + (j % 3) as f32);
    let hydraulic = Hydraulic { border: Border::Closed, levels: 1, ..quick() };
    let eroded = after(Stage::Hydraulic(hydraulic), &shore, [10.0, 10.0]);
    let erosion = layer(&eroded, "erosion");
    let deep: f32 = (0..40).map(|j| erosion[(60, j)]).sum();
    assert_eq!(deep, 0.0, "nothing is dug out of the sea floor");
    let delta: f32 = (0..40)
        .map(|j| (40..46).map(|i| eroded.height()[(i, j)] - shore[(i, j)]).sum::<f32>())
        .sum();
    assert!(delta > 0.0, "{delta}");
}

#[test]
fn water_and_sediment_are_never_negative_and_end() {
    use super::ground::{Rock, RockLattice};
    use super::runoff::{Law, State};
    let base = hills(90, 130, 10.0);
    let areas = [vec![1.0; 90], vec![1.0; 130]];
    let ground = RockLattice::new(&base, Border::Open, &areas, Rock::Uniform([25.0, 0.1, 0.05]));
    let mut state = State::new(90, 130);
    let mut law = Law::new([10.0, 10.0]);
    (law.film, law.kept, law.rain) = (1e-7, 0.95, 0.1);
    let ctx = crate::Ctx::new(&(), "");
    ground.shower(&mut state, 0.1, law.sea);
    for step in 0..700 {
        law.rain = if step < 50 { 0.1 } else { 0.0 };
        state.step(&ground, &law, &ctx).unwrap();
        let holds = |field: &[f32]| field.iter().all(|&depth| depth >= 0.0 && depth.is_finite());
        assert!(holds(&state.water) && holds(&state.sediment) && holds(&state.cover), "{step}");
    }
    assert!(state.is_dry(0.0), "the last film dries up as well");
}

#[test]
fn wrong_parameters_are_refused_with_what_is_allowed() {
    let fault = |stage: &str| {
        let text =
            format!("version = 1\nsize = [65, 65]\nspacing = [100, 100]\n[[stage]]\n{stage}");
        let made = Recipe::parse(&text).and_then(|recipe| recipe.resolve(&Inputs::default()));
        made.expect_err(stage).to_string()
    };
    for (stage, expected) in [
        ("kind = \"hydraulic\"\nsteps = 0", "steps is 0, but must be a whole number in 1..=10000"),
        ("kind = \"hydraulic\"\nsoftness = 1.5", "softness is 1.5, but must be a number in 0..=1"),
        ("kind = \"hydraulic\"\nrain = nan", "rain is NaN"),
        ("kind = \"hydraulic\"\ncell = 0.1", "cell is 0.1, but must be at least 0.39"),
        ("kind = \"hydraulic\"\nrock = \"granit\"", "did you mean `granite`?"),
        (
            "kind = \"hydraulic\"\nsoftness = { from = 0.1, to = 2, by = { kind = \"slope\" } }",
            "softness.to is 2, but must be a number in 0..=1",
        ),
        (
            "kind = \"hydraulic\"\ncapacity = { from = 1, to = 2, by = { kind = \"height\", layer = \"soil\" } }",
            "capacity.by.layer is \"soil\", but the layers before it are height",
        ),
        (
            "kind = \"hydraulic\"\nrock = \"tuf\"\nnamed_rocks = [{ name = \"tuff\" }]",
            "rock is \"tuf\" (did you mean `tuff`?), but must be one of \"granite\"",
        ),
        (
            "kind = \"evolve\"\nstrata = { beds = [{ rock = \"chalk\", thickness = 9 }] }",
            "strata.beds[0].rock is \"chalk\"",
        ),
        (
            "kind = \"hydraulic\"\nnamed_rocks = [{ name = \"clay\" }]",
            "named_rocks[0].name is \"clay\", but that is one of the known kinds",
        ),
        (
            "kind = \"hydraulic\"\nnamed_rocks = [{ name = \"a\" }, { name = \"a\" }]",
            "named_rocks[1].name is \"a\", but another rock has that name",
        ),
        ("kind = \"hydraulic\"\nstrata = { beds = [] }", "strata.beds is an empty list"),
        (
            "kind = \"hydraulic\"\nrocks = [{ rock = \"clay\", mask = { kind = \"height\", layer = \"soil\" } }]",
            "rocks[0].mask.layer is \"soil\", but the layers before it are height",
        ),
        (
            "kind = \"hydraulic\"\nrocks = [{ rock = \"clay\", mask = { kind = \"image\", file = \"a.png\" } }]",
            "rocks[0].mask.file is \"a.png\", but there is no such input",
        ),
        (
            "kind = \"thermal\"\ntalus_angle = 90",
            "talus_angle is 90, but must be a number in 1..=89",
        ),
    ] {
        let found = fault(stage);
        assert!(found.contains(expected), "{found}");
    }
}
