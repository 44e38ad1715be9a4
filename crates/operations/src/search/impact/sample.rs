//! The sample of queries by which an impact is measured: who is in it, and what each query stands for.

use crate::runtime::content_hash::content_hash;
use domain::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Queries that do not come from the watched ones.
const LOGGED_MAX: usize = 200;
const FREQUENT_MAX: usize = 150;
const WITHOUT_RESULTS_MAX: usize = 25;
const TAIL_MAX: usize = 25;

/// Why a query is in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SampleSource {
    /// It is watched.
    Watched,
    /// It is one of those with most searches.
    Frequent,
    /// It is one of those most searched without results.
    WithoutResults,
    /// It was drawn from the rest of the search log.
    Tail,
    /// It is made of the catalogue.
    Catalogue,
}

/// A query of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SampledQuery {
    /// Its text.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// Why it is there.
    pub source: SampleSource,
    /// The searches that it stands for, at least 1.
    pub weight: f64,
}

/// A query of the search log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CountedQuery {
    /// Its text, unified.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// How often it was searched.
    pub searches: i64,
}

/// What a sample is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleParts {
    /// Queries of the log, those with most searches first.
    pub searched: Vec<CountedQuery>,
    /// Queries of the log without results, those most searched without first.
    pub without_results: Vec<CountedQuery>,
    /// Queries made of the catalogue, the best first.
    pub catalogue: Vec<(String, Language)>,
}

/// Queries by text and language, each once.
#[derive(Default)]
struct Once(HashSet<(String, Language)>);

impl Once {
    fn insert(&mut self, q: &str, lang: &Language) -> bool {
        let unified = crate::statistics::search_log::unified(q);
        !unified.is_empty() && self.0.insert((unified, lang.clone()))
    }
}

/// Returns the part of a sample that comes from the search log and the catalogue. `seed` determines which queries are
/// drawn from the tail.
pub(crate) fn stored_part(parts: SampleParts, seed: &str) -> Vec<SampledQuery> {
    let (mut once, mut sample) = (Once::default(), Vec::new());
    let mut rest = parts.searched.into_iter();
    let of = |query: CountedQuery, source| SampledQuery {
        weight: query.searches.max(1) as f64,
        q: query.q,
        lang: query.lang,
        source,
    };
    for query in rest.by_ref() {
        if once.insert(&query.q, &query.lang) {
            sample.push(of(query, SampleSource::Frequent));
        }
        if sample.len() == FREQUENT_MAX {
            break;
        }
    }
    let without = parts.without_results.into_iter();
    let without = without.filter(|query| once.insert(&query.q, &query.lang));
    let without: Vec<SampledQuery> = without
        .take(WITHOUT_RESULTS_MAX)
        .map(|query| of(query, SampleSource::WithoutResults))
        .collect();
    sample.extend(without);
    let rest: Vec<CountedQuery> = rest
        .filter(|query| once.insert(&query.q, &query.lang))
        .collect();
    sample.extend(tail(rest, seed));
    let room = LOGGED_MAX.saturating_sub(sample.len());
    let catalogue = parts.catalogue.into_iter();
    let catalogue = catalogue
        .filter(|(q, lang)| once.insert(q, lang))
        .take(room);
    sample.extend(catalogue.map(|(q, lang)| SampledQuery {
        q,
        lang,
        source: SampleSource::Catalogue,
        weight: 1.0,
    }));
    sample
}

/// Draws from the rest of the log, each query with a probability proportional to its searches (Efraimidis and Spirakis);
/// all that are drawn stand for all searches of the rest in equal parts.
fn tail(rest: Vec<CountedQuery>, seed: &str) -> Vec<SampledQuery> {
    let searches: i64 = rest.iter().map(|query| query.searches.max(1)).sum();
    let mut keyed: Vec<(f64, CountedQuery)> = rest
        .into_iter()
        .map(|query| {
            let drawn = share(&format!("{seed}\n{}\n{}", query.lang, query.q));
            (drawn.ln() / query.searches.max(1) as f64, query)
        })
        .collect();
    keyed.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.q.cmp(&other.q)));
    keyed.truncate(TAIL_MAX);
    let weight = (searches as f64 / TAIL_MAX as f64).max(1.0);
    let drawn = keyed.into_iter().map(|(_, query)| SampledQuery {
        q: query.q,
        lang: query.lang,
        source: SampleSource::Tail,
        weight,
    });
    drawn.collect()
}

