//! Language-dependent matching.
//!
//! 1. A word is found at the end of compounds whose first part is in the index, but not at the end of other words.
//! 2. A compound that is not in the index is found by its last part.
//! 3. The word itself ranks before compounds that contain it, and the breakdown distinguishes them.
//! 4. Part of a text without spaces is found in it.
//! 5. A word that is its own stem scores by it, even if another word of the index has the same form and another stem.
//! 6. A surface form replaces its stem only if both are in the same documents, not just in the same number of them.
//! 7. A word whose stem has other words, and which has one form alone, counts as contained for the bonus across fields.

use super::fixture::{Engines, apply, folder, put, spec};
use domain::document::DocType;
use domain::{Language, Relevance};
use engine::{Index, Request, SearchResult, WordReport};
use query::breakdown::WordMatchKind;
use query::scoring::{coordination, idf};
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

fn search(index: &dyn Index, language: &str, text: &str) -> SearchResult {
    let mut relevance = Relevance::default();
    relevance.search_settings.fuzziness = domain::relevance::Fuzziness::None;
    let analyser = Analyser::new(&Language::parse(language).expect("a language"));
    let query = UserQuery::new(text, &analyser, &relevance.search_settings);
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

pub fn words_are_found_in_compounds(engines: Engines<'_>) {
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

pub fn part_of_a_text_without_spaces_is_found(engines: Engines<'_>) {
    let names = ["急速充電器セット", "電池ケース", "スマートフォン用ケース"];
    let (_folder, index) = shop(engines, "ja", &names);
    for (text, hits) in [
        ("充電器", vec!["急速充電器セット"]),
        ("電器", vec!["急速充電器セット"]),
        ("セット", vec!["急速充電器セット"]),
        ("スマートフォンケース", vec!["スマートフォン用ケース"]),
        ("ケース", vec!["電池ケース", "スマートフォン用ケース"]),
        ("池", vec!["電池ケース"]),
        ("電話", vec![]),
    ] {
        assert_eq!(ids(&search(index.as_ref(), "ja", text)), hits, "{text}");
    }
}

pub fn a_form_of_two_stems_scores_by_its_own_stem(engines: Engines<'_>) {
    // A stop word is its own stem; joined from two words the same form has another one.
    let (_folder, index) = shop(engines, "de", &["Eine Tasse", "Ein-e Lampe"]);
    let found = search(index.as_ref(), "de", "eine");
    assert_eq!(ids(&found)[0], "Eine Tasse");
    assert_eq!(kinds(&found)[0], [WordMatchKind::Exact]);
}

pub fn a_form_in_other_documents_than_its_stem_is_distinguished(engines: Engines<'_>) {
    // The stem of the query is in the first name; its surface form is in the second, whose words beside each other are the
    // better match.
    let (_folder, index) = shop(engines, "cs", &["Ktera lampa", "Kte-rá lampa"]);
    let found = search(index.as_ref(), "cs", "která");
    assert_eq!(ids(&found), ["Ktera lampa", "Kte-rá lampa"]);
    assert_eq!(
        kinds(&found),
        [[WordMatchKind::Exact], [WordMatchKind::Split]]
    );
}

pub fn a_word_with_a_stem_of_others_earns_the_whole_bonus(engines: Engines<'_>) {
    let names = [
        "Salami montañés extra",
        "Nata para montar",
        "Pan extra",
        "Queso",
    ];
    let (_folder, index) = shop(engines, "es", &names);
    let found = search(index.as_ref(), "es", "montañés extra");
    assert_eq!(ids(&found)[0], "Salami montañés extra");
    let text = &found.hits[0].breakdown.as_ref().expect("explained").text;
    let of = |word: &WordReport| idf(names.len() as u64, word.documents);
    let rarity = found.words.iter().map(of).sum();
    let boost = Relevance::default().search_settings.cross_fields_boost;
    let expected = coordination(boost, rarity, rarity);
    let bonus = text.cross_fields.as_ref().map_or(0.0, |own| own.score);
    assert!(
        (bonus - expected).abs() < 1e-4 * expected,
        "{bonus} {expected}"
    );
}

/// The kinds of the word matches of each hit.
fn kinds(found: &SearchResult) -> Vec<Vec<WordMatchKind>> {
    let breakdowns = found.hits.iter().filter_map(|hit| hit.breakdown.as_ref());
    let kinds = breakdowns.map(|own| own.text.matches.iter().map(|met| met.kind).collect());
    kinds.collect()
}
