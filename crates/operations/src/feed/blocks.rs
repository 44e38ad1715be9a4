//! `POST /feed/{type}/bulk` and `/delete`: adds, replaces and deletes documents.

use super::age::Age;
use super::pressure::Pressure;
use super::rejections::stored_id;
use super::upsert::{SizedBlock, upsert as store_block};
use super::{FeedCaller, index, index_missing, may_be_stored, writable_store};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{Block, BlockReport, Deletion, DeletionReport, FeedScope};
use domain::limits::BLOCK_DOCUMENTS_MAX;
use domain::{DocType, IndexId, Language, Permit};
use std::collections::{BTreeSet, HashMap};
use storage::{DocumentRow, FeedWrite, IndexState};

/// Adds and replaces the documents of a block. An invalid document never fails its block.
///
/// Of several documents with the same id only the last is accepted.
/// Errors: `Invalid` for an empty block, `TooManyDocuments` above 500; `index_missing`; `Gone` if the run has ended;
/// `PlanLimit` if nothing could be accepted for that reason; `Unavailable` while the index lags too far behind.
pub async fn upsert(
    service: &Service,
    caller: &FeedCaller,
    doc_type: DocType,
    block: Block,
) -> Result<BlockReport, OperationError> {
    let permit = caller.permit(service).await?;
    check_block_size("documents", block.documents.len())?;
    let block = SizedBlock {
        scope: FeedScope {
            doc_type,
            language: language(&block.language)?,
        },
        run: block.run_id,
        documents: block.documents,
    };
    let service = service.clone();
    run_to_completion(async move {
        let (report, _) = store_block(&service, &permit, block, Pressure::Reject).await?;
        Ok(report)
    })
    .await
}

/// Deletes documents, and leaves deletion marks so that an older upsert does not bring them back.
///
/// An id is missing if no language has it, and stale if a language has a newer document.
pub async fn delete(
    service: &Service,
    caller: &FeedCaller,
    doc_type: DocType,
    deletion: Deletion,
) -> Result<DeletionReport, OperationError> {
    let permit = caller.permit(service).await?;
    check_block_size("ids", deletion.ids.len())?;
    let service = service.clone();
    run_to_completion(async move {
        let (indices, report) = mark(&service, &permit, doc_type, deletion).await?;
        for index in &indices {
            service.indexing.changed(permit.store(), *index);
            service.feed.sweeper.marked(permit.store(), *index);
        }
        for index in indices {
            Pressure::Reject.delay(&service.indexing, index).await?;
        }
        Ok(report)
    })
    .await
}

/// Parses the language of a request.
pub(super) fn language(text: &str) -> Result<Language, OperationError> {
    Language::parse(text).map_err(|reason| OperationError::invalid("language", reason))
}

pub(crate) fn check_block_size(field: &'static str, got: usize) -> Result<(), OperationError> {
    check_count(field, got, BLOCK_DOCUMENTS_MAX)
}

pub(super) fn check_count(
    field: &'static str,
    got: usize,
    max: usize,
) -> Result<(), OperationError> {
    match got {
        0 => Err(OperationError::invalid(field, message::value::empty())),
        got if got > max => Err(OperationError::TooManyDocuments { field, max, got }),
        _ => Ok(()),
    }
}

async fn mark(
    service: &Service,
    permit: &Permit<Feed>,
    doc_type: DocType,
    deletion: Deletion,
) -> Result<(Vec<IndexId>, DeletionReport), OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    writable_store(&mut feed).await?;
    let scopes = scopes(&mut feed, doc_type, deletion.languages).await?;
    let rejected: BTreeSet<String> = deletion.ids.iter().map(|id| stored_id(id)).collect();
    let rejected: Vec<&str> = rejected.iter().map(String::as_str).collect();
    // What cannot be an id of a document is missing, and leaves no mark.
    let ids = deletion.ids.iter().map(String::as_str);
    let ids: BTreeSet<&str> = ids.filter(|id| may_be_stored(id)).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut outcome = DeletionOutcome::default();
    let mut indices = Vec::new();
    for scope in &scopes {
        let state = index(&mut feed, scope).await?;
        Pressure::Reject.check(&service.indexing, state.id)?;
        // Read only while the index is locked: a delete that waited is newer than what was written in the meantime.
        let now = service.clock.now();
        let age = Age {
            rev: deletion.rev,
            now,
        };
        let known = feed.documents(&state, &ids).await?;
        let marks = outcome.decide(state, &known, &ids, age);
        let rows: Vec<(&str, &DocumentRow)> = marks.rows.iter().map(|(id, r)| (*id, r)).collect();
        feed.put_documents(state.id, &rows).await?;
        feed.drop_bodies(state.id, &marks.removed).await?;
        feed.forget_rejections(state.id, &rejected).await?;
        feed.save_index(&marks.state, now).await?;
        indices.push(state.id);
    }
    feed.commit().await?;
    Ok((indices, outcome.report(&deletion.ids)))
}

