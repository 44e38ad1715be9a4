//! 1. A token selects the declared prices of its tier, country and currency; anything undeclared is as without a
//!    token.
//! 2. With access control on, anonymous shoppers are in the visitor group, a token's declared groups see their
//!    products, and an empty list sees products open to all; off, only `none` is filtered.
//! 3. A wrong, expired or oversized token, or one with a key of no installation, is no error: the response is
//!    anonymous.
//! 4. Responses to a token are not to be stored, and no response of one shopper is given to another.
//! 5. After a rotation the former key and secret work for 24 hours, in any combination, and then no longer.
//! 6. Suggestions see what searches see, and the simulator's visitor sees what a token with the same claims sees; its
//!    fields have their types.
//! 7. A declaration takes effect at once.

use crate::harness::{Reply, Shop, TestClock};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{KeyKind, Timestamp};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

const START: &str = "2026-11-20T15:00:00Z";
const HOUR_MS: i64 = 3_600_000;

pub(super) fn sign(claims: &Value, secret: &str) -> String {
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(signed.as_bytes());
    format!(
        "{signed}.{}",
        URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    )
}

/// A shop with declarations, and the key and secret of its installation.
struct Declared {
    shop: Shop,
    key: String,
    secret: String,
}

fn issue(shop: &Shop, rotate: bool) -> (String, String) {
    let body = json!({"instanceId": "i", "rotate": rotate});
    let issued = shop
        .feed("POST", "/feed/public-key")
        .json(&body)
        .send()
        .ok();
    let text = |name: &str| issued.data()[name].as_str().expect("text").to_owned();
    (text("publicKey"), text("contextSecret"))
}

impl Declared {
    fn new() -> Self {
        let start = Timestamp::parse(START).expect("a time");
        let shop = Shop::open_at(TestClock::fixed(start));
        let (key, secret) = issue(&shop, false);
        let declared = Self { shop, key, secret };
        declared.declare(
            "currencies",
            &json!({"base": "EUR", "currencies": [{"code": "USD"}]}),
        );
        declared.declare(
            "price-tiers",
            &json!({"tiers": [{"groupId": "4", "taxDisplay": "excl"}, {"groupId": "5"}]}),
        );
        declared.declare("price-countries", &json!({"countries": [{"iso": "fr"}]}));
        declared.groups(true);
        let product = |id: &str, groups: &Value| {
            let mut product = json!({
                "id": id, "name": "Bota", "currency": "EUR", "priceInclTax": 12.0, "priceExclTax": 10.0,
                "priceInclTax_USD": 13.0, "priceInclTax_t4": 9.0, "priceExclTax_t4": 8.0,
                "priceInclTax_t5": 7.0, "priceInclTax_t5_cfr": 6.0, "priceInclTax_cfr": 11.0,
                "priceInclTax_t6": 1.0, "priceInclTax_GBP": 1.0
            });
            if !groups.is_null() {
                product["accessGroups"] = groups.clone();
            }
            product
        };
        let documents = json!([
            product("open", &Value::Null),
            product("visitors", &json!(["1", "4"])),
            product("members", &json!(["4"])),
            product("nobody", &json!(["none"])),
            product("undeclared", &json!(["9"]))
        ]);
        declared.shop.bulk("products", "es", &documents).ok();
        crate::harness::eventually("all is found", || {
            declared
                .ids(&declared.with(&json!({"groups": ["4"]})))
                .len()
                == 3
        });
        declared
    }

    fn declare(&self, kind: &str, body: &Value) {
        let path = format!("/feed/{kind}");
        self.shop.feed("POST", &path).json(body).send().ok();
    }

    fn groups(&self, enabled: bool) {
        let groups = json!([{"id": "1"}, {"id": "4"}]);
        let body = json!({"enabled": enabled, "visitorGroup": "1", "groups": groups});
        self.declare("access-groups", &body);
    }

    fn token(&self, claims: &Value) -> String {
        let mut claims = claims.clone();
        claims["exp"] = json!(self.shop.clock.now().0 / 1000 + 60);
        sign(&claims, &self.secret)
    }

    fn search(&self, key: &str, token: Option<&str>) -> Reply {
        let mut body = json!({"q": "bota", "types": ["products"]});
        if let Some(token) = token {
            body["visitor"] = json!(token);
        }
        self.shop
            .api("POST", "/search")
            .key(key)
            .json(&body)
            .send()
            .ok()
    }

    fn with(&self, claims: &Value) -> Reply {
        self.search(&self.key, Some(&self.token(claims)))
    }

