//! Files of every format that were damaged at random.
//!
//! A heightmap has no checksum, so damage may go unnoticed there; the program must only end well. A store has: what is read from a
//! damaged one is an error or the very samples.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::Tally;
use super::random::Random;
use super::trial::{Arena, files, remove};

const RECIPE: &str = "version = 1\nseed = 5\nsize = [65, 33]\nspacing = [10.0, 10.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 20\n\n\
    [[stage]]\nkind = \"river\"\nfrom = \"north\"\nto = \"south\"\n\n[[stage]]\nkind = \"thermal\"\nsteps = 5\n";
const UPD: &str = "40 30\n2 1\n3\n8 9 120 60\n22 11 400 10\n30 25 90 25.5\n";

/// Single files, by their endings.
const HEIGHTS: &[&str] = &["npy", "png", "tif", "exr", "asc", "r16", "r32"];

/// Damages so many files in all.
pub(super) fn run(arena: &Arena, random: &Random, count: usize) -> Result<Vec<Tally>> {
    let sound = arena.inside("sound")?;
    prepare(&sound)?;
    let mut kinds: Vec<String> = HEIGHTS.iter().map(|ending| format!("a.{ending}")).collect();
    kinds.extend(
        ["a.toml", "a.upd", "a.cog.tif", "N46E007.hgt", "bundle", "s.zarr"].map(str::to_owned),
    );
    let each = count.div_ceil(kinds.len());
    let tally = |kind: &String| {
        // Samples of a whole tile of a survey: few are enough.
        let each = if kind.ends_with("hgt") { each.div_ceil(10) } else { each };
        let trials = Trials { arena, sound: &sound, kind };
        trials.run(&mut random.child(kind.len() as u64 + u64::from(kind.as_bytes()[2])), each)
    };
    kinds.iter().map(tally).collect()
}

fn prepare(sound: &Arena) -> Result<()> {
    sound.write("a.toml", RECIPE)?;
    sound.write("a.upd", UPD)?;
    for ending in HEIGHTS {
        sound.ok(&["build", "a.toml", "-q", "-o", &format!("a.{ending}")])?;
    }
    sound.ok(&["build", "a.toml", "-q", "-o", "bundle/"])?;
    sound.ok(&[
        "build", "a.toml", "-q", "--size", "300x200", "-o", "s.zarr", "--chunk", "32", "--shard",
        "128",
    ])?;
    sound.ok(&["build", "a.toml", "-q", "--size", "300x200", "-o", "a.cog.tif", "--cog"])?;
    sound.ok(&["build", "s.zarr", "-q", "-o", "store.npy"])?;
    let tile: Vec<u8> =
        (0..1201_u32 * 1201).flat_map(|k| ((k % 1201 + k / 1201) as u16).to_be_bytes()).collect();
    sound.write("N46E007.hgt", tile)
}

struct Trials<'a> {
    arena: &'a Arena,
    sound: &'a Arena,
    kind: &'a str,
}

