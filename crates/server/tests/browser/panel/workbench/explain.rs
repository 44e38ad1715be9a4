//! Why products are where they are, and what a draft does to the watched queries.
//!
//! 1. The bars of a product add up to its score, and each leads to the lever that makes it; its sentence is that of the
//!    service, and there is one in Spanish.
//! 2. Two products are compared by their parts.
//! 3. A product that is missing is explained by the first reason.
//! 4. A watched query that loses all its results is named in the foot, the list and the review, before anything is
//!    saved; the list names the language of each.

use super::{Bench, lever, named};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("panel::workbench_explains", explains),
    ("panel::workbench_spanish", spanish),
    ("panel::workbench_watches", watches),
];

fn explains(stage: &mut Stage) {
    let bench = Bench::of(stage, "Exa", Role::Editor);
    bench.open("tent+norte");
    let tab = bench.tab();
    tab.click("find('[data-act=why]')");
    tab.until("find('.drawer[open] .equation')");
    let body = json!({"q": "tent norte", "lang": "es", "ids": [bench.shown()[0]]});
    let explained = bench
        .call("POST", "/preview/explain")
        .json(&body)
        .send()
        .ok();
    let hit = &explained.data()[0];
    let score = hit["score"].as_f64().expect("a score");
    let sums = tab.js(
        "return all('.drawer section').slice(0, 2).map((one) => [...one.querySelectorAll('[data-value]')].reduce((sum, bar) => sum + Number(bar.dataset.value), 0))",
    );
    let text = sums[0].as_f64().expect("a sum");
    let factors = 1.0 + sums[1].as_f64().expect("a sum");
    assert!(
        (text * factors - score).abs() < score * 0.001,
        "{text} × {factors} = {score}"
    );
    let summary = hit["breakdown"]["summary"].as_str().expect("a sentence");
    assert_eq!(tab.text("return text('.drawer .sentence')"), summary);
    tab.click("find('[data-leads=\"boosts.manufacturer\"] button')");
    tab.until(&format!("active() === {}", lever("boosts.manufacturer")));
    tab.press(Key::HOME);
    bench.settled();
    tab.until("!find('.drawer [data-leads=\"boosts.manufacturer\"]')");

    for at in 0..2 {
        bench.unfold(at);
        tab.click(&format!("all('[data-act=compare]')[{at}]"));
    }
    tab.until("text('.drawer h2') === 'Comparison' && text('.drawer').includes('stands at 1')");

    tab.click(&named("Where is my product?"));
    tab.until("find('.drawer [name=product]')");
    tab.js("find('.drawer [name=product]').focus()");
    tab.keys("TN-7");
    tab.press(Key::ENTER);
    let found = "all('.drawer ul .link').find((one) => one.textContent.startsWith('Tent 7 ·'))";
    tab.until(found);
    tab.click(found);
    tab.until("text('.drawer').includes('Place ')");
    tab.click("all('.drawer ul.plain .link').at(-1)");
    tab.until("text('.drawer').includes('is not a product of the store')");
    bench.desk.is_quiet("explained");
}

fn spanish(stage: &mut Stage) {
    let bench = Bench::of(stage, "Esp", Role::Editor);
    let off = json!({"name": "Winter", "language": "es", "type": "HIDE", "active": false, "trigger": {"query": "tent", "match": "contains"}, "actions": {"hide": ["2"]}});
    bench.call("POST", "/rules").json(&off).send().ok();
    bench.desk.speak("es");
    bench.open("tent+norte");
    let tab = bench.tab();
    tab.click("find('[data-act=why]')");
    tab.until("find('.drawer[open] .equation')");
    tab.check("text('.sentence').startsWith('«tent» está en el nombre')");
    tab.check("text('.sentence').includes('«norte» está en la marca')");
    tab.check("/, contado \\d+,\\d\\d veces por .*\\.$/.test(text('.sentence')) && !find('.sentence[lang]')");
    tab.click("find('[data-tab=rules]')");
    tab.until("text('.levers .record')?.includes('No aplicada: está desactivada')");
    bench.desk.open(&bench.path("/history"));
    tab.check("text('details.revision summary').startsWith('Regla «Winter» añadida')");
    bench.desk.is_quiet("in Spanish");

    bench.desk.open(&bench.path("/synonyms"));
    tab.click("all('main button').find((one) => one.textContent === 'Nuevo grupo de sinónimos')");
    tab.until("find('dialog[open] [name=terms]')");
    tab.js("find('dialog [name=terms]').value = 'carpa'");
    tab.click("find('dialog [type=submit]')");
    tab.until("find('dialog [data-field=terms] .wrong:not([hidden])')");
    let wrong = "find('dialog [data-field=terms] .wrong')";
    tab.check(&format!(
        "{wrong}.textContent.startsWith('debe tener al menos 2 términos')"
    ));
    tab.check(&format!(
        "{wrong}.textContent.endsWith('y tiene 1') && !{wrong}.lang"
    ));
}

fn watches(stage: &mut Stage) {
    let bench = Bench::of(stage, "Wat", Role::Editor);
    let queries: Vec<_> = (0..30)
        .map(|at| json!({"q": format!("tent {at}"), "lang": "es"}))
        .chain([json!({"q": "ostro", "lang": "es", "note": "brand"})])
        .collect();
    let body = json!({ "queries": queries });
    bench.call("PUT", "/watched").json(&body).send().ok();
    bench.open("tent");
    let tab = bench.tab();
    bench.press("boosts.manufacturer", Key::HOME);
    tab.until("text('.bench-foot').includes('1 loses its results')");
    tab.click(&named("Watched queries"));
    tab.until("find('.watch')");
    tab.check("all('.watch').length === 31 && find('.watch').dataset.query === 'ostro'");
    tab.check("text('.watch').includes('loses all results (saved: 10)')");
    tab.check("find('.watch small').textContent === 'Spanish'");
    tab.click("find('.watch .link')");
    tab.until(
        "find('[name=q]').value === 'ostro' && text('section.results').includes('finds no product')",
    );
    tab.check("all('.gone li').length === 10");
    tab.click("find('.gone summary')");
    tab.click("find('.gone .link')");
    tab.until("text('.drawer').includes('matches no word of the query')");
    tab.click(&named("Review 1 change"));
    tab.until("text('dialog:modal')?.includes('ostro: loses all results')");
    tab.click("find('dialog:modal .close')");

    tab.click(&named("Watched queries"));
    tab.until("find('.watch')");
    tab.click("find('.watch .between > .link')");
    tab.until("all('.watch').length === 30");
    tab.js("find('.drawer [name=watch]').value = ''; find('.drawer [name=watch]').focus()");
    tab.keys("stove");
    tab.press(Key::ENTER);
    tab.until("all('.watch').length === 31");
    let watched = bench.call("GET", "/watched").send().ok();
    let last = &watched.data()["queries"][30];
    assert_eq!(last["q"], "stove");
    assert_eq!(bench.revision(), 0);
    bench.desk.is_quiet("watched");
}
