//! How the widget looks and what assistive technology finds.
//!
//! 1. axe-core finds nothing in twelve states, light, dark and from right to left.
//! 2. At 320 px, which is 400 % of 1,280, nothing scrolls sideways.
//! 3. Reduced motion has no transition, forced colours have borders and marks.
//! 4. Positions, columns and sizes are those of the configuration; the order stands in the row of the heading where there
//!    is room; a theme's colours are the configuration's, or with `plain` the page's.
//! 5. Nothing moves while results, prices and banners come.
//! 6. Pictures of each mode and theme at four widths are written to a folder.
//! 7. Colours without contrast are shown as they were saved, and contrast is all that the checker finds; an address is no
//!    colour.

use crate::Case;
use crate::stage::{Scene, Stage, installed};
use crate::tab::{Key, Tab};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("looks::axe", axe),
    ("looks::narrow", narrow),
    ("looks::media", media),
    ("looks::positions", positions),
    ("looks::panel_positions", panel_positions),
    ("looks::columns", columns),
    ("looks::shifts", shifts),
    ("looks::pictures", pictures),
    ("looks::own_colours", own_colours),
];

/// Rules about the page around the widget, which the bare theme leaves to shops.
const PAGES: [&str; 4] = [
    "region",
    "landmark-one-main",
    "page-has-heading-one",
    "bypass",
];

/// What the checker finds of a page, advice too: impact, rule and elements.
pub(super) fn violations(tab: &Tab, axe: &str) -> Vec<Value> {
    tab.until_still();
    tab.js(&format!("{axe}; window.found = null; axe.run(document, {{resultTypes: ['violations']}}).then((result) => {{ window.found = result.violations.map((one) => [one.impact, one.id, one.nodes.map((node) => node.html + ' ' + node.failureSummary).slice(0, 3)]); }}, (error) => {{ window.found = [['serious', String(error)]]; }})"));
    tab.until("window.found");
    let found = tab.js("return window.found");
    found.as_array().expect("a list").clone()
}

/// What the checker finds of the widget, with the rule before each.
fn findings(scene: &Scene<'_>, axe: &str) -> Vec<(String, Value)> {
    let own = |one: &Value| {
        let of_the_page = PAGES.contains(&one[1].as_str().unwrap_or_default());
        !of_the_page || one[2].to_string().contains("fw-")
    };
    let all = violations(scene.tab, axe).into_iter().filter(own);
    all.map(|one| (one[1].as_str().unwrap_or_default().to_owned(), one))
        .collect()
}

fn check(scene: &Scene<'_>, axe: &str, state: &str) {
    let all = findings(scene, axe);
    assert!(all.is_empty(), "{state}: {all:#?}");
}

/// A page in one theme and direction, looked at by the checker.
struct Checked<'a> {
    scene: Scene<'a>,
    axe: &'a str,
    about: String,
}

impl<'a> Checked<'a> {
    fn new(stage: &'a Stage, axe: &'a str, (theme, rtl): (&str, bool), mut widget: Value) -> Self {
        widget["theme"] = json!(theme);
        let scene = stage.scene(widget);
        scene.put(
            "/find",
            "",
            "<main><div data-findwell-results></div></main>",
        );
        scene.go("/");
        if rtl {
            scene
                .tab
                .js("document.documentElement.dir = 'rtl'; find('input[name=s]').dir = 'rtl'");
        }
        scene.tab.click("find('input[name=s]')");
        let about = format!("{theme}, from right to left: {rtl}");
        Self { scene, axe, about }
    }

    /// Checks a state once it is reached.
    fn state(&self, name: &str, condition: &str) {
        self.scene.tab.until(condition);
        check(&self.scene, self.axe, &format!("{name}, {}", self.about));
    }
}

/// The checker's script; `None` where it need not be installed.
pub(super) fn checker(case: &str) -> Option<String> {
    installed("axe-core/axe.min.js", case)
}

