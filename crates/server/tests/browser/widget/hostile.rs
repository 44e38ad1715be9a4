//! Pages that are hard to live on: what they do to all elements, to their own nodes and to events.
//!
//! 1. No rule of the page changes the computed style, the place or the pixels of panel and layer.
//! 2. A base element, forms with scripts and with fields that are named like methods, blocked storage, inputs and nodes that come and go, and modal dialogs are worked with.

use crate::Case;
use crate::stage::{Scene, Stage, page, theme};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("hostile::styles", styles),
    ("hostile::pixels", pixels),
    ("hostile::base_element", base_element),
    ("hostile::scripted_form", scripted_form),
    ("hostile::late_box", late_box),
    ("hostile::removed_nodes", removed_nodes),
    ("hostile::modal_dialog", modal_dialog),
    ("hostile::settings_as_json", settings_as_json),
    ("hostile::removed_layer", removed_layer),
    ("hostile::hidden_fields", hidden_fields),
    ("hostile::blocked_storage", blocked_storage),
];

/// Styles of shops: resets that forget everything, box models of another age, and frameworks' rules for lists and links.
const RULES: [&str; 7] = [
    "* { all: unset }",
    "* { all: unset !important }",
    "img { width: 20px !important; height: 9px !important; border-radius: 50% !important } a { color: lime !important }",
    "* { color: red; box-sizing: content-box; margin: 3px; text-transform: uppercase; letter-spacing: 4px; font-size: 9px } body#index ul li { float: left }",
    "body#index a, body#index div div { color: lime; display: inline; padding: 30px; background: black; border: 4px solid red; position: static }",
    ":is(#index, #index #after) :is(a, span, img) { width: 11px; height: 11px; font-size: 40px; visibility: hidden }",
    "[hidden] { display: block } [role=option], [role=listbox] { transform: rotate(20deg); opacity: .1 } dialog { display: none }",
];

/// What the computed styles of the panel's parts are.
const PANEL: &str = "return ['#fw-panel', '.fw-list', '.fw-group', '.fw-option', '.fw-option-name', '.fw-thumb', '.fw-price', '.fw-mark', '.fw-option-all'].map((css) => { const one = find('#fw-panel' + (css === '#fw-panel' ? '' : ' ' + css)); const style = getComputedStyle(one); return ['display', 'color', 'backgroundColor', 'fontSize', 'fontWeight', 'boxSizing', 'float', 'paddingTop', 'marginTop', 'textTransform', 'letterSpacing', 'opacity', 'visibility', 'transform', 'borderTopWidth', 'position'].map((name) => style[name]).join(' '); })";
const LAYER: &str = "return ['.fw-layer', '.fw-input', '.fw-card', '.fw-link', '.fw-picture', '.fw-facet', '.fw-select', '.fw-more', '.fw-title'].map((css) => { const style = getComputedStyle(find(css)); return ['display', 'color', 'backgroundColor', 'fontSize', 'fontFamily', 'boxSizing', 'float', 'paddingTop', 'marginTop', 'width', 'height', 'textTransform', 'letterSpacing', 'opacity', 'visibility'].map((name) => style[name]).join(' '); })";

fn with_rules(scene: &Scene<'_>, rules: &str) {
    let html = page(&theme("/find"), &scene.line(""))
        .replace("<body>", "<body id=index>")
        .replace(
            "<style>",
            &format!("<style>{rules}</style><style>html body{{font-family:sans-serif!important}}"),
        );
    scene.put_html("/", &html, None);
}

fn styles(stage: &mut Stage) {
    // What appears slowly has another opacity at each look.
    stage.tab.media(&[("prefers-reduced-motion", "reduce")]);
    for (mode, script) in [("dropdown", PANEL), ("overlay", LAYER)] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        let look = |rules: &str| {
            with_rules(&scene, rules);
            scene.go("/");
            tab.js("find('input[name=s]').focus()");
            tab.until("find('input[name=s]').hasAttribute('aria-haspopup') || find('input[name=s]').getAttribute('role') === 'combobox'");
            tab.keys("tent");
            tab.until("(panel() && named('.fw-option-name').length) || (layer() && named('.fw-card').length === 24 && !find('.fw-view[aria-busy]'))");
            tab.js(script)
        };
        let plain = look("");
        for (at, rules) in RULES.iter().enumerate() {
            assert_eq!(look(rules), plain, "{mode}: {rules}");
            tab.picture(&format!("hostile-{mode}-{at}"));
        }
    }
}

fn pixels(stage: &mut Stage) {
    stage.tab.media(&[("prefers-reduced-motion", "reduce")]);
    let panel = "panel().getBoundingClientRect()";
    // The bar above has an input, whose caret blinks.
    let layer = "{x: 0, y: 130, width: 1200, height: 600}";
    for (mode, place) in [("dropdown", panel), ("overlay", layer)] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        let look = |rules: &str| {
            with_rules(&scene, rules);
            match mode {
                "overlay" => scene.type_for_layer("tent"),
                _ => scene.type_for_panel("tent"),
            }
            tab.until(
                "all('.fw-thumb img, .fw-card:nth-child(-n+8) img').every((one) => one.complete)",
            );
            tab.pixels(place)
        };
        let rules = "*{color:red;box-sizing:content-box} body#index ul li{float:left}";
        assert!(look("") == look(rules), "{mode} has other pixels");
    }
}

fn base_element(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let html = page(
        &theme("/find"),
        &scene.line("data-results=\"/all?query={q}\""),
    )
    .replace(
        "<title>",
        "<base href=\"/deep/folder/\" target=\"_top\"><title>",
    );
    scene.put_html("/", &html, None);
    scene.type_for_panel("tent");
    tab.press(Key::ENTER);
    tab.until("location.pathname + location.search === '/all?query=tent'");
}

