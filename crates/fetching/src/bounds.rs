//! What a fetch may take at most, in time and bytes.

use std::time::Duration;

/// Bounds of one fetch.
#[derive(Clone, Copy, Debug)]
pub struct FetchBounds {
    /// To look up the name, and to connect with TLS.
    pub connect: Duration,
    /// To the end of the head of a response.
    pub head: Duration,
    /// From the first request to the last byte.
    pub total: Duration,
    /// How long less than [`FetchBounds::slow_bytes`] may come.
    pub slow_window: Duration,
    /// Bytes that have to come in each [`FetchBounds::slow_window`].
    pub slow_bytes: u64,
    /// Bytes of the body, as received and as decoded.
    pub bytes: u64,
    /// Decoded bytes from which on their number is compared with those received.
    pub expansion_from: u64,
    /// Decoded bytes for each byte received.
    pub expansion: u64,
    /// Redirects that are followed.
    pub redirects: u32,
    /// Bytes of the head of a response.
    pub head_bytes: usize,
}

impl Default for FetchBounds {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(30),
            head: Duration::from_secs(60),
            total: Duration::from_secs(3_600),
            slow_window: Duration::from_secs(60),
            slow_bytes: 60 * 1_024,
            bytes: 4 * 1_024 * 1_024 * 1_024,
            expansion_from: 10 * 1_024 * 1_024,
            expansion: 200,
            redirects: 5,
            head_bytes: 64 * 1_024,
        }
    }
}
