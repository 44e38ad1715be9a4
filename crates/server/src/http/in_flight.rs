//! How much memory the bodies of all requests may take at once, and how much of it the bodies of one store.
//!
//! A body is paid for twice: for its bytes while they come in, and for what it becomes once it is read. The second
//! payment is made in one piece, so that bodies that are complete never wait for each other.

use super::failure::Failure;
use axum::http::StatusCode;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a body that never waits.
pub const SMALL_BODY_BYTES: usize = 16 * 1024;

/// Bytes that bodies may have while they come in.
const RECEIVED_BYTES_MAX: usize = 96 * MEBIBYTE;
/// Bytes of memory that the values of complete bodies may take.
const VALUE_BYTES_MAX: usize = 288 * MEBIBYTE;
/// A store has at most one part in so many of either.
const STORE_SHARE: usize = 4;
/// How long a body waits for memory.
const WAIT: Duration = Duration::from_secs(10);
/// Seconds after which a body that waited in vain may be sent again.
const RETRY_AFTER_S: u64 = 5;

const MEBIBYTE: usize = 1024 * 1024;
/// What is counted at once; a semaphore counts to `u32`.
const UNIT_BYTES: usize = 1024;

/// The memory of all bodies of one process.
#[derive(Debug)]
pub struct BodyMemory {
    received: BudgetShare,
    values: BudgetShare,
    wait: Duration,
    /// Bytes that are paid for now, those of small bodies too.
    bytes: Arc<AtomicU64>,
    refused: AtomicU64,
}

/// What one kind of payment is made from.
#[derive(Debug)]
struct BudgetShare {
    all: Arc<Semaphore>,
    of_store: usize,
    stores: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Default for BodyMemory {
    fn default() -> Self {
        Self::new(RECEIVED_BYTES_MAX, VALUE_BYTES_MAX, WAIT)
    }
}

impl BodyMemory {
    fn new(received: usize, values: usize, wait: Duration) -> Self {
        Self {
            received: BudgetShare::new(received),
            values: BudgetShare::new(values),
            wait,
            bytes: Arc::default(),
            refused: AtomicU64::new(0),
        }
    }

    /// Bytes that are paid for now.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bodies that waited in vain.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Pays for `bytes` that came in, of a body of `store` that is larger than a small one.
    ///
    /// Errors: 503 when there is no memory for too long.
    pub async fn receive(&self, store: &str, bytes: usize) -> Result<Paid, Failure> {
        self.pay(&self.received, store, bytes).await
    }

    /// Pays for the values of a body of `store`.
    ///
    /// Errors: 503 when there is no memory for too long.
    pub async fn hold(&self, store: &str, bytes: usize) -> Result<Paid, Failure> {
        self.pay(&self.values, store, bytes).await
    }

    async fn pay(&self, share: &BudgetShare, store: &str, bytes: usize) -> Result<Paid, Failure> {
        // What is larger than a store's share gets all of it, and so has it alone.
        let units = bytes.div_ceil(UNIT_BYTES).min(share.of_store);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let both = async {
            let of_store = share.store(store).acquire_many_owned(units).await;
            (
                of_store,
                Arc::clone(&share.all).acquire_many_owned(units).await,
            )
        };
        match tokio::time::timeout(self.wait, both).await {
            Ok((Ok(of_store), Ok(of_all))) => Ok(Paid {
                permits: Some((of_store, of_all)),
                counted: CountedBytes::new(&self.bytes, units as usize * UNIT_BYTES),
            }),
            _ => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Err(no_memory())
            }
        }
    }

    /// Counts a small body, which never waits.
    pub fn count(&self, bytes: usize) -> Paid {
        Paid {
            permits: None,
            counted: CountedBytes::new(&self.bytes, bytes),
        }
    }
}

fn no_memory() -> Failure {
    let message = "too many large bodies at once; send it again in a moment";
    Failure {
        retry_after_s: Some(RETRY_AFTER_S),
        ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }
}

impl BudgetShare {
    fn new(bytes: usize) -> Self {
        let units = bytes / UNIT_BYTES;
        Self {
            all: Arc::new(Semaphore::new(units)),
            of_store: (units / STORE_SHARE).max(1),
            stores: Mutex::default(),
        }
    }

    /// What `store` has; remembered only while somebody pays from it.
    fn store(&self, store: &str) -> Arc<Semaphore> {
        // A map is sound after a panic: entries are only added and removed.
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = stores.get(store).and_then(Weak::upgrade) {
            return known;
        }
        stores.retain(|_, known| known.strong_count() > 0);
        let new = Arc::new(Semaphore::new(self.of_store));
        stores.insert(store.to_owned(), Arc::downgrade(&new));
        new
    }
}

