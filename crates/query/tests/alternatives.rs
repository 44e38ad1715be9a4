//! 1. A group or rule without alternatives is triggered by the configured text alone.
//! 2. Each alternative triggers what it is for, and nothing else; the response names it.
//! 3. What triggers as it is, is not triggered by an alternative; a longer phrase wins, as ever.
//! 4. A misspelled word triggers only if it does not exist.
//! 5. A term that signs make another word is triggered by that writing alone.
//! 6. A rule keeps its match: the whole query, its start, or any of its words.

use domain::form::{Label, ProductIds};
use domain::rule::{Actions, MatchKind, Rule, RuleContent, RuleType, Trigger};
use domain::{Language, SearchSettings, Timestamp, TriggerAlternative, TriggerAlternatives};
use query::synonyms::SynonymTerms;
use query::{Analyser, MistypedWords, RuleSet, SynonymSet, UserQuery};

const ALL: &[TriggerAlternative] = &TriggerAlternative::ALL;
const PLURALS: &[TriggerAlternative] = &[TriggerAlternative::Plurals];
const JOINED: &[TriggerAlternative] = &[TriggerAlternative::Joined];
const TYPOS: &[TriggerAlternative] = &[TriggerAlternative::Typos];

fn analyser(language: &str) -> Analyser {
    Analyser::new(&Language::parse(language).expect("a code"))
}

fn alternatives(alternatives: &[TriggerAlternative]) -> TriggerAlternatives {
    TriggerAlternatives::from(alternatives.to_vec())
}

/// What `query` triggers of groups, `a, b` each, in a store with the words `existing`: `term by alternative @ words`.
fn fired(
    language: &str,
    groups: &[(&str, &[TriggerAlternative])],
    query: &str,
    existing: &[&str],
) -> Vec<String> {
    let (analyser, settings) = (analyser(language), SearchSettings::default());
    let lists: Vec<Vec<String>> = groups
        .iter()
        .map(|(terms, _)| terms.split(", ").map(str::to_owned).collect())
        .collect();
    let groups = groups
        .iter()
        .zip(&lists)
        .map(|((_, own), terms)| SynonymTerms {
            id: "group",
            input: None,
            terms,
            alternatives: alternatives(own),
        });
    let set = SynonymSet::new(groups, &analyser);
    let mut mistyped = MistypedWords::default();
    set.add_mistyped(query, &analyser, &settings, &mut mistyped);
    let exists: Vec<bool> = mistyped
        .stems()
        .iter()
        .map(|stem| existing.iter().any(|word| analyser.stem(word) == *stem))
        .collect();
    let mistyped = mistyped.that_do_not_exist(&exists);
    let query = UserQuery::new(query, &analyser, &settings);
    let fired = query.with_synonyms(&set, &analyser, &mistyped).synonyms;
    let shown = fired.iter().map(|fired| {
        let by = fired
            .alternative
            .map_or("itself", TriggerAlternative::as_str);
        format!("{} by {by} @ {:?}", fired.from.text, fired.words)
    });
    shown.collect()
}

#[test]
fn without_alternatives_only_the_text_triggers() {
    for query in ["sofas", "sleepingbag", "soffa", "so fa"] {
        let groups: [(&str, &[TriggerAlternative]); 2] =
            [("sofa, couch", &[]), ("sleeping bag, bivvy", &[])];
        assert_eq!(fired("en", &groups, query, &[]), [""; 0], "{query}");
    }
}

#[test]
fn each_alternative_triggers_what_it_is_for() {
    for (terms, own, query, expected) in [
        (
            "sofa, couch",
            PLURALS,
            "red sofas",
            "sofa by plurals @ 1..2",
        ),
        ("sofas, couch", PLURALS, "sofa", "sofas by plurals @ 0..1"),
        (
            "desk lamp, light",
            PLURALS,
            "desks lamps",
            "desk lamp by plurals @ 0..2",
        ),
        ("shelf, rack", PLURALS, "shelves", "shelf by plurals @ 0..1"),
        (
            "t-shirt, tee",
            PLURALS,
            "t-shirts",
            "t-shirt by plurals @ 0..1",
        ),
        (
            "t-shirt, tee",
            PLURALS,
            "t shirts",
            "t-shirt by plurals @ 0..2",
        ),
        ("sofa, couch", PLURALS, "soffa", ""),
        ("sofa, couch", PLURALS, "so fa", ""),
        (
            "sleeping bag, bivvy",
            JOINED,
            "sleepingbag",
            "sleeping bag by joined @ 0..1",
        ),
        (
            "sleepingbag, bivvy",
            JOINED,
            "red sleeping bag",
            "sleepingbag by joined @ 1..3",
        ),
        (
            "stand up paddle, sup",
            JOINED,
            "standup paddle",
            "stand up paddle by joined @ 0..2",
        ),
        ("sleeping bag, bivvy", JOINED, "sleepingbags", ""),
        ("sofa, couch", TYPOS, "soffa", "sofa by typos @ 0..1"),
        (
            "television, tv",
            TYPOS,
            "televsion set",
            "television by typos @ 0..1",
        ),
        (
            "coffee table, stand",
            TYPOS,
            "cofee tabel",
            "coffee table by typos @ 0..2",
        ),
        ("sofa, couch", TYPOS, "sooffa", ""),
        ("tv, television", TYPOS, "tb", ""),
        ("mp3, player", TYPOS, "mp4", ""),
        ("sofa, couch", ALL, "sofas", "sofa by plurals @ 0..1"),
    ] {
        let found = fired("en", &[(terms, own)], query, &[]);
        assert_eq!(found.join(" | "), expected, "{terms}: {query}");
    }
}