/// Returns a number between 0 and 1, both excluded, that the text determines.
fn share(text: &str) -> f64 {
    let bits = u64::from_str_radix(&content_hash(text), 16).unwrap_or_default();
    ((bits >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Returns the whole sample: the watched queries, then those of the stored part that are not watched, in the order in
/// which they are measured. A watched query that was searched has the weight of its searches.
pub(crate) fn whole(
    watched: impl IntoIterator<Item = (String, Language)>,
    stored: Vec<SampledQuery>,
) -> Vec<SampledQuery> {
    let mut once = Once::default();
    let watched = watched.into_iter().filter(|(q, lang)| once.insert(q, lang));
    let watched = watched.map(|(q, lang)| {
        let unified = crate::statistics::search_log::unified(&q);
        let searched = stored.iter().find(|one| {
            let is_logged = matches!(
                one.source,
                SampleSource::Frequent | SampleSource::WithoutResults
            );
            is_logged && one.lang == lang && one.q == unified
        });
        SampledQuery {
            weight: searched.map_or(1.0, |searched| searched.weight),
            q,
            lang,
            source: SampleSource::Watched,
        }
    });
    let mut sample: Vec<SampledQuery> = watched.collect();
    let mut others = stored;
    others.retain(|query| once.insert(&query.q, &query.lang));
    others.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    sample.extend(others);
    sample
}

/// Returns the id of a sample: the same for the same queries and weights.
pub(crate) fn sample_id(sample: &[SampledQuery]) -> String {
    let lines = sample
        .iter()
        .map(|one| format!("{}\n{}\n{}\n", one.lang, one.q, one.weight));
    content_hash(&lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    //! 1. Each source has its places, each query is there once, for its first source; the catalogue fills what the log
    //!    does not.
    //! 2. What is drawn depends on the seed alone, prefers what is searched often, and stands for all of the rest.
    //! 3. Watched queries come first and keep the weight of their searches; the id follows queries and weights.

    use super::*;

    fn language() -> Language {
        Language::parse("es").expect("a language")
    }

    fn searched(q: impl Into<String>, searches: i64) -> CountedQuery {
        CountedQuery {
            q: q.into(),
            lang: language(),
            searches,
        }
    }

    fn parts(count: i64) -> SampleParts {
        SampleParts {
            searched: (0..count)
                .map(|n| searched(format!("q{n}"), 2 * count - n))
                .collect(),
            without_results: (0..40)
                .map(|n| searched(format!("q{}", n * 10), 9))
                .collect(),
            catalogue: (0..300)
                .map(|n| (format!("Name {n}"), language()))
                .collect(),
        }
    }

    fn count(sample: &[SampledQuery], source: SampleSource) -> usize {
        sample.iter().filter(|one| one.source == source).count()
    }

    #[test]
    fn each_source_has_its_places() {
        let all = stored_part(parts(1000), "s");
        let counts = |sample: &[SampledQuery]| {
            use SampleSource::{Catalogue, Frequent, Tail, WithoutResults};
            [Frequent, WithoutResults, Tail, Catalogue].map(|source| count(sample, source))
        };
        assert_eq!(counts(&all), [150, 25, 25, 0]);
        let unique: HashSet<&str> = all.iter().map(|one| one.q.as_str()).collect();
        assert_eq!(unique.len(), all.len());
        let few = SampleParts {
            searched: vec![searched("a", 3), searched("A ", 2)],
            without_results: vec![searched("a", 3), searched("b", 1)],
            ..parts(0)
        };
        let few = stored_part(few, "s");
        assert_eq!(counts(&few), [1, 1, 0, 198]);
        assert_eq!((few[0].weight, few[198].weight), (3.0, 1.0));
    }

    #[test]
    fn the_tail_is_drawn_by_searches() {
        let mut often = 0;
        for seed in 0..40 {
            let mut parts = parts(150);
            parts.without_results.clear();
            parts
                .searched
                .extend((0..200).map(|n| searched(format!("rare{n}"), 1)));
            parts.searched.push(searched("often", 100));
            let seed = seed.to_string();
            let drawn = stored_part(parts.clone(), &seed);
            assert_eq!(drawn, stored_part(parts, &seed));
            assert_eq!(count(&drawn, SampleSource::Tail), 25);
            let tail = drawn.iter().filter(|one| one.source == SampleSource::Tail);
            assert!(tail.clone().all(|one| (one.weight - 12.0).abs() < 1e-9));
            often += tail.filter(|one| one.q == "often").count();
        }
        assert!(often > 35, "{often}");
    }

    #[test]
    fn watched_queries_come_first() {
        let stored = stored_part(parts(10), "s");
        let watched = [("Q3", "es"), ("new", "es"), ("q3 ", "es")];
        let watched = watched.map(|(q, _)| (q.to_owned(), language()));
        let all = whole(watched, stored.clone());
        assert_eq!((all[0].q.as_str(), all[0].weight), ("Q3", 17.0));
        assert_eq!((all[1].q.as_str(), all[1].weight), ("new", 1.0));
        assert_eq!(all.len(), stored.len() + 1);
        assert!(all[2..].is_sorted_by(|a, b| a.weight >= b.weight));
        let id = sample_id(&all);
        assert_eq!((id.len(), &id), (16, &sample_id(&all.clone())));
        let mut other = all;
        other[4].weight += 1.0;
        assert_ne!(sample_id(&other), id);
    }
}
