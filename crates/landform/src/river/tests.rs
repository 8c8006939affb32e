//! The laws of rivers.

use proptest::prelude::*;

use super::course::{Course, CourseGround, Squig, Winding, Wish, squig};
use super::layout::{End, Named};
use super::rounding::crosses;
use super::squig::{Gate, edge_key};
use crate::feature::{Feature, River};
use crate::{Ctx, Inputs, Layer, Recipe, Seed, Terrain, math};

const GROUND: [f64; 2] = [4000.0, 3000.0];
const WINDING: Winding = Winding { cell: 500.0, irregularity: 0.8, follow: 0.6, smoothing: 0.0 };
fn ctx() -> Ctx<'static> {
    Ctx::new(&(), "")
}

const AUTO: End = End::Named(Named::Auto);
const NORTH: End = End::Named(Named::North);
const SOUTH: End = End::Named(Named::South);
const EAST: End = End::Named(Named::East);

/// Hills that fall to the south.
fn hills(x: f64, z: f64) -> f64 {
    300.0 - 0.1 * z
        + 60.0 * math::sin(x / 370.0) * math::cos(z / 410.0)
        + 20.0 * math::sin(x / 90.0)
}

fn place(seed: u64) -> CourseGround<'static> {
    CourseGround { ground: GROUND, height: &hills, sea_level: -1000.0, seed: Seed::new(seed) }
}

fn rivers(seed: u64, ends: &[(End, End)], depth: &dyn Fn([f64; 2], f64) -> u32) -> Squig {
    let wishes: Vec<_> = ends.iter().map(|&(from, to)| Wish { from, to, depth }).collect();
    squig(&place(seed), &WINDING, &wishes, &ctx()).unwrap()
}

fn lines(courses: &[Course]) -> Vec<Vec<[f64; 2]>> {
    courses.iter().map(|course| course.line.clone()).collect()
}

/// The triangles of `coarse` that the leaves of `fine` lie in, in the order of each river.
fn triangles_of(coarse: &Squig, fine: &Squig) -> Vec<Vec<usize>> {
    let around = |k: usize| {
        let middle = fine.leaves[k].triangle.middle();
        let holding = coarse.leaves.iter().position(|leaf| leaf.triangle.contains(middle));
        holding.expect("a finer triangle lies in a coarse one with water")
    };
    let traced = fine.traces.iter().map(|trace| {
        let mut places: Vec<usize> = trace.leaves.iter().map(|&k| around(k)).collect();
        places.dedup();
        places
    });
    traced.collect()
}

fn ends() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(AUTO),
        Just(NORTH),
        Just(EAST),
        Just(End::Named(Named::West)),
        (0.0..=GROUND[0], 0.0..=GROUND[1]).prop_map(|(x, z)| End::Point([x, z])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_river_crosses_itself_or_another_smooth_or_not(
        seed: u64, from in proptest::collection::vec(ends(), 1..6), depth in 0_u32..6,
    ) {
        let ends: Vec<(End, End)> = from
            .iter()
            .enumerate()
            .map(|(k, &from)| (from, if k % 2 == 0 { SOUTH } else { AUTO }))
            .collect();
        let squig = rivers(seed, &ends, &|_, _| depth);
        for smoothing in [0.0, 0.5, 1.0] {
            let courses = squig.courses(smoothing, 0.2, &ctx()).unwrap();
            prop_assert!(!crosses(&lines(&courses)), "smoothing {smoothing}");
            for (k, course) in courses.iter().enumerate() {
                let Some((super::course::Main::Here(main), point)) = course.into else { continue };
                prop_assert!(main < k);
                prop_assert_eq!(course.line[course.line.len() - 1], point);
                prop_assert!(courses[main].line.contains(&point));
            }
        }
    }

    #[test]
    fn the_path_never_leaves_its_triangles(seed: u64, from in ends(), depth in 0_u32..7) {
        let squig = rivers(seed, &[(from, SOUTH)], &|_, _| depth);
        let trace = &squig.traces[0];
        for smoothing in [0.0, 1.0] {
            for vertex in trace.line(&squig.leaves, smoothing) {
                let triangle = &squig.leaves[trace.leaves[vertex.leaf]].triangle;
                prop_assert!(triangle.contains(vertex.at), "{vertex:?} {triangle:?}");
            }
        }
        let mut seen = trace.leaves.clone();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(seen.len(), trace.leaves.len(), "no triangle twice");
    }

    #[test]
    fn every_marked_edge_is_crossed_exactly_once(seed: u64, from in ends(), depth in 0_u32..7) {
        let squig = rivers(seed, &[(from, SOUTH), (NORTH, AUTO)], &|_, _| depth);
        let edges = |gates: &mut dyn Iterator<Item = (usize, Gate)>| {
            let mut keys: Vec<[i64; 2]> = gates
                .filter_map(|(leaf, gate)| match gate {
                    Gate::Side(k) => Some(edge_key(&squig.leaves[leaf].triangle.edge(k))),
                    Gate::Point(_) => None,
                })
                .collect();
            keys.sort_unstable();
            keys
        };
        let leaves = || squig.leaves.iter().enumerate();
        let into = edges(&mut leaves().flat_map(|(index, leaf)| {
            leaf.inlets.iter().map(move |&(gate, _)| (index, gate))
        }));
        let out = edges(&mut leaves().map(|(index, leaf)| (index, leaf.outlet)));
        let once = |keys: &[[i64; 2]]| keys.windows(2).all(|two| two[0] != two[1]);
        prop_assert!(once(&into) && once(&out));
        // Whatever leaves a triangle comes into another, but for the border.
        let unmatched = out.iter().filter(|key| into.binary_search(key).is_err()).count();
        prop_assert!(unmatched <= 2, "{unmatched} mouths");
    }

    #[test]
    fn a_finer_depth_keeps_the_coarse_course(seed: u64, from in ends(), depth in 0_u32..5) {
        let ends = [(from, SOUTH), (NORTH, AUTO), (AUTO, AUTO)];
        let coarse = rivers(seed, &ends, &|_, _| depth);
        let fine = rivers(seed, &ends, &|_, _| depth + 2);
        for (way, trace) in triangles_of(&coarse, &fine).iter().zip(&coarse.traces) {
            // A tributary may be joined earlier in the same triangle, but takes no other way.
            prop_assert_eq!(way, &trace.leaves);
        }
    }

    #[test]
    fn triangles_of_different_depth_share_their_edges(seed: u64, from in ends(), across: bool) {
        let depth = move |at: [f64; 2], share: f64| match across {
            true => if at[0] > 1700.0 { 6 } else { 1 },
            false => (share * 6.0) as u32,
        };
        let squig = rivers(seed, &[(from, SOUTH)], &depth);
        let trace = &squig.traces[0];
        let line = trace.line(&squig.leaves, 0.0);
        prop_assert_eq!(line.len(), trace.leaves.len() + 1);
        // Each part of the line lies in its own triangle, however small its neighbour is.
        for (k, ends) in line.windows(2).enumerate() {
            let triangle = &squig.leaves[trace.leaves[k]].triangle;
            prop_assert!(ends.iter().all(|end| triangle.contains(end.at)));
        }
        prop_assert!(!crosses(&lines(&squig.courses(1.0, 0.2, &ctx()).unwrap())));
    }
}

