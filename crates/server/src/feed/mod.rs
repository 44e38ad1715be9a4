//! The connector's face: the feed operations of one store.
//!
//! An unknown path answers 404 here as everywhere, which tells a connector that the operation is not supported.

mod blocks;
mod runs;
mod setup;

use crate::App;
use axum::Router;
use axum::routing::{get, post};
use domain::DocType;
use domain::declarations::{AccessGroups, Currencies, PriceCountries, PriceTiers};
use setup::declare;

/// The paths of the feed, below `/api/v1`.
pub fn paths() -> Router<App> {
    let paths = Router::new()
        .route("/feed/connect", get(setup::connect))
        .route("/feed/indices", post(setup::create_indices))
        .route("/feed/public-key", post(setup::issue_public_key))
        .route("/feed/plan", get(setup::plan))
        .route("/feed/currencies", post(declare::<Currencies>))
        .route("/feed/price-tiers", post(declare::<PriceTiers>))
        .route("/feed/price-countries", post(declare::<PriceCountries>))
        .route("/feed/access-groups", post(declare::<AccessGroups>))
        .route("/feed/runs", post(runs::open))
        .route("/feed/runs/{runId}", get(runs::get))
        .route("/feed/runs/{runId}/close", post(runs::close))
        .route("/feed/runs/{runId}/abort", post(runs::abort))
        .route("/feed/products/clear", post(blocks::clear))
        .route("/feed/touch", post(runs::touch));
    // Each type has paths of its own, so that a type which does not exist is an unknown path.
    DocType::ALL.into_iter().fold(paths, |paths, doc_type| {
        let base = format!("/feed/{}", doc_type.as_str());
        paths
            .route(
                &format!("{base}/bulk"),
                post(move |app, feeder, account, block| {
                    blocks::upsert(doc_type, app, feeder, account, block)
                }),
            )
            .route(
                &format!("{base}/delete"),
                post(move |app, feeder, deletion| blocks::delete(doc_type, app, feeder, deletion)),
            )
    })
}
