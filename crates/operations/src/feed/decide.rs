//! Decides what happens to each document of a block: pure rules over the stored rows.

use super::age::Age;
use super::prepare::PreparedDocument;
use crate::message;
use domain::{Rejection, Timestamp, error_codes};
use std::collections::HashMap;
use storage::{DocumentRow, IndexState};

/// State against which a block is decided.
pub(super) struct Situation<'a> {
    /// Counters of the index before the block.
    pub state: IndexState,
    /// Stored rows of the ids of the block.
    pub known: &'a HashMap<String, DocumentRow>,
    /// Number of the run that sends the block.
    pub run: Option<i64>,
    /// Most documents that the plan allows in the index.
    pub documents_max: Option<u64>,
    /// Current time.
    pub now: Timestamp,
}

/// Everything that a block writes.
pub(super) struct Decision<'a> {
    /// Counters of the index after the block.
    pub state: IndexState,
    /// Documents with the rows to write.
    pub rows: Vec<(&'a PreparedDocument, DocumentRow)>,
    /// Texts to write, by ordinal.
    pub bodies: Vec<(i64, &'a str)>,
    /// Deletion marks that get the ordinal of a document, by id.
    pub numbered: Vec<(&'a str, i64)>,
    /// Ordinals of rows that are only marked as seen by the run.
    pub seen: Vec<i64>,
    /// Number of documents that the run sees for the first time.
    pub newly_seen: i64,
    /// Ids of documents that are older than the stored ones.
    pub stale: Vec<String>,
    /// Documents beyond the limit of the plan.
    pub rejected: Vec<Rejection>,
}

/// Decides a block, document by document in its order.
pub(super) fn decide<'a>(
    situation: &Situation<'_>,
    documents: &'a [PreparedDocument],
) -> Decision<'a> {
    let mut decision = Decision {
        state: situation.state,
        rows: Vec::with_capacity(documents.len()),
        bodies: Vec::with_capacity(documents.len()),
        numbered: Vec::new(),
        seen: Vec::new(),
        newly_seen: 0,
        stale: Vec::new(),
        rejected: Vec::new(),
    };
    decision.state.writes += 1;
    for document in documents {
        let age = Age {
            rev: document.rev,
            now: situation.now,
        };
        let row = situation.known.get(&document.id);
        let rev = age.rev(row.map(|row| row.rev));
        match row {
            Some(row) if age.is_stale(row.rev) => decision.stale(situation, document, row),
            Some(row) if row.is_mark() => decision.insert(situation, document, rev, Some(row)),
            Some(row) => decision.replace(situation, document, rev, row),
            None => decision.insert(situation, document, rev, None),
        }
    }
    decision
}

impl<'a> Decision<'a> {
    /// Skips a document that is older than the stored one; it still counts as sent in its run.
    fn stale(
        &mut self,
        situation: &Situation<'_>,
        document: &'a PreparedDocument,
        row: &DocumentRow,
    ) {
        self.stale.push(document.id.clone());
        if situation.run.is_some_and(|run| run != row.seen_run) {
            self.seen.push(row.ordinal);
            self.newly_seen += 1;
        }
    }

    /// Adds a document that is new, or comes back after it was deleted.
    fn insert(
        &mut self,
        situation: &Situation<'_>,
        document: &'a PreparedDocument,
        rev: i64,
        mark: Option<&DocumentRow>,
    ) {
        let held = u64::try_from(self.state.documents).unwrap_or(0);
        if situation.documents_max.is_some_and(|max| held >= max) {
            self.rejected.push(beyond_plan(document));
            return;
        }
        let known = mark.filter(|row| !row.is_of_no_document());
        let ordinal = known.map_or(self.state.next_ordinal, |row| row.ordinal);
        if known.is_none() {
            self.state.next_ordinal += 1;
            if mark.is_some() {
                self.numbered.push((&document.id, ordinal));
            }
        }
        self.state.documents += 1;
        self.state.sequence += 1;
        let row = DocumentRow {
            ordinal,
            rev,
            hash: document.hash.clone(),
            body_hash: document.body_hash,
            text_hash: document.text_hash,
            seq: self.state.sequence,
            text_seq: self.state.sequence,
            written: self.state.writes,
            seen_run: self.seen_run(situation, mark),
            deleted_at: None,
            received_at: Some(situation.now),
            clipped: document.is_clipped,
        };
        self.rows.push((document, row));
        self.bodies.push((ordinal, &document.body));
    }

    /// Replaces a live document. The sequences advance only as far as something changed.
    fn replace(
        &mut self,
        situation: &Situation<'_>,
        document: &'a PreparedDocument,
        rev: i64,
        row: &DocumentRow,
    ) {
        let mut next = DocumentRow {
            rev,
            hash: document.hash.clone(),
            written: self.state.writes,
            seen_run: self.seen_run(situation, Some(row)),
            received_at: Some(situation.now),
            clipped: document.is_clipped,
            ..row.clone()
        };
        if document.body_hash != row.body_hash {
            self.state.sequence += 1;
            next.body_hash = document.body_hash;
            next.seq = self.state.sequence;
            if document.text_hash != row.text_hash {
                next.text_hash = document.text_hash;
                next.text_seq = self.state.sequence;
            }
            self.bodies.push((row.ordinal, &document.body));
        }
        self.rows.push((document, next));
    }

    fn seen_run(&mut self, situation: &Situation<'_>, row: Option<&DocumentRow>) -> i64 {
        let before = row.map_or(0, |row| row.seen_run);
        match situation.run {
            Some(run) => {
                self.newly_seen += i64::from(run != before);
                run
            }
            None => before,
        }
    }
}

fn beyond_plan(document: &PreparedDocument) -> Rejection {
    let message = message::limit::plan_document();
    Rejection {
        index: document.at,
        id: Some(document.id.clone()),
        code: error_codes::PLAN_LIMIT,
        field: None,
        message: message.text,
        translatable: message.translatable,
    }
}
