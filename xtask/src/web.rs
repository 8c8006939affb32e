//! The studio as a web page: built, measured, served, and used by a real browser.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::project::Project;
use crate::test::Outcome;
use crate::{refuse_rest, serve, setup, take_flag, take_option};

const WEB: &str = "wasm32-unknown-unknown";
const PAGE: &str = "apps/landform-studio/web";
/// The most that the page's program may weigh on the wire.
const MOST_BYTES: u64 = 5_000_000;

/// `cargo xtask web`: builds the page and serves it to this machine.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let port = take_option(&mut words, "--port")?.unwrap_or_else(|| "8080".to_owned());
    let builds_only = take_flag(&mut words, "--build");
    refuse_rest(&words)?;
    let page = build(project, "web")?;
    println!("built {}", page.display());
    if builds_only {
        return Ok(());
    }
    serve::serve(&page, port.parse().context("--port wants a number")?)
}

/// A real browser uses the page as a person does.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    setup::node(project)?;
    let browser = setup::chromium(project)?;
    let packages = setup::node_packages(project)?;
    // As users get it but for optimisations that take minutes.
    let page = build(project, "trial")?;
    let pictures = project.scratch("web-test")?;
    let mut report = String::new();
    let script = project.root.join(PAGE).join("tests/page.mjs");
    let test = project.cmd("node").arg(script).arg(&page).arg(project.landform()?).arg(&pictures);
    let test = test.quiet_env("CHROMIUM", browser).env("NODE_PATH", packages);
    test.tee(|line| {
        if let Some(line) = line.strip_prefix("page: ") {
            report = line.to_owned();
        }
    })?;
    Ok(Outcome::Passed(report))
}

/// Builds the page with a profile of cargo, and says in which folder it is.
fn build(project: &Project, profile: &str) -> Result<PathBuf> {
    setup::rust_target(project, WEB)?;
    let build = ["build", "--package", "landform-studio", "--bin", "landform-studio"];
    project.cargo(build).args(["--target", WEB, "--profile", profile]).run()?;
    let module = project.target.join(WEB).join(profile).join("landform-studio.wasm");
    let page = project.scratch(if profile == "web" { "web" } else { "web-quick" })?;
    let bindgen = ["run", "--quiet", "--package", "web-bindgen", "--"];
    project.cargo(bindgen).arg(&module).arg(&page).run()?;
    for file in project.files(PAGE, &["html", "js", "svg"])? {
        // Copied by wasm-bindgen, as a part of the program.
        if file.ends_with("page.js") {
            continue;
        }
        let name = file.file_name().context("a file has a name")?;
        std::fs::copy(&file, page.join(name))?;
    }
    if profile == "web" {
        let weight = compressed(project, &page)?;
        println!("{:.2} MB with brotli", weight as f64 / 1e6);
        ensure!(weight < MOST_BYTES, "the page is heavier than {MOST_BYTES} bytes");
    }
    Ok(page)
}

/// Bytes of the program on the wire.
fn compressed(project: &Project, page: &Path) -> Result<u64> {
    let script = "const zlib = require('node:zlib'); \
        const bytes = require('node:fs').readFileSync(process.argv[1]); \
        console.log(zlib.brotliCompressSync(bytes).length)";
    let module = page.join("landform-studio_bg.wasm");
    let length = project.cmd("node").args(["-e", script]).arg(module).read()?;
    length.trim().parse().context("Node tells a number")
}
