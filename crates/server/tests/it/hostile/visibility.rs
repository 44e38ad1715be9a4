//! No response reveals what a shopper may not see.
//!
//! 1. A word that only hidden products have is not `found`, nor is a prefix of it.
//! 2. A selected value that only hidden products have is echoed as sent, with no products, like an unknown one.
//! 3. An error that names fields names none that only hidden products have.
//! 4. A category whose own document is hidden is in no facet and in no suggestion, though a visible product is in it;
//!    as text of that product it is found.
//! 5. A shopper who may see them sees all of it.

use super::target::{Target, retrying};
use crate::harness::eventually;
use serde_json::{Value, json};

/// A store with an open and a hidden product, and a hidden category that the open one is in.
fn closed() -> Target {
    let target = Target::open();
    let client = target.client();
    let tenant = &target.attacker;
    let indexes = json!({"types": ["products", "categories"], "languages": [{"code": "es", "default": true}]});
    tenant.feed(client, "/indices", &indexes).send().ok();
    let category = |id: &str, name: &str| json!({"id": id, "name": name});
    let open = json!({
        "id": "open", "name": "Sandalia", "categories": [category("7", "Almacen"), category("8", "Playa")],
        "categoryIds": ["7", "8"], "accessGroups": ["1"]
    });
    let hidden = json!({
        "id": "hidden", "name": "Zarzuela", "manufacturer": "Oculta", "reference": "QX-99-77",
        "categories": [category("9", "Secreto")], "categoryIds": ["9"], "tags": ["callado"],
        "features": [{"featureId": "55", "feature": "Clave", "id": "4", "value": "Muda"}], "accessGroups": ["4"]
    });
    let categories = [
        json!({"id": "7", "name": "Almacen", "accessGroups": ["4"]}),
        json!({"id": "8", "name": "Playa"}),
    ];
    target.bulk(&[open, hidden]);
    let body = json!({"language": "es", "documents": categories});
    retrying(|| tenant.feed(client, "/categories/bulk", &body).send()).ok();
    eventually("both products are found", || tenant.total(client, "") == 2);
    // Until its own document is indexed, a category is as visible as the products in it.
    eventually("both categories are found", || {
        let found = target.search(&json!({"q": "", "types": ["categories"]}));
        found.data()["categories"]["total"] == 2
    });
    groups(&target, true);
    eventually("one is hidden", || tenant.total(client, "") == 1);
    target
}

fn groups(target: &Target, enabled: bool) {
    let groups = json!([{"id": "1"}, {"id": "4"}]);
    let body = json!({"enabled": enabled, "visitorGroup": "1", "groups": groups});
    let call = target
        .attacker
        .feed(target.client(), "/access-groups", &body);
    call.send().ok();
}

fn found(target: &Target, word: &str) -> bool {
    let body = json!({"q": word, "types": ["products"]});
    let reply = target.search(&body).ok();
    let words = reply.data()["words"].as_array().cloned();
    let words = words.unwrap_or_else(|| panic!("no words: {reply:?}"));
    words.iter().any(|word| word["found"] == true)
}

#[test]
fn words_of_hidden_products_are_not_found() {
    let target = closed();
    for word in [
        "zarzuela", "zarz", "za", "QX-99-77", "qx", "oculta", "callado", "muda",
    ] {
        assert!(!found(&target, word), "{word} is revealed");
    }
    assert!(found(&target, "sandalia"));
    assert!(found(&target, "sand"));
    assert!(found(&target, "almacen"), "text of a product that is shown");
    groups(&target, false);
    for word in ["zarzuela", "zarz", "QX-99-77"] {
        assert!(found(&target, word), "{word} is open to all now");
    }
}

#[test]
fn selected_values_of_hidden_products_are_echoed() {
    let target = closed();
    let secrets = [
        ("categories", "9", "Secreto"),
        ("categories", "7", "Almacen"),
        ("manufacturer", "oculta", "Oculta"),
        ("features.55", "4", "Muda"),
        ("tags", "CALLADO", "callado"),
    ];
    let reveals = |field: &str, id: &str, label: &str| {
        let mut filters = json!({});
        filters[field] = json!([id]);
        let body = json!({"q": "", "types": ["products"], "filters": filters});
        target.search(&body).text.contains(label)
    };
    for (field, id, label) in secrets {
        assert!(!reveals(field, id, label), "{field} {id} reveals {label}");
    }
    assert!(reveals("categories", "8", "Playa"));
}

#[test]
fn errors_name_no_field_of_hidden_products() {
    let target = closed();
    let body = json!({"q": "", "types": ["products"], "filters": {"features.99": ["1"]}});
    let reply = target.search(&body);
    assert!(!reply.text.contains("features.55"), "{reply:?}");
    assert!(!reply.text.contains("Clave"), "{reply:?}");
    groups(&target, false);
    let open = target.search(&body);
    assert_eq!(open.status, reply.status, "{open:?}");
}

#[test]
fn hidden_categories_are_in_no_facet() {
    let target = closed();
    let facets = || {
        let body = json!({"q": "", "types": ["products"], "facets": true});
        let reply = target.search(&body).ok();
        let facets: &Value = &reply.data()["facets"];
        facets.to_string()
    };
    let shown = facets();
    assert!(shown.contains("Playa"), "{shown}");
    assert!(!shown.contains("Almacen"), "{shown}");
    let call = target.api("POST", "/suggest", &target.attacker.public);
    let suggested = call.json(&json!({"q": "alm"})).send().ok();
    let categories = suggested.data()["categories"].to_string();
    assert!(!categories.contains("Almacen"), "{suggested:?}");
    assert_eq!(
        target.attacker.total(target.client(), "almacen"),
        1,
        "as text of a product"
    );
    groups(&target, false);
    let open = facets();
    assert!(open.contains("Almacen"), "{open}");
}
