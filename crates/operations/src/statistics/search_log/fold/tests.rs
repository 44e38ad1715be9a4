//! 1. Random sessions of keystrokes count the same searches as a slow model, whenever the pauses are looked at.
//! 2. Without sessions searches count at once and suggestions never.
//! 3. An event makes its search count at once, also one that another has replaced, and each counts once.
//! 4. Bounds hold: too many sessions count the oldest early; a clock that was set back blocks nothing.

use super::*;
use domain::{Language, StoreId};
use proptest::collection::vec;
use proptest::prelude::*;

const START: i64 = 1_763_650_000_000;

/// One request of a simulation: which session, which text, filters or not.
#[derive(Clone, Debug)]
struct Keystroke {
    session: Option<u64>,
    text: u8,
    filtered: bool,
    surface: Surface,
    /// Milliseconds since the request before.
    after: i64,
    /// Whether pauses are looked at before it.
    looked_at: bool,
}

fn record(session: Option<u64>, text: u8, at: i64) -> SearchRecord {
    let digest = i64::from(text);
    SearchRecord {
        store: StoreId::from("s1"),
        language: Language::spanish(),
        surface: Surface::Search,
        text: format!("t{text}"),
        digest,
        visit: session.map(|session| Visit::new(session, digest)),
        at: Timestamp(START + at),
        found: 1,
        words_found: true,
        filtered: false,
        redirected: false,
        anonymous: true,
        is_correction: false,
    }
}

fn keystroke() -> impl Strategy<Value = Keystroke> {
    let session = prop_oneof![1 => Just(None), 8 => (0_u64..3).prop_map(Some)];
    let after = prop_oneof![
        6 => 0_i64..900,
        2 => 3_990_i64..4_010,
        1 => 4_000_i64..60_000,
        1 => (SAME_MS - 5_000)..(SAME_MS + 5_000),
    ];
    let surface = prop_oneof![Just(Surface::Suggest), Just(Surface::Search)];
    (
        session,
        0_u8..4,
        any::<bool>(),
        surface,
        after,
        any::<bool>(),
    )
        .prop_map(
            |(session, text, filtered, surface, after, looked_at)| Keystroke {
                session,
                text,
                filtered,
                surface,
                after,
                looked_at,
            },
        )
}

/// What counts, by its definition: each session is divided at pauses, and of each part the last text counts, with the
/// facts of its last request without filters if there is one, unless it counted within 30 minutes before.
fn model(records: &[SearchRecord]) -> Vec<SearchRecord> {
    let mut counted: Vec<SearchRecord> = Vec::new();
    let searched = records
        .iter()
        .filter(|record| record.surface == Surface::Search);
    counted.extend(searched.filter(|record| record.visit.is_none()).cloned());
    let mut sessions: Vec<u64> = records
        .iter()
        .filter_map(|r| Some(r.visit?.session()))
        .collect();
    sessions.sort_unstable();
    sessions.dedup();
    for session in sessions {
        let own = records
            .iter()
            .filter(|r| r.visit.is_some_and(|v| v.session() == session));
        let own: Vec<&SearchRecord> = own.collect();
        let mut of_session: Vec<SearchRecord> = Vec::new();
        let bursts = own.chunk_by(|a, b| b.at.0 - a.at.0 < PAUSE_MS);
        for burst in bursts {
            let run = burst
                .chunk_by(|a, b| a.text == b.text)
                .last()
                .expect("not empty");
            let plain = run.iter().rev().find(|record| !record.filtered);
            let facts = plain.or(run.last()).expect("not empty");
            let search = SearchRecord {
                at: run[0].at,
                ..SearchRecord::clone(facts)
            };
            let is_same = |former: &SearchRecord| {
                former.text == search.text && search.at.0 - former.at.0 < SAME_MS
            };
            if !of_session.iter().any(is_same) {
                of_session.push(search);
            }
        }
        counted.extend(of_session);
    }
    counted
}

