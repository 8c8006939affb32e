//! Detail below the design lattice: the drainage goes on to smaller streams, as far as the output is fine.
//!
//! ```text
//! z_0, a_0   heights and water on the design lattice, worn once by multiple flow
//! z_k+1      = worn(refined(z_k), 2·between(a_k))     on a lattice of half the spacing
//! refined    (−1, 9, 9, −1)/16 along each axis        between: the mean of two neighbours along each axis
//! ```
//!
//! Each level [wears](super::flow_erosion) the ground of the one before with the water that it found there: tributaries join the
//! streams that there are, slopes end on them, and plains stay even. A lattice that is not a level is carried from the nearest one.
//!
//! A level is a function of the ground around a place: so much of the level before is refined as is asked for, with a halo, in blocks
//! that fit a cache. Beyond its border the ground goes on as its point reflection, so a border is no ridge and no shore.

use super::flow_erosion::{FlowErosion, Patch, Patches, Reach};
use super::refinement::{Part, Sample, Samples, bytes_of_blocks, in_blocks};
use crate::keep::keep_struct;
use crate::resample::carry::{Carried, Window};
use crate::{Cancelled, Ctx, Extent, Grid, Lattice, Seed};

/// Wavelengths of the noise on the design lattice, on the first level below, and on all others.
const WAVES: [&[f64]; 3] = [&[15.3, 7.7, 4.3], &[7.7, 4.3], &[4.3]];

/// The rounds on the design lattice, and on the levels below it.
const REACH: Reach = Reach { first_cut: 3, rounds: 4, last_cut: 8 };

/// The slope, rise over run, below which ground is a plain.
const STILL: f32 = 0.06;

/// What finer levels are made from, beside the heights.
#[derive(Clone, Debug)]
pub(super) struct Detail {
    /// Samples of the design lattice that drain through each.
    area: Grid,
    law: DetailLaw,
    /// The land on the design lattice, where something of the ground before is kept in it.
    land: Option<Carried>,
    /// How much of it is new, 0 to 1.
    new: f32,
}

keep_struct!(Detail { area, law, land, new });

/// How detail is made: the same on all levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct DetailLaw {
    /// Distance of the samples on the design lattice, in metres.
    pub(super) spacing: [f64; 2],
    /// 0 to 1.
    pub(super) strength: f32,
    /// How much it differs from place to place, 0 to 1.
    pub(super) patchiness: f32,
    /// The level of the sea: what lies lower stays as it is.
    pub(super) sea: f32,
    /// Tells the random numbers apart.
    pub(super) seed: u64,
}

keep_struct!(DetailLaw { spacing, strength, patchiness, sea, seed });

impl DetailLaw {
    fn erosion(&self, level: u32) -> FlowErosion {
        let share = 1.0 / f64::from(1_u32 << level);
        let seed = Seed::new(self.seed).child(&format!("detail {level}"));
        FlowErosion {
            spacing: self.spacing.map(|spacing| spacing * share),
            seed,
            strength: self.strength,
            patches: Patches {
                strength: self.patchiness,
                seed: Seed::new(self.seed).child("patches"),
                share,
            },
            waves: WAVES[level.min(2) as usize],
            grain: if level == 0 { 0.09 } else { 0.05 },
            reach: Reach { rounds: if level == 0 { 3 } else { 4 }, ..REACH },
            still: STILL,
            sea: self.sea,
        }
    }

    /// Bytes of the blocks of [`Self::wear_design`].
    pub(super) fn memory_of_wear(&self, size: [usize; 2]) -> u64 {
        bytes_of_blocks(&self.erosion(0), size)
    }

    /// Wears the ground of the design lattice itself, but not its base levels. `area` becomes the water that is shared among
    /// all lower neighbours.
    pub(super) fn wear_design(
        &self,
        heights: &mut [f32],
        area: &mut [f32],
        size: [usize; 2],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let ground = Mirrored { heights, area, size };
        let part = Part { origin: [0, 0], size };
        let mut worn = vec![[0.0; 2]; size[0] * size[1]];
        let source = |part: Part, patch: &mut Patch| ground.read(part, patch);
        in_blocks(&self.erosion(0), part, &mut worn, source, ctx)?;
        for ((height, area), worn) in heights.iter_mut().zip(area).zip(worn) {
            [*height, *area] = worn;
        }
        Ok(())
    }
}

/// Ground that goes on beyond its border as its point reflection.
struct Mirrored<'a> {
    heights: &'a [f32],
    area: &'a [f32],
    size: [usize; 2],
}

