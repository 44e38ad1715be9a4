//! What the caller says about an import: the store's language and currencies, and the mapping.

use crate::mapping::options::MappingOptions;
use domain::{DocType, Timestamp};
use std::collections::BTreeSet;

/// What the caller says about an import.
#[derive(Clone, Debug)]
pub struct ReadSettings {
    /// Name of the file, as people know it.
    pub name: String,
    /// Type of the documents.
    pub doc_type: DocType,
    /// Language of the documents; of numbers and labels too.
    pub language: String,
    /// The base currency that the store declares, or the one that the user gives.
    pub base_currency: Option<String>,
    /// All currencies that the store declares.
    pub currencies: BTreeSet<String>,
    /// Address that relative ones are resolved against.
    pub base_url: Option<String>,
    /// Current time, which decides whether a sale is on.
    pub now: Timestamp,
    /// What the user says.
    pub mapping: MappingOptions,
    /// `charset` of the response that the file came with.
    pub charset: Option<String>,
    /// Whether only the first rows are read.
    pub is_preview: bool,
}
