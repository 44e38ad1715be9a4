//! 1. Every kind of trigger matches what it is defined to match after normalisation, and nothing else.
//! 2. The compiled set triggers what a test of each rule alone triggers.
//! 3. Precedence is by priority, then age, then id.
//! 4. There is one case for every cell of the merge table that is decided without an index.
//! 5. Time windows and the active flag decide whether a rule applies; periods change at the bounds of windows.
//! 6. The largest number of patterns compiles into one set.

use super::*;
use domain::form::{Address, Label, ProductIds};
use domain::limits::RULES_MAX;
use domain::rule::{Actions, Banner, BannerPosition, BoostEntry, RuleContent, RuleType, Trigger};
use domain::search::{FilterChoice, FilterField, FilterValue};
use domain::{Language, TriggerAlternatives};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

const NOW: Timestamp = Timestamp(1_000);

fn rule(id: &str, trigger: (MatchKind, &str), actions: Actions) -> Rule {
    let kind = match &actions {
        Actions::Boost(_) => RuleType::Boost,
        Actions::Pin(_) => RuleType::Pin,
        Actions::Hide(_) => RuleType::Hide,
        Actions::Redirect(_) => RuleType::Redirect,
        Actions::Banner(_) => RuleType::Banner,
        Actions::Filter(_) => RuleType::Filter,
    };
    Rule {
        id: id.into(),
        content: RuleContent {
            name: Label::parse(id).expect("a label"),
            language: Language::parse("en").expect("a code"),
            kind,
            trigger: Trigger {
                query: trigger.1.to_owned(),
                kind: trigger.0,
                alternatives: TriggerAlternatives::default(),
            },
            actions,
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

fn pin(id: &str, products: &[&str]) -> Rule {
    every(id, Actions::Pin(ids(products)))
}

fn every(id: &str, actions: Actions) -> Rule {
    rule(id, (MatchKind::Contains, ""), actions)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn ids(products: &[&str]) -> ProductIds {
    ProductIds::parse("ids", texts(products)).expect("ids")
}

fn address(text: &str) -> Address {
    Address::parse(text).expect("an address")
}

fn analyser(language: &str) -> Analyser {
    Analyser::new(&Language::parse(language).expect("a code"))
}

fn triggers(language: &str, trigger: (MatchKind, &str), query: &str) -> bool {
    let analyser = analyser(language);
    let set = RuleSet::new([rule("r", trigger, Actions::Hide(ids(&["1"])))], &analyser);
    !set.triggered(query, &analyser, &MistypedWords::default())
        .is_empty()
}

#[test]
fn triggers_match_what_they_are_defined_to_match() {
    use MatchKind::{Contains, Exact, Regex, StartsWith};
    for (kind, trigger, query, meets) in [
        (Exact, "Sofá  Cama", " SOFA cama ", true),
        (Exact, "sofa", "sofas", false),
        (Exact, "sofa", "sofa bed", false),
        (Exact, "2\"", "2\"", true),
        (Contains, "", "", true),
        (Contains, " ", "anything", true),
        (Contains, "sofa", "red sofa, big", true),
        (Contains, "sofa", "sofas", false),
        (Contains, "sofa", "minisofa", false),
        (Contains, "sofa bed", "a SOFÁ   bed now", true),
        (Contains, "sofa bed", "sofa big bed", false),
        (Contains, "t-shirt", "red T-Shirt", true),
        (Contains, "shirt", "t-shirt", true),
        (Contains, "c++", "vitamin c", false),
        (Contains, "c++", "c++ book", true),
        (Contains, "men's", "men’s shoes", true),
        (StartsWith, "sofa", "sofa bed", true),
        (StartsWith, "sofa", "sofas", false),
        (StartsWith, "sofa", "red sofa", false),
        (Regex, "sof.s?$", "red sofas", true),
        (Regex, "^SOFÁ", "sofa bed", true),
        (Regex, "\\d{3} ?cm", "Shelf 120 CM", true),
        (Regex, "^cm", "120 cm", false),
        (Regex, "[à-é]d", "ad", true),
        (Regex, "\\bniño\\b", "niño", true),
        (Regex, "[z-é]", "é", false),
    ] {
        assert_eq!(
            triggers("en", (kind, trigger), query),
            meets,
            "{kind:?} {trigger:?} {query:?}"
        );
    }
    assert!(triggers("fr", (Contains, "ordinateur"), "l'ordinateur"));
    assert!(triggers("zh", (Contains, "手机"), "红色 手机"));
}

/// Whether one rule alone matches a query, by comparing its text.
fn matches_alone(trigger: &Trigger, query: &str) -> bool {
    let padded = format!(" {query} ");
    let phrase = format!(" {} ", trigger.query);
    match trigger.kind {
        MatchKind::Exact => query == trigger.query,
        MatchKind::Contains => trigger.query.is_empty() || padded.contains(&phrase),
        MatchKind::StartsWith => padded.starts_with(&phrase),
        MatchKind::Regex => query.contains(&trigger.query),
    }
}

proptest! {
    #[test]
    fn the_set_triggers_what_every_rule_alone_triggers(
        triggers in vec((select(vec![
            MatchKind::Exact, MatchKind::Contains, MatchKind::StartsWith, MatchKind::Regex,
        ]), vec(select(vec!["a", "b", "ab", "c"]), 1..4)), 0..12),
        query in vec(select(vec!["a", "b", "ab", "c", "d"]), 0..6),
    ) {
        let analyser = analyser("en");
        let rules: Vec<Rule> = triggers.iter().enumerate().map(|(at, (kind, words))| {
            rule(&format!("{at:02}"), (*kind, &words.join(" ")), Actions::Hide(ids(&["1"])))
        }).collect();
        let query = query.join(" ");
        let alone: Vec<String> = rules
            .iter()
            .filter(|rule| matches_alone(&rule.content.trigger, &query))
            .map(|rule| rule.id.to_string())
            .collect();
        let set = RuleSet::new(rules, &analyser);
        let found: Vec<String> = set
            .triggered(&query, &analyser, &MistypedWords::default())
            .iter()
            .map(|triggered| triggered.rule.id.to_string())
            .collect();
        prop_assert_eq!(found, alone);
    }
}

fn effects(rules: Vec<Rule>) -> Effects {
    let analyser = analyser("en");
    RuleSet::new(rules, &analyser).effects("anything", &analyser, &MistypedWords::default(), NOW)
}

#[test]
fn precedence_is_by_priority_then_age_then_id() {
    let ranked = |id, priority, created: i64| {
        let mut rule = pin(id, &[id]);
        rule.content.priority = priority;
        rule.created_at = Timestamp(created);
        rule
    };
    let rules = vec![
        ranked("d", 1, 5),
        ranked("b", 1, 5),
        ranked("c", 1, 4),
        ranked("a", 0, 0),
        ranked("e", 1000, 9),
    ];
    assert_eq!(effects(rules).plan(true).pins, ["e", "c", "b", "d", "a"]);
}

/// A cell of the merge table: two rules, and a check of their combined effects.
struct Cell {
    name: &'static str,
    first: Rule,
    second: Rule,
    holds: fn(&Effects) -> bool,
}

fn boost(id: &str, product: &str) -> Rule {
    let entry = BoostEntry::Term {
        field: domain::rule::TermField::AnyFeature,
        value: product.to_owned(),
        weight: 2.0,
    };
    every(id, Actions::Boost(vec![entry]))
}

fn filter(id: &str, field: &str, values: &[&str]) -> Rule {
    let value = FilterValue::Any(texts(values));
    every(
        id,
        Actions::Filter(BTreeMap::from([(field.to_owned(), value)])),
    )
}

fn banner(id: &str) -> Rule {
    every(
        id,
        Actions::Banner(Banner {
            image_url: Some(address(&format!("/{id}.png"))),
            text: None,
            link: None,
            position: BannerPosition::Top,
        }),
    )
}

fn hide(id: &str, products: &[&str]) -> Rule {
    every(id, Actions::Hide(ids(products)))
}

fn redirect(id: &str, url: &str) -> Rule {
    every(id, Actions::Redirect(address(url)))
}

/// The cells of HIDE and PIN.
fn hide_and_pin_cells() -> Vec<Cell> {
    vec![
        Cell {
            name: "HIDE meets PIN: hidden wins, whichever comes first",
            first: pin("a", &["1", "2"]),
            second: hide("b", &["1"]),
            holds: |e| {
                e.plan(true).pins == ["2"]
                    && e.hidden == ["1"]
                    && e.pins[0].fate == PinFate::HiddenBy("b".into())
            },
        },
        Cell {
            name: "HIDE meets BOOST: both stand in the plan, and what is hidden is not found",
            first: boost("a", "x"),
            second: hide("b", &["1", "2"]),
            holds: |e| {
                let plan = e.plan(true);
                plan.hidden == ["1", "2"] && plan.boosts.len() == 1
            },
        },
        Cell {
            name: "PIN meets PIN: earlier positions for the earlier rule, a product once",
            first: pin("a", &["1", "2"]),
            second: pin("b", &["3", "1"]),
            holds: |e| {
                e.plan(true).pins == ["1", "2", "3"]
                    && e.pins[3].fate == PinFate::PinnedBy("a".into())
            },
        },
        Cell {
            name: "PIN meets FILTER: both stand in the plan, and the engine leaves out what does not pass",
            first: pin("a", &["1"]),
            second: filter("b", "manufacturer", &["Sol"]),
            holds: |e| {
                let plan = e.plan(true);
                plan.pins == ["1"] && plan.filters.len() == 1
            },
        },
        Cell {
            name: "PIN meets a sort other than relevance: no pins, all else stays",
            first: pin("a", &["1"]),
            second: hide("b", &["2"]),
            holds: |e| {
                let plan = e.plan(false);
                plan.pins.is_empty() && plan.hidden == ["2"]
            },
        },
    ]
}

/// The other cells.
fn other_cells() -> Vec<Cell> {
    vec![
        Cell {
            name: "BOOST meets BOOST: both multiply",
            first: boost("a", "x"),
            second: boost("b", "y"),
            holds: |e| e.plan(true).boosts.len() == 2,
        },
        Cell {
            name: "FILTER meets FILTER: both must hold, several values of one are any of them",
            first: filter("a", "manufacturer", &["Sol", "Luna"]),
            second: filter("b", "manufacturer", &["Sol"]),
            holds: |e| {
                let brands =
                    |values: &[&str]| FilterChoice::Any(FilterField::Manufacturer, texts(values));
                e.plan(true).filters == [brands(&["Sol", "Luna"]), brands(&["Sol"])]
            },
        },
        Cell {
            name: "REDIRECT meets REDIRECT: the first one wins",
            first: redirect("a", "/one"),
            second: redirect("b", "/two"),
            holds: |e| {
                e.redirect.as_ref().is_some_and(|to| to.url == "/one")
                    && e.outcomes[1].why == Why::Beaten("a".into())
            },
        },
        Cell {
            name: "REDIRECT meets anything: results are computed all the same",
            first: redirect("a", "/one"),
            second: pin("b", &["1"]),
            holds: |e| e.redirect.is_some() && e.plan(true).pins == ["1"],
        },
        Cell {
            name: "BANNER meets BANNER: all, in order",
            first: banner("a"),
            second: banner("b"),
            holds: |e| {
                let all: Vec<&str> = e
                    .banners
                    .iter()
                    .filter_map(|b| Some(b.banner.image_url.as_ref()?.as_str()))
                    .collect();
                all == ["/a.png", "/b.png"]
            },
        },
    ]
}

#[test]
fn rules_merge_as_the_table_defines() {
    for cell in hide_and_pin_cells().into_iter().chain(other_cells()) {
        let effects = effects(vec![cell.first, cell.second]);
        assert!((cell.holds)(&effects), "{}: {effects:?}", cell.name);
    }
}

#[test]
fn time_windows_and_the_active_flag_decide() {
    let with = |id: &str, active: bool, start: Option<i64>, end: Option<i64>| {
        let mut rule = pin(id, &[id]);
        rule.content.active = active;
        rule.content.start_date = start.map(Timestamp);
        rule.content.end_date = end.map(Timestamp);
        rule
    };
    let rules = vec![
        with("a", false, None, None),
        with("b", true, Some(1_001), None),
        with("c", true, None, Some(999)),
        with("d", true, Some(1_000), Some(1_000)),
    ];
    let analyser = analyser("en");
    let set = RuleSet::new(rules, &analyser);
    let effects = set.effects("", &analyser, &MistypedWords::default(), NOW);
    let why: Vec<&Why> = effects
        .outcomes
        .iter()
        .map(|outcome| &outcome.why)
        .collect();
    assert_eq!(
        why,
        [
            &Why::Inactive,
            &Why::Scheduled(Timestamp(1_001)),
            &Why::Expired(Timestamp(999)),
            &Why::Applied
        ]
    );
    assert_eq!(effects.plan(true).pins, ["d"]);
    let periods = [998, 999, 1_000, 1_001, 2_000].map(|now| set.period(Timestamp(now)));
    assert_eq!(periods, [0, 0, 1, 2, 2]);
}

#[test]
fn the_largest_number_of_patterns_compiles_into_one_set() {
    let analyser = analyser("en");
    let rules = (0..RULES_MAX).map(|at| {
        let pattern = format!("number{at}x|[a-z]{{3}}\\d");
        rule(
            &format!("{at:04}"),
            (MatchKind::Regex, &pattern),
            Actions::Hide(ids(&["1"])),
        )
    });
    let set = RuleSet::new(rules, &analyser);
    assert_eq!(
        set.triggered("number7x", &analyser, &MistypedWords::default())
            .len(),
        RULES_MAX
    );
    assert_eq!(
        set.triggered("no7", &analyser, &MistypedWords::default())
            .len(),
        0
    );
}
