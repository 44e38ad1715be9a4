//! An index on disk: applies batches and publishes each state as an immutable snapshot.

mod local;
mod opening;

use super::memo::MemoBudget;
use super::scale::Scale;
use super::write::fingerprint;
use super::write::{checksums, leftovers};
use crate::columns::{Columns, RowChange};
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::topk::access_memos::AccessMemos;
use crate::embedded::topk::rules::RuleCache;
use crate::embedded::topk::snapshot::EmbeddedSnapshot;
use crate::embedded::topk::static_scores::StaticScoreCache;
use crate::embedded::topk::succession::Succession;
use crate::embedded::write::averages::Averages;
use crate::embedded::write::document_terms::{DocumentTerms, prominence};
use crate::embedded::write::generations::{self, Generation};
use crate::embedded::write::merging::{Ahead, Merging};
use crate::embedded::write::payload::{CommitPayload, CommitProgress};
use crate::embedded::write::schema::SchemaFields;
use crate::embedded::write::seen_terms::SeenTerms;
use crate::indexed_document::IndexedDocument;
use crate::{
    Batch, BatchOutcome, DocumentChange, EngineError, Index, IndexSpec, LocalIndex, Snapshot,
};
use domain::Document;
use parking_lot::{Mutex, RwLock};
use query::{Analyser, CachedAnalyser};
use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy};
use tantivy::{IndexReader, IndexWriter, Term};

/// Memory in bytes in which a writer collects documents before it writes a segment.
const WRITER_BYTES: usize = 128 * 1024 * 1024;

/// An index on disk.
pub(super) struct EmbeddedIndex<S: Scale> {
    spec: IndexSpec,
    generation: Arc<Generation>,
    fields: SchemaFields,
    analyser: Arc<Analyser>,
    /// The analyser of documents that are written, with its cache, and the terms that were seen of them.
    analysing: Mutex<(CachedAnalyser, SeenTerms)>,
    index: tantivy::Index,
    reader: IndexReader,
    progress: Mutex<CommitProgress>,
    writer: Mutex<Option<IndexWriter>>,
    merging: Merging,
    memos: Arc<MemoBudget>,
    published: RwLock<Arc<EmbeddedSnapshot<S>>>,
}

impl<S: Scale> EmbeddedIndex<S> {
    /// The folder of the index.
    pub fn folder(&self) -> &Path {
        self.generation.folder()
    }

    fn current(&self) -> Arc<EmbeddedSnapshot<S>> {
        Arc::clone(&self.published.read())
    }

    fn with_writer<T>(
        &self,
        work: impl FnOnce(&mut IndexWriter) -> tantivy::Result<T>,
    ) -> Result<T, EngineError> {
        let mut held = self.writer.lock();
        if held.is_none() {
            *held = Some(
                self.new_writer()
                    .map_err(EngineError::during("open the writer of an index"))?,
            );
        }
        let writer = held.as_mut().expect("it was opened above");
        let result = work(writer);
        if result.is_err() {
            // A writer that failed once rejects everything, so the next batch opens a new one. A merge of the old writer
            // must not end while the new one works.
            *held = None;
            self.merging.finish();
        }
        result.map_err(EngineError::during("write an index"))
    }

