//! Fetches the file of a source.

use super::one_source::Stop;
use super::spool::SpooledFile;
use crate::imports::{NoFile, fetch_on_thread};
use domain::Timestamp;
use domain::source::SourceAddress;
use fetching::{Credentials, FetchClient, FetchRequest, Fetched, Validators};
use operations::sources::DueSource;
use std::path::Path;

/// Fetches the file of `due` from `address` into `folder`.
pub async fn fetch_file(
    client: &FetchClient,
    due: &DueSource,
    address: SourceAddress,
    folder: &Path,
    stop: &Stop,
) -> Result<(Fetched, SpooledFile), NoFile> {
    let request = request(due, address);
    let file = SpooledFile::new(folder).map_err(NoFile::Io)?;
    let (client, stop) = (client.clone(), stop.clone());
    let is_stopped = move || stop.is_stopped();
    fetch_on_thread("source-fetch", (client, request), file, is_stopped).await
}

fn request(due: &DueSource, address: SourceAddress) -> FetchRequest {
    let (etag, last_modified) = due.validators.clone().unwrap_or_default();
    let secret = due.secret.clone();
    let credentials = secret.and_then(|secret| Credentials::of(&due.settings.auth, secret));
    let now: Timestamp = due.at;
    FetchRequest {
        address,
        credentials,
        validators: Validators {
            etag,
            last_modified,
        },
        now,
    }
}
