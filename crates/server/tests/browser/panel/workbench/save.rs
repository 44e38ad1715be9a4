//! Saving a draft, alone and beside others.
//!
//! 1. A draft of a synonym group, a rule and a weight is saved in one revision with its note, and shoppers then find
//!    the order that was tried.
//! 2. A save is taken back by one press, unless somebody else has changed the same since, who is named.
//! 3. A draft with a wrong rule among good changes stores nothing; the message names the rule and its field, and stands at
//!    it in the review.
//! 4. Two editors who move different levers are merged without a question; what others save later is said with name,
//!    number and kind, if it cannot be read at once, then later.
//! 5. Of the same lever both values stand side by side: "Take theirs" makes no revision, "Keep mine" one.
//! 6. A rule that somebody deleted meanwhile can be created again.
//! 7. A change whose box is not ticked stays in the draft.
//! 8. A former revision is tried from the history and restored by part, and the draft stays; what others save meanwhile
//!    is among the changes before anything is restored.
//! 9. Owners restore custom code, whose changes are shown when it is ticked.

use super::super::insert;
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
    ("panel::workbench_restores", restores),
    ("panel::workbench_conflicts", conflicts),
    ("panel::workbench_deleted", deleted),
];

/// Makes the page ask what others have saved.
const LOOK: &str = "document.dispatchEvent(new Event('visibilitychange'))";

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
    tab.check("text('dialog:modal').includes('All of them mean the same')");
    tab.check("!/BIDIRECTIONAL|ratingBoost|\\bPIN\\b/.test(text('dialog:modal'))");
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
    let said = "text('section.results > .wrong')";
    tab.until(&format!(
        "{said}.includes('New rule: First tents · Text of the trigger: ')"
    ));
    tab.check(&format!("!/create|\\[0\\]|trigger\\./.test({said})"));
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
    // Whoever stays on the page hears of what is saved next.
    for product in ["4", "5"] {
        theirs(&bench, &ben, "POST", "/rules", &pin(&[product]));
    }
    let tab = bench.tab();
    tab.js("window.own = fetch; window.fetch = (path, request) => { if (!String(path).includes('/revisions')) return own(path, request); window.missed = true; return Promise.reject(new TypeError('offline')); };");
    tab.js(LOOK);
    tab.until("window.missed");
    tab.check("text('.news') === ''");
    tab.js("window.fetch = own");
    tab.js(LOOK);
    tab.until("text('.news').startsWith('Benito changed 2 rules ')");
    tab.check("!text('.news').includes('history has more')");
    tab.click("find('.news button')");
    tab.until("all('.drawer[open] .changes').length === 2");
    for at in 0..4 {
        let body = json!({"priority": at + 1});
        let rules = bench.call("GET", "/rules").send().ok();
        let id = rules.data()[0]["id"].as_str().expect("an id").to_owned();
        theirs(&bench, &ben, "PUT", &format!("/rules/{id}"), &body);
    }
    for name in [8, 7] {
        let body = json!({"boosts": {"name": name}});
        theirs(&bench, &ben, "PUT", "/relevance", &body);
    }
    tab.js(LOOK);
    tab.until("text('.news').includes('The history has more.')");
    bench.desk.is_quiet("merged");
}

/// Restores custom code of an owner, which differs alone from what was saved.
fn restores_code(bench: &Bench<'_>) {
    let code = json!({"customJS": "window.shop = 1"});
    let custom = || bench.call("GET", "/widget/custom").send().ok().data()["customJS"].clone();
    bench.call("PUT", "/widget/custom").json(&code).send().ok();
    let former = bench.revision() - 1;
    bench
        .desk
        .open(&bench.path(&format!("/workbench?restore={former}")));
    let tab = bench.tab();
    tab.until("find('.side [data-part=custom] input')");
    tab.check("text('.side').includes('Apart from custom code') && !find('[data-part=custom] input').checked");
    tab.check("find('.side .strong').disabled && all('.side [data-part]').length === 1");
    assert_eq!(custom(), code["customJS"]);
    tab.click("find('[data-part=custom] input')");
    tab.until("text('[data-part=custom]').includes('1 change') && !find('.side .strong').disabled");
    tab.click(&named("Restore 1 part"));
    tab.until("text('.side .done')?.includes('is restored')");
    assert_eq!(custom(), Value::Null);
    // It is not to be restored where it is the same.
    bench
        .desk
        .open(&bench.path(&format!("/workbench?restore={former}")));
    tab.until("find('.side [data-part=custom] input')");
    tab.click("find('[data-part=custom] input')");
    tab.until("text('[data-part=custom]').includes('the same now')");
    tab.check("!find('[data-part=custom] input').checked && find('.side .strong').disabled");
}

fn restores(stage: &mut Stage) {
    let bench = Bench::of(stage, "Res", Role::Owner);
    let before = bench.search("tent");
    let body = json!({"searchSettings": {"stockBoost": 0}});
    bench.call("PUT", "/relevance").json(&body).send().ok();
    let rule = json!({"name": "Seven", "language": "es", "type": "PIN", "trigger": {"query": "tent", "match": "contains"}, "actions": {"pin": ["7"]}});
    bench.call("POST", "/rules").json(&rule).send().ok();
    bench.open("tent");
    bench.press("boosts.name", Key::END);
    let tab = bench.tab();
    tab.until("text('.unsaved') === '1 unsaved change'");
    assert_eq!(bench.shown()[0], "7");
    bench.desk.open(&bench.path("/history"));
    tab.click("all('details.revision summary')[1]");
    tab.until("find('details[open] .button')");
    tab.click("find('details[open] .button')");
    tab.until(
        "location.search === '?restore=1' && find('.side [data-part=rules]') && find('.hit')",
    );
    bench.settled();
    tab.check("all('.side [data-part]').length === 2 && !find('[data-part=custom] input').checked && !find('.tabs') && !find('[data-act=pin]')");
    tab.js("find('[name=q]').focus()");
    insert(tab, "tent");
    tab.until("find('.hit')?.dataset.id !== '7' && text('.sums').includes('30 products')");
    bench.settled();
    assert_ne!(bench.shown()[0], "7");
    assert_ne!(bench.search("tent"), before);
    let cara = colleague(stage, "Cara");
    let body = json!({"boosts": {"description": 9}});
    theirs(&bench, &cara, "PUT", "/relevance", &body);
    tab.click(&named("Restore 1 part"));
    tab.until("text('.notice').startsWith('Somebody else has saved')");
    tab.js(LOOK);
    tab.until("find('.side [data-part=relevance] input')");
    tab.click("find('[data-part=relevance] input')");
    // What others saved is drawn anew meanwhile, which may take a press away.
    tab.until(
        "text('.side .done')?.includes('Revision 1 is restored, as revision 4') || find('.side button.strong:not(:disabled)')?.click()",
    );
    let relevance = bench.call("GET", "/relevance").send().ok();
    let boosts = &relevance.data()["boosts"];
    assert_eq!(boosts["description"], 9.0, "it was not ticked");
    let rules = bench.call("GET", "/rules").send().ok();
    assert_eq!(rules.data(), &json!([]));
    tab.click("find('.side a')");
    tab.until("text('.unsaved') === '1 unsaved change'");
    restores_code(&bench);
    bench.desk.is_quiet("restored");
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
