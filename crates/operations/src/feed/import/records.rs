//! Imports of the control panel as they are recorded: what was uploaded, what became of it.

use super::permit;
use crate::access::permits::{feed_on_store, require_on_store};
use crate::feed::writable_store;
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::limits::{IMPORT_RESULT_DAYS, IMPORTS_LISTED_MAX};
use domain::message::Translatable;
use domain::{Caller, DocType, Language, Permit, StoreId, Timestamp, access, error_codes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::ImportRow;

/// The code of an import that a restart ended.
const INTERRUPTED: &str = "interrupted";

/// State of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    /// The file arrives.
    Receiving,
    /// The file is read for a preview.
    Reading,
    /// The preview is there, and the import can be started.
    Ready,
    /// It is being stored.
    Running,
    /// It is over.
    Done,
    /// It is over, but a removal waits for the owner.
    Held,
    /// The file is no catalogue, or something went wrong.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
}

impl ImportState {
    /// Returns whether nothing happens any more by itself.
    pub fn is_over(self) -> bool {
        matches!(
            self,
            Self::Done | Self::Held | Self::Failed | Self::Cancelled
        )
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Receiving => "receiving",
            Self::Reading => "reading",
            Self::Ready => "ready",
            Self::Running => "running",
            Self::Done => "done",
            Self::Held => "held",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why an import failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedError {
    /// The stable code.
    pub code: String,
    /// The reason in English.
    pub message: String,
    /// Key and values of the reason, unless it is the text of a file error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// The line that it is on, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The column of that line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
}

/// An import of the control panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRecord {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: ImportState,
    /// Name of the file.
    pub name: String,
    /// The address that the file comes from; left out for one that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The encoding that its server named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// Bytes of the file; 0 until all of it is here.
    pub bytes: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// Who created it.
    pub by: Actor,
    /// Type of the documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Language of the documents.
    pub language: Language,
    /// Whether what is not in the file is removed.
    pub complete: bool,
    /// What the user says about the file, as it was sent.
    pub mapping: Value,
    /// What was read or stored (`docs/import.md`, "Result").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordedError>,
}

impl ImportRecord {
    /// Returns it with another result.
    pub fn with_result(&self, result: Option<Value>) -> Self {
        Self {
            result,
            url: self.url.clone(),
            charset: self.charset.clone(),
            id: self.id.clone(),
            name: self.name.clone(),
            by: self.by.clone(),
            language: self.language.clone(),
            mapping: self.mapping.clone(),
            error: self.error.clone(),
            ..*self
        }
    }

    /// Returns whether a restart ended it, so that it can be started again.
    pub fn is_interrupted(&self) -> bool {
        let code = self.error.as_ref().map(|error| error.code.as_str());
        self.state == ImportState::Failed && code == Some(INTERRUPTED)
    }

    fn row(&self) -> Result<ImportRow, OperationError> {
        Ok(ImportRow {
            id: self.id.clone(),
            state: self.state.as_str().to_owned(),
            created_at: self.created_at,
            content: serde_json::to_string(self).map_err(OperationError::internal)?,
        })
    }

    fn of_row(row: &ImportRow) -> Result<Self, OperationError> {
        serde_json::from_str(&row.content).map_err(OperationError::internal)
    }
}

/// Records a new import of `store`, which receives its file; its language is the store's default one.
///
/// A file from the address `url` is for those who may create a source: the server calls an address for them.
///
/// Errors: `NotFound` for a store that the caller does not reach; `Forbidden` if the role does not suffice or the store
/// accepts no writes.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    (name, url): (String, Option<String>),
) -> Result<ImportRecord, OperationError> {
    let operation = match url {
        Some(_) => "create_source",
        None => "create_import",
    };
    let permit = feed_on_store(caller, operation, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        let store = writable_store(&mut feed).await?;
        let record = ImportRecord {
            id: ids::import(),
            state: ImportState::Receiving,
            name,
            url,
            charset: None,
            bytes: 0,
            created_at: service.clock.now(),
            by: permit.actor().clone(),
            doc_type: DocType::Products,
            language: store.default_language().clone(),
            complete: false,
            mapping: json!({}),
            result: None,
            error: None,
        };
        feed.put_import(&record.row()?).await?;
        feed.commit().await?;
        Ok(record)
    })
    .await
}

/// Stores the new state of an import.
///
/// Errors: those of [`create`], without those of the store's status.
pub async fn save(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    record: &ImportRecord,
) -> Result<(), OperationError> {
    let permit = permit(caller, store)?;
    let (service, row) = (service.clone(), record.row()?);
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        feed.put_import(&row).await?;
        Ok(feed.commit().await?)
    })
    .await
}

