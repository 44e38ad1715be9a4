//! 1. A word that exists has its own rarity, and its alternatives are damped.
//! 2. A word that does not exist has the rarity of the commonest of its nearest stand-ins: synonyms and parts of compounds
//!    come before typos, then longer words, then codes that contain it. Farther alternatives are damped.
//! 3. At most 50 fuzzy terms and 50 compounds count, the nearest and then the commonest, in whatever order an engine finds
//!    them.
//! 4. A compound counts if its first part is a word, a last part if it is common too.
//! 5. Fuzzy matches of a code are damped if it exists or all its words do, substrings only if it exists.
//! 6. What depends on the plan alone is one batch, and the only one for words with stand-ins; nothing is looked up that
//!    cannot matter.

use super::WordMeaning;
use super::fake_index::{DOCUMENTS, FakeIndex, Query, query};
use super::lookups::DocumentSet;
use crate::plan::is_article_number;
use crate::scoring::{
    COMPOUND_TERMS_MAX, COMPOUND_WEIGHT, FUZZY_TERMS_MAX, PREFIX_DAMPING, TYPO_DAMPING, idf, typo,
};
use domain::relevance::Boosts;
use domain::relevance::field::FieldId;
use proptest::prelude::*;

fn near(terms: &[(&str, u32, u64)]) -> Vec<(String, u32, u64)> {
    let terms = terms.iter();
    terms
        .map(|(term, distance, n)| ((*term).to_owned(), *distance, *n))
        .collect()
}

/// The terms of a word with distance, weight and damping.
fn terms(word: &WordMeaning) -> Vec<(&str, u32, f64, bool)> {
    let terms = word.terms.iter();
    terms
        .map(|own| (&*own.term, own.distance, own.weight, own.is_damped))
        .collect()
}

#[test]
fn a_word_that_exists_has_its_own_rarity() {
    let index = FakeIndex {
        stems: [("camera", 20)].into(),
        fuzzy: [("camera", near(&[("camero", 1, 900), ("camel", 2, 3)]))].into(),
        ..FakeIndex::default()
    };
    let word = query("camera").word(&index);
    assert!(word.exists());
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 20)));
    assert_eq!(word.substitute_distance, None);
    let damped = [
        ("camero", 1, typo(1, 6, false) * TYPO_DAMPING, true),
        ("camel", 2, typo(2, 6, false) * TYPO_DAMPING, true),
    ];
    assert_eq!(terms(&word), damped);
}

#[test]
fn the_nearest_stand_ins_give_a_missing_word_its_rarity() {
    let index = FakeIndex {
        fuzzy: [(
            "camera",
            near(&[("camel", 2, 700), ("camero", 1, 5), ("camira", 1, 8)]),
        )]
        .into(),
        ..FakeIndex::default()
    };
    let word = query("camera").word(&index);
    assert_eq!((word.documents, word.substitute_distance), (0, Some(1)));
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 8)));
    let expected = [
        ("camira", 1, typo(1, 6, false), false),
        ("camero", 1, typo(1, 6, false), false),
        ("camel", 2, typo(2, 6, true), true),
    ];
    assert_eq!(terms(&word), expected);
}

#[test]
fn a_synonym_stands_nearer_than_a_typo() {
    let index = FakeIndex {
        stems: [("photo", 40), ("kit", 70)].into(),
        fuzzy: [("camera", near(&[("camero", 1, 900)]))].into(),
        ..FakeIndex::default()
    };
    let synonyms = Query {
        synonyms: &["camera", "photo kit", "nothing"],
        ..query("camera")
    };
    let word = synonyms.word(&index);
    assert_eq!(
        (word.substitute_distance, word.synonyms.len()),
        (Some(0), 2)
    );
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 40)));
    assert!(word.terms[0].is_damped, "the synonym is nearer");
    assert_eq!(word.alternatives(), 3);
}

#[test]
fn longer_words_then_codes_give_a_word_without_stand_ins_its_rarity() {
    let mut index = FakeIndex {
        longer: [("cam12", 30)].into(),
        substrings: [("cam12", 6)].into(),
        ..FakeIndex::default()
    };
    assert_eq!(query("cam12").word(&index).idf, Some(idf(DOCUMENTS, 30)));
    index.longer.clear();
    let loose = || {
        let mut query = query("cam12");
        query.relevance.search_settings.exact_reference_search = false;
        query
    };
    assert_eq!(loose().word(&index).idf, Some(idf(DOCUMENTS, 6)));
    index.substrings.clear();
    let word = loose().word(&index);
    assert_eq!((word.idf, word.substitute_distance), (None, None));
}

