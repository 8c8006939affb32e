//! What can be wrong with what the user wrote.

use std::fmt;

/// Something that the user wrote cannot be used. Names the place, the parameter, the value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The stage that it is about: its place in the list, counted from 1, and its label.
    pub stage: Option<(usize, String)>,
    /// The parameter that it is about, with dots: `mask.fade`.
    pub parameter: Option<String>,
    /// What is wrong, and what is allowed. It may be about more parameters: see [`Error::parameters`].
    pub problem: Box<Problem>,
    /// Where in the text it stands.
    pub place: Option<TextPosition>,
}

/// What is wrong with a parameter. The text of each follows the name of the parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Its value is not one of those that are allowed.
    NotAllowed {
        /// The value, as a recipe writes it.
        value: String,
        /// The allowed word that it may have been meant to be.
        near: Option<String>,
        /// What is allowed: "a number in 0..=5".
        allowed: String,
    },
    /// Its value contradicts that of another parameter.
    Contradiction {
        /// The value, as a recipe writes it.
        value: String,
        /// What it must be or not be: "not be above".
        must: &'static str,
        /// The other parameter, with dots.
        other: String,
        /// The value of the other, where it helps.
        other_value: Option<String>,
    },
    /// Its value does not suit the ground, the inputs or the stages before.
    Unfit {
        /// The value, as a recipe writes it.
        value: String,
        /// Why not, and what to do.
        why: String,
    },
    /// Something must be given in it.
    Missing {
        /// The name of what is missing.
        name: String,
        /// What it may be.
        allowed: String,
    },
    /// It has something that it cannot have.
    Unknown {
        /// The name that was given.
        name: String,
        /// The known name that it may have been meant to be.
        near: Option<String>,
        /// The names that there are.
        known: Vec<String>,
    },
    /// It is called like another stage.
    DoubleLabel,
    /// The mask of a material is wrong.
    Material {
        /// The name of the material.
        name: String,
        /// What is wrong with its mask.
        problem: Box<Self>,
    },
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = |near: &Option<String>| near.as_deref().map_or_else(String::new, suggestion);
        match self {
            Self::NotAllowed { value, near, allowed } => {
                write!(f, "is {value}{}, but must be {allowed}", hint(near))
            }
            Self::Contradiction { value, must, other, other_value } => {
                let (_, name) = beside(other);
                write!(f, "is {value}, but must {must} `{name}`")?;
                other_value.iter().try_for_each(|value| write!(f, ", which is {value}"))
            }
            Self::Unfit { value, why } => write!(f, "is {value}, but {why}"),
            Self::Missing { name, allowed } => write!(f, "needs `{name}`: {allowed}"),
            Self::Unknown { name, near, known } => {
                let (hint, known) = (hint(near), known.join("`, `"));
                write!(f, "unknown parameter `{name}`{hint}, expected one of `{known}`")
            }
            Self::DoubleLabel => {
                f.write_str("has the name of another stage: give one of them a `label`")
            }
            Self::Material { name, problem } => write!(f, "{problem} (material {name:?})"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// The table that a parameter is in, with a dot, and its name there.
fn beside(parameter: &str) -> (&str, &str) {
    parameter.split_at(parameter.rfind('.').map_or(0, |dot| dot + 1))
}

/// The words that offer the nearest of the known names.
pub(crate) fn suggestion(near: &str) -> String {
    format!(" (did you mean `{near}`?)")
}

/// The nearest of `names`, if one is near.
pub(crate) fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let nearest = names.iter().map(|name| (distance(word, name), *name)).min();
    let is_near =
        |&(distance, name): &(usize, &str)| distance <= 1 + name.len().min(word.len()) / 3;
    nearest.filter(is_near).map(|(_, name)| name)
}

/// Edit distance (Levenshtein 1966) of the beginnings of two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(40).collect(), b.chars().take(40).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The name of the text, if it has one.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

impl Error {
    /// An error that is about no certain place.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with(None, Problem::Other(message.into()))
    }

    /// An error about one parameter, in words.
    pub(crate) fn of(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        Self::with(Some(parameter.into()), Problem::Other(message.into()))
    }

    /// An error about a value that is not among those that are `allowed`.
    pub(crate) fn not_allowed(
        parameter: impl Into<String>,
        value: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        let (value, allowed) = (value.into(), allowed.into());
        Self::with(Some(parameter.into()), Problem::NotAllowed { value, near: None, allowed })
    }

    /// An error about a value that cannot be used because of `why`.
    pub(crate) fn unfit(
        parameter: impl Into<String>,
        value: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        let (value, why) = (value.into(), why.into());
        Self::with(Some(parameter.into()), Problem::Unfit { value, why })
    }

    /// An error about a value that must stand in some relation to that of the parameter `other`, which lies beside it.
    pub(crate) fn contradiction(
        (parameter, value): (&str, String),
        must: &'static str,
        (other, other_value): (&str, Option<String>),
    ) -> Self {
        let (table, _) = beside(parameter);
        let other = format!("{table}{other}");
        let problem = Problem::Contradiction { value, must, other, other_value };
        Self::with(Some(parameter.to_owned()), problem)
    }

    pub(crate) fn with(parameter: Option<String>, problem: Problem) -> Self {
        Self { stage: None, parameter, problem: Box::new(problem), place: None }
    }

    /// The same error, with other names of the parameters that it is about.
    pub(crate) fn renamed(mut self, rename: impl Fn(&str) -> String) -> Self {
        self.parameter = self.parameter.as_deref().map(&rename);
        if let Problem::Contradiction { other, .. } = &mut *self.problem {
            *other = rename(other);
        }
        self
    }

    /// All parameters that it is about: the one that is wrong, and the one that it contradicts or that would cure it.
    pub fn parameters(&self) -> Vec<&str> {
        let other = match &*self.problem {
            Problem::Contradiction { other, .. } => Some(other.as_str()),
            Problem::DoubleLabel => Some("label"),
            Problem::NotAllowed { .. }
            | Problem::Unfit { .. }
            | Problem::Missing { .. }
            | Problem::Unknown { .. }
            | Problem::Material { .. }
            | Problem::Other(_) => None,
        };
        self.parameter.as_deref().into_iter().chain(other).collect()
    }

    /// The same error, in the text called `file`.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        if let Some(place) = &mut self.place {
            place.file = Some(file.to_owned());
        } else {
            self.place = Some(TextPosition { file: Some(file.to_owned()), line: 0, column: 0 });
        }
        self
    }

    /// The same error, at this byte of `text`.
    pub(crate) fn at(mut self, text: &str, byte: usize) -> Self {
        self.place = Some(TextPosition::of_byte(text, byte));
        self
    }
}

