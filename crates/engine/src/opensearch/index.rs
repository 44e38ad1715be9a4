//! An index in the cluster: applies batches, and keeps what every search of it needs.

use super::bulk::{self, DocumentWrite};
use super::client::ClientError;
use super::document::DocumentWriter;
use super::facts;
use super::generation::{ClusterGeneration, GenerationMeta, alias, name_in_use};
use super::snapshot::ClusterSnapshot;
use crate::indexed_document::IndexedDocument;
use crate::{Batch, BatchOutcome, EngineError, Index, IndexSpec, LocalIndex, Rejected, Snapshot};
use domain::Document;
use parking_lot::{Mutex, RwLock};
use query::{Analyser, CachedAnalyser};
use std::sync::Arc;

/// An index in the cluster.
pub struct ClusterIndex {
    spec: Arc<IndexSpec>,
    analyser: Arc<Analyser>,
    analysing: Mutex<CachedAnalyser>,
    /// Held while something is written: whether it is the one in use.
    writing: Mutex<bool>,
    state: RwLock<ClusterState>,
}

/// What is written, and where.
#[derive(Clone)]
pub struct ClusterState {
    /// The generation in use.
    pub generation: Arc<ClusterGeneration>,
    /// What it says about itself.
    pub meta: GenerationMeta,
    /// Sequence number up to which it is complete.
    pub watermark: i64,
    /// What it says about itself as a whole, once somebody wanted to know.
    pub facts: Arc<facts::FactsMemo>,
}

impl ClusterState {
    /// Returns the state of a generation that says `meta`.
    ///
    /// Errors: its watermark cannot be read now.
    pub fn read(
        (generation, meta): (ClusterGeneration, GenerationMeta),
    ) -> Result<Self, ClientError> {
        let watermark = bulk::watermark(&generation.client, &generation.name)?;
        let facts: Arc<facts::FactsMemo> = Arc::default();
        facts.read(&generation.client, &generation.name, &meta)?;
        Ok(Self {
            generation: Arc::new(generation),
            meta,
            watermark,
            facts,
        })
    }
}

impl ClusterIndex {
    /// Opens a generation with what it says; `used` says whether it is the one in use, or built beside that.
    ///
    /// Errors: its watermark cannot be read now.
    pub fn open(
        spec: &IndexSpec,
        found: (ClusterGeneration, GenerationMeta),
        used: bool,
    ) -> Result<Self, EngineError> {
        let state = ClusterState::read(found)
            .map_err(EngineError::during("read the watermark of an index"))?;
        let analyser = Arc::new(Analyser::new(&spec.language));
        Ok(Self {
            spec: Arc::new(spec.clone()),
            analysing: Mutex::new(CachedAnalyser::new(Arc::clone(&analyser))),
            analyser,
            writing: Mutex::new(used),
            state: RwLock::new(state),
        })
    }

    fn write(&self, batch: &Batch) -> Result<BatchOutcome, ClientError> {
        let _writing = self.writing.lock();
        let state = self.state.read().clone();
        match self.write_to(state.clone(), batch) {
            // A change of its similarities was interrupted.
            Err(error) if error.is_closed() && state.generation.reopens()? => {
                self.write_to(state, batch)
            }
            done => done,
        }
    }

    fn write_to(&self, state: ClusterState, batch: &Batch) -> Result<BatchOutcome, ClientError> {
        let (client, name) = (&state.generation.client, &state.generation.name);
        let writes: Vec<DocumentWrite> = batch
            .changes
            .iter()
            .map(|change| self.analysed(change))
            .collect();
        let refused = bulk::write(client, name, &writes, batch.watermark)?;
        bulk::refresh(client, name)?;
        bulk::set_watermark(client, name, batch.watermark)?;
        let mut meta = state.meta;
        // Read here, so that no request waits for them.
        let mut facts: Arc<facts::FactsMemo> = Arc::default();
        let documents = facts.read(client, name, &meta)?.documents;
        if meta.averages.outdated(documents) && state.generation.reopens()? {
            meta.averages = facts::averages(client, name, documents)?;
            state.generation.set_averages(&meta)?;
            facts = Arc::default();
            facts.read(client, name, &meta)?;
        }
        let mut next = self.state.write();
        next.meta = meta;
        next.watermark = next.watermark.max(batch.watermark);
        next.facts = facts;
        drop(next);
        let id = |ordinal: u32| {
            let changes = batch.changes.iter();
            let own = changes.filter(|change| change.ordinal == ordinal);
            let mut own = own.filter_map(|change| change.document.as_ref());
            own.next()
                .map_or_else(String::new, |document| document.id.clone())
        };
        let rejected = refused.into_iter().map(|own| Rejected {
            ordinal: own.ordinal,
            id: id(own.ordinal),
            reason: own.reason,
        });
        Ok(BatchOutcome {
            rejected: rejected.collect(),
        })
    }

