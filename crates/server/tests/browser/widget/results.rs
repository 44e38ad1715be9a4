//! The results layer: what is shown, chosen, sorted, added; help when nothing is found.
//!
//! 1. The layer is a modal dialog with an input of its own; it closes by Escape and its button, and gives the focus back.
//! 2. Filters keep the focus on the box that was clicked, chips remove them, the count is announced.
//! 3. A range is asked when it is let go; a wrong order is told beside the field and asks nothing.
//! 4. More results are added by a button, and the focus goes to the first new card.
//! 5. Without results each offer brings the count that it names, and none brings nothing.
//!    A long list of values can be searched, in the order in which it is typed.
//! 6. Redirects are followed on Enter only, never to the page itself; banners are shown, and their clicks counted.
//! 7. Ticked order and layout do what the configuration says; own labels are text.

use crate::Case;
use crate::stage::{Scene, Stage, overlay};
use crate::tab::{Key, SHIFT};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("results::layer", layer),
    ("results::filters", filters),
    ("results::price", price),
    ("results::more", more),
    ("results::nothing_found", nothing_found),
    ("results::offers", offers),
    ("results::find_a_value", find_a_value),
    ("results::redirect", redirect),
    ("results::banner", banner),
    ("results::sort_and_layout", sort_and_layout),
    ("results::labels", labels),
    ("results::value_groups", value_groups),
];

/// A box of a facet by its text.
fn choice(text: &str) -> String {
    format!("all('.fw-choice').find((one) => one.textContent.startsWith('{text}'))")
}

fn settled(scene: &Scene<'_>, total: usize) {
    scene.tab.until(&format!(
        "!find('.fw-view[aria-busy]') && text('.fw-title').startsWith('{total} ')"
    ));
}

fn layer(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.check("layer().matches(':modal') && layer().getAttribute('aria-label') && active() === find('.fw-input')");
    tab.check("getComputedStyle(document.documentElement).overflow === 'hidden'");
    // The layer covers the place of the page's scroll bar, and the page below keeps its width.
    tab.check("layer().getBoundingClientRect().right === innerWidth && document.body.clientWidth < innerWidth");
    tab.check("find('.fw-results').getAttribute('aria-labelledby') === find('.fw-title').id");
    tab.check("all('.fw-cards > li > article').length === 24 && all('.fw-cards > li').every((one) => one.querySelectorAll('a').length === 1)");
    tab.until("text('[role=status]').includes('80 products')");
    tab.press(Key::ESCAPE);
    tab.until("!layer() && active().name === 's' && !location.search");
    tab.check("active().value === 'tent' && getComputedStyle(document.documentElement).overflow !== 'hidden'");
    tab.press(Key::ENTER);
    tab.until("layer() && location.search.includes('fw_q=tent')");
    tab.click("find('.fw-close')");
    tab.until("!layer() && active().name === 's'");
}

fn filters(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    tab.click(&choice("Norte"));
    settled(&scene, 27);
    tab.check("active().type === 'checkbox' && active().checked && active().closest('label').textContent.startsWith('Norte')");
    tab.check("active().closest('fieldset').querySelector('legend').textContent === 'Brand'");
    tab.until("text('.fw-view > [role=status]').startsWith('27 products')");
    tab.click(&choice("Red"));
    tab.until("find('.fw-chip[aria-label=\"Remove Red\"]')");
    tab.until("!find('.fw-view[aria-busy]')");
    tab.check("new URLSearchParams(location.search).get('fw_f.manufacturer') && all('.fw-chips button').length === 3");
    tab.click("find('.fw-chip[aria-label=\"Remove Norte\"]')");
    settled(&scene, 40);
    tab.check("active() === find('.fw-title')");
    tab.back();
    tab.until("find('.fw-chip[aria-label=\"Remove Norte\"]')");
    tab.until("!find('.fw-view[aria-busy]')");
    tab.click("find('.fw-chip-all')");
    settled(&scene, 80);
    tab.check("find('.fw-chips').hidden && layer()");
}

