//! What happens to the file of an import: read for a preview, then stored, each in a task of its own.

use super::control::ImportControl;
use super::destination::Destination;
use super::failure::ImportFailure;
use super::file_import::{self, FileImport};
use super::mapping::ColumnMapping;
use super::read_file::{read_file, settings};
use super::uploads::{OpenUpload, UploadPhase, Uploads};
use crate::metrics::ImportedRows;
use catalogue_files::ReadSettings;
use catalogue_files::report::result::{ImportError, ImportResult};
use domain::Caller;
use domain::source::FetchOutcome;
use operations::import::records::{self, ImportRecord, ImportState, RecordedError};
use operations::import::run::ImportScope;
use std::sync::Arc;
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;

/// Reads the file of an import for its preview.
pub(super) fn read(uploads: &Uploads, upload: &Arc<OpenUpload>, caller: Caller) {
    let work = UploadWork::new(uploads, upload, caller, UploadPhase::Reading);
    tokio::spawn(async move {
        let read = work.preview().await;
        work.end(read, ImportState::Reading).await;
    });
}

/// Stores the file of an import.
pub(super) fn store(uploads: &Uploads, upload: &Arc<OpenUpload>, caller: Caller) {
    let work = UploadWork::new(uploads, upload, caller, UploadPhase::Reading);
    tokio::spawn(async move {
        let stored = work.store().await;
        work.end(stored, ImportState::Running).await;
    });
}

/// An import with what works on it.
struct UploadWork {
    uploads: Uploads,
    upload: Arc<OpenUpload>,
    caller: Caller,
    control: ImportControl,
}

impl UploadWork {
    fn new(
        uploads: &Uploads,
        upload: &Arc<OpenUpload>,
        caller: Caller,
        phase: UploadPhase,
    ) -> Self {
        {
            let progress = &mut upload.state().progress;
            (progress.phase, progress.rows, progress.documents) = (phase, 0, 0);
            progress.documents_total = None;
        }
        Self {
            uploads: uploads.clone(),
            upload: Arc::clone(upload),
            caller,
            control: upload.controlled(),
        }
    }

    /// Waits for a turn to read.
    async fn turn(&self) -> Result<SemaphorePermit<'_>, ImportFailure> {
        let turn = async {
            let turn = self.uploads.shared().readers.acquire().await;
            turn.map_err(|error| ImportFailure::Failed(error.to_string()))
        };
        self.control.unless_cancelled(turn).await
    }

    fn destination(&self) -> Destination<'_> {
        Destination::Service {
            service: &self.uploads.shared().service,
            caller: &self.caller,
        }
    }

    /// Returns what the reader has to know, and what the documents are.
    async fn settings(&self) -> Result<(ReadSettings, ImportScope, bool), ImportFailure> {
        let record = self.upload.state().record.clone();
        let mapping = ColumnMapping::read(&record.mapping)
            .map_err(|error| ImportFailure::Failed(error.to_string()))?;
        let scope = ImportScope {
            store: self.upload.store.clone(),
            doc_type: record.doc_type,
            language: record.language,
        };
        let store = self.destination().store(&scope.store).await?;
        let now = self.uploads.now();
        let mut settings = settings(&record.name, &scope, &store, mapping, now);
        settings.charset = record.charset;
        Ok((settings, scope, record.complete))
    }

    async fn preview(&self) -> Result<ImportResult, ImportFailure> {
        let _turn = self.turn().await?;
        let (settings, _, _) = self.settings().await?;
        let (file, folder) = (self.upload.file()?, &self.uploads.shared().folder);
        file_import::preview(&file, &settings, folder, &self.control).await
    }

    async fn store(&self) -> Result<ImportResult, ImportFailure> {
        let started = Instant::now();
        let turn = self.turn().await?;
        let (settings, scope, is_complete) = self.settings().await?;
        let (file, folder) = (self.upload.file()?, &self.uploads.shared().folder);
        let read = read_file(&file, &settings, folder, &self.control).await?;
        drop(turn);
        let catalogue = match read {
            Ok(catalogue) => catalogue,
            Err(result) => return Ok(result),
        };
        let import = FileImport {
            file,
            scope,
            settings,
            folder: folder.clone(),
            is_complete,
        };
        let mut destination = self.destination();
        file_import::store_read(import, catalogue, started, &mut destination, &self.control).await
    }

    /// Stores what became of the import, unless somebody cancelled it in the state `during`. It is shown once it is
    /// stored, and the file of what is done is gone then.
    async fn end(&self, ended: Result<ImportResult, ImportFailure>, during: ImportState) {
        let mut record = self.upload.state().record.clone();
        if record.state != during {
            return;
        }
        let rows = ended.as_ref().map(ImportedRows::of).unwrap_or_default();
        finish(&mut record, ended);
        let service = &self.uploads.shared().service;
        let saved = records::save(service, &self.caller, &self.upload.store, &record).await;
        if let Err(error) = saved {
            tracing::warn!(?error, "what became of an import is not stored");
        }
        if during == ImportState::Running {
            let metrics = &self.uploads.shared().metrics;
            metrics.imported(outcome(record.state), rows);
        }
        if matches!(record.state, ImportState::Done | ImportState::Held) {
            self.uploads.close(&self.upload);
        }
        let shown = &mut self.upload.state().record;
        if shown.state == during {
            *shown = record;
        }
    }
}

fn finish(record: &mut ImportRecord, outcome: Result<ImportResult, ImportFailure>) {
    record.error = None;
    match outcome {
        Ok(result) => {
            record.state = match (&result.error, record.state) {
                (Some(_), _) => ImportState::Failed,
                (None, ImportState::Reading) => ImportState::Ready,
                (None, _) if result.held.is_some() => ImportState::Held,
                (None, _) => ImportState::Done,
            };
            record.error = result.error.clone().map(recorded);
            record.result = serde_json::to_value(&result).ok();
        }
        Err(failure) => {
            record.state = ImportState::Failed;
            record.error = Some(RecordedError {
                code: failure.code().to_owned(),
                message: failure.to_string(),
                translatable: None,
                line: None,
                column: None,
            });
        }
    }
}

/// Returns what an import that was to be stored is counted as.
fn outcome(state: ImportState) -> FetchOutcome {
    match state {
        ImportState::Done => FetchOutcome::Updated,
        ImportState::Held => FetchOutcome::Held,
        _ => FetchOutcome::Failed,
    }
}

fn recorded(error: ImportError) -> RecordedError {
    let ImportError {
        code,
        message,
        line,
        column,
    } = error;
    RecordedError {
        code,
        message,
        translatable: None,
        line,
        column,
    }
}
