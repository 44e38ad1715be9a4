//! 1. Only the newest response is drawn, however late a former one comes.
//! 2. Too few characters ask for nothing while typing, characters that are words count twice, and Enter always searches.
//! 3. Characters that are being composed are no query, and the Enter that ends them submits nothing; on Android, whose
//!    keyboards compose every word, they are one.
//! 4. What was pasted is a query like any other.
//! 5. A focus asks for popular queries, so that the browser has its permission before the first key.
//! 6. What was typed before the widget was there stays, also where results of the page's own address are drawn.
//! 7. A response is kept for a while: the same text again asks nobody.

use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("typing::newest", newest),
    ("typing::min_chars", min_chars),
    ("typing::composition", composition),
    ("typing::composition_in_the_layer", composition_in_the_layer),
    ("typing::paste", paste),
    ("typing::preflights", preflights),
    ("typing::early_text", early_text),
    ("typing::memory", memory),
    (
        "typing::keyboards_that_compose_words",
        keyboards_that_compose_words,
    ),
];

fn queries(bodies: &[Value]) -> Vec<String> {
    let q = |body: &Value| body["q"].as_str().unwrap_or("?").to_owned();
    bodies.iter().map(q).filter(|q| !q.is_empty()).collect()
}

fn newest(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    scene.gate.hold("/suggest", "\"q\":\"te\"");
    tab.keys("te");
    scene.until_asked("/suggest", 2);
    tab.keys("nt 7");
    tab.until("named('.fw-option-name').includes('Tent 7')");
    let before = tab.js("return named('[role=option]')");
    scene.gate.open();
    // The late response has been let through before this one was asked.
    scene
        .gate
        .rewrite("/suggest", |data| data["queries"] = json!(["the next one"]));
    assert_eq!(tab.js("return named('[role=option]')"), before);
    tab.keys("1");
    tab.until("named('[role=option]').includes('the next one')");
    tab.check("!named('.fw-option-name').includes('Tent 5')");
}

fn min_chars(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"minChars": 3, "displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("te");
    tab.until("layer() && active() === find('.fw-input')");
    tab.press(Key::BACKSPACE);
    tab.press(Key::BACKSPACE);
    tab.keys("日本");
    scene.until_asked("/search", 1);
    tab.until("named('.fw-card').length === 1");
    assert_eq!(queries(&scene.gate.bodies("/search")), ["日本"]);
    tab.press(Key::BACKSPACE);
    tab.press(Key::BACKSPACE);
    tab.keys("a");
    tab.press(Key::ENTER);
    scene.until_asked("/search", 2);
    assert_eq!(queries(&scene.gate.bodies("/search")), ["日本", "a"]);
    assert_eq!(queries(&scene.gate.bodies("/suggest")), ["日本"]);
}

fn compose(scene: &crate::stage::Scene<'_>, text: &str) {
    let length = text.chars().count();
    scene.tab.cdp(
        "Input.imeSetComposition",
        json!({"text": text, "selectionStart": length, "selectionEnd": length}),
    );
}

fn composition(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    tab.js("window.submits = 0; document.querySelector('form').addEventListener('submit', () => { window.submits += 1; })");
    for text in ["に", "にほ", "にほん"] {
        compose(&scene, text);
    }
    // The key that confirms a composition is reported with the code 229.
    tab.cdp("Input.dispatchKeyEvent", json!({"type": "rawKeyDown", "key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}));
    tab.cdp("Input.insertText", json!({"text": "日本"}));
    // The focus has asked for popular queries, and their products may be drawn already.
    scene.until_asked("/suggest", 2);
    tab.until("named('.fw-option-name').join() === '日本 lantern'");
    assert_eq!(queries(&scene.gate.bodies("/suggest")), ["日本"]);
    tab.check("window.submits === 0");
}

fn composition_in_the_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    scene.gate.forget();
    tab.js("active().select()");
    for text in ["に", "にほ"] {
        compose(&scene, text);
    }
    tab.cdp("Input.insertText", json!({"text": "日本"}));
    tab.until("named('.fw-card').length === 1");
    assert_eq!(queries(&scene.gate.bodies("/search")), ["日本"]);
    assert_eq!(queries(&scene.gate.bodies("/suggest")), ["日本"]);
}

fn paste(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    scene.focus();
    scene
        .tab
        .until("find('input[name=s]').getAttribute('role') === 'combobox'");
    scene
        .tab
        .cdp("Input.insertText", json!({"text": "  tent 12 "}));
    scene
        .tab
        .until("named('.fw-option-name').includes('Tent 12')");
    assert_eq!(queries(&scene.gate.bodies("/suggest")), ["tent 12"]);
}

fn preflights(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    scene.type_for_panel("tent");
    let log = scene.gate.requests();
    assert_eq!(scene.gate.bodies("/suggest")[0]["q"], "");
    let preflights = log
        .iter()
        .filter(|one| one.method == "OPTIONS" && one.path.contains("/suggest"))
        .count();
    assert_eq!(preflights, 1, "{log:?}");
}

fn early_text(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.put("/find", "", "<div data-findwell-results></div>");
    scene.gate.hold("/assets/results-", "");
    scene.go("/find?s=stove");
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    tab.keys("tent");
    scene.gate.open();
    tab.until("named('.fw-card').length === 1 && named('.fw-card .fw-link')[0] === 'Stove'");
    tab.check("find('input[name=s]').value === 'tent'");
    tab.keys(" 7");
    tab.press(Key::ENTER);
    tab.until("text('.fw-card .fw-link') === 'Tent 7'");
}

fn memory(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent 1");
    tab.press(Key::BACKSPACE);
    tab.press(Key::BACKSPACE);
    tab.keys(" 2");
    tab.until("named('.fw-option-name').includes('Tent 2')");
    tab.press(Key::BACKSPACE);
    tab.keys("1");
    tab.until("named('.fw-option-name').includes('Tent 1')");
    let asked = queries(&scene.gate.bodies("/suggest"));
    assert_eq!(
        asked.iter().filter(|q| *q == "tent 1").count(),
        1,
        "{asked:?}"
    );
}

fn keyboards_that_compose_words(stage: &mut Stage) {
    for mode in ["dropdown", "overlay"] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        let agent = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
        tab.cdp(
            "Emulation.setUserAgentOverride",
            json!({"userAgent": agent}),
        );
        scene.focus();
        tab.until("find('input[name=s]').hasAttribute('aria-haspopup') || find('input[name=s]').getAttribute('role') === 'combobox'");
        compose(&scene, "t");
        // The layer takes over with the first character, which ends its composition.
        let rest = if mode == "overlay" {
            tab.until("layer() && active() === find('.fw-input')");
            "ent"
        } else {
            "tent"
        };
        compose(&scene, rest);
        tab.until("named('.fw-option-name').length || named('.fw-card').length === 24");
    }
}
