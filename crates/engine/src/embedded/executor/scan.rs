//! One segment, window by window: match, filter, count, score.

mod offers;
mod rules;

use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::super::static_scores::StaticScoreBlock;
use super::bits::Bits;
use super::block_pruning::Bounds;
use super::candidates::Candidates;
use super::cursor::Cursor;
use super::cutoff::{Cutoff, Scored};
use super::facet_collector::FacetCollector;
use super::few_candidates::CandidateThreshold;
use super::phrase::SegmentPhrase;
use super::pins::Pins;
use super::ranks::Ranks;
use super::score::SegmentPlan;
use super::score_accumulator::{BlockThreshold, ScoreAccumulator};
use super::scoring_cursor::ScoreSource;
use super::task::Task;
use super::top_k::TopK;
use super::word::WordScan;
use crate::EngineError;
use crate::columns::Seen;
use domain::relevance::field::FIELD_COUNT;
use parking_lot::Mutex;
use query::plan::Find;
use query::scoring::{coordination, exact_code, factors, phrase};
use tantivy::{DocAddress, DocId};

/// Documents that are scored before all others where nothing tells yet what a document must reach.
const LIKELY_MIN: usize = 32;

/// A segment that is being searched.
pub struct SegmentScan<'a, S: Scale> {
    task: Task<'a, S>,
    segment: &'a SegmentView,
    at: usize,
    words: Vec<WordScan<S>>,
    bounds: Bounds,
    whole_codes: Vec<Cursor>,
    /// Documents of the window in them.
    coded: Bits<S>,
    ranks: Ranks,
    phrase: SegmentPhrase,
    sheet: &'a mut ScoreAccumulator,
    /// Whether the phrase was looked for in documents since it was made.
    phrase_is_read: bool,
}

