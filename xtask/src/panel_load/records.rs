//! Very many records: 5,000 synonym groups, 1,000 rules, thousands of stores.

use super::catalogue::KINDS;
use super::owner::{Owner, OwnerResponse};
use super::timings::Timings;
use crate::failure::{Failure, Outcome};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

const LIST_MAX: Duration = Duration::from_millis(300);
const DRAFT_MAX: Duration = Duration::from_millis(150);
/// Nobody named a bound: less than people take for a standstill.
const CHECK_MAX: Duration = Duration::from_secs(5);
const CALLS: usize = 50;
/// As many as a language may have.
const SYNONYMS: usize = 5_000;
const RULES: usize = 1_000;
/// Records that a draft may have.
const DRAFT: usize = 500;

/// Lines of synonym groups, each number with groups of its own.
fn csv(from: usize, count: usize) -> String {
    (from..from + count).fold(String::new(), |mut csv, at| {
        let kind = KINDS[at % KINDS.len()];
        writeln!(csv, "{kind} mot{at}, syno{at}, autre{at}").expect("a string takes every text");
        csv
    })
}

/// Returns how long a list took.
///
/// Errors: when it has not `count` records.
fn listed(answer: &OwnerResponse, count: usize) -> Outcome<Duration> {
    let found = answer.data.as_array().map_or(0, Vec::len);
    match found == count {
        true => Ok(answer.took),
        false => Err(Failure::new(format!(
            "a list has {found} records, not {count}"
        ))),
    }
}

/// Lists, searches, tries and checks synonym groups.
///
/// # Errors
///
/// When a call fails, or a group is not found.
pub fn synonyms(owner: &Owner, store: &str, timings: &mut Timings<'_>) -> Outcome<()> {
    let path = format!("/stores/{store}/synonyms");
    // One more fits.
    let body = json!({"language": "fr", "csv": csv(0, SYNONYMS - 1)});
    owner.post(&format!("{path}/import"), &body)?;
    timings.measure("100 of 5,000 synonym groups", CALLS, LIST_MAX, |call| {
        let page = 1 + call % (SYNONYMS / 100 - 1);
        listed(&owner.get(&format!("{path}?limit=100&page={page}"))?, 100)
    })?;
    timings.measure("search in 5,000 synonym groups", CALLS, LIST_MAX, |call| {
        let number = 4_000 + call * 7;
        listed(&owner.get(&format!("{path}?limit=100&q=syno{number}"))?, 1)
    })?;
    let preview = format!("/stores/{store}/preview");
    timings.measure(
        "draft of one more synonym group",
        CALLS,
        DRAFT_MAX,
        |call| {
            let (kind, term) = (KINDS[call % KINDS.len()], format!("essai{call}"));
            let group = json!({"language": "fr", "terms": [kind, term]});
            let draft = json!({"synonyms": {"create": [group]}});
            let answer = owner.post(&preview, &json!({"q": term, "draft": draft}))?;
            match answer.data["total"].as_u64() {
                Some(1..) => Ok(answer.took),
                _ => Err(Failure::new("the synonym group of a draft finds nothing")),
            }
        },
    )?;
    timings.measure("check of 5,000 lines of CSV", 5, CHECK_MAX, |call| {
        let body = json!({"language": "fr", "csv": csv((call + 1) * SYNONYMS, SYNONYMS)});
        Ok(owner.post(&format!("{path}/check"), &body)?.took)
    })
}

/// Creates 1,000 rules by drafts, reads them as the page does, which filters by itself, and tries queries beside them.
///
/// # Errors
///
/// When a call fails, or the list is not complete.
pub fn rules(owner: &Owner, store: &str, timings: &mut Timings<'_>) -> Outcome<()> {
    let query = |at: usize| format!("{} mot{at}", KINDS[at % KINDS.len()]);
    let rule = |at: usize| {
        json!({"name": format!("Rule {at}"), "language": "fr", "type": "PIN",
            "trigger": {"query": query(at), "match": "contains"}, "actions": {"pin": [at.to_string()]}})
    };
    for first in (0..RULES).step_by(DRAFT) {
        let rules: Vec<Value> = (first..first + DRAFT).map(rule).collect();
        let body = json!({"draft": {"rules": {"create": rules}}});
        owner.post(&format!("/stores/{store}/changes"), &body)?;
    }
    timings.measure("all of 1,000 rules", CALLS, LIST_MAX, |_| {
        listed(&owner.get(&format!("/stores/{store}/rules"))?, RULES)
    })?;
    let preview = format!("/stores/{store}/preview");
    timings.measure("a query beside 1,000 rules", CALLS, DRAFT_MAX, |call| {
        let answer = owner.post(&preview, &json!({"q": query(call), "draft": {}}))?;
        let first = answer.data["order"][0][0].as_str();
        match first == Some(call.to_string().as_str()) {
            true => Ok(answer.took),
            false => Err(Failure::new("a rule does not pin its product")),
        }
    })
}

/// Creates stores until there are `count`, lists them, and finds one by three letters.
///
/// # Errors
///
/// When a call fails, or a store is not found.
pub fn stores(owner: &Owner, count: usize, timings: &mut Timings<'_>) -> Outcome<()> {
    let account = owner.account()?;
    let first = owner.get("/stores")?.meta["total"].as_u64().unwrap_or(0) as usize;
    for number in first..count {
        let body =
            json!({"name": format!("Shop {}", three_characters(number)), "languages": ["fr"]});
        owner.post(&format!("/accounts/{account}/stores"), &body)?;
    }
    timings.measure("50 of all stores", CALLS, LIST_MAX, |_| {
        listed(&owner.get("/stores?limit=50")?, 50)
    })?;
    timings.measure("stores by three letters", CALLS, LIST_MAX, |call| {
        let letters = three_characters(first + call * (count - first) / (CALLS + 1));
        let answer = owner.get(&format!("/stores?limit=8&q={letters}"))?;
        let names = answer.data.as_array().into_iter().flatten();
        let found = names.filter_map(|store| store["name"].as_str());
        match found.into_iter().any(|name| name.ends_with(&letters)) {
            true => Ok(answer.took),
            false => Err(Failure::new(format!("no store is found by {letters}"))),
        }
    })
}

/// Three letters that stand for a number.
fn three_characters(number: usize) -> String {
    let letters = [number / 676 % 26, number / 26 % 26, number % 26];
    letters
        .map(|at| char::from(b'a' + at as u8))
        .iter()
        .collect()
}
