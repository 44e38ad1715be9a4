//! One segment, block by block: match, filter, count, score.
//!
//! A block of doc ids at a time, as the windows of `BooleanScorer` and `MaxScoreBulkScorer` of Lucene: lists are
//! read one after the other into the scores of a block, not one document after the other.

mod offers;
mod rules;
mod scores;

use super::block_pruning::Bounds;
use super::candidates::Candidates;
use super::collector::Collector;
use super::cutoff::{Cutoff, Scored};
use super::heap::TopK;
use super::phrase::SegmentPhrase;
use super::pins::Pins;
use super::score_accumulator::{BlockThreshold, ScoreAccumulator};
use super::segment_plan::SegmentPlan;
use super::static_scores::StaticScoreBlock;
use super::task::Task;
use super::tiers::Ranks;
use super::word::WordScan;
use crate::EngineError;
use crate::columns::Seen;
use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::scale::Scale;
use domain::relevance::field::FIELD_COUNT;
use query::plan::Find;
use tantivy::{DocAddress, DocId};

/// Documents that are scored before all others while there is no threshold.
const LIKELY_MIN: usize = 32;

/// A segment that is being searched.
pub struct SegmentScan<'a, S: Scale> {
    task: Task<'a, S>,
    segment: &'a SegmentView,
    at: usize,
    words: Vec<WordScan<'a, S>>,
    bounds: Bounds,
    whole_codes: Vec<Cursor>,
    /// Documents of the block in `whole_codes`.
    code_matches: Bits<S>,
    ranks: Ranks,
    phrase: SegmentPhrase,
    accumulator: &'a mut ScoreAccumulator,
    /// Whether `phrase` has moved since it was created.
    phrase_has_moved: bool,
}