impl<'a, S: Scale> SegmentScan<'a, S> {
    pub fn new(
        task: Task<'a, S>,
        at: usize,
        sheet: &'a mut ScoreAccumulator,
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
            .map(|(lists, word)| WordScan::open(lists, word.alternatives()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut whole_codes = Vec::new();
        for (_, place) in lists.whole_codes() {
            whole_codes.push(place.open()?);
        }
        let phrase = SegmentPhrase::new(segment, plan, resolved)?;
        Ok(Self {
            task,
            segment,
            at,
            bounds: Bounds::new(&words, plan, resolved, !phrase.is_impossible()),
            words,
            whole_codes,
            coded: Bits::none(),
            ranks: Ranks::new(segment, at, plan, resolved)?,
            phrase,
            sheet,
            phrase_is_read: false,
        })
    }

    /// Searches `windows` of the segment, which are in order and after those that were searched before; the number of
    /// their documents that are found. Others may search for the same best hits.
    pub fn run(
        &mut self,
        windows: &[usize],
        sieve: &mut FacetCollector,
        top: &Mutex<TopK<'_>>,
        pins: &mut Pins,
    ) -> Result<u64, EngineError> {
        let mut total = 0;
        let (by_score, looked_at) = (top.lock().by_score(), sieve.is_needed());
        for &number in windows {
            let start = (number * S::WINDOW) as DocId;
            let mut pinned = pins.in_window(self.at, start);
            if by_score && !looked_at && pinned.is_none() && self.is_out_of_reach(number, top) {
                let mut found = self.merely_candidates(start);
                if !found.is_empty() {
                    self.rule(number, &mut found, &mut None, pins);
                    total += found.count() as u64;
                }
                continue;
            }
            let mut found = self.candidates(start);
            if found.is_empty() && pinned.is_none() {
                continue;
            }
            let window = self.rule(number, &mut found, &mut pinned, pins);
            if let Some(pinned) = &pinned {
                found.add(pinned);
            }
            if looked_at {
                self.filter(start, &mut found, sieve);
                if let Some(pinned) = &mut pinned {
                    self.keep_pins(start, pinned, &found, pins);
                }
            }
            total += found.count() as u64;
            if found.is_empty() {
                continue;
            }
            let all = found.clone();
            let among = Candidates::new(self.segment, start, &all);
            if let Some(pinned) = &pinned {
                self.score_pins(among, pinned, window)?;
                self.put_pins(start, pinned, pins, &top.lock());
                found.remove(pinned);
            }
            let mut worst = top.lock().worst_score();
            if by_score && worst.is_none() {
                let room = top.lock().room();
                let foremost = window.foremost(&found, room);
                let first = self.likely(among, foremost, room)?;
                found.remove(&first);
                // Whatever others have found by now: under a bar, fields would be read for these few alone.
                self.offer_best(among, first, BlockThreshold { worst, window }, top)?;
                self.rewind()?;
                worst = top.lock().worst_score();
            }
            self.offer_best(among, found, BlockThreshold { worst, window }, top)?;
        }
        Ok(total)
    }

    /// Makes what was scored of a window ready for other documents of it.
    fn rewind(&mut self) -> Result<(), EngineError> {
        self.words.iter_mut().for_each(WordScan::rewind);
        if std::mem::take(&mut self.phrase_is_read) {
            self.phrase = SegmentPhrase::new(self.segment, self.task.plan, self.task.resolved)?;
        }
        Ok(())
    }

    /// About `count` of the documents `likely` that are likely to rank high: what they score is a bar for all others.
    fn likely(
        &mut self,
        among: Candidates<'_, S>,
        mut likely: Bits<S>,
        count: usize,
    ) -> Result<Bits<S>, EngineError> {
        for word in &mut self.words {
            if word.levels.count() > 0 {
                let best = likely.both(word.levels.mark(0, among)?);
                if best.count() >= count {
                    likely = best;
                }
            }
        }
        Ok(likely.first(count.max(LIKELY_MIN)))
    }

    /// Documents of the window that the question finds, whatever the shopper chose.
    fn candidates(&mut self, start: DocId) -> Bits<S> {
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
        self.find_coded(start);
        self.ranks.settle(start, &mut found);
        found
    }

    /// The same of a window that is out of reach, so that nothing else has to be known of them.
    fn merely_candidates(&mut self, start: DocId) -> Bits<S> {
        let mut admitted = Bits::none();
        for word in &mut self.words {
            word.find_merely(start, &mut admitted);
        }
        let mut found = self.across_fields();
        found.add(&admitted);
        self.ranks.settle(start, &mut found);
        found
    }

    /// Whether no document of a window can have a place any more, whatever it matches, as far as that is known without
    /// looking at them.
    fn is_out_of_reach(&self, number: usize, top: &Mutex<TopK<'_>>) -> bool {
        let Task { plan, standing, .. } = self.task;
        // Whom a code finds as a whole is scored in any case.
        if plan.find != Find::Words || !plan.across_fields || !self.whole_codes.is_empty() {
            return false;
        }
        standing.known(self.at, number).is_some_and(|window| {
            let worst = top.lock().worst_score();
            !self.bounds.reach(BlockThreshold { worst, window })
        })
    }

    fn across_fields(&self) -> Bits<S> {
        let sets: Vec<&Bits<S>> = self.words.iter().map(WordScan::found).collect();
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

    /// Leaves only what was chosen; notes on the way what facets count.
    fn filter(&self, start: DocId, found: &mut Bits<S>, sieve: &mut FacetCollector) {
        for at in found.clone().iter() {
            let ordinal = self.segment.ordinal(start + at as DocId);
            if !sieve.passes(ordinal, self.task.view) {
                found.unset(at);
            }
        }
    }

    /// A document of the window with its numbers.
    fn seen(&self, start: DocId, at: usize) -> Option<Seen<'a>> {
        let ordinal = self.segment.ordinal(start + at as DocId);
        self.task.view.see(ordinal)
    }

    /// Hands every document to `cutoff` that may be shown, that the question finds, whatever the shopper chose, and that
    /// may be kept.
    /// Pins are kept in any case, so they are filtered and counted at once; their number is the answer.
    pub fn collect(
        &mut self,
        cutoff: &mut Cutoff,
        sieve: &mut FacetCollector,
        top: &TopK<'_>,
        pins: &mut Pins,
    ) -> Result<u64, EngineError> {
        let mut counted = 0;
        for number in 0..self.segment.windows::<S>() {
            let start = (number * S::WINDOW) as DocId;
            let mut found = self.candidates(start);
            let mut pinned = pins.in_window(self.at, start);
            if found.is_empty() && pinned.is_none() {
                continue;
            }
            let window = self.rule(number, &mut found, &mut pinned, pins);
            let mut all = found.clone();
            pinned.iter().for_each(|pinned| all.add(pinned));
            let among = Candidates::new(self.segment, start, &all);
            if let Some(mut pinned) = pinned {
                self.score_pins(among, &pinned, window)?;
                for at in found.both(&pinned).iter() {
                    if let Some(seen) = self.seen(start, at) {
                        cutoff.note(self.with_factors(at, &seen));
                    }
                }
                found.remove(&pinned);
                let mut passing = pinned.clone();
                self.filter(start, &mut passing, sieve);
                self.keep_pins(start, &mut pinned, &passing, pins);
                counted += pinned.count() as u64;
                self.put_pins(start, &pinned, pins, top);
            }
            if found.is_empty() {
                continue;
            }
            let bar = BlockThreshold {
                worst: Some(cutoff.lowest()),
                window,
            };
            self.score(among, &mut found, bar)?;
            for at in found.iter() {
                if let Some(seen) = self.seen(start, at) {
                    cutoff.offer(Scored {
                        ordinal: seen.ordinal,
                        address: DocAddress::new(self.at as u32, start + at as DocId),
                        rank: self.ranks.of(start + at as DocId),
                        score: self.with_factors(at, &seen),
                    });
                }
            }
        }
        Ok(counted)
    }

    /// Writes the text score of the documents in `live`, which are some of `among`, into the sheet, and takes out of them
    /// those that cannot matter.
    fn score(
        &mut self,
        among: Candidates<'_, S>,
        live: &mut Bits<S>,
        bar: BlockThreshold<'_, S>,
    ) -> Result<(), EngineError> {
        if self.task.plan.find != Find::Words {
            return Ok(());
        }
        let coded = self.coded.both(live);
        if bar.worst.is_some() {
            let staying = &coded;
            *live = (self.bounds).narrow(
                &mut self.words,
                live,
                among,
                CandidateThreshold { bar, staying },
            )?;
        }
        if live.is_empty() {
            return Ok(());
        }
        self.sheet.begin(live);
        self.add_code_bonus(&coded);
        let holding = self.add_coordination(live);
        // Under a bar, what is left of a window is scored last.
        let left = live.clone();
        let among = match bar.worst {
            Some(_) => among.only(&left),
            None => among,
        };
        for (at, word) in self.words.iter_mut().enumerate() {
            let own = word.expect(live, among, &mut self.sheet.expected[at])?;
            self.sheet.expect(at, &own);
        }
        if bar.worst.is_some() {
            for at in live.clone().iter() {
                if !bar.admits(at, self.sheet.text[at] + self.sheet.rest[at]) {
                    live.unset(at);
                }
            }
        }
        let source = ScoreSource {
            segment: self.segment,
            norms: &self.task.snapshot.texts.norms,
        };
        for at in self.bounds.order() {
            self.words[*at].score(*at, (live, among), self.sheet, source, bar)?;
        }
        self.add_phrase(among.start, &holding.both(live));
        Ok(())
    }

    /// Notes the documents of the window whose code the whole question equals.
    fn find_coded(&mut self, start: DocId) {
        self.coded.clear();
        for cursor in &mut self.whole_codes {
            cursor.skip_to(start);
            cursor.mark(start, &mut self.coded);
        }
    }

    fn add_code_bonus(&mut self, coded: &Bits<S>) {
        if !coded.is_empty() {
            let documents = self.task.resolved.documents;
            let bonus = exact_code(self.task.plan.exact_ref_boost, documents);
            coded.iter().for_each(|at| self.sheet.text[at] += bonus);
        }
    }

    /// Adds what exact matches are worth together; the documents that may hold the phrase.
    fn add_coordination(&mut self, live: &Bits<S>) -> Bits<S> {
        let (plan, resolved) = (self.task.plan, self.task.resolved);
        if self.words.len() < 2 {
            return Bits::none();
        }
        let text = &mut self.sheet.text;
        // The sum of rarities stands in the place of what is not known until it is turned into the bonus.
        let covered = &mut self.sheet.rest;
        for (word, resolved) in self.words.iter().zip(&resolved.words) {
            let idf = resolved.idf.unwrap_or(0.0);
            live.both(&word.covered)
                .iter()
                .for_each(|at| covered[at] += idf);
        }
        for at in live.iter() {
            text[at] += coordination(plan.cross_fields_boost, resolved.rarity, covered[at]);
            covered[at] = 0.0;
        }
        if self.phrase.is_impossible() {
            return Bits::none();
        }
        let mut holding = live.clone();
        for word in &self.words {
            holding.keep(&word.covered);
        }
        let bonus = phrase(plan.phrase_boost, resolved.rarity);
        holding.iter().for_each(|at| self.sheet.rest[at] += bonus);
        holding
    }

    fn add_phrase(&mut self, start: DocId, holding: &Bits<S>) {
        let bonus = phrase(self.task.plan.phrase_boost, self.task.resolved.rarity);
        self.phrase_is_read |= !holding.is_empty();
        for at in holding.iter() {
            if self.phrase.field_in(start + at as DocId).is_some() {
                self.sheet.text[at] += bonus;
            }
        }
    }

    fn with_factors(&self, at: usize, seen: &Seen<'_>) -> f64 {
        let factors = factors(&self.task.plan.factors, &seen.factor_values());
        self.sheet.text[at] * factors.multiplier * self.task.ruled.boosts.multiplier(seen)
    }
}
