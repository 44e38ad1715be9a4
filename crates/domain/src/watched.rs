//! Watched queries: those whose results are compared while a configuration is changed (docs/panel.md).

use crate::Language;
use crate::invalid::Invalid;
use crate::limits::{QUERY_CHARACTERS_MAX, REVISION_NOTE_CHARACTERS_MAX, WATCHED_QUERIES_MAX};
use crate::message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A watched query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchedQuery {
    /// The query.
    #[schemars(length(min = 1, max = QUERY_CHARACTERS_MAX))]
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// Why it is watched; empty if nothing is noted.
    #[serde(default)]
    #[schemars(length(max = REVISION_NOTE_CHARACTERS_MAX))]
    pub note: String,
}

/// All watched queries of a store, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchedQueries {
    /// The queries.
    #[schemars(length(max = WATCHED_QUERIES_MAX))]
    pub queries: Vec<WatchedQuery>,
}

impl WatchedQueries {
    /// Trims the queries and checks them.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(mut self) -> Result<Self, Vec<Invalid>> {
        let mut errors = Vec::new();
        let count = self.queries.len();
        if count > WATCHED_QUERIES_MAX {
            let reason = message::list::at_most(WATCHED_QUERIES_MAX, count);
            return Err(vec![Invalid::new("queries", reason)]);
        }
        let mut seen = BTreeSet::new();
        for (at, query) in self.queries.iter_mut().enumerate() {
            query.q = query.q.trim().to_owned();
            query.note = query.note.trim().to_owned();
            if query.q.is_empty() {
                let reason = message::value::empty();
                errors.push(Invalid::new(format!("queries[{at}].q"), reason));
            } else if query.q.contains('\0') || query.note.contains('\0') {
                let field = if query.q.contains('\0') { "q" } else { "note" };
                let reason = message::text::nul();
                errors.push(Invalid::new(format!("queries[{at}].{field}"), reason));
            } else if !seen.insert((query.q.clone(), query.lang.clone())) {
                errors.push(Invalid::new(
                    format!("queries[{at}].q"),
                    message::draft::occurs_twice(),
                ));
            }
        }
        if errors.is_empty() {
            Ok(self)
        } else {
            Err(errors)
        }
    }
}
