//! One word in one segment: the documents that match it, block by block, and what it adds to their scores.

use super::alternatives::AlternativePostings;
use super::candidates::Candidates;
use super::clauses::{Covers, MatchingPostings};
use super::score_accumulator::{BlockThreshold, RemainingBounds, ScoreAccumulator};
use super::scoring_cursor::ScoreSource;
use super::segment_plan::WordPostings;
use super::upper_bounds::WordUpperBounds;
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::scale::Scale;
use tantivy::DocId;

/// The posting lists of one word, opened when they are first needed.
pub struct WordScan<'a, S: Scale> {
    matching: Vec<(MatchingPostings, Cursor)>,
    /// Alternatives whose lists are only read for documents that may reach the threshold.
    non_essential: Vec<AlternativePostings<'a>>,
    /// Whether it counts for minimum match. A stop word does not: it finds no documents, and scores those that others find.
    pub counts: bool,
    /// Upper bounds of what the word adds, by field.
    pub upper_bounds: WordUpperBounds<S>,
    /// Documents of the block that contain the word exactly.
    pub covered: Bits<S>,
    /// Documents of the block that match an alternative.
    by_alternative: Bits<S>,
    /// The offsets in the block of the documents that match each alternative.
    alternatives: Vec<Vec<u16>>,
    is_essential: Vec<bool>,
    /// Matching documents by field; only used if all words must match in one field.
    by_field: Vec<(usize, Bits<S>)>,
}

impl<'a, S: Scale> WordScan<'a, S> {
    /// Opens the lists of a word, of which `alternatives` is the number of alternatives, and which `counts` for minimum match
    /// or not.
    pub fn open(
        lists: WordPostings<'a>,
        alternatives: usize,
        counts: bool,
    ) -> Result<Self, EngineError> {
        let mut matching = Vec::with_capacity(lists.matching.len());
        for list in lists.matching.into_iter().filter(|_| counts) {
            let cursor = list.source.open()?;
            matching.push((list, cursor));
        }
        let mut is_essential = vec![false; alternatives];
        lists
            .essential
            .iter()
            .for_each(|at| is_essential[*at] = true);
        let upper_bounds = WordUpperBounds::new(lists.groups, &lists.non_essential);
        Ok(Self {
            matching,
            counts,
            non_essential: lists
                .non_essential
                .into_iter()
                .map(AlternativePostings::new)
                .collect(),
            upper_bounds,
            covered: Bits::none(),
            by_alternative: Bits::none(),
            alternatives: vec![Vec::new(); alternatives],
            is_essential,
            by_field: Vec::new(),
        })
    }

    /// Returns the most that the word adds to any document.
    pub fn max_score(&self) -> f64 {
        self.upper_bounds.max_score(0)
    }

    /// Returns the documents of the block that match the word.
    pub fn found(&self) -> &Bits<S> {
        &self.upper_bounds.found
    }

