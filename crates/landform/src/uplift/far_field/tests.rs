//! What needs to see inside. The laws of the public interface are in `tests/uplift.rs`.

use super::*;

fn cones(count: usize) -> Vec<Cone> {
    (0..count)
        .map(|k| {
            let wave = |step: f64| (step * k as f64).fract();
            Cone {
                x: 220.0 * wave(0.618_034) - 10.0,
                z: 150.0 * wave(0.754_878),
                height: 1000.0 * wave(0.569_84) - 200.0,
                radius: 1.0 + 120.0 * wave(0.324_718) * wave(0.569_84),
            }
        })
        .collect()
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_instruction_set_gives_the_same_bytes() {
    let lattice = Lattice { size: [200, 150], spacing: [1.0, 0.9] };
    let mut field = FarField::new(lattice, &cones(90), Curve::Tent, 90.0);
    let extent = lattice.whole();
    let mut fill = |level: Level| {
        field.level = level;
        field.kept.iter_mut().for_each(|node| *node = OnceLock::new());
        let mut out = vec![0.0; extent.len()];
        field.fill(&extent, &mut out, &Ctx::new(&(), "test")).unwrap();
        out.iter().map(|height| height.to_bits()).collect::<Vec<_>>()
    };
    let best = Level::new();
    let sse2 = fill(best.as_sse2().unwrap().level());
    if let Some(sse4_2) = best.as_sse4_2() {
        assert_eq!(fill(sse4_2.level()), sse2);
    }
    if let Some(avx2) = best.as_avx2() {
        assert_eq!(fill(avx2.level()), sse2);
    }
    if let Some(avx512) = best.as_avx512() {
        assert_eq!(fill(avx512.level()), sse2);
    }
}

#[test]
fn the_quantum_follows_what_overlaps_and_not_how_many_there_are() {
    let lattice = Lattice { size: [1024, 1024], spacing: [1.0, 1.0] };
    let scattered: Vec<_> = (0..1000)
        .map(|k| Cone {
            x: f64::from(k % 32) * 32.0,
            z: f64::from(k / 32) * 32.0,
            height: 1.0,
            radius: 3.0,
        })
        .collect();
    let piled: Vec<_> = (0..1000).map(|_| Cone { x: 512.0, ..scattered[0] }).collect();
    let quantum = |cones: &[Cone]| FarField::new(lattice, cones, Curve::Tent, 1.0).units.leaf;
    assert!(quantum(&scattered) <= 2.5e-7);
    assert!(quantum(&piled) >= 1000.0 / f64::from(i32::MAX));
}
