//! Long lists of peaks are taken out of the text of a recipe before it is parsed, and put back afterwards.
//!
//! A value of TOML with its place takes some hundred bytes, and there are four for each peak: a million peaks would take two
//! gigabytes, and 32 MB as numbers. So a list of [`LONG`] lines or more is read line by line here. Its place in the text that is
//! parsed holds a comment and as many lines, so errors elsewhere keep their places. A list that is written in another way is
//! parsed as any other value.

use std::fmt::Write as _;

use super::{Entry, Recipe, edit};
use crate::error::Error;
use crate::stage::Stage;
use crate::uplift::{PeakLine, Peaks};

/// Lists with fewer peaks are parsed with the rest.
const LONG: usize = 1000;
/// As many peaks as a stage may have: longer lists are refused where all values are.
const MOST: usize = 1_000_000;
/// The largest number, up or down, of a peak.
const LARGEST: f64 = 1e12;
/// How a list begins and ends in the text that [`Recipe::to_toml`] writes.
const HEAD: &str = "peaks = [";
const END: &str = "]";

/// The text of a recipe without its long lists.
pub(super) struct Shortened<'a> {
    pub(super) text: String,
    lists: Vec<LongList<'a>>,
}

struct LongList<'a> {
    /// The lines between the brackets.
    source: &'a str,
    /// What stands there instead.
    stand_in: String,
    peaks: Vec<PeakLine>,
}

impl<'a> Shortened<'a> {
    /// Nothing if there is no long list, or the text has strings of several lines, in which a list is no list.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        if !text.contains(HEAD) || text.contains("\"\"\"") || text.contains("'''") {
            return None;
        }
        let (mut short, mut lists) = (String::new(), Vec::new());
        let (mut rest, mut copied) = (text, 0);
        while let Some(at) = rest.find(HEAD) {
            let first = text.len() - rest.len() + at;
            let start = first + HEAD.len();
            let is_key =
                text[..first].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            let list = is_key.then(|| LongList::of(&text[start..], lists.len())).flatten();
            if let Some(list) = list {
                let end = start + list.source.len();
                short.push_str(&text[copied..start]);
                short.push_str(&list.stand_in);
                lists.push(list);
                copied = end;
                rest = &text[end..];
            } else {
                rest = &text[start..];
            }
        }
        short.push_str(&text[copied..]);
        (!lists.is_empty()).then_some(Self { text: short, lists })
    }

    /// Puts the lists into the recipe that the shortened text is. False if they are not all of its empty lists: then a list that was
    /// taken out is something else.
    pub(super) fn put_into(self, recipe: &mut Recipe) -> bool {
        let empty = recipe.stages.iter_mut().filter_map(|entry| match &mut entry.stage {
            Stage::Peaks(stage) if stage.peaks.is_empty() => Some(&mut stage.peaks),
            _ => None,
        });
        let empty: Vec<_> = empty.collect();
        let fits = empty.len() == self.lists.len();
        if fits {
            empty.into_iter().zip(self.lists).for_each(|(peaks, list)| *peaks = list.peaks);
        }
        fits
    }
}

impl<'a> LongList<'a> {
    /// The list of which `text` is what follows its bracket, if it is long and each of its lines is a peak.
    fn of(text: &'a str, number: usize) -> Option<Self> {
        let mut peaks = Vec::new();
        let mut length = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let line_end = line.strip_suffix('\n').unwrap_or(line);
            let trimmed = blank(line_end.strip_suffix('\r').unwrap_or(line_end));
            if index > 0 && trimmed == END {
                let source = &text[..length];
                let breaks = "\n".repeat(index - 1);
                let stand_in = format!(" # {} peaks, list {number}\n{breaks}", peaks.len());
                return (peaks.len() >= LONG).then_some(Self { source, stand_in, peaks });
            }
            match (index, trimmed) {
                (0, "") => {}
                (0, _) => return None,
                _ if peaks.len() == MOST => return None,
                _ => peaks.push(peak_of(trimmed)?),
            }
            length += line.len();
        }
        None
    }
}

