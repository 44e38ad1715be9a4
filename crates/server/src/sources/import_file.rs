//! Imports a fetched file as that of its source, and says how that ended.

use super::spool::SpooledFile;
use crate::imports::mapping::ColumnMapping;
use crate::imports::{Destination, FileImport, ImportControl, ImportFailure, import, settings};
use crate::metrics::ImportedRows;
use catalogue_files::report::codes::TOO_MANY_REJECTED;
use catalogue_files::report::result::ImportResult;
use domain::source::{FetchOutcome, SourceMode};
use domain::{Caller, Timestamp};
use operations::Service;
use operations::import::run::ImportScope;
use operations::sources::DueSource;
use serde_json::Value;
use std::path::Path;

/// Rejected rows of a result that are kept.
const REJECTED_KEPT: usize = 100;
/// Bytes of a kept result; a longer one loses its columns.
const RESULT_BYTES_MAX: usize = 256 * 1_024;

/// How an import ended.
pub struct ImportEnd {
    pub outcome: FetchOutcome,
    pub code: Option<String>,
    pub reason: Option<String>,
    pub result: Option<Value>,
    pub next_sale_change: Option<Timestamp>,
    pub held_run: Option<String>,
    /// Whether documents may have been stored although it failed.
    pub has_stored: bool,
    pub rows: ImportedRows,
}

impl ImportEnd {
    fn failed(code: &str, reason: String, has_stored: bool) -> Self {
        Self {
            outcome: FetchOutcome::Failed,
            code: Some(code.to_owned()),
            reason: Some(reason),
            result: None,
            next_sale_change: None,
            held_run: None,
            has_stored,
            rows: ImportedRows::default(),
        }
    }
}

/// Imports `file`, which came with `charset`. `None` if it was stopped.
pub async fn import_file(
    service: &Service,
    due: &DueSource,
    (file, charset): (SpooledFile, Option<String>),
    folder: &Path,
    control: &ImportControl,
) -> Option<ImportEnd> {
    match imported(service, due, (file, charset), folder, control).await {
        Ok(result) => Some(end(due, result)),
        Err(ImportFailure::Cancelled) => None,
        Err(failure) => Some(ImportEnd::failed(failure.code(), failure.to_string(), true)),
    }
}

async fn imported(
    service: &Service,
    due: &DueSource,
    (file, charset): (SpooledFile, Option<String>),
    folder: &Path,
    control: &ImportControl,
) -> Result<ImportResult, ImportFailure> {
    let mapping = ColumnMapping::read(&due.settings.mapping.clone().into());
    let mapping = mapping
        .map_err(|error| ImportFailure::Failed(format!("{}: {error}", error.whole_path())))?;
    let caller = Caller::source();
    let mut destination = Destination::Service {
        service,
        caller: &caller,
    };
    let scope = ImportScope {
        store: due.store.clone(),
        doc_type: due.settings.doc_type,
        language: due.settings.language.clone(),
    };
    let store = destination.store(&scope.store).await?;
    let mut settings = settings(&name(due), &scope, &store, mapping, due.at);
    settings.charset = charset;
    let wanted = FileImport {
        file: file.into_file()?,
        scope,
        settings,
        folder: folder.to_owned(),
        is_complete: due.settings.mode == SourceMode::Complete,
    };
    import(wanted, &mut destination, control).await
}

/// Returns what the file is called: the end of its path, or the host.
fn name(due: &DueSource) -> String {
    let path = due
        .settings
        .url
        .split(['?', '#'])
        .next()
        .unwrap_or_default();
    let end = path.trim_end_matches('/').rsplit('/').next();
    end.unwrap_or_default().chars().take(255).collect()
}

fn end(due: &DueSource, result: ImportResult) -> ImportEnd {
    let is_complete = due.settings.mode == SourceMode::Complete;
    let rejects_too_much = result
        .notices
        .iter()
        .any(|notice| notice.code == TOO_MANY_REJECTED);
    let kept = kept(&result);
    let rows = ImportedRows::of(&result);
    if let Some(error) = &result.error {
        return ImportEnd {
            result: Some(kept),
            ..ImportEnd::failed(&error.code, error.message.clone(), false)
        };
    }
    if is_complete && rejects_too_much {
        let message = "so many rows are rejected that nothing is removed".to_owned();
        return ImportEnd {
            result: Some(kept),
            rows,
            ..ImportEnd::failed(TOO_MANY_REJECTED, message, true)
        };
    }
    ImportEnd {
        outcome: match result.held {
            Some(_) => FetchOutcome::Held,
            None => FetchOutcome::Updated,
        },
        code: None,
        reason: None,
        result: Some(kept),
        next_sale_change: result.next_sale_change,
        held_run: result.held.map(|held| held.run_id),
        has_stored: true,
        rows,
    }
}

/// Returns what is kept of a result.
fn kept(result: &ImportResult) -> Value {
    let mut kept = serde_json::to_value(result).unwrap_or_default();
    if let Some(Value::Array(rejected)) = kept.get_mut("rejected") {
        let beyond = rejected.len().saturating_sub(REJECTED_KEPT) as u64;
        rejected.truncate(REJECTED_KEPT);
        if beyond > 0 {
            kept["rejectedMore"] = (result.rejected_more + beyond).into();
        }
    }
    if kept.to_string().len() > RESULT_BYTES_MAX
        && let Some(keys) = kept.as_object_mut()
    {
        for large in ["columns", "extraColumns", "warnings"] {
            keys.remove(large);
        }
    }
    kept
}
