//! The imports of the control panel in this process: their files, what they are doing, and who cancels them.
//!
//! A file belongs to the process that received it. Its record is in storage; what is only of the moment, such as
//! progress, is here. One import of each store is open at a time.

use super::control::{CancelImport, ImportControl, ImportProgress};
use super::folder::folder;
use crate::metrics::SourceMetrics;
use domain::limits::{IMPORT_FILE_HOURS, IMPORTS_OPEN_MAX, IMPORTS_READ_MAX};
use domain::{StoreId, Timestamp};
use operations::clock::Clock;
use operations::import::records::{self, ImportRecord, ImportState};
use operations::{OperationError, Service};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How often files that nobody needs any more are looked for.
const SWEPT_EVERY: Duration = Duration::from_secs(30);
/// Sweeps between two removals of old results.
const SWEEPS_PER_REMOVAL: u64 = 120;

/// What an import is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadProgress {
    /// What it is doing.
    pub phase: UploadPhase,
    /// Bytes received.
    pub bytes: u64,
    /// Bytes of the file, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_total: Option<u64>,
    /// Rows read.
    pub rows: u64,
    /// Documents stored or rejected.
    pub documents: u64,
    /// All documents, once they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents_total: Option<u64>,
}

/// What an import is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UploadPhase {
    /// The file arrives.
    #[default]
    Receiving,
    /// It is read.
    Reading,
    /// Its documents are stored.
    Storing,
}

/// An import with what it is doing.
#[derive(Clone, Debug, Serialize)]
pub struct ShownImport {
    /// The import.
    #[serde(flatten)]
    pub record: ImportRecord,
    /// What it is doing, while it does something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<UploadProgress>,
}

/// An import whose file is here.
pub(super) struct OpenUpload {
    pub store: StoreId,
    path: PathBuf,
    state: Mutex<UploadState>,
}

/// The changing part of an import.
pub(super) struct UploadState {
    pub record: ImportRecord,
    pub progress: UploadProgress,
    cancel: Option<CancelImport>,
}

impl UploadState {
    /// Returns what it is doing, if it does something.
    fn doing(&self) -> Option<UploadProgress> {
        let state = self.record.state;
        let is_idle = state.is_over() || state == ImportState::Ready;
        (!is_idle).then_some(self.progress)
    }
}

impl OpenUpload {
    /// Returns its state, locked.
    pub fn state(&self) -> MutexGuard<'_, UploadState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the file, from its start.
    pub fn file(&self) -> io::Result<File> {
        File::open(&self.path)
    }

    /// Returns where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a new control of the import, whose reports it shows from now on.
    pub fn controlled(self: &Arc<Self>) -> ImportControl {
        let weak = Arc::downgrade(self);
        let (control, cancel) = ImportControl::new(move |progress| note(&weak, progress));
        let mut state = self.state();
        if state.record.state.is_over() {
            cancel.cancel();
        }
        state.cancel = Some(cancel);
        control
    }

    /// Returns its state, and what it is doing.
    pub fn now(&self) -> (ImportState, Option<UploadProgress>) {
        let state = self.state();
        (state.record.state, state.doing())
    }

    /// Returns it as it is shown.
    pub fn shown(&self) -> ShownImport {
        let state = self.state();
        let progress = state.doing();
        // A result is large, and what is being done now will give another one.
        let result = match progress {
            Some(_) => None,
            None => state.record.result.clone(),
        };
        ShownImport {
            record: state.record.with_result(result),
            progress,
        }
    }

    /// Ends it as cancelled, unless it is over; returns its record if that changed it.
    fn cancel(&self) -> Option<ImportRecord> {
        let mut state = self.state();
        if state.record.state.is_over() {
            return None;
        }
        state.record.state = ImportState::Cancelled;
        if let Some(cancel) = state.cancel.take() {
            cancel.cancel();
        }
        Some(state.record.clone())
    }
}

