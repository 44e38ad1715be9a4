//! The steps of an import in the control panel: receive, preview, start, cancel, and look at it.

use super::receiving;
use super::uploads::{OpenUpload, ShownImport, Uploads};
use super::working;
use crate::http::Failure;
use axum::body::Body;
use domain::{Caller, DocType, Language, StoreId};
use operations::OperationError;
use operations::import::records::{self, ImportRecord, ImportState};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// What the user says about a file.
#[derive(Clone, Debug)]
pub struct ImportChoice {
    /// What its columns mean, as it was sent; it was checked.
    pub mapping: Value,
    /// Type of its documents.
    pub doc_type: DocType,
    /// Language of its documents.
    pub language: Language,
    /// Whether what is not in it is removed.
    pub complete: bool,
}

impl Uploads {
    /// Receives the file of a new import of `store`, called `name`, and begins to read it; its sender may pause as long as
    /// the second part of `body` says.
    ///
    /// Errors: 403 and 404 of the store, 409 if it has an open import, 503 without a slot or room, 413 and 408 of the
    /// body.
    pub async fn receive(
        &self,
        caller: &Caller,
        store: &StoreId,
        name: String,
        body: (Body, Duration),
    ) -> Result<ShownImport, Failure> {
        let upload = receiving::receive(self, caller, store, name, body).await?;
        working::read(self, &upload, caller.clone());
        Ok(upload.shown())
    }

    /// Returns the latest imports of `store`, the newest first.
    ///
    /// Errors: those of [`records::list`].
    pub async fn list(
        &self,
        caller: &Caller,
        store: &StoreId,
    ) -> Result<Vec<ShownImport>, OperationError> {
        let records = records::list(&self.shared().service, caller, store).await?;
        let shown = records.into_iter().map(|record| {
            let open = self.of(store, &record.id).map(|open| open.now());
            let (state, progress) = match open {
                Some(now) => now,
                None => (record.state, None),
            };
            ShownImport {
                record: ImportRecord { state, ..record },
                progress,
            }
        });
        Ok(shown.collect())
    }

    /// Returns an import of `store`.
    ///
    /// Errors: those of [`records::get`].
    pub async fn get(
        &self,
        caller: &Caller,
        store: &StoreId,
        id: &str,
    ) -> Result<ShownImport, OperationError> {
        let service = &self.shared().service;
        if let Some(open) = self.of(store, id) {
            records::may_see(service, caller, store).await?;
            return Ok(open.shown());
        }
        Ok(ShownImport {
            record: records::get(service, caller, store, id).await?,
            progress: None,
        })
    }

    /// Reads the file of an import again, as `choice` says.
    ///
    /// Errors: those of [`records::get`]; `Conflict` unless it is ready, or failed and its file is still there.
    pub async fn preview(
        &self,
        caller: &Caller,
        store: &StoreId,
        id: &str,
        choice: ImportChoice,
    ) -> Result<ShownImport, OperationError> {
        let upload = self.with_file(caller, store, id).await?;
        let record = change(&upload, choice, ImportState::Reading, |record| {
            matches!(record.state, ImportState::Ready | ImportState::Failed)
        })?;
        records::save(&self.shared().service, caller, store, &record).await?;
        working::read(self, &upload, caller.clone());
        Ok(upload.shown())
    }

    /// Stores the file of an import, as `choice` says.
    ///
    /// Errors: those of [`records::get`]; `Conflict` unless it is ready, or a restart ended it; `Forbidden` if the store
    /// accepts no writes.
    pub async fn start(
        &self,
        caller: &Caller,
        store: &StoreId,
        id: &str,
        choice: ImportChoice,
    ) -> Result<ShownImport, OperationError> {
        let upload = self.with_file(caller, store, id).await?;
        let before = upload.state().record.clone();
        let record = change(&upload, choice, ImportState::Running, |record| {
            record.state == ImportState::Ready || record.is_interrupted()
        })?;
        if let Err(error) = records::start(&self.shared().service, caller, store, &record).await {
            upload.state().record = before;
            return Err(error);
        }
        working::store(self, &upload, caller.clone());
        Ok(upload.shown())
    }

    /// Stops an import and removes its file; one that is over stays as it is.
    ///
    /// Errors: those of [`records::get`]; `Conflict` if another process has its file.
    pub async fn cancel(
        &self,
        caller: &Caller,
        store: &StoreId,
        id: &str,
    ) -> Result<ShownImport, OperationError> {
        let service = &self.shared().service;
        let found = records::get(service, caller, store, id).await?;
        let Some(upload) = self.of(store, id) else {
            return match found.state.is_over() {
                true => Ok(ShownImport {
                    record: found,
                    progress: None,
                }),
                false => Err(records::wrong_state()),
            };
        };
        match self.stop(&upload) {
            Some(record) => records::save(service, caller, store, &record).await?,
            None => self.close(&upload),
        }
        Ok(upload.shown())
    }

    /// Returns an import whose file is here.
    async fn with_file(
        &self,
        caller: &Caller,
        store: &StoreId,
        id: &str,
    ) -> Result<Arc<OpenUpload>, OperationError> {
        let service = &self.shared().service;
        if let Some(open) = self.of(store, id) {
            records::may_see(service, caller, store).await?;
            return Ok(open);
        }
        records::get(service, caller, store, id).await?;
        Err(records::wrong_state())
    }
}

/// Brings an import from a state that `may` names to the state `to`.
fn change(
    upload: &OpenUpload,
    choice: ImportChoice,
    to: ImportState,
    may: impl Fn(&ImportRecord) -> bool,
) -> Result<ImportRecord, OperationError> {
    let record = &mut upload.state().record;
    if !may(record) {
        return Err(records::wrong_state());
    }
    record.state = to;
    record.error = None;
    record.mapping = choice.mapping;
    record.doc_type = choice.doc_type;
    record.language = choice.language;
    record.complete = choice.complete;
    Ok(record.clone())
}
