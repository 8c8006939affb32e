use super::*;
use crate::uplift::brute_force::plain;

fn random_cones(
    seed: u64,
    count: usize,
    ground: [f64; 2],
    radius: (f64, f64),
    height: (f64, f64),
) -> Vec<Cone> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count)
        .map(|_| Cone {
            x: ground[0] * next(),
            z: ground[1] * next(),
            height: height.0 + (height.1 - height.0) * next(),
            radius: radius.0 + (radius.1 - radius.0) * next(),
        })
        .collect()
}

fn error(lattice: Lattice, cones: &[Cone], curve: Curve) -> f64 {
    let divisor = cones.len() as f64;
    let field = FarField::new(lattice, cones, curve, divisor);
    let extent = lattice.whole();
    let mut out = vec![0.0; extent.len()];
    field.fill(&extent, &mut out, &Ctx::new(&(), "test")).unwrap();
    let expected = plain(cones, curve, divisor, &extent);
    let low = expected.iter().copied().fold(f64::INFINITY, f64::min);
    let high = expected.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst =
        out.iter().zip(&expected).map(|(&a, &b)| (f64::from(a) - b).abs()).fold(0.0, f64::max);
    worst / (high - low)
}

#[test]
fn heights_are_those_of_the_law_within_a_millionth_of_the_range() {
    let lattice = Lattice { size: [300, 200], spacing: [1.0, 1.0] };
    for radius in [(0.3, 2.0), (3.0, 20.0), (20.0, 60.0), (60.0, 400.0), (1000.0, 3000.0)] {
        for count in [1, 7, 60] {
            let cones = random_cones(7, count, lattice.ground(), radius, (10.0, 1000.0));
            let error = error(lattice, &cones, Curve::Tent);
            println!("{radius:?} {count} {error:e}");
            let error = self::error(lattice, &cones, Curve::InvertedV);
            println!("{radius:?} {count} {error:e} V");
        }
    }
}
