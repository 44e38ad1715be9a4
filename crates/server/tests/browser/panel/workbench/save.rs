//! Saving a draft, alone and beside others.
//!
//! 1. A draft of a synonym group, a rule and a weight is saved in one revision with its note, and shoppers then find
//!    the order that was tried.
//! 2. A save is taken back by one press, unless somebody else has changed the same since, who is named.
//! 3. A draft with a wrong rule among good changes stores nothing, and the message stands at the rule's field.
//! 4. Two editors who move different levers are merged without a question.
//! 5. Of the same lever both values stand side by side: "Take theirs" makes no revision, "Keep mine" one.
//! 6. A rule that somebody deleted meanwhile can be created again.
//! 7. A change whose box is not ticked stays in the draft.

use super::{Bench, colleague, named, theirs};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::{Value, json};

pub const CASES: &[Case] = &[
    ("panel::workbench_saves", saves),
    ("panel::workbench_rejected", rejected),
    ("panel::workbench_merges", merges),
    ("panel::workbench_conflicts", conflicts),
    ("panel::workbench_deleted", deleted),
];

fn pin(ids: &[&str]) -> Value {
    json!({"name": "First tents", "language": "es", "type": "PIN", "trigger": {"query": "wigwam", "match": "contains"}, "actions": {"pin": ids}})
}

fn draft(rules: &[Value]) -> Value {
    json!({
        "set": {"relevance": {"searchSettings.ratingBoost": {"from": 0.3, "to": 5}}}, "drop": {}, "base": {},
        "add": {"synonyms": [{"language": "es", "type": "BIDIRECTIONAL", "terms": ["wigwam", "tent"]}], "rules": rules, "filters": []}
    })
}

fn saves(stage: &mut Stage) {
    let bench = Bench::of(stage, "Sam", Role::Editor);
    assert!(bench.search("wigwam").is_empty());
    bench.open_with("tent", &draft(&[pin(&["7", "3"])]));
    let tab = bench.tab();
    tab.js("find('[name=q]').focus(); find('[name=q]').select()");
    tab.keys("wigwam");
    tab.until("find('.badges')");
    bench.settled();
    let tried: Vec<String> = bench.shown().into_iter().take(20).collect();
    assert_eq!(tried[..2], ["7", "3"]);
    tab.check("text('.hit .badges').includes('pinned')");
    tab.click(&named("Review 3 changes"));
    tab.until("find('dialog:modal')");
    tab.check("text('dialog:modal').includes('New rule: First tents')");
    tab.js("find('dialog:modal [name=note]').focus()");
    tab.keys("for spring");
    tab.click(&named("Save 3 changes"));
    tab.until("text('.done').includes('Saved as revision 1')");
    assert_eq!(bench.search("wigwam"), tried);
    tab.check("text('.unsaved') === 'No unsaved changes'");
    let revisions = bench.call("GET", "/revisions").send().ok();
    assert_eq!(revisions.data().as_array().map(Vec::len), Some(1));
    assert_eq!(revisions.data()[0]["note"], "for spring");
    let audit = bench.call("GET", "/audit").send().ok();
    let saves = audit.data().as_array().expect("a list").iter();
    let saves = saves.filter(|one| one["operation"] == "apply_changes");
    assert_eq!(saves.count(), 1);

    let ben = colleague(stage, "Ben");
    let rule = bench.call("GET", "/rules").send().ok().data()[0]["id"].clone();
    let path = format!("/rules/{}", rule.as_str().expect("an id"));
    theirs(&bench, &ben, "PUT", &path, &json!({"priority": 5}));
    tab.click("find('.done button')");
    tab.until("text('.done').includes('Ben has changed the same')");
    assert_eq!(bench.revision(), 2);
    bench.desk.is_quiet("saved");
}

