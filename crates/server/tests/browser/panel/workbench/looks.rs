//! How the states of the workbench look.
//!
//! 1. Each tab, each content of the drawer and the review complain about nothing, in both languages, light and dark, and
//!    axe-core finds nothing but minor advice in them.
//! 2. At 320 px nothing scrolls sideways.
//! 3. Names of rules and synonyms that are markup are shown as text.
//! 4. Pictures of each state are written to `target/browser`.
//! 5. Eight products are in view at 1,280 × 800 with a draft and an explanation open, two at 375 × 667; price and stock
//!    of each are not cut, and on a telephone nothing is. Fields have their labels and buttons their words at 375 px, too.
//! 6. Side by side, equal places are at equal heights and have their pictures.
//! 7. The foot is at the end of the window, and a form that opens leaves the query in view.
//! 8. A query without products says which query shoppers see instead.

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
const STATES: [(&str, &str, &str); 13] = [
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
        "menu",
        "find('.hit .further > button').click()",
        "find('.further [data-act=pin]').getClientRects().length > 0",
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

/// How many products are wholly in view, above the foot.
const IN_VIEW: &str = "all('.hits > .hit').filter((one) => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= find('.bench-foot').getBoundingClientRect().top; }).length";

/// Whether price and stock of each product are shown as a whole.
const SOLD: &str = "all('.hit-facts p').length > 0 && all('.hit-facts p').every((one) => { \
    const range = new Range(); range.setStart(one.firstChild, 0); \
    range.setEnd(one.firstChild, one.textContent.split(' · ', 2).join(' · ').length); \
    return /stock|agotado/.test(range.toString()) && range.getBoundingClientRect().right <= one.getBoundingClientRect().right - 12; })";

/// Whether all that is said of each product is shown.
const WHOLE: &str = "all('.hit-facts p').length > 0 && all('.hit-facts p').every((one) => one.scrollWidth <= one.clientWidth && getComputedStyle(one).whiteSpace === 'normal')";

/// Checks what is in view, with a draft on the page, and leaves the page as wide as it was.
fn room(bench: &Bench<'_>, scheme: &str) {
    let tab = bench.tab();
    tab.resize(1280, 800);
    bench.open("tent+norte");
    tab.js("find('[data-act=why]').click()");
    tab.until("find('.drawer .equation')");
    tab.picture(&format!("panel-workbench-room-{scheme}-1280"));
    let shown = tab.js(&format!("return {IN_VIEW}"));
    assert!(shown.as_u64() >= Some(8), "{shown} products in view");
    tab.check(SOLD);
    tab.js("find('[data-tab=synonyms]').click()");
    tab.until("find('[name=synonymSearch]')");
    tab.js("find('.levers .row .button').click()");
    tab.until("find('.drawer [name=terms]')");
    tab.check("scrollY === 0");
    let heights = "const foot = find('.bench-foot').getBoundingClientRect(); return [foot.bottom, foot.top - find('.drawer').getBoundingClientRect().bottom, innerHeight]";
    let heights = tab.js(heights);
    assert!(
        heights[1].as_f64() >= Some(0.0),
        "the drawer ends above the foot: {heights}"
    );
    tab.js("find('.drawer').close(); all('.results [aria-pressed]')[2].click()");
    tab.until("all('.both section').length === 2 && all('.both section').every((one) => one.querySelector('li'))");
    tab.check("(([left, right]) => right.every((one, at) => !left[at] || Math.abs(one.getBoundingClientRect().top - left[at].getBoundingClientRect().top) < 1))(all('.both section').map((one) => [...one.querySelectorAll('li')]))");
    tab.check("all('.both li').every((one) => one.querySelector('.picture'))");
    bench.desk.open(&bench.path("/workbench?lang=es&q=zzzqqq"));
    bench.settled();
    tab.check("Math.abs(find('.bench-foot').getBoundingClientRect().bottom - innerHeight) < 1");
    bench.desk.open(&bench.path("/workbench?lang=es&q=tnet"));
    bench.settled();
    tab.check("find('.results .note').textContent.includes('tent')");
    tab.resize(375, 667);
    bench.open("tent");
    let shown = tab.js(&format!("return {IN_VIEW}"));
    tab.picture(&format!("panel-workbench-room-{scheme}-375"));
    assert!(shown.as_u64() >= Some(2), "{shown} products in view");
    tab.check(WHOLE);
    tab.check("all('.bench-query label, .bench-foot button').every((one) => { const box = one.getBoundingClientRect(); return box.width > 24 && box.right <= 375 && one.innerText.trim().length > 3; })");
    tab.resize(1280, 900);
}

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
        room(&bench, scheme);
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
