//! Where a raster lies on the Earth, in the keys of GeoTIFF.

/// The place of a terrain's origin (x = 0, z = 0) in a coordinate system.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Georeference {
    /// EPSG code of a projected coordinate system in metres; nothing for a local one.
    pub epsg: Option<u16>,
    /// Easting of the origin in metres.
    pub easting: f64,
    /// Northing of the origin in metres.
    pub northing: f64,
}

const LOCAL_NAME: &str = "Landform local|";

/// The directory of keys, and the text it refers to.
pub(super) fn keys(place: &Georeference) -> (Vec<u16>, &'static str) {
    const MODEL_TYPE: u16 = 1024;
    const RASTER_TYPE: u16 = 1025;
    const CITATION: u16 = 1026;
    const PROJECTED_CRS: u16 = 3072;
    const LINEAR_UNITS: u16 = 3076;
    const ASCII_PARAMS: u16 = 34737;
    const PIXEL_IS_POINT: u16 = 2;
    const METRE: u16 = 9001;
    let text_length = LOCAL_NAME.len() as u16;
    let (keys, text) = match place.epsg {
        Some(code) => (
            vec![
                [MODEL_TYPE, 0, 1, 1],
                [RASTER_TYPE, 0, 1, PIXEL_IS_POINT],
                [PROJECTED_CRS, 0, 1, code],
                [LINEAR_UNITS, 0, 1, METRE],
            ],
            "",
        ),
        None => (
            vec![
                // User-defined: neither projected nor geographic.
                [MODEL_TYPE, 0, 1, 32767],
                [RASTER_TYPE, 0, 1, PIXEL_IS_POINT],
                [CITATION, ASCII_PARAMS, text_length, 0],
                [LINEAR_UNITS, 0, 1, METRE],
            ],
            LOCAL_NAME,
        ),
    };
    let mut directory = vec![1, 1, 1, keys.len() as u16];
    directory.extend(keys.as_flattened());
    (directory, text)
}

/// Whether the directory of keys says that coordinates are degrees.
pub(super) fn is_geographic(directory: &[u16]) -> bool {
    let mut keys = directory.get(4..).unwrap_or_default().chunks_exact(4);
    keys.any(|key| key[0] == 1024 && key[1] == 0 && key[3] == 2)
}

/// Metres of a degree of latitude on a sphere with the Earth's mean radius.
const METRES_PER_DEGREE: f64 = 111_194.926_644_558_74;

/// Metres of a spacing in degrees at a latitude.
pub(crate) fn metres_at([dx, dz]: [f64; 2], latitude_degrees: f64) -> [f64; 2] {
    let narrowing = landform::math::cos(latitude_degrees.clamp(-89.0, 89.0).to_radians());
    [dx * METRES_PER_DEGREE * narrowing, dz * METRES_PER_DEGREE]
}
