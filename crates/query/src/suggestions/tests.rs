//! 1. Prefixes are looked for in names alone, all words, without typos and synonyms.
//! 2. Writings are looked for in all fields; of other types than products in names alone.
//! 3. A typo is tolerated in a finished word; the last word is finished by a blank or sign.
//! 4. A single character at the end is left out beside other words.
//! 5. A name starts with what was typed whatever case, accents, blanks and signs.

use super::*;
use crate::analysis::Analyser;
use domain::Language;

fn plan(step: SuggestionStep, text: &str, doc_type: DocType) -> Plan {
    let relevance = Relevance::default();
    let analyser = Analyser::new(&Language::parse("en").expect("a code"));
    let query = UserQuery::new(text, &analyser, &relevance.search_settings);
    step.plan(&query, &relevance, doc_type)
}

fn products(step: SuggestionStep, text: &str) -> Plan {
    plan(step, text, DocType::Products)
}

fn typos(plan: &Plan) -> Vec<u32> {
    plan.words.iter().map(|word| word.typos).collect()
}

fn texts(plan: &Plan) -> Vec<&str> {
    plan.words.iter().map(|word| word.text.as_str()).collect()
}

#[test]
fn prefixes_are_those_of_names() {
    let plan = products(SuggestionStep::Prefixes, "red sleeping bag");
    assert_eq!((plan.min_match, typos(&plan)), (3, vec![0, 0, 0]));
    assert!(plan.synonyms.is_empty());
    let searched = FieldId::all().filter(|field| plan.searches(*field));
    let names: Vec<&str> = searched.map(FieldId::name).collect();
    assert_eq!(names[..2], ["name", "name.autocomplete"]);
    assert!(names.contains(&"combinationReferences") && !names.contains(&"description"));
    let code = &products(SuggestionStep::Prefixes, "KT-1200").codes[0];
    assert!(!code.substring && !code.typo);
}

#[test]
fn writings_are_those_of_all_fields() {
    let plan = products(SuggestionStep::Writings, "red sleeping bag");
    assert_eq!((plan.min_match, typos(&plan)), (3, vec![0, 0, 0]));
    assert!(plan.synonyms.iter().any(|own| own.text == "sleepingbag"));
    assert!(FieldId::texts().any(|field| field.name() == "description" && plan.searches(field)));
    let codes = products(SuggestionStep::Writings, "KT-12").codes;
    assert!(codes.iter().any(|code| code.substring));
    let brands = super::tests::plan(SuggestionStep::Writings, "red", DocType::Brands);
    assert!(!FieldId::texts().any(|field| field.name() == "description" && brands.searches(field)));
}

#[test]
fn finished_words_have_typos() {
    for (text, expected) in [
        ("sleping", vec![0]),
        ("sleping ", vec![1]),
        ("sleping bag", vec![1, 0]),
        ("sleping bag,", vec![1, 1]),
        ("sleping the", vec![1]),
    ] {
        let plan = products(SuggestionStep::Typos, text);
        assert_eq!(plan.min_match, plan.words.len());
        assert_eq!(typos(&plan), expected, "{text:?}");
    }
    assert_eq!(typos(&products(SuggestionStep::Search, "sleping")), [1]);
}

#[test]
fn a_character_at_the_end_is_left_out() {
    let prefixes = |text: &str| {
        let plan = products(SuggestionStep::Prefixes, text);
        (plan.words.len(), plan.min_match)
    };
    assert_eq!(prefixes("tent b"), (1, 1));
    assert_eq!(prefixes("tent b "), (2, 2));
    assert_eq!(prefixes("tent 4"), (2, 2), "a digit says much");
    assert_eq!(prefixes("b"), (1, 1));
    let plan = products(SuggestionStep::Typos, "tent b");
    assert_eq!(texts(&plan), ["tent"]);
    let covered = plan.codes.iter().map(|code| code.words.end);
    assert!(covered.max() <= Some(1), "{:?}", plan.codes);
}

#[test]
fn names_start_with_what_was_typed() {
    let starts = |typed: &str, name: &str| TypedText::new(typed).starts(name);
    assert!(starts("creme br", "Crème-Brûlée"));
    assert!(starts("t-shi", "T Shirt"));
    assert!(starts("Ipho", "iPhone 14"));
    assert!(!starts("phone", "iPhone 14"));
    assert!(!starts(" -", "iPhone 14"));
}
