//! `RememberedKeys`: search-only keys, and the secrets of their visitors' tokens, as they were last read: shoppers go on
//! searching with them for a while when the database does not respond.
//!
//! Such a key is no secret, for every page of the shop shows it. All other keys need their row.

use crate::OperationError;
use crate::runtime::bounded_cache::BoundedCache;
use domain::{KeyId, KeyKind, Timestamp};
use parking_lot::Mutex;
use std::time::Duration;
use storage::{ContextSecrets, KeyRow, StorageError};
use tokio::time::{Instant, timeout};

/// Longest time for which something is remembered.
pub const REMEMBER_MAX: Duration = Duration::from_secs(300);

/// Bytes of keys, and of secrets, that are remembered.
const BYTES_MAX: usize = 8 * 1024 * 1024;
/// How long a read may take before what is remembered is used.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long nobody waits for the database after a read that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// What was read, or is remembered.
pub(crate) enum Recalled<T> {
    /// The database has it.
    Read(T),
    /// The database does not respond; it had this a while ago.
    Remembered(T),
}

/// Something with the moment at which it was read.
type Dated<T> = (Timestamp, T);

/// What was read of search-only keys.
pub(crate) struct RememberedKeys {
    lasts: Duration,
    keys: BoundedCache<(), KeyId, Dated<KeyRow>>,
    secrets: BoundedCache<(), KeyId, Dated<Option<ContextSecrets>>>,
    /// When one request tries the database again; `None` while it responds.
    next_try: Mutex<Option<Instant>>,
}

impl RememberedKeys {
    /// Returns an empty memory of what is read, each for `lasts` from then on.
    pub fn new(lasts: Duration) -> Self {
        Self {
            lasts: lasts.min(REMEMBER_MAX),
            keys: BoundedCache::new(BYTES_MAX),
            secrets: BoundedCache::new(BYTES_MAX),
            next_try: Mutex::default(),
        }
    }

    /// Returns a key that was read not long before `now`.
    pub fn key(&self, id: &KeyId, now: Timestamp) -> Option<KeyRow> {
        self.recent(self.keys.get(&(), id)?, now)
    }

    /// Remembers the row that was read of a key, or that there is none.
    pub fn keep_key(&self, id: &KeyId, row: Option<&KeyRow>, now: Timestamp) {
        if self.lasts.is_zero() {
            return;
        }
        let row = row.filter(|row| row.kind == KeyKind::SearchOnly);
        self.keys.update(&(), id.clone(), |_| {
            Some(((now, row?.clone()), size_of::<KeyRow>() + row_bytes(row?)))
        });
    }

    /// Returns the secrets of a key that were read not long before `now`.
    pub fn secrets(&self, id: &KeyId, now: Timestamp) -> Option<Option<ContextSecrets>> {
        self.recent(self.secrets.get(&(), id)?, now)
    }

    /// Remembers the secrets that were read of a key.
    pub fn keep_secrets(&self, id: &KeyId, secrets: &Option<ContextSecrets>, now: Timestamp) {
        if self.lasts.is_zero() {
            return;
        }
        let sealed = secrets.iter().flat_map(|held| &held.sealed);
        let bytes = sealed.map(String::len).sum::<usize>() + 2 * size_of::<ContextSecrets>();
        let value = (now, secrets.clone());
        self.secrets.insert(&(), id.clone(), value, bytes);
    }

    /// Reads something, or returns what is `remembered` of it if the database does not respond in time.
    ///
    /// Errors: those of the read if nothing is remembered, or if they say something else.
    pub async fn read<T>(
        &self,
        remembered: Option<T>,
        read: impl Future<Output = Result<T, StorageError>>,
    ) -> Result<Recalled<T>, OperationError> {
        let Some(remembered) = remembered else {
            return Ok(Recalled::Read(read.await?));
        };
        if !self.may_try() {
            return Ok(Recalled::Remembered(remembered));
        }
        match timeout(PATIENCE, read).await {
            Ok(Ok(found)) => {
                *self.next_try.lock() = None;
                Ok(Recalled::Read(found))
            }
            Ok(Err(error)) if !error.is_transient() => Err(error.into()),
            Ok(Err(_)) | Err(_) => {
                *self.next_try.lock() = Some(Instant::now() + PAUSE);
                Ok(Recalled::Remembered(remembered))
            }
        }
    }

    /// Returns whether a request may wait for the database: all of them while it responds, else one at a time.
    fn may_try(&self) -> bool {
        let mut next = self.next_try.lock();
        let now = Instant::now();
        match *next {
            None => true,
            Some(at) if now < at => false,
            Some(_) => {
                *next = Some(now + PATIENCE + PAUSE);
                true
            }
        }
    }

    fn recent<T>(&self, (at, value): Dated<T>, now: Timestamp) -> Option<T> {
        let age = now.0.saturating_sub(at.0);
        let lasts = i64::try_from(self.lasts.as_millis()).unwrap_or(i64::MAX);
        (0..lasts).contains(&age).then_some(value)
    }
}

fn row_bytes(row: &KeyRow) -> usize {
    row.name.len() + row.digest.len() + row.readable.as_ref().map_or(0, String::len)
}

#[cfg(test)]
mod tests;