/// Stores that an import is started, with its record in the audit trail.
///
/// Errors: those of [`create`].
pub async fn start(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    record: &ImportRecord,
) -> Result<(), OperationError> {
    let permit = feed_on_store(caller, "start_import", store)?;
    let (service, row) = (service.clone(), record.row()?);
    let entry = started(&permit, record);
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        feed.put_import(&row).await?;
        feed.record(&entry, service.clock.now()).await?;
        Ok(feed.commit().await?)
    })
    .await
}

fn started(permit: &Permit<Feed>, record: &ImportRecord) -> AuditEntry {
    let fields = [
        ("name", json!(record.name)),
        ("bytes", json!(record.bytes)),
        ("type", json!(record.doc_type)),
        ("language", json!(record.language)),
        ("complete", json!(record.complete)),
    ];
    let changes = fields.map(|(path, after)| FieldChange {
        path: path.to_owned(),
        before: None,
        after: Some(after),
    });
    AuditEntry {
        actor: permit.actor().clone(),
        operation: "start_import".to_owned(),
        resource: "imports".to_owned(),
        summary: message::audited::import_started(&record.name),
        changes: changes.into(),
        request_id: permit.request_id().map(str::to_owned),
    }
}

/// Returns the latest imports of a store, the newest first, without what their results list.
///
/// Errors: `NotFound` for a store that the caller does not reach; `Forbidden` if the role does not suffice.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Vec<ImportRecord>, OperationError> {
    require_on_store(caller, "list_imports", store)?;
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    let rows = service.storage.imports(&permit, IMPORTS_LISTED_MAX).await?;
    rows.iter()
        .map(|row| {
            let mut record = ImportRecord::of_row(row)?;
            record.result = record.result.map(counts);
            Ok(record)
        })
        .collect()
}

/// Returns the numbers of a result.
fn counts(result: Value) -> Value {
    let Value::Object(mut fields) = result else {
        return result;
    };
    let rejected = fields.get("rejected").and_then(Value::as_array);
    let rejected = rejected.map_or(0, Vec::len) as u64;
    let more = fields.get("rejectedMore").and_then(Value::as_u64);
    fields.retain(|_, value| value.is_number());
    fields.insert(
        "rejectedCount".to_owned(),
        json!(rejected + more.unwrap_or(0)),
    );
    Value::Object(fields)
}

/// Checks that `caller` may see the imports of a store.
///
/// Errors: those of [`list`].
pub async fn may_see(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(), OperationError> {
    require_on_store(caller, "get_import", store)?;
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    Ok(())
}

/// Returns one import of a store.
///
/// Errors: those of [`list`]; `NotFound` for an unknown import.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &str,
) -> Result<ImportRecord, OperationError> {
    require_on_store(caller, "get_import", store)?;
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    let row = service.storage.import(&permit, id).await?;
    let row = row.ok_or(OperationError::NotFound {
        what: message::noun::import,
    })?;
    ImportRecord::of_row(&row)
}

/// Ends an import that no process works on any more, as after a restart; returns it as it is then. `None` if it does not
/// exist, or if its store is closed.
///
/// For the process that has its file: no caller is behind it.
pub async fn end_left_over(
    service: &Service,
    id: &str,
) -> Result<Option<(StoreId, ImportRecord)>, OperationError> {
    let Some((store, row)) = service.storage.import_of_open_store(id).await? else {
        return Ok(None);
    };
    let mut record = ImportRecord::of_row(&row)?;
    if !record.state.is_over() && record.state != ImportState::Ready {
        record.state = ImportState::Failed;
        record.error = Some(RecordedError {
            code: INTERRUPTED.to_owned(),
            message: "the server was stopped; nothing was removed".to_owned(),
            translatable: None,
            line: None,
            column: None,
        });
        service.storage.end_import(&record.row()?).await?;
    }
    Ok(Some((store, record)))
}

/// Stores the new state of an import that no caller changed.
pub async fn save_of_server(
    service: &Service,
    record: &ImportRecord,
) -> Result<(), OperationError> {
    Ok(service.storage.end_import(&record.row()?).await?)
}

/// Returns whether an import exists and its store is open.
///
/// For the process that has its file: no caller is behind it.
pub async fn is_of_open_store(service: &Service, id: &str) -> Result<bool, OperationError> {
    Ok(service.storage.import_of_open_store(id).await?.is_some())
}

/// Removes the results of imports that are older than they are kept; returns their number.
pub async fn remove_old(service: &Service) -> Result<u64, OperationError> {
    let before = service.clock.now().plus_hours(-24 * IMPORT_RESULT_DAYS);
    Ok(service.storage.remove_imports(before).await?)
}

/// Returns the error of an import that is in another state than an operation needs.
pub fn wrong_state() -> OperationError {
    OperationError::Conflict {
        code: error_codes::CONFLICT,
        message: message::feed::import_state(),
        details: Value::Null,
    }
}

/// Returns the error of a second import of a store.
pub fn already_open() -> OperationError {
    OperationError::Conflict {
        code: error_codes::CONFLICT,
        message: message::feed::import_open(),
        details: Value::Null,
    }
}
