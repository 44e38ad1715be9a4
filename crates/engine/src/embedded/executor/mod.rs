//! Executes a plan over the postings: finds, counts, scores, sorts and explains, window by window.
//!
//! Matching comes first, then only candidates are scored; a breakdown is a second walk over the hits alone.

mod alternatives;
pub(super) mod bits;
mod block_pruning;
mod blocks;
mod boosts;
mod candidates;
mod codes;
mod compounds;
mod cursor;
mod cutoff;
mod expansion;
mod explain;
mod facet_collector;
mod facet_counts;
mod facet_values;
mod facets;
mod few_candidates;
mod filters;
mod interpretation;
mod phrase;
mod phrase_postings;
mod pins;
pub(super) mod posting_sources;
mod range_facets;
mod ranks;
mod resolve;
mod ruled;
mod scan;
mod score;
mod score_accumulator;
mod scoring_cursor;
mod selected;
mod substrings;
mod synonyms;
mod task;
mod texts;
mod top_k;
mod upper_bounds;
mod value_counts;
mod visible;
mod walk;
mod word;

use super::scale::Scale;
use super::snapshot::EmbeddedSnapshot;
use super::static_scores::StaticScoreKey;
use crate::columns::{Columns, Seen, View};
use crate::parallel::{threads_for, together};
use crate::{Card, EngineError, Hit, HitNumbers, HitSink, Request, SearchResult};
pub(super) use blocks::Postings;
pub(super) use boosts::RuleBoosts;
pub(super) use phrase_postings::PhraseCache;
pub(super) use posting_sources::PostingSource;
pub(super) use ruled::RuleMemory;

use explain::Explainer;
use interpretation::{CodeOrder, QueryInterpretation};
use query::Plan;
use query::highlight::HighlightTerms;
use resolve::Resolved;
use ruled::Ruled;
use std::collections::HashSet;
use tantivy::DocAddress;
use task::Task;
use top_k::Ranked;
use visible::reports;
use walk::{Walked, walk};

/// Shares of hits for each thread that shows them, so that all end at about the same time.
const SHARES: usize = 8;

/// The answer of a snapshot to a plan, but for its hits, which are handed to `shown`.
pub(super) fn search<S: Scale>(
    snapshot: &EmbeddedSnapshot<S>,
    plan: &Plan,
    request: &Request,
    shown: &HitSink<'_>,
) -> Result<SearchResult, EngineError> {
    let view = View::new(&snapshot.columns, &request.visitor);
    let reading = QueryInterpretation::of(&snapshot.texts, plan, &view, request.explain)?;
    let plan = &*reading.plan;
    let resolved = Resolved::new(&snapshot.texts, plan, reading.order)?;
    let ruled = Ruled::new(snapshot, plan, &view, &request.visitor);
    let circumstances = StaticScoreKey::of(plan, &ruled.boosts, &request.visitor);
    let standing = snapshot.standings.of(circumstances, &snapshot.texts);
    let task = Task {
        snapshot,
        plan,
        resolved: &resolved,
        ruled: &ruled,
        standing: &standing,
        view: &view,
    };
    let Walked {
        total,
        sieve,
        top,
        pins,
    } = walk(task, request)?;
    let (pins, mut all) = pins.finish();
    let pinned: HashSet<u32> = all.iter().map(|hit| hit.ordinal).collect();
    all.extend(top.into_sorted());
    let ranked = page(all, request, &snapshot.columns);
    show_all(task, &ranked, request, &|place, hit| {
        let pinned = pinned.contains(&ranked[place].ordinal);
        let breakdown = hit.breakdown.map(|breakdown| breakdown.pinned(pinned));
        shown(place, Hit { breakdown, ..hit });
    })?;
    Ok(SearchResult {
        total,
        hits: Vec::new(),
        pins,
        facets: sieve.into_facets::<S>(&view),
        words: reports(task)?,
        is_code: reading.is_code,
        is_list: reading.order == CodeOrder::List,
        marks: marks(plan, &resolved),
    })
}

