//! The service goes away, or the key, while the widget is on the page: Enter leads to the shop's own search.
//!
//! 1. A part that does not come opens nothing, and Enter submits the form at once or, where the part is waited for, within
//!    the widget's patience.
//! 2. In the layer Enter leaves for the shop's own search: at once if a request failed before, else when it fails. Where
//!    the page has none, the message stays.
//! 3. With a key that is not valid any more the layer closes; text and focus are in the shop's input, the address is as
//!    before, and a query that was submitted goes to the shop's own search.
//! 4. A results page shows the shop's own list until there is something in its place: it is never empty.

use crate::Case;
use crate::stage::{Scene, Stage, page};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("gone::style_of_the_layer", style_of_the_layer),
    ("gone::code_of_the_layer", code_of_the_layer),
    ("gone::layer", layer),
    ("gone::no_form", no_form),
    ("gone::hanging_layer", hanging_layer),
    ("gone::key_of_the_layer", key_of_the_layer),
    ("gone::key_of_a_submit", key_of_a_submit),
    ("gone::results_page", results_page),
    ("gone::submit_of_a_results_page", submit_of_a_results_page),
    ("gone::blank_results_page", blank_results_page),
];

/// The shop's own search for a text.
fn until_left(scene: &Scene<'_>, text: &str) {
    let query = text.replace(' ', "+");
    scene.tab.until(&format!(
        "location.pathname + location.search === '/find?s={query}'"
    ));
}

fn style_of_the_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.early("window.opened = 0; document.addEventListener('findwell:open', () => { window.opened += 1; })");
    let hold = || scene.gate.hold(".css", "");
    let fail = || scene.gate.answer(".css", 503, None);
    for lose in [&hold as &dyn Fn(), &fail] {
        lose();
        scene.focus();
        tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
        scene.until_asked(".css", 1);
        tab.keys("tent");
        tab.check("!layer() && window.opened === 0 && !location.search");
        tab.press(Key::ENTER);
        until_left(&scene, "tent");
        scene.gate.open();
        scene.gate.forget();
        tab.cdp("Network.clearBrowserCache", json!({}));
    }
}

fn code_of_the_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "dropdown"}}));
    let tab = scene.tab;
    tab.real_time();
    scene.type_for_panel("tent");
    scene.gate.hold("/assets/results-", "");
    tab.press(Key::ENTER);
    scene.until_asked("/assets/results-", 1);
    until_left(&scene, "tent");
}

fn layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    scene.gate.answer("/search", 503, None);
    scene.gate.answer("/suggest", 503, None);
    tab.keys(" 7");
    tab.until("find('.fw-failed')");
    let asked = scene.gate.requests().len();
    tab.press(Key::ENTER);
    until_left(&scene, "tent 7");
    assert_eq!(scene.gate.requests().len(), asked);
    // The form of the page is there again after Back, with the layer as it was left.
    scene.gate.open();
    tab.back();
    tab.until("location.pathname === '/' && layer()");
}

fn no_form(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let body = "<div role=search><input name=s aria-label=Search></div>";
    for attributes in ["", "data-results=\"/all?query={q}\""] {
        scene.put_html("/", &page(body, &scene.line(attributes)), None);
        scene.type_for_layer("tent");
        scene.gate.answer("/search", 503, None);
        tab.keys(" 7");
        tab.until("find('.fw-failed')");
        let results = !attributes.is_empty();
        tab.check(&format!(
            "all('.fw-actions button').length === {}",
            if results { 2 } else { 1 }
        ));
        tab.press(Key::ENTER);
        if results {
            tab.until("location.pathname + location.search === '/all?query=tent%207'");
        } else {
            tab.until("find('.fw-failed') && !find('.fw-view[aria-busy]')");
            tab.check("layer() && location.pathname === '/'");
        }
        scene.gate.open();
    }
}

