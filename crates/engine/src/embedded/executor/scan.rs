//! One segment, window by window: match, filter, count, score.

use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::super::standing::{Standing, Window};
use super::WINDOW;
use super::bits::Bits;
use super::bounds::Bounds;
use super::cursor::Cursor;
use super::cutoff::{Cutoff, Scored};
use super::phrase::Phrase;
use super::ranks::Ranks;
use super::resolve::Resolved;
use super::score::SegmentPlan;
use super::sheet::{Bar, Sheet};
use super::sieve::Sieve;
use super::top::Top;
use super::word::{Source, WordScan};
use crate::EngineError;
use crate::columns::{Seen, View};
use domain::relevance::field::FIELD_COUNT;
use query::Plan;
use query::plan::Find;
use query::scoring::{coordination, exact_code, factors, phrase};
use tantivy::{DocAddress, DocId};

/// What a search brings to every segment.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub snapshot: &'a EmbeddedSnapshot,
    pub plan: &'a Plan,
    pub resolved: &'a Resolved,
    pub standing: &'a Standing,
    pub view: &'a View<'a>,
}

/// A segment that is being searched.
pub struct Scan<'a> {
    task: Task<'a>,
    segment: &'a SegmentView,
    at: usize,
    words: Vec<WordScan>,
    /// Places in `words`, the word that can add most first.
    order: Vec<usize>,
    bounds: Bounds,
    whole_codes: Vec<Cursor>,
    ranks: Ranks,
    phrase: Phrase,
    sheet: Sheet,
}