fn own_colours(stage: &mut Stage) {
    let Some(axe) = checker("looks::own_colours") else {
        return;
    };
    // The checker cannot tell text of the very colour of its background from text that is hidden on purpose.
    for (primary, shown, rules) in [
        ("#fff", "rgb(255, 255, 255)", &[][..]),
        ("#ddd", "rgb(221, 221, 221)", &["color-contrast"]),
    ] {
        let colours = json!({"primary": primary, "background": "#fff"});
        let scene = stage.scene(json!({"colors": colours}));
        let saved = scene.shop.own("GET", "/widget").send().ok();
        assert_eq!(saved.data()["colors"], colours);
        scene.type_for_panel("tent");
        scene.tab.check(&format!("getComputedStyle(find('.fw-option-all')).color === '{shown}' && getComputedStyle(panel()).backgroundColor === 'rgb(255, 255, 255)'"));
        let found = findings(&scene, &axe);
        let found: Vec<&str> = found.iter().map(|(rule, _)| rule.as_str()).collect();
        assert_eq!(found, rules, "{primary}");
    }
    let address = json!({"colors": {"primary": "url(https://evil.example/x)"}});
    let refused = stage.shop.own("PUT", "/widget").json(&address).send();
    let fields = refused.fields().join(" ");
    assert!(
        refused.status == 400 && fields.starts_with("colors"),
        "{refused:?}"
    );
}

fn axe(stage: &mut Stage) {
    let Some(axe) = checker("looks::axe") else {
        return;
    };
    for look in [("light", false), ("dark", false), ("light", true)] {
        axe_of_panel(stage, &axe, look);
        axe_of_layer(stage, &axe, look);
        let page = json!({"layout": "list", "features": {"displayMode": "page"}});
        let page = Checked::new(stage, &axe, look, page);
        page.scene.tab.go(&page.scene.url("/find?s=tent"));
        page.state("page", "named('.fw-card').length === 24");
    }
}

fn axe_of_panel(stage: &Stage, axe: &str, look: (&str, bool)) {
    let panel = Checked::new(
        stage,
        axe,
        look,
        json!({"features": {"displayMode": "dropdown"}}),
    );
    let tab = panel.scene.tab;
    panel.state(
        "closed panel",
        "find('input[name=s]').getAttribute('role') === 'combobox'",
    );
    tab.keys("tent");
    panel.state("panel", "panel() && named('.fw-option-name').length");
    tab.press(Key::DOWN);
    panel.state("active option", "find('[role=option][aria-selected=true]')");
    tab.press(Key::ESCAPE);
    tab.press(Key::ESCAPE);
    tab.keys("stove");
    panel.state(
        "reduced price",
        "panel() && find('.fw-option .fw-sale ~ s')",
    );
    tab.keys("qqzzxx");
    panel.state(
        "panel without suggestions",
        "find('.fw-note:not([hidden])')",
    );
}

fn axe_of_layer(stage: &Stage, axe: &str, look: (&str, bool)) {
    let widget = json!({"features": {"displayMode": "overlay", "layoutSwitch": true}});
    let layer = Checked::new(stage, axe, look, widget);
    let tab = layer.scene.tab;
    layer.state(
        "closed layer",
        "find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'",
    );
    tab.keys("tent");
    layer.state("results", "layer() && named('.fw-card').length === 24");
    tab.click("all('.fw-choice')[0]");
    layer.state(
        "filtered",
        "all('.fw-chips button').length === 1 && !find('.fw-view[aria-busy]')",
    );
    tab.js("const from = find('[id$=price-min]'); from.value = '9000'; from.dispatchEvent(new Event('change'))");
    layer.state("wrong range", "!find('.fw-wrong').hidden");
    tab.resize(400, 800);
    tab.click("find('.fw-open-filters')");
    layer.state("drawer", "find('.fw-drawer[open]')");
    tab.cdp("Emulation.clearDeviceMetricsOverride", json!({}));
    // The sheet closes, and goes back over its entry, before the next page is gone to.
    tab.until("!find('.fw-drawer[open]') && !history.state.fwSheet");
    tab.go(&layer.scene.url("/?fw_q=tent%20zzqqxx&fw_f.price=5000-6000"));
    layer.state(
        "nothing found",
        "layer() && /^No products/.test(text('.fw-title'))",
    );
    layer.scene.gate.answer("/search", 503, None);
    tab.keys(" 1");
    layer.state("failed", "find('.fw-failed')");
}

