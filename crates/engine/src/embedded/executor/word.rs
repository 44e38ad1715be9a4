//! One word in one segment: the documents that match it, window by window, and what it adds to their scores.

use super::super::scale::Scale;
use super::alternatives::{AlternativePostings, Units};
use super::bits::Bits;
use super::candidates::Candidates;
use super::cursor::Cursor;
use super::posting_sources::{MatchingPostings, WordPostings, units};
use super::score_accumulator::{BlockThreshold, RemainingBounds, ScoreAccumulator};
use super::scoring_cursor::ScoreSource;
use super::upper_bounds::WordUpperBounds;
use crate::EngineError;
use tantivy::DocId;

/// The lists of one word, opened as they are needed.
pub struct WordScan<S: Scale> {
    matching: Vec<(MatchingPostings, Cursor)>,
    /// Alternatives that do not lead.
    others: Vec<AlternativePostings>,
    units: Box<Units>,
    /// Where its documents of the window stand.
    pub levels: WordUpperBounds<S>,
    /// Documents of the window that hold it exactly.
    pub covered: Bits<S>,
    /// Documents of the window that match an alternative.
    near: Bits<S>,
    /// The same by alternative, as distances from the start of the window.
    alternatives: Vec<Vec<u16>>,
    is_leading: Vec<bool>,
    /// The same as what is found, by field; only where words are counted within one field.
    by_field: Vec<(usize, Bits<S>)>,
}

impl<S: Scale> WordScan<S> {
    /// The lists of a word, which have `alternatives` alternatives by typo.
    pub fn open(lists: WordPostings, alternatives: usize) -> Result<Self, EngineError> {
        let mut matching = Vec::with_capacity(lists.matching.len());
        for list in lists.matching {
            let cursor = list.place.open()?;
            matching.push((list, cursor));
        }
        let mut is_leading = vec![false; alternatives];
        lists.leading.iter().for_each(|at| is_leading[*at] = true);
        let units = units(&lists.groups);
        let levels = WordUpperBounds::new(lists.groups, &lists.near);
        Ok(Self {
            matching,
            others: lists
                .near
                .into_iter()
                .map(AlternativePostings::new)
                .collect(),
            units,
            levels,
            covered: Bits::none(),
            near: Bits::none(),
            alternatives: vec![Vec::new(); alternatives],
            is_leading,
            by_field: Vec::new(),
        })
    }

    /// The most that it adds to any document.
    pub fn most(&self) -> f64 {
        self.levels.most(0)
    }

    /// Documents of the window that match it.
    pub fn found(&self) -> &Bits<S> {
        &self.levels.found
    }

    /// Finds the documents of the window that begins at `start`; `admitted` gets those that a code admits.
    pub fn find(&mut self, start: DocId, by_field: bool, admitted: &mut Bits<S>) {
        self.levels.clear();
        self.covered.clear();
        self.near.clear();
        self.by_field.clear();
        self.alternatives.iter_mut().for_each(Vec::clear);
        let end = start + S::WINDOW as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            // Windows may have been left out.
            cursor.skip_to(start);
            let simple = !(list.covers || list.admits || by_field);
            if let Some(at) = list
                .alternative
                .filter(|at| simple && !self.is_leading[*at])
            {
                let (near, held) = (&mut self.near, &mut self.alternatives[at]);
                cursor.visit_documents_before(end, |document| {
                    near.set((document - start) as usize);
                    held.push((document - start) as u16);
                });
                continue;
            }
            let mut held = Bits::none();
            cursor.mark(start, &mut held);
            if list.covers {
                self.covered.add(&held);
            }
            if list.admits {
                admitted.add(&held);
            }
            if by_field {
                add_to(&mut self.by_field, list.group, &held);
            }
            if list.alternative.is_none_or(|at| self.is_leading[at]) {
                self.levels.strong.add(&held);
            }
            if let Some(at) = list.alternative {
                self.near.add(&held);
                self.alternatives[at].extend(held.iter().map(|document| document as u16));
            }
        }
        self.levels.found.add(&self.levels.strong);
        self.levels.found.add(&self.near);
    }

    /// Finds the documents of the window that begins at `start`, and nothing else about them.
    pub fn find_merely(&mut self, start: DocId, admitted: &mut Bits<S>) {
        let found = &mut self.levels.found;
        found.clear();
        let end = start + S::WINDOW as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            // Windows may have been left out.
            cursor.skip_to(start);
            if list.admits {
                let mut held = Bits::none();
                cursor.mark(start, &mut held);
                admitted.add(&held);
                found.add(&held);
            } else {
                cursor.mark(start, found);
            }
        }
    }

    /// Documents of the window that match it in `field`.
    pub fn in_field(&self, field: usize) -> Option<&Bits<S>> {
        let own = self.by_field.iter().find(|(group, _)| *group == field);
        own.map(|(_, bits)| bits)
    }

    /// Writes into `expected` the most that it adds to those of `documents` that match it, which are some of `among`.
    pub fn expect(
        &mut self,
        documents: &Bits<S>,
        among: Candidates<'_, S>,
        expected: &mut [RemainingBounds],
    ) -> Result<Bits<S>, EngineError> {
        let own = documents.both(&self.levels.found);
        if !own.is_empty() {
            self.levels.mark_all(among)?;
            self.levels.expect(&own, &self.near, expected);
        }
        Ok(own)
    }

    /// Makes it ready to score documents that come before those that it scored last.
    pub fn rewind(&mut self) {
        self.levels.rewind();
        self.others.iter_mut().for_each(AlternativePostings::close);
    }

    /// Scores word number `word` for the documents in `live`, and takes out of them those that cannot matter any more.
    pub fn score(
        &mut self,
        word: usize,
        (live, among): (&mut Bits<S>, Candidates<'_, S>),
        sheet: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
        bar: BlockThreshold<'_, S>,
    ) -> Result<(), EngineError> {
        let mut own = live.both(&self.levels.found);
        sheet.begin_word(word, &own);
        let mut met = Vec::new();
        for near in &mut self.others {
            let documents = &self.alternatives[near.number()];
            if documents.iter().any(|at| own.has(usize::from(*at))) {
                near.make::<S>(source.segment, &self.units)?;
                met.push((near, documents));
            }
        }
        for level in self.levels.by_most() {
            // In most windows most fields hold nothing of what is left.
            if met.is_empty() && !own.may_meet(&level.held) {
                continue;
            }
            let held = own.both(&level.held);
            if !held.is_empty() {
                level.score(among.only(&held), sheet, source)?;
            }
            for (near, documents) in &mut met {
                if let Some(list) = near.in_field(level.field) {
                    let documents = own.with_those(documents);
                    list.score(among.only(&documents), sheet, source)?;
                }
            }
            sheet.end_field();
            sheet.pass_field(&held, level.most);
            for at in held.iter() {
                if !bar.admits(at, sheet.most(at, level.after)) {
                    own.unset(at);
                    live.unset(at);
                    sheet.forget(at);
                }
            }
        }
        sheet.end_word(&own);
        Ok(())
    }
}

fn add_to<S: Scale>(by_field: &mut Vec<(usize, Bits<S>)>, group: usize, held: &Bits<S>) {
    match by_field.iter_mut().find(|(known, _)| *known == group) {
        Some((_, bits)) => bits.add(held),
        None => by_field.push((group, held.clone())),
    }
}