#[test]
fn rarities_of_words_add_up() {
    let index = FakeIndex {
        stems: [("blue", 100), ("camera", 20)].into(),
        ..FakeIndex::default()
    };
    let (meaning, _) = query("blue camera qqqqqq").meaning(&index);
    assert_eq!(meaning.documents, DOCUMENTS);
    assert_eq!(meaning.rarity, idf(DOCUMENTS, 100) + idf(DOCUMENTS, 20));
}

/// German words: `schuh` ends compounds.
fn german(stems: &[(&'static str, u64)]) -> FakeIndex {
    FakeIndex {
        stems: stems.iter().copied().collect(),
        ..FakeIndex::default()
    }
}

fn in_german(text: &'static str) -> Query {
    Query {
        language: "de",
        ..query(text)
    }
}

#[test]
fn a_compound_counts_if_its_first_part_is_a_word() {
    let stems = [
        ("schuh", 50),
        ("arbeitsschuh", 4),
        ("arbeit", 9),
        ("damenschuh", 7),
        ("dam", 3),
        ("xyzschuh", 99),
    ];
    let word = in_german("schuh").word(&german(&stems));
    let expected = [
        ("damenschuh", 0, COMPOUND_WEIGHT, true),
        ("arbeitsschuh", 0, COMPOUND_WEIGHT, true),
    ];
    assert_eq!(terms(&word), expected);
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 50)));
    let word = in_german("schuh").word(&german(&stems[1..]));
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 7)), "compounds stand for it");
    assert_eq!(word.substitute_distance, Some(0));
    assert!(word.terms.iter().all(|term| !term.is_damped));
}

#[test]
fn a_last_part_stands_for_a_compound_if_it_is_common() {
    let stems = [("schuh", 50), ("arbeit", 9), ("sschuh", 2)];
    let word = in_german("arbeitsschuh").word(&german(&stems));
    assert_eq!(terms(&word), [("schuh", 0, COMPOUND_WEIGHT, false)]);
    assert_eq!(word.idf, Some(idf(DOCUMENTS, 50)));
    let rare = in_german("arbeitsschuh").word(&german(&[("schuh", 2), ("arbeit", 9)]));
    assert_eq!((rare.terms.len(), rare.idf), (0, None));
    let unknown = in_german("arbeitsschuh").word(&german(&[("schuh", 50)]));
    assert_eq!(unknown.terms.len(), 0, "`arbeit` is no word");
}

