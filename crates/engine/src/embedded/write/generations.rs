//! The generations of an index on disk: numbered folders, of which the highest complete one is opened.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The folder of a generation. A retired one is deleted when its last reader is dropped.
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

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Marks the folder for deletion on drop.
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

/// The generations in `folder`, the highest first; none when the folder does not exist.
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

/// The folder for the next generation.
pub fn next(folder: &Path) -> io::Result<PathBuf> {
    let highest = numbered(folder)?.first().map_or(0, |(number, _)| *number);
    Ok(folder.join((highest + 1).to_string()))
}

/// Deletes everything in `folder` except the generation `kept`.
pub fn keep_only(folder: &Path, kept: &Path) -> io::Result<()> {
    for path in entries(folder)? {
        if path != kept {
            remove(&path);
        }
    }
    Ok(())
}

/// Syncs the entries of `folder`, so that they survive a power failure.
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

/// Deletes a file or folder. What cannot be deleted now, perhaps because a merge still writes into it, is deleted when
/// the index is opened again.
fn remove(path: &Path) {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    if let Err(error) = removed {
        tracing::warn!(path = %path.display(), %error, "an old generation of an index could not be removed and is left for the next opening");
    }
}

#[cfg(test)]
mod tests {
    //! 1. The highest number comes first, and the next one is higher. 2. Everything but one generation is deleted.
    //! 3. A retired generation is deleted with its last owner.

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
    fn a_retired_generation_is_deleted_with_its_last_owner() {
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
