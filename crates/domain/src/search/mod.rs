//! The search request (docs/api.md, "Search") and its checks.

mod filter;
mod suggest;

pub use filter::{FilterChoice, FilterField, FilterKind};
pub use suggest::SuggestRequest;

use crate::document::DocType;
use crate::form::{LanguageCode, QueryText, check_query};
use crate::invalid::Invalid;
use crate::limits::{
    FILTER_VALUES_MAX, FILTERS_MAX, QUERY_ID_CHARACTERS_MAX, SEARCH_DEPTH_MAX,
    SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX, SESSION_ID_CHARACTERS_MAX, VALUE_CHARACTERS_MAX,
};
use crate::message::{self, Message};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Order of the products of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Best score first.
    #[default]
    Relevance,
    /// Lowest price first, without a price last.
    PriceAsc,
    /// Highest price first, without a price last.
    PriceDesc,
    /// By name.
    Name,
    /// Newest first, without a date last.
    Newest,
    /// Most units sold first.
    Sales,
    /// Best rated first, without a rating last.
    Rating,
}

impl Sort {
    /// All orders, in the order in which shoppers are offered them.
    pub const ALL: [Self; 7] = [
        Self::Relevance,
        Self::PriceAsc,
        Self::PriceDesc,
        Self::Name,
        Self::Newest,
        Self::Sales,
        Self::Rating,
    ];

    /// Returns the name used by the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::PriceAsc => "price_asc",
            Self::PriceDesc => "price_desc",
            Self::Name => "name",
            Self::Newest => "newest",
            Self::Sales => "sales",
            Self::Rating => "rating",
        }
    }

    /// Returns the order with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.as_str() == text)
    }
}

/// Request of `POST /search`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// The query; empty browses.
    #[serde(default)]
    #[schemars(with = "QueryText")]
    pub q: String,
    /// Language; the store's default if left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Types to search; all if left out.
    #[serde(default)]
    #[schemars(with = "Vec<DocType>", length(min = 1, max = DocType::ALL.len()))]
    pub types: Option<Vec<DocType>>,
    /// Page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SEARCH_DEPTH_MAX))]
    pub page: Option<u32>,
    /// Hits of a page, 1 to 100.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SEARCH_LIMIT_MAX))]
    pub limit: Option<u32>,
    /// Order of the products.
    #[serde(default)]
    pub sort: Sort,
    /// Filters that the shopper chose, by field.
    #[serde(default)]
    #[schemars(schema_with = "filters_schema")]
    pub filters: BTreeMap<String, FilterValue>,
    /// Whether to return facets.
    #[serde(default = "yes")]
    pub facets: bool,
    /// Token with which the shop identifies the shopper; with an invalid one the shopper is anonymous.
    #[serde(default)]
    #[schemars(with = "String")]
    pub visitor: Option<String>,
    /// The shopper's session, within which pages of one query neither repeat nor lose hits.
    #[serde(default)]
    #[schemars(with = "String", length(max = SESSION_ID_CHARACTERS_MAX))]
    pub session_id: Option<String>,
    /// `queryId` of the response that proposed this query: the search is not counted, and its events count for that one.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = QUERY_ID_CHARACTERS_MAX))]
    pub correction_of: Option<String>,
    /// Whether the search counts in the store's statistics.
    #[serde(default = "yes")]
    pub analytics: bool,
}

/// Returns the schema of the filters. The fields of a store are not known here, so any name is valid.
pub fn filters_schema(_: &mut SchemaGenerator) -> Schema {
    let text = json!({"type": "string", "minLength": 1, "maxLength": VALUE_CHARACTERS_MAX});
    let values = |items: Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": FILTER_VALUES_MAX});
    let number = json!({"type": "number"});
    let range = json!({
        "type": "object",
        "properties": {"min": number, "max": number},
        "additionalProperties": false,
        "x-published": {"minProperties": 1}
    });
    let flag = json!({"type": "string", "enum": ["true", "false"]});
    let fixed = FilterField::FIXED.map(|field| {
        let schema = match field.kind() {
            FilterKind::Values => values(text.clone()),
            FilterKind::Flag => values(flag.clone()),
            FilterKind::Range => range.clone(),
        };
        (field.to_string(), schema)
    });
    json_schema!({
        "type": "object",
        "properties": serde_json::Map::from_iter(fixed),
        "additionalProperties": {"anyOf": [values(text), range]},
        "maxProperties": FILTERS_MAX,
        "x-published": {"propertyNames": FilterField::published()}
    })
}

/// Returns the error of a query that is too long.
fn query_error(q: &str) -> Option<Invalid> {
    check_query(q).err().map(|reason| Invalid::new("q", reason))
}

fn yes() -> bool {
    true
}

/// The values of one filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FilterValue {
    /// Ids or texts of values: any of them.
    Any(Vec<String>),
    /// A range, inclusive.
    Range(RangeValue),
}

/// A range of numbers, inclusive. Equal ranges have the same bits, except for the sign of zero.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeValue {
    /// Lower bound.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schemars(with = "f64")]
    pub min: Option<f64>,
    /// Upper bound.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schemars(with = "f64")]
    pub max: Option<f64>,
}

/// Deserializes a bound that is given: null is an error, because a bound is left out where there is none.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    f64::deserialize(deserializer).map(Some)
}

