//! What a hit matches, from which its breakdown is made.

use domain::relevance::field::FieldId;
use query::breakdown::WordMatch;

/// What is known about one hit so far.
#[derive(Default)]
pub struct HitParts {
    /// The words that it matches.
    pub matches: Vec<WordMatch>,
    /// Sum of the rarities of the words that it contains exactly.
    pub covered: f64,
    /// The field with the phrase.
    pub phrase: Option<FieldId>,
    /// The field with the whole query as a code.
    pub code: Option<FieldId>,
}
