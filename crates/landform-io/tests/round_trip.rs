//! What is written is read back: to the bit by floats, to half a level by levels.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod shared;

use landform::Grid;
use landform_io::{
    Channels, Endian, Format, Heightmap, Holds, Levels, Raster, ReadOptions, RowOrder, Scale,
    Source, WriteOptions, read,
};
use proptest::prelude::*;
use shared::{heights, rough, square};

fn written(format: Format, raster: &Raster<'_>, options: &WriteOptions<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(raster, &mut bytes, options).unwrap();
    bytes
}

fn bits(grid: &Grid) -> Grid<u32> {
    grid.map(|sample| sample.to_bits())
}

fn any_grid(sample: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Grid> {
    (1_usize..20, 1_usize..20).prop_flat_map(move |(width, height)| {
        prop::collection::vec(sample.clone(), width * height)
            .prop_map(move |samples| Grid::from_vec(width, height, samples))
    })
}

/// The largest difference that levels over the range of `grid` and rounding to f32 allow.
fn tolerance([low, high]: [f64; 2]) -> f64 {
    let largest = low.abs().max(high.abs());
    (high - low) / 65535.0 * 0.500_001 + largest * f64::from(f32::EPSILON)
}

fn assert_agrees(read: &Heightmap, written: &Grid, range: [f64; 2]) -> Result<(), TestCaseError> {
    prop_assert_eq!(read.heights.width(), written.width());
    for (back, sample) in read.heights.samples().iter().zip(written.samples()) {
        let difference = (f64::from(*back) - f64::from(*sample)).abs();
        prop_assert!(difference <= tolerance(range), "{} {}", back, sample);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn floats_read_back_to_the_bit(
        grid in any_grid(prop::num::f32::ANY),
        is_big in any::<bool>(),
        is_flipped in any::<bool>(),
    ) {
        let endian = if is_big { Endian::Big } else { Endian::Little };
        let rows = if is_flipped { RowOrder::SouthFirst } else { RowOrder::NorthFirst };
        let given = Scale { size: Some([grid.width() as u32, grid.height() as u32]), ..Scale::default() };
        for format in [Format::Npy, Format::R32, Format::Tiff, Format::Exr] {
            let bytes = written(format, &heights(&grid), &WriteOptions { endian, rows, ..WriteOptions::default() });
            let options = ReadOptions { given, endian, rows, ..ReadOptions::default() };
            let back = read(&bytes, format, &options).unwrap();
            prop_assert_eq!(bits(&back.heights), bits(&grid));
            prop_assert_eq!(back.levels, None);
        }
    }

    #[test]
    fn levels_read_back_to_half_a_level(
        grid in any_grid(-9000.0_f32..9000.0),
        is_flipped in any::<bool>(),
    ) {
        let (low, high) = grid.range();
        let range = [f64::from(low), f64::from(high)];
        let back = read(
            &written(Format::Png, &heights(&grid), &WriteOptions::default()),
            Format::Png,
            &ReadOptions::default(),
        ).unwrap();
        assert_agrees(&back, &grid, range)?;
        prop_assert_eq!((back.spacing, back.spacing_from), ([2.0, 3.0], Source::File));
        prop_assert_eq!((back.levels, back.scale_from), (Some(Levels::u16(range)), Source::File));

        let rows = if is_flipped { RowOrder::SouthFirst } else { RowOrder::NorthFirst };
        let bytes = written(Format::R16, &heights(&grid), &WriteOptions { rows, ..WriteOptions::default() });
        let size = Some([grid.width() as u32, grid.height() as u32]);
        let side_car = Scale { size, range: Some(range), spacing: None };
        let back = read(&bytes, Format::R16, &ReadOptions { side_car, rows, ..ReadOptions::default() }).unwrap();
        assert_agrees(&back, &grid, range)?;
        prop_assert_eq!(back.scale_from, Source::SideCar);
    }

    #[test]
    fn what_was_read_from_levels_is_written_to_the_same_levels(grid in any_grid(-100.0_f32..900.0)) {
        let first = written(Format::Png, &heights(&grid), &WriteOptions::default());
        let back = read(&first, Format::Png, &ReadOptions::default()).unwrap();
        let second = written(Format::Png, &back.raster(), &WriteOptions::default());
        prop_assert_eq!(first, second);
    }

    #[test]
    fn tiles_that_share_a_range_agree_on_their_border(seed: u64) {
        let grid = rough(21, 9, seed);
        let (low, high) = grid.range();
        let range = Some([f64::from(low), f64::from(high)]);
        let options = WriteOptions { range, ..WriteOptions::default() };
        let [west, east] = [grid.crop(0, 0, 11, 9), grid.crop(10, 0, 11, 9)].map(|tile| {
            let bytes = written(Format::Png, &heights(&tile), &options);
            read(&bytes, Format::Png, &ReadOptions::default()).unwrap().heights
        });
        for j in 0..9 {
            prop_assert_eq!(west[(10, j)], east[(0, j)]);
        }
    }
}

#[test]
fn pictures_of_floats_carry_their_spacing_and_metres() {
    let grid = rough(300, 40, 8);
    for format in [Format::Tiff, Format::Exr] {
        for channels in [Channels::One, Channels::Rgb] {
            let options = WriteOptions { channels, ..WriteOptions::default() };
            let bytes = written(format, &heights(&grid), &options);
            let back = read(&bytes, format, &ReadOptions::default()).unwrap();
            assert_eq!(back.heights, grid, "{format}");
            assert_eq!((back.spacing, back.spacing_from), ([2.0, 3.0], Source::File));
            assert_eq!((back.levels, back.scale_from), (None, Source::File));
        }
    }
}

#[test]
fn text_reads_back_to_the_bit() {
    let mut grid = rough(40, 30, 8);
    grid[(3, 3)] = f32::MIN_POSITIVE;
    grid[(4, 3)] = -1e20;
    let bytes = written(Format::Asc, &square(&grid), &WriteOptions::default());
    let back = read(&bytes, Format::Asc, &ReadOptions::default()).unwrap();
    assert_eq!(back.heights, grid);
    assert_eq!((back.spacing, back.spacing_from), ([2.0, 2.0], Source::File));
}

#[test]
fn normalised_floats_become_metres_by_a_given_range() {
    let grid = Grid::from_vec(2, 2, vec![0.0, 0.25, 0.5, 1.0]);
    let size = Some([2, 2]);
    let given = Scale { range: Some([-100.0, 300.0]), size, ..Scale::default() };
    for format in [Format::Npy, Format::R32, Format::Tiff, Format::Exr] {
        let bytes = written(format, &heights(&grid), &WriteOptions::default());
        let back = read(&bytes, format, &ReadOptions { given, ..ReadOptions::default() }).unwrap();
        assert_eq!(back.heights.samples(), [-100.0, 0.0, 100.0, 300.0], "{format}");
        assert_eq!(back.scale_from, Source::Caller);
    }
}

#[test]
fn every_shape_and_a_flat_range_work_in_every_format() {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (2, 2), (300, 5), (20_000, 2)] {
        for flat in [Some(12.5), None] {
            let grid =
                flat.map_or_else(|| rough(width, height, 3), |h| Grid::filled(width, height, h));
            for format in Format::all() {
                let mut bytes = Vec::new();
                let outcome = format.write(&square(&grid), &mut bytes, &WriteOptions::default());
                let is_solid = format.holds() == Holds::Solid;
                if format == Format::Hgt || (is_solid && width.min(height) == 1) {
                    let error = outcome.unwrap_err().to_string();
                    assert!(error.contains(&format!("a grid of {width} × {height}")), "{error}");
                    continue;
                }
                outcome.unwrap();
                if !format.is_read() {
                    continue;
                }
                let (low, high) = grid.range();
                let range = [f64::from(low), f64::from(high)];
                let size = Some([width as u32, height as u32]);
                let side_car = Scale { size, range: Some(range), spacing: None };
                let options = ReadOptions { side_car, ..ReadOptions::default() };
                let back = read(&bytes, format, &options).unwrap();
                assert_agrees(&back, &grid, range).unwrap();
            }
        }
    }
}

#[test]
fn levels_refuse_what_they_cannot_hold_and_say_where() {
    for (value, range) in [(f32::NAN, None), (f32::INFINITY, None), (11.0, Some([0.0, 10.0]))] {
        let mut grid = rough(8, 8, 1).map(|sample| sample / 100.0);
        grid[(5, 6)] = value;
        for format in [Format::Png, Format::R16] {
            let options = WriteOptions { range, ..WriteOptions::default() };
            let error =
                format.write(&heights(&grid), Vec::new(), &options).unwrap_err().to_string();
            assert!(error.contains("column 5, row 6"), "{error}");
        }
    }
    for format in [Format::Obj, Format::Glb] {
        let grid = Grid::filled(2, 2, f32::NAN);
        let error = format.write(&heights(&grid), Vec::new(), &WriteOptions::default());
        assert!(error.unwrap_err().to_string().contains("must be a finite number"));
    }
}

#[test]
fn the_caller_comes_before_the_file_and_the_file_before_the_side_car() {
    let grid = rough(5, 5, 2);
    let bytes = written(Format::Png, &heights(&grid), &WriteOptions::default());
    let scale = |high| Scale { range: Some([0.0, high]), spacing: Some([high; 2]), size: None };
    let side_car = ReadOptions { side_car: scale(7.0), ..ReadOptions::default() };
    let back = read(&bytes, Format::Png, &side_car).unwrap();
    assert_eq!((back.spacing, back.scale_from), ([2.0, 3.0], Source::File));
    let back = read(&bytes, Format::Png, &ReadOptions { given: scale(9.0), ..side_car }).unwrap();
    assert_eq!((back.spacing, back.scale_from), ([9.0, 9.0], Source::Caller));
    assert_eq!(back.heights.range(), (0.0, 9.0));
}

#[test]
fn a_mesh_as_text_has_the_heights_to_the_bit() {
    let grid = rough(9, 7, 5);
    let text =
        String::from_utf8(written(Format::Obj, &heights(&grid), &WriteOptions::default())).unwrap();
    let vertex = |line: &str| -> Vec<f32> {
        line.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    let vertices: Vec<_> = text.lines().filter(|line| line.starts_with("v ")).map(vertex).collect();
    assert_eq!(vertices.len(), 63);
    for (k, place) in vertices.iter().enumerate() {
        let (i, j) = (k % 9, k / 9);
        assert_eq!(place[..], [2.0 * i as f32, grid[(i, j)], 3.0 * j as f32]);
    }
    let faces: Vec<Vec<usize>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("f "))
        .map(|line| {
            line.split(' ').map(|c| c.split('/').next().unwrap().parse().unwrap()).collect()
        })
        .collect();
    assert_eq!(faces.len(), 2 * 8 * 6);
    for face in faces {
        let [a, b, c] = [face[0], face[1], face[2]].map(|corner| &vertices[corner - 1]);
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up > 0.0, "a face looks down");
    }
}
