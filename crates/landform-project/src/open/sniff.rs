//! What bytes without a name are, such as those of standard input.

use super::heightmap::Reading;

/// How files of a binary format begin, with the extension that they would have.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"\x93NUMPY", "npy"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\x76\x2f\x31\x01", "exr"),
    (b"II*\0", "tif"),
    (b"II+\0", "tif"),
    (b"MM\0*", "tif"),
    (b"MM\0+", "tif"),
];

/// The extension that a file of these bytes would have. A file without a header is told by its length, if the number of
/// its samples is given.
pub(super) fn extension_of(bytes: &[u8], reading: &Reading) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(start, _)| bytes.starts_with(start));
    if let Some((_, extension)) = begins {
        return Some(extension);
    }
    if let Some([width, height]) = reading.scale.size {
        let samples = u64::from(width) * u64::from(height);
        return match bytes.len() as u64 {
            length if length == 2 * samples => Some("r16"),
            length if length == 4 * samples => Some("r32"),
            _ => None,
        };
    }
    let text = str::from_utf8(bytes).ok()?;
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if first.eq_ignore_ascii_case("ncols") || first.eq_ignore_ascii_case("nrows") {
        return Some("asc");
    }
    let is_count = |word: &str| word.parse::<u32>().is_ok();
    match is_count(first) && words.next().is_some_and(is_count) {
        true => Some("upd"),
        false => Some("toml"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_by_how_they_begin() {
        let told = |bytes: &[u8]| extension_of(bytes, &Reading::default());
        assert_eq!(told(b"\x93NUMPY\x01\0"), Some("npy"));
        assert_eq!(told(b"MM\0*...."), Some("tif"));
        assert_eq!(told(b"10 10\n1 1\n0\n"), Some("upd"));
        assert_eq!(told(b"ncols 5\nnrows 4\n"), Some("asc"));
        assert_eq!(told(b"# hills\nversion = 1\n"), Some("toml"));
        assert_eq!(told(b"\xff\xfe\x00"), None);
        assert_eq!(told(b""), None);
        let mut reading = Reading::default();
        reading.scale.size = Some([3, 2]);
        assert_eq!(extension_of(&[7; 12], &reading), Some("r16"));
        assert_eq!(extension_of(&[7; 24], &reading), Some("r32"));
        assert_eq!(extension_of(&[7; 13], &reading), None);
    }
}
