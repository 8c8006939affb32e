//! Which circle a click means: the one whose rim or centre is nearest; further clicks at the same place go through the others.

use eframe::egui::{Pos2, Vec2};

/// How near a click must be, in points.
pub(crate) const REACH: f32 = 9.0;

/// A circle on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Circle {
    pub(crate) index: usize,
    pub(crate) center: Pos2,
    pub(crate) radius: f32,
    /// How much wider than high it is drawn.
    pub(crate) stretch: f32,
}

/// What of a circle was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CirclePart {
    Center,
    Rim,
}

/// A circle that was hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) index: usize,
    pub(crate) part: CirclePart,
    pub(crate) distance: f32,
}

/// The circles whose centre or rim is near `at`, the nearest first.
pub(crate) fn candidates(circles: impl Iterator<Item = Circle>, at: Pos2) -> Vec<Hit> {
    let mut hits: Vec<Hit> = circles
        .filter_map(|Circle { index, center, radius, stretch }| {
            let from_center = ((at - center) / Vec2::new(stretch, 1.0)).length();
            let from_rim = (from_center - radius).abs();
            let (part, distance) = if from_center <= from_rim {
                (CirclePart::Center, from_center)
            } else {
                (CirclePart::Rim, from_rim)
            };
            (distance <= REACH).then_some(Hit { index, part, distance })
        })
        .collect();
    hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.index.cmp(&b.index)));
    hits
}

/// Remembers where was clicked last, to go on from there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cycle {
    last: Option<(Pos2, usize)>,
}

impl Cycle {
    /// The hit that a click at `at` means.
    pub(crate) fn pick(&mut self, hits: &[Hit], at: Pos2) -> Option<Hit> {
        let is_same_place =
            |(place, _): &(Pos2, usize)| (*place - at).length() < Vec2::splat(3.0).length();
        let hit = match self.last.filter(is_same_place) {
            Some((_, last)) => {
                let place = hits.iter().position(|hit| hit.index == last);
                hits.get(place.map_or(0, |place| (place + 1) % hits.len()))
            }
            None => hits.first(),
        };
        self.last = hit.map(|hit| (at, hit.index));
        hit.copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles() -> Vec<Circle> {
        let circle = |index, x: f32, radius| Circle {
            index,
            center: Pos2::new(x, 0.0),
            radius,
            stretch: 1.0,
        };
        vec![circle(0, 0.0, 100.0), circle(1, 100.0, 30.0), circle(2, 300.0, 5.0)]
    }

    #[test]
    fn the_nearest_rim_or_centre_wins_and_clicks_go_through_the_rest() {
        let at = Pos2::new(102.0, 0.0);
        let hits = candidates(circles().into_iter(), at);
        assert_eq!(
            hits.iter().map(|hit| (hit.index, hit.part)).collect::<Vec<_>>(),
            [(0, CirclePart::Rim), (1, CirclePart::Center)]
        );
        let mut cycle = Cycle::default();
        let picked: Vec<_> = (0..3).map(|_| cycle.pick(&hits, at).unwrap().index).collect();
        assert_eq!(picked, [0, 1, 0]);
        assert_eq!(cycle.pick(&[], at), None);
        assert!(candidates(circles().into_iter(), Pos2::new(200.0, 50.0)).is_empty());
    }
}
