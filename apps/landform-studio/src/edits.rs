//! What a person can do to peaks, as changes of a document.

use landform::Lattice;
use landform::uplift::{Peak, Upd};

use crate::action::Change;
use crate::document::{Document, Item};
use crate::selection::Selection;

/// Smallest and largest radius of a peak in metres, as UPD has them.
pub const RADII: [f64; 2] = [1e-9, 1e9];
/// Lowest and highest peak in metres, as UPD has them.
pub const HEIGHTS: [f64; 2] = [-1e9, 1e9];

/// What happens to the other peaks when their number changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The rest of the terrain stays as it is.
    Kept,
    /// The sum is divided by the new number, as 001 has it: every height changes.
    Divided,
}

/// The nearest peak that can be written.
pub fn within_limits(peak: Peak) -> Peak {
    let far = Peak::FARTHEST;
    let number = |value: f64, [low, high]: [f64; 2], otherwise: f64| {
        if value.is_finite() { value.clamp(low, high) } else { otherwise }
    };
    Peak {
        i: peak.i.clamp(-far, far),
        j: peak.j.clamp(-far, far),
        height: number(peak.height, HEIGHTS, 0.0),
        radius: number(peak.radius, RADII, 1.0),
    }
}

/// The selected peaks as they are.
pub fn selected(document: &Document, selection: &Selection) -> Vec<(usize, Peak)> {
    let items = document.items();
    selection.iter().filter_map(|k| Some((k, items.get(k)?.peak))).collect()
}

/// Changes each of these peaks by `f`.
pub fn each(peaks: &[(usize, Peak)], f: impl Fn(Peak) -> Peak) -> Change {
    Change::Peaks(peaks.iter().map(|&(k, peak)| (k, within_limits(f(peak)))).collect())
}

/// Moves these peaks by whole grid lines.
pub fn moved(peaks: &[(usize, Peak)], [di, dj]: [i64; 2]) -> Change {
    each(peaks, |peak| Peak { i: peak.i.saturating_add(di), j: peak.j.saturating_add(dj), ..peak })
}

/// Turns these peaks about a point in metres, clockwise on the map.
pub fn rotated(peaks: &[(usize, Peak)], lattice: &Lattice, about: [f64; 2], angle: f64) -> Change {
    let (sin, cos) = angle.sin_cos();
    each(peaks, |peak| {
        let cone = peak.cone(lattice);
        let (x, z) = (cone.x - about[0], cone.z - about[1]);
        let place = [about[0] + cos * x - sin * z, about[1] + sin * x + cos * z];
        let [i, j] = grid_lines(lattice, place);
        Peak { i, j, ..peak }
    })
}

/// Moves these peaks away from a point in metres, and widens them, by a factor.
pub fn scaled(peaks: &[(usize, Peak)], lattice: &Lattice, about: [f64; 2], factor: f64) -> Change {
    each(peaks, |peak| {
        let cone = peak.cone(lattice);
        let place =
            [about[0] + factor * (cone.x - about[0]), about[1] + factor * (cone.z - about[1])];
        let [i, j] = grid_lines(lattice, place);
        Peak { i, j, radius: peak.radius * factor, ..peak }
    })
}

/// The nearest crossing of grid lines to a place in metres.
pub fn grid_lines(lattice: &Lattice, place: [f64; 2]) -> [i64; 2] {
    let far = Peak::FARTHEST as f64;
    [0, 1].map(|axis| (place[axis] / lattice.spacing[axis]).round().clamp(-far, far) as i64)
}

/// Adds peaks at the end, and selects them.
pub fn add(document: &Document, new: Vec<Item>, rest: Rest) -> (Vec<Change>, Selection) {
    let count = document.items().len();
    let mut changes = keeping(document, &[], new.len() as i64, rest);
    let at = |(k, item)| (count + k, item);
    let selection = (count..count + new.len()).collect();
    changes.push(Change::Insert(new.into_iter().enumerate().map(at).collect()));
    (changes, selection)
}

/// Removes the selected peaks.
pub fn delete(document: &Document, selection: &Selection, rest: Rest) -> Vec<Change> {
    let gone: Vec<usize> = selection.iter().filter(|&k| k < document.items().len()).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let mut changes = keeping(document, &gone, -(gone.len() as i64), rest);
    changes.push(Change::Remove(gone));
    changes
}

/// Adds copies of the selected peaks beside them, and selects the copies.
pub fn duplicate(
    document: &Document,
    selection: &Selection,
    rest: Rest,
) -> (Vec<Change>, Selection) {
    let count = document.items().len();
    let growth = match rest {
        Rest::Kept if document.divisor.is_none() && document.is_upd() => {
            (count + selection.len()) as f64 / count.max(1) as f64
        }
        _ => 1.0,
    };
    let copies = selection.iter().filter_map(|k| document.items().get(k)).map(|item| {
        let step = aside(item.peak.radius, document);
        let Peak { i, j, height, radius } = item.peak;
        let peak = Peak {
            i: i.saturating_add(step[0]),
            j: j.saturating_add(step[1]),
            height: height * growth,
            radius,
        };
        Item { peak: within_limits(peak), ..item.clone() }
    });
    add(document, copies.collect(), rest)
}

/// How far a copy lies from its original: far enough to be seen.
fn aside(radius: f64, document: &Document) -> [i64; 2] {
    let (spacing, step) = (document.grid().spacing, document.step());
    [0, 1].map(|axis| {
        let least = step[axis] as f64;
        (radius / 4.0 / spacing[axis]).clamp(least, 25.0 * least) as i64
    })
}

