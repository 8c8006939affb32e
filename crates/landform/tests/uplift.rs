//! Laws of the Uplift Model: the far field against the formula, and against itself.

use landform::uplift::{
    Cone, Curve, Divisor, EditableUplift, FarField, brute_force, gradient_at, height_at,
};
use landform::{Cancelled, Ctx, Extent, Lattice, Watch};
use proptest::prelude::*;

/// Random cones whose centres lie within `margin` times the ground around the lattice, with radii from
/// `radius.0` to `radius.1` cells and heights from `height.0` to `height.1`, both spread evenly over orders
/// of magnitude.
fn scene(
    seed: u64,
    count: usize,
    lattice: &Lattice,
    margin: f64,
    radius: (f64, f64),
    height: (f64, f64),
) -> Vec<Cone> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_4E5B;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let ground = lattice.ground();
    let cell = lattice.spacing[0].min(lattice.spacing[1]);
    (0..count)
        .map(|_| Cone {
            x: (next() * (1.0 + 2.0 * margin) - margin) * ground[0],
            z: (next() * (1.0 + 2.0 * margin) - margin) * ground[1],
            height: height.0 * libm_pow(height.1 / height.0, next()),
            radius: cell * radius.0 * libm_pow(radius.1 / radius.0, next()),
        })
        .collect()
}

fn libm_pow(base: f64, exponent: f64) -> f64 {
    landform::math::pow(base, exponent)
}

fn ctx() -> Ctx<'static> {
    Ctx::new(&(), "uplift")
}

fn fill(field: &FarField, extent: &Extent) -> Vec<f32> {
    let mut out = vec![f32::NAN; extent.len()];
    field.fill(extent, &mut out, &ctx()).expect("nobody cancels");
    out
}

fn bits(heights: &[f32]) -> Vec<u32> {
    heights.iter().map(|height| height.to_bits()).collect()
}

fn whole(lattice: Lattice, cones: &[Cone], divisor: f64) -> Vec<f32> {
    fill(&FarField::new(lattice, cones, Curve::Tent, divisor), &lattice.whole())
}

/// The largest error as a share of the range; what an f32 cannot hold is forgiven.
fn error(lattice: Lattice, cones: &[Cone], curve: Curve, divisor: f64) -> f64 {
    let heights = fill(&FarField::new(lattice, cones, curve, divisor), &lattice.whole());
    let expected = brute_force::plain(cones, curve, divisor, &lattice.whole());
    largest_error(heights.into_iter().zip(expected))
}

/// The same of tents, at one sample in `step`.
fn sampled_error(lattice: Lattice, cones: &[Cone], step: usize) -> f64 {
    let divisor = cones.len() as f64;
    let (heights, all) = (whole(lattice, cones, divisor), lattice.whole());
    let places = (0..heights.len()).step_by(step);
    largest_error(places.map(|at| {
        let (x, z) = (all.x(at % all.width()), all.z(at / all.width()));
        (heights[at], height_at(cones, Curve::Tent, divisor, x, z))
    }))
}

fn largest_error(heights: impl Iterator<Item = (f32, f64)>) -> f64 {
    let heights: Vec<_> = heights.collect();
    let expected = heights.iter().map(|&(_, expected)| expected);
    let low = expected.clone().fold(f64::INFINITY, f64::min);
    let high = expected.fold(f64::NEG_INFINITY, f64::max);
    let mut largest = 0.0_f64;
    for (height, expected) in heights {
        let rounding = expected.abs() * f64::from(f32::EPSILON);
        let excess = (f64::from(height) - expected).abs() - rounding;
        if excess > 0.0 {
            largest = largest.max(excess / (high - low));
        }
    }
    largest
}

const LIMIT: f64 = 4e-6;

#[test]
fn heights_are_those_of_the_law_for_all_radii_and_counts() {
    let lattice = Lattice { size: [150, 110], spacing: [1.0, 1.0] };
    for radius in [(0.3, 2.0), (3.0, 20.0), (20.0, 60.0), (60.0, 400.0), (1000.0, 1500.0)] {
        for (count, margin) in [(1, 0.0), (7, 1.0), (60, 0.2), (400, 0.0)] {
            let cones = scene(7, count, &lattice, margin, radius, (10.0, 1000.0));
            for curve in [Curve::Tent, Curve::InvertedV] {
                let error = error(lattice, &cones, curve, count as f64);
                assert!(error <= LIMIT, "radius {radius:?}, {count} cones, {curve:?}: {error:e}");
            }
        }
    }
}

