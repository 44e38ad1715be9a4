//! Synonym groups, rules and filters in the draft.
//!
//! 1. A card's product is pinned, hidden, and its brand boosted, each by a rule of the draft for exactly this query.
//! 2. A rule that the server would reject does not become part of the draft; the message stands at its field.
//! 3. Groups, rules and filters are created, changed and deleted, tried and saved in one revision; products of a rule are
//!    found by name or code.
//! 4. The rules that the query meets stand first, with the reason if they are not applied; the list names their language
//!    and their dates.
//! 5. A product is moved by keys and by dragging, which pins it to one of the first twenty places; what is saved stands
//!    side by side with the draft, never that of another query.
//! 6. Hundreds of synonym groups are shown in pages and found by search.
//! 7. A query without products offers synonyms and a rule, whose forms open with the query.
//! 8. The instant of the shopper is written as other times are.

use super::super::insert;
use super::{Bench, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::{Key, Tab};
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_cards", cards),
    ("panel::workbench_moves", moves),
    ("panel::workbench_pages", pages),
    ("panel::workbench_records", records),
];

fn into_draft(bench: &Bench<'_>) {
    bench.tab().js("find('dialog:modal form').requestSubmit()");
    bench.tab().until("!find('dialog:modal')");
}

/// Drags one element onto another.
fn drag(tab: &Tab, from: &str, to: &str) {
    tab.js(&format!(
        "const dataTransfer = new DataTransfer(); const [from, to] = [{from}, {to}]; \
         const send = (one, type) => one.dispatchEvent(new DragEvent(type, {{bubbles: true, cancelable: true, dataTransfer}})); \
         send(from, 'dragstart'); send(to, 'dragover'); send(to, 'drop'); send(from, 'dragend');"
    ));
}

