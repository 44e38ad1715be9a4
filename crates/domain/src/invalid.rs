//! `Invalid`: the only way in which a value is refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One value that cannot be accepted: where it stands and why.
///
/// Shape: `field` is a path of the request such as `boosts.name` or `documents[3].priceInclTax`.
/// Source: contract section 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invalid {
    /// Path of the value in the request.
    pub field: String,
    /// Why it is refused, as the end of a sentence that starts with the field.
    pub reason: String,
}

impl Invalid {
    /// A refusal of `field` for `reason`.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            reason: reason.into(),
        }
    }

    /// The same refusal with `prefix.` in front of its path.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.field = format!("{prefix}.{}", self.field);
        self
    }
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.reason)
    }
}

impl std::error::Error for Invalid {}
