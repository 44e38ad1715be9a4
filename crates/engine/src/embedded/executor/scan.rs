//! One segment, window by window: match, filter, count, score.

use super::super::averages::Norms;
use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::WINDOW;
use super::bits::Bits;
use super::cursor::Cursor;
use super::cutoff::Scored;
use super::lists::{MatchList, ScoreList, Weight, WordLists};
use super::phrase::Phrase;
use super::resolve::Resolved;
use super::score::SegmentPlan;
use super::sheet::Sheet;
use super::sieve::Sieve;
use super::top::Top;
use crate::EngineError;
use crate::columns::{Seen, View};
use domain::relevance::field::FIELD_COUNT;
use query::Plan;
use query::plan::Find;
use query::scoring::{coordination, exact_code, factors, phrase};
use tantivy::{DocAddress, DocId};

/// How many times more documents than candidates a list must hold before it is sought instead of read.
const SEEK_RATIO: usize = 6;

/// A segment that is being searched.
pub struct Scan<'a> {
    snapshot: &'a EmbeddedSnapshot,
    plan: &'a Plan,
    resolved: &'a Resolved,
    segment: &'a SegmentView,
    at: usize,
    words: Vec<WordScan>,
    whole_codes: Vec<Cursor>,
    phrase: Phrase,
    sheet: Sheet,
}

/// The lists of one word, opened.
struct WordScan {
    matching: Vec<(MatchList, Cursor)>,
    groups: Vec<Vec<(ScoreList, Cursor)>>,
    /// Documents of the window that match it.
    found: Bits,
    /// Documents of the window that hold it exactly.
    covered: Bits,
    /// The same as `found`, by field; only where words are counted within one field.
    by_field: Vec<(usize, Bits)>,
}

impl<'a> Scan<'a> {
    pub fn new(
        snapshot: &'a EmbeddedSnapshot,
        plan: &'a Plan,
        resolved: &'a Resolved,
        at: usize,
    ) -> Result<Self, EngineError> {
        let segment = &snapshot.texts.segments[at];
        let lists = SegmentPlan {
            segment,
            at,
            plan,
            resolved,
        };
        let words = lists
            .word_lists()?
            .into_iter()
            .map(WordScan::open)
            .collect::<Result<_, _>>()?;
        let whole = lists.whole_codes();
        let whole_codes = whole
            .iter()
            .map(|(_, place)| place.open())
            .collect::<Result<_, EngineError>>()?;
        let phrase = Phrase::new(segment, plan, resolved)?;
        let sheet = Sheet::new();
        Ok(Self {
            snapshot,
            plan,
            resolved,
            segment,
            at,
            words,
            whole_codes,
            phrase,
            sheet,
        })
    }

    /// Searches the segment; the number of its documents that are found.
    pub fn run(
        &mut self,
        view: &View<'_>,
        sieve: &mut Sieve,
        top: &mut Top<'_>,
    ) -> Result<u64, EngineError> {
        let end = self.segment.reader.max_doc() as usize;
        let mut total = 0;
        for start in (0..end).step_by(WINDOW) {
            let mut found = self.candidates(start as DocId, end);
            self.filter(start, &mut found, view, sieve);
            total += found.count() as u64;
            if found.is_empty() {
                continue;
            }
            if top.by_score() && self.plan.find == Find::Words {
                self.score(start as DocId, &found);
            } else {
                found.iter().for_each(|at| self.sheet.text[at] = 1.0);
            }
            self.offer(start, &found, view, top);
        }
        Ok(total)
    }

    /// Documents of the window that the question finds, whatever the shopper chose.
    fn candidates(&mut self, start: DocId, end: usize) -> Bits {
        match self.plan.find {
            Find::Everything => return Bits::first(end - start as usize),
            Find::Nothing => return Bits::none(),
            Find::Words => {}
        }
        let mut admitted = Bits::none();
        for word in &mut self.words {
            word.match_window(start, !self.plan.across_fields, &mut admitted);
        }
        let mut found = if self.plan.across_fields {
            let sets: Vec<Bits> = self.words.iter().map(|word| word.found.clone()).collect();
            Bits::in_at_least(self.plan.min_match, &sets)
        } else {
            self.within_one_field()
        };
        found.add(&admitted);
        found
    }