    fn ids(&self, reply: &Reply) -> Vec<String> {
        let hits = reply.data()["products"]["hits"].as_array().expect("hits");
        let mut ids: Vec<String> = hits
            .iter()
            .map(|hit| hit["id"].as_str().expect("an id").to_owned())
            .collect();
        assert_eq!(reply.data()["products"]["total"], ids.len());
        ids.sort();
        ids
    }
}

fn price(reply: &Reply) -> (f64, String) {
    let hit = &reply.data()["products"]["hits"][0];
    let field = hit["priceField"].as_str().unwrap_or_default().to_owned();
    (hit["price"].as_f64().unwrap_or(-1.0), field)
}

#[test]
fn prices_are_those_of_the_token() {
    let declared = Declared::new();
    for (claims, wanted, field) in [
        (json!({}), 12.0, "priceInclTax"),
        (json!({"currency": "USD"}), 13.0, "priceInclTax_USD"),
        (json!({"currency": "EUR"}), 12.0, "priceInclTax"),
        (json!({"currency": "GBP"}), 12.0, "priceInclTax"),
        (json!({"tier": "4"}), 8.0, "priceExclTax_t4"),
        (json!({"tier": "5"}), 7.0, "priceInclTax_t5"),
        (
            json!({"tier": "5", "country": "fr"}),
            6.0,
            "priceInclTax_t5_cfr",
        ),
        (
            json!({"tier": "4", "country": "fr"}),
            8.0,
            "priceExclTax_t4",
        ),
        (json!({"tier": "6"}), 12.0, "priceInclTax"),
        (json!({"country": "fr"}), 11.0, "priceInclTax_cfr"),
        (json!({"country": "de"}), 12.0, "priceInclTax"),
        (json!({"tier": "5", "currency": "USD"}), -1.0, ""),
    ] {
        let reply = declared.with(&claims);
        assert_eq!(price(&reply), (wanted, field.to_owned()), "{claims}");
        let mut visitor = claims.clone();
        visitor["groups"] = json!(["1"]);
        let body = json!({"q": "bota", "visitor": visitor});
        let simulated = declared
            .shop
            .own("POST", "/relevance/test")
            .json(&body)
            .send()
            .ok();
        let shown = simulated.data()["hits"][0]["price"]
            .as_f64()
            .unwrap_or(-1.0);
        assert_eq!(shown, wanted, "simulated {claims}");
    }
    // The cached anonymous response is not the one for a token, nor the other way round.
    assert_eq!(price(&declared.search(&declared.key, None)).0, 12.0);
}

#[test]
fn groups_see_their_own_products() {
    let declared = Declared::new();
    let visitors = vec!["open", "visitors"];
    for (claims, wanted) in [
        (json!({}), visitors.clone()),
        (json!({"groups": ["1"]}), visitors.clone()),
        (
            json!({"groups": ["4"]}),
            vec!["members", "open", "visitors"],
        ),
        (json!({"groups": []}), vec!["open"]),
        (json!({"groups": ["none"]}), vec!["open"]),
        (json!({"groups": ["9"]}), vec!["open"]),
        (
            json!({"groups": ["9", "none", "4"]}),
            vec!["members", "open", "visitors"],
        ),
    ] {
        assert_eq!(declared.ids(&declared.with(&claims)), wanted, "{claims}");
        let body = json!({"q": "bota", "visitor": declared.token(&claims)});
        let call = declared.shop.api("POST", "/suggest").key(&declared.key);
        let suggested = call.json(&body).send().ok();
        let hits = suggested.data()["products"]["hits"]
            .as_array()
            .map(Vec::len);
        assert_eq!(hits, Some(wanted.len()), "suggested {claims}");
        let body = json!({"q": "bota", "visitor": claims});
        let simulated = declared
            .shop
            .own("POST", "/relevance/test")
            .json(&body)
            .send()
            .ok();
        assert_eq!(
            simulated.data()["total"],
            wanted.len(),
            "simulated {claims}"
        );
    }
    assert_eq!(
        declared.ids(&declared.search(&declared.key, None)),
        visitors
    );
    declared.groups(false);
    let all = vec!["members", "open", "undeclared", "visitors"];
    for claims in [json!({}), json!({"groups": []}), json!({"groups": ["1"]})] {
        assert_eq!(declared.ids(&declared.with(&claims)), all, "{claims}");
    }
    assert_eq!(declared.ids(&declared.search(&declared.key, None)), all);
}

