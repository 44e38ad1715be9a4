//! The pages of synonyms, rules, filters and deletion.
//!
//! 1. Synonym groups are created, edited, switched off, deleted and imported from a file that is checked first.
//! 2. A rule with a redirect to a script is rejected at its field, in the service's words, and an error of a part of a
//!    field names the part; the list filters as one types.
//! 3. Automatic filters are taken over by one press, and ordered in one revision, unless somebody else has moved them;
//!    values are grouped as the catalogue has them, and never those of a field that was typed before. Fields and the
//!    languages of their names have names; a new filter finds fields by them, too.
//! 4. An owner deletes a store by its name only, and sees when it will be removed.
//!    An editor copies the configuration of another store, and sees before what would change.
//! 5. The way back after signing in is a page of the panel, whatever the address says.
//! 6. The picker finds a store by three letters, by keyboard alone, and shows nothing that was found for other letters.

use super::{Desk, PASSWORD, address, held_store, insert, joined};
use crate::Case;
use crate::stage::Stage;
use crate::tab::{Key, Tab};
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::synonyms", synonyms),
    ("panel::rules", rules),
    ("panel::filters", filters),
    ("panel::deletion", deletion),
    ("panel::next", next),
    ("panel::picker", picker),
];

/// The button with this text.
pub fn named(text: &str) -> String {
    format!("all('button').filter((one) => one.textContent === '{text}').at(-1)")
}

/// Puts a text into a control, as somebody who types.
pub fn put(tab: &Tab, control: &str, text: &str) {
    tab.js(&format!("const one = {control}; one.focus(); one.select()"));
    insert(tab, text);
}

fn synonyms(stage: &mut Stage) {
    let store = stage.shop.new_store("Synonyms");
    let path = format!("/stores/{store}/synonyms");
    {
        let viewer = Desk::of(stage, "Vic", Role::Viewer);
        viewer.open(&path);
        let tab = viewer.tab();
        tab.check("text('main').includes('No synonyms yet') && text('main').includes('Your role is viewer')");
        tab.check(&format!("!{}", named("New synonym group")));
        viewer.is_quiet("synonyms, as viewer");
    }
    let desk = Desk::of(stage, "Syn", Role::Editor);
    desk.open(&path);
    let tab = desk.tab();
    tab.click(&named("New synonym group"));
    tab.until("find('dialog[open] [name=terms]')");
    put(tab, "find('dialog [name=terms]')", "wigwam");
    tab.click("find('dialog [type=submit]')");
    tab.until("find('dialog [data-field=terms] .wrong:not([hidden])')");
    tab.check("text('dialog [data-field=terms] .wrong').includes('at least 2')");
    put(tab, "find('dialog [name=terms]')", "wigwam\ntent");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && text('tbody').includes('wigwam, tent')");
    tab.click(&named("Edit"));
    tab.until("find('dialog[open] [name=terms]')");
    put(tab, "find('dialog [name=terms]')", "wigwam\ntipi");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && text('tbody').includes('wigwam, tipi')");
    tab.click(&named("Switch off"));
    tab.until("find('tbody').textContent.includes('Switch on')");

    tab.click("find('summary')");
    put(
        tab,
        "find('details [name=csv]')",
        "lamp, lantern\n=> x\ntv => screen\nwigwam, tipi",
    );
    tab.click(&named("Check file"));
    tab.until("text('details').includes('2 new groups.')");
    tab.check(
        "text('details').includes('1 exists already.') && text('details').includes('Line 2')",
    );
    tab.check("!text('tbody').includes('lantern')");
    tab.click(&named("Import 2 groups"));
    tab.until("text('tbody').includes('tv → screen') && text('tbody').includes('lamp, lantern')");
    tab.click(&named("Delete"));
    tab.until("find('dialog[open]')");
    tab.click("find('dialog .strong')");
    tab.until("text('.notice') === 'Deleted.' && all('tbody tr').length === 2");
    desk.is_quiet("synonyms");
    desk.open(&format!("{path}?q=lantern"));
    tab.check("all('tbody tr').length === 1");
}

