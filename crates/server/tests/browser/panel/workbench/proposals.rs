//! The inbox of proposals, by keyboard.
//!
//! 1. A proposal stands there with its key, its note and every change as text, never as a link; what the store does not
//!    have is named. It is applied by keyboard, in part or whole, or rejected with a reason that its key reads.
//! 2. Opened in the workbench it is a draft, which decides it when it is saved. What contradicts one is named in words.
//! 3. In Spanish no word of it is English; nothing sticks out at 320 px.

use super::{Bench, named};
use crate::Case;
use crate::harness::Reply;
use crate::stage::Stage;
use crate::tab::Key;
use domain::{KeyKind, Role, Scope};
use serde_json::{Value, json};

pub const CASES: &[Case] = &[("panel::proposals", inbox)];

/// The key that proposes.
struct Agent<'a> {
    bench: &'a Bench<'a>,
    key: String,
}

impl Agent<'_> {
    fn call(&self, method: &'static str, rest: &str) -> crate::harness::Call<'_> {
        let path = format!("/stores/{}{rest}", self.bench.store);
        self.bench.desk.stage.shop.api(method, &path).key(&self.key)
    }

    /// Proposes a draft; returns its id.
    fn propose(&self, draft: &Value, note: &str) -> String {
        let body = json!({"draft": draft, "note": note});
        let reply: Reply = self.call("POST", "/proposals").json(&body).send();
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.data()["id"].as_str().expect("an id").to_owned()
    }

    fn read(&self, id: &str) -> Value {
        let reply = self.call("GET", &format!("/proposals/{id}")).send().ok();
        reply.data().clone()
    }
}

fn pin(name: &str, id: &str) -> Value {
    json!({"name": name, "language": "es", "type": "PIN", "trigger": {"query": name, "match": "exact"},
        "actions": {"pin": [id]}})
}

fn inbox(stage: &mut Stage) {
    let bench = Bench::of(stage, "Sol", Role::Owner);
    let store = &bench.store;
    let key = (stage.shop).new_key(store, KeyKind::Configuration, Some(Scope::Propose));
    let agent = Agent { bench: &bench, key };
    let note = "See <b>https://evil.example</b>";
    let whole = agent.propose(&json!({"rules": {"create": [pin("yurt", "999")]}}), note);
    let group = json!({"language": "es", "terms": ["wigwam", "tent"]});
    let two = json!({"rules": {"create": [pin("bivouac", "7")]}, "synonyms": {"create": [group]}});
    let part = agent.propose(&two, "");
    let wrong = agent.propose(&json!({"rules": {"create": [pin("shelter", "8")]}}), "");
    let opened = agent.propose(&json!({"rules": {"create": [pin("marquee", "9")]}}), "");
    bench.desk.open(&bench.path("/proposals"));
    shown(&bench, &whole, note);
    applied(&bench, &agent, &whole);
    partly_applied(&bench, &agent, &part);
    rejected(&bench, &agent, &wrong);
    contradicted(&bench, &agent);
    bench.desk.is_quiet("inbox");
    worked_on(&bench, &agent, &opened);
    in_spanish(&bench, &agent);
}

/// What contradicts a proposal is named in words.
fn contradicted(bench: &Bench<'_>, agent: &Agent<'_>) {
    let tab = bench.tab();
    let id = agent.propose(&json!({"relevance": {"boosts": {"name": 9}}}), "");
    let body = json!({"boosts": {"name": 7}});
    bench.call("PUT", "/relevance").json(&body).send().ok();
    bench.desk.open(&bench.path("/proposals"));
    let text = format!("{}.querySelector('.warning').innerText", card(&id));
    tab.check(&format!(
        "{text}.includes('Weights and behaviour · Name:') && !{text}.includes('boosts')"
    ));
    agent
        .call("DELETE", &format!("/proposals/{id}"))
        .send()
        .ok();
    bench.desk.open(&bench.path("/proposals"));
}

/// The card of a proposal.
fn card(id: &str) -> String {
    format!("find('[data-proposal=\"{id}\"]')")
}

/// Puts the focus on the button of a card with this text.
fn focus(bench: &Bench<'_>, id: &str, text: &str) {
    let button = format!(
        "[...{}.querySelectorAll('button')].find((one) => one.textContent === '{text}')",
        card(id)
    );
    bench.tab().js(&format!("{button}.focus()"));
    bench
        .tab()
        .check(&format!("document.activeElement.textContent === '{text}'"));
}

