//! What people do on the pages.
//!
//! 1. An owner releases a held purge by two presses; an editor sees why she cannot.
//! 2. Settings that somebody else has saved meanwhile are not overwritten, and what was typed stays.
//! 3. An owner creates a store and gets its connector key once.
//! 4. The filter of the audit trail selects; a query of the search log is tried, watched and put into a
//!    synonym of its language, which is saved with the draft only; the chart has the searches of the days.
//! 5. Both lists are saved as files, in which no text is a formula of a spreadsheet.

use super::{Desk, held_store, insert};
use crate::Case;
use crate::harness::eventually;
use crate::stage::Stage;
use crate::tab::Tab;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::held_purge", held_purge),
    ("panel::settings", settings),
    ("panel::new_store", new_store),
    ("panel::lists", lists),
];

/// The button with this text.
fn named(text: &str) -> String {
    format!("all('button').filter((one) => one.textContent === '{text}').at(-1)")
}

/// Keeps the texts of files that the page saves.
fn keep_files(tab: &Tab) {
    tab.js(
        "window.saved = []; const own = URL.createObjectURL; \
         URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return own(blob); };",
    );
}

fn held_purge(stage: &mut Stage) {
    let store = held_store(stage, "Held");
    let path = format!("/stores/{store}");
    {
        let editor = Desk::of(stage, "Eve", Role::Editor);
        editor.open(&path);
        let tab = editor.tab();
        tab.check("text('.warning').includes('59 of 60')");
        tab.check("!find('.warning button') && text('.warning').includes('Your role is editor')");
        editor.is_quiet("held, as editor");
    }
    let owner = Desk::of(stage, "Olga", Role::Owner);
    owner.open(&path);
    let tab = owner.tab();
    tab.click(&named("Release purge"));
    tab.until("find('dialog[open]')");
    tab.click("find('dialog[open] .strong')");
    tab.until("text('.notice').includes('released') && !find('.warning')");
    let runs = owner.call("GET", &format!("{path}/runs")).send().ok();
    assert_eq!(runs.data()[0]["state"], "closed");
    let audit = owner.call("GET", &format!("{path}/audit")).send().ok();
    assert_eq!(audit.data()[0]["actor"]["name"], "Olga");
    owner.is_quiet("held, as owner");
}

fn settings(stage: &mut Stage) {
    let store = stage.shop.new_store("Settings");
    let desk = Desk::of(stage, "Sol", Role::Owner);
    let path = format!("/stores/{store}");
    desk.open(&format!("{path}/settings"));
    let tab = desk.tab();
    let submit = "find('form:has([name=platform]) [type=submit]')";
    tab.js("find('[name=platform]').focus()");
    insert(tab, "magento");
    tab.click(submit);
    tab.until("text('.notice') === 'Saved.'");
    let theirs = json!({"platform": "prestashop"});
    let details = format!("{path}/details");
    desk.call("PUT", &details).json(&theirs).send().ok();
    tab.js("find('[name=url]').focus()");
    insert(tab, "https://mine.example");
    tab.click(submit);
    tab.until("find('form:has([name=platform]) .form-wrong:not([hidden])')");
    tab.check("text('form:has([name=platform]) .form-wrong').includes('Somebody else')");
    tab.check("find('[name=url]').value === 'https://mine.example'");
    let saved = desk.call("GET", &details).send().ok();
    assert_eq!(saved.data()["platform"], "prestashop");
    assert_eq!(saved.data()["url"], "");
    desk.is_quiet("settings");
}

fn new_store(stage: &mut Stage) {
    let desk = Desk::of(stage, "Nia", Role::Owner);
    desk.open("?all=1");
    let tab = desk.tab();
    tab.click("find('details summary')");
    tab.click("find('details [name=name]')");
    insert(tab, "Nia's boots");
    tab.click("find('[name=languages]')");
    insert(tab, "es, en");
    tab.click("find('details [type=submit]')");
    tab.until("find('dialog[open] pre')");
    let key = tab.text("return text('dialog pre')");
    assert!(key.starts_with("con_"), "{key}");
    tab.click("find('dialog .close')");
    tab.until("location.pathname.startsWith('/panel/stores/') && text('h1') === \"Nia's boots\"");
    tab.check("text('main').includes('First steps')");
    tab.check(&format!("!document.body.textContent.includes('{key}')"));
    desk.is_quiet("new store");
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
    tab.until("find('dialog[open] [name=terms], .drawer [name=terms], form [name=terms]')?.value === 'lantern'");
    tab.check("new URLSearchParams(location.search).get('lang') === 'en'");
    tab.js("find('[name=terms]').focus(); find('[name=terms]').setSelectionRange(9, 9)");
    insert(tab, "\nlamplet");
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

fn lists(stage: &mut Stage) {
    let desk = Desk::of(stage, "Lea", Role::Owner);
    let shop = &stage.shop;
    for q in ["lantern", "=sum(1,2)"] {
        let request = json!({"lang": "en", "q": q, "types": ["products"]});
        shop.search(&request).ok();
    }
    eventually("the search is counted", || {
        shop.write_search_log();
        let path = desk.of_store("/analytics/queries?lang=en&limit=100");
        let text = desk.call("GET", &path).send().text;
        text.contains("lantern") && text.contains("=sum")
    });
    desk.open(&desk.of_store("/searches?lang=en"));
    let tab = desk.tab();
    let row = "all('tbody tr').find((one) => one.textContent.startsWith('lantern'))";
    tab.check("find('figure svg') && text('figure').includes('Searches by day')");
    tab.check("all('figure tbody tr').length > 0 && !find('.badge')");
    follow(tab, row, "Try");
    tab.until("location.pathname.endsWith('/workbench') && all('.hit').length > 0");
    desk.open(&desk.of_store("/searches?lang=en"));
    watch_and_translate(&desk, row);
    desk.open(&desk.of_store("/searches?lang=en"));
    keep_files(desk.tab());
    tab.click(&named("Download CSV"));
    tab.until("window.saved.length === 1");
    let csv = tab.text("return window.saved[0]");
    assert!(csv.starts_with("query,language,searches,"), "{csv}");
    assert!(csv.contains("\r\nlantern,en,"), "{csv}");
    assert!(csv.contains("\r\n\"'=sum(1,2)\",en,"), "{csv}");
    desk.is_quiet("searches");

    let body = json!({"boosts": {"name": 5}});
    let call = desk.call("PUT", &desk.of_store("/relevance"));
    call.json(&body).send().ok();
    desk.open(&desk.of_store("/audit"));
    tab.click("find('details summary')");
    tab.click("find('[name=operation]')");
    insert(tab, "update_relevance");
    tab.click("find('form [type=submit]')");
    tab.until("location.search.includes('operation=update_relevance') && find('details.revision')");
    tab.check(
        "all('details.revision').every((one) => one.textContent.includes('update_relevance'))",
    );
    tab.click("find('details.revision summary')");
    tab.until("find('details.revision[open] .changes')");
    keep_files(tab);
    tab.click(&named("Download"));
    tab.until("window.saved.length === 1");
    tab.check("window.saved[0].trim().split('\\n').every((line) => JSON.parse(line).operation === 'update_relevance')");
    desk.is_quiet("audit");
}
