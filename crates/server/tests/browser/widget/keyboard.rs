//! The combobox after the ARIA Authoring Practices.
//!
//! 1. Role, state and names; what the theme had stays; an input that is a combobox already is left alone.
//! 2. Arrows move the active option, the focus stays; Enter follows the option; the count is announced once.
//! 3. Escape closes, then clears; Tab goes on; nothing in the popup is in the tab order.
//! 4. Middle click and Ctrl+Enter open a tab and leave the panel open.
//! 5. Two inputs share one panel; an input that a script replaces works, with one listener.
//! 6. An input in a shadow root has its panel there.
//! 7. Recent searches can be removed, one or all, and hold nothing personal.

use crate::Case;
use crate::stage::{Stage, page, theme};
use crate::tab::{ALT, CTRL, Key, SHIFT};
use serde_json::json;

pub const CASES: &[Case] = &[
    ("keyboard::attributes", attributes),
    ("keyboard::arrows", arrows),
    ("keyboard::escape_and_tab", escape_and_tab),
    ("keyboard::new_tabs", new_tabs),
    ("keyboard::two_inputs", two_inputs),
    ("keyboard::replaced_input", replaced_input),
    ("keyboard::shadow_root", shadow_root),
    ("keyboard::recent", recent),
    ("keyboard::foreign_combobox", foreign_combobox),
    ("keyboard::editing", editing),
];

fn attributes(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    let input = "find('input[name=s]')";
    tab.check(&format!(
        "{input}.getAttribute('aria-label') === 'Search the shop'"
    ));
    for (name, value) in [
        ("role", "combobox"),
        ("aria-expanded", "true"),
        ("aria-autocomplete", "list"),
        ("enterkeyhint", "search"),
    ] {
        tab.check(&format!("{input}.getAttribute('{name}') === '{value}'"));
    }
    tab.check(&format!("!{input}.hasAttribute('aria-haspopup')"));
    let list = format!("document.getElementById({input}.getAttribute('aria-controls'))");
    tab.check(&format!(
        "{list}.getAttribute('role') === 'listbox' && {list}.getAttribute('aria-label')"
    ));
    tab.check(&format!("[...{list}.children].every((one) => (one.getAttribute('role') === 'group' && one.getAttribute('aria-label')) || one.getAttribute('role') === 'option')"));
    tab.check("all('[role=option]').every((one) => one.tabIndex === -1 && one.href && !one.querySelector('button,input,a'))");
    tab.check("all('[role=option][aria-selected=true]').length === 0");
}

fn arrows(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.focus();
    tab.until("find('#fw-status')");
    tab.js("window.told = []; new MutationObserver(() => { const now = find('#fw-status').textContent; if (now) window.told.push(now); }).observe(find('#fw-status'), {childList: true})");
    tab.js("window.left = 0; find('input[name=s]').addEventListener('blur', () => { window.left += 1; })");
    tab.keys("tent");
    tab.until("window.told.length === 1 && /suggestions/.test(window.told[0])");
    tab.press(Key::DOWN);
    tab.press(Key::DOWN);
    tab.check("all('[role=option][aria-selected=true]').length === 1 && all('[role=option]')[1].getAttribute('aria-selected') === 'true'");
    tab.check("active().getAttribute('aria-activedescendant') === all('[role=option]')[1].id && active().name === 's' && active().value === 'tent'");
    tab.press(Key::UP);
    tab.press(Key::UP);
    tab.check("!active().hasAttribute('aria-activedescendant')");
    tab.press(Key::UP);
    tab.check("active().getAttribute('aria-activedescendant') === all('[role=option]').at(-1).id");
    tab.press(Key::DOWN);
    tab.check("!active().hasAttribute('aria-activedescendant')");
    tab.press(Key::DOWN);
    tab.press(Key::DOWN);
    tab.check("window.left === 0 && window.told.length === 1");
    let address = tab.text("return all('[role=option]')[1].href");
    tab.press(Key::ENTER);
    tab.until(&format!("location.href === '{address}'"));
}

fn escape_and_tab(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    tab.press(Key::ESCAPE);
    tab.check("!panel() && active().value === 'tent' && active().getAttribute('aria-expanded') === 'false'");
    tab.press_with(Key::DOWN, ALT);
    tab.until("panel()");
    tab.check("!active().hasAttribute('aria-activedescendant')");
    tab.press_with(Key::UP, ALT);
    tab.check("!panel()");
    tab.press(Key::ESCAPE);
    tab.check("!panel() && active().value === ''");
    tab.keys("tent");
    tab.until("panel()");
    tab.press(Key::TAB);
    tab.check("!panel() && active().textContent === 'Go'");
    tab.press_with(Key::TAB, SHIFT);
    tab.check("active().name === 's'");
}