impl Trials<'_> {
    fn run(&self, random: &mut Random, count: usize) -> Result<Tally> {
        let arena = self.arena.inside("damaged")?;
        let (from, to) = (self.sound.path(self.kind), arena.path(self.kind));
        let whole = if from.is_dir() {
            files(&from)?
        } else {
            BTreeMap::from([(String::new(), fs::read(&from)?)])
        };
        let names: Vec<&String> = whole.keys().collect();
        let samples = fs::read(self.sound.path("store.npy"))?;
        let mut bad = Vec::new();
        restore(&whole, &to)?;
        // The scale beside it.
        let side = format!("{}.json", self.kind);
        if self.sound.path(&side).is_file() {
            fs::copy(self.sound.path(&side), arena.path(&side))?;
        }
        for number in 0..count {
            let name = *random.one_of(&names);
            let path = if name.is_empty() { to.clone() } else { to.join(name) };
            let damaged = damaged(&whole[name], random);
            fs::write(&path, &damaged)?;
            let words = self.command(random);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let end = arena.run(&words)?;
            let is_false = self.kind == "s.zarr"
                && end.code == Some(0)
                && words[0] == "build"
                && fs::read(arena.path("out.npy"))? != samples;
            if !end.is_good() || is_false {
                let kept = self.arena.path(&format!("bad-{number}-{}", self.kind));
                fs::write(&kept, &damaged).context("cannot keep what is bad")?;
                let why = if is_false { "other samples pass as good" } else { "" };
                bad.push(format!(
                    "{} {why} ({name} is kept as {})",
                    end.shown(&words),
                    kept.display()
                ));
            }
            remove(&arena.path("out.npy"))?;
            fs::write(&path, &whole[name])?;
        }
        Ok(Tally { what: format!("damaged {}", self.kind), runs: count, bad })
    }

    /// What somebody does with a file that they were given.
    fn command(&self, random: &mut Random) -> Vec<String> {
        let mut words: Vec<&str> = match random.below(if self.kind == "s.zarr" { 2 } else { 4 }) {
            0 | 1 => vec!["build", self.kind, "-q", "-o", "out.npy", "--force", "--memory", "500M"],
            2 => vec!["inspect", self.kind, "-q"],
            _ => vec!["view", self.kind, "-q", "-o", "out.png", "--force", "--memory", "500M"],
        };
        if self.kind.ends_with("toml") || self.kind.ends_with("upd") {
            // A number more may make a large terrain of a recipe, which is no fault.
            words.extend(["--size", "65x33"]);
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

fn restore(whole: &BTreeMap<String, Vec<u8>>, to: &Path) -> Result<()> {
    for (name, bytes) in whole {
        let path = if name.is_empty() { to.to_owned() } else { to.join(name) };
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Numbers that are in nobody's file.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1e309",
    "-1e-320",
    "4294967296",
    "18446744073709551616",
    "nan",
    "[]",
    "\"\"",
    "1e15",
];

/// A copy with one to four changes: a bit, a byte, a run of bytes, a cut, something twice, another number in a text.
pub(super) fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=random.below(4) {
        if out.is_empty() {
            break;
        }
        // Headers are short, so every other change is meant for them.
        let end = if random.below(2) == 0 { out.len().min(300) } else { out.len() };
        let at = random.below(end);
        let length = (1 + random.below(32)).min(out.len() - at);
        match random.below(8) {
            0 | 1 => out[at] ^= 1 << random.below(8),
            2 => out[at] = *random.one_of(&[0, 1, 0x7F, 0x80, 0xFF]),
            3 => out[at..at + length].fill(*random.one_of(&[0, 0xFF])),
            4 => out.truncate(at),
            5 => drop(out.drain(at..at + length)),
            6 => {
                let again = out[at..at + length].to_vec();
                out.splice(at..at, again);
            }
            _ => another_number(&mut out, at, random),
        }
    }
    out
}

/// Replaces the digits that come next.
fn another_number(out: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    if let Some(start) = out[at..].iter().position(is_digit).map(|skip| at + skip) {
        let end =
            out[start..].iter().position(|byte| !is_digit(byte)).map_or(out.len(), |k| start + k);
        out.splice(start..end, random.one_of(NUMBERS).bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_the_same_for_the_same_seed_and_changes_most_files() {
        let file: Vec<u8> = (0..200).collect();
        let copies = |seed: u64| -> Vec<Vec<u8>> {
            let mut random = Random::new(seed);
            (0..50).map(|_| damaged(&file, &mut random)).collect()
        };
        assert_eq!(copies(1), copies(1));
        assert_ne!(copies(1), copies(2));
        assert!(copies(3).iter().filter(|copy| **copy != file).count() > 45);
        assert!(damaged(&[], &mut Random::new(1)).is_empty());
    }

    #[test]
    fn a_number_is_replaced_as_a_whole() {
        let mut text = b"size = [65, 33]".to_vec();
        another_number(&mut text, 0, &mut Random::new(4));
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.starts_with("size = [") && text.ends_with(", 33]") && !text.contains("65"),
            "{text}"
        );
    }
}