fn rejected(stage: &mut Stage) {
    let bench = Bench::of(stage, "Rex", Role::Editor);
    let mut wrong = pin(&["1"]);
    wrong["trigger"] = json!({"query": "[", "match": "regex"});
    bench.open_with(
        "tent",
        &draft(&[wrong, pin(&["2"]), pin(&["3"]), pin(&["4"])]),
    );
    let tab = bench.tab();
    tab.until("text('section.results > .wrong').includes('rules.create[0].trigger.query')");
    tab.check("text('.unsaved') === '6 unsaved changes'");
    bench.save();
    let at = "[data-field=\"draft.rules.create[0].trigger.query\"]";
    tab.until(&format!("find('{at}')"));
    tab.check(&format!(
        "find('{at}').closest('li').dataset.key === 'rules 0' && text('{at}').includes('Text of the trigger')"
    ));
    tab.check("text('dialog:modal').includes('Nothing was saved')");
    assert_eq!(bench.revision(), 0);
    // Without it the others are saved, and it stays.
    tab.click("find('[data-key=\"rules 0\"] input')");
    tab.click(&named("Save 5 changes"));
    tab.until("text('.done').includes('Saved as revision 1')");
    tab.check("text('.unsaved') === '1 unsaved change'");
    let rules = bench.call("GET", "/rules").send().ok();
    assert_eq!(rules.data().as_array().map(Vec::len), Some(3));
    bench.desk.is_quiet("rejected");
}

fn merges(stage: &mut Stage) {
    let bench = Bench::of(stage, "Ana", Role::Editor);
    bench.open("tent");
    bench.press("searchSettings.ratingBoost", Key::END);
    let ben = colleague(stage, "Benito");
    let body = json!({"boosts": {"name": 9}, "searchSettings": {"stockBoost": 4}});
    theirs(&bench, &ben, "PUT", "/relevance", &body);
    bench.press("boosts.description", Key::END);
    bench.save();
    bench
        .tab()
        .until("text('.done').includes('Saved as revision 2')");
    let saved = bench.call("GET", "/relevance").send().ok();
    let overrides = saved.data()["overrides"].clone();
    assert_eq!(
        overrides["boosts"],
        json!({"name": 9.0, "description": 20.0})
    );
    assert_eq!(overrides["searchSettings"]["stockBoost"], 4.0);
    assert_eq!(overrides["searchSettings"]["ratingBoost"], 10.0);
    bench.desk.is_quiet("merged");
}

fn conflicts(stage: &mut Stage) {
    let bench = Bench::of(stage, "Con", Role::Editor);
    let ben = colleague(stage, "Bea");
    let tab = bench.tab();
    let both = |theirs_value: u32| {
        bench.open("tent");
        bench.press("boosts.name", Key::END);
        let body = json!({"boosts": {"name": theirs_value}});
        theirs(&bench, &ben, "PUT", "/relevance", &body);
        bench.save();
        tab.until("find('.conflict')");
        tab.check(&format!(
            "text('.conflict').includes('Bea, revision') && named('.conflict b').join() === '20,{theirs_value},' + named('.conflict b')[2]"
        ));
        tab.check("find('dialog:modal > .row .strong').disabled");
    };
    both(9);
    tab.click(&named("Take theirs"));
    tab.until("!find('dialog:modal') && text('.unsaved') === 'No unsaved changes'");
    assert_eq!(bench.revision(), 1);
    both(11);
    tab.click(&named("Keep mine"));
    tab.until("!find('.conflict') && find('dialog:modal')");
    tab.click("find('dialog:modal > .row .strong')");
    tab.until("text('.done').includes('Saved as revision 3')");
    let saved = bench.call("GET", "/relevance").send().ok();
    assert_eq!(saved.data()["boosts"]["name"], 20.0);
    bench.desk.is_quiet("conflicts");
}

fn deleted(stage: &mut Stage) {
    let bench = Bench::of(stage, "Wanda", Role::Editor);
    let rule = bench.call("POST", "/rules").json(&pin(&["7"])).send().ok();
    let id = rule.data()["id"].as_str().expect("an id").to_owned();
    let resource = format!("rules/{id}");
    let draft = json!({
        "set": {&resource: {"priority": {"from": 0, "to": 8}}}, "drop": {}, "base": {&resource: rule.data()},
        "add": {"synonyms": [], "rules": [], "filters": []}
    });
    bench.open_with("tent", &draft);
    let ben = colleague(stage, "Dora");
    theirs(
        &bench,
        &ben,
        "DELETE",
        &format!("/{resource}"),
        &Value::Null,
    );
    bench.save();
    let tab = bench.tab();
    tab.until("text('.conflict')?.includes('Dora')");
    tab.click(&named("Create it again"));
    tab.until("!find('.conflict')");
    tab.click("find('dialog:modal > .row .strong')");
    tab.until("text('.done').includes('Saved as revision 3')");
    let rules = bench.call("GET", "/rules").send().ok();
    assert_eq!(rules.data()[0]["priority"], 8);
    assert_eq!(rules.data()[0]["actions"], json!({"pin": ["7"]}));
    bench.desk.is_quiet("deleted");
}
