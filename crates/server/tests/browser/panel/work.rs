//! What people do on the pages.
//!
//! 1. An owner releases a held purge by two presses; an editor sees why she cannot.
//! 2. Settings that somebody else has saved meanwhile are not overwritten, and what was typed stays. A currency that is
//!    typed there stands with the prices of the workbench.
//! 3. An owner creates a store and gets its connector key once; its languages are named or given by code. Its first steps
//!    lead to its catalogue: a file, a corrected column, the import, and a search that finds its products with their prices.
//! 4. The filter of the audit trail selects, also by names of members and keys for those who may list them, and leaves a
//!    telephone to the records until it is opened. The list of searches is in `searches.rs`.
//! 5. The stores of a member are chosen at the invitation and later; a notice of who can change something stands where it
//!    is true.
//! 6. Both lists are saved as files, in which no text is a formula of a spreadsheet.

use super::{Desk, held_store, insert, searches};
use crate::Case;
use crate::harness::{eventually, module_releases};
use crate::stage::Stage;
use crate::tab::Tab;
use domain::{KeyKind, Role, StoreId};
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
        editor.open(&format!("{path}/settings"));
        tab.check("!find('main > .hint') && text('.card:has([name=url])').includes('Your role is editor')");
        tab.check("!find('[name=name]').disabled && find('[name=url]').disabled");
        tab.check("getComputedStyle(find('[name=url]')).backgroundColor !== getComputedStyle(find('[name=name]')).backgroundColor");
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
    narrows(&owner, store.as_str());
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
    invites_to_one(&desk, store.as_str());
    types_currency(&desk, &store);
    desk.is_quiet("settings");
}

/// A currency that is typed stands with a price that names none.
fn types_currency(desk: &Desk<'_>, store: &StoreId) {
    let (shop, tab) = (&desk.stage.shop, desk.tab());
    let connector = shop.new_key(store, KeyKind::Connector, None);
    let public = shop.new_key(store, KeyKind::SearchOnly, None);
    let mug = json!({"id": "1", "name": "Mug", "url": "https://shop.example/1", "inStock": true, "priceInclTax": 12.5});
    for (path, body) in [
        (
            "/feed/indices",
            json!({"types": ["products"], "languages": [{"code": "es"}]}),
        ),
        (
            "/feed/products/bulk",
            json!({"language": "es", "documents": [mug]}),
        ),
    ] {
        let call = shop.api("POST", path).key(&connector);
        call.json(&body).send().ok();
    }
    eventually("the mug is searchable", || {
        let request = json!({"lang": "es", "q": "mug", "types": ["products"]});
        let found = shop.api("POST", "/search").key(&public).json(&request);
        found.send().ok().data()["products"]["total"] == 1
    });
    desk.open(&format!("/stores/{store}/settings"));
    tab.js("find('[name=currency]').focus()");
    insert(tab, "eur");
    tab.click("find('form:has([name=currency]) [type=submit]')");
    tab.until("text('.notice') === 'Saved.'");
    desk.open(&format!("/stores/{store}/workbench?lang=es&q=mug"));
    tab.until("text('.hit .hit-facts')?.includes('€12.50')");
}

/// Invites somebody who reaches one store only. The invitation is not sent: an account makes few links a day.
fn invites_to_one(desk: &Desk<'_>, store: &str) {
    desk.open(&desk.of_account("/members"));
    let tab = desk.tab();
    tab.js(
        "window.sent = []; const own = fetch; window.fetch = (path, request) => { \
           if (!String(path).endsWith('/invitations')) return own(path, request); \
           sent.push(JSON.parse(request.body)); return Promise.reject(new TypeError('offline')); };",
    );
    let stores = "find('main [data-field=stores]')";
    tab.js(&format!("{stores}.querySelector('input').click()"));
    tab.js("find('main [name=email]').focus()");
    insert(tab, "one@shop.example");
    tab.js("find('main form').requestSubmit()");
    tab.until(&format!(
        "{stores}.querySelector('.wrong').textContent === 'Tick at least one store.'"
    ));
    tab.js(&format!(
        "{stores}.querySelector('[value=\"{store}\"]').click()"
    ));
    tab.js("find('main form').requestSubmit()");
    tab.until("sent.length === 1");
    let sent = tab.js("return sent[0]");
    let invitation = json!({"email": "one@shop.example", "role": "viewer", "stores": [store]});
    assert_eq!(sent, invitation);
}

