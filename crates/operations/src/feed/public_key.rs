//! `POST /feed/public-key`: the search-only key and the context secret of one shop installation.

use super::{FeedCaller, writable_store};
use crate::access::daily_changes::check_daily_changes;
use crate::access::key_text;
use crate::access::keys::described;
use crate::access::remembered_keys::Recalled;
use crate::message;
use crate::runtime::content_hash;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::{Feed, Search};
use domain::audit::{AuditEntry, differences};
use domain::feed::{KeyOfInstance, PublicKeyIssued, PublicKeyRequest};
use domain::form::Url;
use domain::limits::{INSTALLATIONS_MAX, ROTATION_GRACE_HOURS};
use domain::{AccountId, KeyId, KeyKind, Message, Permit, StoreId, Timestamp};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use storage::{FormerKey, InstallationRow, InstallationUse, InstallationWrite, KeyRow};

/// Random characters of a context secret: 43 × 5.95 = 256 bits.
const SECRET_CHARACTERS: usize = 43;
/// Whether the warning about a secret that cannot be unsealed was logged: once is enough.
static UNSEAL_WARNED: AtomicBool = AtomicBool::new(false);

/// Returns the key of an installation: the same one every time, until a rotation creates a new key and secret.
pub async fn issue(
    service: &Service,
    caller: &FeedCaller,
    request: PublicKeyRequest,
) -> Result<PublicKeyIssued, OperationError> {
    let permit = caller.permit(service).await?;
    let request = request.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        fill_url(&service, &permit, request.origin.as_ref()).await?;
        let issuing = Issuing {
            now: service.clock.now(),
            service: &service,
            permit: &permit,
            request: &request,
        };
        issuing.run().await
    })
    .await
}

/// Sets the URL of the store to that of the shop if it is empty; what the operator or the panel has set stays.
///
/// Errors: `Forbidden` if the store accepts no writes.
async fn fill_url(
    service: &Service,
    permit: &Permit<Feed>,
    origin: Option<&Url>,
) -> Result<(), OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    let store = writable_store(&mut feed).await?;
    if let Some(origin) = origin.filter(|_| store.url.is_empty()) {
        feed.fill_url(origin.as_str()).await?;
        feed.commit().await?;
    }
    Ok(())
}

/// A request with its context.
struct Issuing<'a> {
    service: &'a Service,
    permit: &'a Permit<Feed>,
    request: &'a KeyOfInstance,
    now: Timestamp,
}