fn narrow(stage: &mut Stage) {
    for mode in ["overlay", "dropdown", "page"] {
        let scene = stage.scene(json!({"features": {"displayMode": mode, "layoutSwitch": true}}));
        let tab = scene.tab;
        scene.put("/find", "", "<div data-findwell-results></div>");
        for (width, height) in [(320, 256), (2560, 1200)] {
            tab.resize(width, height);
            if mode == "overlay" {
                scene.type_for_layer("tent");
            } else {
                scene.type_for_panel("tent");
                tab.check("panel().scrollWidth <= panel().clientWidth && panel().getBoundingClientRect().right <= innerWidth + 1 && panel().getBoundingClientRect().left >= -1");
                if mode == "page" {
                    tab.press(Key::ENTER);
                    tab.until("location.pathname === '/find' && named('.fw-card').length === 24");
                }
            }
            let sideways = "(layer() || document.scrollingElement).scrollWidth <= (layer() || document.scrollingElement).clientWidth";
            tab.check(sideways);
            if width == 320 && mode != "dropdown" {
                tab.click("find('.fw-open-filters')");
                tab.until("find('.fw-drawer[open]')");
                tab.check("find('.fw-drawer').scrollWidth <= find('.fw-drawer').clientWidth && find('.fw-drawer').getBoundingClientRect().width <= 320");
                tab.click("find('.fw-drawer-foot button')");
                tab.until("!find('.fw-drawer[open]')");
            }
        }
    }
}

fn media(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}, "theme": "auto"}));
    let tab = scene.tab;
    tab.media(&[("prefers-reduced-motion", "no-preference")]);
    scene.type_for_layer("tent");
    tab.check("getComputedStyle(find('.fw-layer')).animationName !== 'none' && getComputedStyle(find('.fw-cards')).transitionDuration !== '0s'");
    let light = tab.text("return getComputedStyle(layer()).backgroundColor");
    tab.media(&[
        ("prefers-reduced-motion", "reduce"),
        ("prefers-color-scheme", "dark"),
    ]);
    tab.check("getComputedStyle(find('.fw-layer')).animationName === 'none' && getComputedStyle(find('.fw-cards')).transitionDuration === '0s'");
    assert_ne!(
        tab.text("return getComputedStyle(layer()).backgroundColor"),
        light
    );
    tab.media(&[("forced-colors", "active")]);
    tab.check("getComputedStyle(find('.fw-mark')).textDecorationLine === 'underline' && matchMedia('(forced-colors: active)').matches");
    tab.check("parseFloat(getComputedStyle(find('.fw-form')).borderTopWidth) >= 1");
    tab.press(Key::TAB);
    tab.check("parseFloat(getComputedStyle(active()).outlineWidth) >= 1 && getComputedStyle(active()).outlineStyle !== 'none'");
    tab.picture("forced-colors");
}

fn positions(stage: &mut Stage) {
    let boxes = "return (() => { const box = layer().getBoundingClientRect(); return [Math.round(box.left), Math.round(innerWidth - box.right), Math.round(box.width)]; })()";
    for (position, holds) in [
        ("center", 1200),
        ("left", 720),
        ("right", 720),
        ("bottom", 1280),
        ("top", 1280),
        ("nowhere", 1280),
    ] {
        let scene = stage.scene(json!({"features": {"displayMode": "overlay"}, "position": position, "colors": {"background": "#fff8e7", "own.key": "red"}, "typography": {"size": "18"}}));
        let tab = scene.tab;
        tab.resize(1280, 900);
        scene.type_for_layer("tent");
        let found = tab.js(boxes);
        let width = found[2].as_i64().expect("a number");
        assert!((width - holds).abs() <= 50, "{position}: {found}");
        match position {
            "left" => assert_eq!(found[0], 0),
            "right" => assert!(found[1].as_i64().expect("a number") <= 16, "{found}"),
            _ => {}
        }
        tab.check("getComputedStyle(layer()).backgroundColor === 'rgb(255, 248, 231)' && getComputedStyle(find('.fw-root')).fontSize === '18px'");
        tab.check("find('.fw-root').style.getPropertyValue('--fw-color-own-key') === 'red'");
    }
}

