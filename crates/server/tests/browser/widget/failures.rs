//! A service that is away, slow or says no, and a page without a key: the shop's own form works as without the widget.
//!
//! 1. Without a key, and with one that is not valid any more, nothing is asked or left of the widget; the console says at
//!    most one line.
//! 2. Whichever part of the widget does not come, the page is parsed on time and Enter submits the form at once,
//!    in the task of that key.
//! 3. A response that takes too long opens nothing when it comes; after two of them the service is left alone for a minute.
//! 4. Errors in the layer can be retried or left for the shop's form; a rate limit is silent; offline is said.

use crate::Case;
use crate::stage::{Stage, page, theme};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("failures::no_key", no_key),
    ("failures::deactivated_key", deactivated_key),
    ("failures::hanging_loader", hanging_loader),
    ("failures::hanging_parts", hanging_parts),
    ("failures::slow_service", slow_service),
    ("failures::errors_in_the_layer", errors_in_the_layer),
    ("failures::rate_limit", rate_limit),
    ("failures::rate_limit_of_the_layer", rate_limit_of_the_layer),
    ("failures::broken_assets", broken_assets),
    ("failures::offline", offline),
    ("failures::second_attempt", second_attempt),
    ("failures::early_calls", early_calls),
    (
        "failures::key_of_the_configuration",
        key_of_the_configuration,
    ),
];

/// Counts what the page writes to its console, and errors that nobody catches.
const CONSOLE: &str = "window.said = []; \
    for (const level of ['error', 'warn', 'info', 'log', 'debug']) console[level] = (...all) => window.said.push(all.join(' ')); \
    for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation']) addEventListener(kind, (event) => window.said.push(kind), true);";

/// Notes for the next page whether the form is submitted in the task of the key that submits it.
const AT_ONCE: &str = "addEventListener('keypress', () => { \
        window.later = false; \
        const channel = new MessageChannel(); \
        channel.port1.onmessage = () => { window.later = true; }; \
        channel.port2.postMessage(0); \
    }, true); \
    addEventListener('submit', (event) => sessionStorage.setItem('at-once', String(window.later === false && !event.defaultPrevented)));";

fn no_key(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    tab.early(CONSOLE);
    let line = format!(
        "<script src=\"{}/api/v1/widget/loader.js\" async></script>",
        scene.gate.base()
    );
    scene.put_html("/", &page(&theme("/find"), &line), None);
    scene.focus();
    tab.keys("tent");
    tab.check(
        "find('input[name=s]').attributes.length === 3 && !document.getElementById('fw-panel')",
    );
    assert_eq!(scene.gate.requests().len(), 1);
    assert_eq!(tab.js("return window.said"), json!([]));
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/find' && location.search === '?s=tent'");
}

fn deactivated_key(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    tab.js("window.off = []; document.addEventListener('findwell:off', (event) => window.off.push(event.detail.reason))");
    scene.gate.answer("/suggest", 401, None);
    tab.keys(" 5");
    tab.until("window.off.length === 1 && window.off[0] === '401'");
    tab.check("!document.getElementById('fw-panel') && !document.getElementById('fw-status')");
    tab.check("['role', 'aria-expanded', 'aria-controls', 'aria-autocomplete', 'aria-activedescendant', 'autocomplete'].every((name) => !find('input[name=s]').hasAttribute(name))");
    let asked = scene.gate.requests().len();
    tab.keys("6");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/find' && new URLSearchParams(location.search).get('s') === 'tent 56'");
    assert_eq!(scene.gate.requests().len(), asked);
}

fn hanging_loader(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.gate.hold("/loader.js", "");
    tab.early(AT_ONCE);
    // An async script holds up the load event of the page, but not its content.
    scene.go("/");
    tab.until("location.pathname === '/' && document.readyState === 'interactive' && performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd > 0");
    tab.click("find('input[name=s]')");
    tab.keys("tent");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/find' && location.search === '?s=tent'");
    tab.check("sessionStorage.getItem('at-once') === 'true'");
    scene.gate.open();
}

fn hanging_parts(stage: &mut Stage) {
    for (part, mode) in [
        ("/widget/config", "dropdown"),
        ("/assets/box-", "dropdown"),
        ("/assets/results-", "overlay"),
    ] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        tab.early(AT_ONCE);
        scene.gate.hold(part, "");
        scene.focus();
        scene.until_asked(part, 1);
        tab.keys("tent");
        tab.check("!layer() && !panel()");
        tab.press(Key::ENTER);
        tab.until("location.pathname === '/find' && location.search === '?s=tent'");
        tab.check("sessionStorage.getItem('at-once') === 'true'");
        tab.js("sessionStorage.clear()");
    }
}

fn slow_service(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    tab.real_time();
    let ended = |count: usize| {
        format!(
            "performance.getEntriesByType('resource').filter((one) => one.name.includes('suggest')).length >= {count}"
        )
    };
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    tab.until(&ended(1));
    scene.gate.hold("/suggest", "");
    tab.js("window.opened = 0; document.addEventListener('findwell:open', () => { window.opened += 1; })");
    tab.js("window.submits = 0; document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); window.submits += 1; })");
    tab.keys("te");
    // The widget itself gives up after three seconds; two such failures in a row make it rest.
    tab.until(&ended(2));
    tab.keys("n");
    tab.until(&ended(3));
    tab.keys("t");
    tab.check("!panel() && window.opened === 0");
    tab.press(Key::ENTER);
    tab.check("window.submits === 1 && !layer()");
    // What was held comes now, too late for anybody.
    scene.gate.open();
    tab.keys(" 1");
    tab.check("!panel() && window.opened === 0");
    assert_eq!(scene.gate.bodies("/suggest").len(), 3);
    // A minute later.
    tab.js("const now = Date.now.bind(Date); Date.now = () => now() + 60000");
    tab.keys("2");
    tab.until("panel() && named('.fw-option-name').includes('Tent 12')");
    tab.check("window.opened === 1");
    assert_eq!(scene.gate.bodies("/suggest")[3]["q"], "tent 12");
}

