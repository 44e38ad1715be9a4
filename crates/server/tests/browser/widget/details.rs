//! Details of how results look.
//!
//! 1. Names are cut after three lines, and each card has the name of its product.
//! 2. Nothing blank stands above the results, and on a telephone filters and order share a row.
//! 3. English texts in a page from right to left keep their signs where they belong.
//! 4. An error has no heading, filters or chips of a former query above it.

use crate::Case;
use crate::stage::{Stage, overlay};
use serde_json::json;

pub const CASES: &[Case] = &[
    ("details::long_names", long_names),
    ("details::blank_strips", blank_strips),
    ("details::fallback_texts", fallback_texts),
    ("details::error", error),
];

fn long_names(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let long = "A very long name of a tent that nobody has room for, ".repeat(12);
    scene.gate.rewrite("/search", move |data| {
        for hit in data["products"]["hits"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            hit["name"] = json!(long);
            hit["highlight"]["name"] = json!(long);
        }
    });
    for width in [320, 1280] {
        tab.resize(width, 800);
        scene.type_for_layer("tent");
        tab.check("(() => { const name = find('.fw-name'); return name.clientHeight < name.scrollHeight && Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight)) === 3; })()");
        // The whole card is the link all the same.
        tab.check("(() => { const box = find('.fw-article').getBoundingClientRect(); return root.elementFromPoint(box.x + 20, box.bottom - 12).closest('.fw-article') === find('.fw-article'); })()");
        tab.picture(&format!("long-names-{width}"));
    }
    tab.check("all('.fw-article').every((one) => root.getElementById(one.getAttribute('aria-labelledby')).textContent.startsWith('A very long name'))");
    tab.check(
        "new Set(all('.fw-article').map((one) => one.getAttribute('aria-labelledby'))).size === 24",
    );
}

fn blank_strips(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.gate.rewrite("/suggest", |data| {
        for kind in ["categories", "brands"] {
            data[kind]["hits"] = json!([]);
        }
    });
    for width in [320, 375, 1280] {
        tab.resize(width, 800);
        scene.type_for_layer("tent");
        tab.until_still();
        let above = "find('.fw-head').getBoundingClientRect().top - find('.fw-bar').getBoundingClientRect().bottom";
        tab.until(&format!("{above} < 24"));
        if width < 860 {
            tab.check("Math.abs(find('.fw-open-filters').getBoundingClientRect().top - find('.fw-select').getBoundingClientRect().top) < 2");
            tab.check("find('.fw-cards').getBoundingClientRect().top < 190");
        }
        tab.picture(&format!("no-strip-{width}"));
    }
}

fn fallback_texts(stage: &mut Stage) {
    // The store has no Arabic, so its labels are English.
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        for hit in data["products"]["hits"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            hit["originalPrice"] = json!(200.0);
        }
    });
    scene.put("/", "data-lang=ar", "");
    scene.type_for_layer("tent");
    tab.until_still();
    tab.picture("fallback-texts-1280");
    tab.check("find('.fw-root').dir === 'rtl'");
    // The number stands left of the words, the closing sign right of them; the minus left of the percentage.
    let ordered = "((css, first, second) => { const [node] = [...find(css).childNodes].filter((one) => one.nodeType === 3); \
        const at = (text) => { const range = document.createRange(); const from = node.data.indexOf(text); range.setStart(node, from); range.setEnd(node, from + 1); return range.getBoundingClientRect().left; }; \
        return at(first) < at(second); })";
    tab.check(&format!(
        "{ordered}('.fw-title', '80', 'products') && {ordered}('.fw-title', 'tent', '”')"
    ));
    tab.check(&format!("{ordered}('.fw-badge', '−', '%')"));
}

fn error(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('In stock'))");
    tab.until("text('.fw-title').startsWith('64 ') && !find('.fw-view[aria-busy]')");
    scene.gate.answer("/search", 503, None);
    tab.click("all('.fw-choice').find((one) => one.textContent.startsWith('Norte'))");
    tab.until("find('.fw-failed')");
    tab.check("text('.fw-title') === 'Search results' && find('.fw-side').hidden && find('.fw-chips').hidden && !named('.fw-facet').length");
    tab.check("!named('.fw-card').length && find('.fw-sort').hidden && find('.fw-more').hidden");
    tab.until_still();
    tab.picture("error-1280");
    // The filters are asked for again.
    scene.gate.open();
    tab.click("find('.fw-actions button')");
    tab.until("!find('.fw-view[aria-busy]') && all('.fw-chips .fw-chip').length === 3");
}
