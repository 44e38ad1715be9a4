//! Random shops and visitors, and a slow model of who sees which product at which price.

use crate::public::visitors::sign;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every price is at least this large, and nothing else in a response is.
pub const LARGE: f64 = 1_000_000.0;
const KINDS: [&str; 4] = [
    "priceInclTax",
    "priceExclTax",
    "originalPriceInclTax",
    "originalPriceExclTax",
];
/// In documents; each is declared by some shops only, and the last one by none.
const CURRENCIES: [&str; 3] = ["USD", "GBP", "CHF"];
const TIERS: [&str; 3] = ["4", "5", "6"];
const COUNTRIES: [&str; 3] = ["fr", "de", "it"];
const GROUPS: [&str; 4] = ["1", "4", "5", "9"];

/// A shop and what happens in it.
#[derive(Clone, Debug)]
pub struct Case {
    pub world: World,
    pub steps: Vec<Step>,
}

/// A shop: its products and declarations.
#[derive(Clone, Debug)]
pub struct World {
    pub products: Vec<Product>,
    currencies: Vec<&'static str>,
    /// Each with whether its prices are shown without tax.
    tiers: BTreeMap<&'static str, bool>,
    countries: Vec<&'static str>,
    /// The declared groups besides the visitor group, if access is controlled.
    groups: Option<Vec<&'static str>>,
}

/// A product with its prices by field, in cents.
#[derive(Clone, Debug)]
pub struct Product {
    pub id: String,
    prices: BTreeMap<String, u64>,
    groups: Option<Vec<&'static str>>,
}

/// Who searches.
#[derive(Clone, Debug)]
pub enum Visitor {
    /// Without a token.
    Anonymous,
    /// With a token that is too old.
    Expired(Claims),
    /// With a token.
    Known(Claims),
}

/// The claims of a token.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    groups: Option<Vec<&'static str>>,
    tier: Option<&'static str>,
    country: Option<&'static str>,
    currency: Option<&'static str>,
}

/// A search.
#[derive(Clone, Debug)]
pub struct Step {
    pub visitor: Visitor,
    pub q: &'static str,
    pub sort: &'static str,
    pub session: Option<&'static str>,
    pub page: u32,
    pub limit: u32,
    /// A range filter, in cents.
    pub range: Option<(u64, u64)>,
}

/// A visitor's price of a product, in cents.
#[derive(Clone, Debug)]
pub struct OwnPrice {
    pub cents: u64,
    pub original: Option<u64>,
    pub field: String,
}

fn field(kind: &str, currency: Option<&str>, tier: Option<&str>, country: Option<&str>) -> String {
    let part = |mark: &str, part: Option<&str>| {
        part.map_or(String::new(), |part| format!("_{mark}{part}"))
    };
    let (currency, tier, country) = (part("", currency), part("t", tier), part("c", country));
    format!("{kind}{currency}{tier}{country}")
}

/// One of `all` or none.
fn each(all: [&'static str; 3]) -> impl Iterator<Item = Option<&'static str>> + Clone {
    std::iter::once(None).chain(all.into_iter().map(Some))
}

fn all_fields() -> Vec<String> {
    let mut fields = Vec::new();
    for currency in each(CURRENCIES) {
        for tier in each(TIERS) {
            for country in each(COUNTRIES) {
                fields.extend(KINDS.map(|kind| field(kind, currency, tier, country)));
            }
        }
    }
    fields
}

/// A price that no other field of any product has, nor one within some units of it; which is larger looks random.
fn price(product: usize, place: usize, fields: usize) -> u64 {
    let number = (product * fields + place) * 7_919 % 100_003;
    let cents = (product + place) % 100;
    (1_000_000 + 11 * number as u64) * 100 + cents as u64
}

impl Product {
    fn new(at: usize, present: &[bool], groups: Option<Vec<&'static str>>) -> Self {
        let fields = all_fields();
        let count = fields.len();
        let prices = fields.into_iter().enumerate();
        let prices = prices.filter(|(place, _)| present[*place]);
        Self {
            id: at.to_string(),
            prices: prices
                .map(|(place, field)| (field, price(at, place, count)))
                .collect(),
            groups,
        }
    }

    /// Whether nobody may see it.
    pub fn is_closed(&self) -> bool {
        self.groups
            .as_ref()
            .is_some_and(|groups| groups.contains(&"none"))
    }

    /// The document that the feed sends.
    pub fn document(&self) -> Value {
        let name = if self.id.ends_with(['0', '2', '4', '6', '8']) {
            "Bota roja"
        } else {
            "Bota azul"
        };
        let mut document =
            json!({"id": self.id, "name": name, "currency": "EUR", "tags": ["nuevo"]});
        for (field, cents) in &self.prices {
            document[field] = json!(*cents as f64 / 100.0);
        }
        if let Some(groups) = &self.groups {
            document["accessGroups"] = json!(groups);
        }
        document
    }
}

impl Visitor {
    /// A visitor with the prices of a tier.
    pub fn of_tier(tier: &'static str) -> Self {
        let tier = Some(tier);
        Self::Known(Claims {
            tier,
            ..Claims::default()
        })
    }

    /// Whether no token is sent.
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Self::Anonymous)
    }

    fn known(&self) -> Claims {
        match self {
            Self::Known(claims) => claims.clone(),
            Self::Anonymous | Self::Expired(_) => Claims::default(),
        }
    }

    /// The claims, if they count.
    pub fn claims(&self) -> Option<Value> {
        match self {
            Self::Known(claims) => Some(claims.json()),
            Self::Anonymous | Self::Expired(_) => None,
        }
    }

    /// The token at `now` in milliseconds.
    pub fn token(&self, now: i64, secret: &str) -> Option<String> {
        let (claims, left_s) = match self {
            Self::Anonymous => return None,
            Self::Expired(claims) => (claims, -1),
            Self::Known(claims) => (claims, 60),
        };
        let mut claims = claims.json();
        claims["exp"] = json!(now / 1_000 + left_s);
        Some(sign(&claims, secret))
    }
}