fn scripted_form(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let script = "<script>document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); location.href = '/theirs'; }); \
                  document.querySelector('input').addEventListener('keydown', (event) => { if (event.key === 'Enter') location.href = '/theirs'; });</script>";
    scene.put("/", "", script);
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent");
    tab.until("layer() && named('.fw-card').length === 24");
    tab.press(Key::ESCAPE);
    tab.until("!layer() && active().name === 's'");
    tab.press(Key::ENTER);
    tab.until("layer()");
    tab.check("location.pathname === '/'");
    tab.press(Key::ESCAPE);
    tab.until("!layer()");
    tab.click("document.querySelector('header form button')");
    tab.until("layer()");
    tab.check("location.pathname === '/'");
}

fn late_box(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put_html(
        "/",
        &page(
            "<p>Nothing yet</p>",
            &scene.line("data-input=\"#late input\""),
        ),
        None,
    );
    scene.go("/");
    tab.js("const late = document.createElement('div'); late.id = 'late'; const input = document.createElement('input'); input.setAttribute('aria-label', 'Late'); late.append(input); document.body.append(late)");
    assert_eq!(scene.gate.requests().len(), 1);
    tab.click("find('#late input')");
    tab.until("find('#late input').getAttribute('role') === 'combobox'");
    tab.keys("tent");
    tab.until("panel() && named('.fw-option-name').length");
}

fn removed_nodes(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    tab.js("window.broken = []; addEventListener('error', (event) => window.broken.push(event.message)); addEventListener('unhandledrejection', (event) => window.broken.push(String(event.reason)))");
    tab.js("const form = document.querySelector('form'); const parent = form.parentNode; form.remove(); dispatchEvent(new Event('resize')); setTimeout(() => parent.append(form), 50)");
    tab.until("!panel() && document.querySelector('form')");
    tab.click("find('input[name=s]')");
    tab.keys(" 1");
    tab.until("panel() && named('.fw-option-name').includes('Tent 1')");
    tab.js("document.getElementById('fw-panel').remove(); document.getElementById('fw-status').remove()");
    tab.keys("2");
    tab.until("panel() && panel().matches(':popover-open') && named('.fw-option-name').includes('Tent 12')");
    tab.press(Key::DOWN);
    tab.until("find('[role=option][aria-selected=true]')");
    tab.press(Key::ESCAPE);
    tab.until("!panel()");
    assert_eq!(tab.js("return window.broken"), json!([]));
}

fn modal_dialog(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let dialog =
        "<dialog id=theirs><div role=search><input name=d aria-label=Inside></div></dialog>";
    scene.put("/", "", dialog);
    scene.go("/");
    tab.js("find('#theirs').showModal()");
    tab.click("find('input[name=d]')");
    tab.until("find('input[name=d]').getAttribute('role') === 'combobox'");
    tab.keys("tent");
    tab.until("panel() && named('.fw-option-name').length && find('#theirs').contains(panel())");
    let before = tab.tabs();
    tab.click_with("find('.fw-option-products')", "middle", 0);
    assert_eq!(tab.tabs(), before + 1);
}

fn settings_as_json(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let settings = json!({"key": scene.shop.public, "lang": "es", "input": "#own"});
    let body = format!(
        "<input id=own aria-label=Own><script type=\"application/json\" id=findwell>{settings}</script><script src=\"{}/api/v1/widget/loader.js\" async></script>",
        scene.gate.base()
    );
    scene.put_html("/", &page(&body, ""), None);
    scene.go("/");
    tab.click("find('#own')");
    tab.until("find('#own').getAttribute('role') === 'combobox'");
    tab.keys("tent");
    tab.until("panel() && named('.fw-option-name').length");
    tab.check("panel().lang === 'es' && named('.fw-group-title').includes('Productos')");
    assert!(
        scene
            .gate
            .bodies("/suggest")
            .iter()
            .all(|body| body["lang"] == "es")
    );
}

fn removed_layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.put(
        "/",
        "",
        "<script>document.documentElement.style.overflow = 'scroll'</script>",
    );
    scene.type_for_layer("tent");
    tab.press(Key::ESCAPE);
    tab.until("!layer()");
    tab.check("document.documentElement.style.overflow === 'scroll'");
    tab.js("document.querySelector('[data-findwell-layer]').remove()");
    let entries = tab.js("return history.length");
    tab.keys(" 1");
    tab.until("layer() && find('.fw-input').value === 'tent 1' && named('.fw-card').length");
    assert_eq!(tab.js("return history.length"), entries);
    tab.press(Key::ESCAPE);
    tab.until("!layer() && document.documentElement.style.overflow === 'scroll'");
}

fn hidden_fields(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    let form = "<form role=search action=\"/find?lost=1\"><input type=hidden name=action value=search><input type=hidden name=method value=x>\
                <input type=hidden name=submit value=y><input type=search name=s aria-label=Search></form>";
    scene.put_html("/", &page(form, &scene.line("")), None);
    scene.type_for_panel("tent");
    tab.check("find('.fw-option-all').pathname + find('.fw-option-all').search === '/find?action=search&method=x&submit=y&s=tent'");
    tab.press(Key::ENTER);
    tab.until(
        "location.pathname + location.search === '/find?action=search&method=x&submit=y&s=tent'",
    );
}

fn blocked_storage(stage: &mut Stage) {
    for (mode, consent) in [("dropdown", ""), ("overlay", "data-consent=no")] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        tab.early("for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError'); }})");
        scene.put("/", consent, "");
        match mode {
            "overlay" => scene.type_for_layer("tent"),
            _ => scene.type_for_panel("tent"),
        }
        tab.press(Key::ENTER);
        tab.until("layer() && named('.fw-card').length === 24");
    }
}
