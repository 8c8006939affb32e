//! The header of an array: a dictionary in the notation of Python.

use crate::error::beginning;
use crate::{Error, Format, ReadOptions, Result};

const MAGIC: &[u8] = b"\x93NUMPY";

/// How samples follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The last axis varies fastest.
    C,
    /// The first axis varies fastest.
    Fortran,
}

/// The type of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dtype {
    F32,
    F64,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
}

impl Dtype {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f4" => Self::F32,
            "f8" => Self::F64,
            "u1" => Self::U8,
            "i1" => Self::I8,
            "u2" => Self::U16,
            "i2" => Self::I16,
            "u4" => Self::U32,
            "i4" => Self::I32,
            _ => return None,
        })
    }

    fn size(self) -> u64 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::F32 | Self::U32 | Self::I32 => 4,
            Self::F64 => 8,
        }
    }

    /// Bits of a whole number; nothing for a floating-point number.
    pub(super) fn bits(self) -> Option<u32> {
        (!matches!(self, Self::F32 | Self::F64)).then_some(8 * self.size() as u32)
    }

    /// The lowest whole number.
    pub(super) fn lowest(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MIN),
            Self::I16 => f64::from(i16::MIN),
            Self::I32 => f64::from(i32::MIN),
            _ => 0.0,
        }
    }
}

/// What the header says, checked against the file: the samples are all there.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) is_big_endian: bool,
    pub(super) order: Order,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Where the samples begin.
    pub(super) start: usize,
}

