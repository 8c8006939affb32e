//! Links, pipes and devices where files are expected, and a terminal that does not listen.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use super::Tally;
use super::trial::{Arena, remove};

const RECIPE: &str = "version = 1\nseed = 5\nsize = [65, 33]\nspacing = [10.0, 20.0]\n\n[[stage]]\nkind = \"uplift\"\npeaks = 20\n";
const SECRET: &str = "a text that nobody may read or lose";

/// Outputs that are links to somebody's file, and inputs that lead there.
pub(super) fn links(arena: &Arena) -> Result<Tally> {
    let arena = arena.inside("links")?;
    arena.write("a.toml", RECIPE)?;
    arena.write("secret.txt", SECRET)?;
    std::fs::create_dir_all(arena.path("b"))?;
    arena.ok(&["build", "a.toml", "-q", "-o", "b/"])?;
    let names = ["map.png", "height.npy", "height.png", "landform.json", "recipe.toml"];
    let mut bad = Vec::new();
    let is_whole = |bad: &mut Vec<String>, what: &str| -> Result<()> {
        if std::fs::read(arena.path("secret.txt"))? != SECRET.as_bytes() {
            bad.push(format!("{what}: a file behind a link was overwritten"));
            arena.write("secret.txt", SECRET)?;
        }
        Ok(())
    };
    for name in names {
        let place = format!("b/{name}");
        remove(&arena.path(&place))?;
        link("../secret.txt", &arena, &place)?;
        // Read through the link: refused, and nothing of it is told.
        let words = ["inspect", "b", "-q"];
        let end = arena.run(&words)?;
        if !end.is_good() || end.talk.contains("nobody") {
            bad.push(format!("{place} is a link: {}", end.shown(&words)));
        }
        let words = ["build", "a.toml", "-q", "--force", "-o", "b/"];
        let end = arena.run(&words)?;
        if end.code != Some(0) {
            bad.push(format!("{place} is a link: {}", end.shown(&words)));
        }
        is_whole(&mut bad, &place)?;
    }
    Ok(Tally { what: "links".to_owned(), runs: 2 * names.len(), bad })
}

fn link(to: &str, arena: &Arena, name: &str) -> Result<()> {
    let made = Command::new("ln").args(["-s", to]).arg(arena.path(name)).status()?;
    ensure!(made.success(), "cannot make a link");
    Ok(())
}

/// Pipes that nobody writes to, and devices without an end, as every kind of input.
pub(super) fn no_files(arena: &Arena) -> Result<Tally> {
    let arena = arena.inside("no-files")?;
    let names = [
        "a.toml",
        "a.upd",
        "a.npy",
        "a.png",
        "a.tif",
        "a.exr",
        "a.asc",
        "a.r16",
        "a.r32",
        "N46E007.hgt",
    ];
    let mut bad = Vec::new();
    for name in names {
        for is_pipe in [true, false] {
            remove(&arena.path(name))?;
            if is_pipe {
                let made = Command::new("mkfifo").arg(arena.path(name)).status()?;
                ensure!(made.success(), "cannot make a pipe");
            } else {
                link("/dev/zero", &arena, name)?;
            }
            let words = ["inspect", name, "-q"];
            let end = arena.run(&words)?;
            if !end.is_good() || end.code == Some(0) {
                let what = if is_pipe { "a pipe" } else { "a device" };
                bad.push(format!("{what}: {}", end.shown(&words)));
            }
        }
    }
    Ok(Tally { what: "pipes and devices".to_owned(), runs: 2 * names.len(), bad })
}

/// Nobody reads what it says: the terrain is built all the same.
pub(super) fn deaf_ears(arena: &Arena) -> Result<Tally> {
    let arena = arena.inside("deaf")?;
    arena.write("a.toml", RECIPE)?;
    let mut bad = Vec::new();
    let ways = ["2>&-", "2>/dev/full", "2>/dev/full >&-"];
    for way in ways {
        let script = format!("exec \"$0\" build a.toml --force -o a.npy {way}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(&arena.program).current_dir(&arena.folder);
        let status = shell.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        if status.code() != Some(0) || !arena.path("a.npy").is_file() {
            bad.push(format!("landform build a.toml -o a.npy {way}: {status}"));
        }
        remove(&arena.path("a.npy"))?;
    }
    Ok(Tally { what: "nobody listens".to_owned(), runs: ways.len(), bad })
}