/// The hits of the page, out of all that come before its end.
fn page(ranked: Vec<Ranked>, request: &Request, columns: &Columns) -> Vec<Ranked> {
    let shown: HashSet<&str> = request.shown.iter().map(String::as_str).collect();
    // Looking an id up waits for memory, so that is left where nothing was shown.
    ranked
        .into_iter()
        .filter(|hit| shown.is_empty() || !shown.contains(columns.id(hit.ordinal)))
        .skip(request.offset)
        .take(request.limit)
        .collect()
}

/// Hands the hits to `shown`.
fn show_all<S: Scale>(
    task: Task<'_, S>,
    ranked: &[Ranked],
    request: &Request,
    shown: &HitSink<'_>,
) -> Result<(), EngineError> {
    if request.bare {
        let id = |hit: &Ranked| task.snapshot.columns.id(hit.ordinal);
        let bare = ranked.iter().map(|hit| bare(hit, id(hit)));
        bare.enumerate().for_each(|(place, hit)| shown(place, hit));
        return Ok(());
    }
    // In the order in which they lie, for the lists of a segment serve all its hits.
    let mut lying: Vec<(usize, Ranked)> = ranked.iter().copied().enumerate().collect();
    lying.sort_unstable_by_key(|(_, hit)| (hit.segment, hit.document));
    let (threads, shares) = match threads_for(ranked.len(), S::HITS_MIN) {
        1 => (1, 1),
        several => (several, several * SHARES),
    };
    let share = lying.len().div_ceil(shares).max(1);
    let shares: Vec<_> = lying.chunks(share).collect();
    let done = together(threads, &shares, |own| {
        let mut explainer = request.explain.then(|| Explainer::new(task));
        for share in own {
            show(task, share, explainer.as_mut(), shown)?;
        }
        Ok(())
    });
    done.into_iter().collect()
}

/// Hands hits to `shown`, from what ranks them and their places among all.
fn show<S: Scale>(
    task: Task<'_, S>,
    share: &[(usize, Ranked)],
    explainer: Option<&mut Explainer<'_, S>>,
    shown: &HitSink<'_>,
) -> Result<(), EngineError> {
    let ranked: Vec<Ranked> = share.iter().map(|(_, hit)| *hit).collect();
    let addresses = (ranked.iter()).map(|hit| DocAddress::new(hit.segment, hit.document));
    let cards = task.snapshot.texts.cards(addresses)?;
    // What is alike is read for all, so that the memory of several hits is waited for at the same time.
    let seen: Vec<Option<Seen<'_>>> = (ranked.iter())
        .map(|hit| task.view.see(hit.ordinal))
        .collect();
    let ids: Vec<&str> = (ranked.iter())
        .map(|hit| task.snapshot.columns.id(hit.ordinal))
        .collect();
    let breakdowns = explainer.map(|explainer| explainer.explain(&ranked, &cards, &seen));
    let mut breakdowns = breakdowns.transpose()?.unwrap_or_default().into_iter();
    let all = share.iter().zip(ids).zip(seen).zip(cards);
    for ((((place, hit), id), seen), card) in all {
        let hit = Hit {
            card,
            numbers: seen.as_ref().map(numbers).unwrap_or_default(),
            breakdown: breakdowns.next(),
            ..bare(hit, id)
        };
        shown(*place, hit);
    }
    Ok(())
}

/// A hit with nothing but what ranks it.
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
        marks
            .stems
            .extend(resolved.typos.iter().map(|typo| typo.term.to_string()));
        marks.prefixes.push(word.folded.clone());
        if resolved.holding.iter().any(|lists| !lists.is_empty()) {
            marks.parts.push(word.folded.clone());
        }
    }
    for synonym in &plan.synonyms {
        let words = synonym.words.iter();
        let phrase = words.map(|word| (word.stem.clone(), word.position));
        marks.phrases.insert(phrase.collect());
    }
    marks
}