/// The peak of a line such as `[3.0, 4.0, 586.6, 29.3],`.
fn peak_of(line: &str) -> Option<PeakLine> {
    let inner = line.strip_suffix(',')?.strip_prefix('[')?.strip_suffix(']')?;
    let mut words = inner.split(',').map(|word| number_of(blank(word)));
    let mut next = || words.next().flatten();
    let numbers = [next()?, next()?, next()?, next()?];
    words.next().is_none().then_some(PeakLine(numbers))
}

/// Without what TOML takes for a gap.
fn blank(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// A number in the plainest of the ways in which TOML has it, and not too large.
fn number_of(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let has_no_zeros_before = whole == "0" || !whole.starts_with('0');
    // A whole number has no sign of zero, and a fraction has.
    if word == "-0" || !is_digits(whole) || !is_digits(fraction) || !has_no_zeros_before {
        return None;
    }
    let value: f64 = word.parse().ok()?;
    (value.abs() <= LARGEST).then_some(value)
}

/// Makes a change to a text without its long lists, and puts back those that are left.
pub(super) fn changed(
    text: &str,
    change: impl FnOnce(&str) -> Result<String, Error>,
) -> Result<String, Error> {
    let Some(short) = Shortened::of(text) else { return change(text) };
    let stand_ins: Vec<_> =
        short.lists.iter().map(|list| (list.stand_in.clone(), list.source)).collect();
    let brief = short.text.clone();
    let is_whole = Recipe::parse_plain(&brief).is_ok_and(|mut recipe| short.put_into(&mut recipe));
    if !is_whole {
        return change(text);
    }
    let mut edited = change(&brief)?;
    for (stand_in, source) in stand_ins {
        if let Some(at) = edited.find(&stand_in) {
            edited.replace_range(at..at + stand_in.len(), source);
        }
    }
    Ok(edited)
}

/// A recipe as TOML. Long lists are written line by line, as all others are.
pub(super) fn written(recipe: &Recipe) -> String {
    let is_long = |entry: &Entry| matches!(&entry.stage, Stage::Peaks(p) if p.peaks.len() >= LONG);
    if !recipe.stages.iter().any(is_long) {
        return edit::written(&json_of(recipe));
    }
    // No peak that a recipe may have.
    let sentinel = |index: usize| PeakLine([2.0 * LARGEST + index as f64; 4]);
    let short = |(index, entry): (usize, &Entry)| match &entry.stage {
        Stage::Peaks(peaks) if is_long(entry) => {
            let stage = Peaks { peaks: vec![sentinel(index)], ..*peaks };
            Entry { stage: Stage::Peaks(stage), joint: entry.joint.clone() }
        }
        _ => entry.clone(),
    };
    let stages = recipe.stages.iter().enumerate().map(short).collect();
    let head =
        Recipe { stages, title: recipe.title.clone(), about: recipe.about.clone(), ..*recipe };
    let mut text = edit::written(&json_of(&head));
    for (index, entry) in recipe.stages.iter().enumerate() {
        let Stage::Peaks(peaks) = &entry.stage else { continue };
        let line = line_of(&sentinel(index));
        if let Some(at) = text.find(&line).filter(|_| is_long(entry)) {
            let rest = text.split_off(at);
            peaks.peaks.iter().for_each(|peak| text.push_str(&line_of(peak)));
            text.push_str(&rest[line.len()..]);
        }
    }
    text
}

fn json_of(recipe: &Recipe) -> serde_json::Value {
    serde_json::to_value(recipe).expect("a recipe is plain data")
}

/// A peak in its line.
fn line_of(PeakLine(numbers): &PeakLine) -> String {
    let mut line = String::with_capacity(48);
    for (index, number) in numbers.iter().enumerate() {
        let before = if index == 0 { "    [" } else { ", " };
        let _ = write!(line, "{before}{}", toml_edit::Value::from(*number));
    }
    line.push_str("],\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::uplift::Upd;

    /// A recipe with so many peaks of all kinds of numbers.
    fn recipe(count: usize) -> Recipe {
        let seed = Seed::new(4);
        let number = |k: usize, n: u64| {
            let value = seed.child(&n.to_string()).between(k as u64, -2e4, 2e4);
            [value, value.round(), (value * 10.0).round() / 10.0, value * 1e-9]
                [(k + n as usize) % 4]
        };
        let lines = (0..count).map(|k| PeakLine([0, 1, 2, 3].map(|n| number(k, n))));
        let upd = Upd::parse("10 20\n1.5 2\n0\n").unwrap();
        let stage = Peaks { peaks: lines.collect(), divisor: Some(3.0), ..Peaks::default() };
        let entry = Entry::new(Stage::Peaks(stage));
        let mut more = entry.clone();
        more.joint.label = Some("more".to_owned());
        Recipe { stages: vec![entry, more], ..upd.to_recipe() }
    }

    #[test]
    fn a_long_list_is_written_and_read_as_a_short_one() {
        for count in [LONG - 1, LONG, LONG + 700] {
            let recipe = recipe(count);
            let text = recipe.to_toml();
            assert!(text == edit::written(&json_of(&recipe)), "{count}: the text is another one");
            assert_eq!(Shortened::of(&text).is_some(), count >= LONG);
            assert!(Recipe::parse(&text).unwrap() == Recipe::parse_plain(&text).unwrap());
            assert!(Recipe::parse(&text).unwrap() == recipe, "{count}");
        }
    }

    #[test]
    fn what_is_no_plain_list_is_parsed_as_any_value() {
        let text = recipe(LONG).to_toml();
        let first = text.lines().find(|line| line.starts_with("    [")).unwrap();
        for other in [
            "    [1_0.0, 2.0, 3.0, 4.0],",
            "    [1e1, 2, 3.0, 4.0], # a summit",
            "[1, 2, 3, 4], [5, 6, 7, 8],",
        ] {
            let text = text.replacen(first, other, 1);
            assert!(
                Recipe::parse(&text).unwrap() == Recipe::parse_plain(&text).unwrap(),
                "{other}"
            );
        }
        for wrong in [
            "    [1.0, 2.0, 3.0],",
            "    [1.0, 2.0, 3.0, 4.0, 5.0],",
            "    [01, 2, 3, 4],",
            "    [1e13, 2, 3, 4],",
        ] {
            let text = text.replacen(first, wrong, 1);
            let message = |read: Result<Recipe, Error>| read.unwrap_err().to_string();
            assert_eq!(message(Recipe::parse(&text)), message(Recipe::parse_plain(&text)));
        }
        // A string that looks like a list, beside one that is.
        let about = format!("about = '''\n{}'''\n{text}", &text[text.find("peaks = [").unwrap()..]);
        assert!(Shortened::of(&about).is_none());
    }

    #[test]
    fn an_error_beside_a_long_list_keeps_its_place() {
        let text = recipe(LONG).to_toml().replace("divisor = 3.0", "divisor = -3.0");
        let message = |read: Result<Recipe, Error>| read.unwrap_err().to_string();
        assert_eq!(message(Recipe::parse(&text)), message(Recipe::parse_plain(&text)));
    }

    #[test]
    fn changes_beside_a_long_list_leave_it_as_it_is() {
        let text = recipe(LONG).to_toml();
        let set = super::super::set(&text, "more.divisor", "5").unwrap();
        assert!(
            set == text.replacen("divisor = 3.0", "divisor = 5", 2).replacen(
                "divisor = 5",
                "divisor = 3.0",
                1
            )
        );
        let unset = super::super::unset(&text, "more.peaks").unwrap();
        assert_eq!(
            Recipe::parse(&unset).unwrap().stages[1].stage,
            Stage::Peaks(Peaks { divisor: Some(3.0), ..Peaks::default() })
        );
        let one = super::super::set(&text, "peaks.peaks", "[[1, 2, 3, 4]]").unwrap();
        let Stage::Peaks(first) = &Recipe::parse(&one).unwrap().stages[0].stage else { panic!() };
        assert_eq!(first.peaks, [PeakLine([1.0, 2.0, 3.0, 4.0])]);
    }
}
