//! Imports a file: what is read of it is stored, and a complete one removes what it does not have.

use super::control::{ImportControl, ImportProgress};
use super::destination::Destination;
use super::failure::ImportFailure;
use super::read_file::read_file;
use super::sending::Sender;
use crate::admin::ImportRequest;
use catalogue_files::report::codes;
use catalogue_files::report::result::{ImportNotice, ImportResult};
use catalogue_files::{Catalogue, ReadSettings};
use operations::import::run::ImportScope;
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tokio::time::Instant;

/// Rejected rows, in percent, above which a complete import removes nothing.
const REJECTED_PERCENT_MAX: u64 = 10;

/// A file with what is to be made of it.
pub struct FileImport {
    /// The file, of which any position may be current.
    pub file: File,
    /// Store, type and language of its documents.
    pub scope: ImportScope,
    /// What the reader has to know.
    pub settings: ReadSettings,
    /// Folder of temporary files.
    pub folder: PathBuf,
    /// Whether what is not in the file is removed.
    pub is_complete: bool,
}

/// Imports a file; one that is no catalogue is a result with an error, and nothing was stored.
///
/// Errors: storage refuses something, the disk is full, it was cancelled; nothing is removed then.
pub async fn import(
    import: FileImport,
    destination: &mut Destination<'_>,
    control: &ImportControl,
) -> Result<ImportResult, ImportFailure> {
    let started = Instant::now();
    match read_file(&import.file, &import.settings, &import.folder, control).await? {
        Ok(catalogue) => store_read(import, catalogue, started, destination, control).await,
        Err(mut result) => {
            result.took_ms = milliseconds(started);
            Ok(result)
        }
    }
}

/// Reads the first rows of a file and stores nothing; returns the result with the first documents as `preview`.
///
/// Errors: the disk is full, a file cannot be read, it was cancelled.
pub async fn preview(
    file: &File,
    settings: &ReadSettings,
    folder: &Path,
    control: &ImportControl,
) -> Result<ImportResult, ImportFailure> {
    let started = Instant::now();
    let settings = ReadSettings {
        is_preview: true,
        ..settings.clone()
    };
    let mut result = match read_file(file, &settings, folder, control).await? {
        Ok(mut catalogue) => {
            let mut result = std::mem::take(&mut catalogue.result);
            let documents = catalogue.documents;
            let first = documents.take(catalogue_files::bounds::PREVIEW_DOCUMENTS);
            let first = first.map(|document| document.map(|document| document.fields));
            result.preview = Some(first.collect::<io::Result<_>>()?);
            result
        }
        Err(result) => result,
    };
    result.took_ms = milliseconds(started);
    Ok(result)
}

/// Stores what was read of a file since `started`.
///
/// Errors: those of [`import`].
pub async fn store_read(
    import: FileImport,
    catalogue: Catalogue,
    started: Instant,
    destination: &mut Destination<'_>,
    control: &ImportControl,
) -> Result<ImportResult, ImportFailure> {
    declare_currency(&import, &catalogue, destination).await?;
    control.report(ImportProgress::Storing {
        documents: 0,
        of: catalogue.result.documents,
        accepted: 0,
        rejected: catalogue.result.rejected_count(),
    });
    let mut sender = Sender::open(&import, destination, control).await?;
    let (mut result, kept) = match sender.send(catalogue).await {
        Ok(sent) => sent,
        Err(error) => {
            sender.abort().await;
            return Err(error);
        }
    };
    let limit = result.received * REJECTED_PERCENT_MAX / 100;
    if import.is_complete && result.rejected_count() > limit {
        sender.abort().await;
        result.notices.push(ImportNotice {
            code: codes::TOO_MANY_REJECTED,
            message: "so many rows are rejected that nothing is removed".to_owned(),
        });
    } else if import.is_complete {
        let closed = sender.close(kept, &mut result).await;
        if closed.is_err() {
            sender.abort().await;
        }
        closed?;
    }
    result.took_ms = milliseconds(started);
    Ok(result)
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The currency that the file names becomes that of the store.
async fn declare_currency(
    import: &FileImport,
    catalogue: &Catalogue,
    destination: &mut Destination<'_>,
) -> Result<(), ImportFailure> {
    let option = import.settings.mapping.currency.clone();
    let is_declared = !import.settings.currencies.is_empty();
    let code = catalogue
        .new_currency
        .clone()
        .or(option.filter(|_| !is_declared));
    let Some(code) = code.filter(|_| !is_declared) else {
        return Ok(());
    };
    let store = import.scope.store.clone();
    let _: Value = destination
        .run(ImportRequest::DeclareCurrency { store, code })
        .await?;
    Ok(())
}