impl Claims {
    fn json(&self) -> Value {
        let mut claims = json!({});
        let texts = [
            ("tier", self.tier),
            ("country", self.country),
            ("currency", self.currency),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                claims[name] = json!(text);
            }
        }
        if let Some(groups) = &self.groups {
            claims["groups"] = json!(groups);
        }
        claims
    }
}

impl Step {
    /// The body of the search.
    pub fn search(&self, token: Option<&str>) -> Value {
        let mut body = json!({
            "q": self.q, "lang": "es", "types": ["products"], "sort": self.sort, "page": self.page, "limit": self.limit
        });
        if let Some((least, most)) = self.range {
            body["filters"] =
                json!({"price": {"min": least as f64 / 100.0, "max": most as f64 / 100.0}});
        }
        if let Some(session) = self.session {
            body["sessionId"] = json!(session);
        }
        if let Some(token) = token {
            body["visitor"] = json!(token);
        }
        body
    }
}

impl World {
    /// A shop with one product, which has a price for everybody and one for a tier.
    pub fn example() -> Self {
        let fields = all_fields();
        let present: Vec<bool> = fields
            .iter()
            .map(|field| ["priceInclTax", "priceInclTax_t4"].contains(&field.as_str()))
            .collect();
        Self {
            products: vec![Product::new(0, &present, None)],
            currencies: Vec::new(),
            tiers: BTreeMap::from([("4", false)]),
            countries: Vec::new(),
            groups: None,
        }
    }

    /// The declarations as paths and bodies.
    pub fn declarations(&self) -> Vec<(&'static str, Value)> {
        let currencies: Vec<_> = self
            .currencies
            .iter()
            .map(|code| json!({"code": code}))
            .collect();
        let tax = |without: bool| if without { "excl" } else { "incl" };
        let tiers = self.tiers.iter();
        let tiers = tiers.map(|(id, without)| json!({"groupId": id, "taxDisplay": tax(*without)}));
        let countries: Vec<_> = self
            .countries
            .iter()
            .map(|iso| json!({"iso": iso}))
            .collect();
        let mut groups = vec![json!({"id": "1"})];
        groups.extend(self.groups.iter().flatten().map(|id| json!({"id": id})));
        vec![
            (
                "currencies",
                json!({"base": "EUR", "currencies": currencies}),
            ),
            ("price-tiers", json!({"tiers": tiers.collect::<Vec<_>>()})),
            ("price-countries", json!({"countries": countries})),
            (
                "access-groups",
                json!({"enabled": self.groups.is_some(), "visitorGroup": "1", "groups": groups}),
            ),
        ]
    }

    /// Whether the visitor may see the product.
    pub fn is_visible(&self, product: &Product, visitor: &Visitor) -> bool {
        let (Some(wanted), false) = (&product.groups, product.is_closed()) else {
            return !product.is_closed();
        };
        let Some(declared) = &self.groups else {
            return true;
        };
        let groups = visitor.known().groups.unwrap_or_else(|| vec!["1"]);
        let counts = |group: &&str| *group == "1" || declared.contains(group);
        groups
            .iter()
            .filter(|group| counts(group))
            .any(|group| wanted.contains(group))
    }

