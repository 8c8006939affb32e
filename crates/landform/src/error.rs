//! What can be wrong with what the user wrote.

use std::fmt;

/// Something that the user wrote cannot be used. Names the place, the parameter, the value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The stage that it is about: its place in the list, counted from 1, and its label.
    pub stage: Option<(usize, String)>,
    /// The parameter that it is about, with dots: `mask.fade`.
    pub parameter: Option<String>,
    /// What is wrong, and what is allowed.
    pub message: String,
    /// Where in the text it stands.
    pub place: Option<Place>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
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
        Self { stage: None, parameter: None, message: message.into(), place: None }
    }

    /// An error about one parameter.
    pub(crate) fn of(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        Self { parameter: Some(parameter.into()), ..Self::new(message) }
    }

    /// The same error, in the text called `file`.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        if let Some(place) = &mut self.place {
            place.file = Some(file.to_owned());
        } else {
            self.place = Some(Place { file: Some(file.to_owned()), line: 0, column: 0 });
        }
        self
    }

    /// The same error, at this byte of `text`.
    pub(crate) fn at(mut self, text: &str, byte: usize) -> Self {
        self.place = Some(Place::of_byte(text, byte));
        self
    }
}

/// A number as errors tell it: what is very small or very large with an exponent, without hundreds of zeros.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let is_long = size.is_finite() && size != 0.0 && !(1e-6..=1e15).contains(&size);
    if is_long { format!("{value:e}") } else { value.to_string() }
}

impl Place {
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
        f.write_str(&self.message)?;
        match &self.place {
            Some(place) => write!(f, ", {place}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Place {
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
    fn numbers_have_an_exponent_where_they_would_be_long() {
        let told = [0.0, -1.5, 1e-6, 9e-7, -1e-300, 1e15, 1.5e16, f64::NAN, f64::NEG_INFINITY];
        let told = told.map(number);
        let expected = ["0", "-1.5", "0.000001", "9e-7", "-1e-300", "1000000000000000", "1.5e16"];
        assert_eq!(told[..7], expected);
        assert_eq!(told[7..], ["NaN", "-inf"]);
    }
}
