//! Hostile texts, addresses and policies.
//!
//! 1. Under the strict policy of the documentation with Trusted Types, and under one of nonces alone, nothing is blocked
//!    in any display mode.
//! 2. Names with markup are text, marks are kept; a highlight that is not text and marks gives way to the plain name.
//! 3. An address that is not http or https is no link.
//! 4. The theme's cards are the only markup; scripts and handlers in them do not run, in requests of at most 48 ids.
//! 5. The shop's own script and style are loaded from their place only; one that fails changes nothing, and is all that
//!    the page hears of.
//! 6. The policy that admits one store's own script blocks another store's.

use crate::Case;
use crate::stage::{Scene, Stage, page, theme};
use crate::tab::Key;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("safety::strict_policy", strict_policy),
    ("safety::nonce_policy", nonce_policy),
    ("safety::hostile_names", hostile_names),
    ("safety::broken_highlight", broken_highlight),
    ("safety::script_addresses", script_addresses),
    ("safety::theme_cards", theme_cards),
    ("safety::custom_files", custom_files),
    ("safety::custom_of_another_store", custom_of_another_store),
    ("safety::own_cards", own_cards),
];

/// Counts what a policy blocks and what fails in scripts of the page.
const COUNTER: &str = "window.blocked = []; document.addEventListener('securitypolicyviolation', (event) => window.blocked.push(event.violatedDirective + ' ' + event.blockedURI)); \
                       addEventListener('error', (event) => window.blocked.push(String(event.message)))";

fn strict(scene: &Scene<'_>) -> String {
    let base = format!("{}/api/v1", scene.gate.base());
    let store = &scene.shop.store;
    let own =
        format!("{base}/widget/loader.js {base}/widget/assets/ {base}/widget/custom/{store}/");
    format!(
        "default-src 'none'; script-src 'nonce-counter' {own}; style-src 'nonce-counter' {own}; connect-src 'self' {base}/; img-src 'self'; \
         form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types findwell-cards"
    )
}

fn guarded(scene: &Scene<'_>, attributes: &str, main: &str) -> String {
    let html = page(
        &format!("{}{main}", theme("/find")),
        &scene.line(attributes),
    );
    let counter = format!("<script nonce=counter>{COUNTER}</script>");
    html.replace("<style>", "<style nonce=counter>")
        .replace("<title>", &format!("{counter}<title>"))
}

/// Uses panel, layer and filters of a page; nothing may be blocked.
fn use_all(scene: &Scene<'_>, mode: &str) {
    let tab = scene.tab;
    tab.click("find('input[name=s]')");
    match mode {
        "overlay" => {
            tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
            tab.keys("tent");
            tab.until("layer() && named('.fw-card').length === 24");
            tab.check("getComputedStyle(find('.fw-cards')).display === 'grid'");
        }
        _ => {
            tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
            tab.keys("tent");
            tab.until("panel() && getComputedStyle(panel()).position === 'fixed'");
            tab.press(Key::ENTER);
            tab.until("named('.fw-card').length === 24");
        }
    }
    tab.click("all('.fw-choice')[0]");
    tab.until("all('.fw-chips button').length === 1 && !find('.fw-view[aria-busy]')");
    assert_eq!(tab.js("return window.blocked"), json!([]), "{mode}");
}

fn strict_policy(stage: &mut Stage) {
    for mode in ["overlay", "dropdown", "page"] {
        let widget = json!({"features": {"displayMode": mode}, "colors": {"primary": "#0a5"}, "typography": {"size": "17"}});
        let scene = stage.scene(widget);
        let policy = strict(&scene);
        let html = guarded(&scene, "", "<div data-findwell-results></div>");
        let html = if mode == "page" {
            html
        } else {
            html.replace("data-findwell-results", "")
        };
        for path in ["/", "/find"] {
            scene.put_html(path, &html, Some(&policy));
        }
        scene.go("/");
        use_all(&scene, mode);
    }
}

