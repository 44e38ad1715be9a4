//! Copies of an index on disk, made while it is written: its files never change, only the list of them does.

use super::generations;
use super::payload::CommitPayload;
use crate::{EngineError, IndexSpec};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The file that names all others; it is replaced as a whole with every commit and merge.
const LIST: &str = "meta.json";
/// The files that tantivy may delete when the list does not name them.
const MANAGED: &str = ".managed.json";
/// How often a copy is begun again because the list changed meanwhile.
const ATTEMPTS: usize = 50;

/// Copies the highest complete generation below `folder` into the new folder `to`, by links where they are possible;
/// tells whether there is one.
///
/// Errors: when a file cannot be copied, or the index changed at every attempt.
pub fn copy(spec: &IndexSpec, folder: &Path, to: &Path) -> Result<bool, EngineError> {
    let failed = |error| EngineError::new("copy an index", error);
    for _ in 0..ATTEMPTS {
        let Some((generation, list)) = newest(spec, folder).map_err(failed)? else {
            return Ok(false);
        };
        if to.exists() {
            fs::remove_dir_all(to).map_err(failed)?;
        }
        fs::create_dir_all(to).map_err(failed)?;
        let files = listed(&generation)?;
        for file in &files {
            take(&generation.join(file), &to.join(file)).map_err(failed)?;
        }
        // A file is deleted only when the list no longer names it, so a list that is still the same lacked none.
        if fs::read(generation.join(LIST)).is_ok_and(|now| now == list) {
            finish(to, &files, &list).map_err(failed)?;
            return Ok(true);
        }
    }
    Err(failed(io::Error::from(ErrorKind::ResourceBusy)))
}

/// The highest generation that is complete, with its list of files.
fn newest(spec: &IndexSpec, folder: &Path) -> io::Result<Option<(PathBuf, Vec<u8>)>> {
    for (_, generation) in generations::numbered(folder)? {
        let Ok(list) = fs::read(generation.join(LIST)) else {
            continue;
        };
        let value: Option<serde_json::Value> = serde_json::from_slice(&list).ok();
        let payload = value.as_ref().and_then(|value| value["payload"].as_str());
        if payload
            .and_then(|text| CommitPayload::of(spec, text))
            .is_some()
        {
            return Ok(Some((generation, list)));
        }
    }
    Ok(None)
}

/// The files of an index; none when it was replaced at this moment, which the comparison of the lists tells.
fn listed(generation: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let metas = tantivy::Index::open_in_dir(generation).and_then(|index| index.load_metas());
    match metas {
        Ok(metas) => Ok(metas.list_segment_files().into_iter().collect()),
        Err(_) if !generation.join(LIST).exists() => Ok(Vec::new()),
        Err(error) => Err(EngineError::new("read the files of an index", error)),
    }
}

fn take(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        // Not every file that a segment may have exists.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Another file system, or one without links.
        Err(_) => match fs::copy(from, to) {
            Ok(_) => File::open(to)?.sync_all(),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        },
    }
}

/// Writes the lists last, so that a copy that was cut off is none.
fn finish(to: &Path, files: &[PathBuf], list: &[u8]) -> io::Result<()> {
    let managed: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .filter(|file| to.join(file).exists())
        .chain([Path::new(LIST)])
        .collect();
    let managed = serde_json::to_vec(&managed)?;
    for (name, bytes) in [(MANAGED, managed.as_slice()), (LIST, list)] {
        fs::write(to.join(name), bytes)?;
        File::open(to.join(name))?.sync_all()?;
    }
    generations::sync(to)
}
