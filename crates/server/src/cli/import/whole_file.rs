//! Imports a file of any format: read to its end first, then stored through the feed operations.

use super::progress;
use super::screen;
use super::sender::Sender;
use super::source::ImportFile;
use crate::admin::{AdminRequest, DataAccess, ImportRequest};
use crate::cli::args::{Common, Import};
use crate::cli::outcome::{CommandError, ExitStatus};
use catalogue_files::report::codes;
use catalogue_files::report::result::{FileFacts, ImportError, ImportNotice, ImportResult};
use catalogue_files::{Catalogue, MappingOptions, OpenedFile, ReadError, ReadSettings, read};
use domain::{Language, StoreId, Timestamp};
use indicatif::ProgressBar;
use operations::clock::{Clock, SystemClock};
use operations::import::run::ImportScope;
use operations::import::store::ImportStore;
use std::path::{Path, PathBuf};
use tokio::time::Instant;

/// Rejected rows, in percent, above which a complete import removes nothing.
const REJECTED_PERCENT_MAX: u64 = 10;

/// A file with what the store says about it.
pub struct FileImport<'a> {
    /// The file.
    pub file: ImportFile,
    /// Store, type and language of its documents.
    pub scope: ImportScope,
    /// What the reader has to know.
    pub settings: ReadSettings,
    /// Folder of temporary files.
    pub folder: PathBuf,
    /// Whether what is not in the file is removed.
    pub is_complete: bool,
    /// Options of every command.
    pub common: &'a Common,
}

/// Imports a file, or shows what an import would read.
pub async fn run(
    common: &Common,
    import: &Import,
    file: ImportFile,
    mut access: DataAccess,
) -> Result<ExitStatus, CommandError> {
    let prepared = prepare(common, import, file, &mut access).await;
    let outcome = match prepared {
        Ok(prepared) if import.preview => preview(prepared).await,
        Ok(prepared) => store(prepared, &mut access).await,
        Err(error) => Err(error),
    };
    access.close().await;
    outcome
}

async fn prepare<'a>(
    common: &'a Common,
    import: &Import,
    file: ImportFile,
    access: &mut DataAccess,
) -> Result<FileImport<'a>, CommandError> {
    let mapping = import.mapping.options()?;
    let store = import_store(access, &import.store).await?;
    let language = match &import.language {
        Some(language) => language.clone(),
        None => default_language(&store)?,
    };
    let scope = ImportScope {
        store: import.store.clone(),
        doc_type: import.doc_type,
        language,
    };
    let folder = super::source::folder(&common.data)?;
    let settings = settings(&file.name, &scope, &store, mapping, import.preview);
    Ok(FileImport {
        file,
        scope,
        settings,
        folder,
        is_complete: import.complete,
        common,
    })
}

/// Returns what an import has to know about its store.
pub async fn import_store(
    access: &mut DataAccess,
    store: &StoreId,
) -> Result<ImportStore, CommandError> {
    let request = ImportRequest::Store {
        store: store.clone(),
    };
    let response = access.execute(AdminRequest::ImportRun(request)).await?;
    serde_json::from_value(response)
        .map_err(|error| CommandError::failed(format!("cannot parse the response: {error}")))
}

/// Returns the default language of a store.
pub async fn language_of(
    access: &mut DataAccess,
    store: &StoreId,
) -> Result<Language, CommandError> {
    default_language(&import_store(access, store).await?)
}

fn default_language(store: &ImportStore) -> Result<Language, CommandError> {
    let code = store.languages.first().map_or("", String::as_str);
    Language::parse(code).map_err(|reason| CommandError::failed(reason.text))
}

/// Returns what the reader has to know.
pub fn settings(
    name: &str,
    scope: &ImportScope,
    store: &ImportStore,
    mapping: MappingOptions,
    is_preview: bool,
) -> ReadSettings {
    let base_url = mapping.base_url.clone();
    let url = Some(store.url.clone()).filter(|url| !url.is_empty());
    let base_currency = store.base_currency.clone();
    ReadSettings {
        name: name.to_owned(),
        doc_type: scope.doc_type,
        language: scope.language.to_string(),
        base_currency: base_currency.or_else(|| mapping.currency.clone()),
        currencies: store.currencies.iter().cloned().collect(),
        base_url: base_url.or(url),
        now: now(),
        mapping,
        charset: None,
        is_preview,
    }
}

fn now() -> Timestamp {
    SystemClock.now()
}

