//! The workbench by touch.
//!
//! 1. On the narrowest screen a product is moved by taps on its buttons, which are large enough, and the review is opened
//!    and closed by taps.
//! 2. The whole way goes by taps alone, at 375 px: signing in, tuning, comparing, review, save, undo.

use super::super::{PASSWORD, address, insert};
use super::{Bench, lever};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Tab;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_touch", touch),
    ("panel::workbench_touch_way", whole_way),
];

/// Taps on an element. What lies below the foot of the page cannot be tapped, and what still moves is missed.
fn tap(tab: &Tab, element: &str) {
    tab.until(element);
    tab.until_still();
    tab.js(&format!("{element}.scrollIntoView({{block: 'center'}})"));
    tab.tap(element);
}

fn touch(stage: &mut Stage) {
    let bench = Bench::of(stage, "Tou", Role::Editor);
    let tab = bench.tab();
    tab.touch_screen(320, 640);
    bench.open("tent");
    let before = bench.shown();
    tap(tab, "find('.hit .further > button')");
    tap(tab, "all('.hit')[0].querySelector('[data-act=down]')");
    tab.until(&format!("all('.hit')[1].dataset.id === '{}'", before[0]));
    bench.settled();
    tab.check("text('.unsaved') === '1 unsaved change'");
    bench.unfold(1);
    tap(tab, "all('.hit')[1].querySelector('[data-act=up]')");
    tab.until(&format!("all('.hit')[0].dataset.id === '{}'", before[0]));
    bench.settled();
    tab.tap("find('.bench-foot .strong')");
    tab.until("find('dialog:modal')");
    tab.check("find('dialog:modal').getBoundingClientRect().right <= 320.5");
    tab.tap("find('dialog:modal .close')");
    tab.until("!find('dialog:modal')");
    tab.check("document.documentElement.scrollWidth <= innerWidth");
    bench.desk.is_quiet("touch");
}

fn whole_way(stage: &mut Stage) {
    let bench = Bench::of(stage, "Toni", Role::Editor);
    let tab = bench.tab();
    tab.touch_screen(375, 812);
    tab.cdp("Network.clearBrowserCookies", json!({}));
    let base = bench.desk.stage.shop.client.base();
    let page = bench.path("/workbench?lang=es&q=tent");
    tab.go(&format!("{base}/panel{page}"));
    for (name, text) in [("email", address("Toni").as_str()), ("password", PASSWORD)] {
        let input = format!("find('input[name={name}]')");
        tap(tab, &input);
        tab.until(&format!("active() === {input}"));
        insert(tab, text);
    }
    tap(tab, "find('main form .strong')");
    tab.until("location.pathname.endsWith('/workbench')");
    bench.settled();
    let before = bench.shown();
    tap(tab, "find('.tab.behaviour')");
    tap(tab, &lever("searchSettings.ratingBoost"));
    tab.until("text('.unsaved') === '1 unsaved change'");
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    tab.check(fits);
    tap(tab, "find('.tab.results')");
    bench.settled();
    assert_ne!(bench.shown(), before);
    for at in 0..2 {
        bench.unfold(at);
        tap(tab, &format!("all('[data-act=compare]')[{at}]"));
    }
    tab.until("text('.drawer:modal h2') === 'Comparison'");
    tab.check(fits);
    tap(tab, "find('.drawer:modal .close')");
    tab.until("!find('.drawer[open]')");
    tab.tap("find('.bench-foot .strong')");
    tab.until("find('dialog:modal')");
    tab.check(fits);
    tap(tab, "find('dialog:modal .strong')");
    tab.until("text('.done').includes('Saved as revision 1')");
    tab.tap("find('.done button')");
    tab.until("text('.done').includes('Taken back, as revision 2')");
    tab.check(fits);
    bench.desk.is_quiet("the whole way by touch");
}
