//! Who searches: the shop's token, its prices.
//!
//! 1. A token is asked at first use; a query waits for it 0.8 s, goes without it, and is repeated when it comes.
//! 2. The token stands in no storage and no address, and addresses of other origins are not asked.
//! 3. `refresh` forgets it, and so does a page that comes back from the back-forward cache.
//! 4. Live prices come in requests of at most 48 ids and move nothing; missing ones are the index's, hidden ones none.

use crate::Case;
use crate::stage::Stage;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("visitors::late_token", late_token),
    ("visitors::refresh", refresh),
    ("visitors::foreign_addresses", foreign_addresses),
    ("visitors::live_prices", live_prices),
];

fn late_token(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.site.endpoint(
        "/visitor",
        "{\"visitor\": \"aaa.bbb.ccc\", \"expiresIn\": 3600}",
    );
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
