//! The gate of a store, by keyboard.
//!
//! 1. The owner sets it on a card of the settings, which says where no query is watched.
//! 2. A save of the workbench that moves too much is kept back with what moves. Escape saves nothing and the draft stays;
//!    with the box and a reason it is saved, and the history says so.

use super::{Bench, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[("panel::workbench_gate", keeps_back)];

/// The form of the card.
const CARD: &str = "form:has([name=\"impactGate.maxChangedTop3Percent\"])";
/// The dialog on top.
const TOP: &str = "all('dialog:modal').at(-1)";

fn keeps_back(stage: &mut Stage) {
    let bench = Bench::of(stage, "Sol", Role::Owner);
    set(&bench);
    let watched = json!({"queries": [{"q": "tent", "lang": "es", "note": ""}]});
    bench.call("PUT", "/watched").json(&watched).send().ok();
    let before = bench.revision();
    let first = bench.search("tent");
    let last = first.last().expect("a tent");
    let rule = json!({"name": "First", "language": "es", "type": "PIN",
        "trigger": {"query": "tent", "match": "contains"}, "actions": {"pin": [last]}});
    let draft = json!({"set": {}, "drop": {}, "base": {},
        "add": {"synonyms": [], "rules": [rule], "filters": []}});
    bench.open_with("tent", &draft);
    let tab = bench.tab();
    bench.save();
    tab.until("all('dialog:modal').length === 2");
    tab.check(&format!(
        "{TOP}.textContent.includes('moves more than the gate lets through')"
    ));
    tab.check(&format!(
        "{TOP}.textContent.includes('1 of 1 watched queries changes its first three')"
    ));
    tab.check(&format!(
        "{TOP}.textContent.includes('tent (Spanish): its first three results change')"
    ));
    tab.check(&format!("{TOP}.querySelector('[type=submit]').disabled"));
    tab.press(Key::ESCAPE);
    tab.until(
        "all('dialog:modal').length === 1 && text('dialog:modal').includes('Nothing was saved')",
    );
    assert_eq!(bench.revision(), before);

    tab.click(&named("Save 1 change"));
    tab.until("all('dialog:modal').length === 2 && document.activeElement.name === 'force'");
    tab.keys(" ");
    tab.press(Key::TAB);
    tab.keys("season");
    tab.press(Key::TAB);
    tab.press(Key::ENTER);
    tab.until(&format!(
        "text('.done').includes('Saved as revision {}')",
        before + 1
    ));
    assert_eq!(bench.search("tent")[0], *last);
    let saved = bench.call("GET", "/revisions?limit=1").send().ok();
    assert_eq!(saved.data()[0]["forced"], true);
    assert_eq!(saved.data()[0]["note"], "season");
    bench.desk.is_quiet("forced");

    bench.desk.open(&bench.path("/history"));
    tab.js("find('main summary').focus()");
    tab.press(Key::ENTER);
    tab.until("text('main').includes('Saved past the gate: season')");
    tab.check("!/keysMayForce|maxChanged/.test(text('main'))");
    bench.desk.is_quiet("history");
}

/// Sets a gate of 0 % on its card.
fn set(bench: &Bench<'_>) {
    bench.desk.open(&bench.path("/settings"));
    let tab = bench.tab();
    tab.js(&format!("find('{CARD} [name=on]').focus()"));
    tab.keys(" ");
    tab.press(Key::TAB);
    tab.js("document.activeElement.select()");
    tab.keys("0");
    tab.press(Key::ENTER);
    tab.until("text('.notice') === 'Saved.'");
    let details = bench.call("GET", "/details").send().ok();
    let expected = json!({"maxChangedTop3Percent": 0, "keysMayForce": false});
    assert_eq!(details.data()["impactGate"], expected);
    bench.desk.open(&bench.path("/settings"));
    tab.until(&format!("find('{CARD} [name=on]').checked"));
    tab.check("text('main').includes('the store watches no query')");
    bench.desk.is_quiet("settings");
}
