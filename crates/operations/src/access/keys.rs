//! API keys, which the operator and the users of an account create, list and deactivate.

use crate::access::key_text;
use crate::access::permits::{permit_for, require_on_store};
use crate::access::state::AccessState;
use crate::message;
use crate::runtime::content_hash;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::AccountPermit;
use domain::audit::{Actor, AuditEntry, differences};
use domain::form::Label;
use domain::message::quoted;
use domain::{
    AccountId, Caller, Invalid, KeyId, KeyKind, Message, Scope, StoreId, Timestamp, access,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{AuditSubject, KeyRow};

/// A key to create. Exactly one of `store` and `account` is given; connector and search-only keys need a store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewApiKey {
    /// Store that it is bound to.
    pub store: Option<StoreId>,
    /// Account whose stores it reaches.
    pub account: Option<AccountId>,
    /// Kind of the key.
    pub kind: KeyKind,
    /// Scope of a configuration key; `config:read` when left out.
    pub scope: Option<Scope>,
    /// Name; that of its kind when left out.
    pub name: Option<String>,
    /// When it expires.
    pub expires: Option<Timestamp>,
}

/// A key that a user asks for: a preset, or a kind with what belongs to it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRequest {
    /// Values for what is left out.
    #[serde(default)]
    #[schemars(with = "KeyPreset")]
    pub preset: Option<KeyPreset>,
    /// Kind of the key.
    #[serde(default)]
    #[schemars(with = "KeyKind")]
    pub kind: Option<KeyKind>,
    /// Scope of a configuration key; `config:read` when left out.
    #[serde(default)]
    #[schemars(with = "Scope")]
    pub scope: Option<Scope>,
    /// Name; that of its kind when left out.
    #[serde(default)]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// When it expires.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub expires: Option<String>,
}

/// Values for a key of a common purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeyPreset {
    /// A configuration key that reads, for 90 days.
    AiAgent,
}

/// Hours that a key of an agent works.
const AGENT_HOURS: i64 = 90 * 24;

impl KeyPreset {
    /// Returns `request` with values for what it leaves out.
    fn fill(self, request: KeyRequest, now: Timestamp) -> KeyRequest {
        let Self::AiAgent = self;
        KeyRequest {
            preset: None,
            kind: request.kind.or(Some(KeyKind::Configuration)),
            scope: request.scope.or(Some(Scope::Read)),
            name: request.name.or_else(|| Some("AI agent".to_owned())),
            expires: request
                .expires
                .or_else(|| Some(now.plus_hours(AGENT_HOURS).to_string())),
        }
    }
}

/// Returns the key that `request` describes, for a store or an account.
///
/// Errors: `Invalid` if it names neither a preset nor a kind, and for an expiry that is no instant.
pub fn requested(
    service: &Service,
    request: KeyRequest,
    store: Option<StoreId>,
    account: Option<AccountId>,
) -> Result<NewApiKey, OperationError> {
    let request = match request.preset {
        Some(preset) => preset.fill(request, service.clock.now()),
        None => request,
    };
    let mut wrong = Vec::new();
    if request.kind.is_none() {
        wrong.push(Invalid::new("kind", message::value::missing()));
    }
    let expires = request.expires.as_deref().and_then(|text| {
        let instant = Timestamp::parse(text);
        if instant.is_none() {
            let reason = message::change::instant(quoted(text));
            wrong.push(Invalid::new("expires", reason));
        }
        instant
    });
    let (Some(kind), []) = (request.kind, &wrong[..]) else {
        return Err(OperationError::Invalid(wrong));
    };
    Ok(NewApiKey {
        store,
        account,
        kind,
        scope: request.scope,
        name: request.name,
        expires,
    })
}

/// A new key with its text, which is returned only here.
#[derive(Clone, Serialize)]
pub struct CreatedKey {
    /// The whole key.
    pub key: String,
    /// Its other properties.
    #[serde(flatten)]
    pub summary: KeySummary,
}

/// A key in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeySummary {
    /// Public id.
    pub id: KeyId,
    /// Name given by its maker.
    pub name: String,
    /// Kind of the key.
    pub kind: KeyKind,
    /// Scope of a configuration key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Account that it belongs to.
    pub account_id: AccountId,
    /// Store that it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<StoreId>,
    /// Last four characters.
    pub last_four: String,
    /// Who created it, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<Actor>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was deactivated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deactivated_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// A key in the operator's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedKey {
    /// The key.
    #[serde(flatten)]
    pub summary: KeySummary,
    /// Whether it works.
    pub state: KeyState,
}

