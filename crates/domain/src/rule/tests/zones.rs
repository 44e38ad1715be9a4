//! 1. Dates without an offset are in the zone of the rule, skipped and repeated hours too; a change of the zone moves none.

use super::{RulePatch, new, rule};
use serde_json::{Value, json};

#[test]
fn dates_without_an_offset_are_in_the_zone_of_the_rule() {
    let window = |zone: &str, start: &str, end: &str| {
        let more = json!({"timeZone": zone, "startDate": start, "endDate": end});
        let content = new(rule("HIDE", json!({"hide": ["1"]}), more)).expect("valid");
        [content.start_date, content.end_date].map(|at| at.expect("a date").to_string())
    };
    let madrid = |start, end| window("Europe/Madrid", start, end);
    assert_eq!(
        madrid("2026-06-01", "2026-12-24"),
        ["2026-05-31T22:00:00Z", "2026-12-24T22:59:59.999Z"]
    );
    // The hour from 2 to 3 is skipped on 29 March and comes twice on 25 October.
    assert_eq!(
        madrid("2026-03-29T02:30:00", "2026-10-25T02:30:00"),
        ["2026-03-29T01:00:00Z", "2026-10-25T00:30:00Z"]
    );
    assert_eq!(
        madrid("2026-06-01T10:00:00Z", "2026-06-02T10:00:00+09:00"),
        ["2026-06-01T10:00:00Z", "2026-06-02T01:00:00Z"]
    );
    let zone = |name: &str| json!({"timeZone": name, "startDate": "2026-06-01"});
    for (name, near) in [
        ("Europe/Madird", "Europe/Madrid"),
        ("europe/madrid", "Europe/Madrid"),
    ] {
        let wrong = new(rule("HIDE", json!({"hide": ["1"]}), zone(name))).expect_err("unknown");
        assert_eq!(wrong[0].field, "timeZone");
        assert!(wrong[0].to_string().contains(near), "{}", wrong[0]);
    }
    let known = rule("HIDE", json!({"hide": ["1"]}), zone("Asia/Tokyo"));
    let content = new(known).expect("valid");
    let patch = |value: Value| {
        let patch: RulePatch = serde_json::from_value(value).expect("parses");
        patch.apply(&content).expect("valid")
    };
    let unset = patch(json!({"timeZone": null}));
    assert_eq!(
        (unset.time_zone, unset.start_date),
        (None, content.start_date)
    );
    let later = patch(json!({"startDate": "2026-07-01"})).start_date;
    assert_eq!(
        later.map(|at| at.to_string()).as_deref(),
        Some("2026-06-30T15:00:00Z")
    );
}