    fn analysed(&self, change: &crate::DocumentChange) -> DocumentWrite {
        let document = change.document.as_ref().map(|document| {
            let mut analysing = self.analysing.lock();
            let indexed = IndexedDocument::new(document, &mut analysing);
            self.writer().write(&indexed, change.ordinal)
        });
        DocumentWrite {
            ordinal: change.ordinal,
            document,
        }
    }

    fn writer(&self) -> DocumentWriter<'_> {
        DocumentWriter {
            analyser: &self.analyser,
            partial: self.state.read().meta.partial,
        }
    }

    /// Puts an empty generation in the place of this one, complete up to `watermark`.
    fn empty(&self, watermark: i64) -> Result<(), ClientError> {
        let used = self.writing.lock();
        let state = self.state.read().clone();
        let former = state.generation;
        let mut meta = GenerationMeta::new(&former.client, &self.spec);
        meta.partial = state.meta.partial;
        let generation = ClusterGeneration::create(&former.client, self.spec.id, &meta)?;
        bulk::set_watermark(&generation.client, &generation.name, watermark)?;
        let name = Some(former.name.as_str());
        if *used && let Err(error) = generation.use_from_now_on(self.spec.id, name) {
            generation.retire();
            return Err(error);
        }
        former.retire();
        *self.state.write() = ClusterState {
            generation: Arc::new(generation),
            meta,
            watermark,
            facts: Arc::default(),
        };
        Ok(())
    }

    fn read_again(&self) -> Result<bool, ClientError> {
        let _used = self.writing.lock();
        let state = self.state.read().clone();
        let (client, id) = (&state.generation.client, self.spec.id);
        let position = match bulk::position(client, &alias(client, id)) {
            // Whoever changed its similarities may have been killed: it is opened below.
            Err(error) if error.is_closed() => None,
            position => position?,
        };
        if position == Some((state.generation.name.clone(), state.watermark)) {
            state.generation.note_gone(false);
            return Ok(true);
        }
        let Some(found) = ClusterGeneration::in_use(client, &self.spec)? else {
            return Ok(false);
        };
        *self.state.write() = ClusterState::read(found)?;
        Ok(true)
    }
}

impl Index for ClusterIndex {
    fn watermark(&self) -> i64 {
        self.state.read().watermark
    }

    fn local(&self) -> Option<&dyn LocalIndex> {
        None
    }

    fn apply(&self, batch: Batch) -> Result<BatchOutcome, EngineError> {
        self.write(&batch)
            .map_err(EngineError::during("write to an index"))
    }

    fn is_gone(&self) -> bool {
        self.state.read().generation.is_gone()
    }

    fn reread(&self) -> Result<bool, EngineError> {
        self.read_again()
            .map_err(EngineError::during("read what others wrote to an index"))
    }

    fn complete(&self) -> Result<(), EngineError> {
        let mut used = self.writing.lock();
        let generation = Arc::clone(&self.state.read().generation);
        // Whoever was paused must not undo what another server has put in its place meanwhile.
        let completed = name_in_use(&generation.client, self.spec.id)
            .and_then(|former| generation.use_from_now_on(self.spec.id, former.as_deref()));
        completed.map_err(EngineError::during("complete an index"))?;
        *used = true;
        Ok(())
    }

    fn retire(&self) {
        self.state.read().generation.retire();
    }

    fn clear(&self, watermark: i64) -> Result<(), EngineError> {
        self.empty(watermark)
            .map_err(EngineError::during("clear an index"))
    }

    fn fingerprint(&self, document: &Document) -> u64 {
        let mut analysing = self.analysing.lock();
        let indexed = IndexedDocument::new(document, &mut analysing);
        self.writer().fingerprint(&indexed)
    }

    fn verify(&self) -> Result<(), EngineError> {
        // The cluster checks its files itself.
        Ok(())
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        Arc::new(ClusterSnapshot {
            state: self.state.read().clone(),
            spec: Arc::clone(&self.spec),
            analyser: Arc::clone(&self.analyser),
        })
    }
}