fn rules(stage: &mut Stage) {
    let store = stage.shop.new_store("Rules");
    let desk = Desk::of(stage, "Rua", Role::Editor);
    let list = format!("/stores/{store}/rules");
    for n in 0..120 {
        let rule = json!({"name": format!("Rule {n}"), "language": "es", "type": "PIN", "actions": {"pin": ["1"]},
            "trigger": {"query": format!("word{n}"), "match": "contains"}});
        desk.call("POST", &list).json(&rule).send().ok();
    }
    desk.open(&list);
    let tab = desk.tab();
    tab.check("all('tbody tr').length === 100 && text('main').includes('120 rules')");
    tab.click(&named("Next page"));
    tab.until("all('tbody tr').length === 20");
    put(tab, "find('[name=q]')", "red word7");
    tab.until("all('tbody tr').length === 1 && text('tbody').includes('Rule 7')");
    tab.click(&named("New rule"));
    tab.until("find('dialog[open] [name=\"actions.pin\"]')");
    put(tab, "find('dialog [name=name]')", "Evil");
    put(tab, "find('dialog [name=\"trigger.query\"]')", "sale");
    names_part(tab);
    tab.js("const type = find('dialog [name=type]'); type.value = 'REDIRECT'; type.dispatchEvent(new Event('change'))");
    put(
        tab,
        "find('dialog [name=\"actions.redirect\"]')",
        "javascript:alert(1)",
    );
    tab.click("find('dialog [type=submit]')");
    let place = "dialog [data-field=\"actions.redirect\"] .wrong";
    tab.until(&format!("find('{place}:not([hidden])')"));
    let wrong = tab.text(&format!("return text('{place}')"));
    assert!(
        wrong.starts_with("must be an absolute http or https address"),
        "{wrong}"
    );
    put(tab, "find('dialog [name=\"actions.redirect\"]')", "/sale");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog')");
    put(tab, "find('[name=q]')", "sale");
    tab.until("all('tbody tr').length === 1 && text('tbody').includes('Evil')");
    desk.is_quiet("rules");
}

/// An error of a part of a field says in words which part it is about.
fn names_part(tab: &Tab) {
    tab.js("const type = find('dialog [name=type]'); type.value = 'BOOST'; type.dispatchEvent(new Event('change'))");
    let boost = "find('dialog [name=\"actions.boost\"]')";
    put(tab, boost, "manufacturer = Norte × 5000");
    tab.click("find('dialog [type=submit]')");
    let place = "dialog [data-field=\"actions.boost\"] .wrong";
    tab.until(&format!("find('{place}:not([hidden])')"));
    tab.check(&format!(
        "text('{place}').startsWith('Entry 1, Times that it counts: must be')"
    ));
}

fn clear_filters(desk: &Desk<'_>) {
    let all = desk.call("GET", &desk.of_store("/filters")).send().ok();
    for filter in all.data().as_array().expect("a list") {
        let id = filter["id"].as_str().expect("an id");
        let path = desk.of_store(&format!("/filters/{id}"));
        desk.call("DELETE", &path).send().ok();
    }
}

fn filters(stage: &mut Stage) {
    let desk = Desk::of(stage, "Fil", Role::Editor);
    clear_filters(&desk);
    desk.open(&desk.of_store("/filters"));
    let tab = desk.tab();
    tab.check("text('main').includes('No filters yet')");
    tab.click(&named("Take over automatic filters"));
    tab.until("all('tbody tr').length > 1");
    let order = "all('tbody tr th').map((one) => one.textContent).join()";
    tab.check(&format!(
        "{order}.startsWith('Price,Brand,') && !/price|inStock|manufacturer/.test(find('tbody').innerText)"
    ));
    let before = tab.text(&format!("return {order}"));
    let revision =
        || desk.call("GET", &desk.of_store("/head")).send().ok().data()["configRevision"].clone();
    let saved = revision().as_i64().expect("a number");
    tab.click("find('tbody tr:first-child [aria-label^=\"Move down\"]')");
    tab.until(&format!("{order} !== '{before}'"));
    assert_eq!(revision(), saved + 1, "one move is one revision");
    moved_by_others(&desk);
    tab.click("all('tbody button').filter((one) => one.textContent === 'Edit')[0]");
    tab.until("find('dialog[open] [name=\"label.es\"]')");
    put(tab, "find('dialog [name=\"label.es\"]')", "Precio final");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && text('tbody').includes('Spanish: Precio final')");
    late_values(&desk);
    named_field(&desk);
    group_makers(&desk);
    desk.is_quiet("filters");
    clear_filters(&desk);
}

