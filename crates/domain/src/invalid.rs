//! `Invalid`: the error of one value of a request, and `ErrorList`: the errors of one response.

use crate::limits::ERRORS_MAX;
use crate::message::{self, Message, MessageValue, Translatable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The error of one value: its path and the reason.
///
/// Shape: `field` is a path of the request such as `boosts.name` or `documents[3].priceInclTax`.
/// Source: docs/api.md, "Envelope".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invalid {
    /// Path of the value in the request.
    pub field: String,
    /// What is wrong with it, as the end of a sentence that starts with the field.
    pub reason: String,
    /// Key and values of the reason; left out of long lists, whose errors would otherwise not fit into a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Box<Translatable>>,
}

impl Invalid {
    /// Creates the error of `field`.
    pub fn new(field: impl Into<String>, reason: Message) -> Self {
        Self {
            field: field.into(),
            reason: reason.text,
            translatable: Some(reason.translatable),
        }
    }

    /// Returns the error as one message: the path, then the reason.
    pub fn message(&self) -> Message {
        message::value::in_field(&self.field, self.reason())
    }

    fn reason(&self) -> MessageValue {
        match &self.translatable {
            Some(translatable) => MessageValue::nested(&self.reason, translatable),
            None => MessageValue::from(&self.reason),
        }
    }

    /// Puts `prefix.` in front of the path.
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

/// Returns the message of a response about errors: the first one, and how many `others` there are.
pub fn summary(first: Option<&Invalid>, others: usize) -> Message {
    match (first, others) {
        (None, _) => message::value::invalid_request(),
        (Some(only), 0) => only.message(),
        (Some(first), others) => message::value::in_fields(&first.field, first.reason(), others),
    }
}

/// Returns the value that was parsed for `field`, if any; adds the reason to `errors` if it is invalid.
pub fn taken<T>(
    field: &str,
    parsed: Option<Result<T, Message>>,
    errors: &mut Vec<Invalid>,
) -> Option<T> {
    match parsed? {
        Ok(value) => Some(value),
        Err(reason) => {
            errors.push(Invalid::new(field, reason));
            None
        }
    }
}

/// Errors of one request: the first [`ERRORS_MAX`] are kept, the others only counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorList {
    listed: Vec<Invalid>,
    more: usize,
}

impl ErrorList {
    /// Adds an error, which is created only if it is kept.
    pub fn push_with(&mut self, create: impl FnOnce() -> Invalid) {
        if self.listed.len() < ERRORS_MAX {
            self.listed.push(create());
        } else {
            self.more += 1;
        }
    }

    /// Adds `count` errors without a description.
    pub fn count(&mut self, count: usize) {
        self.more += count;
    }

    /// Returns the errors that are kept, at most [`ERRORS_MAX`].
    pub fn listed(&self) -> &[Invalid] {
        &self.listed
    }

    /// Returns the number of errors that are only counted.
    pub fn more(&self) -> usize {
        self.more
    }

    /// Returns whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.more == 0
    }

    /// Appends `others`.
    #[must_use]
    pub fn and(mut self, others: impl Into<Self>) -> Self {
        let others = others.into();
        self.more += others.more;
        self.extend(others.listed);
        self
    }

    /// Puts `prefix.` in front of all paths.
    #[must_use]
    pub fn under(self, prefix: &str) -> Self {
        let listed = self.listed.into_iter();
        Self {
            listed: listed.map(|error| error.under(prefix)).collect(),
            more: self.more,
        }
    }
}

impl Extend<Invalid> for ErrorList {
    fn extend<I: IntoIterator<Item = Invalid>>(&mut self, errors: I) {
        for error in errors {
            self.push_with(|| error);
        }
    }
}

impl FromIterator<Invalid> for ErrorList {
    fn from_iter<I: IntoIterator<Item = Invalid>>(errors: I) -> Self {
        let mut list = Self::default();
        list.extend(errors);
        list
    }
}

impl From<Vec<Invalid>> for ErrorList {
    fn from(mut listed: Vec<Invalid>) -> Self {
        let more = listed.len().saturating_sub(ERRORS_MAX);
        listed.truncate(ERRORS_MAX);
        Self { listed, more }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A list keeps its first errors and counts the others without creating them.

    use super::{ErrorList, Invalid};
    use crate::limits::ERRORS_MAX;
    use crate::message::value;

    #[test]
    fn errors_beyond_the_maximum_are_counted() {
        let mut created = 0;
        let mut list = ErrorList::default();
        for n in 0..ERRORS_MAX + 5 {
            list.push_with(|| {
                created += 1;
                Invalid::new(format!("f{n}"), value::required())
            });
        }
        assert_eq!((created, list.more()), (ERRORS_MAX, 5));
        let both = list
            .and(vec![Invalid::new("last", value::required())])
            .under("query");
        assert_eq!((both.listed().len(), both.more()), (ERRORS_MAX, 6));
        assert_eq!(both.listed()[0].field, "query.f0");
    }
}