/// A payment; dropped, the memory is free again.
#[derive(Debug)]
pub struct Paid {
    permits: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
    counted: CountedBytes,
}

impl Paid {
    /// Adds another payment to this one.
    pub fn merge(&mut self, other: Self) {
        match (&mut self.permits, other.permits) {
            (Some((store, all)), Some((other_store, other_all))) => {
                store.merge(other_store);
                all.merge(other_all);
            }
            (mine @ None, others) => *mine = others,
            (Some(_), None) => {}
        }
        let mut counted = other.counted;
        self.counted.bytes += std::mem::take(&mut counted.bytes);
    }

    /// Gives back what is paid beyond `bytes`.
    pub fn keep(&mut self, bytes: usize) {
        let units = bytes.div_ceil(UNIT_BYTES);
        if let Some((store, all)) = &mut self.permits {
            let surplus = store.num_permits().saturating_sub(units);
            drop(store.split(surplus));
            drop(all.split(surplus));
            self.counted.shrink((surplus * UNIT_BYTES) as u64);
        }
    }
}

/// Bytes that stand in the figure of all.
#[derive(Debug)]
struct CountedBytes {
    total: Arc<AtomicU64>,
    bytes: u64,
}

impl CountedBytes {
    fn new(total: &Arc<AtomicU64>, bytes: usize) -> Self {
        let bytes = bytes as u64;
        total.fetch_add(bytes, Ordering::Relaxed);
        Self {
            total: Arc::clone(total),
            bytes,
        }
    }

    fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.total.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for CountedBytes {
    fn drop(&mut self) {
        self.total.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Who pays for the body of a request, and what was paid: it is given back when the response is there.
#[derive(Clone, Debug, Default)]
pub struct BodyAccount(Arc<Mutex<OpenAccount>>);

#[derive(Debug, Default)]
struct OpenAccount {
    store: String,
    paid: Vec<Paid>,
}

impl BodyAccount {
    /// Lets `store` pay.
    pub fn of(&self, store: &str) {
        self.with(|open| store.clone_into(&mut open.store));
    }

    /// Who pays; nobody before a key is known.
    pub fn store(&self) -> String {
        self.with(|open| open.store.clone())
    }

    /// Keeps a payment until the response is there.
    pub fn keep(&self, paid: Paid) {
        self.with(|open| open.paid.push(paid));
    }

    fn with<T>(&self, act: impl FnOnce(&mut OpenAccount) -> T) -> T {
        // A list of payments is sound after a panic.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    //! 1. A store has a quarter; what waits longer than it may is 503 with `Retry-After`, and another store is not held
    //!    up.
    //! 2. What is given back is free for the next, and the figure of all says what is held.

    use super::*;

    fn memory() -> BodyMemory {
        BodyMemory::new(MEBIBYTE, MEBIBYTE, Duration::from_millis(20))
    }

    #[tokio::test]
    async fn a_store_has_a_quarter() {
        let memory = memory();
        let held = memory.hold("a", MEBIBYTE / 4).await.expect("its share");
        let refused = memory.hold("a", 1).await.expect_err("no more for this one");
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(refused.retry_after_s, Some(RETRY_AFTER_S));
        assert_eq!(memory.refused(), 1);
        let mut others = Vec::new();
        for store in ["b", "c", "d"] {
            others.push(memory.hold(store, MEBIBYTE).await.expect("theirs"));
        }
        assert!(memory.hold("e", 1).await.is_err(), "all is in use");
        drop(held);
        assert!(memory.hold("e", 1).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_given_back_is_free() {
        let memory = memory();
        let mut held = memory.hold("a", MEBIBYTE).await.expect("its share");
        assert_eq!(memory.bytes(), MEBIBYTE as u64 / 4);
        held.keep(10 * UNIT_BYTES);
        assert_eq!(memory.bytes(), 10 * UNIT_BYTES as u64);
        held.merge(memory.hold("a", UNIT_BYTES).await.expect("more of it"));
        let small = memory.count(100);
        assert_eq!(memory.bytes(), 11 * UNIT_BYTES as u64 + 100);
        drop((held, small));
        assert_eq!(memory.bytes(), 0);
        assert!(memory.hold("a", MEBIBYTE).await.is_ok());
    }
}
