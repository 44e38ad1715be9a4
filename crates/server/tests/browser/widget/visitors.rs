//! Who searches: the shop's token, its prices.
//!
//! 1. A token is asked at first use; a query waits for it 0.8 s, goes without it, and is repeated when it comes.
//! 2. The token stands in no storage and no address, and addresses of other origins are not asked.
//!    Prices of the shopper's group, or in the shopper's currency, take the place of everybody's when it comes.
//! 3. `refresh` forgets it, and so does a page that comes back from the back-forward cache after a log-out.
//!    A shop that is slow to hand it out holds up one query.
//! 4. Live prices come in requests of at most 48 ids and move nothing; missing ones and late ones are the
//!    index's, hidden ones none; so are those of the panel and of offered products.

use crate::Case;
use crate::stage::{Scene, Stage};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

pub const CASES: &[Case] = &[
    ("visitors::late_token", late_token),
    ("visitors::prices_of_a_group", prices_of_a_group),
    ("visitors::prices_in_a_currency", prices_in_a_currency),
    ("visitors::after_log_out", after_log_out),
    ("visitors::refresh", refresh),
    ("visitors::foreign_addresses", foreign_addresses),
    ("visitors::live_prices", live_prices),
    ("visitors::slow_shop", slow_shop),
    ("visitors::live_prices_elsewhere", live_prices_elsewhere),
    ("visitors::late_prices", late_prices),
];

fn late_token(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.site.endpoint(
        "/visitor",
        "{\"visitor\": \"aaa.bbb.ccc\", \"expiresIn\": 3600}",
    );
    tab.real_time();
    scene.site.hold("/visitor");
    scene.put("/", "data-visitor=\"/visitor\"", "");
    scene.type_for_panel("tent");
    let asked = scene.gate.bodies("/suggest");
    assert!(
        asked.iter().all(|body| body["visitor"] == Value::Null),
        "{asked:?}"
    );
    scene.site.release();
    let with_token = || {
        scene
            .gate
            .bodies("/suggest")
            .iter()
            .filter(|body| body["visitor"] == "aaa.bbb.ccc")
            .count()
    };
    crate::harness::eventually("the query is repeated with the token", || with_token() == 1);
    tab.until("panel() && !find('.fw-list[aria-busy]')");
    tab.check("![...Object.values(localStorage), ...Object.values(sessionStorage), location.href, document.documentElement.outerHTML].join().includes('aaa.bbb')");
    assert_eq!(scene.site.asked("/visitor").len(), 1);
}

/// A token of the group whose price of the beacon is 30.
fn group_token(stage: &Stage) -> String {
    let claims = json!({"groups": ["4"], "tier": "4", "currency": "EUR"});
    token(stage, claims, 30.0)
}

