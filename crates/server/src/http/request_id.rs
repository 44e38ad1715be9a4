//! Request ids: unique per server, without a meaning.

use std::sync::atomic::{AtomicU64, Ordering};

/// Generates the request ids of one running server.
#[derive(Debug)]
pub struct RequestIds {
    start: u64,
    next: AtomicU64,
}

impl RequestIds {
    /// Creates a generator with a random prefix, so that the logs of two servers can be told apart.
    ///
    /// Errors: the operating system provides no random numbers.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut start = [0; 8];
        getrandom::fill(&mut start)?;
        Ok(Self {
            start: u64::from_ne_bytes(start),
            next: AtomicU64::new(1),
        })
    }

    /// Returns the next id, such as `req_9f86d081884c7d65_1a`.
    pub fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("req_{:016x}_{number:x}", self.start)
    }
}