/// The selected peaks as UPD text, for the clipboard.
pub fn copied(document: &Document, selection: &Selection) -> String {
    let peaks = selected(document, selection).into_iter().map(|(_, peak)| peak).collect();
    Upd { lattice: document.grid(), peaks }.to_text()
}

/// The peaks of a UPD text, as near to where they were as the grid lines of `document` allow.
///
/// # Errors
/// What is wrong with the text.
pub fn pasted(document: &Document, text: &str) -> Result<Vec<Item>, landform::Error> {
    let upd = Upd::parse(text)?;
    let lattice = &document.grid();
    let is_there = |peak: &Peak| document.items().iter().any(|item| item.peak == *peak);
    let is_copy = upd.peaks.iter().all(is_there);
    let items = upd.peaks.iter().map(|peak| {
        let cone = peak.cone(&upd.lattice);
        let [i, j] = grid_lines(lattice, [cone.x, cone.z]);
        // On top of its original a copy would not be seen.
        let step = if is_copy { aside(peak.radius, document) } else { [0, 0] };
        let (i, j) = (i.saturating_add(step[0]), j.saturating_add(step[1]));
        Item::from(within_limits(Peak { i, j, ..*peak }))
    });
    Ok(items.collect())
}

/// What keeps the rest of the terrain when the number of peaks grows by `growth` and `gone` are removed: in UPD the other
/// heights are scaled by the ratio of the counts, in a recipe the divisor is written down.
fn keeping(document: &Document, gone: &[usize], growth: i64, rest: Rest) -> Vec<Change> {
    let items = document.items();
    let (old, new) = (items.len(), items.len() as i64 + growth);
    if rest == Rest::Divided || document.divisor.is_some() || old == 0 || new <= 0 {
        return Vec::new();
    }
    if !document.is_upd() {
        return vec![Change::Divisor(Some(old as f64))];
    }
    let ratio = new as f64 / old as f64;
    let others = items.iter().enumerate().filter(|(k, _)| gone.binary_search(k).is_err());
    let scaled = others.map(|(k, item)| {
        let peak = item.peak;
        (k, within_limits(Peak { height: peak.height * ratio, ..peak }))
    });
    vec![Change::Peaks(scaled.collect())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use landform::uplift::height_at;

    const UPD: &str = "40 40\n5 5\n3\n3 4 500 60\n20 20 900 100\n-2 30 300 80\n";

    fn height(document: &Document, x: f64, z: f64) -> f64 {
        height_at(&document.cones(), document.curve(), document.divisor(), x, z)
    }

    #[test]
    fn the_rest_of_the_terrain_stays_when_a_peak_comes_or_goes() {
        for text in [UPD.to_owned(), Upd::parse(UPD).unwrap().to_recipe().to_toml()] {
            let start = match Upd::parse(&text) {
                Ok(upd) => Document::from_upd(upd),
                Err(_) => Document::from_recipe(text).unwrap(),
            };
            let far = [150.0, 20.0];
            let before = height(&start, 20.0, 20.0);
            let peak = Peak { i: 30, j: 4, height: 400.0, radius: 50.0 };
            let mut document = start.clone();
            let (changes, selection) = add(&document, vec![peak.into()], Rest::Kept);
            changes.into_iter().for_each(|change| drop(change.make(&mut document)));
            assert_eq!(selection.single(), Some(3));
            assert!((height(&document, 20.0, 20.0) - before).abs() < 1e-9);
            assert!(height(&document, far[0], far[1]) > height(&start, far[0], far[1]));
            let changes = delete(&document, &selection, Rest::Kept);
            changes.into_iter().for_each(|change| drop(change.make(&mut document)));
            assert!((height(&document, 20.0, 20.0) - before).abs() < 1e-9);
            assert_eq!(document.items().len(), 3);
        }
    }

    #[test]
    fn without_keeping_the_paper_s_division_changes_every_height() {
        let mut document = Document::from_upd(Upd::parse(UPD).unwrap());
        let before = height(&document, 20.0, 20.0);
        let changes = delete(&document, &Selection::one(2), Rest::Divided);
        changes.into_iter().for_each(|change| drop(change.make(&mut document)));
        assert!((height(&document, 20.0, 20.0) - before * 1.5).abs() < 1e-9);
    }

    #[test]
    fn peaks_go_through_the_clipboard_as_upd() {
        let document = Document::from_upd(Upd::parse(UPD).unwrap());
        let text = copied(&document, &Selection::one(1));
        assert_eq!(text, "40 40\n5 5\n1\n20 20 900 100\n");
        let wide = Document::from_upd(Upd::parse("9 9\n10 10\n0\n").unwrap());
        let [item] = &pasted(&wide, &text).unwrap()[..] else { panic!("one peak") };
        assert_eq!((item.peak.i, item.peak.j), (10, 10));
        assert_ne!(pasted(&document, &text).unwrap()[0].peak.i, 20);
        assert!(pasted(&document, "nonsense").is_err());
    }

    #[test]
    fn a_quarter_turn_and_a_doubling_go_where_they_should() {
        let document = Document::from_upd(Upd::parse(UPD).unwrap());
        let peaks = selected(&document, &Selection::one(1));
        let lattice = *document.lattice();
        let turned = rotated(&peaks, &lattice, [0.0, 0.0], std::f64::consts::FRAC_PI_2);
        let peak = Peak { i: -20, j: 20, height: 900.0, radius: 100.0 };
        assert_eq!(turned, Change::Peaks(vec![(1, peak)]));
        let peak = Peak { i: 40, j: 40, height: 900.0, radius: 200.0 };
        assert_eq!(scaled(&peaks, &lattice, [0.0, 0.0], 2.0), Change::Peaks(vec![(1, peak)]));
    }
}
