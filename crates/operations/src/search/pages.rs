//! What a session was shown of a question, so that its further pages neither repeat nor lose anything while the
//! catalogue changes. A small memory of this process: without it, pages are cut from the ranking of the moment.

use super::answer::SearchAnswer;
use super::compute::Asked;
use crate::snapshot::StoreSnapshot;
use domain::document::DocType;
use domain::search::CheckedSearch;
use domain::{StoreId, Timestamp};
use lru::LruCache;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// Milliseconds for which a question is remembered after its last page.
const KEPT_MS: i64 = 10 * 60 * 1000;
/// Ids that are remembered in all, some tens of megabytes; the question that was paged least recently goes first.
const IDS_MAX: usize = 500_000;
/// What a remembered question costs beside its ids, in ids.
const QUESTION_IDS: usize = 8;

/// Ids by type, of every type that was asked for.
type Shown = BTreeMap<DocType, Vec<String>>;

/// What pages before one showed of one type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Earlier {
    /// How many of them are known.
    pub pages: u32,
    /// What they showed.
    pub shown: Vec<String>,
}

/// What pages before one showed, by type.
pub(crate) type EarlierPages = BTreeMap<DocType, Earlier>;

/// Which session asked what: a digest, because questions are long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QuestionKey([u8; 32]);

impl QuestionKey {
    /// The key of all pages of one question in one session of a store: of everything that decides the ranking.
    pub fn new(store: &StoreId, session: &str, asked: &Asked) -> Self {
        let checked = CheckedSearch {
            page: 1,
            types: Vec::new(),
            facets: false,
            ..asked.checked.clone()
        };
        let (language, visitor) = (&asked.language, &asked.visitor);
        let text = format!("{store} {session:?} {language} {visitor:?} {checked:?}");
        Self(Sha256::digest(text.as_bytes()).into())
    }
}

/// The questions that sessions page through.
pub(crate) struct Pages {
    remembered: Mutex<Remembered>,
}

struct Remembered {
    questions: LruCache<QuestionKey, Question>,
    ids: usize,
}

struct Question {
    last_asked: Timestamp,
    pages: BTreeMap<u32, Page>,
}

struct Page {
    /// The state of the store from which it was shown.
    state: Weak<StoreSnapshot>,
    shown: Shown,
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            remembered: Mutex::new(Remembered {
                questions: LruCache::unbounded(),
                ids: 0,
            }),
        }
    }
}

impl Pages {
    /// What pages before `page` showed; nothing when it is not known, or when all of them were shown from `state`:
    /// then the ranking itself tells what stood on them.
    pub fn earlier(
        &self,
        key: &QuestionKey,
        page: u32,
        state: &Arc<StoreSnapshot>,
        now: Timestamp,
    ) -> EarlierPages {
        let mut remembered = self.remembered.lock();
        let known = remembered.questions.get(key);
        let Some(question) = known.filter(|question| !question.is_old(now)) else {
            return EarlierPages::new();
        };
        let state = Arc::downgrade(state);
        let before = || question.pages.range(..page).map(|(_, page)| page);
        let mut earlier = EarlierPages::new();
        if before().all(|page| page.state.ptr_eq(&state)) {
            return earlier;
        }
        for (doc_type, ids) in before().flat_map(|page| &page.shown) {
            let of_type = earlier.entry(*doc_type).or_default();
            of_type.pages += 1;
            of_type.shown.extend_from_slice(ids);
        }
        earlier
    }

    /// Notes what a page showed.
    pub fn note(
        &self,
        key: QuestionKey,
        page: u32,
        shown: Shown,
        state: &Arc<StoreSnapshot>,
        now: Timestamp,
    ) {
        let state = Arc::downgrade(state);
        let mut remembered = self.remembered.lock();
        let mut question = match remembered.take(&key) {
            Some(question) if !question.is_old(now) => question,
            _ => Question {
                last_asked: now,
                pages: BTreeMap::new(),
            },
        };
        question.last_asked = now;
        question.pages.insert(page, Page { state, shown });
        remembered.put(key, question, now);
    }
}

impl Remembered {
    fn take(&mut self, key: &QuestionKey) -> Option<Question> {
        let question = self.questions.pop(key)?;
        self.ids -= question.cost();
        Some(question)
    }

    /// Adds a question, and lets go of the oldest ones that are too many or too old.
    fn put(&mut self, key: QuestionKey, question: Question, now: Timestamp) {
        self.ids += question.cost();
        self.questions.put(key, question);
        let too_old = |(_, question): (&QuestionKey, &Question)| question.is_old(now);
        while self.ids > IDS_MAX || self.questions.peek_lru().is_some_and(too_old) {
            match self.questions.pop_lru() {
                Some((_, question)) => self.ids -= question.cost(),
                None => break,
            }
        }
    }
}

impl Question {
    fn is_old(&self, now: Timestamp) -> bool {
        now.0.saturating_sub(self.last_asked.0) > KEPT_MS
    }

    fn cost(&self) -> usize {
        let lists = self.pages.values().flat_map(|page| page.shown.values());
        QUESTION_IDS * (1 + self.pages.len()) + lists.map(Vec::len).sum::<usize>()
    }
}

/// What an answer shows, of every type of `types`.
pub(super) fn shown(answer: &SearchAnswer, types: &[DocType]) -> Shown {
    let products = answer.products.hits.iter().map(|hit| hit.id.clone());
    let list = |hits: &super::ListHits| hits.hits.iter().map(|hit| hit.id.clone()).collect();
    let all: [(DocType, Vec<String>); 4] = [
        (DocType::Products, products.collect()),
        (DocType::Categories, list(&answer.categories)),
        (DocType::Brands, list(&answer.brands)),
        (DocType::Pages, list(&answer.pages)),
    ];
    all.into_iter()
        .filter(|(of, _)| types.contains(of))
        .collect()
}

#[cfg(test)]
mod tests {
    //! 1. The memory is bounded by ids; what was paged least recently goes first. 2. What is old goes.

    use super::*;

    fn question(ids: usize, at: i64) -> Question {
        let page = Page {
            state: Weak::new(),
            shown: BTreeMap::from([(DocType::Products, vec![String::new(); ids])]),
        };
        Question {
            last_asked: Timestamp(at),
            pages: BTreeMap::from([(1, page)]),
        }
    }

    #[test]
    fn the_memory_stays_small() {
        let pages = Pages::default();
        let mut remembered = pages.remembered.lock();
        let key = |number: u8| QuestionKey([number; 32]);
        for number in 0..200 {
            remembered.put(key(number), question(10_000, 0), Timestamp(0));
            remembered.questions.get(&key(0));
        }
        assert!(remembered.ids <= IDS_MAX && remembered.questions.len() == 49);
        let kept = [0, 151, 152, 199].map(|number| remembered.questions.contains(&key(number)));
        assert_eq!(kept, [true, false, true, true]);
        let later = Timestamp(KEPT_MS + 1);
        remembered.put(key(200), question(1, later.0), later);
        assert_eq!(remembered.questions.len(), 1);
        assert!(remembered.take(&key(200)).is_some());
        assert_eq!(remembered.ids, 0);
    }
}