/// Whether a key works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyState {
    /// It works.
    Active,
    /// It was deactivated.
    Deactivated,
    /// Its time is over.
    Expired,
    /// Its store is deleted, but may be opened again.
    Closed,
}

impl KeyState {
    fn of(row: &KeyRow, now: Timestamp) -> Self {
        if row.deactivated_at.is_some() {
            Self::Deactivated
        } else if row.expires_at.is_some_and(|at| at <= now) {
            Self::Expired
        } else if row.store_closed {
            Self::Closed
        } else {
            Self::Active
        }
    }
}

impl From<KeyRow> for KeySummary {
    fn from(row: KeyRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            kind: row.kind,
            scope: row.scope,
            account_id: row.account,
            store_id: row.store,
            last_four: row.last_four,
            created_by: row.made_by,
            created_at: row.created_at,
            expires_at: row.expires_at,
            deactivated_at: row.deactivated_at,
            last_used_at: row.last_used_at,
        }
    }
}

/// Creates a key.
///
/// Errors: `Invalid` with all invalid values; `NotFound` for an unknown store or account.
pub async fn create(
    service: &Service,
    caller: &Caller,
    new: NewApiKey,
) -> Result<CreatedKey, OperationError> {
    let now = service.clock.now();
    check(&new, now)?;
    let (account, store) = (new.account.as_ref(), new.store.as_ref());
    let permit = permit_for(service, caller, "create_key", account, store).await?;
    let account = permit.account().clone();
    let (row, text) = minted(new.kind, account, new.store, now)?;
    let row = KeyRow {
        scope: (new.kind == KeyKind::Configuration).then(|| new.scope.unwrap_or(Scope::Read)),
        name: new.name.unwrap_or(row.name),
        expires_at: new.expires,
        // Every page of the shop shows it.
        readable: (new.kind == KeyKind::SearchOnly).then(|| text.clone()),
        made_by: Some(permit.actor().clone()),
        ..row
    };
    let summary = message::audited::key_created(ended(&row), row.kind.as_str());
    let entry = AuditEntry {
        changes: differences(&json!({}), &described(&row)),
        ..entry(&permit, "create_key", &row, summary)
    };
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut change = storage.administer_account(&permit).await?;
        change.create_key(&row).await?;
        change.commit(&entry, &audit_subject(&row), now).await?;
        Ok(CreatedKey {
            key: text,
            summary: row.into(),
        })
    })
    .await
}

/// Returns a new key without scope and expiry, named after its kind, and its text.
pub(crate) fn minted(
    kind: KeyKind,
    account: AccountId,
    store: Option<StoreId>,
    now: Timestamp,
) -> Result<(KeyRow, String), OperationError> {
    let minted = key_text::mint(kind)?;
    let row = KeyRow {
        id: minted.id,
        account,
        store,
        kind,
        scope: None,
        name: format!("{} key", kind.as_str()),
        digest: content_hash::digest(&minted.text),
        last_four: key_text::last_four(&minted.text),
        readable: None,
        made_by: None,
        created_at: now,
        expires_at: None,
        deactivated_at: None,
        last_used_at: None,
        store_closed: false,
    };
    Ok((row, minted.text))
}

/// Returns the keys of a store, or all, the oldest first.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: Option<StoreId>,
) -> Result<Vec<ListedKey>, OperationError> {
    let operator = access::operator(caller)?;
    if let Some(id) = &store
        && service
            .storage
            .store(&access::read(caller, id)?)
            .await?
            .is_none()
    {
        return Err(OperationError::NotFound {
            what: message::noun::store,
        });
    }
    let rows = service.storage.keys(&operator, store.as_ref()).await?;
    let now = service.clock.now();
    let listed = rows.into_iter().map(|row| ListedKey {
        state: KeyState::of(&row, now),
        summary: with_use(&service.access, row),
    });
    Ok(listed.collect())
}

/// Returns the keys of an account that the caller reaches, or those of a store, the oldest first.
pub async fn list_reached(
    service: &Service,
    caller: &Caller,
    account: Option<&AccountId>,
    store: Option<&StoreId>,
) -> Result<Vec<KeySummary>, OperationError> {
    let permit = permit_for(service, caller, "list_keys", account, store).await?;
    let rows = service.storage.keys_of_account(&permit, store).await?;
    let reached = rows
        .into_iter()
        .filter(|row| permit.reaches(row.store.as_ref()));
    Ok(reached.map(|row| with_use(&service.access, row)).collect())
}