/// A move over a list that somebody else has reordered saves nothing, and shows the order as it is.
fn moved_by_others(desk: &Desk<'_>) {
    let tab = desk.tab();
    let all = desk.call("GET", &desk.of_store("/filters")).send().ok();
    let ids = all.data().as_array().expect("a list").iter();
    let ids: Vec<&str> = ids.filter_map(|one| one["id"].as_str()).collect();
    for (id, position) in [(ids[0], 1), (ids[1], 0)] {
        let path = desk.of_store(&format!("/filters/{id}"));
        let body = json!({ "position": position });
        desk.call("PUT", &path).json(&body).send().ok();
    }
    let order = || {
        let all = desk.call("GET", &desk.of_store("/filters")).send().ok();
        let all = all.data().as_array().cloned().expect("a list");
        let fields = all.iter().filter_map(|one| one["field"].as_str());
        fields.map(str::to_owned).collect::<Vec<_>>()
    };
    let theirs = order();
    tab.click("find('tbody tr:first-child [aria-label^=\"Move down\"]')");
    tab.until("text('.notice').startsWith('Somebody else has moved filters')");
    tab.until(&format!(
        "find('tbody tr th span').title === '{}'",
        theirs[0]
    ));
    assert_eq!(order(), theirs);
}

/// Keeps responses back until `release()`; `late` counts those that the page has dealt with.
const HELD: &str = "window.own = fetch; window.held = []; window.late = 0; \
    window.release = () => held.splice(0).forEach((one) => one()); \
    window.hold = (part) => { window.fetch = (path, request) => !String(path).includes(part) ? own(path, request) : new Promise((resolve) => held.push(async () => { \
        const response = await own(path, request); const json = await response.json(); \
        response.json = async () => { setTimeout(() => { late += 1; }); return json; }; resolve(response); })); };";

/// Values of a field that come after another one was typed are not offered.
fn late_values(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.js(HELD);
    tab.js("hold('field=manufacturer')");
    tab.click(&named("New filter"));
    tab.until("find('dialog[open] [name=field]')");
    tab.click(&named("Add group of values"));
    let choose = |field: &str| {
        put(tab, "find('dialog [name=field]')", field);
        tab.press(Key::TAB);
    };
    choose("manufacturer");
    tab.until("held.length === 1");
    choose("categories");
    let offered = "all('.value-group option').map((one) => one.textContent).join()";
    tab.until(&format!("{offered}.includes('Tents and tarps')"));
    tab.js("release()");
    tab.until("late === 1");
    tab.check(&format!(
        "{offered}.includes('Tents and tarps') && !{offered}.includes('Norte')"
    ));
    tab.js("window.fetch = own");
    tab.click("find('dialog .close')");
    tab.until("!find('dialog')");
}

/// A new filter takes the name of a field for the field.
fn named_field(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.click(&named("New filter"));
    tab.until("find('dialog[open] [name=field]')");
    tab.check("all('#known-fields option').some((one) => one.value === 'Tags')");
    put(tab, "find('dialog [name=field]')", "tags");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && find('tbody span[title=tags]')?.textContent === 'Tags'");
}

/// Groups two manufacturers as one value, chosen among those of the catalogue.
fn group_makers(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.click("all('tbody tr').find((one) => one.textContent.startsWith('Brand')).querySelector('[aria-label^=Edit]')");
    tab.until("find('dialog[open]')");
    tab.click(&named("Add group of values"));
    tab.until("active().name === 'config.valueGroups[0].label'");
    insert(tab, "The cold ones");
    tab.until("all('.value-group option').length > 3");
    for maker in ["Norte", "Ostro"] {
        tab.js(&format!("const known = find('.value-group select'); known.value = '{maker}'; known.dispatchEvent(new Event('change'))"));
    }
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog')");
    let all = desk.call("GET", &desk.of_store("/filters")).send().ok();
    let all = all.data().as_array().cloned().expect("a list");
    let makers = all.iter().find(|one| one["field"] == "manufacturer");
    let group = &makers.expect("a filter")["config"]["valueGroups"][0];
    assert_eq!(group["label"], "The cold ones");
    assert_eq!(group["values"], json!(["Norte", "Ostro"]));
}

