//! `SHA256SUMS` of a folder, as `sha256sum --check` reads it.

use crate::failure::{Failure, Outcome};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "SHA256SUMS";

/// Writes the checksums of `files`, which are below `folder`.
///
/// # Errors
///
/// A file cannot be read, or the list cannot be written.
pub fn write(folder: &Path, files: &[PathBuf]) -> Outcome<()> {
    let mut lines = String::new();
    for file in files {
        let content = fs::read(file).map_err(Failure::of(file.display()))?;
        for byte in Sha256::digest(&content) {
            write!(lines, "{byte:02x}").map_err(Failure::of(NAME))?;
        }
        let inner = file.strip_prefix(folder).unwrap_or(file);
        writeln!(lines, "  {}", inner.display()).map_err(Failure::of(NAME))?;
    }
    let path = folder.join(NAME);
    fs::write(&path, lines).map_err(Failure::of(path.display()))
}

/// Returns all files below `folder` in the order of their paths, but for the list itself.
///
/// # Errors
///
/// A folder cannot be read.
pub fn files_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(open) = folders.pop() {
        for entry in fs::read_dir(&open).map_err(Failure::of(open.display()))? {
            let path = entry.map_err(Failure::of(open.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path != folder.join(NAME) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{files_below, write};
    use std::fs;

    #[test]
    fn the_list_names_each_file_with_its_sum() {
        let folder = std::env::temp_dir().join(format!("findwell-sums-{}", std::process::id()));
        fs::create_dir_all(folder.join("below")).expect("created");
        fs::write(folder.join("below/b"), "").expect("written");
        fs::write(folder.join("a"), "abc").expect("written");
        for _ in 0..2 {
            write(&folder, &files_below(&folder).expect("read")).expect("written");
        }
        let list = fs::read_to_string(folder.join("SHA256SUMS")).expect("the list");
        fs::remove_dir_all(&folder).expect("removed");
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
                        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  below/b\n";
        assert_eq!(list, expected);
    }
}
