//! 1. The configuration has a default for every key, and what is saved; a page in a language that the store lacks
//!    searches in the nearest one and reads labels in its own.
//! 2. It is private, for a minute; who has it gets 304 until something is saved.
//! 3. Without a good key, or for a suspended store, it is an error that pages of any origin can read. A paused store
//!    searches on.
//! 4. A malformed, unknown or doubled parameter is rejected; a language that the store lacks is not.
//! 5. Its filters are those that are configured, in their order, or automatic.
//! 6. Searches, suggestions and the configuration have the revision; it is exposed to scripts.
//! 7. Facets are labelled like the widget, in the store's own words.
//! 8. However much is saved, the data has at most 256 KiB.

use crate::harness::{Call, Reply, Shop, product};
use domain::store::StoreStatus;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn call<'a>(shop: &'a Shop, query: &str) -> Call<'a> {
    shop.api("GET", &format!("/widget/config{query}"))
        .key(&shop.public)
        .header("Origin", "https://shop.example")
}

fn config(shop: &Shop, query: &str) -> Value {
    call(shop, query).send().ok().data().clone()
}

fn save(shop: &Shop, body: &Value) {
    shop.own("PUT", "/widget").json(body).send().ok();
}

#[test]
fn everything_has_a_default() {
    let shop = Shop::open();
    let data = config(&shop, "");
    let sorts = json!([
        "relevance",
        "price_asc",
        "price_desc",
        "name",
        "newest",
        "sales",
        "rating"
    ]);
    assert_eq!(data["storeId"], shop.store.as_str());
    for (name, value) in [
        ("language", json!("es")),
        ("languages", json!(["es", "en"])),
        ("labelsLanguage", json!("es")),
        ("theme", json!("light")),
        ("layout", json!("grid")),
        ("position", json!("top")),
        ("sorts", sorts),
        ("filters", json!("automatic")),
    ] {
        assert_eq!(data[name], value, "{name}");
    }
    assert_eq!(data["features"]["analytics"], true);
    assert_eq!(data["labels"]["box.close"], "Cerrar");
    for unset in ["colors", "typography", "defaultSearch", "currency"] {
        assert_eq!(data.get(unset), None, "{unset}");
    }
}

#[test]
fn what_is_saved_is_shown() {
    let shop = Shop::open();
    let body = json!({
        "theme": "mine", "layout": "list", "position": "left", "colors": {"primary": "#123456", "own": "red"},
        "typography": {"size": 18}, "features": {"filters": false, "sorts": "sales, name", "mine": "yes"},
        "defaultSearch": {"q": "shoe", "limit": 12, "filters": {"price": {"max": 9}}},
        "translations": {"es": {"box.label": "Encuentra", "mine": "<b>Mío</b>"}, "es-mx": {"box.label": "Halla"}}
    });
    save(&shop, &body);
    shop.feed("POST", "/feed/currencies")
        .json(&json!({"base": "EUR", "currencies": [{"code": "EUR", "decimals": 2, "symbol": "€"}, {"code": "JPY"}]}))
        .send()
        .ok();
    let data = config(&shop, "?lang=es-MX");
    for name in [
        "theme",
        "layout",
        "position",
        "colors",
        "typography",
        "defaultSearch",
    ] {
        assert_eq!(data[name], body[name], "{name}");
    }
    assert_eq!(data["features"]["mine"], "yes");
    assert_eq!(data["sorts"], json!(["sales", "name"]));
    assert_eq!(data.get("filters"), None);
    let currencies = json!({"base": "EUR", "currencies": [{"code": "EUR", "decimals": 2, "symbol": "€"}, {"code": "JPY"}]});
    assert_eq!(data["currency"], currencies);
    let labels = &data["labels"];
    assert_eq!(
        [&labels["box.label"], &labels["mine"], &labels["box.close"]],
        ["Halla", "<b>Mío</b>", "Cerrar"]
    );
}

