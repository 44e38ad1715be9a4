//! The line of a page: its settings, and that it holds nothing up.
//!
//! 1. A setting that is missing, blank or null is not there: no address of the page is asked for it.
//! 2. A service that accepts connections and never responds holds up neither the content nor the `load` event of a page
//!    with the snippet, whichever part hangs.
//! 3. With the snippet the widget works as with the script line, also under a policy that admits it by its hash, and with
//!    settings as JSON.
//! 4. With the line that the shop module prints, both hold too, under a policy without its hash.
//! 5. The place of the results is kept before they come: nothing below moves, and it is given up when they do not come.

use crate::Case;
use crate::stage::{Scene, Stage, page, theme};
use crate::tab::Key;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const CASES: &[Case] = &[
    ("line::absent_settings", absent_settings),
    ("line::absent_loader", absent_loader),
    (
        "line::absent_settings_of_a_preview",
        absent_settings_of_a_preview,
    ),
    ("line::hanging_service", hanging_service),
    ("line::hanging_parts", hanging_parts),
    ("line::snippet", snippet),
    ("line::snippet_under_a_policy", snippet_under_a_policy),
    (
        "line::hanging_service_of_a_module",
        hanging_service_of_a_module,
    ),
    ("line::line_of_the_module", line_of_the_module),
    ("line::kept_place", kept_place),
    ("line::place_given_up", place_given_up),
];

/// All settings that are texts.
const TEXTS: [&str; 7] = [
    "lang", "input", "results", "visitor", "prices", "cards", "consent",
];

const SNIPPET: &str = include_str!("../../../src/assets/widget/snippet.js");

/// What the shop module prints, which a test of its own compares, and the file that it names.
const LINE_OF_MODULE: &str =
    include_str!("../../../../../modules/prestashop/tests/platform/line.html");
const FILE_OF_MODULE: &str =
    include_str!("../../../../../modules/prestashop/findwell/views/js/snippet.js");
const PATH_IN_MODULE: &str = "/modules/findwell/views/js/snippet.js";

/// The snippet as the documentation has it.
fn inline(scene: &Scene<'_>, attributes: &str) -> String {
    let loader = format!("{}/api/v1/widget/loader.js", scene.gate.base());
    format!(
        "<script data-loader=\"{loader}\" data-key=\"{}\" {attributes}>{}</script>",
        scene.shop.public,
        SNIPPET.trim_end()
    )
}

/// The line of the shop module for this shop, whose file stands on its site.
fn of_module(scene: &Scene<'_>) -> String {
    scene.site.script(PATH_IN_MODULE, FILE_OF_MODULE);
    let mut line = LINE_OF_MODULE.to_owned();
    for (printed, here) in [
        ("https://search.example", scene.gate.base()),
        ("http://shop.example", scene.site.base()),
        ("pub_page", &scene.shop.public),
    ] {
        assert!(line.contains(printed), "{line}");
        line = line.replace(printed, here);
    }
    line
}

/// The bare theme with the field where themes of the platform have it.
fn theme_of_the_platform() -> String {
    let theme = theme("/find");
    format!("<div data-search-controller-url=\"/find\">{theme}</div>")
}

/// Shows the layer with cards, for which every setting is read.
fn assert_nothing_of_the_page_is_asked(scene: &Scene<'_>) {
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.press(Key::ESCAPE);
    tab.until("!layer()");
    assert_eq!(pages_asked(scene), ["/"]);
}

/// What was asked of the site, besides pictures.
fn pages_asked(scene: &Scene<'_>) -> Vec<String> {
    let mut asked = scene.site.asked("");
    asked.retain(|path| !path.ends_with(".svg") && path != "/favicon.ico");
    asked
}

