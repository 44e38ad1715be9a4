//! Reports of rules in a simulation: which were applied, which were not, and why.

use crate::message::verdict;
use domain::message::{MessageValue, list};
use domain::rule::{MatchKind, Rule, RuleType};
use domain::{Message, RuleId, Translatable, TriggerAlternative};
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
    /// Key and values of the reason.
    pub translatable: Box<Translatable>,
}

/// Returns the reports of all rules of `effects`, in the order in which they apply; `pins` are the states of pins in
/// the index.
pub(crate) fn reports(effects: &Effects, pins: &[PinState]) -> Vec<RuleReport> {
    let reports = effects.outcomes.iter().map(|outcome| {
        let (applied, reason) = reason(outcome, effects, pins);
        let Rule { id, content, .. } = outcome.rule.as_ref();
        RuleReport {
            id: id.clone(),
            name: content.name.to_string(),
            kind: content.kind,
            alternative: outcome.alternative,
            applied,
            reason: reason.text,
            translatable: reason.translatable,
        }
    });
    reports.collect()
}

fn reason(outcome: &RuleOutcome, effects: &Effects, pins: &[PinState]) -> (bool, Message) {
    match &outcome.why {
        Why::Inactive => (false, verdict::inactive()),
        Why::Scheduled(start) => (false, verdict::begins(MessageValue::of(start))),
        Why::Expired(end) => (false, verdict::ended(MessageValue::of(end))),
        Why::Beaten(by) => (false, verdict::beaten(name(by, effects))),
        Why::Applied if outcome.rule.content.kind == RuleType::Pin => {
            pinned(outcome, effects, pins)
        }
        Why::Applied => (true, match_reason(outcome)),
    }
}

/// Returns the verdict for a rule that pins: it is applied if any of its products is shown.
fn pinned(outcome: &RuleOutcome, effects: &Effects, states: &[PinState]) -> (bool, Message) {
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
        let product = pin.product.as_str();
        left_out.push(match (&pin.fate, state) {
            (PinFate::HiddenBy(by), _) => verdict::pin_hidden(product, name(by, effects)),
            (PinFate::PinnedBy(by), _) => verdict::pin_pinned(product, name(by, effects)),
            (PinFate::Wanted, Some(PinState::Shown)) => {
                shown += 1;
                continue;
            }
            (PinFate::Wanted, Some(PinState::Unknown) | None) => verdict::pin_unknown(product),
            (PinFate::Wanted, Some(PinState::Unavailable)) => verdict::pin_unavailable(product),
            (PinFate::Wanted, Some(PinState::Filtered)) => verdict::pin_filtered(product),
        });
    }
    match (shown, left_out.is_empty()) {
        (0, _) => (false, verdict::none_pinned(list(left_out))),
        (_, true) => (true, match_reason(outcome)),
        (_, false) => (
            true,
            verdict::some_pinned(match_reason(outcome), list(left_out)),
        ),
    }
}

fn name(id: &RuleId, effects: &Effects) -> Message {
    let mut rules = effects.outcomes.iter().map(|outcome| &outcome.rule);
    let rule = rules.find(|rule| rule.id == *id);
    rule.map_or_else(verdict::another_rule, |rule| {
        verdict::the_rule(rule.content.name.as_str())
    })
}

/// Returns how the query matches the trigger of a rule.
fn match_reason(outcome: &RuleOutcome) -> Message {
    let trigger = &outcome.rule.content.trigger;
    let matches = match trigger.kind {
        MatchKind::Contains if trigger.query.trim().is_empty() => verdict::every_query(),
        MatchKind::Contains => verdict::contains(&trigger.query),
        MatchKind::Exact => verdict::exact(&trigger.query),
        MatchKind::StartsWith => verdict::starts_with(&trigger.query),
        MatchKind::Regex => verdict::matches(&trigger.query),
    };
    match outcome.alternative {
        None => matches,
        Some(alternative) => verdict::in_another_writing(matches, alternative.as_str()),
    }
}
