//! The second walk, over the hits alone: what each part of a score is.

use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::lists::{MatchList, ScoreList, WordLists, units};
use super::phrase::Phrase;
use super::reading::CodeOrder;
use super::resolve::Resolved;
use super::scan::Task;
use super::score::SegmentPlan;
use super::scored_list::{Source, Weigh};
use super::top::Ranked;
use crate::card::CardWord;
use crate::{Card, EngineError};
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::{Bonus, Breakdown, FieldBonus, MatchKind, TextBreakdown, Tier, WordMatch};
use query::plan::Find;
use query::scoring::{TIE, coordination, exact_code, factors, phrase};
use std::sync::Arc;
use tantivy::DocId;

/// Fields in which a word is commonly met, and words of a common name: so many find room at once.
const MATCHES: usize = 4;
const NAME_WORDS: usize = 12;

/// What is known of one hit so far.
#[derive(Default)]
struct Parts {
    matches: Vec<WordMatch>,
    covered: f64,
    phrase: Option<FieldId>,
    code: Option<FieldId>,
}

/// The hits of one segment in the order of their documents, each with its place among all.
type Hits = [(DocId, usize)];

/// The breakdowns of `ranked`, in its order.
pub(super) fn explain(
    task: Task<'_>,
    ranked: &[Ranked],
    cards: &[Card],
) -> Result<Vec<Breakdown>, EngineError> {
    let Task {
        snapshot,
        plan,
        resolved,
        ruled,
        view,
        ..
    } = task;
    let nothing = |_: &Ranked| Parts {
        matches: Vec::with_capacity(plan.words.len() * MATCHES),
        ..Parts::default()
    };
    let mut parts: Vec<Parts> = ranked.iter().map(nothing).collect();
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
    let all = ranked.iter().zip(parts).zip(cards);
    Ok(all
        .map(|((hit, parts), card)| {
            let text = text_breakdown(plan, resolved, parts, card);
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
    hits: &Hits,
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
        let alternatives = resolved.words[word].alternatives();
        let held = Held::of(&own.matching, alternatives, hits)?;
        let idf = resolved.words[word].idf.unwrap_or(0.0);
        for (_, (_, hit)) in held.covered.iter().zip(hits).filter(|(held, _)| **held) {
            parts[*hit].covered += idf;
        }
        let near = held.near_lists(own, segment)?;
        let mut met = Vec::new();
        for group in &own.groups {
            let near = near.iter().filter(|list| list.field == group.field);
            best_of_group(
                source,
                group.lists.iter().chain(near),
                &held,
                hits,
                &mut met,
            )?;
        }
        let text: Arc<str> = plan.words[word].text.as_str().into();
        add_matches(&text, plan, hits, met, parts);
    }
    let mut phrase = Phrase::new(segment, plan, resolved)?;
    for (document, hit) in hits {
        parts[*hit].phrase = phrase.field_in(*document);
    }
    for (field, place) in lists.whole_codes() {
        let mut cursor = place.open()?;
        for (document, hit) in hits {
            if cursor.frequency(*document).is_some() {
                parts[*hit].code.get_or_insert(field);
            }
        }
    }
    Ok(())
}

/// Which hits hold a word at all.
struct Held {
    /// Whether a hit holds it exactly.
    covered: Vec<bool>,
    /// Places of the hits that hold an alternative; most hold none, so that most lists of fields need no look.
    alternatives: Vec<Vec<usize>>,
    /// Places of all hits.
    all: Vec<usize>,
}

impl Held {
    fn of(matching: &[MatchList], alternatives: usize, hits: &Hits) -> Result<Self, EngineError> {
        let mut held = Self {
            covered: vec![false; hits.len()],
            alternatives: vec![Vec::new(); alternatives],
            all: (0..hits.len()).collect(),
        };
        for list in matching
            .iter()
            .filter(|list| list.covers || list.alternative.is_some())
        {
            let mut cursor = list.place.open()?;
            for (place, (document, _)) in hits.iter().enumerate() {
                if cursor.frequency(*document).is_some() {
                    held.covered[place] |= list.covers;
                    if let Some(at) = list.alternative {
                        held.alternatives[at].push(place);
                    }
                }
            }
        }
        for places in &mut held.alternatives {
            places.sort_unstable();
            places.dedup();
        }
        Ok(held)
    }

    /// The lists of the alternatives of the word that any hit holds.
    fn near_lists(
        &self,
        own: &WordLists,
        segment: &SegmentView,
    ) -> Result<Vec<ScoreList>, EngineError> {
        let units = units(&own.groups);
        let near = own.near.iter();
        let held = near.filter(|near| !self.alternatives[near.number].is_empty());
        let lists = held.map(|near| near.lists(segment, &units));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        Ok(lists.into_iter().flatten().collect())
    }

    /// The places of the hits that may be in `list`, in order.
    fn places(&self, list: &ScoreList) -> &[usize] {
        list.alternative
            .map_or(&self.all, |at| &self.alternatives[at])
    }
}

/// The best list of one field that holds a hit.
#[derive(Clone, Copy)]
struct Met<'a> {
    place: usize,
    list: &'a ScoreList,
    score: f64,
}

/// Adds the best of the `lists` of one field for every hit that one of them holds.
fn best_of_group<'a>(
    source: Source<'_>,
    lists: impl Iterator<Item = &'a ScoreList>,
    held: &Held,
    hits: &Hits,
    met: &mut Vec<Met<'a>>,
) -> Result<(), EngineError> {
    let mut best: Vec<Option<Met<'a>>> = vec![None; hits.len()];
    for list in lists {
        let places = held.places(list);
        if places.is_empty() {
            continue;
        }
        let mut cursor = list.place.open()?;
        let weigh = Weigh::new(list, source);
        for place in places {
            let document = hits[*place].0;
            if list.is_within && best[*place].is_none() {
                continue;
            }
            let Some(tf) = cursor.frequency(document) else {
                continue;
            };
            let score = weigh.value(document, tf);
            if best[*place].is_none_or(|other| score > other.score) {
                let place = *place;
                best[place] = Some(Met { place, list, score });
            }
        }
    }
    met.extend(best.into_iter().flatten());
    Ok(())
}