fn note(upload: &Weak<OpenUpload>, progress: ImportProgress) {
    let Some(upload) = upload.upgrade() else {
        return;
    };
    let shown = &mut upload.state().progress;
    match progress {
        ImportProgress::Reading { rows } => {
            shown.phase = UploadPhase::Reading;
            shown.rows = rows;
        }
        ImportProgress::Storing { documents, of, .. } => {
            shown.phase = UploadPhase::Storing;
            shown.documents = documents;
            shown.documents_total = Some(of);
        }
    }
}

/// The imports of the control panel in this process; clones share them.
#[derive(Clone)]
pub struct Uploads(Arc<SharedUploads>);

pub(super) struct SharedUploads {
    pub service: Service,
    pub clock: Arc<dyn Clock>,
    pub folder: PathBuf,
    pub metrics: Arc<SourceMetrics>,
    /// Turns to read a file.
    pub readers: Semaphore,
    open: Mutex<UploadTable>,
}

#[derive(Default)]
struct UploadTable {
    uploads: HashMap<StoreId, Arc<OpenUpload>>,
    /// Stores of which an upload begins.
    beginning: Vec<StoreId>,
}

/// A slot for an import that begins, given back on drop.
pub(super) struct UploadSlot {
    uploads: Uploads,
    store: StoreId,
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        let store = &self.store;
        self.uploads.table().beginning.retain(|one| one != store);
    }
}

/// Why an import cannot begin.
pub(super) enum UploadRejection {
    /// The store has one.
    OfStore,
    /// The process has as many as it takes.
    OfProcess,
}

impl Uploads {
    /// Takes over the files that an earlier process left in the data directory `data`, and starts to look for files that
    /// nobody needs any more.
    ///
    /// Errors: the folder cannot be created.
    pub async fn open(
        service: &Service,
        clock: Arc<dyn Clock>,
        data: &Path,
        metrics: Arc<SourceMetrics>,
    ) -> io::Result<Self> {
        let uploads = Self(Arc::new(SharedUploads {
            service: service.clone(),
            clock,
            folder: folder(data)?,
            metrics,
            readers: Semaphore::new(IMPORTS_READ_MAX),
            open: Mutex::default(),
        }));
        uploads.take_over().await?;
        let weak = Arc::downgrade(&uploads.0);
        tokio::spawn(sweep_always(weak));
        Ok(uploads)
    }

    /// Returns what all of its parts share.
    pub(super) fn shared(&self) -> &SharedUploads {
        &self.0
    }

