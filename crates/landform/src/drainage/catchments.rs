//! Catchments: the ground that drains to a stream.
//!
//! Streams are those of [Horton's table](super::statistics::StreamOrder): where at least [`CHANNEL`] samples drain, each from a source or a
//! confluence to where its order ends. A *catchment* is all ground that reaches the sea or the border by the same stream. A *subcatchment* is the
//! ground whose water comes to a stream before it comes to any other, so subcatchments divide the catchments. Ground that drains to the sea or the
//! border without a stream is in none.
//!
//! Slopes are those of a flat map: on a planet, where a column of samples is narrower near the poles, there are none.

use super::areas::{NONE, areas};
use super::compass::{Compass, NOWHERE};
use super::depressions::route;
use super::order::accumulate;
use super::receivers::receivers;
use super::statistics::{CHANNEL, bases};
use super::strahler::strahler;
use crate::feature::River;
use crate::{Feature, Lattice, Polygon, Terrain, Topology};

/// The ground that drains to a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Catchment {
    /// What it is called: `catchment 1`, the largest, and so on; a subcatchment has the name of its stream.
    pub name: String,
    /// The catchment in which a subcatchment lies.
    pub within: Option<String>,
    /// The stream that the stream of a subcatchment flows into.
    pub into: Option<String>,
    /// The river that leaves a catchment, where the terrain has rivers as objects.
    pub river: Option<String>,
    /// Order of its stream by Strahler: of a catchment, that at the mouth.
    pub order: u8,
    /// Its own ground in m².
    pub area: f64,
    /// All ground that drains through its mouth, in m².
    pub drained: f64,
    /// Length of its stream in metres: of a catchment, the longest way to the mouth.
    pub length: f64,
    /// x and z of the place where the stream ends.
    pub mouth: [f64; 2],
    /// The ground.
    pub parts: Vec<Polygon>,
}

/// The catchments of a terrain and what they are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catchments {
    /// The ground of each mouth, the largest first.
    pub whole: Vec<Catchment>,
    /// The ground of each stream, each after those that flow into it.
    pub parts: Vec<Catchment>,
}

impl Catchments {
    /// The catchments of a terrain, by its heights; none on a planet.
    pub fn of(terrain: &Terrain) -> Self {
        let extent = terrain.extent();
        let size = [extent.width(), extent.height()].map(|side| side as u32);
        if terrain.topology() == Topology::Sphere || size.iter().any(|&side| side < 2) {
            return Self::default();
        }
        let compass = Compass::new(&Lattice { size, spacing: extent.lattice().spacing });
        let sea = terrain.sea_level() as f32;
        let finite = |&h: &f32| if h.is_finite() { h } else { sea };
        let heights: Vec<f32> = terrain.height().samples().iter().map(finite).collect();
        let is_base = bases(&heights, sea, &compass);
        let raw = receivers(&heights, &is_base, &compass, None);
        let (directions, order) = route(raw, &heights, &is_base, &compass);
        let streams = Streams::new(&directions, &order, &compass);
        streams.catchments(terrain)
    }
}

/// A stream of one order.
struct Stream {
    order: u8,
    /// Its last sample.
    last: usize,
    /// Metres to where it ends.
    length: f64,
    /// Number of its catchment.
    catchment: usize,
}

/// Where the water runs.
struct Streams<'a> {
    directions: &'a [u8],
    order: &'a [u32],
    compass: &'a Compass,
    /// Samples that drain through each.
    drained: Vec<f32>,
    /// The stream that each sample belongs to.
    numbers: Vec<u32>,
    list: Vec<Stream>,
}

impl<'a> Streams<'a> {
    fn new(directions: &'a [u8], order: &'a [u32], compass: &'a Compass) -> Self {
        let mut drained = vec![1.0; directions.len()];
        accumulate(&mut drained, order, directions, compass);
        let is_stream = |at: usize| drained[at] >= CHANNEL && directions[at] != NOWHERE;
        let orders = strahler(is_stream, order, directions, compass);
        let mut numbers = vec![NONE; directions.len()];
        let mut list: Vec<Stream> = Vec::new();
        for &at in order {
            let at = at as usize;
            if orders[at] == 0 {
                continue;
            }
            if numbers[at] == NONE {
                numbers[at] = list.len() as u32;
                list.push(Stream { order: orders[at], last: at, length: 0.0, catchment: 0 });
            }
            let number = numbers[at];
            let stream = &mut list[number as usize];
            stream.last = at;
            stream.length += f64::from(compass.lengths[directions[at] as usize]);
            let next = compass.next(at, directions[at]);
            // No other stream of this order comes: two of them would make the next.
            if orders[next] == orders[at] {
                numbers[next] = number;
            }
        }
        Self { directions, order, compass, drained, numbers, list }
    }