fn errors_in_the_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    scene.gate.answer("/search", 503, None);
    tab.keys(" 7");
    tab.until("find('.fw-failed')");
    tab.check("all('.fw-actions button').length === 2 && !named('.fw-card').length");
    scene.gate.open();
    tab.click("find('.fw-actions button')");
    tab.until("named('.fw-card').length > 0 && !find('.fw-failed')");
    scene.gate.answer("/search", 503, None);
    tab.click("find('.fw-input')");
    tab.press(Key::END);
    tab.keys("9");
    tab.until("find('.fw-failed')");
    tab.click("all('.fw-actions button')[1]");
    tab.until("location.pathname === '/find' && new URLSearchParams(location.search).get('s') === 'tent 79'");
}

fn rate_limit(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    scene
        .gate
        .answer("/suggest", 429, Some(("Retry-After", "1")));
    tab.keys(" 1");
    tab.until("!panel()");
    scene.gate.open();
    let asked = scene.gate.bodies("/suggest").len();
    tab.check("find('input[name=s]').attributes.length === 3");
    // Silent while it rests; then the next key asks again. A key a half second, because each one begins the pause anew.
    tab.until("(() => { const input = find('input[name=s]'); if (performance.now() - (window.last || 0) > 500) { window.last = performance.now(); input.value += '2'; input.dispatchEvent(new Event('input', {bubbles: true})); } return panel(); })()");
    assert!(scene.gate.bodies("/suggest").len() > asked);
}

fn rate_limit_of_the_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    let limit = Some(("Retry-After", "60"));
    scene.gate.answer("/suggest", 429, limit);
    scene.gate.answer("/search", 429, limit);
    let asked = scene.gate.bodies("/").len();
    for key in [" ", "1", "2"] {
        tab.keys(key);
        tab.until("!find('.fw-view[aria-busy]')");
    }
    tab.until("find('.fw-input').value === 'tent 12' && !find('.fw-failed') && named('.fw-card').length === 24");
    assert!(scene.gate.bodies("/").len() <= asked + 2);
    // What is submitted must lead somewhere.
    tab.press(Key::ENTER);
    tab.until("location.pathname + location.search === '/find?s=tent+12'");
}

fn broken_assets(stage: &mut Stage) {
    for asset in ["box-", "config"] {
        let scene = stage.scene(json!({}));
        let tab = scene.tab;
        scene.gate.answer(asset, 503, None);
        scene.go("/");
        tab.js("window.off = []; document.addEventListener('findwell:off', (event) => window.off.push(event.detail.reason))");
        tab.click("find('input[name=s]')");
        tab.until("window.off.length === 1");
        tab.keys("tent");
        tab.press(Key::ENTER);
        tab.until("location.pathname === '/find' && location.search === '?s=tent'");
    }
    // Without its style sheet the panel stays closed.
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.gate.answer(".css", 404, None);
    tab.early("window.opened = 0; document.addEventListener('findwell:open', () => { window.opened += 1; })");
    scene.focus();
    scene.until_asked("/suggest", 1);
    tab.keys("tent");
    tab.press(Key::ENTER);
    tab.check("window.opened === 0");
    tab.until("location.pathname + location.search === '/find?s=tent'");
}

fn offline(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    let network = |offline: bool| {
        tab.cdp("Network.enable", json!({}));
        tab.cdp("Network.emulateNetworkConditions", json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}));
    };
    network(true);
    tab.keys(" 7");
    tab.until("find('.fw-failed') && text('.fw-failed') === 'You are offline'");
    network(false);
    tab.until("named('.fw-card').length > 0 && !find('.fw-failed')");
    tab.cdp("Network.disable", json!({}));
}

fn second_attempt(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.gate.answer("box-", 503, None);
    scene.go("/");
    tab.js("window.off = []; document.addEventListener('findwell:off', (event) => window.off.push(event.detail.reason))");
    tab.click("find('input[name=s]')");
    tab.until("window.off.length === 1");
    tab.check("find('input[name=s]').attributes.length === 3");
    scene.gate.open();
    tab.keys("te");
    tab.check("find('input[name=s]').attributes.length === 3");
    // A minute later.
    tab.js("const now = Date.now.bind(Date); Date.now = () => now() + 61000");
    tab.keys("nt");
    tab.until("panel() && named('.fw-option-name').length");
}

fn early_calls(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    // As a script that the browser has kept: it runs before the page is parsed.
    let line = scene.line("").replace(" async", "");
    let body = format!("{}<script>findwell.open('tent')</script>", theme("/find"));
    scene.put_html("/", &page(&body, &line), None);
    scene.go("/");
    tab.until("layer() && named('.fw-card').length === 24");
}

fn key_of_the_configuration(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    tab.early(CONSOLE);
    tab.early("window.off = []; document.addEventListener('findwell:off', (event) => window.off.push(event.detail.reason))");
    scene.gate.answer("/widget/config", 401, None);
    scene.focus();
    tab.until("window.off.length === 1");
    scene.gate.open();
    tab.js("active().blur()");
    tab.click("find('input[name=s]')");
    tab.keys("tent");
    tab.check("window.off.join() === '401' && window.said.join() === 'findwell: off (401)' && find('input[name=s]').attributes.length === 3");
    assert_eq!(scene.gate.bodies("/widget/config").len(), 1);
}
