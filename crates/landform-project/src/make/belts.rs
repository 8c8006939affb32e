//! The mountain belts of a world as peaks that can be edited: in the recipe, or as an Uplift terrain.

use landform::feature::Summit;
use landform::stage::Stage;
use landform::uplift::{Peak, Upd};
use landform::world::BeltLine;
use landform::world::plates::PlateModel;
use landform::{Feature, Recipe, Terrain, Topology, recipe};

use crate::{Error, Result, Wish};

fn summits(terrain: &Terrain) -> impl Iterator<Item = &Summit> {
    terrain.features().iter().filter_map(Feature::as_summit)
}

/// The recipe `text` with the peaks of its belts written down, in whole metres, each with what made it.
///
/// # Errors
/// If the recipe has no plates.
pub fn written_down(terrain: &Terrain, recipe: &Recipe, text: &str) -> Result<String> {
    let is_plates = |stage: &Stage| matches!(stage, Stage::Plates(_));
    let stage = recipe.stages.iter().find(|entry| is_plates(&entry.stage));
    let Some(stage) = stage else {
        return Err(Error::wish(Wish::Belts, "needs a recipe with a stage `plates`"));
    };
    if matches!(&stage.stage, Stage::Plates(plates) if plates.model != PlateModel::Drift) {
        let message = "needs plates with `model` = \"drift\": those of the report raise no belts";
        return Err(Error::wish(Wish::Belts, message));
    }
    // The text has the size of the recipe, the terrain that of nature.
    let natural = recipe.scale()?.inverse();
    let line = |summit: &Summit| {
        let mut feature = Feature::Summit(summit.clone());
        natural.feature(&mut feature);
        feature.as_summit().map(BeltLine::from)
    };
    let belts: Vec<BeltLine> = summits(terrain).filter_map(line).collect();
    Ok(recipe::set_belts(text, stage.label(), &belts)?)
}

/// The belts of a flat world as an Uplift terrain; nothing if the terrain has no belts.
pub(super) fn upd(terrain: &Terrain, recipe: &Recipe) -> Option<Result<Upd, landform::Error>> {
    let count = summits(terrain).count();
    if count == 0 {
        return None;
    }
    if terrain.topology() == Topology::Sphere {
        let message =
            "UPD is flat, but this world is a sphere: write its belts as .csv or .geojson";
        return Some(Err(landform::Error::new(message)));
    }
    let scale = recipe.scale();
    let lattice = match scale {
        Ok(scale) => scale.lattice(&recipe.design()),
        Err(error) => return Some(Err(error)),
    };
    let line = |at: f64, axis: usize| (at / lattice.spacing[axis]).round() as i64;
    // An Uplift terrain is the average of its peaks, a belt is their sum.
    let peak = |s: &Summit| Peak {
        i: line(s.x, 0),
        j: line(s.z, 1),
        height: (s.height * count as f64).round(),
        radius: s.radius.round(),
    };
    Some(Ok(Upd { lattice, peaks: summits(terrain).map(peak).collect() }))
}
