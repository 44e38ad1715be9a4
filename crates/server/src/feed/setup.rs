//! Setup of a connector: store, plan, indices, search-only key, declarations of prices and groups.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::input::Input;
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Body, Feeder, NoInput, Success};
use axum::extract::State;
use axum::routing::on;
use domain::Invalid;
use domain::declarations::{
    AccessGroups, Currencies, Declaration, Declared, PriceCountries, PriceTiers,
};
use domain::feed::{
    Connected, IndicesReport, NewIndices, PlanReport, PublicKeyIssued, PublicKeyRequest,
};
use operations::feed::{
    connect as connection, declare as declaring, indices, plan as planned, public_key,
};

/// Rows of the setup.
pub const ROWS: &[OperationRow] = &[
    Route::get("connect_feed", "/feed/connect")
        .handler(|method| on(method, connect))
        .returns::<Connected>(example!("feed/connect.response")),
    Route::post("create_indices", "/feed/indices")
        .handler(|method| on(method, create_indices))
        .body::<NewIndices>(example!("feed/indices.request"))
        .returns::<IndicesReport>(example!("feed/indices.response")),
    Route::post("issue_public_key", "/feed/public-key")
        .handler(|method| on(method, issue_public_key))
        .body::<PublicKeyRequest>(example!("feed/public-key.request"))
        .returns::<PublicKeyIssued>(example!("feed/public-key.response")),
    Route::get("get_plan", "/feed/plan")
        .handler(|method| on(method, plan))
        .returns::<PlanReport>(example!("feed/plan.response")),
    Route::post("declare_currencies", "/feed/currencies")
        .handler(|method| on(method, declare::<Currencies>))
        .body::<Currencies>(example!("feed/currencies.request"))
        .returns::<Declared>(example!("feed/currencies.response")),
    Route::post("declare_price_tiers", "/feed/price-tiers")
        .handler(|method| on(method, declare::<PriceTiers>))
        .body::<PriceTiers>(example!("feed/price-tiers.request"))
        .returns::<Declared>(example!("feed/price-tiers.response")),
    Route::post("declare_price_countries", "/feed/price-countries")
        .handler(|method| on(method, declare::<PriceCountries>))
        .body::<PriceCountries>(example!("feed/price-countries.request"))
        .returns::<Declared>(example!("feed/price-countries.response")),
    Route::post("declare_access_groups", "/feed/access-groups")
        .handler(|method| on(method, declare::<AccessGroups>))
        .body::<AccessGroups>(example!("feed/access-groups.request"))
        .returns::<Declared>(example!("feed/access-groups.response")),
];

/// Implements `Input` for a declaration.
macro_rules! declaration_input {
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

input!(NewIndices, const GZIP: bool = true;);
input!(PublicKeyRequest, const GZIP: bool = true;);
declaration_input!(Currencies);
declaration_input!(PriceTiers);
declaration_input!(PriceCountries);
declaration_input!(AccessGroups);

/// Returns the store and the limits for what is sent.
pub async fn connect(State(app): State<App>, Feeder(caller): Feeder, _: NoInput) -> ApiResult {
    let connected = connection::connect(&app.service, &caller).await?;
    Success::ok("Connected.", &connected)
}

/// Creates missing indices.
pub async fn create_indices(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(new): Body<NewIndices>,
) -> ApiResult {
    let report = indices::create(&app.service, &caller, new).await?;
    let created = report.indices.iter().filter(|i| i.status == "created");
    Success::ok(format!("{} indices created.", created.count()), &report)
}

/// Issues the search-only key for a store's pages.
pub async fn issue_public_key(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(request): Body<PublicKeyRequest>,
) -> ApiResult {
    let issued = public_key::issue(&app.service, &caller, request).await?;
    Success::ok("Key of the store's pages.", &issued)
}

/// Returns the limits of the plan and their usage.
pub async fn plan(State(app): State<App>, Feeder(caller): Feeder, _: NoInput) -> ApiResult {
    let plan = planned::plan(&app.service, &caller).await?;
    Success::ok("Plan.", &plan)
}

/// Replaces a declaration.
pub async fn declare<T: Declaration + Input + Sync>(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(declaration): Body<T>,
) -> ApiResult {
    let declared = declaring::declare(&app.service, &caller, declaration).await?;
    let count = declared.accepted.len();
    Success::ok(format!("{count} {} declared.", T::KIND.as_str()), &declared)
}