/// Confirms the open dialog, whose first focus is on its harmless button.
fn confirm(bench: &Bench<'_>) {
    let tab = bench.tab();
    tab.until("find('dialog:modal') && document.activeElement.textContent === 'Cancel'");
    tab.press_with(Key::TAB, crate::tab::SHIFT);
    tab.check("document.activeElement.classList.contains('strong')");
    tab.press(Key::ENTER);
}

fn shown(bench: &Bench<'_>, id: &str, note: &str) {
    let tab = bench.tab();
    let card = card(id);
    tab.check(&format!("{card}.textContent.includes('{note}')"));
    tab.check(&format!("{card}.textContent.includes('yurt')"));
    tab.check(&format!(
        "{card}.textContent.includes('What deserves a second look') && {card}.textContent.includes('999')"
    ));
    tab.check("all('article a, article b').length === 0");
    tab.picture("panel-proposals");
    tab.check("!/\\bPIN\\b|draft:0/.test(find('article').querySelector('dl').textContent)");
}

fn applied(bench: &Bench<'_>, agent: &Agent<'_>, id: &str) {
    let tab = bench.tab();
    focus(bench, id, "Apply");
    tab.press(Key::ENTER);
    confirm(bench);
    tab.until(&format!("text('.notice') === 'Applied.' && !{}", card(id)));
    let record = agent.read(id);
    assert_eq!(record["state"], "applied");
    assert_eq!(record["decision"]["outcome"], "whole");
    assert_eq!(record["decision"]["by"]["name"], "Sol");
}

fn partly_applied(bench: &Bench<'_>, agent: &Agent<'_>, id: &str) {
    let tab = bench.tab();
    tab.js(&format!(
        "[...{}.querySelectorAll('[type=checkbox]')].find((one) => one.ariaLabel.includes('wigwam')).focus()",
        card(id)
    ));
    tab.keys(" ");
    focus(bench, id, "Apply selected");
    tab.press(Key::ENTER);
    confirm(bench);
    tab.until(&format!("text('.notice') === 'Applied.' && !{}", card(id)));
    let record = agent.read(id);
    assert_eq!(record["decision"]["outcome"], "part");
    assert_eq!(bench.search("bivouac")[0], "7");
    assert!(bench.search("wigwam").is_empty());
}

fn rejected(bench: &Bench<'_>, agent: &Agent<'_>, id: &str) {
    let tab = bench.tab();
    focus(bench, id, "Reject");
    tab.press(Key::ENTER);
    tab.until("find('dialog:modal [name=reason]')");
    tab.js("find('dialog:modal [name=reason]').focus()");
    tab.keys("sold out");
    tab.press(Key::TAB);
    tab.check("document.activeElement.classList.contains('strong')");
    tab.press(Key::ENTER);
    tab.until(&format!("text('.notice') === 'Rejected.' && !{}", card(id)));
    let record = agent.read(id);
    assert_eq!(record["state"], "rejected");
    assert_eq!(record["decision"]["reason"], "sold out");
}

fn worked_on(bench: &Bench<'_>, agent: &Agent<'_>, id: &str) {
    let tab = bench.tab();
    focus(bench, id, "Open in the workbench");
    tab.press(Key::ENTER);
    tab.until(
        "location.pathname.endsWith('/workbench') && find('main h1') && !find('main[aria-busy]')",
    );
    tab.until("text('main').includes('Review 1 change')");
    tab.click(&named("Review 1 change"));
    tab.until("find('dialog:modal')");
    tab.check("text('dialog:modal').includes('New rule: marquee')");
    tab.click(&named("Save 1 change"));
    tab.until("text('.done').includes('Saved as revision')");
    let record = agent.read(id);
    assert_eq!(record["state"], "applied", "{record}");
    assert_eq!(record["decision"]["outcome"], "whole");
    bench.desk.is_quiet("workbench");
}

fn in_spanish(bench: &Bench<'_>, agent: &Agent<'_>) {
    agent.propose(&json!({"rules": {"create": [pin("tipi", "6")]}}), "");
    bench.desk.speak("es");
    let tab = bench.tab();
    tab.resize(320, 800);
    bench.desk.open(&bench.path("/proposals"));
    tab.check("text('h1').startsWith('Propuestas de')");
    tab.check("!/Apply|Reject|Measure|open until|Decided/.test(text('main'))");
    tab.check("document.documentElement.scrollWidth <= innerWidth");
    tab.picture("panel-proposals-320");
    bench.desk.is_quiet("Spanish");
    bench.desk.speak("en");
}
