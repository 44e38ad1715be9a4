//! The words of a query that may be misspelled words of synonyms or rules: only those that exist nowhere in the store.

use crate::OperationError;
use crate::snapshots::snapshot::StoreSnapshot;
use domain::Language;
use domain::document::DocType;
use domain::visitor::Visitor;
use query::MistypedWords;

/// Returns the words of `text` that may be misspelled words of synonyms or rules: no document of any type that the visitor
/// may see contains them. The indexes are asked only where a word is near one of a trigger that tolerates typos.
///
/// Errors: if an index cannot be read.
pub(crate) fn mistyped(
    snapshot: &StoreSnapshot,
    language: &Language,
    text: &str,
    visitor: &Visitor,
) -> Result<MistypedWords, OperationError> {
    let settings = &snapshot.configuration.relevance.search_settings;
    let compiled = snapshot.compiled(language);
    let mut mistyped = compiled.map_or_else(MistypedWords::default, |compiled| {
        compiled.mistyped(text, settings)
    });
    for doc_type in DocType::ALL {
        if mistyped.is_empty() {
            break;
        }
        if let Some(index) = snapshot.index(doc_type, language) {
            let exists = index.contains(&mistyped.stems(), visitor);
            mistyped = mistyped.that_do_not_exist(&exists.map_err(OperationError::unavailable)?);
        }
    }
    Ok(mistyped)
}
