//! Drawn lines are met: alone, on other ground, at any resolution, and after the stages that follow.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::fmt::Write as _;

use landform::drainage::compass::Compass;
use landform::drainage::depressions::route_out;
use landform::drainage::receivers::receivers;
use landform::drainage::trees::Forest;
use landform::par::Cells;
use landform::sketch::{Demand, DemandKind};
use landform::{Grid, Inputs, Recipe, Seed, Terrain};

const SIDE: f64 = 3200.0;

/// A random drawing: an island, a ridge, a river to each side of it, a contour and a point.
fn drawing(number: u64) -> String {
    let seed = Seed::new(number).child("drawing");
    let at = |index: u64, low: f64, high: f64| SIDE * seed.between(index, low, high);
    let (mut coast, mut lines) = (String::new(), String::new());
    for k in 0..12 {
        let [cos, sin] = landform::math::cos_sin_of_turns(k as f64 / 12.0);
        let radius = at(k, 0.36, 0.45);
        write!(coast, "[{}, {}], ", SIDE / 2.0 + radius * cos, SIDE / 2.0 + radius * sin).unwrap();
    }
    writeln!(lines, "{{ kind = \"coast\", points = [{coast}] }},").unwrap();
    let crest: Vec<String> = (0..4)
        .map(|k| format!("[{}, {}]", SIDE * (0.3 + 0.13 * k as f64), at(20 + k, 0.46, 0.54)))
        .collect();
    let heights = [30, 31, 32, 33].map(|k| seed.between(k, 250.0, 600.0));
    let crest = crest.join(", ");
    writeln!(lines, "{{ kind = \"ridge\", points = [{crest}], heights = {heights:?}, radius = 500, roughness = 0.2 }},").unwrap();
    for (k, side) in [(0, -1.0), (1, 1.0)] {
        let x = at(40 + k, 0.38, 0.62);
        let points = [0.1, 0.2, 0.3, 0.48].map(|way| {
            let bend =
                if way > 0.4 { 0.0 } else { at(50 + 5 * k + (way * 10.0) as u64, -0.05, 0.05) };
            [x + bend, SIDE * (0.5 + side * way)]
        });
        writeln!(
            lines,
            "{{ kind = \"river\", points = {points:?}, heights = [{}], width = 30 }},",
            seed.between(60 + k, 100.0, 180.0)
        )
        .unwrap();
    }
    let [x, z] = [SIDE * 0.22, SIDE * 0.42];
    writeln!(lines, "{{ kind = \"contour\", points = [[{x}, {z}], [{}, {z}], [{}, {}]], height = 70, closed = true }},", x + 200.0, x + 100.0, z + 200.0).unwrap();
    writeln!(
        lines,
        "{{ kind = \"point\", at = [{}, {}], height = 160, radius = 150 }},",
        SIDE * 0.76,
        SIDE * 0.5
    )
    .unwrap();
    lines
}

fn terrain(number: u64, size: u32, stages: [&str; 2]) -> Terrain {
    let [before, after] = stages;
    let text = format!(
        "version = 1\nseed = {number}\nsize = [129, 129]\nspacing = [25.0, 25.0]\nresolution = [{size}, {size}]\n{before}\n[[stage]]\nkind = \"sketch\"\nlines = [\n{}]\n{after}\n",
        drawing(number)
    );
    let plan = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap();
    plan.run(&plan.lattice().whole(), &()).unwrap()
}

/// The height at a place: of the samples around it the nearest one where it lies on it, else between them.
fn at(terrain: &Terrain, [x, z]: [f64; 2]) -> f64 {
    let [dx, dz] = terrain.extent().lattice().spacing;
    let (u, v) = (x / dx, z / dz);
    let (i, j) = (
        (u as usize).min(terrain.extent().width() - 2),
        (v as usize).min(terrain.extent().height() - 2),
    );
    let (u, v) = (u - i as f64, v - j as f64);
    let h = |i: usize, j: usize| f64::from(terrain.height()[(i, j)]);
    let along = |j: usize| h(i, j) * (1.0 - u) + h(i + 1, j) * u;
    along(j) * (1.0 - v) + along(j + 1) * v
}