/// Returns the scopes of a request: those of the given languages, or all scopes of the type.
pub(super) async fn scopes(
    feed: &mut FeedWrite,
    doc_type: DocType,
    languages: Option<Vec<Language>>,
) -> Result<Vec<FeedScope>, OperationError> {
    let held = feed.scopes().await?;
    let Some(mut languages) = languages else {
        let of_type = held.into_iter().filter(|scope| scope.doc_type == doc_type);
        return Ok(of_type.collect());
    };
    languages.sort();
    languages.dedup();
    let requested = languages
        .into_iter()
        .map(|language| FeedScope { doc_type, language });
    requested
        .map(|scope| match held.contains(&scope) {
            true => Ok(scope),
            false => Err(index_missing(&scope)),
        })
        .collect()
}

/// Result of a deletion over all languages.
#[derive(Default)]
struct DeletionOutcome {
    deleted: u64,
    found: BTreeSet<String>,
    stale: BTreeSet<String>,
}

/// Rows that a deletion writes into one index.
struct DeletionMarks<'a> {
    state: IndexState,
    rows: Vec<(&'a str, DocumentRow)>,
    removed: Vec<i64>,
}

impl DeletionOutcome {
    fn decide<'a>(
        &mut self,
        state: IndexState,
        known: &HashMap<String, DocumentRow>,
        ids: &[&'a str],
        age: Age,
    ) -> DeletionMarks<'a> {
        let mut marks = DeletionMarks {
            state,
            rows: Vec::with_capacity(ids.len()),
            removed: Vec::new(),
        };
        marks.state.writes += 1;
        for id in ids {
            match known.get(*id) {
                Some(row) if age.is_stale(row.rev) => {
                    if !row.is_mark() {
                        self.found.insert((*id).to_owned());
                        self.stale.insert((*id).to_owned());
                    }
                }
                Some(row) => {
                    if !row.is_mark() {
                        self.found.insert((*id).to_owned());
                        self.deleted += 1;
                    }
                    marks.replace(id, row, age);
                }
                None => marks.add(id, age),
            }
        }
        marks
    }

    fn report(self, ids: &[String]) -> DeletionReport {
        let mut reported = BTreeSet::new();
        let missing = ids
            .iter()
            .filter(|id| !self.found.contains(*id) && reported.insert(id.as_str()))
            .cloned()
            .collect();
        DeletionReport {
            deleted: self.deleted,
            missing,
            stale: self.stale.into_iter().collect(),
        }
    }
}

impl<'a> DeletionMarks<'a> {
    /// Adds the mark of an existing document, or a newer mark in place of an older one.
    fn replace(&mut self, id: &'a str, row: &DocumentRow, age: Age) {
        let mut mark = DocumentRow {
            rev: age.rev(Some(row.rev)),
            written: self.state.writes,
            deleted_at: Some(age.now),
            ..row.clone()
        };
        if !row.is_mark() {
            self.state.sequence += 1;
            self.state.documents -= 1;
            mark.seq = self.state.sequence;
            mark.text_seq = self.state.sequence;
        }
        // The text of a document that a clear or purge removed may still be stored.
        if !row.is_of_no_document() {
            self.removed.push(row.ordinal);
        }
        self.rows.push((id, mark));
    }

    /// Adds the mark of an unknown id, so that an upsert that is still on its way does not create it.
    ///
    /// The search index is not affected, so the mark gets no sequence number and no ordinal of a document: the arrays
    /// in memory are as long as the highest ordinal.
    fn add(&mut self, id: &'a str, age: Age) {
        let mark = DocumentRow {
            ordinal: self.state.next_mark,
            rev: age.rev(None),
            hash: String::new(),
            body_hash: 0,
            text_hash: 0,
            seq: 0,
            text_seq: 0,
            written: self.state.writes,
            seen_run: 0,
            deleted_at: Some(age.now),
            received_at: None,
            clipped: false,
        };
        self.state.next_mark -= 1;
        self.rows.push((id, mark));
    }
}