fn price(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    let slider = |end: &str| format!("find('[id$=price-{end}-slider]')");
    tab.check(&format!(
        "{}.min === '21' && {}.max === '100'",
        slider("min"),
        slider("max")
    ));
    tab.check(&format!(
        "{}.getAttribute('aria-valuetext') === '€100.00' && {}.getAttribute('aria-label')",
        slider("max"),
        slider("max")
    ));
    tab.js(&format!("{}.focus()", slider("max")));
    let asked = scene.gate.bodies("/search").len();
    scene.gate.hold("/search", "\"max\":21");
    tab.press(Key::HOME);
    tab.js(&format!("{}.focus()", slider("min")));
    tab.press(Key::END);
    tab.until("!find('.fw-wrong').hidden && find('.fw-wrong').textContent");
    tab.check(&format!("{}.getAttribute('aria-invalid') === 'true' && {}.getAttribute('aria-describedby') === find('.fw-wrong').id", slider("min"), slider("min")));
    // The response to the other end comes while this one is wrong.
    scene.gate.open();
    settled(&scene, 1);
    tab.check(&format!(
        "!find('.fw-wrong').hidden && active() === {} && active().value === '100'",
        slider("min")
    ));
    let bodies = scene.gate.bodies("/search");
    assert!(
        bodies[asked..]
            .iter()
            .all(|body| body["filters"]["price"]["min"].is_null()),
        "{bodies:?}"
    );
    tab.js("const from = find('[id$=price-min]'); from.focus(); from.value = '31'; from.dispatchEvent(new Event('change')); const to = find('[id$=price-max]'); to.value = '40'; to.dispatchEvent(new Event('change'))");
    settled(&scene, 10);
    let norte = format!("{}.querySelector('.fw-count').textContent", choice("Norte"));
    tab.check(&format!("Number({norte}) > 0 && Number({norte}) < 10"));
    tab.check("find('.fw-wrong').hidden && find('[id$=price-min-slider]').min === '21' && find('[id$=price-max-slider]').max === '100'");
    tab.check("location.search.includes('fw_f.price=31-40')");
    tab.check("find('.fw-chip[aria-label*=\"€31.00\"]')");
}

fn more(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    let first = tab.js("return named('.fw-card .fw-link')");
    tab.click("find('.fw-more')");
    tab.until("named('.fw-card').length === 48");
    tab.check(
        "active() === all('.fw-card')[24].querySelector('a') && location.search.includes('fw_n=2')",
    );
    tab.click("find('.fw-more')");
    tab.until("named('.fw-card').length === 72");
    let all = tab.js("return named('.fw-card .fw-link')");
    assert_eq!(
        all.as_array().expect("names")[..24],
        first.as_array().expect("names")[..]
    );
    tab.check("new Set(named('.fw-card .fw-link')).size === 72");
    tab.click("find('.fw-more')");
    tab.until("named('.fw-card').length === 80 && find('.fw-more').hidden");
}

fn nothing_found(stage: &mut Stage) {
    let mut widget = overlay(json!({}));
    widget["defaultSearch"] = json!({"q": "stove", "limit": 4});
    let scene = stage.scene(widget);
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=tent%20zzqqxx&fw_f.manufacturer=Norte&fw_f.price=5000-6000"));
    tab.until("layer() && find('.fw-offer')");
    tab.check("text('.fw-notice').includes('zzqqxx')");
    tab.check("all('.fw-offer .fw-cards .fw-card').length === 1");
    // A price below the former one has a badge.
    tab.check("text('.fw-offer .fw-badge').includes('38%') && text('.fw-offer .fw-price-line s') === '€80.00'");
    // Lifting one of the two filters alone brings nothing, so neither is offered.
    tab.check("!all('.fw-offer .fw-chip').some((one) => /: 0 products/.test(one.textContent))");
    let bodies = scene.gate.bodies("/search");
    assert!(
        bodies[1..].iter().all(|body| body["analytics"] == false),
        "{bodies:?}"
    );
    tab.go(&scene.url("/?fw_q=tent&fw_f.manufacturer=Norte&fw_f.price=5000-6000"));
    tab.until(
        "layer() && all('.fw-offer .fw-chip').some((one) => one.textContent.endsWith(': 27 products'))",
    );
    tab.click("all('.fw-offer .fw-chip').find((one) => one.textContent.endsWith(': 27 products'))");
    settled(&scene, 27);
    tab.go(&scene.url("/?fw_q=stove%20zzqqxx"));
    tab.until(
        "layer() && (named('.fw-card .fw-link').length || /^No products/.test(text('.fw-title')))",
    );
}

