//! The second walk, over the hits alone: what each part of a score is.

use super::super::shown::Shown;
use super::super::snapshot::EmbeddedSnapshot;
use super::lists::ScoreList;
use super::phrase::Phrase;
use super::reading::CodeOrder;
use super::resolve::Resolved;
use super::scan::Task;
use super::score::SegmentPlan;
use super::top::Ranked;
use super::word::{Source, Weigh};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::breakdown::{Bonus, Breakdown, FieldBonus, MatchKind, TextBreakdown, Tier, WordMatch};
use query::plan::Find;
use query::scoring::{TIE, coordination, exact_code, factors, phrase};
use query::{Plan, Token};
use std::sync::Arc;
use tantivy::DocId;

/// What is known of one hit so far.
#[derive(Default)]
struct Parts {
    matches: Vec<WordMatch>,
    covered: f64,
    phrase: Option<FieldId>,
    code: Option<FieldId>,
}

/// The breakdowns of `ranked`, in its order.
pub(super) fn explain(
    task: Task<'_>,
    ranked: &[Ranked],
    shown: &[Arc<Shown>],
) -> Result<Vec<Breakdown>, EngineError> {
    let Task {
        snapshot,
        plan,
        resolved,
        ruled,
        view,
        ..
    } = task;
    let mut parts: Vec<Parts> = ranked.iter().map(|_| Parts::default()).collect();
    for at in 0..snapshot.texts.segments.len() {
        let mut hits: Vec<(DocId, usize)> = (ranked.iter().enumerate())
            .filter(|(_, hit)| hit.segment as usize == at)
            .map(|(place, hit)| (hit.document, place))
            .collect();
        hits.sort_unstable();
        if !hits.is_empty() && plan.find == Find::Words {
            explain_segment(snapshot, plan, resolved, at, &hits, &mut parts)?;
        }
    }
    let all = ranked.iter().zip(parts).zip(shown);
    Ok(all
        .map(|((hit, parts), shown)| {
            let words = shown.words(&snapshot.texts.analyser);
            let text = text_breakdown(plan, resolved, parts, words);
            let seen = view.see(hit.ordinal);
            let values = seen.as_ref().map(|seen| seen.factor_values());
            let factors = factors(&plan.factors, &values.unwrap_or_default());
            let rules = seen.map_or_else(Vec::new, |seen| ruled.multipliers(&seen));
            let mut breakdown = Breakdown::new(text, factors).with_rules(rules);
            if let CodeOrder::Tiers { .. } = resolved.order {
                breakdown.tier = Tier::ALL.get(usize::from(hit.rank)).copied();
            }
            breakdown
        })
        .collect())
}

fn explain_segment(
    snapshot: &EmbeddedSnapshot,
    plan: &Plan,
    resolved: &Resolved,
    at: usize,
    hits: &[(DocId, usize)],
    parts: &mut [Parts],
) -> Result<(), EngineError> {
    let segment = &snapshot.texts.segments[at];
    let lists = SegmentPlan {
        texts: &snapshot.texts,
        segment,
        at,
        plan,
        resolved,
    };
    let source = Source {
        segment,
        norms: &snapshot.texts.norms,
    };
    for (word, own) in lists.word_lists()?.iter().enumerate() {
        let mut covered = vec![false; hits.len()];
        let mut alternatives = vec![false; resolved.words[word].alternatives()];
        for list in &own.matching {
            let Some(mut cursor) = list.place.open()? else {
                continue;
            };
            for (place, (document, _)) in hits.iter().enumerate() {
                let held = cursor.frequency(*document).is_some();
                covered[place] |= held && list.covers;
                if let Some(at) = list.alternative {
                    alternatives[at] |= held;
                }
            }
        }
        let mut found: Vec<Vec<WordMatch>> = hits.iter().map(|_| Vec::new()).collect();
        for group in &own.groups {
            let near = own.near.iter().filter(|near| alternatives[near.number]);
            let near: Vec<ScoreList> = near
                .filter(|_| group.unit > 0.0)
                .filter_map(|near| near.list(segment, group.field, group.unit))
                .collect();
            let lists_of_hits = group.lists.iter().chain(&near);
            let of_hits =
                lists_of_hits.filter(|list| list.alternative.is_none_or(|at| alternatives[at]));
            let best = best_of_group(source, of_hits, hits)?;
            for (place, best) in best.into_iter().enumerate() {
                found[place].extend(best.map(|(list, score)| word_match(plan, word, list, score)));
            }
        }
        for (place, (_, hit)) in hits.iter().enumerate() {
            if covered[place] {
                parts[*hit].covered += resolved.words[word].idf.unwrap_or(0.0);
            }
            parts[*hit]
                .matches
                .extend(with_tie(std::mem::take(&mut found[place])));
        }
    }
    let mut phrase = Phrase::new(segment, plan, resolved)?;
    for (document, hit) in hits {
        parts[*hit].phrase = phrase.field_in(*document);
    }
    for (field, place) in lists.whole_codes() {
        let Some(mut cursor) = place.open()? else {
            continue;
        };
        for (document, hit) in hits {
            if cursor.frequency(*document).is_some() {
                parts[*hit].code.get_or_insert(field);
            }
        }
    }
    Ok(())
}