    /// The visitor's price, from the declared prices that the product has.
    pub fn price(&self, product: &Product, visitor: &Visitor) -> Option<OwnPrice> {
        let claims = visitor.known();
        let currency = claims
            .currency
            .filter(|code| self.currencies.contains(code));
        let tier = claims.tier.filter(|tier| self.tiers.contains_key(tier));
        let country = claims.country.filter(|iso| self.countries.contains(iso));
        let without_tax = tier.is_some_and(|tier| self.tiers[tier]);
        let (kind, former) = match without_tax {
            true => (KINDS[1], KINDS[3]),
            false => (KINDS[0], KINDS[2]),
        };
        let of = |country: Option<&str>| {
            let field_of = |kind| field(kind, currency, tier, country);
            let field = field_of(kind);
            let cents = *product.prices.get(&field)?;
            let original = product.prices.get(&field_of(former)).copied();
            Some(OwnPrice {
                cents,
                original: original.filter(|original| *original > cents),
                field,
            })
        };
        country
            .and_then(|country| of(Some(country)))
            .or_else(|| of(None))
    }

    /// The products that a search finds on all its pages.
    pub fn found(&self, step: &Step) -> Vec<&Product> {
        let named = |product: &&Product| {
            let name = product.document()["name"]
                .as_str()
                .unwrap_or_default()
                .to_lowercase();
            name.contains(step.q)
        };
        let within = |product: &&Product| match step.range {
            None => true,
            Some((least, most)) => self
                .price(product, &step.visitor)
                .is_some_and(|price| (least..=most).contains(&price.cents)),
        };
        let visible = self
            .products
            .iter()
            .filter(|product| self.is_visible(product, &step.visitor));
        visible.filter(named).filter(within).collect()
    }
}

/// Random cases. Most have prices that are not declared, and visitors who claim what is not.
pub fn case() -> impl Strategy<Value = Case> {
    let steps = vec(step(), 12..24);
    (world(), steps).prop_map(|(world, steps)| Case { world, steps })
}

fn world() -> impl Strategy<Value = World> {
    let fields = all_fields().len();
    let groups = prop_oneof![
        3 => Just(None),
        1 => Just(Some(vec!["none"])),
        4 => subsequence(GROUPS.to_vec(), 1..=2).prop_map(Some),
    ];
    let products = vec((vec(prop::bool::weighted(0.6), fields), groups), 1..14);
    (
        products,
        subsequence(CURRENCIES[..2].to_vec(), 0..=2),
        subsequence(TIERS[..2].to_vec(), 0..=2),
        any::<[bool; 2]>(),
        subsequence(COUNTRIES[..2].to_vec(), 0..=2),
        option::of(subsequence(vec!["4", "5"], 0..=2)),
    )
        .prop_map(
            |(products, currencies, tiers, without_tax, countries, groups)| World {
                products: products
                    .into_iter()
                    .enumerate()
                    .map(|(at, (present, groups))| Product::new(at, &present, groups))
                    .collect(),
                currencies,
                tiers: tiers.into_iter().zip(without_tax).collect(),
                countries,
                groups,
            },
        )
}

fn visitor() -> impl Strategy<Value = Visitor> {
    let claims = (
        option::of(subsequence(vec!["1", "4", "5", "9", "none"], 0..=3)),
        option::of(select(TIERS.to_vec())),
        option::of(select(COUNTRIES.to_vec())),
        option::of(select(CURRENCIES.to_vec())),
    );
    let claims = claims.prop_map(|(groups, tier, country, currency)| Claims {
        groups,
        tier,
        country,
        currency,
    });
    prop_oneof![
        2 => Just(Visitor::Anonymous),
        1 => claims.clone().prop_map(Visitor::Expired),
        7 => claims.prop_map(Visitor::Known),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let bound = (1_000_000_u64..2_100_000).prop_map(|units| units * 100);
    let range = (bound.clone(), bound).prop_map(|(one, other)| (one.min(other), one.max(other)));
    (
        visitor(),
        select(vec!["", "bota", "roja"]),
        select(vec!["relevance", "price_asc", "price_desc", "name"]),
        // Few sessions, so that visitors share them.
        option::of(select(vec!["a", "b"])),
        (1_u32..3, select(vec![2_u32, 5, 50])),
        option::weighted(0.3, range),
    )
        .prop_map(|(visitor, q, sort, session, (page, limit), range)| Step {
            visitor,
            q,
            sort,
            session,
            page,
            limit,
            range,
        })
}
