//! The queries that a change harms most, with the products that enter and leave.

use super::measured::{Measured, QueryChange, ranked};
use super::sample::SampledQuery;
use super::view::{ChangedQuery, EnteredHit, GoneHit, Impact};
use crate::OperationError;
use crate::search::ranking::Ranking;
use crate::search::trial::{Moves, Order, Sides, four_decimals};
use domain::first_characters;
use domain::visitor::Visitor;
use std::collections::HashMap;
use std::sync::Arc;

const QUERIES_MAX: usize = 10;
const NAME_CHARACTERS_MAX: usize = 80;
/// Bytes of JSON of all of them.
const BYTES_MAX: usize = 24 * 1024;

/// Ranks the worst queries again, with the names of their hits.
///
/// Errors: if an index cannot be read.
pub(super) fn describe(
    measured: &[Measured],
    sides: &Sides,
    visitor: &Arc<Visitor>,
) -> Result<Vec<ChangedQuery>, OperationError> {
    let worst = ranked(measured).into_iter().take(QUERIES_MAX);
    worst
        .map(|(query, change)| described(query, change, (sides, visitor)))
        .collect()
}

/// Leaves out the least of the worst until their JSON is small enough.
pub(super) fn fit(impact: &mut Impact) {
    let bytes = |worst: &[ChangedQuery]| serde_json::to_string(worst).map_or(0, |json| json.len());
    while bytes(&impact.worst) > BYTES_MAX {
        impact.worst.pop();
    }
}

fn described(
    query: &SampledQuery,
    change: &QueryChange,
    (sides, visitor): (&Sides, &Arc<Visitor>),
) -> Result<ChangedQuery, OperationError> {
    let tried = Measured::tried(query, sides, visitor)?;
    let after = tried.cards(&sides.tried, &tried.effects(&sides.tried, sides.at)?)?;
    let before = tried.cards(&sides.saved, &tried.effects(&sides.saved, sides.at)?)?;
    let (names, former) = (names(&after), names(&before));
    let moves = Moves::between(Order::of(&after), Order::of(&before));
    let entered = moves
        .order
        .into_iter()
        .filter(|(_, _, saved)| saved.is_none());
    let entered = entered.map(|(id, position, _)| EnteredHit {
        name: names.get(&id).map_or("", |(name, _)| *name).to_owned(),
        id,
        position,
    });
    let left = moves.left.into_iter().map(|id| {
        let (name, saved_position) = former.get(&id).copied().unwrap_or_default();
        GoneHit {
            name: name.to_owned(),
            id,
            saved_position,
        }
    });
    Ok(ChangedQuery {
        q: query.q.clone(),
        lang: query.lang.clone(),
        source: query.source,
        weight: query.weight,
        rbo: four_decimals(change.rbo),
        total: change.totals[0],
        saved_total: change.totals[1],
        moved: change.moved,
        entered: entered.collect(),
        left: left.collect(),
    })
}

fn names(ranking: &Ranking) -> HashMap<String, (&str, u32)> {
    let hits = ranking.found.hits.iter().zip(1..);
    hits.map(|(hit, position)| {
        let name = first_characters(hit.card.name(), NAME_CHARACTERS_MAX);
        (hit.id.clone(), (name, position))
    })
    .collect()
}
