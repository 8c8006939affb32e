//! The ground as the weather sees it: a coarse map of height, sea, latitude.

use crate::math::rounding::{floor_single, integer_single};
use crate::topology::Topology;
use crate::world::distance::distance_to;
use crate::world::flat::Flat;
use crate::world::surface::{AnySurface, MapCoordinates, NONE, Point, Tessellation, on_surface};
use crate::{Cancelled, Ctx, Lattice, Terrain, math};

/// Most columns of the lattice of the weather.
pub(super) const MOST_COLUMNS: u32 = 385;

/// A coarse map.
#[derive(Clone, Debug)]
pub(super) struct Air {
    pub(super) flat: Flat,
    surface: AnySurface,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Metres between columns on the equator, and between rows.
    pub(super) cell: [f64; 2],
    topology: Topology,
    wraps: bool,
    lattice: Lattice,
    /// Latitude of each row in degrees.
    pub(super) latitude: Vec<f64>,
    /// Height above the sea in metres, or above what counts as the sea level; 0 at sea.
    pub(super) altitude: Vec<f32>,
    /// Share of the cell that is land.
    pub(super) land: Vec<f32>,
    /// Metres to the sea; 0 at sea, and before [they are measured](Self::measure_inland).
    pub(super) inland: Vec<f32>,
    /// What all points of each column of cells have in common, and of each row.
    middles: [Vec<[f64; 2]>; 2],
    /// Columns a metre to the east, for each row: more near the poles of a sphere.
    pub(super) columns_per_metre: Vec<f64>,
}

impl Air {
    pub(super) fn new(
        (terrain, datum): (&Terrain, f32),
        topology: Topology,
        latitudes: [f64; 2],
    ) -> Self {
        let mut air = Self::over(terrain.extent().lattice(), topology, latitudes);
        air.look_at(terrain, datum);
        air.inland = vec![0.0; air.cells()];
        air
    }

    /// The cells alone, without what the ground below them is like.
    pub(super) fn over(design: &Lattice, topology: Topology, [north, south]: [f64; 2]) -> Self {
        let columns = design.size[0].min(MOST_COLUMNS);
        let shrink = f64::from(design.size[0].max(2) - 1) / f64::from(columns.max(2) - 1);
        let rows =
            ((f64::from(design.size[1] - 1) / shrink).round() as u32 + 1).min(4 * MOST_COLUMNS);
        let lattice = design.resampled([columns, rows]);
        let flat = Flat::new(&lattice, [topology.wraps()[0], false]);
        let shape = flat.shape();
        let (width, height) = (shape.width, shape.height);
        let cell = [0, 1].map(|axis| {
            let count = [width, height][axis] as f64;
            let ground = lattice.ground()[axis];
            if ground > 0.0 { ground / count } else { lattice.spacing[axis] }
        });
        let is_whole = topology != Topology::Plane;
        let (top, bottom) = if is_whole { (90.0, -90.0) } else { (north, south) };
        let latitude = (0..height)
            .map(|j| math::lerp(top, bottom, (j as f64 + 0.5) / height as f64))
            .collect();
        let mut air = Self {
            flat,
            surface: AnySurface::new(topology, &lattice),
            width,
            height,
            cell,
            topology,
            wraps: topology.wraps()[0],
            lattice,
            latitude,
            altitude: Vec::new(),
            land: Vec::new(),
            inland: Vec::new(),
            middles: [Vec::new(), Vec::new()],
            columns_per_metre: Vec::new(),
        };
        let place = |cell: usize| air.flat.point(cell);
        let columns = (0..width).map(|i| air.column(place(i)[0])).collect();
        let rows = (0..height).map(|j| air.row(place(j * width)[2])).collect();
        air.middles = [columns, rows];
        air.columns_per_metre = (0..height).map(|row| air.columns_per_metre(row)).collect();
        air
    }

    /// Whether the first column comes after the last.
    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    /// Whether columns go on over the poles.
    pub(super) fn is_round(&self) -> bool {
        self.topology == Topology::Sphere
    }

    pub(super) fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The longer side of the map in metres.
    pub(super) fn length(&self) -> f64 {
        let ground = self.lattice.ground();
        ground[0].max(ground[1]).max(1.0)
    }

    /// Means of the samples in each cell, its edges among them. Altitude counts from `datum`.
    fn look_at(&mut self, terrain: &Terrain, datum: f32) {
        let heights = terrain.height();
        let sea = terrain.sea_level() as f32;
        let range = |k: usize, count: usize, samples: usize| {
            let step = (samples.max(2) - 1) as f64 / count as f64;
            let first = (k as f64 * step).floor() as usize;
            let last = ((k + 1) as f64 * step).ceil() as usize;
            first.min(samples - 1)..=last.min(samples - 1)
        };
        let columns: Vec<_> =
            (0..self.width).map(|i| range(i, self.width, heights.width())).collect();
        let mut sums = vec![[0.0; 2]; self.width];
        for j in 0..self.height {
            let rows = range(j, self.height, heights.height());
            sums.fill([0.0; 2]);
            // Row by row: the sums of one cell have to wait for each other, those of others do not.
            for row in rows.clone() {
                for (columns, [above, land]) in columns.iter().zip(&mut sums) {
                    for &h in &heights.row(row)[columns.clone()] {
                        *above += (h - datum).max(0.0);
                        *land += f32::from(u8::from(h > sea));
                    }
                }
            }
            for (columns, [above, land]) in columns.iter().zip(&sums) {
                let count = (rows.clone().count() * columns.clone().count()) as f32;
                self.altitude.push(above / count);
                self.land.push(land / count);
            }
        }
    }

