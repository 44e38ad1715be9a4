//! The pages of synonyms, rules, filters, the widget and deletion.
//!
//! 1. Synonym groups are created, edited, switched off, deleted and imported from a file that is checked first.
//! 2. A rule with a redirect to a script is rejected at its field, in the service's words; the list filters as one types.
//! 3. Automatic filters are taken over by one press, and ordered.
//! 4. The designer shows the real widget with what is chosen and not saved; the shop's own code in it reads no cookie,
//!    reaches no call and no page of the panel.
//! 5. An owner deletes a store by its name only, and sees when it will be removed.
//! 6. The way back after signing in is a page of the panel, whatever the address says.
//! 7. The picker finds a store by three letters, by keyboard alone.

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
    ("panel::widget", widget),
    ("panel::deletion", deletion),
    ("panel::next", next),
    ("panel::picker", picker),
];

/// The button with this text.
fn named(text: &str) -> String {
    format!("all('button').filter((one) => one.textContent === '{text}').at(-1)")
}

/// Puts a text into a control, as somebody who types.
fn put(tab: &Tab, control: &str, text: &str) {
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
    put(tab, "find('dialog [name=terms]')", "wigwam, tent");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && text('tbody').includes('wigwam, tent')");
    tab.click(&named("Edit"));
    tab.until("find('dialog[open] [name=terms]')");
    put(tab, "find('dialog [name=terms]')", "wigwam, tipi");
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
    tab.until("find('dialog[open] [name=actions]')");
    put(tab, "find('dialog [name=name]')", "Evil");
    put(tab, "find('dialog [name=\"trigger.query\"]')", "sale");
    tab.js("const type = find('dialog [name=type]'); type.value = 'REDIRECT'; type.dispatchEvent(new Event('change'))");
    put(
        tab,
        "find('dialog [name=actions]')",
        "{\"redirect\": \"javascript:alert(1)\"}",
    );
    tab.click("find('dialog [type=submit]')");
    tab.until("find('dialog [data-field=actions] .wrong:not([hidden])')");
    let wrong = tab.text("return text('dialog [data-field=actions] .wrong')");
    assert!(
        wrong.starts_with("actions.redirect: must be an absolute http or https address"),
        "{wrong}"
    );
    put(
        tab,
        "find('dialog [name=actions]')",
        "{\"redirect\": \"/sale\"}",
    );
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog')");
    put(tab, "find('[name=q]')", "sale");
    tab.until("all('tbody tr').length === 1 && text('tbody').includes('Evil')");
    desk.is_quiet("rules");
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
    let before = tab.text(&format!("return {order}"));
    tab.click("find('tbody tr:first-child [aria-label^=\"Move down\"]')");
    tab.until(&format!("{order} !== '{before}'"));
    tab.click("all('tbody button').filter((one) => one.textContent === 'Edit')[0]");
    tab.until("find('dialog[open] [name=\"label.es\"]')");
    put(tab, "find('dialog [name=\"label.es\"]')", "Precio final");
    tab.click("find('dialog [type=submit]')");
    tab.until("!find('dialog') && text('tbody').includes('es: Precio final')");
    desk.is_quiet("filters");
    clear_filters(&desk);
}

/// The shop's own code: tries what it must not reach, and says what came of it.
const CODE: &str = "const seen = {};
fetch('/panel/api/me', { credentials: 'include' }).then(() => { seen.call = 'reached'; }, () => { seen.call = 'failed'; });
try { seen.page = parent.document.title; } catch { seen.page = 'failed'; }
try { seen.cookie = document.cookie; } catch { seen.cookie = 'failed'; }
setInterval(() => {
  const roots = [...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
  seen.theme = roots.map((root) => root.querySelector('[data-theme]')?.dataset.theme).find(Boolean);
  seen.text = roots.map((root) => root.textContent).join();
  parent.postMessage({ seen }, '*');
}, 100);";

fn widget(stage: &mut Stage) {
    let desk = Desk::of(stage, "Wid", Role::Owner);
    let custom = desk.of_store("/widget/custom");
    let code = json!({ "customJS": CODE });
    desk.call("PUT", &custom).json(&code).send().ok();
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.js(
        "addEventListener('message', ({ data }) => { if (data.seen) window.seen = data.seen; })",
    );
    put(tab, "find('[name=previewQuery]')", "tent");
    tab.press(Key::ENTER);
    tab.until("window.seen?.call && window.seen.text.includes('Tent')");
    for reached in ["call", "page", "cookie"] {
        tab.check(&format!("seen.{reached} === 'failed'"));
    }
    tab.check("seen.theme !== 'dark'");
    tab.js("const theme = find('[name=theme]'); theme.value = 'dark'; theme.dispatchEvent(new Event('input', { bubbles: true }))");
    tab.until("seen.theme === 'dark'");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_ne!(saved.data()["theme"], "dark", "nothing is saved yet");
    tab.picture("panel-designer-dark-theme");
    tab.click(&named("375 px"));
    tab.check("find('iframe').width === '375'");
    tab.click(&named("Save widget"));
    tab.until("text('.notice').startsWith('Saved.')");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_eq!(saved.data()["theme"], "dark");
    tab.click("all('summary').find((one) => one.textContent === 'Colours')");
    put(tab, "find('[name=\"colors.primary\"]')", "url(x)");
    tab.click(&named("Save widget"));
    tab.until("find('[data-field=\"colors.primary\"] .wrong:not([hidden])')");
    desk.is_quiet("widget");
    for (path, body) in [
        (custom, json!({"customJS": null})),
        (desk.of_store("/widget"), json!({"theme": "light"})),
    ] {
        desk.call("PUT", &path).json(&body).send().ok();
    }
}

fn deletion(stage: &mut Stage) {
    let store = held_store(stage, "Old boots");
    let path = format!("/stores/{store}/settings");
    {
        let editor = Desk::of(stage, "Edi", Role::Editor);
        editor.open(&path);
        editor.tab().check(&format!("!{}", named("Delete store")));
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
    tab.js("find('[role=combobox]').focus()");
    insert(tab, "zan");
    tab.until("find('[role=combobox]').getAttribute('aria-expanded') === 'true' && text('[role=listbox]').includes('Zanzibar')");
    tab.press(Key::DOWN);
    tab.until("find('[role=option][aria-selected=true]')");
    tab.press(Key::ENTER);
    tab.until(&format!(
        "location.pathname === '/panel/stores/{store}' && find('main h1')"
    ));
    desk.is_quiet("picker");
}
