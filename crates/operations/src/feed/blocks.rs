//! `POST /feed/{type}/bulk` and `/delete`: documents come and go.

use super::age::Age;
use super::pressure::Pressure;
use super::upsert::{SizedBlock, upsert as store_block};
use super::{FeedCaller, index, index_missing, writable_store};
use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{Block, BlockReport, Deletion, DeletionReport, FeedScope};
use domain::limits::BLOCK_DOCUMENTS_MAX;
use domain::{DocType, IndexId, Language, Permit};
use std::collections::{BTreeSet, HashMap};
use storage::{DocumentRow, FeedWrite, IndexState};

/// Adds and replaces the documents of a block; what is wrong with one never fails the block.
///
/// Of several documents with one id only the later is accepted.
/// Errors: an empty block or one above 500; `index_missing`; gone when the run has ended; plan limit when nothing
/// could be accepted for that reason; unavailable while the index lags too far behind.
pub async fn upsert(
    service: &Service,
    caller: &FeedCaller,
    doc_type: DocType,
    block: Block,
) -> Result<BlockReport, OperationError> {
    let permit = caller.permit(service).await?;
    sized("documents", block.documents.len())?;
    let block = SizedBlock {
        scope: FeedScope {
            doc_type,
            language: language(&block.language)?,
        },
        run: block.run_id,
        documents: block.documents,
    };
    let service = service.clone();
    to_the_end(async move { store_block(&service, &permit, block, Pressure::Refuse).await }).await
}

/// Deletes documents, and keeps marks so that an older upsert does not bring them back.
///
/// An id is missing when no language has it, and stale when a language has a newer document.
pub async fn delete(
    service: &Service,
    caller: &FeedCaller,
    doc_type: DocType,
    deletion: Deletion,
) -> Result<DeletionReport, OperationError> {
    let permit = caller.permit(service).await?;
    sized("ids", deletion.ids.len())?;
    let service = service.clone();
    to_the_end(async move {
        let (indices, report) = mark(&service, &permit, doc_type, deletion).await?;
        for index in &indices {
            service.indexing.changed(permit.store(), *index);
            service.sweeper.marked(permit.store(), *index);
        }
        for index in indices {
            Pressure::Refuse.delay(&service, index).await?;
        }
        Ok(report)
    })
    .await
}

/// The language that a request names.
pub(super) fn language(text: &str) -> Result<Language, OperationError> {
    Language::parse(text).map_err(|reason| OperationError::invalid("language", reason))
}

pub(crate) fn sized(field: &'static str, got: usize) -> Result<(), OperationError> {
    bounded(field, got, BLOCK_DOCUMENTS_MAX)
}

pub(super) fn bounded(field: &'static str, got: usize, max: usize) -> Result<(), OperationError> {
    match got {
        0 => Err(OperationError::invalid(field, "must not be empty")),
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
    let ids: BTreeSet<&str> = deletion.ids.iter().map(String::as_str).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut outcome = DeletionOutcome::default();
    let mut indices = Vec::new();
    for scope in &scopes {
        let state = index(&mut feed, scope).await?;
        Pressure::Refuse.check(service, state.id)?;
        // Taken only while the index is held: a delete that waited is newer than what was written meanwhile.
        let now = service.clock.now();
        let age = Age {
            rev: deletion.rev,
            now,
        };
        let known = feed.documents(&state, &ids).await?;
        let marks = outcome.decide(state, &known, &ids, age);
        let rows: Vec<(&str, &DocumentRow)> = marks.rows.iter().map(|(id, r)| (*id, r)).collect();
        feed.put_documents(state.id, &rows).await?;
        feed.drop_bodies(state.id, &marks.gone).await?;
        feed.save_index(&marks.state, now).await?;
        indices.push(state.id);
    }
    feed.commit().await?;
    Ok((indices, outcome.report(&deletion.ids)))
}

/// The scopes of a request: those of the languages named, or all that the store has of the type.
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
    let wanted = languages
        .into_iter()
        .map(|language| FeedScope { doc_type, language });
    wanted
        .map(|scope| match held.contains(&scope) {
            true => Ok(scope),
            false => Err(index_missing(&scope)),
        })
        .collect()
}

/// What a deletion found, over all languages.
#[derive(Default)]
struct DeletionOutcome {
    deleted: u64,
    found: BTreeSet<String>,
    stale: BTreeSet<String>,
}

/// What a deletion writes into one index.
struct DeletionMarks<'a> {
    state: IndexState,
    rows: Vec<(&'a str, DocumentRow)>,
    gone: Vec<i64>,
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
            gone: Vec::new(),
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
        let mut told = BTreeSet::new();
        let missing = ids
            .iter()
            .filter(|id| !self.found.contains(*id) && told.insert(id.as_str()))
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
    /// The mark of a document that is there, or a newer mark in place of an older one.
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
        // The text of a document that a clear or purge took out may still be there.
        if !row.is_of_no_document() {
            self.gone.push(row.ordinal);
        }
        self.rows.push((id, mark));
    }

    /// The mark of an id that was never seen: an upsert that is still on its way must not bring it in.
    ///
    /// The search index has nothing to do for it, so it gets no sequence number, and no number of a document: the
    /// numbers in memory are as many as the highest of those.
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
        };
        self.state.next_mark -= 1;
        self.rows.push((id, mark));
    }
}
