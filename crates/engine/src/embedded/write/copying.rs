//! Copies an index on disk while it is written: its files never change, only the list of them does.

use super::generations;
use super::payload::CommitPayload;
use crate::{EngineError, IndexSpec};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The file that lists all others; every commit and merge replaces it atomically.
const LIST: &str = "meta.json";
/// The file that lists the files that tantivy may delete when [`LIST`] does not contain them.
const MANAGED: &str = ".managed.json";
/// Most attempts at a copy, which starts over when the list has changed meanwhile.
const ATTEMPTS: usize = 50;

/// Copies the highest complete generation in `folder` into the new folder `to`, by hard links where possible; returns
/// whether there is one.
///
/// Errors: when a file cannot be copied, or the index changed during every attempt.
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
            copy_file(&generation.join(file), &to.join(file)).map_err(failed)?;
        }
        // A file is deleted only after it is off the list, so the copy is complete when the list has not changed.
        if fs::read(generation.join(LIST)).is_ok_and(|now| now == list) {
            finish(to, &files, &list).map_err(failed)?;
            return Ok(true);
        }
    }
    Err(failed(io::Error::from(ErrorKind::ResourceBusy)))
}

/// Returns whether there is a complete generation in `folder`.
///
/// Errors: when the folder cannot be read.
pub fn has_complete(spec: &IndexSpec, folder: &Path) -> Result<bool, EngineError> {
    let newest = newest(spec, folder).map_err(EngineError::during("find an index"))?;
    Ok(newest.is_some())
}

/// Removes what is left of a copy that failed.
pub fn remove(to: &Path) {
    if let Err(error) = fs::remove_dir_all(to)
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, "a copy of an index that failed cannot be removed");
    }
}

/// The highest complete generation, with its list of files.
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

/// The files of an index; none when it is being replaced, which the comparison of the lists detects.
fn listed(generation: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let metas = tantivy::Index::open_in_dir(generation).and_then(|index| index.load_metas());
    match metas {
        Ok(metas) => Ok(metas.list_segment_files().into_iter().collect()),
        Err(_) if !generation.join(LIST).exists() => Ok(Vec::new()),
        Err(error) => Err(EngineError::new("read the files of an index", error)),
    }
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        // A segment does not have every file that it lists.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Another file system, or one without hard links.
        Err(_) => match fs::copy(from, to) {
            Ok(_) => File::open(to)?.sync_all(),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        },
    }
}

/// Writes the lists last, so that an interrupted copy is not an index.
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
