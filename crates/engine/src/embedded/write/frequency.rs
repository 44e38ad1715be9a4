//! Encodes in the one term frequency of a posting both the occurrences and whether the term has only one surface form.
//!
//! Most words of a text occur in only one surface form, which equals the stem. Such a form is not indexed as a term: an
//! odd frequency of the stem encodes it. That saves nearly half of all postings and terms of texts. What is encoded here is
//! read by `postings/frequency.rs`, whose tests compare both.

/// How often to add a term for one occurrence, the `first` one in its field of a document or a further one. The sum is odd
/// for a term that is `alone`, without other surface forms in the field, and even for any other.
pub fn postings(first: bool, alone: bool) -> usize {
    if first && alone { 1 } else { 2 }
}
