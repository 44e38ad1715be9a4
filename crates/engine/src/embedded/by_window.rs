//! What searches ask of every document: worked out by segment and window when it is first needed, remembered for the
//! next search that asks the same, and carried over to the next state of an index but for the documents that changed.

use super::executor::WINDOW;
use super::segment::SegmentView;
use super::snapshot::Texts;
use super::succession::Succession;
use crate::columns::{Seen, View};
use domain::visitor::Visitor;
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};
use tantivy::DocId;

/// What is asked of every document. The answer depends on the question and the document alone.
pub(super) trait Question: PartialEq {
    /// What is known of the documents of one window.
    type Answer: Clone;

    /// Who asks.
    fn visitor(&self) -> &Visitor;

    /// What is known of a window without documents.
    fn nothing(&self) -> Self::Answer;

    /// Notes what there is at place `at` of a window: a document that the visitor may see, or nothing.
    fn note(&self, answer: &mut Self::Answer, at: usize, seen: Option<&Seen<'_>>);

    /// Ends a round of notes.
    fn settle(&self, _answer: &mut Self::Answer) {}
}

/// The windows of a segment, each as far as it is known.
type Windows<T> = Vec<OnceLock<Arc<T>>>;

/// The answers to one question.
pub(super) struct ByWindow<Q: Question> {
    question: Arc<Q>,
    segments: Vec<Windows<Q::Answer>>,
}

impl<Q: Question> ByWindow<Q> {
    fn new(question: Q, texts: &Texts) -> Self {
        Self {
            question: Arc::new(question),
            segments: texts.segments.iter().map(unknown).collect(),
        }
    }

    /// The answer for window `number` of segment number `at`, which is `segment`; `view` is that of who asks.
    pub fn of(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        view: &View<'_>,
    ) -> &Q::Answer {
        self.segments[at][number].get_or_init(|| {
            let start = number * WINDOW;
            let end = (start + WINDOW).min(segment.reader.max_doc() as usize);
            let mut answer = self.question.nothing();
            self.note(&mut answer, segment, start as DocId..end as DocId, view);
            Arc::new(answer)
        })
    }

    fn note(
        &self,
        answer: &mut Q::Answer,
        segment: &SegmentView,
        documents: impl Iterator<Item = DocId>,
        view: &View<'_>,
    ) {
        for document in documents {
            let alive = segment.is_alive(document);
            let seen = alive.then(|| view.see(segment.ordinal(document)));
            let at = document as usize % WINDOW;
            self.question.note(answer, at, seen.flatten().as_ref());
        }
        self.question.settle(answer);
    }

    fn carried(&self, succession: &Succession<'_>) -> Self {
        let view = View::new(succession.columns, self.question.visitor());
        let segments = succession.new.segments.iter().zip(succession.same());
        let segments = segments.map(|(segment, same)| match same {
            Some((at, changed)) => self.changed(*at, segment, changed, &view),
            None => unknown(segment),
        });
        Self {
            question: Arc::clone(&self.question),
            segments: segments.collect(),
        }
    }

    /// What is known of segment number `at` after its documents `changed`, which are in order, were changed or deleted.
    fn changed(
        &self,
        at: usize,
        segment: &SegmentView,
        changed: &[DocId],
        view: &View<'_>,
    ) -> Windows<Q::Answer> {
        let mut windows = self.segments[at].clone();
        for own in changed.chunk_by(|a, b| *a as usize / WINDOW == *b as usize / WINDOW) {
            let number = own[0] as usize / WINDOW;
            if let Some(answer) = windows[number].get_mut() {
                let documents = own.iter().copied();
                self.note(Arc::make_mut(answer), segment, documents, view);
            }
        }
        windows
    }
}

fn unknown<T>(segment: &SegmentView) -> Windows<T> {
    let windows = (segment.reader.max_doc() as usize).div_ceil(WINDOW);
    (0..windows).map(|_| OnceLock::new()).collect()
}

/// The answers to the questions that were asked last, the latest first.
pub(super) struct Latest<Q: Question, const MAX: usize>(Mutex<Vec<Arc<ByWindow<Q>>>>);

impl<Q: Question, const MAX: usize> Default for Latest<Q, MAX> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<Q: Question, const MAX: usize> Latest<Q, MAX> {
    /// What is known of `question` in `texts`.
    pub fn of(&self, question: Q, texts: &Texts) -> Arc<ByWindow<Q>> {
        let mut known = self.0.lock();
        let at = known.iter().position(|other| *other.question == question);
        let answers = match at {
            Some(at) => known.remove(at),
            None => Arc::new(ByWindow::new(question, texts)),
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
