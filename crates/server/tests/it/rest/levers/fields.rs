//! 1. A product that matches in one field only is found while that field's boost is above 0, and not at 0.
//! 2. Its score in the field grows in proportion to the boost, and nothing else changes.

use super::{Levers, Row, close, plain};
use crate::harness::eventually;
use serde_json::{Value, json};

/// Field, what a product has in it, a question that only this meets, and boosts that keep other fields out.
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

/// The row of `name.partial`, which needs an index that holds the parts of words.
fn of_parts() -> (&'static str, Value, &'static str, Value) {
    let alone = json!({"name": 0, "name.autocomplete": 0});
    (
        "name.partial",
        json!({"name": "Wanderlamp"}),
        "derla",
        alone,
    )
}

pub fn boosts() -> Vec<String> {
    let all = rows().into_iter().chain([of_parts()]);
    all.map(|(field, ..)| field.to_owned()).collect()
}

#[test]
fn a_field_is_searched_in_proportion_to_its_boost() {
    let documents = rows().into_iter();
    let levers = Levers::new(
        documents
            .map(|(field, has, ..)| plain(field, has))
            .collect(),
    );
    for (field, _, q, others) in rows() {
        turn(&levers, field, q, &others);
    }
}

#[test]
fn parts_of_words_are_searched_in_proportion_to_their_boost() {
    let (field, has, q, others) = of_parts();
    let levers = Levers::new(vec![plain(field, has)]);
    let wanted = json!({"boosts": {field: 1}});
    let call = levers.shop.own("PUT", "/relevance");
    call.json(&wanted).send().ok();
    eventually("the index holds the parts of words", || {
        let relevance = levers.shop.own("GET", "/relevance").send().ok();
        let advice = relevance.data()["advice"].as_array().cloned();
        let mut fields = advice.iter().flatten().map(|advice| &advice["field"]);
        !fields.any(|field| field == "boosts.name.partial")
    });
    turn(&levers, field, q, &others);
}

/// Turns the boost of `field` off and on, and up and down, for a question that only this field meets.
fn turn(levers: &Levers, field: &str, q: &str, others: &Value) {
    let row = |values| Row {
        q,
        part: "boosts",
        lever: field,
        values,
        base: json!({"boosts": others}),
        changes: &["match"],
    };
    levers.turn(&row([json!(0), json!(4)]), |off, on| {
        assert_eq!(off.ids, [""; 0], "{field}");
        assert_eq!(on.ids, [field]);
        let found = on.part(field, "/text/matches/0");
        assert_eq!(
            (&found["field"], &found["boost"]),
            (&json!(field), &json!(4.0))
        );
    });
    levers.turn(&row([json!(8), json!(4)]), |high, low| {
        assert_eq!((&high.ids, &low.ids), (&vec![field.to_owned()], &high.ids));
        assert!(close(high.words(field), 2.0 * low.words(field)), "{field}");
    });
}
