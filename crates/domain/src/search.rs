//! What a shopper may ask (contract section 9), checked.

use crate::document::DocType;
use crate::invalid::Invalid;
use crate::limits::{
    FILTER_VALUES_MAX, QUERY_LETTERS_MAX, SEARCH_DEPTH_MAX, SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX,
};
use crate::relevance::unknown;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Order of the products of an answer.
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
}

/// Request of `POST /search`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// The question; empty browses.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub q: String,
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "String", length(min = 2, max = 5))]
    pub lang: Option<String>,
    /// Types wanted; all when left out.
    #[serde(default)]
    #[schemars(with = "Vec<DocType>", length(min = 1, max = 4))]
    pub types: Option<Vec<DocType>>,
    /// Page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = 10000))]
    pub page: Option<u32>,
    /// Hits of a page, 1 to 100.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = 100))]
    pub limit: Option<u32>,
    /// Order of the products.
    #[serde(default)]
    pub sort: Sort,
    /// What the shopper chose, by field.
    #[serde(default)]
    #[schemars(schema_with = "filters_schema")]
    pub filters: BTreeMap<String, FilterValue>,
    /// Whether facets are wanted.
    #[serde(default = "yes")]
    pub facets: bool,
    /// Token of a signed-in shopper; without effect until access groups are declared.
    #[serde(default)]
    #[schemars(with = "String", length(max = 8192))]
    pub visitor: Option<String>,
    /// The shopper's session, for analytics.
    #[serde(default)]
    #[schemars(with = "String", length(max = 128))]
    pub session_id: Option<String>,
}

/// The schema of the filters, so that a wrong one is told together with all else that is wrong.
fn filters_schema(_: &mut SchemaGenerator) -> Schema {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 255});
    let values = |items: Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": FILTER_VALUES_MAX});
    let number = json!({"type": "number"});
    json_schema!({
        "type": "object",
        "properties": {
            "categories": values(text.clone()),
            "manufacturer": values(text),
            "price": {
                "type": "object",
                "properties": {"min": number, "max": number},
                "additionalProperties": false
            },
            "inStock": values(json!({"type": "string", "enum": ["true", "false"]}))
        },
        "additionalProperties": false,
        "x-names": true
    })
}

fn yes() -> bool {
    true
}

/// What was chosen of one facet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FilterValue {
    /// Ids or texts of values: any of them.
    Any(Vec<String>),
    /// A range, its ends included.
    Range(RangeValue),
}

/// A range of numbers, its ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeValue {
    /// Lower end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub min: Option<f64>,
    /// Upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub max: Option<f64>,
}

/// A field that a shopper may filter by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterField {
    /// Price of the visitor: a range.
    Price,
    /// Brand.
    Manufacturer,
    /// Categories, with all their ancestors.
    Categories,
    /// In stock or not.
    InStock,
}

impl FilterField {
    /// All of them, in the order in which facets are shown.
    pub const ALL: [Self; 4] = [
        Self::Categories,
        Self::Manufacturer,
        Self::Price,
        Self::InStock,
    ];

    /// Name in the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Manufacturer => "manufacturer",
            Self::Categories => "categories",
            Self::InStock => "inStock",
        }
    }

    /// The field called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.as_str() == name)
    }
}

/// The checked choice of one filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Any of these values, by id or text.
    Any(FilterField, Vec<String>),
    /// A range of prices.
    Price(RangeValue),
}

/// A checked search.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of the request")]
pub struct CheckedSearch {
    pub q: String,
    pub lang: Option<String>,
    pub types: Vec<DocType>,
    pub page: u32,
    pub limit: u32,
    pub sort: Sort,
    pub choices: Vec<Choice>,
    pub facets: bool,
}

