//! 1. Currency, tier and country count only if they are declared; the base ones have no suffix.
//! 2. With access control on, groups count only if they are declared; without the claim it is the visitor group.
//! 3. With access control off or undeclared, access is not restricted.

use super::Claims;
use domain::declarations::Declarations;
use domain::visitor::DocumentAccess;
use serde_json::{Value, json};

fn declared() -> Declarations {
    Declarations {
        currencies: serde_json::from_value(
            json!({"base": "EUR", "currencies": [{"code": "EUR"}, {"code": "USD"}]}),
        )
        .ok(),
        price_tiers: serde_json::from_value(json!({"tiers": [
            {"groupId": "4", "taxDisplay": "excl"}, {"groupId": "5"}
        ]}))
        .ok(),
        price_countries: serde_json::from_value(
            json!({"base": "es", "countries": [{"iso": "fr"}]}),
        )
        .ok(),
        access_groups: serde_json::from_value(json!({
            "enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]
        }))
        .ok(),
    }
}

fn claims(value: Value) -> Claims {
    serde_json::from_value(value).expect("claims")
}

fn prices(value: Value) -> [String; 4] {
    let prices = claims(value).resolve(&declared()).prices;
    [
        prices.currency.unwrap_or_default(),
        prices.tier.unwrap_or_default(),
        prices.country.unwrap_or_default(),
        prices.without_tax.to_string(),
    ]
}

fn groups(claims: &Claims, declared: &Declarations) -> Option<Vec<String>> {
    match claims.resolve(declared).access {
        DocumentAccess::Unrestricted => None,
        DocumentAccess::Groups(groups) => Some(groups.into_iter().collect()),
    }
}

#[test]
fn prices_are_those_that_are_declared() {
    for (claim, wanted) in [
        (json!({}), ["", "", "", "false"]),
        (json!({"currency": "USD"}), ["USD", "", "", "false"]),
        (json!({"currency": "EUR"}), ["", "", "", "false"]),
        (json!({"currency": "GBP"}), ["", "", "", "false"]),
        (json!({"tier": "4"}), ["", "4", "", "true"]),
        (
            json!({"tier": "5", "country": "fr"}),
            ["", "5", "fr", "false"],
        ),
        (json!({"tier": "6", "country": "de"}), ["", "", "", "false"]),
        (json!({"tier": "1", "country": "es"}), ["", "", "", "false"]),
    ] {
        assert_eq!(prices(claim.clone()), wanted, "{claim}");
    }
    let none = claims(json!({"currency": "USD", "tier": "4", "country": "fr"}));
    let visitor = none.resolve(&Declarations::default());
    assert_eq!(visitor, domain::visitor::Visitor::default());
}

#[test]
fn groups_are_those_that_are_declared() {
    for (claim, wanted) in [
        (json!({}), vec!["1"]),
        (json!({"groups": null}), vec!["1"]),
        (json!({"groups": []}), vec![]),
        (json!({"groups": ["none"]}), vec![]),
        (json!({"groups": ["4", "none"]}), vec!["4"]),
        (json!({"groups": ["9"]}), vec![]),
        (json!({"groups": ["4", "1", "4"]}), vec!["1", "4"]),
    ] {
        let found = groups(&claims(claim.clone()), &declared());
        assert_eq!(found.unwrap_or_default(), wanted, "{claim}");
    }
}

#[test]
fn nothing_is_filtered_without_access_control() {
    let mut off = declared();
    if let Some(groups) = &mut off.access_groups {
        groups.enabled = false;
    }
    for declared in [off, Declarations::default()] {
        for claim in [json!({}), json!({"groups": []}), json!({"groups": ["4"]})] {
            assert_eq!(groups(&claims(claim), &declared), None);
        }
    }
    // All groups withdrawn while access control stays on: everybody sees what is open to all.
    let mut withdrawn = declared();
    if let Some(groups) = &mut withdrawn.access_groups {
        groups.groups.clear();
    }
    assert_eq!(groups(&Claims::default(), &withdrawn), Some(Vec::new()));
}
