//! How the pages look, and what assistive technology finds.
//!
//! 1. Every page in both languages, light and dark, is complete, complains about nothing and has one main heading.
//! 2. At 320 px, which is 400 % of 1,280, nothing scrolls sideways.
//! 3. axe-core finds nothing but minor advice.
//! 4. The time zone of the browser stands beside its times.
//! 5. What changed is said in words: overview, history, audit, rules, synonyms and widget show no code, id or UTC instant,
//!    nor do their forms. Fields, languages, scopes and reasons of rejections have names.
//! 6. All pages but the workbench and the designer have one column, in which their tables have room.
//! 7. Pictures of each page, at 1,280 and 375 px, are written to `target/browser`.

use super::{Desk, held_store};
use crate::Case;
use crate::stage::Stage;
use domain::Role;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[("panel::pages", pages)];

/// The checker, installed by npm beside the sources of the widget.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../widget/node_modules/axe-core/axe.min.js"
);
/// The impact that is no finding: advice.
const MINOR: &str = "minor";

/// The axe-core checker; without it, unless the browser is required, pages are not checked by it.
pub(super) fn checker() -> Option<String> {
    let axe = std::fs::read_to_string(AXE).ok();
    let required = std::env::var("FINDWELL_BROWSER").as_deref() == Ok("required");
    assert!(
        axe.is_some() || !required,
        "axe-core is not installed: npm ci in widget"
    );
    if axe.is_none() {
        println!("panel::pages: axe-core is not installed, its checks are SKIPPED");
    }
    axe
}

pub(super) fn check(desk: &Desk<'_>, axe: &str, about: &str) {
    let tab = desk.tab();
    tab.until_still();
    tab.js(&format!("{axe}; window.found = null; axe.run(document, {{resultTypes: ['violations']}}).then((result) => {{ window.found = result.violations.map((one) => [one.impact, one.id, one.nodes.map((node) => node.html + ' ' + node.failureSummary).slice(0, 3)]); }}, (error) => {{ window.found = [['serious', String(error)]]; }})"));
    tab.until("window.found");
    let found = tab.js("return window.found");
    let serious = |one: &&Value| one[0] != MINOR;
    let all = found.as_array().expect("a list").iter().filter(serious);
    let all: Vec<_> = all.collect();
    assert!(all.is_empty(), "{about}: {all:#?}");
}

/// Changes and searches, so that no page is empty.
fn prepare(desk: &Desk<'_>) {
    let shop = &desk.stage.shop;
    for weight in [7, 8] {
        let body = json!({"boosts": {"name": weight, "tags": 3}, "searchSettings": {"salesBoost": 0.1 * f64::from(weight)}});
        let call = desk.call("PUT", &desk.of_store("/relevance"));
        call.json(&body).send().ok();
    }
    let group = json!({"language": "en", "type": "UNIDIRECTIONAL", "input": "tv", "terms": ["television", "screen"]});
    let rule = json!({"name": "Tents first", "language": "en", "type": "PIN", "actions": {"pin": ["1"]},
        "trigger": {"query": "tent", "match": "contains"}, "startDate": "2020-01-01", "endDate": "2099-01-01"});
    let filter = json!({"field": "price", "label": {"en": "Price", "es": "Precio"}});
    for (path, body) in [("/synonyms", group), ("/rules", rule), ("/filters", filter)] {
        let call = desk.call("POST", &desk.of_store(path));
        call.json(&body).send().ok();
    }
    let nameless = json!([{"id": "x", "url": "https://shop.example/x"}]);
    shop.bulk("products", "en", &nameless).ok();
    let code = json!({"customCSS": ".fw-card { border-radius: 0 }"});
    let call = desk.call("PUT", &desk.of_store("/widget/custom"));
    call.json(&code).send().ok();
    for q in ["tent", "stove", "wigwam"] {
        shop.search(&json!({"lang": "en", "q": q, "types": ["products"]}))
            .ok();
    }
    shop.write_search_log();
}

// What is wider than the window, once the page itself scrolls sideways; tables scroll by themselves.
const WIDE: &str = "
    const width = document.scrollingElement.scrollWidth;
    if (width <= 320) return [];
    const wide = all('body *').filter((one) => one.getBoundingClientRect().right > 321 && !one.closest('.scroll'));
    return [width, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 200))];
";

/// All that people read, but the lines that they copy: what is shown, and labels, choices and values of forms.
const READ: &str = "[all('main pre').reduce((text, one) => text.replace(one.innerText, ''), find('main').innerText), \
    ...all('main :is(label, legend, option, summary)').map((one) => one.textContent), \
    ...all('main :is(input:not([type=hidden], [type=checkbox]), textarea:not(.code))').map((one) => one.value)].join('\\n')";

/// The first code, id or instant that stands where people read.
const RAW: &str = "/searchSettings|boosts\\.|salesBoost|DIRECTIONAL|\\bPIN\\b|update_relevance|price_(a|de)sc|displayMode|(rules|synonyms|filters)\\/|\\b[a-z0-9]{24}\\b|\\d{4}-\\d\\d-\\d\\dT/";

/// Pages that show changes, and the widget's, whose form has codes for values.
const PLAIN: [&str; 6] = [
    "overview", "history", "audit", "rules", "synonyms", "widget",
];