/// A number as errors tell it: what is very small or very large with an exponent, without hundreds of zeros.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let is_long = size.is_finite() && size != 0.0 && !(1e-6..=1e15).contains(&size);
    if is_long { format!("{value:e}") } else { value.to_string() }
}

/// Checks that the value `low` of a parameter is not above that of the parameter `other` beside it.
pub(crate) fn in_order(name: &str, low: f64, other: &str, high: f64) -> Result<(), Error> {
    if low <= high {
        return Ok(());
    }
    Err(Error::contradiction((name, number(low)), "not be above", (other, Some(number(high)))))
}

impl TextPosition {
    /// The place of the byte at `offset`.
    pub(crate) fn of_byte(text: &str, offset: usize) -> Self {
        let bytes = &text.as_bytes()[..offset.min(text.len())];
        let line = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(&bytes[start..]).chars().count() + 1;
        Self { file: None, line, column }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((number, label)) = &self.stage {
            match label.as_str() {
                "" => write!(f, "stage {number}: ")?,
                _ => write!(f, "stage {number} ({label}): ")?,
            }
        }
        if let Some(parameter) = &self.parameter {
            write!(f, "{parameter} ")?;
        }
        write!(f, "{}", self.problem)?;
        match &self.place {
            Some(place) => write!(f, ", {place}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) if self.line == 0 => write!(f, "in {file}"),
            Some(file) => write!(f, "at {file}:{}:{}", self.line, self.column),
            None => write!(f, "at line {}, column {}", self.line, self.column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_made_from_what_is_known() {
        let order = in_order("mask.from", 5.0, "to", 3.0).unwrap_err();
        assert_eq!(order.to_string(), "mask.from is 5, but must not be above `to`, which is 3");
        assert_eq!(order.parameters(), ["mask.from", "mask.to"]);
        let moved = order.renamed(|name| name.replacen("mask", "meander", 1));
        assert_eq!(moved.parameters(), ["meander.from", "meander.to"]);
        let range = Error::not_allowed("fade", "-1", "a number of at least 0");
        assert_eq!(range.to_string(), "fade is -1, but must be a number of at least 0");
        assert_eq!(range.parameters(), ["fade"]);
    }

    #[test]
    fn edit_distance_counts_changes() {
        assert_eq!(distance("peeks", "peaks"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn numbers_have_an_exponent_where_they_would_be_long() {
        let told = [0.0, -1.5, 1e-6, 9e-7, -1e-300, 1e15, 1.5e16, f64::NAN, f64::NEG_INFINITY];
        let told = told.map(number);
        let expected = ["0", "-1.5", "0.000001", "9e-7", "-1e-300", "1000000000000000", "1.5e16"];
        assert_eq!(told[..7], expected);
        assert_eq!(told[7..], ["NaN", "-inf"]);
    }
}
