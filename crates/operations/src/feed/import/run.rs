//! The run of a complete import: unchanged documents are touched, those of rejected rows kept, missing ones purged.

use super::permit;
use crate::feed::blocks::check_count;
use crate::feed::runs::{
    abort_permitted, close_permitted, expiry, open_permitted, require_scope, touch_permitted,
};
use crate::feed::{index, indices, may_be_stored, open_run, writable_store};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::{Identity, SOURCE_JOB};
use domain::feed::{
    FeedScope, NewRun, RunClose, RunClosed, RunMode, RunOpened, RunOrigin, RunView, ScopeClose,
    Touch, TouchItem, TouchReport,
};
use domain::limits::{RUNS_LISTED_MAX, TOUCH_ITEMS_MAX};
use domain::{Caller, DocType, Language, RunId, StoreId};
use serde::{Deserialize, Serialize};
use storage::{RunRow, RunState};

/// What the ids that imports give to their runs begin with.
const CLIENT_PREFIX: &str = "import-";
/// Milliseconds without a call after which the command of a run, whose process is that of the server, counts as killed.
const LEFT_AFTER_MS: i64 = 120_000;

/// Type and language of a complete import.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportScope {
    /// Store of the documents.
    pub store: StoreId,
    /// Type of the documents.
    pub doc_type: DocType,
    /// Language of the documents.
    pub language: Language,
}

impl ImportScope {
    fn scope(&self) -> FeedScope {
        FeedScope {
            doc_type: self.doc_type,
            language: self.language.clone(),
        }
    }
}

/// Opens the run of a complete import; creates the index if it is missing.
///
/// Errors: `run_open` if another run holds the scope.
pub async fn open(
    service: &Service,
    caller: &Caller,
    of: ImportScope,
    client_run_id: String,
) -> Result<RunOpened, OperationError> {
    let permit = permit(caller, &of.store)?;
    indices::ensure(service, &permit, &of.scope()).await?;
    abort_left_over(service, caller, &of).await?;
    let new = NewRun {
        client_run_id: format!("{CLIENT_PREFIX}{client_run_id}"),
        mode: RunMode::Full,
        types: vec![of.doc_type],
        languages: vec![of.language],
    };
    open_permitted(service, permit, new, origin(caller)).await
}

/// Returns what opens a run on behalf of `caller`.
fn origin(caller: &Caller) -> RunOrigin {
    match &caller.identity {
        Identity::User(_) => RunOrigin::Import,
        Identity::Operator { name } if *name == SOURCE_JOB => RunOrigin::Source,
        Identity::Operator { .. } | Identity::Key(_) => RunOrigin::Command,
    }
}

/// Ends the runs of earlier imports of the scope that hold back a purge, or whose process or command was killed: the file
/// that is imported now says anew what the shop has.
async fn abort_left_over(
    service: &Service,
    caller: &Caller,
    of: &ImportScope,
) -> Result<(), OperationError> {
    let scope = of.scope();
    let permit = permit(caller, &of.store)?;
    let now = service.clock.now();
    let runs = service.storage.runs_of(&permit, RUNS_LISTED_MAX).await?;
    let of_imports = runs.into_iter().filter(|(run, scopes)| {
        let is_of_scope = scopes.iter().any(|covered| covered.scope == scope);
        let is_open = run.state == RunState::Open && now < expiry(run);
        run.origin != RunOrigin::Connector && is_of_scope && is_open
    });
    let of_imports: Vec<RunRow> = of_imports.map(|(run, _)| run).collect();
    let processes = of_imports.iter().filter_map(|run| run.process.clone());
    let ended = service
        .nodes
        .ended(&service.storage, processes.collect())
        .await?;
    for run in of_imports {
        let is_held = run.result.is_some();
        let is_idle = run.last_used_at.0 + LEFT_AFTER_MS < now.0;
        let has_ended = run.process.is_some_and(|process| ended.contains(&process));
        if is_held || is_idle || has_ended {
            abort_permitted(service, permit.clone(), run.id).await?;
        }
    }
    Ok(())
}

/// Marks documents, by id and hash, whose hash is the stored one; reports the others, which the import then sends.
pub async fn touch(
    service: &Service,
    caller: &Caller,
    of: ImportScope,
    run: RunId,
    hashes: Vec<(String, String)>,
) -> Result<TouchReport, OperationError> {
    let permit = permit(caller, &of.store)?;
    check_count("items", hashes.len(), TOUCH_ITEMS_MAX)?;
    let items = hashes.into_iter();
    let touch = Touch {
        run_id: run,
        doc_type: of.doc_type,
        language: of.language.to_string(),
        items: items.map(|(id, hash)| TouchItem { id, hash }).collect(),
    };
    let service = service.clone();
    run_to_completion(async move { touch_permitted(&service, &permit, &of.scope(), &touch).await })
        .await
}

/// Marks stored documents as seen, whatever they are; returns how many the run had not seen.
pub async fn keep(
    service: &Service,
    caller: &Caller,
    of: ImportScope,
    run: RunId,
    ids: Vec<String>,
) -> Result<u64, OperationError> {
    let permit = permit(caller, &of.store)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        let run = open_run(&service, &mut feed, &run).await?;
        let scope = of.scope();
        let state = index(&mut feed, &scope).await?;
        require_scope(&mut feed, &run, state.id, &scope).await?;
        let ids: Vec<&str> = ids
            .iter()
            .map(String::as_str)
            .filter(|id| may_be_stored(id))
            .collect();
        let known = feed.documents(&state, &ids).await?;
        let unseen = known
            .values()
            .filter(|row| !row.is_mark() && row.seen_run != run.number);
        let ordinals: Vec<i64> = unseen.map(|row| row.ordinal).collect();
        feed.mark_seen(&state, run.number, &ordinals).await?;
        let count = ordinals.len();
        let newly = i64::try_from(count).unwrap_or(i64::MAX);
        feed.use_run(&run, state.id, newly, service.clock.now())
            .await?;
        feed.commit().await?;
        Ok(count as u64)
    })
    .await
}

/// Closes the run, which saw `seen` documents: purges those that it did not see, unless the breaker holds that back.
pub async fn close(
    service: &Service,
    caller: &Caller,
    of: ImportScope,
    run: RunId,
    seen: u64,
) -> Result<RunClosed, OperationError> {
    let permit = permit(caller, &of.store)?;
    let close = RunClose {
        scopes: vec![ScopeClose {
            doc_type: of.doc_type,
            language: of.language,
            sent: seen,
            touched: 0,
            dropped: 0,
            allow_empty: false,
        }],
        confirm_purge: false,
    };
    let service = service.clone();
    run_to_completion(async move { close_permitted(&service, &permit, &run, &close).await }).await
}

/// Ends the run without a purge.
pub async fn abort(
    service: &Service,
    caller: &Caller,
    of: ImportScope,
    run: RunId,
) -> Result<RunView, OperationError> {
    let permit = permit(caller, &of.store)?;
    abort_permitted(service, permit, run).await
}
