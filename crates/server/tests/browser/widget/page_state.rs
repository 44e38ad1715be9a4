//! The address and the history of the browser.
//!
//! 1. Back closes the layer, Forward opens it with the same list; typing adds no entry.
//! 2. Coming back from a product restores pages, filters and scroll, and counts no search.
//! 3. A results page draws the query of its own parameter, writes it, and hides what it replaces.
//! 4. An address that names a filter that the shop does not have is asked without it.
//! 5. In mode `page` Enter goes to the results page or submits the form.

use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("page_state::back_and_forward", back_and_forward),
    ("page_state::back_from_a_product", back_from_a_product),
    ("page_state::results_page", results_page),
    ("page_state::old_address", old_address),
    ("page_state::enter", enter),
    ("page_state::landing", landing),
    ("page_state::open_over_results", open_over_results),
];

fn back_and_forward(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.go("/other");
    scene.type_for_layer("tent 7");
    let list = tab.js("return named('.fw-card .fw-link')");
    tab.back();
    tab.until("!layer() && location.pathname === '/' && !location.search");
    tab.check("active().name === 's' && active().value === 'tent 7'");
    tab.js("history.forward()");
    tab.until("layer() && location.search.includes('fw_q=tent') && named('.fw-card').length > 0");
    assert_eq!(tab.js("return named('.fw-card .fw-link')"), list);
}

fn back_from_a_product(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('In stock'))");
    tab.until("text('.fw-title').startsWith('64 ') && !find('.fw-view[aria-busy]')");
    for cards in [48, 64] {
        tab.click("find('.fw-more')");
        tab.until(&format!("named('.fw-card').length === {cards}"));
    }
    let list = tab.js("return named('.fw-card .fw-link')");
    tab.click("all('.fw-card a').at(-1)");
    tab.until("location.pathname.startsWith('/p/')");
    scene.gate.forget();
    tab.back();
    tab.until("layer() && named('.fw-card').length === 64");
    assert_eq!(tab.js("return named('.fw-card .fw-link')"), list);
    // The card that was clicked is in sight again.
    tab.until("layer().scrollTop > 1000 && all('.fw-card').at(-1).getBoundingClientRect().top < innerHeight");
    tab.check("all('.fw-chips button').length === 1");
    // The browser may have kept the whole page; otherwise one request restores it and counts nothing.
    let uncounted = || {
        let asked = scene.gate.bodies("/search");
        assert!(
            asked.iter().all(|body| body["analytics"] == false),
            "{asked:?}"
        );
        asked
    };
    uncounted();
    scene.gate.forget();
    tab.js("window.former = true; location.reload()");
    tab.until("!window.former && layer() && named('.fw-card').length === 64");
    tab.until("layer().scrollTop > 1000");
    assert_eq!(tab.js("return named('.fw-card .fw-link')"), list);
    let asked = uncounted();
    assert_eq!((asked.len(), &asked[0]["limit"]), (1, &json!(72)));
}

fn results_page(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", "<div id=products>The shop's own</div><div data-findwell-results data-replaces=\"#products\"></div>");
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    tab.keys("tent");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/find' && named('.fw-card').length === 24");
    tab.check("find('#products').hidden && find('input[name=s]').value === 'tent' && location.search === '?s=tent'");
    tab.check("!layer() && named('.fw-links a').some((one) => one.includes('Tents'))");
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('Norte'))");
    tab.until("text('.fw-title').startsWith('27 ')");
    tab.check("new URLSearchParams(location.search).get('s') === 'tent'");
    tab.click("find('input[name=s]')");
    tab.press(Key::END);
    tab.keys(" 7");
    tab.press(Key::ENTER);
    tab.until("text('.fw-card .fw-link') === 'Tent 7' && new URLSearchParams(location.search).get('s') === 'tent 7'");
    tab.back();
    tab.until("text('.fw-title').startsWith('27 ') && find('input[name=s]').value === 'tent'");
}

fn old_address(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=tent&fw_f.nonsense=1&fw_sort=sideways&fw_n=zz"));
    tab.until("layer() && named('.fw-card').length === 24");
    tab.check("!location.search.includes('nonsense') && !location.search.includes('sideways')");
}

fn enter(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "dropdown"}}));
    let tab = scene.tab;
    scene.put("/", "data-results=\"/all?query={q}\"", "");
    scene.type_for_panel("tent");
    tab.press(Key::ENTER);
    tab.until("location.pathname + location.search === '/all?query=tent'");
    scene.put("/", "", "");
    scene.type_for_panel("tent");
    tab.click("find('.fw-option-all')");
    tab.until("layer() && named('.fw-card').length === 24");
}

fn landing(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=tent"));
    tab.until("layer() && named('.fw-card').length === 24 && !find('.fw-view[aria-busy]')");
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('In stock'))");
    tab.until("text('.fw-title').startsWith('64 ') && !find('.fw-view[aria-busy]')");
    tab.press(Key::ESCAPE);
    tab.until("!layer() && !location.search");
    // Without the service, a layer that the address opened leads to the shop's own search too.
    tab.go(&scene.url("/?fw_q=stove"));
    tab.until("layer() && named('.fw-card').length === 1");
    scene.gate.answer("/search", 503, None);
    tab.keys(" 1");
    tab.until("find('.fw-failed')");
    tab.click("all('.fw-actions button')[1]");
    tab.until("location.pathname + location.search === '/find?s=stove+1'");
}

fn open_over_results(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", "<div data-findwell-results></div>");
    tab.go(&scene.url("/find?s=tent"));
    tab.until("named('.fw-card').length === 24 && !find('.fw-view[aria-busy]')");
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('In stock'))");
    tab.until("text('.fw-title').startsWith('64 ')");
    tab.js("findwell.open('stove')");
    tab.until("document.querySelectorAll('[data-findwell-layer]').length === 2 && location.search.includes('fw_q=stove')");
    tab.until("document.querySelectorAll('[data-findwell-layer]')[1].shadowRoot.querySelector('dialog[open]')");
    tab.js("findwell.close()");
    tab.until("!location.search.includes('fw_q') && location.search.includes('fw_f.inStock')");
}