#[test]
fn ten_thousand_cones_of_mixed_heights_keep_the_error() {
    for size in [[64, 48], [160, 120]] {
        let lattice = Lattice { size, spacing: [10.0, 10.0] };
        let mut cones = scene(3, 10_000, &lattice, 0.1, (0.3, 640.0), (1e-3, 1e4));
        for cone in cones.iter_mut().step_by(3) {
            cone.height = -cone.height;
        }
        let error = sampled_error(lattice, &cones, 7);
        assert!(error <= LIMIT, "{size:?}: {error:e}");
        let pile: Vec<_> = (0..10_000).map(|_| cones[17]).collect();
        let error = sampled_error(lattice, &pile, 7);
        assert!(error <= LIMIT, "{size:?}, piled up: {error:e}");
    }
}

#[test]
fn cones_of_all_sizes_together_keep_the_error() {
    for (size, spacing) in
        [([513, 513], [10.0, 4.0]), ([777, 513], [2.5, 7.25]), ([1537, 1500], [1.0; 2])]
    {
        let lattice = Lattice { size, spacing };
        let mut cones = scene(2, 800, &lattice, 0.1, (0.2, 8000.0), (100.0, 3000.0));
        let error = sampled_error(lattice, &cones, 37);
        assert!(error <= LIMIT, "{size:?}: {error:e}");
        // Wide ones, and one that is small and steep.
        cones.retain(|cone| cone.radius > 100.0 * spacing[0]);
        cones.push(Cone { radius: 20.0, height: 3000.0, ..cones[0] });
        let error = sampled_error(lattice, &cones, 37);
        assert!(error <= LIMIT, "{size:?}, one of them steep: {error:e}");
    }
}

#[test]
fn a_crowd_of_cones_keeps_the_error() {
    let lattice = Lattice { size: [512, 512], spacing: [1.0; 2] };
    for (count, side) in
        [(30, 20.0), (100, 3.0), (100, 60.0), (300, 20.0), (1000, 20.0), (2000, 4.0)]
    {
        let mut cones = scene(4, count, &lattice, 0.0, (50.0, 60.0), (1000.0, 1001.0));
        for cone in &mut cones {
            cone.x = 200.0 + (cone.x / 511.0 * side).round();
            cone.z = 230.0 + (cone.z / 511.0 * side).round();
        }
        let error = sampled_error(lattice, &cones, 11);
        assert!(error <= LIMIT, "{count} within {side}: {error:e}");
    }
}

#[test]
fn no_divisor_is_too_small_or_too_large() {
    let lattice = Lattice { size: [130, 90], spacing: [1.0, 1.0] };
    let cones = scene(8, 30, &lattice, 0.0, (5.0, 60.0), (10.0, 1000.0));
    for divisor in [1e-300, 1e-30, 1e30, 1e300] {
        assert!(whole(lattice, &cones, divisor).iter().all(|height| !height.is_nan()), "{divisor}");
    }
}

#[test]
fn small_cones_that_hardly_overlap_keep_the_error() {
    let lattice = Lattice { size: [256, 256], spacing: [1.0, 1.0] };
    let cones = scene(5, 2000, &lattice, 0.0, (1.0, 4.0), (1.0, 2.0));
    assert!(error(lattice, &cones, Curve::Tent, 2000.0) <= LIMIT);
}

#[test]
fn a_lattice_of_any_shape_and_spacing_is_evaluated() {
    for size in [[1, 1], [1, 700], [900, 1], [3, 5], [17, 33], [64, 33], [2000, 3]] {
        for spacing in [[1.0, 1.0], [0.1, 1.0], [30.0, 3.0], [1e-6, 1e6], [1e4, 1.0]] {
            let lattice = Lattice { size, spacing };
            let cones = scene(11, 12, &lattice, 0.5, (2.0, 300.0), (1.0, 100.0));
            let error = error(lattice, &cones, Curve::Tent, 12.0);
            assert!(error <= LIMIT, "{size:?} {spacing:?}: {error:e}");
        }
    }
}

#[test]
fn without_cones_or_out_of_their_reach_the_ground_is_flat() {
    let lattice = Lattice { size: [100, 70], spacing: [2.0, 2.0] };
    let far = Cone { x: 1e4, z: -1e4, height: 50.0, radius: 5000.0 };
    let broken = Cone { x: f64::NAN, z: 0.0, height: f64::INFINITY, radius: 0.0 };
    for cones in [vec![], vec![far], vec![broken, far]] {
        assert!(whole(lattice, &cones, 1.0).iter().all(|&height| height == 0.0));
    }
}

