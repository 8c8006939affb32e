//! What a stage has found out about the whole ground, as bytes: for another run, or another machine, that needs it too.
//!
//! Numbers are little-endian and lists begin with their length, so nothing is lost and every machine writes the same. Whoever reads
//! trusts nothing: bytes that cannot be give nothing, and the stage runs again.

use crate::feature::{Earthwork, Feature, Lake, River, RiverPoint, Summit};
use crate::{Grid, Polygon};

/// A place where what stages have found out is kept. It may lose things: they are then found out again.
pub trait Shelf {
    /// What was put there for the stage with this label.
    fn get(&self, label: &str) -> Option<Vec<u8>>;

    /// Keeps it.
    fn put(&self, label: &str, bytes: &[u8]);
}

/// Something that can be written down and had back, bit for bit.
pub(crate) trait Keep: Sized {
    fn write(&self, out: &mut Vec<u8>);

    /// Takes it from the front of `from`; nothing if it is not there.
    fn read(from: &mut &[u8]) -> Option<Self>;
}

/// The bytes of a thing.
pub(crate) fn bytes(thing: &impl Keep) -> Vec<u8> {
    let mut out = Vec::new();
    thing.write(&mut out);
    out
}

/// The thing that these bytes are, all of them.
pub(crate) fn thing<T: Keep>(mut bytes: &[u8]) -> Option<T> {
    let thing = T::read(&mut bytes)?;
    bytes.is_empty().then_some(thing)
}

macro_rules! keep_numbers {
    ($($number:ty),+) => {$(
        impl Keep for $number {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                let (first, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )+};
}

keep_numbers!(u8, u16, u32, u64, f32, f64);

/// Keeps a struct by these fields, which must be all that it has.
macro_rules! keep_struct {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::keep::Keep for $name {
            fn write(&self, out: &mut Vec<u8>) {
                $($crate::keep::Keep::write(&self.$field, out);)+
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::keep::Keep::read(from)?),+ })
            }
        }
    };
}
pub(crate) use keep_struct;

macro_rules! keep_tuples {
    ($($name:ident),+) => {
        impl<$($name: Keep),+> Keep for ($($name,)+) {
            fn write(&self, out: &mut Vec<u8>) {
                #[expect(non_snake_case, reason = "the letters stand for types and values")]
                let ($($name,)+) = self;
                $($name.write(out);)+
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                Some(($($name::read(from)?,)+))
            }
        }
    };
}

keep_tuples!(A, B);
keep_tuples!(A, B, C);
keep_tuples!(A, B, C, D);

impl Keep for bool {
    fn write(&self, out: &mut Vec<u8>) {
        u8::from(*self).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Keep> Keep for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|thing| thing.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }
}

impl<T: Keep> Keep for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u64).write(out);
        out.reserve(size_of_val(self.as_slice()));
        self.iter().for_each(|thing| thing.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let count = usize::try_from(u64::read(from)?).ok()?;
        list(count, from)
    }
}

/// So many things, one after the other.
fn list<T: Keep>(count: usize, from: &mut &[u8]) -> Option<Vec<T>> {
    // Nothing takes less than a byte: a longer list cannot be, and asks for no memory.
    if count > from.len() {
        return None;
    }
    let mut list = Vec::with_capacity(count.min(from.len() / size_of::<T>().max(1) + 1));
    for _ in 0..count {
        list.push(T::read(from)?);
    }
    Some(list)
}

impl<T: Keep + Copy + Default, const N: usize> Keep for [T; N] {
    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|thing| thing.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut things = [T::default(); N];
        for thing in &mut things {
            *thing = T::read(from)?;
        }
        Some(things)
    }
}

impl Keep for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.as_bytes().to_vec().write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Self::from_utf8(Vec::read(from)?).ok()
    }
}

impl<T: Keep> Keep for Grid<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.width() as u64, self.height() as u64).write(out);
        out.reserve(size_of_val(self.samples()));
        self.samples().iter().for_each(|sample| sample.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let (width, height) = <(u64, u64)>::read(from)?;
        let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
        let count = width.checked_mul(height)?;
        if count == 0 {
            return None;
        }
        Some(Self::from_vec(width, height, list(count, from)?))
    }
}

keep_struct!(RiverPoint { x, z, bed, width, depth, discharge });
keep_struct!(River { name, points, into });
keep_struct!(Polygon { outline, holes });
keep_struct!(Lake { name, parts, level, depth, area, outlet });
keep_struct!(Earthwork { name, outline, is_road, levels });
keep_struct!(Summit { name, x, z, height, radius });

impl Keep for Feature {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::River(river) => {
                0_u8.write(out);
                river.write(out);
            }
            Self::Earthwork(place) => {
                1_u8.write(out);
                place.write(out);
            }
            Self::Summit(summit) => {
                2_u8.write(out);
                summit.write(out);
            }
            Self::Lake(lake) => {
                3_u8.write(out);
                lake.write(out);
            }
        }
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::read(from)? {
            0 => Self::River(River::read(from)?),
            1 => Self::Earthwork(Earthwork::read(from)?),
            2 => Self::Summit(Summit::read(from)?),
            3 => Self::Lake(Lake::read(from)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_bit_for_bit() {
        let point =
            RiverPoint { x: 0.1, z: -0.0, bed: 1e-300, width: 3.0, depth: 2.0, discharge: 1e9 };
        let river = River { name: "Ä".to_owned(), points: vec![point; 3], into: None };
        let lake = Lake {
            name: String::new(),
            parts: vec![Polygon {
                outline: vec![[1.0, 2.0]; 4],
                holes: vec![vec![[0.5; 2]; 3], Vec::new()],
            }],
            level: 3.0,
            depth: 1.0,
            area: 9.0,
            outlet: Some([1.5, 2.5]),
        };
        let kept = (
            Grid::from_fn(3, 2, |i, j| (i * j) as f32),
            vec![Feature::River(river), Feature::Lake(lake)],
        );
        let written = bytes(&kept);
        assert!(thing::<(Grid, Vec<Feature>)>(&written) == Some(kept));
        for end in 0..written.len() {
            assert!(thing::<(Grid, Vec<Feature>)>(&written[..end]).is_none());
        }
    }

    #[test]
    fn lengths_that_cannot_be_are_refused() {
        let huge = bytes(&(u64::MAX, u64::MAX, 1.0_f32));
        assert!(thing::<Grid>(&huge).is_none());
        assert!(thing::<Vec<f32>>(&huge).is_none());
        assert!(thing::<Vec<Vec<u8>>>(&bytes(&(1_u64 << 40))).is_none());
        assert!(thing::<Grid>(&bytes(&(0_u64, 5_u64))).is_none());
    }
}