#[test]
fn at_most_fifty_compounds_count() {
    let stems = (0..90u64).map(|at| {
        let stem: &'static str = format!("damen{at}schuh").leak();
        let first: &'static str = format!("damen{at}").leak();
        [(stem, at + 1), (first, 1)]
    });
    let stems: Vec<(&'static str, u64)> = stems.flatten().collect();
    let word = in_german("schuh").word(&german(&stems));
    assert_eq!(word.terms.len(), COMPOUND_TERMS_MAX);
    assert_eq!(&*word.terms[0].term, "damen89schuh");
}

#[test]
fn fuzzy_codes_are_damped_by_the_code_or_its_words() {
    let fuzzy = [("kt1200", vec![("kt1201".to_owned(), 4)])];
    let index = |stems: &[(&'static str, u64)], codes: &[(&'static str, u64)]| FakeIndex {
        stems: stems.iter().copied().collect(),
        codes: codes.iter().copied().collect(),
        fuzzy_codes: fuzzy.clone().into(),
        ..FakeIndex::default()
    };
    let code = |index: &FakeIndex| {
        let (mut meaning, _) = query("kt1200").meaning(index);
        (meaning.codes.remove(0), meaning.words.remove(0))
    };
    let (missing, word) = code(&index(&[], &[]));
    assert_eq!(missing.fuzzy[0].weight, typo(1, 6, false));
    assert_eq!(
        (word.substitute_distance, word.idf),
        (Some(1), Some(idf(DOCUMENTS, 4)))
    );
    let (code_exists, _) = code(&index(&[], &[("kt1200", 1)]));
    let (word_exists, _) = code(&index(&[("kt1200", 1)], &[]));
    assert_eq!(code_exists.fuzzy[0].weight, typo(1, 6, true));
    assert_eq!(word_exists.fuzzy[0].weight, typo(1, 6, true));
    assert_eq!(
        code_exists.substring_weight,
        missing.substring_weight * PREFIX_DAMPING
    );
    assert_eq!(word_exists.substring_weight, missing.substring_weight);
}

#[test]
fn a_typo_in_an_article_number_counts_beside_its_leading_zeros() {
    let index = FakeIndex {
        fuzzy_codes: [("00000001", vec![("00000002".to_owned(), 1)])].into(),
        ..FakeIndex::default()
    };
    let (meaning, _) = query("00000001").meaning(&index);
    let fuzzy = &meaning.codes[0].fuzzy;
    assert!(fuzzy.iter().any(|own| is_article_number(own.field)));
    for own in fuzzy {
        assert_eq!(own.weight, typo(1, 8, false), "{}", own.field.name());
    }
}

#[test]
fn one_batch_is_enough_for_words_with_stand_ins() {
    let index = FakeIndex {
        stems: [("blue", 100)].into(),
        fuzzy: [("camera", near(&[("camero", 1, 3)]))].into(),
        ..FakeIndex::default()
    };
    let (_, batches) = query("blue camera").meaning(&index);
    assert_eq!(batches.len(), 1);
    let first = &batches[0];
    assert_eq!(first.counts[0], DocumentSet::All);
    assert_eq!(first.endings, [0; 0], "English has no compounds");
    let words = first
        .counts
        .iter()
        .filter(|count| matches!(count, DocumentSet::Word(_)));
    assert_eq!(words.count(), 2);
}

#[test]
fn longer_words_are_counted_only_where_nothing_else_stands_for_a_word() {
    let (_, batches) = query("blue camera").meaning(&FakeIndex::default());
    let counts: Vec<&[DocumentSet]> = batches.iter().map(|batch| &*batch.counts).collect();
    assert_eq!(
        counts[1..],
        [[DocumentSet::LongerWords(0), DocumentSet::LongerWords(1)]]
    );
    let mut unsearched = query("blue camera");
    let boosts: Boosts = unsearched.relevance.boosts.clone();
    unsearched.relevance.boosts = boosts
        .with(FieldId::AUTOCOMPLETE, 0.0)
        .with(FieldId::PARTIAL, 0.0);
    assert_eq!(unsearched.meaning(&FakeIndex::default()).1.len(), 1);
}

#[test]
fn compounds_take_a_batch_for_their_first_parts_and_one_for_those_that_are_words() {
    let stems = [
        ("schuh", 50),
        ("damenschuh", 7),
        ("dam", 3),
        ("xyzschuh", 99),
    ];
    let (_, batches) = in_german("schuh").meaning(&german(&stems));
    assert_eq!(batches.len(), 3);
    assert_eq!(batches[0].endings, [0]);
    assert_eq!(batches[1].first_parts, ["damen", "xyz"]);
    assert_eq!(batches[2].counts, [DocumentSet::Stem("damenschuh".into())]);
    let (_, batches) = in_german("arbeitsschuh").meaning(&german(&[("schuh", 50), ("arbeit", 9)]));
    assert_eq!(
        batches.len(),
        2,
        "parts and first parts of a word are one batch"
    );
    let (_, batches) = in_german("hut").meaning(&german(&[("hut", 5)]));
    assert_eq!(batches.len(), 1);
}

proptest! {
    #[test]
    fn fuzzy_terms_are_ordered_however_they_are_found(
        found in proptest::collection::btree_map("[a-c]{1,5}", (1u32..=2, 1u64..9), 0..90),
        seed: u64,
    ) {
        let mut fuzzy: Vec<(String, u32, u64)> =
            found.into_iter().map(|(term, (distance, n))| (term, distance, n)).collect();
        let turn = fuzzy.len().max(1);
        fuzzy.rotate_left(seed as usize % turn);
        let index = FakeIndex {
            fuzzy: [("camera", fuzzy.clone())].into(),
            ..FakeIndex::default()
        };
        let word = query("camera").word(&index);
        fuzzy.sort_by(|a, b| (a.1, b.2, &a.0).cmp(&(b.1, a.2, &b.0)));
        fuzzy.truncate(FUZZY_TERMS_MAX);
        let expected: Vec<&str> = fuzzy.iter().map(|(term, _, _)| term.as_str()).collect();
        let own: Vec<&str> = word.terms.iter().map(|own| &*own.term).collect();
        prop_assert_eq!(own, expected);
        let nearest = fuzzy.first().map(|(_, distance, _)| *distance);
        prop_assert_eq!(word.substitute_distance, nearest);
        let commonest = fuzzy.iter().filter(|(_, distance, _)| Some(*distance) == nearest);
        let commonest = commonest.map(|(_, _, n)| *n).max();
        prop_assert_eq!(word.idf, commonest.map(|n| idf(DOCUMENTS, n)));
    }
}
