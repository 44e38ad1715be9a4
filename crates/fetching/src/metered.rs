//! `Metered`: the body of a response, which ends when it is too large, too slow or cancelled.

use crate::bounds::FetchBounds;
use crate::fault::FetchFault;
use std::io::{self, Read};
use std::time::Instant;

/// Tells the time of a fetch.
pub(crate) type Stopwatch<'a> = &'a (dyn Fn() -> Instant + Sync);

/// A reader that counts.
pub(crate) struct Metered<'a, R> {
    body: R,
    bounds: &'a FetchBounds,
    now: Stopwatch<'a>,
    is_cancelled: &'a (dyn Fn() -> bool + Sync),
    until: Instant,
    window_began: Instant,
    window_bytes: u64,
    /// Bytes that were received.
    pub received: u64,
}

impl<'a, R: Read> Metered<'a, R> {
    /// Counts what comes of `body` until `until`.
    pub fn new(
        body: R,
        bounds: &'a FetchBounds,
        now: Stopwatch<'a>,
        is_cancelled: &'a (dyn Fn() -> bool + Sync),
        until: Instant,
    ) -> Self {
        Self {
            body,
            bounds,
            is_cancelled,
            until,
            window_began: now(),
            now,
            window_bytes: 0,
            received: 0,
        }
    }

    fn check(&mut self, read: usize) -> Result<(), FetchFault> {
        let read = read as u64;
        self.received += read;
        self.window_bytes += read;
        if self.received > self.bounds.bytes {
            return Err(FetchFault::too_large());
        }
        let now = (self.now)();
        if now >= self.until {
            return Err(FetchFault::timeout());
        }
        if now.duration_since(self.window_began) >= self.bounds.slow_window {
            if self.window_bytes < self.bounds.slow_bytes {
                return Err(FetchFault::timeout());
            }
            self.window_began = now;
            self.window_bytes = 0;
        }
        Ok(())
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.is_cancelled)() {
            return Err(FetchFault::cancelled().into());
        }
        let read = self.body.read(buffer)?;
        if read > 0 {
            self.check(read)?;
        }
        Ok(read)
    }
}
