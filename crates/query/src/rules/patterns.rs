//! The regular expressions of rules as one automaton, which remembers states that it has reached, within bounds.
//!
//! The automaton is a lazy deterministic one: it makes its states of the texts that it reads (Aho, Sethi, Ullman,
//! Compilers, section 3.7, "lazy transition evaluation"). Each thread that matches needs states of its own, so they are
//! lent from one memory of the whole process.

use super::states::{MEMORY, next_number};
use super::trigger_text;
use domain::limits::TRIGGER_REGEX_BYTES_MAX;
use regex_automata::meta::{BuildError, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, PatternSet};
use std::sync::Arc;

/// Bytes of the states of one thread. With less than its patterns need for a start the automaton would follow every one
/// of them through every text.
const STATES_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Patterns, each with the place of its rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(Option<Arc<Automaton>>);

#[derive(Debug)]
struct Automaton {
    regex: Regex,
    /// The rule of every pattern.
    rules: Vec<usize>,
    /// Under which its states are remembered.
    number: u64,
}

impl Patterns {
    /// The automaton of `patterns`: of the first ones that together take at most `bytes_max` bytes. They were compiled
    /// one by one when they were saved; what is no pattern all the same matches nothing.
    pub fn new(patterns: &[(usize, &str)], bytes_max: usize) -> Self {
        let bare = patterns.iter().copied();
        let bare = bare.map(|(rule, pattern)| (rule, trigger_text::without_accents(pattern)));
        let mut wanted: Vec<(usize, String)> = bare.collect();
        let mut are_readable = false;
        while !wanted.is_empty() {
            let texts: Vec<&str> = wanted.iter().map(|(_, text)| text.as_str()).collect();
            match automaton(&texts, bytes_max) {
                Ok(regex) if regex.memory_usage() <= bytes_max => {
                    return Self(Some(Arc::new(Automaton {
                        regex,
                        rules: wanted.iter().map(|(rule, _)| *rule).collect(),
                        number: next_number(),
                    })));
                }
                Err(error) if !are_readable && error.size_limit().is_none() => {
                    wanted = readable(patterns, &wanted);
                    are_readable = true;
                }
                _ => wanted.truncate(wanted.len() * 3 / 4),
            }
        }
        Self::default()
    }

    /// The rules whose pattern matches a part of `text`.
    pub fn matches(&self, text: &str) -> Vec<usize> {
        let Some(automaton) = &self.0 else {
            return Vec::new();
        };
        let Automaton {
            regex,
            rules,
            number,
        } = &**automaton;
        let mut states = (MEMORY.take(*number)).unwrap_or_else(|| Box::new(regex.create_cache()));
        let mut matching = PatternSet::new(regex.pattern_len());
        regex.which_overlapping_matches_with(&mut states, &Input::new(text), &mut matching);
        MEMORY.put(*number, states);
        matching.iter().map(|at| rules[at.as_usize()]).collect()
    }

    /// Number of patterns that are compiled.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |automaton| automaton.rules.len())
    }

    /// Bytes of the automaton without the states that it remembers.
    pub fn bytes(&self) -> usize {
        let automaton = self.0.as_ref();
        automaton.map_or(0, |automaton| automaton.regex.memory_usage())
    }
}

impl Drop for Automaton {
    fn drop(&mut self) {
        MEMORY.remove(self.number);
    }
}

/// The patterns as they are in `bare`, without accents; as they were saved where one is none without them, such as a
/// range of letters that then runs backwards.
fn readable(patterns: &[(usize, &str)], bare: &[(usize, String)]) -> Vec<(usize, String)> {
    let both = patterns.iter().zip(bare);
    let good = both.filter_map(|((rule, own), (_, bare))| {
        let mut known = [bare.as_str(), own].into_iter();
        let good = known.find(|text| automaton(&[text], usize::MAX).is_ok());
        Some((*rule, good?.to_owned()))
    });
    good.collect()
}

fn automaton(patterns: &[&str], bytes_max: usize) -> Result<Regex, Box<BuildError>> {
    let own = TRIGGER_REGEX_BYTES_MAX * patterns.len().max(1);
    let bounds = Regex::config()
        .match_kind(MatchKind::All)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(own.min(bytes_max)))
        .hybrid_cache_capacity(STATES_BYTES_MAX);
    Regex::builder()
        .configure(bounds)
        .syntax(syntax::Config::new().case_insensitive(true))
        .build_many(patterns)
        .map_err(Box::new)
}

/// Bytes that one pattern takes when it is compiled, about; 0 for what is no pattern.
pub fn pattern_bytes(pattern: &str) -> usize {
    Patterns::new(&[(0, pattern)], usize::MAX).bytes()
}
