//! Rules: every input becomes a rule or is rejected with the invalid fields; rules compile and are applied to a query.
//!
//! The first byte selects the language. The first line is the query, each further one the body of a rule. A line that
//! is not a JSON object becomes a trigger, with the match that its line number selects.

#![no_main]

use domain::limits::QUERY_CHARACTERS_MAX;
use domain::rule::{Rule, RuleContent, RulePatch};
use domain::{Language, RuleId, Timestamp};
use libfuzzer_sys::fuzz_target;
use query::{Analyser, MistypedWords, RuleSet};
use serde_json::{Value, json};
use server::fuzzing;
use std::sync::LazyLock;

static ANALYSERS: LazyLock<Vec<Analyser>> = LazyLock::new(|| {
    ["es", "de", "en", "zh", "ja", "ar"]
        .map(|code| Analyser::new(&Language::parse(code).expect("a language")))
        .into()
});

/// Maximum rules of one input; more would only be slow.
const RULES_MAX: usize = 8;

fuzz_target!(|input: &[u8]| {
    let Some((choice, text)) = input.split_first() else {
        return;
    };
    let analyser = &ANALYSERS[usize::from(*choice) % ANALYSERS.len()];
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let query: String = lines
        .next()
        .unwrap_or_default()
        .chars()
        .take(QUERY_CHARACTERS_MAX)
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
    // Only an index knows which words are mistyped.
    let mistyped = MistypedWords::default();
    let triggered = set.triggered(&query, analyser, &mistyped).len();
    assert!(triggered <= contents.len(), "every rule once");
    for now in [0, 1_700_000_000_000, i64::MAX / 2] {
        let effects = set.effects(&query, analyser, &mistyped, Timestamp(now));
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

/// Parses and validates the rule of a line like a request; returns `None` if it is rejected.
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
            // A rule that is sent back as a change changes nothing.
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
