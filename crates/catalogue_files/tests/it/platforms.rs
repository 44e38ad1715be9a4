//! Exports of platforms: the header lines are those that the platform writes, the rows are invented.
//!
//! Sources of the headers:
//! - WooCommerce, English: `get_default_column_names` of `includes/export/class-wc-product-csv-exporter.php` in
//!   woocommerce/woocommerce, with its columns of one attribute. Spanish: the header of an export of a shop in Spanish.
//! - Shopify, older and newer: the product CSV of its help pages and of exports of both generations.
//! - Magento: `catalog_product` as `Magento\CatalogImportExport` exports it.
//! - Shopware: the default profile "Product", as `MappingServiceTest` of shopware/shopware has it.
//!
//! 1. Each is known by its columns, and its names, prices, stock, categories and variants are read.
//! 2. Both languages of WooCommerce and both generations of Shopify give the same.

use crate::harness::{Outcome, read_bytes, settings};
use catalogue_files::ReadSettings;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn export(name: &str, settings: &ReadSettings) -> Outcome {
    let path = format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the file");
    read_bytes(&bytes, settings).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn spanish() -> ReadSettings {
    settings()
}

fn english() -> ReadSettings {
    let mut settings = settings();
    settings.language = "en".to_owned();
    settings
}

fn values(document: &serde_json::Map<String, Value>, field: &str) -> Vec<String> {
    let list = document
        .get(field)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let pair = |value: &Value| {
        let group = value.get("group").or_else(|| value.get("feature"));
        let group = group.and_then(Value::as_str).unwrap_or_default();
        format!("{group}={}", value["value"].as_str().unwrap_or_default())
    };
    list.iter().map(pair).collect()
}

#[test]
fn woocommerce() {
    let outcome = export("woocommerce-en.csv", &spanish());
    assert_eq!(outcome.result.file.profile, "woocommerce");
    assert_eq!(outcome.result.received, 30);
    assert_eq!(outcome.rejected(), [("parent_missing", 28)]);
    assert_eq!(
        outcome.result.skipped,
        BTreeMap::from([("not_published", 4)])
    );
    assert_eq!(outcome.documents.len(), 23);
    let first = outcome.document("1");
    assert_eq!(first["priceInclTax"], 11.5);
    assert_eq!(first["url"], "https://shop.example/?p=1");
    assert_eq!(first["image"], "https://tienda.example/w/1-a.jpg");
    assert_eq!(
        first["images"],
        json!(["https://tienda.example/w/1-b,2.jpg"])
    );
    assert_eq!(first["tags"], json!(["verano", "playa, mar"]));
    assert_eq!(first["manufacturer"], "Acme");
    assert_eq!(
        values(first, "features"),
        ["Peso=1.2 kg", "Material=Lana, suave", "Material=Seda"]
    );
    assert!(
        first["description"]
            .as_str()
            .is_some_and(|text| text.contains("</p>\n<ul>"))
    );
    let paths: Vec<&Value> = first["categories"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|c| &c["path"])
        .collect();
    assert_eq!(
        paths,
        [&json!(["Aire libre", "Camping"]), &json!(["Ofertas"])]
    );
}

#[test]
fn woocommerce_with_sales_stock_and_variants() {
    let outcome = export("woocommerce-en.csv", &spanish());
    let third = outcome.document("3");
    assert_eq!(
        (&third["priceInclTax"], &third["originalPriceInclTax"]),
        (&json!(5), &json!(13.5))
    );
    assert_eq!(third["categories"][0]["name"], "Luces, linternas");
    assert_eq!(outcome.document("2")["ean13"], "0012345678905");
    assert_eq!(
        (
            &outcome.document("4")["inStock"],
            &outcome.document("4")["outOfStock"]
        ),
        (&json!(false), &json!(false))
    );
    assert_eq!(outcome.document("7")["outOfStock"], true);
    let shirt = outcome.document("30");
    assert_eq!(
        (&shirt["name"], &shirt["priceInclTax"]),
        (&json!("Camiseta"), &json!(18))
    );
    assert_eq!(shirt["quantity"], 5);
    assert_eq!(
        shirt["combinationReferences"],
        json!(["W-VAR-S", "W-VAR-M"])
    );
    assert_eq!(values(shirt, "attributes"), ["Talla=S", "Talla=M"]);
    assert_eq!(shirt.get("features"), None);
}

#[test]
fn woocommerce_in_spanish_is_the_same() {
    let outcome = export("woocommerce-en.csv", &spanish());
    let translated = export("woocommerce-es.csv", &spanish());
    assert_eq!(translated.result.file.profile, "woocommerce");
    assert_eq!(translated.result.file.encoding, "UTF-8");
    let without_extra = |outcome: &Outcome| {
        let mut documents = outcome.documents.clone();
        documents
            .iter_mut()
            .for_each(|document| drop(document.remove("extra")));
        documents
    };
    assert_eq!(without_extra(&translated), without_extra(&outcome));
}

#[test]
fn shopify_in_two_generations() {
    let outcome = export("shopify-older.csv", &english());
    assert_eq!(outcome.result.file.profile, "shopify");
    assert_eq!(outcome.result.received, 30);
    assert_eq!(
        outcome.result.skipped,
        BTreeMap::from([("not_published", 2)])
    );
    assert_eq!(outcome.documents.len(), 26);
    assert!(outcome.rejected().is_empty());
    let first = outcome.document("item-1");
    assert_eq!(
        (&first["priceInclTax"], &first["originalPriceInclTax"]),
        (&json!(1.9), &json!(6))
    );
    assert_eq!(first["url"], "https://shop.example/products/item-1");
    assert_eq!(
        first.get("attributes"),
        None,
        "Default Title is no attribute"
    );
    assert_eq!(
        values(first, "features"),
        ["Weight=250 g", "Fabric=wool", "Fabric=silk"]
    );
    assert_eq!(
        (&first["mpn"], &first["reference"]),
        (&json!("M1"), &json!("S-001"))
    );
    assert_eq!(first["inStock"], true);
    let sold_without = outcome.document("item-4");
    assert_eq!(
        (&sold_without["inStock"], &sold_without["outOfStock"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(outcome.document("item-8")["outOfStock"], true);
    assert_eq!(
        outcome.document("item-12")["inStock"],
        true,
        "stock is not counted"
    );
    let shirt = outcome.document("shirt");
    assert_eq!(
        (&shirt["name"], &shirt["priceInclTax"]),
        (&json!("Shirt"), &json!(30))
    );
    assert_eq!(shirt["combinationReferences"], json!(["SH-S", "SH-M"]));
    assert_eq!(shirt["image"], "https://cdn.example/shirt-1.jpg");
    assert_eq!(shirt["images"], json!(["https://cdn.example/shirt-2.jpg"]));
    assert_eq!(
        values(shirt, "attributes"),
        ["Size=S", "Colour=Red", "Size=M"]
    );
    assert_eq!(outcome.result.dropped_columns, ["Cost per item"]);
    let newer = export("shopify-newer.csv", &english());
    assert_eq!(newer.result.file.profile, "shopify");
    let comparable = |outcome: &Outcome| {
        let mut documents = outcome.documents.clone();
        documents
            .iter_mut()
            .for_each(|document| drop(document.remove("extra")));
        documents
    };
    for (newer, older) in comparable(&newer).iter().zip(&comparable(&outcome)) {
        assert_eq!(newer, older);
    }
}

#[test]
fn magento() {
    let outcome = export("magento.csv", &english());
    assert_eq!(outcome.result.file.profile, "magento");
    assert_eq!(outcome.result.received, 30);
    assert_eq!(
        outcome.result.skipped,
        BTreeMap::from([("not_published", 2), ("store_view", 1)])
    );
    let bag = outcome.document("24-MB01");
    assert_eq!(bag["priceInclTax"], 32);
    assert_eq!(
        bag["image"],
        "https://shop.example/media/catalog/product/m/b/x.jpg"
    );
    assert_eq!(
        bag["images"],
        json!(["https://shop.example/media/catalog/product/m/b/y.jpg"])
    );
    assert_eq!(bag["url"], "https://shop.example/24-mb01.html");
    assert_eq!(bag["categoryIds"], json!(["gear", "gear > bags"]));
    assert_eq!(bag["dateAdd"], "2018-02-19T01:06:00Z");
    assert_eq!(
        values(bag, "attributes"),
        [
            "Color=Black",
            "Size=M",
            "Material=Wool, soft",
            "Material=Silk"
        ]
    );
    assert_eq!(
        values(bag, "features"),
        ["Weight=1.5000", "activity=Gym", "activity=Hike"]
    );
    assert_eq!(
        (
            &outcome.document("24-MB02")["priceInclTax"],
            &outcome.document("24-MB02")["originalPriceInclTax"]
        ),
        (&json!(20), &json!(32))
    );
    assert_eq!(outcome.document("24-MB05")["outOfStock"], true);
    let shirt = outcome.document("WS01");
    assert_eq!(
        (&shirt["name"], &shirt["priceInclTax"]),
        (&json!("Shirt"), &json!(12))
    );
    assert_eq!(shirt["combinationReferences"], json!(["WS01-S", "WS01-M"]));
    assert_eq!(
        values(shirt, "attributes"),
        ["size=S", "color=Black", "size=M"]
    );
    assert!(!outcome.ids().contains(&"WS01-S"));
    let mut german = english();
    german.mapping.store_view = Some("german".to_owned());
    let german = export("magento.csv", &german);
    assert_eq!(german.document("24-MB01")["name"], "Tasche Größe");
    assert_eq!(german.document("24-MB01")["priceInclTax"], 32);
}

#[test]
fn shopware() {
    let outcome = export("shopware.csv", &english());
    assert_eq!(outcome.result.file.profile, "shopware");
    assert_eq!(outcome.result.received, 30);
    assert_eq!(
        outcome.result.skipped,
        BTreeMap::from([("not_published", 1)])
    );
    assert_eq!(outcome.documents.len(), 27);
    let second = outcome.document(&format!("{:032x}", 2));
    assert_eq!(
        (&second["priceInclTax"], &second["priceExclTax"]),
        (&json!(2.38), &json!(2))
    );
    assert_eq!(second["reference"], "SW10002");
    assert_eq!(second["manufacturer"], "Müller");
    assert_eq!(second.get("categories"), None);
    assert_eq!(
        second["categoryIds"],
        json!([format!("{:032x}", 255), format!("{:032x}", 256)])
    );
    assert_eq!(
        second["url"],
        format!("https://shop.example/detail/{:032x}", 2)
    );
    let parent = outcome.document(&format!("{:032x}", 1));
    assert_eq!(
        (&parent["priceInclTax"], &parent["quantity"]),
        (&json!(0.6), &json!(4))
    );
    assert_eq!(
        outcome.result.dropped_columns,
        ["purchase_prices_net", "purchase_prices_gross"]
    );
}
