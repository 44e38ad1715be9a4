//! The endpoints of the storefront: the search of a shopper, the ranking behind it as the operator sees it, and the way
//! into the control panel.

use super::DemoStore;
use crate::App;
use crate::http::inputs::input;
use crate::http::{AcceptsGzip, ApiResult, Body, Failure, Success};
use crate::public;
use axum::Extension;
use axum::extract::State;
use axum::response::Redirect;
use domain::access::Identity;
use domain::limits::{LANGUAGE_CHARACTERS_MAX, LANGUAGE_CHARACTERS_MIN, QUERY_CHARACTERS_MAX};
use domain::relevance::BoostMerging;
use domain::search::SearchRequest;
use domain::{Caller, RequestId};
use operations::authenticate;
use operations::people;
use operations::simulator::{self, Json, RelevanceTest};
use schemars::JsonSchema;
use serde::Deserialize;

/// Hits of a ranking: more than the demo has products.
const HITS: u32 = 300;

/// The query whose ranking is explained.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExplainedQuery {
    #[schemars(length(min = 1, max = QUERY_CHARACTERS_MAX))]
    q: String,
    #[schemars(length(min = LANGUAGE_CHARACTERS_MIN, max = LANGUAGE_CHARACTERS_MAX))]
    lang: String,
}

input!(ExplainedQuery);

/// Leads to a new link that enters the control panel as the owner of the demo. The former one ends.
pub async fn enter(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
) -> Result<Redirect, Failure> {
    let panel = demo.panel.ok_or_else(Failure::no_such_path)?;
    let made = people::demo_owner(&app.service, &demo.store).await?;
    Ok(Redirect::to(&panel.link(&made.token)))
}

/// Searches with the demo's search-only key.
pub async fn search(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    accepts: AcceptsGzip,
    Body(request): Body<SearchRequest>,
) -> ApiResult {
    let shopper = authenticate::by_key(&app.service, &demo.search_key).await?;
    public::found(&app, &shopper, request, accepts).await
}

/// Returns the saved ranking of a query with a breakdown of every score.
pub async fn ranking(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    Extension(id): Extension<RequestId>,
    Body(query): Body<ExplainedQuery>,
) -> ApiResult {
    let request = RelevanceTest {
        q: Some(query.q),
        lang: Some(query.lang),
        limit: Some(HITS),
        apply_rules: Some(true),
        ..RelevanceTest::default()
    };
    let mode = BoostMerging::Replace;
    let simulation =
        simulator::test::<Json>(&app.service, &operator(id), &demo.store, request, mode).await?;
    let message = "The ranking as it is saved.";
    let simulation = simulation.data;
    Success::large(message, &simulation, simulation.bytes())
}

/// Returns the caller of the demo's explanations: the operator.
fn operator(RequestId(id): RequestId) -> Caller {
    Caller {
        identity: Identity::Operator {
            name: "demo storefront",
        },
        request_id: Some(id),
        attempt: domain::WriteAttempt::default(),
    }
}
