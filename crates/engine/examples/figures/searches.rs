//! What searches of several kinds cost.

use crate::Outcome;
use crate::costs::{self, cpu};
use crate::products::Products;
use domain::Language;
use domain::document::DocType;
use domain::relevance::Relevance;
use domain::search::FilterField;
use engine::{FacetRequest, Index, Request};
use evaluation::noise::Noise;
use query::{Analyser, Plan, UserQuery};

/// The facets of the kind with facets.
const FACETS: [FilterField; 6] = [
    FilterField::Manufacturer,
    FilterField::Categories,
    FilterField::InStock,
    FilterField::Discount,
    FilterField::Price,
    FilterField::Rating,
];

/// A kind of searches with what each costs: processor time here and in the node, and time, in seconds.
type Measured = (&'static str, [f64; 2], f64);

/// Measures every kind.
pub fn measure(index: &dyn Index, products: &Products) -> Outcome<Vec<Measured>> {
    let items = products.items();
    let words = |count: usize| -> Vec<String> {
        let of = items.iter().map(|item| item.query.split(' '));
        of.filter(|words| words.clone().count() >= count)
            .map(|words| words.take(count).collect::<Vec<_>>().join(" "))
            .collect()
    };
    let typos = items.iter().filter_map(|item| {
        let of = item.noisy.iter();
        let typo = of.clone().find(|(noise, _)| *noise == Noise::Typo);
        typo.map(|(_, query)| query.clone())
    });
    let bare = Request {
        limit: 24,
        ..Request::default()
    };
    let facets = FACETS.map(|field| FacetRequest {
        field,
        groups: Vec::new(),
        include_empty: false,
    });
    let with_facets = Request {
        facets: true,
        facet_requests: Some(facets.into()),
        ..bare.clone()
    };
    let kinds = [
        ("one word", words(1), &bare),
        ("three words", words(3), &bare),
        ("with a typo", typos.collect(), &bare),
        ("two words, six facets", words(2), &with_facets),
    ];
    let kinds = kinds.into_iter();
    kinds
        .map(|(name, queries, request)| kind(index, name, &queries, request))
        .collect()
}

fn kind(
    index: &dyn Index,
    name: &'static str,
    queries: &[String],
    request: &Request,
) -> Outcome<Measured> {
    let (relevance, language) = (Relevance::default(), Language::parse("en"));
    let analyser = Analyser::new(&language.map_err(|_| "no language")?);
    let plan = |text: &String| {
        let query = UserQuery::new(text, &analyser, &relevance.search_settings);
        Plan::new(&query, &relevance, DocType::Products)
    };
    let search = |plan: &Plan| index.snapshot().search(plan, request).map(drop);
    // Once before it counts: caches and compilers are warm in a shop.
    queries
        .iter()
        .map(plan)
        .try_for_each(|plan| search(&plan))?;
    let before = cpu()?;
    let took = costs::took(|| queries.iter().map(plan).try_for_each(|plan| search(&plan)))?;
    let costs = cpu()?.since(before);
    let count = queries.len().max(1) as f64;
    let each = [costs.own, costs.node].map(|all| all.as_secs_f64() / count);
    Ok((name, each, took.as_secs_f64() / count))
}