/// How far samples are from the height of a line, where they lie on it: within a twentieth of the spacing, less what its slope makes of that.
fn worst(terrain: &Terrain, demand: &Demand) -> (f64, usize) {
    let lattice = terrain.extent().lattice();
    let (mut worst, mut count) = (0.0_f64, 0);
    for pair in demand.points.windows(2) {
        for step in 0..400 {
            let t = f64::from(step) / 400.0;
            let p = [0, 1].map(|axis| pair[0][axis] + t * (pair[1][axis] - pair[0][axis]));
            let k = demand.points.iter().position(|point| *point == pair[0]).unwrap();
            let height = demand.heights[k] + t * (demand.heights[k + 1] - demand.heights[k]);
            let place = [0, 1].map(|axis| p[axis] / lattice.spacing[axis]);
            let near = place.map(f64::round);
            let off = landform::math::length(
                (place[0] - near[0]) * lattice.spacing[0],
                (place[1] - near[1]) * lattice.spacing[1],
            );
            if off > 0.05 * lattice.spacing[0] {
                continue;
            }
            let sample = f64::from(terrain.height()[(near[0] as usize, near[1] as usize)]);
            let steepest = demand.slopes[0].abs().max(demand.slopes[1].abs()).max(0.6) + 0.6;
            worst = worst.max(((sample - height).abs() - steepest * off).max(0.0));
            count += 1;
        }
    }
    (worst, count)
}

fn relief(height: &Grid) -> f64 {
    let (low, high) = height.range();
    f64::from(high - low)
}

/// What is wrong with a terrain that has to meet its lines.
fn check(terrain: &Terrain, what: &str) {
    let tolerance = (0.002 * relief(terrain.height())).max(1.0);
    assert_eq!(terrain.demands().len(), 6, "{what}");
    let mut looked_at = 0;
    for demand in terrain.demands() {
        match demand.kind {
            DemandKind::Ridge | DemandKind::Contour => {
                let (worst, count) = worst(terrain, demand);
                looked_at += count;
                assert!(worst <= tolerance, "{what}: {} is off by {worst} m", demand.name);
            }
            DemandKind::River => {
                let beds: Vec<f64> =
                    demand.points.iter().map(|&point| at(terrain, point)).collect();
                // Between samples the bed is known to what the slope across it makes of half a sample.
                for (k, pair) in beds.windows(2).enumerate() {
                    assert!(
                        pair[1] <= pair[0] + 0.3,
                        "{what}: {} rises at {k}: {pair:?}",
                        demand.name
                    );
                }
                let last = beds.len() - 1;
                assert!((beds[0] - demand.heights[0]).abs() < 3.0, "{what}: source {}", beds[0]);
                assert!(beds[last].abs() < 3.0, "{what}: mouth {}", beds[last]);
            }
            DemandKind::Point => {
                let off = (at(terrain, demand.points[0]) - demand.heights[0]).abs();
                assert!(off < 4.0, "{what}: point is off by {off} m");
            }
            _ => {}
        }
    }
    assert!(looked_at > 0, "{what}: no sample lies on a ridge or a contour");
    check_coast(terrain, what);
}

/// The shore lies on the line: at one sample beside it there is land inside and sea outside.
fn check_coast(terrain: &Terrain, what: &str) {
    let coast = terrain.demands().iter().find(|one| one.kind == DemandKind::Coast).unwrap();
    let region = landform::region::Region::Polygon { points: coast.points.clone() };
    let extent = terrain.extent();
    let step = extent.lattice().spacing[0];
    for j in 0..extent.height() {
        for i in 0..extent.width() {
            let (x, z) = (extent.x(i), extent.z(j));
            let (h, outside) = (terrain.height()[(i, j)], region.distance(x, z));
            if outside > step {
                assert!(h < 0.0, "{what}: {h} m at sea, {x} {z}");
            } else if outside == 0.0 {
                let around = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
                if around.iter().all(|d| region.contains(x + step * d[0], z + step * d[1])) {
                    assert!(h > -0.01, "{what}: {h} m on land, {x} {z}");
                }
            }
        }
    }
}

const HILLS: &str = "[[stage]]\nkind = \"noise\"\nwavelength = 800\namplitude = 150\n";