#[test]
fn an_invalid_token_is_ignored() {
    let declared = Declared::new();
    let claims =
        json!({"groups": ["4"], "tier": "5", "exp": declared.shop.clock.now().0 / 1000 + 3_601});
    let right = declared.token(&json!({"groups": ["4"], "tier": "5"}));
    let other = issue_other(&declared.shop);
    for token in [
        sign(&claims, &declared.secret),
        sign(&json!({"groups": ["4"]}), &declared.secret),
        sign(&claims, "ctx_forged"),
        sign(&claims, ""),
        right.replacen('.', "..", 1),
        format!("{right}x"),
        String::new(),
        "x".repeat(100_000),
    ] {
        let reply = declared.search(&declared.key, Some(&token));
        assert_eq!(declared.ids(&reply), ["open", "visitors"]);
        assert_eq!(price(&reply).0, 12.0);
        assert_eq!(reply.header("Cache-Control"), "no-store");
    }
    // A key of another installation, and one of no installation, know nothing of this secret.
    let panel = declared
        .shop
        .new_key(&declared.shop.store, KeyKind::SearchOnly, None);
    for key in [other, panel] {
        let reply = declared.search(&key, Some(&right));
        assert_eq!(declared.ids(&reply), ["open", "visitors"]);
    }
    let reply = declared.search(&declared.key, Some(&right));
    assert_eq!(declared.ids(&reply).len(), 3);
    assert_eq!(reply.header("Cache-Control"), "no-store");
    let without = declared.search(&declared.key, None);
    assert_eq!(without.header("Cache-Control"), "no-store");
    let in_address = format!("/search?visitor={right}");
    let response = declared
        .shop
        .api("GET", &in_address)
        .key(&declared.key)
        .send();
    response.error(400, "invalid_request");
}

fn issue_other(shop: &Shop) -> String {
    let body = json!({"instanceId": "other"});
    let issued = shop
        .feed("POST", "/feed/public-key")
        .json(&body)
        .send()
        .ok();
    issued.data()["publicKey"]
        .as_str()
        .expect("a key")
        .to_owned()
}

#[test]
fn former_keys_and_secrets_work_for_a_day() {
    let mut declared = Declared::new();
    let (old_key, old_secret) = (declared.key.clone(), declared.secret.clone());
    let (new_key, new_secret) = issue(&declared.shop, true);
    declared.shop.clock.advance_ms(12 * HOUR_MS);
    let (last_key, last_secret) = issue(&declared.shop, true);
    let sees_all = |declared: &Declared, key: &str, secret: &str| {
        let exp = declared.shop.clock.now().0 / 1000 + 60;
        let token = sign(&json!({"groups": ["4"], "exp": exp}), secret);
        declared.ids(&declared.search(key, Some(&token))).len() == 3
    };
    declared.shop.clock.advance_ms(12 * HOUR_MS - 1);
    for key in [&old_key, &new_key, &last_key] {
        for secret in [&old_secret, &new_secret, &last_secret] {
            assert!(sees_all(&declared, key, secret), "{key} {secret}");
        }
    }
    declared.shop.clock.advance_ms(1);
    let gone = declared
        .shop
        .api("POST", "/search")
        .key(&old_key)
        .json(&json!({}))
        .send();
    gone.error(401, "key_invalid");
    assert!(!sees_all(&declared, &last_key, &old_secret));
    assert!(sees_all(&declared, &new_key, &new_secret));
    declared.shop.clock.advance_ms(12 * HOUR_MS);
    assert!(!sees_all(&declared, &last_key, &new_secret));
    declared.secret = last_secret.clone();
    assert!(sees_all(&declared, &last_key, &last_secret));
}

#[test]
fn the_fields_of_a_simulated_visitor_have_their_types() {
    let declared = Declared::new();
    let test = |visitor: Value| {
        let body = json!({"q": "bota", "visitor": visitor});
        declared
            .shop
            .own("POST", "/relevance/test")
            .json(&body)
            .send()
    };
    for (visitor, field) in [
        (json!("token"), "visitor"),
        (json!({"groups": "4"}), "visitor.groups"),
        (json!({"groups": [4]}), "visitor.groups[0]"),
        (json!({"tier": 4}), "visitor.tier"),
        (json!({"country": null}), "visitor.country"),
        (json!({"curency": "USD"}), "visitor.curency"),
    ] {
        assert_eq!(
            test(visitor).error(400, "invalid_request").fields(),
            [field]
        );
    }
    let undeclared = json!({"groups": ["9"], "tier": "9", "country": "zz", "currency": "XXX"});
    let simulated = test(undeclared).ok();
    assert_eq!(
        (
            &simulated.data()["total"],
            &simulated.data()["hits"][0]["price"]
        ),
        (&json!(1), &json!(12.0))
    );
}