#[test]
fn without_irregularity_and_ground_the_path_is_that_of_the_paper() {
    let flat = |_: f64, _: f64| 0.0;
    let place = CourseGround { height: &flat, ..place(3) };
    let winding = Winding { irregularity: 0.0, follow: 0.0, ..WINDING };
    let wish = Wish { from: NORTH, to: SOUTH, depth: &|_, _| 4 };
    let squig = squig(&place, &winding, &[wish], &ctx()).unwrap();
    let leaf = 500.0 / 16.0;
    for flow in &squig.leaves {
        let [a, b, c] = flow.triangle.0.map(|corner| corner.at);
        let twice = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
        assert!((twice - leaf * leaf).abs() < 1e-6, "all triangles are alike");
    }
    let line = squig.traces[0].line(&squig.leaves, 0.0);
    for vertex in &line[1..line.len() - 1] {
        // A midpoint of an edge has one odd coordinate or two, in halves of an edge.
        let [u, v] = vertex.at.map(|p| (p / (0.5 * leaf)).round() as i64);
        assert!(u % 2 != 0 || v % 2 != 0, "{vertex:?}");
    }
}

fn build(stages: &str) -> Terrain {
    let text = format!("version = 1\nseed = 5\nsize = [129, 97]\nspacing = [40, 40]\n{stages}");
    let plan = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

fn rivers_of(terrain: &Terrain) -> Vec<&River> {
    terrain.features().iter().filter_map(Feature::as_river).collect()
}

const HILLS: &str = "[[stage]]\nkind = \"uplift\"\npeaks = 60\ny_max = 2000\n";

#[test]
fn no_bed_rises_downstream() {
    for more in ["", "follow = 0", "bed = \"base_level\"", "smoothing = 0\nfall = 0", "fall = 30"] {
        let terrain = build(&format!("{HILLS}[[stage]]\nkind = \"river\"\ncount = 5\n{more}\n"));
        let rivers = rivers_of(&terrain);
        assert_eq!(rivers.len(), 5);
        for river in &rivers {
            for two in river.points.windows(2) {
                assert!(two[1].bed <= two[0].bed, "{more} {}: {two:?}", river.name);
            }
            if let Some(main) = &river.into {
                let main = rivers.iter().find(|other| other.name == *main).unwrap();
                let mouth = river.points[river.points.len() - 1];
                let there =
                    |point: &&crate::feature::RiverPoint| (point.x, point.z) == (mouth.x, mouth.z);
                let there = main.points.iter().find(there).unwrap();
                assert!((there.bed - mouth.bed).abs() < 1e-9, "a tributary ends on the bed");
                assert!(there.discharge > mouth.discharge);
            }
        }
    }
}

#[test]
fn the_ground_is_lowered_to_the_bed_and_raised_nowhere() {
    let before = build(HILLS);
    let river = "[[stage]]\nkind = \"river\"\nwidth = 100\nwidth_mouth = 200\n";
    let after = build(&format!("{HILLS}{river}"));
    let fine = build(&format!("resolution = [513, 385]\n{HILLS}{river}"));
    let ground = crate::resample::ground::GroundHeights::of(&fine);
    for (old, new) in before.height().samples().iter().zip(after.height().samples()) {
        assert!(new <= old);
    }
    let depths = after.layer(&Layer::WaterDepth).unwrap();
    assert!(depths.range().1 > 0.5);
    for point in &rivers_of(&after)[0].points {
        let above = ground.at(point.x, point.z) - point.bed;
        assert!((-2.5..3.0 * point.depth + 8.0).contains(&above), "{above} at {point:?}");
    }
}

#[test]
fn rivers_of_a_later_stage_flow_into_those_of_an_earlier_one() {
    let first = "[[stage]]\nkind = \"river\"\ncourses = [{ name = \"Main\", from = \"west\", to = \"east\" }]\n";
    let later = "[[stage]]\nkind = \"river\"\nlabel = \"later\"\nfrom = \"north\"\nto = \"south\"\ncount = 3\n";
    let terrain = build(&format!("{HILLS}{first}{later}"));
    let rivers = rivers_of(&terrain);
    assert!(rivers[1..].iter().any(|river| river.into.as_deref() == Some("Main")));
    let lines: Vec<Vec<[f64; 2]>> = rivers
        .iter()
        .map(|river| river.points.iter().map(|point| [point.x, point.z]).collect())
        .collect();
    for later in &lines[1..] {
        let crossing = later[..later.len() - 1].windows(2).any(|ends| {
            lines[0].windows(2).any(|others| {
                super::course::crossing(ends[0], ends[1], others[0], others[1]).is_some()
            })
        });
        assert!(!crossing);
    }
    // The layers show the rivers of both stages.
    let mask = terrain.layer(&Layer::River).unwrap();
    let middle = rivers[0].points[rivers[0].points.len() / 2];
    let at = |p: f64| (p / 40.0).round() as usize;
    assert!(mask[(at(middle.x), at(middle.z))] > 0.0);
}

#[test]
fn the_depth_can_be_a_map_and_a_river_can_have_its_own() {
    let count = |more: &str| {
        let terrain =
            build(&format!("{HILLS}[[stage]]\nkind = \"river\"\nsmoothing = 0\n{more}\n"));
        rivers_of(&terrain)[0].points.len()
    };
    let swift = count("depth = 1");
    assert!(
        count("depth = 1\nmeander_depth = 5\nmeander = { kind = \"height\", from = -9999 }")
            > 4 * swift
    );
    assert!(count("depth = 1\ndepth_mouth = 5") > 2 * swift);
    assert_eq!(count("depth = 1\nmeander = { kind = \"height\", to = -9999 }"), swift);
    assert!(count("courses = [{ depth = 4 }]") > count("courses = [{ depth = 2 }]"));
}

#[test]
fn bad_parameters_are_named() {
    let errors = |stage: &str| {
        let text = format!(
            "version = 1\nsize = [9, 9]\nspacing = [10, 10]\n[[stage]]\nkind = \"river\"\n{stage}"
        );
        let plan = Recipe::parse(&text).and_then(|recipe| recipe.resolve(&Inputs::default()));
        plan.unwrap_err().to_string()
    };
    for (stage, expected) in [
        ("from = [90, 0]", "from is [90, 0], but must lie on the ground, in [0, 0]..=[80, 80]"),
        ("from = \"nroth\"", "from is \"nroth\" (did you mean `north`?)"),
        ("from = [1, 2, 3]", "but must be a list of 2, each a number"),
        ("from = \"north\"\nto = \"north\"", "to is where the river begins"),
        ("courses = [{ to = [1, -1] }]", "courses[0].to is [1, -1]"),
        ("courses = [{ name = \"a\" }, { name = \"a\" }]", "courses[1].name is \"a\""),
        ("bend = 0", "bend is 0"),
        ("bend = 0.01", "bend is 0.01, but must be at least 0.4"),
        ("radius = 0", "radius is 0, but must be a number in 0.1"),
        ("meander = { kind = \"image\", file = \"no\" }", "meander.file is \"no\""),
    ] {
        let error = errors(stage);
        assert!(error.contains(expected), "{stage}: {error}");
    }
}

#[test]
fn tributaries_from_one_place_share_their_mouth() {
    let ends = [(End::Point([3984.915294576421, 0.0]), SOUTH), (EAST, AUTO), (EAST, SOUTH)];
    let squig = rivers(4_451_534_692_556_100_928, &ends, &|_, _| 1);
    let courses = squig.courses(0.5, 0.2, &ctx()).unwrap();
    assert!(!crosses(&lines(&courses)));
    let mouth = |k: usize| courses[k].into.unwrap().1;
    assert_eq!(mouth(1), mouth(2));
}
