//! Executes a plan over the postings: matches, counts, scores, sorts and explains, one block of doc ids at a time.
//!
//! Documents are matched first, then only the candidates are scored. Breakdowns are computed in a second pass over the
//! hits.

use super::reports::reports;
use crate::columns::{Columns, Seen, View};
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::expand::visible_codes::IndexCodes;
use crate::embedded::explain::explainer::Explainer;
use crate::embedded::facets::collector::FacetCollector;
use crate::embedded::scale::Scale;
use crate::embedded::topk::heap::Ranked;
use crate::embedded::topk::rules::Ruled;
use crate::embedded::topk::snapshot::EmbeddedSnapshot;
use crate::embedded::topk::static_scores::StaticScoreKey;
use crate::embedded::topk::task::Task;
use crate::embedded::topk::walk::{Walked, walk};
use crate::parallel::{run_parallel, threads_for};
use crate::{Card, EngineError, Hit, HitNumbers, HitSink, Request, SearchResult};
use query::Plan;
use query::highlight::HighlightTerms;
use query::meaning::code_order::CodeOrder;
use query::meaning::interpretation::QueryInterpretation;
use std::collections::HashSet;
use tantivy::DocAddress;

/// Chunks of hits per thread that loads them, so that all threads end at about the same time.
const CHUNKS_PER_THREAD: usize = 8;

/// Returns the result of `plan` without its hits, which go to `sink`.
pub fn search<S: Scale>(
    snapshot: &EmbeddedSnapshot<S>,
    plan: &Plan,
    request: &Request,
    sink: &HitSink<'_>,
) -> Result<SearchResult, EngineError> {
    let view = View::new(&snapshot.columns, &request.visitor);
    let mut codes = IndexCodes {
        segments: &snapshot.texts.segments,
        view: &view,
    };
    let interpretation = QueryInterpretation::of(plan, &mut codes, request.explain)?;
    let plan = &*interpretation.plan;
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
    load_hits(task, &ranked, request, &|position, hit| {
        let pinned = pinned.contains(&ranked[position].ordinal);
        let breakdown = hit.breakdown.map(|breakdown| breakdown.pinned(pinned));
        sink(position, Hit { breakdown, ..hit });
    })?;
    Ok(SearchResult {
        total,
        hits: Vec::new(),
        pins,
        facets: collector.into_facets::<S>(&view),
        words: reports(task)?,
        is_code: interpretation.is_code,
        is_list: interpretation.order == CodeOrder::List,
        highlight: marks(plan, &resolved),
    })
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

/// Passes the hits to `sink`.
fn load_hits<S: Scale>(
    task: Task<'_, S>,
    ranked: &[Ranked],
    request: &Request,
    sink: &HitSink<'_>,
) -> Result<(), EngineError> {
    if request.ids_only {
        let id = |hit: &Ranked| task.snapshot.columns.id(hit.ordinal);
        let bare = ranked.iter().map(|hit| bare(hit, id(hit)));
        bare.enumerate()
            .for_each(|(position, hit)| sink(position, hit));
        return Ok(());
    }
    // In the order of their doc addresses, so that the posting lists of a segment are opened once for all its hits.
    let mut by_address: Vec<(usize, Ranked)> = ranked.iter().copied().enumerate().collect();
    by_address.sort_unstable_by_key(|(_, hit)| (hit.segment, hit.document));
    let (threads, chunks) = match threads_for(ranked.len(), S::PARALLEL_HITS_MIN) {
        1 => (1, 1),
        several => (several, several * CHUNKS_PER_THREAD),
    };
    let chunk = by_address.len().div_ceil(chunks).max(1);
    let chunks: Vec<_> = by_address.chunks(chunk).collect();
    let results = run_parallel(threads, &chunks, |own| {
        let mut explainer = request.explain.then(|| Explainer::new(task));
        for chunk in own {
            load_chunk(task, chunk, explainer.as_mut(), sink)?;
        }
        Ok(())
    });
    results.into_iter().collect()
}

/// Passes some hits to `sink`, each with its position among all hits.
fn load_chunk<S: Scale>(
    task: Task<'_, S>,
    chunk: &[(usize, Ranked)],
    explainer: Option<&mut Explainer<'_, S>>,
    sink: &HitSink<'_>,
) -> Result<(), EngineError> {
    let ranked: Vec<Ranked> = chunk.iter().map(|(_, hit)| *hit).collect();
    let addresses = (ranked.iter()).map(|hit| DocAddress::new(hit.segment, hit.document));
    let cards = task.snapshot.texts.cards(addresses)?;
    // Each kind of data is read for all hits at once, so that cache misses overlap.
    let seen: Vec<Option<Seen<'_>>> = (ranked.iter())
        .map(|hit| task.view.see(hit.ordinal))
        .collect();
    let ids: Vec<&str> = (ranked.iter())
        .map(|hit| task.snapshot.columns.id(hit.ordinal))
        .collect();
    let breakdowns = explainer.map(|explainer| explainer.explain(&ranked, &cards, &seen));
    let mut breakdowns = breakdowns.transpose()?.unwrap_or_default().into_iter();
    let all = chunk.iter().zip(ids).zip(seen).zip(cards);
    for ((((position, hit), id), seen), card) in all {
        let hit = Hit {
            card,
            numbers: seen.as_ref().map(numbers).unwrap_or_default(),
            breakdown: breakdowns.next(),
            ..bare(hit, id)
        };
        sink(*position, hit);
    }
    Ok(())
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

fn marks(plan: &Plan, resolved: &Resolved) -> HighlightTerms {
    let mut marks = HighlightTerms::default();
    for (word, resolved) in plan.words.iter().zip(&resolved.words) {
        marks.stems.insert(word.stem.clone());
        let terms = resolved.meaning.terms.iter();
        marks.stems.extend(terms.map(|own| own.term.to_string()));
        marks.prefixes.push(word.folded.clone());
        if resolved.substrings.iter().any(|lists| !lists.is_empty()) {
            marks.substrings.push(word.folded.clone());
        }
    }
    for synonym in &plan.synonyms {
        let words = synonym.words.iter();
        let phrase = words.map(|word| (word.stem.clone(), word.position));
        marks.phrases.insert(phrase.collect());
    }
    marks
}
