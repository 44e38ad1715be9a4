//! An engine unlike the embedded one: it has no files, and it may keep no numbers in memory, reject documents, lose them,
//! and be out of reach. It outlives the service, as an engine on other machines does.

use domain::{Document, IndexId};
use engine::{
    Batch, BatchOutcome, DocumentChange, EmbeddedEngine, Engine, EngineError, Files, Index,
    IndexSpec, MemoUsage, Rejected, Snapshot,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The reason of every rejection.
pub const REASON: &str = "a field has too many values";

pub struct FakeEngine {
    inner: EmbeddedEngine,
    behaviour: Arc<Behaviour>,
    _folder: TempDir,
}

/// What the engine does, and what it was asked for.
#[derive(Default)]
pub struct Behaviour {
    pub keeps_numbers: bool,
    /// The id of a document that is rejected.
    pub rejects: Mutex<Option<&'static str>>,
    /// The id of a document that is lost without a word.
    pub loses: Mutex<Option<&'static str>>,
    /// Whether nothing can be written.
    pub is_unreachable: AtomicBool,
    /// How often numbers were loaded.
    pub loads: AtomicUsize,
    /// Documents that were given with their numbers only.
    pub in_brief: AtomicUsize,
    /// The indexes, which no end of a service closes.
    pub indexes: Mutex<HashMap<IndexId, Arc<dyn Index>>>,
}

struct FakeIndex {
    id: IndexId,
    inner: Arc<dyn Index>,
    behaviour: Arc<Behaviour>,
}

impl FakeEngine {
    pub fn new(behaviour: Behaviour) -> (Arc<Self>, Arc<Behaviour>) {
        let folder = TempDir::new().expect("a folder");
        let behaviour = Arc::new(behaviour);
        let engine = Self {
            inner: EmbeddedEngine::new(folder.path().to_owned()),
            behaviour: Arc::clone(&behaviour),
            _folder: folder,
        };
        (Arc::new(engine), behaviour)
    }

    fn index(&self, id: IndexId, inner: Arc<dyn Index>) -> Arc<dyn Index> {
        Arc::new(FakeIndex {
            id,
            inner,
            behaviour: Arc::clone(&self.behaviour),
        })
    }
}

impl Behaviour {
    fn keep(&self, id: IndexId, index: &Arc<dyn Index>) {
        let mut indexes = self.indexes.lock().expect("no test panicked");
        indexes.insert(id, Arc::clone(index));
    }

    fn kept(&self, id: IndexId) -> Option<Arc<dyn Index>> {
        let indexes = self.indexes.lock().expect("no test panicked");
        indexes.get(&id).cloned()
    }

    /// Takes rejected and lost documents out of a batch.
    fn sift(&self, batch: &mut Batch) -> Result<BatchOutcome, EngineError> {
        if self.is_unreachable.load(Ordering::SeqCst) {
            return Err(EngineError::new("reach the engine", "no answer"));
        }
        let is = |document: &Document, id: &Mutex<Option<&str>>| {
            *id.lock().expect("no test panicked") == Some(document.id.as_str())
        };
        let mut applied = BatchOutcome::default();
        batch.changes.retain_mut(|change| {
            let Some(document) = &change.document else {
                return true;
            };
            let in_brief = usize::from(!change.texts_changed);
            self.in_brief.fetch_add(in_brief, Ordering::SeqCst);
            let is_lost = is(document, &self.loses);
            if is(document, &self.rejects) {
                applied.rejected.push(Rejected {
                    ordinal: change.ordinal,
                    id: document.id.as_str().to_owned(),
                    reason: REASON.to_owned(),
                });
                change.texts_changed = true;
                change.document = None;
            }
            !is_lost
        });
        Ok(applied)
    }
}

impl Engine for FakeEngine {
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let index = match self.behaviour.kept(spec.id) {
            Some(index) => index,
            None => self.inner.open(spec)?,
        };
        self.behaviour.keep(spec.id, &index);
        Ok(self.index(spec.id, index))
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let index = self.inner.renew(spec)?;
        self.behaviour.keep(spec.id, &index);
        Ok(self.index(spec.id, index))
    }

    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        Ok(self.index(spec.id, self.inner.rebuild(spec)?))
    }

    fn files(&self) -> Option<&dyn Files> {
        None
    }

    fn discard(&self, index: IndexId) -> Result<(), EngineError> {
        self.inner.discard(index)
    }

    fn memo_usage(&self) -> MemoUsage {
        self.inner.memo_usage()
    }
}

impl Index for FakeIndex {
    fn watermark(&self) -> i64 {
        self.inner.watermark()
    }

    fn settled(&self) -> i64 {
        self.inner.settled()
    }

    fn keeps_numbers(&self) -> bool {
        self.behaviour.keeps_numbers
    }

    fn load(&self, documents: Vec<DocumentChange>) -> Result<(), EngineError> {
        self.behaviour.loads.fetch_add(1, Ordering::SeqCst);
        self.inner.load(documents)
    }

    fn apply(&self, mut batch: Batch) -> Result<BatchOutcome, EngineError> {
        let applied = self.behaviour.sift(&mut batch)?;
        assert_eq!(self.inner.apply(batch)?.rejected, []);
        Ok(applied)
    }

    fn apply_part(&self, mut batch: Batch) -> Result<BatchOutcome, EngineError> {
        let applied = self.behaviour.sift(&mut batch)?;
        assert_eq!(self.inner.apply_part(batch)?.rejected, []);
        Ok(applied)
    }

    fn complete(&self) -> Result<(), EngineError> {
        self.inner.complete()?;
        self.behaviour.keep(self.id, &self.inner);
        Ok(())
    }

    fn retire(&self) {
        self.inner.retire();
    }

    fn clear(&self, watermark: i64) -> Result<(), EngineError> {
        self.inner.clear(watermark)
    }

    fn freeze_averages(&self) -> Result<(), EngineError> {
        self.inner.freeze_averages()
    }

    fn go_idle(&self) -> Result<bool, EngineError> {
        self.inner.go_idle()
    }

    fn release(&self) {
        self.inner.release();
    }

    fn fingerprint(&self, document: &Document) -> u64 {
        self.inner.fingerprint(document)
    }

    fn verify(&self) -> Result<(), EngineError> {
        Err(EngineError::new("check an index", "it has no files"))
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        self.inner.snapshot()
    }
}
