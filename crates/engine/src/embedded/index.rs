//! One index on disk: applies batches and publishes what can be searched as one immutable snapshot.

use super::averages::Averages;
use super::merging::Merging;
use super::schema::{FORMAT, Fields, tokenizers};
use super::segment::SegmentView;
use super::snapshot::{EmbeddedSnapshot, Texts};
use crate::columns::{Columns, RowChange};
use crate::indexed_document::IndexedDocument;
use crate::{Batch, Change, EngineError, Index, IndexSpec, Snapshot};
use parking_lot::{Mutex, RwLock};
use query::Analyser;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy};
use tantivy::{IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, Term};

/// Bytes of memory in which one writer collects documents before it writes a segment.
const WRITER_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of a block of cards, the least that is read and unpacked for one hit.
const CARD_BLOCK_BYTES: usize = 4 * 1024;

/// What stands in the payload of every commit.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Payload {
    format: u32,
    identity: String,
    language: String,
    watermark: i64,
    averages: Averages,
}

/// One index on disk.
pub(super) struct EmbeddedIndex {
    identity: String,
    language: String,
    fields: Fields,
    analyser: Arc<Analyser>,
    index: tantivy::Index,
    reader: IndexReader,
    watermark: AtomicI64,
    writer: Mutex<Option<IndexWriter>>,
    merging: Merging,
    published: RwLock<Arc<EmbeddedSnapshot>>,
}

impl EmbeddedIndex {
    /// The index in `folder`; none when there is none or it belongs to another storage or format.
    pub fn open(spec: &IndexSpec, folder: &Path) -> Result<Option<Self>, EngineError> {
        if !folder.join("meta.json").exists() {
            return Ok(None);
        }
        let index =
            tantivy::Index::open_in_dir(folder).map_err(EngineError::during("open an index"))?;
        let metas = index
            .load_metas()
            .map_err(EngineError::during("read an index's commit"))?;
        let payload: Option<Payload> = metas
            .payload
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        match payload {
            Some(payload)
                if payload.format == FORMAT
                    && payload.identity == spec.identity
                    && payload.language == spec.language.base() =>
            {
                Self::over(spec, index, payload.watermark, payload.averages).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A new, empty index in `folder`.
    pub fn create(spec: &IndexSpec, folder: &Path) -> Result<Self, EngineError> {
        std::fs::create_dir_all(folder).map_err(EngineError::during("make an index's folder"))?;
        let settings = IndexSettings {
            docstore_blocksize: CARD_BLOCK_BYTES,
            ..Default::default()
        };
        let index = tantivy::Index::builder()
            .schema(Fields::new().schema)
            .settings(settings)
            .create_in_dir(folder)
            .map_err(EngineError::during("make an index"))?;
        Self::over(spec, index, 0, Averages::default())
    }

    fn over(
        spec: &IndexSpec,
        mut index: tantivy::Index,
        watermark: i64,
        averages: Averages,
    ) -> Result<Self, EngineError> {
        index.set_tokenizers(tokenizers());
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(EngineError::during("read an index"))?;
        let fields = Fields::new();
        let analyser = Arc::new(Analyser::new(&spec.language));
        let searcher: Searcher = reader.searcher();
        let segments = views(&searcher, &fields, &[])?;
        let texts = Texts::new(searcher, segments, averages, &analyser, fields.card);
        let snapshot = EmbeddedSnapshot {
            texts: Arc::new(texts),
            columns: Columns::default(),
        };
        Ok(Self {
            identity: spec.identity.clone(),
            language: spec.language.base().to_owned(),
            fields,
            analyser,
            index,
            reader,
            watermark: AtomicI64::new(watermark),
            writer: Mutex::new(None),
            merging: Merging::default(),
            published: RwLock::new(Arc::new(snapshot)),
        })
    }

    fn current(&self) -> Arc<EmbeddedSnapshot> {
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
                    .map_err(EngineError::during("open an index's writer"))?,
            );
        }
        let writer = held.as_mut().expect("it was put there above");
        let done = work(writer);
        if done.is_err() {
            // A writer that failed once refuses everything, so the next batch starts with a new one.
            *held = None;
        }
        done.map_err(EngineError::during("write an index"))
    }

    fn new_writer(&self) -> tantivy::Result<IndexWriter> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .build();
        let writer = self.index.writer_with_options(options)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(writer)
    }

    /// Starts a merge where one is due; tells whether one is under way.
    fn merge(&self, at_rest: bool) -> Result<bool, EngineError> {
        let mut held = self.writer.lock();
        let Some(writer) = held.as_mut() else {
            return Ok(false);
        };
        let segments = self
            .index
            .searchable_segment_metas()
            .map_err(EngineError::during("look at segments"))?;
        self.merging.start(writer, segments, at_rest)
    }

