//! The inputs of the interface: which schema, which size and which reserved keys each of them has.

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

/// Gives a type its compiled schema; what follows the type goes into the implementation.
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

/// The same for a body of the feed, which may be packed by gzip.
macro_rules! feed_input {
    ($type:ty) => {
        input! {
            $type,
            const GZIP: bool = true;
        }
    };
}

/// The same for a declaration.
macro_rules! declared_input {
    ($type:ty) => {
        input! {
            $type,
            const GZIP: bool = true;
            fn mistakes(self) -> Vec<Invalid> {
                of(self.check())
            }
        }
    };
}

input! {
    StorePatch,
    fn reserved(value: &Value) -> ErrorList {
        reserved_but(value, &["name", "devUrl"])
    }
    fn mistakes(self) -> Vec<Invalid> {
        of(self.check())
    }
}
input!(RelevanceChange);
input!(RelevanceTest);
input!(
    NewSynonym,
    fn mistakes(self) -> Vec<Invalid> {
        // Which terms are alike is known further down; what differs in lower case may still be refused there.
        of(self.check(&|term| term.trim().to_lowercase()))
    }
);
input!(SynonymPatch);
input!(SynonymImport);
input!(
    NewRule,
    fn mistakes(self) -> Vec<Invalid> {
        of(self.check())
    }
);
input!(RulePatch);
input!(
    NewFilter,
    fn mistakes(self) -> Vec<Invalid> {
        of(self.check(0, &mut String::new))
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
    fn mistakes(self) -> Vec<Invalid> {
        of(SavedWidget::default().apply(self))
    }
}
input! {
    SearchRequest,
    const BYTES_MAX: usize = SEARCH_BODY_BYTES_MAX;
    fn mistakes(self) -> Vec<Invalid> {
        let known = |name: &str| FilterField::parse(name).ok_or_else(FilterField::expected);
        of(self.check(known))
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

/// Gives a type of query parameters its compiled schema.
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
        // A token in an address would end up in logs.
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

/// What a check found wrong.
fn of<T>(checked: Result<T, Vec<Invalid>>) -> Vec<Invalid> {
    checked.err().unwrap_or_default()
}

/// Every key of `value` that is not one of `open`.
fn reserved_but(value: &Value, open: &[&str]) -> ErrorList {
    let mut wrong = ErrorList::default();
    for (key, _) in value.as_object().into_iter().flatten() {
        if !open.contains(&key.as_str()) {
            wrong.push_with(|| {
                let shown: String = key.chars().take(80).collect();
                Invalid::new(shown, "can be changed only in the control panel")
            });
        }
    }
    wrong
}
