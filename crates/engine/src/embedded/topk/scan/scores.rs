//! Scores the candidates of a block.

use super::SegmentScan;
use crate::EngineError;
use crate::columns::Seen;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use crate::embedded::topk::candidates::Candidates;
use crate::embedded::topk::few_candidates::CandidateThreshold;
use crate::embedded::topk::score_accumulator::BlockThreshold;
use crate::embedded::topk::scoring_cursor::ScoreSource;
use query::clauses::Bonuses;
use query::plan::Find;
use query::scoring::factors;
use tantivy::DocId;

impl<'a, S: Scale> SegmentScan<'a, S> {
    /// Adds up the text scores of the documents in `live`, which are some of the `candidates`, and removes those from
    /// `live` that cannot reach the threshold.
    pub(super) fn score(
        &mut self,
        candidates: Candidates<'_, S>,
        live: &mut Bits<S>,
        threshold: BlockThreshold<'_, S>,
    ) -> Result<(), EngineError> {
        if self.task.plan.find != Find::Words {
            return Ok(());
        }
        let code_matches = self.code_matches.both(live);
        if threshold.min_score.is_some() {
            let kept = &code_matches;
            *live = (self.bounds).prune(
                &mut self.words,
                live,
                candidates,
                CandidateThreshold { threshold, kept },
            )?;
        }
        if live.is_empty() {
            return Ok(());
        }
        self.accumulator.begin(live);
        self.add_code_bonus(&code_matches);
        self.add_coordination(live);
        let may_hold_phrase = self.expect_phrase(live);
        // With a threshold, the remaining documents are the last ones of the block to be scored.
        let left = live.clone();
        let candidates = match threshold.min_score {
            Some(_) => candidates.only(&left),
            None => candidates,
        };
        for (at, word) in self.words.iter_mut().enumerate() {
            let own =
                word.write_upper_bounds(live, candidates, &mut self.accumulator.upper_bounds[at])?;
            self.accumulator.add_upper_bounds(at, &own);
        }
        if threshold.min_score.is_some() {
            for at in live.clone().iter() {
                if !threshold.admits(
                    at,
                    self.accumulator.text[at] + self.accumulator.remaining[at],
                ) {
                    live.unset(at);
                }
            }
        }
        let texts = &self.task.snapshot.texts;
        let source = ScoreSource {
            segment: self.segment,
            norms: &texts.norms,
            memos: &texts.memos[self.at],
        };
        for at in self.bounds.order() {
            self.words[*at].score(*at, (live, candidates), self.accumulator, source, threshold)?;
        }
        self.add_phrase(candidates.start, &may_hold_phrase.both(live));
        Ok(())
    }

    fn add_code_bonus(&mut self, code_matches: &Bits<S>) {
        let bonus = self.bonuses().exact_code.score;
        let text = &mut self.accumulator.text;
        code_matches.iter().for_each(|at| text[at] += bonus);
    }

    /// Adds the bonus for words that match exactly.
    fn add_coordination(&mut self, live: &Bits<S>) {
        let clauses = &self.task.resolved.clauses;
        let Some(bonus) = clauses.bonuses.coordination else {
            return;
        };
        for at in live.iter() {
            let mut covered = 0.0;
            for (word, clauses) in self.words.iter().zip(&clauses.words) {
                if word.covered.has(at) {
                    covered += clauses.rarity;
                }
            }
            self.accumulator.text[at] += bonus.score(covered);
        }
    }

    /// Returns the documents that may earn the phrase bonus, after adding it to what can still be added to their scores.
    fn expect_phrase(&mut self, live: &Bits<S>) -> Bits<S> {
        if self.phrase.is_impossible() {
            return Bits::none();
        }
        let mut may_hold_phrase = live.clone();
        for word in self.words.iter().filter(|word| word.counts) {
            may_hold_phrase.keep(&word.covered);
        }
        let bonus = self.phrase_bonus();
        let remaining = &mut self.accumulator.remaining;
        may_hold_phrase.iter().for_each(|at| remaining[at] += bonus);
        may_hold_phrase
    }

    fn add_phrase(&mut self, start: DocId, may_hold_phrase: &Bits<S>) {
        let bonus = self.phrase_bonus();
        self.phrase_has_moved |= !may_hold_phrase.is_empty();
        for at in may_hold_phrase.iter() {
            if self.phrase.field_in(start + at as DocId).is_some() {
                self.accumulator.text[at] += bonus;
            }
        }
    }

    fn bonuses(&self) -> &'a Bonuses {
        &self.task.resolved.clauses.bonuses
    }

    fn phrase_bonus(&self) -> f64 {
        let bonus = self.bonuses().phrase.as_ref();
        bonus.map_or(0.0, |bonus| bonus.score)
    }

    pub(super) fn final_score(&self, at: usize, seen: &Seen<'_>) -> f64 {
        let factors = factors(&self.task.plan.factors, &seen.factor_values());
        self.accumulator.text[at] * factors.multiplier * self.task.ruled.boosts.multiplier(seen)
    }
}