/// Shows what an import would read.
async fn preview(import: FileImport<'_>) -> Result<ExitStatus, CommandError> {
    let started = Instant::now();
    let (catalogue, mut result) = match read_file(&import).await? {
        Ok(mut catalogue) => {
            let result = std::mem::take(&mut catalogue.result);
            (Some(catalogue), result)
        }
        Err(result) => (None, result),
    };
    if let Some(catalogue) = catalogue {
        let first = catalogue
            .documents
            .take(catalogue_files::bounds::PREVIEW_DOCUMENTS);
        let first: std::io::Result<Vec<_>> =
            first.map(|document| document.map(|d| d.fields)).collect();
        result.preview = Some(first.map_err(|error| CommandError::failed(error.to_string()))?);
    }
    result.took_ms = milliseconds(started);
    screen::print(&result, import.common.json)?;
    Ok(match result.documents {
        0 => ExitStatus::Incomplete,
        _ => ExitStatus::Done,
    })
}

/// Imports a file.
pub async fn store(
    import: FileImport<'_>,
    access: &mut DataAccess,
) -> Result<ExitStatus, CommandError> {
    let json = import.common.json;
    let result = import_file(import, access).await?;
    screen::print(&result, json)?;
    let is_whole = result.rejected_count() == 0 && result.held.is_none() && result.error.is_none();
    Ok(if is_whole {
        ExitStatus::Done
    } else {
        ExitStatus::Incomplete
    })
}

/// Imports a file; a file that is no catalogue is a result with an error.
pub async fn import_file(
    import: FileImport<'_>,
    access: &mut DataAccess,
) -> Result<ImportResult, CommandError> {
    let started = Instant::now();
    let catalogue = match read_file(&import).await? {
        Ok(catalogue) => catalogue,
        Err(mut result) => {
            result.took_ms = milliseconds(started);
            return Ok(result);
        }
    };
    declare_currency(&import, &catalogue, access).await?;
    let bar = progress::documents(catalogue.result.documents);
    let mut sender = Sender::open(&import, access, bar.clone()).await?;
    let sent = sender.send(catalogue).await;
    bar.finish_and_clear();
    let (mut result, kept) = match sent {
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
        sender.close(kept, &mut result).await?;
    }
    result.took_ms = milliseconds(started);
    Ok(result)
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The currency that the file names becomes that of the store.
async fn declare_currency(
    import: &FileImport<'_>,
    catalogue: &Catalogue,
    access: &mut DataAccess,
) -> Result<(), CommandError> {
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
    let request = ImportRequest::DeclareCurrency { store, code };
    access.execute(AdminRequest::ImportRun(request)).await?;
    Ok(())
}

/// Reads the file, with progress on a terminal.
async fn read_file(
    import: &FileImport<'_>,
) -> Result<Result<Catalogue, ImportResult>, CommandError> {
    let bar = progress::rows();
    let file = import.file.try_clone()?;
    let settings = import.settings.clone();
    let folder = import.folder.clone();
    let moved = bar.clone();
    let task = tokio::task::spawn_blocking(move || {
        let opened = OpenedFile::open(file, &settings).map_err(|error| Box::new((error, None)))?;
        let facts = opened.facts(&settings.name);
        check_room(&folder, &opened).map_err(|error| Box::new((error, None)))?;
        let mut progress = |rows: u64| show_rows(&moved, rows);
        read(&opened, &settings, &folder, &mut progress)
            .map_err(|error| Box::new((error, Some(facts))))
    });
    let outcome = task.await;
    bar.finish_and_clear();
    let outcome =
        outcome.map_err(|error| CommandError::failed(format!("reading failed: {error}")))?;
    match outcome {
        Ok(catalogue) => Ok(Ok(catalogue)),
        Err(failure) => failed(*failure, import),
    }
}

/// Returns a file that is no catalogue as a result.
fn failed(
    failure: (ReadError, Option<FileFacts>),
    import: &FileImport<'_>,
) -> Result<Result<Catalogue, ImportResult>, CommandError> {
    match failure {
        (ReadError::File(error), facts) => Ok(Err(ImportResult {
            file: facts.unwrap_or_default(),
            doc_type: import.scope.doc_type.as_str(),
            language: import.scope.language.to_string(),
            error: Some(ImportError {
                code: error.code.as_str().to_owned(),
                message: error.message,
                line: error.line,
                column: error.column,
            }),
            ..ImportResult::default()
        })),
        (error, _) => Err(CommandError::failed(error.to_string())),
    }
}

fn show_rows(bar: &ProgressBar, rows: u64) -> bool {
    bar.set_position(rows);
    true
}

/// Fails where the temporary files of the import would fill the disk.
fn check_room(folder: &Path, opened: &OpenedFile) -> Result<(), ReadError> {
    const RESERVE_BYTES: u64 = 1 << 30;
    let room = rustix::fs::statvfs(folder).map_err(|error| ReadError::Io(error.into()))?;
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    if free < opened.bytes.saturating_mul(2).saturating_add(RESERVE_BYTES) {
        let message = "disk_full: too little room for the temporary files of the import";
        return Err(ReadError::Io(std::io::Error::other(message)));
    }
    Ok(())
}
