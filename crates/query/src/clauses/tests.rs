//! 1. A word is searched in every text field with a boost, where it scores by boost and rarity; its surface form weighs
//!    more than its stem, and alternatives weigh what their meaning says.
//! 2. Synonyms weigh less than the word: one word by its stem and form, several as a phrase.
//! 3. Longer words count as the name, and weigh by their length and less if the word exists.
//! 4. The words that a code covers share its score. A whole code covers and admits, a fuzzy one covers only what does not
//!    exist, a substring neither.
//! 5. A typo covers a word only if it is among the nearest and the word does not exist.
//! 6. A word that nothing matches has no clauses; a code of stop words admits without one.
//! 7. Coordination and phrase count from two words on, while they have a boost; a phrase if all its words exist and one of
//!    its fields is searched.
//! 8. The text score of a breakdown is the sum of its parts.
//! 9. A stop word beside other words weighs a share of all of them, covers nothing, and is no word of a phrase.

use super::{Clause, ClauseTerm, Clauses, CodeMatch, Earning, TextMatch, WordClauses, counts_as};
use crate::breakdown::{WordMatch, WordMatchKind};
use crate::meaning::fake_index::{DOCUMENTS, FakeIndex, Query, query};
use crate::scoring::{
    CODE_SUBSTRING_WEIGHT, CODE_WEIGHT, PREFIX_DAMPING, STOP_WORD_WEIGHT, SURFACE_FORM_WEIGHT,
    SYNONYM_WEIGHT, coordination, exact_code, idf, phrase, typo,
};
use domain::relevance::Boosts;
use domain::relevance::field::FieldId;

fn shop() -> FakeIndex {
    let near = |term: &str, distance, documents| (term.to_owned(), distance, documents);
    FakeIndex {
        stems: [
            ("camera", 20),
            ("blue", 50),
            ("photo", 40),
            ("kit", 70),
            ("kt", 1),
            ("1200", 1),
        ]
        .into(),
        fuzzy: [
            ("camera", vec![near("camero", 1, 9)]),
            ("bleu", vec![near("blau", 1, 8), near("bla", 2, 8)]),
        ]
        .into(),
        codes: [("kt1200", 1)].into(),
        fuzzy_codes: [("kt1300", vec![("kt1200".to_owned(), 1)])].into(),
        substrings: [("kt12", 5)].into(),
        ..FakeIndex::default()
    }
}

fn clauses(query: &Query) -> Clauses {
    let (plan, meaning, _) = query.look_up(&shop());
    Clauses::of(&plan, &meaning)
}

fn boost(name: &str) -> f64 {
    Boosts::default().get(field(name))
}

fn field(name: &str) -> FieldId {
    FieldId::named(name).expect("a field")
}

fn set_boost(query: &mut Query, field: FieldId, boost: f64) {
    query.relevance.boosts = query.relevance.boosts.clone().with(field, boost);
}

/// The text clauses of a word: what is found, the weight, and whether a match covers the word.
fn texts(word: &WordClauses) -> Vec<(String, f64, bool)> {
    let texts = word.clauses.iter().filter_map(|clause| match &clause.term {
        ClauseTerm::Text(text) => {
            let find = match &text.find {
                TextMatch::Stem(stem) => format!("stem {stem}"),
                TextMatch::Form(form) => format!("form {form}"),
                TextMatch::AccentedForm(form) => format!("accented {form}"),
                TextMatch::Phrase(number) => format!("phrase {number}"),
            };
            assert!(!clause.admits, "only codes admit");
            Some((find, text.weight, clause.covers))
        }
        ClauseTerm::Longer(_) | ClauseTerm::Code(_) => None,
    });
    texts.collect()
}

/// The clauses of codes of a word in one field: how they match, the score, and the clause.
fn codes<'a>(word: &'a WordClauses, name: &str) -> Vec<(CodeMatch, f64, &'a Clause)> {
    let codes = word.clauses.iter().filter_map(|clause| match &clause.term {
        ClauseTerm::Code(code) if code.field.name() == name => Some((code.by, code.score, clause)),
        _ => None,
    });
    codes.collect()
}

#[test]
fn a_word_is_searched_in_every_text_field_with_a_boost() {
    let mut query = query("cameras");
    set_boost(&mut query, FieldId::TAGS, 0.0);
    let word = clauses(&query).words.remove(0);
    let rarity = idf(DOCUMENTS, 20);
    assert_eq!(word.rarity, rarity);
    let fields: Vec<FieldId> = word.texts.iter().map(|text| text.field).collect();
    let searched = FieldId::texts().filter(|field| *field != FieldId::TAGS);
    assert_eq!(fields, searched.collect::<Vec<_>>());
    assert_eq!(word.texts[0].unit, boost("name") * rarity);
    let expected = [
        ("stem camera".to_owned(), 1.0, true),
        ("form cameras".to_owned(), SURFACE_FORM_WEIGHT, true),
        ("stem camero".to_owned(), typo(1, 6, true), false),
    ];
    assert_eq!(texts(&word), expected);
    assert_eq!(word.forms_of(0), &word.clauses[1..2]);
    assert!(word.forms_of(2).is_empty());
    let alternatives = word.clauses.iter().filter_map(|clause| clause.alternative);
    assert_eq!(alternatives.collect::<Vec<_>>(), [0]);
}