#[test]
fn a_hollow_cancels_the_peak_it_mirrors() {
    let lattice = Lattice { size: [90, 60], spacing: [1.0, 1.0] };
    let peak = Cone { x: 30.3, z: 22.7, height: 80.0, radius: 40.0 };
    let hollow = Cone { height: -80.0, ..peak };
    assert!(whole(lattice, &[peak, hollow], 1.0).iter().all(|&height| height == 0.0));
}

#[test]
fn a_single_cone_has_its_height_at_the_apex_and_half_of_it_half_way() {
    let lattice = Lattice { size: [65, 65], spacing: [1.0, 2.0] };
    let cone = Cone { x: 20.0, z: 64.0, height: 100.0, radius: 16.0 };
    let heights = whole(lattice, &[cone], 4.0);
    let at = |i: usize, j: usize| heights[j * 65 + i];
    assert!((at(20, 32) - 25.0).abs() < 1e-4);
    assert!((at(28, 32) - 12.5).abs() < 1e-4);
    assert!((at(20, 36) - 12.5).abs() < 1e-4);
    assert_eq!(at(36, 32), 0.0);
    assert_eq!(at(60, 60), 0.0);
}

#[test]
fn the_gradient_is_the_limit_of_finite_differences() {
    let lattice = Lattice { size: [100, 100], spacing: [1.0, 1.0] };
    let cones = scene(9, 30, &lattice, 0.1, (10.0, 80.0), (10.0, 90.0));
    for (x, z) in [(12.3, 45.6), (50.1, 50.2), (88.8, 3.3)] {
        for curve in [Curve::Tent, Curve::InvertedV] {
            let step = 1e-5;
            let height = |x: f64, z: f64| height_at(&cones, curve, 30.0, x, z);
            let expected = [
                (height(x + step, z) - height(x - step, z)) / (2.0 * step),
                (height(x, z + step) - height(x, z - step)) / (2.0 * step),
            ];
            let gradient = gradient_at(&cones, curve, 30.0, x, z);
            assert!((gradient[0] - expected[0]).abs() < 1e-6);
            assert!((gradient[1] - expected[1]).abs() < 1e-6);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let lattice = Lattice { size: [300, 290], spacing: [1.0, 1.0] };
    let cones = scene(21, 150, &lattice, 0.2, (5.0, 200.0), (1.0, 100.0));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bits(&whole(lattice, &cones, 150.0)))
    };
    assert_eq!(run(1), run(7));
}

#[test]
fn the_order_of_cones_does_not_matter() {
    for size in [[20, 20], [130, 90]] {
        let lattice = Lattice { size, spacing: [1.0, 1.5] };
        let mut cones = scene(33, 80, &lattice, 0.3, (0.5, 150.0), (1e-2, 1e3));
        let first = bits(&whole(lattice, &cones, 80.0));
        cones.reverse();
        cones.swap(3, 41);
        assert_eq!(bits(&whole(lattice, &cones, 80.0)), first);
    }
}

#[test]
fn bands_of_rows_are_those_rows_of_the_whole() {
    let lattice = Lattice { size: [260, 200], spacing: [1.0, 1.0] };
    let cones = scene(13, 60, &lattice, 0.2, (5.0, 300.0), (1.0, 100.0));
    let field = FarField::new(lattice, &cones, Curve::Tent, 60.0);
    let all = bits(&fill(&field, &lattice.whole()));
    let mut banded = Vec::new();
    for first in (0..200).step_by(48) {
        let band = lattice.window(0, first, 260, 48.min(200 - first)).unwrap();
        banded.extend(bits(&fill(&field, &band)));
    }
    assert_eq!(banded, all);
}

struct Impatient;