fn hanging_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.real_time();
    scene.type_for_layer("tent");
    scene.gate.hold("/search", "");
    scene.gate.hold("/suggest", "");
    tab.keys(" 7");
    tab.js("sessionStorage.setItem('entered', String(Date.now()))");
    tab.press(Key::ENTER);
    until_left(&scene, "tent 7");
    // The widget's patience is three seconds, and the shop's page follows in the same breath.
    let waited = "performance.timeOrigin - Number(sessionStorage.getItem('entered'))";
    tab.check(&format!("{waited} < 6000"));
    tab.js("sessionStorage.clear()");
}

/// A theme's own combobox, which is taken over.
const THEIRS: &str =
    "<script>document.querySelector('input').setAttribute('aria-autocomplete', 'list')</script>";

fn key_of_the_layer(stage: &mut Stage) {
    for attributes in ["", "data-takeover"] {
        let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
        let tab = scene.tab;
        scene.put(
            "/",
            attributes,
            if attributes.is_empty() { "" } else { THEIRS },
        );
        scene.type_for_layer("tent");
        tab.check("location.search.includes('fw_q=tent')");
        scene.gate.answer("/search", 401, None);
        scene.gate.answer("/suggest", 401, None);
        tab.keys(" 5");
        tab.until("!document.querySelector('[data-findwell-layer]')");
        tab.check("active().name === 's' && active().value === 'tent 5' && !location.search && !active().hasAttribute('aria-haspopup')");
        let asked = scene.gate.requests().len();
        tab.keys("6");
        tab.press(Key::ENTER);
        until_left(&scene, "tent 56");
        assert_eq!(scene.gate.requests().len(), asked);
    }
}

fn key_of_a_submit(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    scene.gate.hold("/search", "tent 7");
    scene.gate.hold("/suggest", "tent 7");
    tab.keys(" 7");
    tab.press(Key::ENTER);
    scene.until_asked("/search", 2);
    scene.gate.fail("/search", 401);
    until_left(&scene, "tent 7");
}

/// A results page with the shop's own list.
const PAGE: &str = "<div id=products>The shop's own</div><div data-findwell-results data-replaces=\"#products\"></div>";

/// Whether the shop's own list is what the page shows.
const SHOPS: &str = "!find('#products').hidden && !named('.fw-card').length && !find('.fw-failed')";

fn results_page(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", PAGE);
    let submits =
        "window.submits = 0; addEventListener('submit', () => { window.submits += 1; }, true);";
    tab.early(submits);
    for path in ["/search", "/assets/results-", ".css"] {
        scene.gate.answer(path, 503, None);
        tab.go(&scene.url("/find?s=tent"));
        scene.until_asked(path, 1);
        tab.until(SHOPS);
        tab.check("location.search === '?s=tent' && window.submits === 0");
        scene.gate.open();
        scene.gate.forget();
        tab.cdp("Network.clearBrowserCache", json!({}));
    }
    // A key that is not valid any more gives the place back that was taken.
    tab.go(&scene.url("/find?s=tent"));
    tab.until("named('.fw-card').length === 24 && find('#products').hidden");
    scene.gate.answer("/search", 401, None);
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('Norte'))");
    tab.until("!find('#products').hidden && !document.querySelector('[data-findwell-layer]')");
}

fn submit_of_a_results_page(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", PAGE);
    tab.go(&scene.url("/find?s=tent"));
    tab.until("named('.fw-card').length === 24");
    tab.js("window.former = true; find('input[name=s]').focus()");
    scene.gate.answer("/search", 503, None);
    scene.gate.answer("/suggest", 503, None);
    tab.press(Key::END);
    tab.keys(" 7");
    tab.press(Key::ENTER);
    tab.until("!window.former && location.search === '?s=tent+7'");
    tab.until(SHOPS);
}

fn blank_results_page(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", PAGE);
    scene.go("/find");
    tab.until("document.querySelector('[data-findwell-layer]')");
    tab.check(SHOPS);
    tab.click("find('input[name=s]')");
    tab.keys("tent");
    tab.press(Key::ENTER);
    tab.until("find('#products').hidden && named('.fw-card').length === 24");
    tab.back();
    tab.until(SHOPS);
    scene.gate.forget();
    tab.go(&scene.url("/find?s="));
    tab.until("document.querySelector('[data-findwell-layer]')");
    tab.check(SHOPS);
    assert!(scene.gate.bodies("/search").is_empty());
}