    fn new_writer(&self) -> tantivy::Result<IndexWriter> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .build();
        let writer = self.index.writer_with_options(options)?;
        // The writer holds the lock of the index, so nothing else writes.
        leftovers::remove(&self.index, self.folder())?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(writer)
    }

    /// Starts a merge if one is due; returns whether one is running.
    fn merge(&self, ahead: Ahead) -> Result<bool, EngineError> {
        let mut held = self.writer.lock();
        let Some(writer) = held.as_mut() else {
            return Ok(false);
        };
        let segments = self
            .index
            .searchable_segment_metas()
            .map_err(EngineError::during("list the segments of an index"))?;
        self.merging.start(writer, segments, ahead)
    }

    /// Writes the texts of `changes` and commits them with `progress`; returns the columns after the changes.
    fn commit(
        &self,
        changes: &[DocumentChange],
        progress: CommitProgress,
    ) -> Result<Columns, EngineError> {
        let current = self.current();
        let payload = self.payload(progress, &current.texts.averages)?;
        let mut written: Vec<&DocumentChange> =
            changes.iter().filter(|change| is_new(change)).collect();
        // In their order on disk, so that little has to be moved when the segment is sorted.
        written.sort_by_cached_key(|change| Reverse(change.document.as_ref().map(prominence)));
        let on_disk = self.published_on_disk()?;
        // A deletion is searched for in every segment, so documents that are not in the index are not deleted.
        let may_contain = |ordinal| on_disk.as_ref().is_none_or(|texts| texts.holds(ordinal));
        self.with_writer(|writer| {
            // One by one, so that the writer's thread indexes a document while this one analyses the next.
            for change in written {
                if may_contain(change.ordinal) {
                    writer.delete_term(Term::from_field_u64(
                        self.fields.ordinal,
                        u64::from(change.ordinal),
                    ));
                }
                if let Some(document) = &change.document {
                    let written = self.analysed(document, |terms| {
                        self.fields.document(change.ordinal, terms)
                    });
                    writer.add_document(written)?;
                }
            }
            // Computed while the writer's thread is still indexing.
            let columns = current.columns.with(rows(changes)).compacted();
            commit_with(writer, &payload)?;
            Ok(columns)
        })
    }

    /// The texts on disk, if the published ones are those: not after a merge, nor when a commit could not be read again.
    fn published_on_disk(&self) -> Result<Option<Arc<TextIndex>>, EngineError> {
        let mut on_disk = self
            .index
            .searchable_segment_ids()
            .map_err(EngineError::during("list the segments of an index"))?;
        let texts = Arc::clone(&self.current().texts);
        let mut published: Vec<_> = texts.segments.iter().map(SegmentView::id).collect();
        on_disk.sort_unstable();
        published.sort_unstable();
        Ok((on_disk == published).then_some(texts))
    }

    /// Analyses `document` and passes its terms to `work`.
    fn analysed<T>(&self, document: &Document, work: impl FnOnce(&DocumentTerms<'_>) -> T) -> T {
        let (analyser, seen) = &mut *self.analysing.lock();
        let indexed = IndexedDocument::new(document, analyser);
        work(&DocumentTerms::new(&indexed, self.spec.partial, seen))
    }

    fn payload(
        &self,
        progress: CommitProgress,
        averages: &Averages,
    ) -> Result<String, EngineError> {
        let progress = CommitProgress {
            // So that a storage restored from an older backup never finds the index ahead of it.
            settled: progress.settled.min(progress.watermark),
            ..progress
        };
        CommitPayload::new(&self.spec, progress, averages.clone()).text()
    }

    /// Makes a batch searchable; `last` says whether storage has no more after it.
    fn apply_batch(&self, batch: Batch, last: bool) -> Result<(), EngineError> {
        let before = *self.progress.lock();
        let settled = if last {
            batch.watermark
        } else {
            before.settled
        };
        if !batch.changes.iter().any(is_new) {
            self.publish_numbers(&batch.changes);
            self.progress.lock().settled = settled;
            return Ok(());
        }
        let after = CommitProgress {
            watermark: batch.watermark,
            settled,
            ..before
        };
        let columns = self.commit(&batch.changes, after)?;
        self.publish(self.texts_on_disk(None)?, columns, &batch.changes);
        // Only now: a batch whose texts could not be read again must be applied again as a whole.
        *self.progress.lock() = after;
        if self.current().texts.outdated() {
            self.freeze_averages(0.0)?;
        }
        let ahead = if last { Ahead::Changes } else { Ahead::Batches };
        self.merge(ahead).map(|_| ())
    }

    /// Reads the texts that are on disk now, with the given averages or else the current ones.
    fn texts_on_disk(&self, averages: Option<Averages>) -> Result<Arc<TextIndex>, EngineError> {
        // Card files are opened after the reload. These metas keep the files of their segments from being deleted, even
        // when a running merge replaces them; no other merge starts before this is done.
        let _in_use = (self.index.searchable_segment_metas())
            .map_err(EngineError::during("read the commit of an index"))?;
        self.reader
            .reload()
            .map_err(EngineError::during("reload an index"))?;
        let current = &self.current().texts;
        let searcher = self.reader.searcher();
        let segments = SegmentView::all(&searcher, &self.fields, &current.segments)?;
        let averages = averages.unwrap_or_else(|| current.averages.clone());
        let texts = TextIndex::new(
            searcher,
            segments,
            averages,
            &self.analyser,
            (&self.memos, Some(current)),
        );
        Ok(Arc::new(texts.of(self.spec.partial, &self.generation)))
    }

    /// Publishes the numbers of `changes` together with the texts that are already published.
    fn publish_numbers(&self, changes: &[DocumentChange]) {
        let current = self.current();
        let columns = current.columns.with(rows(changes)).compacted();
        self.publish(Arc::clone(&current.texts), columns, changes);
    }

    /// Publishes `texts` and `columns`, which differ from the previous ones in `changes`, atomically.
    fn publish(&self, texts: Arc<TextIndex>, columns: Columns, changes: &[DocumentChange]) {
        let current = self.current();
        let changed: Vec<u32> = changes.iter().map(|change| change.ordinal).collect();
        let succession = Succession::new(&current.texts, &texts, &changed);
        // Cached results refer to fields and values by number.
        let (static_scores, rules) = if columns.numbers_as(&current.columns) {
            let static_scores = current.static_scores.carried(&succession);
            (static_scores, current.rules.carried(&succession))
        } else {
            (StaticScoreCache::default(), RuleCache::new(&self.memos))
        };
        *self.published.write() = Arc::new(EmbeddedSnapshot {
            texts,
            columns,
            static_scores,
            rules,
            accesses: AccessMemos::new(&self.memos),
        });
    }

    /// Publishes `texts` with the same documents as before.
    fn publish_texts(&self, texts: Arc<TextIndex>) {
        self.publish(texts, self.current().columns.clone(), &[]);
    }
}