fn offers(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    // Without the brand the price finds one tent, without the price the brand finds a third of them, and neither of the
    // third filter's help: that one is not offered.
    let filters = "fw_f.manufacturer=Norte&fw_f.price=22-22";
    let of = |filters: &str| scene.url(&format!("/?fw_q=tent&{filters}"));
    let chips = "all('.fw-offer .fw-chip').filter((one) => one.closest('.fw-offer').querySelector('h3').textContent.includes('filter'))";
    tab.go(&of(filters));
    tab.until(&format!("layer() && {chips}.length"));
    let offered = tab.js(&format!(
        "return {chips}.map((one) => Number(/: (\\d+) products?$/.exec(one.textContent)[1]))"
    ));
    assert_eq!(offered, json!([1, 27]));
    for (at, count) in [(0, 1), (1, 27)] {
        tab.go(&of(filters));
        tab.until(&format!("layer() && {chips}.length === 2"));
        tab.click(&format!("{chips}[{at}]"));
        settled(&scene, count);
    }
    tab.go(&of("fw_f.manufacturer=Norte&fw_f.price=5000-6000"));
    tab.until(&format!("layer() && {chips}.length"));
    tab.check(&format!("{chips}.length === 1"));
    // Popular queries lead on without the filters that found nothing.
    scene
        .gate
        .rewrite("/suggest", |data| data["queries"] = json!(["stove"]));
    tab.go(&of("fw_f.manufacturer=Norte&fw_f.price=5000-6000"));
    let popular = "all('.fw-offer .fw-chip').find((one) => one.textContent === 'stove')";
    tab.until(popular);
    tab.click(popular);
    settled(&scene, 1);
    tab.check("find('.fw-input').value === 'stove' && find('.fw-chips').hidden");
}

fn find_a_value(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        let value =
            |at: usize| json!({"id": at.to_string(), "label": format!("Shade {at}"), "count": 1});
        let values: Vec<Value> = (0..50).map(value).collect();
        data["facets"] =
            json!([{"field": "shade", "label": "Shade", "type": "list", "values": values}]);
    });
    scene.type_for_layer("tent");
    tab.check("named('.fw-choice').length === 8");
    tab.click("find('.fw-more-values')");
    tab.check("named('.fw-choice').length === 50");
    tab.click("find('.fw-find')");
    tab.keys("shade 42");
    tab.until("named('.fw-choice').length === 1");
    tab.check("active().value === 'shade 42' && named('.fw-choice')[0].startsWith('Shade 42')");
}

fn rule(scene: &Scene<'_>, body: &Value) -> String {
    let made = scene.shop.own("POST", "/rules").json(body).send().ok();
    made.data()["id"].as_str().expect("an id").to_owned()
}

fn remove(scene: &Scene<'_>, id: &str) {
    scene
        .shop
        .own("DELETE", &format!("/rules/{id}"))
        .send()
        .ok();
}

fn redirect(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    let id = rule(
        &scene,
        &json!({"name": "r", "language": "en", "type": "REDIRECT", "trigger": {"query": "returns", "match": "exact"}, "actions": {"redirect": "/returns"}}),
    );
    scene.put("/returns", "", "");
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("returns");
    tab.until("layer() && /^No products/.test(text('.fw-title'))");
    tab.check("location.pathname === '/'");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/returns'");
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("returns");
    tab.until("layer() && /^No products/.test(text('.fw-title'))");
    let asked = scene.gate.bodies("/search").len();
    tab.press(Key::ENTER);
    tab.until("layer() && location.pathname === '/returns' && !find('.fw-view[aria-busy]')");
    assert!(scene.gate.bodies("/search").len() >= asked);
    tab.check("/^No products/.test(text('.fw-title')) && location.pathname === '/returns'");
    remove(&scene, &id);
}

