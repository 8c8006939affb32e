//! Bytes as text: base 64 for addresses (RFC 4648 §5), without padding.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text of bytes.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, k| bits << 8 | u32::from(*group.get(k).unwrap_or(&0)));
        for k in 0..=group.len() {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * k) & 63) as usize]));
        }
    }
    text
}

/// The bytes of a text; nothing if it is not one.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.bytes() {
        let value = DIGITS.iter().position(|&known| known == digit)?;
        (bits, count) = (bits << 6 | value as u32, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}
