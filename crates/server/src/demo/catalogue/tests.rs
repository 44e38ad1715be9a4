//! 1. The catalogue has about 160 products and 700 variants on two levels of categories.
//! 2. Ids, references, MPNs and EANs are unique; EANs are in-store ones with a correct check digit.
//! 3. Both languages have the same products, complete, with the same codes, numbers and ids.
//! 4. The feed accepts every document.
//! 5. Every option, brand, category and picture that a product refers to exists.
//! 6. Prices without tax follow from the department; a former price is present only if it is higher.

use super::*;
use crate::demo::pictures;
use domain::{DocType, Document};
use serde_json::json;
use std::collections::BTreeSet;

const BASE: &str = "http://127.0.0.1:7700";

fn texts(document: &Value, field: &str) -> Vec<String> {
    let list = document[field].as_array().cloned().unwrap_or_default();
    list.iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_catalogue_has_the_size_of_a_small_shop() {
    let products = documents("en", BASE);
    let variants: usize = products
        .iter()
        .map(|p| texts(p, "combinationReferences").len().max(1))
        .sum();
    assert!((155..=175).contains(&products.len()), "{}", products.len());
    assert!((600..=800).contains(&variants), "{variants}");
    assert_eq!(categories("en", BASE).len(), 18);
    let counted: u64 = categories("en", BASE)
        .iter()
        .filter(|c| c["level"] == json!(2))
        .filter_map(|c| c["productCount"].as_u64())
        .sum();
    assert_eq!(counted as usize, products.len());
}

#[test]
fn codes_are_unique_and_eans_are_valid() {
    let mut seen = BTreeSet::new();
    for product in documents("es", BASE) {
        let mut codes = Vec::new();
        for field in ["id", "reference", "mpn", "ean13"] {
            codes.extend(product[field].as_str().map(str::to_owned));
        }
        let eans = texts(&product, "combinationEans");
        for ean in eans.iter().chain(codes.last()) {
            assert_eq!((ean.len(), &ean[..2]), (13, "20"), "{ean}");
            assert_eq!(
                codes::check_digit(&ean[..12]).to_string(),
                ean[12..],
                "{ean}"
            );
        }
        codes.extend(eans);
        for field in ["combinationReferences", "combinationMpns"] {
            codes.extend(texts(&product, field));
        }
        for code in codes {
            assert!(seen.insert(code.clone()), "{code} is not unique");
        }
    }
}

#[test]
fn both_languages_are_complete() {
    let (english, spanish) = (documents("en", BASE), documents("es", BASE));
    assert_eq!(english.len(), spanish.len());
    for (en, es) in english.iter().zip(&spanish) {
        let id = &en["id"];
        for field in [
            "id",
            "reference",
            "quantity",
            "priceInclTax",
            "categoryIds",
            "image",
        ] {
            assert_eq!(en[field], es[field], "{id} {field}");
        }
        for field in ["name", "short_description", "description"] {
            assert_ne!(en[field], es[field], "{id} {field}");
            assert!(
                es[field].as_str().is_some_and(|t| !t.is_empty()),
                "{id} {field}"
            );
        }
        for field in ["attributes", "features", "tags"] {
            let (a, b) = (en[field].as_array(), es[field].as_array());
            assert_eq!(a.map(Vec::len), b.map(Vec::len), "{id} {field}");
        }
        for (a, b) in en["features"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(es["features"].as_array().into_iter().flatten())
        {
            assert_eq!(
                (&a["featureId"], &a["id"]),
                (&b["featureId"], &b["id"]),
                "{id}"
            );
        }
    }
}

#[test]
fn the_feed_accepts_every_document() {
    for language in LANGUAGES {
        for (doc_type, list) in [
            (DocType::Products, documents(language, BASE)),
            (DocType::Categories, categories(language, BASE)),
            (DocType::Brands, brands(language, BASE)),
        ] {
            for (at, document) in list.into_iter().enumerate() {
                let parsed = Document::parse(doc_type, at, document);
                assert!(parsed.is_ok(), "{parsed:?}");
            }
        }
    }
}

#[test]
fn everything_that_a_product_refers_to_exists() {
    let (shop, shelves) = read();
    for (key, shelf) in &shelves {
        assert!(shop.categories.iter().any(|c| c.key == *key), "{key}");
        for product in &shelf.products {
            let wanted: usize = product.options.iter().map(|o| o.values.len()).sum();
            let found = codes::chosen(&shop.groups, &product.options);
            assert_eq!(
                found.iter().map(Vec::len).sum::<usize>(),
                wanted,
                "{}",
                product.id
            );
            assert!(
                shop.brands.iter().any(|b| b.name == product.brand),
                "{}",
                product.brand
            );
            let picture = pictures::svg(&product.kind, &product.colour);
            assert!(picture.is_some(), "{}-{}", product.kind, product.colour);
        }
    }
}

#[test]
fn prices_follow_the_tax_of_the_department() {
    for product in documents("en", BASE) {
        let vat = if texts(&product, "categoryIds").contains(&"6".to_owned()) {
            1.04
        } else {
            1.21
        };
        let number = |field: &str| product[field].as_f64();
        let (with, without) = (number("priceInclTax"), number("priceExclTax"));
        let gap = with.zip(without).map(|(w, wo)| (w - wo * vat).abs());
        assert!(gap.is_some_and(|gap| gap < 0.01), "{}", product["id"]);
        let former = number("originalPriceInclTax");
        assert_eq!(
            former.is_some(),
            product["onSale"] == json!(true),
            "{}",
            product["id"]
        );
        assert!(
            former.is_none_or(|former| Some(former) > with),
            "{}",
            product["id"]
        );
    }
}
