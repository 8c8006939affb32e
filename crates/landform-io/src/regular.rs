//! Reading files that anybody may have made: only regular ones are opened, and names stay in their folder.
//!
//! A pipe blocks until somebody writes to it, and a device may never end. A name in a recipe or a manifest is not the user's:
//! it may lead out of the folder, by `..`, from the root, or by a link.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::manifest::hex;

/// Opens a regular file, or a link to one.
///
/// # Errors
/// If it is anything else, and those of the system.
pub fn open(path: &Path) -> io::Result<File> {
    // Asked before, because opening a pipe would block, and after, because it may be another file by then.
    check(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(io::Error::other("it is a pipe or a device, but only regular files are read"));
    }
    Ok(())
}

/// The bytes of a regular file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes that a text which describes other files has at the most.
pub const DESCRIPTION: u64 = 16 << 20;

/// The bytes of a regular file that has no more than `most` of them: a long one is not read, so it takes no memory.
///
/// # Errors
/// As [`open`], and if it is longer.
pub fn read_short(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    check_length(file.metadata()?.len(), most)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a file that is longer than what it should be ever is.
///
/// # Errors
/// If it has more than `most` bytes.
pub fn check_length(length: u64, most: u64) -> io::Result<()> {
    match length <= most {
        true => Ok(()),
        false => {
            Err(io::Error::other(format!("it has {length} bytes, but at most {most} are read")))
        }
    }
}

/// The length of a regular file, and the SHA-256 of its bytes in hexadecimal.
///
/// # Errors
/// As [`open`].
pub fn sha256(path: &Path) -> io::Result<(u64, String)> {
    let mut file = open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((length, hex(&hash.finalize()))),
            count => {
                hash.update(&buffer[..count]);
                length += count as u64;
            }
        }
    }
}

/// The SHA-256 of bytes in hexadecimal.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Whether the file `folder`/`name` lies in `folder`: a name from the root or with too many `..` does not, nor does a link that
/// leads elsewhere. A file that is not there lies where its name says.
pub fn is_within(folder: &Path, name: &Path) -> bool {
    if !is_below(name) {
        return false;
    }
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = |path: &Path| -> Option<PathBuf> { fs::canonicalize(path).ok() };
    match (real(shown), real(&folder.join(name))) {
        (Some(folder), Some(file)) => file.starts_with(folder),
        _ => true,
    }
}

/// Whether a name leads down only: not from the root, and not up by `..`.
pub fn is_below(name: &Path) -> bool {
    use std::path::Component::{CurDir, Normal, ParentDir};
    let mut depth = 0_i32;
    name.components().all(|part| {
        depth += match part {
            Normal(_) => 1,
            CurDir => 0,
            ParentDir => -1,
            _ => i32::MIN / 2,
        };
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_folder_are_told() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("in");
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(home.path().join("out.txt"), "foreign").unwrap();
        fs::write(folder.join("sub/a.txt"), "ours").unwrap();
        let is_within = |name: &str| is_within(&folder, Path::new(name));
        for name in ["a", "sub/a.txt", "./sub/../sub/a.txt", "sub/none.png"] {
            assert!(is_within(name), "{name}");
        }
        for name in ["../out.txt", "sub/../../out.txt", "/etc/hosts", "../in/sub/a.txt"] {
            assert!(!is_within(name), "{name}");
        }
        #[cfg(unix)]
        {
            let link = |to: &Path, name: &str| {
                std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
            };
            link(&home.path().join("out.txt"), "leads_out");
            link(&folder.join("sub/a.txt"), "stays");
            assert!(!is_within("leads_out") && is_within("stays"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        let home = tempfile::tempdir().unwrap();
        assert!(open(Path::new("/dev/zero")).unwrap_err().to_string().contains("regular"));
        assert!(open(home.path()).is_err());
        let file = home.path().join("a");
        fs::write(&file, "abc").unwrap();
        assert_eq!(read(&file).unwrap(), b"abc");
        assert_eq!(read_short(&file, 3).unwrap(), b"abc");
        let told = read_short(&file, 2).unwrap_err().to_string();
        assert_eq!(told, "it has 3 bytes, but at most 2 are read");
        // printf abc | sha256sum
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&file).unwrap(), (3, hash.to_owned()));
    }
}
