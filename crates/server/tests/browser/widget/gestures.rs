//! What a shopper does once is one step of the browser's history, and Back closes what was opened last.
//!
//! 1. A control that keys move step by step adds one entry and one request, however many keys it takes.
//! 2. Enter on the query that is shown adds no entry.
//! 3. Back closes the sheet of filters and keeps what was chosen in it, then the layer; closing the sheet in the page
//!    leaves one entry if something was chosen, else none.
//! 4. A range of prices contains the products at its ends.

use crate::Case;
use crate::stage::{Scene, Stage, overlay, page, theme};
use crate::tab::{Key, Tab};
use serde_json::json;

pub const CASES: &[Case] = &[
    ("gestures::keys_of_a_slider", keys_of_a_slider),
    ("gestures::keys_of_a_choice", keys_of_a_choice),
    ("gestures::enter_again", enter_again),
    ("gestures::enter_again_on_a_page", enter_again_on_a_page),
    ("gestures::sheet", sheet),
    ("gestures::sheet_of_a_page", sheet_of_a_page),
    (
        "gestures::sheet_closed_in_the_page",
        sheet_closed_in_the_page,
    ),
    ("gestures::ends_of_a_range", ends_of_a_range),
];

/// Counts the entries that the page adds; the length of the history itself has an end.
const COUNTED: &str = "window.added = 0; { const push = history.pushState; history.pushState = function (...all) { window.added += 1; return push.apply(this, all); }; }";

fn entries(tab: &Tab) -> u64 {
    tab.js("return window.added").as_u64().expect("a number")
}

/// Waits for results of as many products.
fn settled(scene: &Scene<'_>, total: usize) {
    scene.tab.until(&format!(
        "!find('.fw-view[aria-busy]') && text('.fw-title').startsWith('{total} ')"
    ));
}

fn keys_of_a_slider(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    tab.early(COUNTED);
    scene.type_for_layer("tent");
    let (before, asked) = (entries(tab), scene.gate.bodies("/search").len());
    tab.js("find('[id$=price-max-slider]').focus()");
    for _ in 0..4 {
        tab.press(Key::LEFT);
    }
    settled(&scene, 76);
    assert_eq!(entries(tab), before + 1);
    assert_eq!(scene.gate.bodies("/search").len(), asked + 1);
    // The next keys go on with the same gesture.
    for _ in 0..2 {
        tab.press(Key::LEFT);
        tab.until("!find('.fw-view[aria-busy]')");
    }
    settled(&scene, 74);
    assert_eq!(entries(tab), before + 1);
    tab.back();
    settled(&scene, 80);
    tab.check("layer() && !location.search.includes('fw_f')");
    tab.back();
    tab.until("!layer() && !location.search");
}

fn keys_of_a_choice(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    tab.early(COUNTED);
    scene.type_for_layer("tent");
    let before = entries(tab);
    tab.js("find('[id$=rating-4]').focus()");
    for _ in 0..2 {
        tab.press(Key::DOWN);
        tab.until("!find('.fw-view[aria-busy]') && location.search.includes('fw_f.rating')");
    }
    tab.until("location.search.includes('fw_f.rating=2-') || location.search.includes('fw_f.rating=1-') || location.search.includes('fw_f.rating=3-')");
    assert_eq!(entries(tab), before + 1);
    let order = |name: &str| {
        tab.js(&format!("const select = find('.fw-select'); select.focus(); select.value = '{name}'; select.dispatchEvent(new Event('change'))"));
        tab.until(&format!(
            "location.search.includes('fw_sort={name}') && !find('.fw-view[aria-busy]')"
        ));
    };
    order("price_asc");
    order("price_desc");
    assert_eq!(entries(tab), before + 2);
    // A pointer begins anew.
    tab.js("find('.fw-select').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))");
    order("name");
    assert_eq!(entries(tab), before + 3);
}

fn enter_again(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    tab.early(COUNTED);
    scene.type_for_layer("tent");
    let before = entries(tab);
    for _ in 0..3 {
        tab.press(Key::ENTER);
        tab.until("!find('.fw-view[aria-busy]')");
    }
    assert_eq!(entries(tab), before);
    tab.back();
    tab.until("!layer() && !location.search");
}

