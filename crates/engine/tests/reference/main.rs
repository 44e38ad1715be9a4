//! The embedded engine against a reference that walks over all documents and knows no index, with the sizes that are
//! shipped and with small ones.
//!
//! 1. Whatever was written, changed, deleted and reopened, every question finds the same documents in the same order.
//! 2. Scores, totals and facets are the same, under every configuration and every choice of the shopper.
//! 3. A breakdown names the parts that the reference finds; they add up to the text score, and times the factors to the score.
//! 4. For every visitor, one price is shown, sorted, filtered and counted by: the one that the JSON of the document gives.
//! 5. Synonyms find what they say, side by side where places are known, at 0.9 of the typed word.
//! 6. What rules hide, filter, multiply and pin is what they say, and bounds change no answer.
//! 7. What is told of words, codes and values is what documents hold that the shopper may see.
//! 8. Frozen averages are those of the documents at that moment.
//! 9. However little memory there is for what searches computed, answers stay the same, and no more is held.
//! 10. In a catalogue that reaches the sizes that are shipped, those and the small ones find the same.

mod answer;
mod catalogue;
mod compare;
mod compare_facets;
mod compounds;
mod distance;
mod history;
mod meaning;
mod question;
mod reading;
mod rules;
mod shop;
mod shopper;
mod sizes;
mod synonyms;
mod vocabulary;
mod walk;

use answer::answer;
use catalogue::Catalogue;
use compare::compare;
use domain::Language;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use engine::EmbeddedEngine;
use history::{EngineOf, History, Step, steps};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use query::{Analyser, Plan, UserQuery};
use question::{Question, questions};
use reading::read;
use synonyms::compiled;
use vocabulary::vocabularies;
use walk::Walk;

/// A shop with its history and what is asked of it.
#[derive(Clone, Debug)]
struct Story {
    doc_type: DocType,
    language: &'static str,
    /// Whether the index holds the parts of words.
    partial: bool,
    steps: Vec<Step>,
    questions: Vec<Question>,
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
            vec(questions(&vocabulary), 12),
        )
    });
    let stories = (types, any::<bool>(), asked);
    stories.prop_map(|(doc_type, partial, (language, steps, questions))| Story {
        doc_type,
        language,
        partial,
        steps,
        questions,
    })
}

/// Few cases, each with many questions: committing an index costs more than searching it.
///
/// They are the same in every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for others.
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
    fn the_engine_answers_like_a_walk_over_all_documents(story in stories()) {
        follow(&story, EmbeddedEngine::new)?;
    }

    #[test]
    fn with_small_sizes_it_answers_the_same(story in stories()) {
        follow(&story, EmbeddedEngine::small)?;
    }
}

/// Bytes for what searches computed, of which a memo may hold a sixteenth: a handful of values.
const LITTLE: usize = 16 * 1024;

proptest! {
    #![proptest_config(Config { cases: config().cases.div_ceil(4), ..config() })]

    #[test]
    fn with_little_memory_it_answers_the_same(story in stories()) {
        follow(&story, |folder| EmbeddedEngine::small(folder).with_memos(LITTLE))?;
    }
}

/// Lives through a story with an engine, and asks it what the story asks.
fn follow(story: &Story, engines: EngineOf) -> Result<(), TestCaseError> {
    let language = Language::parse(story.language).expect("a language");
    let analyser = Analyser::new(&language);
    let mut history = History::new(engines, story.doc_type, &language, story.partial);
    let last = story.steps.len() - 1;
    for (at, step) in story.steps.iter().enumerate() {
        history.take(step);
        let averages = history.index().snapshot().averages();
        let documents = history.documents();
        let catalogue =
            Catalogue::new(documents.iter(), averages, &analyser).with_parts(story.partial);
        if matches!(step, Step::Freeze) {
            for field in FieldId::texts() {
                prop_assert_eq!(catalogue.averages[&field], catalogue.average(field));
            }
        }
        // Between the steps a few questions do, after the last all are asked.
        let asked = if at == last { story.questions.len() } else { 2 };
        for question in &story.questions[..asked] {
            let asked = ask(&history, &catalogue, question, &analyser, story.doc_type);
            let told = asked.map_err(|error| format!("after step {at}, {question:?}: {error}"));
            prop_assert!(told.is_ok(), "{}", told.unwrap_err());
            let memos = history.memo_usage();
            prop_assert!(memos.bytes <= memos.bytes_max, "{memos:?}");
        }
    }
    Ok(())
}

fn ask(
    history: &History,
    catalogue: &Catalogue<'_>,
    question: &Question,
    analyser: &Analyser,
    doc_type: DocType,
) -> Result<(), String> {
    let Question {
        text,
        synonyms,
        relevance,
        rules,
        request,
    } = question;
    let query = UserQuery::new(text, analyser, &relevance.search_settings)
        .with_synonyms(&compiled(synonyms, analyser));
    let plan = Plan::new(&query, relevance, doc_type).with_rules(rules.clone());
    let read = read(catalogue, &plan, &request.visitor);
    let walk = Walk::new(catalogue, &read.plan, read.order);
    let answer = answer(catalogue, &walk, &read.plan, request);
    let snapshot = history.index().snapshot();
    let found = snapshot
        .search(&plan, request)
        .map_err(|error| error.to_string())?;
    compare(&found, (&answer, read.is_code), &walk, &read.plan, request)
}