impl<S: Scale> Index for EmbeddedIndex<S> {
    fn watermark(&self) -> i64 {
        self.progress.lock().watermark
    }

    fn local(&self) -> Option<&dyn LocalIndex> {
        Some(self)
    }

    fn apply(&self, batch: Batch) -> Result<BatchOutcome, EngineError> {
        self.apply_batch(batch, true)?;
        Ok(BatchOutcome::default())
    }

    fn complete(&self) -> Result<(), EngineError> {
        let complete = CommitProgress {
            building: false,
            ..*self.progress.lock()
        };
        let payload = self.payload(complete, &self.current().texts.averages)?;
        self.with_writer(|writer| commit_with(writer, &payload))?;
        *self.progress.lock() = complete;
        let parent = self.folder().parent();
        parent.map_or(Ok(()), |folder| {
            generations::sync(folder).map_err(EngineError::during("sync the folder of an index"))
        })
    }

    fn retire(&self) {
        self.release();
        self.generation.retire();
    }

    fn clear(&self, watermark: i64) -> Result<(), EngineError> {
        // A running merge is not waited for: it is abandoned when its segments are deleted.
        let averages = Averages::default();
        let progress = CommitProgress {
            watermark,
            settled: watermark,
            ..*self.progress.lock()
        };
        let payload = self.payload(progress, &averages)?;
        self.with_writer(|writer| {
            writer.delete_all_documents()?;
            commit_with(writer, &payload)
        })?;
        *self.published.write() = Arc::new(EmbeddedSnapshot {
            texts: self.texts_on_disk(Some(averages))?,
            columns: Columns::default(),
            static_scores: StaticScoreCache::default(),
            rules: RuleCache::new(&self.memos),
            accesses: AccessMemos::new(&self.memos),
        });
        *self.progress.lock() = progress;
        Ok(())
    }

    fn fingerprint(&self, document: &Document) -> u64 {
        self.analysed(document, fingerprint::of)
    }

    fn reread(&self) -> Result<bool, EngineError> {
        Ok(true)
    }

    fn is_gone(&self) -> bool {
        false
    }

    fn verify(&self) -> Result<(), EngineError> {
        let metas = self
            .index
            .load_metas()
            .map_err(EngineError::during("read the commit of an index"))?;
        checksums::verify(&self.index, &metas).map_err(EngineError::during("check an index"))
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        self.current()
    }
}

/// Whether anything other than the numbers of a document changed.
fn is_new(change: &DocumentChange) -> bool {
    change.document.is_none() || change.texts_changed
}

/// The changes as rows of the columns.
fn rows(changes: &[DocumentChange]) -> impl Iterator<Item = RowChange<'_>> {
    changes.iter().map(|change| RowChange {
        ordinal: change.ordinal,
        document: change.document.as_ref(),
        labels_changed: is_new(change),
    })
}

fn commit_with(writer: &mut IndexWriter, payload: &str) -> tantivy::Result<()> {
    let mut commit = writer.prepare_commit()?;
    commit.set_payload(payload);
    commit.commit()?;
    Ok(())
}
