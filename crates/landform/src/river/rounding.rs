//! Rounds the bends of rivers: each point of a line moves towards the middle of its neighbours, again and again.
//!
//! This is the curve-shortening flow in small steps: tight corners open first, and lines that do not cross stay so
//! (Grayson 1987). That is of smooth lines; ours are looked at every few steps, and if any two were about to cross, the
//! rounding stops short of it. Ends stay where they are, and a tributary follows the point where it joins.

use std::collections::HashMap;

use super::course::{Course, Main, crossing};
use crate::{Cancelled, Ctx, math};

/// How many steps are taken before the lines are looked at; fewer, once they came to cross.
const MOST_STEPS: usize = 80;

/// Rounds all lines together, in `rounds` steps.
///
/// # Errors
/// Only by cancellation.
pub fn round(courses: &mut [Course], rounds: usize, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
    let joins: Vec<Option<(usize, usize)>> = courses
        .iter()
        .map(|course| match course.into? {
            (Main::Here(main), point) => {
                let at = courses[main].line.iter().position(|vertex| *vertex == point)?;
                Some((main, at))
            }
            (Main::Earlier(_), _) => None,
        })
        .collect();
    let mut lines: Vec<Vec<[f64; 2]>> = courses.iter().map(|course| course.line.clone()).collect();
    let (mut left, mut steps) = (rounds, MOST_STEPS);
    while left > 0 && steps > 0 {
        let before = lines.clone();
        steps = steps.min(left);
        for _ in 0..steps {
            ctx.check()?;
            lines = lines.iter().map(|line| relaxed(line)).collect();
            for (k, join) in joins.iter().enumerate() {
                // A main river comes before its tributaries, so it has moved already.
                if let Some((main, at)) = *join
                    && let Some(point) = lines[main].get(at).copied()
                    && let Some(last) = lines[k].last_mut()
                {
                    *last = point;
                }
            }
        }
        ctx.check()?;
        if crosses(&lines) {
            lines = before;
            steps /= 4;
        } else {
            left -= steps;
        }
    }
    for (k, line) in lines.into_iter().enumerate() {
        if let (Some((Main::Here(_), point)), Some(last)) = (&mut courses[k].into, line.last()) {
            *point = *last;
        }
        courses[k].line = line;
    }
    Ok(())
}

fn relaxed(line: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let inner = line.windows(3).map(|three| {
        [0, 1].map(|axis| 0.5 * three[1][axis] + 0.25 * (three[0][axis] + three[2][axis]))
    });
    let ends = line.len().min(2);
    let first = line[..1].iter().copied();
    let last = line[line.len() + 1 - ends..].iter().copied();
    first.chain(inner).chain(last).collect()
}

/// Whether any line crosses another or itself. That a tributary touches its main river at its end does not count.
pub fn crosses(lines: &[Vec<[f64; 2]>]) -> bool {
    let parts = lines.iter().flat_map(|line| line.windows(2));
    let (sum, count) = parts.fold((0.0, 0.0), |(sum, count), ends| {
        (sum + math::length(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]), count + 1.0)
    });
    if count == 0.0 || sum == 0.0 {
        return false;
    }
    let cell = 2.0 * sum / count;
    let mut cells: HashMap<[i64; 2], Vec<[usize; 2]>> = HashMap::new();
    for (river, line) in lines.iter().enumerate() {
        for (k, ends) in line.windows(2).enumerate() {
            let [low, high] = [f64::min, f64::max].map(|pick| {
                [0, 1].map(|axis| (pick(ends[0][axis], ends[1][axis]) / cell).floor() as i64)
            });
            for j in low[1]..=high[1] {
                for i in low[0]..=high[0] {
                    let others = cells.entry([i, j]).or_default();
                    if others.iter().any(|&other| is_crossing(lines, other, [river, k])) {
                        return true;
                    }
                    others.push([river, k]);
                }
            }
        }
    }
    false
}

fn is_crossing(lines: &[Vec<[f64; 2]>], [r, a]: [usize; 2], [s, b]: [usize; 2]) -> bool {
    if r == s && a.abs_diff(b) <= 1 {
        return false;
    }
    let (p, q) = ([lines[r][a], lines[r][a + 1]], [lines[s][b], lines[s][b + 1]]);
    // A confluence: the last point of one is a point of the other.
    let touch =
        |one: &[[f64; 2]], ends: [[f64; 2]; 2]| one.last().is_some_and(|last| ends.contains(last));
    if r != s && (touch(&lines[r], q) || touch(&lines[s], p)) {
        return false;
    }
    crossing(p[0], p[1], q[0], q[1]).is_some()
}

/// Leaves out the points of a line that are within `tolerance` of it anyway, but none of those to `keep`.
pub fn thinned(line: &[[f64; 2]], keep: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    let mut thin: Vec<[f64; 2]> = Vec::with_capacity(line.len());
    let mut start = 0;
    for k in 0..line.len() {
        let is_end = k == 0 || k + 1 == line.len() || keep.contains(&line[k]);
        let is_needed = || {
            let (a, b) = (line[start], line[k + 1]);
            line[start + 1..=k].iter().any(|p| {
                let foot = super::course::foot(a, b, *p);
                math::length(p[0] - foot[0], p[1] - foot[1]) > tolerance
            })
        };
        if is_end || is_needed() {
            thin.push(line[k]);
            start = k;
        }
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_opens_and_ends_stay() {
        let spike: Vec<[f64; 2]> =
            (0..=40).map(|k| [f64::from(k), 30.0 - (f64::from(k) - 20.0).abs() * 1.5]).collect();
        let mut courses = [Course { line: spike.clone(), into: None }];
        round(&mut courses, 40, &Ctx::new(&(), "")).unwrap();
        let line = &courses[0].line;
        assert_eq!((line[0], line[40]), (spike[0], spike[40]));
        assert!(line[20][1] < 27.0, "{:?}", line[20]);
    }

    #[test]
    fn crossings_are_seen_and_confluences_are_none() {
        let east = vec![[0.0, 5.0], [5.0, 5.0], [10.0, 5.0]];
        let across = vec![[4.0, 0.0], [4.0, 10.0]];
        let into = vec![[5.0, 0.0], [5.0, 5.0]];
        let knot = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 5.0], [5.0, -5.0]];
        assert!(crosses(&[east.clone(), across]));
        assert!(!crosses(&[east, into]));
        assert!(crosses(&[knot]));
    }

    #[test]
    fn a_straight_line_needs_two_points() {
        let line: Vec<[f64; 2]> = (0..9).map(|k| [f64::from(k), f64::from(2 * k)]).collect();
        assert_eq!(thinned(&line, &[], 1e-9), [line[0], line[8]]);
        assert_eq!(thinned(&line, &[line[4]], 1e-9), [line[0], line[4], line[8]]);
    }
}
