//! The error of an index, which names the failed action.

/// An operation of an index failed.
#[derive(Debug, thiserror::Error)]
#[error("{action}")]
pub struct EngineError {
    /// The failed action, such as "commit an index".
    pub action: String,
    /// The cause, for the log.
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl EngineError {
    /// An error of `action`.
    pub fn new(
        action: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self {
            action: action.into(),
            source: source.into(),
        }
    }

    /// Returns a function that wraps errors of `action`, for `map_err`.
    pub(crate) fn during<E>(action: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::new(action, source)
    }
}