/// The place of a sample on an axis, and beyond a border the place of the border and of the mirrored sample.
fn mirrored(at: i64, count: usize) -> (usize, Option<usize>) {
    let last = count as i64 - 1;
    if at < 0 {
        (0, Some((-at).min(last) as usize))
    } else if at > last {
        (last as usize, Some((2 * last - at).max(0) as usize))
    } else {
        (at as usize, None)
    }
}

impl Mirrored<'_> {
    fn read(&self, part: Part, patch: &mut Patch) {
        let [width, rows] = part.size;
        patch.origin = part.origin;
        patch.size = part.size;
        patch.heights.clear();
        patch.area.clear();
        let columns: Vec<_> =
            (0..width).map(|i| mirrored(part.origin[0] + i as i64, self.size[0])).collect();
        let height = |j: usize, (edge, beyond): (usize, Option<usize>)| {
            let row = &self.heights[j * self.size[0]..];
            beyond.map_or(row[edge], |beyond| 2.0 * row[edge] - row[beyond])
        };
        for j in 0..rows {
            let (edge, beyond) = mirrored(part.origin[1] + j as i64, self.size[1]);
            let areas = &self.area[beyond.unwrap_or(edge) * self.size[0]..];
            for &column in &columns {
                let here = height(edge, column);
                let value = beyond.map_or(here, |beyond| 2.0 * here - height(beyond, column));
                patch.heights.push(value);
                patch.area.push(areas[column.1.unwrap_or(column.0)]);
            }
        }
    }
}

/// How often the spacing of one lattice is halved for another one over the same ground: to the nearest level.
fn levels(design: [usize; 2], output: [u32; 2]) -> u32 {
    let cells = |size: [u64; 2]| size.map(|count| count.max(2) - 1).iter().product::<u64>();
    let (coarse, fine) = (cells(design.map(|count| count as u64)), cells(output.map(u64::from)));
    let is_enough = |&level: &u32| fine <= coarse.saturating_mul(2 << (2 * level));
    (0..LEVELS).find(is_enough).unwrap_or(LEVELS)
}

/// The most levels that there can be.
const LEVELS: u32 = 16;

impl Detail {
    pub(super) fn new(area: Grid, law: DetailLaw, land: Option<Carried>, new: f32) -> Self {
        Self { area, law, land, new }
    }

    /// Adds what finer lattices have more than the land between the samples, as far as it is new.
    pub(super) fn add(
        &self,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let Some(land) = &self.land else { return Ok(()) };
        if levels([self.area.width(), self.area.height()], extent.lattice().size) == 0 {
            return Ok(());
        }
        let mut more = vec![0.0; out.len()];
        self.fill(land, extent, &mut more, ctx)?;
        land.fill(extent, &mut more, ctx, |more, between| *more -= between)?;
        let add = |(height, more): (&mut f32, f32)| *height += self.new * more;
        out.iter_mut().zip(more).for_each(add);
        Ok(())
    }

    /// The heights on any lattice over the ground of these.
    pub(super) fn fill(
        &self,
        heights: &Carried,
        extent: &Extent,
        out: &mut [f32],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let design = [self.area.width(), self.area.height()];
        let output = extent.lattice().size;
        let level = levels(design, output);
        if level == 0 {
            return heights.fill(extent, out, ctx, |height, new| *height = new);
        }
        let fine = design.map(|count| ((count as u32 - 1) << level) + 1);
        if fine == output {
            let origin = extent.origin().map(i64::from);
            let part = Part { origin, size: [extent.width(), extent.height()] };
            return self.level(heights.samples(), level, part, out, ctx);
        }
        let window = Window::around(fine, extent);
        let part = Part { origin: window.origin.map(|first| first as i64), size: window.size };
        let mut samples = vec![0.0; part.size[0] * part.size[1]];
        self.level(heights.samples(), level, part, &mut samples, ctx)?;
        heights.fill_from((&window, &samples), extent, out, ctx)
    }

    /// Bytes that [`Detail::fill`] holds beside the samples of `extent`, where there is `design` land.
    pub(super) fn memory(law: &DetailLaw, design: &Lattice, extent: &Extent) -> u64 {
        let (output, size) = (extent.lattice().size, design.size.map(|count| count as usize));
        let level = levels(size, output);
        if level == 0 {
            return 0;
        }
        let fine = design.size.map(|count| (((count - 1) << level) + 1) as usize);
        let own = [extent.width(), extent.height()];
        let mut side = [0, 1].map(|axis| {
            let share = fine[axis] as f64 / f64::from(output[axis]);
            if fine[axis] == output[axis] as usize {
                own[axis]
            } else {
                (own[axis] as f64 * share) as usize + 5
            }
        });
        let is_level = fine == output.map(|count| count as usize);
        let mut bytes = if is_level { 0 } else { 4 * side[0] * side[1] } as u64;
        bytes += bytes_of_blocks(&law.erosion(level), side);
        for level in (0..level).rev() {
            side = side.map(|count| (count + 2 * law.erosion(level + 1).halo()) / 2 + 5);
            // The coarsest of them is read into a patch first.
            let each = if level == 0 { 16 } else { 8 };
            bytes += each * (side[0] * side[1]) as u64;
        }
        bytes
    }

