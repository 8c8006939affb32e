//! `landform inspect`

use std::io::Write as _;

use anyhow::{bail, ensure};
use landform::Terrain;
use landform::analysis::statistics::Statistics;
use landform::analysis::world::WorldStatistics;
use landform::drainage::statistics::Drainage;
use landform_io::Store;
use landform_project::describe::{
    Description, PeakSummary, PlaceSummary, StoreDescription, StoreLayer, describe, describe_store,
    memory_of_store, verify_store,
};
use landform_project::explain::{Explanation, PeakShares, StageShare, explain};
use landform_project::{Warning, memory};
use serde::Serialize;

use crate::args::Inspect;
use crate::input::{self, Advice};
use crate::{misuse, running};

pub(crate) fn run(args: &Inspect) -> anyhow::Result<()> {
    if Store::is_store(&args.input) {
        return run_on_store(args);
    }
    if args.verify {
        return Err(misuse(
            "--verify is for stores: the folder of a build is always compared with its manifest",
        ));
    }
    let project = input::open(Some(&args.input), &args.changes, (&args.reading, &args.running))?;
    input::warn(&project, args.running.quiet);
    if let Some(at) = args.at {
        let explained = running::run(&args.running, |monitor| explain(&project, at, monitor))??;
        return write(args, &explained, || why(&explained));
    }
    let plan = project.plan()?;
    let whole = plan.lattice().whole();
    let needed = project.memory(&plan, &whole) + memory::STATISTICS * whole.len() as u64;
    input::check_memory(&args.running, needed, &plan, &Advice::Inspect)?;
    let terrain = running::run(&args.running, |monitor| -> anyhow::Result<Terrain> {
        let terrain = project.terrain(&plan, monitor)?;
        input::warn_about(&terrain, monitor);
        Ok(terrain)
    })??;
    let description = describe(&project, &plan, &terrain)?;
    write(args, &description, || text(&description))?;
    // Warned of already, and named.
    let is_damaged = project.warnings().iter().any(|w| matches!(w, Warning::Differs { .. }));
    let folder = args.input.display();
    ensure!(!is_damaged, "{folder}: not all layers are those that were written");
    Ok(())
}

fn run_on_store(args: &Inspect) -> anyhow::Result<()> {
    if args.at.is_some() {
        return Err(misuse("--at explains stages, and a store has none: give its recipe"));
    }
    let store = Store::open(&args.input)?;
    if args.verify {
        let found = running::run(&args.running, |monitor| verify_store(&store, monitor))??;
        if !found.damaged.is_empty() {
            let count = found.damaged.len();
            let lines = || found.damaged.iter().map(|file| format!("damaged {file}\n")).collect();
            write(args, &found, lines)?;
            let input = args.input.display();
            bail!(
                "{count} files of {input} are damaged: the command that built it makes them again with --verify"
            );
        }
    }
    memory::check(store.layout().size, memory_of_store(&store), args.running.memory)?;
    let description = running::run(&args.running, |monitor| describe_store(&store, monitor))??;
    write(args, &description, || store_text(&description))?;
    for StoreLayer { summary, expected, .. } in &description.layers {
        ensure!(
            expected.is_none(),
            "{}: the samples of {} are not those that were written: their hash is {}, the manifest says {}",
            args.input.display(),
            summary.name,
            summary.sha256_of_tiles,
            expected.as_ref().map_or("", |expected| &expected.sha256_of_tiles)
        );
    }
    Ok(())
}

