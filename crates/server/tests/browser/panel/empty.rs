//! Pages of a store that has nothing yet.
//!
//! 1. Proposals and runs say what they are and lead to what begins them, for those who may begin it.
//! 2. The settings of the widget stand above the line for the pages, whose state is shown while it is folded, too.

use super::{Desk, PAGE_LINE};
use crate::Case;
use crate::stage::Stage;
use domain::Role;

pub const CASES: &[Case] = &[("panel::empty", empty)];

fn empty(stage: &mut Stage) {
    let store = stage.shop.new_store("Nothing yet");
    let path = |rest: &str| format!("/stores/{store}{rest}");
    {
        let viewer = Desk::of(stage, "Vic", Role::Viewer);
        for rest in ["/proposals", "/runs"] {
            viewer.open(&path(rest));
            viewer
                .tab()
                .check("text('main .card').includes('yet') && !find('main .card a')");
        }
    }
    let owner = Desk::of(stage, "Lea", Role::Owner);
    let tab = owner.tab();
    for (rest, said, way) in [
        ("/proposals", "No proposals yet.", "/keys"),
        ("/runs", "No runs yet.", "/catalogue"),
    ] {
        owner.open(&path(rest));
        tab.check(&format!("text('main .card').includes('{said}')"));
        tab.check(&format!(
            "new URL(find('main .card a').href).pathname === '/panel{}'",
            path(way)
        ));
        owner.is_quiet(rest);
    }
    owner.open(&path("/widget"));
    tab.check(&format!(
        "find('.designer').getBoundingClientRect().bottom < {PAGE_LINE}.getBoundingClientRect().top"
    ));
    tab.js(&format!("{PAGE_LINE}.open = false"));
    tab.check(&format!(
        "{PAGE_LINE}.querySelector('summary').innerText.includes('Seen on your pages: not yet.')"
    ));
    owner.is_quiet("widget");
}
