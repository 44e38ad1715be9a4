//! Known-item search: a shopper types two to four words of a name, and what counts is where the product with this name
//! stands (mean reciprocal rank). Typed with noise, the same query should find it nearly as well.

use crate::choices::Choices;
use crate::noise::{Noise, TypedWords, alphabetic};
use crate::product_names::{ProductNames, words};
use std::collections::HashSet;

/// Hits of a response that are looked at, a page of results.
pub const DEPTH: usize = 24;

/// Words of a query.
const WORDS: std::ops::RangeInclusive<usize> = 2..=4;
/// Characters of the first and last word of a query, at least; nobody begins with "the" or ends with "of".
const WORD_CHARACTERS_MIN: usize = 4;
/// Names drawn for each query that is wanted; a small catalogue has fewer queries than wanted.
const DRAWS: usize = 20;

/// A query for one name, clean and with each noise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownItem {
    /// Ids of the products with the name.
    pub ids: Vec<String>,
    /// Words of the name in its order, in lower case.
    pub query: String,
    /// The query with each noise that can be applied to it.
    pub noisy: Vec<(Noise, String)>,
}

/// Returns at most `count` distinct queries for names of a catalogue, the same for the same seed.
pub fn sample(names: &ProductNames, seed: usize, count: usize) -> Vec<KnownItem> {
    let list: Vec<&str> = names.names().collect();
    let mut choices = Choices::new(seed);
    let mut seen = HashSet::new();
    let mut items = Vec::new();
    if list.is_empty() {
        return items;
    }
    for _ in 0..count * DRAWS {
        if items.len() == count {
            break;
        }
        let name = list[choices.below(list.len())];
        let Some(typed) = some_words(&words(name), &mut choices) else {
            continue;
        };
        let query = typed.words.join(" ");
        if seen.insert(query.clone()) {
            items.push(KnownItem {
                ids: names.ids(name).to_vec(),
                noisy: with_noise(&typed, names, seed ^ items.len()),
                query,
            });
        }
    }
    items
}

/// Returns some words of a name in its order, if it has enough.
fn some_words(words: &[String], choices: &mut Choices) -> Option<TypedWords> {
    let most = words.len().min(*WORDS.end());
    if most < *WORDS.start() {
        return None;
    }
    let count = WORDS.start() + choices.below(most - WORDS.start() + 1);
    let mut at: Vec<usize> = (0..words.len()).collect();
    while at.len() > count {
        at.remove(choices.below(at.len()));
    }
    let typed: Vec<String> = at.iter().map(|at| words[*at].clone()).collect();
    let speaks = |word: &String| {
        word.chars().count() >= WORD_CHARACTERS_MIN || word.contains(char::is_numeric)
    };
    let ends = [typed.first()?, typed.last()?];
    let has_word = typed
        .iter()
        .any(|word| alphabetic(word, WORD_CHARACTERS_MIN));
    let adjacent = at
        .iter()
        .zip(&at[1..])
        .map(|(left, right)| left + 1 == *right);
    (ends.into_iter().all(speaks) && has_word).then(|| TypedWords {
        adjacent: adjacent.collect(),
        words: typed,
    })
}

fn with_noise(typed: &TypedWords, names: &ProductNames, seed: usize) -> Vec<(Noise, String)> {
    let noisy = Noise::ALL.iter().enumerate().filter_map(|(row, noise)| {
        // A sequence for each noise, so that none depends on what another one drew.
        let mut choices = Choices::new((seed << 8) + row);
        Some((*noise, noise.apply(typed, names, &mut choices)?))
    });
    noisy.collect()
}

/// What was measured of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownItemMeasures {
    /// Number of queries.
    pub queries: usize,
    /// Mean reciprocal rank of the clean queries, 0 to 1.
    pub mrr: f64,
    /// The measures of each noise.
    pub noises: Vec<NoiseMeasures>,
}

/// The queries to which one noise could be applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseMeasures {
    /// The noise.
    pub noise: Noise,
    /// Number of queries.
    pub queries: usize,
    /// Their mean reciprocal rank without the noise, 0 to 1.
    pub clean: f64,
    /// Their mean reciprocal rank with it, 0 to 1.
    pub noisy: f64,
}

impl NoiseMeasures {
    /// Returns the mean reciprocal rank with the noise as a share of that without it; none without queries.
    pub fn share(&self) -> Option<f64> {
        (self.clean > 0.0).then(|| self.noisy / self.clean)
    }
}

/// Runs all queries of a sample. `search` returns the ids of the hits of a query, the best first, of which the first
/// [`DEPTH`] count; `each` is called for every noisy query with the reciprocal ranks without and with the noise.
///
/// Errors: the first one of `search`.
pub fn measure<E>(
    items: &[KnownItem],
    mut search: impl FnMut(&str) -> Result<Vec<String>, E>,
    mut each: impl FnMut(&KnownItem, Noise, [f64; 2]),
) -> Result<KnownItemMeasures, E> {
    let mut sum = 0.0;
    let none = |noise| NoiseMeasures {
        noise,
        queries: 0,
        clean: 0.0,
        noisy: 0.0,
    };
    let mut noises = Noise::ALL.map(none);
    for item in items {
        let clean = reciprocal_rank(&search(&item.query)?, &item.ids);
        sum += clean;
        for (noise, query) in &item.noisy {
            let noisy = reciprocal_rank(&search(query)?, &item.ids);
            each(item, *noise, [clean, noisy]);
            let of_noise = noises.iter_mut().filter(|row| row.noise == *noise);
            of_noise.for_each(|row| {
                row.queries += 1;
                row.clean += clean;
                row.noisy += noisy;
            });
        }
    }
    for row in &mut noises {
        row.clean /= row.queries.max(1) as f64;
        row.noisy /= row.queries.max(1) as f64;
    }
    Ok(KnownItemMeasures {
        queries: items.len(),
        mrr: sum / items.len().max(1) as f64,
        noises: noises.to_vec(),
    })
}

/// Returns one divided by the position of the first hit that is one of `ids`, or 0.
fn reciprocal_rank(hits: &[String], ids: &[String]) -> f64 {
    let at = hits.iter().take(DEPTH).position(|hit| ids.contains(hit));
    at.map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
}
