//! Compares a result of the engine with that of the reference, down to the parts of every score.

use super::compare_facets::compare_facets;
use super::expected::{Expected, Ranked};
use super::interpretation::Order;
use super::walk::Walk;
use super::word_parts::{ByField, best};
use domain::relevance::field::FieldId;
use domain::search::Sort;
use engine::{Hit, Request, SearchResult};
use query::Plan;
use query::breakdown::{Breakdown, Tier, WordMatch, WordMatchKind};
use query::plan::Find;
use query::scoring::TIE;
use std::collections::BTreeMap;

/// Largest relative difference of two scores.
const TOLERANCE: f64 = 1e-4;
/// Largest relative difference of neighbours that may be in another order where scores have single precision.
const NEIGHBOURS: f64 = 1e-5;
/// Largest difference between the sum of the parts of a breakdown and their total.
const SUM_TOLERANCE: f64 = 1.0 / 2000.0;

/// Of the scores by which an engine orders hits.
#[derive(Clone, Copy, PartialEq)]
pub enum Precision {
    Single,
    Double,
}

/// A difference between engine and reference, as a sentence.
pub type Compared = Result<(), String>;

pub fn compare(
    found: &SearchResult,
    (expected, is_code): (&Expected, bool),
    walk: &Walk<'_>,
    plan: &Plan,
    (request, precision): (&Request, Precision),
) -> Compared {
    same("total", &found.total, &expected.total)?;
    if request.explain {
        same("is_code", &found.is_code, &is_code)?;
    }
    same("is_list", &found.is_list, &(walk.order == Order::List))?;
    let reports = found.words.iter().map(|word| (word.found, word.documents));
    let meanings = walk.words.iter().enumerate().map(|(at, word)| {
        let known = walk.order == Order::List || word.idf.is_some();
        let found = known && walk.is_found(at, &request.visitor);
        (found, word.documents)
    });
    same("words", &reports.collect::<Vec<_>>(), &meanings.collect())?;
    same("pins", &found.pins, &expected.pins)?;
    for (hit, ranked) in pairs(&found.hits, &expected.hits, request.sort, precision)? {
        same("explained", &hit.breakdown.is_some(), &request.explain)?;
        if request.sort == Sort::Relevance {
            close("score", hit.score, ranked.score, TOLERANCE)?;
        }
        compare_price(hit, ranked).map_err(|difference| format!("{}: {difference}", hit.id))?;
        if let Some(breakdown) = &hit.breakdown {
            let tier = ranked.rank.filter(|_| walk.order != Order::List);
            same("pinned", &breakdown.pinned, &ranked.pinned.is_some())?;
            let rules = breakdown.rules.iter().map(|rule| rule.multiplier);
            close("rules", rules.product(), ranked.multiplier, TOLERANCE)?;
            same("tier", &breakdown.tier, &tier.map(|tier| Tier::ALL[tier]))?;
            let compared = compare_breakdown(breakdown, ranked, plan)
                .and_then(|()| adds_up(breakdown, hit, plan, request.sort));
            compared.map_err(|difference| format!("{}: {difference}", hit.id))?;
        }
    }
    compare_facets(found, expected, request)
}

/// Each hit with what is expected of it. A neighbour of the last hit that took its place is not among them.
fn pairs<'a>(
    found: &'a [Hit],
    expected: &'a [Ranked],
    sort: Sort,
    precision: Precision,
) -> Result<Vec<(&'a Hit, &'a Ranked)>, String> {
    let ids = found.iter().map(|hit| &hit.id).collect::<Vec<_>>();
    let in_order = same("hits", &ids, &expected.iter().map(|hit| &hit.id).collect());
    if in_order.is_ok() {
        return Ok(found.iter().zip(expected).collect());
    }
    if (precision, sort) != (Precision::Single, Sort::Relevance) || found.len() != expected.len() {
        return Err(in_order.unwrap_err());
    }
    for (hit, in_its_place) in found.iter().zip(expected) {
        close("order", hit.score, in_its_place.score, NEIGHBOURS)
            .map_err(|_| format!("{in_order:?}"))?;
    }
    let pair = |hit: &'a Hit| {
        let mut expected = expected.iter();
        Some((hit, expected.find(|ranked| ranked.id == hit.id)?))
    };
    Ok(found.iter().filter_map(pair).collect())
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, engine: &T, reference: &T) -> Compared {
    if engine == reference {
        return Ok(());
    }
    Err(format!(
        "{what}: engine {engine:?}, reference {reference:?}"
    ))
}

fn close(what: &str, engine: f64, reference: f64, tolerance: f64) -> Compared {
    if (engine - reference).abs() <= tolerance * reference.abs() {
        return Ok(());
    }
    Err(format!("{what}: engine {engine}, reference {reference}"))
}