fn write(
    args: &Inspect,
    description: &impl Serialize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    let text = if args.json { serde_json::to_string_pretty(description)? + "\n" } else { text() };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

fn text(description: &Description) -> String {
    let Description { size: [width, height], spacing: [dx, dz], ground: [gx, gz], .. } =
        *description;
    let mut lines = vec![format!("{}{}", description.kind, titled(&description.title))];
    lines.push(format!("  size      {width} × {height} samples, {dx} × {dz} m apart"));
    lines.push(format!("  ground    {:.3} × {:.3} km", gx / 1000.0, gz / 1000.0));
    lines.extend(description.place.as_ref().map(place));
    lines.push(format!("  seed      {}", description.seed));
    lines.push(format!("  stages    {}", description.stages.join(", ")));
    if let Some(PeakSummary { count, height: [low, high], radius: [narrow, wide] }) =
        &description.peaks
    {
        lines.push(format!(
            "  peaks     {count}, heights {low} to {high} m, radii {narrow} to {wide} m"
        ));
    }
    lines.push(format!("  memory    {}", memory::shown(description.memory)));
    lines.extend(statistics(&description.statistics, description.sea_level));
    if let Some(world) = &description.world {
        lines.extend(world_lines(world));
    }
    lines.extend(drainage(&description.drainage));
    for layer in &description.layers {
        lines.push(format!("  layer     {} [{}] sha256 {}", layer.name, layer.unit, layer.sha256));
    }
    lines.join("\n") + "\n"
}

fn place(place: &PlaceSummary) -> String {
    let PlaceSummary { system, first: [east, north], last: [last_east, last_north] } = place;
    format!(
        "  place     {system}, first sample at {east}, {north}, last at {last_east}, {last_north}"
    )
}

/// Why a place is so high, a line a stage and a line a peak.
fn why(explanation: &Explanation) -> String {
    let Explanation { at: [x, z], height, sea_level, stages } = explanation;
    let water = if height < sea_level { ", under water" } else { "" };
    let mut lines = vec![format!("{height:.2} m at x {x} m, z {z} m{water}")];
    let widest = stages.iter().map(|stage| stage.label.chars().count()).max().unwrap_or(0);
    for StageShare { label, adds, height, layer, peaks, .. } in stages {
        let layer = layer.as_ref().map_or(String::new(), |layer| format!("   changes {layer}"));
        lines.push(format!("  {label:widest$}  {adds:>+10.2} m  {height:>10.2} m{layer}"));
        if let Some(peaks) = peaks {
            lines.extend(peak_lines(peaks, *adds));
        }
    }
    lines.join("\n") + "\n"
}

fn peak_lines(peaks: &PeakShares, adds: f64) -> Vec<String> {
    let PeakShares { count, reaching, divisor, average, strongest } = peaks;
    let mut head =
        format!("      {reaching} of {count} peaks reach it; their sum is divided by {divisor}");
    if (average - adds).abs() > 0.01 + 1e-4 * average.abs() {
        // Between samples the ground is straight, where a cone has its tip.
        head += &format!(", which gives {average:+.2} m before amount, mask, blend and sampling");
    }
    let mut lines = vec![head];
    for peak in strongest {
        lines.push(format!(
            "      peak {:<5} {:>+10.2} m   i {} j {}, {} m high, radius {} m",
            peak.index, peak.adds, peak.i, peak.j, peak.height, peak.radius
        ));
    }
    if reaching > &strongest.len() {
        let rest = average - strongest.iter().map(|peak| peak.adds).sum::<f64>();
        lines.push(format!(
            "      {:<10} {rest:>+10.2} m",
            format!("{} more", reaching - strongest.len())
        ));
    }
    lines
}

fn store_text(description: &StoreDescription) -> String {
    let StoreDescription { size: [width, height], spacing: [dx, dz], .. } = *description;
    let state = if description.complete { "" } else { ", not complete" };
    let mut lines = vec![format!("store{state}")];
    lines.push(format!("  size      {width} × {height} samples, {dx} × {dz} m apart"));
    lines.extend(description.place.as_ref().map(place));
    lines.push(format!(
        "  division  shards of {}, chunks of {}, {} levels",
        description.shard, description.chunk, description.levels
    ));
    lines.extend(statistics(&description.statistics, description.sea_level));
    for StoreLayer { summary, sha256, .. } in &description.layers {
        lines.push(format!("  layer     {} [{}] sha256 {sha256}", summary.name, summary.unit));
        lines.push(format!("            sha256 of tiles {}", summary.sha256_of_tiles));
    }
    lines.join("\n") + "\n"
}

/// The numbers about heights, a line each.
fn statistics(s: &Statistics, sea_level: f64) -> Vec<String> {
    vec![
        format!(
            "  height    {:.2} to {:.2} m, mean {:.2}, deviation {:.2}",
            s.min, s.max, s.mean, s.deviation
        ),
        format!("  land      {:.1} % above the sea at {sea_level} m", 100.0 * s.land),
        format!("  slope     mean {:.1}°, 95 % below {:.1}°", s.slope_mean, s.slope_95),
        format!("  hypsometric integral {:.3}", s.hypsometric_integral),
    ]
}

fn world_lines(world: &WorldStatistics) -> Vec<String> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let shares: Vec<String> = world.continents.iter().map(|&share| percent(share)).collect();
    let mut lines = vec![
        format!("  world     {} of the surface is land", percent(world.land)),
        format!(
            "  continents {} ({}), and {} islands",
            world.continents.len(),
            shares.join(", "),
            world.islands
        ),
        "  heights   share of the surface by 1000 m".to_owned(),
    ];
    for &(low, share) in world.heights.iter().rev() {
        let bar = "█".repeat((100.0 * share).round() as usize);
        lines.push(format!("   {low:>7} m {:>6}  {bar}", percent(share)));
    }
    if !world.biomes.is_empty() {
        lines.push(
            "  biomes    share of the land; of ocean, lakes and sea ice that of the surface"
                .to_owned(),
        );
        for (name, share) in world.biomes.iter().filter(|(_, share)| *share > 0.0) {
            lines.push(format!("   {:>6}  {name}", percent(*share)));
        }
    }
    lines
}

fn drainage(d: &Drainage) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.3}"));
    let ratio = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}"));
    let mut lines = vec![
        format!(
            "  drainage  {:.2} pits in 10,000 samples ({:.2} upside down), {:.2} km of channel a km²",
            d.pits, d.inverted_pits, d.drainage_density
        ),
        format!(
            "            Hack exponent {}, concavity {} (fit {}), area exponent {}",
            number(d.hack),
            number(d.concavity),
            number(d.concavity_fit),
            number(d.area_exponent)
        ),
        format!(
            "            bifurcation ratio {}, length ratio {}, hollows upside down {} times as deep",
            ratio(d.bifurcation_ratio),
            ratio(d.length_ratio),
            ratio(d.inverted_depth)
        ),
        format!(
            "            spectral slope {} at short wavelengths, {} at long ones",
            ratio(d.spectral_slope_short),
            ratio(d.spectral_slope_long)
        ),
        format!(
            "            aspect: mean of cos 4θ {}, of cos 8θ {}",
            number(d.aspect_fourth),
            number(d.aspect_eighth)
        ),
    ];
    if !d.stream_orders.is_empty() {
        lines.push(
            "  streams   order  number  mean length  mean area      mean slope (Horton)".to_owned(),
        );
    }
    for entry in &d.stream_orders {
        lines.push(format!(
            "            {:>5}  {:>6}  {:>8.2} km  {:>9.2} km²  {:>8.4}",
            entry.order,
            entry.streams,
            entry.mean_length / 1e3,
            entry.mean_area / 1e6,
            entry.mean_slope
        ));
    }
    lines
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" \u{201c}{title}\u{201d}") }
}
