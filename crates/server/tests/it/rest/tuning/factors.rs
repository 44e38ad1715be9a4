//! 1. Each factor raises the score of products that have it, by the documented amount, and of no others.
//! 2. Products that are out of stock can be hidden.

use super::{Tuning, nearly_equal, plain, setting};
use serde_json::json;

pub const SETTINGS: &[&str] = &[
    "discountBoost",
    "hideOutOfStock",
    "ratingBoost",
    "salesBoost",
    "stockBoost",
];

#[test]
fn factors_raise_the_score_of_products_that_have_them() {
    // Product a comes first while nothing boosts product b: by its id, or by its shorter name.
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
    for (parameter, word, a, b, _) in &pairs {
        for (side, fields) in [("a", a), ("b", b)] {
            let mut document = plain(&format!("{parameter}-{side}"), json!({"name": word}));
            let fields = fields.as_object().cloned().expect("an object");
            document.as_object_mut().expect("an object").extend(fields);
            documents.push(document);
        }
    }
    let tuning = Tuning::new(documents);
    for (parameter, q, _, _, unit) in pairs {
        let factor = parameter.trim_end_matches("Boost");
        let (a, b) = (format!("{parameter}-a"), format!("{parameter}-b"));
        let changes = [factor, "multiplier"];
        for [low, high] in [[0.0, 2.0], [2.0, 1.0]] {
            let row = setting(q, parameter, [json!(low), json!(high)], &changes);
            tuning.compare(&row, |first, second| {
                for (results, boost) in [(first, low), (second, high)] {
                    let order = if boost > 0.0 { [&b, &a] } else { [&a, &b] };
                    assert_eq!(
                        results.ids.iter().collect::<Vec<_>>(),
                        order,
                        "{parameter} {boost}"
                    );
                    let pointer = format!("/factors/{factor}");
                    assert!(
                        nearly_equal(results.number(&b, &pointer), boost * unit),
                        "{parameter}"
                    );
                    let multiplier = results.number(&b, "/factors/multiplier");
                    assert!(nearly_equal(multiplier, 1.0 + boost * unit));
                    assert!(
                        nearly_equal(results.number(&a, "/factors/multiplier"), 1.0),
                        "{parameter}"
                    );
                }
            });
        }
    }
}

#[test]
fn products_out_of_stock_can_be_hidden() {
    let tuning = Tuning::new(vec![
        plain("there", json!({"name": "Easel", "outOfStock": false})),
        plain("gone", json!({"name": "Easel", "outOfStock": true})),
    ]);
    let hide = |values| setting("easel", "hideOutOfStock", values, &[]);
    tuning.compare(&hide([json!(false), json!(true)]), |all, some| {
        assert_eq!(all.ids, ["gone", "there"]);
        assert_eq!(some.ids, ["there"]);
    });
}
