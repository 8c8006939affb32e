//! Splat maps: how much of each material there is at every sample, packed as programs take it.
//!
//! The weights come from [materials](landform::analysis::material). Levels of all materials sum to 255 at every sample, by
//! the largest remainder, so that no seam of rounding shows.

use std::io::Write;

use landform::{Grid, Layer, Terrain, par};

use crate::{Raster, Result, WriteOptions, exr, png};

/// How weights are packed into files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// PNG with four materials a file, in red, green, blue and alpha.
    Rgba,
    /// A grey PNG for each material.
    Gray,
    /// The control map of Terrain3D: one EXR whose 32-bit words hold the two heaviest materials and how they blend.
    Control,
}

/// A file of a splat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplatFile {
    /// Its name.
    pub name: String,
    /// The materials in it: up to four for [`Packing::Rgba`], one for [`Packing::Gray`], all for [`Packing::Control`].
    pub materials: Vec<String>,
    packing: Packing,
    first: usize,
}

impl Packing {
    /// The files that a splat map of these materials becomes; their names begin with `stem`.
    pub fn files<S: AsRef<str>>(self, stem: &str, materials: &[S]) -> Vec<SplatFile> {
        let names: Vec<String> = materials.iter().map(|name| name.as_ref().to_owned()).collect();
        let group = match self {
            Self::Rgba => 4,
            Self::Gray => 1,
            Self::Control => names.len().max(1),
        };
        let is_one = names.len() <= group;
        let file = |(k, part): (usize, &[String])| SplatFile {
            name: match self {
                Self::Rgba if is_one => format!("{stem}.png"),
                Self::Rgba => format!("{stem}_{k}.png"),
                Self::Gray => format!("{stem}_{}.png", file_word(&part[0])),
                Self::Control => format!("{stem}.exr"),
            },
            materials: part.to_vec(),
            packing: self,
            first: k * group,
        };
        names.chunks(group).enumerate().map(file).collect()
    }
}

impl SplatFile {
    /// Writes the file, given the weights of all materials.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(
        &self,
        terrain: &Terrain,
        weights: &[(String, Grid)],
        out: &mut (impl Write + ?Sized),
    ) -> Result<()> {
        let width = terrain.extent().width();
        match self.packing {
            Packing::Rgba => png::encode_rgba8(width, &pixels(weights, self.first, width), out),
            Packing::Gray => {
                let gray: Vec<u8> =
                    pixels(weights, self.first, width).iter().map(|pixel| pixel[0]).collect();
                png::encode_gray8(width, &gray, out)
            }
            Packing::Control => {
                let words = Grid::from_vec(
                    width,
                    terrain.extent().height(),
                    (0..terrain.height().samples().len())
                        .map(|at| f32::from_bits(control_word(weights, at)))
                        .collect(),
                );
                let layer = Layer::named("control").expect("it is a word");
                let raster = Raster::new(&words, &layer, terrain.extent());
                exr::write(&raster, out, &WriteOptions::default())
            }
        }
    }
}

/// A name as a part of the name of a file.
fn file_word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(plain).collect()
}

/// Levels of four materials from `first` on, 0 where there are fewer.
fn pixels(weights: &[(String, Grid)], first: usize, width: usize) -> Vec<[u8; 4]> {
    let count = weights.first().map_or(0, |(_, grid)| grid.samples().len());
    let mut pixels = vec![[0; 4]; count];
    par::for_each_row(&mut pixels, width, |j, row| {
        let (mut levels, mut rests) = (vec![0; weights.len()], vec![0.0; weights.len()]);
        for (i, pixel) in row.iter_mut().enumerate() {
            quantise(weights, j * width + i, &mut levels, &mut rests);
            for (out, level) in pixel.iter_mut().zip(&levels[first..]) {
                *out = *level;
            }
        }
    });
    pixels
}