#[test]
fn synonyms_weigh_less_than_the_word() {
    let synonyms = Query {
        synonyms: &["camera", "kit", "photo kit"],
        ..query("camera")
    };
    let word = clauses(&synonyms).words.remove(0);
    let expected = [
        ("stem kit".to_owned(), SYNONYM_WEIGHT, true),
        (
            "form kit".to_owned(),
            SYNONYM_WEIGHT * SURFACE_FORM_WEIGHT,
            true,
        ),
        ("phrase 1".to_owned(), SYNONYM_WEIGHT, true),
    ];
    assert_eq!(texts(&word)[3..], expected);
    let shown = word.clauses[3..6].iter();
    let shown: Vec<(&str, Option<usize>)> = shown
        .map(|clause| (&*clause.matched, clause.alternative))
        .collect();
    let expected = [("kit", Some(1)), ("kit", Some(1)), ("photo kit", Some(2))];
    assert_eq!(shown, expected);
}

#[test]
fn longer_words_count_as_the_name_and_weigh_by_their_length() {
    for (text, exists, damping) in [("camera", true, PREFIX_DAMPING), ("bleu", false, 1.0)] {
        let mut query = query(text);
        set_boost(&mut query, FieldId::PARTIAL, 2.0);
        let word = clauses(&query).words.remove(0);
        let longer: Vec<_> = (word.clauses.iter())
            .filter_map(|clause| match &clause.term {
                ClauseTerm::Longer(longer) => Some((clause, longer)),
                _ => None,
            })
            .collect();
        let [(prefix, by_prefix), (substring, by_substring)] = longer[..] else {
            panic!("{longer:?}");
        };
        assert_eq!(
            (prefix.kind, substring.kind),
            (WordMatchKind::Prefix, WordMatchKind::Partial)
        );
        for (clause, longer) in longer {
            assert_eq!(counts_as(longer.field), FieldId::NAME);
            assert!(!clause.covers && !clause.admits);
        }
        let unit = boost("name.autocomplete") * word.rarity;
        let characters = text.len();
        assert_eq!(
            by_prefix.weight.score(2 * characters),
            unit * (0.5 * damping),
            "{exists}"
        );
        assert_eq!(
            by_substring.weight.score(characters),
            2.0 * word.rarity * damping
        );
    }
    assert_eq!(counts_as(FieldId::TAGS), FieldId::TAGS);
}

#[test]
fn the_words_of_a_code_share_its_score() {
    let words = clauses(&query("KT 1200")).words;
    assert_eq!(words.len(), 2);
    for word in &words {
        let found = codes(word, "reference");
        let whole = boost("reference") * CODE_WEIGHT / 2.0;
        // Each part may be a code too, all of whose score is its word's.
        let shares = found.iter().map(|(by, score, _)| (*by, *score));
        assert_eq!(
            shares.collect::<Vec<_>>(),
            [(CodeMatch::Whole, 2.0 * whole), (CodeMatch::Whole, whole)]
        );
        assert!(
            found
                .iter()
                .all(|(_, _, clause)| clause.covers && clause.admits)
        );
    }
    let word = clauses(&query("kt1300")).words.remove(0);
    let found = codes(&word, "reference");
    let fuzzy = boost("reference") * CODE_WEIGHT * typo(1, 6, false);
    assert_eq!((found[1].0, found[1].1), (CodeMatch::Fuzzy(0), fuzzy));
    assert_eq!(&*found[1].2.matched, "kt1200");
    assert!(found[1].2.covers && !found[1].2.admits);
    assert_eq!(
        codes(&word, "mpn").len(),
        1,
        "a fuzzy code belongs to one field"
    );
}

#[test]
fn a_substring_of_a_code_covers_and_admits_nothing() {
    let mut query = query("kt12");
    query.relevance.search_settings.exact_reference_search = false;
    let word = clauses(&query).words.remove(0);
    let found = codes(&word, "mpn");
    let score = boost("mpn") * CODE_WEIGHT * CODE_SUBSTRING_WEIGHT;
    assert_eq!((found[1].0, found[1].1), (CodeMatch::Substring, score));
    assert!(!found[1].2.covers && !found[1].2.admits);
}

