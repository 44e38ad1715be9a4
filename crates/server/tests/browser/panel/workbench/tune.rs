//! Trying changes before they are saved.
//!
//! 1. A slider that is moved re-ranks at once, and the places are those of the simulator.
//! 2. Of many moves in quick succession one call is in flight and the newest follows it; the last value is shown.
//! 3. Steps lead back and forth; the draft survives a reload, also of the panel of another version, and ends with the
//!    sign-out.
//! 4. While the server is away, slow or asks to wait, the page says so, keeps the draft and goes on by itself.
//! 5. A viewer sees every lever, none of which can be moved, and who can change it.
//! 6. An editor who is demoted keeps the draft and learns who can save it.
//! 7. The whole way from the query to the save goes by keys alone, at 320 px.

use super::{Bench, lever, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::{CTRL, Key};
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_tunes", tunes),
    ("panel::workbench_one_in_flight", one_in_flight),
    ("panel::workbench_steps", steps),
    ("panel::workbench_trouble", trouble),
    ("panel::workbench_roles", roles),
    ("panel::workbench_keys", keys),
];

fn tunes(stage: &mut Stage) {
    let bench = Bench::of(stage, "Tam", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    let before = bench.shown();
    bench.press("searchSettings.ratingBoost", Key::END);
    bench.settled();
    let after = bench.shown();
    assert_ne!(before, after);
    let value = tab.js(&format!(
        "return Number({}.value)",
        lever("searchSettings.ratingBoost")
    ));
    let test =
        json!({"q": "tent", "lang": "es", "limit": 48, "searchSettings": {"ratingBoost": value}});
    let simulated = bench
        .call("POST", "/relevance/test")
        .json(&test)
        .send()
        .ok();
    let hits = simulated.data()["hits"].as_array().cloned().expect("hits");
    let ids: Vec<&str> = hits.iter().filter_map(|hit| hit["id"].as_str()).collect();
    assert_eq!(after, ids);
    for (at, hit) in hits.iter().enumerate() {
        let by = hit["savedPosition"].as_i64().expect("a place") - (at as i64 + 1);
        let move_ = tab.text(&format!(
            "return all('.hit')[{at}].querySelector('.move').textContent"
        ));
        let sign = match by {
            0 => String::new(),
            1.. => format!("▲{by}"),
            _ => format!("▼{}", -by),
        };
        assert!(
            move_.starts_with(&sign) && (by != 0 || move_.is_empty()),
            "{move_} {by}"
        );
    }
    tab.check("text('.unsaved') === '1 unsaved change' && find('.lever.changed .dot')");
    tab.click(&named("Saved"));
    bench.settled();
    assert_eq!(bench.shown(), before);
    tab.click(&named("Draft"));
    bench.settled();
    assert_eq!(bench.shown(), after);
    tab.click(&named("Only what moved"));
    tab.check("all('.hit .move').every((one) => one.textContent)");
    assert_eq!(bench.revision(), 0, "nothing is saved");
    bench.desk.is_quiet("tuning");
}

fn one_in_flight(stage: &mut Stage) {
    let bench = Bench::of(stage, "Flo", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    tab.js(
        "window.flying = 0; window.most = 0; window.sent = []; const own = fetch; \
         window.fetch = async (path, request) => { \
           if (!String(path).endsWith('/preview')) return own(path, request); \
           flying += 1; most = Math.max(most, flying); sent.push(JSON.parse(request.body).draft?.relevance.boosts.description); \
           try { return await own(path, request); } finally { flying -= 1; } };",
    );
    tab.js(&format!(
        "const slider = {}; for (let at = 1; at <= 20; at += 1) {{ slider.value = at / 2; slider.dispatchEvent(new Event('input', {{bubbles: true}})); }}",
        lever("boosts.description")
    ));
    tab.until("sent.at(-1) === 10 && flying === 0");
    bench.settled();
    tab.check("most === 1 && sent.length <= 3");
    let test = json!({"q": "tent", "lang": "es", "limit": 48, "boosts": {"description": 10}});
    let simulated = bench
        .call("POST", "/relevance/test")
        .json(&test)
        .send()
        .ok();
    let hits = simulated.data()["hits"].as_array().cloned().expect("hits");
    let ids: Vec<&str> = hits.iter().filter_map(|hit| hit["id"].as_str()).collect();
    assert_eq!(bench.shown(), ids);
    // All of that was one move, so one step leads back.
    tab.click(&named("Undo"));
    tab.check("text('.unsaved') === 'No unsaved changes'");
    bench.desk.is_quiet("one in flight");
}

/// The notice of a server with other files, and what stays when the page is loaded again.
fn updated(bench: &Bench<'_>) {
    let tab = bench.tab();
    let own = bench.call("GET", "/head").send().ok();
    let folder = own.headers["findwell-panel"].to_str().expect("a text");
    tab.check(&format!(
        "find('link[rel=stylesheet]').href.includes('/assets/{folder}/') && find('.update').childNodes.length === 0"
    ));
    tab.js(
        "const own = fetch; window.fetch = async (path, request) => { const response = await own(path, request); const headers = new Headers(response.headers); \
         headers.set('Findwell-Panel', 'another'); return new Response(response.body, {status: response.status, headers}); };",
    );
    tab.js("find('[name=q]').focus()");
    tab.keys("s");
    tab.until("text('.update').startsWith('The panel was updated.')");
    tab.check("text('.unsaved') === '2 unsaved changes'");
    tab.click(&named("Reload"));
    tab.until(
        "find('.update')?.childNodes.length === 0 && text('.unsaved') === '2 unsaved changes'",
    );
    bench.settled();
}

fn steps(stage: &mut Stage) {
    let bench = Bench::of(stage, "Ste", Role::Editor);
    bench.open("tent");
    let tab = bench.tab();
    bench.press("boosts.description", Key::END);
    bench.press("boosts.name", Key::HOME);
    tab.check("text('.unsaved') === '2 unsaved changes'");
    tab.press_with(Key::Z, CTRL);
    tab.until("text('.unsaved') === '1 unsaved change'");
    tab.click(&named("Redo"));
    tab.until("text('.unsaved') === '2 unsaved changes'");
    bench.open("tent");
    tab.check("text('.unsaved') === '2 unsaved changes'");
    tab.check(&format!("{}.value === '20'", lever("boosts.description")));
    updated(&bench);
    tab.click("find('.lever[data-path=\"boosts.name\"] .back')");
    tab.until("text('.unsaved') === '1 unsaved change'");
    tab.click(&named("Discard"));
    tab.until("find('dialog:modal')");
    tab.click("find('dialog:modal .strong')");
    tab.until("text('.unsaved') === 'No unsaved changes'");
    tab.click(&named("Undo"));
    tab.until("text('.unsaved') === '1 unsaved change'");
    bench.desk.is_quiet("steps");
    tab.click("find('.user > button')");
    tab.click(&named("Sign out"));
    tab.until("location.pathname === '/panel/sign-in'");
    tab.check("sessionStorage.length === 0");
}

fn trouble(stage: &mut Stage) {
    let bench = Bench::of(stage, "Tru", Role::Editor);
    bench.tab().real_time();
    bench.open("tent");
    let tab = bench.tab();
    let answers = |answer: &str| {
        tab.js(&format!(
            "window.own ??= fetch; window.fetch = (path, request) => {{ \
               if (!String(path).endsWith('/preview')) return own(path, request); {answer} }};"
        ));
    };
    let before = bench.shown();
    answers("return Promise.reject(new TypeError('offline'));");
    bench.press("searchSettings.ratingBoost", Key::END);
    tab.until("text('.trouble').includes('does not respond')");
    tab.check("text('.unsaved') === '1 unsaved change'");
    assert_eq!(bench.shown(), before, "the products stay");
    answers(
        "return Promise.resolve(new Response(JSON.stringify({code: 'rate_limited', message: 'x', retryAfter: 2}), {status: 429}));",
    );
    tab.until("text('.trouble').includes('2 seconds')");
    answers("return new Promise((go) => { window.letGo = () => go(own(path, request)); });");
    tab.until("window.letGo");
    answers("return own(path, request);");
    tab.js("letGo()");
    tab.until("text('.trouble') === ''");
    bench.settled();
    assert_ne!(bench.shown(), before);
    answers("return new Promise((go) => setTimeout(() => go(own(path, request)), 3000));");
    bench.press("searchSettings.ratingBoost", Key::HOME);
    tab.until("text('.trouble').includes('slow')");
    tab.until("text('.trouble') === ''");
    bench.desk.is_quiet("trouble");
}

fn roles(stage: &mut Stage) {
    {
        let bench = Bench::of(stage, "Vera", Role::Viewer);
        bench.open("tent");
        let tab = bench.tab();
        tab.check("all('.lever').length === 20 && all('.lever :is(input, select, button)').every((one) => one.disabled)");
        tab.check("text('.side').includes('Your role is viewer')");
        tab.check("!find('.bench-foot .button') && !find('[data-act=pin]')");
        tab.click("find('[data-act=why]')");
        tab.until("find('.drawer[open] .equation')");
        bench.desk.is_quiet("viewer");
    }
    let bench = Bench::of(stage, "Edda", Role::Editor);
    let desk = &bench.desk;
    bench.open("tent");
    bench.press("boosts.name", Key::END);
    let owner = super::super::session_of(&super::super::joined(stage, "Odo", Role::Owner));
    let me = desk.call("GET", "/me").send().ok().data()["user"]["id"].clone();
    let path = format!("/members/{}", me.as_str().expect("an id"));
    let client = &stage.shop.client;
    let call = client.call("PUT", format!("/panel/api{}", desk.of_account(&path)));
    let call = call
        .header("Origin", client.base())
        .header("Cookie", &owner);
    let role = json!({"role": "viewer", "stores": "all"});
    call.json(&role).send().ok();
    let tab = bench.tab();
    bench.save();
    tab.until("text('dialog:modal').includes('Your role is viewer')");
    tab.check("text('dialog:modal').includes('Nothing was saved')");
    tab.check("text('.unsaved') === '1 unsaved change'");
    assert_eq!(bench.revision(), 0);
}

/// Presses Tab until the focus is at an element.
fn tab_to(bench: &Bench<'_>, element: &str) {
    for _ in 0..400 {
        if bench.tab().holds(&format!("active() === {element}")) {
            return;
        }
        bench.tab().press(Key::TAB);
    }
    panic!("{element} cannot be reached by keys");
}

fn keys(stage: &mut Stage) {
    let bench = Bench::of(stage, "Keanu", Role::Editor);
    let tab = bench.tab();
    tab.resize(320, 640);
    bench.open("tent");
    let names = "all('main :is(button, input, select, summary)').filter((one) => one.getClientRects().length > 0 && !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.[0]?.textContent)).map((one) => one.outerHTML)";
    assert_eq!(tab.js(&format!("return {names}")), json!([]));
    tab_to(&bench, "find('.tab.behaviour')");
    tab.press(Key::ENTER);
    tab.until(
        "find('.bench-body[data-view=levers] .lever[data-path=\"searchSettings.ratingBoost\"]')",
    );
    tab.check("document.scrollingElement.scrollWidth <= 320");
    tab.js("find('.tab.behaviour').blur()");
    tab_to(&bench, &lever("searchSettings.ratingBoost"));
    tab.press(Key::END);
    tab.until("text('.unsaved') === '1 unsaved change'");
    tab_to(&bench, "find('.tab.results')");
    tab.press(Key::ENTER);
    bench.settled();
    tab_to(&bench, "find('[data-act=why]')");
    tab.press(Key::ENTER);
    tab.until("find('.drawer:modal .equation')");
    tab.check("document.scrollingElement.scrollWidth <= 320");
    tab.press(Key::ESCAPE);
    tab.until("!find('.drawer[open]') && active() === find('[data-act=why]')");
    for at in 0..2 {
        tab_to(&bench, &format!("all('.hit .further > button')[{at}]"));
        tab.press(Key::ENTER);
        tab_to(&bench, &format!("all('[data-act=compare]')[{at}]"));
        tab.press(Key::ENTER);
    }
    tab.until("text('.drawer:modal h2') === 'Comparison'");
    tab.press(Key::ESCAPE);
    tab.until("!find('.drawer[open]')");
    tab.press_with(Key::S, CTRL);
    tab.until("find('dialog:modal') && active() === find('dialog:modal .strong')");
    tab.check("document.scrollingElement.scrollWidth <= 320");
    tab.press(Key::ENTER);
    tab.until("text('.done').includes('Saved as revision 1') && active()?.textContent === 'Undo the save'");
    tab.press(Key::ENTER);
    tab.until("text('.done').includes('Taken back, as revision 2')");
    let relevance = bench.call("GET", "/relevance").send().ok();
    let overrides = &relevance.data()["overrides"];
    assert_eq!(overrides, &json!({"boosts": {}, "searchSettings": {}}));
    bench.desk.is_quiet("keys");
}