/// Levels that sum to 255: each is rounded down, and what is missing goes to the largest remainders.
fn quantise(weights: &[(String, Grid)], at: usize, levels: &mut [u8], rests: &mut [f32]) {
    let mut sum = 0_u32;
    let total: f32 = weights.iter().map(|(_, grid)| grid.samples()[at]).sum();
    let scale = if total > 0.0 { 255.0 / total } else { 0.0 };
    for (k, (_, grid)) in weights.iter().enumerate() {
        let exact = grid.samples()[at] * scale;
        levels[k] = exact as u8;
        rests[k] = exact - f32::from(levels[k]);
        sum += u32::from(levels[k]);
    }
    for _ in sum..255 {
        let most = (0..rests.len()).max_by(|&a, &b| rests[a].total_cmp(&rests[b])).unwrap_or(0);
        levels[most] = levels[most].saturating_add(1);
        rests[most] = -1.0;
    }
}

/// Terrain3D's word: base material in bits 27 to 31, the one over it in 22 to 26, and its share in 14 to 21.
fn control_word(weights: &[(String, Grid)], at: usize) -> u32 {
    let weight = |k: usize| weights[k].1.samples()[at];
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
    let (base, over) = (order[0], order.get(1).copied().unwrap_or(order[0]));
    let sum = weight(base) + weight(over);
    let share = if base != over && sum > 0.0 { weight(over) / sum } else { 0.0 };
    let blend = (share * 255.0).round() as u32;
    ((base as u32 & 31) << 27) | ((over as u32 & 31) << 22) | (blend << 14)
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::Lattice;

    fn terrain() -> Terrain {
        let extent = Lattice { size: [5, 3], spacing: [1.0, 1.0] }.whole();
        Terrain::new(extent, 0.0, Grid::filled(5, 3, 0.0))
    }

    fn weights(values: &[f32]) -> Vec<(String, Grid)> {
        let grid = |&value: &f32| ("m".to_owned(), Grid::filled(5, 3, value));
        values.iter().map(grid).collect()
    }

    #[test]
    fn levels_always_sum_to_255() {
        for values in [&[0.1, 0.2, 0.3, 0.4][..], &[1.0 / 3.0; 3], &[1.0], &[0.5, 0.5], &[0.01; 7]]
        {
            let mut levels = vec![0; values.len()];
            quantise(&weights(values), 4, &mut levels, &mut vec![0.0; values.len()]);
            let sum: u32 = levels.iter().map(|&level| u32::from(level)).sum();
            assert_eq!(sum, 255, "{values:?}: {levels:?}");
        }
    }

    #[test]
    fn five_materials_are_two_pictures_or_five() {
        let names = ["grass", "sand", "rock", "snow", "dark mud"];
        let rgba = Packing::Rgba.files("splat", &names);
        assert_eq!(
            rgba.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
            ["splat_0.png", "splat_1.png"]
        );
        assert_eq!(Packing::Gray.files("w", &names)[4].name, "w_dark_mud.png");
        let mut bytes = Vec::new();
        rgba[1].write(&terrain(), &weights(&[0.0, 0.0, 0.0, 0.0, 1.0]), &mut bytes).unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(&pixels[..4], [255, 0, 0, 0]);
    }

    #[test]
    fn a_control_word_has_the_two_heaviest_and_their_blend() {
        let word = control_word(&weights(&[0.1, 0.0, 0.6, 0.3]), 0);
        assert_eq!((word >> 27, word >> 22 & 31, word >> 14 & 255), (2, 3, 85));
        assert_eq!(word & 0x3fff, 0);
        let mut bytes = Vec::new();
        let file = &Packing::Control.files("control", &["a", "b", "c", "d"])[0];
        file.write(&terrain(), &weights(&[0.1, 0.0, 0.6, 0.3]), &mut bytes).unwrap();
        let back = crate::read(&bytes, crate::Format::Exr, &crate::ReadOptions::default()).unwrap();
        assert_eq!(back.heights[(3, 1)].to_bits(), word);
    }
}