fn nonce_policy(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let policy = "default-src 'none'; script-src 'nonce-counter'; style-src 'nonce-counter'; connect-src *; img-src *; form-action 'self'";
    scene.put_html("/", &guarded(&scene, "nonce=counter", ""), Some(policy));
    scene.go("/");
    use_all(&scene, "overlay");
}

fn hostile_names(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        for hit in data["products"]["hits"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            let marked = "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;x&quot; <em>lamp</em>";
            hit["highlight"]["name"] = json!(marked);
        }
    });
    scene.go("/");
    tab.js("window.ran = 0; window.alert = () => { window.ran += 1; }");
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("lamp");
    tab.until("named('.fw-card').length === 1");
    assert_eq!(
        tab.text("return text('.fw-card .fw-link')"),
        "<img src=x onerror=alert(1)> & \"x\" lamp"
    );
    tab.check("find('.fw-card em.fw-mark').textContent === 'lamp' && !find('.fw-card img') && window.ran === 0");
}

fn broken_highlight(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.gate.rewrite("/suggest", |data| {
        for hit in data["products"]["hits"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            hit["highlight"]["name"] = json!("<b>bold</b> <em>tent</em>");
        }
    });
    scene.type_for_panel("tent");
    tab.check("!find('.fw-option b') && !find('.fw-option-products em') && named('.fw-option-name').every((one) => one.startsWith('Tent'))");
}

fn script_addresses(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        for hit in data["products"]["hits"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            hit["url"] = json!(" javascript:window.ran=1");
            hit["image"] = json!("javascript:window.ran=1");
        }
        data["redirect"] = json!({"ruleId": "r", "url": "javascript:window.ran=1"});
    });
    scene.type_for_layer("tent");
    tab.check("!find('.fw-card a') && !find('.fw-card img')");
    let before = tab.address();
    tab.click("find('.fw-card .fw-link')");
    tab.press(Key::ENTER);
    tab.until("!find('.fw-view[aria-busy]')");
    assert_eq!(tab.address(), before);
    tab.check("!window.ran");
}

fn theme_cards(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay", "themeCards": true}}));
    let tab = scene.tab;
    let cards: Vec<Value> = (1..=80)
        .filter(|at| at % 10 != 0)
        .map(|at| {
            let html = format!(
                "<article class=theme><a href=\"/p/{at}\" onclick=\"window.ran=1\">Theme {at}</a><script>window.ran=1</script>\
                 <img src=/x.svg onerror=\"window.ran=1\"><iframe srcdoc=\"x\"></iframe><a href=\" java&#10;script:window.ran=1\">bad</a></article>"
            );
            json!({"id": at.to_string(), "html": html})
        })
        .collect();
    scene.site.endpoint(
        "/cards",
        &json!({"cards": cards, "missing": [], "ignored": []}).to_string(),
    );
    let html = guarded(&scene, "data-cards=\"/cards\"", "").replace(
        "<style nonce=counter>",
        "<style nonce=counter>.theme{color:rgb(1,2,3)}",
    );
    scene.put_html("/", &html, Some(&strict(&scene)));
    tab.go(&scene.url("/?fw_q=tent&fw_n=3"));
    tab.until("layer() && all('.fw-card').length === 72");
    let asked = scene.site.asked("/cards");
    assert_eq!(asked.len(), 2, "{asked:?}");
    let ids = |path: &String| path.matches("%2C").count() + 1;
    assert_eq!(
        asked
            .iter()
            .map(ids)
            .collect::<std::collections::BTreeSet<_>>(),
        [24, 48].into()
    );
    tab.check(
        "all('.theme').length > 50 && getComputedStyle(all('.theme')[0]).color === 'rgb(1, 2, 3)'",
    );
    tab.check("all('.fw-card:not(.fw-themed) .fw-link').length > 0");
    tab.check("!document.querySelector('.theme script, .theme iframe, .theme [onclick], .theme [onerror], .theme [srcdoc]') && all('.theme a:not([href])').length > 0");
    tab.click("all('.theme a')[0]");
    tab.until("location.pathname.startsWith('/p/')");
    scene.until_asked("/events", 1);
    tab.go(&scene.url("/?fw_q=tent"));
    tab.until("layer() && all('.fw-card').length === 24");
    // The policy reports the handlers that the theme's own markup had before they were removed, and nothing else.
    tab.check("!window.ran && window.blocked.every((one) => one === 'script-src-attr inline')");
}

