//! An immutable state of an index: consistent postings, numbers, labels and average lengths.

use super::access_memos::AccessMemos;
use super::rules::RuleCache;
use super::static_scores::StaticScoreCache;
use crate::columns::Columns;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use std::sync::Arc;

/// The state that a search reads. A change of numbers creates a new snapshot with the same texts.
pub struct EmbeddedSnapshot<S: Scale> {
    /// Postings, lengths and cards.
    pub texts: Arc<TextIndex>,
    /// Numbers and labels.
    pub columns: Columns,
    /// The cache of static scores, by the keys of the latest searches.
    pub static_scores: StaticScoreCache<S>,
    /// The cache of rule results of the latest searches.
    pub rules: RuleCache<S>,
    /// What was computed for the accesses of visitors.
    pub accesses: AccessMemos,
}