#[test]
fn a_page_in_any_language_searches() {
    let shop = Shop::open();
    for (lang, language, labels, close) in [
        ("en", "en", "en", "Close"),
        ("en-gb", "en", "en", "Close"),
        ("fr", "es", "fr", "Fermer"),
        ("pt_BR", "es", "pt", "Fechar"),
        ("zh-Hans", "es", "en", "Close"),
        ("en-x-klingon", "en", "en", "Close"),
        ("es-419", "es", "es", "Cerrar"),
    ] {
        let data = config(&shop, &format!("?lang={lang}"));
        assert_eq!(
            [
                &data["language"],
                &data["labelsLanguage"],
                &data["labels"]["box.close"]
            ],
            [language, labels, close],
            "{lang}"
        );
        let found = shop.search(&json!({"q": "x", "lang": data["language"]}));
        assert_eq!(found.status, 200, "{lang}");
    }
}

#[test]
fn bad_parameters_are_rejected() {
    let shop = Shop::open();
    for (query, field) in [
        ("?lang=", "query.lang"),
        ("?lang=e", "query.lang"),
        ("?lang=zh--Hans", "query.lang"),
        ("?lang=en%0d", "query.lang"),
        ("?lang=en&lang=es", "query.lang"),
        ("?language=en", "query.language"),
    ] {
        let reply = call(&shop, query).send().error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{query}");
        assert_eq!(reply.header("access-control-allow-origin"), "*");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
}

#[test]
fn without_a_good_key_there_is_nothing() {
    let shop = Shop::open();
    let with = |key: &str| shop.api("GET", "/widget/config").key(key).send();
    shop.api("GET", "/widget/config")
        .send()
        .error(401, "key_missing");
    with("pub_x").error(401, "key_invalid");
    with(&shop.read_key).error(403, "key_kind");
    with(&shop.connector).error(403, "key_kind");
    let set = |status| {
        shop.admin(AdminRequest::SetStore {
            store: shop.store.clone(),
            settings: StoreSettings {
                status: Some(status),
                ..StoreSettings::default()
            },
        });
    };
    set(StoreStatus::Paused);
    call(&shop, "").send().ok();
    set(StoreStatus::Suspended);
    let reply = call(&shop, "").send().error(403, "store_suspended");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
}

#[test]
fn browsers_keep_it_for_a_minute() {
    let shop = Shop::open();
    let first = call(&shop, "").send().ok();
    let values = |reply: &Reply, name: &str| {
        let values = reply.headers.get_all(name).iter();
        let texts: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
        texts.join(", ")
    };
    for (name, value) in [
        ("content-type", "application/json"),
        (
            "cache-control",
            "private, max-age=60, stale-while-revalidate=120",
        ),
        ("access-control-allow-origin", "*"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(first.header(name), value, "{name}");
    }
    for name in ["Accept-Encoding", "X-API-Key", "Authorization"] {
        assert!(values(&first, "vary").contains(name), "{name}");
    }
    let again = |tag: &str| call(&shop, "").header("If-None-Match", tag).send();
    let known = again(first.header("etag"));
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    for name in ["etag", "cache-control", "x-config-revision"] {
        assert_eq!(known.header(name), first.header(name), "{name}");
    }
    save(&shop, &json!({"layout": "list"}));
    let changed = again(first.header("etag")).ok();
    assert_ne!(changed.header("etag"), first.header("etag"));
    assert_eq!(changed.data()["layout"], "list");
}

#[test]
fn configured_filters_are_named_in_their_order() {
    let shop = Shop::open();
    let mut document = product("p1", "Camisa");
    document["attributes"] =
        json!([{"groupId": "2", "group": "Color", "id": "1", "value": "Rojo"}]);
    shop.bulk("products", "es", &json!([document])).ok();
    shop.until_found("es", &["p1"]);
    let filter = |body: Value| {
        let created = shop.own("POST", "/filters").json(&body).send().ok();
        created.data()["id"].as_str().expect("an id").to_owned()
    };
    filter(json!({"field": "price", "position": 3}));
    filter(json!({"field": "attributes.2", "position": 2}));
    filter(json!({"field": "rating", "position": 1, "label": {"fr": "Avis", "es": "Opiniones"}}));
    let hidden = filter(json!({"field": "tags", "position": 0, "active": false}));
    let shown = |lang: &str| config(&shop, &format!("?lang={lang}"))["filters"].clone();
    let named = |price: &str, rating: &str| {
        json!([
            {"field": "rating", "label": rating, "type": "range"},
            {"field": "attributes.2", "label": "Color", "type": "list"},
            {"field": "price", "label": price, "type": "range"}
        ])
    };
    assert_eq!(shown("es"), named("Precio", "Opiniones"));
    assert_eq!(shown("fr-be"), named("Prix", "Avis"));
    assert_eq!(shown("de"), named("Preis", "Opiniones"));
    shop.own("PUT", &format!("/filters/{hidden}"))
        .json(&json!({"active": true}))
        .send()
        .ok();
    assert_eq!(shown("es")[0]["label"], "Etiquetas");
    save(&shop, &json!({"features": {"filters": false}}));
    assert_eq!(shown("es"), Value::Null);
}

#[test]
fn every_response_has_the_revision() {
    let shop = Shop::open();
    let calls = || {
        [
            call(&shop, ""),
            shop.api("POST", "/search").json(&json!({"q": "x"})),
            shop.api("GET", "/search?q=x"),
            shop.api("POST", "/suggest").json(&json!({"q": "x"})),
            shop.api("GET", "/suggest?q=x"),
        ]
    };
    for saves in 0..3 {
        for call in calls() {
            let reply = call
                .key(&shop.public)
                .header("Origin", "https://shop.example")
                .send()
                .ok();
            assert_eq!(reply.header("x-config-revision"), saves.to_string());
            let exposed = reply.header("access-control-expose-headers");
            assert!(exposed.contains("x-config-revision"), "{exposed}");
        }
        save(&shop, &json!({"theme": format!("theme {saves}")}));
    }
}

#[test]
fn facets_are_labelled_like_the_widget() {
    let shop = Shop::open();
    let mut document = product("p1", "Camisa");
    document["manufacturer"] = json!("Acme");
    for language in ["es", "en"] {
        shop.bulk("products", language, &json!([document])).ok();
        shop.until_found(language, &["p1"]);
    }
    save(
        &shop,
        &json!({"translations": {"es": {"facet.manufacturer": "Fabricante", "value.inStock.true": "Ya"}}}),
    );
    let labels = |language: &str| {
        let found = shop.search(&json!({"q": "", "lang": language})).ok();
        let facets = found.data()["facets"].as_array().expect("a list").clone();
        let of = |field: &str| {
            let facet = facets.iter().find(|facet| facet["field"] == field);
            facet.expect("a facet").clone()
        };
        let (brand, stock) = (of("manufacturer"), of("inStock"));
        [
            brand["label"].clone(),
            stock["label"].clone(),
            stock["values"][0]["label"].clone(),
        ]
    };
    assert_eq!(labels("es"), ["Fabricante", "Disponibilidad", "Ya"]);
    assert_eq!(labels("en"), ["Brand", "Availability", "In stock"]);
}

#[test]
fn the_data_is_bounded() {
    let shop = Shop::open();
    let texts = |key: &str| -> Value {
        let texts = (0..125).map(|at| (format!("{key}{at}"), json!("x".repeat(1_000))));
        Value::Object(texts.collect())
    };
    let fonts = (0..90).map(|at| (format!("f{at}"), json!("y".repeat(250))));
    save(
        &shop,
        &json!({
            "translations": {"es": texts("base"), "es-mx": texts("own")},
            "typography": Value::Object(fonts.collect()),
            "defaultSearch": {"other": "z".repeat(9_900)}
        }),
    );
    let data = config(&shop, "?lang=es-mx");
    let bytes = data.to_string().len();
    assert!((250_000..=256 * 1024).contains(&bytes), "{bytes}");
    let labels = data["labels"].as_object().expect("an object");
    let own = labels.keys().filter(|key| key.starts_with("own")).count();
    assert_eq!(own, 125);
    assert!(labels.contains_key("box.label"));
}
