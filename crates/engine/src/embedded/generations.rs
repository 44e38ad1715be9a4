//! The generations of one index on disk: folders with rising numbers, of which the highest complete one counts.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The folder of one generation. Once retired, it is deleted when nobody reads it any more.
#[derive(Debug)]
pub struct Generation {
    folder: PathBuf,
    retired: AtomicBool,
}

impl Generation {
    /// The generation in `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            retired: AtomicBool::new(false),
        }
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Has it deleted with its last owner.
    pub fn retire(&self) {
        self.retired.store(true, Ordering::Release);
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        if *self.retired.get_mut() {
            remove(&self.folder);
        }
    }
}

/// The generations below `folder`, the highest first; none when there is no such folder.
pub fn numbered(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let number = path
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok());
        found.extend(number.map(|number| (number, path)));
    }
    found.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    Ok(found)
}

/// The folder of a generation after all that there are.
pub fn next(folder: &Path) -> io::Result<PathBuf> {
    let highest = numbered(folder)?.first().map_or(0, |(number, _)| *number);
    Ok(folder.join((highest + 1).to_string()))
}

/// Removes everything below `folder` but the generation `kept`.
pub fn keep_only(folder: &Path, kept: &Path) -> io::Result<()> {
    for path in entries(folder)? {
        if path != kept {
            remove(&path);
        }
    }
    Ok(())
}

/// Makes the entries of `folder` outlive a power cut.
pub fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// What cannot be removed now, for a merge that still writes into it perhaps, goes when the index is opened again.
fn remove(path: &Path) {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    if let Err(error) = removed {
        tracing::warn!(path = %path.display(), %error, "a former state of an index is left for the next time");
    }
}

#[cfg(test)]
mod tests {
    //! 1. The highest number comes first, and the next one is above it. 2. Everything but one generation goes.
    //! 3. A retired generation goes with its last owner.

    use super::*;
    use std::sync::Arc;

    #[test]
    fn numbers_rise_and_others_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(numbered(&folder.path().join("none")).is_ok_and(|found| found.is_empty()));
        for name in ["2", "10", "1", "9.tmp"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        fs::write(folder.path().join("meta.json"), "{}").expect("a file");
        let found = numbered(folder.path()).expect("read");
        let numbers: Vec<u64> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [10, 2, 1]);
        assert_eq!(next(folder.path()).expect("read"), folder.path().join("11"));
        keep_only(folder.path(), &folder.path().join("2")).expect("removed");
        assert_eq!(
            entries(folder.path()).expect("read"),
            [folder.path().join("2")]
        );
    }

    #[test]
    fn a_retired_generation_goes_with_its_last_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1");
        for retired in [false, true] {
            fs::create_dir_all(&path).expect("a folder");
            let generation = Arc::new(Generation::new(path.clone()));
            let reader = Arc::clone(&generation);
            if retired {
                generation.retire();
            }
            drop(generation);
            assert!(path.exists());
            drop(reader);
            assert_eq!(path.exists(), !retired);
        }
    }
}