/// Lets the editor reach one store only, from the list of members, and all stores again.
fn narrows(desk: &Desk<'_>, store: &str) {
    desk.open(&desk.of_account("/members"));
    let tab = desk.tab();
    let members = || {
        let members = desk.call("GET", &desk.of_account("/members")).send().ok();
        let members = members.data().as_array().cloned().expect("a list");
        members
            .into_iter()
            .find(|one| one["name"] == "Eve")
            .expect("Eve")
    };
    let reach = "all('tbody tr').find((one) => one.textContent.startsWith('Eve')).querySelector('button.link')";
    for expected in [json!([store]), json!("all")] {
        tab.until(reach);
        tab.js(&format!("{reach}.click()"));
        tab.until("find('dialog[open] [data-field=stores]')");
        tab.js("find('dialog[open] [data-field=stores] input').click()");
        if expected != "all" {
            tab.js(&format!("find('dialog[open] [value=\"{store}\"]').click()"));
        }
        tab.js("find('dialog[open] form').requestSubmit()");
        tab.until("!find('dialog[open]')");
        eventually("the stores are saved", || members()["stores"] == expected);
    }
}

fn new_store(stage: &mut Stage) {
    let desk = Desk::of(stage, "Nia", Role::Owner);
    desk.open("?all=1");
    let tab = desk.tab();
    tab.click("find('details summary')");
    tab.click("find('details [name=name]')");
    insert(tab, "Nia's boots");
    tab.click("find('details [type=submit]')");
    tab.until("text('[data-field=languages] .wrong') === 'Name at least one language.'");
    tab.click("find('[name=languages]')");
    insert(tab, "Spanish, en");
    tab.click("find('details [type=submit]')");
    tab.until("find('dialog[open] pre')");
    let key = tab.text("return text('dialog pre')");
    assert!(key.starts_with("con_"), "{key}");
    tab.click("find('dialog .close')");
    tab.until("location.pathname.startsWith('/panel/stores/') && text('h1') === \"Nia's boots\"");
    tab.check("text('main').includes('First steps') && !find('main a[download]')");
    tab.check(&format!("!document.body.textContent.includes('{key}')"));
    desk.is_quiet("new store");
    module_releases::put_valid(&desk.stage.shop.dir().join("releases"), "1.4.0");
    module_releases::look_again(&desk.stage.shop);
    tab.js("location.reload()");
    tab.until("find('main li a[download]')?.textContent === 'Download the module for PrestaShop, version 1.4.0'");
    let archive = "/api/v1/downloads/prestashop/prestashop-1.4.0.zip";
    let base = desk.stage.shop.client.base();
    tab.check(&format!(
        "find('main a[download]').href === '{base}{archive}'"
    ));
    desk.is_quiet("new store, with a release");
    first_products(&desk);
}

const SHOP_FILE: &str = "sku,title,price,Marke,image_url\n1,Red mug of stoneware,12.50 EUR,Norte,https://a.example/1.jpg\n\
                         2,Blue mug of stoneware,8.00 EUR,Norte,https://a.example/2.jpg\n3,,1,,\n=4,,1,,\n";

/// Chooses a file in the page's field for one.
fn choose_file(tab: &Tab, name: &str, text: &str) {
    let text = json!(text);
    tab.js(&format!(
        "const data = new DataTransfer(); data.items.add(new File([{text}], '{name}')); \
         const input = find('.drop input'); input.files = data.files; input.dispatchEvent(new Event('change'))"
    ));
}