fn columns(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay", "filters": false}, "theme": "plain", "colors": null}));
    let tab = scene.tab;
    scene.put("/", "", "<style>body { background: rgb(255, 250, 240); color: rgb(20, 30, 40); font-family: serif }</style>");
    for (width, columns) in [(360, 2), (700, 3), (768, 3), (1100, 4)] {
        tab.resize(width, 800);
        scene.type_for_layer("tent");
        tab.check(&format!("getComputedStyle(find('.fw-cards')).gridTemplateColumns.split(' ').length === {columns}"));
        let middle = |name: &str| format!("(({name}.top + {name}.bottom) / 2)");
        let same = format!(
            "(([title, sort]) => Math.abs({} - {}) < 4)(['.fw-title', '.fw-sort'].map((one) => find(one).getBoundingClientRect()))",
            middle("title"),
            middle("sort")
        );
        assert_eq!(tab.holds(&same), width >= 768, "the order at {width} px");
    }
    // The theme `plain` has the colours and the font of the page.
    tab.check("getComputedStyle(layer()).backgroundColor === 'rgb(255, 250, 240)' && getComputedStyle(layer()).color === 'rgb(20, 30, 40)' && getComputedStyle(layer()).fontFamily === 'serif'");
}

fn panel_positions(stage: &mut Stage) {
    let places = "const [box, input] = [panel().getBoundingClientRect(), find('input[name=s]').getBoundingClientRect()]; \
                  return [box.left - input.left, box.right - input.right, (box.left + box.right - input.left - input.right) / 2, box.top > input.bottom].map((one) => typeof one === 'number' ? Math.round(one) : one)";
    for (position, at, distance) in [
        ("top", 0, 0),
        ("left", 0, 0),
        ("right", 1, 0),
        ("center", 2, 0),
        ("bottom", 3, 0),
    ] {
        let scene = stage.scene(json!({"position": position}));
        let tab = scene.tab;
        tab.resize(2000, 900);
        scene.put("/", "", "<style>header { margin: 400px 0 0 800px }</style>");
        scene.type_for_panel("stove");
        let found = tab.js(places);
        match position {
            "bottom" => assert_eq!(found[at], false, "{found}"),
            _ => assert_eq!(found[at], distance, "{position}: {found}"),
        }
        // Nothing but products: they take the whole width.
        tab.check("!find('.fw-list').classList.contains('fw-two') && find('.fw-option-products').getBoundingClientRect().left - panel().getBoundingClientRect().left < 24");
    }
}

fn shifts(stage: &mut Stage) {
    let observe = "window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; }).observe({type: 'layout-shift', buffered: true})";
    let scene = stage.scene(json!({"features": {"displayMode": "page"}}));
    let tab = scene.tab;
    scene.gate.rewrite("/search", |data| {
        let banner = |position: &str| json!({"ruleId": position, "imageUrl": "/sale.svg", "link": "/sale", "position": position});
        data["banners"] = json!([banner("top"), banner("bottom")]);
    });
    // As the documentation asks of a theme with a footer.
    let main = "<div data-findwell-results data-replaces=\"#products\" style=\"min-height: 100vh\"></div><div id=products>The shop's own</div><footer>The end</footer>";
    scene.put("/find", "", main);
    tab.go(&scene.url("/find?s=tent"));
    tab.js(observe);
    tab.until("named('.fw-card').length === 24 && all('.fw-card img').slice(0, 4).every((one) => one.complete) && find('.fw-banner img').complete && !find('.fw-view[aria-busy]')");
    tab.check("window.shift < 0.05 && all('.fw-banner').length === 2");
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    scene.go("/");
    tab.js(observe);
    tab.click("find('input[name=s]')");
    tab.until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent");
    tab.until("layer() && named('.fw-card').length === 24");
    tab.click("all('.fw-choice')[0]");
    tab.until("all('.fw-chips button').length === 1 && !find('.fw-view[aria-busy]')");
    tab.check("window.shift < 0.05");
}

fn pictures(stage: &mut Stage) {
    for mode in ["overlay", "dropdown", "page"] {
        for theme in ["light", "dark", "auto", "plain"] {
            let scene = stage.scene(json!({"features": {"displayMode": mode}, "theme": theme}));
            let tab = scene.tab;
            scene.put("/find", "", "<div data-findwell-results></div>");
            for width in [320, 768, 1280, 2560] {
                tab.resize(width, 800);
                match mode {
                    "overlay" => scene.type_for_layer("tent"),
                    "dropdown" => scene.type_for_panel("tent"),
                    _ => {
                        tab.go(&scene.url("/find?s=tent"));
                        tab.until("named('.fw-card').length === 24");
                    }
                }
                tab.until("all('img').filter((one) => { const box = one.getBoundingClientRect(); return box.top < innerHeight && box.height; }).every((one) => one.complete)");
                tab.until_still();
                tab.picture(&format!("{mode}-{theme}-{width}"));
            }
        }
    }
}
