//! Stores a block of documents, of a connector or an import, in one transaction.

use super::decide::{Decision, Situation, decide};
use super::prepare::{PreparedBlock, PreparedDocument, prepare};
use super::pressure::Pressure;
use super::{index, open_run, rejections, runs, writable_store};
use crate::indexing::{Written, WrittenDocument};
use crate::message;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{BlockReport, FeedScope, UnknownFields};
use domain::{Permit, RunId, SentDocuments};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use storage::{DocumentRow, FeedWrite, IndexState, RunRow};

/// A block of a valid size.
pub(crate) struct SizedBlock {
    /// Type and language of the documents.
    pub scope: FeedScope,
    /// The run of the block.
    pub run: Option<RunId>,
    /// The documents.
    pub documents: SentDocuments,
}

/// What the accepted documents of a block changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BlockChanges {
    /// Documents that were not stored before.
    pub new: u64,
    /// Documents whose content differs from what was stored.
    pub changed: u64,
    /// Documents that are as they were stored.
    pub unchanged: u64,
}

/// Stores a block and delays the response while the index lags behind.
pub(crate) async fn upsert(
    service: &Service,
    permit: &Permit<Feed>,
    block: SizedBlock,
    pressure: Pressure,
) -> Result<(BlockReport, BlockChanges), OperationError> {
    let SizedBlock {
        scope,
        run,
        documents,
    } = block;
    let received = documents.len();
    let doc_type = scope.doc_type;
    let prepared = tokio::task::spawn_blocking(move || prepare(doc_type, documents))
        .await
        .map_err(OperationError::internal)?;
    let (written, mut report, changes) =
        store(service, permit, &scope, run.as_ref(), prepared, pressure).await?;
    report.received = received;
    service.feed.accepted.add(report.accepted);
    service.feed.stale.add(report.stale.len());
    service.feed.rejected.add(report.rejected.len());
    let index = written.index;
    service.indexing.written(permit.store(), written);
    pressure.delay(&service.indexing, index).await?;
    Ok((report, changes))
}

async fn store(
    service: &Service,
    permit: &Permit<Feed>,
    scope: &FeedScope,
    run: Option<&RunId>,
    block: PreparedBlock,
    pressure: Pressure,
) -> Result<(Written, BlockReport, BlockChanges), OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    let store = writable_store(&mut feed).await?;
    let run = match run {
        Some(id) => Some(open_run(service, &mut feed, id).await?),
        None => None,
    };
    let state = index(&mut feed, scope).await?;
    pressure.check(&service.indexing, state.id)?;
    let earlier = match &run {
        Some(run) => runs::require_scope(&mut feed, run, state.id, scope).await?,
        None => UnknownFields::default(),
    };
    let ids: Vec<&str> = block.documents.iter().map(|d| d.id.as_str()).collect();
    let known = feed.documents(&state, &ids).await?;
    let situation = Situation {
        state,
        known: &known,
        run: run.as_ref().map(|run| run.number),
        documents_max: store
            .plan
            .max_documents
            .get(scope.doc_type.as_str())
            .copied(),
        now: service.clock.now(),
    };
    let decision = decide(&situation, &block.documents);
    let mut report = report(&block.documents, block.rejected, &decision);
    let beyond_plan =
        report.accepted == 0 && report.stale.is_empty() && !decision.rejected.is_empty();
    // An import continues with its next block, and reports its rejected lines one by one.
    if beyond_plan && pressure == Pressure::Reject {
        return Err(OperationError::PlanLimit {
            message: message::limit::plan_documents(
                scope.doc_type.as_str(),
                scope.language.as_str(),
            ),
            details: json!({"max": situation.documents_max, "documents": state.documents}),
        });
    }
    write(&mut feed, &decision, run.as_ref(), situation.now).await?;
    report.unknown_fields = unknown_fields(&mut feed, &decision, run.as_ref(), earlier).await?;
    let rows = decision.rows.iter();
    let accepted: Vec<&str> = rows.map(|(document, _)| document.id.as_str()).collect();
    let (rejected, now) = (&report.rejected, situation.now);
    rejections::keep(&mut feed, state.id, &accepted, rejected, now).await?;
    feed.commit().await?;
    let written = written(&decision, situation.state);
    let changes = changes(&decision, situation.known);
    Ok((written, report, changes))
}

/// Returns the names of unknown fields of the accepted documents that the run has not returned, and stores them with it.
async fn unknown_fields(
    feed: &mut FeedWrite,
    decision: &Decision<'_>,
    run: Option<&RunRow>,
    mut earlier: UnknownFields,
) -> Result<Vec<String>, OperationError> {
    let mut block = UnknownFields::default();
    for (document, _) in &decision.rows {
        block.add(&document.unknown_fields);
    }
    let new = earlier.take_new(&block);
    if let Some(run) = run.filter(|_| !block.is_empty()) {
        feed.save_unknown_fields(run, decision.state.id, &earlier)
            .await?;
    }
    Ok(new)
}

/// Compares the documents that are written with what was stored.
fn changes(decision: &Decision<'_>, known: &HashMap<String, DocumentRow>) -> BlockChanges {
    let mut changes = BlockChanges::default();
    for (document, row) in &decision.rows {
        match known.get(&document.id).filter(|known| !known.is_mark()) {
            None => changes.new += 1,
            Some(known) if known.body_hash != row.body_hash => changes.changed += 1,
            Some(_) => changes.unchanged += 1,
        }
    }
    changes
}

/// Returns the changes of a block, by the counters `before` it; none if the ordinal of a document is out of range.
fn written(decision: &Decision<'_>, before: IndexState) -> Written {
    let changed = decision
        .rows
        .iter()
        .filter(|(_, row)| row.seq > before.sequence);
    let changes = changed.map(|(document, row)| {
        Some(WrittenDocument {
            ordinal: u32::try_from(row.ordinal).ok()?,
            seq: row.seq,
            text_seq: row.text_seq,
            document: Arc::clone(&document.document),
        })
    });
    Written {
        index: before.id,
        before: before.sequence,
        changes: changes.collect::<Option<_>>().unwrap_or_default(),
    }
}

async fn write(
    feed: &mut FeedWrite,
    decision: &Decision<'_>,
    run: Option<&RunRow>,
    now: domain::Timestamp,
) -> Result<(), OperationError> {
    let index = decision.state.id;
    let rows = decision.rows.iter();
    let rows: Vec<(&str, &DocumentRow)> = rows
        .map(|(document, row)| (document.id.as_str(), row))
        .collect();
    for (id, ordinal) in &decision.numbered {
        feed.number_mark(index, id, *ordinal).await?;
    }
    feed.put_documents(index, &rows).await?;
    feed.put_bodies(index, &decision.bodies).await?;
    if let Some(run) = run {
        feed.mark_seen(&decision.state, run.number, &decision.seen)
            .await?;
        feed.use_run(run, index, decision.newly_seen, now).await?;
    }
    feed.save_index(&decision.state, now).await?;
    Ok(())
}

fn report(
    documents: &[PreparedDocument],
    mut rejected: Vec<domain::Rejection>,
    decision: &Decision<'_>,
) -> BlockReport {
    rejected.extend(decision.rejected.iter().cloned());
    rejected.sort_by_key(|rejection| rejection.index);
    let clipped = (decision.rows.iter()).filter(|(document, _)| document.is_clipped);
    BlockReport {
        received: documents.len(),
        accepted: decision.rows.len(),
        clipped: clipped.count(),
        stale: decision.stale.clone(),
        rejected,
        unknown_fields: Vec::new(),
    }
}