    fn within_one_field(&self) -> Bits {
        let mut found = Bits::none();
        for field in 0..FIELD_COUNT {
            let sets: Vec<Bits> = self.words.iter().map(|word| word.in_field(field)).collect();
            found.add(&Bits::in_at_least(self.plan.min_match, &sets));
        }
        found
    }

    /// Leaves only what may be shown and was chosen; counts facets on the way.
    fn filter(&self, start: usize, found: &mut Bits, view: &View<'_>, sieve: &mut Sieve) {
        for at in found.clone().iter() {
            let Some(seen) = self.shown(view, (start + at) as DocId) else {
                found.unset(at);
                continue;
            };
            if !sieve.passes(&seen) {
                found.unset(at);
            }
        }
    }

    /// A document, when it may be shown.
    fn shown<'v>(&self, view: &'v View<'v>, document: DocId) -> Option<Seen<'v>> {
        view.see(self.segment.ordinal(document)).filter(|seen| {
            self.segment.is_alive(document)
                && !(self.plan.hide_out_of_stock && seen.row().hidden_when_out())
        })
    }

    /// Hands over every document that may be shown and that the question finds, whatever the shopper chose.
    pub fn visit_scored(&mut self, view: &View<'_>, mut visit: impl FnMut(Scored)) {
        let end = self.segment.reader.max_doc() as usize;
        for start in (0..end).step_by(WINDOW) {
            let mut found = self.candidates(start as DocId, end);
            for at in found.clone().iter() {
                if self.shown(view, (start + at) as DocId).is_none() {
                    found.unset(at);
                }
            }
            if found.is_empty() {
                continue;
            }
            self.score(start as DocId, &found);
            for at in found.iter() {
                let document = (start + at) as DocId;
                if let Some(seen) = self.shown(view, document) {
                    let score = self.with_factors(at, &seen);
                    let address = DocAddress::new(self.at as u32, document);
                    visit(Scored {
                        ordinal: seen.ordinal,
                        address,
                        rank: 0,
                        score,
                    });
                }
            }
        }
    }

    /// Writes the text score of every found document into the sheet.
    fn score(&mut self, start: DocId, found: &Bits) {
        found.iter().for_each(|at| self.sheet.text[at] = 0.0);
        for word in &mut self.words {
            word.score_window(
                start,
                found,
                &mut self.sheet,
                self.segment,
                &self.snapshot.texts.norms,
            );
        }
        if self.plan.words.len() > 1 {
            self.add_coordination(found);
            self.add_phrase(start, found);
        }
        let bonus = exact_code(self.plan.exact_ref_boost, self.resolved.documents);
        let mut coded = Bits::none();
        for cursor in &mut self.whole_codes {
            cursor.skip_to(start);
            cursor.visit_before(start + WINDOW as DocId, |d, _| {
                coded.set((d - start) as usize)
            });
        }
        coded.keep(found);
        coded.iter().for_each(|at| self.sheet.text[at] += bonus);
    }

    fn add_coordination(&mut self, found: &Bits) {
        let covered = &mut self.sheet.sum;
        found.iter().for_each(|at| covered[at] = 0.0);
        for (word, resolved) in self.words.iter().zip(&self.resolved.words) {
            let mut held = word.covered.clone();
            held.keep(found);
            let idf = resolved.idf.unwrap_or(0.0);
            held.iter().for_each(|at| covered[at] += idf);
        }
        let (boost, rarity) = (self.plan.cross_fields_boost, self.resolved.rarity);
        found
            .iter()
            .for_each(|at| self.sheet.text[at] += coordination(boost, rarity, covered[at]));
        found.iter().for_each(|at| covered[at] = 0.0);
    }

    fn add_phrase(&mut self, start: DocId, found: &Bits) {
        if self.phrase.is_impossible() {
            return;
        }
        let mut holding = found.clone();
        for word in &self.words {
            holding.keep(&word.covered);
        }
        let bonus = phrase(self.plan.phrase_boost, self.resolved.rarity);
        for at in holding.iter() {
            if self.phrase.field_in(start + at as DocId).is_some() {
                self.sheet.text[at] += bonus;
            }
        }
    }