impl<'a> Scan<'a> {
    pub fn new(task: Task<'a>, at: usize) -> Result<Self, EngineError> {
        let Task {
            snapshot,
            plan,
            resolved,
            ..
        } = task;
        let segment = &snapshot.texts.segments[at];
        let lists = SegmentPlan {
            segment,
            at,
            plan,
            resolved,
        };
        let words = (lists.word_lists()?.into_iter().zip(&resolved.words))
            .map(|(lists, word)| WordScan::open(lists, word.alternatives()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut whole_codes = Vec::new();
        for (_, place) in lists.whole_codes() {
            whole_codes.extend(place.open()?);
        }
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by(|a, b| words[*b].most().total_cmp(&words[*a].most()));
        Ok(Self {
            task,
            segment,
            at,
            bounds: Bounds::new(&words, plan, resolved, !whole_codes.is_empty()),
            words,
            order,
            whole_codes,
            ranks: Ranks::new(segment, at, plan, resolved)?,
            phrase: Phrase::new(segment, plan, resolved)?,
            sheet: Sheet::new(),
        })
    }

    /// Searches the segment; the number of its documents that are found.
    pub fn run(&mut self, sieve: &mut Sieve, top: &mut Top<'_>) -> Result<u64, EngineError> {
        let mut total = 0;
        let (by_score, looked_at) = (top.by_score(), sieve.is_needed());
        for number in 0..self.windows() {
            let (start, window) = self.begin(number);
            let mut found = self.candidates(start);
            found.keep(&window.shown);
            if looked_at {
                self.filter(start, &mut found, sieve);
            }
            total += found.count() as u64;
            if found.is_empty() {
                continue;
            }
            let bar = bar(window, top.worst_score());
            if by_score {
                self.score(start, &mut found, bar)?;
            }
            self.offer(start, &found, bar, top);
        }
        Ok(total)
    }

    fn windows(&self) -> usize {
        (self.segment.reader.max_doc() as usize).div_ceil(WINDOW)
    }

    /// The first document of a window, and what its documents stand for.
    fn begin(&self, number: usize) -> (DocId, &'a Window) {
        let segment = (self.at, self.segment);
        let window = (self.task.standing).window(segment, number, self.task.view);
        ((number * WINDOW) as DocId, window)
    }

    /// Documents of the window that the question finds, whatever the shopper chose.
    fn candidates(&mut self, start: DocId) -> Bits {
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
            let sets: Vec<&Bits> = self.words.iter().map(|word| &word.found).collect();
            Bits::in_at_least(plan.min_match, &sets)
        } else {
            self.within_one_field()
        };
        found.add(&admitted);
        self.ranks.settle(start, &mut found);
        found
    }

    fn within_one_field(&self) -> Bits {
        let mut found = Bits::none();
        for field in 0..FIELD_COUNT {
            let sets: Vec<&Bits> = (self.words.iter())
                .filter_map(|word| word.in_field(field))
                .collect();
            found.add(&Bits::in_at_least(self.task.plan.min_match, &sets));
        }
        found
    }

    /// Leaves only what was chosen; counts facets on the way.
    fn filter(&self, start: DocId, found: &mut Bits, sieve: &mut Sieve) {
        for at in found.clone().iter() {
            if !self.seen(start, at).is_some_and(|seen| sieve.passes(&seen)) {
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
    pub fn collect(&mut self, cutoff: &mut Cutoff) -> Result<(), EngineError> {
        for number in 0..self.windows() {
            let (start, window) = self.begin(number);
            let mut found = self.candidates(start);
            found.keep(&window.shown);
            if found.is_empty() {
                continue;
            }
            self.score(start, &mut found, bar(window, Some(cutoff.lowest())))?;
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
        Ok(())
    }

    /// Writes the text score of the documents in `live` into the sheet, and takes out of them those that cannot matter.
    fn score(&mut self, start: DocId, live: &mut Bits, bar: Bar<'_>) -> Result<(), EngineError> {
        if self.task.plan.find != Find::Words {
            return Ok(());
        }
        self.bounds.narrow(&self.words, live, bar);
        if live.is_empty() {
            return Ok(());
        }
        self.sheet.begin(live);
        self.add_code_bonus(start, live);
        let holding = self.add_coordination(live);
        for word in &self.words {
            word.expect(live, &mut self.sheet);
        }
        if bar.worst.is_some() {
            for at in live.clone().iter() {
                if !bar.admits(at, self.sheet.text[at] + self.sheet.rest[at]) {
                    live.unset(at);
                }
            }
        }
        let source = Source {
            segment: self.segment,
            norms: &self.task.snapshot.texts.norms,
        };
        for at in &self.order {
            self.words[*at].score(start, live, &mut self.sheet, source, bar)?;
        }
        self.add_phrase(start, &holding.both(live));
        Ok(())
    }

    fn add_code_bonus(&mut self, start: DocId, live: &Bits) {
        if self.whole_codes.is_empty() {
            return;
        }
        let bonus = exact_code(self.task.plan.exact_ref_boost, self.task.resolved.documents);
        let mut coded = Bits::none();
        for cursor in &mut self.whole_codes {
            cursor.skip_to(start);
            cursor.mark(start, &mut coded);
        }
        coded.keep(live);
        coded.iter().for_each(|at| self.sheet.text[at] += bonus);
    }

    /// Adds what exact matches are worth together; the documents that may hold the phrase.
    fn add_coordination(&mut self, live: &Bits) -> Bits {
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

    fn add_phrase(&mut self, start: DocId, holding: &Bits) {
        let bonus = phrase(self.task.plan.phrase_boost, self.task.resolved.rarity);
        for at in holding.iter() {
            if self.phrase.field_in(start + at as DocId).is_some() {
                self.sheet.text[at] += bonus;
            }
        }
    }

    fn offer(&self, start: DocId, found: &Bits, bar: Bar<'_>, top: &mut Top<'_>) {
        for at in found.iter() {
            if !bar.admits(at, self.sheet.text[at]) {
                continue;
            }
            if let Some(seen) = self.seen(start, at) {
                let order = (
                    self.ranks.of(start + at as DocId),
                    self.with_factors(at, &seen),
                );
                let address = DocAddress::new(self.at as u32, start + at as DocId);
                top.offer(order, &seen, address);
            }
        }
    }

    fn with_factors(&self, at: usize, seen: &Seen<'_>) -> f64 {
        let factors = factors(&self.task.plan.factors, &seen.factor_values());
        self.sheet.text[at] * factors.multiplier
    }
}

/// What documents of a window must reach.
fn bar(window: &Window, worst: Option<f64>) -> Bar<'_> {
    Bar {
        worst,
        factors: &window.factors,
        highest: window.highest,
    }
}
