//! `Impact`: what a change does to the queries that matter, as responses show it (docs/api.md, "Impact").

use super::sample::SampleSource;
use domain::{Language, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

/// What a change does to a sample of queries, over the first ten hits of each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// Hash of the queries and their weights: two impacts are comparable if theirs are the same.
    pub sample_id: String,
    /// Queries of the sample.
    pub queries: usize,
    /// Queries that were measured.
    pub measured: usize,
    /// Whether all were.
    pub complete: bool,
    /// Why not all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<IncompleteReason>,
    /// Queries of the sample by source.
    pub sources: Sources,
    /// The base.
    pub from: ComparedState,
    /// What is compared with it.
    pub to: ComparedState,
    /// The instant at which rules apply.
    pub at: Timestamp,
    /// The shopper, always `anonymous`.
    pub visitor: &'static str,
    /// Queries that change.
    pub changed: ChangedQueries,
    /// Rank-biased overlap, the mean by weight; left out if nothing was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rbo: Option<f64>,
    /// Hits at another position.
    pub moved: usize,
    /// Hits that were none.
    pub entered: usize,
    /// Hits that are none any more.
    pub left: usize,
    /// Queries that found products and find none.
    pub lost_all_results: usize,
    /// Queries that found none and find products.
    pub gained_results: usize,
    /// Queries with another redirect, or one more or less.
    pub redirect_changed: usize,
    /// The same of watched queries.
    pub watched: WatchedImpact,
    /// Queries that lost all results, up to 20.
    pub lost: Vec<LostQuery>,
    /// Changed queries, those that lost all results first, then those that change most by weight, up to 10.
    pub worst: Vec<ChangedQuery>,
    /// Milliseconds that it took.
    pub took_ms: u64,
}

/// Why an impact is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IncompleteReason {
    /// The time was over.
    Time,
    /// Other impacts were being measured.
    Busy,
}

/// A configuration that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ComparedState {
    /// `saved` or `draft`.
    Named(NamedState),
    /// The state right after this revision.
    Revision(i64),
}

/// A configuration that is no revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NamedState {
    /// What is saved.
    Saved,
    /// What is tried.
    Draft,
}

/// Numbers of queries by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "they are described at the sources")]
pub struct Sources {
    pub watched: usize,
    pub frequent: usize,
    pub without_results: usize,
    pub tail: usize,
    pub catalogue: usize,
}

/// Numbers of changed queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ChangedQueries {
    /// Queries whose first three differ.
    pub top3: usize,
    /// Queries whose first ten differ.
    pub top10: usize,
    /// Share of these by weight; left out if nothing was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// The impact on watched queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchedImpact {
    /// Watched queries that were measured.
    pub queries: usize,
    /// Those whose first three differ.
    #[serde(rename = "changedTop3")]
    pub changed_top3: usize,
    /// Those that lost all results.
    pub lost_all_results: usize,
}

/// A query that lost all results.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are described in docs/api.md")]
pub struct LostQuery {
    pub q: String,
    pub lang: Language,
    pub source: SampleSource,
    pub saved_total: u64,
}

/// A changed query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are described in docs/api.md")]
pub struct ChangedQuery {
    pub q: String,
    pub lang: Language,
    pub source: SampleSource,
    pub weight: f64,
    pub rbo: f64,
    pub total: u64,
    pub saved_total: u64,
    pub moved: usize,
    pub entered: Vec<EnteredHit>,
    pub left: Vec<GoneHit>,
}

/// A hit that was none among the first ten.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EnteredHit {
    /// Its id.
    pub id: String,
    /// Its name, up to 80 characters.
    pub name: String,
    /// Its position.
    pub position: u32,
}

/// A hit that is none any more among the first ten.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoneHit {
    /// Its id.
    pub id: String,
    /// Its name, up to 80 characters.
    pub name: String,
    /// Its position on the base.
    pub saved_position: u32,
}