    fn offer(&self, start: usize, found: &Bits, view: &View<'_>, top: &mut Top<'_>) {
        for at in found.iter() {
            let document = (start + at) as DocId;
            let Some(seen) = view.see(self.segment.ordinal(document)) else {
                continue;
            };
            let score = self.with_factors(at, &seen);
            let address = DocAddress::new(self.at as u32, document);
            top.offer((0, score), &seen, address);
        }
    }

    fn with_factors(&self, at: usize, seen: &Seen<'_>) -> f64 {
        self.sheet.text[at] * factors(&self.plan.factors, &seen.factor_values()).multiplier
    }
}

impl WordScan {
    fn open(lists: WordLists) -> Result<Self, EngineError> {
        let matching = lists.matching.into_iter().map(|list| {
            let cursor = list.place.open()?;
            Ok((list, cursor))
        });
        let groups = lists.groups.into_iter().map(|group| {
            let opened = group.lists.into_iter().map(|list| {
                let cursor = list.place.open()?;
                Ok((list, cursor))
            });
            opened.collect::<Result<Vec<_>, EngineError>>()
        });
        Ok(Self {
            matching: matching.collect::<Result<_, EngineError>>()?,
            groups: groups.collect::<Result<_, EngineError>>()?,
            found: Bits::none(),
            covered: Bits::none(),
            by_field: Vec::new(),
        })
    }

    fn match_window(&mut self, start: DocId, by_field: bool, admitted: &mut Bits) {
        self.found.clear();
        self.covered.clear();
        self.by_field.clear();
        for (list, cursor) in &mut self.matching {
            let mut held = Bits::none();
            cursor.visit_before(start + WINDOW as DocId, |document, _| {
                held.set((document - start) as usize);
            });
            self.found.add(&held);
            if list.covers {
                self.covered.add(&held);
            }
            if list.admits {
                admitted.add(&held);
            }
            if by_field {
                match self
                    .by_field
                    .iter_mut()
                    .find(|(group, _)| *group == list.group)
                {
                    Some((_, bits)) => bits.add(&held),
                    None => self.by_field.push((list.group, held)),
                }
            }
        }
    }

    fn in_field(&self, field: usize) -> Bits {
        let own = self.by_field.iter().find(|(group, _)| *group == field);
        own.map_or_else(Bits::none, |(_, bits)| bits.clone())
    }

    fn score_window(
        &mut self,
        start: DocId,
        found: &Bits,
        sheet: &mut Sheet,
        segment: &SegmentView,
        norms: &[Norms],
    ) {
        let candidates = found.count();
        for group in &mut self.groups {
            for (list, cursor) in group.iter_mut() {
                let lengths = segment.lengths(list.field);
                let norm = &norms[list.field.index()];
                let sparse = cursor.len() as usize * WINDOW
                    > SEEK_RATIO * candidates * segment.reader.max_doc() as usize;
                let mut visit = |document: DocId, tf: u32| {
                    let at = (document - start) as usize;
                    if found.has(at) {
                        sheet.note(at, value(list.weight, tf, lengths, document, norm));
                    }
                };
                if sparse {
                    for at in found.iter() {
                        let document = start + at as DocId;
                        if let Some(tf) = cursor.frequency(document) {
                            visit(document, tf);
                        }
                    }
                } else {
                    cursor.skip_to(start);
                    cursor.visit_before(start + WINDOW as DocId, visit);
                }
            }
            sheet.end_field();
        }
        sheet.end_word(found);
    }
}

/// What a document in a list scores.
pub fn value(
    weight: Weight,
    tf: u32,
    lengths: Option<&[u16]>,
    document: DocId,
    norm: &Norms,
) -> f64 {
    match weight {
        Weight::Fixed(score) => score,
        Weight::ByFrequency(unit) => {
            let length = lengths.map_or(0, |lengths| lengths[document as usize]);
            unit * norm.weight(tf, length)
        }
    }
}