impl SearchRequest {
    /// The request with its defaults filled in.
    ///
    /// Errors: everything that is wrong, by its path.
    pub fn check(self) -> Result<CheckedSearch, Vec<Invalid>> {
        let mut wrong = Vec::new();
        let mut need = |good: bool, field: &str, reason: String| {
            if !good {
                wrong.push(Invalid::new(field, reason));
            }
        };
        let letters = self.q.chars().count();
        need(
            letters <= QUERY_LETTERS_MAX,
            "q",
            format!("must have at most 500 letters, got {letters}"),
        );
        let page = self.page.unwrap_or(1);
        let limit = self.limit.unwrap_or(SEARCH_LIMIT_DEFAULT);
        let limit_good = (1..=SEARCH_LIMIT_MAX).contains(&limit);
        need(
            limit_good,
            "limit",
            format!("must be between 1 and {SEARCH_LIMIT_MAX}, got {limit}"),
        );
        need(page >= 1, "page", "must be at least 1, got 0".to_owned());
        let reach = u64::from(page) * u64::from(limit);
        need(
            !limit_good || reach <= u64::from(SEARCH_DEPTH_MAX),
            "page",
            format!("page × limit must be at most {SEARCH_DEPTH_MAX}, got {reach}"),
        );
        let mut choices = Vec::new();
        for (name, value) in self.filters {
            match choice(&name, value) {
                Ok(choice) => choices.push(choice),
                Err(reason) => wrong.push(Invalid::new(format!("filters.{name}"), reason)),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
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

fn choice(name: &str, value: FilterValue) -> Result<Choice, String> {
    let names = FilterField::ALL.map(FilterField::as_str);
    let Some(field) = FilterField::parse(name) else {
        return Err(format!(
            "{}; filters are {}",
            unknown(name, names),
            names.join(", ")
        ));
    };
    match (field, value) {
        (FilterField::Price, FilterValue::Range(range)) => match (range.min, range.max) {
            (None, None) => Err("must have min, max or both".to_owned()),
            (Some(min), Some(max)) if min > max => {
                Err(format!("min must not be above max, got {min} and {max}"))
            }
            _ => Ok(Choice::Price(range)),
        },
        (FilterField::Price, FilterValue::Any(_)) => {
            Err("must be a range such as {\"min\": 10, \"max\": 20}".to_owned())
        }
        (_, FilterValue::Range(_)) => Err("must be a list of values".to_owned()),
        (_, FilterValue::Any(values)) if values.is_empty() => {
            Err("must name at least one value".to_owned())
        }
        (_, FilterValue::Any(values)) if values.len() > FILTER_VALUES_MAX => Err(format!(
            "must name at most {FILTER_VALUES_MAX} values, got {}",
            values.len()
        )),
        (FilterField::InStock, FilterValue::Any(values))
            if values.iter().any(|v| v != "true" && v != "false") =>
        {
            Err("must be \"true\" or \"false\"".to_owned())
        }
        (field, FilterValue::Any(values)) => Ok(Choice::Any(field, values)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: serde_json::Value) -> Result<CheckedSearch, Vec<Invalid>> {
        serde_json::from_value::<SearchRequest>(value)
            .expect("the test's request parses")
            .check()
    }

    #[test]
    fn limits_hold_at_their_ends() {
        assert!(check(json!({"limit": 100, "page": 100})).is_ok());
        assert!(check(json!({"limit": 100, "page": 101})).is_err());
        assert!(check(json!({"limit": 0})).is_err());
        assert!(check(json!({"limit": 101})).is_err());
        assert!(check(json!({"q": "ñ".repeat(500)})).is_ok());
        assert!(check(json!({"q": "ñ".repeat(501)})).is_err());
    }

    #[test]
    fn an_unknown_filter_is_answered_with_those_that_exist() {
        let wrong =
            check(json!({"filters": {"manufacture": ["x"], "price": ["1"]}})).expect_err("two");
        assert!(
            wrong[0].reason.contains("did you mean \"manufacturer\""),
            "{}",
            wrong[0]
        );
        assert_eq!(wrong[1].field, "filters.price");
    }
}