    /// Finds the matching documents of the block that begins at `start`, and adds those with the code to `admitted`. Any
    /// document may match a stop word.
    pub fn find(&mut self, start: DocId, by_field: bool, admitted: &mut Bits<S>) {
        self.upper_bounds.clear();
        self.covered.clear();
        self.by_alternative.clear();
        self.by_field.clear();
        self.alternatives.iter_mut().for_each(Vec::clear);
        let end = start + S::BLOCK as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            // Blocks may have been skipped.
            cursor.skip_to(start);
            let simple = list.covers == Covers::None && !(list.admits || by_field);
            if let Some(at) = list
                .alternative
                .filter(|at| simple && !self.is_essential[*at])
            {
                let (matching, held) = (&mut self.by_alternative, &mut self.alternatives[at]);
                cursor.visit_documents_before(end, |document| {
                    matching.set((document - start) as usize);
                    held.push((document - start) as u16);
                });
                continue;
            }
            let mut held = Bits::none();
            match list.covers {
                Covers::Alone => cursor.visit_before(end, |document, tf| {
                    let at = (document - start) as usize;
                    held.set(at);
                    if tf.is_alone() {
                        self.covered.set(at);
                    }
                }),
                Covers::All | Covers::None => cursor.mark(start, &mut held),
            }
            if list.covers == Covers::All {
                self.covered.add(&held);
            }
            if list.admits {
                admitted.add(&held);
            }
            if by_field {
                add_to(&mut self.by_field, list.group, &held);
            }
            if list.alternative.is_none_or(|at| self.is_essential[at]) {
                self.upper_bounds.essential.add(&held);
            }
            if let Some(at) = list.alternative {
                self.by_alternative.add(&held);
                self.alternatives[at].extend(held.iter().map(|document| document as u16));
            }
        }
        if !self.counts {
            self.upper_bounds.essential = Bits::all();
        }
        self.upper_bounds.found.add(&self.upper_bounds.essential);
        self.upper_bounds.found.add(&self.by_alternative);
    }

    /// Finds the matching documents of the block that begins at `start`, without what scoring needs.
    pub fn find_documents_only(&mut self, start: DocId, admitted: &mut Bits<S>) {
        let found = &mut self.upper_bounds.found;
        found.clear();
        let end = start + S::BLOCK as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            // Blocks may have been skipped.
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

    /// Returns the documents of the block that match the word in `field`.
    pub fn in_field(&self, field: usize) -> Option<&Bits<S>> {
        let own = self.by_field.iter().find(|(group, _)| *group == field);
        own.map(|(_, bits)| bits)
    }

    /// Writes into `bounds` the most that the word adds to the matching ones of `documents`, which are some of the
    /// `candidates`, and returns these.
    pub fn write_upper_bounds(
        &mut self,
        documents: &Bits<S>,
        candidates: Candidates<'_, S>,
        bounds: &mut [RemainingBounds],
    ) -> Result<Bits<S>, EngineError> {
        let own = documents.both(&self.upper_bounds.found);
        if !own.is_empty() {
            self.upper_bounds.mark_all(candidates)?;
            self.upper_bounds
                .write_upper_bounds(&own, &self.by_alternative, bounds);
        }
        Ok(own)
    }

    /// Prepares for scoring documents that come before those scored last.
    pub fn rewind(&mut self) {
        self.upper_bounds.rewind();
        self.non_essential
            .iter_mut()
            .for_each(AlternativePostings::close);
    }

    /// Scores word number `word` for the documents in `live`, and removes those that cannot reach the threshold any
    /// more.
    pub fn score(
        &mut self,
        word: usize,
        (live, candidates): (&mut Bits<S>, Candidates<'_, S>),
        accumulator: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
        threshold: BlockThreshold<'_, S>,
    ) -> Result<(), EngineError> {
        let mut own = live.both(&self.upper_bounds.found);
        accumulator.begin_word(word, &own);
        let mut matched_alternatives = Vec::new();
        for alternative in &mut self.non_essential {
            let documents = &self.alternatives[alternative.number()];
            if documents.iter().any(|at| own.has(usize::from(*at))) {
                alternative.open::<S>(source)?;
                matched_alternatives.push((alternative, documents));
            }
        }
        for field in self.upper_bounds.by_max_score() {
            // In most blocks, most fields contain none of the remaining documents.
            if matched_alternatives.is_empty() && !own.may_intersect(&field.documents) {
                continue;
            }
            let held = own.both(&field.documents);
            if !held.is_empty() {
                field.score(candidates.only(&held), accumulator, source)?;
            }
            for (alternative, documents) in &mut matched_alternatives {
                if let Some(list) = alternative.in_field(field.field) {
                    let documents = own.with_those(documents);
                    list.score(candidates.only(&documents), accumulator, source)?;
                }
            }
            accumulator.end_field();
            accumulator.pass_field(&held, field.max_score);
            for at in held.iter() {
                if !threshold.admits(at, accumulator.upper_bound(at, field.max_score_after)) {
                    own.unset(at);
                    live.unset(at);
                    accumulator.reset_word(at);
                }
            }
        }
        accumulator.end_word(&own);
        Ok(())
    }
}

fn add_to<S: Scale>(by_field: &mut Vec<(usize, Bits<S>)>, group: usize, held: &Bits<S>) {
    match by_field.iter_mut().find(|(known, _)| *known == group) {
        Some((_, bits)) => bits.add(held),
        None => by_field.push((group, held.clone())),
    }
}
