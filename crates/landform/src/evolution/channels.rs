//! The channels of land that has evolved: between samples a cubic dams up valleys that run across the lattice, so where the
//! land is wanted more finely their floors are cut free.

use std::sync::OnceLock;

use crate::Lattice;
use crate::drainage::compass::Compass;
use crate::drainage::rivers::Streams;
use crate::feature::RiverPoint;
use crate::keep::Keep;
use crate::river::carve::Carving;
use crate::river::profile::Section;

/// Samples that must drain through one for it to be a channel.
const CHANNEL: f32 = 30.0;
/// Width and depth in metres of water that is none.
const WATER: f64 = 1e-3;

/// Lines along which the ground leads downhill.
pub(super) struct Channels {
    /// Points as x, z and the height of the ground, in metres.
    lines: Vec<Vec<[f32; 3]>>,
    /// How far the ground is cut beside them.
    radius: f64,
    /// Made when it is wanted for the first time: most land never is.
    carving: OnceLock<Carving>,
}

impl Channels {
    /// The channels of land with these heights and drainage areas, in samples, on ground whose border is `beyond` metres
    /// inside of the lattice.
    pub(super) fn new(
        [heights, area]: [&[f32]; 2],
        directions: &[u8],
        order: &[u32],
        lattice: &Lattice,
        beyond: [f64; 2],
    ) -> Self {
        let compass = Compass::new(lattice);
        let streams = Streams {
            compass: &compass,
            directions,
            order,
            discharge: area,
            surface: heights,
            least: CHANNEL,
        };
        let lines = streams.lines(lattice).into_iter().map(|line| {
            let place = |([x, z], at): ([f64; 2], u32)| {
                [(x - beyond[0]) as f32, (z - beyond[1]) as f32, heights[at as usize]]
            };
            line.into_iter().map(place).collect()
        });
        let [dx, dz] = lattice.spacing;
        Self { lines: lines.collect(), radius: 1.1 * dx.max(dz), carving: OnceLock::new() }
    }

    /// The channels, ready to be cut.
    pub(super) fn carving(&self, ground: [f64; 2]) -> &Carving {
        self.carving.get_or_init(|| {
            let section = |&[x, z, bed]: &[f32; 3]| {
                let [x, z, bed] = [x, z, bed].map(f64::from);
                Section {
                    water: RiverPoint { x, z, bed, width: WATER, depth: WATER, discharge: WATER },
                    radius: [self.radius; 2],
                    plain: 0.0,
                    gradient: 0.0,
                }
            };
            let sections: Vec<Vec<Section>> =
                self.lines.iter().map(|line| line.iter().map(section).collect()).collect();
            Carving::new(&sections, &[], Vec::new(), ground)
        })
    }
}

impl Keep for Channels {
    fn write(&self, out: &mut Vec<u8>) {
        self.lines.write(out);
        self.radius.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let (lines, radius) = (Keep::read(from)?, Keep::read(from)?);
        Some(Self { lines, radius, carving: OnceLock::new() })
    }
}
