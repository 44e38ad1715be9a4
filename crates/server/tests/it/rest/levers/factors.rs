//! 1. Each factor lifts what has it, by what the contract says, and nothing else.
//! 2. Hiding what is out of stock leaves it out.

use super::{Levers, close, plain, setting};
use serde_json::json;

pub const SETTINGS: &[&str] = &[
    "discountBoost",
    "hideOutOfStock",
    "ratingBoost",
    "salesBoost",
    "stockBoost",
];

#[test]
fn factors_lift_what_has_them() {
    // Product a stands first while nothing lifts product b: by its id, or by its shorter name.
    let pairs = [
        (
            "stockBoost",
            "anvil",
            json!({}),
            json!({"inStock": true}),
            1.0,
        ),
        (
            "salesBoost",
            "bellows",
            json!({}),
            json!({"name": "Bellows of wood", "sales_count": 999}),
            3.0,
        ),
        (
            "ratingBoost",
            "chisel",
            json!({}),
            json!({"rating": 4.0}),
            5.0f64.log10(),
        ),
        (
            "discountBoost",
            "drill",
            json!({"priceInclTax": 10}),
            json!({"priceInclTax": 10, "originalPriceInclTax": 20}),
            1.0,
        ),
    ];
    let mut documents = Vec::new();
    for (lever, word, a, b, _) in &pairs {
        for (side, fields) in [("a", a), ("b", b)] {
            let mut document = plain(&format!("{lever}-{side}"), json!({"name": word}));
            let fields = fields.as_object().cloned().expect("an object");
            document.as_object_mut().expect("an object").extend(fields);
            documents.push(document);
        }
    }
    let levers = Levers::new(documents);
    for (lever, q, _, _, unit) in pairs {
        let part = lever.trim_end_matches("Boost");
        let (a, b) = (format!("{lever}-a"), format!("{lever}-b"));
        let changes = [part, "multiplier"];
        for [low, high] in [[0.0, 2.0], [2.0, 1.0]] {
            let turned = setting(q, lever, [json!(low), json!(high)], &changes);
            levers.turn(&turned, |first, second| {
                for (seen, boost) in [(first, low), (second, high)] {
                    let order = if boost > 0.0 { [&b, &a] } else { [&a, &b] };
                    assert_eq!(
                        seen.ids.iter().collect::<Vec<_>>(),
                        order,
                        "{lever} {boost}"
                    );
                    let pointer = format!("/factors/{part}");
                    assert!(close(seen.number(&b, &pointer), boost * unit), "{lever}");
                    assert!(close(
                        seen.number(&b, "/factors/multiplier"),
                        1.0 + boost * unit
                    ));
                    assert!(
                        close(seen.number(&a, "/factors/multiplier"), 1.0),
                        "{lever}"
                    );
                }
            });
        }
    }
}

#[test]
fn what_is_out_of_stock_can_be_hidden() {
    let levers = Levers::new(vec![
        plain("there", json!({"name": "Easel", "outOfStock": false})),
        plain("gone", json!({"name": "Easel", "outOfStock": true})),
    ]);
    let hide = |values| setting("easel", "hideOutOfStock", values, &[]);
    levers.turn(&hide([json!(false), json!(true)]), |all, some| {
        assert_eq!(all.ids, ["gone", "there"]);
        assert_eq!(some.ids, ["there"]);
    });
}
