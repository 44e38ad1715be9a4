//! What a hit matches, from which its breakdown is made.

use query::breakdown::WordMatch;
use query::clauses::Earning;

/// What is known about one hit so far.
#[derive(Default)]
pub struct HitParts {
    /// The words that it matches.
    pub matches: Vec<WordMatch>,
    /// What it has of what earns bonuses.
    pub earning: Earning,
    /// Whether it does not contain some word exactly.
    pub misses_word: bool,
}
