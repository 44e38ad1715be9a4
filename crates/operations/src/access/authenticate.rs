//! Authentication: from a presented key to its owner.

use crate::access::key_text;
use crate::access::remembered_keys::Recalled;
use crate::message;
use crate::runtime::content_hash;
use crate::{OperationError, Service};
use domain::access::Identity;
use domain::access::KeyIdentity;
use domain::{Caller, ClientAddress, KeyId, Timestamp, error_codes};
use std::sync::Arc;
use storage::KeyRow;
use subtle::ConstantTimeEq;

/// As long as a digest and equal to none, so that the comparison takes the same time for unknown ids as for known ones.
const NO_DIGEST: &str = "----------------------------------------------------------------";

/// Returns the owner of the key `presented` by a client at `address`.
///
/// Errors: those of [`by_key`]; `TooMany` if the address has tried too many bad keys. A valid key is never rejected for
/// that.
pub async fn by_key_from(
    service: &Service,
    presented: &str,
    address: ClientAddress,
) -> Result<Caller, OperationError> {
    let outcome = by_key(service, presented).await;
    let error = outcome.as_ref().err();
    let is_bad = error.is_some_and(|error| error.code() == error_codes::KEY_INVALID);
    if is_bad
        && let Some(retry_after_s) = service
            .access
            .failed_attempts
            .note(address, service.clock.now())
    {
        return Err(OperationError::TooMany {
            reason: message::rate::bad_keys(),
            retry_after_s,
        });
    }
    outcome
}

/// Returns the owner of the key `presented`, which is its full text.
///
/// Errors: `Unauthenticated`, with one message for unknown, deactivated and expired keys.
pub async fn by_key(service: &Service, presented: &str) -> Result<Caller, OperationError> {
    if presented.is_empty() {
        return Err(OperationError::Unauthenticated {
            code: error_codes::KEY_MISSING,
            message: message::access::key_missing(),
        });
    }
    let now = service.clock.now();
    let row = match key_text::id_of(presented) {
        Some(id) => find_key(service, id, now).await?,
        None => None,
    };
    let stored = row.as_ref().map_or(NO_DIGEST, |row| row.digest.as_str());
    let digest = content_hash::digest(presented);
    let same = bool::from(digest.as_bytes().ct_eq(stored.as_bytes()));
    let row = row
        .filter(|row| same && is_active(row, now))
        .ok_or_else(|| OperationError::Unauthenticated {
            code: error_codes::KEY_INVALID,
            message: message::access::key_invalid(),
        })?;
    service.access.last_uses.note(&row.id, now);
    let stores = match &row.store {
        Some(bound) => vec![bound.clone()],
        None => service.storage.stores_of(&row.account).await?,
    };
    Ok(Caller {
        identity: Identity::Key(Arc::new(KeyIdentity {
            id: row.id,
            name: row.name,
            kind: row.kind,
            scope: row.scope,
            account: row.account,
            store: row.store,
            account_stores: Arc::from(stores),
        })),
        request_id: None,
        attempt: domain::WriteAttempt::default(),
    })
}

/// Returns the key with this id. Storage looks for an unknown id once, however often it is tried; while it does not respond,
/// a search-only key is what it was when it was last read.
async fn find_key(
    service: &Service,
    id: KeyId,
    now: Timestamp,
) -> Result<Option<KeyRow>, OperationError> {
    if service.access.unknown_keys.contains(&id) {
        return Ok(None);
    }
    let memory = &service.access.remembered;
    let remembered = memory.key(&id, now).map(Some);
    let row = match memory.read(remembered, service.storage.key(&id)).await? {
        Recalled::Remembered(row) => return Ok(row),
        Recalled::Read(row) => row,
    };
    memory.keep_key(&id, row.as_ref(), now);
    if row.is_none() {
        service.access.unknown_keys.insert(id);
    }
    Ok(row)
}

fn is_active(row: &KeyRow, now: Timestamp) -> bool {
    !row.store_closed && row.deactivated_at.is_none() && row.expires_at.is_none_or(|at| now < at)
}
