//! Where a raster lies on the Earth, in the keys of GeoTIFF.

use landform::georeference::{Crs, GeoKeys, Georeference};

const LOCAL_NAME: &str = "Landform local|";

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
const GEOGRAPHIC_CRS: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const ASCII_PARAMS: u16 = 34737;
const PIXEL_IS_AREA: u16 = 1;
const PIXEL_IS_POINT: u16 = 2;
const METRE: u16 = 9001;
const DEGREE: u16 = 9102;
const USER_DEFINED: u16 = 32767;
/// Names of systems, which say nothing that their codes do not, and keys that are understood.
const UNDERSTOOD: &[u16] = &[
    MODEL_TYPE,
    RASTER_TYPE,
    CITATION,
    GEOGRAPHIC_CRS,
    2049,
    ANGULAR_UNITS,
    2057,
    2059,
    PROJECTED_CRS,
    3073,
    LINEAR_UNITS,
];

/// The keys of a coordinate system. Samples are points.
pub(super) fn keys(crs: &Crs) -> GeoKeys {
    let of = |keys: &[[u16; 4]], text: &str| {
        let mut directory = vec![1, 1, 1, keys.len() as u16];
        directory.extend(keys.as_flattened());
        GeoKeys { directory, numbers: Vec::new(), text: text.to_owned() }
    };
    let points = [RASTER_TYPE, 0, 1, PIXEL_IS_POINT];
    match crs {
        Crs::Projected(code) => of(
            &[
                [MODEL_TYPE, 0, 1, 1],
                points,
                [PROJECTED_CRS, 0, 1, *code],
                [LINEAR_UNITS, 0, 1, METRE],
            ],
            "",
        ),
        Crs::Geographic(code) => of(
            &[
                [MODEL_TYPE, 0, 1, 2],
                points,
                [GEOGRAPHIC_CRS, 0, 1, *code],
                [ANGULAR_UNITS, 0, 1, DEGREE],
            ],
            "",
        ),
        Crs::Local => of(
            &[
                // User-defined: neither projected nor geographic.
                [MODEL_TYPE, 0, 1, USER_DEFINED],
                points,
                [CITATION, ASCII_PARAMS, LOCAL_NAME.len() as u16, 0],
                [LINEAR_UNITS, 0, 1, METRE],
            ],
            LOCAL_NAME,
        ),
        Crs::Keys(keys) => {
            let mut entries: Vec<[u16; 4]> = entries(&keys.directory).collect();
            entries.retain(|entry| entry[0] != RASTER_TYPE);
            entries.push(points);
            entries.sort_by_key(|entry| entry[0]);
            GeoKeys { directory: of(&entries, "").directory, ..keys.clone() }
        }
    }
}

fn entries(directory: &[u16]) -> impl Iterator<Item = [u16; 4]> {
    let entries = directory.get(4..).unwrap_or_default().as_chunks::<4>().0.iter();
    entries.copied()
}

/// What the tags of a file say of its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags {
    pub(super) keys: GeoKeys,
    /// Width and height of a pixel.
    pub(super) scale: Option<Vec<f64>>,
    /// Column and row, and the coordinates that they have.
    pub(super) tie: Option<Vec<f64>>,
    /// From columns and rows to coordinates.
    pub(super) matrix: Option<Vec<f64>>,
}

/// Where the samples of a file lie.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples {
    crs: Crs,
    /// Coordinates of the first sample.
    first: [f64; 2],
    /// What a column adds to them, and a row.
    steps: [[f64; 2]; 2],
    /// Metres of a column and of a row.
    pub(super) spacing: [f64; 2],
}

