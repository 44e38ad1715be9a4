//! Why products are where they are, or why they are missing: the first condition that each does not fulfil.

use super::breakdowns::list_the_same_parts;
use super::conditions::{Absence, Condition, conditions};
use crate::search::simulator::SimulationHit;
use crate::search::trial::{Sides, Trial, TrialRequest, TriedQuery};
use crate::{OperationError, Service};
use domain::form::{LanguageCode, QueryText};
use domain::limits::{DOCUMENT_ID_CHARACTERS_MAX, EXPLAINED_IDS_MAX, SEARCH_DEPTH_MAX};
use domain::search::{FilterValue, filters_schema};
use domain::{Caller, StoreId, Translatable};
use engine::Request;
use query::rules::Effects;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Request to explain products.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct ExplainRequest {
    /// The query; empty browses.
    #[serde(default)]
    #[schemars(with = "QueryText")]
    pub q: String,
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// What is tried, when and for whom.
    #[serde(flatten)]
    pub trial: TrialRequest,
    /// Filters that the shopper chose, by field.
    #[serde(default)]
    #[schemars(schema_with = "filters_schema")]
    pub filters: BTreeMap<String, FilterValue>,
    /// Ids of one or two products.
    #[schemars(length(min = 1, max = EXPLAINED_IDS_MAX), inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)))]
    pub ids: Vec<String>,
}

/// A product, explained.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explained {
    /// It is found.
    Hit(Box<SimulationHit>),
    /// It is not.
    Missing {
        /// Its id.
        id: String,
        /// Always false.
        found: bool,
        /// Code of the first condition that it does not fulfil.
        code: &'static str,
        /// The first reason that keeps it out, as the end of a sentence that starts with the product.
        reason: String,
        /// Key and values of the reason.
        translatable: Box<Translatable>,
        /// The conditions that could be determined, in the order in which they are checked.
        conditions: Vec<Condition>,
    },
}

/// Explains one or two products under a draft or a former revision, in the order of the request.
///
/// Errors: as of a preview.
pub async fn explain(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: ExplainRequest,
) -> Result<Vec<Explained>, OperationError> {
    let trial = Trial::open(service, caller, store, request.trial).await?;
    let (lang, ids) = (request.lang, request.ids);
    let asked = (request.q, request.filters, false);
    let work = move || {
        let language = trial.language(lang.as_deref())?;
        let visitor = trial.visitor();
        let sides = Sides::new(trial, [&language])?;
        let query = TriedQuery::new(&sides, asked, language, visitor, SEARCH_DEPTH_MAX)?;
        let effects = query.effects(&sides.tried, sides.at)?;
        let order = query.order(&sides.tried, &effects, query.limit)?;
        let saved = query.effects(&sides.saved, sides.at)?;
        let saved = query.order(&sides.saved, &saved, query.limit)?.ids;
        let one = |id: &String| match order.ids.iter().position(|other| other == id) {
            Some(place) => {
                let saved = saved.iter().position(|other| other == id);
                found(&query, &sides, &effects, (place, saved))
            }
            None => conditions(&query, &sides, &effects, (&order, id))
                .map(|conditions| missing(id.clone(), conditions)),
        };
        let mut explained: Vec<Explained> = ids.iter().map(one).collect::<Result<_, _>>()?;
        list_the_same_parts(&mut explained);
        Ok(explained)
    };
    service.search.scheduler.run(store, work).await
}

fn found(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    (place, saved): (usize, Option<usize>),
) -> Result<Explained, OperationError> {
    let (mut ranking, _) = query.rank(&sides.tried, effects, |request| Request {
        offset: place,
        limit: 1,
        explain: true,
        facets: false,
        ..request
    })?;
    let hit = ranking.found.hits.pop();
    let hit = hit.ok_or_else(|| OperationError::internal("a hit was not found again"))?;
    let saved = saved.map(|saved| saved as u32 + 1);
    let hit = SimulationHit::new(place as u32 + 1, saved, hit);
    Ok(Explained::Hit(Box::new(hit)))
}

/// Returns the explanation of a product that is not found.
fn missing(id: String, conditions: Vec<Condition>) -> Explained {
    let Absence {
        code,
        reason,
        translatable,
        conditions,
    } = Absence::of(conditions);
    Explained::Missing {
        id,
        found: false,
        code,
        reason,
        translatable,
        conditions,
    }
}
