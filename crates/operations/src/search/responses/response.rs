//! The response to a search.

use super::banners_and_redirects::{BannerView, RedirectView};
use super::compression::SharedCompression;
use crate::search::ranking::{Ranking, WordView};
use engine::Hit;
use query::Analyser;
use query::correction::CorrectedQuery;
use query::highlight::highlight;
use schemars::JsonSchema;
use serde::Serialize;

/// Response to a search.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// Id by which events refer to this response.
    pub query_id: String,
    /// Products.
    pub products: ProductHits,
    /// Categories.
    pub categories: ListHits,
    /// Brands.
    pub brands: ListHits,
    /// Pages.
    pub pages: ListHits,
    /// Where products were searched and none were found: another query that finds some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_query: Option<CorrectedQuery>,
    /// Facets of the products.
    pub facets: Vec<FacetView>,
    /// Banners of rules, in order.
    pub banners: Vec<BannerView>,
    /// Redirect of a rule; the results are included all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<RedirectView>,
    /// The words of the query.
    pub words: Vec<WordView>,
    /// Milliseconds that the search took.
    pub took_ms: u64,
    /// Revision of the store's configuration that the response was made with, for its header.
    #[serde(skip)]
    pub config_revision: i64,
    /// The compressed form of everything between `queryId` and `tookMs`.
    #[serde(skip)]
    pub compression: SharedCompression,
}

/// Products found.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ProductHits {
    /// Hits of the page.
    pub hits: Vec<ProductHit>,
    /// Number of all hits.
    pub total: u64,
}

/// A product with everything that its card shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct ProductHit {
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub manufacturer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_price: Option<f64>,
    /// Name of the field that holds the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_field: Option<String>,
    pub in_stock: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating_count: Option<f64>,
    pub highlight: Highlight,
}

/// Texts with the matching words highlighted.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Highlight {
    /// The name as HTML: escaped, with `<em>` around matching words.
    pub name: String,
}

/// Categories, brands or pages found.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ListHits {
    /// Hits of the page.
    pub hits: Vec<ListHit>,
    /// Number of all hits.
    pub total: u64,
}

/// A category, a brand or a page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct ListHit {
    pub id: String,
    /// Name, or title of a page.
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image: String,
    pub highlight: Highlight,
}

/// One facet.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FacetView {
    /// The field to filter by.
    pub field: String,
    /// Its label in the language of the search; groups are called as in the shop.
    pub label: String,
    /// `list`, `range` or `boolean`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its values; left out for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<FacetValueView>>,
    /// Lowest value of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Highest value of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// One value of a facet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are described in docs/api.md")]
pub struct FacetValueView {
    pub id: String,
    pub label: String,
    pub count: u64,
    pub selected: bool,
}

impl ProductHits {
    pub(crate) fn new(ranking: &Ranking, analyser: Option<&Analyser>) -> Self {
        let hits = ranking
            .found
            .hits
            .iter()
            .map(|hit| product(hit, ranking, analyser));
        Self {
            hits: hits.collect(),
            total: ranking.found.total,
        }
    }
}

impl ListHits {
    pub(crate) fn new(ranking: &Ranking, analyser: Option<&Analyser>) -> Self {
        let hits = ranking.found.hits.iter().map(|hit| ListHit {
            id: hit.id.clone(),
            name: hit.card.name().to_owned(),
            url: hit.card.url().to_owned(),
            image: hit.card.image().to_owned(),
            highlight: marked(hit, ranking, analyser),
        });
        Self {
            hits: hits.collect(),
            total: ranking.found.total,
        }
    }
}

fn product(hit: &Hit, ranking: &Ranking, analyser: Option<&Analyser>) -> ProductHit {
    let (card, numbers) = (&hit.card, &hit.numbers);
    ProductHit {
        id: hit.id.clone(),
        name: card.name().to_owned(),
        url: card.url().to_owned(),
        image: card.image().to_owned(),
        reference: card.reference().to_owned(),
        manufacturer: card.manufacturer().to_owned(),
        currency: numbers.currency.clone(),
        price: numbers.price,
        original_price: numbers.original_price,
        price_field: numbers.price_field.as_ref().map(ToString::to_string),
        in_stock: numbers.in_stock,
        rating: numbers.rating,
        rating_count: numbers.rating_count,
        highlight: marked(hit, ranking, analyser),
    }
}

fn marked(hit: &Hit, ranking: &Ranking, analyser: Option<&Analyser>) -> Highlight {
    let name = analyser.map_or_else(String::new, |analyser| {
        highlight(hit.card.name(), analyser, &ranking.found.highlight)
    });
    Highlight { name }
}
