//! The menu of every page.
//!
//! 1. One bar stands above the content: 60 px high, at 375 px with the groups behind one button,
//!    which unfolds the group of the page.
//! 2. A group unfolds by keyboard, Escape folds it and leaves the focus on its button, and one is open at a time.
//! 3. The group of the page says which page it is, and every page of a store and of the account is in a group.

use super::Desk;
use crate::tab::Key;

const PAGES: [&str; 12] = [
    "",
    "/searches",
    "/runs",
    "/workbench",
    "/synonyms",
    "/rules",
    "/filters",
    "/widget",
    "/history",
    "/audit",
    "/keys",
    "/settings",
];

/// Checks the menu as an owner.
pub(super) fn check(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.resize(1280, 800);
    desk.open(&desk.of_store("/rules"));
    tab.until("find('h1')");
    tab.check("find('main').getBoundingClientRect().top <= 60");
    let open = "all('.unfolded').filter((one) => !one.hidden).length";
    tab.js("find('.unfolding.here > button').focus()");
    tab.check("active().textContent === 'SearchRules'");
    tab.press(Key::ENTER);
    tab.check(&format!(
        "{open} === 1 && find('.unfolding.here [aria-current]').textContent === 'Rules'"
    ));
    tab.press(Key::TAB);
    tab.check("active().textContent === 'Workbench'");
    tab.press(Key::ESCAPE);
    tab.check(&format!(
        "{open} === 0 && active() === find('.unfolding.here > button')"
    ));
    tab.click("find('.unfolding.here > button')");
    tab.click("find('.user > button')");
    tab.check(&format!("{open} === 1 && !find('.user .unfolded').hidden"));
    for path in PAGES {
        let page = format!("/panel{}", desk.of_store(path));
        tab.check(&format!("find('.menu a[href=\"{page}\"]')"));
    }
    for path in ["/members", "/keys", "/audit"] {
        let page = format!("/panel{}", desk.of_account(path));
        tab.check(&format!("find('.menu a[href=\"{page}\"]')"));
    }
    tab.resize(375, 812);
    tab.until("innerWidth === 375");
    tab.check("find('main').getBoundingClientRect().top <= 60");
    tab.check("find('.menu > ul').getClientRects().length === 0");
    tab.js("find('.menu-button').focus()");
    tab.press(Key::ENTER);
    tab.check("find('.menu-button').getAttribute('aria-expanded') === 'true' && find('.menu [aria-current]').getClientRects().length > 0");
    tab.picture("panel-menu-375");
    tab.press(Key::ESCAPE);
    tab.check(
        "find('.menu > ul').getClientRects().length === 0 && active() === find('.menu-button')",
    );
    desk.is_quiet("menu");
}
