//! The second pass, over the hits only: the parts of each score.
//!
//! Unlike `IndexSearcher.explain` of Lucene, which runs the query once more for each document, lists are opened
//! once for all hits of a segment.

use super::hit_parts::HitParts;
use super::matches::Opened;
use crate::columns::Seen;
use crate::embedded::scale::Scale;
use crate::embedded::topk::heap::Ranked;
use crate::embedded::topk::task::Task;
use crate::shown_words::show_words;
use crate::{Card, EngineError};
use query::breakdown::{Breakdown, TextBreakdown, Tier};
use query::meaning::code_order::CodeOrder;
use query::plan::Find;
use query::scoring::factors;
use tantivy::DocId;

/// Fields in which a word commonly matches, for which room is reserved.
const MATCHES: usize = 4;

/// Explains hits, which must come in the order of their doc addresses.
pub struct Explainer<'a, S: Scale> {
    task: Task<'a, S>,
    /// The segment of the last hits.
    opened: Option<Opened<'a>>,
}

impl<'a, S: Scale> Explainer<'a, S> {
    pub fn new(task: Task<'a, S>) -> Self {
        Self { task, opened: None }
    }

    /// Returns the breakdowns of `ranked`, whose doc addresses come after those of former calls. `cards` and `seen` are
    /// the texts and numbers of the hits.
    pub fn explain(
        &mut self,
        ranked: &[Ranked],
        cards: &[Card],
        seen: &[Option<Seen<'_>>],
    ) -> Result<Vec<Breakdown>, EngineError> {
        let plan = self.task.plan;
        let nothing = |_: &Ranked| HitParts {
            matches: Vec::with_capacity(plan.words.len() * MATCHES),
            ..HitParts::default()
        };
        let mut parts: Vec<HitParts> = ranked.iter().map(nothing).collect();
        if plan.find == Find::Words {
            self.add_words(ranked, &mut parts)?;
        }
        let all = ranked.iter().zip(parts).zip(cards).zip(seen);
        Ok(all
            .map(|(((hit, parts), card), seen)| self.breakdown(hit, parts, card, seen.as_ref()))
            .collect())
    }

    fn add_words(&mut self, ranked: &[Ranked], parts: &mut [HitParts]) -> Result<(), EngineError> {
        // Cursors only move forward: a hit that comes too late would be missed silently.
        debug_assert!(ranked.is_sorted_by_key(|hit| (hit.segment, hit.document)));
        let indexed: Vec<(&Ranked, usize)> = ranked.iter().zip(0..).collect();
        for of_segment in indexed.chunk_by(|(a, _), (b, _)| a.segment == b.segment) {
            let at = of_segment[0].0.segment as usize;
            let opened = match self.opened.take().filter(|opened| opened.at == at) {
                Some(opened) => opened,
                None => Opened::new(self.task, at)?,
            };
            let hits = of_segment.iter().map(|(hit, index)| (hit.document, *index));
            let hits: Vec<(DocId, usize)> = hits.collect();
            self.opened.insert(opened).add::<S>(&hits, parts)?;
        }
        Ok(())
    }

    fn breakdown(
        &self,
        hit: &Ranked,
        parts: HitParts,
        card: &Card,
        seen: Option<&Seen<'_>>,
    ) -> Breakdown {
        let Task {
            plan,
            resolved,
            ruled,
            ..
        } = self.task;
        let text = self.text_breakdown(parts, card);
        let values = seen.map(Seen::factor_values);
        let factors = factors(&plan.factors, &values.unwrap_or_default());
        let rules = seen.map_or_else(Vec::new, |seen| ruled.multipliers(seen));
        let mut breakdown = Breakdown::new(text, factors).with_rules(rules);
        if let CodeOrder::Tiers { .. } = resolved.order {
            breakdown.tier = Tier::ALL.get(usize::from(hit.rank)).copied();
        }
        breakdown
    }

    fn text_breakdown(&self, mut parts: HitParts, card: &Card) -> TextBreakdown {
        let Task { plan, resolved, .. } = self.task;
        if plan.find != Find::Words {
            return TextBreakdown::without_words();
        }
        show_words(&mut parts.matches, card);
        let bonuses = &resolved.clauses.bonuses;
        bonuses.breakdown(parts.matches, parts.earning)
    }
}