/// The header for little-endian f32 in C order, padded to a multiple of 64 bytes as NumPy does.
pub(super) fn write(width: usize, height: usize) -> Vec<u8> {
    let mut dictionary =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    let unpadded = MAGIC.len() + 4 + dictionary.len() + 1;
    dictionary.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    dictionary.push('\n');
    let length = u16::try_from(dictionary.len()).expect("two numbers make no 64 KiB header");
    [MAGIC, &[1, 0], &length.to_le_bytes(), dictionary.as_bytes()].concat()
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Header> {
    let malformed = |offset: u64, found: String, expected: &str| {
        Error::malformed(Format::Npy, offset, found, expected)
    };
    if !bytes.starts_with(MAGIC) {
        let expected = r#""\x93NUMPY""#;
        return Err(Error::malformed(Format::Npy, None, beginning(bytes), expected));
    }
    let truncated = |expected: u64| Error::Truncated {
        format: Format::Npy,
        found: bytes.len() as u64,
        expected,
    };
    let head = bytes.get(..12).ok_or_else(|| truncated(12))?;
    let (length, first) = match head[6] {
        1 => (u64::from(u16::from_le_bytes([head[8], head[9]])), 10),
        2 | 3 => (u64::from(u32::from_le_bytes([head[8], head[9], head[10], head[11]])), 12),
        other => return Err(malformed(6, format!("version {other}"), "1, 2 or 3")),
    };
    let start = first + length;
    if start > bytes.len() as u64 {
        return Err(truncated(start));
    }
    let dictionary =
        std::str::from_utf8(&bytes[first as usize..start as usize]).map_err(|error| {
            malformed(first + error.valid_up_to() as u64, "no UTF-8".into(), "text")
        })?;
    let fields = Parser { text: dictionary, at: 0 }.fields().map_err(|(at, expected)| {
        let rest: String = dictionary[at..].chars().take(16).collect();
        malformed(first + at as u64, format!("{rest:?}"), expected)
    })?;

    let (order, name) = fields.descr.split_at_checked(1).unwrap_or(("", ""));
    let dtype = Dtype::named(name).filter(|_| "<>|=".contains(order)).ok_or_else(|| {
        let found = format!("samples of type '{}'", fields.descr);
        malformed(first, found, "one of f4, f8, u1, i1, u2, i2, u4, i4")
    })?;
    let [height, width] = axes(&fields.shape)?;
    let count = options.limits.samples(Format::Npy, width, height)?;
    let end = (count as u64).checked_mul(dtype.size()).and_then(|size| size.checked_add(start));
    let end = end.unwrap_or(u64::MAX);
    if end > bytes.len() as u64 {
        return Err(truncated(end));
    }
    Ok(Header {
        dtype,
        is_big_endian: order == ">",
        order: if fields.is_fortran { Order::Fortran } else { Order::C },
        width: width as usize,
        height: height as usize,
        start: start as usize,
    })
}

/// Rows and columns of an array: its two axes, if all others have length 1.
fn axes(shape: &[u64]) -> Result<[u64; 2]> {
    let mut axes: Vec<u64> = shape.to_vec();
    while axes.len() > 2 {
        let Some(unit) = axes.iter().position(|&length| length == 1) else { break };
        axes.remove(unit);
    }
    let wrong = || {
        let found = format!("an array of shape {shape:?}");
        Error::malformed(Format::Npy, None, found, "two axes: rows and columns")
    };
    let axes: [u64; 2] = axes.try_into().map_err(|_| wrong())?;
    if axes.iter().any(|&length| length > u64::from(u32::MAX)) {
        return Err(wrong());
    }
    Ok(axes)
}

#[derive(Default)]
struct Fields {
    descr: String,
    is_fortran: bool,
    shape: Vec<u64>,
}

/// Reads the one kind of dictionary that NumPy writes. Errors are a place and what was expected there.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

type Expected = (usize, &'static str);

impl<'a> Parser<'a> {
    fn fields(&mut self) -> Result<Fields, Expected> {
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        self.expect('{', "a dictionary in braces")?;
        while !self.take('}') {
            let key = self.string()?;
            self.expect(':', "a colon")?;
            match key {
                "descr" => descr = Some(self.string()?.to_owned()),
                "fortran_order" => is_fortran = Some(self.boolean()?),
                "shape" => shape = Some(self.tuple()?),
                _ => return Err((self.at, "'descr', 'fortran_order' or 'shape'")),
            }
            if !self.take(',') {
                self.expect('}', "a comma or the closing brace")?;
                break;
            }
        }
        if !self.rest().is_empty() {
            return Err((self.at, "the end of the header"));
        }
        let missing = |key| (self.at, key);
        Ok(Fields {
            descr: descr.ok_or(missing("the key 'descr'"))?,
            is_fortran: is_fortran.ok_or(missing("the key 'fortran_order'"))?,
            shape: shape.ok_or(missing("the key 'shape'"))?,
        })
    }

    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), Expected> {
        if self.take(wanted) { Ok(()) } else { Err((self.at, expected)) }
    }

    fn string(&mut self) -> Result<&'a str, Expected> {
        const EXPECTED: &str = "a string in quotes (no structured type)";
        let rest = self.rest();
        let quote = rest.chars().next().filter(|quote| ['\'', '"'].contains(quote));
        let quote = quote.ok_or((self.at, EXPECTED))?;
        let end = rest[1..].find(quote).ok_or((self.at, EXPECTED))?;
        self.at += end + 2;
        Ok(&rest[1..=end])
    }

    fn boolean(&mut self) -> Result<bool, Expected> {
        let rest = self.rest();
        for (word, value) in [("True", true), ("False", false)] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err((self.at, "True or False"))
    }

    fn tuple(&mut self) -> Result<Vec<u64>, Expected> {
        let mut numbers = Vec::new();
        self.expect('(', "the shape in parentheses")?;
        while !self.take(')') {
            numbers.push(self.number()?);
            // Python 2 wrote long numbers with an L.
            self.take('L');
            if !self.take(',') {
                self.expect(')', "a comma or the closing parenthesis")?;
                break;
            }
        }
        Ok(numbers)
    }

    fn number(&mut self) -> Result<u64, Expected> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..digits].parse().map_err(|_| (self.at, "a whole number of samples"))?;
        self.at += digits;
        Ok(number)
    }
}
