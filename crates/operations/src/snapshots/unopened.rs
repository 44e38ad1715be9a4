//! What searches see of an index that cannot be opened: an error, never that it is empty.

use crate::OperationError;
use domain::visitor::Visitor;
use engine::{EngineError, Facts, FieldUse, Request, SearchResult, Snapshot};
use query::Plan;
use query::correction::{SpelledWord, Spelling};
use std::sync::Arc;

/// An index that cannot be opened now.
pub(crate) struct Unopened {
    reason: String,
}

impl Unopened {
    /// The index for which `error` is the reason.
    pub fn new(error: &OperationError) -> Self {
        Self {
            reason: error.to_string(),
        }
    }

    fn error<T>(&self) -> Result<T, EngineError> {
        Err(EngineError::new("open an index", self.reason.clone()))
    }
}

impl Snapshot for Unopened {
    fn search(&self, _: &Plan, _: &Request) -> Result<SearchResult, EngineError> {
        self.error()
    }

    fn settled_words(&self, _: &Plan, _: &Visitor) -> Result<Vec<bool>, EngineError> {
        self.error()
    }

    fn facts(&self) -> Arc<Facts> {
        Arc::default()
    }

    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError> {
        self.error()
    }

    fn fields(&self, _: &Visitor) -> Result<Arc<FieldUse>, EngineError> {
        self.error()
    }

    fn contains(&self, _: &[String], _: &Visitor) -> Result<Vec<bool>, EngineError> {
        self.error()
    }

    fn spellings(&self, _: &[SpelledWord], _: &Visitor) -> Result<Vec<Vec<Spelling>>, EngineError> {
        self.error()
    }

    fn hidden_from(&self, _: &Visitor) -> Result<Arc<[String]>, EngineError> {
        self.error()
    }
}