    /// A part of a level below the design lattice.
    fn level<T: Sample>(
        &self,
        heights: &Grid,
        level: u32,
        part: Part,
        out: &mut [T],
        ctx: &Ctx<'_>,
    ) -> Result<(), Cancelled> {
        let coarse = self.coarse(
            heights,
            level - 1,
            part.grown(self.law.erosion(level).halo()).coarse(),
            ctx,
        )?;
        let source = |part: Part, patch: &mut Patch| coarse.refine(part, patch);
        in_blocks(&self.law.erosion(level), part, out, source, ctx)
    }

    /// Heights and water of a part of a level.
    fn coarse(
        &self,
        heights: &Grid,
        level: u32,
        part: Part,
        ctx: &Ctx<'_>,
    ) -> Result<Samples, Cancelled> {
        if level == 0 {
            let size = [heights.width(), heights.height()];
            let ground = Mirrored { heights: heights.samples(), area: self.area.samples(), size };
            let mut patch = Patch::default();
            ground.read(part, &mut patch);
            let samples = patch.heights.into_iter().zip(patch.area).map(|(h, a)| [h, a]).collect();
            return Ok(Samples { part, samples });
        }
        let mut samples = vec![[0.0; 2]; part.size[0] * part.size[1]];
        self.level(heights, level, part, &mut samples, ctx)?;
        Ok(Samples { part, samples })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::spectrum::spectral_slopes;
    use crate::drainage::compass::Compass;
    use crate::drainage::depressions::route;
    use crate::drainage::order::accumulate;
    use crate::drainage::priority_flood::fill;
    use crate::drainage::receivers::receivers;
    use crate::{Plan, Recipe, Terrain};

    /// A small range on this design, of which the output has so many samples.
    fn plan(size: [u32; 2], output: [u32; 2], more: &str) -> Plan {
        let text = format!(
            "version = 1\nseed = 5\nsize = {size:?}\nspacing = [40, 40]\nresolution = {output:?}\n\
             [[stage]]\nkind = \"plane\"\nheight = 900\n\
             [[stage]]\nkind = \"noise\"\nwavelength = 2500\namplitude = 500\n\
             [[stage]]\nkind = \"evolve\"\nrelief = 900\nlevels = 3\n{more}\n"
        );
        Recipe::parse(&text).unwrap().resolve(&crate::Inputs::default()).unwrap()
    }

    fn whole(plan: &Plan) -> Terrain {
        plan.run(&plan.lattice().whole(), &()).unwrap()
    }

    fn square(size: u32, output: u32) -> Terrain {
        whole(&plan([size; 2], [output; 2], ""))
    }

    #[test]
    fn a_tile_is_the_same_window_of_the_whole_at_any_place_and_size() {
        // Several blocks of a level; a level itself, the next one, and a lattice between the levels.
        for (output, windows) in [
            ([901, 421], [[766, 383, 5, 3], [1, 2, 33, 419], [900, 420, 1, 1]]),
            ([451, 211], [[0, 0, 7, 5], [201, 83, 250, 128], [449, 0, 2, 211]]),
            ([600, 300], [[0, 0, 1, 1], [333, 111, 31, 17], [599, 299, 1, 1]]),
        ] {
            let plan = plan([226, 106], output, "");
            let all = whole(&plan);
            for [i, j, width, height] in windows {
                let tile = plan.lattice().window(i, j, width, height).unwrap();
                let found = plan.run(&tile, &()).unwrap();
                let [i, j, width, height] = [i, j, width, height].map(|n| n as usize);
                assert!(
                    *found.height() == all.height().crop(i, j, width, height),
                    "{output:?} at {i}, {j}"
                );
            }
        }
    }

    /// Samples that drain through each.
    fn drained(terrain: &Terrain) -> (Vec<f32>, Compass) {
        let compass = Compass::new(terrain.extent().lattice());
        let (width, height) = (compass.width, compass.height);
        let is_border = |at: usize| {
            [at % width, at / width].contains(&0)
                || at % width + 1 == width
                || at / width + 1 == height
        };
        let is_base: Vec<bool> = (0..compass.len()).map(is_border).collect();
        let heights = terrain.height().samples();
        let raw = receivers(heights, &is_base, &compass, None);
        let (directions, order) = route(raw, heights, &is_base, &compass);
        let mut area = vec![1.0; compass.len()];
        accumulate(&mut area, &order, &directions, &compass);
        (area, compass)
    }

    #[test]
    fn streams_stay_within_one_sample_of_where_they_were() {
        let (area, compass) = drained(&square(129, 129));
        for times in [2, 4] {
            let (fine, around) = drained(&square(129, 128 * times + 1));
            let times = times as usize;
            let (mut streams, mut kept) = (0, 0);
            for (at, &area) in area.iter().enumerate() {
                let (i, j) = (at % compass.width, at / compass.width);
                let is_inside = |k: usize| (4..125).contains(&k);
                if area < 60.0 || !is_inside(i) || !is_inside(j) {
                    continue;
                }
                streams += 1;
                let near = |k: usize| (k - 1) * times..=(k + 1) * times;
                let most = near(j)
                    .flat_map(|j| near(i).map(move |i| (i, j)))
                    .map(|(i, j)| fine[j * around.width + i])
                    .fold(0.0, f32::max);
                kept += usize::from(most > 0.6 * area * (times * times) as f32);
            }
            assert!(
                streams > 300 && kept as f64 > 0.97 * streams as f64,
                "{times}: {kept} of {streams}"
            );
        }
    }

    #[test]
    fn there_are_no_new_pits_deeper_than_a_metre() {
        for output in [257, 513] {
            let terrain = square(129, output);
            let (_, compass) = drained(&terrain);
            let width = compass.width;
            let is_border = |at: usize| {
                at.is_multiple_of(width)
                    || at % width + 1 == width
                    || at < width
                    || at + width >= compass.len()
            };
            let is_base: Vec<bool> = (0..compass.len()).map(is_border).collect();
            let heights = terrain.height().samples();
            let filled = fill(heights, &is_base, &compass);
            let deep = heights.iter().zip(&filled).filter(|&(h, filled)| filled - h > 1.0).count();
            assert!(deep == 0, "{output}: {deep} samples");
        }
    }

    #[test]
    fn the_spectrum_of_finer_output_has_the_break_of_real_land() {
        for output in [513, 1025] {
            let terrain = square(257, output);
            let lattice = terrain.extent().lattice();
            let [short, long] =
                spectral_slopes(terrain.height().samples(), lattice).map(Option::unwrap);
            // Nine pieces of real land have 4.4 to 5.4 at short wavelengths.
            assert!((4.2..5.6).contains(&short) && short > long - 0.6, "{output}: {short} {long}");
        }
    }

    #[test]
    fn detail_is_for_finer_lattices_too_and_0_leaves_the_rivers_land() {
        let heights = |detail: f64, output: u32| {
            let more = format!("detail = {detail}");
            whole(&plan([97; 2], [output; 2], &more)).height().clone()
        };
        let (without, with) = (heights(0.0, 97), heights(1.0, 97));
        assert!(without != with);
        // Twice as fine, the cubic between the samples, where no pit was opened.
        let fine = heights(0.0, 193);
        let same = (0..97 * 97)
            .filter(|k| fine[(2 * (k % 97), 2 * (k / 97))] == without[(k % 97, k / 97)]);
        assert!(same.count() > 97 * 97 * 19 / 20);
    }

    #[test]
    fn the_nearest_level_is_taken() {
        let level = |size: u32| levels([101, 101], [size, size]);
        assert_eq!(
            [50, 101, 141, 143, 201, 282, 284, 401, 801].map(level),
            [0, 0, 0, 1, 1, 1, 2, 2, 3]
        );
        assert_eq!(levels([1, 1], [1, 1]), 0);
    }

    #[test]
    fn ground_goes_on_beyond_its_border_as_its_point_reflection() {
        let heights: Vec<f32> = (0..12).map(|k| (3 * (k % 4) + 7 * (k / 4)) as f32).collect();
        let ground = Mirrored { heights: &heights, area: &[1.0; 12], size: [4, 3] };
        let mut patch = Patch::default();
        ground.read(Part { origin: [-2, -2], size: [8, 7] }, &mut patch);
        for (k, &height) in patch.heights.iter().enumerate() {
            let (i, j) = ((k % 8) as f32 - 2.0, (k / 8) as f32 - 2.0);
            assert_eq!(height, 3.0 * i + 7.0 * j, "a plane is one everywhere");
        }
    }
}
