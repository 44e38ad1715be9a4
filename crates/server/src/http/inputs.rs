//! The inputs of all endpoints, each with its schema, size limit and reserved keys.

use super::input::{Input, QueryInput};
use crate::validation::Checker;
use domain::declarations::{AccessGroups, Currencies, Declaration, PriceCountries, PriceTiers};
use domain::feed::{
    Block, Clear, Deletion, NewIndices, NewRun, Nothing, PublicKeyRequest, RunClose, Touch,
};
use domain::filter::{FilterPatch, NewFilter, ValuesQuery};
use domain::limits::{BLOCK_BYTES_MAX, SEARCH_BODY_BYTES_MAX, SUGGEST_BODY_BYTES_MAX};
use domain::relevance::RelevanceChange;
use domain::revision::RevisionQuery;
use domain::rule::{NewRule, RulePatch, RuleQuery};
use domain::search::{FilterField, SearchRequest, SuggestRequest};
use domain::store::StorePatch;
use domain::synonym::{NewSynonym, SynonymImport, SynonymPatch, SynonymQuery};
use domain::widget::{SavedWidget, WidgetPatch};
use domain::{ErrorList, Invalid, SentDocuments};
use operations::simulator::RelevanceTest;
use serde_json::Value;
use std::sync::LazyLock;

/// Implements [`Input`] for a type with its compiled schema; what follows the type goes into the implementation.
macro_rules! input {
    ($type:ty $(, $($more:tt)+)?) => {
        impl Input for $type {
            fn checker() -> &'static Checker {
                static CHECKER: LazyLock<Checker> = LazyLock::new(Checker::of::<$type>);
                &CHECKER
            }
            $($($more)+)?
        }
    };
}

/// Implements [`Input`] for a body of the feed, which may be compressed with gzip.
macro_rules! feed_input {
    ($type:ty) => {
        input! {
            $type,
            const GZIP: bool = true;
        }
    };
}

/// Implements [`Input`] for a declaration of the feed.
macro_rules! declared_input {
    ($type:ty) => {
        input! {
            $type,
            const GZIP: bool = true;
            fn semantic_errors(self) -> Vec<Invalid> {
                errors_of(self.check())
            }
        }
    };
}

input! {
    StorePatch,
    fn reserved(value: &Value) -> ErrorList {
        reserved_except(value, &["name", "devUrl"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}
input!(RelevanceChange);
input!(RelevanceTest);
input!(
    NewSynonym,
    fn semantic_errors(self) -> Vec<Invalid> {
        // Only the operation knows the analyser: terms that differ in lower case may still be duplicates there.
        errors_of(self.check(&|term| term.trim().to_lowercase()))
    }
);
input!(SynonymPatch);
input!(SynonymImport);
input!(
    NewRule,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
);
input!(RulePatch);
input!(
    NewFilter,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check(0, &mut String::new))
    }
);
input!(FilterPatch);
input! {
    WidgetPatch,
    fn reserved(value: &Value) -> ErrorList {
        let keys = value.as_object().into_iter().flatten();
        keys.filter(|(key, _)| matches!(key.as_str(), "customJS" | "customCSS"))
            .map(|(key, _)| Invalid::new(key, "can be changed only in the control panel"))
            .collect()
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(SavedWidget::default().apply(self))
    }
}
input! {
    SearchRequest,
    const BYTES_MAX: usize = SEARCH_BODY_BYTES_MAX;
    fn semantic_errors(self) -> Vec<Invalid> {
        let known = |name: &str| FilterField::parse(name).ok_or_else(FilterField::expected);
        errors_of(self.check(known))
    }
}
input! {
    SuggestRequest,
    const BYTES_MAX: usize = SUGGEST_BODY_BYTES_MAX;
}
feed_input!(NewIndices);
declared_input!(Currencies);
declared_input!(PriceTiers);
declared_input!(PriceCountries);
declared_input!(AccessGroups);
feed_input!(PublicKeyRequest);
input! {
    Block,
    const BYTES_MAX: usize = BLOCK_BYTES_MAX;
    const GZIP: bool = true;
    const READ_LATER: Option<&'static str> = Some("documents");
    fn with_documents(self, documents: SentDocuments) -> Self {
        Self { documents, ..self }
    }
}
feed_input!(Deletion);
feed_input!(Clear);
feed_input!(NewRun);
feed_input!(RunClose);
feed_input!(Touch);
feed_input!(Nothing);

/// Implements [`QueryInput`] for a type with its compiled schema.
macro_rules! query_input {
    ($type:ty) => {
        impl QueryInput for $type {
            fn query_checker() -> &'static Checker {
                static CHECKER: LazyLock<Checker> = LazyLock::new(Checker::of::<$type>);
                &CHECKER
            }
        }
    };
}

query_input!(SynonymQuery);
query_input!(RuleQuery);
query_input!(ValuesQuery);
query_input!(RevisionQuery);

impl QueryInput for SearchRequest {
    fn query_checker() -> &'static Checker {
        // A token in a URL would end up in logs.
        static CHECKER: LazyLock<Checker> =
            LazyLock::new(|| Checker::of_without::<SearchRequest>("visitor"));
        &CHECKER
    }
}

impl QueryInput for SuggestRequest {
    fn query_checker() -> &'static Checker {
        static CHECKER: LazyLock<Checker> =
            LazyLock::new(|| Checker::of_without::<SuggestRequest>("visitor"));
        &CHECKER
    }
}

/// Compiles all schemas, so that no request has to wait for it.
pub fn compile_all() {
    StorePatch::checker();
    RelevanceChange::checker();
    RelevanceTest::checker();
    NewSynonym::checker();
    SynonymPatch::checker();
    SynonymImport::checker();
    SynonymQuery::query_checker();
    NewRule::checker();
    RulePatch::checker();
    NewFilter::checker();
    FilterPatch::checker();
    WidgetPatch::checker();
    ValuesQuery::query_checker();
    RuleQuery::query_checker();
    RevisionQuery::query_checker();
    SearchRequest::checker();
    SearchRequest::query_checker();
    SuggestRequest::checker();
    SuggestRequest::query_checker();
    NewIndices::checker();
    Currencies::checker();
    PriceTiers::checker();
    PriceCountries::checker();
    AccessGroups::checker();
    PublicKeyRequest::checker();
    Block::checker();
    Deletion::checker();
    Clear::checker();
    NewRun::checker();
    RunClose::checker();
    Touch::checker();
    Nothing::checker();
}

/// Returns the errors of a check.
fn errors_of<T>(checked: Result<T, Vec<Invalid>>) -> Vec<Invalid> {
    checked.err().unwrap_or_default()
}

/// Returns an error for each key of `value` that is not in `open`.
fn reserved_except(value: &Value, open: &[&str]) -> ErrorList {
    let mut errors = ErrorList::default();
    for (key, _) in value.as_object().into_iter().flatten() {
        if !open.contains(&key.as_str()) {
            errors.push_with(|| {
                let shown: String = key.chars().take(80).collect();
                Invalid::new(shown, "can be changed only in the control panel")
            });
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_schema_compiles() {
        super::compile_all();
    }
}
