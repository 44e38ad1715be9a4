//! Folds the keystrokes of a session into searches: what is left after a pause counts. Pure; time is an argument.

use super::query_id::Visit;
use super::record::SearchRecord;
use domain::Timestamp;
use domain::analytics::Surface;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// Milliseconds after which a search counts, unless another one of its session takes its position.
pub(crate) const PAUSE_MS: i64 = 4_000;
/// Milliseconds for which the same query of a session is the same search.
pub(crate) const SAME_MS: i64 = 30 * 60 * 1_000;
/// Milliseconds for which a search that counted is recognised: one that began in time may count a while later.
const COUNTED_MS: i64 = 2 * SAME_MS;
/// Sessions with a waiting search.
const WAITING_MAX: usize = 50_000;
/// Searches that are recognised when they come again.
const COUNTED_MAX: usize = 200_000;
/// Replaced searches of a session to which an event may still refer.
const REPLACED_MAX: usize = 4;
/// A search that waits until later than this was recorded before the clock was set back.
const AHEAD_MS: i64 = 60_000;

/// The searches of sessions that do not count yet, and those that counted a short while ago.
pub(crate) struct Fold {
    bounds: FoldBounds,
    /// By session.
    waiting: HashMap<u64, WaitingSearch>,
    /// The time of each request and its session; only the latest entry of a session is valid.
    order: VecDeque<(Timestamp, u64)>,
    /// When searches that counted began, by visit.
    counted: HashMap<Visit, Timestamp>,
    counted_order: VecDeque<(Timestamp, Visit)>,
}

/// Bounds of a [`Fold`] in entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldBounds {
    pub waiting: usize,
    pub counted: usize,
}

impl Default for FoldBounds {
    fn default() -> Self {
        Self {
            waiting: WAITING_MAX,
            counted: COUNTED_MAX,
        }
    }
}

struct WaitingSearch {
    record: SearchRecord,
    visit: Visit,
    /// The latest request of the session.
    asked: Timestamp,
    replaced: Vec<(Visit, SearchRecord)>,
}

impl Fold {
    /// Returns the state without sessions.
    pub fn new(bounds: FoldBounds) -> Self {
        Self {
            bounds,
            waiting: HashMap::new(),
            order: VecDeque::new(),
            counted: HashMap::new(),
            counted_order: VecDeque::new(),
        }
    }

    /// Takes a search; passes those that count now to `count`.
    pub fn search(&mut self, record: SearchRecord, count: &mut impl FnMut(SearchRecord)) {
        if record.is_correction {
            record
                .visit
                .into_iter()
                .for_each(|visit| self.referred(visit, count));
            return;
        }
        let Some(visit) = record.visit else {
            // Without a session, a prefix of a query cannot be told from a query.
            if record.surface != Surface::Suggest {
                count(record);
            }
            return;
        };
        let (session, at) = (visit.session(), record.at);
        if let Entry::Occupied(entry) = self.waiting.entry(session)
            && at.0.saturating_sub(entry.get().asked.0) >= PAUSE_MS
        {
            let waiting = entry.remove();
            self.count(waiting.visit, waiting.record, count);
        }
        self.order.push_back((at, session));
        match self.waiting.entry(session) {
            Entry::Vacant(free) => {
                free.insert(WaitingSearch {
                    record,
                    visit,
                    asked: at,
                    replaced: Vec::new(),
                });
            }
            Entry::Occupied(entry) => entry.into_mut().follow(record, visit),
        }
        while self.waiting.len() > self.bounds.waiting && self.count_first(count) {}
    }

    /// Passes the searches whose pause is over at `now` to `count`, and forgets searches that counted long ago.
    pub fn due(&mut self, now: Timestamp, count: &mut impl FnMut(SearchRecord)) {
        while let Some((asked, _)) = self.order.front() {
            let waits = now.0.saturating_sub(asked.0);
            if (-AHEAD_MS..PAUSE_MS).contains(&waits) {
                break;
            }
            self.count_first(count);
        }
        while let Some((at, visit)) = self.counted_order.front().copied() {
            let age = now.0.saturating_sub(at.0);
            let is_over = !(-AHEAD_MS..COUNTED_MS).contains(&age);
            if !is_over && self.counted_order.len() <= self.bounds.counted {
                break;
            }
            self.counted_order.pop_front();
            if self.counted.get(&visit) == Some(&at) {
                self.counted.remove(&visit);
            }
        }
    }

    /// Passes the search of `visit` to `count` if an event refers to it before it counted.
    pub fn referred(&mut self, visit: Visit, count: &mut impl FnMut(SearchRecord)) {
        let Entry::Occupied(mut entry) = self.waiting.entry(visit.session()) else {
            return;
        };
        let record = if entry.get().visit == visit {
            entry.remove().record
        } else {
            let replaced = &mut entry.get_mut().replaced;
            let Some(at) = replaced.iter().rposition(|(own, _)| *own == visit) else {
                return;
            };
            replaced.remove(at).1
        };
        self.count(visit, record, count);
    }

    /// Returns when the search of `visit` began, if it counted a short while ago.
    pub fn started(&self, visit: Visit) -> Option<Timestamp> {
        self.counted.get(&visit).copied()
    }

    /// Passes everything that waits to `count`, for nothing follows.
    pub fn end(&mut self, count: &mut impl FnMut(SearchRecord)) {
        while self.count_first(count) {}
    }

    /// Counts the search that waits longest; returns whether there was an entry.
    fn count_first(&mut self, count: &mut impl FnMut(SearchRecord)) -> bool {
        let Some((asked, session)) = self.order.pop_front() else {
            return false;
        };
        if let Entry::Occupied(entry) = self.waiting.entry(session)
            && entry.get().asked == asked
        {
            let waiting = entry.remove();
            self.count(waiting.visit, waiting.record, count);
        }
        true
    }

    fn count(&mut self, visit: Visit, record: SearchRecord, count: &mut impl FnMut(SearchRecord)) {
        let at = record.at;
        let former = self.counted.get(&visit);
        if former.is_some_and(|former| at.0.saturating_sub(former.0) < SAME_MS) {
            return;
        }
        self.counted.insert(visit, at);
        self.counted_order.push_back((at, visit));
        count(record);
    }
}

impl WaitingSearch {
    /// Puts the next request of the session in the position of the waiting one.
    fn follow(&mut self, record: SearchRecord, visit: Visit) {
        self.asked = self.asked.max(record.at);
        if visit != self.visit {
            let former = std::mem::replace(&mut self.record, record);
            let former_visit = std::mem::replace(&mut self.visit, visit);
            if self.replaced.len() == REPLACED_MAX {
                self.replaced.remove(0);
            }
            self.replaced.push((former_visit, former));
        } else if !record.filtered || self.record.filtered {
            // It is the same search, so it keeps the time at which it began.
            let at = self.record.at;
            self.record = SearchRecord { at, ..record };
        }
    }
}

#[cfg(test)]
mod tests;
