//! Rivers and flat places of a recipe as things on the map: drawn, and dragged by their points.

use landform::recipe::{self, Entry};
use landform::river::layout::End;
use landform::river::{CourseLine, Rivers};
use landform::shape::flatten::Flatten;
use landform::shape::pad::Pad;
use landform::stage::Stage;
use landform::{Error, Recipe};
use serde_json::Value as Json;

use crate::document::Document;

/// A point of an object that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The stage that it belongs to.
    pub stage: usize,
    /// Which point.
    pub point: Point,
    /// Where it is, in metres.
    pub place: [f64; 2],
    /// What the object is called.
    pub name: String,
}

/// A point of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The middle of a flat place.
    Middle(usize),
    /// The rim of a round place.
    Rim(usize),
    /// A corner of a place, or a point of a road.
    Corner(usize, usize),
    /// Where a river begins; of the stage itself if it is not one of its list.
    Source(Option<usize>),
    /// Where a river ends.
    Mouth(Option<usize>),
}

/// The outline of a flat place, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// What it is called.
    pub name: String,
    /// Its points.
    pub points: Vec<[f64; 2]>,
    /// Whether the last is joined to the first: not so for a road.
    pub is_closed: bool,
}

/// The points that can be dragged.
pub fn handles(document: &Document) -> Vec<Handle> {
    let mut handles = Vec::new();
    for (stage, entry) in document.stages().iter().enumerate() {
        let mut put = |point, place, name: &str| {
            handles.push(Handle { stage, point, place, name: name.to_owned() });
        };
        match &entry.stage {
            Stage::Flatten(flatten) => {
                for (k, pad) in flatten.pads.iter().enumerate() {
                    if let (Some(x), Some(z)) = (pad.x, pad.z) {
                        put(Point::Middle(k), [x, z], &pad.name);
                        if let (Some(radius), None) = (pad.radius, pad.size) {
                            put(Point::Rim(k), [x + radius, z], &pad.name);
                        }
                    }
                    for (n, place) in points(pad).iter().enumerate() {
                        put(Point::Corner(k, n), *place, &pad.name);
                    }
                }
            }
            Stage::Rivers(rivers) => {
                let own = (None, &rivers.from, &rivers.to, "river");
                let listed = rivers.courses.iter().enumerate();
                let listed =
                    listed.map(|(k, line)| (Some(k), &line.from, &line.to, line.name.as_str()));
                for (k, from, to, name) in std::iter::once(own).chain(listed) {
                    if let End::Point(place) = from {
                        put(Point::Source(k), *place, name);
                    }
                    if let End::Point(place) = to {
                        put(Point::Mouth(k), *place, name);
                    }
                }
            }
            _ => {}
        }
    }
    handles
}

fn points(pad: &Pad) -> &[[f64; 2]] {
    pad.polygon.as_deref().or(pad.path.as_deref()).unwrap_or_default()
}

/// The outlines of the flat places.
pub fn outlines(document: &Document) -> Vec<Outline> {
    let mut outlines = Vec::new();
    for entry in document.stages().iter().filter(|entry| entry.joint.enabled) {
        let Stage::Flatten(flatten) = &entry.stage else { continue };
        for pad in &flatten.pads {
            let (name, is_closed) = (pad.name.clone(), pad.path.is_none());
            let points = match (pad.x, pad.z, pad.size) {
                (Some(x), Some(z), Some(size)) => corners([x, z], size, pad.angle),
                (Some(x), Some(z), None) => round([x, z], pad.radius.unwrap_or(0.0)),
                _ => points(pad).to_vec(),
            };
            outlines.push(Outline { name, points, is_closed });
        }
    }
    outlines
}

fn corners([x, z]: [f64; 2], [width, depth]: [f64; 2], angle: f64) -> Vec<[f64; 2]> {
    let (sin, cos) = angle.to_radians().sin_cos();
    let corner = |(a, b): (f64, f64)| {
        let (u, v) = (a * width / 2.0, b * depth / 2.0);
        [x + cos * u - sin * v, z + sin * u + cos * v]
    };
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner).to_vec()
}

fn round([x, z]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let point = |k: i32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 48.0).sin_cos();
        [x + radius * cos, z + radius * sin]
    };
    (0..48).map(point).collect()
}

/// The text of the recipe with a point of an object at another place.
///
/// # Errors
/// If the recipe is written in a way that cannot be edited.
pub fn moved(text: &str, handle: &Handle, to: [f64; 2]) -> Result<String, Error> {
    let to = to.map(|metres| (metres * 10.0).round() / 10.0);
    change(text, handle.stage, |stage| match (stage, handle.point) {
        (Stage::Flatten(flatten), Point::Middle(k)) => {
            if let Some(pad) = flatten.pads.get_mut(k) {
                (pad.x, pad.z) = (Some(to[0]), Some(to[1]));
            }
        }
        (Stage::Flatten(flatten), Point::Rim(k)) => {
            if let Some(pad) = flatten.pads.get_mut(k) {
                let (x, z) = (pad.x.unwrap_or(0.0), pad.z.unwrap_or(0.0));
                let radius = (to[0] - x).hypot(to[1] - z);
                pad.radius = Some(((radius * 10.0).round() / 10.0).max(0.1));
            }
        }
        (Stage::Flatten(flatten), Point::Corner(k, n)) => {
            let pad = flatten.pads.get_mut(k);
            let points = pad.and_then(|pad| pad.polygon.as_mut().or(pad.path.as_mut()));
            if let Some(point) = points.and_then(|points| points.get_mut(n)) {
                *point = to;
            }
        }
        (Stage::Rivers(rivers), Point::Source(k)) => {
            if let Some(from) = ends(rivers, k).map(|(from, _)| from) {
                *from = End::Point(to);
            }
        }
        (Stage::Rivers(rivers), Point::Mouth(k)) => {
            if let Some(end) = ends(rivers, k).map(|(_, end)| end) {
                *end = End::Point(to);
            }
        }
        _ => {}
    })
}

