//! 1. Typo tolerance and its exact prefix match exactly the terms they allow.
//! 2. The share of words that must match, and the threshold for long queries, decide which products are found.
//! 3. Phrase and cross-fields bonuses are in proportion to their boosts; cross fields at 0 count within one field.
//! 4. The cutoff drops hits below its share of the best score, from totals and facets too.

use super::{Results, Row, Tuning, nearly_equal, plain, setting};
use serde_json::{Value, json};

pub const SETTINGS: &[&str] = &[
    "crossFieldsBoost",
    "fuzziness",
    "fuzzyPrefixLength",
    "longQueryThreshold",
    "minMatchLong",
    "minMatchShort",
    "phraseBoost",
    "scoreCutoff",
];

fn documents() -> Vec<Value> {
    let named = |id: &str, name: &str| plain(id, json!({"name": name}));
    vec![
        named("typo", "Xylophone"),
        named("short-all", "Kumara feijoa"),
        named("short-one", "Kumara"),
        named("long-all", "Tamarind rambutan durian mangosteen jackfruit"),
        named("long-one", "Tamarind"),
        named("threshold-all", "Oboe bassoon clarinet"),
        named("threshold-one", "Oboe"),
        named("phrase-a", "Kettle copper"),
        named("phrase-b", "Copper kettle"),
        named("cross-one", "Umbra veldt"),
        plain(
            "cross-two",
            json!({"name": "Umbra", "description": "veldt"}),
        ),
        plain(
            "cut-high",
            json!({"name": "Gantry", "manufacturer": "North"}),
        ),
        plain(
            "cut-low",
            json!({"description": "Stands beside a gantry", "manufacturer": "South"}),
        ),
    ]
}

/// Each row: query, setting, two values, and the ids that each of them finds.
type Finds<'a> = (&'a str, &'a str, [Value; 2], [&'a [&'a str]; 2]);

#[test]
fn words_match_as_the_settings_say() {
    let tuning = Tuning::new(documents());
    let typo: &[&str] = &["typo"];
    let five = "tamarind rambutan durian mangosteen jackfruit";
    let rows: [Finds<'_>; 9] = [
        (
            "xylaphone",
            "fuzziness",
            [json!("0"), json!("AUTO")],
            [&[], typo],
        ),
        (
            "xylaphone",
            "fuzziness",
            [json!("1"), json!("0")],
            [typo, &[]],
        ),
        (
            "xylaphine",
            "fuzziness",
            [json!("1"), json!("2")],
            [&[], typo],
        ),
        (
            "zylophone",
            "fuzzyPrefixLength",
            [json!(1), json!(0)],
            [&[], typo],
        ),
        (
            "xalophone",
            "fuzzyPrefixLength",
            [json!(1), json!(2)],
            [typo, &[]],
        ),
        (
            "kumara feijoa",
            "minMatchShort",
            [json!("75%"), json!("100%")],
            [&["short-all", "short-one"], &["short-all"]],
        ),
        (
            five,
            "minMatchLong",
            [json!("100%"), json!("30%")],
            [&["long-all"], &["long-all", "long-one"]],
        ),
        (
            "oboe bassoon clarinet",
            "longQueryThreshold",
            [json!(4), json!(3)],
            [&["threshold-all"], &["threshold-all", "threshold-one"]],
        ),
        (
            "gantry",
            "scoreCutoff",
            [json!(0), json!(60)],
            [&["cut-high", "cut-low"], &["cut-high"]],
        ),
    ];
    for (q, parameter, values, expected) in rows {
        tuning.compare(&setting(q, parameter, values, &[]), |first, second| {
            assert_eq!(first.ids, expected[0], "{parameter}");
            assert_eq!(second.ids, expected[1], "{parameter}");
        });
    }
}

#[test]
fn the_simulator_reports_how_the_query_was_understood() {
    let tuning = Tuning::new(documents());
    let values = [json!("0"), json!("AUTO")];
    tuning.compare(&setting("xylaphone", "fuzziness", values, &[]), |_, on| {
        let found = on.breakdown("typo", "/text/matches/0");
        assert_eq!(
            (&found["kind"], &found["distance"]),
            (&json!("typo"), &json!(1))
        );
    });
    let values = [json!(4), json!(3)];
    let long = |results: &Results| results.data["query"]["long"].clone();
    let threshold = setting("oboe bassoon clarinet", "longQueryThreshold", values, &[]);
    tuning.compare(&threshold, |short, lengthy| {
        assert_eq!([long(short), long(lengthy)], [json!(false), json!(true)]);
    });
}

#[test]
fn bonuses_are_in_proportion_to_their_boosts() {
    let tuning = Tuning::new(documents());
    let phrase = |values| setting("copper kettle", "phraseBoost", values, &["phrase"]);
    tuning.compare(&phrase([json!(0), json!(8)]), |off, on| {
        assert_eq!(off.ids, ["phrase-a", "phrase-b"]);
        assert_eq!(on.ids, ["phrase-b", "phrase-a"]);
        assert_eq!(off.breakdown("phrase-b", "/text/phrase"), &Value::Null);
        assert_eq!(on.breakdown("phrase-b", "/text/phrase/field"), "name");
        assert_eq!(on.breakdown("phrase-a", "/text/phrase"), &Value::Null);
    });
    tuning.compare(&phrase([json!(16), json!(8)]), |high, low| {
        let of = |results: &Results| results.number("phrase-b", "/text/phrase/score");
        assert!(nearly_equal(of(high), 2.0 * of(low)));
    });
    let cross = |values| Row {
        base: json!({"searchSettings": {"minMatchShort": "100%"}}),
        ..setting("umbra veldt", "crossFieldsBoost", values, &["crossFields"])
    };
    tuning.compare(&cross([json!(0), json!(3)]), |off, on| {
        assert_eq!(off.ids, ["cross-one"]);
        assert_eq!(on.ids, ["cross-one", "cross-two"]);
        assert_eq!(
            off.breakdown("cross-one", "/text/crossFields"),
            &Value::Null
        );
    });
    tuning.compare(&cross([json!(6), json!(3)]), |high, low| {
        for id in ["cross-one", "cross-two"] {
            let of = |results: &Results| results.number(id, "/text/crossFields/score");
            assert!(nearly_equal(of(high), 2.0 * of(low)), "{id}");
        }
    });
}

#[test]
fn the_cutoff_comes_before_totals_and_facets() {
    let tuning = Tuning::new(documents());
    let cutoff = setting("gantry", "scoreCutoff", [json!(0), json!(60)], &[]);
    let brands = |cut: u32| -> Vec<String> {
        tuning.save(&cutoff, &json!(cut));
        let request = json!({"q": "gantry", "lang": "en", "types": ["products"], "facets": true});
        let found = tuning.shop.search(&request).ok();
        let facets = found.data()["facets"].as_array().cloned().expect("a list");
        let brands = facets.iter().find(|facet| facet["field"] == "manufacturer");
        let values = brands.expect("brands")["values"].as_array().cloned();
        let labels = values.into_iter().flatten();
        let mut labels: Vec<String> = labels.map(|v| super::text(&v["label"])).collect();
        labels.sort();
        labels
    };
    assert_eq!(brands(60), ["North"]);
    assert_eq!(brands(0), ["North", "South"]);
}
