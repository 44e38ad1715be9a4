//! The password that is asked for in place, on a server whose clock the case moves.
//!
//! 1. More than ten minutes after the password was given, what needs it asks for it in a dialog: a wrong one is named
//!    there, the right one carries out the action.
//! 2. Former custom code is compared and restored the same way: whoever closes the dialog restores nothing; the restore
//!    goes on after the password.
//! 3. Where somebody else has saved meanwhile, that is said, and nothing is restored.

use super::super::{PASSWORD, insert};
use super::{Bench, colleague, named, theirs};
use crate::Case;
use crate::harness::{Shop, TestClock};
use crate::stage::Stage;
use crate::tab::Key;
use domain::{Role, Timestamp};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub const CASES: &[Case] = &[("panel::workbench_password", password)];

/// Longer than a password is remembered.
const LATER_MS: i64 = 11 * 60_000;
const ASKED: &str =
    "find('dialog:modal [type=password]') && active() === find('dialog:modal [type=password]')";

fn password(stage: &mut Stage) {
    let now = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let own = Shop::open_at(TestClock::fixed(now));
    let shared = std::mem::replace(&mut stage.shop, own);
    let outcome = catch_unwind(AssertUnwindSafe(|| steps(stage)));
    // The next cases have the server of all.
    stage.shop = shared;
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

fn steps(stage: &Stage) {
    let bench = Bench::of(stage, "Pia", Role::Owner);
    let weights = json!({"boosts": {"name": 7}});
    bench.call("PUT", "/relevance").json(&weights).send().ok();
    let code = json!({"customJS": "window.shop = 1"});
    bench.call("PUT", "/widget/custom").json(&code).send().ok();
    let former = bench.revision() - 1;
    stage.shop.clock.advance_ms(LATER_MS);
    let late = bench.call("PUT", "/widget/custom").json(&code).send();
    late.error(403, "password_needed");
    creates_key(&bench);
    stage.shop.clock.advance_ms(LATER_MS);
    restores(&bench, former);
    bench.desk.is_quiet("password");
}

/// Types a password into the dialog.
fn give(bench: &Bench<'_>, password: &str) {
    let tab = bench.tab();
    tab.until(ASKED);
    tab.js("find('dialog:modal [type=password]').select()");
    insert(tab, password);
    tab.press(Key::ENTER);
}

fn creates_key(bench: &Bench<'_>) {
    bench.desk.open(&bench.path("/keys"));
    let tab = bench.tab();
    // The second one is in a form that is closed.
    tab.click("all('button').find((one) => one.textContent === 'Create key')");
    give(bench, "some other password");
    tab.until("find('dialog:modal [data-field=password] .wrong:not([hidden])')");
    tab.check("text('dialog:modal [data-field=password] .wrong') === 'is not right'");
    tab.check("!find('dialog pre')");
    give(bench, PASSWORD);
    tab.until("find('dialog:modal pre') && !find('dialog [type=password]')");
    tab.click("find('dialog:modal .close')");
    tab.until("!find('dialog') && text('tbody').includes('…')");
    bench.desk.is_quiet("a key");
}

/// The custom code as a browser that gave the password just now reads it.
fn custom(bench: &Bench<'_>) -> Value {
    let path = bench.path("/widget/custom");
    let script = format!(
        "window.read = undefined; fetch('/panel/api{path}').then((response) => response.json()).then(({{ data }}) => {{ window.read = data.customJS ?? null; }})"
    );
    bench.tab().js(&script);
    bench.tab().until("window.read !== undefined");
    bench.tab().js("return window.read")
}

fn restores(bench: &Bench<'_>, former: i64) {
    let tab = bench.tab();
    let open = || {
        let path = format!("/workbench?restore={former}");
        bench.desk.open(&bench.path(&path));
        tab.until("find('.side [data-part=custom] input')");
    };
    let restore = named("Restore 1 part");
    open();
    tab.click("find('[data-part=custom] input')");
    tab.until(ASKED);
    tab.press(Key::ESCAPE);
    tab.until("find('[data-part=custom] .wrong') && !find('dialog [type=password]')");
    tab.check("!find('[data-part=custom] input').checked && find('.side .strong').disabled");
    tab.click("find('[data-part=custom] input')");
    give(bench, "some other password");
    tab.until("find('dialog:modal .wrong:not([hidden])')");
    give(bench, PASSWORD);
    tab.until("text('[data-part=custom]').includes('1 change') && !find('.side .strong').disabled");
    assert_eq!(custom(bench), "window.shop = 1");

    bench.desk.stage.shop.clock.advance_ms(LATER_MS);
    tab.click(&restore);
    give(bench, PASSWORD);
    tab.until("text('.side .done')?.includes('is restored')");
    assert_eq!(custom(bench), Value::Null);

    conflicts(bench, former + 1);
}

/// Restores the code again while a colleague saves something else.
fn conflicts(bench: &Bench<'_>, former: i64) {
    let tab = bench.tab();
    let ben = colleague(bench.desk.stage, "Bert");
    bench
        .desk
        .open(&bench.path(&format!("/workbench?restore={former}")));
    tab.until("find('.side [data-part=custom] input')");
    let save = |weight: u32| {
        let body = json!({"boosts": {"name": weight}});
        theirs(bench, &ben, "PUT", "/relevance", &body);
    };
    save(9);
    tab.click("find('[data-part=custom] input')");
    tab.until("text('[data-part=custom] .wrong')?.startsWith('Somebody else has saved')");
    tab.check("!find('[data-part=custom] input').checked");
    bench
        .desk
        .open(&bench.path(&format!("/workbench?restore={former}")));
    tab.until("find('.side [data-part=custom] input')");
    tab.click("find('[data-part=relevance] input')");
    tab.click("find('[data-part=custom] input')");
    tab.until("text('[data-part=custom]').includes('1 change')");
    save(8);
    tab.click(&named("Restore 1 part"));
    tab.until("text('.notice').startsWith('Somebody else has saved')");
    assert_eq!(custom(bench), Value::Null);
}
