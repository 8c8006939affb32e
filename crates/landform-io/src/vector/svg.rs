//! Objects and contours as SVG, for pictures: metres, x to the right and z down, as on the map.

use std::fmt::Write as _;

use landform::analysis::contour::Contour;
use landform::feature::River;
use landform::{Feature, Polygon};

use super::{INFALLIBLE, number};

/// The objects as an SVG picture of a ground of `width` × `depth` metres: rivers as wide as they are.
pub fn svg(features: &[Feature], [width, depth]: [f64; 2]) -> String {
    let (width, depth) = (number(width.max(1.0)), number(depth.max(1.0)));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {depth}\">\n\
         <style>.river {{ fill: #3a78b5 }} .place {{ fill: #c9b28a; fill-opacity: 0.7 }} \
         .lake {{ fill: #3a78b5; fill-rule: evenodd }} \
         .road {{ fill: none; stroke: #8a7550; stroke-width: 8 }} .peak {{ fill: #7a4a2a; fill-opacity: 0.15 }}</style>\n"
    );
    for feature in features {
        let (class, name, path) = match feature {
            Feature::River(river) => ("river", &river.name, closed(&banks(river))),
            Feature::Earthwork(place) if place.is_road => {
                ("road", &place.name, open(&place.outline))
            }
            Feature::Earthwork(place) => ("place", &place.name, closed(&place.outline)),
            Feature::Summit(summit) => {
                let [z, r] = [summit.z, summit.radius].map(number);
                let right = number(summit.x + summit.radius);
                let left = number(summit.x - summit.radius);
                let path =
                    format!("M{right} {z} A{r} {r} 0 0 1 {left} {z} A{r} {r} 0 0 1 {right} {z} Z");
                ("peak", &summit.name, path)
            }
            Feature::Lake(lake) => {
                let rings = lake.parts.iter().flat_map(Polygon::rings);
                let rings: Vec<String> = rings.map(|ring| closed(ring)).collect();
                ("lake", &lake.name, rings.join(" "))
            }
        };
        let name = escaped(name);
        writeln!(text, r#"<path class="{class}" d="{path}"><title>{name}</title></path>"#)
            .expect(INFALLIBLE);
    }
    text.push_str("</svg>\n");
    text
}

/// Contours as an SVG picture of a ground of `width` × `depth` metres; every fifth is an index contour.
pub fn contours_svg(contours: &[Contour], interval: f64, [width, depth]: [f64; 2]) -> String {
    let (width, depth) = (width.max(1.0), depth.max(1.0));
    let thin = number(width.max(depth) / 2000.0);
    let thick = number(width.max(depth) / 900.0);
    let (width, depth) = (number(width), number(depth));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {depth}\">\n\
         <style>path {{ fill: none; stroke: #7a5230; stroke-width: {thin} }} \
         .index {{ stroke-width: {thick} }}</style>\n"
    );
    for contour in contours {
        let is_index = interval > 0.0 && (contour.level / interval).round().rem_euclid(5.0) == 0.0;
        let class = if is_index { r#" class="index""# } else { "" };
        let path = contour.lines.iter().map(|line| match line.is_closed {
            true => closed(&line.points),
            false => open(&line.points),
        });
        let path = path.collect::<Vec<_>>().join(" ");
        let level = number(contour.level);
        writeln!(text, r#"<path{class} d="{path}"><title>{level} m</title></path>"#)
            .expect(INFALLIBLE);
    }
    text.push_str("</svg>\n");
    text
}

/// The line along the left bank and back along the right one.
fn banks(river: &River) -> Vec<[f64; 2]> {
    let points = &river.points;
    let bank = |k: usize, side: f64| {
        let (a, b) = (&points[k.saturating_sub(1)], &points[(k + 1).min(points.len() - 1)]);
        let (dx, dz) = (b.x - a.x, b.z - a.z);
        let length = (dx * dx + dz * dz).sqrt();
        let half = if length > 0.0 { 0.5 * side * points[k].width / length } else { 0.0 };
        [points[k].x - half * dz, points[k].z + half * dx]
    };
    let left = (0..points.len()).map(|k| bank(k, -1.0));
    left.chain((0..points.len()).rev().map(|k| bank(k, 1.0))).collect()
}

fn open(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (k, [x, z]) in points.iter().enumerate() {
        let letter = if k == 0 { "M" } else { " L" };
        write!(path, "{letter}{} {}", number(*x), number(*z)).expect(INFALLIBLE);
    }
    path
}

fn closed(points: &[[f64; 2]]) -> String {
    open(points) + " Z"
}

/// Text inside of XML. Control characters, which XML cannot hold, become spaces.
fn escaped(text: &str) -> String {
    let one = |letter: char| match letter {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        letter if letter.is_control() => " ".to_owned(),
        letter => letter.to_string(),
    };
    text.chars().map(one).collect()
}
