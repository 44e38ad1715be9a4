//! Queries that a catalogue suggests where nobody has searched yet: its largest categories, then what sells best.

use crate::OperationError;
use crate::search::ranking::{TypeQuery, rank};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use domain::Language;
use domain::document::DocType;
use domain::search::{FilterField, Sort};
use engine::{FacetRequest, Request};
use query::rules::Effects;

/// Words of the name of a product.
const NAME_WORDS: usize = 4;
/// Products of each language.
const PRODUCTS: usize = 200;

/// Returns the queries, of all languages in turn.
///
/// Errors: if an index cannot be read.
pub(super) fn queries(snapshot: &StoreSnapshot) -> Result<Vec<(String, Language)>, OperationError> {
    let mut lists = Vec::new();
    for language in &snapshot.store.languages {
        let names = of_language(snapshot, language)?;
        lists.push(names.into_iter().map(|name| (name, language.clone())));
    }
    let mut queries = Vec::new();
    loop {
        let round: Vec<_> = lists.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            return Ok(queries);
        }
        queries.extend(round);
    }
}

fn of_language(
    snapshot: &StoreSnapshot,
    language: &Language,
) -> Result<Vec<String>, OperationError> {
    let bare = snapshot.with_configuration(Configuration::default());
    let query = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &Effects::default(),
    };
    let categories = FacetRequest {
        field: FilterField::Categories,
        groups: Vec::new(),
        include_empty: false,
    };
    let request = Request {
        limit: PRODUCTS,
        sort: Sort::Sales,
        facets: true,
        facet_requests: Some([categories].into()),
        ..Request::default()
    };
    let found = rank(&bare, query, &request)?.found;
    let categories = found.facets.iter().flat_map(|facet| &facet.values);
    let mut names: Vec<String> = categories.map(|value| value.label.to_string()).collect();
    names.extend(found.hits.iter().map(|hit| {
        let words = hit.card.name().split_whitespace().take(NAME_WORDS);
        words.collect::<Vec<_>>().join(" ")
    }));
    names.retain(|name| !name.is_empty());
    Ok(names)
}
