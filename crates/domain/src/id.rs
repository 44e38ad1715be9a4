//! Identifiers as distinct types over text, so that they cannot be confused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// Returns the id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    };
}

text_id!(
    /// Id of an account (cuid2).
    AccountId
);
text_id!(
    /// Id of a store (cuid2).
    StoreId
);
text_id!(
    /// Public part of an API key.
    KeyId
);
text_id!(
    /// Id of an indexing run, `run_…`.
    RunId
);
text_id!(
    /// Id of a synonym group (cuid2).
    SynonymId
);
text_id!(
    /// Id of a rule (cuid2).
    RuleId
);
text_id!(
    /// Id of a filter (cuid2).
    FilterId
);
text_id!(
    /// Id of a source (cuid2).
    SourceId
);
text_id!(
    /// Id of a proposal (cuid2).
    ProposalId
);
text_id!(
    /// Id of a user of the control panel (cuid2).
    UserId
);
text_id!(
    /// Public id of a one-time link (cuid2).
    LinkId
);
text_id!(
    /// Id of one request, in the header `X-Request-Id` and in the log.
    RequestId
);

/// Number of an index: one per store, type and language, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IndexId(pub i64);

impl std::fmt::Display for IndexId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}
