//! An engine unlike the embedded one: it has no files, its indexes may not be local, and it may reject documents and lose
//! them. Each kind of call may fail, and calls that may block are noted by the thread that makes them. It outlives the
//! service, as an engine on other machines does.

use domain::visitor::Visitor;
use domain::{CacheUsage, Document, IndexId};
use engine::{
    Batch, BatchOutcome, DocumentChange, EmbeddedEngine, Engine, EngineError, Facts, FieldUse,
    Files, Index, IndexSpec, LocalIndex, Rejected, Request, SearchResult, SharedIndexes, Snapshot,
};
use query::Plan;
use query::correction::{SpelledWord, Spelling};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use tempfile::TempDir;

/// The reason of every rejection.
pub const REASON: &str = "a field has too many values";

/// A kind of call that may block and fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Open,
    Renew,
    Rebuild,
    Discard,
    Load,
    Apply,
    Complete,
    Clear,
    FreezeAverages,
    GoIdle,
    Search,
    Fields,
    HiddenFrom,
    SettledWords,
    Fingerprints,
}

impl Call {
    pub const ALL: [Self; 15] = [
        Self::Open,
        Self::Renew,
        Self::Rebuild,
        Self::Discard,
        Self::Load,
        Self::Apply,
        Self::Complete,
        Self::Clear,
        Self::FreezeAverages,
        Self::GoIdle,
        Self::Search,
        Self::Fields,
        Self::HiddenFrom,
        Self::SettledWords,
        Self::Fingerprints,
    ];
}

pub struct FakeEngine {
    inner: EmbeddedEngine,
    behaviour: Arc<Behaviour>,
    _folder: TempDir,
}

/// What the engine does, and what it was asked for.
#[derive(Default)]
pub struct Behaviour {
    /// Whether its indexes are local.
    pub is_local: bool,
    /// Whether several servers share its indexes.
    pub is_shared: bool,
    /// The id of a document that is rejected.
    pub rejects: Mutex<Option<&'static str>>,
    /// The id of a document that is lost without a word.
    pub loses: Mutex<Option<&'static str>>,
    /// The kinds of calls that fail.
    pub failing: Mutex<Vec<Call>>,
    /// Every call so far, and whether it was made on the thread on which the engine was created: that of everything
    /// async in a test.
    pub calls: Mutex<Vec<(Call, bool)>>,
    /// That thread.
    pub async_thread: Option<ThreadId>,
    /// What happens during the next search, on its thread.
    pub during_search: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// How often numbers were loaded.
    pub loads: AtomicUsize,
    /// Documents that were given with their numbers only.
    pub in_brief: AtomicUsize,
    /// The indexes, which no end of a service closes.
    pub indexes: Mutex<HashMap<IndexId, Arc<dyn Index>>>,
}

struct FakeSnapshot {
    inner: Arc<dyn Snapshot>,
    behaviour: Arc<Behaviour>,
}

struct FakeIndex {
    id: IndexId,
    inner: Arc<dyn Index>,
    behaviour: Arc<Behaviour>,
}

impl FakeEngine {
    pub fn new(behaviour: Behaviour) -> (Arc<Self>, Arc<Behaviour>) {
        let folder = TempDir::new().expect("a folder");
        let behaviour = Arc::new(Behaviour {
            async_thread: Some(thread::current().id()),
            ..behaviour
        });
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

    /// Lets these kinds of calls fail from now on, and no other.
    pub fn fail(&self, calls: &[Call]) {
        *self.failing.lock().expect("no test panicked") = calls.to_vec();
    }

    /// The kinds of calls that were made on the thread of everything async.
    pub fn on_async_thread(&self) -> Vec<Call> {
        let calls = self.calls.lock().expect("no test panicked");
        let on_it = calls.iter().filter(|(_, is_async)| *is_async);
        on_it.map(|(call, _)| *call).collect()
    }

    /// The number of calls of this kind so far.
    pub fn count(&self, kind: Call) -> usize {
        let calls = self.calls.lock().expect("no test panicked");
        calls.iter().filter(|(call, _)| *call == kind).count()
    }

    /// Notes a call; fails if its kind does.
    fn begin(&self, call: Call) -> Result<(), EngineError> {
        let is_async = self.async_thread == Some(thread::current().id());
        let mut calls = self.calls.lock().expect("no test panicked");
        calls.push((call, is_async));
        let failing = self.failing.lock().expect("no test panicked");
        match failing.contains(&call) {
            true => Err(EngineError::new("reach the engine", "no response")),
            false => Ok(()),
        }
    }

    /// Takes rejected and lost documents out of a batch.
    fn sift(&self, batch: &mut Batch) -> Result<BatchOutcome, EngineError> {
        self.begin(Call::Apply)?;
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
        self.behaviour.begin(Call::Open)?;
        let index = match self.behaviour.kept(spec.id) {
            Some(index) => index,
            None => self.inner.open(spec)?,
        };
        self.behaviour.keep(spec.id, &index);
        Ok(self.index(spec.id, index))
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        self.behaviour.begin(Call::Renew)?;
        let index = self.inner.renew(spec)?;
        self.behaviour.keep(spec.id, &index);
        Ok(self.index(spec.id, index))
    }

    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        self.behaviour.begin(Call::Rebuild)?;
        Ok(self.index(spec.id, self.inner.rebuild(spec)?))
    }