impl<'a, S: Scale> SegmentScan<'a, S> {
    pub fn new(
        task: Task<'a, S>,
        at: usize,
        accumulator: &'a mut ScoreAccumulator,
    ) -> Result<Self, EngineError> {
        let Task {
            snapshot,
            plan,
            resolved,
            ..
        } = task;
        let segment = &snapshot.texts.segments[at];
        let lists = SegmentPlan {
            texts: &snapshot.texts,
            segment,
            at,
            plan,
            resolved,
        };
        let words = (lists.word_lists::<S>()?.into_iter().zip(&resolved.words))
            .zip(&resolved.clauses.words)
            .map(|((lists, word), clauses)| {
                WordScan::open(lists, word.meaning.alternatives(), clauses.counts)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut whole_codes = Vec::new();
        for (_, source) in lists.whole_codes() {
            whole_codes.push(source.open()?);
        }
        let bonuses = &resolved.clauses.bonuses;
        let phrase = SegmentPhrase::new(segment, plan, bonuses.phrase.as_ref())?;
        Ok(Self {
            task,
            segment,
            at,
            bounds: Bounds::new(&words, &resolved.clauses, !phrase.is_impossible()),
            words,
            whole_codes,
            code_matches: Bits::none(),
            ranks: Ranks::new(segment, at, plan, resolved)?,
            phrase,
            accumulator,
            phrase_has_moved: false,
        })
    }

    /// Searches `blocks` of the segment, which are in ascending order, and returns the number of matching documents.
    pub fn run(
        &mut self,
        blocks: impl Iterator<Item = usize>,
        collector: &mut impl Collector,
        top_k: &mut TopK<'_>,
        pins: &mut Pins,
    ) -> Result<u64, EngineError> {
        let mut total = 0;
        let (by_score, collects) = (top_k.by_score(), collector.is_needed());
        for number in blocks {
            let start = (number * S::BLOCK) as DocId;
            let mut pinned = pins.in_block(self.at, start);
            if by_score && !collects && pinned.is_none() && self.is_below_threshold(number, top_k) {
                let mut found = self.find_documents_only(start);
                if !found.is_empty() {
                    self.apply_rules(number, &mut found, &mut None, pins);
                    total += found.count() as u64;
                }
                continue;
            }
            let mut found = self.find_candidates(start);
            if found.is_empty() && pinned.is_none() {
                continue;
            }
            let block = self.apply_rules(number, &mut found, &mut pinned, pins);
            if let Some(pinned) = &pinned {
                found.add(pinned);
            }
            if collects {
                self.filter(start, &mut found, collector);
                if let Some(pinned) = &mut pinned {
                    self.retain_pins(start, pinned, &found, pins);
                }
            }
            total += found.count() as u64;
            if found.is_empty() {
                continue;
            }
            let all = found.clone();
            let candidates = Candidates::new(self.segment, start, &all);
            if let Some(pinned) = &pinned {
                self.score_pins(candidates, pinned, block)?;
                self.set_pins(start, pinned, pins, top_k);
                found.remove(pinned);
            }
            let mut min_score = top_k.threshold();
            if by_score && min_score.is_none() {
                let room = top_k.room();
                let foremost = block.boosted_first(&found, room);
                let first = self.likely(candidates, foremost, room)?;
                found.remove(&first);
                self.offer_best(
                    candidates,
                    first,
                    BlockThreshold { min_score, block },
                    top_k,
                )?;
                self.rewind()?;
                min_score = top_k.threshold();
            }
            self.offer_best(
                candidates,
                found,
                BlockThreshold { min_score, block },
                top_k,
            )?;
        }
        Ok(total)
    }

    /// Prepares for scoring other documents of the block.
    fn rewind(&mut self) -> Result<(), EngineError> {
        self.words.iter_mut().for_each(WordScan::rewind);
        if std::mem::take(&mut self.phrase_has_moved) {
            let bonuses = &self.task.resolved.clauses.bonuses;
            let phrase = bonuses.phrase.as_ref();
            self.phrase = SegmentPhrase::new(self.segment, self.task.plan, phrase)?;
        }
        Ok(())
    }

    /// Returns about `count` of the documents `likely` that are likely to rank high. Their scores give a threshold for
    /// all others.
    fn likely(
        &mut self,
        candidates: Candidates<'_, S>,
        mut likely: Bits<S>,
        count: usize,
    ) -> Result<Bits<S>, EngineError> {
        for word in self.words.iter_mut().filter(|word| word.counts) {
            if word.upper_bounds.count() > 0 {
                let best = likely.both(word.upper_bounds.mark(0, candidates)?);
                if best.count() >= count {
                    likely = best;
                }
            }
        }
        Ok(likely.first(count.max(LIKELY_MIN)))
    }

    /// Returns the documents of the block that match the query, before filters.
    fn find_candidates(&mut self, start: DocId) -> Bits<S> {
        let plan = self.task.plan;
        match plan.find {
            Find::Everything => return Bits::all(),
            Find::Nothing => return Bits::none(),
            Find::Words => {}
        }
        let mut admitted = Bits::none();
        for word in &mut self.words {
            word.find(start, !plan.across_fields, &mut admitted);
        }
        let mut found = if plan.across_fields {
            self.across_fields()
        } else {
            self.within_one_field()
        };
        found.add(&admitted);
        self.find_code_matches(start);
        self.ranks.apply(start, &mut found);
        found
    }

    /// Returns the matching documents of a block that cannot reach the threshold, without what scoring needs.
    fn find_documents_only(&mut self, start: DocId) -> Bits<S> {
        let mut admitted = Bits::none();
        for word in &mut self.words {
            word.find_documents_only(start, &mut admitted);
        }
        let mut found = self.across_fields();
        found.add(&admitted);
        self.ranks.apply(start, &mut found);
        found
    }

    /// Whether no document of a block can reach the threshold, judged by the static scores of the block alone.
    fn is_below_threshold(&self, number: usize, top_k: &TopK<'_>) -> bool {
        let Task {
            plan,
            static_scores,
            ..
        } = self.task;
        // A document with the whole code is always scored.
        if plan.find != Find::Words || !plan.across_fields || !self.whole_codes.is_empty() {
            return false;
        }
        static_scores.cached(self.at, number).is_some_and(|block| {
            let min_score = top_k.threshold();
            !self
                .bounds
                .may_be_reached(BlockThreshold { min_score, block })
        })
    }

    fn across_fields(&self) -> Bits<S> {
        let counted = self.words.iter().filter(|word| word.counts);
        let sets: Vec<&Bits<S>> = counted.map(WordScan::found).collect();
        Bits::in_at_least(self.task.plan.min_match, &sets)
    }

    fn within_one_field(&self) -> Bits<S> {
        let mut found = Bits::none();
        for field in 0..FIELD_COUNT {
            let sets: Vec<&Bits<S>> = (self.words.iter())
                .filter_map(|word| word.in_field(field))
                .collect();
            found.add(&Bits::in_at_least(self.task.plan.min_match, &sets));
        }
        found
    }

    /// Removes the documents that the filters exclude, and records what facets count.
    fn filter(&self, start: DocId, found: &mut Bits<S>, collector: &mut impl Collector) {
        for at in found.clone().iter() {
            let ordinal = self.segment.ordinal(start + at as DocId);
            if !collector.passes(ordinal, self.task.view) {
                found.unset(at);
            }
        }
    }

    /// Returns the numbers and values of a document of the block.
    fn seen(&self, start: DocId, at: usize) -> Option<Seen<'a>> {
        let ordinal = self.segment.ordinal(start + at as DocId);
        self.task.view.see(ordinal)
    }

    /// Offers every matching document to `cutoff` that the visitor may see and that scores high enough.
    ///
    /// Pins are kept whatever they score, so they are filtered and counted immediately; their number is returned.
    pub fn collect(
        &mut self,
        cutoff: &mut Cutoff,
        collector: &mut impl Collector,
        top_k: &TopK<'_>,
        pins: &mut Pins,
    ) -> Result<u64, EngineError> {
        let mut counted = 0;
        for number in 0..self.segment.blocks::<S>() {
            let start = (number * S::BLOCK) as DocId;
            let mut found = self.find_candidates(start);
            let mut pinned = pins.in_block(self.at, start);
            if found.is_empty() && pinned.is_none() {
                continue;
            }
            let block = self.apply_rules(number, &mut found, &mut pinned, pins);
            let mut all = found.clone();
            pinned.iter().for_each(|pinned| all.add(pinned));
            let candidates = Candidates::new(self.segment, start, &all);
            if let Some(mut pinned) = pinned {
                self.score_pins(candidates, &pinned, block)?;
                for at in found.both(&pinned).iter() {
                    if let Some(seen) = self.seen(start, at) {
                        cutoff.record_score(self.final_score(at, &seen));
                    }
                }
                found.remove(&pinned);
                let mut passing = pinned.clone();
                self.filter(start, &mut passing, collector);
                self.retain_pins(start, &mut pinned, &passing, pins);
                counted += pinned.count() as u64;
                self.set_pins(start, &pinned, pins, top_k);
            }
            if found.is_empty() {
                continue;
            }
            let threshold = BlockThreshold {
                min_score: Some(cutoff.min_score()),
                block,
            };
            self.score(candidates, &mut found, threshold)?;
            for at in found.iter() {
                if let Some(seen) = self.seen(start, at) {
                    cutoff.offer(Scored {
                        ordinal: seen.ordinal,
                        address: DocAddress::new(self.at as u32, start + at as DocId),
                        rank: self.ranks.of(start + at as DocId),
                        score: self.final_score(at, &seen),
                    });
                }
            }
        }
        Ok(counted)
    }

    /// Finds the documents of the block that have the whole query as a code.
    fn find_code_matches(&mut self, start: DocId) {
        self.code_matches.clear();
        for cursor in &mut self.whole_codes {
            cursor.skip_to(start);
            cursor.mark(start, &mut self.code_matches);
        }
    }
}
