//! What an index says about itself as a whole: how much it holds, and of which fields.

use domain::relevance::field::FieldId;

/// Facts about one state of an index, computed at once and shared. They depend on no visitor.
///
/// An engine whose indexes are on other machines may give facts that are up to 30 seconds old.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Number of documents, also of those that a visitor may not see.
    pub documents: u64,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// Whether it contains the substrings of the words of names.
    pub has_substrings: bool,
    /// The fields in which a document has a value, in their order.
    pub filled: Vec<FieldId>,
    /// The frozen average length of each text field, in words.
    pub averages: Vec<(FieldId, f64)>,
}

impl Facts {
    /// Whether any document has a value in `field`.
    pub fn has_values(&self, field: FieldId) -> bool {
        self.filled.contains(&field)
    }
}