fn ends(rivers: &mut Rivers, k: Option<usize>) -> Option<(&mut End, &mut End)> {
    match k {
        None => Some((&mut rivers.from, &mut rivers.to)),
        Some(k) => rivers.courses.get_mut(k).map(|line| (&mut line.from, &mut line.to)),
    }
}

/// Adds a river from one place to another: to the first stage of rivers, or to a new one.
///
/// # Errors
/// If the recipe is written in a way that cannot be edited.
pub fn add_river(text: &str, from: [f64; 2], to: [f64; 2]) -> Result<String, Error> {
    let line = CourseLine { from: End::Point(from), to: End::Point(to), ..CourseLine::default() };
    let is_river = |stage: &Stage| matches!(stage, Stage::Rivers(_));
    match position(text, is_river)? {
        Some(stage) => change(text, stage, |stage| {
            if let Stage::Rivers(rivers) = stage {
                rivers.courses.push(line);
            }
        }),
        None => {
            let rivers = Rivers { count: Some(0), courses: vec![line], ..Rivers::default() };
            recipe::append(text, &Entry::new(Stage::Rivers(rivers)))
        }
    }
}

/// Adds a round flat place: to the first stage of them, or to a new one.
///
/// # Errors
/// If the recipe is written in a way that cannot be edited.
pub fn add_pad(text: &str, middle: [f64; 2], radius: f64) -> Result<String, Error> {
    let pad = Pad {
        x: Some(middle[0]),
        z: Some(middle[1]),
        radius: Some(radius),
        margin: (radius * 0.75).round(),
        ..Pad::default()
    };
    match position(text, |stage| matches!(stage, Stage::Flatten(_)))? {
        Some(stage) => change(text, stage, |stage| {
            if let Stage::Flatten(flatten) = stage {
                flatten.pads.push(pad);
            }
        }),
        None => {
            let flatten = Flatten { pads: vec![pad], ..Flatten::default() };
            recipe::append(text, &Entry::new(Stage::Flatten(flatten)))
        }
    }
}

fn position(text: &str, fits: impl Fn(&Stage) -> bool) -> Result<Option<usize>, Error> {
    let recipe = Recipe::parse(text)?;
    Ok(recipe.stages.iter().position(|entry| fits(&entry.stage)))
}

/// Changes a stage and writes the parameters that differ, so that comments and everything else stay.
fn change(text: &str, stage: usize, act: impl FnOnce(&mut Stage)) -> Result<String, Error> {
    let recipe = Recipe::parse(text)?;
    let Some(entry) = recipe.stages.get(stage) else { return Ok(text.to_owned()) };
    let mut changed = entry.clone();
    act(&mut changed.stage);
    let json = |entry: &Entry| serde_json::to_value(entry).unwrap_or(Json::Null);
    let (old, new) = (json(entry), json(&changed));
    let mut text = text.to_owned();
    for (key, value) in new.as_object().into_iter().flatten() {
        if old[key] != *value {
            let path = format!("{}.{key}", entry.label());
            text = recipe::set(&text, &path, &crate::panels::parameter::written(value))?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version = 1\nsize = [99, 99]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"noise\" # hills\n\n[[stage]]\nkind = \"flatten\"\npads = [{ name = \"town\", x = 400, z = 300, radius = 50, margin = 20 }] # here\n";

    #[test]
    fn a_flat_place_is_dragged_and_widened() {
        let document = Document::from_recipe(TEXT.to_owned()).unwrap();
        let found = handles(&document);
        assert_eq!(found.len(), 2);
        let moved_text = moved(TEXT, &found[0], [512.04, 96.0]).unwrap();
        assert!(moved_text.contains("# hills") && moved_text.contains("# here"), "{moved_text}");
        let again = handles(&Document::from_recipe(moved_text).unwrap());
        assert_eq!(again[0].place, [512.0, 96.0]);
        let wide = moved(TEXT, &found[1], [400.0, 380.0]).unwrap();
        let again = Document::from_recipe(wide).unwrap();
        assert_eq!(handles(&again)[1].place, [480.0, 300.0]);
        assert_eq!(outlines(&again)[0].points.len(), 48);
    }

    #[test]
    fn rivers_and_places_are_added_and_run() {
        let text = add_river(TEXT, [100.0, 0.0], [500.0, 980.0]).unwrap();
        let text = add_river(&text, [900.0, 0.0], [500.0, 500.0]).unwrap();
        let text = add_pad(&text, [700.0, 200.0], 80.0).unwrap();
        let document = Document::from_recipe(text).unwrap();
        assert_eq!(handles(&document).len(), 2 + 2 + 4);
        assert_eq!(document.stages().len(), 3);
        assert!(document.recipe().resolve(&landform::Inputs::default()).is_ok());
    }
}
