//! Reads a file to its end, off the threads that serve requests.

use super::control::{ImportControl, ImportProgress};
use super::failure::ImportFailure;
use super::folder::check_room;
use catalogue_files::report::result::{ColumnReport, FileFacts, ImportError, ImportResult};
use catalogue_files::{Catalogue, MappingOptions, OpenedFile, ReadError, ReadSettings, read};
use domain::Timestamp;
use operations::import::run::ImportScope;
use operations::import::store::ImportStore;
use std::fs::File;
use std::path::Path;

/// Returns what the reader has to know about a file called `name`; `now` decides which sales are on.
pub fn settings(
    name: &str,
    scope: &ImportScope,
    store: &ImportStore,
    mapping: MappingOptions,
    now: Timestamp,
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
        now,
        mapping,
        charset: None,
        is_preview: false,
    }
}

/// Reads a file from its start; its temporary files are in `folder`. One that is no catalogue is a result with an error.
///
/// Errors: the disk is full, a file cannot be read, the import was cancelled. Then reading goes on for a moment, until it
/// notices.
pub async fn read_file(
    file: &File,
    settings: &ReadSettings,
    folder: &Path,
    control: &ImportControl,
) -> Result<Result<Catalogue, ImportResult>, ImportFailure> {
    let file = file.try_clone()?;
    let (given, folder) = (settings.clone(), folder.to_owned());
    let watched = control.clone();
    let task = tokio::task::spawn_blocking(move || read_opened(file, &given, &folder, &watched));
    let joined = async {
        task.await
            .map_err(|error| ImportFailure::Failed(format!("reading failed: {error}")))
    };
    match control.unless_cancelled(joined).await? {
        Ok(catalogue) => Ok(Ok(catalogue)),
        Err(failure) => failed(*failure, settings),
    }
}

/// Why reading ended, with what was found out about the file before.
struct ReadFailure {
    error: ReadError,
    facts: Option<FileFacts>,
}

impl ReadFailure {
    fn before(error: impl Into<ReadError>) -> Box<Self> {
        Box::new(Self {
            error: error.into(),
            facts: None,
        })
    }
}

fn read_opened(
    file: File,
    settings: &ReadSettings,
    folder: &Path,
    control: &ImportControl,
) -> Result<Catalogue, Box<ReadFailure>> {
    let opened = OpenedFile::open(file, settings).map_err(ReadFailure::before)?;
    let room = File::open(folder).and_then(|folder| {
        // The temporary files take at most twice its size.
        check_room(&folder, opened.bytes.saturating_mul(2))
    });
    room.map_err(ReadFailure::before)?;
    let mut progress = |rows: u64| {
        control.report(ImportProgress::Reading { rows });
        !control.is_cancelled()
    };
    read(&opened, settings, folder, &mut progress).map_err(|error| {
        let facts = Some(opened.facts(&settings.name));
        Box::new(ReadFailure { error, facts })
    })
}

/// Returns a file that is no catalogue as a result.
fn failed(
    ReadFailure { error, facts }: ReadFailure,
    settings: &ReadSettings,
) -> Result<Result<Catalogue, ImportResult>, ImportFailure> {
    match error {
        ReadError::File(error) => Ok(Err(ImportResult {
            file: facts.unwrap_or_default(),
            doc_type: settings.doc_type.as_str(),
            language: settings.language.clone(),
            columns: error.columns.into_iter().map(unread).collect(),
            error: Some(ImportError {
                code: error.code.as_str().to_owned(),
                message: error.message,
                line: error.line,
                column: error.column,
            }),
            ..ImportResult::default()
        })),
        ReadError::Io(error) => Err(error.into()),
        ReadError::Cancelled => Err(ImportFailure::Cancelled),
    }
}

/// Returns a column of which nothing but its name was read.
fn unread(column: String) -> ColumnReport {
    ColumnReport {
        column,
        targets: Vec::new(),
        filled: 0,
        example: None,
    }
}
