//! Indexing runs.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Feeder, NoInput, OptionalBody, PathId, Success};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::RunId;
use domain::feed::{
    NewRun, Nothing, RunClose, RunClosed, RunOpened, RunView, ScopeStatus, Touch, TouchReport,
};
use operations::feed::runs;

/// Rows of indexing runs.
pub const ROWS: &[OperationRow] = &[
    Route::post("open_run", "/feed/runs")
        .handler(|method| on(method, open))
        .body::<NewRun>(example!("feed/runs.request"))
        .returns::<RunOpened>(example!("feed/runs.response"))
        .statuses(&[200, 201])
        .errors(&[409, 410]),
    Route::get("get_run", "/feed/runs/{runId}")
        .handler(|method| on(method, get))
        .returns::<RunView>(example!("feed/run.response"))
        .errors(&[410]),
    Route::post("touch_documents", "/feed/touch")
        .handler(|method| on(method, touch))
        .body::<Touch>(example!("feed/touch.request"))
        .returns::<TouchReport>(example!("feed/touch.response"))
        .errors(&[409, 410]),
    Route::post("close_run", "/feed/runs/{runId}/close")
        .handler(|method| on(method, close))
        .body::<RunClose>(example!("feed/close.request"))
        .returns::<RunClosed>(example!("feed/close.response"))
        .errors(&[410]),
    Route::post("abort_run", "/feed/runs/{runId}/abort")
        .handler(|method| on(method, abort))
        .optional_body::<Nothing>("{}")
        .returns::<RunView>(example!("feed/abort.response"))
        .errors(&[410]),
];

input!(NewRun, const GZIP: bool = true;);
input!(Touch, const GZIP: bool = true;);
input!(RunClose, const GZIP: bool = true;);
input!(Nothing, const GZIP: bool = true;);

/// Opens a run, or resumes the one with the connector's own id.
pub async fn open(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(run): Body<NewRun>,
) -> ApiResult {
    let opened = runs::open(&app.service, &caller, run).await?;
    let (status, message) = match opened.resumed {
        true => (StatusCode::OK, "Run resumed."),
        false => (StatusCode::CREATED, "Run opened."),
    };
    Success::with_status(status, message, &opened)
}

/// Marks unchanged documents as current.
pub async fn touch(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(touch): Body<Touch>,
) -> ApiResult {
    let report = runs::touch(&app.service, &caller, touch).await?;
    Success::ok(format!("{} documents touched.", report.touched), &report)
}

/// Closes a run and purges documents that it neither sent nor touched.
pub async fn close(
    State(app): State<App>,
    Feeder(caller): Feeder,
    PathId(run): PathId,
    Body(close): Body<RunClose>,
) -> ApiResult {
    let closed = runs::close(&app.service, &caller, &RunId(run), close).await?;
    let purged: u64 = closed.scopes.iter().map(|scope| scope.purged).sum();
    let held = closed
        .scopes
        .iter()
        .filter(|scope| scope.status == ScopeStatus::Held);
    let message = match held.count() {
        0 => format!("Run closed, {purged} documents purged."),
        held => {
            format!("{purged} documents purged, the purge of {held} scopes is held for the owner.")
        }
    };
    Success::ok(message, &closed)
}

/// Aborts a run without a purge.
pub async fn abort(
    State(app): State<App>,
    Feeder(caller): Feeder,
    PathId(run): PathId,
    _: OptionalBody<Nothing>,
) -> ApiResult {
    let run = runs::abort(&app.service, &caller, &RunId(run)).await?;
    Success::ok("Run aborted, nothing was purged.", &run)
}

/// Returns state and counts of a run.
pub async fn get(
    State(app): State<App>,
    Feeder(caller): Feeder,
    PathId(run): PathId,
    _: NoInput,
) -> ApiResult {
    let run = runs::get(&app.service, &caller, &RunId(run)).await?;
    Success::ok("Run.", &run)
}