fn deletion(stage: &mut Stage) {
    let store = held_store(stage, "Old boots");
    let path = format!("/stores/{store}/settings");
    {
        let editor = Desk::of(stage, "Edi", Role::Editor);
        editor.open(&path);
        editor.tab().check(&format!("!{}", named("Delete store")));
        copied(&editor, stage.shop.store.as_str());
    }
    let desk = Desk::of(stage, "Del", Role::Owner);
    desk.open(&path);
    let tab = desk.tab();
    put(tab, "find('.warning [name=name]')", "old boots");
    tab.click(&named("Delete store"));
    tab.until("find('.warning .wrong:not([hidden])')");
    tab.check("text('.warning .wrong').includes('must be exactly the name of the store')");
    put(tab, "find('.warning [name=name]')", "Old boots");
    tab.click(&named("Delete store"));
    tab.until("location.pathname === '/panel' && text('main').includes('Deleted stores')");
    tab.check(&format!(
        "text('main').includes('findwell store reopen {store}')"
    ));
    desk.is_quiet("deletion");
    desk.call("GET", &format!("/stores/{store}"))
        .send()
        .error(404, "not_found");
}

/// Copies a store: first shown, then saved.
fn copied(desk: &Desk<'_>, source: &str) {
    let group = json!({"terms": ["copied", "carried"], "language": "en"});
    let list = format!("/stores/{source}/synonyms");
    desk.call("POST", &list).json(&group).send().ok();
    // Other cases have saved groups there, too.
    let all = desk.call("GET", &list).send().ok();
    let groups = all.data().as_array().map_or(0, Vec::len);
    let tab = desk.tab();
    tab.click("all('summary').find((one) => one.textContent === 'Copy from another store')");
    tab.js(&format!(
        "const one = find('[name=store]'); one.value = '{source}'; one.dispatchEvent(new Event('change'))"
    ));
    tab.click("all('button').filter((one) => one.textContent === 'Check').at(-1)");
    tab.until(&format!(
        "text('main').includes('Synonyms: {groups} created')"
    ));
    tab.click(&named("Save these changes"));
    tab.until("text('.notice') === 'Configuration imported.'");
    desk.is_quiet("copying a configuration");
}

fn next(stage: &mut Stage) {
    joined(stage, "Nex", Role::Viewer);
    let tab = &stage.tab;
    let base = stage.shop.client.base();
    for next in [
        "//evil.example",
        "/%5Cevil.example",
        "https:evil.example",
        "%2F%2Fevil.example",
        "/panel/../x",
        "/panel%2F..%2F..%2Fx",
    ] {
        tab.cdp("Network.clearBrowserCookies", json!({}));
        tab.go(&format!("{base}/panel/sign-in?next={next}"));
        tab.until("find('input[name=email]')");
        put(tab, "find('input[name=email]')", &address("Nex"));
        put(tab, "find('input[name=password]')", PASSWORD);
        tab.press(Key::ENTER);
        // With one store, the list leads to it.
        tab.until("/^\\/panel(\\/stores\\/.*)?$/.test(location.pathname) && find('main h1')");
        assert!(tab.address().starts_with(base), "{next}");
    }
    tab.cdp("Network.clearBrowserCookies", json!({}));
}

fn picker(stage: &mut Stage) {
    let store = stage.shop.new_store("Zanzibar sandals");
    let desk = Desk::of(stage, "Pic", Role::Viewer);
    desk.open("/me");
    let tab = desk.tab();
    tab.js(HELD);
    tab.js("hold('/stores?q=')");
    tab.js("find('[role=combobox]').focus()");
    insert(tab, "zan");
    tab.until("held.length === 1");
    insert(tab, "x");
    tab.js("release()");
    tab.until("late === 1 && held.length === 1");
    tab.check("find('[role=listbox]').hidden");
    tab.js("release()");
    tab.until("!find('[role=listbox]').hidden && late === 2");
    tab.check("!text('[role=listbox]').includes('Zanzibar')");
    tab.js("window.fetch = own");
    tab.press(Key::BACKSPACE);
    tab.until("find('[role=combobox]').getAttribute('aria-expanded') === 'true' && text('[role=listbox]').includes('Zanzibar')");
    tab.press(Key::DOWN);
    tab.until("find('[role=option][aria-selected=true]')");
    tab.press(Key::ENTER);
    tab.until(&format!(
        "location.pathname === '/panel/stores/{store}' && find('main h1')"
    ));
    desk.is_quiet("picker");
}
