//! What searches ask of every document: worked out by segment and window when it is first needed, remembered for the
//! next search that asks the same, and carried over to the next state of an index but for the documents that changed.

use super::scale::Scale;
use super::segment::SegmentView;
use super::snapshot::TextIndex;
use super::succession::Succession;
use crate::columns::{Seen, View};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};
use tantivy::DocId;

/// What is asked of every document. The answer depends on the question and the document alone.
pub(super) trait BlockQuery<S: Scale>: PartialEq {
    /// What is known of the documents of one window.
    type BlockResult: Clone;

    /// What is known of a window without documents.
    fn nothing(&self) -> Self::BlockResult;

    /// Notes what there is at place `at` of a window: a document that the visitor may see, or nothing.
    fn note(&self, answer: &mut Self::BlockResult, at: usize, seen: Option<&Seen<'_>>);

    /// Ends a round of notes.
    fn settle(&self, _answer: &mut Self::BlockResult) {}
}

/// The windows of a segment.
type SegmentBlocks<T> = Vec<CachedBlock<T>>;

/// What is known of a window.
struct CachedBlock<T> {
    answer: OnceLock<Arc<T>>,
    former: Option<StaleBlock<T>>,
}

/// What was known of a window before some of its documents changed: only they are asked of again, and only where the
/// window is looked at.
struct StaleBlock<T> {
    answer: Arc<T>,
    changed: Vec<DocId>,
}

impl<T> CachedBlock<T> {
    fn unknown() -> Self {
        Self {
            answer: OnceLock::new(),
            former: None,
        }
    }

    /// What is known of it, which has at most `of_window` documents, after those that `changed` were changed or deleted.
    fn after(&self, changed: &[DocId], of_window: usize) -> Self {
        let known = match (self.answer.get(), &self.former) {
            (Some(answer), _) => Some((answer, [].as_slice())),
            (None, Some(former)) => Some((&former.answer, former.changed.as_slice())),
            (None, None) => None,
        };
        // Where that many changed, nothing is saved by what is known.
        let worth = known.filter(|(_, before)| before.len() + changed.len() < of_window);
        Self {
            answer: OnceLock::new(),
            former: worth.map(|(answer, before)| StaleBlock {
                answer: Arc::clone(answer),
                changed: [before, changed].concat(),
            }),
        }
    }
}

impl<T> Clone for CachedBlock<T> {
    fn clone(&self) -> Self {
        match self.answer.get() {
            Some(answer) => Self {
                answer: OnceLock::from(Arc::clone(answer)),
                former: None,
            },
            None => self.after(&[], usize::MAX),
        }
    }
}

/// The answers to one question.
pub(super) struct BlockResults<S: Scale, Q: BlockQuery<S>> {
    question: Arc<Q>,
    segments: Vec<SegmentBlocks<Q::BlockResult>>,
}

impl<S: Scale, Q: BlockQuery<S>> BlockResults<S, Q> {
    fn new(question: Q, texts: &TextIndex) -> Self {
        Self {
            question: Arc::new(question),
            segments: texts.segments.iter().map(unknown::<S, _>).collect(),
        }
    }

    /// The answer for window `number` of segment number `at`, which is `segment`; `view` is that of who asks.
    pub fn of(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        view: &View<'_>,
    ) -> &Q::BlockResult {
        let window = &self.segments[at][number];
        window.answer.get_or_init(|| {
            let start = number * S::WINDOW;
            let end = (start + S::WINDOW).min(segment.reader.max_doc() as usize);
            if let Some(former) = &window.former {
                let mut answer = Q::BlockResult::clone(&former.answer);
                let changed = former.changed.iter().copied();
                self.note(&mut answer, segment, changed, view);
                return Arc::new(answer);
            }
            let mut answer = self.question.nothing();
            self.note(&mut answer, segment, start as DocId..end as DocId, view);
            Arc::new(answer)
        })
    }

    /// The answer for window `number` of segment number `at`, where it is known already.
    pub fn known(&self, at: usize, number: usize) -> Option<&Q::BlockResult> {
        self.segments[at][number].answer.get().map(Arc::as_ref)
    }

    fn note(
        &self,
        answer: &mut Q::BlockResult,
        segment: &SegmentView,
        documents: impl Iterator<Item = DocId>,
        view: &View<'_>,
    ) {
        for document in documents {
            let alive = segment.is_alive(document);
            let seen = alive.then(|| view.see(segment.ordinal(document)));
            let at = document as usize % S::WINDOW;
            self.question.note(answer, at, seen.flatten().as_ref());
        }
        self.question.settle(answer);
    }

    fn carried(&self, succession: &Succession<'_>) -> Self {
        let segments = succession.new.segments.iter().zip(succession.same());
        let segments = segments.map(|(segment, same)| match same {
            Some((at, changed)) => self.changed(*at, changed),
            None => unknown::<S, _>(segment),
        });
        Self {
            question: Arc::clone(&self.question),
            segments: segments.collect(),
        }
    }

    /// What is known of segment number `at` after its documents `changed`, which are in order, were changed or deleted.
    fn changed(&self, at: usize, changed: &[DocId]) -> SegmentBlocks<Q::BlockResult> {
        let mut windows = self.segments[at].clone();
        for own in changed.chunk_by(|a, b| *a as usize / S::WINDOW == *b as usize / S::WINDOW) {
            let number = own[0] as usize / S::WINDOW;
            windows[number] = self.segments[at][number].after(own, S::WINDOW);
        }
        windows
    }
}

fn unknown<S: Scale, T>(segment: &SegmentView) -> SegmentBlocks<T> {
    (0..segment.windows::<S>())
        .map(|_| CachedBlock::unknown())
        .collect()
}

/// The answers to the questions that were asked last, the latest first.
pub(super) struct BlockCache<S: Scale, Q: BlockQuery<S>, const MAX: usize>(ResultsByQuery<S, Q>);

type ResultsByQuery<S, Q> = Mutex<Vec<Arc<BlockResults<S, Q>>>>;

impl<S: Scale, Q: BlockQuery<S>, const MAX: usize> Default for BlockCache<S, Q, MAX> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Scale, Q: BlockQuery<S>, const MAX: usize> BlockCache<S, Q, MAX> {
    /// What is known of `question` in `texts`.
    pub fn of(&self, question: Q, texts: &TextIndex) -> Arc<BlockResults<S, Q>> {
        let mut known = self.0.lock();
        let at = known.iter().position(|other| *other.question == question);
        let answers = match at {
            Some(at) => known.remove(at),
            None => Arc::new(BlockResults::new(question, texts)),
        };
        known.insert(0, Arc::clone(&answers));
        known.truncate(MAX);
        answers
    }

    /// What is known of it in the next state of the index.
    pub fn carried(&self, succession: &Succession<'_>) -> Self {
        let known = self.0.lock().clone();
        let carried = known.iter().map(|answers| answers.carried(succession));
        Self(Mutex::new(carried.map(Arc::new).collect()))
    }
}
