//! Imports of synonyms: every line is parsed or reported, and the groups compile and match where they should.
//!
//! The first byte selects the language. The first line is the query; the rest is the import.

#![no_main]

use domain::limits::{QUERY_CHARACTERS_MAX, QUERY_WORDS_MAX};
use domain::synonym::{SynonymGroup, SynonymType, lines};
use domain::{Language, Relevance, TriggerAlternatives};
use libfuzzer_sys::fuzz_target;
use query::synonyms::SynonymTerms;
use query::{Analyser, MistypedWords, SynonymSet, UserQuery};
use std::sync::LazyLock;

static ANALYSERS: LazyLock<Vec<(Language, Analyser)>> = LazyLock::new(|| {
    ["es", "de", "en", "zh", "ja", "ar"]
        .map(|code| {
            let language = Language::parse(code).expect("a language");
            let analyser = Analyser::new(&language);
            (language, analyser)
        })
        .into()
});

fuzz_target!(|input: &[u8]| {
    let Some((choice, text)) = input.split_first() else {
        return;
    };
    let (language, analyser) = &ANALYSERS[usize::from(*choice) % ANALYSERS.len()];
    let text = String::from_utf8_lossy(text);
    let (query_text, csv) = text.split_once('\n').unwrap_or((&text, &text));

    let form = |text: &str| folded(text, analyser);
    let groups = groups(csv, language, &form);
    let set = groups
        .iter()
        .enumerate()
        .map(|(at, group)| (at.to_string(), group));
    let set: Vec<(String, &SynonymGroup)> = set.collect();
    let terms = set.iter().map(|(id, group)| SynonymTerms {
        id,
        input: group.input.as_deref(),
        terms: &group.terms,
        alternatives: group.alternatives,
    });
    let compiled = SynonymSet::new(terms, analyser);
    let settings = Relevance::default().search_settings;
    // Only an index knows which words are mistyped.
    let mistyped = MistypedWords::default();
    let query_text: String = query_text.chars().take(QUERY_CHARACTERS_MAX).collect();
    let query = UserQuery::new(&query_text, analyser, &settings);
    for fired in compiled.fired(&query.words, analyser, &mistyped) {
        let known = set.iter().any(|(id, _)| **id == *fired.group);
        assert!(known, "an existing group");
        assert!(fired.words.end <= query.words.len());
    }
    // The first term of a group matches the group, or another one in its place, unless it only expands to itself.
    if let Some((_, group)) = set.first() {
        let source = group.input.as_ref().unwrap_or(&group.terms[0]);
        let adds = group.terms.iter().any(|term| form(term) != form(source));
        let query = UserQuery::new(source, analyser, &settings);
        let whole = query.words.len() < QUERY_WORDS_MAX;
        let counts = whole && adds && query.words.iter().any(|word| word.counts);
        assert!(
            !counts || !compiled.fired(&query.words, analyser, &mistyped).is_empty(),
            "{source:?} matches nothing"
        );
    }
});

/// Returns the words of `text` in folded form, without case and accents.
fn folded(text: &str, analyser: &Analyser) -> String {
    let words = analyser.words(text);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    folded.join(" ")
}

/// Returns the valid groups of an import.
fn groups(csv: &str, language: &Language, form: &dyn Fn(&str) -> String) -> Vec<SynonymGroup> {
    let mut number = 0;
    let mut valid = Vec::new();
    for line in lines(csv) {
        assert!(line.number > number, "lines come in their order");
        number = line.number;
        let Ok(group) = line.group else {
            continue;
        };
        assert_eq!(
            group.kind == SynonymType::Unidirectional,
            group.input.is_some()
        );
        let group = SynonymGroup {
            language: language.clone(),
            kind: group.kind,
            input: group.input,
            terms: group.terms,
            active: true,
            alternatives: TriggerAlternatives::default(),
        };
        if let Ok(checked) = group.checked(form) {
            let again = checked
                .clone()
                .checked(form)
                .expect("a valid group stays valid");
            assert_eq!(again, checked, "checked texts are trimmed");
            assert_eq!(again.duplicate_key(form), checked.duplicate_key(form));
            valid.push(checked);
        }
    }
    valid
}
