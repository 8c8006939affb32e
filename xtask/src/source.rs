//! Rust source as words and marks: enough to follow modules and paths, and to count items.
//!
//! Comments are dropped, and so is code under `#[cfg(test)]`, with the files of such modules.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// The smallest part of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// `::`, or a single character.
    Mark(&'static str),
    /// A string or a character, as it is written.
    Text(String),
}

impl Token {
    /// Whether it is this word or mark.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Self::Word(word) => word == text,
            Self::Mark(mark) => *mark == text,
            Self::Text(_) => false,
        }
    }

    /// The name, if it is one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Word(word) if !word.starts_with(|c: char| c.is_ascii_digit()) => Some(word),
            _ => None,
        }
    }
}

/// The marks of Rust.
const MARKS: &[&str] = &[
    "::", "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ":", ".", "=", "!", "?", "#", "&", "*",
    "+", "-", "/", "%", "|", "^", "@", "$", "~", "'",
];

/// Splits a source text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(length) = comment(rest) {
            length
        } else if let Some(length) = string(rest).or_else(|| character(rest)) {
            tokens.push(Token::Text(rest[..length].to_owned()));
            length
        } else if is_word(first) {
            // A raw identifier is the word behind its prefix.
            let start = if rest.starts_with("r#") { 2 } else { 0 };
            let length = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
            tokens.push(Token::Word(rest[start..start + length].to_owned()));
            start + length
        } else {
            match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => {
                    tokens.push(Token::Mark(mark));
                    mark.len()
                }
                None => first.len_utf8(),
            }
        };
        rest = &rest[length..];
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the comment that begins here. Blocks can be nested.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut depth = 0;
    let mut at = 0;
    while text.starts_with("/*") {
        let here = text.get(at..).filter(|rest| !rest.is_empty())?;
        if here.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if here.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

/// The length of the string that begins here: plain, of bytes, for C, raw.
fn string(text: &str) -> Option<usize> {
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    let (prefix, rest) = text.split_at(prefix);
    if !["", "b", "c", "r", "br", "cr"].contains(&prefix) {
        return None;
    }
    if prefix.ends_with('r') {
        let fence = rest.len() - rest.trim_start_matches('#').len();
        let (fence, rest) = rest.split_at(fence);
        let inside = rest.strip_prefix('"')?;
        let end = format!("\"{fence}");
        return Some(prefix.len() + fence.len() + 1 + inside.find(&end)? + end.len());
    }
    let inside = rest.strip_prefix('"')?;
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '"' => return Some(prefix.len() + 1 + at + 1),
            _ => {}
        }
    }
    None
}

/// The length of the character that begins here; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("b'").or_else(|| text.strip_prefix('\''))?;
    let prefix = text.len() - inside.len();
    let first = inside.chars().next()?;
    let end = match first {
        // The escaped character itself may be a quote.
        '\\' => 2 + inside.get(2..)?.find('\'')?,
        _ => first.len_utf8(),
    };
    inside.get(end..)?.starts_with('\'').then_some(prefix + end + 1)
}

/// The tokens without items under `#[cfg(test)]`.
pub(crate) fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some(after) = attribute(tokens, at)
            && is_for_tests(&tokens[at..after])
        {
            let mut item = after;
            while let Some(next) = attribute(tokens, item) {
                item = next;
            }
            at = end_of_item(tokens, item);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The end of the attribute that begins here.
pub(crate) fn attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let is_outer = tokens.get(at)?.is("#") && tokens.get(at + 1)?.is("[");
    is_outer.then(|| closing(tokens, at + 1) + 1)
}

/// Whether an attribute leaves its item out of everything but tests.
fn is_for_tests(attribute: &[Token]) -> bool {
    let is_cfg = attribute.get(2).is_some_and(|word| word.is("cfg"));
    is_cfg
        && attribute.iter().any(|word| word.is("test"))
        && !attribute.iter().any(|word| word.is("not"))
}

/// Where the bracket that opens at `open` closes; the last token if it does not.
pub(crate) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark("(" | "[" | "{") => depth += 1,
            Token::Mark(")" | "]" | "}") => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1)
}

/// Behind the item that begins here: its block or its semicolon.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at] {
            Token::Mark("{") => return closing(tokens, at) + 1,
            Token::Mark(";") => return at + 1,
            Token::Mark("(" | "[") => at = closing(tokens, at) + 1,
            // A field or a variant at the end of its list.
            Token::Mark("}") => return at,
            _ => at += 1,
        }
    }
    at
}

/// A file of a package: where it stands in the tree of modules, and its code without tests.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// The names from the root down; none for the root.
    pub(crate) path: Vec<String>,
    /// The file, as it was given.
    pub(crate) file: String,
    pub(crate) tokens: Vec<Token>,
}

/// The sources of packages by path, with `/` between the names.
pub(crate) type Sources = BTreeMap<String, String>;

