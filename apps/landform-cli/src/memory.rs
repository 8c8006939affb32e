//! Whether a piece of work fits into memory, asked before it starts.

use std::fs;
use std::path::Path;

use landform::{Lattice, Plan};

use crate::args::Running;

/// Bytes that may be used: what was said, or what is free; nothing if the system does not tell.
pub(crate) fn limit(running: &Running) -> Option<u64> {
    running.memory.or_else(free)
}

/// Bytes a sample that a mesh with its picture takes beside the terrain, as measured; the pictures of a bundle take less.
pub(crate) const MESH: u64 = 36;
/// Bytes a sample that statistics of drainage take beside the terrain, as measured.
pub(crate) const STATISTICS: u64 = 28;

/// What to do instead of what does not fit.
pub(crate) enum Advice {
    Build,
    Export,
    /// A map whose pixels were asked for, and are samples.
    Picture([u32; 2]),
    View,
    Inspect,
}

/// Refuses `needed` bytes above the limit, and tells what would fit.
pub(crate) fn check(
    running: &Running,
    needed: u64,
    plan: &Plan,
    advice: &Advice,
) -> anyhow::Result<()> {
    let Some(limit) = limit(running) else { return Ok(()) };
    if needed <= limit {
        return Ok(());
    }
    let Lattice { size: [width, height], .. } = *plan.lattice();
    let share = (limit as f64 / needed as f64).sqrt();
    let fitting = |side: u32| ((f64::from(side) * share) as u32).max(1);
    let size = |[width, height]: [u32; 2]| format!("{}x{}", fitting(width), fitting(height));
    let smaller = size([width, height]);
    let instead = match advice {
        Advice::Build => format!(
            "build it smaller (--size {smaller}), tile by tile into a store (-o FILE.zarr), \
             or tiles that share the same bytes (--tile 0,0,{},{})",
            fitting(width).min(4096),
            fitting(height).min(4096)
        ),
        Advice::Export => format!(
            "build it smaller (--size {smaller}), or as several tiles, one after the other (--tiles COLUMNSxROWS)"
        ),
        Advice::Picture(pixels) => {
            format!("draw a smaller picture (--picture {})", size(*pixels))
        }
        Advice::View => format!(
            "draw it with fewer samples (--size {smaller}), or build a store (landform build -o FILE.zarr) and draw that"
        ),
        Advice::Inspect => format!(
            "inspect it with fewer samples (--size {smaller}), or build a store (landform build -o FILE.zarr) and inspect that"
        ),
    };
    anyhow::bail!(
        "{width}x{height} samples need about {}, but only {} may be used: {instead}",
        shown(needed),
        shown(limit),
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

/// Bytes that the system could give now: what is free, what this process may have, and what its container may.
pub(crate) fn free() -> Option<u64> {
    let limits = [available(), addresses(), container()];
    limits.into_iter().flatten().min()
}

fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes(&text, "MemAvailable:")
}

/// What is left of the addresses that `ulimit -v` allows.
fn addresses() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = limit.saturating_sub(kilobytes(&status, "VmSize:")?);
    // Threads and allocators reserve about as many addresses as are used.
    Some(left / 2)
}

/// The number of a line such as `VmSize:  1234 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// What is left in the control groups that the process is in: the least of the group itself and those around it.
fn container() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(|line| in_group(line, Path::new("/sys/fs/cgroup"))).min()
}

/// What a line of `/proc/self/cgroup` such as `0::/user.slice` or `9:memory:/docker/0f3a` leaves, in the hierarchy at `root`.
fn in_group(line: &str, root: &Path) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (root, names) = match controllers {
        "" => (root.to_owned(), ["memory.max", "memory.current", "inactive_file "]),
        _ if controllers.split(',').any(|name| name == "memory") => (
            root.join("memory"),
            ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
        ),
        _ => return None,
    };
    // In a container, its own group may be the root of what can be seen.
    let group = root.join(path.trim_start_matches('/'));
    let groups = group.ancestors().take_while(|group| group.starts_with(&root));
    groups.filter_map(|group| left_in(group, names)).min()
}

fn left_in(group: &Path, [limit, used, cached]: [&str; 3]) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(group.join(name)).ok()?.trim().parse().ok()
    };
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    // Pages of files go when somebody needs the room.
    let cached = statistics.lines().find_map(|line| line.strip_prefix(cached)?.trim().parse().ok());
    let used = number(used)?.saturating_sub(cached.unwrap_or(0));
    Some(number(limit)?.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("a/memory.max", "1000\n");
        write("a/memory.current", "700\n");
        write("a/memory.stat", "anon 1\ninactive_file 200\n");
        write("a/b/memory.max", "max\n");
        write("a/b/memory.current", "600\n");
        assert_eq!(in_group("0::/a/b", root.path()), Some(500));
        assert_eq!(in_group("0::/", root.path()), None);
        write("memory/c/memory.limit_in_bytes", "900\n");
        write("memory/c/memory.usage_in_bytes", "500\n");
        write("memory/c/memory.stat", "total_inactive_file 100\n");
        assert_eq!(in_group("9:cpu,memory:/c", root.path()), Some(500));
        assert_eq!(in_group("4:cpu:/c", root.path()), None);
    }
}