/// A token with these claims, signed as a shop does, for which the beacon costs `price`.
fn token(stage: &Stage, mut claims: Value, price: f64) -> String {
    let installation = json!({"instanceId": "test"});
    let call = stage.shop.feed("POST", "/feed/public-key");
    let issued = call.json(&installation).send().ok();
    let secret = issued.data()["contextSecret"].as_str().expect("a secret");
    let end = stage.shop.clock.now().0 / 1000 + 3_000;
    claims["exp"] = json!(end);
    let encode = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
    let head = encode(br#"{"alg":"HS256","typ":"JWT"}"#);
    let signed = format!("{head}.{}", encode(claims.to_string().as_bytes()));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(signed.as_bytes());
    let token = format!("{signed}.{}", encode(&mac.finalize().into_bytes()));
    let asked = json!({"lang": "en", "q": "beacon", "visitor": token});
    let found = stage.shop.search(&asked).ok();
    assert_eq!(
        found.data()["products"]["hits"][0]["price"],
        price,
        "{found:?}"
    );
    token
}

/// Lets the shop hand out a token.
fn issue(scene: &Scene<'_>, token: &str) {
    let response = json!({"visitor": token, "expiresIn": 3600}).to_string();
    scene.site.endpoint("/visitor", &response);
}

fn prices_of_a_group(stage: &mut Stage) {
    let token = group_token(stage);
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    issue(&scene, &token);
    scene.site.hold("/visitor");
    scene.put("/", "data-visitor=\"/visitor\"", "");
    tab.real_time();
    scene.type_for_panel("beacon");
    tab.check("text('.fw-option-products .fw-price') === '€40.00'");
    scene.site.release();
    tab.until("text('.fw-option-products .fw-price') === '€30.00'");
    scene.assert_secret(&token);
}

fn prices_in_a_currency(stage: &mut Stage) {
    let token = token(stage, json!({"currency": "USD"}), 44.0);
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    issue(&scene, &token);
    scene.put("/", "data-visitor=\"/visitor\"", "");
    scene.type_for_layer("beacon");
    tab.until("text('.fw-card .fw-price') === '$44.00'");
    scene.assert_secret(&token);
}

fn after_log_out(stage: &mut Stage) {
    let token = group_token(stage);
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    issue(&scene, &token);
    scene.put("/", "data-visitor=\"/visitor\"", "");
    scene.type_for_panel("beacon");
    tab.check("text('.fw-option-products .fw-price') === '€30.00'");
    tab.js("window.kept = true; addEventListener('pageshow', (event) => { window.cached = event.persisted; })");
    tab.press(crate::tab::Key::ESCAPE);
    tab.click("find('#after')");
    tab.until("location.pathname === '/other'");
    scene.site.endpoint("/visitor", "{\"visitor\": null}");
    tab.back();
    // The browser has kept the page as it was, with the token in its memory.
    tab.until("location.pathname === '/' && window.kept && window.cached");
    scene.gate.forget();
    tab.js("find('input[name=s]').value = ''");
    tab.click("find('input[name=s]')");
    tab.keys("beacon");
    tab.until("panel() && text('.fw-option-products .fw-price') === '€40.00'");
    let asked = scene.gate.bodies("/suggest");
    assert!(
        !asked.is_empty() && asked.iter().all(|body| body["visitor"].is_null()),
        "{asked:?}"
    );
}

fn refresh(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.site.endpoint(
        "/visitor",
        "{\"visitor\": \"first.b.c\", \"expiresIn\": 3600}",
    );
    scene.put("/", "data-visitor=\"/visitor\"", "");
    scene.type_for_panel("tent");
    assert_eq!(
        scene.gate.bodies("/suggest").last().expect("a request")["visitor"],
        "first.b.c"
    );
    scene.site.endpoint("/visitor", "{\"visitor\": null}");
    tab.js("findwell.refresh()");
    tab.until("panel()");
    let last_token = || scene.gate.bodies("/suggest").last().expect("a request")["visitor"].clone();
    crate::harness::eventually("the query is repeated without the token", || {
        last_token() == Value::Null
    });
    // What a browser does when it shows a page from its back-forward cache.
    scene.site.endpoint(
        "/visitor",
        "{\"visitor\": \"second.b.c\", \"expiresIn\": 3600}",
    );
    tab.js("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))");
    tab.keys(" 3");
    crate::harness::eventually("the next query asks for a new token", || {
        last_token() == "second.b.c"
    });
}

fn foreign_addresses(stage: &mut Stage) {
    let scene = stage.scene(
        json!({"features": {"livePricing": true, "themeCards": true, "displayMode": "overlay"}}),
    );
    let foreign = scene.gate.base().to_owned();
    scene.put("/", &format!("data-visitor=\"{foreign}/steal\" data-prices=\"{foreign}/steal\" data-cards=\"{foreign}/steal\""), "");
    scene.type_for_layer("tent");
    assert!(
        scene
            .gate
            .requests()
            .iter()
            .all(|one| !one.path.contains("steal"))
    );
    scene.tab.check("all('.fw-card .fw-price').length === 24");
}

fn live_prices(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"livePricing": true, "displayMode": "overlay"}}));
    let tab = scene.tab;
    let mut prices: serde_json::Map<String, Value> = (1..=80)
        .map(|at| {
            (
                at.to_string(),
                json!({"formatted": format!("{at},00 kr"), "showPrice": at != 2}),
            )
        })
        .collect();
    prices.remove("3");
    scene.site.endpoint(
        "/prices",
        &json!({"currency": "SEK", "prices": prices, "missing": ["3"]}).to_string(),
    );
    scene.site.hold("/prices");
    scene.put("/", "data-prices=\"/prices\"", "");
    tab.go(&scene.url("/?fw_q=tent&fw_n=4"));
    tab.until("layer() && all('.fw-card').length === 80");
    tab.js("window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; }).observe({type: 'layout-shift', buffered: true})");
    tab.check("all('.fw-price-line[data-waiting]').length === 80");
    let height = tab.js("return find('.fw-cards').getBoundingClientRect().height");
    scene.site.release();
    tab.until("all('.fw-price-line[data-waiting]').length === 0");
    let card = |at: usize| {
        format!(
            "all('.fw-card').find((one) => one.querySelector('.fw-link').textContent === 'Tent {at}').querySelector('.fw-price-line').textContent"
        )
    };
    tab.check(&format!(
        "{}.includes('5,00 kr') && {} === '' && {}.includes('€23.00')",
        card(5),
        card(2),
        card(3)
    ));
    assert_eq!(
        tab.js("return find('.fw-cards').getBoundingClientRect().height"),
        height
    );
    tab.check("window.shift < 0.05");
    let asked = scene.site.asked("/prices");
    assert!(
        asked.iter().all(|path| path.matches("%2C").count() < 48) && asked.len() == 2,
        "{asked:?}"
    );
}

