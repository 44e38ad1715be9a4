//! The workbench by touch, on the narrowest screen.
//!
//! 1. A product is moved by taps on its buttons, which are large enough, and the review is opened and closed by taps.

use super::Bench;
use crate::Case;
use crate::stage::Stage;
use domain::Role;

pub const CASES: &[Case] = &[("panel::workbench_touch", touch)];

fn touch(stage: &mut Stage) {
    let bench = Bench::of(stage, "Tou", Role::Editor);
    let tab = bench.tab();
    tab.touch_screen(320, 640);
    bench.open("tent");
    let before = bench.shown();
    // What lies below the foot of the page cannot be tapped, and what still moves is missed.
    let tap = |element: &str| {
        tab.until("document.getAnimations().every((one) => one.playState !== 'running')");
        tab.js(&format!("{element}.scrollIntoView({{block: 'center'}})"));
        tab.tap(element);
    };
    tap("all('.hit')[0].querySelector('[data-act=down]')");
    tab.until(&format!("all('.hit')[1].dataset.id === '{}'", before[0]));
    bench.settled();
    tab.check("text('.unsaved') === '1 unsaved change'");
    tap("all('.hit')[1].querySelector('[data-act=up]')");
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
