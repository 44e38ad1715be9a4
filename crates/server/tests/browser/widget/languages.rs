//! Languages of the page.
//!
//! 1. They decide how prices are written and which way text runs, whatever form their tag has.
//! 2. From right to left the layer is mirrored, and a text of another direction reads in its own.

use crate::Case;
use crate::stage::{Stage, page, theme};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("languages::tags", tags),
    ("languages::right_to_left", right_to_left),
];

fn tags(stage: &mut Stage) {
    for (tag, price, direction) in [
        ("de_DE", "5,00 €", "ltr"),
        ("ar_EG", "", "rtl"),
        ("not a language", "5,00 €", "ltr"),
    ] {
        let scene = stage.scene(json!({}));
        let html = page(&theme("/find"), &scene.line("data-lang=\"\""));
        let html = html.replace("<html lang=en>", &format!("<html lang=\"{tag}\">"));
        scene.put_html("/", &html, None);
        scene.type_for_panel("lamp");
        let tab = scene.tab;
        tab.check(&format!("panel().dir === '{direction}'"));
        tab.check(&format!(
            "!'{price}' || text('.fw-option-products .fw-price').replace(/\\s/g, ' ') === '{price}'"
        ));
    }
}

fn right_to_left(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}, "translations": {"en": {"results.countFor": "{n} منتجات لـ {q}"}}}));
    let tab = scene.tab;
    scene.go("/");
    tab.js("document.documentElement.dir = 'rtl'");
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent");
    tab.until("layer() && named('.fw-card').length === 24");
    tab.check("find('.fw-root').dir === 'rtl' && text('.fw-title').includes('منتجات')");
    tab.check("find('.fw-side').getBoundingClientRect().left > find('.fw-results').getBoundingClientRect().left");
    tab.check("find('.fw-close').getBoundingClientRect().left < find('.fw-input').getBoundingClientRect().left");
    tab.check("all('.fw-card')[0].getBoundingClientRect().left > all('.fw-card')[1].getBoundingClientRect().left");
    let before = tab
        .js("return Number(find('[id$=price-min-slider]').value)")
        .as_f64()
        .expect("a number");
    tab.js("find('[id$=price-min-slider]').focus()");
    tab.press(Key::LEFT);
    // From right to left the way to larger numbers is to the left.
    let after = tab
        .js("return Number(find('[id$=price-min-slider]').value)")
        .as_f64()
        .expect("a number");
    assert!(after > before, "{before} {after}");
    tab.picture("right-to-left");
    tab.resize(700, 800);
    tab.until("text('.fw-open-filters').replace(/[\\u2068\\u2069]/g, '') === 'Show filters (1)'");
    let ends = "const label = find('.fw-open-filters > span').firstChild; \
        const left = (of) => { const range = new Range(); const at = label.data.indexOf(of); range.setStart(label, at); range.setEnd(label, at + 1); return range.getBoundingClientRect().left; }; \
        return left('S') < left('(') && left('(') < left(')')";
    assert_eq!(tab.js(ends), json!(true), "it reads from left to right");
    tab.click("find('.fw-open-filters')");
    tab.until("find('.fw-drawer[open]') && find('.fw-drawer').getBoundingClientRect().left === 0");
    tab.check("find('.fw-drawer').getBoundingClientRect().right < innerWidth - 200");
    tab.picture("right-to-left-filters");
}
