//! The history of an index: batches of changes, idle times and restarts, with the documents in storage at every step.

use super::engines::EngineOf;
use super::shop::{Draft, drafts};
use super::vocabulary::Vocabulary;
use domain::document::{DocType, Document};
use domain::{CacheUsage, IndexId, Language};
use engine::{Batch, DocumentChange, Engine, Index, IndexSpec, LocalIndex};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;

/// A step in the history of an index.
#[derive(Clone, Debug)]
pub enum Step {
    /// Changes that become searchable at once.
    Batch(Vec<(u32, Event)>),
    /// The index becomes idle: it merges, then releases its writer.
    Rest,
    /// The process ends and starts again.
    Reopen,
    /// The averages are computed again.
    Freeze,
}

/// A change of one document.
#[derive(Clone, Debug)]
pub enum Event {
    Put(Draft),
    Numbers(Draft),
    Delete,
}

/// Batches of `documents` different documents, then other steps between batches.
pub fn steps(vocabulary: &Vocabulary, documents: u32) -> impl Strategy<Value = Vec<Step>> + use<> {
    let drafts = || drafts(vocabulary);
    let first = first_batch(drafts(), documents);
    let event = prop_oneof![
        3 => drafts().prop_map(Event::Put),
        2 => drafts().prop_map(Event::Numbers),
        2 => Just(Event::Delete),
    ];
    let numbers = vec((0..documents, drafts().prop_map(Event::Numbers)), 1..8);
    let step = prop_oneof![
        6 => vec((0..documents, event), 1..8).prop_map(Step::Batch),
        1 => numbers.prop_map(Step::Batch),
        1 => Just(Step::Rest),
        2 => Just(Step::Reopen),
        1 => Just(Step::Freeze),
    ];
    (first, vec(step, 0..5)).prop_map(|(first, mut steps)| {
        steps.insert(0, first);
        steps
    })
}

/// Some documents equal the one before, or differ from it only in numbers.
fn first_batch(
    drafts: impl Strategy<Value = Draft>,
    documents: u32,
) -> impl Strategy<Value = Step> {
    let like_former = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    vec((drafts, like_former), 1..=documents as usize).prop_map(|drafts| {
        let mut events: Vec<(u32, Event)> = Vec::new();
        let mut former: Option<Draft> = None;
        for (ordinal, (draft, like_former)) in drafts.into_iter().enumerate() {
            let draft = match (former, like_former) {
                (Some(former), Some(true)) => former,
                (Some(former), Some(false)) => former.with_numbers_of(&draft),
                (None, _) | (_, None) => draft,
            };
            former = Some(draft.clone());
            events.push((ordinal as u32, Event::Put(draft)));
        }
        Step::Batch(events)
    })
}

/// An index and the documents in storage.
pub struct History {
    engine: Box<dyn Engine>,
    spec: IndexSpec,
    /// None only during a restart.
    index: Option<Arc<dyn Index>>,
    drafts: BTreeMap<u32, Draft>,
    sequence: i64,
    /// Sequence number of the last batch that changed more than numbers.
    watermark: i64,
    /// Keeps the folder until the index is dropped.
    _folder: TempDir,
}

impl History {
    pub fn new(engine: EngineOf, doc_type: DocType, language: &Language, partial: bool) -> Self {
        let folder = TempDir::new().expect("a folder");
        let engine = engine(folder.path());
        let spec = IndexSpec {
            id: IndexId(1),
            identity: "reference".to_owned(),
            doc_type,
            language: language.clone(),
            partial,
        };
        let index = engine.open(&spec).expect("a new index");
        Self {
            engine,
            spec,
            index: Some(index),
            drafts: BTreeMap::new(),
            sequence: 0,
            watermark: 0,
            _folder: folder,
        }
    }

    pub fn index(&self) -> &dyn Index {
        self.index.as_deref().expect("it was opened")
    }

    fn local(&self) -> Option<&dyn LocalIndex> {
        self.index().local()
    }

    /// The caches of its engine.
    pub fn caches(&self) -> Vec<(&'static str, CacheUsage)> {
        self.engine.caches()
    }

    pub fn documents(&self) -> Vec<Document> {
        let numbered = self.drafts.iter();
        numbered
            .map(|(ordinal, draft)| self.document(*ordinal, draft))
            .collect()
    }

    pub fn take(&mut self, step: &Step) {
        match step {
            Step::Batch(events) => self.apply(events),
            Step::Rest => self.rest(),
            Step::Freeze => {
                let frozen = self.local().map(|local| local.freeze_averages(0.0));
                frozen.transpose().expect("averages are taken");
            }
            Step::Reopen => self.reopen(),
        }
        // An engine may raise its watermark for numbers too.
        let watermarks = self.watermark..=self.sequence;
        assert!(watermarks.contains(&self.index().watermark()));
    }

    fn rest(&self) {
        if let Some(index) = self.local() {
            while !index.go_idle().expect("the writer rests") {}
        }
    }

    fn document(&self, ordinal: u32, draft: &Draft) -> Document {
        // The order of ids differs from that of ordinals, so that no test passes by the order of ordinals.
        let id = format!("p{}", ordinal * 37 % 61);
        draft.document(&id, self.spec.doc_type)
    }

    fn apply(&mut self, events: &[(u32, Event)]) {
        self.sequence += 1;
        let by_document: BTreeMap<u32, &Event> = events.iter().map(|(at, e)| (*at, e)).collect();
        let changes: Vec<DocumentChange> = by_document
            .into_iter()
            .filter_map(|(ordinal, event)| self.change(ordinal, event))
            .collect();
        let texts = |change: &DocumentChange| change.document.is_none() || change.texts_changed;
        if changes.iter().any(texts) {
            self.watermark = self.sequence;
        }
        let watermark = self.sequence;
        let batch = Batch { changes, watermark };
        let applied = self.index().apply(batch).expect("a batch is applied");
        assert_eq!(applied.rejected, []);
    }

    /// The change that storage reports for an event; none when the document does not exist.
    fn change(&mut self, ordinal: u32, event: &Event) -> Option<DocumentChange> {
        let known = self.drafts.get(&ordinal).cloned();
        let draft = match (event, known) {
            (Event::Put(draft), _) => Some(draft.clone()),
            (Event::Numbers(draft), Some(known)) => Some(known.with_numbers_of(draft)),
            (Event::Delete, Some(_)) => None,
            (Event::Numbers(_) | Event::Delete, None) => return None,
        };
        match &draft {
            Some(draft) => self.drafts.insert(ordinal, draft.clone()),
            None => self.drafts.remove(&ordinal),
        };
        Some(DocumentChange {
            ordinal,
            document: draft.map(|draft| self.document(ordinal, &draft)),
            texts_changed: matches!(event, Event::Put(_)),
        })
    }

    fn reopen(&mut self) {
        // The old index is dropped first: a folder has one writer.
        self.index = None;
        self.index = Some(self.engine.open(&self.spec).expect("the index again"));
        let Some(index) = self.local() else {
            return;
        };
        let all = self.drafts.iter().map(|(ordinal, draft)| DocumentChange {
            ordinal: *ordinal,
            document: Some(self.document(*ordinal, draft)),
            texts_changed: false,
        });
        let all = all.collect();
        index.load(all).expect("its numbers");
    }
}
