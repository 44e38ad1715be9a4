//! Rules: whatever is sent becomes a rule or is refused with its fields; rules compile and meet a question.
//!
//! The first byte picks the language. The first line is the question, each further one the body of a rule. What is no
//! body becomes a trigger, with the match that the number of its line picks.

#![no_main]

use domain::limits::QUERY_LETTERS_MAX;
use domain::rule::{Rule, RuleContent, RulePatch};
use domain::{Language, RuleId, Timestamp};
use libfuzzer_sys::fuzz_target;
use query::{Analyser, RuleSet};
use serde_json::{Value, json};
use server::fuzzing;
use std::sync::LazyLock;

static ANALYSERS: LazyLock<Vec<Analyser>> = LazyLock::new(|| {
    ["es", "de", "en", "zh", "ja", "ar"]
        .map(|code| Analyser::new(&Language::parse(code).expect("a language")))
        .into()
});

/// Rules of one input; more of them only make it slow.
const RULES_MAX: usize = 8;

fuzz_target!(|input: &[u8]| {
    let Some((choice, text)) = input.split_first() else {
        return;
    };
    let analyser = &ANALYSERS[usize::from(*choice) % ANALYSERS.len()];
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let question: String = lines
        .next()
        .unwrap_or_default()
        .chars()
        .take(QUERY_LETTERS_MAX)
        .collect();
    let contents = lines.take(RULES_MAX).enumerate();
    let contents: Vec<RuleContent> = contents
        .filter_map(|(at, line)| content(at, line))
        .collect();
    let rules = contents.iter().enumerate().map(|(at, content)| Rule {
        id: RuleId::from(at.to_string()),
        content: content.clone(),
        created_at: Timestamp(at as i64),
        updated_at: Timestamp(at as i64),
    });
    let set = RuleSet::new(rules, analyser);
    let triggered = set.triggered(&question, analyser).len();
    assert!(triggered <= contents.len(), "every rule once");
    for now in [0, 1_700_000_000_000, i64::MAX / 2] {
        let effects = set.effects(&question, analyser, Timestamp(now));
        assert_eq!(
            effects.outcomes.len(),
            triggered,
            "every rule has its reason"
        );
        let pins: Vec<&String> = effects.wanted_pins().map(|pin| &pin.product).collect();
        assert!(
            (1..pins.len()).all(|at| !pins[..at].contains(&pins[at])),
            "pinned once"
        );
    }
});

/// The rule that a line writes, sent through the steps of a request; none when it is refused.
fn content(at: usize, line: &str) -> Option<RuleContent> {
    let body = match serde_json::from_str::<Value>(line) {
        Ok(body @ Value::Object(_)) => body,
        _ => {
            let kind = ["exact", "contains", "starts_with", "regex"][at % 4];
            let trigger = json!({"query": line, "match": kind});
            json!({"name": "n", "type": "HIDE", "trigger": trigger, "actions": {"hide": ["1"]}})
        }
    };
    let body = body.to_string();
    match fuzzing::rule(body.as_bytes()) {
        Ok(content) => {
            // What was read can be sent back, and changes nothing.
            let same = serde_json::to_value(&content).expect("a rule has a JSON form");
            let patch: RulePatch =
                serde_json::from_value(same).expect("its keys are those of a change");
            assert_eq!(patch.apply(&content).as_ref(), Ok(&content));
            Some(content)
        }
        Err((message, errors)) => {
            let first = errors.first().expect("what is wrong");
            assert!(
                !first.reason.is_empty() && message.starts_with(&first.to_string()),
                "{message}"
            );
            None
        }
    }
}
