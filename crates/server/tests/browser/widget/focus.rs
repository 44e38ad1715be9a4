//! The focus is never lost: what a response replaces hands it to the heading of the results.

use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("focus::chips", chips),
    ("focus::offers", offers),
    ("focus::redirect_and_back", redirect_and_back),
];

fn chips(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=tent&fw_f.manufacturer=Norte,Ostro&fw_f.inStock=true"));
    tab.until("layer() && all('.fw-chips button').length === 4 && !find('.fw-view[aria-busy]')");
    scene.gate.hold("/search", "");
    tab.click("all('.fw-chips button')[0]");
    // The shopper goes on to the next one before the response is there.
    tab.js("all('.fw-chips button')[1].focus()");
    scene.gate.open();
    tab.until("all('.fw-chips button').length === 3 && !find('.fw-view[aria-busy]')");
    tab.check("active() === find('.fw-title')");
}

fn offers(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    tab.go(&scene.url("/?fw_q=tent&fw_f.manufacturer=Norte&fw_f.price=5000-6000"));
    let all = "all('.fw-notice button').find((one) => one.textContent.endsWith(': 80 products'))";
    tab.until(&format!("layer() && {all}"));
    tab.js(&format!("{all}.focus()"));
    tab.press(Key::ENTER);
    tab.until("named('.fw-card').length === 24 && !find('.fw-view[aria-busy]')");
    tab.check("active() === find('.fw-title')");
    // Taking all filters away brings nothing here, so it is not offered.
    tab.go(&scene.url("/?fw_q=zzqqxx&fw_f.manufacturer=Norte&fw_f.inStock=true"));
    tab.until("layer() && text('.fw-notice').includes('zzqqxx') && find('.fw-notice')");
    tab.check("!named('.fw-notice button').length");
}

fn redirect_and_back(stage: &mut Stage) {
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    scene.type_for_layer("tent");
    scene.gate.rewrite("/search", |data| {
        data["redirect"] = json!({"url": "/elsewhere", "ruleId": "r"});
    });
    tab.keys(" 1");
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/elsewhere'");
    tab.back();
    tab.until("layer() && !find('.fw-view[aria-busy]') && !find('.fw-view[data-waiting]')");
}
