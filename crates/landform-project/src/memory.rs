//! Whether a piece of work fits into memory, asked before it starts.

use std::fs;
use std::path::Path;

use landform::{Extent, Plan};
pub use landform_io::store::PROGRAM;

use crate::{Error, Result};

/// Bytes a sample that a mesh with its picture takes beside the terrain, as measured.
pub const MESH: u64 = 36;
/// Bytes a sample that the files of a bundle take beside the terrain, as measured.
pub const BUNDLE: u64 = 50;
/// Bytes a sample that a mesh without a picture takes beside the terrain, as measured.
pub const PLAIN_MESH: u64 = 14;
/// Bytes a sample that a compressed heightmap takes beside the terrain, as measured.
pub const PACKED: u64 = 2;
/// Bytes a sample that statistics of drainage take beside the terrain, as measured.
pub const STATISTICS: u64 = 37;

/// Bytes a pixel that a map takes beside the terrain, as measured.
pub const MAP: u64 = 14;
/// Bytes a pixel of a picture that is seen from the side, as measured.
pub const SCENE: u64 = 22;
/// Bytes a sample that reading a heightmap takes beside the bytes of its file: decoded levels, metres, and the samples on the
/// lattice of the terrain.
pub const READING: u64 = 12;
/// Bytes that a recipe takes for each of the bytes of its text, long lists of peaks among them.
pub const RECIPE: u64 = 4;
/// Bytes that the objects of a bundle take for each of the bytes of their text.
pub const FEATURES: u64 = 16;
/// Bytes that a peak of a UPD file takes for each of the bytes of its line.
pub const UPD: u64 = 12;

/// Bytes that a run of a plan takes in a program that does nothing else. The allocator keeps about a tenth more than is in use:
/// the largest resident sizes of all presets lie between 0.78 and 1.24 of this.
pub fn of_run(plan: &Plan, extent: &Extent) -> u64 {
    let used = plan.memory(extent);
    PROGRAM + used.saturating_add(used / 10)
}

/// Refuses work on so many samples that needs more bytes than may be used: `limit`, or what is free.
///
/// # Errors
/// [`Error::Memory`].
pub fn check(size: [u32; 2], needed: u64, limit: Option<u64>) -> Result<()> {
    match limit.or_else(free) {
        Some(limit) if needed > limit => Err(Error::Memory { size, needed, limit }),
        _ => Ok(()),
    }
}

/// The largest size of the same proportions that fits where `needed` bytes do not.
pub fn fitting(size: [u32; 2], needed: u64, limit: u64) -> [u32; 2] {
    // The program itself is as large for any size.
    let [limit, needed] = [limit, needed].map(|bytes| bytes.saturating_sub(PROGRAM) as f64);
    let share = (limit / needed.max(1.0)).sqrt();
    size.map(|side| ((f64::from(side) * share) as u32).max(1))
}

/// A number of bytes for people.
pub fn shown(bytes: u64) -> String {
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
pub fn free() -> Option<u64> {
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
