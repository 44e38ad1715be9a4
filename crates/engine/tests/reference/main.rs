//! Compares an engine with a reference that scans all documents without an index; the embedded one at the sizes of the
//! product and at small ones, the one on OpenSearch where a node runs.
//!
//! 1. After any history of writes, changes, deletions and restarts, every query finds the same documents in the same
//!    order.
//! 2. Scores, totals and facets are the same, under every configuration and every filter.
//! 3. A breakdown has the parts that the reference finds; they add up to the text score, and with the factors to the
//!    score.
//! 4. Every visitor has one price for display, sorting, filters and counts: the one that the JSON of the document gives.
//! 5. Synonyms match at 0.9 of the typed word, with adjacent words where positions are indexed.
//! 6. Rules hide, filter, multiply and pin as defined, and pruning changes no result.
//! 7. Reports on words, codes and values depend only on documents that the visitor may see.
//! 8. Frozen averages are those of the documents at the time.
//! 9. Results do not depend on the memory budget of memos, and the budget is never exceeded.
//! 10. A catalogue large enough for the sizes of the product has the same results with small sizes.

mod catalogue;
mod compare;
mod compare_facets;
mod compounds;
mod distance;
mod engines;
mod expected;
mod history;
mod interpretation;
mod meaning;
#[path = "../node/mod.rs"]
mod node;
mod rules;
mod shop;
mod shopper;
mod sizes;
mod synonyms;
mod test_query;
mod vocabulary;
mod walk;
mod word_parts;

use catalogue::Catalogue;
use compare::{Precision, compare};
use domain::Language;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use engines::EngineOf;
use expected::expected;
use history::{History, Step, steps};
use interpretation::interpret;
use meaning::ScannedWords;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use query::meaning::splits::with_splits;
use query::meaning::typos::with_typos;
use query::{Analyser, MistypedWords, Plan, UserQuery};
use std::borrow::Cow;
use std::convert::Infallible;
use synonyms::compiled;
use test_query::{TestQuery, test_queries};
use vocabulary::vocabularies;
use walk::Walk;

/// A shop with its history and the queries to compare.
#[derive(Clone, Debug)]
struct Story {
    doc_type: DocType,
    language: &'static str,
    /// Whether the index contains the substrings of words.
    partial: bool,
    steps: Vec<Step>,
    test_queries: Vec<TestQuery>,
}

fn stories() -> impl Strategy<Value = Story> {
    let types = prop_oneof![
        8 => Just(DocType::Products),
        1 => select(vec![DocType::Categories, DocType::Pages]),
    ];
    let asked = vocabularies().prop_flat_map(|vocabulary| {
        let steps = |documents| steps(&vocabulary, documents);
        let lives = prop_oneof![1 => steps(6), 2 => steps(20), 1 => steps(60)];
        (
            vocabulary.languages(),
            lives,
            vec(test_queries(&vocabulary), 12),
        )
    });
    let stories = (types, any::<bool>(), asked);
    stories.prop_map(
        |(doc_type, partial, (language, steps, test_queries))| Story {
            doc_type,
            language,
            partial,
            steps,
            test_queries,
        },
    )
}

/// Few cases, each with many queries: committing an index costs more than searching it.
///
/// They are the same in every run, unless `PROPTEST_CASES` or `PROPTEST_RNG_SEED` is set.
fn config() -> Config {
    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 40;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0);
    }
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_agrees_with_a_scan_of_all_documents(story in stories()) {
        replay_and_compare(&story, engines::embedded)?;
    }

    #[test]
    fn results_are_the_same_with_small_sizes(story in stories()) {
        replay_and_compare(&story, engines::embedded_small)?;
    }
}

proptest! {
    #![proptest_config(Config { cases: config().cases.div_ceil(4), ..config() })]

    #[test]
    fn results_are_the_same_with_little_memory(story in stories()) {
        replay_and_compare(&story, engines::embedded_little_memory)?;
    }
}