fn compare_breakdown(breakdown: &Breakdown, ranked: &Ranked, plan: &Plan) -> Compared {
    same("factors", &breakdown.factors, &ranked.factors)?;
    let (text, parts) = (&breakdown.text, &ranked.parts);
    let mut matches = text.matches.iter();
    for (word, fields) in plan.words.iter().zip(&parts.words) {
        let own: Vec<&WordMatch> = matches.by_ref().take(fields.len()).collect();
        compare_word(&own, fields, plan)
            .map_err(|difference| format!("{}: {difference}", word.text))?;
        same(
            "word",
            &own.iter().all(|found| *found.word == *word.text),
            &true,
        )?;
    }
    same("further matches", &matches.next(), &None)?;
    for (what, engine, reference) in [
        ("phrase", &text.phrase, parts.phrase),
        ("exact reference", &text.exact_reference, parts.exact_code),
    ] {
        let field = engine.as_ref().map(|bonus| bonus.field);
        same(what, &field, &reference.map(|(field, _)| field))?;
        if let (Some(engine), Some((_, score))) = (engine, reference) {
            close(what, engine.score, score, TOLERANCE)?;
        }
    }
    let cross = text.cross_fields.as_ref().map_or(0.0, |bonus| bonus.score);
    close("cross fields", cross, parts.coordination, TOLERANCE)
}

/// Compares the fields of one word: the best counts fully, each other by its share.
fn compare_word(own: &[&WordMatch], fields: &ByField, plan: &Plan) -> Compared {
    same("fields", &own.len(), &fields.len())?;
    let highest = fields.values().map(|field| best(field)).fold(0.0, f64::max);
    let mut left: BTreeMap<&str, &FieldId> = BTreeMap::new();
    for field in fields.keys() {
        left.insert(field.name(), field);
    }
    for (at, found) in own.iter().enumerate() {
        let share = if at == 0 { 1.0 } else { TIE };
        // The name and the prefixes and substrings of its words are one field.
        let group = found
            .field
            .name()
            .trim_end_matches(".autocomplete")
            .trim_end_matches(".partial");
        let Some(field) = left.remove(group) else {
            return Err(format!(
                "{} is no field of the word, or twice",
                found.field.name()
            ));
        };
        let alternatives = &fields[field];
        close(
            found.field.name(),
            found.score,
            share * best(alternatives),
            TOLERANCE,
        )?;
        let as_shown = alternatives.iter().any(|alternative| {
            let matched = alternative.matched.iter();
            let shown = (alternative.field, alternative.kind, alternative.distance);
            shown == (found.field, found.kind, found.distance)
                // Words of texts are reported as they are written, not as they are indexed.
                && (is_of_text(found) || matched.map(String::as_str).any(|text| *text == *found.matched))
                && alternative.score >= best(alternatives) * (1.0 - TOLERANCE)
        });
        same("shown as matched", &as_shown, &true)
            .map_err(|_| format!("{found:?} is not among {alternatives:?}"))?;
        same("boost", &found.boost, &plan.boosts.get(found.field))?;
        if at == 0 {
            close("best field", found.score, highest, TOLERANCE)?;
        }
    }
    Ok(())
}

fn is_of_text(found: &WordMatch) -> bool {
    let as_typed = [
        WordMatchKind::Prefix,
        WordMatchKind::Partial,
        WordMatchKind::Synonym,
    ];
    // Words that are joined are shown in the form of the name: "Sportschuhe" for "Sport Schuh".
    let is_split = found.kind == WordMatchKind::Split && found.matched.contains(' ');
    !as_typed.contains(&found.kind) && !is_split && !found.is_code()
}

/// Whether the parts add up to the text score, and text score and factors to the score.
fn adds_up(breakdown: &Breakdown, hit: &Hit, plan: &Plan, sort: Sort) -> Compared {
    let text = &breakdown.text;
    let bonuses = [&text.phrase, &text.exact_reference];
    let sum = text.matches.iter().map(|found| found.score).sum::<f64>()
        + bonuses
            .into_iter()
            .flatten()
            .map(|bonus| bonus.score)
            .sum::<f64>()
        + text.cross_fields.as_ref().map_or(0.0, |bonus| bonus.score);
    let expected = if plan.find == Find::Words { sum } else { 1.0 };
    close("sum of the parts", text.score, expected, SUM_TOLERANCE)?;
    if sort == Sort::Relevance {
        let rules = breakdown.rules.iter().map(|rule| rule.multiplier);
        let product = text.score * breakdown.factors.multiplier * rules.product::<f64>();
        close("product", hit.score, product, SUM_TOLERANCE)?;
    }
    Ok(())
}

fn compare_price(hit: &Hit, ranked: &Ranked) -> Compared {
    let numbers = &hit.numbers;
    let shown = (numbers.price, numbers.original_price);
    let price = ranked.price.as_ref();
    let expected = (
        price.map(|price| price.price),
        price.and_then(|price| price.original),
    );
    same("price", &shown, &expected)?;
    let field = numbers.price_field.as_ref().map(ToString::to_string);
    same(
        "price field",
        &field,
        &price.map(|price| price.field.clone()),
    )
}
