//! The heights that the lowest and the highest level of 16-bit files stand for.
//!
//! Files of one terrain fit together if they share this range, whatever part of the ground they hold. So a tile of a larger terrain may not have its own,
//! and to evaluate all of the ground for one tile would take as long as to build all of it. The range is, in this order: the one that the user asks for,
//! `output_range` of the recipe, that of the store which the samples come from, that of the terrain if it is evaluated as a whole or is small.
//!
//! Else it is estimated. The whole ground is evaluated on a lattice of at most 252 samples a side, which is the same for all tiles; what lies between these
//! samples has a margin above and below, and the ends are round numbers. Heights beyond are clamped, which [`Warning::OutsideRange`] tells.
//!
//! [`Warning::OutsideRange`]: crate::Warning::OutsideRange

use std::fmt;

use landform::{Plan, Terrain, Topology, Watch};

use crate::make::Silent;
use crate::{Project, Result};

/// The most samples along a side of the lattice by which the range of a larger terrain is estimated. Gradient noise is 0 on the lines of its lattice; 251
/// cells, a prime number, do not meet them.
const OVERVIEW_SIDE: u32 = 252;

/// By which share of the range of the overview a piece of ground may be lower and higher between its samples: 0.06 in the presets.
const MARGIN: f64 = 0.12;

/// The same for worlds, whose ranges are narrower than the cells of the overview.
const MARGIN_OF_WORLDS: f64 = 0.5;

/// The heights that levels stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRange {
    /// Those of the lowest and of the highest level, in metres.
    pub ends: [f64; 2],
    /// Where they come from.
    pub source: RangeSource,
}

/// Where a range comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeSource {
    /// The user asked for it.
    Given,
    /// `output_range` of the recipe.
    Recipe,
    /// The store from which the samples come knows that of all its samples.
    Store,
    /// The lowest and the highest sample of the whole ground.
    Whole,
    /// The whole ground on a lattice of this size, with a margin.
    Overview {
        /// Its size.
        size: [u32; 2],
        /// The margin on each side, in percent of the range that was seen.
        margin: u32,
    },
}

impl LevelRange {
    /// Whether heights may lie outside.
    pub fn may_clamp(&self) -> bool {
        self.source != RangeSource::Whole
    }
}

impl fmt::Display for RangeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("the range that was asked for"),
            Self::Recipe => f.write_str("the output_range of the recipe"),
            Self::Store => f.write_str("the range of the whole store"),
            Self::Whole => f.write_str("the lowest and the highest height"),
            Self::Overview { size: [width, height], margin } => write!(
                f,
                "an estimate, the same for all tiles: {width}x{height} samples of the whole ground and a margin of {margin} %"
            ),
        }
    }
}

impl Project {
    /// The range that levels have in files of `terrain`, which is the whole ground or a part of it.
    ///
    /// # Errors
    /// Only by cancellation.
    pub fn level_range(
        &self,
        wanted: Option<[f64; 2]>,
        plan: &Plan,
        terrain: &Terrain,
        watch: &dyn Watch,
    ) -> Result<LevelRange> {
        let declared = [
            (wanted, RangeSource::Given),
            (self.recipe().output_range, RangeSource::Recipe),
            (self.range_of_store(), RangeSource::Store),
        ];
        let declared = declared.into_iter().find_map(|(ends, source)| Some((ends?, source)));
        if let Some((ends, source)) = declared {
            return Ok(LevelRange { ends, source });
        }
        let size = plan.lattice().size;
        let is_whole = *terrain.extent() == plan.lattice().whole();
        if is_whole || plan.lattice().whole().len() <= OVERVIEW_SIDE.pow(2) as usize {
            let (low, high) = match is_whole {
                true => terrain.height().range(),
                false => plan.run(&plan.lattice().whole(), &Silent(watch))?.height().range(),
            };
            let ends = [low.into(), high.into()];
            return Ok(LevelRange { ends, source: RangeSource::Whole });
        }
        watch.progress("range of the whole", 1.0);
        let overview = overview_of(size);
        let coarse = self.recipe().resolve_beside(plan, overview, self.inputs())?;
        let seen = coarse.run(&coarse.lattice().whole(), &Silent(watch))?;
        let (low, high) = seen.height().range();
        let margin = match plan.topology() {
            Topology::Plane => MARGIN,
            Topology::Sphere | Topology::Cylinder | Topology::Torus => MARGIN_OF_WORLDS,
        };
        let ends = with_margin([low.into(), high.into()], margin);
        let margin = (100.0 * margin).round() as u32;
        Ok(LevelRange { ends, source: RangeSource::Overview { size: overview, margin } })
    }
}

/// The size of the overview of a terrain, in its proportions.
fn overview_of(size: [u32; 2]) -> [u32; 2] {
    let longer = size[0].max(size[1]).max(2) - 1;
    let cells = |side: u32| u64::from(side.max(1) - 1) * u64::from(OVERVIEW_SIDE - 1);
    size.map(|side| (cells(side).div_ceil(u64::from(longer)) as u32 + 1).min(side))
}

/// A range with a margin on both sides, between round numbers: about three digits of its size.
fn with_margin([low, high]: [f64; 2], margin: f64) -> [f64; 2] {
    let relief = high - low;
    if relief <= 0.0 {
        return [low - 1.0, high + 1.0];
    }
    let mut digits = 0;
    while relief >= 1000.0 * power_of_ten(digits) {
        digits += 1;
    }
    while digits > -9 && relief < 100.0 * power_of_ten(digits) {
        digits -= 1;
    }
    let step = power_of_ten(digits.abs());
    let round = |metres: f64, to: fn(f64) -> f64| match digits {
        0.. => to(metres / step) * step,
        // Division by a power of ten gives the number that is written so.
        _ => to(metres * step) / step,
    };
    let margin = margin * relief;
    [round(low - margin, f64::floor), round(high + margin, f64::ceil)]
}

fn power_of_ten(digits: i32) -> f64 {
    let power = (0..digits.abs()).fold(1.0, |power, _| power * 10.0);
    if digits < 0 { 1.0 / power } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overview_has_the_proportions_of_the_ground() {
        assert_eq!(overview_of([65537, 65537]), [252, 252]);
        assert_eq!(overview_of([2049, 1025]), [252, 127]);
        assert_eq!(overview_of([100_000, 2]), [252, 2]);
        assert_eq!(overview_of([100_000, 1]), [252, 1]);
    }

    #[test]
    fn an_estimate_ends_at_round_numbers_beyond_its_margin() {
        assert_eq!(with_margin([0.0, 1600.0], 0.125), [-200.0, 1800.0]);
        assert_eq!(with_margin([-3.17, 804.2], 0.125), [-105.0, 906.0]);
        assert_eq!(with_margin([0.0, 0.8], 0.125), [-0.1, 0.9]);
        assert_eq!(with_margin([5.0, 5.0], 0.125), [4.0, 6.0]);
        for relief in [1e-7, 0.02, 3.0, 99.9, 1000.0, 123_456.0] {
            let [low, high] = with_margin([7.0, 7.0 + relief], 0.125);
            let margin = 0.125 * relief;
            assert!(low <= 7.0 - margin && high >= 7.0 + relief + margin, "{relief}");
            assert!(high - low < 1.3 * relief, "{relief}: {low} to {high}");
        }
    }
}
