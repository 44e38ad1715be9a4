//! What was measured of one query of a sample, and the sums and the order over all of them.

use super::sample::{SampleSource, SampledQuery};
use super::view::{ChangedQueries, Impact, LostQuery, WatchedImpact};
use crate::OperationError;
use crate::search::trial::{Moves, Sides, TriedQuery, four_decimals, overlap};
use domain::visitor::Visitor;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Hits that are compared.
pub(super) const HITS: u32 = 10;
/// The first hits, whose changes count most.
const FIRST: usize = 3;
const LOST_MAX: usize = 20;

/// A measured query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    /// The query.
    pub query: SampledQuery,
    /// Its change; `None` if nothing of it can differ.
    pub change: Option<QueryChange>,
}

/// What changes in a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueryChange {
    /// Totals, tried and on the base.
    pub totals: [u64; 2],
    /// Overlap of both orders.
    pub rbo: f64,
    /// Whether the first three differ.
    pub top3: bool,
    /// Whether the first ten differ.
    pub top10: bool,
    /// Hits at another position.
    pub moved: usize,
    /// Hits that were none.
    pub entered: usize,
    /// Hits that are none any more.
    pub left: usize,
    /// Whether the redirect differs.
    pub redirect: bool,
}

impl QueryChange {
    /// Returns whether the query found products and finds none.
    pub fn lost_all(&self) -> bool {
        self.totals[0] == 0 && self.totals[1] > 0
    }

    fn gained(&self) -> bool {
        self.totals[0] > 0 && self.totals[1] == 0
    }
}

impl Measured {
    /// Returns the query as it is tried for a shopper.
    pub fn tried(
        query: &SampledQuery,
        sides: &Sides,
        visitor: &Arc<Visitor>,
    ) -> Result<TriedQuery, OperationError> {
        let asked = (query.q.clone(), BTreeMap::new(), false);
        let (lang, visitor) = (query.lang.clone(), Arc::clone(visitor));
        TriedQuery::new(sides, asked, lang, visitor, HITS)
    }

    /// Measures a query. It is ranked only if anything that decides its ranking differs.
    ///
    /// Errors: if an index cannot be read.
    pub fn of(
        query: SampledQuery,
        sides: &Sides,
        visitor: &Arc<Visitor>,
    ) -> Result<Self, OperationError> {
        let tried = Self::tried(&query, sides, visitor)?;
        let ours = tried.effects(&sides.tried, sides.at)?;
        let theirs = tried.effects(&sides.saved, sides.at)?;
        let target =
            |effects: &query::rules::Effects| effects.redirect.as_ref().map(|one| one.url.clone());
        let redirect = target(&ours) != target(&theirs);
        let may_differ = tried.may_differ(sides, [&ours, &theirs])?;
        if !may_differ && !redirect {
            let change = None;
            return Ok(Self { query, change });
        }
        let after = tried.order(&sides.tried, &ours, tried.limit)?;
        let before = match may_differ {
            true => tried.order(&sides.saved, &theirs, tried.limit)?,
            false => after.clone(),
        };
        let first = |ids: &[String]| ids[..ids.len().min(FIRST)].to_vec();
        let (top3, top10) = (
            first(&after.ids) != first(&before.ids),
            after.ids != before.ids,
        );
        let (rbo, totals) = (
            overlap(&after.ids, &before.ids),
            [after.total, before.total],
        );
        let moves = Moves::between(after, before);
        let change = QueryChange {
            totals,
            rbo,
            top3,
            top10,
            moved: moves.moved,
            entered: moves.entered,
            left: moves.left.len(),
            redirect,
        };
        Ok(Self {
            query,
            change: Some(change),
        })
    }
}

