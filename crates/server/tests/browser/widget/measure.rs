//! Events and consent.
//!
//! 1. A click is sent as plain text that survives the page, with the query it belongs to and its place in the whole list.
//! 2. With consent `no`, or Global Privacy Control, nothing is sent and nothing is stored; what was kept is deleted.
//! 3. With consent `yes` a purchase on a later page is attributed to the search of its click.
//! 4. With `analytics` off, and in a preview, no event is sent and searches say so.
//! 5. The page hears what happens.

use crate::Case;
use crate::stage::{Scene, Stage, overlay};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("measure::click", click),
    ("measure::refused", refused),
    ("measure::purchase", purchase),
    ("measure::switched_off", switched_off),
    ("measure::page_events", page_events),
    ("measure::places_of_clicks", places_of_clicks),
    ("measure::deleted", deleted),
];

fn click_third(scene: &Scene<'_>) {
    scene.tab.click("all('.fw-card a')[2]");
    scene.tab.until("location.pathname.startsWith('/p/')");
}

fn click(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    scene.type_for_layer("tent");
    click_third(&scene);
    scene.until_asked("/events", 1);
    let requests = scene.gate.requests();
    let events: Vec<_> = requests
        .iter()
        .filter(|one| one.path.ends_with("/events"))
        .collect();
    assert!(
        events.len() == 1 && events[0].headers["content-type"].starts_with("text/plain"),
        "{events:?}"
    );
    let body: Value = serde_json::from_str(&events[0].body).expect("JSON");
    assert_eq!(
        (&body["type"], &body["position"], &body["key"]),
        (&json!("click"), &json!(3), &json!(scene.shop.public))
    );
    assert!(
        body["queryId"].as_str().is_some_and(|id| !id.is_empty()) && body["id"].is_string(),
        "{body}"
    );
    let again = scene
        .shop
        .api("POST", "/events")
        .header("Content-Type", "text/plain")
        .body(events[0].body.clone())
        .send();
    assert_eq!(
        (again.status, &again.data()["ignored"]),
        (202, &json!(1)),
        "{again:?}"
    );
}

fn refused(stage: &mut Stage) {
    for signal in [false, true] {
        let scene = stage.scene(overlay(json!({})));
        let tab = scene.tab;
        if signal {
            let html = "<script>Object.defineProperty(navigator, 'globalPrivacyControl', {value: true})</script>";
            scene.put("/", "data-consent=yes", html);
        } else {
            scene.put("/", "data-consent=no", "");
        }
        scene.type_for_layer("tent");
        tab.press(crate::tab::Key::ENTER);
        tab.until("!find('.fw-view[aria-busy]') && named('.fw-card').length === 24");
        click_third(&scene);
        tab.check("localStorage.length === 0 && sessionStorage.length === 0");
        scene.focus();
        scene.until_asked("/widget/config", 1);
        assert!(scene.gate.bodies("/events").is_empty(), "signal: {signal}");
    }
}

fn purchase(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.put("/", "data-consent=yes", "");
    scene.put("/thanks", "data-consent=yes", "");
    scene.type_for_layer("tent");
    let id = tab
        .text("return all('.fw-card a')[2].href")
        .rsplit('/')
        .next()
        .expect("an id")
        .to_owned();
    click_third(&scene);
    scene.go("/thanks");
    tab.js(&format!("findwell.event('purchase', '{id}'); findwell.event('purchase', '{id}'); findwell.event('purchase', '999')"));
    scene.until_asked("/events", 2);
    let events = scene.gate.bodies("/events");
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(
        (&events[1]["type"], &events[1]["queryId"], &events[1]["id"]),
        (&json!("purchase"), &events[0]["queryId"], &json!(id))
    );
    tab.js("findwell.consent(false)");
    tab.until("sessionStorage.length === 0");
}

fn switched_off(stage: &mut Stage) {
    for (features, attributes) in [
        (json!({"analytics": false}), ""),
        (json!({}), "data-preview"),
    ] {
        let scene = stage.scene(overlay(features));
        scene.put("/", attributes, "");
        scene.type_for_layer("tent");
        click_third(&scene);
        scene.focus();
        scene.until_asked("/widget/config", 1);
        assert!(scene.gate.bodies("/events").is_empty());
        for body in scene
            .gate
            .bodies("/search")
            .iter()
            .chain(&scene.gate.bodies("/suggest"))
        {
            assert_eq!(
                (&body["analytics"], &body["sessionId"]),
                (&json!(false), &Value::Null),
                "{body}"
            );
        }
    }
}

fn page_events(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.go("/");
    tab.js("window.heard = []; for (const name of ['ready', 'open', 'results', 'select', 'close']) document.addEventListener('findwell:' + name, (event) => window.heard.push([name, event.detail]))");
    tab.js("findwell.open('tent')");
    tab.until("layer() && named('.fw-card').length === 24");
    tab.js("all('.fw-card a')[0].addEventListener('click', (event) => event.preventDefault())");
    tab.click("all('.fw-card a')[0]");
    tab.js("findwell.close()");
    tab.until("!layer()");
    assert_eq!(
        tab.js("return [...new Set(window.heard.map(([name]) => name))].sort()"),
        json!(["close", "open", "ready", "results", "select"])
    );
    tab.check("window.heard.find(([name]) => name === 'results')[1].ids.length === 24 && window.heard.find(([name]) => name === 'results')[1].queryId");
}

fn places_of_clicks(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.click("find('.fw-more')");
    tab.until("named('.fw-card').length === 48 && !find('.fw-view[aria-busy]')");
    // A menu of the browser is no visit.
    tab.click_with("all('.fw-card a')[5]", "right", 0);
    tab.click_with("all('.fw-links a, .fw-card a')[0]", "right", 0);
    tab.click("all('.fw-card a')[29]");
    tab.until("location.pathname.startsWith('/p/')");
    scene.until_asked("/events", 1);
    let events = scene.gate.bodies("/events");
    assert_eq!((events.len(), &events[0]["position"]), (1, &json!(30)));
}

fn deleted(stage: &mut Stage) {
    for (features, attributes) in [
        (json!({}), "data-consent=no"),
        (json!({"recentSearches": false}), ""),
    ] {
        let scene = stage.scene(overlay(features));
        let tab = scene.tab;
        scene.put("/", attributes, "");
        scene.go("/");
        let store = &scene.shop.store;
        tab.js(&format!(
            "localStorage.setItem('findwell:{store}:recent', '[\"tent\"]')"
        ));
        tab.click("find('input[name=s]')");
        tab.until("localStorage.length === 0");
    }
}
