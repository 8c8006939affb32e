//! Lines that cannot all be met: found when the recipe becomes a plan, and told with both lines and the place where they meet.

use super::course::crossing;
use super::demand::{Demand, DemandKind};
use crate::error::{Error, number};
use crate::math;
use crate::region::Region;

/// How far the heights of two lines may differ where they meet, in metres.
const TOLERANCE: f64 = 1.0;

/// Finds the first contradiction among some lines, in the order of the recipe.
///
/// # Errors
/// Both lines, where they meet, and what is allowed.
pub fn check(demands: &[Demand], sea_level: f64) -> Result<(), Error> {
    for (index, demand) in demands.iter().enumerate() {
        check_fall(index, demand)?;
    }
    for (index, demand) in demands.iter().enumerate() {
        check_sea(index, demand, demands, sea_level)?;
        for other in &demands[..index] {
            check_meeting((index, demand), other)?;
        }
    }
    Ok(())
}

/// Where a line is in the recipe, and what it is.
fn told(demand: &Demand) -> String {
    format!("{} {:?}", demand.kind.word(), demand.name)
}

fn place(at: [f64; 2]) -> String {
    let [x, z] = at.map(|metres| number(metres.round()));
    format!("[{x}, {z}]")
}

fn metres(height: f64) -> String {
    number((height * 10.0).round() / 10.0)
}

fn refused(index: usize, message: String) -> Error {
    Error::of(format!("lines[{index}]"), message)
}

/// A bed must fall from each point to the next.
fn check_fall(index: usize, river: &Demand) -> Result<(), Error> {
    if river.kind != DemandKind::River {
        return Ok(());
    }
    let (first, last) = (river.heights[0], river.heights[river.heights.len() - 1]);
    let name = told(river);
    if first <= last {
        return Err(refused(
            index,
            format!(
                "{name} begins at {} m and ends at {} m, {}: its source must lie above its mouth",
                metres(first),
                metres(last),
                place(river.points[river.points.len() - 1])
            ),
        ));
    }
    let rises = |k: &usize| river.heights[k + 1] >= river.heights[*k];
    if let Some(k) = (0..river.heights.len() - 1).find(rises) {
        return Err(refused(
            index,
            format!(
                "{name} does not fall from {} m at {} to {} m at {}: each height of its bed must be below the one before",
                metres(river.heights[k]),
                place(river.points[k]),
                metres(river.heights[k + 1]),
                place(river.points[k + 1])
            ),
        ));
    }
    Ok(())
}

/// Land lies above the sea and inside of a coast, if there is one.
fn check_sea(
    index: usize,
    demand: &Demand,
    demands: &[Demand],
    sea_level: f64,
) -> Result<(), Error> {
    if matches!(demand.kind, DemandKind::Coast | DemandKind::Lake | DemandKind::Basin) {
        return Ok(());
    }
    let coasts: Vec<(&Demand, Region)> = demands
        .iter()
        .filter(|other| other.kind == DemandKind::Coast)
        .map(|coast| (coast, Region::Polygon { points: coast.points.clone() }))
        .collect();
    if coasts.is_empty() {
        return Ok(());
    }
    let last = demand.points.len() - 1;
    for (k, (&at, &height)) in demand.points.iter().zip(&demand.heights).enumerate() {
        let is_mouth = demand.kind == DemandKind::River && k == last;
        let on = coasts.iter().find(|(_, region)| region.contains(at[0], at[1]));
        match on {
            Some((coast, _)) if height < sea_level && !is_mouth => {
                return Err(refused(
                    index,
                    format!(
                        "{} lies {} m below the sea at {}, inside of {}: raise it to {} m, or draw the coast around it",
                        told(demand),
                        metres(sea_level - height),
                        place(at),
                        told(coast),
                        metres(sea_level)
                    ),
                ));
            }
            None if height > sea_level && !is_mouth => {
                let (coast, _) = coasts[0];
                return Err(refused(
                    index,
                    format!(
                        "{} stands {} m above the sea at {}, outside of {}: only what is inside of a coast can be land",
                        told(demand),
                        metres(height - sea_level),
                        place(at),
                        told(coast)
                    ),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Two lines that meet must have one height there, and water must neither cross water nor a ridge.
fn check_meeting((index, demand): (usize, &Demand), other: &Demand) -> Result<(), Error> {
    let (low, high) = (demand.bounds(), other.bounds());
    if (0..2).any(|axis| low[1][axis] < high[0][axis] || high[1][axis] < low[0][axis]) {
        return Ok(());
    }
    let joins = |one: &Demand, into: &Demand| one.into.as_ref() == Some(&into.name);
    for [a, b] in demand.segments() {
        for [c, d] in other.segments() {
            let ends = [demand.points[a], demand.points[b], other.points[c], other.points[d]];
            let Some((t, u)) = crossing(ends) else { continue };
            let at = [0, 1].map(|axis| math::lerp(ends[0][axis], ends[1][axis], t));
            let heights = [
                math::lerp(demand.heights[a], demand.heights[b], t),
                math::lerp(other.heights[c], other.heights[d], u),
            ];
            let is_confluence = |one: &Demand, into: &Demand| {
                let mouth = one.points[one.points.len() - 1];
                joins(one, into) && math::length(at[0] - mouth[0], at[1] - mouth[1]) < 1.0
            };
            if is_confluence(demand, other) || is_confluence(other, demand) {
                check_confluence((index, demand), other, (at, heights))?;
                continue;
            }
            meeting((index, demand), other, (at, heights))?;
        }
    }
    Ok(())
}

/// A tributary ends at the height of the bed that it joins.
fn check_confluence(
    (index, demand): (usize, &Demand),
    other: &Demand,
    (at, [own, others]): ([f64; 2], [f64; 2]),
) -> Result<(), Error> {
    if (own - others).abs() <= TOLERANCE {
        return Ok(());
    }
    Err(refused(
        index,
        format!(
            "{} is at {} m where it meets {} at {}, whose bed is at {} m: leave out the height of the mouth",
            told(demand),
            metres(own),
            told(other),
            place(at),
            metres(others)
        ),
    ))
}

/// Whether two lines may cross at a place.
fn meeting(
    (index, demand): (usize, &Demand),
    other: &Demand,
    (at, [own, others]): ([f64; 2], [f64; 2]),
) -> Result<(), Error> {
    use DemandKind::{Coast, Lake, Ridge, River};
    let (one, two, at) = (told(demand), told(other), place(at));
    let message = match (demand.kind, other.kind) {
        (River, River) => {
            format!(
                "{one} crosses {two} at {at}: let one of them end there as a tributary, or move it"
            )
        }
        (River, Ridge) | (Ridge, River) => {
            format!(
                "{one} crosses {two} at {at}: no water crosses a ridge, so end one of them before it"
            )
        }
        (Coast, Coast) => {
            format!("{one} crosses {two} at {at}: draw one coast around both, or move them apart")
        }
        // A river ends at the first water that it meets.
        (River, Coast | Lake) | (Coast | Lake, River) => return Ok(()),
        _ if (own - others).abs() <= TOLERANCE => return Ok(()),
        _ => format!(
            "{one} is {} m high where it meets {two} at {at}, which is {} m high: give both one height there, or move one of them",
            metres(own),
            metres(others)
        ),
    };
    Err(refused(index, message))
}