impl RangeValue {
    /// Returns the bits that are compared and hashed.
    fn bits(self) -> [Option<u64>; 2] {
        // Negative zero plus zero is zero.
        [self.min, self.max].map(|end| end.map(|end| (end + 0.0).to_bits()))
    }
}

impl PartialEq for RangeValue {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for RangeValue {}

impl Hash for RangeValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

/// A checked search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are those of the request")]
pub struct CheckedSearch {
    pub q: String,
    pub lang: Option<String>,
    pub types: Vec<DocType>,
    pub page: u32,
    pub limit: u32,
    pub sort: Sort,
    pub choices: Vec<FilterChoice>,
    pub facets: bool,
}

impl CheckedSearch {
    /// Returns the approximate size of its texts in bytes.
    pub fn bytes(&self) -> usize {
        let choices = self.choices.iter().map(FilterChoice::bytes);
        self.q.len() + choices.sum::<usize>()
    }
}

impl SearchRequest {
    /// Checks the request and fills in defaults; `admit` resolves the name of a filter to its field, or returns the
    /// reason why it has none.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(
        self,
        admit: impl Fn(&str) -> Result<FilterField, Message>,
    ) -> Result<CheckedSearch, Vec<Invalid>> {
        let mut errors = Vec::from_iter(query_error(&self.q));
        let mut need = |good: bool, field: &str, reason: &dyn Fn() -> Message| {
            if !good {
                errors.push(Invalid::new(field, reason()));
            }
        };
        let page = self.page.unwrap_or(1);
        let limit = self.limit.unwrap_or(SEARCH_LIMIT_DEFAULT);
        let limit_good = (1..=SEARCH_LIMIT_MAX).contains(&limit);
        need(limit_good, "limit", &|| {
            message::number::between(1, SEARCH_LIMIT_MAX, limit)
        });
        need(page >= 1, "page", &|| message::number::at_least(1, 0));
        let reach = u64::from(page) * u64::from(limit);
        need(
            !limit_good || reach <= u64::from(SEARCH_DEPTH_MAX),
            "page",
            &|| message::number::reach(SEARCH_DEPTH_MAX, reach),
        );
        let filters = self.filters.len();
        need(filters <= FILTERS_MAX, "filters", &|| {
            message::list::fields_at_most(FILTERS_MAX, filters)
        });
        let mut choices = Vec::new();
        for (name, value) in self.filters {
            match admit(&name).and_then(|field| FilterChoice::new(field, value)) {
                Ok(choice) => choices.push(choice),
                Err(reason) => errors.push(Invalid::new(format!("filters.{name}"), reason)),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let types = self.types.unwrap_or_else(|| DocType::ALL.to_vec());
        let (q, lang, sort, facets) = (self.q, self.lang, self.sort, self.facets);
        Ok(CheckedSearch {
            q,
            lang,
            types,
            page,
            limit,
            sort,
            choices,
            facets,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: serde_json::Value) -> Result<CheckedSearch, Vec<Invalid>> {
        serde_json::from_value::<SearchRequest>(value)
            .expect("the test's request parses")
            .check(|name| FilterField::parse(name).ok_or_else(FilterField::expected))
    }

    #[test]
    fn orders_have_the_names_of_the_api() {
        for sort in Sort::ALL {
            assert_eq!(json!(sort), sort.as_str());
            assert_eq!(Sort::parse(sort.as_str()), Some(sort));
        }
    }

    #[test]
    fn limits_are_exact() {
        assert!(check(json!({"limit": 100, "page": 100})).is_ok());
        assert!(check(json!({"limit": 100, "page": 101})).is_err());
        assert!(check(json!({"limit": 0})).is_err());
        assert!(check(json!({"limit": 101})).is_err());
        assert!(check(json!({"q": "ñ".repeat(500)})).is_ok());
        assert!(check(json!({"q": "ñ".repeat(501)})).is_err());
    }

    #[test]
    fn equal_searches_have_equal_hashes() {
        let hash = |checked: &CheckedSearch| {
            let mut hasher = std::hash::DefaultHasher::new();
            checked.hash(&mut hasher);
            hasher.finish()
        };
        let of = |min: f64| check(json!({"filters": {"price": {"min": min}}})).expect("is valid");
        assert_eq!(of(0.0), of(-0.0));
        assert_eq!(hash(&of(0.0)), hash(&of(-0.0)));
        assert_eq!(of(1.5), of(1.5));
        assert_ne!(of(1.5), of(1.25));
    }

    #[test]
    fn every_wrong_filter_is_reported_with_its_path() {
        let errors = check(json!({"filters": {
            "colour": ["x"], "price": ["1"], "rating": {"min": 3, "max": 2}, "attributes.1": {"min": 1},
            "discount": ["yes"], "tags": [],
        }}))
        .expect_err("all are wrong");
        let fields: Vec<&str> = errors.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "filters.attributes.1",
                "filters.colour",
                "filters.discount",
                "filters.price",
                "filters.rating",
                "filters.tags"
            ]
        );
        let many: BTreeMap<String, [&str; 1]> = (0..65)
            .map(|at| (format!("features.{at}"), ["x"]))
            .collect();
        assert!(check(json!({ "filters": many })).is_err());
    }
}
