//! Executes a plan over the postings: matches, counts, scores, sorts and explains, one block of doc ids at a time.
//!
//! Documents are matched first, then only the candidates are scored. Breakdowns are computed in a second pass over the
//! hits.

use super::reports::reports;
use crate::columns::{Columns, Seen, View};
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::expand::visible_codes::IndexCodes;
use crate::embedded::expand::visible_words::IndexWords;
use crate::embedded::explain::explainer::Explainer;
use crate::embedded::facets::collector::FacetCollector;
use crate::embedded::scale::Scale;
use crate::embedded::topk::heap::Ranked;
use crate::embedded::topk::rules::Ruled;
use crate::embedded::topk::snapshot::EmbeddedSnapshot;
use crate::embedded::topk::static_scores::StaticScoreKey;
use crate::embedded::topk::task::Task;
use crate::embedded::topk::walk::{Walked, walk};
use crate::{Card, EngineError, Hit, HitNumbers, Request, SearchResult};
use domain::visitor::Visitor;
use query::Plan;
use query::meaning::code_order::CodeOrder;
use query::meaning::interpretation::QueryInterpretation;
use query::meaning::marks::marks;
use query::meaning::splits::with_splits;
use query::meaning::typos::{settled_words, with_typos};
use std::borrow::Cow;
use std::collections::HashSet;
use tantivy::DocAddress;

/// Returns the result of `plan`.
pub fn search<S: Scale>(
    snapshot: &EmbeddedSnapshot<S>,
    plan: &Plan,
    request: &Request,
) -> Result<SearchResult, EngineError> {
    let view = View::new(&snapshot.columns, &request.visitor);
    let mut codes = IndexCodes {
        segments: &snapshot.texts.segments,
        view: &view,
    };
    let interpretation = QueryInterpretation::of(plan, &mut codes, request.explain)?;
    let texts = &snapshot.texts;
    let plan = with_splits(interpretation.plan, &texts.analyser, |stems| {
        texts.documents_of(stems)
    })?;
    let mut words = IndexWords { texts, view: &view };
    let plan = with_typos(plan, &mut words)?;
    let plan = &*plan;
    let resolved = Resolved::new(&snapshot.texts, plan, interpretation.order)?;
    let ruled = Ruled::new(snapshot, plan, &view, &request.visitor);
    let key = StaticScoreKey::of(plan, &ruled.boosts, &request.visitor);
    let static_scores = snapshot.static_scores.of(key, &snapshot.texts);
    let task = Task {
        snapshot,
        plan,
        resolved: &resolved,
        ruled: &ruled,
        static_scores: &static_scores,
        view: &view,
    };
    let Walked {
        total,
        collector,
        top_k,
        pins,
    } = walk::<S, FacetCollector>(task, request)?;
    let (pins, mut all) = pins.finish();
    let pinned: HashSet<u32> = all.iter().map(|hit| hit.ordinal).collect();
    all.extend(top_k.into_sorted());
    let ranked = page(all, request, &snapshot.columns);
    let mut hits = load_hits(task, &ranked, request)?;
    for (hit, ranked) in hits.iter_mut().zip(&ranked) {
        let breakdown = hit.breakdown.take();
        hit.breakdown = breakdown.map(|own| own.pinned(pinned.contains(&ranked.ordinal)));
    }
    let words = resolved.words.iter().map(|word| {
        let is_within = word.substrings.iter().any(|lists| !lists.is_empty());
        (&word.meaning, is_within)
    });
    Ok(SearchResult {
        total,
        hits,
        pins,
        facets: collector.into_facets::<S>(request, &view),
        words: reports(task)?,
        is_code: interpretation.is_code,
        is_list: interpretation.order == CodeOrder::List,
        highlight: marks(plan, words),
    })
}

/// Returns which words of `plan` tolerate no typo in documents of other types.
pub fn settled<S: Scale>(
    snapshot: &EmbeddedSnapshot<S>,
    plan: &Plan,
    visitor: &Visitor,
) -> Result<Vec<bool>, EngineError> {
    let texts = &snapshot.texts;
    let view = View::new(&snapshot.columns, visitor);
    let plan = with_splits(Cow::Borrowed(plan), &texts.analyser, |stems| {
        texts.documents_of(stems)
    })?;
    settled_words(&plan, &mut IndexWords { texts, view: &view })
}

/// Returns the hits of the requested page, out of all hits before its end.
fn page(ranked: Vec<Ranked>, request: &Request, columns: &Columns) -> Vec<Ranked> {
    let shown: HashSet<&str> = request.exclude.iter().map(String::as_str).collect();
    // Looking up an id means a cache miss, so it is skipped if nothing was shown before.
    ranked
        .into_iter()
        .filter(|hit| shown.is_empty() || !shown.contains(columns.id(hit.ordinal)))
        .skip(request.offset)
        .take(request.limit)
        .collect()
}

/// Loads the hits of a page, in its order.
fn load_hits<S: Scale>(
    task: Task<'_, S>,
    page: &[Ranked],
    request: &Request,
) -> Result<Vec<Hit>, EngineError> {
    let id = |hit: &Ranked| task.snapshot.columns.id(hit.ordinal);
    if request.ids_only {
        return Ok(page.iter().map(|hit| bare(hit, id(hit))).collect());
    }
    // In the order of their doc addresses, so that the posting lists of a segment are opened once for all its hits.
    let mut by_address: Vec<(usize, Ranked)> = page.iter().copied().enumerate().collect();
    by_address.sort_unstable_by_key(|(_, hit)| (hit.segment, hit.document));
    let (positions, ranked): (Vec<usize>, Vec<Ranked>) = by_address.into_iter().unzip();
    let addresses = (ranked.iter()).map(|hit| DocAddress::new(hit.segment, hit.document));
    let cards = task.snapshot.texts.cards(addresses)?;
    // Each kind of data is read for all hits at once, so that cache misses overlap.
    let seen: Vec<Option<Seen<'_>>> = (ranked.iter())
        .map(|hit| task.view.see(hit.ordinal))
        .collect();
    let ids: Vec<&str> = ranked.iter().map(id).collect();
    let breakdowns = if request.explain {
        Explainer::new(task).explain(&ranked, &cards, &seen)?
    } else {
        Vec::new()
    };
    let mut breakdowns = breakdowns.into_iter();
    let loaded = ranked.iter().zip(ids).zip(seen).zip(cards);
    let loaded = loaded.map(|(((hit, id), seen), card)| Hit {
        card,
        numbers: seen.as_ref().map(numbers).unwrap_or_default(),
        breakdown: breakdowns.next(),
        ..bare(hit, id)
    });
    let mut hits: Vec<(usize, Hit)> = positions.into_iter().zip(loaded).collect();
    hits.sort_unstable_by_key(|(position, _)| *position);
    Ok(hits.into_iter().map(|(_, hit)| hit).collect())
}

/// A hit with its id and score only.
fn bare(hit: &Ranked, id: &str) -> Hit {
    Hit {
        id: id.to_owned(),
        score: hit.score,
        card: Card::default(),
        numbers: HitNumbers::default(),
        breakdown: None,
    }
}

fn numbers(seen: &Seen<'_>) -> HitNumbers {
    let price = seen.shown_price();
    HitNumbers {
        price: price.as_ref().map(|shown| shown.price),
        original_price: price.as_ref().and_then(|shown| shown.original),
        price_field: price.map(|shown| shown.field),
        currency: seen.currency(),
        in_stock: seen.row().in_stock(),
        rating: seen.row().rating(),
        rating_count: seen.row().rating_count(),
    }
}
