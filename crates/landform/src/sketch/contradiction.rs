//! Lines that cannot all be met: found when the recipe becomes a plan, and told with both lines and the place where they meet.

use super::course::crossing;
use crate::demand::{Demand, DemandKind};
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

#[cfg(test)]
mod tests {
    use crate::{Inputs, Recipe};

    /// What is told of a sketch of these lines on 2000 × 2000 m with the sea at 0.
    fn told(lines: &str) -> String {
        let text = format!(
            "version = 1\nsize = [101, 101]\nspacing = [20, 20]\n[[stage]]\nkind = \"sketch\"\ncurved = false\nlines = [\n{lines}\n]\n"
        );
        let recipe = Recipe::parse(&text);
        match recipe.and_then(|recipe| recipe.resolve(&Inputs::default())) {
            Ok(_) => "nothing is wrong".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const COAST: &str = "{ kind = \"coast\", name = \"shore\", points = [[200, 200], [1800, 200], [1800, 1800], [200, 1800]] },\n";

    #[test]
    fn each_contradiction_is_one_clear_error_that_names_both_lines_and_the_place() {
        let ridge = "{ kind = \"ridge\", name = \"spine\", points = [[500, 1000], [1500, 1000]], heights = [300] },\n";
        let river = |name: &str, points: &str, heights: &str| {
            format!(
                "{{ kind = \"river\", name = \"{name}\", points = {points}, heights = {heights} }},\n"
            )
        };
        let first = river("one", "[[1000, 300], [1000, 1700]]", "[200, 10]");
        let cases = [
            (
                first.clone() + &river("two", "[[300, 600], [1700, 600]]", "[150, 5]"),
                "lines[1] river \"two\" crosses river \"one\" at [1000, 600]: let one of them end there as a tributary, or move it",
            ),
            (
                ridge.to_owned() + &first,
                "lines[1] river \"one\" crosses ridge \"spine\" at [1000, 1000]: no water crosses a ridge, so end one of them before it",
            ),
            (
                river("up", "[[300, 300], [900, 900]]", "[50, 80]"),
                "lines[0] river \"up\" begins at 50 m and ends at 80 m, [900, 900]: its source must lie above its mouth",
            ),
            (
                river("wavy", "[[300, 300], [600, 600], [900, 900], [1000, 1200]]", "[90, 40, 60, 10]"),
                "lines[0] river \"wavy\" does not fall from 40 m at [600, 600] to 60 m at [900, 900]: each height",
            ),
            (
                river("dry", "[[300, 300], [900, 900]]", "[50]"),
                "lines[0].heights is [50], but river \"dry\" ends on dry land: give the height of its mouth too",
            ),
            (
                COAST.to_owned() + "{ kind = \"point\", name = \"top\", at = [1000, 1000], height = -40 }",
                "lines[1] point \"top\" lies 40 m below the sea at [1000, 1000], inside of coast \"shore\": raise it to 0 m",
            ),
            (
                COAST.to_owned() + "{ kind = \"ridge\", name = \"reef\", points = [[1000, 1000], [1950, 1000]], heights = [80, 60] }",
                "lines[1] ridge \"reef\" stands 60 m above the sea at [1950, 1000], outside of coast \"shore\"",
            ),
            (
                ridge.to_owned() + "{ kind = \"contour\", name = \"low\", points = [[1200, 500], [1200, 1500]], height = 200 }",
                "lines[1] contour \"low\" is 200 m high where it meets ridge \"spine\" at [1200, 1000], which is 300 m high: give both one height there",
            ),
            (
                "{ kind = \"ridge\", name = \"same\", points = [[0, 0], [9, 9]], heights = [1] }, { kind = \"point\", name = \"same\", at = [5, 5], height = 3 }".to_owned(),
                "lines[1].name is \"same\", but another line is called that",
            ),
            (
                "{ kind = \"ridge\", points = [[40, 40]], heights = [1] }".to_owned(),
                "lines[0].points is a list of 1 value, but must be a list of 2 to 10000",
            ),
            (
                "{ kind = \"ridge\", points = [[40, 40], [40, 40]], heights = [1] }".to_owned(),
                "lines[0].points ridge \"ridge 1\" has 1 different points, and needs at least 2",
            ),
            (
                "{ kind = \"ridge\", points = [[40, 40], [90, 40], [90, 90], [70, 70]], heights = [1, 2, 3] }".to_owned(),
                "lines[0].heights is a list of 3, but ridge \"ridge 1\" has 4 points: give one height, two for its ends, or 4",
            ),
            (
                "{ kind = \"point\", at = [4000, 40], height = 3 }".to_owned(),
                "lines[0] point \"point 1\" lies off the map",
            ),
            (
                COAST.to_owned() + &COAST.replace("shore", "other").replace("[200, 200]", "[400, 100]"),
                "lines[1] coast \"other\" crosses coast \"shore\" at",
            ),
            (
                first.clone() + &river("side", "[[500, 900], [1000, 1000]]", "[300, 290]"),
                "lines[1] river \"side\" is at 290 m where it meets river \"one\" at [1000, 1000], whose bed is at",
            ),
        ];
        for (lines, expected) in cases {
            let error = told(&lines);
            assert!(error.contains(expected), "{error}\nexpected {expected}");
            assert!(
                error.starts_with("stage 1 (sketch)") || error.contains("stage 1 (sketch)"),
                "{error}"
            );
        }
    }

    #[test]
    fn what_fits_is_not_refused() {
        let rivers = "{ kind = \"river\", name = \"main\", points = [[1000, 400], [1100, 1000], [1000, 1950]], heights = [200] },\n\
             { kind = \"river\", name = \"side\", points = [[500, 600], [1100, 1000]], heights = [160] },\n\
             { kind = \"ridge\", name = \"spine\", points = [[400, 400], [300, 1000], [400, 1700]], heights = [300, 500, 90] },\n\
             { kind = \"contour\", points = [[1300, 800], [1500, 900], [1400, 1200]], height = 120, closed = true },\n";
        assert_eq!(told(&(COAST.to_owned() + rivers)), "nothing is wrong");
    }
}
