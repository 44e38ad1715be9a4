//! The watched queries of a store under a draft: what moves among the first hits of each.

use crate::search::trial::{Sides, Trial, TrialRequest, TriedQuery};
use crate::{OperationError, Service};
use domain::limits::{WATCHED_HITS, WATCHED_PREVIEW_MAX, WATCHED_QUERIES_MAX};
use domain::{Caller, Language, StoreId, access};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Request to preview watched queries.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct WatchedRequest {
    /// What is tried, when and for whom.
    #[serde(flatten)]
    pub trial: TrialRequest,
    /// Index of the first query, from 0.
    #[serde(default)]
    #[schemars(range(max = WATCHED_QUERIES_MAX))]
    pub from: u32,
    /// Number of queries, 1 to 25.
    #[schemars(range(min = 1, max = WATCHED_PREVIEW_MAX))]
    pub count: u32,
}

/// A watched query under a draft.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchedPreview {
    /// The query.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// Hits at another position than the saved one, of the first 10.
    pub moved: usize,
    /// Hits that were not among the first 10.
    pub entered: usize,
    /// Saved hits that are not among the first 10 any more.
    pub left: usize,
    /// Products found.
    pub total: u64,
    /// Products found with what is saved.
    pub saved_total: u64,
}

/// Ranks watched queries of the store under a draft or a former revision, and under what is saved. A query in a language
/// that the store does not have is left out.
///
/// Errors: as of a preview.
pub async fn watched(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: WatchedRequest,
) -> Result<Vec<WatchedPreview>, OperationError> {
    let permit = access::read(caller, store)?;
    let all = service.storage.watched_queries(&permit).await?;
    let trial = Trial::open(service, caller, store, request.trial).await?;
    let visitor = trial.visitor();
    let chosen = all
        .into_iter()
        .skip(request.from as usize)
        .take(request.count as usize);
    let chosen: Vec<(String, Language)> = chosen
        .filter_map(|one| Some((one.q, trial.language(Some(one.lang.as_str())).ok()?)))
        .collect();
    let work = move || {
        let sides = Sides::new(trial, chosen.iter().map(|(_, language)| language))?;
        let one = |(q, language): &(String, Language)| {
            let asked = (q.clone(), BTreeMap::new(), false);
            let (lang, visitor) = (language.clone(), Arc::clone(&visitor));
            let query = TriedQuery::new(&sides, asked, lang, visitor, WATCHED_HITS)?;
            let ([total, saved_total], moves) = query.moves(&sides)?;
            Ok(WatchedPreview {
                q: q.clone(),
                lang: language.clone(),
                moved: moves.moved,
                entered: moves.entered,
                left: moves.left.len(),
                total,
                saved_total,
            })
        };
        chosen.iter().map(one).collect()
    };
    service.search.scheduler.run(store, work).await
}