fn custom_files(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let missing = format!(
        "{}/api/v1/widget/custom/{}/0000000000000000.css",
        scene.gate.base(),
        scene.shop.store
    );
    let throwing = scene.url("/own.js");
    scene.put_html("/own.js", "throw new Error('the shop own script')", None);
    scene.gate.rewrite("/widget/config", move |data| {
        data["customCss"] = json!({"url": missing});
        data["customJs"] = json!({"url": throwing});
    });
    scene.put("/", "", &format!("<script>{COUNTER}</script>"));
    scene.type_for_panel("tent");
    // What does not load is left out.
    assert_eq!(scene.gate.bodies("0000000000000000.css").len(), 1);
    tab.check(
        "![...document.head.querySelectorAll('link')].some((one) => one.href.includes('/custom/'))",
    );
    tab.check("window.blocked.length === 1 && window.blocked[0].includes('the shop own script')");
    // Under the strict policy a script of another place is blocked, and the widget works all the same.
    let policy = strict(&scene);
    scene.put_html("/", &guarded(&scene, "", ""), Some(&policy));
    scene.type_for_panel("tent");
    tab.until("window.blocked.some((one) => one.includes('/own.js') || one.includes('trusted') || one.includes('script'))");
}

fn custom_of_another_store(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.set_custom(&json!({"customJS": "window.ran = (window.ran || 0) + 1"}));
    let call = scene.shop.api("GET", "/widget/config");
    let config = call.key(&scene.shop.public).send().ok();
    let path = config.data()["customJs"]["url"].as_str().expect("a path");
    let script = format!(
        "<script src=\"{}{path}\" onload=\"window.loaded=1\"></script>",
        scene.gate.base()
    );
    let other = scene.shop.new_store("Other");
    let policy = strict(&scene).replace(scene.shop.store.as_str(), other.as_str());
    scene.put_html("/", &guarded(&scene, "", &script), Some(&policy));
    scene.go("/");
    tab.until("window.blocked.some((one) => one.startsWith('script-src-elem') && one.includes('/widget/custom/'))");
    tab.check("!window.ran");
    // The shop whose script it is admits it, and the widget loads it.
    let policy = strict(&scene);
    scene.put_html("/", &guarded(&scene, "", ""), Some(&policy));
    scene.type_for_panel("tent");
    tab.check("window.ran === 1");
    scene.set_custom(&json!({"customJS": null}));
}

fn own_cards(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay", "themeCards": true}}));
    let tab = scene.tab;
    let card =
        |at: usize| json!({"id": at.to_string(), "html": "<article class=theme>Theirs</article>"});
    let cards: Vec<Value> = (1..=80).map(card).collect();
    scene
        .site
        .endpoint("/cards", &json!({"cards": cards}).to_string());
    // The page's policy does not admit the one that makes markup of text.
    let policy =
        strict(&scene).replace("trusted-types findwell-cards", "trusted-types none-at-all");
    scene.put_html(
        "/",
        &guarded(&scene, "data-cards=\"/cards\"", ""),
        Some(&policy),
    );
    tab.go(&scene.url("/?fw_q=tent"));
    tab.until("layer() && all('.fw-card .fw-link').length === 24");
    assert!(scene.site.asked("/cards").is_empty());
    // A shop that does not hand them out within three seconds.
    tab.real_time();
    scene.site.hold("/cards");
    scene.put("/", "data-cards=\"/cards\"", "");
    tab.go(&scene.url("/?fw_q=tent"));
    tab.until("layer() && all('.fw-card .fw-link').length === 24");
    assert_eq!(scene.site.asked("/cards").len(), 1);
    scene.site.release();
}
