//! Names that are markup.
//!
//! 1. Every page shows them as text: no element of theirs exists, nothing runs, no policy is violated.

use super::{Desk, held_store, joined};
use crate::Case;
use crate::stage::Stage;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[("panel::hostile_names", names)];

const IMAGE: &str = "<img src=x onerror=alert(1)>";
const SCRIPT: &str = "\"><script>alert(1)</script>";

fn names(stage: &mut Stage) {
    joined(stage, SCRIPT, Role::Editor);
    let store = held_store(stage, IMAGE);
    let desk = Desk::of(stage, IMAGE, Role::Owner);
    let of_store = |rest: &str| format!("/stores/{store}{rest}");
    let synonym = json!({"language": "es", "type": "synonyms", "terms": [IMAGE, SCRIPT]});
    desk.call("POST", &of_store("/synonyms"))
        .json(&synonym)
        .send();
    let body = json!({"name": SCRIPT, "devUrl": "https://dev.example/<b>"});
    let renamed = desk.call("PUT", &of_store("")).json(&body).send();
    assert!(matches!(renamed.status, 200 | 400), "{renamed:?}");
    desk.call("PUT", &of_store(""))
        .json(&json!({"name": IMAGE}))
        .send()
        .ok();
    let rule = json!({"name": IMAGE, "language": "es", "type": "PIN", "actions": {"pin": [SCRIPT]},
        "trigger": {"query": SCRIPT, "match": "contains"}});
    desk.call("POST", &of_store("/rules"))
        .json(&rule)
        .send()
        .ok();
    let filter = json!({"field": "price", "label": {"es": IMAGE}});
    desk.call("POST", &of_store("/filters"))
        .json(&filter)
        .send()
        .ok();
    let hidden = json!({"queries": [IMAGE, SCRIPT]});
    desk.call("PUT", &of_store("/hidden-queries"))
        .json(&hidden)
        .send()
        .ok();
    let code = json!({"customCSS": "</textarea><script>alert(1)</script>", "customJS": IMAGE});
    desk.call("PUT", &of_store("/widget/custom"))
        .json(&code)
        .send()
        .ok();
    let key = json!({"preset": "ai-agent", "name": SCRIPT});
    desk.call("POST", &of_store("/keys")).json(&key).send().ok();
    let tab = desk.tab();
    for path in [
        "?all=1".to_owned(),
        "/me".to_owned(),
        of_store(""),
        of_store("/workbench"),
        of_store("/searches"),
        of_store("/runs"),
        of_store("/history"),
        of_store("/audit"),
        of_store("/keys"),
        of_store("/settings"),
        of_store("/synonyms"),
        of_store("/rules"),
        of_store("/filters"),
        of_store("/widget"),
        desk.of_account("/members"),
        desk.of_account("/keys"),
        desk.of_account("/audit?text=%3Cimg"),
    ] {
        desk.open(&path);
        tab.js("for (const one of all('details')) one.open = true");
        tab.until("all('details.revision').every((one) => one.children.length > 1)");
        tab.check("document.body.textContent.includes('<img src=x onerror')");
        tab.check("!find('img') && !find('body script:not([src])') && !find('[onerror]')");
        desk.is_quiet(&path);
    }
}
