//! 1. Saving hundreds of rules with large regular expressions, from several connections, delays no search and no block
//!    of another store.
//! 2. A store has records in at most 64 languages.
//! 3. What a store may change per day is limited in bytes; beyond that it is 429 with the time to wait. A change is
//!    stored once, so that the disk grows by little more than what was sent.

use super::meter::{MIB, REQUEST_GROWTH_MAX};
use super::target::Target;
use serde_json::{Value, json};
use std::path::Path;

/// The maximum of languages in which a store may have records.
const LANGUAGES_MAX: usize = 64;
/// The bytes of changes that a store has per day, plus what one more save may have.
const CHANGES_MAX: u64 = 65 * MIB;

fn rule(name: &str) -> Value {
    let query = format!("(?:[a-f]{{1,12}} ?){{1,12}}{name}");
    json!({
        "name": name, "type": "HIDE", "actions": {"hide": ["1"]}, "trigger": {"query": query, "match": "regex"}
    })
}

#[test]
fn saving_rules_delays_no_other_store() {
    let target = Target::open();
    target.own("POST", "/rules").json(&rule("warm")).send().ok();
    let meter = target.meter();
    target.with_bystander(|| {
        std::thread::scope(|scope| {
            for saver in 0..4 {
                let target = &target;
                scope.spawn(move || {
                    for at in 0..40 {
                        let rule = rule(&format!("r{saver}x{at}"));
                        let reply = target.own("POST", "/rules").json(&rule).send();
                        assert!(matches!(reply.status, 201 | 503), "{reply:?}");
                    }
                });
            }
        });
        let all = target.own("GET", "/rules").send().ok();
        let saved = all.data().as_array().map_or(0, Vec::len);
        assert!(saved > 100, "{saved} rules are saved");
    });
    meter.assert_within(REQUEST_GROWTH_MAX * 2, "161 rules of regular expressions");
}

#[test]
fn a_store_has_records_in_at_most_64_languages() {
    let target = Target::open();
    let alphabet = || 'a'..='z';
    let codes =
        alphabet().flat_map(|first| alphabet().map(move |second| format!("{first}{second}")));
    let mut accepted = 0;
    let mut rejected = 0;
    for language in codes.take(LANGUAGES_MAX + 6) {
        let group = json!({"language": language, "terms": ["one", "two"]});
        let reply = target.own("POST", "/synonyms").json(&group).send();
        match reply.status {
            201 => accepted += 1,
            400..500 => rejected += 1,
            _ => panic!("{reply:?}"),
        }
    }
    assert!(accepted <= LANGUAGES_MAX, "records in {accepted} languages");
    assert!(
        accepted >= LANGUAGES_MAX - 1 && rejected > 0,
        "{accepted} languages"
    );
    let known = json!({"language": "aa", "terms": ["three", "four"]});
    target.own("POST", "/synonyms").json(&known).send().ok();
}

/// Nearly 1 MiB of translations, different for each `round`.
fn widget(round: usize) -> Value {
    let mut translations = json!({});
    for language in ["es", "en", "fr", "de", "it", "pt", "nl", "pl", "sv"] {
        for key in 0..100 {
            let text = format!("{round} {}", "x".repeat(985));
            translations[language][format!("key{key}")] = json!(text);
        }
    }
    json!({ "translations": translations })
}

/// Bytes of all files below `folder`.
fn bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes(&entry.path()),
        Ok(data) => data.len(),
        // A file that was deleted meanwhile counts 0.
        Err(_) => 0,
    };
    entries.filter_map(Result::ok).map(of).sum()
}

#[test]
fn changes_per_day_are_limited_and_stored_once() {
    let target = Target::open();
    let size = widget(0).to_string().len() as u64;
    let before = bytes(target.dir.path());
    let mut saves = 0;
    let last = target.with_bystander(|| {
        loop {
            let reply = target.own("PUT", "/widget").json(&widget(saves)).send();
            if reply.status != 200 || saves as u64 * size > CHANGES_MAX {
                break reply;
            }
            saves += 1;
            if saves == 15 {
                let grown = bytes(target.dir.path()).saturating_sub(before);
                let share = grown / (15 * size / 10);
                // Each change stores the state before and after once, and once more what it replaced, to restore it; the
                // log of the latest writes comes on top.
                assert!(share <= 48, "{share} tenths of what was sent are on disk");
            }
        }
    });
    assert!(saves >= 15, "{saves} saves: {:.300}", last.text);
    assert_eq!(last.status, 429, "after {saves} saves of {size} bytes");
    assert_ne!(last.header("retry-after"), "", "{last:?}");
    let path = format!("/stores/{}/widget", target.bystander.store);
    let call = target.api("PUT", &path, &target.bystander.write_key);
    call.json(&json!({"colors": {"primary": "#1a6b5c"}}))
        .send()
        .ok();
}
