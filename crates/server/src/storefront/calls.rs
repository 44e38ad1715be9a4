//! The endpoints of the storefront's script: search as a shopper, test and save relevance as the operator.

use super::DemoStore;
use crate::App;
use crate::http::{ApiResult, Body, Guarded, NoInput, Success};
use crate::public;
use axum::Extension;
use axum::extract::State;
use domain::access::Identity;
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::search::SearchRequest;
use domain::{Caller, RequestId};
use operations::simulator::{self, Json, RelevanceTest};
use operations::{authenticate, relevance};

/// Searches with the demo's search-only key.
pub async fn search(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    Body(request): Body<SearchRequest>,
) -> ApiResult {
    let shopper = authenticate::by_key(&app.service, &demo.search_key).await?;
    public::found(&app, &shopper, request).await
}

/// Simulates a search with provisional relevance.
pub async fn test(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    Extension(id): Extension<RequestId>,
    Body(test): Body<RelevanceTest>,
) -> ApiResult {
    let simulation = simulator::test::<Json>(
        &app.service,
        &panel(id),
        &demo.store,
        test,
        BoostMerging::Replace,
    )
    .await?;
    let message = "Simulation; nothing was saved.";
    Success::large(message, &simulation, simulation.bytes())
}

/// Returns the relevance in effect.
pub async fn relevance(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    Extension(id): Extension<RequestId>,
    _: NoInput,
) -> ApiResult {
    let view = relevance::get(&app.service, &panel(id), &demo.store).await?;
    Success::revisioned("Relevance in effect.", view)
}

/// Saves relevance.
pub async fn save_relevance(
    State(app): State<App>,
    Extension(demo): Extension<DemoStore>,
    Extension(id): Extension<RequestId>,
    Guarded(Body(change), guard): Guarded<Body<RelevanceChange>>,
) -> ApiResult {
    let (service, operator) = (&app.service, panel(id));
    let mode = BoostMerging::Replace;
    let view = relevance::update(service, &operator, &demo.store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", view)
}

/// Returns the caller of the demo's panel: the operator.
fn panel(RequestId(id): RequestId) -> Caller {
    Caller {
        identity: Identity::Operator { name: "demo panel" },
        request_id: Some(id),
    }
}
