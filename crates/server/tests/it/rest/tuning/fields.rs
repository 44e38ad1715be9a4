//! 1. A product that matches in one field only is found if the boost of the field is above 0, and not at 0.
//! 2. Its score in the field grows in proportion to the boost, and nothing else changes.

use super::{Row, Tuning, nearly_equal, plain};
use crate::harness::eventually;
use serde_json::{Value, json};

/// Field, fields of the product, a query that matches only in this field, and boosts that exclude other fields.
fn rows() -> Vec<(&'static str, Value, &'static str, Value)> {
    let none = || json!({});
    let row = |field: &'static str, value: Value, q| (field, json!({field: value}), q, none());
    vec![
        (
            "name",
            json!({"name": "Quintaro"}),
            "quintaro",
            json!({"name.autocomplete": 0}),
        ),
        (
            "name.autocomplete",
            json!({"name": "Welderbox"}),
            "weld",
            json!({"name": 0}),
        ),
        row("reference", json!("ZR-1047"), "zr 1047"),
        row("ean13", json!("4006381333931"), "4006381333931"),
        row("upc", json!("036000291452"), "36000291452"),
        row("mpn", json!("HX.88/20"), "hx8820"),
        row(
            "combinationReferences",
            json!(["a-1", "VK-5501"]),
            "vk-5501",
        ),
        row("combinationEans", json!(["9780201379624"]), "9780201379624"),
        row("combinationMpns", json!(["LN-7310"]), "ln7310"),
        (
            "categories.name",
            json!({"categories": [{"id": "c1", "name": "Bagpipes"}], "categoryIds": ["c1"]}),
            "bagpipes",
            none(),
        ),
        row("tags", json!(["dulcimer"]), "dulcimer"),
        (
            "attributes.value",
            json!({"attributes": [{"group": "Colour", "value": "Eggshell"}]}),
            "eggshell",
            none(),
        ),
        (
            "features.value",
            json!({"features": [{"group": "Material", "value": "Fibreglass"}]}),
            "fibreglass",
            none(),
        ),
        row("short_description", json!("with a gudgeon"), "gudgeon"),
        row("description", json!("a hydrofoil inside"), "hydrofoil"),
        row("manufacturer", json!("Ibexworks"), "ibexworks"),
        row("supplier", json!("Jacaranda"), "jacaranda"),
        row(
            "ai_description_manual",
            json!("a kaleidoscope"),
            "kaleidoscope",
        ),
        row("ai_description", json!("a limelight"), "limelight"),
    ]
}

/// The row of `name.partial`, which needs an index with n-grams.
fn partial_row() -> (&'static str, Value, &'static str, Value) {
    let alone = json!({"name": 0, "name.autocomplete": 0});
    (
        "name.partial",
        json!({"name": "Wanderlamp"}),
        "derla",
        alone,
    )
}

pub fn boosts() -> Vec<String> {
    let all = rows().into_iter().chain([partial_row()]);
    all.map(|(field, ..)| field.to_owned()).collect()
}

#[test]
fn a_field_is_searched_in_proportion_to_its_boost() {
    let documents = rows().into_iter();
    let tuning = Tuning::new(
        documents
            .map(|(field, product, ..)| plain(field, product))
            .collect(),
    );
    for (field, _, q, others) in rows() {
        check_boosts(&tuning, field, q, &others);
    }
}

#[test]
fn n_grams_are_searched_in_proportion_to_their_boost() {
    let (field, product, q, others) = partial_row();
    let tuning = Tuning::new(vec![plain(field, product)]);
    let wanted = json!({"boosts": {field: 1}});
    let call = tuning.shop.own("PUT", "/relevance");
    call.json(&wanted).send().ok();
    eventually("the index holds the n-grams", || {
        let relevance = tuning.shop.own("GET", "/relevance").send().ok();
        let advice = relevance.data()["advice"].as_array().cloned();
        let mut fields = advice.iter().flatten().map(|advice| &advice["field"]);
        !fields.any(|field| field == "boosts.name.partial")
    });
    check_boosts(&tuning, field, q, &others);
}

/// Switches the boost of `field` off and on, and up and down, for a query that matches only in this field.
fn check_boosts(tuning: &Tuning, field: &str, q: &str, others: &Value) {
    let row = |values| Row {
        q,
        section: "boosts",
        parameter: field,
        values,
        base: json!({"boosts": others}),
        changes: &["match"],
    };
    tuning.compare(&row([json!(0), json!(4)]), |off, on| {
        assert_eq!(off.ids, [""; 0], "{field}");
        assert_eq!(on.ids, [field]);
        let found = on.breakdown(field, "/text/matches/0");
        assert_eq!(
            (&found["field"], &found["boost"]),
            (&json!(field), &json!(4.0))
        );
    });
    tuning.compare(&row([json!(8), json!(4)]), |high, low| {
        assert_eq!((&high.ids, &low.ids), (&vec![field.to_owned()], &high.ids));
        assert!(
            nearly_equal(high.match_score(field), 2.0 * low.match_score(field)),
            "{field}"
        );
    });
}
