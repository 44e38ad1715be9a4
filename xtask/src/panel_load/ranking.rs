//! What the workbench waits for: sliders and watched queries.

use super::catalogue::KINDS;
use super::owner::Owner;
use super::timings::Timings;
use crate::failure::{Failure, Outcome};
use serde_json::{Value, json};
use std::time::Duration;

const SLIDER_MAX: Duration = Duration::from_millis(100);
const WATCHED_MAX: Duration = Duration::from_secs(1);
/// Hits that are ranked.
const HITS: usize = 500;
const CALLS: usize = 100;
/// Previews that are compared with the simulator.
const COMPARED: usize = 5;
/// Watched queries, and how many one call takes.
const WATCHED: usize = 60;
const AT_ONCE: usize = 25;
const WATCHED_CALLS: usize = 20;

/// Moves sliders: two weights a call, other values in each; then compares some of them with the simulator, place by place.
/// Then moves the slider of sales, for which the static score of every product changes.
///
/// # Errors
///
/// When a call fails, or an order differs.
pub fn sliders(owner: &Owner, store: &str, timings: &mut Timings<'_>) -> Outcome<()> {
    let saved = owner.get(&format!("/stores/{store}/relevance"))?.data;
    let path = format!("/stores/{store}/preview");
    let body = |call: usize| {
        let draft = json!({"relevance": {"boosts": moved(&saved, call)}});
        json!({"q": KINDS[call % COMPARED], "limit": HITS, "draft": draft})
    };
    timings.measure("a slider moves, 500 hits", CALLS, SLIDER_MAX, |call| {
        Ok(owner.post(&path, &body(call))?.took)
    })?;
    (0..COMPARED).try_for_each(|call| {
        let body = body(call * 7);
        let preview = owner.post(&path, &body)?.data;
        compare(owner, store, &body, &preview)
    })?;
    let sales = |call: usize| {
        let settings = json!({"salesBoost": (call + 1) as f64 / 50.0});
        json!({"q": KINDS[call % COMPARED], "limit": HITS, "draft": {"relevance": {"searchSettings": settings}}})
    };
    timings.measure(
        "the slider of sales moves, 500 hits",
        CALLS,
        SLIDER_MAX,
        |call| Ok(owner.post(&path, &sales(call))?.took),
    )
}

/// The saved boosts with two others.
fn moved(saved: &Value, call: usize) -> Value {
    let mut boosts = saved["boosts"].clone();
    boosts["name"] = json!((call % 40) as f64 / 2.0);
    boosts["description"] = json!(((call * 7) % 40) as f64 / 2.0);
    boosts
}

fn compare(owner: &Owner, store: &str, body: &Value, preview: &Value) -> Outcome<()> {
    let boosts = &body["draft"]["relevance"]["boosts"];
    let test = json!({"q": body["q"], "limit": HITS, "applyRules": true, "boosts": boosts});
    let path = format!("/stores/{store}/relevance/test");
    let simulated = owner.post(&path, &test)?.data;
    let order = preview["order"].as_array().into_iter().flatten();
    let order: Vec<&Value> = order.map(|row| &row[0]).collect();
    let hits = simulated["hits"].as_array().into_iter().flatten();
    let hits: Vec<&Value> = hits.map(|hit| &hit["id"]).collect();
    if order == hits && !order.is_empty() {
        return Ok(());
    }
    let q = &body["q"];
    Err(Failure::new(format!(
        "{q}: the preview and the simulator differ"
    )))
}

/// Asks what a draft does to all watched queries, in as many calls as a page does it. The draft takes all results of one.
///
/// # Errors
///
/// When a call fails, or the query without results is not named.
pub fn watched(owner: &Owner, store: &str, timings: &mut Timings<'_>) -> Outcome<()> {
    let queries: Vec<Value> = (0..WATCHED)
        .map(|at| json!({"q": query(at), "lang": "fr"}))
        .collect();
    let body = json!({ "queries": queries });
    owner.call("PUT", &format!("/stores/{store}/watched"), &body)?;
    let saved = owner.get(&format!("/stores/{store}/relevance"))?.data;
    let path = format!("/stores/{store}/preview/watched");
    timings.measure("60 watched queries", WATCHED_CALLS, WATCHED_MAX, |call| {
        let q = query(call % KINDS.len());
        let nothing = json!({"language": "fr", "name": "Nothing", "type": "FILTER",
            "trigger": {"query": q, "match": "exact"},
            "actions": {"filter": {"manufacturer": ["None"]}}});
        let boosts = json!({"boosts": moved(&saved, call)});
        let draft = json!({"relevance": boosts, "rules": {"create": [nothing]}});
        let mut took = Duration::ZERO;
        let mut lost = Vec::new();
        for from in (0..WATCHED).step_by(AT_ONCE) {
            let count = AT_ONCE.min(WATCHED - from);
            let answer = owner.post(
                &path,
                &json!({"draft": draft, "from": from, "count": count}),
            )?;
            took += answer.took;
            let all = answer.data.as_array().cloned().unwrap_or_default();
            let gone = all.into_iter();
            let gone = gone.filter(|one| one["total"] == 0 && one["savedTotal"] != 0);
            lost.extend(gone.map(|one| one["q"].clone()));
        }
        match lost == [json!(q)] {
            true => Ok(took),
            false => Err(Failure::new(format!("{q}: lost are {lost:?}"))),
        }
    })
}

/// The watched query with this number: of one word, then of two.
fn query(number: usize) -> String {
    let kind = KINDS[number % KINDS.len()];
    match number / KINDS.len() {
        0 => kind.to_owned(),
        1 => format!("{kind} rouge"),
        _ => format!("{kind} mot{number}"),
    }
}