#[test]
fn plurals_are_those_of_the_language() {
    for (language, terms, query) in [
        ("es", "sarten, wok", "sartenes"),
        ("fr", "chapeau, couvre-chef", "chapeaux"),
        ("de", "Tasche, Beutel", "Taschen"),
        ("it", "scarpa, calzatura", "scarpe"),
        ("pt", "botão, pino", "botões"),
        ("nl", "bril, lens", "brillen"),
    ] {
        assert_eq!(
            fired(language, &[(terms, PLURALS)], query, &[]).len(),
            1,
            "{query}"
        );
    }
    // Another word of the same stem is no plural.
    assert!(fired("es", &[("plata, argentum", PLURALS)], "plato", &[]).is_empty());
}

#[test]
fn the_text_itself_comes_before_its_alternatives() {
    let groups = [("sofa, sofas, couch", ALL)];
    assert_eq!(
        fired("en", &groups, "sofas", &[]),
        ["sofas by itself @ 0..1"]
    );
    let groups = [("sofa, couch", PLURALS), ("sofas, settee", &[] as &[_])];
    assert_eq!(
        fired("en", &groups, "sofas", &[]),
        ["sofas by itself @ 0..1", "sofa by plurals @ 0..1"]
    );
    let groups = [("bed, cot", &[] as &[_]), ("sofa bed, daybed", JOINED)];
    assert_eq!(
        fired("en", &groups, "sofa bed", &[]),
        ["sofa bed by itself @ 0..2"]
    );
}

#[test]
fn a_misspelled_word_triggers_only_if_it_does_not_exist() {
    let groups = [("tent, bivouac", TYPOS)];
    assert_eq!(fired("en", &groups, "tenf", &[]), ["tent by typos @ 0..1"]);
    assert_eq!(fired("en", &groups, "test", &["test"]), [""; 0]);
    assert_eq!(fired("en", &groups, "tests", &["test"]), [""; 0]);
}

#[test]
fn signs_that_make_another_word_match_alone() {
    for terms in ["c++, cpp", "canal+, tv"] {
        for query in ["c", "canal", "canals", "canalx", "c+ +x"] {
            assert_eq!(
                fired("en", &[(terms, ALL)], query, &[]),
                [""; 0],
                "{terms} {query}"
            );
        }
    }
    assert_eq!(fired("en", &[("c++, cpp", ALL)], "C++", &[]).len(), 1);
}

fn rule(kind: MatchKind, query: &str, own: &[TriggerAlternative]) -> Rule {
    Rule {
        id: "rule".into(),
        content: RuleContent {
            name: Label::parse("A rule").expect("a label"),
            language: Language::parse("en").expect("a code"),
            kind: RuleType::Hide,
            trigger: Trigger {
                query: query.to_owned(),
                kind,
                alternatives: alternatives(own),
            },
            actions: Actions::Hide(ProductIds::parse("ids", vec!["1".to_owned()]).expect("ids")),
            priority: 0,
            active: true,
            start_date: None,
            end_date: None,
            time_zone: None,
        },
        created_at: Timestamp(0),
        updated_at: Timestamp(0),
    }
}

#[test]
fn a_rule_keeps_its_match() {
    use MatchKind::{Contains, Exact, StartsWith};
    let analyser = analyser("en");
    for (kind, trigger, own, query, expected) in [
        (Exact, "sofa", PLURALS, "sofas", "plurals"),
        (Exact, "sofa", PLURALS, "red sofas", ""),
        (StartsWith, "sofa", PLURALS, "sofas red", "plurals"),
        (StartsWith, "sofa", PLURALS, "red sofas", ""),
        (Contains, "sofa", PLURALS, "red sofas", "plurals"),
        (Contains, "sofa", PLURALS, "red sofa", "itself"),
        (Contains, "sofa", PLURALS, "sofas sofa", "itself"),
        (Exact, "sofa bed", JOINED, "sofabed", "joined"),
        (Exact, "sofa bed", JOINED, "red sofabed", ""),
        (Contains, "sofabed", JOINED, "red sofa bed", "joined"),
        (Contains, "sofa", TYPOS, "red soffa", "typos"),
        (Contains, "sofa", &[], "red sofas", ""),
        (Contains, "c++", ALL, "c", ""),
        (Contains, "", ALL, "anything", "itself"),
    ] {
        let rules = RuleSet::new([rule(kind, trigger, own)], &analyser);
        let mut mistyped = MistypedWords::default();
        rules.add_mistyped(query, &analyser, &SearchSettings::default(), &mut mistyped);
        let found = rules.triggered(query, &analyser, &mistyped);
        let found = found.iter().map(|triggered| {
            triggered
                .alternative
                .map_or("itself", TriggerAlternative::as_str)
        });
        assert_eq!(
            found.collect::<String>(),
            expected,
            "{kind:?} {trigger}: {query}"
        );
    }
}
