//! `Precondition`: the state that a write expects to replace.

use crate::OperationError;
use crate::configuration::revisioned::tag;
use domain::audit::{FieldChange, differences};
use serde_json::Value;

/// The state that a write expects (`docs/api.md`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any state: the last write wins.
    #[default]
    None,
    /// One of the states with these entity tags, without quotes.
    ///
    /// The wildcard of HTTP, which matches everything that exists, is [`Self::None`]: what does not exist is not found.
    OneOf(Vec<String>),
}

impl Precondition {
    /// Fails unless a resource with the entity tag `etag` is expected.
    ///
    /// Errors: `Stale`.
    pub(crate) fn require(&self, etag: &str) -> Result<(), OperationError> {
        match self {
            Self::OneOf(tags) if !tags.iter().any(|tag| tag == etag) => Err(OperationError::Stale),
            _ => Ok(()),
        }
    }

    /// Returns the fields in which `after` differs from `before`, the writable content of a resource inside the
    /// transaction that replaces it.
    ///
    /// Errors: `Stale` if `before` is not a state that the write expects.
    pub(crate) fn changes(
        &self,
        before: &Value,
        after: &Value,
    ) -> Result<Vec<FieldChange>, OperationError> {
        match self {
            Self::OneOf(tags) if !tags.contains(&tag(before)) => Err(OperationError::Stale),
            _ => Ok(differences(before, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Without a precondition, or with the tag of the current state among others, a write proceeds.
    //! 2. With other tags, or none, it is stale, whether or not it would change anything.

    use super::*;
    use serde_json::json;

    #[test]
    fn only_an_expected_state_is_replaced() {
        let (before, after) = (json!({"name": "a"}), json!({"name": "b"}));
        let one_of = |tags: &[&str]| {
            let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            Precondition::OneOf(tags)
        };
        let current = tag(&before);
        for good in [Precondition::None, one_of(&["other", &current])] {
            let changes = good.changes(&before, &after).expect("it holds");
            assert_eq!(changes[0].path, "name");
        }
        for bad in [one_of(&[]), one_of(&[&tag(&after)])] {
            for wanted in [&before, &after] {
                let result = bad.changes(&before, wanted);
                assert!(matches!(result, Err(OperationError::Stale)), "{bad:?}");
            }
        }
    }
}
