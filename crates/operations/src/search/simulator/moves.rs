//! Simulations of several queries: what moves among the first hits of each, without breakdowns.

use super::simulation::TrialConfig;
use crate::OperationError;
use crate::search::ranking::Ranking;
use crate::search::trial::{Moves, Order, Sides, TriedQuery, four_decimals, overlap};
use crate::snapshots::snapshot::StoreSnapshot;
use domain::relevance::Advice;
use domain::{Language, first_characters};
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;

/// Characters of names.
const NAME_CHARACTERS_MAX: usize = 80;

/// What moves in some queries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedMoves {
    /// The queries, in the order of the request.
    pub queries: Vec<QueryMoves>,
    /// Sums over the queries.
    pub totals: MoveTotals,
    /// The configuration that was tried.
    pub config: TrialConfig,
    /// What keeps a part of the configuration from taking effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
    /// Milliseconds that it took.
    pub took_ms: u64,
}

/// What moves in one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryMoves {
    /// The query.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// What was measured; nothing if there was no time left.
    #[serde(flatten)]
    pub measured: Option<MeasuredMoves>,
    /// Whether there was no time left.
    #[serde(rename = "timedOut", skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
}

/// What moves among the first hits of a query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeasuredMoves {
    /// Products found.
    pub total: u64,
    /// Products found on the base.
    pub saved_total: u64,
    /// Rank-biased overlap of both orders, 0 to 1, with four decimals.
    pub rbo: f64,
    /// Hits of both at another position.
    pub moved: usize,
    /// Hits that are none on the base.
    pub entered: usize,
    /// Hits of the base that are none any more.
    pub left: Vec<LeftHit>,
    /// The hits.
    pub hits: Vec<MovedHit>,
    /// Ids of the rules that apply.
    pub rules: Vec<String>,
    /// Ids of the synonym groups that fire.
    pub synonyms: Vec<String>,
    /// Target of the redirect of a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<String>,
}

/// A hit of the base that is none any more.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftHit {
    /// Its id.
    pub id: String,
    /// Its name, up to 80 characters.
    pub name: String,
    /// Its position on the base, from 1.
    pub saved_position: u32,
}

/// A hit with its positions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovedHit {
    /// Its id.
    pub id: String,
    /// Its name, up to 80 characters.
    pub name: String,
    /// Its position, from 1.
    pub position: u32,
    /// Its position on the base; null beyond the limit.
    pub saved_position: Option<u32>,
}

/// Sums over queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are described in docs/api.md")]
pub struct MoveTotals {
    pub queries: usize,
    pub measured: usize,
    pub changed: usize,
    pub moved: usize,
    pub entered: usize,
    pub left: usize,
    pub lost_all_results: usize,
    pub gained_results: usize,
}

impl MoveTotals {
    /// Returns the sums over these queries.
    pub(super) fn of(queries: &[QueryMoves]) -> Self {
        let start = Self {
            queries: queries.len(),
            ..Self::default()
        };
        let measured = queries.iter().filter_map(|query| query.measured.as_ref());
        measured.fold(start, |sums, of| Self {
            measured: sums.measured + 1,
            changed: sums.changed + usize::from(of.moved + of.entered + of.left.len() > 0),
            moved: sums.moved + of.moved,
            entered: sums.entered + of.entered,
            left: sums.left + of.left.len(),
            lost_all_results: sums.lost_all_results
                + usize::from(of.total == 0 && of.saved_total > 0),
            gained_results: sums.gained_results + usize::from(of.total > 0 && of.saved_total == 0),
            ..sums
        })
    }
}

/// Ranks a query under both configurations, with rules or without.
///
/// Errors: if an index cannot be read.
pub(super) fn measure(
    query: &TriedQuery,
    sides: &Sides,
    applies_rules: bool,
) -> Result<MeasuredMoves, OperationError> {
    let effects = |snapshot: &StoreSnapshot| match applies_rules {
        true => query.effects(snapshot, sides.at),
        false => Ok(Effects::default()),
    };
    let (ours, theirs) = (effects(&sides.tried)?, effects(&sides.saved)?);
    let tried = query.cards(&sides.tried, &ours)?;
    // What cannot differ is not ranked twice.
    let saved = match query.may_differ(sides, [&ours, &theirs])? {
        true => Some(query.cards(&sides.saved, &theirs)?),
        false => None,
    };
    Ok(compared(&tried, saved.as_ref().unwrap_or(&tried), &ours))
}

fn compared(tried: &Ranking, saved: &Ranking, effects: &Effects) -> MeasuredMoves {
    let [after, before] = [Order::of(tried), Order::of(saved)];
    let rbo = four_decimals(overlap(&after.ids, &before.ids));
    let (total, saved_total) = (after.total, before.total);
    let moves = Moves::between(after, before);
    let named = |ranking: &Ranking| -> HashMap<String, (String, u32)> {
        let hits = ranking.found.hits.iter().zip(1..);
        hits.map(|(hit, position)| {
            let name = first_characters(hit.card.name(), NAME_CHARACTERS_MAX);
            (hit.id.clone(), (name.to_owned(), position))
        })
        .collect()
    };
    let (mut names, mut former) = (named(tried), named(saved));
    let hits = moves.order.into_iter();
    let hits = hits.map(|(id, position, saved_position)| MovedHit {
        name: names.remove(&id).unwrap_or_default().0,
        id,
        position,
        saved_position,
    });
    let left = moves.left.into_iter().map(|id| {
        let (name, saved_position) = former.remove(&id).unwrap_or_default();
        LeftHit {
            id,
            name,
            saved_position,
        }
    });
    let applied = effects.outcomes.iter().filter(|one| one.is_applied());
    let fired = tried.query.synonyms.iter();
    MeasuredMoves {
        total,
        saved_total,
        rbo,
        moved: moves.moved,
        entered: moves.entered,
        left: left.collect(),
        hits: hits.collect(),
        rules: applied.map(|one| one.rule.id.to_string()).collect(),
        synonyms: fired.map(|fired| fired.group.to_string()).collect(),
        redirect: effects.redirect.as_ref().map(|one| one.url.clone()),
    }
}