/// Adds what was measured to an impact without measures.
pub(super) fn sum(impact: &mut Impact, measured: &[Measured]) {
    let (mut weights, mut changed_weights, mut overlaps) = (0.0, 0.0, 0.0);
    let mut watched = WatchedImpact::default();
    let mut counts = ChangedQueries::default();
    for Measured { query, change } in measured {
        let is_watched = query.source == SampleSource::Watched;
        watched.queries += usize::from(is_watched);
        weights += query.weight;
        let Some(change) = change else {
            overlaps += query.weight;
            continue;
        };
        overlaps += query.weight * change.rbo;
        counts.top3 += usize::from(change.top3);
        if change.top10 {
            counts.top10 += 1;
            changed_weights += query.weight;
        }
        impact.moved += change.moved;
        impact.entered += change.entered;
        impact.left += change.left;
        impact.gained_results += usize::from(change.gained());
        impact.redirect_changed += usize::from(change.redirect);
        impact.lost_all_results += usize::from(change.lost_all());
        if is_watched {
            watched.changed_top3 += usize::from(change.top3);
            watched.lost_all_results += usize::from(change.lost_all());
        }
    }
    if weights > 0.0 {
        counts.share = Some(four_decimals(changed_weights / weights));
        impact.rbo = Some(four_decimals(overlaps / weights));
    }
    impact.measured = measured.len();
    impact.watched = watched;
    impact.changed = counts;
    impact.lost = lost(measured);
}

fn lost(measured: &[Measured]) -> Vec<LostQuery> {
    let ranked = ranked(measured).into_iter();
    let lost = ranked.filter(|(_, change)| change.lost_all());
    lost.take(LOST_MAX)
        .map(|(query, change)| LostQuery {
            q: query.q.clone(),
            lang: query.lang.clone(),
            source: query.source,
            saved_total: change.totals[1],
        })
        .collect()
}

/// Returns the changed queries, the worst first: those that lost all results, then by weight and overlap, then by text.
pub(super) fn ranked(measured: &[Measured]) -> Vec<(&SampledQuery, &QueryChange)> {
    let changed = measured.iter().filter_map(|one| {
        let change = one.change.as_ref()?;
        (change.top10 || change.lost_all()).then_some((&one.query, change))
    });
    let mut changed: Vec<_> = changed.collect();
    changed.sort_by(|one, other| worse(*one, *other));
    changed
}

fn worse(
    (query, change): (&SampledQuery, &QueryChange),
    (other, theirs): (&SampledQuery, &QueryChange),
) -> Ordering {
    let harm = |query: &SampledQuery, change: &QueryChange| query.weight * (1.0 - change.rbo);
    let order = theirs.lost_all().cmp(&change.lost_all());
    let order = order.then_with(|| harm(other, theirs).total_cmp(&harm(query, change)));
    order
        .then_with(|| query.q.cmp(&other.q))
        .then_with(|| query.lang.cmp(&other.lang))
}

#[cfg(test)]
mod tests {
    //! 1. The worst come first: lost results, then weight by what changes, then the text; what did not change is not
    //!    among them.

    use super::*;
    use domain::Language;

    fn measured(q: &str, weight: f64, rbo: f64, totals: [u64; 2]) -> Measured {
        Measured {
            query: SampledQuery {
                q: q.to_owned(),
                lang: Language::parse("es").expect("a language"),
                source: SampleSource::Frequent,
                weight,
            },
            change: Some(QueryChange {
                totals,
                rbo,
                top3: rbo < 1.0,
                top10: rbo < 1.0,
                moved: 0,
                entered: 0,
                left: 0,
                redirect: false,
            }),
        }
    }

    #[test]
    fn the_worst_come_first() {
        let mut all = vec![
            measured("little", 100.0, 0.99, [3, 3]),
            measured("b", 2.0, 0.5, [3, 3]),
            measured("a", 2.0, 0.5, [3, 3]),
            measured("same", 1000.0, 1.0, [3, 3]),
            measured("much", 40.0, 0.2, [3, 3]),
            measured("lost", 1.0, 0.0, [0, 3]),
        ];
        all.push(Measured {
            change: None,
            ..all[0].clone()
        });
        let order: Vec<&str> = ranked(&all)
            .iter()
            .map(|(query, _)| query.q.as_str())
            .collect();
        // 100 × 0.01 is as much as 2 × 0.5 up to rounding, so the text of "little" decides nothing here.
        assert_eq!(order[..2], ["lost", "much"]);
        assert_eq!(order.len(), 5);
        let at = |q: &str| order.iter().position(|one| *one == q);
        assert!(at("a") < at("b"));
    }
}