/// Checks a page that speaks plainly, with all changes open.
fn speaks_plainly(desk: &Desk<'_>, name: &str, about: &str) {
    if !PLAIN.contains(&name) {
        return;
    }
    let tab = desk.tab();
    tab.js("for (const one of all('details.revision')) one.open = true");
    tab.until("all('details.revision').every((one) => one.lastElementChild.childNodes.length > 0)");
    let raw = format!("return ({RAW}.exec({READ}) ?? [''])[0]");
    assert_eq!(tab.text(&raw), "", "{about}");
    if name == "history" {
        let spanish = about.ends_with("es");
        let said = if spanish {
            [
                "Unidades vendidas",
                "Regla «Tents first»",
                "Sinónimos «tv → television, screen» añadidos",
            ]
        } else {
            [
                "Units sold",
                "Rule “Tents first”",
                "Synonyms “tv → television, screen” added",
            ]
        };
        for sentence in said {
            tab.check(&format!("text('main').includes('{sentence}')"));
        }
    }
}

/// What a page calls a field, a language, a scope or a reason, in English and Spanish.
const NAMES: [(&str, &str, &str); 6] = [
    ("overview", "Spanish, English", "Español, inglés"),
    ("filters", "English: Price", "Inglés: Price"),
    (
        "keys",
        "configuration: read (config:read)",
        "configuración: leer (config:read)",
    ),
    ("keys", "Valid for (days)", "Válida durante (días)"),
    ("account-keys", "Last four", "Últimos 4"),
    (
        "runs-rejected",
        "no name (name_missing)",
        "sin nombre (name_missing)",
    ),
];

/// Checks the names and the column of a page that is 1,280 px wide.
fn holds_its_form(desk: &Desk<'_>, name: &str, about: &str) {
    let tab = desk.tab();
    for (_, english, spanish) in NAMES.iter().filter(|(page, ..)| *page == name) {
        let wanted = if about.ends_with("es") {
            spanish
        } else {
            english
        };
        tab.check(&format!("text('main').includes('{wanted}')"));
    }
    if !["workbench", "widget", "widget-new"].contains(&name) {
        tab.check("find('main').getBoundingClientRect().width <= 1080");
        let wide = "return all('.scroll').filter((one) => one.scrollWidth > one.clientWidth).map((one) => [one.scrollWidth, one.clientWidth])";
        assert_eq!(tab.js(wide), json!([]), "{about}");
    }
}

fn pages(stage: &mut Stage) {
    let held = held_store(stage, "Mountain Boots");
    let fresh = stage.shop.new_store("Just created");
    let desk = Desk::of(stage, "Ana Ruiz", Role::Owner);
    prepare(&desk);
    super::menu::check(&desk);
    let axe = checker();
    let paths = [
        ("home", "?all=1".to_owned()),
        ("me", "/me".to_owned()),
        ("overview", desk.of_store("")),
        ("overview-held", format!("/stores/{held}")),
        ("overview-new", format!("/stores/{fresh}")),
        ("workbench", desk.of_store("/workbench?q=tent+norte")),
        ("catalogue", desk.of_store("/catalogue")),
        ("searches", desk.of_store("/searches")),
        ("runs", format!("/stores/{held}/runs")),
        ("runs-rejected", desk.of_store("/runs")),
        ("synonyms", desk.of_store("/synonyms")),
        ("rules", desk.of_store("/rules")),
        ("filters", desk.of_store("/filters")),
        ("filters-new", format!("/stores/{fresh}/filters")),
        ("widget", desk.of_store("/widget")),
        ("widget-new", format!("/stores/{fresh}/widget")),
        ("proposals", desk.of_store("/proposals")),
        ("history", desk.of_store("/history")),
        ("audit", desk.of_store("/audit")),
        ("settings", desk.of_store("/settings")),
        ("keys", desk.of_store("/keys")),
        ("members", desk.of_account("/members")),
        ("account-keys", desk.of_account("/keys")),
        ("account-audit", desk.of_account("/audit?text=store")),
    ];
    let tab = desk.tab();
    for (scheme, language) in [("light", "en"), ("dark", "es")] {
        desk.speak(language);
        tab.media(&[("prefers-color-scheme", scheme)]);
        for (name, path) in &paths {
            let about = format!("{name}, {scheme}, {language}");
            tab.resize(1280, 900);
            desk.open(path);
            tab.check(&format!("document.documentElement.lang === '{language}'"));
            tab.check(
                "document.querySelectorAll('h1').length === 1 && find('h1').textContent.trim()",
            );
            let zone = tab.text("return Intl.DateTimeFormat().resolvedOptions().timeZone");
            if *name == "audit" {
                tab.check(&format!("text('main').includes('{zone}')"));
            }
            speaks_plainly(&desk, name, &about);
            holds_its_form(&desk, name, &about);
            // Each page with everything open.
            tab.js("for (const one of all('details')) one.open = true");
            tab.until("all('details.revision').every((one) => one.lastElementChild.childNodes.length > 0)");
            desk.is_quiet(&about);
            if let Some(axe) = &axe {
                check(&desk, axe, &about);
            }
            tab.js("scrollTo(0, 0)");
            tab.picture(&format!("panel-{name}-{scheme}-1280"));
            tab.resize(320, 640);
            tab.until("innerWidth === 320");
            let wide = tab.js(WIDE);
            if wide != json!([]) {
                println!("{about} scrolls sideways at 320 px: {wide}");
                // A layout of the moment after the change of size is no fault of the page; one that stays is.
                tab.until("document.scrollingElement.scrollWidth <= 320");
            }
            tab.resize(375, 812);
            tab.picture(&format!("panel-{name}-{scheme}-375"));
        }
    }
}