/// Reads the Rust files under these folders of the repository.
pub(crate) fn read(root: &Path, folders: &[&str]) -> Result<Sources> {
    let mut sources = Sources::new();
    let mut open: Vec<_> = folders.iter().map(|&folder| folder.to_owned()).collect();
    while let Some(folder) = open.pop() {
        let path = root.join(&folder);
        for entry in path.read_dir().with_context(|| format!("cannot list {}", path.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let inside = format!("{folder}/{name}");
            if entry.file_type()?.is_dir() {
                let is_source = name != "target" && !name.starts_with('.');
                open.extend(is_source.then_some(inside));
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(entry.path())
                    .with_context(|| format!("cannot read {inside}"))?;
                sources.insert(inside, text);
            }
        }
    }
    Ok(sources)
}

/// The modules of a package, from its root file down, without those that are for tests.
pub(crate) fn modules(sources: &Sources, root: &str) -> Result<Vec<Module>> {
    let mut modules = Vec::new();
    let mut open = vec![(Vec::new(), root.to_owned())];
    while let Some((path, file)) = open.pop() {
        let text = sources.get(&file).with_context(|| format!("there is no {file}"))?;
        let tokens = without_tests(&tokens(text));
        for (name, place) in declared(&tokens) {
            let candidates = match place {
                Some(place) => vec![format!("{}/{place}", parent(&file))],
                None => {
                    let folder = folder_of(&file);
                    vec![format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]
                }
            };
            let Some(found) = candidates.iter().find(|path| sources.contains_key(*path)) else {
                bail!("{file} declares `mod {name};`, but there is no {}", candidates.join(" or "));
            };
            let mut inner = path.clone();
            inner.push(name.to_owned());
            open.push((inner, found.clone()));
        }
        modules.push(Module { path, file, tokens });
    }
    modules.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(modules)
}

/// The modules that have a file of their own: the name, and the file if an attribute says which.
fn declared(tokens: &[Token]) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let mut place = None;
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (word, Some(Token::Mark("=")), Some(Token::Text(text))) if word.is("path") => {
                place = Some(text.trim_matches('"'));
            }
            (word, Some(name), Some(Token::Mark(";"))) if word.is("mod") => {
                found.extend(name.name().map(|name| (name, place.take())));
            }
            _ => {}
        }
    }
    found
}

/// The folder of a file.
fn parent(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder in which the modules of a file lie.
fn folder_of(file: &str) -> String {
    let is_root = ["/lib.rs", "/main.rs", "/mod.rs"].iter().any(|name| file.ends_with(name));
    if is_root { parent(file).to_owned() } else { file.trim_end_matches(".rs").to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let named = |token: &Token| token.name().map(str::to_owned);
        without_tests(&tokens(text)).iter().filter_map(named).collect()
    }

    #[test]
    fn comments_strings_and_characters_are_no_words() {
        let text = r##"
            // one
            /* two /* nested */ three */ a
            "four \" five" b r#"six " seven"# c b"eight" '\'' 'x' d<'life> '\u{1F}' r#type é
        "##;
        assert_eq!(words(text), ["a", "b", "c", "d", "life", "type", "é"]);
    }

    #[test]
    fn code_for_tests_is_left_out() {
        let text = "
            fn a() { b[1] }
            #[cfg(test)]
            #[path = \"x\"]
            mod c { fn d() {} }
            #[cfg(test)] mod e;
            #[cfg(not(test))] fn f() {}
            #[cfg(all(test, unix))] const G: [u8; 2] = [0; 2];
            struct H { i: J, #[cfg(test)] k: L }
        ";
        let expected = ["fn", "a", "b", "cfg", "not", "test", "fn", "f", "struct", "H", "i", "J"];
        assert_eq!(words(text), expected);
    }

    #[test]
    fn modules_are_found_from_the_root_down() {
        let files = [
            ("s/lib.rs", "mod a; pub(crate) mod b; #[cfg(test)] mod gone; mod inline { }"),
            ("s/a.rs", "mod inner;"),
            ("s/a/inner.rs", ""),
            ("s/b/mod.rs", "mod c; #[path = \"else/where.rs\"] mod d;"),
            ("s/b/c.rs", ""),
            ("s/b/else/where.rs", ""),
            ("s/gone.rs", "mod nowhere;"),
        ];
        let mut sources: Sources =
            files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let found = modules(&sources, "s/lib.rs").unwrap();
        let paths: Vec<_> = found.iter().map(|module| module.path.join("::")).collect();
        assert_eq!(paths, ["", "a", "a::inner", "b", "b::c", "b::d"]);
        sources.remove("s/b/c.rs");
        let error = modules(&sources, "s/lib.rs").unwrap_err().to_string();
        assert!(error.contains("s/b/c.rs or s/b/c/mod.rs"), "{error}");
    }
}