#[test]
fn lines_are_met_alone_on_hills_and_at_any_resolution() {
    for number in 0..6 {
        for before in ["", HILLS] {
            for size in [129, 257, 385] {
                check(&terrain(number, size, [before, ""]), &format!("drawing {number} at {size}"));
            }
        }
    }
}

#[test]
fn later_stages_leave_locked_lines_alone() {
    let after = "[[stage]]\nkind = \"hydraulic\"\nsteps = 4\n[[stage]]\nkind = \"smooth\"\nradius = 100\n[[stage]]\nkind = \"gullies\"\n[[stage]]\nkind = \"levels\"\nlow = 0\nhigh = 500\ngamma = 1.3\n";
    for number in 0..3 {
        // Levels bring back what is below their range to it, so the coast alone is not looked at.
        let plain = terrain(number, 129, [HILLS, ""]);
        let later = terrain(number, 129, [HILLS, after]);
        assert!(later.height() != plain.height());
        for demand in later.demands() {
            if demand.kind == DemandKind::Ridge || demand.kind == DemandKind::Contour {
                let (worst, _) = worst(&later, demand);
                assert!(
                    worst <= (0.002 * relief(later.height())).max(1.0),
                    "{}: {worst}",
                    demand.name
                );
            }
        }
    }
}

#[test]
fn land_that_evolves_meets_the_lines() {
    let evolve =
        "[[stage]]\nkind = \"evolve\"\nrelief = 500\nsteps = 4\n[[stage]]\nkind = \"gullies\"\n";
    for number in 0..4 {
        for size in [129, 257] {
            check(
                &terrain(number, size, ["", evolve]),
                &format!("evolved drawing {number} at {size}"),
            );
        }
    }
}

/// The samples whose water crosses a line, at most by one way: steepest neighbours and lowest passes on the heights as they are.
fn across(terrain: &Terrain, line: &Demand) -> f32 {
    let lattice = terrain.extent().lattice();
    let compass = Compass::new(lattice);
    let heights = terrain.height().samples();
    let is_base: Vec<bool> = heights.iter().map(|&h| h < 0.0).collect();
    let mut directions = receivers(heights, &is_base, &compass, None);
    route_out(&mut directions, heights, &is_base, &compass, &mut Cells::default());
    let mut forest = Forest::default();
    forest.update(&directions, &compass, None);
    let area = forest.area();
    let place = |at: usize| {
        [(at % compass.width) as f64, (at / compass.width) as f64].map(|k| k * lattice.spacing[0])
    };
    let side = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let crosses = |p: [f64; 2], q: [f64; 2]| {
        line.points.windows(2).any(|ends| {
            side(ends[0], ends[1], p) * side(ends[0], ends[1], q) < 0.0
                && side(p, q, ends[0]) * side(p, q, ends[1]) < 0.0
        })
    };
    let crossing = (0..heights.len()).filter(|&at| {
        let next = compass.next(at, directions[at]);
        next != at && crosses(place(at), place(next))
    });
    crossing.map(|at| area[at]).fold(0.0, f32::max)
}

#[test]
fn no_water_crosses_a_ridge_and_rivers_gather_what_falls_beside_them() {
    let evolve = "[[stage]]\nkind = \"evolve\"\nrelief = 500\nsteps = 4\n";
    for number in 0..4 {
        let land = terrain(number, 129, ["", evolve]);
        let flow = land.layer(&landform::Layer::Flow).unwrap();
        let most = flow.range().1;
        let ridge = land.demands().iter().find(|one| one.kind == DemandKind::Ridge).unwrap();
        // The samples of the crest itself may lie on the other side of the line than they drain to.
        let over = across(&land, ridge);
        assert!(over <= 8.0, "drawing {number}: the water of {over} samples crosses the ridge");
        for river in land.demands().iter().filter(|one| one.kind == DemandKind::River) {
            let mid = river.points[river.points.len() * 3 / 4];
            let (i, j) = ((mid[0] / 25.0).round() as usize, (mid[1] / 25.0).round() as usize);
            let near = (i - 2..=i + 2).flat_map(|i| (j - 2..=j + 2).map(move |j| (i, j)));
            let gathered = near.map(|place| flow[place]).fold(0.0_f32, f32::max);
            assert!(gathered > 0.02 * most, "drawing {number}: {gathered} of {most}");
        }
    }
}
