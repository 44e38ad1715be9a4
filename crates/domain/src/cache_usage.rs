//! How full a cache is, for metrics.

/// Fill level of a cache with a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUsage {
    /// Number of entries.
    pub entries: usize,
    /// Estimated bytes.
    pub bytes: usize,
    /// Upper bound of the bytes.
    pub bytes_max: usize,
}
