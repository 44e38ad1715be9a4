//! Breakdowns, from the scores that the cluster returns for named parts of a query. The arithmetic is that of `query`.

use super::fields;
use super::hits;
use super::ranking::{CODE_NAME, COVERS_NAME, PHRASE_NAME, RankingQuery};
use super::rules::BOOST_NAME;
use crate::shown_words::show_words;
use crate::{Card, EngineError};
use domain::relevance::field::FieldId;
use domain::rule::{BoostEntry, NumericField};
use query::breakdown::{Breakdown, RuleMultiplier, TextBreakdown, Tier, WordMatch};
use query::clauses::{Earning, counts_as};
use query::plan::Find;
use query::rules::{entry_of_value, of_rule};
use query::scoring::{factors, field_share};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The best clause of a word in one field.
struct Best {
    field: FieldId,
    clause: usize,
    score: f64,
}

/// Returns the breakdown of `hit`, which has this `card` and this rank before its score.
pub fn breakdown(
    ranking: &RankingQuery<'_>,
    hit: &Value,
    card: &Card,
    rank: Option<usize>,
) -> Result<Breakdown, EngineError> {
    let nothing = Map::new();
    let named = hit["matched_queries"].as_object().unwrap_or(&nothing);
    let values = hits::factor_values(hit, ranking.prices);
    let factors = factors(&ranking.plan.factors, &values);
    let rules = multipliers(ranking, hit, named);
    let mut breakdown = Breakdown::new(text(ranking, named, card), factors).with_rules(rules);
    breakdown.tier = rank.and_then(|rank| Tier::ALL.get(rank).copied());
    Ok(breakdown)
}

fn text(ranking: &RankingQuery<'_>, named: &Map<String, Value>, card: &Card) -> TextBreakdown {
    if ranking.plan.find != Find::Words {
        return TextBreakdown::without_words();
    }
    let mut matches = Vec::new();
    for at in 0..ranking.plan.words.len() {
        add_matches(ranking, at, named, &mut matches);
    }
    show_words(&mut matches, card);
    let counted = 0..ranking.plan.counted().len();
    let covered = counted
        .clone()
        .filter(|at| named.contains_key(&format!("{COVERS_NAME}{at}")));
    let covered: f64 = covered.map(|at| ranking.clauses.words[at].rarity).sum();
    let covers_all = || {
        // Words are named where coordination counts; without it a phrase shows by itself that they are there.
        let is_counted = ranking.clauses.bonuses.coordination.is_some();
        let mut all = counted.clone().filter(|_| is_counted);
        all.all(|at| named.contains_key(&format!("{COVERS_NAME}{at}")))
    };
    let phrase = ranking.clauses.bonuses.phrase.as_ref();
    let of_phrase = phrase
        .into_iter()
        .flat_map(|phrase| phrase.fields.iter().copied());
    let earning = Earning {
        covered,
        phrase: first(named, PHRASE_NAME, of_phrase).filter(|_| covers_all()),
        code: first(named, CODE_NAME, FieldId::codes()),
    };
    ranking.clauses.bonuses.breakdown(matches, earning)
}

/// The first of `fields` with a part that is named so.
fn first(
    named: &Map<String, Value>,
    name: &str,
    mut fields: impl Iterator<Item = FieldId>,
) -> Option<FieldId> {
    fields.find(|field| named.contains_key(&format!("{name}{}", field.index())))
}

/// Adds the matches of word number `at`: the best field with its whole score, the others with a share of it.
fn add_matches(
    ranking: &RankingQuery<'_>,
    at: usize,
    named: &Map<String, Value>,
    matches: &mut Vec<WordMatch>,
) {
    let word: Arc<str> = ranking.plan.words[at].text.as_str().into();
    let clauses = &ranking.clauses.words[at].clauses;
    let mut best: Vec<(FieldId, Best)> = Vec::new();
    for (name, score) in named {
        let Some((field, clause)) = parsed(name, at) else {
            continue;
        };
        let own = Best {
            field,
            clause,
            score: score.as_f64().unwrap_or(0.0),
        };
        let group = counts_as(field);
        match best.iter_mut().find(|(known, _)| *known == group) {
            // Of equal scores the first clause counts.
            Some((_, known))
                if (own.score, std::cmp::Reverse(own.clause))
                    > (known.score, std::cmp::Reverse(known.clause)) =>
            {
                *known = own;
            }
            Some(_) => {}
            None => best.push((group, own)),
        }
    }
    best.sort_by_key(|(group, _)| *group);
    best.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
    let of = best.into_iter().enumerate().map(|(better, (_, own))| {
        let clause = &clauses[own.clause];
        WordMatch {
            word: Arc::clone(&word),
            field: own.field,
            matched: Arc::clone(&clause.matched),
            kind: clause.kind,
            distance: clause.distance,
            boost: ranking.plan.boosts.get(own.field),
            score: own.score * field_share(better),
        }
    });
    matches.extend(of);
}

/// Field and number of the clause of word number `at` that is named so.
fn parsed(name: &str, at: usize) -> Option<(FieldId, usize)> {
    let mut parts = name.strip_prefix('w')?.split('-');
    let word: usize = parts.next()?.parse().ok()?;
    let field: usize = parts.next()?.parse().ok()?;
    let clause: usize = parts.next()?.parse().ok()?;
    let field = FieldId::all().nth(field).filter(|_| word == at)?;
    Some((field, clause))
}

/// Returns the factor of each rule as it is applied, without factors of 1.
fn multipliers(
    ranking: &RankingQuery<'_>,
    hit: &Value,
    named: &Map<String, Value>,
) -> Vec<RuleMultiplier> {
    let boosts = &ranking.plan.rules.boosts;
    let all = boosts.iter().enumerate().map(|(rule, own)| {
        let entries = own
            .entries
            .iter()
            .enumerate()
            .map(|(at, entry)| match entry {
                BoostEntry::Term { weight, .. } | BoostEntry::Range { weight, .. } => {
                    match named.contains_key(&format!("{BOOST_NAME}{rule}-{at}")) {
                        true => *weight,
                        false => 1.0,
                    }
                }
                BoostEntry::Value {
                    field,
                    factor,
                    modifier,
                    missing,
                } => entry_of_value(*factor, *modifier, *missing, number(ranking, hit, *field)),
            });
        (own.rule.to_string(), of_rule(entries))
    });
    RuleMultiplier::shown(all)
}

fn number(ranking: &RankingQuery<'_>, hit: &Value, field: NumericField) -> Option<f64> {
    let own = &hit["_source"][fields::NUMBERS];
    match field {
        NumericField::Price => ranking.prices.of(&own["prices"]).map(|price| price.price),
        NumericField::SalesCount => own["sold"].as_f64(),
        NumericField::Rating => own["rating"].as_f64(),
        NumericField::RatingCount => own["rating_count"].as_f64(),
        NumericField::FeatureNum => own["feature_num"].as_f64(),
    }
}