fn new_tabs(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    let before = tab.tabs();
    tab.click_with("find('.fw-option-products')", "middle", 0);
    assert_eq!(tab.tabs(), before + 1);
    tab.check("panel() && active().name === 's'");
    scene.until_asked("/events", 1);
    tab.press(Key::UP);
    tab.press(Key::UP);
    tab.press_with(Key::ENTER, CTRL);
    assert_eq!(tab.tabs(), before + 2);
    tab.check("panel() && location.pathname === '/'");
    scene.until_asked("/events", 2);
    let events = scene.gate.bodies("/events");
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(
        events.iter().all(|one| one["type"] == "click"
            && one["objectType"] == "products"
            && one["position"].is_u64()),
        "{events:?}"
    );
}

fn two_inputs(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put(
        "/",
        "",
        "<div role=search style=\"position:absolute;top:8px;left:900px\"><input name=m aria-label=Mobile></div>",
    );
    scene.type_for_panel("tent");
    tab.click("find('input[name=m]')");
    tab.keys("stove");
    tab.until("panel() && named('.fw-option-name').includes('Stove')");
    tab.check("find('input[name=m]').getAttribute('aria-expanded') === 'true' && find('input[name=s]').getAttribute('aria-expanded') === 'false'");
    tab.check("document.querySelectorAll('#fw-panel').length === 1");
    tab.check("Math.abs(panel().getBoundingClientRect().top - find('input[name=m]').getBoundingClientRect().bottom) < 12");
}

fn replaced_input(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    tab.js("const old = find('input[name=s]'); const next = document.createElement('input'); next.type = 'search'; next.name = 's'; next.setAttribute('aria-label', 'New'); old.replaceWith(next)");
    scene.gate.forget();
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    tab.keys("stove");
    tab.until("panel() && named('.fw-option-name').includes('Stove')");
    let asked = scene.gate.bodies("/suggest");
    assert_eq!(
        asked.iter().filter(|body| body["q"] == "stove").count(),
        1,
        "{asked:?}"
    );
    tab.press(Key::DOWN);
    tab.check("active().getAttribute('aria-activedescendant') === all('[role=option]')[0].id");
}

fn shadow_root(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let script = "<div id=box></div><script>const root = document.getElementById('box').attachShadow({mode: 'open'}); root.innerHTML = '<input id=in aria-label=Inner>'; addEventListener('load', () => findwell.attach(root.querySelector('input')))</script>";
    scene.put_html("/shadow", &page(script, &scene.line("")), None);
    scene.go("/shadow");
    let input = "document.getElementById('box').shadowRoot.querySelector('input')";
    tab.until(&format!("{input}.getAttribute('role') === 'combobox'"));
    tab.click(input);
    tab.keys("tent");
    let root = "document.getElementById('box').shadowRoot";
    tab.until(&format!(
        "{root}.querySelector('#fw-panel:not([hidden]) [role=option]')"
    ));
    tab.check(&format!("{root}.getElementById({input}.getAttribute('aria-controls')).getAttribute('role') === 'listbox'"));
    tab.check(&format!(
        "getComputedStyle({root}.querySelector('#fw-panel')).position === 'fixed'"
    ));
    tab.press(Key::DOWN);
    tab.check(&format!("{root}.getElementById({input}.getAttribute('aria-activedescendant')).getAttribute('aria-selected') === 'true'"));
}

fn recent(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    for text in ["tent 1", "stove", "me@example.com", "600123456"] {
        scene.focus();
        tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
        tab.keys(text);
        tab.press(Key::ENTER);
        tab.until("location.pathname === '/find'");
    }
    scene.focus();
    tab.until("panel() && named('.fw-option-recent').length === 2");
    assert_eq!(
        tab.js("return named('.fw-option-recent')"),
        json!(["stove", "tent 1"])
    );
    tab.press(Key::DOWN);
    tab.press(Key::DELETE);
    tab.check(
        "JSON.stringify(named('.fw-option-recent')) === '[\"tent 1\"]' && active().name === 's'",
    );
    tab.click("find('.fw-clear-recent')");
    tab.check("!named('.fw-option-recent').length && active().name === 's'");
    tab.check("!Object.keys(localStorage).some((name) => name.includes('recent'))");
}

fn foreign_combobox(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let html = theme("/find").replace(
        "type=search",
        "type=search role=combobox aria-expanded=false aria-controls=theirs",
    );
    scene.put_html("/", &page(&html, &scene.line("")), None);
    tab.go(&scene.url("/"));
    tab.js("window.told = []; const info = console.info; console.info = (...all) => { window.told.push(String(all[0])); info(...all); }");
    tab.click("find('input[name=s]')");
    tab.until("window.told.some((one) => one.includes('combobox'))");
    tab.check("find('input[name=s]').getAttribute('aria-controls') === 'theirs' && !document.getElementById('fw-panel')");
}

fn editing(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    tab.press(Key::DOWN);
    tab.press(Key::HOME);
    tab.check("active().selectionStart === 0");
    tab.press(Key::END);
    tab.press(Key::LEFT);
    tab.check("active().selectionStart === 3 && active().hasAttribute('aria-activedescendant')");
    tab.press(Key::DELETE);
    tab.check("active().value === 'ten' && !active().hasAttribute('aria-activedescendant')");
}
