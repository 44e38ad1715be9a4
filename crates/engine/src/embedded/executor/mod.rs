//! Executes a plan over the postings: finds, counts, scores, sorts and explains, window by window.
//!
//! Matching comes first, then only candidates are scored; a breakdown is a second walk over the hits alone.

mod bits;
mod cursor;
mod cutoff;
mod expansion;
mod explain;
mod facets;
mod filters;
mod lists;
mod phrase;
mod resolve;
mod scan;
mod score;
mod sheet;
mod top;

use super::snapshot::EmbeddedSnapshot;
use crate::{EngineError, Found, Hit, HitNumbers, Request, WordReport};
use cutoff::Cutoff;
use explain::explain;
use facets::FacetCounts;
use filters::Filters;
use query::Plan;
use query::highlight::Marks;
use resolve::Resolved;
use scan::Scan;
use tantivy::DocAddress;
use top::{Ranked, Top};

/// Documents that are worked on together.
pub(super) const WINDOW: usize = 4096;

/// The answer of a snapshot to a plan.
pub(super) fn search(
    snapshot: &EmbeddedSnapshot,
    plan: &Plan,
    request: &Request,
) -> Result<Found, EngineError> {
    let resolved = Resolved::new(snapshot, plan)?;
    let filters = Filters::new(&request.choices, snapshot.columns.dictionary());
    let mut counts = FacetCounts::new(request.facets, snapshot.columns.dictionary().len());
    let mut top = Top::new(
        request.offset + request.limit,
        request.sort,
        &snapshot.columns,
    );
    let mut total = 0;
    let mut cutoff = (plan.cutoff > 0).then(|| Cutoff::new(plan.cutoff));
    for at in 0..snapshot.texts.segments.len() {
        let mut scan = Scan::new(snapshot, plan, &resolved, at)?;
        match &mut cutoff {
            Some(cutoff) => scan.visit_scored(|scored| cutoff.offer(scored)),
            None => total += scan.run(&filters, &mut counts, &mut top)?,
        }
    }
    if let Some(cutoff) = cutoff {
        total = cutoff.settle(&snapshot.columns, &filters, &mut counts, &mut top);
    }
    let ranked: Vec<Ranked> = top.into_sorted().into_iter().skip(request.offset).collect();
    Ok(Found {
        total,
        hits: hits(snapshot, plan, &resolved, &ranked, request.explain)?,
        facets: counts.into_facets(&filters, snapshot.columns.dictionary()),
        words: words(&resolved),
        is_code: resolved.is_code,
        marks: marks(plan, &resolved),
    })
}

fn hits(
    snapshot: &EmbeddedSnapshot,
    plan: &Plan,
    resolved: &Resolved,
    ranked: &[Ranked],
    explained: bool,
) -> Result<Vec<Hit>, EngineError> {
    let cards = ranked
        .iter()
        .map(|hit| {
            snapshot
                .texts
                .card(DocAddress::new(hit.segment, hit.document))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut breakdowns = if explained {
        explain(snapshot, plan, resolved, ranked, &cards)?
            .into_iter()
            .map(Some)
            .collect()
    } else {
        vec![None; ranked.len()]
    };
    let both = ranked.iter().zip(cards).zip(breakdowns.drain(..));
    Ok(both
        .map(|((hit, card), breakdown)| Hit {
            id: snapshot.columns.id(hit.ordinal).to_owned(),
            score: hit.score,
            card,
            numbers: numbers(snapshot, hit.ordinal),
            breakdown,
        })
        .collect())
}

fn numbers(snapshot: &EmbeddedSnapshot, ordinal: u32) -> HitNumbers {
    let Some(row) = snapshot.columns.numbers(ordinal) else {
        return HitNumbers::default();
    };
    HitNumbers {
        price: row.price(),
        original_price: row.original(),
        currency: snapshot
            .columns
            .dictionary()
            .entry(row.currency)
            .map(|(id, _)| id),
        in_stock: row.in_stock(),
        rating: row.rating(),
        rating_count: row.rating_count(),
    }
}

fn words(resolved: &Resolved) -> Vec<WordReport> {
    resolved
        .words
        .iter()
        .map(|word| WordReport {
            found: word.idf.is_some(),
            documents: word.documents,
        })
        .collect()
}

fn marks(plan: &Plan, resolved: &Resolved) -> Marks {
    let mut marks = Marks::default();
    for (word, resolved) in plan.words.iter().zip(&resolved.words) {
        marks.stems.insert(word.stem.clone());
        marks
            .stems
            .extend(resolved.typos.iter().map(|typo| typo.term.to_string()));
        marks.prefixes.push(word.folded.clone());
    }
    marks
}