    /// The stream that a stream flows into.
    fn next(&self, stream: &Stream) -> Option<usize> {
        let next = self.compass.next(stream.last, self.directions[stream.last]);
        Some(self.numbers[next]).filter(|&number| number != NONE).map(|number| number as usize)
    }

    fn catchments(mut self, terrain: &Terrain) -> Catchments {
        let mouths: Vec<usize> =
            (0..self.list.len()).filter(|&k| self.next(&self.list[k]).is_none()).collect();
        let mut sorted = mouths;
        let drained = |k: usize| self.drained[self.list[k].last];
        sorted.sort_by(|&a, &b| drained(b).total_cmp(&drained(a)).then(a.cmp(&b)));
        for (catchment, &k) in sorted.iter().enumerate() {
            self.list[k].catchment = catchment;
        }
        for k in (0..self.list.len()).rev() {
            if let Some(into) = self.next(&self.list[k]) {
                self.list[k].catchment = self.list[into].catchment;
            }
        }
        // Upstream, each sample has the stream of its receiver unless it is one.
        let mut labels = self.numbers.clone();
        for &at in self.order.iter().rev() {
            let at = at as usize;
            if labels[at] == NONE {
                labels[at] = labels[self.compass.next(at, self.directions[at])];
            }
        }
        let parts = self.subcatchments(&labels, terrain);
        let catchment = |&label: &u32| match self.list.get(label as usize) {
            Some(stream) => stream.catchment as u32,
            None => NONE,
        };
        let labels: Vec<u32> = labels.iter().map(catchment).collect();
        let whole = self.whole(&sorted, &labels, terrain);
        Catchments { whole, parts }
    }

    fn subcatchments(&self, labels: &[u32], terrain: &Terrain) -> Vec<Catchment> {
        let grounds = areas(labels, self.list.len(), terrain.extent());
        let stream = |number: usize| format!("stream {}", number + 1);
        let of = |(number, (found, parts)): (usize, (&Stream, Vec<Polygon>))| Catchment {
            name: stream(number),
            within: Some(format!("catchment {}", found.catchment + 1)),
            into: self.next(found).map(stream),
            ..self.catchment(found, parts, terrain)
        };
        self.list.iter().zip(grounds).enumerate().map(of).collect()
    }

    fn whole(&self, mouths: &[usize], labels: &[u32], terrain: &Terrain) -> Vec<Catchment> {
        let ways = self.ways();
        let rivers = self.rivers(mouths.len(), labels, terrain);
        let grounds = areas(labels, mouths.len(), terrain.extent());
        let of = |(k, (&mouth, parts)): (usize, (&usize, Vec<Polygon>))| {
            let stream = &self.list[mouth];
            let step = f64::from(self.compass.lengths[self.directions[stream.last] as usize]);
            Catchment {
                name: format!("catchment {}", k + 1),
                river: rivers[k].map(|river| river.name.clone()),
                length: ways[stream.last] + step,
                ..self.catchment(stream, parts, terrain)
            }
        };
        mouths.iter().zip(grounds).enumerate().map(of).collect()
    }

    fn catchment(&self, stream: &Stream, parts: Vec<Polygon>, terrain: &Terrain) -> Catchment {
        let end = self.compass.next(stream.last, self.directions[stream.last]);
        let extent = terrain.extent();
        let (width, cell) = (self.compass.width, self.compass.cell_area);
        Catchment {
            name: String::new(),
            within: None,
            into: None,
            river: None,
            order: stream.order,
            area: parts.iter().map(Polygon::area).sum(),
            drained: f64::from(self.drained[stream.last]) * cell,
            length: stream.length,
            mouth: [extent.x(end % width), extent.z(end / width)],
            parts,
        }
    }

    /// The longest way upstream of each sample, in metres.
    fn ways(&self) -> Vec<f64> {
        let mut ways = vec![0.0_f64; self.directions.len()];
        for &at in self.order {
            let at = at as usize;
            if let Some(&length) = self.compass.lengths.get(self.directions[at] as usize) {
                let next = self.compass.next(at, self.directions[at]);
                ways[next] = ways[next].max(ways[at] + f64::from(length));
            }
        }
        ways
    }