proptest! {
    #![proptest_config(Config { cases: config().cases.div_ceil(4), ..config() })]

    #[test]
    fn results_are_the_same_on_opensearch(story in stories()) {
        if node::address().is_some() {
            replay_and_compare(&story, engines::opensearch)?;
        }
    }
}

/// Fuzzy terms of a query up to which an engine on other machines has to use all of them: its requests are bounded.
const REMOTE_ALTERNATIVES_MAX: usize = 60;

/// Replays a story with an engine and compares the results of its queries.
fn replay_and_compare(story: &Story, engine: EngineOf) -> Result<(), TestCaseError> {
    let language = Language::parse(story.language).expect("a language");
    let analyser = Analyser::new(&language);
    let mut history = History::new(engine, story.doc_type, &language, story.partial);
    let last = story.steps.len() - 1;
    for (at, step) in story.steps.iter().enumerate() {
        history.take(step);
        let averages = history.index().snapshot().facts().averages.clone();
        let documents = history.documents();
        let catalogue =
            Catalogue::new(documents.iter(), averages, &analyser).with_parts(story.partial);
        if matches!(step, Step::Freeze) && history.index().local().is_some() {
            for field in FieldId::texts() {
                prop_assert_eq!(catalogue.averages[&field], catalogue.average(field));
            }
        }
        // A few queries between the steps, all after the last one.
        let count = if at == last {
            story.test_queries.len()
        } else {
            2
        };
        for test_query in &story.test_queries[..count] {
            let compared = check(&history, &catalogue, test_query, &analyser, story.doc_type);
            let compared =
                compared.map_err(|error| format!("after step {at}, {test_query:?}: {error}"));
            prop_assert!(compared.is_ok(), "{}", compared.unwrap_err());
            let caches = history.caches();
            let within = caches
                .iter()
                .all(|(_, usage)| usage.bytes <= usage.bytes_max);
            prop_assert!(within, "{caches:?}");
        }
    }
    Ok(())
}

fn check(
    history: &History,
    catalogue: &Catalogue<'_>,
    test_query: &TestQuery,
    analyser: &Analyser,
    doc_type: DocType,
) -> Result<(), String> {
    let TestQuery {
        text,
        synonyms,
        relevance,
        rules,
        request,
    } = test_query;
    let query = UserQuery::new(text, analyser, &relevance.search_settings).with_synonyms(
        &compiled(synonyms, analyser),
        analyser,
        &MistypedWords::default(),
    );
    let plan = Plan::new(&query, relevance, doc_type).with_rules(rules.clone());
    let interpret = interpret(catalogue, &plan, &request.visitor);
    let Ok(plan_of_words) = with_splits(Cow::Borrowed(&interpret.plan), analyser, |stems| {
        let documents = stems
            .iter()
            .map(|stem| catalogue.count(|page| page.holds(stem)));
        Ok::<_, Infallible>(documents.collect())
    });
    let mut words = ScannedWords {
        catalogue,
        visitor: &request.visitor,
    };
    let Ok(plan_of_words) = with_typos(plan_of_words, &mut words);
    let walk = Walk::new(catalogue, &plan_of_words, interpret.order);
    let alternatives: usize = walk.words.iter().map(|word| word.typos.len()).sum();
    if history.index().local().is_none() && alternatives > REMOTE_ALTERNATIVES_MAX {
        return Ok(());
    }
    let expected = expected(catalogue, &walk, &plan_of_words, request);
    let snapshot = history.index().snapshot();
    let found = snapshot
        .search(&plan, request)
        .map_err(|error| format!("{error}: {:?}", error.source))?;
    let precision = match history.index().local() {
        Some(_) => Precision::Double,
        None => Precision::Single,
    };
    compare(
        &found,
        (&expected, interpret.is_code),
        &walk,
        &plan_of_words,
        (request, precision),
    )
}
