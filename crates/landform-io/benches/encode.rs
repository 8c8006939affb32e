//! Encoding 4096² heights, beside what the `png` crate needs for the same picture in the same run.
//!
//! Three grounds, since they compress by different means: fractional noise of 8 octaves (the finest 8 samples
//! wide) and of 11 octaves (rough to the last sample), and cones as the Uplift Model has them.

use std::hint::black_box;
use std::io::Write;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use landform::{Grid, Seed, math, par};
use landform_io::{Format, Raster, WriteOptions};

const SIDE: usize = 4096;

/// Octaves of gradient noise, each half as high as the one before.
fn fractional_noise(octaves: u32) -> Grid {
    let mut samples = vec![0.0_f32; SIDE * SIDE];
    par::for_each_row(&mut samples, SIDE, |j, row| {
        for k in 0..octaves {
            let seed = Seed::new(7).child("octave").child(&k.to_string());
            add_octave(seed, SIDE as f64 / f64::from(4 << k), 1.0 / f64::from(1 << k), j, row);
        }
    });
    Grid::from_vec(SIDE, SIDE, samples)
}

fn add_octave(seed: Seed, cell: f64, weight: f64, j: usize, row: &mut [f32]) {
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let z = j as f64 / cell;
    let (north, v) = (z as i64, z - z.floor());
    let gradient = |i: i64, j: i64| {
        let angle = seed.uniform_at(i, j) * std::f64::consts::TAU;
        [math::cos(angle), math::sin(angle)]
    };
    let mut corner = i64::MIN;
    let mut gradients = [[0.0; 2]; 4];
    for (i, sample) in row.iter_mut().enumerate() {
        let x = i as f64 / cell;
        if x as i64 != corner {
            corner = x as i64;
            let (west, east) = (corner, corner + 1);
            gradients = [(west, north), (east, north), (west, north + 1), (east, north + 1)]
                .map(|(i, j)| gradient(i, j));
        }
        let u = x - x.floor();
        let [a, b, c, d] = gradients;
        let north = math::lerp(a[0] * u + a[1] * v, b[0] * (u - 1.0) + b[1] * v, fade(u));
        let south =
            math::lerp(c[0] * u + c[1] * (v - 1.0), d[0] * (u - 1.0) + d[1] * (v - 1.0), fade(u));
        *sample += (math::lerp(north, south, fade(v)) * weight) as f32;
    }
}

/// The mean of 100 cones.
fn cones() -> Grid {
    let seed = Seed::new(3);
    let peaks: Vec<[f64; 4]> = (0..100)
        .map(|p| {
            let height = seed.between(4 * p, 100.0, 1000.0);
            let at = |k| seed.between(4 * p + k, 0.0, SIDE as f64);
            [at(1), at(2), height, height * 4.0]
        })
        .collect();
    let mut samples = vec![0.0_f32; SIDE * SIDE];
    par::for_each_row(&mut samples, SIDE, |j, row| {
        for (i, sample) in row.iter_mut().enumerate() {
            let height = |&[x, z, y, r]: &[f64; 4]| {
                (y - y / r * math::length(i as f64 - x, j as f64 - z)).max(0.0)
            };
            *sample = (peaks.iter().map(height).sum::<f64>() / 100.0) as f32;
        }
    });
    Grid::from_vec(SIDE, SIDE, samples)
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

fn own(grid: &Grid, format: Format) -> u64 {
    let raster = Raster { samples: grid, spacing: [1.0; 2], origin: [0.0; 2], unit: "m" };
    let mut count = Count(0);
    format.write(&raster, &mut count, &WriteOptions::default()).expect("the ground is finite");
    count.0
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

fn levels(grid: &Grid) -> Vec<u8> {
    let (low, high) = grid.range();
    let level = |height: &f32| ((height - low) / (high - low) * 65535.0 + 0.5) as u16;
    grid.samples().iter().flat_map(|height| level(height).to_be_bytes()).collect()
}

/// Nanoseconds for which this thread has been on a core; nothing where the system does not tell.
fn cpu_time() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Least nanoseconds a sample of three runs on one thread: other work on the machine does not count.
fn cpu_time_of(one: &rayon::ThreadPool, work: impl Fn() -> u64 + Sync) -> Option<f64> {
    let run = || {
        let start = cpu_time()?;
        black_box(work());
        Some((cpu_time()? - start) / (SIDE * SIDE) as f64)
    };
    (0..3).filter_map(|_| one.install(run)).min_by(f64::total_cmp)
}

fn benches(c: &mut Criterion) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let grounds =
        [("noise8", fractional_noise(8)), ("noise11", fractional_noise(11)), ("cones", cones())];
    for (name, grid) in &grounds {
        let levels = levels(grid);
        let (ours, balanced) =
            (own(grid, Format::Png), png_crate(&levels, png::Compression::Balanced));
        eprintln!("{name}: {ours} bytes, {:.4} of balanced", ours as f64 / balanced as f64);
        if let Some(ours) = cpu_time_of(&one, || own(grid, Format::Png))
            && let Some(fast) = cpu_time_of(&one, || png_crate(&levels, png::Compression::Fast))
            && let Some(balanced) =
                cpu_time_of(&one, || png_crate(&levels, png::Compression::Balanced))
        {
            eprintln!(
                "{name}: {ours:.1} ns a sample of one core; fast {fast:.1}, balanced {balanced:.1}: \
                 {:.1} times as long",
                balanced / ours
            );
        }
        let mut group = c.benchmark_group(format!("png_4096_{name}"));
        group.sample_size(10).throughput(Throughput::Elements((SIDE * SIDE) as u64));
        group.bench_function("own", |b| b.iter(|| own(grid, Format::Png)));
        group.bench_function("own_one_thread", |b| {
            b.iter(|| one.install(|| own(grid, Format::Png)));
        });
        group.bench_function("crate_fast", |b| {
            b.iter(|| png_crate(&levels, png::Compression::Fast));
        });
        group.bench_function("crate_balanced", |b| {
            b.iter(|| png_crate(&levels, png::Compression::Balanced));
        });
        group.finish();
    }
    let mut group = c.benchmark_group("other_4096");
    group.sample_size(10).throughput(Throughput::Elements((SIDE * SIDE) as u64));
    for format in [Format::Npy, Format::R16, Format::R32, Format::Glb] {
        group.bench_function(format.to_string(), |b| b.iter(|| own(&grounds[0].1, format)));
    }
    group.finish();
}

criterion_group!(encode, benches);
criterion_main!(encode);
