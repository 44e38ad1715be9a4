//! What differs between two results, with the cause.

use engine::{Hit, SearchResult};
use query::Breakdown;

/// Hits at the top that have to be the same.
const TOP: usize = 10;
/// Largest relative difference of two scores.
const TOLERANCE: f64 = 1e-5;

/// Why two results may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Scores of neighbours are closer than those of two engines.
    Near,
    /// Not known.
    Unknown,
}

fn is_close(own: f64, other: f64) -> bool {
    (own - other).abs() <= TOLERANCE * own.abs().max(other.abs()).max(1e-12)
}

/// Returns the differences, none for equal results.
pub fn differences(own: &SearchResult, other: &SearchResult) -> Vec<(Cause, String)> {
    let mut all = Vec::new();
    let mut unknown = |what: String| all.push((Cause::Unknown, what));
    if own.total != other.total {
        unknown(format!("total {} and {}", own.total, other.total));
    }
    if own.facets != other.facets {
        let differing = own.facets.iter().zip(&other.facets).find(|(a, b)| a != b);
        unknown(format!("facets: {differing:?}"));
    }
    if own.words != other.words {
        unknown(format!("words {:?} and {:?}", own.words, other.words));
    }
    if own.hits.len() != other.hits.len() {
        unknown(format!("{} and {} hits", own.hits.len(), other.hits.len()));
    }
    for (at, (a, b)) in own.hits.iter().zip(&other.hits).enumerate() {
        if !is_close(a.score, b.score) {
            unknown(format!(
                "hit {at}: {} with {} and {} with {}",
                a.id, a.score, b.id, b.score
            ));
            break;
        }
        if a.id != b.id {
            continue;
        }
        if let (Some(of_a), Some(of_b)) = (&a.breakdown, &b.breakdown)
            && let Some(what) = differing_part(of_a, of_b)
        {
            unknown(format!("breakdown of {}: {what}", a.id));
            break;
        }
    }
    all.extend(differing_order(&own.hits, &other.hits));
    all
}

/// Returns the first of the leading hits that is another one.
fn differing_order(own: &[Hit], other: &[Hit]) -> Option<(Cause, String)> {
    let mut leading = own.iter().zip(other).take(TOP).enumerate();
    let (at, (a, b)) = leading.find(|(_, (a, b))| a.id != b.id)?;
    let score = own.iter().find(|hit| hit.id == b.id).map(|hit| hit.score);
    let is_near = score.is_some_and(|score| is_close(score, a.score));
    let cause = if is_near { Cause::Near } else { Cause::Unknown };
    Some((cause, format!("hit {at}: {} and {}", a.id, b.id)))
}

/// Returns the first part of a score in which two breakdowns differ; its own sum counts as one.
fn differing_part(own: &Breakdown, other: &Breakdown) -> Option<String> {
    if own.tier != other.tier {
        return Some(format!("tier {:?} and {:?}", own.tier, other.tier));
    }
    let of = [own, other].map(parts);
    let names = of.each_ref().map(|parts| {
        let names = parts.iter().map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>()
    });
    if names[0] != names[1] {
        return Some(format!("{:?} and {:?}", names[0], names[1]));
    }
    let mut pairs = of[0].iter().zip(&of[1]);
    let differing = pairs.find(|((_, a), (_, b))| !is_close(*a, *b));
    differing.map(|((name, a), (_, b))| format!("{name}: {a} and {b}"))
}

/// Returns all numbers of a breakdown, by name.
fn parts(of: &Breakdown) -> Vec<(String, f64)> {
    let text = &of.text;
    let mut all: Vec<(String, f64)> = Vec::new();
    for part in &text.matches {
        let name = format!("{} in {} by {:?}", part.word, part.field.name(), part.kind);
        all.push((name, part.score));
    }
    let bonuses = [
        text.phrase.as_ref().map(|own| ("phrase", own.score)),
        text.exact_reference.as_ref().map(|own| ("code", own.score)),
        text.cross_fields.as_ref().map(|own| ("fields", own.score)),
    ];
    let bonuses = bonuses.into_iter().flatten();
    all.extend(bonuses.map(|(name, score)| (name.to_owned(), score)));
    // Neighbours in the order of the best field may be as close as two products.
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    let sum = all.iter().map(|(_, score)| score).sum();
    all.push(("sum".to_owned(), sum));
    all.push(("text".to_owned(), text.score));
    all.push(("factors".to_owned(), of.factors.multiplier));
    let rules = of.rules.iter();
    all.extend(rules.map(|rule| (rule.id.clone(), rule.multiplier)));
    all
}
