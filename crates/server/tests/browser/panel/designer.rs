//! The designer of the widget.
//!
//! 1. It shows the real widget, in each of its modes, with what is chosen and not saved, such as what it shows before
//!    anything is typed, which a save keeps exactly as it was; viewers see it, too. It leaves the focus where it is.
//! 2. The shop's own code in it reads no cookie and reaches no call and no page of the panel.
//! 3. An editor sees who may change the shop's own code there, and no such notice elsewhere.
//! 4. Orders are ticked by name and kept in their order; what the service says of them stands beside them.
//! 5. The line for the pages says that one was seen, and its button copies it.

use super::lists::{named, put};
use super::{Desk, PAGE_LINE};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[("panel::widget", widget)];

/// The shop's own code: tries what it must not reach, and says what came of it.
const CODE: &str = "const seen = {};
fetch('/panel/api/me', { credentials: 'include' }).then(() => { seen.call = 'reached'; }, () => { seen.call = 'failed'; });
try { seen.page = parent.document.title; } catch { seen.page = 'failed'; }
try { seen.cookie = document.cookie; } catch { seen.cookie = 'failed'; }
setInterval(() => {
  const roots = [...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
  seen.theme = roots.map((root) => root.querySelector('[data-theme]')?.dataset.theme).find(Boolean);
  seen.suggests = Boolean(document.querySelector('#fw-panel:not([hidden])'));
  seen.drawn = document.querySelector('[data-findwell-results]')?.firstElementChild?.shadowRoot?.textContent ?? '';
  seen.text = roots.map((root) => root.textContent).join();
  parent.postMessage({ seen }, '*');
}, 100);";

/// What is shown before anything is typed, with values that the short form would take for something else.
fn keeps_first_search(desk: &Desk<'_>) {
    let path = desk.of_store("/widget");
    let first = json!({"q": "tent", "filters": {
        "attributes.size": ["36-38"], "attributes.a:b": ["x"], "manufacturer": ["Red, dark", "[x"],
        "supplier": ["Norte", "Ostro"], "price": {"min": 5, "max": 10.5}}});
    let body = json!({ "defaultSearch": first });
    desk.call("PUT", &path).json(&body).send().ok();
    let saved = || desk.call("GET", &path).send().ok().data()["defaultSearch"].clone();
    let before = saved();
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.check("find('[name=\"defaultSearch.filters\"]').value.includes('supplier: Norte, Ostro')");
    let save = "find('form:has([name=theme])').requestSubmit()";
    tab.js("find('[name=theme]').value = 'auto'");
    tab.js(save);
    tab.until("text('.notice').startsWith('Saved.')");
    assert_eq!(saved(), before, "it was not touched");
    tab.js("find('[name=\"defaultSearch.q\"]').value = 'boot'");
    tab.js(save);
    crate::harness::eventually("the query is saved", || saved()["q"] == "boot");
    assert_eq!(saved()["filters"], before["filters"]);
    let body = json!({"theme": "light", "defaultSearch": null});
    desk.call("PUT", &path).json(&body).send().ok();
}

/// The group of the orders that shoppers may choose.
const ORDERS: &str = "find('[data-field=\"features.sorts\"]')";

/// Those that are saved stand first and keep their order, one that is ticked comes last, and none is a choice, too.
fn keeps_orders(desk: &Desk<'_>) {
    let path = desk.of_store("/widget");
    let set = |sorts: &str| {
        let body = json!({"features": {"sorts": sorts}});
        desk.call("PUT", &path).json(&body).send().ok();
    };
    let saved = || desk.call("GET", &path).send().ok().data()["features"]["sorts"].clone();
    set("price_asc,relevance,name");
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.click("all('summary').find((one) => one.textContent === 'Functions')");
    tab.check(&format!("[...{ORDERS}.querySelectorAll('label')].slice(0, 3).map((one) => one.textContent).join() === 'the cheapest first,by relevance,by name'"));
    tab.check(&format!("!/price|_/.test({ORDERS}.textContent)"));
    let save = || {
        tab.js("find('.notice').textContent = ''");
        tab.click(&named("Save widget"));
        tab.until("text('.notice').startsWith('Saved.')");
    };
    let press = |sorts: &[&str]| {
        for sort in sorts {
            tab.click(&format!("{ORDERS}.querySelector('[value={sort}]')"));
        }
    };
    press(&["relevance", "rating", "relevance"]);
    tab.check(&format!("{ORDERS}.textContent.includes('In this order: the cheapest first, by name, the best rated first, by relevance.')"));
    save();
    assert_eq!(saved(), "price_asc,name,rating,relevance");
    press(&["price_asc", "name", "rating", "relevance"]);
    tab.check(&format!("{ORDERS}.textContent.includes('None: ')"));
    save();
    assert_eq!(saved(), "");
    rejects_orders(desk);
    set("relevance,price_asc,price_desc,name,newest,sales,rating");
}

/// An error of the service stands beside the orders.
fn rejects_orders(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.js(
        "const own = fetch; const body = JSON.stringify({message: 'No.', errors: [{field: 'features.sorts', reason: 'must be others'}]}); \
         window.fetch = (path, request) => request?.method === 'PUT' ? Promise.resolve(new Response(body, {status: 400})) : own(path, request);",
    );
    tab.click(&named("Save widget"));
    tab.until(&format!(
        "{ORDERS}.querySelector('.wrong:not([hidden])')?.textContent === 'must be others'"
    ));
    desk.is_quiet("orders");
}

/// The line says that a page has asked with the key of the shop; what its button copies is the line.
fn copies_line(desk: &Desk<'_>) {
    let shop = &desk.stage.shop;
    let asked = shop.api("GET", "/widget/config").key(&shop.public);
    asked.header("Origin", "https://shop.example").send().ok();
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.check(&format!(
        "!{PAGE_LINE}.open && /Seen on your pages: yes, (this minute|1 minute ago)\\./.test({PAGE_LINE}.firstChild.innerText)"
    ));
    tab.click(&format!("{PAGE_LINE}.firstChild"));
    tab.js("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    tab.click(&format!("{PAGE_LINE}.querySelector('.copyable button')"));
    tab.until(&format!(
        "{PAGE_LINE}.querySelector('.said').textContent === 'Copied.'"
    ));
    tab.check(&format!(
        "copied.startsWith('<script') && copied === {PAGE_LINE}.querySelector('pre').textContent"
    ));
    desk.is_quiet("the line");
}

/// Who may change the shop's own code is said there, where an editor may not.
fn editors_see_who_may(stage: &Stage) {
    let editor = Desk::of(stage, "Edi", Role::Editor);
    editor.open(&editor.of_store("/widget?lang=en"));
    let tab = editor.tab();
    let notices =
        "all('main .hint').filter((one) => one.textContent.startsWith('Your role is editor'))";
    tab.check(&format!(
        "{notices}.length === 1 && {notices}[0].closest('.card').querySelector('[name=customCSS]')"
    ));
    tab.check("find('[name=customCSS]').disabled && !find('[name=theme]').disabled");
    editor.is_quiet("widget, as editor");
}

fn viewers_see_it(stage: &Stage) {
    let viewer = Desk::of(stage, "Wiv", Role::Viewer);
    viewer.open(&viewer.of_store("/widget?lang=en"));
    let tab = viewer.tab();
    tab.check("text('main').includes('Your role is viewer') && find('[name=theme]').disabled");
    tab.until("find('iframe.preview')?.src.includes('/panel/preview')");
    tab.check("Math.abs(find('.preview').getBoundingClientRect().width - find('.preview-place').clientWidth) < 2");
    viewer.is_quiet("widget, as viewer");
}

fn widget(stage: &mut Stage) {
    // Cases before this one leave the mode that they chose.
    drop(stage.scene(json!({"features": {"displayMode": "overlay"}})));
    viewers_see_it(stage);
    editors_see_who_may(stage);
    let desk = Desk::of(stage, "Wid", Role::Owner);
    keeps_first_search(&desk);
    keeps_orders(&desk);
    copies_line(&desk);
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
    tab.check("active().name === 'previewQuery'");
    for reached in ["call", "page", "cookie"] {
        tab.check(&format!("seen.{reached} === 'failed'"));
    }
    tab.check("seen.theme !== 'dark'");
    tab.js("const theme = find('[name=theme]'); theme.value = 'dark'; theme.dispatchEvent(new Event('input', { bubbles: true }))");
    tab.until("seen.theme === 'dark'");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_ne!(saved.data()["theme"], "dark", "nothing is saved yet");
    tab.picture("panel-designer-dark-theme");
    let choose = |name: &str, value: &str| {
        tab.js(&format!("const one = find('[name=\"{name}\"]'); one.focus(); one.value = '{value}'; one.dispatchEvent(new Event('input', {{ bubbles: true }}))"));
    };
    choose("features.displayMode", "dropdown");
    tab.until("seen.suggests && seen.drawn === ''");
    tab.check("document.activeElement.tagName !== 'IFRAME'");
    choose("features.displayMode", "page");
    tab.until("seen.drawn.includes('Tent') && !seen.suggests");
    tab.picture("panel-designer-page-mode");
    put(tab, "find('[name=previewQuery]')", " ");
    tab.js("find('[name=previewQuery]').value = ''; find('[name=previewQuery]').dispatchEvent(new Event('change'))");
    choose(
        "defaultSearch.filters",
        "manufacturer: Ostro\\nprice: 21-40",
    );
    tab.until("seen.drawn.includes('7 products')");
    tab.click(&named("375 px"));
    tab.check("find('iframe').width === '375'");
    tab.click(&named("Save widget"));
    tab.until("text('.notice').startsWith('Saved.')");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_eq!(saved.data()["theme"], "dark");
    let filters = json!({"manufacturer": ["Ostro"], "price": {"min": 21, "max": 40}});
    assert_eq!(saved.data()["defaultSearch"], json!({ "filters": filters }));
    tab.js("find('[name=\"defaultSearch.filters\"]').value = 'colour: red'");
    tab.click(&named("Save widget"));
    tab.until("find('[data-field=\"defaultSearch.filters\"] .wrong:not([hidden])')");
    tab.js("find('[name=\"defaultSearch.filters\"]').value = ''");
    tab.click("all('summary').find((one) => one.textContent === 'Colours')");
    put(tab, "find('[name=\"colors.primary\"]')", "url(x)");
    tab.click(&named("Save widget"));
    tab.until("find('[data-field=\"colors.primary\"] .wrong:not([hidden])')");
    desk.is_quiet("widget");
    for (path, body) in [
        (custom, json!({"customJS": null})),
        (
            desk.of_store("/widget"),
            json!({"theme": "light", "defaultSearch": null, "features": {"displayMode": "dropdown"}}),
        ),
    ] {
        desk.call("PUT", &path).json(&body).send().ok();
    }
}