    fn table(&self) -> MutexGuard<'_, UploadTable> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what an earlier process did, and keeps the files of what can go on.
    async fn take_over(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.0.folder)? {
            let path = entry?.path();
            let id = path.file_name().and_then(|name| name.to_str());
            let found = match id {
                Some(id) => records::end_left_over(&self.0.service, id).await,
                None => Ok(None),
            };
            match found {
                // A file that had not arrived whole is no catalogue.
                Ok(Some((store, record)))
                    if (record.state == ImportState::Ready || record.is_interrupted())
                        && std::fs::metadata(&path)?.len() == record.bytes =>
                {
                    self.insert(self.upload(&store, record));
                }
                Ok(_) => remove(&path),
                Err(error) => tracing::warn!(?error, "a file of an import is left alone"),
            }
        }
        Ok(())
    }

    /// Returns an import of `store` whose file is in the folder.
    pub(super) fn upload(&self, store: &StoreId, record: ImportRecord) -> Arc<OpenUpload> {
        Arc::new(OpenUpload {
            store: store.clone(),
            path: self.0.folder.join(&record.id),
            state: Mutex::new(UploadState {
                progress: UploadProgress {
                    bytes: record.bytes,
                    ..UploadProgress::default()
                },
                record,
                cancel: None,
            }),
        })
    }

    /// Makes an import the open one of its store; the file of the former one, which is over, is removed.
    pub(super) fn insert(&self, upload: Arc<OpenUpload>) {
        let former = self.table().uploads.insert(upload.store.clone(), upload);
        if let Some(former) = former {
            remove(former.path());
        }
    }

    /// Removes the file of an import that is over.
    pub(super) fn close(&self, upload: &OpenUpload) {
        let id = upload.state().record.id.clone();
        let mut table = self.table();
        let is_same = |open: &Arc<OpenUpload>| open.state().record.id == id;
        if table.uploads.get(&upload.store).is_some_and(is_same) {
            table.uploads.remove(&upload.store);
        }
        remove(upload.path());
    }

    /// Returns a slot for another import of `store`.
    pub(super) fn slot(&self, store: &StoreId) -> Result<UploadSlot, UploadRejection> {
        let mut table = self.table();
        let states = table.uploads.values().map(|open| open.state().record.state);
        let busy = states.filter(|state| !state.is_over() && *state != ImportState::Ready);
        let busy = busy.count() + table.beginning.len();
        let open = table.uploads.get(store);
        if table.beginning.contains(store)
            || open.is_some_and(|open| !open.state().record.state.is_over())
        {
            return Err(UploadRejection::OfStore);
        }
        if busy >= IMPORTS_OPEN_MAX {
            return Err(UploadRejection::OfProcess);
        }
        table.beginning.push(store.clone());
        Ok(UploadSlot {
            uploads: self.clone(),
            store: store.clone(),
        })
    }

    /// Returns the import `id` of `store`, if its file is here.
    pub(super) fn of(&self, store: &StoreId, id: &str) -> Option<Arc<OpenUpload>> {
        let open = self.table().uploads.get(store).cloned();
        open.filter(|open| open.state().record.id == id)
    }

    /// Stops an import at once and removes its file; returns its record if it was not over.
    pub(super) fn stop(&self, upload: &OpenUpload) -> Option<ImportRecord> {
        let cancelled = upload.cancel();
        if cancelled.is_some() {
            self.close(upload);
        }
        cancelled
    }

    /// Removes the files of stores that are closed and those that are too old.
    async fn sweep(&self) -> Result<(), OperationError> {
        let oldest = self.0.clock.now().plus_hours(-IMPORT_FILE_HOURS);
        let all: Vec<Arc<OpenUpload>> = self.table().uploads.values().cloned().collect();
        for upload in all {
            let (id, state, created_at) = {
                let state = upload.state();
                let record = &state.record;
                (record.id.clone(), record.state, record.created_at)
            };
            let is_open = records::is_of_open_store(&self.0.service, &id).await?;
            let is_old = state != ImportState::Running && created_at < oldest;
            if !is_open || is_old {
                self.end(&upload, is_open).await?;
            }
        }
        Ok(())
    }

    /// Stops an import that nobody asked to stop.
    async fn end(&self, upload: &OpenUpload, is_open: bool) -> Result<(), OperationError> {
        match self.stop(upload) {
            Some(record) if is_open => records::save_of_server(&self.0.service, &record).await,
            Some(_) => Ok(()),
            None => {
                self.close(upload);
                Ok(())
            }
        }
    }

    /// Returns the current time.
    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }
}

async fn sweep_always(uploads: Weak<SharedUploads>) {
    let mut sweeps: u64 = 0;
    loop {
        tokio::time::sleep(SWEPT_EVERY).await;
        let Some(shared) = uploads.upgrade() else {
            return;
        };
        let uploads = Uploads(shared);
        if let Err(error) = uploads.sweep().await {
            tracing::warn!(?error, "files of imports could not be looked through");
        }
        if sweeps.is_multiple_of(SWEEPS_PER_REMOVAL)
            && let Err(error) = records::remove_old(&uploads.0.service).await
        {
            tracing::warn!(?error, "old imports could not be removed");
        }
        sweeps += 1;
    }
}

/// Removes a file; one that is gone is fine.
fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "the file of an import cannot be removed");
    }
}
