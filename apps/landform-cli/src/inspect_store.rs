//! `landform inspect FILE.zarr`: what is in a store, in one pass, and whether it is what the manifest says.

use std::io::Write as _;

use anyhow::ensure;
use landform::analysis::statistics::Statistics;
use landform_io::Store;
use landform_io::store::{LayerSummary, Survey};
use serde::Serialize;

use crate::args::Inspect;
use crate::{inspect, running};

/// What `inspect` tells of a store.
#[derive(Serialize)]
struct Report<'a> {
    kind: &'static str,
    complete: bool,
    seed: Option<u64>,
    size: [u32; 2],
    spacing: [f64; 2],
    sea_level: f64,
    levels: usize,
    shard: u32,
    chunk: u32,
    statistics: Statistics,
    layers: Vec<Layer<'a>>,
}

#[derive(Serialize)]
struct Layer<'a> {
    #[serde(flatten)]
    summary: &'a LayerSummary,
    /// Hash of all samples row by row, the same as for a terrain that was built in memory.
    sha256: &'a str,
}

pub(crate) fn run(args: &Inspect) -> anyhow::Result<()> {
    let store = Store::open(&args.input)?;
    let survey = running::run(&args.running, |monitor| store.survey(monitor))??;
    let (manifest, layout) = (store.manifest(), store.layout());
    let Survey { statistics, layers, sha256 } = &survey;
    let layers =
        layers.iter().zip(sha256).map(|(summary, sha256)| Layer { summary, sha256 }).collect();
    let report = Report {
        kind: "store",
        complete: manifest.complete,
        seed: manifest.seed,
        size: layout.size,
        spacing: layout.spacing,
        sea_level: layout.sea_level,
        levels: layout.levels(),
        shard: layout.shard,
        chunk: layout.chunk,
        statistics: *statistics,
        layers,
    };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        stdout.write_all(text(&report).as_bytes())?;
    }
    for (told, found) in manifest.layers.iter().zip(&survey.layers) {
        ensure!(
            told == found,
            "{}: the samples of {} are not those that were written: their hash is {}, the manifest says {}",
            args.input.display(),
            told.name,
            found.sha256_of_tiles,
            told.sha256_of_tiles
        );
    }
    Ok(())
}

fn text(report: &Report<'_>) -> String {
    let Report { size: [width, height], spacing: [dx, dz], .. } = *report;
    let state = if report.complete { "" } else { ", not complete" };
    let mut lines = vec![format!("store{state}")];
    lines.push(format!("  size      {width} × {height} samples, {dx} × {dz} m apart"));
    lines.push(format!(
        "  division  shards of {}, chunks of {}, {} levels",
        report.shard, report.chunk, report.levels
    ));
    lines.extend(inspect::statistics(&report.statistics, report.sea_level));
    for Layer { summary, sha256 } in &report.layers {
        lines.push(format!("  layer     {} [{}] sha256 {sha256}", summary.name, summary.unit));
        lines.push(format!("            sha256 of tiles {}", summary.sha256_of_tiles));
    }
    lines.join("\n") + "\n"
}
