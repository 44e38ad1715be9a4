//! `Matcher`: which of many regular expressions match somewhere in a text.
//!
//! Only the forward automaton is built, because where a pattern matches is of no interest: that halves its bytes and the
//! time to build it. A lazy DFA builds its states while it reads texts (Aho, Sethi, Ullman, "Compilers", section 3.7, lazy
//! transition evaluation). What it cannot read, such as word boundaries beside letters that are not ASCII, is read by a
//! simulation of the same NFA.

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{BuildError, Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, PatternSet};

/// Bytes of the states of one thread. With less than its start states need, the automaton falls back to simulating every
/// pattern on every text.
const STATES_BYTES_MAX: usize = 16 * 1024 * 1024;
/// How often a text may fill the states before the DFA is taken to be slower than a simulation.
const FILLED_MAX: usize = 3;
/// Bytes that the DFA has to read for each new state to be faster than a simulation.
const STATE_BYTES_MIN: usize = 10;

/// Regular expressions, compiled together, without regard to case.
#[derive(Debug)]
pub(super) struct Matcher {
    dfa: Option<DFA>,
    simulation: PikeVM,
}

/// The states that one thread needs to match.
#[derive(Debug)]
pub(super) struct MatcherStates {
    dfa: Option<dfa::Cache>,
    /// Made when it is first needed, because few patterns ever need it.
    simulation: Option<pikevm::Cache>,
}

impl Matcher {
    /// Compiles `patterns`.
    ///
    /// Errors: if one is invalid, or all together take more than `bytes_max` bytes.
    pub fn new(patterns: &[&str], bytes_max: usize) -> Result<Self, Box<BuildError>> {
        let bounds = Config::new()
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(bytes_max));
        let nfa = Compiler::new()
            .configure(bounds)
            .syntax(syntax::Config::new().case_insensitive(true))
            .build_many(patterns)
            .map_err(Box::new)?;
        let all = PikeVM::config().match_kind(MatchKind::All);
        Ok(Self {
            dfa: lazy(&nfa),
            simulation: (PikeVM::builder().configure(all).build_from_nfa(nfa)).map_err(Box::new)?,
        })
    }

    /// Returns states for one thread.
    pub fn states(&self) -> MatcherStates {
        MatcherStates {
            dfa: self.dfa.as_ref().map(DFA::create_cache),
            simulation: None,
        }
    }

    /// Returns the positions of the patterns that match somewhere in `text`.
    pub fn matches(&self, states: &mut MatcherStates, text: &str) -> PatternSet {
        let input = Input::new(text);
        let mut matching = PatternSet::new(self.simulation.pattern_len());
        let read = match (&self.dfa, &mut states.dfa) {
            (Some(dfa), Some(states)) => dfa
                .try_which_overlapping_matches(states, &input, &mut matching)
                .is_ok(),
            _ => false,
        };
        if !read {
            let simulation = &self.simulation;
            let states = (states.simulation).get_or_insert_with(|| simulation.create_cache());
            simulation.which_overlapping_matches(states, &input, &mut matching);
        }
        matching
    }

    /// Bytes of the automaton without states.
    pub fn bytes(&self) -> usize {
        self.simulation.get_nfa().memory_usage()
    }
}

impl MatcherStates {
    /// Their bytes.
    pub fn bytes(&self) -> usize {
        let dfa = self.dfa.as_ref().map_or(0, dfa::Cache::memory_usage);
        let simulation = self.simulation.as_ref();
        size_of::<Self>() + dfa + simulation.map_or(0, pikevm::Cache::memory_usage)
    }
}

/// Returns the lazy DFA of `nfa`; none if even its first states do not fit.
fn lazy(nfa: &NFA) -> Option<DFA> {
    let bounds = DFA::config()
        .match_kind(MatchKind::All)
        .unicode_word_boundary(true)
        .cache_capacity(STATES_BYTES_MAX)
        .minimum_cache_clear_count(Some(FILLED_MAX))
        .minimum_bytes_per_state(Some(STATE_BYTES_MIN));
    let mut builder = DFA::builder();
    builder.configure(bounds).build_from_nfa(nfa.clone()).ok()
}

#[cfg(test)]
mod tests {
    //! 1. Every pattern that matches somewhere is found, in any case, whatever reads the text.
    //! 2. What reads the text does not matter: word boundaries beside letters that are not ASCII are seen.
    //! 3. Patterns beyond the bound, and invalid ones, are errors.

    use super::Matcher;

    fn matching(patterns: &[&str], text: &str) -> Vec<usize> {
        let matcher = Matcher::new(patterns, usize::MAX).expect("patterns");
        let mut states = matcher.states();
        let found = matcher.matches(&mut states, text);
        let again = matcher.matches(&mut states, text);
        assert_eq!(found, again, "{text}");
        found.iter().map(|at| at.as_usize()).collect()
    }

    #[test]
    fn every_pattern_that_matches_is_found() {
        let patterns = ["^red", "SHOE", "shoes$", "blue|green", "^$", "r.d s"];
        assert_eq!(matching(&patterns, "Red shoes"), [0, 1, 2, 5]);
        assert_eq!(matching(&patterns, ""), [4]);
        assert!(matching(&[], "red").is_empty());
    }

    #[test]
    fn word_boundaries_beside_other_letters_are_seen() {
        let patterns = [r"\bsofa\b", r"caf\b", "café"];
        assert_eq!(matching(&patterns, "sofa café"), [0, 2]);
        assert_eq!(matching(&patterns, "esofa sofá"), [] as [usize; 0]);
    }

    #[test]
    fn what_is_too_large_or_invalid_is_an_error() {
        let error = Matcher::new(&["[a-z]{100}"], 1_000).expect_err("too large");
        assert!(error.size_limit().is_some());
        let error = Matcher::new(&["(red"], usize::MAX).expect_err("invalid");
        assert!(error.size_limit().is_none());
    }
}