impl Watch for Impatient {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_cancelled_evaluation_stops() {
    let lattice = Lattice { size: [600, 600], spacing: [1.0, 1.0] };
    let cones = scene(2, 10, &lattice, 0.0, (50.0, 300.0), (1.0, 100.0));
    let field = FarField::new(lattice, &cones, Curve::Tent, 10.0);
    let mut out = vec![0.0; 360_000];
    let result = field.fill(&lattice.whole(), &mut out, &Ctx::new(&Impatient, "uplift"));
    assert_eq!(result, Err(Cancelled));
}

/// A random edit, from a seed so that a failure can be repeated.
fn edit(uplift: &mut EditableUplift, lattice: &Lattice, step: u64) -> Option<Extent> {
    let cone = scene(step, 1, lattice, 0.3, (1.0, 120.0), (5.0, 60.0))[0];
    let count = uplift.cones().len() as u64;
    let k = (step.wrapping_mul(0x9E37_79B9) >> 7) % count.max(1);
    match step % 5 {
        0 if count < 60 => uplift.add(cone),
        1 if count > 20 => uplift.remove(k as usize),
        _ => uplift.replace(k as usize, cone),
    }
}

#[test]
fn after_many_edits_the_bytes_are_those_of_a_rebuild() {
    let lattice = Lattice { size: [170, 140], spacing: [1.0, 1.2] };
    for (curve, divisor) in [
        (Curve::Tent, Divisor::Fixed(40.0)),
        (Curve::InvertedV, Divisor::Fixed(40.0)),
        (Curve::Tent, Divisor::Count),
    ] {
        let cones = scene(1, 40, &lattice, 0.2, (1.0, 120.0), (5.0, 60.0));
        let mut uplift = EditableUplift::new(lattice, cones, curve, divisor);
        for step in 0..300 {
            let before = uplift.heights().clone();
            let dirty = edit(&mut uplift, &lattice, step);
            let window = dirty.map(|dirty| (dirty.origin(), dirty.width(), dirty.height()));
            for j in 0..140 {
                for i in 0..170 {
                    let is_dirty = window.is_some_and(|([left, top], width, height)| {
                        (left as usize..left as usize + width).contains(&i)
                            && (top as usize..top as usize + height).contains(&j)
                    });
                    if !is_dirty {
                        assert_eq!(uplift.heights()[(i, j)].to_bits(), before[(i, j)].to_bits());
                    }
                }
            }
            if step % 20 == 19 {
                let by = match divisor {
                    Divisor::Count => uplift.cones().len() as f64,
                    Divisor::Fixed(by) => by,
                };
                let field = FarField::new(lattice, uplift.cones(), curve, by);
                let rebuilt = fill(&field, &lattice.whole());
                assert_eq!(bits(uplift.heights().samples()), bits(&rebuilt), "after {step} edits");
            }
        }
    }
}

#[test]
fn a_moved_peak_dirties_little_more_than_its_discs() {
    let lattice = Lattice { size: [512, 512], spacing: [1.0, 1.0] };
    let mut cones = scene(4, 50, &lattice, 0.0, (20.0, 100.0), (5.0, 60.0));
    cones[7] = Cone { x: 100.0, z: 100.0, height: 30.0, radius: 40.0 };
    let mut uplift = EditableUplift::new(lattice, cones.clone(), Curve::Tent, Divisor::Count);
    let dirty = uplift.replace(7, Cone { x: 110.0, ..cones[7] }).unwrap();
    assert_eq!(dirty.origin(), [48, 48]);
    assert_eq!((dirty.width(), dirty.height()), (112, 96));
    let outside = Cone { x: -500.0, ..cones[7] };
    assert!(uplift.replace(7, outside).is_some());
    assert!(uplift.replace(7, Cone { x: -600.0, ..outside }).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_scene_keeps_the_error(
        seed: u64,
        size in (1_u32..90, 1_u32..90),
        aspect in -1.0..1.0_f64,
        count in 1_usize..40,
        radius in -0.5..3.0_f64,
        margin in 0.0..3.0_f64,
    ) {
        let lattice = Lattice { size: [size.0, size.1], spacing: [3.0, 3.0 * libm_pow(10.0, aspect)] };
        let smallest = libm_pow(10.0, radius);
        let mut cones = scene(seed, count, &lattice, margin, (smallest, 10.0 * smallest), (1e-3, 1e4));
        for cone in cones.iter_mut().skip(1).step_by(3) {
            cone.height = -cone.height;
        }
        let error = error(lattice, &cones, Curve::Tent, count as f64);
        prop_assert!(error <= LIMIT, "{error:e}");
    }

    #[test]
    fn any_tile_is_that_window_of_the_whole(
        seed: u64,
        (i, width) in (0_u32..200, 1_u32..90),
        (j, height) in (0_u32..140, 1_u32..90),
    ) {
        let lattice = Lattice { size: [210, 150], spacing: [1.0, 0.8] };
        let (width, height) = (width.min(210 - i), height.min(150 - j));
        let cones = scene(seed, 40, &lattice, 0.2, (2.0, 200.0), (1.0, 100.0));
        let field = FarField::new(lattice, &cones, Curve::Tent, 40.0);
        let all = fill(&field, &lattice.whole());
        let tile = lattice.window(i, j, width, height).unwrap();
        // From a field that has not seen the rest of the lattice.
        let tile = fill(&FarField::new(lattice, &cones, Curve::Tent, 40.0), &tile);
        for row in 0..height as usize {
            let start = (j as usize + row) * 210 + i as usize;
            let expected = &all[start..start + width as usize];
            prop_assert_eq!(bits(&tile[row * width as usize..][..width as usize]), bits(expected));
        }
    }
}
