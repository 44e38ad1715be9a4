//! Imports a file of any format, or shows what an import would read.

use super::progress::ImportDisplay;
use super::screen;
use super::source::ImportFile;
use crate::admin::DataAccess;
use crate::cli::args::{Common, Import};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::imports::{self, Destination, FileImport};
use crate::metrics::ImportedRows;
use catalogue_files::report::result::ImportResult;
use domain::source::FetchOutcome;
use domain::{Language, StoreId};
use operations::clock::{Clock, SystemClock};
use operations::import::run::ImportScope;
use operations::import::store::ImportStore;

/// Imports a file, or shows what an import would read.
pub async fn run(
    common: &Common,
    import: &Import,
    file: ImportFile,
    mut access: DataAccess,
) -> Result<ExitStatus, CommandError> {
    let outcome = match prepare(common, import, file, &mut access).await {
        Ok(prepared) if import.preview => preview(prepared, common).await,
        Ok(prepared) => store(prepared, common, &mut access).await,
        Err(error) => Err(error),
    };
    access.close().await;
    outcome
}

async fn prepare(
    common: &Common,
    import: &Import,
    file: ImportFile,
    access: &mut DataAccess,
) -> Result<FileImport, CommandError> {
    let mapping = import.mapping.options()?;
    let store = Destination::Command(access).store(&import.store).await?;
    let language = match &import.language {
        Some(language) => language.clone(),
        None => default_language(&store)?,
    };
    let scope = ImportScope {
        store: import.store.clone(),
        doc_type: import.doc_type,
        language,
    };
    let folder = imports::folder(&common.data);
    let now = SystemClock.now();
    Ok(FileImport {
        settings: imports::settings(&file.name, &scope, &store, mapping, now),
        file: file.try_clone()?,
        scope,
        folder: folder.map_err(|error| CommandError::failed(error.to_string()))?,
        is_complete: import.complete,
    })
}

/// Returns the default language of a store.
pub async fn language_of(
    access: &mut DataAccess,
    store: &StoreId,
) -> Result<Language, CommandError> {
    default_language(&Destination::Command(access).store(store).await?)
}

fn default_language(store: &ImportStore) -> Result<Language, CommandError> {
    let code = store.languages.first().map_or("", String::as_str);
    Language::parse(code).map_err(|reason| CommandError::failed(reason.text))
}

/// Shows what an import would read.
async fn preview(import: FileImport, common: &Common) -> Result<ExitStatus, CommandError> {
    let bar = ImportDisplay::new();
    let FileImport {
        file,
        settings,
        folder,
        ..
    } = import;
    let result = imports::preview(&file, &settings, &folder, &bar.control()).await;
    bar.clear();
    let result = result?;
    screen::print(&result, common.json)?;
    Ok(match result.documents {
        0 => ExitStatus::Incomplete,
        _ => ExitStatus::Done,
    })
}

/// Imports a file.
async fn store(
    import: FileImport,
    common: &Common,
    access: &mut DataAccess,
) -> Result<ExitStatus, CommandError> {
    let bar = ImportDisplay::new();
    let mut destination = Destination::Command(access);
    let result = imports::import(import, &mut destination, &bar.control()).await;
    bar.clear();
    let (outcome, rows) = counted(result.as_ref().ok());
    destination.count(outcome, rows).await;
    let result = result?;
    screen::print(&result, common.json)?;
    Ok(status(&result))
}

/// Returns what an import is counted as; `None` is one that failed.
fn counted(result: Option<&ImportResult>) -> (FetchOutcome, ImportedRows) {
    match result {
        None => (FetchOutcome::Failed, ImportedRows::default()),
        Some(result) if result.error.is_some() => (FetchOutcome::Failed, ImportedRows::default()),
        Some(result) => {
            let outcome = match result.held {
                Some(_) => FetchOutcome::Held,
                None => FetchOutcome::Updated,
            };
            (outcome, ImportedRows::of(result))
        }
    }
}

fn status(result: &ImportResult) -> ExitStatus {
    let is_whole = result.rejected_count() == 0 && result.held.is_none() && result.error.is_none();
    if is_whole {
        ExitStatus::Done
    } else {
        ExitStatus::Incomplete
    }
}
