//! How products get into an index, all of which have to be accepted; and the numbers that they are given.

use crate::Outcome;
use engine::{Batch, DocumentChange, Index};
use serde_json::{Value, json};

/// Documents of a batch.
const BATCH: usize = 4_000;

/// Writes so many documents, which `change` makes.
///
/// Errors: also if one is rejected.
pub fn fill(
    index: &dyn Index,
    count: usize,
    change: impl Fn(usize) -> Outcome<DocumentChange>,
) -> Outcome<()> {
    for first in (0..count).step_by(BATCH) {
        let last = count.min(first + BATCH);
        let changes = (first..last).map(&change).collect::<Outcome<_>>()?;
        apply(index, changes, last as i64)?;
    }
    Ok(())
}

/// Writes changes, after which the index is complete up to `watermark`.
///
/// Errors: also if one is rejected.
pub fn apply(index: &dyn Index, changes: Vec<DocumentChange>, watermark: i64) -> Outcome<()> {
    let rejected = index.apply(Batch { changes, watermark })?.rejected;
    match rejected.len() {
        0 => Ok(()),
        some => Err(format!("{some} documents are rejected").into()),
    }
}

/// Gives the product with this number what factors and ties differ by.
pub fn set_numbers(body: &mut Value, at: usize) {
    let number = at * 7919 % 1000;
    body["sales_count"] = json!(number);
    body["rating"] = json!((number % 50) as f64 / 10.0);
    body["inStock"] = json!(!number.is_multiple_of(3));
}