/// Returns the text of the latest search-only key of `store` that is valid and whose text is known; pages of the shop
/// show it, too.
///
/// Errors: `NotFound` for a store that a user does not reach; `Forbidden` for a key.
pub async fn public_of(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Option<String>, OperationError> {
    require_on_store(caller, "get_preview_key", store)?;
    let permit = access::read(caller, store)?;
    let now = service.clock.now();
    Ok(service.storage.public_key_of(&permit, now).await?)
}

/// Returns a key with its last use, which storage learns later.
fn with_use(access: &AccessState, row: KeyRow) -> KeySummary {
    let newer = access.last_uses.of(&row.id);
    let last_used_at = row.last_used_at.max(newer);
    KeySummary::from(KeyRow {
        last_used_at,
        ..row
    })
}

/// Deactivates a key at once; a deactivated key stays as it is.
pub async fn deactivate(
    service: &Service,
    caller: &Caller,
    id: &KeyId,
) -> Result<KeySummary, OperationError> {
    let not_found = || OperationError::NotFound {
        what: message::noun::key,
    };
    let mut row = service.storage.key(id).await?.ok_or_else(not_found)?;
    let permit = match permit_for(service, caller, "deactivate_key", Some(&row.account), None).await
    {
        // Whoever does not reach the account does not learn that the key exists.
        Err(OperationError::NotFound { .. }) => return Err(not_found()),
        permit => permit?,
    };
    if row.deactivated_at.is_some() {
        return Ok(row.into());
    }
    let now = service.clock.now();
    let summary = message::audited::key_deactivated(ended(&row), row.kind.as_str());
    let entry = AuditEntry {
        changes: differences(&described(&row), &json!({})),
        ..entry(&permit, "deactivate_key", &row, summary)
    };
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut change = storage.administer_account(&permit).await?;
        if change.deactivate_key(&row.id, now).await? {
            change.commit(&entry, &audit_subject(&row), now).await?;
            row.deactivated_at = Some(now);
            return Ok(row.into());
        }
        // Another request deactivated it in the meantime, and wrote the audit record.
        drop(change);
        let stored = storage.key(&row.id).await?.ok_or_else(not_found)?;
        Ok(stored.into())
    })
    .await
}

/// Deactivates a key that is bound to `store`.
pub async fn deactivate_of_store(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &KeyId,
) -> Result<KeySummary, OperationError> {
    let row = service.storage.key(id).await?;
    if row.is_none_or(|row| row.store.as_ref() != Some(store)) {
        return Err(OperationError::NotFound {
            what: message::noun::key,
        });
    }
    deactivate(service, caller, id).await
}

fn check(new: &NewApiKey, now: Timestamp) -> Result<(), OperationError> {
    let mut wrong = Vec::new();
    if let Some(name) = &new.name
        && let Err(reason) = Label::parse(name.as_str())
    {
        wrong.push(Invalid::new("name", reason));
    }
    if new.kind != KeyKind::Configuration {
        if new.scope.is_some() {
            wrong.push(Invalid::new("scope", message::key::scope_of_kind()));
        }
        if new.store.is_none() {
            wrong.push(Invalid::new("store", message::key::store_of_kind()));
        }
    }
    if new.store.is_some() == new.account.is_some() {
        wrong.push(Invalid::new("store", message::key::store_or_account()));
    }
    if new.expires.is_some_and(|at| at <= now) {
        wrong.push(Invalid::new("expires", message::key::expires()));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(wrong))
    }
}

/// Returns the name of a key with its last characters, because names are not unique.
fn ended(row: &KeyRow) -> String {
    format!("{} …{}", row.name, row.last_four)
}

/// Returns what an audit record has of a key.
pub(crate) fn described(row: &KeyRow) -> Value {
    json!({
        "name": row.name,
        "kind": row.kind,
        "scope": row.scope,
        "lastFour": row.last_four,
        "expiresAt": row.expires_at,
    })
}

fn entry(permit: &AccountPermit, operation: &str, row: &KeyRow, summary: Message) -> AuditEntry {
    AuditEntry {
        actor: permit.actor().clone(),
        operation: operation.to_owned(),
        resource: format!("key/{}", row.id),
        summary,
        changes: Vec::new(),
        request_id: permit.request_id().map(str::to_owned),
    }
}

fn audit_subject(row: &KeyRow) -> AuditSubject {
    AuditSubject {
        account: Some(row.account.clone()),
        store: row.store.clone(),
    }
}
