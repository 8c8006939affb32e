//! The UPD format (Rankin 2015): an Uplift terrain as a short text.
//!
//! ```text
//! N_x N_z                 number of grid lines along x and z
//! Δ_x Δ_z                 metres between them
//! N_p                     number of peaks
//! i_p j_p y_p r_p         for each peak: grid lines of its centre, height and radius in metres
//! ```
//!
//! Numbers are written with as few digits as give back the same number, so a terrain that was read and
//! written is the same bit for bit. The reader takes any spaces and tabs, either line ending, and blank lines
//! at the end, and nothing else. A file that is edited keeps the text of the lines that still say the same:
//! [`Upd::to_text_like`].

use std::fmt::Write as _;

use super::Peak;
use crate::error::Error;
use crate::{Lattice, TextPosition};

/// An Uplift terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct Upd {
    /// The grid lines.
    pub lattice: Lattice,
    /// The peaks.
    pub peaks: Vec<Peak>,
}

/// The most grid lines along one axis.
const MOST_LINES: f64 = 1_000_000.0;
/// The most peaks: as many as a recipe may have.
const MOST_PEAKS: f64 = 1_000_000.0;
/// What a file that has nothing of it is told.
const FORM: &str = "`N_x N_z`, `Δ_x Δ_z`, `N_p`, and for each peak `i_p j_p y_p r_p`, a line each";

impl Upd {
    /// Reads a UPD text.
    ///
    /// # Errors
    /// The first thing that is wrong: line, column, what was found and what was expected.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = Lines::new(text);
        if text.trim().is_empty() {
            return Err(at(format!("found nothing, expected an Uplift terrain: {FORM}"), 1, 1));
        }
        let whole = |what| Expected { what, low: 1.0, high: MOST_LINES, is_whole: true };
        let metres = |what| Expected { what, low: 1e-6, high: 1e6, is_whole: false };
        let size = lines.numbers([
            whole("N_x, the number of grid lines along x"),
            whole("N_z, the number of grid lines along z"),
        ])?;
        let spacing = lines.numbers([
            metres("Δ_x, the distance between grid lines along x"),
            metres("Δ_z, the distance between grid lines along z"),
        ])?;
        let [count] = lines.numbers([Expected {
            what: "N_p, the number of peaks",
            low: 0.0,
            high: MOST_PEAKS,
            is_whole: true,
        }])?;
        let far = Peak::FARTHEST as f64;
        let line = |what| Expected { what, low: -far, high: far, is_whole: true };
        let mut peaks = Vec::new();
        for found in 0..count as usize {
            if lines.is_at_end() {
                let message = format!(
                    "found the end after {}, expected the {count} that N_p promises: `i_p j_p y_p r_p`, a line each",
                    counted(found)
                );
                return Err(at(message, lines.last + 1, 1));
            }
            let [i, j, height, radius] = lines.numbers([
                line("i_p, the grid line of a peak along x"),
                line("j_p, the grid line of a peak along z"),
                Expected {
                    what: "y_p, the height of a peak",
                    low: -1e9,
                    high: 1e9,
                    is_whole: false,
                },
                Expected {
                    what: "r_p, the radius of a peak",
                    low: 1e-9,
                    high: 1e9,
                    is_whole: false,
                },
            ])?;
            peaks.push(Peak { i: i as i64, j: j as i64, height, radius });
        }
        lines.end(count as usize)?;
        Ok(Self { lattice: Lattice { size: size.map(|n| n as u32), spacing }, peaks })
    }

    /// Writes the terrain as UPD.
    pub fn to_text(&self) -> String {
        let Lattice { size: [nx, nz], spacing: [dx, dz] } = self.lattice;
        let mut text = format!("{nx} {nz}\n{} {}\n{}\n", short(dx), short(dz), self.peaks.len());
        for Peak { i, j, height, radius } in &self.peaks {
            let _ = writeln!(text, "{i} {j} {} {}", short(*height), short(*radius));
        }
        text
    }

    /// Writes the terrain as UPD in place of `original`, the file that it was read from: lines whose numbers did not
    /// change keep their text, and all lines the ending that the first has. Where the original is no UPD this is
    /// [`Self::to_text`].
    pub fn to_text_like(&self, original: &str) -> String {
        let Ok(old) = Self::parse(original) else { return self.to_text() };
        if old == *self {
            return original.to_owned();
        }
        let ending = if original.split('\n').next().is_some_and(|line| line.ends_with('\r')) {
            "\r\n"
        } else {
            "\n"
        };
        let is_same = [
            old.lattice.size == self.lattice.size,
            old.lattice.spacing == self.lattice.spacing,
            old.peaks.len() == self.peaks.len(),
        ];
        let mut written = original.lines();
        let mut kept = [(); 3].map(|()| written.next()).into_iter().zip(is_same);
        let new = self.to_text();
        let mut lines: Vec<&str> = new.lines().collect();
        for line in &mut lines[..3] {
            if let Some((Some(old), true)) = kept.next() {
                *line = old;
            }
        }
        // Equal peaks may be written in different ways: each text is used once. Both lists are walked in the order of their numbers,
        // equal ones as they come.
        let in_order = |peaks: &[Peak]| {
            let mut order: Vec<u32> = (0..peaks.len() as u32).collect();
            order.sort_by_key(|&at| bits(&peaks[at as usize]));
            order
        };
        let written: Vec<&str> = written.collect();
        let mut known = in_order(&old.peaks).into_iter().peekable();
        for at in in_order(&self.peaks) {
            let wanted = bits(&self.peaks[at as usize]);
            while known.next_if(|&k| bits(&old.peaks[k as usize]) < wanted).is_some() {}
            if let Some(k) = known.next_if(|&k| bits(&old.peaks[k as usize]) == wanted) {
                lines[3 + at as usize] = written[k as usize];
            }
        }
        lines.iter().flat_map(|line| [*line, ending]).collect()
    }
}

