//! Large responses, which are drawn in portions.
//!
//! 1. Nothing is blank, moves or loses the focus meanwhile; what adds further results comes last; the count is announced
//!    once.
//! 2. What is chosen while a response is on its way is added to what was chosen before.
//! 3. A response that comes while a former one is being drawn takes its place whole, also where no frames are drawn.

use crate::Case;
use crate::stage::{Scene, Stage};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("portions::whole", whole),
    ("portions::quick_choices", quick_choices),
    ("portions::superseded", superseded),
];

/// Facets of a large response, beside those that the products have.
const LARGE: usize = 18;

/// Watches what is on the page after each change of the results: the least of it, what the status says, what moved.
const WATCH: &str = "window.least = [Infinity, Infinity]; window.told = [text('.fw-view > [role=status]')]; window.early = 0; window.shift = 0; \
    const links = () => all('.fw-card .fw-link').length; \
    new MutationObserver(() => { \
        window.least = [Math.min(window.least[0], links()), Math.min(window.least[1], all('.fw-facet > legend').length)]; \
        if (!find('.fw-more').hidden && links() < 24) window.early += 1; \
        const now = text('.fw-view > [role=status]'); if (now && now !== window.told.at(-1)) window.told.push(now); \
    }).observe(find('.fw-view'), {childList: true, subtree: true, attributes: true}); \
    new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({type: 'layout-shift'})";

/// A layer whose responses have many facets with fifty values each.
fn large(stage: &Stage) -> Scene<'_> {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    scene.gate.rewrite("/search", |data| {
        let values = |of: usize| -> Vec<Value> {
            let value = |at: usize| json!({"id": at.to_string(), "label": format!("Value {at} of {of}"), "count": 50 - at});
            (0..50).map(value).collect()
        };
        let facet = |of: usize| json!({"field": format!("f{of}"), "label": format!("Facet {of}"), "type": "list", "values": values(of)});
        if let Some(facets) = data["facets"].as_array_mut() {
            facets.extend((0..LARGE).map(facet));
        }
    });
    scene
}

fn choice(text: &str) -> String {
    format!("all('.fw-choice').find((one) => one.textContent.startsWith('{text}'))")
}

fn settled(scene: &Scene<'_>, total: usize) {
    scene.tab.until(&format!(
        "!find('.fw-view[aria-busy]') && text('.fw-title').startsWith('{total} ')"
    ));
}

fn whole(stage: &mut Stage) {
    let scene = large(stage);
    let tab = scene.tab;
    scene.type_for_layer("tent");
    settled(&scene, 80);
    tab.check(&format!(
        "all('.fw-facet').length > {LARGE} && all('.fw-choice').length > {LARGE} * 8 && !find('.fw-more').hidden"
    ));
    tab.until("text('.fw-view > [role=status]').startsWith('80 ')");
    let legends = tab.js("return named('.fw-facet legend')");
    let facets = legends.as_array().expect("a list").len();
    tab.js(WATCH);
    tab.click(&choice("In stock"));
    settled(&scene, 64);
    tab.until("window.told.length > 1");
    assert_eq!(tab.js("return window.least"), json!([24, facets]));
    tab.check("window.told.length === 2 && window.told[1].startsWith('64 ')");
    assert_eq!(tab.js("return window.early"), 0);
    let shift = tab.js("return window.shift").as_f64().expect("a number");
    assert!(shift < 0.05, "{shift}");
    assert_eq!(tab.js("return named('.fw-facet legend')"), legends);
    tab.check("active().type === 'checkbox' && active().checked && active().closest('label').textContent.startsWith('In stock')");
    tab.check("new Set(named('.fw-card .fw-link')).size === 24");
}

fn quick_choices(stage: &mut Stage) {
    let scene = large(stage);
    let tab = scene.tab;
    scene.type_for_layer("tent");
    settled(&scene, 80);
    scene.gate.hold("/search", "");
    tab.click(&choice("Norte"));
    tab.click(&choice("Ostro"));
    scene.gate.open();
    settled(&scene, 54);
    tab.check("find('.fw-chip[aria-label=\"Remove Norte\"]') && find('.fw-chip[aria-label=\"Remove Ostro\"]')");
    scene.gate.hold("/search", "");
    tab.click("find('.fw-chip[aria-label=\"Remove Norte\"]')");
    tab.click("find('.fw-chip[aria-label=\"Remove Ostro\"]')");
    scene.gate.open();
    settled(&scene, 80);
    tab.check("find('.fw-chips').hidden && !location.search.includes('fw_f.')");
}

fn superseded(stage: &mut Stage) {
    let scene = large(stage);
    let tab = scene.tab;
    // Without frames each portion waits a while, in which the next response comes.
    tab.early("window.requestAnimationFrame = () => 0");
    scene.type_for_layer("tent");
    tab.js("findwell.refresh(); const select = find('.fw-select'); select.value = 'price_desc'; select.dispatchEvent(new Event('change'))");
    settled(&scene, 80);
    tab.until("text('.fw-card .fw-link') === 'Tent 80' && !find('.fw-view[aria-busy]')");
    let names: Vec<Value> = (57..=80)
        .rev()
        .map(|at| json!(format!("Tent {at}")))
        .collect();
    assert_eq!(tab.js("return named('.fw-card .fw-link')"), json!(names));
    tab.check(&format!("all('.fw-facet > legend').length > {LARGE} && new Set(named('.fw-facet > legend')).size === all('.fw-facet').length"));
}