    /// Writes the texts of `changes` and commits them with `watermark`.
    fn commit(&self, changes: &[Change], watermark: i64) -> Result<(), EngineError> {
        let payload = self.payload(watermark, &self.current().texts.averages)?;
        let documents = self.analysed(changes)?;
        self.with_writer(|writer| {
            for (ordinal, document) in documents {
                writer.delete_term(Term::from_field_u64(
                    self.fields.ordinal,
                    u64::from(ordinal),
                ));
                if let Some(document) = document {
                    writer.add_document(document)?;
                }
            }
            commit_with(writer, &payload)
        })
    }

    fn analysed(
        &self,
        changes: &[Change],
    ) -> Result<Vec<(u32, Option<tantivy::TantivyDocument>)>, EngineError> {
        let written = changes
            .iter()
            .filter(|change| change.document.is_none() || change.texts_changed);
        written
            .map(|change| {
                let document = change
                    .document
                    .as_ref()
                    .map(|document| IndexedDocument::new(document, &self.analyser))
                    .map(|indexed| self.fields.document(change.ordinal, &indexed))
                    .transpose()
                    .map_err(EngineError::during("write a card"))?;
                Ok((change.ordinal, document))
            })
            .collect()
    }

    fn payload(&self, watermark: i64, averages: &Averages) -> Result<String, EngineError> {
        let payload = Payload {
            format: FORMAT,
            identity: self.identity.clone(),
            language: self.language.clone(),
            watermark,
            averages: averages.clone(),
        };
        serde_json::to_string(&payload).map_err(EngineError::during("write a commit's payload"))
    }

    /// What is on disk now, under other averages where some are given.
    fn texts_on_disk(&self, averages: Option<Averages>) -> Result<Arc<Texts>, EngineError> {
        self.reader
            .reload()
            .map_err(EngineError::during("reload an index"))?;
        let current = &self.current().texts;
        let searcher = self.reader.searcher();
        let segments = views(&searcher, &self.fields, &current.segments)?;
        let averages = averages.unwrap_or_else(|| current.averages.clone());
        let texts = Texts::new(
            searcher,
            segments,
            averages,
            &self.analyser,
            self.fields.card,
        );
        Ok(Arc::new(texts))
    }

    /// Publishes `texts` together with the numbers of `changes`, as a whole.
    fn publish(&self, texts: Arc<Texts>, changes: &[Change]) {
        let rows = changes.iter().map(|change| RowChange {
            ordinal: change.ordinal,
            document: change.document.as_ref(),
            labels_changed: change.document.is_none() || change.texts_changed,
        });
        let columns = self.current().columns.with(rows);
        *self.published.write() = Arc::new(EmbeddedSnapshot { texts, columns });
    }
}

impl Index for EmbeddedIndex {
    fn watermark(&self) -> i64 {
        self.watermark.load(Ordering::Acquire)
    }

    fn load(&self, documents: Vec<Change>) -> Result<(), EngineError> {
        self.publish(Arc::clone(&self.current().texts), &documents);
        Ok(())
    }

    fn apply(&self, batch: Batch) -> Result<(), EngineError> {
        let new_texts = |change: &Change| change.document.is_none() || change.texts_changed;
        if !batch.changes.iter().any(new_texts) {
            self.publish(Arc::clone(&self.current().texts), &batch.changes);
            return Ok(());
        }
        self.commit(&batch.changes, batch.watermark)?;
        self.publish(self.texts_on_disk(None)?, &batch.changes);
        // Only now: a batch whose texts could not be read again is applied once more as a whole.
        self.watermark.store(batch.watermark, Ordering::Release);
        if self.current().texts.outdated() {
            self.freeze_averages()?;
        }
        self.merge(false).map(|_| ())
    }

    fn freeze_averages(&self) -> Result<(), EngineError> {
        let current = self.current();
        let averages = Averages::of(&current.texts.segments);
        if averages == current.texts.averages {
            return Ok(());
        }
        let payload = self.payload(self.watermark(), &averages)?;
        self.with_writer(|writer| commit_with(writer, &payload))?;
        self.publish(self.texts_on_disk(Some(averages))?, &[]);
        Ok(())
    }

    fn rest(&self) -> Result<bool, EngineError> {
        if self.merge(true)? {
            return Ok(false);
        }
        self.release();
        self.publish(self.texts_on_disk(None)?, &[]);
        Ok(true)
    }

    fn release(&self) {
        self.merging.finish();
        self.writer.lock().take();
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        self.current()
    }
}

fn commit_with(writer: &mut IndexWriter, payload: &str) -> tantivy::Result<()> {
    let mut commit = writer.prepare_commit()?;
    commit.set_payload(payload);
    commit.commit()?;
    Ok(())
}

fn views(
    searcher: &Searcher,
    fields: &Fields,
    known: &[SegmentView],
) -> Result<Vec<SegmentView>, EngineError> {
    searcher
        .segment_readers()
        .iter()
        .map(|segment| SegmentView::new(segment, fields, known))
        .collect()
}
