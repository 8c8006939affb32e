//! Where a terrain lies, when its user says it.

use landform::{Crs, Georeference};

/// The georeference that a terrain has, with the system of an EPSG code and another origin where these are given: metres.
pub fn placed(
    told: Option<&Georeference>,
    epsg: Option<u16>,
    origin: Option<[f64; 2]>,
) -> Option<Georeference> {
    if epsg.is_none() && origin.is_none() {
        return told.cloned();
    }
    // Degrees are no metres: what the user says stands alone then.
    let told = told.filter(|place| !place.crs.is_degrees()).cloned();
    let mut place = told.unwrap_or_else(|| Georeference::metres(Crs::Local, [0.0; 2]));
    place.crs = epsg.map_or(place.crs, Crs::Projected);
    place.origin = origin.unwrap_or(place.origin);
    Some(place)
}
