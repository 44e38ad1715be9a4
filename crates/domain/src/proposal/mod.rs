//! Proposals: changes of a configuration that a key proposes and a person decides about (docs/api.md, "Proposals").

mod edit;
mod request;

pub use edit::{Merged, ProposedEdit};
pub use request::{
    ApplyRequest, NamedProposal, NewProposal, ProposalQuery, ProposalRequest, ProposedContent,
    ProposedRestore, RejectRequest,
};

use crate::limits::{ENDED_PROPOSAL_MS, PROPOSAL_OPEN_MS};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proposal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProposalKind {
    /// Changes of the configuration.
    Draft,
    /// A former state of the configuration.
    Restore,
    /// The watched queries.
    Watched,
    /// The queries that are never suggested.
    HiddenQueries,
}

/// What has become of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProposalState {
    /// Nobody has decided about it.
    Open,
    /// A person applied it, or a part of it.
    Applied,
    /// A person rejected it.
    Rejected,
    /// Its key took it back.
    Withdrawn,
    /// Nobody decided about it in time.
    Expired,
}

/// How much of a proposal was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// All of it.
    Whole,
    /// Some of it.
    Part,
    /// Something else was saved in its place.
    Changed,
    /// Everything was as proposed already.
    Unchanged,
}

macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns its name in the API and in the database.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// Returns the one with this name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == name)
            }
        }
    };
}

named!(ProposalKind {
    Draft = "draft",
    Restore = "restore",
    Watched = "watched",
    HiddenQueries = "hiddenQueries",
});
named!(ProposalState {
    Open = "open",
    Applied = "applied",
    Rejected = "rejected",
    Withdrawn = "withdrawn",
    Expired = "expired",
});

/// Returns until when a proposal that was created at `created` can be decided about.
pub fn open_until(created: Timestamp) -> Timestamp {
    Timestamp(created.0.saturating_add(PROPOSAL_OPEN_MS))
}

/// Returns the instant since when a proposal may have ended that is still kept at `now`.
pub fn kept_since(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_sub(ENDED_PROPOSAL_MS))
}

#[cfg(test)]
mod tests {
    //! 1. Names in the API and in the database are the same.

    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_those_of_the_api() {
        for kind in ProposalKind::ALL {
            assert_eq!(json!(kind), kind.as_str());
            assert_eq!(ProposalKind::parse(kind.as_str()), Some(*kind));
        }
        for state in ProposalState::ALL {
            assert_eq!(json!(state), state.as_str());
            assert_eq!(ProposalState::parse(state.as_str()), Some(*state));
        }
    }
}