impl Issuing<'_> {
    async fn run(&self) -> Result<PublicKeyIssued, OperationError> {
        let storage = &self.service.storage;
        let mut write = storage.begin_installation(self.permit).await?;
        let known = write
            .installation(self.request.instance_id.as_str())
            .await?;
        let key = match &known {
            Some(row) => write.key(&row.key).await?,
            None => None,
        };
        // A key that the operator deactivated is of no use to the shop.
        let key = key.filter(|key| key.deactivated_at.is_none());
        match (known, key) {
            (Some(row), Some(key)) if !self.request.rotate => {
                self.existing(&row, &key, &mut write).await
            }
            (Some(row), Some(key)) => self.rotate(row, &key, write).await,
            (row, _) => self.create(row, write).await,
        }
    }

    /// Returns the existing key.
    async fn existing(
        &self,
        row: &InstallationRow,
        key: &KeyRow,
        write: &mut InstallationWrite,
    ) -> Result<PublicKeyIssued, OperationError> {
        let former = match (&row.former_key, row.grace_until) {
            (Some(former), Some(until)) if self.now < until => write.key(former).await?,
            _ => None,
        };
        let public_key = key
            .readable
            .clone()
            .ok_or_else(|| OperationError::internal("a public key without its readable text"))?;
        Ok(PublicKeyIssued {
            instance_id: row.instance_id.clone(),
            public_key,
            context_secret: self.unseal(&row.context_secret)?,
            created: false,
            grace_until: row.grace_until.filter(|_| former.is_some()),
            rotated_from: former.map(|former| former.last_four),
        })
    }

    async fn rotate(
        &self,
        row: InstallationRow,
        key: &KeyRow,
        mut write: InstallationWrite,
    ) -> Result<PublicKeyIssued, OperationError> {
        let until = self.now.plus_hours(ROTATION_GRACE_HOURS);
        self.keep_former(&row, &mut write).await?;
        write.expire_key(&key.id, until).await?;
        let (fresh, text) = self.new_key(&key.account)?;
        let secret = secret()?;
        let next = InstallationRow {
            origin: self.origin().unwrap_or(row.origin),
            key: fresh.id.clone(),
            context_secret: self.seal(&secret)?,
            former_key: Some(key.id.clone()),
            former_context_secret: Some(row.context_secret),
            grace_until: Some(until),
            ..row
        };
        self.save(write, &fresh, &next, message::audited::public_key_rotated())
            .await?;
        Ok(PublicKeyIssued {
            instance_id: next.instance_id,
            public_key: text,
            context_secret: secret,
            created: true,
            rotated_from: Some(key.last_four.clone()),
            grace_until: Some(until),
        })
    }

    async fn create(
        &self,
        known: Option<InstallationRow>,
        mut write: InstallationWrite,
    ) -> Result<PublicKeyIssued, OperationError> {
        let account = write.account().await?.ok_or(OperationError::NotFound {
            what: message::noun::store,
        })?;
        let (fresh, text) = self.new_key(&account)?;
        let secret = secret()?;
        match &known {
            Some(known) => self.keep_former(known, &mut write).await?,
            None => self.make_room(&mut write).await?,
        }
        let row = InstallationRow {
            instance_id: self.request.instance_id.to_string(),
            origin: self
                .origin()
                .or(known.map(|row| row.origin))
                .unwrap_or_default(),
            key: fresh.id.clone(),
            context_secret: self.seal(&secret)?,
            former_key: None,
            former_context_secret: None,
            grace_until: None,
            created_at: self.now,
        };
        self.save(write, &fresh, &row, message::audited::public_key_created())
            .await?;
        Ok(PublicKeyIssued {
            instance_id: row.instance_id,
            public_key: text,
            context_secret: secret,
            created: true,
            rotated_from: None,
            grace_until: None,
        })
    }

    /// Removes the installations whose keys were used least recently until there is room for another one.
    async fn make_room(&self, write: &mut InstallationWrite) -> Result<(), OperationError> {
        let mut uses = write.installation_uses().await?;
        let last_use = |one: &InstallationUse| {
            let keys = [Some(&one.key), one.former_key.as_ref()];
            let uses = keys.map(|key| self.service.access.last_uses.of(key?));
            let last = uses.into_iter().max().flatten();
            (last.max(one.last_used_at), one.created_at)
        };
        uses.sort_by_cached_key(last_use);
        let surplus = (uses.len() + 1).saturating_sub(INSTALLATIONS_MAX);
        for one in uses.iter().take(surplus) {
            write.end_installation(&one.instance_id, self.now).await?;
        }
        Ok(())
    }

    /// Keeps the former key of `row`, which is about to be replaced, until the end of its own grace period.
    async fn keep_former(
        &self,
        row: &InstallationRow,
        write: &mut InstallationWrite,
    ) -> Result<(), OperationError> {
        write.delete_former_keys(&row.instance_id, self.now).await?;
        if let (Some(key), Some(secret), Some(until)) =
            (&row.former_key, &row.former_context_secret, row.grace_until)
            && self.now < until
        {
            let former = FormerKey {
                key: key.clone(),
                context_secret: secret.clone(),
                grace_until: until,
            };
            write.add_former_key(&row.instance_id, &former).await?;
        }
        Ok(())
    }

    async fn save(
        &self,
        mut write: InstallationWrite,
        key: &KeyRow,
        row: &InstallationRow,
        summary: Message,
    ) -> Result<(), OperationError> {
        write.create_key(key).await?;
        write.save_installation(row).await?;
        let entry = AuditEntry {
            actor: self.permit.actor().clone(),
            operation: "issue_public_key".to_owned(),
            resource: format!("key/{}", key.id),
            summary,
            changes: differences(&json!({}), &described(key)),
            request_id: self.permit.request_id().map(str::to_owned),
        };
        let today = write.changed_today(&entry, self.now).await?;
        check_daily_changes(today, self.now)?;
        Ok(write.commit(&entry, self.now).await?)
    }

    /// Creates a search-only key of the store. It is stored readable because every page of the shop shows it.
    fn new_key(&self, account: &AccountId) -> Result<(KeyRow, String), OperationError> {
        let minted = key_text::mint(KeyKind::SearchOnly)?;
        let row = KeyRow {
            id: minted.id,
            account: account.clone(),
            store: Some(self.permit.store().clone()),
            kind: KeyKind::SearchOnly,
            scope: None,
            name: "Shop pages".to_owned(),
            digest: content_hash::digest(&minted.text),
            last_four: key_text::last_four(&minted.text),
            readable: Some(minted.text.clone()),
            made_by: None,
            created_at: self.now,
            expires_at: None,
            deactivated_at: None,
            last_used_at: None,
            store_closed: false,
        };
        Ok((row, minted.text))
    }

    fn seal(&self, secret: &str) -> Result<String, OperationError> {
        self.service.seal.seal(secret, &self.seal_context())
    }

    fn unseal(&self, sealed: &str) -> Result<String, OperationError> {
        self.service.seal.unseal(sealed, &self.seal_context())
    }

    /// Returns the address of the shop, if the request names one.
    fn origin(&self) -> Option<String> {
        self.request.origin.clone().map(String::from)
    }

    fn seal_context(&self) -> String {
        seal_context(self.permit.store(), self.request.instance_id.as_str())
    }
}

/// Returns the associated data of a context secret, which binds it to its store and installation.
fn seal_context(store: &StoreId, instance: &str) -> String {
    format!("{store}/{instance}")
}

/// Returns the valid context secrets of the public key `key`: that of its installation and former ones in their grace
/// period. Empty if no installation has the key.
///
/// Secrets that cannot be unsealed are skipped.
///
/// Errors: if storage is not available.
pub(crate) async fn secrets(
    service: &Service,
    permit: &Permit<Search>,
    key: &KeyId,
    now: Timestamp,
) -> Result<Vec<String>, OperationError> {
    let memory = &service.access.remembered;
    let read = service.storage.context_secrets(permit, key, now);
    let held = match memory.read(memory.secrets(key, now), read).await? {
        Recalled::Remembered(held) => held,
        Recalled::Read(held) => {
            memory.keep_secrets(key, &held, now);
            held
        }
    };
    let Some(held) = held else {
        return Ok(Vec::new());
    };
    let store = permit.store();
    let place = seal_context(store, &held.instance_id);
    // One that does not open, as after a restore without the master key, must not keep out those that do.
    let opened = held.sealed.iter().filter_map(|sealed| {
        let secret = service.seal.unseal(sealed, &place);
        if secret.is_err() && !UNSEAL_WARNED.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                %store,
                "a context secret cannot be unsealed and is skipped; does master.key belong to this data directory?"
            );
        }
        secret.ok()
    });
    Ok(opened.collect())
}

fn secret() -> Result<String, OperationError> {
    Ok(format!("ctx_{}", ids::alphanumeric(SECRET_CHARACTERS)?))
}
