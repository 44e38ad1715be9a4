//! Synonym groups, rules and filters in the draft.
//!
//! 1. A card's product is pinned, hidden, and its brand boosted, each by a rule of the draft for exactly this query.
//! 2. A rule that the server would reject does not become part of the draft; the message stands at its field.
//! 3. Groups, rules and filters are created, changed and deleted, tried and saved in one revision.
//! 4. The rules that the query meets stand first, with the reason if they are not applied.

use super::{Bench, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_cards", cards),
    ("panel::workbench_records", records),
];

fn into_draft(bench: &Bench<'_>) {
    bench.tab().js("find('dialog:modal form').requestSubmit()");
    bench.tab().until("!find('dialog:modal')");
}

fn cards(stage: &mut Stage) {
    let bench = Bench::of(stage, "Cas", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    let before = bench.shown();
    let third = "all('.hit')[4].querySelector('[data-act=pin]')";
    tab.click(third);
    tab.until("find('dialog:modal [name=value]')");
    tab.js("find('dialog:modal [name=value]').value = '2'");
    into_draft(&bench);
    bench.settled();
    tab.until("all('.hit')[1].querySelector('.badges')?.textContent.includes('pinned')");
    assert_eq!(bench.shown()[..2], [before[0].clone(), before[4].clone()]);
    tab.click("all('.hit')[2].querySelector('[data-act=hide]')");
    tab.until("text('.sums').includes('29 products')");
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
    bench.desk.is_quiet("cards");
}

fn records(stage: &mut Stage) {
    let bench = Bench::of(stage, "Rec", Role::Editor);
    let off = json!({"name": "Winter", "language": "es", "type": "HIDE", "active": false, "trigger": {"query": "tent", "match": "contains"}, "actions": {"hide": ["2"]}});
    bench.call("POST", "/rules").json(&off).send().ok();
    let group = json!({"language": "es", "type": "BIDIRECTIONAL", "terms": ["tent", "carpa"]});
    bench.call("POST", "/synonyms").json(&group).send().ok();
    bench
        .call("POST", "/filters")
        .json(&json!({"field": "manufacturer"}))
        .send()
        .ok();
    bench
        .call("POST", "/filters")
        .json(&json!({"field": "price"}))
        .send()
        .ok();
    bench.open("tent");
    let tab = bench.tab();

    tab.click("find('[data-tab=rules]')");
    tab.until("find('.record')?.textContent.includes('Not applied: it is inactive')");
    tab.click(&named("Add rule"));
    tab.until("find('.drawer [name=name]')");
    tab.js("find('.drawer [name=name]').value = 'First'; find('.drawer [name=\"trigger.match\"]').value = 'regex'; find('.drawer [name=\"trigger.query\"]').value = '['; find('.drawer [name=\"actions.pin\"]').value = '9\\n7'");
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
    tab.until("find('.record').textContent.includes('price')");
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
}