fn enter_again_on_a_page(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    tab.early(COUNTED);
    scene.put("/find", "", "<div data-findwell-results></div>");
    tab.go(&scene.url("/find?s=red%20tent"));
    tab.until("!find('.fw-view[aria-busy]') && find('.fw-title')");
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    let before = entries(tab);
    for _ in 0..2 {
        tab.press(Key::ENTER);
        tab.until("!find('.fw-view[aria-busy]')");
    }
    assert_eq!(entries(tab), before);
}

const OPEN: &str = "find('.fw-drawer[open]')";

/// Opens the sheet of filters and ticks the products that are in stock.
fn tick_in_the_sheet(scene: &Scene<'_>) {
    let tab = scene.tab;
    tab.click("find('.fw-open-filters')");
    tab.until(OPEN);
    tab.until_still();
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('In stock'))");
    settled(scene, 64);
}

fn sheet(stage: &mut Stage) {
    stage.tab.resize(375, 700);
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.click("find('.fw-open-filters')");
    tab.until(OPEN);
    tab.back();
    tab.until(&format!("!{OPEN}"));
    tab.check("layer() && location.search.includes('fw_q=tent')");
    tick_in_the_sheet(&scene);
    tab.back();
    tab.until(&format!("!{OPEN}"));
    settled(&scene, 64);
    tab.check("layer() && location.search.includes('fw_f.inStock') && all('.fw-chips button').length === 1");
    tab.back();
    tab.until("!layer() && !location.search");
}

fn sheet_of_a_page(stage: &mut Stage) {
    stage.tab.resize(375, 700);
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    let body = format!("{}<div data-findwell-results></div>", theme("/find"));
    scene.put_html("/find", &page(&body, &scene.line("")), None);
    scene.go("/");
    tab.go(&scene.url("/find?s=tent"));
    settled(&scene, 80);
    tick_in_the_sheet(&scene);
    tab.back();
    tab.until(&format!("!{OPEN}"));
    settled(&scene, 64);
    tab.check("location.pathname === '/find' && location.search.includes('fw_f.inStock')");
    tab.back();
    tab.until("location.pathname === '/'");
}

fn sheet_closed_in_the_page(stage: &mut Stage) {
    stage.tab.resize(375, 700);
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    let show = "find('.fw-drawer .fw-primary')";
    // Nothing was chosen: no entry is left.
    tab.click("find('.fw-open-filters')");
    tab.until(OPEN);
    tab.until_still();
    tab.click(show);
    tab.until(&format!("!{OPEN} && !history.state.fwSheet"));
    tab.check("layer() && history.state.fwDepth === 1");
    tick_in_the_sheet(&scene);
    tab.click(show);
    tab.until(&format!("!{OPEN} && !history.state.fwSheet"));
    tab.back();
    settled(&scene, 80);
    tab.check("layer()");
    // The sheet closes with its layer.
    tick_in_the_sheet(&scene);
    tab.js("findwell.close()");
    tab.until("!layer() && !location.search");
    tab.back();
    tab.until("!location.pathname.startsWith('/find')");
}

fn ends_of_a_range(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    // 31.07, 60 and 95.36.
    scene.type_for_layer("lodge");
    settled(&scene, 3);
    let slider = |end: &str| tab.js(&format!("find('[id$=price-{end}-slider]').focus()"));
    slider("min");
    tab.press(Key::END);
    settled(&scene, 1);
    tab.check(
        "text('.fw-card .fw-link') === 'Lodge 3' && find('[id$=price-min]').value === '95.36'",
    );
    tab.check("text('.fw-chips .fw-chip') === 'Price: from €95.36'");
    tab.back();
    settled(&scene, 3);
    slider("max");
    tab.press(Key::HOME);
    settled(&scene, 1);
    tab.check("text('.fw-card .fw-link') === 'Lodge 1' && text('.fw-chips .fw-chip') === 'Price: up to €31.07'");
    tab.back();
    settled(&scene, 3);
    tab.js("find('[id$=price-min]').focus()");
    tab.js("find('[id$=price-min]').value = '40'; find('[id$=price-min]').dispatchEvent(new Event('change'))");
    settled(&scene, 2);
    tab.js("find('[id$=price-max]').value = '70'; find('[id$=price-max]').dispatchEvent(new Event('change'))");
    settled(&scene, 1);
    tab.check("text('.fw-chips .fw-chip') === 'Price: €40.00 to €70.00'");
}
