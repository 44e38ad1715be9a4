//! What is offered to a shopper who has typed nothing, or something that finds nothing.
//!
//! 1. In a shop without searches a first tap on an empty input shows categories and products, in panel and layer, under
//!    headings that say no more than that.
//! 2. A query without products offers popular categories and products too.
//! 3. The results of a corrected query are shown under a heading that names both, with a link to the words as typed, which
//!    stays with them.

use crate::Case;
use crate::stage::{Stage, overlay};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("offers::first_tap_in_the_panel", first_tap_in_the_panel),
    ("offers::first_tap_in_the_layer", first_tap_in_the_layer),
    ("offers::without_products", without_products),
    ("offers::corrected_query", corrected_query),
];

fn first_tap_in_the_panel(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.focus();
    tab.until("panel() && named('.fw-option-products').length === 6");
    tab.check(
        "text('.fw-group-categories .fw-option') === 'Tents and tarps' && !find('.fw-option-all')",
    );
    tab.press(Key::ESCAPE);
    tab.until("!panel()");
}

fn first_tap_in_the_layer(stage: &mut Stage) {
    stage.tab.touch_screen(375, 700);
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.go("/");
    tab.tap("find('input[name=s]')");
    tab.until("layer() && named('.fw-card').length === 4");
    tab.check("named('.fw-offer a.fw-chip').join() === 'Tents and tarps' && !document.querySelector('.fw-empty')");
    tab.check("named('.fw-offer > h3').join() === 'Categories,Products'");
    tab.until_still();
    tab.picture("first-tap-375");
    // What is typed takes its place, and is given back.
    tab.keys("stove");
    tab.until("text('.fw-card .fw-link') === 'Stove' && named('.fw-card').length === 1 && !find('.fw-offer')");
    tab.check("!find('.fw-title').hidden");
    tab.click("find('.fw-clear')");
    tab.until("named('.fw-card').length === 4 && find('.fw-title').hidden");
}

fn without_products(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=zzqqxx"));
    tab.until("layer() && named('.fw-offer .fw-card').length === 4");
    tab.check("named('.fw-offer > h3').join().endsWith('Categories,You may also like')");
    tab.check("named('.fw-offer a.fw-chip').join() === 'Tents and tarps' && /^No products/.test(text('.fw-title'))");
    // No space is kept for what is not there.
    tab.until_still();
    tab.check("find('.fw-toolbar').getBoundingClientRect().height === 0 && find('.fw-title').getBoundingClientRect().top - find('.fw-bar').getBoundingClientRect().bottom < 24");
    tab.picture("nothing-found-1280");
}

fn corrected_query(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        // Which query the server proposes is its own matter.
        let empty = data["products"]["total"] == 0;
        data["correctedQuery"] = if empty {
            json!({"text": "stove"})
        } else {
            json!(null)
        };
    });
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("zzstqqve");
    tab.until("layer() && text('.fw-title') === 'No results for “zzstqqve” · showing “stove”'");
    tab.until("!find('.fw-view[aria-busy]')");
    tab.check("text('.fw-card .fw-link') === 'Stove' && find('.fw-input').value === 'zzstqqve'");
    tab.until("text('.fw-view > [role=status]') === text('.fw-title')");
    let asked = scene.gate.bodies("/search");
    assert_eq!(
        (&asked[0]["q"], &asked[1]["q"]),
        (&json!("zzstqqve"), &json!("stove"))
    );
    assert!(asked[1]["correctionOf"].is_string(), "{asked:?}");
    tab.click("find('.fw-notice .fw-chip')");
    tab.until("text('.fw-title') === 'No products found for “zzstqqve”'");
    tab.until("named('.fw-offer .fw-card').length === 4");
    tab.check("find('.fw-input').value === 'zzstqqve'");
    // The same words again stay as typed.
    tab.click("find('.fw-input')");
    tab.press(Key::ENTER);
    tab.until("!find('.fw-view[aria-busy]')");
    tab.check("text('.fw-title') === 'No products found for “zzstqqve”'");
}
