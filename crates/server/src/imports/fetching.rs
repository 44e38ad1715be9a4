//! Fetches the file of an import from an address, as sources are fetched: the file arrives in the background, and the
//! import is read then as one that was sent.

use super::fetch_thread::{NoFile, fetch_on_thread};
use super::file_with_room::FileWithRoom;
use super::receiving::begin;
use super::uploads::{OpenUpload, Uploads};
use super::working;
use crate::http::Failure;
use domain::limits::{IMPORT_BYTES_MAX, IMPORT_NAME_CHARACTERS_MAX};
use domain::source::{
    PatchedSource, SourceAddress, SourceAuth, SourceAuthInput, SourcePatch, SourceRules,
};
use domain::{Caller, Invalid, Language, Message, StoreId, error_codes, first_characters, message};
use fetching::{
    Credentials, FetchBounds, FetchClient, FetchCode, FetchRequest, ReceivedFile, SystemLookup,
    Validators,
};
use operations::OperationError;
use operations::import::records::{self, ImportState, RecordedError};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

/// A file at an address.
#[derive(Debug)]
pub struct AddressedFile {
    /// Where it is.
    address: SourceAddress,
    credentials: Option<Credentials>,
}

impl AddressedFile {
    /// Checks an address and how its server is asked.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(
        url: String,
        auth: Option<SourceAuthInput>,
        rules: &SourceRules,
    ) -> Result<Self, Vec<Invalid>> {
        let patch = SourcePatch {
            url: Some(url),
            auth,
            ..SourcePatch::default()
        };
        // Any would do: what is checked here has no language.
        let language = Language::parse("en").map_err(|reason| vec![Invalid::new("url", reason)]);
        let PatchedSource {
            settings,
            address,
            new_secret,
            ..
        } = patch.over(None, rules, &language?)?;
        let required = |path: &str| vec![Invalid::new(path, message::value::required())];
        let credentials = match (new_secret, &settings.auth) {
            (Some(secret), auth) => Credentials::of(auth, secret),
            (None, SourceAuth::None) => None,
            (None, SourceAuth::Basic { .. }) => return Err(required("auth.password")),
            (None, SourceAuth::Header { .. }) => return Err(required("auth.value")),
        };
        Ok(Self {
            address,
            credentials,
        })
    }

    /// Returns what the file is called: the end of its path, or the host.
    fn name(&self) -> String {
        let path = self.address.as_str().split(['?', '#']).next();
        let end = path.and_then(|path| path.trim_end_matches('/').rsplit('/').next());
        let name = end
            .filter(|end| !end.is_empty())
            .unwrap_or(self.address.host());
        first_characters(name, IMPORT_NAME_CHARACTERS_MAX).to_owned()
    }
}

impl Uploads {
    /// Begins to fetch the file of a new import of `store`.
    ///
    /// Errors: 403 and 404 of the store, 409 if it has an open import or nothing is fetched here, 503 without a slot or room.
    pub async fn fetch(
        &self,
        caller: &Caller,
        store: &StoreId,
        file: AddressedFile,
    ) -> Result<super::ShownImport, Failure> {
        let options = self.shared().service.source_options();
        if !options.enabled {
            return Err(switched_off().into());
        }
        let bounds = FetchBounds {
            bytes: IMPORT_BYTES_MAX,
            ..FetchBounds::default()
        };
        let client = FetchClient::with(options.rules.clone(), bounds, Arc::new(SystemLookup));
        let of = (file.name(), Some(file.address.as_str().to_owned()));
        let upload = begin(self, caller, store, of, 0).await?;
        let shown = upload.shown();
        let (uploads, caller) = (self.clone(), caller.clone());
        tokio::spawn(async move { fetched(uploads, upload, caller, (client, file)).await });
        Ok(shown)
    }
}

fn switched_off() -> OperationError {
    OperationError::Conflict {
        code: error_codes::CONFLICT,
        message: message::source::disabled(),
        details: serde_json::Value::Null,
    }
}

async fn fetched(
    uploads: Uploads,
    upload: Arc<OpenUpload>,
    caller: Caller,
    (client, file): (FetchClient, AddressedFile),
) {
    let request = FetchRequest {
        address: file.address,
        credentials: file.credentials,
        validators: Validators::default(),
        now: uploads.now(),
    };
    let received = receive(&upload, client, request).await;
    let record = {
        let mut state = upload.state();
        if state.record.state.is_over() {
            return;
        }
        match &received {
            Ok(file) => {
                state.record.bytes = file.bytes;
                state.record.charset.clone_from(&file.charset);
                state.record.state = ImportState::Reading;
            }
            Err(error) => {
                state.record.error = Some(error.clone());
                state.record.state = ImportState::Failed;
            }
        }
        state.record.clone()
    };
    let service = &uploads.shared().service;
    let saved = records::save(service, &caller, &upload.store, &record).await;
    if let Err(error) = saved {
        tracing::warn!(?error, "what became of an import is not stored");
    }
    match received {
        Ok(_) => working::read(&uploads, &upload, caller),
        Err(_) => uploads.close(&upload),
    }
}

/// Fetches the file into the place of the upload.
async fn receive(
    upload: &Arc<OpenUpload>,
    client: FetchClient,
    request: FetchRequest,
) -> Result<ReceivedFile, RecordedError> {
    let control = upload.controlled();
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(upload.path());
    let file = ArrivingFile {
        file: FileWithRoom::new(file.map_err(|error| broken(&error))?),
        upload: Arc::clone(upload),
    };
    let is_cancelled = move || control.is_cancelled();
    let fetched = fetch_on_thread("import-fetch", (client, request), file, is_cancelled).await;
    let (fetched, _) = fetched.map_err(|none| match none {
        NoFile::Fault(fault) => recorded(fault.code.as_str(), fault.message),
        NoFile::Io(error) => broken(&error),
    })?;
    let file = fetched.file;
    file.ok_or_else(|| broken(&io::Error::other("no file was sent")))
}

/// A file of which what arrived is shown.
struct ArrivingFile {
    file: FileWithRoom,
    upload: Arc<OpenUpload>,
}

impl Write for ArrivingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.upload.state().progress.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn recorded(code: &str, reason: Message) -> RecordedError {
    RecordedError {
        code: code.to_owned(),
        message: reason.text,
        translatable: Some(*reason.translatable),
        line: None,
        column: None,
    }
}

/// A failure of this machine, which the log says.
fn broken(error: &io::Error) -> RecordedError {
    if error.kind() == io::ErrorKind::StorageFull {
        return recorded(FetchCode::DiskFull.as_str(), message::source::disk_full());
    }
    tracing::error!(%error, "the file of an import could not be fetched");
    recorded(error_codes::INTERNAL, message::source::broken())
}
