//! How the states of the workbench look.
//!
//! 1. Each tab, each content of the drawer and the review complain about nothing, in both languages, light and dark, and
//!    axe-core finds nothing serious in them.
//! 2. At 320 px nothing scrolls sideways.
//! 3. Names of rules and synonyms that are markup are shown as text.
//! 4. Pictures of each state are written to `target/browser`.

use super::super::looks::{check, checker};
use super::{Bench, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::{CTRL, Key};
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_looks", looks),
    ("panel::workbench_hostile", hostile),
];

/// Name of a state, what leads to it, and what shows that it is reached.
const STATES: [(&str, &str, &str); 12] = [
    (
        "weights",
        "find('[data-tab=weights]').click()",
        "find('.lever')",
    ),
    (
        "behaviour",
        "find('[data-tab=behaviour]').click()",
        "find('.lever.flag')",
    ),
    (
        "synonyms",
        "find('[data-tab=synonyms]').click()",
        "find('.levers [name=synonymSearch]') && find('.record')",
    ),
    (
        "rules",
        "find('[data-tab=rules]').click(); find('.levers .row .button').click()",
        "find('.drawer [name=name]')",
    ),
    (
        "filters",
        "find('[data-tab=filters]').click(); find('.levers .row .button').click()",
        "find('.drawer [name=field]')",
    ),
    (
        "groups",
        "find('[data-field=\"config.valueGroups\"] > .row .button').click()",
        "find('.value-group')",
    ),
    (
        "picker",
        "find('.drawer').close(); find('[data-tab=rules]').click(); find('.levers .row .button').click(); setTimeout(() => { const box = find('.drawer [role=combobox]'); box.focus(); box.value = 'tent'; box.dispatchEvent(new Event('input')); })",
        "find('.drawer [role=option]')",
    ),
    (
        "sides",
        "find('.drawer').close(); all('.results [aria-pressed]')[2].click()",
        "all('.both section').every((one) => one.querySelector('li')) && all('.both section').length === 2",
    ),
    (
        "draft",
        "all('.results [aria-pressed]')[0].click()",
        "find('.hits > .hit:not(.short)')",
    ),
    (
        "why",
        "find('[data-act=why]').click()",
        "find('.drawer .equation')",
    ),
    (
        "compare",
        "all('[data-act=compare]')[0].click(); all('[data-act=compare]')[1].click()",
        "find('.drawer .stack > p + p')",
    ),
    (
        "watched",
        "find('.drawer').close(); all('.bench-top .button')[1].click()",
        "find('.watch')",
    ),
];

fn looks(stage: &mut Stage) {
    let bench = Bench::of(stage, "Lou Ruiz", Role::Editor);
    let group = json!({"language": "es", "type": "BIDIRECTIONAL", "terms": ["tent", "carpa"]});
    bench.call("POST", "/synonyms").json(&group).send().ok();
    let watched = json!({"queries": [{"q": "tent", "lang": "es", "note": "often"}]});
    bench.call("PUT", "/watched").json(&watched).send().ok();
    let body = json!({"boosts": {"name": 8}});
    bench.call("PUT", "/relevance").json(&body).send().ok();
    let axe = checker();
    let tab = bench.tab();
    for (scheme, language) in [("light", "en"), ("dark", "es")] {
        bench.desk.speak(language);
        tab.media(&[("prefers-color-scheme", scheme)]);
        tab.resize(1280, 900);
        bench.open("tent+norte");
        bench.press("boosts.manufacturer", Key::HOME);
        bench.settled();
        let looked = |name: &str| {
            let about = format!("workbench {name}, {scheme}, {language}");
            bench.desk.is_quiet(&about);
            if let Some(axe) = &axe {
                check(&bench.desk, axe, &about);
            }
            tab.picture(&format!("panel-workbench-{name}-{scheme}-1280"));
        };
        for (name, steps, reached) in STATES {
            tab.js(steps);
            tab.until(reached);
            looked(name);
        }
        tab.press_with(Key::S, CTRL);
        tab.until("find('dialog:modal .strong')");
        looked("review");
        tab.js("find('dialog:modal').close(); find('.drawer').close()");
        tab.resize(320, 640);
        for (name, ..) in &STATES[..5] {
            tab.js(&format!("find('[data-tab={name}]').click()"));
            tab.check("document.scrollingElement.scrollWidth <= 320");
        }
        tab.resize(375, 812);
        tab.picture(&format!("panel-workbench-filters-{scheme}-375"));
        tab.js("find('[data-tab=results]').click(); all('.results [aria-pressed]')[2].click()");
        tab.until("find('.both li')");
        tab.picture(&format!("panel-workbench-sides-{scheme}-375"));
        tab.resize(320, 640);
        tab.check("document.scrollingElement.scrollWidth <= 320");
        tab.resize(1280, 900);
        bench.desk.open(&bench.path("/workbench?q=tent&restore=1"));
        tab.until("find('.side [data-part]') && find('.hit')");
        looked("restore");
        tab.resize(320, 640);
        tab.check("document.scrollingElement.scrollWidth <= 320");
    }
}

fn hostile(stage: &mut Stage) {
    let bench = Bench::of(stage, "Hos", Role::Editor);
    let image = "<img src=x onerror=alert(1)>";
    let rule = json!({"name": image, "language": "es", "type": "HIDE", "trigger": {"query": "tent", "match": "contains"}, "actions": {"hide": ["2"]}});
    bench.call("POST", "/rules").json(&rule).send().ok();
    let group = json!({"language": "es", "type": "BIDIRECTIONAL", "terms": [image, "tent"]});
    bench.call("POST", "/synonyms").json(&group).send().ok();
    bench.open("tent");
    let tab = bench.tab();
    tab.click("find('[data-tab=synonyms]')");
    tab.until("find('.record')?.textContent.includes('<img src=x')");
    tab.click("find('[data-tab=rules]')");
    tab.until("find('.levers .record')?.textContent.includes('<img src=x')");
    tab.click("find('.levers .record .acts .link:last-child')");
    tab.until("find('.levers .record del')");
    tab.click(&named("Review 1 change"));
    tab.until("text('dialog:modal')?.includes('<img src=x')");
    tab.check("!find('img') && !find('[onerror]')");
    bench.desk.is_quiet("hostile names");
}
