//! The inputs of the interface: which schema, which size and which reserved keys each of them has.

use super::input::{Input, QueryInput};
use crate::validation::Checker;
use domain::Invalid;
use domain::feed::{Block, Deletion, NewIndices, NewRun, PublicKeyRequest, RunClose, Touch};
use domain::limits::BLOCK_BYTES_MAX;
use domain::relevance::RelevanceChange;
use domain::search::SearchRequest;
use domain::store::StorePatch;
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

input!(
    StorePatch,
    fn reserved(value: &Value) -> Vec<Invalid> {
        reserved_but(value, &["name", "devUrl"])
    }
);
input!(RelevanceChange);
input!(RelevanceTest);
input!(SearchRequest);
input!(NewIndices);
input!(PublicKeyRequest);
input!(Block, const BYTES_MAX: usize = BLOCK_BYTES_MAX;);
input!(Deletion);
input!(NewRun);
input!(RunClose);
input!(Touch);

impl QueryInput for SearchRequest {
    fn query_checker() -> &'static Checker {
        // A token in an address would end up in logs.
        static CHECKER: LazyLock<Checker> =
            LazyLock::new(|| Checker::of_without::<SearchRequest>("visitor"));
        &CHECKER
    }
}

/// Compiles every schema, so that no request has to wait for it.
pub fn compile_all() {
    StorePatch::checker();
    RelevanceChange::checker();
    RelevanceTest::checker();
    SearchRequest::checker();
    SearchRequest::query_checker();
    NewIndices::checker();
    PublicKeyRequest::checker();
    Block::checker();
    Deletion::checker();
    NewRun::checker();
    RunClose::checker();
    Touch::checker();
}

/// Every key of `value` that is not one of `open`.
fn reserved_but(value: &Value, open: &[&str]) -> Vec<Invalid> {
    let keys = value.as_object().into_iter().flatten();
    keys.filter(|(key, _)| !open.contains(&key.as_str()))
        .map(|(key, _)| {
            let shown: String = key.chars().take(80).collect();
            Invalid::new(shown, "can be changed only in the control panel")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_schema_compiles() {
        super::compile_all();
    }
}
