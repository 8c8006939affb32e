//! A terrain as a link: its text in the fragment of the page's address, which no server sees.
//!
//! ```text
//! #NAME=TEXT      both in base 64 for addresses (RFC 4648 §5), without padding
//! ```

use crate::base64::{decoded, encoded};

/// The fragment for a terrain.
pub(crate) fn fragment_of(name: &str, text: &str) -> String {
    format!("{}={}", encoded(name.as_bytes()), encoded(text.as_bytes()))
}

/// The name and the text in a fragment; nothing if it is not one of ours.
pub(crate) fn text_of(fragment: &str) -> Option<(String, String)> {
    let (name, text) = fragment.split_once('=')?;
    Some((String::from_utf8(decoded(name)?).ok()?, String::from_utf8(decoded(text)?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_gives_back_name_and_text() {
        for text in ["", "a", "ab", "abc", "3 3\n1 1\n1\n1 1 5 1\n", "höhe = 7 # ✓"] {
            let fragment = fragment_of("my terrain.upd", text);
            assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=".contains(&b)));
            let back = text_of(&fragment).expect("it is one of ours");
            assert_eq!(back, ("my terrain.upd".to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn the_digits_are_those_of_the_standard() {
        assert_eq!(encoded(b"Man?>"), "TWFuPz4");
        assert_eq!(encoded(&[0xFB, 0xFF]), "-_8");
    }

    #[test]
    fn another_fragment_is_none_of_ours() {
        for fragment in ["", "top", "a b=c", "YQ==YQ", "=\u{e9}", "_w=YQ"] {
            assert_eq!(text_of(fragment), None, "{fragment}");
        }
    }
}
