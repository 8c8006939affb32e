//! `landform inspect`

use std::io::Write as _;

use landform::analysis::statistics::Statistics;
use landform::analysis::world::WorldStatistics;
use landform::drainage::statistics::Drainage;
use landform::uplift::Cone;
use landform::{Layer, Recipe, Terrain, Topology};
use landform_io::{Manifest, Store};
use serde::Serialize;

use crate::args::Inspect;
use crate::source::Source;
use crate::{inspect_store, memory, running};

/// What `inspect` tells.
#[derive(Serialize)]
struct Report {
    kind: &'static str,
    title: String,
    seed: u64,
    size: [u32; 2],
    spacing: [f64; 2],
    ground: [f64; 2],
    sea_level: f64,
    stages: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peaks: Option<Peaks>,
    /// Bytes that building it takes.
    memory: u64,
    statistics: Statistics,
    #[serde(skip_serializing_if = "Option::is_none")]
    world: Option<WorldStatistics>,
    drainage: Drainage,
    layers: Vec<landform_io::manifest::LayerEntry>,
}

/// The peaks of the Uplift Model, if there are any.
#[derive(Serialize)]
struct Peaks {
    count: usize,
    /// The lowest and the highest, in metres.
    height: [f64; 2],
    /// The narrowest and the widest, in metres.
    radius: [f64; 2],
}

impl Peaks {
    fn of(recipe: &Recipe) -> anyhow::Result<Option<Self>> {
        let cones = recipe.cones()?;
        let range = |of: fn(&Cone) -> f64| {
            let range = [f64::INFINITY, f64::NEG_INFINITY];
            cones.iter().map(of).fold(range, |[low, high], value| [low.min(value), high.max(value)])
        };
        let (height, radius) = (range(|cone| cone.height), range(|cone| cone.radius));
        Ok((!cones.is_empty()).then_some(Self { count: cones.len(), height, radius }))
    }
}

pub(crate) fn run(args: &Inspect) -> anyhow::Result<()> {
    if Store::is_store(&args.input) {
        return inspect_store::run(args);
    }
    let source = Source::open(Some(&args.input), &args.changes, &args.reading)?;
    source.warn(args.running.quiet);
    let plan = source.plan()?;
    let whole = plan.lattice().whole();
    let needed = plan.memory(&whole) + memory::STATISTICS * whole.len() as u64;
    memory::check(&args.running, needed, &plan, &memory::Advice::Inspect)?;
    let terrain = running::run(&args.running, |monitor| source.terrain(&plan, monitor))??;
    let recipe = source.made_by();
    let world = is_world(&terrain).then(|| WorldStatistics::of(&terrain));
    // On a sphere samples stand for more or less ground: the share of land is that of the ground.
    let land = world.as_ref().map(|world| world.land);
    let statistics = Statistics::of(&terrain);
    let statistics = Statistics { land: land.unwrap_or(statistics.land), ..statistics };
    let report = Report {
        kind: source.kind,
        title: recipe.title.clone(),
        seed: recipe.seed,
        size: plan.lattice().size,
        spacing: plan.lattice().spacing,
        ground: plan.lattice().ground(),
        sea_level: terrain.sea_level(),
        stages: recipe.stages.iter().map(|entry| entry.label().to_owned()).collect(),
        peaks: Peaks::of(recipe)?,
        memory: plan.memory(&whole),
        statistics,
        world,
        drainage: Drainage::of(&terrain),
        layers: Manifest::of(&terrain, Some(recipe.seed)).layers,
    };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        stdout.write_all(text(&report).as_bytes())?;
    }
    Ok(())
}

fn text(report: &Report) -> String {
    let Report { size: [width, height], spacing: [dx, dz], ground: [gx, gz], .. } = *report;
    let s = &report.statistics;
    let mut lines = vec![format!("{}{}", report.kind, titled(&report.title))];
    lines.push(format!("  size      {width} × {height} samples, {dx} × {dz} m apart"));
    lines.push(format!("  ground    {:.3} × {:.3} km", gx / 1000.0, gz / 1000.0));
    lines.push(format!("  seed      {}", report.seed));
    lines.push(format!("  stages    {}", report.stages.join(", ")));
    if let Some(Peaks { count, height: [low, high], radius: [narrow, wide] }) = &report.peaks {
        lines.push(format!(
            "  peaks     {count}, heights {low} to {high} m, radii {narrow} to {wide} m"
        ));
    }
    lines.push(format!("  memory    {}", memory::shown(report.memory)));
    lines.extend(statistics(s, report.sea_level));
    if let Some(world) = &report.world {
        lines.extend(world_lines(world));
    }
    lines.extend(drainage(&report.drainage));
    for layer in &report.layers {
        lines.push(format!("  layer     {} [{}] sha256 {}", layer.name, layer.unit, layer.sha256));
    }
    lines.join("\n") + "\n"
}

/// The numbers about heights, a line each.
pub(crate) fn statistics(s: &Statistics, sea_level: f64) -> Vec<String> {
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

/// Whether the terrain is a whole map with more to say than its heights.
fn is_world(terrain: &Terrain) -> bool {
    terrain.topology() != Topology::Plane || terrain.layer(&Layer::Biome).is_some()
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
    vec![
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
    ]
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" \u{201c}{title}\u{201d}") }
}
