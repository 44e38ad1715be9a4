//! `POST /feed/runs`: opens or resumes a run.

use super::{accepts_documents, expiry};
use crate::feed::{FeedCaller, index, may_be_stored, writable_store};
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{FeedScope, NewRun, RunOpened, RunOrigin};
use domain::limits::RUN_ID_CHARACTERS_MAX;
use domain::{IndexId, Invalid, Permit, RunId, Timestamp, error_codes};
use serde_json::json;
use storage::{FeedWrite, NewRunRow, RunRow, RunState};

/// Opens a run on its types and languages; the same `clientRunId` resumes the open run.
///
/// Errors: `index_missing`; `run_open` if another run holds a scope; `Gone` if the run of that `clientRunId` has ended.
pub async fn open(
    service: &Service,
    caller: &FeedCaller,
    new: NewRun,
) -> Result<RunOpened, OperationError> {
    let permit = caller.permit(service).await?;
    open_permitted(service, permit, new, RunOrigin::Connector).await
}

/// Opens a run for who may feed the store. One of an import belongs to this process: it ends with it.
pub(crate) async fn open_permitted(
    service: &Service,
    permit: Permit<Feed>,
    new: NewRun,
    origin: RunOrigin,
) -> Result<RunOpened, OperationError> {
    let scopes = scopes(&new)?;
    let row = NewRunRow {
        id: ids::run(),
        client_run_id: new.client_run_id,
        mode: new.mode,
        at: service.clock.now(),
        origin,
        by: Some(permit.actor().clone()),
        process: (origin != RunOrigin::Connector).then(|| service.nodes.process().to_owned()),
    };
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        match feed.run_of_client(&row.client_run_id).await? {
            Some(run) => resume(&service, feed, run).await,
            None => start(feed, row, scopes).await,
        }
    })
    .await
}

async fn resume(
    service: &Service,
    mut feed: FeedWrite,
    run: RunRow,
) -> Result<RunOpened, OperationError> {
    let run = crate::feed::require_open(service, Some(run))?;
    let scopes = feed.run_scopes(&run).await?;
    Ok(RunOpened {
        expires_at: expiry(&run),
        run_id: run.id,
        opened_at: run.opened_at,
        scopes: scopes.into_iter().map(|row| row.scope).collect(),
        resumed: true,
    })
}

async fn start(
    mut feed: FeedWrite,
    row: NewRunRow,
    scopes: Vec<FeedScope>,
) -> Result<RunOpened, OperationError> {
    let now = row.at;
    let mut indices = Vec::with_capacity(scopes.len());
    for scope in &scopes {
        let state = index(&mut feed, scope).await?;
        require_free(&mut feed, state.id, scope, now).await?;
        indices.push(state);
    }
    feed.open_run(&row, &indices).await?;
    feed.commit().await?;
    Ok(RunOpened {
        run_id: row.id,
        opened_at: now,
        expires_at: now.plus_hours(domain::limits::RUN_IDLE_HOURS),
        scopes,
        resumed: false,
    })
}

/// Fails if another run holds the scope. Expired runs are ended.
async fn require_free(
    feed: &mut FeedWrite,
    index: IndexId,
    scope: &FeedScope,
    now: Timestamp,
) -> Result<(), OperationError> {
    for run in feed.open_runs_on(index).await? {
        if now < expiry(&run) && !accepts_documents(&run, scope) {
            continue;
        }
        if now < expiry(&run) {
            return Err(run_open(&run.id, scope));
        }
        feed.end_run(&run, RunState::Expired, run.result.as_ref(), now)
            .await?;
    }
    Ok(())
}

fn run_open(run: &RunId, scope: &FeedScope) -> OperationError {
    OperationError::Conflict {
        code: error_codes::RUN_OPEN,
        message: message::feed::run_open(
            run.as_str(),
            scope.doc_type.as_str(),
            scope.language.as_str(),
        ),
        details: json!({"runId": run, "type": scope.doc_type, "language": scope.language}),
    }
}

/// Returns all pairs of the types and languages, type by type.
fn scopes(new: &NewRun) -> Result<Vec<FeedScope>, OperationError> {
    let mut wrong = Vec::new();
    let characters = new.client_run_id.chars().count();
    if new.client_run_id.is_empty() {
        wrong.push(Invalid::new("clientRunId", message::value::empty()));
    } else if characters > RUN_ID_CHARACTERS_MAX {
        let reason = message::text::at_most(RUN_ID_CHARACTERS_MAX, characters);
        wrong.push(Invalid::new("clientRunId", reason));
    } else if !may_be_stored(&new.client_run_id) {
        let reason = message::text::control();
        wrong.push(Invalid::new("clientRunId", reason));
    }
    if new.types.is_empty() {
        wrong.push(Invalid::new("types", message::store::name_one()));
    }
    if new.languages.is_empty() {
        wrong.push(Invalid::new("languages", message::store::name_one()));
    }
    if !wrong.is_empty() {
        return Err(OperationError::Invalid(wrong));
    }
    let mut scopes = Vec::new();
    for doc_type in &new.types {
        for language in &new.languages {
            let scope = FeedScope {
                doc_type: *doc_type,
                language: language.clone(),
            };
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
    }
    Ok(scopes)
}
