//! As much of FlatBuffers as FlatGeobuf takes: tables, vectors and strings, behind the number of their bytes.
//!
//! A table is written before what it refers to, and the offsets are filled in when that is written. Alignments count from the first byte of
//! the length. Source: the page "FlatBuffer Internals" of the format's documentation.

/// A field of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Byte(u8),
    Short(u16),
    Int(i32),
    Long(u64),
    /// A table, a vector or a string that follows.
    Child,
}

impl Field {
    fn size(self) -> usize {
        match self {
            Self::Byte(_) => 1,
            Self::Short(_) => 2,
            Self::Int(_) | Self::Child => 4,
            Self::Long(_) => 8,
        }
    }
}

/// A place that refers to what follows.
#[derive(Clone, Copy, Debug)]
#[must_use = "what is referred to has to be written"]
pub(super) struct Reference(usize);

/// A buffer as it grows.
#[derive(Debug)]
pub(super) struct FlatBuffer(Vec<u8>);

impl FlatBuffer {
    /// An empty one, and the reference to its root.
    pub(super) fn new() -> (Self, Reference) {
        (Self(vec![0; 8]), Reference(4))
    }

    /// The bytes, behind their number.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let length = self.0.len() as u32 - 4;
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }

    /// Grows until something that begins `before` bytes further on is aligned.
    fn align(&mut self, size: usize, before: usize) {
        while !(self.0.len() + before).is_multiple_of(size) {
            self.0.push(0);
        }
    }

    fn refer(&mut self, from: Reference) {
        let offset = (self.0.len() - from.0) as u32;
        self.0[from.0..from.0 + 4].copy_from_slice(&offset.to_le_bytes());
    }

    /// Writes a table of fields by their numbers, which ascend, and gives the references to its children.
    pub(super) fn table(&mut self, at: Reference, fields: &[(usize, Field)]) -> Vec<Reference> {
        let slots = fields.last().map_or(0, |(slot, _)| slot + 1);
        let mut offsets = vec![0_u16; slots];
        let mut size = 4_usize;
        for (slot, field) in fields {
            size = size.next_multiple_of(field.size());
            offsets[*slot] = size as u16;
            size += field.size();
        }
        // The list of offsets, then the table, whose longest fields are aligned.
        let list = 4 + 2 * slots;
        self.align(8, list);
        let head = [list as u16, size as u16].into_iter().chain(offsets);
        self.0.extend(head.flat_map(u16::to_le_bytes));
        self.refer(at);
        let start = self.0.len();
        self.0.extend((list as i32).to_le_bytes());
        let mut children = Vec::new();
        for (_, field) in fields {
            while !(self.0.len() - start).is_multiple_of(field.size()) {
                self.0.push(0);
            }
            match field {
                Field::Byte(value) => self.0.push(*value),
                Field::Short(value) => self.0.extend(value.to_le_bytes()),
                Field::Int(value) => self.0.extend(value.to_le_bytes()),
                Field::Long(value) => self.0.extend(value.to_le_bytes()),
                Field::Child => {
                    children.push(Reference(self.0.len()));
                    self.0.extend([0; 4]);
                }
            }
        }
        children
    }

    /// Writes a vector of numbers of `size` bytes, which `bytes` has.
    pub(super) fn vector(&mut self, at: Reference, size: usize, bytes: &[u8]) {
        self.align(size.max(4), 4);
        self.refer(at);
        self.0.extend(((bytes.len() / size) as u32).to_le_bytes());
        self.0.extend(bytes);
    }

    pub(super) fn doubles(&mut self, at: Reference, numbers: impl Iterator<Item = f64>) {
        let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
        self.vector(at, 8, &bytes);
    }

    pub(super) fn string(&mut self, at: Reference, text: &str) {
        self.vector(at, 1, text.as_bytes());
        self.0.push(0);
    }

    /// Writes a vector of so many tables, and gives the references to them.
    pub(super) fn tables(&mut self, at: Reference, count: usize) -> Vec<Reference> {
        self.vector(at, 4, &vec![0; 4 * count]);
        let first = self.0.len() - 4 * count;
        (0..count).map(|k| Reference(first + 4 * k)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longs_are_aligned_and_offsets_lead_to_children() {
        let (mut buffer, root) = FlatBuffer::new();
        let fields = [(0, Field::Child), (2, Field::Byte(7)), (5, Field::Long(9))];
        let children = buffer.table(root, &fields);
        buffer.string(children[0], "Rhine");
        let bytes = buffer.finish();
        let int = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let short = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()) as usize;
        assert_eq!(int(0), bytes.len() - 4);
        let table = 4 + int(4);
        let list = table - int(table);
        let slot = |k: usize| short(list + 4 + 2 * k);
        assert_eq!((slot(1), slot(3), bytes[table + slot(2)]), (0, 0, 7));
        assert_eq!(((table + slot(5)) % 8, bytes[table + slot(5)]), (0, 9));
        let text = table + slot(0) + int(table + slot(0));
        assert_eq!((int(text), &bytes[text + 4..text + 10]), (5, &b"Rhine\0"[..]));
    }
}