fn banner(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    let id = rule(
        &scene,
        &json!({"name": "b", "language": "en", "type": "BANNER", "trigger": {"query": "tent", "match": "exact"}, "actions": {"banner": {"imageUrl": "/sale.svg", "link": "/sale", "position": "top"}}}),
    );
    scene.type_for_layer("tent");
    tab.until("find('.fw-banner img') && find('.fw-banner img').complete");
    tab.check("find('.fw-banner').href.endsWith('/sale') && find('.fw-banner img').alt && find('.fw-banner').getBoundingClientRect().height <= 200");
    tab.click("find('.fw-banner')");
    tab.until("location.pathname === '/sale'");
    scene.until_asked("/events", 1);
    let event = &scene.gate.bodies("/events")[0];
    assert_eq!(
        (&event["objectType"], &event["id"]),
        (&json!("banners"), &json!(id))
    );
    remove(&scene, &id);
}

fn sort_and_layout(stage: &mut Stage) {
    let scene = stage.scene(overlay(
        json!({"layoutSwitch": true, "sorts": "relevance,price_desc", "showBrand": false}),
    ));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    assert_eq!(
        tab.js("return named('.fw-select option')")
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    tab.check("!find('.fw-brand')");
    tab.js("const select = find('.fw-select'); select.value = 'price_desc'; select.dispatchEvent(new Event('change'))");
    tab.until(
        "text('.fw-card .fw-link') === 'Tent 80' && location.search.includes('fw_sort=price_desc')",
    );
    tab.check("getComputedStyle(find('.fw-reference')).display === 'none'");
    tab.click("all('.fw-layouts button')[1]");
    tab.check("find('.fw-root').dataset.layout === 'list' && getComputedStyle(find('.fw-reference')).display === 'block' && all('.fw-layouts button')[1].getAttribute('aria-pressed') === 'true'");
}

fn labels(stage: &mut Stage) {
    let mut widget = overlay(json!({"filters": false}));
    widget["translations"] = json!({"en": {"results.countFor": "<b>Hi</b> {n} {q} {other}", "box.placeholder": "<i>find</i>"}});
    let scene = stage.scene(widget);
    let tab = scene.tab;
    scene.focus();
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent </script>");
    tab.until("layer() && text('.fw-title').includes('</script>') && !find('.fw-view[aria-busy]')");
    tab.check("text('.fw-title').startsWith('<b>Hi</b> ') && text('.fw-title').endsWith(' tent </script> {other}') && !find('.fw-title b')");
    tab.check("find('.fw-input').placeholder === '<i>find</i>' && find('.fw-side').hidden");
    let asked = scene.gate.bodies("/search");
    assert!(
        asked.iter().all(|body| body["facets"] == false),
        "{asked:?}"
    );
}

fn value_groups(stage: &mut Stage) {
    let scene = stage.scene(overlay(json!({})));
    let tab = scene.tab;
    let filter = json!({"field": "manufacturer", "type": "list", "label": {"en": "Make"}, "config": {"valueGroups": [{"label": "Northern", "values": ["Norte", "Ostro"]}]}});
    let made = scene.shop.own("POST", "/filters").json(&filter).send().ok();
    scene.type_for_layer("tent");
    tab.until("find('.fw-facet')");
    // A configured filter takes the place of all automatic ones.
    assert_eq!(tab.js("return named('.fw-facet legend')"), json!(["Make"]));
    tab.click(&choice("Northern"));
    settled(&scene, 54);
    tab.check("find('.fw-chip[aria-label=\"Remove Northern\"]')");
    tab.press_with(Key::TAB, SHIFT);
    let id = made.data()["id"].as_str().expect("an id").to_owned();
    scene
        .shop
        .own("DELETE", &format!("/filters/{id}"))
        .send()
        .ok();
}
