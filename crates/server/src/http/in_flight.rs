//! Limits the memory of request bodies in flight, in total and per store.
//!
//! Memory for a body is reserved twice: for its bytes while they arrive, and for the values that it is parsed into. The
//! second reservation is made at once, so that complete bodies never wait for each other.

use super::failure::Failure;
use crate::message;
use axum::http::StatusCode;
use domain::error_codes;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Largest body in bytes that never waits.
pub const SMALL_BODY_BYTES: usize = 16 * 1024;

/// Bytes that all arriving bodies may take.
const RECEIVED_BYTES_MAX: usize = 96 * MEBIBYTE;
/// Bytes that the values of all complete bodies may take.
const VALUE_BYTES_MAX: usize = 288 * MEBIBYTE;
/// A store gets at most this fraction (1/4) of either budget.
const STORE_SHARE: usize = 4;
/// How long a body may wait for memory.
const WAIT: Duration = Duration::from_secs(10);
/// Seconds after which the client may retry when there was no memory.
const RETRY_AFTER_S: u64 = 5;

const MEBIBYTE: usize = 1024 * 1024;
/// Unit of the reservations: one permit, because a semaphore counts in `u32`.
const UNIT_BYTES: usize = 1024;

/// The memory budget of all bodies of one process.
#[derive(Debug)]
pub struct BodyMemory {
    received: BudgetShare,
    values: BudgetShare,
    wait: Duration,
    /// Bytes reserved now, including small bodies.
    bytes: Arc<AtomicU64>,
    rejected: AtomicU64,
}

/// One of the two budgets, with the share of each store.
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
            rejected: AtomicU64::new(0),
        }
    }

    /// Returns the bytes reserved now.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of bodies that were rejected because there was no memory.
    pub fn rejected(&self) -> u64 {
        self.rejected.load(Ordering::Relaxed)
    }

    /// Reserves `bytes` for an arriving body of `store` that is larger than a small one.
    ///
    /// Errors: 503 when no memory becomes free in time.
    pub async fn receive(&self, store: &str, bytes: usize) -> Result<Reservation, Failure> {
        self.reserve(&self.received, store, bytes).await
    }

    /// Reserves `bytes` for the values of a body of `store`.
    ///
    /// Errors: 503 when no memory becomes free in time.
    pub async fn hold(&self, store: &str, bytes: usize) -> Result<Reservation, Failure> {
        self.reserve(&self.values, store, bytes).await
    }

    async fn reserve(
        &self,
        share: &BudgetShare,
        store: &str,
        bytes: usize,
    ) -> Result<Reservation, Failure> {
        // A body larger than the share of its store takes the whole share.
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
            Ok((Ok(of_store), Ok(of_all))) => Ok(Reservation {
                permits: Some((of_store, of_all)),
                counted: CountedBytes::new(&self.bytes, units as usize * UNIT_BYTES),
            }),
            _ => {
                self.rejected.fetch_add(1, Ordering::Relaxed);
                Err(no_memory())
            }
        }
    }

    /// Counts the bytes of a small body, which never waits.
    pub fn count(&self, bytes: usize) -> Reservation {
        Reservation {
            permits: None,
            counted: CountedBytes::new(&self.bytes, bytes),
        }
    }
}

fn no_memory() -> Failure {
    let message = message::request::bodies_at_once();
    Failure {
        retry_after_s: Some(RETRY_AFTER_S),
        ..Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            error_codes::UNAVAILABLE,
            message,
        )
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

    /// Returns the share of `store`, which is kept only while reservations use it.
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

/// Reserved memory, released on drop.
#[derive(Debug)]
pub struct Reservation {
    permits: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
    counted: CountedBytes,
}

impl Reservation {
    /// Adds another reservation to this one.
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

    /// Releases what exceeds `bytes`.
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

/// Bytes counted in the total, subtracted on drop.
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

/// The memory reserved for the body of a request, released when the response is ready.
#[derive(Clone, Debug, Default)]
pub struct BodyAccount(Arc<Mutex<OpenAccount>>);

#[derive(Debug, Default)]
struct OpenAccount {
    store: String,
    reserved: Vec<Reservation>,
}

impl BodyAccount {
    /// Sets the store from whose share memory is reserved.
    pub fn of(&self, store: &str) {
        self.with(|open| store.clone_into(&mut open.store));
    }

    /// Returns the store from whose share memory is reserved; empty before the key is known.
    pub fn store(&self) -> String {
        self.with(|open| open.store.clone())
    }

    /// Keeps a reservation until the response is ready.
    pub fn keep(&self, reserved: Reservation) {
        self.with(|open| open.reserved.push(reserved));
    }

    fn with<T>(&self, act: impl FnOnce(&mut OpenAccount) -> T) -> T {
        // A list of reservations is sound after a panic.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    //! 1. A store gets a quarter; a body that waits too long gets 503 with `Retry-After`, without blocking other stores.
    //! 2. Released memory can be reserved again, and the total counts what is reserved.

    use super::*;

    fn memory() -> BodyMemory {
        BodyMemory::new(MEBIBYTE, MEBIBYTE, Duration::from_millis(20))
    }

    #[tokio::test]
    async fn a_store_gets_a_quarter() {
        let memory = memory();
        let held = memory.hold("a", MEBIBYTE / 4).await.expect("its share");
        let rejected = memory.hold("a", 1).await.expect_err("the share is used up");
        assert_eq!(rejected.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(rejected.retry_after_s, Some(RETRY_AFTER_S));
        assert_eq!(memory.rejected(), 1);
        let mut others = Vec::new();
        for store in ["b", "c", "d"] {
            others.push(memory.hold(store, MEBIBYTE).await.expect("theirs"));
        }
        assert!(memory.hold("e", 1).await.is_err(), "all is in use");
        drop(held);
        assert!(memory.hold("e", 1).await.is_ok());
    }

    #[tokio::test]
    async fn released_memory_can_be_reserved_again() {
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
