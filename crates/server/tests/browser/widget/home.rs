//! What the layer shows before anything is typed: the default search, recent searches.
//!
//! 1. The default search has the order, the number of hits and the filters of the configuration; its filters are chips.
//! 2. "More" goes on where it ended, whatever its number of hits; an order that is no choice is shown as it is.
//! 3. Each recent search can be removed by a button beside its row, in panel and layer, all of them by one right below
//!    them, and the focus stays in the input.
//! 4. With fewer characters than are searched, nothing of a former query is shown.

use crate::Case;
use crate::harness::Shop;
use crate::stage::{Stage, overlay};
use crate::tab::{Key, Tab};
use serde_json::json;

pub const CASES: &[Case] = &[
    ("home::default_search", default_search),
    ("home::more", more),
    ("home::recent_in_the_panel", recent_in_the_panel),
    ("home::recent_in_the_layer", recent_in_the_layer),
    ("home::former_query", former_query),
];

fn default_search(stage: &mut Stage) {
    let first = json!({"sort": "price_desc", "limit": 5, "filters": {"manufacturer": ["Norte"]}});
    let mut widget = overlay(json!({}));
    widget["defaultSearch"] = first;
    let scene = stage.scene(widget);
    let tab = scene.tab;
    scene.go("/");
    tab.js("findwell.open('')");
    tab.until("layer() && named('.fw-card').length === 5");
    tab.until("find('.fw-chip[aria-label=\"Remove Norte\"]')");
    tab.click("find('.fw-chip[aria-label=\"Remove Norte\"]')");
    tab.until(
        "!find('.fw-chip[aria-label=\"Remove Norte\"]') && text('.fw-card .fw-link') === 'Tent 80'",
    );
    tab.js("findwell.close()");
    tab.until("!layer()");
}

fn more(stage: &mut Stage) {
    for (limit, next, last) in [(12, 24, 48), (30, 48, 72)] {
        let first = json!({"q": "tent", "sort": "newest", "limit": limit});
        let mut widget = overlay(json!({"sorts": "relevance,name"}));
        widget["defaultSearch"] = first;
        let scene = stage.scene(widget);
        let tab = scene.tab;
        scene.go("/");
        tab.js("findwell.open('')");
        tab.until(&format!("layer() && named('.fw-card').length === {limit}"));
        tab.until("!find('.fw-view[aria-busy]')");
        tab.check(
            "find('.fw-select').value === 'newest' && named('.fw-select option').length === 3",
        );
        for shown in [next, last] {
            tab.click("find('.fw-more')");
            tab.until(&format!("named('.fw-card').length === {shown}"));
            tab.until("!find('.fw-view[aria-busy]')");
        }
        tab.check("new Set(named('.fw-card .fw-link')).size === named('.fw-card').length");
        tab.check("active() === all('.fw-card')[all('.fw-card').length - 24].querySelector('a')");
    }
}

/// Fills the recent searches of the page's store.
fn remember(tab: &Tab, shop: &Shop) {
    tab.js(&format!("localStorage.setItem('findwell:{}:recent', JSON.stringify(['tent', 'stove', 'a very long search that no row of a telephone has room for in one line of text']))", shop.store));
}

/// Whether each button stands in the row of its search.
const BESIDE: &str = "all('.fw-remover').length > 0 && all('.fw-remover').every((one, at) => { \
    const [button, row] = [one.getBoundingClientRect(), all('.fw-option-recent')[at].getBoundingClientRect()]; \
    return Math.abs(button.top - row.top) < 1 && Math.abs(button.bottom - row.bottom) < 1 && button.right <= row.right + 1; })";

/// Whether the button for all recent searches stands below them and above what follows.
const BELOW: &str = "(() => { const [button, group] = [find('.fw-clear-recent').getBoundingClientRect(), find('.fw-group-recent').getBoundingClientRect()]; \
    const last = all('.fw-option-recent').at(-1).getBoundingClientRect(); \
    return Math.abs(button.top - last.bottom) < 1 && button.bottom <= group.bottom + 1 && button.left >= group.left && button.right <= group.right; })()";

fn recent_in_the_panel(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    for width in [320, 1280] {
        tab.resize(width, 700);
        scene.go("/");
        remember(tab, scene.shop);
        tab.click("find('input[name=s]')");
        tab.until("panel() && named('.fw-option-recent').length === 3");
        tab.until(BESIDE);
        tab.until("named('.fw-option-products').length > 0");
        tab.check(BELOW);
        tab.picture(&format!("recent-panel-{width}"));
        tab.click("find('.fw-remover[aria-label=\"Remove “stove”\"]')");
        tab.until("named('.fw-option-recent').length === 2 && active().name === 's'");
        tab.check(BESIDE);
        tab.check("!Object.values(localStorage).join().includes('stove') && find('.fw-list').querySelectorAll('button').length === 0");
    }
    tab.js("localStorage.clear()");
}

fn recent_in_the_layer(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    for width in [320, 1280] {
        tab.resize(width, 700);
        scene.go("/");
        remember(tab, scene.shop);
        tab.js("findwell.open('')");
        tab.until("layer() && named('.fw-option-recent').length === 3");
        tab.until(BESIDE);
        tab.until("named('.fw-card').length > 0");
        tab.check(BELOW);
        // The row of a long search can be clicked up to its button.
        tab.check("(() => { const row = all('.fw-option-recent').at(-1).getBoundingClientRect(); const root = find('.fw-root').getRootNode(); return root.elementFromPoint(row.right - 60, row.top + 8).closest('.fw-option-recent'); })()");
        tab.picture(&format!("recent-layer-{width}"));
        tab.click("find('.fw-remover[aria-label=\"Remove “stove”\"]')");
        tab.until("named('.fw-option-recent').length === 2 && active() === find('.fw-input')");
        tab.click("find('.fw-clear-recent')");
        tab.until("!named('.fw-option-recent').length && active() === find('.fw-input')");
        tab.check("localStorage.length === 0");
    }
}

fn former_query(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.press(Key::ESCAPE);
    tab.until("!layer()");
    tab.js("active().select()");
    tab.keys("s");
    tab.until("layer() && find('.fw-input').value === 's'");
    tab.check("!named('.fw-card').length && !named('.fw-option').length");
    tab.keys("tove");
    tab.until("text('.fw-card .fw-link') === 'Stove'");
    for _ in 0..4 {
        tab.press(Key::BACKSPACE);
    }
    tab.check("find('.fw-input').value === 's' && !named('.fw-card').length");
}
