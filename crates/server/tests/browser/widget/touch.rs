//! Touch: the layer opens by tap, also by one on an input that has the focus, over the whole screen, and its targets are
//! large enough.

use crate::Case;
use crate::stage::Stage;
use serde_json::json;

pub const CASES: &[Case] = &[("touch::layer", layer), ("touch::second_tap", second_tap)];

fn layer(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}, "position": "center"}));
    let tab = scene.tab;
    tab.touch_screen(390, 780);
    scene.go("/");
    tab.tap("find('input[name=s]')");
    tab.until("layer() && active() === find('.fw-input')");
    tab.check("layer().getBoundingClientRect().width >= innerWidth && layer().getBoundingClientRect().height >= innerHeight");
    tab.keys("tent");
    tab.until("named('.fw-card').length === 24");
    tab.check("parseFloat(getComputedStyle(find('.fw-input')).fontSize) >= 16");
    tab.check("all('.fw-layer button, .fw-layer select, .fw-option').filter((one) => one.getBoundingClientRect().height).every((one) => one.getBoundingClientRect().height >= 43.5)");
    tab.tap("find('.fw-open-filters')");
    tab.until("find('.fw-drawer[open] .fw-choice')");
    tab.tap("find('.fw-drawer[open] .fw-choice')");
    tab.until("all('.fw-chips button').length === 1 && !find('.fw-view[aria-busy]')");
    tab.tap("find('.fw-drawer-foot button')");
    tab.until("!find('.fw-drawer[open]') && layer()");
    tab.tap("find('.fw-close')");
    tab.until("!layer() && !location.search");
}

fn second_tap(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.touch_screen(390, 780);
    scene.go("/");
    tab.tap("find('input[name=s]')");
    tab.until("layer()");
    tab.tap("find('.fw-close')");
    // The focus is back in the input, so the next tap brings no focus.
    tab.until("!layer() && active().name === 's'");
    tab.tap("find('input[name=s]')");
    tab.until("layer() && active() === find('.fw-input')");
    tab.keys("tent");
    tab.until("named('.fw-card').length === 24");
    tab.tap("find('.fw-open-filters')");
    tab.until("find('.fw-drawer[open] .fw-field')");
    tab.check("all('.fw-drawer input:not([type=checkbox]):not([type=radio])').every((one) => one.getBoundingClientRect().height >= 43.5)");
}
