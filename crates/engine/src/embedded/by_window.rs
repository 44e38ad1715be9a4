//! What searches ask of every document, worked out by segment and window when it is first needed, and remembered for
//! the next search that asks the same.

use super::executor::WINDOW;
use super::snapshot::Texts;
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// Something of every window of a snapshot.
pub(super) struct ByWindow<T>(Vec<Vec<OnceLock<T>>>);

impl<T> ByWindow<T> {
    fn new(texts: &Texts) -> Self {
        let segments = texts.segments.iter().map(|segment| {
            let windows = (segment.reader.max_doc() as usize).div_ceil(WINDOW);
            (0..windows).map(|_| OnceLock::new()).collect()
        });
        Self(segments.collect())
    }

    /// That of window `number` of segment number `segment`, which `make` works out.
    pub fn of(&self, segment: usize, number: usize, make: impl FnOnce() -> T) -> &T {
        self.0[segment][number].get_or_init(make)
    }
}

/// The answers to the questions that were asked last, the latest first.
pub(super) struct Latest<K, T, const MAX: usize>(Mutex<Vec<(K, Arc<ByWindow<T>>)>>);

impl<K, T, const MAX: usize> Default for Latest<K, T, MAX> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, T, const MAX: usize> Latest<K, T, MAX> {
    /// What is known of `question` in `texts`.
    pub fn of(&self, question: K, texts: &Texts) -> Arc<ByWindow<T>> {
        let mut known = self.0.lock();
        let at = known.iter().position(|(other, _)| *other == question);
        let answer = match at {
            Some(at) => known.remove(at).1,
            None => Arc::new(ByWindow::new(texts)),
        };
        known.insert(0, (question, Arc::clone(&answer)));
        known.truncate(MAX);
        answer
    }
}
