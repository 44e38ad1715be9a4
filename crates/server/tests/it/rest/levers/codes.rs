//! 1. The exact-code bonus is in proportion to its boost and decides the order.
//! 2. Parts of codes are found only where codes need not match whole.
//! 3. Case counts only where that is wanted.
//! 4. The reference modes order by tiers, or find nothing but them; without typos there is no tier of typos.

use super::{Levers, Row, Seen, close, plain, setting};
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
            json!({"name": "RX-77", "tags": ["RX-77"], "inStock": true}),
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
fn codes_are_found_as_the_settings_tell() {
    let levers = Levers::new(documents());
    let boost = |values| setting("rx-77", "exactRefBoost", values, &["exactReference"]);
    levers.turn(&boost([json!(0), json!(20)]), |off, on| {
        assert_eq!(off.ids, ["named", "coded"]);
        assert_eq!(on.ids, ["coded", "named"]);
        assert_eq!(off.number("coded", "/text/exactReference/score"), 0.0);
        assert_eq!(on.part("coded", "/text/exactReference/field"), "reference");
        assert_eq!(on.part("named", "/text/exactReference"), &Value::Null);
    });
    levers.turn(&boost([json!(40), json!(20)]), |high, low| {
        let of = |seen: &Seen| seen.number("coded", "/text/exactReference/score");
        assert!(close(of(high), 2.0 * of(low)));
    });
    let whole = |values| setting("5566", "exactReferenceSearch", values, &[]);
    levers.turn(&whole([json!(true), json!(false)]), |whole, part| {
        assert_eq!(whole.ids, [""; 0]);
        assert_eq!(part.ids, ["part"]);
        assert_eq!(part.part("part", "/text/matches/0/kind"), "partial");
        assert_eq!(part.part("part", "/text/matches/0/field"), "reference");
    });
    let case = |values| setting("AbX900", "referenceCaseSensitive", values, &["match"]);
    levers.turn(&case([json!(false), json!(true)]), |any, own| {
        assert_eq!(any.ids, ["case-1", "case-2"]);
        assert_eq!(own.ids, ["case-1"]);
        assert!(close(own.words("case-1"), any.words("case-1")));
    });
}

#[test]
fn the_reference_modes_order_by_tiers() {
    let levers = Levers::new(documents());
    let tiers = |seen: &Seen| -> Vec<String> {
        let tier = |id: &String| seen.part(id, "/tier").as_str().unwrap_or("none").to_owned();
        seen.ids.iter().map(tier).collect()
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
    levers.turn(&mode([json!("off"), json!("priority")]), |off, priority| {
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
    levers.turn(&mode([json!("strict"), json!("priority")]), |strict, _| {
        assert_eq!(strict.ids, all[..4]);
        assert_eq!(tiers(strict), all[..4]);
    });
    let without_typos = Row {
        base: json!({"searchSettings": {"fuzziness": "0"}}),
        ..mode([json!("off"), json!("strict")])
    };
    levers.turn(&without_typos, |off, strict| {
        assert!(!off.ids.contains(&"typo".to_owned()));
        assert_eq!(strict.ids, all[..3]);
    });
    let words = setting(
        "holder",
        "referenceMode",
        [json!("off"), json!("strict")],
        &[],
    );
    levers.turn(&words, |off, strict| {
        assert_eq!(off.data["query"]["code"], false);
        assert_eq!(
            (&off.ids, &strict.ids),
            (&vec!["text".to_owned()], &off.ids)
        );
    });
}