/// The numbers of a peak, to be compared exactly.
fn bits(Peak { i, j, height, radius }: &Peak) -> [u64; 4] {
    [i.cast_unsigned(), j.cast_unsigned(), height.to_bits(), radius.to_bits()]
}

/// The fewest digits that give back the same number.
fn short(value: f64) -> String {
    let (plain, scientific) = (format!("{value}"), format!("{value:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// What must stand at a place.
#[derive(Clone, Copy)]
struct Expected {
    what: &'static str,
    low: f64,
    high: f64,
    is_whole: bool,
}

impl Expected {
    fn read(&self, word: &str) -> Option<f64> {
        // The parser of the standard library also takes "inf" and "nan".
        let looks_right = word.bytes().all(|byte| match byte {
            b'0'..=b'9' | b'-' | b'+' => true,
            b'.' | b'e' | b'E' => !self.is_whole,
            _ => false,
        });
        let value: f64 = if looks_right { word.parse().ok()? } else { return None };
        (self.low..=self.high).contains(&value).then_some(value)
    }

    fn described(&self) -> String {
        let Self { what, low, high, is_whole } = self;
        let number = if *is_whole { "a whole number" } else { "a number" };
        format!("{what}: {number} in {}..={}", short(*low), short(*high))
    }
}

/// The lines of a text, each taken once.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Split<'a, char>>,
    /// Number of the line that was taken last.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        Self { lines: text.split('\n').enumerate(), last: 0 }
    }

    fn is_at_end(&self) -> bool {
        self.lines.clone().next().is_none()
    }

    /// The next line, which must hold exactly these numbers.
    fn numbers<const N: usize>(&mut self, expected: [Expected; N]) -> Result<[f64; N], Error> {
        let Some((index, line)) = self.lines.next() else {
            let message = format!("found the end, expected {}", expected[0].described());
            return Err(at(message, self.last + 1, 1));
        };
        self.last = index + 1;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut words = words(line);
        let mut numbers = [0.0; N];
        for (number, expected) in numbers.iter_mut().zip(expected) {
            let (column, word) = words.next().unwrap_or((line.chars().count() + 1, ""));
            *number = expected.read(word).ok_or_else(|| {
                let found =
                    if word.is_empty() { "the end of the line".into() } else { shown(word) };
                let message = format!("found {found}, expected {}", expected.described());
                at(message, index + 1, column)
            })?;
        }
        match words.next() {
            Some((column, word)) => {
                let message = format!("found {}, expected the end of the line", shown(word));
                Err(at(message, index + 1, column))
            }
            None => Ok(numbers),
        }
    }

    /// Nothing may be left but blank lines.
    fn end(&mut self, peaks: usize) -> Result<(), Error> {
        for (index, line) in &mut self.lines {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if let Some((column, _)) = words(line).next() {
                let found = shown(line.trim_matches([' ', '\t']));
                let message = format!("found {found}, expected the end after {}", counted(peaks));
                return Err(at(message, index + 1, column));
            }
        }
        Ok(())
    }
}

/// The words of a line with their columns, counted in characters from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_gap = |c: char| c == ' ' || c == '\t';
    let starts = line.char_indices().enumerate().filter_map(move |(column, (byte, c))| {
        let begins = !is_gap(c) && (byte == 0 || line[..byte].ends_with(is_gap));
        begins.then_some((column + 1, byte))
    });
    starts.map(move |(column, byte)| {
        let rest = &line[byte..];
        (column, &rest[..rest.find(is_gap).unwrap_or(rest.len())])
    })
}

