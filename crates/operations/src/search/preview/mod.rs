//! Previews: queries under a draft or a former revision, beside what is saved (`docs/panel.md`).
//!
//! Each is a function of a snapshot of the store, the draft, an instant and the queries. Nothing of it is saved, cached
//! or logged.

mod badges;
mod breakdowns;
mod conditions;
mod explain;
mod ranked;
mod watched;

pub use badges::Badge;
pub use conditions::Condition;
pub(crate) use conditions::{Absence, conditions};
pub use explain::{ExplainRequest, Explained, explain};
pub use ranked::{Preview, PreviewCard};
pub use watched::{WatchedPreview, WatchedRequest, watched};

pub use crate::search::trial::TrialRequest;

use crate::search::trial::{Sides, Trial, TriedQuery};
use crate::{OperationError, Service};
use domain::form::{LanguageCode, QueryText};
use domain::limits::{PREVIEW_CARDS_DEFAULT, PREVIEW_CARDS_MAX, SIMULATOR_LIMIT_MAX};
use domain::search::{FilterValue, filters_schema};
use domain::{Caller, StoreId};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tokio::time::Instant;

/// Request of a preview.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct PreviewRequest {
    /// The query; empty browses.
    #[serde(default)]
    #[schemars(with = "QueryText")]
    pub q: String,
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Number of positions that are compared, 1 to 500; 500 when left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SIMULATOR_LIMIT_MAX))]
    pub limit: Option<u32>,
    /// What is tried, when and for whom.
    #[serde(flatten)]
    pub trial: TrialRequest,
    /// Filters that the shopper chose, by field.
    #[serde(default)]
    #[schemars(schema_with = "filters_schema")]
    pub filters: BTreeMap<String, FilterValue>,
    /// Whether to return facets.
    #[serde(default)]
    pub facets: bool,
    /// Number of cards, at most 100; 48 when left out.
    #[serde(default)]
    #[schemars(with = "u32", range(max = PREVIEW_CARDS_MAX))]
    pub cards: Option<u32>,
}

/// Ranks a query under a draft or a former revision, and under what is saved.
///
/// Errors: `Invalid` with all invalid values, those of the draft as for a save; `NotFound` for an unknown revision.
pub async fn preview(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: PreviewRequest,
) -> Result<Preview, OperationError> {
    let started = Instant::now();
    let trial = Trial::open(service, caller, store, request.trial).await?;
    let limit = request.limit.unwrap_or(SIMULATOR_LIMIT_MAX);
    let cards = request.cards.unwrap_or(PREVIEW_CARDS_DEFAULT).min(limit);
    let (q, lang, filters, facets) = (request.q, request.lang, request.filters, request.facets);
    let work = move || {
        let language = trial.language(lang.as_deref())?;
        let visitor = trial.visitor();
        let sides = Sides::new(trial, [&language])?;
        let asked = (q, filters, facets);
        let query = TriedQuery::new(&sides, asked, language, visitor, limit)?;
        query.preview(&sides, cards)
    };
    let mut preview = service.search.scheduler.run(store, work).await?;
    preview.took_ms = started.elapsed().as_millis() as u64;
    Ok(preview)
}
