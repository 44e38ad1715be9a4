//! Query rules of one language, compiled: which of them a question triggers, found without asking one after the other.
//!
//! What they do then, together, says [`Effects`]; when, is told by the caller, for there is no clock here.

mod effects;
mod multipliers;
mod patterns;
mod states;
mod trigger_text;

pub use effects::{
    BoostRule, Effects, PinFate, PlanRules, RuleBanner, RuleOutcome, RulePin, RuleRedirect, Why,
};
pub use multipliers::{entry_of_value, product, used};
pub use patterns::pattern_bytes;
pub use states::{StateUsage, state_usage};

use crate::analysis::Analyser;
use crate::phrases::Phrases;
use domain::Timestamp;
use domain::rule::{MatchKind, Rule};
use patterns::Patterns;
use std::collections::HashMap;
use std::sync::Arc;
use trigger_text::TriggerText;

/// The rules of one language.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// In the order in which they apply.
    rules: Vec<Arc<Rule>>,
    exact: HashMap<String, Vec<usize>>,
    phrases: Phrases<PhraseRule>,
    patterns: Patterns,
    /// Patterns for which there was no room.
    left_out: usize,
    /// Instants from which on some rule is in effect or is not any more.
    turns: Vec<Timestamp>,
}

/// A rule that looks for a phrase.
#[derive(Clone, Copy, Debug)]
struct PhraseRule {
    rule: usize,
    /// Whether the question must start with it.
    first: bool,
}

impl RuleSet {
    /// The set of `rules`, in whatever order they come.
    pub fn new(rules: impl IntoIterator<Item = Rule>, analyser: &Analyser) -> Self {
        Self::within(usize::MAX, rules, analyser)
    }

    /// The set of `rules`, of whose regular expressions the first in order are compiled to at most `bytes_max` bytes;
    /// the others match nothing.
    pub fn within(
        bytes_max: usize,
        rules: impl IntoIterator<Item = Rule>,
        analyser: &Analyser,
    ) -> Self {
        let mut rules: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        rules.sort_by(|a, b| {
            let higher = b.content.priority.cmp(&a.content.priority);
            let older = a.created_at.cmp(&b.created_at);
            higher.then(older).then_with(|| a.id.cmp(&b.id))
        });
        let mut exact: HashMap<String, Vec<usize>> = HashMap::new();
        let mut phrases = Phrases::default();
        let mut patterns = Vec::new();
        let mut turns = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let content = &rule.content;
            turns.extend(content.start_date);
            turns.extend(
                content
                    .end_date
                    .map(|end| Timestamp(end.0.saturating_add(1))),
            );
            let text = TriggerText::new(&content.trigger.query);
            match content.trigger.kind {
                MatchKind::Exact => exact.entry(text.into_text()).or_default().push(at),
                kind @ (MatchKind::Contains | MatchKind::StartsWith) => {
                    let first = kind == MatchKind::StartsWith;
                    phrases.insert(text.units(analyser), PhraseRule { rule: at, first });
                }
                MatchKind::Regex => patterns.push((at, content.trigger.query.as_str())),
            }
        }
        turns.sort_unstable();
        turns.dedup();
        let compiled = Patterns::new(&patterns, bytes_max);
        let left_out = patterns.len() - compiled.len();
        Self {
            patterns: compiled,
            left_out,
            rules,
            exact,
            phrases,
            turns,
        }
    }

    /// Bytes of the compiled regular expressions.
    pub fn pattern_bytes(&self) -> usize {
        self.patterns.bytes()
    }

    /// Regular expressions that match nothing, because there was no room for them, or because they are none.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The rules whose trigger `question` meets, whether or not they are in effect, in the order in which they apply.
    pub fn triggered(&self, question: &str, analyser: &Analyser) -> Vec<&Arc<Rule>> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let question = TriggerText::new(question);
        let mut found: Vec<usize> = Vec::new();
        found.extend(self.exact.get(question.text()).into_iter().flatten());
        if !self.phrases.is_empty() {
            for at in self.phrases.occurrences(question.units(analyser)) {
                let placed = at.meanings.iter().filter(|p| !p.first || at.start == 0);
                found.extend(placed.map(|phrase| phrase.rule));
            }
        }
        found.extend(self.patterns.matches(question.text()));
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.rules[at]).collect()
    }

    /// What the rules do to `question` at `now`.
    pub fn effects(&self, question: &str, analyser: &Analyser, now: Timestamp) -> Effects {
        Effects::of(self.triggered(question, analyser), now)
    }

    /// Number of the stretch of time in which `now` lies. Within one, every rule stays in effect, or out of it.
    pub fn stretch(&self, now: Timestamp) -> usize {
        self.turns.partition_point(|turn| *turn <= now)
    }
}

#[cfg(test)]
mod tests;
