//! Reports of rules in a simulation: which were applied, which were not, and why.

use domain::rule::{MatchKind, Rule, RuleType};
use domain::{RuleId, TriggerAlternative};
use engine::PinState;
use query::rules::{Effects, PinFate, RuleOutcome, Why};
use schemars::JsonSchema;
use serde::Serialize;

/// A rule whose trigger matches the query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleReport {
    /// Its id.
    pub id: RuleId,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: RuleType,
    /// The alternative by which its trigger matches; left out if it matches as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<TriggerAlternative>,
    /// Whether it affects the results.
    pub applied: bool,
    /// Why it is applied, or why not.
    pub reason: String,
}

/// Returns the reports of all rules of `effects`, in the order in which they apply; `pins` are the states of pins in
/// the index.
pub(crate) fn reports(effects: &Effects, pins: &[PinState]) -> Vec<RuleReport> {
    let reports = effects.outcomes.iter().map(|outcome| {
        let (applied, reason) = verdict(outcome, effects, pins);
        let Rule { id, content, .. } = outcome.rule.as_ref();
        RuleReport {
            id: id.clone(),
            name: content.name.to_string(),
            kind: content.kind,
            alternative: outcome.alternative,
            applied,
            reason,
        }
    });
    reports.collect()
}

fn verdict(outcome: &RuleOutcome, effects: &Effects, pins: &[PinState]) -> (bool, String) {
    match &outcome.why {
        Why::Inactive => (false, "it is inactive".to_owned()),
        Why::Scheduled(start) => (false, format!("its window begins at {start}")),
        Why::Expired(end) => (false, format!("its window ended at {end}")),
        Why::Beaten(by) => (false, format!("{} takes precedence", name(by, effects))),
        Why::Applied if outcome.rule.content.kind == RuleType::Pin => {
            pinned(outcome, effects, pins)
        }
        Why::Applied => (true, match_reason(outcome)),
    }
}

/// Returns the verdict for a rule that pins: it is applied if any of its products is shown.
fn pinned(outcome: &RuleOutcome, effects: &Effects, states: &[PinState]) -> (bool, String) {
    let rule = &outcome.rule;
    let mut states = states.iter();
    let (mut shown, mut left_out) = (0, Vec::new());
    for pin in &effects.pins {
        let state = match pin.fate {
            PinFate::Wanted => states.next(),
            _ => None,
        };
        if pin.rule != rule.id {
            continue;
        }
        let why = match (&pin.fate, state) {
            (PinFate::HiddenBy(by), _) => format!("is hidden by {}", name(by, effects)),
            (PinFate::PinnedBy(by), _) => format!("is pinned by {}", name(by, effects)),
            (PinFate::Wanted, Some(PinState::Shown)) => {
                shown += 1;
                continue;
            }
            (PinFate::Wanted, Some(PinState::Unknown) | None) => "is not a product".to_owned(),
            (PinFate::Wanted, Some(PinState::Unavailable)) => {
                "may not be shown to this shopper or is out of stock".to_owned()
            }
            (PinFate::Wanted, Some(PinState::Filtered)) => "does not pass the filters".to_owned(),
        };
        left_out.push(format!("\"{}\" {why}", pin.product));
    }
    let left_out = left_out.join(", ");
    match (shown, left_out.is_empty()) {
        (0, _) => (false, format!("none of its products is pinned: {left_out}")),
        (_, true) => (true, match_reason(outcome)),
        (_, false) => (
            true,
            format!("{}; left out: {left_out}", match_reason(outcome)),
        ),
    }
}

fn name(id: &RuleId, effects: &Effects) -> String {
    let mut rules = effects.outcomes.iter().map(|outcome| &outcome.rule);
    let rule = rules.find(|rule| rule.id == *id);
    rule.map_or_else(
        || "another rule".to_owned(),
        |rule| format!("the rule \"{}\"", rule.content.name),
    )
}

/// Returns how the query matches the trigger of a rule.
fn match_reason(outcome: &RuleOutcome) -> String {
    let trigger = &outcome.rule.content.trigger;
    let matches = match trigger.kind {
        MatchKind::Contains if trigger.query.trim().is_empty() => {
            "it applies to every query".to_owned()
        }
        MatchKind::Contains => format!("the query contains \"{}\"", trigger.query),
        MatchKind::Exact => format!("the query is \"{}\"", trigger.query),
        MatchKind::StartsWith => format!("the query starts with \"{}\"", trigger.query),
        MatchKind::Regex => format!("the query matches \"{}\"", trigger.query),
    };
    match outcome.alternative {
        None => matches,
        Some(alternative) => format!("{matches} in another writing ({})", alternative.as_str()),
    }
}
