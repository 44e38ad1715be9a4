//! 1. A stop word that tells two products apart puts the one that has it first, and fails no other.
//! 2. Singular and plural count alike; another word of the same stem, which sells more, comes after the typed one, and is
//!    found all the same.
//! 3. A word that enough products have brings nothing by a typo, neither products nor categories; the beginning of a name
//!    counts as having it. A word that fewer have brings typos behind it; one that none has is corrected as before.
//! 4. What the visitor may not see makes no difference to typos.

use crate::harness::{Shop, eventually};
use serde_json::{Value, json};

/// Products of these names; earlier ones sell more.
fn named(names: &[&str]) -> Value {
    let numbered = names.iter().enumerate();
    let documents = numbered.map(
        |(at, name)| json!({"id": at.to_string(), "name": name, "sales_count": 500 / (at + 1)}),
    );
    documents.collect()
}

fn ids(shop: &Shop, q: &str, lang: &str, of: &str) -> Vec<String> {
    let request = json!({"q": q, "lang": lang});
    let found = shop.search(&request).ok().data().clone();
    let hits = found[of]["hits"].as_array().cloned();
    let ids = hits.into_iter().flatten();
    ids.filter_map(|hit| hit["id"].as_str().map(str::to_owned))
        .collect()
}

/// Asserts that each query finds these products, in this order.
fn assert_finds(language: &str, names: &[&str], queries: &[(&str, &[&str])]) {
    let shop = Shop::with_products(language, &named(names));
    for (q, expected) in queries {
        let found = ids(&shop, q, language, "products");
        assert_eq!(&found, expected, "{language} {q:?}");
    }
}

#[test]
fn stop_words_tell_products_apart() {
    let plain = |names: &[&str]| -> Value {
        let numbered = names.iter().enumerate();
        let documents = numbered.map(|(at, name)| json!({"id": at.to_string(), "name": name}));
        documents.collect()
    };
    for (language, names, q) in [
        (
            "en",
            ["Hepatitis B test", "Hepatitis A test"],
            "hepatitis a",
        ),
        ("es", ["Clase B pila", "Clase A pila"], "clase a"),
        ("fr", ["Chemise chat", "Chemise Le Chat"], "le chat chemise"),
        ("en", ["Beatles album", "The Beatles album"], "the beatles"),
    ] {
        let shop = Shop::with_products(language, &plain(&names));
        let found = ids(&shop, q, language, "products");
        assert_eq!(found, ["1", "0"], "{language} {q:?}");
    }
    let shop = Shop::with_products("en", &plain(&["Lamp", "Table"]));
    assert_eq!(ids(&shop, "the lamp for the", "en", "products"), ["0"]);
}

#[test]
fn other_words_of_a_stem_come_after_the_typed_one() {
    assert_finds(
        "es",
        &["Caso práctico", "Casa de campo"],
        &[("casa", &["1", "0"]), ("casas", &["1", "0"])],
    );
    assert_finds(
        "es",
        &["Bolso negro", "Bolsa de tela"],
        &[("bolsa", &["1", "0"]), ("bolsas", &["1", "0"])],
    );
    assert_finds(
        "it",
        &["Porto vino", "Porta legno"],
        &[("porta", &["1", "0"]), ("porte", &["1", "0"])],
    );
    assert_finds(
        "es",
        &["Camiseta blanca", "Camisetas pack"],
        &[("camisetas", &["0", "1"])],
    );
    // The typed word is nowhere, so the other word of its stem counts in full.
    assert_finds("es", &["Plato llano", "Vaso"], &[("plata", &["0"])]);
}

#[test]
fn typos_know_their_place() {
    let names = [
        "Lamb red",
        "Lamb blue",
        "Lamb green",
        "Lamb black",
        "Lamp two",
        "Lamp four",
        "Lamp six",
        "Lamp eight",
        "Boots",
        "Bottle one",
        "Bottle two",
        "Bottle three",
        "Bottle four",
        "Lantern",
        "Lanterm",
    ];
    let shop = Shop::with_products("en", &named(&names));
    let categories = json!([{"id": "c", "name": "Lamb"}, {"id": "d", "name": "Lamp"}]);
    let indices = json!({"types": ["products", "categories"], "languages": [{"code": "es", "default": true}, {"code": "en"}]});
    shop.feed("POST", "/feed/indices")
        .json(&indices)
        .send()
        .ok();
    shop.bulk("categories", "en", &categories).ok();
    eventually("the categories are found", || {
        ids(&shop, "lamb", "en", "categories") == ["c"]
    });
    assert_eq!(ids(&shop, "lamp", "en", "products"), ["4", "5", "6", "7"]);
    assert_eq!(ids(&shop, "lamp", "en", "categories"), ["d"]);
    assert_eq!(
        ids(&shop, "bott", "en", "products"),
        ["9", "10", "11", "12"]
    );
    assert_eq!(ids(&shop, "lantern", "en", "products"), ["13", "14"]);
    assert_eq!(ids(&shop, "lanterm", "en", "products"), ["14", "13"]);
    assert_eq!(ids(&shop, "lantrn", "en", "products").len(), 2);
}

#[test]
fn hidden_products_settle_no_word() {
    let shop = Shop::open();
    let access =
        json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]});
    shop.feed("POST", "/feed/access-groups")
        .json(&access)
        .send()
        .ok();
    let hidden = |id: &str| json!({"id": id, "name": "Kettla", "accessGroups": ["4"]});
    let documents = json!([
        {"id": "0", "name": "Kettle"}, hidden("1"), hidden("2"), hidden("3"), hidden("4")
    ]);
    shop.bulk("products", "en", &documents).ok();
    shop.until_found("en", &["0"]);
    assert_eq!(ids(&shop, "kettla", "en", "products"), ["0"]);
}