    fn files(&self) -> Option<&dyn Files> {
        None
    }

    fn shared(&self) -> Option<&dyn SharedIndexes> {
        self.behaviour.is_shared.then_some(self)
    }

    fn discard(&self, index: IndexId) -> Result<(), EngineError> {
        self.behaviour.begin(Call::Discard)?;
        self.inner.discard(index)
    }

    fn searches_at_once(&self) -> Option<usize> {
        self.inner.searches_at_once()
    }

    fn caches(&self) -> Vec<(&'static str, CacheUsage)> {
        self.inner.caches()
    }
}

impl SharedIndexes for FakeEngine {
    fn format(&self) -> u32 {
        1
    }

    fn exists(&self, spec: &IndexSpec) -> Result<bool, EngineError> {
        Ok(self.behaviour.kept(spec.id).is_some())
    }

    fn discard_earlier(&self, _used: &[u32]) -> Result<usize, EngineError> {
        Ok(0)
    }
}

impl Index for FakeIndex {
    fn watermark(&self) -> i64 {
        self.inner.watermark()
    }

    fn local(&self) -> Option<&dyn LocalIndex> {
        self.behaviour.is_local.then_some(self)
    }

    fn apply(&self, mut batch: Batch) -> Result<BatchOutcome, EngineError> {
        let applied = self.behaviour.sift(&mut batch)?;
        assert_eq!(self.inner.apply(batch)?.rejected, []);
        Ok(applied)
    }

    fn is_gone(&self) -> bool {
        self.inner.is_gone()
    }

    fn reread(&self) -> Result<bool, EngineError> {
        self.inner.reread()
    }

    fn complete(&self) -> Result<(), EngineError> {
        self.behaviour.begin(Call::Complete)?;
        self.inner.complete()?;
        self.behaviour.keep(self.id, &self.inner);
        Ok(())
    }

    fn retire(&self) {
        self.inner.retire();
    }

    fn clear(&self, watermark: i64) -> Result<(), EngineError> {
        self.behaviour.begin(Call::Clear)?;
        self.inner.clear(watermark)
    }

    fn fingerprint(&self, document: &Document) -> u64 {
        self.inner.fingerprint(document)
    }

    fn verify(&self) -> Result<(), EngineError> {
        Err(EngineError::new("check an index", "it has no files"))
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        Arc::new(FakeSnapshot {
            inner: self.inner.snapshot(),
            behaviour: Arc::clone(&self.behaviour),
        })
    }
}

impl FakeIndex {
    fn inner(&self) -> &dyn LocalIndex {
        self.inner.local().expect("the embedded index")
    }
}

impl LocalIndex for FakeIndex {
    fn settled(&self) -> i64 {
        self.inner().settled()
    }

    fn load(&self, documents: Vec<DocumentChange>) -> Result<(), EngineError> {
        self.behaviour.begin(Call::Load)?;
        self.behaviour.loads.fetch_add(1, Ordering::SeqCst);
        self.inner().load(documents)
    }

    fn apply_part(&self, mut batch: Batch) -> Result<BatchOutcome, EngineError> {
        let applied = self.behaviour.sift(&mut batch)?;
        assert_eq!(self.inner().apply_part(batch)?.rejected, []);
        Ok(applied)
    }

    fn freeze_averages(&self, moved_by: f64) -> Result<(), EngineError> {
        self.behaviour.begin(Call::FreezeAverages)?;
        self.inner().freeze_averages(moved_by)
    }

    fn go_idle(&self) -> Result<bool, EngineError> {
        self.behaviour.begin(Call::GoIdle)?;
        self.inner().go_idle()
    }

    fn release(&self) {
        self.inner().release();
    }
}

impl Snapshot for FakeSnapshot {
    fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError> {
        self.behaviour.begin(Call::Search)?;
        let during = self.behaviour.during_search.lock();
        let happens = during.expect("no test panicked").take();
        if let Some(happens) = happens {
            happens();
        }
        self.inner.search(plan, request)
    }

    fn settled_words(&self, plan: &Plan, visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        self.behaviour.begin(Call::SettledWords)?;
        self.inner.settled_words(plan, visitor)
    }

    fn facts(&self) -> Arc<Facts> {
        self.inner.facts()
    }

    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError> {
        self.behaviour.begin(Call::Fingerprints)?;
        self.inner.fingerprints()
    }

    fn fields(&self, visitor: &Visitor) -> Result<Arc<FieldUse>, EngineError> {
        self.behaviour.begin(Call::Fields)?;
        self.inner.fields(visitor)
    }

    fn contains(&self, stems: &[String], visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        self.behaviour.begin(Call::Search)?;
        self.inner.contains(stems, visitor)
    }

    fn spellings(
        &self,
        words: &[SpelledWord],
        visitor: &Visitor,
    ) -> Result<Vec<Vec<Spelling>>, EngineError> {
        self.behaviour.begin(Call::Search)?;
        self.inner.spellings(words, visitor)
    }

    fn hidden_from(&self, visitor: &Visitor) -> Result<Arc<[String]>, EngineError> {
        self.behaviour.begin(Call::HiddenFrom)?;
        self.inner.hidden_from(visitor)
    }
}