fn absent_settings(stage: &mut Stage) {
    let blank = TEXTS.map(|name| format!("data-{name}=\" \"")).join(" ");
    let null: serde_json::Map<String, Value> = TEXTS
        .map(|name| (name.to_owned(), Value::Null))
        .into_iter()
        .collect();
    let number: serde_json::Map<String, Value> = TEXTS
        .map(|name| (name.to_owned(), json!(7)))
        .into_iter()
        .collect();
    let as_json = |settings: serde_json::Map<String, Value>| {
        format!(
            "<script type=\"application/json\" id=findwell>{}</script>",
            Value::Object(settings)
        )
    };
    for (attributes, settings) in [
        (String::new(), String::new()),
        (blank, String::new()),
        (String::new(), as_json(null)),
        (String::new(), as_json(number)),
    ] {
        let features = json!({"displayMode": "overlay", "livePricing": true, "themeCards": true});
        let scene = stage.scene(json!({ "features": features }));
        // The language of the page is English.
        let line = scene.line(&attributes).replace("data-lang=\"en\"", "");
        let html = page(&format!("{settings}{}", theme("/find")), &line);
        scene.put_html("/", &html, None);
        assert_nothing_of_the_page_is_asked(&scene);
    }
}

/// The address of the loader is a setting, too.
fn absent_loader(stage: &mut Stage) {
    for attribute in ["data-other", "data-loader=\" \" data-other"] {
        let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
        let line = inline(&scene, "").replacen("data-loader", attribute, 1);
        let body = format!("{}<div data-findwell-results></div>", theme("/find"));
        scene.put_html("/", &page(&body, &line), None);
        scene.go("/");
        scene.tab.until("document.readyState === 'complete'");
        scene
            .tab
            .check("find('[data-findwell-results]').getBoundingClientRect().height === 0");
        assert_eq!(pages_asked(&scene), ["/"]);
    }
}

fn absent_settings_of_a_preview(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    scene.put("/", "data-preview", "");
    assert_nothing_of_the_page_is_asked(&scene);
}

/// Goes to a page, whose `load` event comes within two seconds.
fn assert_loads(scene: &Scene<'_>, path: &str) {
    scene.go(path);
    let end = "performance.getEntriesByType('navigation')[0].loadEventEnd";
    scene.tab.until(&format!("{end} > 0"));
    scene.tab.check(&format!("{end} < 2000"));
}

fn hanging_service(stage: &mut Stage) {
    assert_nothing_hangs_with(stage, |scene| inline(scene, ""));
}

fn hanging_service_of_a_module(stage: &mut Stage) {
    assert_nothing_hangs_with(stage, of_module);
}

/// The page is there at once, and its own form works, while the service accepts connections and never responds.
fn assert_nothing_hangs_with(stage: &mut Stage, line: impl Fn(&Scene<'_>) -> String) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put_html("/", &page(&theme_of_the_platform(), &line(&scene)), None);
    scene.gate.hold("", "");
    assert_loads(&scene, "/");
    scene.until_asked("/loader.js", 1);
    tab.click("find('input[name=s]')");
    tab.keys("tent");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/find' && location.search === '?s=tent'");
}

fn hanging_parts(stage: &mut Stage) {
    for (part, lines) in [
        ("/widget/config", 2),
        ("/assets/box-", 2),
        ("/assets/results-", 2),
        (".css", 2),
        ("/widget/custom/", 2),
        ("/search", 2),
    ] {
        for line in 0..lines {
            let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
            let own = json!({"customCSS": "p { margin: 0 }", "customJS": "window.own = 1"});
            scene.set_custom(&own);
            let line = if line == 0 {
                scene.line("")
            } else {
                inline(&scene, "")
            };
            let body = format!("{}<div data-findwell-results></div>", theme("/find"));
            scene.put_html("/find", &page(&body, &line), None);
            scene.gate.hold(part, "");
            assert_loads(&scene, "/find?s=tent");
            scene.until_asked(part, 1);
            scene.set_custom(&json!({"customCSS": null, "customJS": null}));
        }
    }
}

fn snippet(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let html = page(&theme("/find"), &inline(&scene, "data-lang=es"));
    scene.put_html("/", &html, None);
    scene.type_for_layer("tent");
    assert_eq!(scene.gate.bodies("/search")[0]["lang"], "es");
    // The settings as JSON, the address of the loader too.
    let settings = json!({"key": scene.shop.public, "lang": "es", "input": "#own"});
    let body =
        format!("<input id=own><script type=\"application/json\" id=findwell>{settings}</script>");
    let line = inline(&scene, "").replace("data-key", "data-other");
    scene.put_html("/json", &page(&body, &line), None);
    scene.go("/json");
    tab.click("find('#own')");
    tab.until("find('#own').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent");
    tab.until("layer() && named('.fw-card').length === 24");
}

/// Notes what a policy forbade.
const NOTE_VIOLATIONS: &str = "window.blocked = []; document.addEventListener('securitypolicyviolation', (event) => window.blocked.push(event.violatedDirective))";

/// A page without its own style, which is not what is tried under a policy.
fn without_style(html: &str) -> String {
    html.replace("<style>", "<template>")
        .replace("</style>", "</template>")
}

fn snippet_under_a_policy(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    let api = format!("{}/api/v1", scene.gate.base());
    let hash = STANDARD.encode(Sha256::digest(SNIPPET.trim_end()));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{hash}' {api}/widget/loader.js {api}/widget/assets/; style-src {api}/widget/assets/; \
         connect-src {api}/; img-src *; form-action 'self'; require-trusted-types-for 'script'; trusted-types findwell-cards"
    );
    tab.early(NOTE_VIOLATIONS);
    let body = format!("{}<div data-findwell-results></div>", theme("/find"));
    let html = page(&body, &inline(&scene, ""));
    scene.put_html("/find", &without_style(&html), Some(&policy));
    scene.go("/find?s=tent");
    tab.until("named('.fw-card').length === 24 && !find('.fw-view[aria-busy]')");
    assert_eq!(tab.js("return window.blocked"), json!([]));
}