fn counted(peaks: usize) -> String {
    if peaks == 1 { "1 peak".to_owned() } else { format!("{peaks} peaks") }
}

fn shown(word: &str) -> String {
    let start: String = word.chars().take(40).collect();
    let dots = if start.len() < word.len() { "…" } else { "" };
    format!("{start:?}{dots}")
}

fn at(message: String, line: usize, column: usize) -> Error {
    Error { place: Some(TextPosition { file: None, line, column }), ..Error::new(message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "10 20\n1.5 2\n2\n-3 4 586.6 29.3\n1 2 3e2 0.25\n";

    fn error(text: &str) -> String {
        Upd::parse(text).expect_err("it is wrong").in_file("a.upd").to_string()
    }

    #[test]
    fn what_is_read_is_written_again() {
        let upd = Upd::parse(SMALL).unwrap();
        assert_eq!(upd.lattice, Lattice { size: [10, 20], spacing: [1.5, 2.0] });
        assert_eq!(upd.peaks[0], Peak { i: -3, j: 4, height: 586.6, radius: 29.3 });
        assert_eq!(upd.to_text(), "10 20\n1.5 2\n2\n-3 4 586.6 29.3\n1 2 300 0.25\n");
        assert_eq!(Upd::parse(&upd.to_text()).unwrap(), upd);
    }

    #[test]
    fn lines_that_were_not_edited_keep_their_text() {
        let original = "0100\t100 \n10.0  10.0\n4\n1 2 4000 +20.50\n1 2 4e3 20.5\n  -3 4 586.60\t29.3 \n5 6 007 1E2\n\n";
        let upd = Upd::parse(original).unwrap();
        assert_eq!(upd.to_text_like(original), original, "nothing was edited");
        let mut moved = upd.clone();
        moved.peaks[2].i = -4;
        let lines = |upd: &Upd| -> Vec<String> {
            let text = upd.to_text_like(original);
            assert_eq!(Upd::parse(&text).unwrap(), *upd);
            text.lines().map(str::to_owned).collect()
        };
        let head = ["0100\t100 ", "10.0  10.0", "4", "1 2 4000 +20.50", "1 2 4e3 20.5"];
        assert_eq!(lines(&moved), [&head[..], &["-4 4 586.6 29.3", "5 6 007 1E2"]].concat());
        let mut fewer = upd.clone();
        fewer.peaks.remove(2);
        fewer.lattice.size = [50, 50];
        let expected =
            ["50 50", "10.0  10.0", "3", "1 2 4000 +20.50", "1 2 4e3 20.5", "5 6 007 1E2"];
        assert_eq!(lines(&fewer), expected);
        let mut turned = upd.clone();
        turned.peaks.reverse();
        assert_eq!(lines(&turned)[3..5], ["5 6 007 1E2", "  -3 4 586.60\t29.3 "]);
        let mut more = upd;
        more.peaks.push(Peak { i: 0, j: 0, height: 4000.0, radius: 1.0 });
        assert_eq!(lines(&more)[2..4], ["5", "1 2 4000 +20.50"]);
        assert_eq!(lines(&more)[7], "0 0 4e3 1");
        assert_eq!(more.to_text_like("no UPD"), more.to_text());
    }

    #[test]
    fn an_edited_file_keeps_its_line_endings() {
        let original = SMALL.replace('\n', "\r\n");
        let mut upd = Upd::parse(&original).unwrap();
        upd.peaks[0].j = 5;
        let expected = "10 20\r\n1.5 2\r\n2\r\n-3 5 586.6 29.3\r\n1 2 3e2 0.25\r\n";
        assert_eq!(upd.to_text_like(&original), expected);
    }

    #[test]
    fn spaces_tabs_line_endings_and_blank_ends_do_not_matter() {
        let loose = "  10\t20\r\n1.5  2 \r\n2\r\n-3 4 586.6 29.3\r\n\t1 2 3e2 0.25\r\n \r\n\r\n";
        assert_eq!(Upd::parse(loose).unwrap(), Upd::parse(SMALL).unwrap());
        assert_eq!(Upd::parse(SMALL.trim_end()).unwrap(), Upd::parse(SMALL).unwrap());
    }

    #[test]
    fn everything_else_is_refused_with_its_place() {
        let cases = [
            ("", "found nothing, expected an Uplift terrain: `N_x N_z`, `Δ_x Δ_z`, `N_p`", "1:1"),
            (" \n\n", "found nothing, expected an Uplift terrain", "1:1"),
            ("10\n", "found the end of the line, expected N_z", "1:3"),
            ("10 0\n", "found \"0\", expected N_z", "1:4"),
            (
                "10 20.0\n",
                "found \"20.0\", expected N_z, the number of grid lines along z: a whole number in 1..=1e6",
                "1:4",
            ),
            ("99999999 1\n", "found \"99999999\", expected N_x", "1:1"),
            ("10 20\n0 1\n", "found \"0\", expected Δ_x", "2:1"),
            ("10 20\n1 -1\n", "found \"-1\", expected Δ_z", "2:3"),
            ("10 20\n1 nan\n", "found \"nan\", expected Δ_z", "2:3"),
            ("10 20\n1 1 1\n", "found \"1\", expected the end of the line", "2:5"),
            ("10 20\n1 1\n", "found the end, expected N_p", "3:1"),
            ("10 20\n1 1\n-2\n", "found \"-2\", expected N_p", "3:1"),
            (
                "10 20\n1 1\n2\n1 1 1 1\n",
                "found the end after 1 peak, expected the 2 that N_p promises: `i_p j_p y_p r_p`",
                "5:1",
            ),
            ("10 20\n1 1\n3\n", "found the end after 0 peaks, expected the 3", "4:1"),
            (
                "10 20\n1 1\n1200000\n",
                "found \"1200000\", expected N_p, the number of peaks: a whole number in 0..=1e6",
                "3:1",
            ),
            (
                "10 20\n1 1\n1\n1 1 1 1\n2 2 2 2\n",
                "found \"2 2 2 2\", expected the end after 1 peak",
                "5:1",
            ),
            ("10 20\n1 1\n1\n1 1 1 1\n\n7\n", "found \"7\", expected the end after 1 peak", "6:1"),
            (
                "10 20\n1 1\n0\n \t\r\n\r\n  7 8\n",
                "found \"7 8\", expected the end after 0 peaks",
                "6:3",
            ),
            ("10 20\n1 1\n1\n\n1 1 1 1\n", "found the end of the line, expected i_p", "4:1"),
            ("10 20\n1 1\n1\n1.0 1 1 1\n", "found \"1.0\", expected i_p", "4:1"),
            ("10 20\n1 1\n1\n1 1 inf 1\n", "found \"inf\", expected y_p", "4:5"),
            ("10 20\n1 1\n1\n1 1 1 0\n", "found \"0\", expected r_p", "4:7"),
            ("10 20\n1 1\n1\n1 1 1 1e999\n", "found \"1e999\", expected r_p", "4:7"),
            ("10 20\n1 1\n1\n1 1 1 1 é\n", "found \"é\", expected the end of the line", "4:9"),
            ("10,20\n", "found \"10,20\", expected N_x", "1:1"),
        ];
        for (text, what, place) in cases {
            let message = error(text);
            assert!(message.contains(what), "{text:?}: {message}");
            assert!(message.ends_with(&format!("at a.upd:{place}")), "{text:?}: {message}");
        }
    }

    #[test]
    fn a_count_in_the_text_allocates_nothing() {
        assert!(error("10 20\n1 1\n1000000\n1 1 1 1\n").contains("found the end"));
    }
}
