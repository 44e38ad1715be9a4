//! What languages change about what is found.
//!
//! 1. A word is found at the end of longer words that start with another word of the index, and what only ends alike is not.
//! 2. A word that the index does not have is found by its last part.
//! 3. The word itself stands before what holds it as a part, and the breakdown says which it is.
//! 4. A part of a text without blanks is found in it.
//! 5. A word that is its own stem scores by it, though another word of the index is written like it and has another stem.
//! 6. A form stands for its stem only where it is in the same documents, not in as many.

use super::fixture::{Engines, apply, folder, put, spec};
use domain::document::DocType;
use domain::{Language, Relevance};
use engine::{Index, Request, SearchResult};
use query::breakdown::WordMatchKind;
use query::{Analyser, Plan, UserQuery};
use serde_json::json;
use std::sync::Arc;

fn shop(
    engines: Engines<'_>,
    language: &str,
    names: &[&str],
) -> (tempfile::TempDir, Arc<dyn Index>) {
    let folder = folder();
    let index = engines(folder.path()).open(&spec("one", language));
    let index = index.expect("an index");
    let changes = names.iter().enumerate();
    let changes = changes.map(|(at, name)| put(at as u32, json!({"id": name, "name": name})));
    apply(index.as_ref(), 1, changes.collect());
    (folder, index)
}

fn search(index: &dyn Index, language: &str, question: &str) -> SearchResult {
    let mut relevance = Relevance::default();
    relevance.search_settings.fuzziness = domain::relevance::Fuzziness::None;
    let analyser = Analyser::new(&Language::parse(language).expect("a language"));
    let query = UserQuery::new(question, &analyser, &relevance.search_settings);
    let request = Request {
        limit: 10,
        explain: true,
        ..Request::default()
    };
    let plan = Plan::new(&query, &relevance, DocType::Products);
    index.snapshot().search(&plan, &request).expect("an answer")
}

fn ids(found: &SearchResult) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.id.as_str()).collect()
}

pub fn words_are_found_in_longer_ones(engines: Engines<'_>) {
    let names = [
        "Schuh für Damen",
        "Damenschuhe",
        "Arbeitsschuhe",
        "Arbeit",
        "Handschuh",
        "Tasche",
    ];
    let (_folder, index) = shop(engines, "de", &names);
    let found = search(index.as_ref(), "de", "Schuhe");
    assert_eq!(
        ids(&found),
        ["Schuh für Damen", "Arbeitsschuhe", "Damenschuhe"]
    );
    let first: Vec<WordMatchKind> = kinds(&found).iter().map(|own| own[0]).collect();
    assert_eq!(
        first,
        [
            WordMatchKind::Exact,
            WordMatchKind::Split,
            WordMatchKind::Split
        ]
    );
    assert_eq!(ids(&search(index.as_ref(), "de", "asche")), [""; 0]);
    assert!(!ids(&search(index.as_ref(), "en", "schuh")).contains(&"Damenschuhe"));
}

pub fn a_missing_word_is_found_by_its_last_part(engines: Engines<'_>) {
    let names = ["Schuh aus Leder", "Damenbluse", "Damen", "Tasche"];
    let (_folder, index) = shop(engines, "de", &names);
    let found = search(index.as_ref(), "de", "Damenschuhe");
    assert_eq!(ids(&found), ["Schuh aus Leder"]);
    assert_eq!((found.words[0].found, found.words[0].documents), (true, 0));
    assert_eq!(ids(&search(index.as_ref(), "de", "Hundeschuhe")), [""; 0]);
}

pub fn a_part_of_a_text_without_blanks_is_found(engines: Engines<'_>) {
    let names = ["急速充電器セット", "電池ケース", "スマートフォン用ケース"];
    let (_folder, index) = shop(engines, "ja", &names);
    for (question, hits) in [
        ("充電器", vec!["急速充電器セット"]),
        ("電器", vec!["急速充電器セット"]),
        ("セット", vec!["急速充電器セット"]),
        ("スマートフォンケース", vec!["スマートフォン用ケース"]),
        ("ケース", vec!["電池ケース", "スマートフォン用ケース"]),
        ("池", vec!["電池ケース"]),
        ("電話", vec![]),
    ] {
        assert_eq!(
            ids(&search(index.as_ref(), "ja", question)),
            hits,
            "{question}"
        );
    }
}

pub fn a_form_of_two_stems_scores_by_its_own(engines: Engines<'_>) {
    // A stop word is its own stem; joined of two words it is a form of another one.
    let (_folder, index) = shop(engines, "de", &["Eine Tasse", "Ein-e Lampe"]);
    let found = search(index.as_ref(), "de", "eine");
    assert_eq!(ids(&found)[0], "Eine Tasse");
    assert_eq!(kinds(&found)[0], [WordMatchKind::Exact]);
}

pub fn a_form_in_as_many_documents_as_its_stem_is_told_apart(engines: Engines<'_>) {
    // The same with an accent: the stem of the question stands in the first name, its form in the second, once each.
    let (_folder, index) = shop(engines, "cs", &["Ktera lampa", "Kte-rá lampa"]);
    let found = search(index.as_ref(), "cs", "která");
    assert_eq!(ids(&found), ["Ktera lampa", "Kte-rá lampa"]);
    assert_eq!(
        kinds(&found),
        [[WordMatchKind::Exact], [WordMatchKind::Prefix]]
    );
}

/// How the words of each hit were met.
fn kinds(found: &SearchResult) -> Vec<Vec<WordMatchKind>> {
    let breakdowns = found.hits.iter().filter_map(|hit| hit.breakdown.as_ref());
    let kinds = breakdowns.map(|own| own.text.matches.iter().map(|met| met.kind).collect());
    kinds.collect()
}