/// From an empty store to a search in seven clicks: add products, the field for a file and the file in its dialog, a column
/// and what it is, import, search.
fn first_products(desk: &Desk<'_>) {
    let tab = desk.tab();
    tab.check("all('.steps .tick.done').length === 0");
    tab.check("text('.steps').includes('Seen on your pages: not yet.')");
    tab.picture("panel-first-steps");
    tab.click("find('.steps a.strong')");
    tab.until("find('.drop input')");
    tab.picture("panel-catalogue-empty");
    choose_file(tab, "products.csv", SHOP_FILE);
    tab.until("all('.product').length === 2");
    tab.check("text('.product').includes('€12.50')");
    tab.check("text('.problems').includes('Brand') && text('.problems').includes('every product counts as in stock')");
    tab.picture("panel-catalogue-preview");
    let column = "find('select[data-column=Marke]')";
    tab.js(&format!(
        "{column}.focus(); {column}.value = 'manufacturer'; {column}.dispatchEvent(new Event('change'))"
    ));
    tab.until("text('.product').includes('Norte')");
    tab.check("document.activeElement?.dataset.column === 'Marke'");
    for (width, media) in [(1280, "light"), (320, "light"), (1280, "dark")] {
        tab.resize(width, 900);
        tab.media(&[("prefers-color-scheme", media)]);
        tab.check("document.documentElement.scrollWidth <= innerWidth");
        tab.picture(&format!("panel-catalogue-ready-{width}-{media}"));
    }
    tab.media(&[]);
    tab.click("find('#add .button.strong')");
    tab.until("text('#add').includes('2 products of products.csv are in.')");
    tab.check("text('#add').includes('2 rows were rejected') && text('#add').includes('Line 4')");
    tab.picture("panel-catalogue-done");
    desk.is_quiet("an import");
    tab.until("all('table').some((one) => one.textContent.includes('products'))");
    tab.click("find('#add a.strong')");
    tab.until(
        "location.pathname.endsWith('/workbench') && text('main').includes('Red mug of stoneware')",
    );
    tab.check("text('main').includes('€12.50')");
    desk.is_quiet("a search");
}

/// Who may not list keys types the id of one.
fn filters_by_id(stage: &Stage) {
    let viewer = Desk::of(stage, "Vic", Role::Viewer);
    viewer.open(&viewer.of_store("/audit"));
    let tab = viewer.tab();
    tab.check("find('[name=user]').tagName === 'SELECT' && find('[name=key]').tagName === 'INPUT'");
    viewer.is_quiet("audit, as viewer");
}

/// Chooses a member by name in the filter of the audit trail.
fn choose_member(tab: &Tab, name: &str) {
    tab.check("find('[name=key]').tagName === 'SELECT' && find('[name=key]').options.length > 1");
    tab.js(&format!(
        "const one = find('[name=user]'); one.value = [...one.options].find(({{ text }}) => text === '{name}').value"
    ));
}

fn lists(stage: &mut Stage) {
    filters_by_id(stage);
    let desk = Desk::of(stage, "Lea", Role::Owner);
    let tab = desk.tab();
    searches::check(&desk);
    desk.open(&desk.of_store("/searches?lang=en"));
    keep_files(tab);
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
    tab.resize(375, 812);
    tab.check("!find('main details').open && find('details.revision').getBoundingClientRect().bottom < innerHeight");
    tab.resize(1280, 900);
    tab.click("find('details summary')");
    tab.check("find('[name=operation] [value=update_relevance]').textContent === 'ranking saved'");
    tab.js("find('[name=operation]').value = 'update_relevance'");
    choose_member(tab, "Lea");
    tab.click("find('form [type=submit]')");
    tab.until("location.search.includes('operation=update_relevance') && find('details.revision')");
    tab.check("find('[name=user]').selectedOptions[0].text === 'Lea'");
    tab.check("named('details.revision > summary').every((one) => one.includes('Lea (person)'))");
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
