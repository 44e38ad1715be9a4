//! 1. The exact-code bonus is in proportion to its boost and decides the order.
//! 2. Substrings of codes match only if codes need not match as a whole.
//! 3. Case counts only if the setting says so.
//! 4. The reference modes order by tiers, or find only products in a tier; without typos there is no typo tier.

use super::{Results, Row, Tuning, nearly_equal, plain, setting};
use serde_json::{Value, json};

pub const SETTINGS: &[&str] = &[
    "exactRefBoost",
    "exactReferenceSearch",
    "referenceCaseSensitive",
    "referenceMode",
];

fn documents() -> Vec<Value> {
    let coded = |id: &str, reference: &str| plain(id, json!({"reference": reference}));
    vec![
        coded("coded", "RX-77"),
        plain(
            "named",
            json!({"name": "RX-77", "tags": ["RX-77"], "inStock": true, "sales_count": 1000}),
        ),
        coded("part", "QW-5566-LT"),
        coded("case-1", "AbX900"),
        coded("case-2", "aBx900"),
        coded("exact", "MK-200"),
        coded("starts", "MK-2005"),
        coded("contains", "XMK-200"),
        coded("typo", "MK-201"),
        plain("text", json!({"name": "Holder MK-200"})),
    ]
}

#[test]
fn codes_match_as_the_settings_say() {
    let tuning = Tuning::new(documents());
    let boost = |values| setting("rx-77", "exactRefBoost", values, &["exactReference"]);
    tuning.compare(&boost([json!(0), json!(20)]), |off, on| {
        assert_eq!(off.ids, ["named", "coded"]);
        assert_eq!(on.ids, ["coded", "named"]);
        assert_eq!(off.number("coded", "/text/exactReference/score"), 0.0);
        assert_eq!(
            on.breakdown("coded", "/text/exactReference/field"),
            "reference"
        );
        assert_eq!(on.breakdown("named", "/text/exactReference"), &Value::Null);
    });
    tuning.compare(&boost([json!(40), json!(20)]), |high, low| {
        let of = |results: &Results| results.number("coded", "/text/exactReference/score");
        assert!(nearly_equal(of(high), 2.0 * of(low)));
    });
    let whole = |values| setting("5566", "exactReferenceSearch", values, &[]);
    tuning.compare(&whole([json!(true), json!(false)]), |whole, substring| {
        assert_eq!(whole.ids, [""; 0]);
        assert_eq!(substring.ids, ["part"]);
        assert_eq!(
            substring.breakdown("part", "/text/matches/0/kind"),
            "partial"
        );
        assert_eq!(
            substring.breakdown("part", "/text/matches/0/field"),
            "reference"
        );
    });
    let case = |values| setting("AbX900", "referenceCaseSensitive", values, &["match"]);
    tuning.compare(&case([json!(false), json!(true)]), |any, own| {
        assert_eq!(any.ids, ["case-1", "case-2"]);
        assert_eq!(own.ids, ["case-1"]);
        assert!(nearly_equal(
            own.match_score("case-1"),
            any.match_score("case-1")
        ));
    });
}

#[test]
fn reference_modes_order_by_tiers() {
    let tuning = Tuning::new(documents());
    let tiers = |results: &Results| -> Vec<String> {
        let tier = |id: &String| {
            results
                .breakdown(id, "/tier")
                .as_str()
                .unwrap_or("none")
                .to_owned()
        };
        results.ids.iter().map(tier).collect()
    };
    let mode = |values| {
        setting(
            "mk-200",
            "referenceMode",
            values,
            &["match", "tier", "crossFields"],
        )
    };
    let all = ["exact", "starts", "contains", "typo", "text"];
    tuning.compare(&mode([json!("off"), json!("priority")]), |off, priority| {
        assert_eq!(off.data["query"]["code"], true);
        let mut found = off.ids.clone();
        found.sort();
        assert_eq!(found, ["exact", "starts", "text", "typo"]);
        assert!(tiers(off).iter().all(|tier| tier == "none"));
        assert_eq!(priority.ids, all);
        assert_eq!(
            tiers(priority),
            ["exact", "starts", "contains", "typo", "none"]
        );
    });
    tuning.compare(&mode([json!("strict"), json!("priority")]), |strict, _| {
        assert_eq!(strict.ids, all[..4]);
        assert_eq!(tiers(strict), all[..4]);
    });
    let without_typos = Row {
        base: json!({"searchSettings": {"fuzziness": "0"}}),
        ..mode([json!("off"), json!("strict")])
    };
    tuning.compare(&without_typos, |off, strict| {
        assert!(!off.ids.contains(&"typo".to_owned()));
        assert_eq!(strict.ids, all[..3]);
    });
    let words = setting(
        "holder",
        "referenceMode",
        [json!("off"), json!("strict")],
        &[],
    );
    tuning.compare(&words, |off, strict| {
        assert_eq!(off.data["query"]["code"], false);
        assert_eq!(
            (&off.ids, &strict.ids),
            (&vec!["text".to_owned()], &off.ids)
        );
    });
}
