//! Whether a piece of work fits into memory, asked before it starts.

use landform::{Lattice, Plan};

use crate::args::Running;

/// Bytes that may be used: what was said, or what is free; nothing if the system does not tell.
pub(crate) fn limit(running: &Running) -> Option<u64> {
    running.memory.or_else(free)
}

/// Refuses `needed` bytes above the limit, and tells what would fit.
pub(crate) fn check(running: &Running, needed: u64, plan: &Plan) -> anyhow::Result<()> {
    let Some(limit) = limit(running) else { return Ok(()) };
    if needed <= limit {
        return Ok(());
    }
    let Lattice { size: [width, height], .. } = *plan.lattice();
    let share = (limit as f64 / needed as f64).sqrt();
    let fitting = |side: u32| ((f64::from(side) * share) as u32).max(1);
    anyhow::bail!(
        "{width}x{height} samples need about {}, but only {} may be used: \
         build it smaller (--size {}x{}), or in tiles that share the same bytes (--tile 0,0,{},{})",
        shown(needed),
        shown(limit),
        fitting(width),
        fitting(height),
        fitting(width).min(4096),
        fitting(height).min(4096),
    )
}

/// A number of bytes for people.
pub(crate) fn shown(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

/// Bytes that the system could give now.
pub(crate) fn free() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}
