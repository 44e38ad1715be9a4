//! The visibility and price of a document for one shopper, computed from its JSON.

use super::shop::PRICE_FIELDS;
use domain::document::Document;
use domain::document::price::PriceContext;
use domain::visitor::{DocumentAccess, Visitor};
use proptest::collection::btree_set;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use std::sync::Arc;

/// The price of a document for a shopper.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    pub price: f64,
    pub original: Option<f64>,
    /// Name of its field.
    pub field: String,
}

/// The shopper's price by the names of price fields (`docs/feed.md`).
pub fn price(document: &Document, visitor: &Visitor) -> Option<Price> {
    let PriceContext {
        currency,
        tier,
        country,
        without_tax,
    } = &visitor.prices;
    let kind = if *without_tax {
        "PriceExclTax"
    } else {
        "PriceInclTax"
    };
    let mut suffix = String::new();
    if let Some(currency) = currency {
        suffix += &format!("_{currency}");
    }
    if let Some(tier) = tier {
        suffix += &format!("_t{tier}");
    }
    let mut suffixes = vec![suffix.clone()];
    if let Some(country) = country {
        suffixes.insert(0, format!("{suffix}_c{country}"));
    }
    let number = |name: &str| document.body.get(name).and_then(Value::as_f64);
    let asked = |suffix: &String| format!("p{}{suffix}", &kind[1..]);
    let suffix = suffixes
        .iter()
        .find(|suffix| number(&asked(suffix)).is_some())?;
    let price = number(&asked(suffix))?;
    let former = number(&format!("original{kind}{suffix}"));
    Some(Price {
        price,
        original: former.filter(|former| *former > price),
        field: asked(suffix),
    })
}

/// Whether the shopper may see a document.
pub fn may_see(document: &Document, visitor: &Visitor) -> bool {
    let Some(groups) = document.body.get("accessGroups").and_then(Value::as_array) else {
        return true;
    };
    let mut groups = groups
        .iter()
        .filter_map(Value::as_str)
        .filter(|group| *group != "none");
    match &visitor.access {
        DocumentAccess::Unrestricted => groups.next().is_some(),
        DocumentAccess::Groups(own) => groups.any(|group| own.contains(group)),
    }
}

/// Shoppers of all kinds: half of them anonymous in a shop without declarations.
pub fn shoppers() -> impl Strategy<Value = Arc<Visitor>> {
    let context = (
        weighted(0.3, select(vec!["USD", "GBP"])),
        weighted(0.3, select(vec!["4", "5"])),
        weighted(0.4, select(vec!["fr", "de"])),
        weighted(0.3, Just(())),
    );
    let groups = btree_set(select(vec!["vip", "staff", "none"]), 0..3);
    let access = prop_oneof![
        1 => Just(DocumentAccess::Unrestricted),
        2 => groups.prop_map(|own| DocumentAccess::Groups(own.into_iter().map(str::to_owned).collect())),
    ];
    let known = (context, access).prop_map(|((currency, tier, country, without_tax), access)| {
        let text = |text: Option<&str>| text.map(str::to_owned);
        Arc::new(Visitor {
            prices: PriceContext {
                currency: text(currency),
                tier: text(tier),
                country: text(country),
                without_tax: without_tax.is_some(),
            },
            access,
        })
    });
    prop_oneof![1 => Just(Arc::default()), 1 => known]
}

#[test]
fn the_names_of_prices_are_those_of_the_shop() {
    let document = |name: &str| {
        let body = serde_json::json!({"id": "1", "name": "x", name: 5});
        Document::parse(domain::DocType::Products, 0, body).expect("a document")
    };
    let visitor = Visitor {
        prices: PriceContext {
            currency: Some("USD".to_owned()),
            tier: Some("4".to_owned()),
            country: Some("fr".to_owned()),
            without_tax: false,
        },
        ..Visitor::default()
    };
    let met = PRICE_FIELDS
        .iter()
        .filter(|name| price(&document(name), &visitor).is_some());
    assert_eq!(
        met.collect::<Vec<_>>(),
        [&"priceInclTax_USD_t4", &"priceInclTax_USD_t4_cfr"]
    );
}
