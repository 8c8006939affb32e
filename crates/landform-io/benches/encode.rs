//! Encoding 4096² heights, beside what the `png` crate needs for the same picture in the same run.
//!
//! The ground is fractional noise of eight octaves, which compresses like rough terrain: its low bytes are noise.

use std::hint::black_box;
use std::io::Write;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use landform::{Grid, Seed, par};
use landform_io::{Format, Raster, WriteOptions};

const SIDE: usize = 4096;

/// Octaves of value noise with a smooth fade.
fn fractional_noise(side: usize) -> Grid {
    let mut samples = vec![0.0_f32; side * side];
    par::for_each_row(&mut samples, side, |j, row| {
        for k in 0..8 {
            let seed = Seed::new(7).child("octave").child(&k.to_string());
            let cell = side as f64 / f64::from(4 << k);
            let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
            let z = j as f64 / cell;
            let v = fade(z - z.floor());
            let mut corner = i64::MIN;
            let (mut west, mut east) = (0.0, 0.0);
            for (i, sample) in row.iter_mut().enumerate() {
                let x = i as f64 / cell;
                if x as i64 != corner {
                    corner = x as i64;
                    let at = |i: i64| {
                        let (north, south) =
                            (seed.uniform_at(i, z as i64), seed.uniform_at(i, z as i64 + 1));
                        north + (south - north) * v
                    };
                    (west, east) = (at(corner), at(corner + 1));
                }
                *sample +=
                    ((west + (east - west) * fade(x - x.floor())) / f64::from(1 << k)) as f32;
            }
        }
    });
    Grid::from_vec(side, side, samples)
}

/// Takes bytes and keeps only their number.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += black_box(bytes).len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn png_crate(levels: &[u8], compression: png::Compression) -> u64 {
    let mut count = Count(0);
    let mut encoder = png::Encoder::new(&mut count, SIDE as u32, SIDE as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(compression);
    let mut writer = encoder.write_header().expect("a count takes every byte");
    writer.write_image_data(levels).expect("a count takes every byte");
    writer.finish().expect("a count takes every byte");
    count.0
}

fn benches(c: &mut Criterion) {
    let grid = fractional_noise(SIDE);
    let raster = Raster { samples: &grid, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" };
    let (low, high) = grid.range();
    let level = |height: &f32| ((height - low) / (high - low) * 65535.0 + 0.5) as u16;
    let levels: Vec<u8> = grid.samples().iter().flat_map(|h| level(h).to_be_bytes()).collect();
    let own = |format: Format| {
        let mut count = Count(0);
        format.write(&raster, &mut count, &WriteOptions::default()).expect("noise is finite");
        count.0
    };
    let (ours, balanced) = (own(Format::Png), png_crate(&levels, png::Compression::Balanced));
    let fast = png_crate(&levels, png::Compression::Fast);
    eprintln!(
        "png: {ours} bytes, {:.4} of balanced, {:.4} of fast",
        ours as f64 / balanced as f64,
        ours as f64 / fast as f64
    );

    let mut group = c.benchmark_group("encode_4096");
    group.sample_size(10).throughput(Throughput::Elements((SIDE * SIDE) as u64));
    for format in [Format::Png, Format::Npy, Format::R16, Format::Glb] {
        group.bench_function(format.to_string(), |b| b.iter(|| own(format)));
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    group.bench_function("PNG, one thread", |b| b.iter(|| one.install(|| own(Format::Png))));
    group.bench_function("png crate, fast", |b| {
        b.iter(|| png_crate(&levels, png::Compression::Fast))
    });
    group.bench_function("png crate, balanced", |b| {
        b.iter(|| png_crate(&levels, png::Compression::Balanced));
    });
    group.finish();
}

criterion_group!(encode, benches);
criterion_main!(encode);