fn slow_shop(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    tab.real_time();
    scene.site.endpoint("/visitor", "{\"visitor\": null}");
    scene.site.hold("/visitor");
    scene.put("/", "data-visitor=\"/visitor\"", "");
    scene.type_for_panel("tent");
    // Only the first query has waited.
    let script = "const input = find('input[name=s]'); window.began = performance.now(); window.waited = 0; \
                  document.addEventListener('findwell:results', () => { window.waited = performance.now() - window.began; }); \
                  input.value = 'tent 1'; input.dispatchEvent(new Event('input', {bubbles: true}))";
    tab.js(script);
    tab.until("window.waited > 0");
    tab.check("window.waited < 800");
    assert_eq!(scene.site.asked("/visitor").len(), 1);
    scene.site.release();
}

/// Live prices of the shop: none of the stove is shown.
fn priced(scene: &Scene<'_>) {
    let mut prices = json!({"902": {"formatted": "1 kr", "showPrice": false}});
    for at in 1..=80 {
        prices[at.to_string()] = json!({"formatted": format!("{at},00 kr")});
    }
    scene
        .site
        .endpoint("/prices", &json!({"prices": prices}).to_string());
    scene.put("/", "data-prices=\"/prices\"", "");
}

fn live_prices_elsewhere(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"livePricing": true}}));
    let tab = scene.tab;
    priced(&scene);
    scene.type_for_panel("tent");
    tab.until("!find('.fw-price-line[data-waiting]') && named('.fw-option .fw-price').length === 6 && named('.fw-option .fw-price').every((one) => one.endsWith(',00 kr'))");
    scene.type_for_panel("stove");
    tab.until("!find('.fw-price-line[data-waiting]') && text('.fw-option-products .fw-price-line') === ''");
    // The row of products that stands where nothing was found.
    let widget = json!({"features": {"livePricing": true, "displayMode": "overlay"}, "defaultSearch": {"q": "stove", "limit": 4}});
    let scene = stage.scene(widget);
    priced(&scene);
    tab.go(&scene.url("/?fw_q=zzqqxx"));
    tab.until("layer() && find('.fw-offer .fw-card') && !find('.fw-price-line[data-waiting]')");
    tab.check("text('.fw-offer .fw-price-line') === ''");
}

fn late_prices(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"livePricing": true, "displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.real_time();
    priced(&scene);
    scene.site.hold("/prices");
    scene.type_for_layer("tent");
    tab.until("all('.fw-price-line[data-waiting]').length === 0");
    tab.check("named('.fw-card .fw-price').every((one) => one.startsWith('€'))");
    scene.site.release();
}