#[test]
fn only_the_nearest_typos_cover_a_word_that_does_not_exist() {
    let word = clauses(&query("bleu")).words.remove(0);
    let covers: Vec<(String, bool)> = (texts(&word).into_iter())
        .map(|(find, _, covers)| (find, covers))
        .collect();
    assert_eq!(
        covers[2..],
        [
            ("stem blau".to_owned(), true),
            ("stem bla".to_owned(), false)
        ]
    );
}

#[test]
fn a_word_that_nothing_matches_has_no_clauses() {
    let clauses = clauses(&query("nothing for camera"));
    assert!(clauses.words[0].clauses.is_empty());
    assert!(!clauses.words[1].clauses.is_empty());
    // The second part of the query, a stop word.
    assert_eq!(clauses.admitting, [1]);
}

#[test]
fn a_stop_word_weighs_a_share_of_the_words_beside_it() {
    let index = FakeIndex {
        stems: [("camera", 20), ("the", 90)].into(),
        ..FakeIndex::default()
    };
    let (plan, meaning, _) = query("the camera").look_up(&index);
    let clauses = Clauses::of(&plan, &meaning);
    let [camera, the] = clauses.words.as_slice() else {
        panic!("two words");
    };
    assert!(camera.counts && !the.counts);
    assert_eq!(the.rarity, 0.0);
    for (word, stop) in camera.texts.iter().zip(&the.texts) {
        let unit = boost(stop.field.name()) * (STOP_WORD_WEIGHT * camera.rarity);
        assert_eq!((word.field, stop.unit), (stop.field, unit));
    }
    assert!(texts(the).iter().all(|(_, _, covers)| !covers));
    assert!(clauses.bonuses.coordination.is_none() && clauses.bonuses.phrase.is_none());
}

#[test]
fn bonuses_count_from_two_words_on_while_they_have_a_boost() {
    let one = clauses(&query("camera")).bonuses;
    assert_eq!(one.coordination(1.0), 0.0);
    assert_eq!((one.coordination, one.phrase), (None, None));
    let mut query = query("blue camera");
    let settings = query.relevance.search_settings.clone();
    let two = clauses(&query).bonuses;
    let rarity = idf(DOCUMENTS, 50) + idf(DOCUMENTS, 20);
    let expected = coordination(settings.cross_fields_boost, rarity, 3.0);
    assert_eq!(two.coordination(3.0), expected);
    let found = two.phrase.expect("a phrase bonus");
    assert_eq!(found.fields, [FieldId::NAME, FieldId::TAGS]);
    assert_eq!(found.score, phrase(settings.phrase_boost, rarity));
    assert_eq!(
        two.exact_code.score,
        exact_code(settings.exact_ref_boost, DOCUMENTS)
    );
    set_boost(&mut query, FieldId::NAME, 0.0);
    let fields = clauses(&query).bonuses.phrase.map(|bonus| bonus.fields);
    assert_eq!(fields, Some(vec![FieldId::TAGS]));
    query.relevance.search_settings.cross_fields_boost = 0.0;
    query.relevance.search_settings.phrase_boost = 0.0;
    let none = clauses(&query).bonuses;
    assert_eq!((none.coordination, none.phrase), (None, None));
}

#[test]
fn a_phrase_needs_words_that_exist() {
    let bonuses = clauses(&query("bleu camera")).bonuses;
    assert_eq!(bonuses.phrase, None);
    assert!(bonuses.coordination.is_some());
}

#[test]
fn a_text_score_is_the_sum_of_its_parts() {
    let bonuses = clauses(&query("blue camera")).bonuses;
    let found = |score| WordMatch {
        word: "camera".into(),
        field: FieldId::NAME,
        matched: "camera".into(),
        kind: WordMatchKind::Exact,
        distance: 0,
        boost: 6.0,
        score,
    };
    let earning = Earning {
        covered: 4.0,
        phrase: Some(FieldId::TAGS),
        code: Some(field("mpn")),
    };
    let text = bonuses.breakdown(vec![found(3.0), found(0.5)], earning);
    let scores = [
        text.phrase.map(|bonus| bonus.score),
        text.exact_reference.map(|bonus| bonus.score),
        text.cross_fields.map(|bonus| bonus.score),
    ];
    let scores = scores.map(|score| score.expect("a bonus"));
    assert_eq!(text.score, 3.5 + scores[0] + scores[1] + scores[2]);
    let nothing = bonuses.breakdown(Vec::new(), Earning::default());
    assert_eq!(nothing.score, 0.0);
    assert_eq!(
        (
            nothing.phrase,
            nothing.exact_reference,
            nothing.cross_fields
        ),
        (None, None, None)
    );
}
