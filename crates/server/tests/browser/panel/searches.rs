//! The list of searches.
//!
//! 1. A query is tried, watched and put into a synonym of its language, which is saved with the draft only.
//! 2. The chart has the searches of the days, with a table of its three series for those who do not see it.
//! 3. A synonym for a query without results shows its effect before it is saved; once the query has found products,
//!    the list says so.

use super::{Desk, insert};
use crate::harness::eventually;
use crate::tab::Tab;
use serde_json::json;

/// Checks the list as somebody who may change the store.
pub(super) fn check(desk: &Desk<'_>) {
    search(desk, "lantern");
    search(desk, "=sum(1,2)");
    eventually("the searches are counted", || {
        desk.stage.shop.write_search_log();
        let path = desk.of_store("/analytics/queries?lang=en&limit=100");
        let text = desk.call("GET", &path).send().text;
        text.contains("lantern") && text.contains("=sum")
    });
    desk.open(&desk.of_store("/searches?lang=en"));
    let tab = desk.tab();
    let row = row("lantern");
    tab.check(&format!("{row}.cells[1].textContent === 'English'"));
    tab.check("all('figure tbody tr').length > 0 && !find('.badge')");
    chart(tab);
    follow(tab, &row, "Try");
    tab.until("location.pathname.endsWith('/workbench') && all('.hit').length > 0");
    desk.open(&desk.of_store("/searches?lang=en"));
    watch_and_translate(desk, &row);
    mends(desk);
}

/// The row of a query.
fn row(query: &str) -> String {
    format!("all('.queries tbody tr').find((one) => one.textContent.startsWith('{query}'))")
}

/// Searches as a shopper; returns how many products were found.
fn search(desk: &Desk<'_>, q: &str) -> u64 {
    let request = json!({"lang": "en", "q": q, "types": ["products"]});
    let found = desk.stage.shop.search(&request).ok();
    let total = found.data()["products"]["total"].as_u64();
    total.expect("a number")
}

/// The drawing is left out for those who do not see it: a table says all of it.
fn chart(tab: &Tab) {
    tab.check("text('figure').includes('Searches by day') && find('figure summary').textContent === 'As a table'");
    tab.check("find('figure svg.chart').closest('[aria-hidden=true]')");
    tab.check("named('figure thead th').join() === 'Day,Searches,Without results,Clicks'");
    tab.check("all('figure thead th').every((one) => one.scope === 'col')");
    tab.check(
        "all('figure tbody tr').every(({ cells: [day, ...series] }) => day.scope === 'row' && day.textContent && \
         series.length === 3 && series.every((one) => /^\\d/.test(one.textContent)))",
    );
}

/// Watches the query of a row and makes a synonym of it, each by one press.
fn watch_and_translate(desk: &Desk<'_>, row: &str) {
    let tab = desk.tab();
    let press = |text: &str| {
        tab.click(&format!("[...{row}.querySelectorAll('button')].find((one) => one.firstChild.textContent === '{text}')"));
    };
    press("Watch");
    tab.until("text('.notice').includes('is watched')");
    tab.check(&format!("{row}.textContent.includes('Watched')"));
    let watched = desk.call("GET", &desk.of_store("/watched")).send().ok();
    let queries = json!([{"q": "lantern", "lang": "en", "note": ""}]);
    assert_eq!(watched.data()["queries"], queries);
    follow(tab, row, "Make synonym");
    tab.until("find('dialog[open] [name=terms], .drawer [name=terms], form [name=terms]')?.value === 'lantern\\n'");
    tab.until("document.activeElement.name === 'terms'");
    tab.check("new URLSearchParams(location.search).get('lang') === 'en'");
    insert(tab, "lamplet");
    tab.js("find('form:has([name=terms])').requestSubmit()");
    tab.until("text('.unsaved') === '1 unsaved change'");
    let found = desk.call("GET", &desk.of_store("/synonyms?q=lamplet"));
    assert_eq!(
        found.send().ok().data(),
        &json!([]),
        "not before it is saved"
    );
    tab.js("sessionStorage.clear()");
}

/// Follows the link of a row with this text.
fn follow(tab: &Tab, row: &str, text: &str) {
    tab.click(&format!(
        "[...{row}.querySelectorAll('a')].find((one) => one.firstChild.textContent === '{text}')"
    ));
}

/// Selects the queries without results, the most searched ones first.
const WITHOUT: &str = "lang=en&kind=without_results";

/// Makes a synonym of a query without results, and searches again.
fn mends(desk: &Desk<'_>) {
    let tab = desk.tab();
    let logged = || {
        desk.stage.shop.write_search_log();
        let path = desk.of_store(&format!("/analytics/queries?{WITHOUT}&limit=100"));
        let listed = desk.call("GET", &path).send().ok();
        let listed = listed.data().as_array().cloned().expect("a list");
        let row = listed.into_iter().find(|one| one["query"] == "yurt");
        row.and_then(|one| one["found"].as_u64())
    };
    for _ in 0..5 {
        assert_eq!(search(desk, "yurt"), 0);
    }
    eventually("the searches are counted", || logged() == Some(0));
    let list = desk.of_store(&format!("/searches?{WITHOUT}"));
    desk.open(&list);
    let row = row("yurt");
    tab.check(&format!("!{row}.querySelector('.badge')"));
    follow(tab, &row, "Make synonym");
    tab.until("active()?.name === 'terms' && text('.results .note')?.includes('no product')");
    insert(tab, "tent");
    tab.js("find('form:has([name=terms])').requestSubmit()");
    tab.until("text('.unsaved') === '1 unsaved change'");
    tab.until("text('.hit .badges')?.includes('synonym yurt → tent')");
    assert_eq!(search(desk, "yurt"), 0, "it is not saved");
    tab.click("find('.bench-foot .strong')");
    tab.until("find('dialog:modal .strong')");
    tab.click("find('dialog:modal .strong')");
    tab.until("text('.done').includes('Saved as revision')");
    assert!(search(desk, "yurt") > 0);
    eventually("the search is counted", || logged() > Some(0));
    desk.open(&list);
    tab.check(&format!(
        "{row}.querySelector('.badge').textContent === 'finds products now'"
    ));
    desk.is_quiet("mended");
}
