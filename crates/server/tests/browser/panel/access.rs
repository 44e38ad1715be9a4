//! How people come in.
//!
//! 1. Signing in goes by keyboard alone, with names for all controls, and leads back to the page that was asked for.
//! 2. A wrong password is reported beside the form, and what was typed stays.
//! 3. No other site can show a page of the panel in a frame.

use super::{Desk, PASSWORD, address, insert, joined, watch};
use crate::Case;
use crate::site::{Page, Site};
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[("panel::sign_in", sign_in), ("panel::frames", frames)];

fn sign_in(stage: &mut Stage) {
    joined(stage, "Kay", Role::Editor);
    let tab = &stage.tab;
    tab.cdp("Network.clearBrowserCookies", json!({}));
    let watched = watch(tab);
    let base = stage.shop.client.base();
    let page = format!("{base}/panel/stores/{}/history", stage.shop.store);
    tab.go(&page);
    tab.until("location.pathname === '/panel/sign-in' && find('input[name=email]')");
    // Tab reaches the controls in order; each has a name.
    let focus = |name: &str| {
        for _ in 0..12 {
            if tab.holds(&format!("active().name === '{name}'")) {
                return;
            }
            tab.press(Key::TAB);
        }
        panic!("{name} is not reached by keyboard");
    };
    focus("email");
    tab.check("active().labels.length === 1");
    insert(tab, &address("Kay"));
    focus("password");
    insert(tab, "wrong password 17");
    tab.press(Key::ENTER);
    tab.until("find('.form-wrong:not([hidden])')");
    tab.check(&format!(
        "find('input[name=email]').value === '{}'",
        address("Kay")
    ));
    tab.check("find('.form-wrong').getAttribute('role') === 'alert'");
    focus("password");
    tab.js("active().value = ''");
    insert(tab, PASSWORD);
    tab.press(Key::ENTER);
    tab.until(&format!("location.href === '{page}' && find('main h1')"));
    assert_eq!(tab.js("return window.complaints"), json!([]));
    tab.cdp(
        "Page.removeScriptToEvaluateOnNewDocument",
        json!({"identifier": watched}),
    );
    tab.cdp("Network.clearBrowserCookies", json!({}));
}

fn frames(stage: &mut Stage) {
    let desk = Desk::of(stage, "Fay", Role::Owner);
    let site = Site::open();
    let target = format!("{}/panel", stage.shop.client.base());
    let html = format!("<!doctype html><h1>Evil</h1><iframe src=\"{target}\"></iframe>");
    site.page("/", Page { html, policy: None });
    desk.tab().go(&format!("{}/", site.base()));
    // What is refused is replaced by a page of the browser, with an opaque origin and no frames of its own.
    desk.tab().until("frames.length === 1");
    let tree = desk.tab().cdp("Page.getFrameTree", json!({}));
    let child = tree["frameTree"]["childFrames"][0]["frame"].clone();
    assert!(
        child["unreachableUrl"].is_string()
            || child["url"]
                .as_str()
                .is_some_and(|url| url.starts_with("chrome-error")),
        "{tree}"
    );
}