    /// The river with the most water that leaves each catchment.
    fn rivers<'t>(
        &self,
        count: usize,
        labels: &[u32],
        terrain: &'t Terrain,
    ) -> Vec<Option<&'t River>> {
        let extent = terrain.extent();
        let [dx, dz] = extent.lattice().spacing;
        let label = |x: f64, z: f64| {
            let [i, j] = [(x - extent.x(0)) / dx, (z - extent.z(0)) / dz].map(f64::round);
            let is_here =
                i >= 0.0 && j >= 0.0 && i < extent.width() as f64 && j < extent.height() as f64;
            let at = is_here.then(|| j as usize * extent.width() + i as usize)?;
            Some(labels[at]).filter(|&label| label != NONE)
        };
        let discharge = |river: &River| river.points.last().map_or(0.0, |point| point.discharge);
        let mut found: Vec<Option<&River>> = vec![None; count];
        let rivers = terrain.features().iter().filter_map(Feature::as_river);
        for river in rivers.filter(|river| river.into.is_none()) {
            // Its end lies in the sea, which is in no catchment.
            let last = river.points.iter().rev().find_map(|point| label(point.x, point.z));
            if let Some(slot) = last.and_then(|label| found.get_mut(label as usize)) {
                let is_more = slot.is_none_or(|other| discharge(river) > discharge(other));
                if is_more {
                    *slot = Some(river);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::drainage::statistics::Drainage;

    /// Three valleys fall to the sea in the south, parted by ridges in columns 20 and 40 of 61.
    fn valleys() -> Terrain {
        let lattice = Lattice { size: [61, 41], spacing: [10.0, 20.0] };
        let grid = Grid::from_fn(61, 41, |i, j| {
            let east = (i + 10) % 20;
            5.0 * (38.0 - j as f32) + 30.0 * east.min(20 - east) as f32 + 0.5
        });
        Terrain::new(lattice.whole(), 0.0, grid)
    }

    #[test]
    fn valleys_side_by_side_are_catchments_that_meet_on_the_ridges() {
        let found = Catchments::of(&valleys());
        assert_eq!(found.whole.len(), 3);
        for catchment in &found.whole {
            assert_eq!((catchment.parts.len(), catchment.order), (1, 1));
            let xs = catchment.parts[0].outline.iter().map(|point| point[0]);
            let (west, east) = xs.fold((f64::INFINITY, 0.0_f64), |(w, e), x| (w.min(x), e.max(x)));
            assert!((160.0..=210.0).contains(&(east - west)), "{west} {east}");
            assert!(catchment.mouth[1] >= 760.0, "{:?}", catchment.mouth);
        }
    }

    #[test]
    fn subcatchments_divide_the_catchments_and_are_the_streams_of_hortons_table() {
        let seed = crate::Seed::new(4);
        let lattice = Lattice { size: [90, 70], spacing: [10.0, 15.0] };
        let grid = Grid::from_fn(90, 70, |i, j| {
            let rough = 25.0 * seed.uniform((j * 90 + i) as u64) as f32;
            (i as f32 - 30.0) * 1.5 + (j as f32) * 0.7 + rough
        });
        let terrain = Terrain::new(lattice.whole(), 0.0, grid);
        let found = Catchments::of(&terrain);
        let area = |list: &[Catchment]| list.iter().map(|part| part.area).sum::<f64>();
        assert!((area(&found.whole) - area(&found.parts)).abs() < 1e-6);
        for whole in &found.whole {
            let inside =
                found.parts.iter().filter(|part| part.within.as_ref() == Some(&whole.name));
            let sum: f64 = inside.clone().map(|part| part.area).sum();
            assert!((sum - whole.area).abs() < 1e-6, "{sum} of {}", whole.area);
            let mouths = inside.filter(|part| part.into.is_none());
            assert_eq!(mouths.map(|part| part.drained).collect::<Vec<_>>(), [whole.drained]);
        }
        let table = Drainage::of(&terrain).stream_orders;
        assert!(table.len() > 1, "{table:?}");
        for entry in table {
            let streams: Vec<_> =
                found.parts.iter().filter(|part| part.order == entry.order).collect();
            assert_eq!(streams.len(), entry.streams as usize);
            let mean = |value: fn(&Catchment) -> f64| {
                streams.iter().map(|part| value(part)).sum::<f64>() / streams.len() as f64
            };
            assert!((mean(|part| part.drained) / entry.mean_area - 1.0).abs() < 1e-9);
            assert!((mean(|part| part.length) / entry.mean_length - 1.0).abs() < 1e-9);
        }
    }
}
