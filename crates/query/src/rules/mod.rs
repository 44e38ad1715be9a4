//! Compiled query rules of one language: finds the rules that a query triggers without testing them one by one.
//!
//! [`Effects`] holds what they do together. The caller passes the current time, as there is no clock here.

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
pub use states::state_usage;

use crate::analysis::{Analyser, is_whole};
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
    /// In order of precedence.
    rules: Vec<Arc<Rule>>,
    exact: HashMap<String, Vec<usize>>,
    phrases: Phrases<PhraseRule>,
    patterns: Patterns,
    /// Number of patterns that were not compiled for lack of memory.
    left_out: usize,
    /// Instants at which some rule starts or stops being in effect.
    changes: Vec<Timestamp>,
}

/// A rule with a phrase as its trigger.
#[derive(Clone, Copy, Debug)]
struct PhraseRule {
    rule: usize,
    /// Whether the query must start with it.
    first: bool,
}

impl RuleSet {
    /// Compiles `rules`, given in any order.
    pub fn new(rules: impl IntoIterator<Item = Rule>, analyser: &Analyser) -> Self {
        Self::within(usize::MAX, rules, analyser)
    }

    /// Compiles `rules`. Regular expressions are compiled in order of precedence up to `bytes_max` bytes in all; the
    /// others match nothing.
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
        let mut changes = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let content = &rule.content;
            changes.extend(content.start_date);
            changes.extend(
                content
                    .end_date
                    .map(|end| Timestamp(end.0.saturating_add(1))),
            );
            let text = TriggerText::new(&content.trigger.query, analyser);
            match content.trigger.kind {
                MatchKind::Exact => {
                    for line in text.lines() {
                        exact.entry(line).or_default().push(at);
                    }
                }
                kind @ (MatchKind::Contains | MatchKind::StartsWith) => {
                    let first = kind == MatchKind::StartsWith;
                    for words in text.writings() {
                        let keys = words.iter().map(|word| word.key.as_str());
                        phrases.insert(keys, PhraseRule { rule: at, first });
                    }
                }
                MatchKind::Regex => patterns.push((at, content.trigger.query.as_str())),
            }
        }
        changes.sort_unstable();
        changes.dedup();
        let compiled = Patterns::new(&patterns, bytes_max);
        let left_out = patterns.len() - compiled.len();
        Self {
            patterns: compiled,
            left_out,
            rules,
            exact,
            phrases,
            changes,
        }
    }

    /// Size of the compiled regular expressions in bytes.
    pub fn pattern_bytes(&self) -> usize {
        self.patterns.bytes()
    }

    /// Number of regular expressions that match nothing, because memory did not suffice or because they are invalid.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The rules that `query` triggers, whether or not they are in effect, in order of precedence.
    pub fn triggered(&self, query: &str, analyser: &Analyser) -> Vec<&Arc<Rule>> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let query = TriggerText::new(query, analyser);
        let mut found: Vec<usize> = Vec::new();
        for line in query.lines() {
            found.extend(self.exact.get(&line).into_iter().flatten());
        }
        for words in query.writings().filter(|_| !self.phrases.is_empty()) {
            let keys = words.iter().map(|word| word.key.as_str());
            for at in self.phrases.occurrences(keys) {
                if !is_whole(words, &(at.start..at.start + at.words)) {
                    continue;
                }
                let matching = at.values.iter().filter(|p| !p.first || at.start == 0);
                found.extend(matching.map(|phrase| phrase.rule));
            }
        }
        found.extend(self.patterns.matches(query.text()));
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.rules[at]).collect()
    }

    /// The effects of the rules on `query` at `now`.
    pub fn effects(&self, query: &str, analyser: &Analyser, now: Timestamp) -> Effects {
        Effects::of(self.triggered(query, analyser), now)
    }

    /// Index of the period of time that contains `now`. Within a period no rule starts or stops being in effect.
    pub fn period(&self, now: Timestamp) -> usize {
        self.changes.partition_point(|change| *change <= now)
    }
}

#[cfg(test)]
mod tests;
