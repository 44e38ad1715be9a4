//! Receives the file of an import: written as it arrives, bounded in bytes and time.

use super::control::ImportControl;
use super::failure::ImportFailure;
use super::folder::check_room;
use super::uploads::{OpenUpload, UploadRejection, Uploads};
use crate::http::Failure;
use crate::http::body::{next, too_large, too_slow};
use crate::message;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use domain::limits::IMPORT_BYTES_MAX;
use domain::{Caller, StoreId, error_codes};
use operations::import::records::{self, ImportState};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// Seconds after which to try again when there is no slot.
const RETRY_AFTER_S: u64 = 30;

/// An import whose file arrives; if it does not arrive whole, nothing of it is left.
struct ArrivingUpload {
    uploads: Uploads,
    upload: Arc<OpenUpload>,
    caller: Caller,
    is_whole: bool,
}

impl Drop for ArrivingUpload {
    fn drop(&mut self) {
        if self.is_whole {
            return;
        }
        if let Some(record) = self.uploads.stop(&self.upload) {
            let (uploads, caller) = (self.uploads.clone(), self.caller.clone());
            let store = self.upload.store.clone();
            tokio::spawn(async move {
                let service = &uploads.shared().service;
                if let Err(error) = records::save(service, &caller, &store, &record).await {
                    tracing::warn!(?error, "that an import was broken off is not stored");
                }
            });
        }
    }
}

/// Receives the file of a new import of `store`, called `name`, whose sender may pause as long as `pause`.
///
/// Errors: 403 and 404 of the store, 409 if it has an open import, 503 without a slot or room, 413 and 408 of the body.
pub(super) async fn receive(
    uploads: &Uploads,
    caller: &Caller,
    store: &StoreId,
    name: String,
    (body, pause): (Body, Duration),
) -> Result<Arc<OpenUpload>, Failure> {
    let announced = body.size_hint().lower();
    if announced > IMPORT_BYTES_MAX {
        return Err(too_large(IMPORT_BYTES_MAX as usize));
    }
    let shared = uploads.shared();
    let upload = begin(uploads, caller, store, (name, None), announced).await?;
    upload.state().progress.bytes_total = body.size_hint().exact();
    let mut arriving = ArrivingUpload {
        uploads: uploads.clone(),
        upload: Arc::clone(&upload),
        caller: caller.clone(),
        is_whole: false,
    };
    let control = upload.controlled();
    write(&upload, (body, pause), &control).await?;
    let record = {
        let mut state = upload.state();
        if state.record.state.is_over() {
            return Err(records::wrong_state().into());
        }
        state.record.bytes = state.progress.bytes;
        state.record.state = ImportState::Reading;
        state.record.clone()
    };
    arriving.is_whole = true;
    records::save(&shared.service, caller, store, &record).await?;
    Ok(upload)
}

/// Records a new import of `store`, called by this name and from this address, if there is a slot for it and room for
/// `announced` bytes.
///
/// Errors: 403 and 404 of the store, 409 if it has an open import, 503 without a slot or room.
pub(super) async fn begin(
    uploads: &Uploads,
    caller: &Caller,
    store: &StoreId,
    of: (String, Option<String>),
    announced: u64,
) -> Result<Arc<OpenUpload>, Failure> {
    let slot = uploads.slot(store).map_err(rejected)?;
    let shared = uploads.shared();
    let room = std::fs::File::open(&shared.folder);
    room.and_then(|folder| check_room(&folder, announced))
        .map_err(not_written)?;
    let record = records::create(&shared.service, caller, store, of).await?;
    let upload = uploads.upload(store, record);
    uploads.insert(Arc::clone(&upload));
    drop(slot);
    Ok(upload)
}

async fn write(
    upload: &OpenUpload,
    (body, pause): (Body, Duration),
    control: &ImportControl,
) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(upload.path());
    let mut file = File::from_std(file.map_err(not_written)?);
    let mut body = pin!(body);
    loop {
        let arriving = async { Ok::<_, ImportFailure>(timeout(pause, next(body.as_mut())).await) };
        let arrived = control.unless_cancelled(arriving).await;
        let arrived = arrived.map_err(|_| Failure::from(records::wrong_state()))?;
        let Some(data) = arrived.map_err(|_| too_slow())?? else {
            break;
        };
        note(upload, &data)?;
        file.write_all(&data).await.map_err(not_written)?;
    }
    file.flush().await.map_err(not_written)
}

/// Counts the bytes that arrived.
fn note(upload: &OpenUpload, data: &Bytes) -> Result<(), Failure> {
    let mut state = upload.state();
    state.progress.bytes += data.len() as u64;
    match state.progress.bytes {
        bytes if bytes > IMPORT_BYTES_MAX => Err(too_large(IMPORT_BYTES_MAX as usize)),
        _ => Ok(()),
    }
}

fn rejected(reason: UploadRejection) -> Failure {
    match reason {
        UploadRejection::OfStore => records::already_open().into(),
        UploadRejection::OfProcess => unavailable(),
    }
}

fn unavailable() -> Failure {
    Failure {
        retry_after_s: Some(RETRY_AFTER_S),
        ..Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            error_codes::UNAVAILABLE,
            message::request::imports_at_once(),
        )
    }
}

fn not_written(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::StorageFull => disk_full(),
        _ => Failure::internal(format!("the file of an import: {error}")),
    }
}

fn disk_full() -> Failure {
    Failure::new(
        StatusCode::SERVICE_UNAVAILABLE,
        error_codes::UNAVAILABLE,
        message::request::disk_full(),
    )
}