/// Adds what a word met to the hits: of each the best field first and whole, the others with their share.
fn add_matches(
    word: &Arc<str>,
    plan: &Plan,
    hits: &Hits,
    mut met: Vec<Met<'_>>,
    parts: &mut [Parts],
) {
    // Equal scores stay in the order of the fields.
    met.sort_by(|a, b| (a.place.cmp(&b.place)).then(b.score.total_cmp(&a.score)));
    for own in met.chunk_by(|a, b| a.place == b.place) {
        let shares = std::iter::once(1.0).chain(std::iter::repeat(TIE));
        let matches = own.iter().zip(shares).map(|(met, share)| WordMatch {
            word: Arc::clone(word),
            field: met.list.field,
            matched: Arc::clone(&met.list.matched),
            kind: met.list.kind,
            distance: met.list.distance,
            boost: plan.boosts.get(met.list.field),
            score: met.score * share,
        });
        let (_, hit) = hits[own[0].place];
        parts[hit].matches.extend(matches);
    }
}

fn text_breakdown(
    plan: &Plan,
    resolved: &Resolved,
    mut parts: Parts,
    card: &Card,
) -> TextBreakdown {
    show_words(&mut parts.matches, card);
    let several = plan.words.len() > 1;
    let cross = coordination(plan.cross_fields_boost, resolved.rarity, parts.covered);
    let bonus = |field, score| FieldBonus { field, score };
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
fn show_words(matches: &mut [WordMatch], card: &Card) {
    let mut words: Vec<CardWord<'_>> = Vec::with_capacity(NAME_WORDS);
    words.extend(card.words());
    for at in 0..matches.len() {
        let (before, from_here) = matches.split_at_mut(at);
        let found = &mut from_here[0];
        let met = &*found.matched;
        let shown = match found.kind {
            MatchKind::Prefix => shortest(&words, |word| word.folded.starts_with(met)),
            MatchKind::Partial if !found.is_code() => {
                shortest(&words, |word| word.folded.contains(met))
            }
            // What the owner wrote tells which group it was.
            MatchKind::Synonym => None,
            _ => words.iter().find(|word| word.stem == met),
        };
        match (shown, found.kind) {
            (Some(word), _) => found.matched = shared(word.form, found, before),
            // In other fields the word was met by its stem, and the question's own word says it best.
            (None, MatchKind::Exact) if !found.is_code() => {
                found.matched = Arc::clone(&found.word);
            }
            (None, _) => {}
        }
    }
}

/// The text `form`, which mostly stands in `found` already, or in what came `before` it.
fn shared(form: &str, found: &WordMatch, before: &[WordMatch]) -> Arc<str> {
    let known = [&found.word, &found.matched].into_iter();
    let known = known.chain(before.last().map(|other| &other.matched));
    let mut same = known.filter(|text| ***text == *form);
    same.next().map_or_else(|| form.into(), Arc::clone)
}

fn shortest<'a>(
    words: &'a [CardWord<'a>],
    fits: impl Fn(&CardWord<'_>) -> bool,
) -> Option<&'a CardWord<'a>> {
    words
        .iter()
        .filter(|word| fits(word))
        .min_by_key(|word| word.folded.chars().count())
}