impl Tags {
    /// The system of the keys: by its code, where that says all.
    fn crs(&self) -> Crs {
        let (keys, code) = (&self.keys, |key| self.keys.code(key));
        let is_named = |code: &u16| (1024..USER_DEFINED).contains(code);
        let is_plain = entries(&keys.directory).all(|entry| UNDERSTOOD.contains(&entry[0]));
        let is_metres = code(LINEAR_UNITS).is_none_or(|unit| unit == METRE);
        let is_degrees = code(ANGULAR_UNITS).is_none_or(|unit| unit == DEGREE);
        match code(MODEL_TYPE) {
            Some(1) => match code(PROJECTED_CRS).filter(is_named).filter(|_| is_plain && is_metres)
            {
                Some(code) => Crs::Projected(code),
                None => Crs::Keys(keys.clone()),
            },
            Some(2) => {
                match code(GEOGRAPHIC_CRS).filter(is_named).filter(|_| is_plain && is_degrees) {
                    Some(code) => Crs::Geographic(code),
                    None => Crs::Keys(keys.clone()),
                }
            }
            _ => Crs::Local,
        }
    }

    /// Metres of a unit of a projected system.
    fn metres_of_unit(&self) -> f64 {
        match self.keys.code(LINEAR_UNITS) {
            Some(9002) => 0.3048,
            Some(9003) => 1200.0 / 3937.0,
            _ => 1.0,
        }
    }

    /// Where the samples lie, in so many rows; nothing if the file does not say it.
    pub(super) fn samples(&self, rows: u32) -> Option<Samples> {
        let (corner, steps) = self.affine()?;
        let crs = self.crs();
        // The first sample is the middle of the first pixel, which is an area unless it is told to be a point.
        let half = if self.keys.code(RASTER_TYPE).unwrap_or(PIXEL_IS_AREA) == PIXEL_IS_POINT {
            0.0
        } else {
            0.5
        };
        let [columns, lines] = steps;
        let first = [0, 1].map(|axis| corner[axis] + half * (columns[axis] + lines[axis]));
        let length = |[e, n]: [f64; 2]| {
            if n == 0.0 {
                e.abs()
            } else if e == 0.0 {
                n.abs()
            } else {
                landform::math::length(e, n)
            }
        };
        let pixel = [length(columns), length(lines)];
        let spacing = if crs.is_degrees() {
            let middle = first[1] + lines[1] * f64::from(rows) / 2.0;
            metres_at(pixel, if middle.is_finite() { middle } else { 0.0 })
        } else {
            pixel.map(|length| length * self.metres_of_unit())
        };
        let samples = Samples { crs, first, steps, spacing };
        let is_sound = samples.place(spacing).is_sound();
        (is_sound && spacing.iter().all(|&step| step > 0.0 && step.is_finite())).then_some(samples)
    }

    /// The coordinates of column 0 and row 0, and what each column and row adds to them.
    fn affine(&self) -> Option<([f64; 2], [[f64; 2]; 2])> {
        if let Some(m) = self.matrix.as_ref().filter(|m| m.len() >= 8) {
            return Some(([m[3], m[7]], [[m[0], m[4]], [m[1], m[5]]]));
        }
        let scale = self.scale.as_ref().filter(|scale| scale.len() >= 2)?;
        let (dx, dy) = (scale[0], scale[1]);
        let tie = self.tie.as_ref().filter(|tie| tie.len() >= 6);
        let origin = tie.map_or([0.0; 2], |tie| [tie[3] - tie[0] * dx, tie[4] + tie[1] * dy]);
        Some((origin, [[dx, 0.0], [0.0, -dy]]))
    }
}

impl Samples {
    /// The place of the first sample, on a map with this spacing in metres.
    pub(super) fn place(&self, spacing: [f64; 2]) -> Georeference {
        let axis = |k: usize| self.steps[k].map(|step| step / spacing[k] + 0.0);
        Georeference { crs: self.crs.clone(), origin: self.first, x_axis: axis(0), z_axis: axis(1) }
    }
}

/// Metres of a degree of latitude on a sphere with the Earth's mean radius.
const METRES_PER_DEGREE: f64 = 111_194.926_644_558_74;

/// Metres of a spacing in degrees at a latitude.
pub(crate) fn metres_at([dx, dz]: [f64; 2], latitude_degrees: f64) -> [f64; 2] {
    let narrowing = landform::math::cos(latitude_degrees.clamp(-89.0, 89.0).to_radians());
    [dx * METRES_PER_DEGREE * narrowing, dz * METRES_PER_DEGREE]
}
