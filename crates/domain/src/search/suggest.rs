//! The suggest request, sent at every keystroke (docs/api.md, "Suggest"), and its checks.

use super::{CheckedSearch, Sort, query_error, yes};
use crate::document::DocType;
use crate::form::{LanguageCode, QueryText};
use crate::invalid::Invalid;
use crate::limits::{SESSION_ID_CHARACTERS_MAX, SUGGEST_LIMIT_DEFAULT, SUGGEST_LIMIT_MAX};
use crate::message;
use schemars::JsonSchema;
use serde::Deserialize;

/// Request of `POST /suggest`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuggestRequest {
    /// What was typed so far.
    #[serde(default)]
    #[schemars(with = "QueryText")]
    pub q: String,
    /// Language; the store's default if left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Hits of each type, 1 to 20.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SUGGEST_LIMIT_MAX))]
    pub limit: Option<u32>,
    /// Token with which the shop identifies the shopper; with an invalid one the shopper is anonymous.
    #[serde(default)]
    #[schemars(with = "String")]
    pub visitor: Option<String>,
    /// The shopper's session, in which the keystrokes of one query count as one search.
    #[serde(default)]
    #[schemars(with = "String", length(max = SESSION_ID_CHARACTERS_MAX))]
    pub session_id: Option<String>,
    /// Whether the query counts in the store's statistics.
    #[serde(default = "yes")]
    pub analytics: bool,
}

impl SuggestRequest {
    /// Checks the request and returns the search whose first hits are suggested.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self) -> Result<CheckedSearch, Vec<Invalid>> {
        let mut errors = Vec::from_iter(query_error(&self.q));
        let limit = self.limit.unwrap_or(SUGGEST_LIMIT_DEFAULT);
        if !(1..=SUGGEST_LIMIT_MAX).contains(&limit) {
            let reason = message::number::between(1, SUGGEST_LIMIT_MAX, limit);
            errors.push(Invalid::new("limit", reason));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(CheckedSearch {
            q: self.q,
            lang: self.lang,
            types: vec![DocType::Products, DocType::Categories, DocType::Brands],
            page: 1,
            limit,
            sort: Sort::Relevance,
            choices: Vec::new(),
            facets: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_exact() {
        let check = |q: &str, limit| {
            let request = SuggestRequest {
                q: q.to_owned(),
                limit,
                ..SuggestRequest::default()
            };
            request.check().map(|checked| checked.limit).ok()
        };
        assert_eq!(check("", None), Some(6));
        assert_eq!(check("", Some(20)), Some(20));
        assert_eq!(check("", Some(21)), None);
        assert_eq!(check("", Some(0)), None);
        assert_eq!(check(&"x".repeat(501), None), None);
    }
}