    /// Distances to the sea along the surface.
    pub(super) fn measure_inland(&mut self, ctx: &Ctx<'_>) -> Result<(), Cancelled> {
        let surface = self.surface.clone();
        let ground = self.lattice.ground();
        let share = |at: f64, axis: usize| if ground[axis] > 0.0 { at / ground[axis] } else { 0.5 };
        on_surface!(&surface, surface => {
            let is_sea = |cell: usize| {
                let [x, z] = surface.to_map(surface.point(cell));
                let own = self.flat.locate([x * ground[0], 0.0, z * ground[1]]);
                own == NONE || self.land[own as usize] < 0.5
            };
            let found = distance_to(surface, is_sea, f64::MAX, ctx)?;
            let place = |cell: usize| self.flat.point(cell);
            let column = |i: usize| surface.column(share(place(i)[0], 0));
            let columns: Vec<[f64; 2]> = (0..self.width).map(column).collect();
            let row = |j: usize| surface.row(share(place(j * self.width)[2], 1));
            let rows: Vec<[f64; 2]> = (0..self.height).map(row).collect();
            self.inland = (0..self.cells())
                .map(|cell| {
                    let (column, row) = (columns[cell % self.width], rows[cell / self.width]);
                    let there = surface.locate(surface.crossing(column, row));
                    let metres = if there == NONE { 0.0 } else { found[there as usize] };
                    // All land and no sea: as far as the map is wide.
                    metres.min(self.length() as f32)
                })
                .collect();
        });
        Ok(())
    }

    /// What all points of a column have in common: [`MapCoordinates::column`].
    pub(super) fn column(&self, x: f64) -> [f64; 2] {
        let share = (x / self.lattice.ground()[0].max(1e-9)).min(1.0);
        on_surface!(&self.surface, surface => surface.column(share))
    }

    /// What all points of a row have in common: [`MapCoordinates::row`].
    pub(super) fn row(&self, z: f64) -> [f64; 2] {
        let share = (z / self.lattice.ground()[1].max(1e-9)).min(1.0);
        on_surface!(&self.surface, surface => surface.row(share))
    }

    /// The point of the surface where a column and a row meet: where noise is looked up.
    #[inline]
    pub(super) fn crossing(&self, column: [f64; 2], row: [f64; 2]) -> Point {
        on_surface!(&self.surface, surface => surface.crossing(column, row))
    }

    /// The point of the surface in the middle of a cell.
    pub(super) fn point(&self, cell: usize) -> Point {
        let [columns, rows] = &self.middles;
        self.crossing(columns[cell % self.width], rows[cell / self.width])
    }

    /// Topology and lattice, for noise.
    pub(super) fn place(&self) -> (Topology, &Lattice) {
        (self.topology, &self.lattice)
    }

    fn columns_per_metre(&self, row: usize) -> f64 {
        let shrink = if self.topology == Topology::Sphere {
            let share = (row as f64 + 0.5) / self.height as f64;
            math::sin(std::f64::consts::PI * share).max(0.1)
        } else {
            1.0
        };
        1.0 / (self.cell[0] * shrink)
    }

    /// The cell at a column and row that may lie beyond the edges. There is no branch, so that many are found side by side.
    #[inline(always)]
    pub(super) fn cell_at(&self, column: f32, row: f32) -> u32 {
        let (width, height) = (self.width as f32, self.height as f32);
        let j = floor_single(row.max(0.0).min(height - 1.0));
        let i = floor_single(column);
        // Around the map as often as it takes; the quotient may be rounded up to a whole number.
        let around = i - floor_single(i / width) * width;
        let around = around + if around < 0.0 { width } else { 0.0 };
        let i = if self.wraps { around } else { i };
        integer_single(j * width + i.max(0.0).min(width - 1.0)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_around_the_map_and_at_its_edges() {
        let design = Lattice { size: [385, 193], spacing: [1000.0, 1000.0] };
        for (topology, wraps) in [(Topology::Sphere, true), (Topology::Plane, false)] {
            let air = Air::over(&design, topology, [90.0, -90.0]);
            let (width, height) = (air.width as i32, air.height as i32);
            for k in -4000..4000 {
                let (column, row) = (k as f32 * 0.75, k as f32 * 0.125);
                let i = column.floor() as i32;
                let i = if wraps { i.rem_euclid(width) } else { i.clamp(0, width - 1) };
                let j = (row.floor() as i32).clamp(0, height - 1);
                assert_eq!(air.cell_at(column, row), (j * width + i) as u32, "{column} {row}");
            }
        }
    }
}