fn moves(stage: &mut Stage) {
    let bench = Bench::of(stage, "Mov", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    let before = bench.shown();
    bench.unfold(3);
    tab.js("all('.hit')[3].querySelector('[data-act=up]').focus()");
    tab.press(Key::ENTER);
    tab.until(&format!("all('.hit')[2].dataset.id === '{}'", before[3]));
    bench.settled();
    tab.check("active() === all('.hit')[2].querySelector('[data-act=up]')");
    tab.check("all('.hit')[2].textContent.includes('pinned')");
    drag(tab, "all('.hit')[5]", "all('.hit')[0]");
    tab.until(&format!("all('.hit')[0].dataset.id === '{}'", before[5]));
    bench.settled();
    tab.check("text('.unsaved') === '1 unsaved change'");
    assert_eq!(bench.shown()[3], before[3]);
    let ways = "all('.hit').map((one) => [...one.querySelectorAll('[data-act=up], [data-act=down]')].map((way) => way.dataset.act[0]).join(''))";
    tab.check(&format!(
        "{ways}.join() === ['d', ...Array(18).fill('ud'), 'u', 'u', ...Array(9).fill('')].join()"
    ));
    drag(tab, "all('.hit')[0]", "all('.hit')[24]");
    bench.settled();
    tab.check("text('.unsaved') === '1 unsaved change'");
    assert_eq!(bench.shown()[0], before[5]);
    tab.click(&named("Side by side"));
    let side = |at: usize| format!("[...all('.both section')[{at}].querySelectorAll('li')]");
    tab.until(&format!(
        "{}.length === 30 && {}.length === 30",
        side(0),
        side(1)
    ));
    let ids = |at: usize| {
        tab.js(&format!(
            "return {}.map((one) => one.dataset.side)",
            side(at)
        ))
    };
    assert_eq!(ids(0), json!(before));
    assert_eq!(ids(1)[0], before[5]);
    tab.check(&format!("{}[5].textContent.includes('→ 1')", side(0)));
    tab.click(&named("Only what moved"));
    tab.check(&format!("{}.length < 30", side(1)));
    tab.check(&format!(
        "{}.every((one) => one.querySelector('.move').textContent)",
        side(0)
    ));
    tab.js("window.own = fetch; window.fetch = (path, request) => String(path).endsWith('/preview') && !JSON.parse(request.body).draft ? Promise.resolve(new Response(JSON.stringify({message: 'No.'}), {status: 400})) : own(path, request);");
    tab.js("find('[name=q]').focus()");
    insert(tab, " 7");
    tab.until("text('.both section:first-child .wrong') === 'No.'");
    tab.check(&format!("{}.length === 0", side(0)));
    tab.js("window.fetch = own");
    insert(tab, "7");
    tab.until("!find('.both .wrong') && find('.both')");
    bench.desk.is_quiet("moves");
}

fn pages(stage: &mut Stage) {
    let bench = Bench::of(stage, "Pag", Role::Editor);
    let csv: String = (0..420).map(|at| format!("word{at},other{at}\n")).collect();
    let body = json!({"language": "es", "csv": csv});
    let import = bench.call("POST", "/synonyms/import").json(&body);
    import.send().ok();
    bench.open("tent");
    let tab = bench.tab();
    tab.click("find('[data-tab=synonyms]')");
    tab.until("text('.levers').includes('420 groups') && all('.levers .record').length === 50");
    let first = tab.text("return text('.levers .record b')");
    tab.click(&named("Next page"));
    tab.until(&format!(
        "text('.levers').includes('Page 2 of 9') && text('.levers .record b') !== '{first}'"
    ));
    tab.js("find('[name=synonymSearch]').focus()");
    insert(tab, "word41");
    tab.until("all('.levers .record').length === 11 && !text('.levers').includes('Page 2')");
    bench.desk.is_quiet("pages of synonyms");
}

/// Pins a product from a day on, looks at that day by one press, and saves.
fn begins_later(bench: &Bench<'_>) {
    let tab = bench.tab();
    bench.settled();
    let product = bench.shown()[6].clone();
    bench.unfold(6);
    tab.click("all('.hit')[6].querySelector('[data-act=pin]')");
    tab.until("find('dialog:modal [name=startDate]')");
    tab.js("find('dialog:modal [name=startDate]').value = '2099-06-01T10:00'");
    into_draft(bench);
    tab.until("find('.results .note')?.textContent.includes('begins on Jun 1, 2099')");
    // After the two products that the saved rule pins.
    let first = format!("all('.hit')[2].dataset.id === '{product}'");
    tab.check(&format!("!({first})"));
    tab.click(&named("See it as on that day"));
    tab.until(&first);
    tab.check("!find('.results .note')");
    tab.check("/^Shopper: Jun 1, 2099, 10:00\\sAM$/.test(text('.shopper summary'))");
    bench.save();
    tab.until("text('.done').includes('Every shopper gets it from Jun 1, 2099')");
}

fn cards(stage: &mut Stage) {
    let bench = Bench::of(stage, "Cas", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    let before = bench.shown();
    let third = "all('.hit')[4].querySelector('[data-act=pin]')";
    bench.unfold(4);
    tab.click(third);
    tab.until("find('dialog:modal [name=value]')");
    tab.js("find('dialog:modal [name=value]').value = '2'");
    into_draft(&bench);
    bench.settled();
    tab.until("all('.hit')[1].querySelector('.badges')?.textContent.includes('pinned')");
    assert_eq!(bench.shown()[..2], [before[0].clone(), before[4].clone()]);
    bench.unfold(2);
    tab.click("all('.hit')[2].querySelector('[data-act=hide]')");
    tab.until("text('.sums').includes('29 products')");
    bench.settled();
    bench.unfold(5);
    tab.click("all('.hit')[5].querySelector('[data-act=boost]')");
    tab.until("find('dialog:modal [name=value]')");
    into_draft(&bench);
    tab.until("named('.badges').some((one) => one.includes('boosted × 2'))");
    tab.check("text('.unsaved') === '3 unsaved changes'");
    bench.settled();
    let tried: Vec<String> = bench.shown().into_iter().take(20).collect();
    bench.save();
    tab.until("text('.done').includes('Saved as revision 1')");
    assert_eq!(bench.search("tent"), tried);
    let rules = bench.call("GET", "/rules").send().ok();
    let rules = rules.data().as_array().expect("a list");
    let exact =
        |rule: &serde_json::Value| rule["trigger"] == json!({"query": "tent", "match": "exact"});
    assert!(rules.len() == 3 && rules.iter().all(exact));
    begins_later(&bench);
    bench.desk.is_quiet("cards");
}

/// A rule that is off, a group and two filters.
fn seed(bench: &Bench<'_>) {
    let off = json!({"name": "Winter", "language": "es", "type": "HIDE", "active": false, "trigger": {"query": "tent", "match": "contains"},
        "actions": {"hide": ["2"]}, "startDate": "2020-06-01T12:00:00Z", "endDate": "2099-06-01T12:00:00Z"});
    let group = json!({"language": "es", "type": "BIDIRECTIONAL", "terms": ["tent", "carpa"]});
    for (path, body) in [
        ("/rules", off),
        ("/synonyms", group),
        ("/filters", json!({"field": "manufacturer"})),
        ("/filters", json!({"field": "price"})),
    ] {
        bench.call("POST", path).json(&body).send().ok();
    }
}

/// Chooses two products of a rule by their codes, and moves the second before the first.
fn pick(tab: &Tab) {
    for code in ["TN-7", "TN-9"] {
        tab.js("find('.drawer [name=\"actions.pin\"]').focus()");
        insert(tab, code);
        tab.until(&format!(
            "find('.drawer [role=option]')?.textContent.endsWith('{code}')"
        ));
        tab.press(Key::DOWN);
        tab.press(Key::ENTER);
        tab.until("!find('.drawer [role=listbox]:not([hidden])')");
    }
    tab.js("find('.drawer [data-product=\"9\"] [data-act=productFirst]').focus()");
    tab.press(Key::ENTER);
    tab.check("named('.drawer .products li > span:first-child').join() === 'Tent 9 9,Tent 7 7'");
}

fn records(stage: &mut Stage) {
    let bench = Bench::of(stage, "Rec", Role::Editor);
    seed(&bench);
    bench.open("tent");
    let tab = bench.tab();

    tab.click("find('[data-tab=rules]')");
    tab.until("find('.record')?.textContent.includes('Not applied: it is inactive')");
    tab.check("/\\(Spanish\\): hide products · Jun 1, 2020, .+ – Jun 1, 2099, /.test(all('.record .hint').at(-1).textContent)");
    tab.click(&named("Add rule"));
    tab.until("find('.drawer [name=name]')");
    tab.js("find('.drawer [name=name]').value = 'First'; const match = find('.drawer [name=\"trigger.match\"]'); match.value = 'regex'; match.dispatchEvent(new Event('change')); find('.drawer [name=\"trigger.query\"]').value = '['");
    pick(tab);
    tab.js("find('.drawer form').requestSubmit()");
    tab.until(
        "text('.drawer [data-field=\"trigger.query\"] .wrong').includes('regular expression')",
    );
    tab.check("text('.unsaved') === 'No unsaved changes'");
    tab.js("find('.drawer [name=\"trigger.query\"]').value = '^te'; find('.drawer form').requestSubmit()");
    tab.until("!find('.drawer[open]') && text('.unsaved') === '1 unsaved change'");
    bench.settled();
    tab.until("all('.hit')[0].dataset.id === '9' && all('.hit')[1].dataset.id === '7'");
    tab.click("find('[data-record^=\"rules/\"]:not([data-record*=draft]) .acts .link')");
    tab.until("find('.drawer [name=active]')");
    tab.click("find('.drawer [name=active]')");
    tab.js("find('.drawer form').requestSubmit()");
    tab.until("text('.sums').includes('29 products')");

    tab.click("find('[data-tab=synonyms]')");
    tab.until("find('.record')?.textContent.includes('tent = carpa')");
    tab.click("find('.record .acts .link:last-child')");
    tab.until("find('.record del')");
    tab.click(&named("Add synonyms"));
    tab.until("find('.drawer [name=terms]')");
    tab.js("find('.drawer [name=terms]').value = 'tent\\nwigwam'; find('.drawer form').requestSubmit()");
    tab.until("text('.unsaved') === '4 unsaved changes'");

    tab.click("find('[data-tab=filters]')");
    tab.until("all('.record').length === 2 && text('main').includes('Cumbrera')");
    tab.js("find('.record .down').focus()");
    tab.press(Key::ENTER);
    tab.until("find('.record').textContent.includes('Price')");
    drag(tab, "all('.record')[1]", "all('.record')[0]");
    tab.until("find('.record').textContent.includes('Brand')");
    tab.click(&named("Undo"));
    tab.until("find('.record').textContent.includes('Price')");
    tab.check("text('.unsaved') === '6 unsaved changes'");
    bench.save();
    tab.until("text('.done').includes('Saved as revision 5')");
    assert_eq!(bench.search("wigwam").len(), 20);
    assert!(bench.search("carpa").is_empty());
    assert_eq!(bench.search("tent")[..2], ["9".to_owned(), "7".to_owned()]);
    assert!(!bench.search("tent").contains(&"2".to_owned()));
    let filters = bench.call("GET", "/filters").send().ok();
    assert_eq!(filters.data()[0]["field"], "price");
    tab.click(&named("Undo the save"));
    tab.until("text('.done').includes('Taken back, as revision 6')");
    assert_eq!(bench.search("carpa").len(), 20);
    let rules = bench.call("GET", "/rules").send().ok();
    assert_eq!(rules.data().as_array().map(Vec::len), Some(1));
    bench.desk.is_quiet("records");
    offers(&bench);
}

/// What a query without products offers opens the forms with the query.
fn offers(bench: &Bench<'_>) {
    bench.desk.open(&bench.path("/workbench?lang=es&q=zzzqqq"));
    bench.settled();
    let tab = bench.tab();
    tab.check("text('.results .note').includes('What would a shopper who types this want?')");
    tab.click(&named("Add synonyms for “zzzqqq”"));
    tab.until("find('.drawer[open] [name=terms]')?.value === 'zzzqqq\\n'");
    tab.click(&named("Add a rule for “zzzqqq”"));
    tab.until("find('.drawer[open] [name=\"trigger.query\"]')?.value === 'zzzqqq'");
    bench.desk.is_quiet("offers");
}
