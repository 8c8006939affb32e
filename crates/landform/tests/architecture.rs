//! What ARCHITECTURE.md promises of the whole project: each promise names its tests, and the source keeps those that no run can show.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files below a folder that end so, with their names below the root.
fn files(folder: &str, ends: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(root().join(&next)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{next}/{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push(name);
            } else if ends.iter().any(|end| name.ends_with(end)) {
                found.push(name);
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no file that ends in {ends:?}");
    found
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_promise_names_tests_that_are_there() {
    let document = text("ARCHITECTURE.md");
    let (_, promises) = document.split_once("\n## Invariants\n").unwrap();
    let (promises, _) = promises.split_once("\n## ").unwrap();
    let steps = text("xtask/src/test.rs");
    let numbered = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let count = promises.lines().filter(numbered).count();
    assert!(count >= 12, "{count} promises");
    for k in 1..=count {
        let (_, promise) = promises.split_once(&format!("\n{k}. ")).unwrap();
        let promise = promise.split_once(&format!("\n{}. ", k + 1)).map_or(promise, |(it, _)| it);
        let (_, tests) =
            promise.split_once("Tests: ").unwrap_or_else(|| panic!("promise {k} names no tests"));
        let mut file: Option<(&str, String)> = None;
        let mut named = 0;
        for (at, word) in quoted(tests).enumerate() {
            let before = tests.split('`').nth(2 * at).unwrap();
            if before.ends_with("step ") {
                assert!(steps.contains(&format!("name: \"{word}\"")), "{k}: no step {word}");
                named += 1;
            } else if word.contains('/') {
                file = Some((word, text(word)));
            } else {
                let (path, text) = file.as_ref().unwrap_or_else(|| panic!("{k}: {word} is where?"));
                let is_there = ["fn ", "def ", "class "]
                    .iter()
                    .any(|kind| text.contains(&format!("{kind}{word}(")));
                assert!(is_there, "{k}: {path} has no {word}");
                named += 1;
            }
        }
        assert!(named > 0, "promise {k} names no test");
    }
}

/// A source text without comments and without its tests, which come last.
fn code(path: &str) -> String {
    let text = text(path);
    let text = text.split_once("#[cfg(test)]\nmod tests").map_or(&*text, |(code, _)| code);
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_core_has_no_files_clock_environment_or_globals() {
    let forbidden = [
        "std::fs",
        "std::io",
        "std::net",
        "std::env",
        "std::process",
        "std::time",
        "std::thread",
        "std::os",
        "thread_local!",
        "static mut",
        "println!",
        "print!",
        "include_bytes!(\"/",
        "env::var",
        "SystemTime",
        "Instant::",
        "rayon",
    ];
    let tests = ["tests.rs", "laws.rs"];
    for path in files("crates/landform/src", &[".rs"]) {
        let is_test = tests.iter().any(|name| path.ends_with(name));
        // The only place that knows of threads.
        let is_threads = path.ends_with("src/par.rs");
        if is_test || is_threads {
            continue;
        }
        let code = code(&path);
        for word in forbidden {
            assert!(!code.contains(word), "{path} has {word}");
        }
        // A global that changes; what is made once and never changes again is none.
        for kind in ["Mutex<", "RwLock<", "Atomic", "Cell<"] {
            let is_global = |line: &str| {
                let line = line.trim_start().trim_start_matches("pub ");
                line.starts_with("static ") && line.contains(kind)
            };
            assert!(!code.lines().any(is_global), "{path} has a global {kind}");
        }
    }
    assert!(text("crates/landform/src/lib.rs").contains("#![forbid(unsafe_code)]"));
    assert!(text("Cargo.toml").contains("unsafe_code = \"deny\""));
}

#[test]
fn only_the_extension_for_blender_is_under_the_gpl_and_nothing_uses_it() {
    let own = files("bindings/blender/landform", &[".py", ".toml"]);
    assert!(own.iter().any(|path| text(path).contains("GPL-3.0")));
    let mut others = vec!["Cargo.toml".to_owned()];
    for folder in ["crates", "apps", "bindings/python/src", "bindings/python/python"] {
        others.extend(files(folder, &[".rs", ".py", ".toml"]));
    }
    for path in others.iter().filter(|path| !path.ends_with("tests/architecture.rs")) {
        let text = text(path);
        assert!(!text.contains("GPL-3.0"), "{path} is under the GPL");
        let uses = ["import bpy", "from bpy", "bindings/blender/landform", "path = \"../blender"];
        let found = uses.iter().find(|word| text.contains(**word));
        assert!(found.is_none(), "{path} uses the extension: {found:?}");
    }
}
