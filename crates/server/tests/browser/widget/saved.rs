//! What is saved in the service while pages are open, and languages that a store does not have.
//!
//! 1. A synonym and a new order show on an open page with the next response of the service, also for a query whose
//!    response the page has kept; without one, a kept response ends after a minute.
//! 2. A page that stays open takes a changed configuration, at most once a minute, and forgets no change.
//! 3. A page in a language that the store lacks has labels of its own language and products of the store's default.

use crate::Case;
use crate::harness::eventually;
use crate::stage::{Scene, Stage};
use crate::tab::Key;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("saved::synonym", synonym),
    ("saved::relevance", relevance),
    ("saved::configuration", configuration),
    ("saved::language", language),
];

/// Takes the place of what is typed.
fn retype(scene: &Scene<'_>, text: &str) {
    scene.tab.press(Key::ESCAPE);
    scene.tab.js("find('input[name=s]').select()");
    scene.tab.keys(text);
}

fn queries(scene: &Scene<'_>, q: &str) -> usize {
    let asked = scene.gate.bodies("/suggest");
    asked.iter().filter(|body| body["q"] == q).count()
}

fn synonym(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    let none = "panel() && find('.fw-note:not([hidden])')";
    let tents = "panel() && named('.fw-option-name').some((one) => one.startsWith('Tent'))";
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    for text in ["pavilion", "yurt"] {
        retype(&scene, text);
        tab.until(none);
    }
    let words = json!({"language": "en", "terms": ["tent", "pavilion", "yurt"]});
    let made = scene.shop.own("POST", "/synonyms").json(&words).send().ok();
    retype(&scene, "stove");
    tab.until("panel() && named('.fw-option-name').includes('Stove')");
    retype(&scene, "pavilion");
    tab.until(tents);
    // Another page, which has heard nothing of it.
    scene.go("/other");
    let id = made.data()["id"].as_str().expect("an id");
    let path = format!("/synonyms/{id}");
    scene.shop.own("DELETE", &path).send().ok();
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    retype(&scene, "yurt");
    tab.until(none);
    let made = scene.shop.own("POST", "/synonyms").json(&words).send().ok();
    let asked = queries(&scene, "yurt");
    tab.press(Key::BACKSPACE);
    tab.keys("t");
    tab.until(none);
    assert_eq!(queries(&scene, "yurt"), asked, "the response is kept");
    tab.js("const now = Date.now.bind(Date); Date.now = () => now() + 60001");
    retype(&scene, "yurt");
    tab.until(tents);
    let id = made.data()["id"].as_str().expect("an id");
    let path = format!("/synonyms/{id}");
    scene.shop.own("DELETE", &path).send().ok();
}

fn relevance(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.type_for_panel("tent");
    let first = "return named('.fw-option-name')";
    let before = tab.js(first);
    let set = |settings: Value| {
        let body = json!({"searchSettings": settings});
        scene.shop.own("PUT", "/relevance").json(&body).send().ok();
    };
    set(json!({"stockBoost": 0, "ratingBoost": 0}));
    retype(&scene, "stove");
    tab.until("panel() && named('.fw-option-name').includes('Stove')");
    retype(&scene, "tent");
    tab.until("panel() && named('.fw-option-name').length === 6");
    assert_eq!(queries(&scene, "tent"), 2);
    assert_ne!(tab.js(first), before);
    set(json!({"stockBoost": 1.5, "ratingBoost": 0.3}));
}

fn configuration(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('role') === 'combobox'");
    let save = |text: &str| {
        let labels = json!({"translations": {"en": {"suggest.none": text}}});
        scene.shop.own("PUT", "/widget").json(&labels).send().ok();
    };
    let loads = || scene.gate.bodies("/widget/config").len();
    for (round, text) in ["First {q}", "Second {q}"].into_iter().enumerate() {
        save(text);
        retype(&scene, "stove");
        tab.until("panel() && named('.fw-option-name').includes('Stove')");
        if round == 1 {
            // The second change is within a minute of the first: it is taken when that is over.
            assert_eq!(loads(), 2);
            break;
        }
        eventually("the configuration is asked again", || loads() == 2);
        retype(&scene, "qqzz");
        tab.until("text('.fw-note') === 'First qqzz'");
    }
}

fn language(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put("/", "data-lang=\"fr\"", "");
    scene.type_for_panel("tent");
    tab.check("panel().lang === 'fr' && named('.fw-group-title').includes('Produits')");
    tab.check("named('.fw-option-name').length === 6 && /^\\d+,00\\s€$/.test(text('.fw-option-products .fw-price'))");
    tab.click("find('.fw-option-all')");
    tab.until("layer() && named('.fw-card').length === 24");
    tab.check("text('.fw-title').startsWith('80 produits')");
    for path in ["/suggest", "/search"] {
        let asked = scene.gate.bodies(path);
        assert!(
            !asked.is_empty() && asked.iter().all(|body| body["lang"] == "es"),
            "{asked:?}"
        );
    }
}