fn sorted(mut records: Vec<SearchRecord>) -> Vec<SearchRecord> {
    records.sort_by_key(|r| {
        (
            r.at,
            r.visit.map(|v| v.0),
            r.text.clone(),
            r.filtered,
            r.surface,
        )
    });
    records
}

proptest! {
    #[test]
    fn sessions_count_what_the_model_counts(keystrokes in vec(keystroke(), 0..80)) {
        let mut at = 0;
        let mut records = Vec::new();
        let mut counted = Vec::new();
        let mut fold = Fold::new(FoldBounds::default());
        for stroke in keystrokes {
            at += stroke.after;
            let record = SearchRecord {
                filtered: stroke.filtered,
                surface: stroke.surface,
                ..record(stroke.session, stroke.text, at)
            };
            records.push(record.clone());
            if stroke.looked_at {
                fold.due(Timestamp(START + at), &mut |record| counted.push(record));
            }
            fold.search(record, &mut |record| counted.push(record));
        }
        fold.end(&mut |record| counted.push(record));
        prop_assert_eq!(sorted(counted), sorted(model(&records)));
    }
}

/// A fold and the texts that it has counted.
struct Counting(Fold, Vec<String>);

impl Counting {
    fn new(bounds: FoldBounds) -> Self {
        Self(Fold::new(bounds), Vec::new())
    }

    fn search(&mut self, session: u64, text: u8, at: i64) {
        self.0.search(record(Some(session), text, at), &mut |r| {
            self.1.push(r.text)
        });
    }

    fn due(&mut self, at: i64) {
        self.0
            .due(Timestamp(START + at), &mut |r| self.1.push(r.text));
    }

    fn referred(&mut self, session: u64, text: u8) {
        let visit = Visit::new(session, i64::from(text));
        self.0.referred(visit, &mut |r| self.1.push(r.text));
    }

    fn taken(&mut self) -> Vec<String> {
        std::mem::take(&mut self.1)
    }
}

#[test]
fn an_event_makes_its_search_count_at_once() {
    let mut fold = Counting::new(FoldBounds::default());
    fold.search(1, 1, 0);
    fold.search(1, 2, 100);
    fold.referred(1, 1);
    assert_eq!(fold.taken(), ["t1"]);
    fold.referred(1, 1);
    assert!(fold.taken().is_empty(), "it counts once");
    fold.referred(1, 2);
    assert_eq!(fold.taken(), ["t2"]);
    fold.due(10_000);
    fold.search(1, 2, 11_000);
    fold.due(20_000);
    assert!(fold.taken().is_empty(), "the same text is the same search");
    assert_eq!(
        fold.0.started(Visit::new(1, 2)),
        Some(Timestamp(START + 100))
    );
    fold.due(COUNTED_MS + 100);
    assert_eq!(fold.0.started(Visit::new(1, 2)), None);
    fold.referred(9, 9);
    assert!(fold.taken().is_empty(), "an unknown session");
}

#[test]
fn too_many_sessions_count_the_oldest_early() {
    let bounds = FoldBounds {
        waiting: 2,
        counted: 1,
    };
    let mut fold = Counting::new(bounds);
    for session in 0..4 {
        fold.search(session, session as u8, session as i64);
    }
    assert_eq!(fold.taken(), ["t0", "t1"]);
    fold.due(5_000);
    assert_eq!(fold.taken(), ["t2", "t3"]);
    fold.due(5_000);
    assert!(fold.0.counted.len() <= 1 && fold.0.counted_order.len() <= 1);
    assert!(fold.0.waiting.is_empty() && fold.0.order.is_empty());
}

#[test]
fn a_clock_that_was_set_back_blocks_nothing() {
    let mut fold = Counting::new(FoldBounds::default());
    fold.search(1, 1, 3_600_000);
    fold.due(0);
    assert_eq!(fold.taken(), ["t1"]);
    fold.search(1, 1, 0);
    fold.due(4_000);
    fold.due(COUNTED_MS);
    assert!(fold.0.waiting.is_empty());
}
