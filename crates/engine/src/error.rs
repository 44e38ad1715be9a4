//! What can go wrong in an index, by what was being done.

/// An index could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[error("{action}")]
pub struct EngineError {
    /// What was being done, such as "commit index 7".
    pub action: String,
    /// Why it failed, for the log.
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl EngineError {
    /// An error while doing `action`.
    pub fn new(
        action: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self {
            action: action.into(),
            source: source.into(),
        }
    }

    /// Wraps the errors of one action.
    pub(crate) fn during<E>(action: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::new(action, source)
    }
}