/// The best of the `lists` of one field for every hit.
fn best_of_group<'a>(
    source: Source<'_>,
    lists: impl Iterator<Item = &'a ScoreList>,
    hits: &[(DocId, usize)],
) -> Result<Vec<Option<(&'a ScoreList, f64)>>, EngineError> {
    let mut best: Vec<Option<(&ScoreList, f64)>> = vec![None; hits.len()];
    for list in lists {
        let Some(mut cursor) = list.place.open()? else {
            continue;
        };
        let weigh = Weigh::new(list, source);
        for (place, (document, _)) in hits.iter().enumerate() {
            let Some(tf) = cursor.frequency(*document) else {
                continue;
            };
            let score = weigh.value(*document, tf);
            if best[place].is_none_or(|(_, other)| score > other) {
                best[place] = Some((list, score));
            }
        }
    }
    Ok(best)
}

fn word_match(plan: &Plan, word: usize, list: &ScoreList, score: f64) -> WordMatch {
    WordMatch {
        word: plan.words[word].text.clone(),
        field: list.field.name(),
        matched: list.matched.to_string(),
        kind: list.kind,
        distance: list.distance,
        boost: plan.boosts.get(list.field),
        score,
    }
}

/// The fields of a word, the best first and whole, the others with their share.
fn with_tie(mut fields: Vec<WordMatch>) -> Vec<WordMatch> {
    fields.sort_by(|a, b| b.score.total_cmp(&a.score));
    for other in fields.iter_mut().skip(1) {
        other.score *= TIE;
    }
    fields
}

fn text_breakdown(
    plan: &Plan,
    resolved: &Resolved,
    mut parts: Parts,
    words: &[Token],
) -> TextBreakdown {
    show_words(&mut parts.matches, words);
    let several = plan.words.len() > 1;
    let cross = coordination(plan.cross_fields_boost, resolved.rarity, parts.covered);
    let bonus = |field: FieldId, score| FieldBonus {
        field: field.name(),
        score,
    };
    let mut text = TextBreakdown {
        score: 1.0,
        matches: parts.matches,
        phrase: parts
            .phrase
            .map(|f| bonus(f, phrase(plan.phrase_boost, resolved.rarity))),
        exact_reference: parts
            .code
            .map(|f| bonus(f, exact_code(plan.exact_ref_boost, resolved.documents))),
        cross_fields: (several && cross > 0.0).then_some(Bonus { score: cross }),
    };
    if plan.find == Find::Words {
        text.score = sum(&text);
    }
    text
}

fn sum(text: &TextBreakdown) -> f64 {
    text.matches.iter().map(|found| found.score).sum::<f64>()
        + text.phrase.as_ref().map_or(0.0, |bonus| bonus.score)
        + text
            .exact_reference
            .as_ref()
            .map_or(0.0, |bonus| bonus.score)
        + text.cross_fields.as_ref().map_or(0.0, |bonus| bonus.score)
}

/// Puts words as people write them in place of what the index knows: beginnings and stems.
fn show_words(matches: &mut [WordMatch], words: &[Token]) {
    for found in matches {
        let shown = match found.kind {
            MatchKind::Prefix => shortest(words, |word| word.folded.starts_with(&found.matched)),
            MatchKind::Partial if !found.is_code() => {
                shortest(words, |word| word.folded.contains(&found.matched))
            }
            // What the owner wrote tells which group it was.
            MatchKind::Synonym => None,
            _ => words.iter().find(|word| word.stem == found.matched),
        };
        match (shown, found.kind) {
            (Some(word), _) => found.matched.clone_from(&word.form),
            // In other fields the word was met by its stem, and the question's own word says it best.
            (None, MatchKind::Exact) if !found.is_code() => found.matched.clone_from(&found.word),
            (None, _) => {}
        }
    }
}

fn shortest(words: &[Token], fits: impl Fn(&Token) -> bool) -> Option<&Token> {
    words
        .iter()
        .filter(|word| fits(word))
        .min_by_key(|word| word.folded.chars().count())
}