fn line_of_the_module(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let api = format!("{}/api/v1", scene.gate.base());
    let policy = format!(
        "default-src 'none'; script-src 'self' {api}/widget/loader.js {api}/widget/assets/; style-src {api}/widget/assets/; \
         connect-src 'self' {api}/; img-src *; form-action 'self'"
    );
    tab.early(NOTE_VIOLATIONS);
    let visitor = "/module/findwell/visitor";
    scene.site.endpoint(visitor, "{\"visitor\": null}");
    let html = page(&theme_of_the_platform(), &of_module(&scene));
    scene.put_html("/", &without_style(&html), Some(&policy));
    scene.type_for_layer("tent");
    assert_eq!(scene.gate.bodies("/search")[0]["lang"], "en");
    for path in [PATH_IN_MODULE, visitor] {
        assert_eq!(scene.site.asked(path).len(), 1, "{path}");
    }
    assert_eq!(tab.js("return window.blocked"), json!([]));
}

/// Notes how far things moved, but for what is the answer to the shopper's own doing.
const SHIFT: &str = "window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({type: 'layout-shift', buffered: true})";

fn place(scene: &Scene<'_>, replaces: &str) -> String {
    let footer = "<footer><p>About the shop</p></footer>";
    let body = format!(
        "{}<div id=products>Nothing of the shop's own</div><div data-findwell-results {replaces}></div>{footer}",
        theme("/find")
    );
    page(&body, &inline(scene, ""))
}

fn kept_place(stage: &mut Stage) {
    for mode in ["page", "dropdown"] {
        for replaces in ["", "data-replaces=\"#products\""] {
            let scene = stage.scene(json!({"features": {"displayMode": mode}}));
            let tab = scene.tab;
            scene.put_html("/find", &place(&scene, replaces), None);
            tab.early(SHIFT);
            // What is drawn before the loader has come is on the screen.
            scene.gate.hold("/loader.js", "");
            scene.go("/find?s=stove");
            tab.until("performance.getEntriesByName('first-contentful-paint').length === 1");
            tab.check("find('footer').getBoundingClientRect().top >= innerHeight");
            scene.gate.open();
            tab.until("named('.fw-card').length === 1 && !find('.fw-view[aria-busy]')");
            tab.until_still();
            tab.check("find('footer').getBoundingClientRect().top >= innerHeight");
            tab.check("window.shift < 0.01");
        }
    }
}

fn place_given_up(stage: &mut Stage) {
    let above = "find('footer').getBoundingClientRect().top < 300";
    // The loader does not come, the key is not valid, the layer needs no place.
    for (mode, part) in [
        ("page", "/loader.js"),
        ("page", "/widget/config"),
        ("overlay", ""),
    ] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        scene.put_html("/find", &place(&scene, ""), None);
        if !part.is_empty() {
            scene.gate.answer(part, 401, None);
        }
        scene.go("/find?s=stove");
        scene.tab.until(above);
    }
}
