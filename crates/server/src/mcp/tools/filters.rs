//! The tools for filters.

use super::records as tools_of;
use crate::http::input::Input;
use crate::http::inputs::input;
use crate::http::{ApiResult, Failure, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::paging::Paging;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use crate::message;
use domain::filter::{Filter, ValuesQuery};
use domain::limits::{TOOL_PAGE_MAX, VALUE_PAGE_DEFAULT, VALUE_SEARCH_CHARACTERS_MAX};
use domain::{Invalid, Language};
use operations::field_values::{self, ValueCount};
use operations::{OperationError, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tool for filters.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_filters",
        "Filters",
        Effect::Reads,
        "Lists the filters (facets) of store pages, in display order; without any, pages show automatic facets. With values also the indexed values of that field, with product counts.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages)
    .with_arguments(FilterListing::checker),
];

/// What the tools for one filter are about.
const FILTERS: ListedRecords = ListedRecords {
    list: "list_filters",
};

/// The tool for values of a field, at an address with all tools.
pub const FURTHER_READS: &[ToolRow] = &[tool(
    "list_filter_values",
    "Values of a field",
    Effect::Reads,
    "Lists the values of a field with their product counts; rules name values exactly so.",
    |call| Box::pin(values(call)),
)
.with_more(More::Pages)];

/// The tools that change filters, at an address with all tools.
pub const FURTHER_WRITES: &[ToolRow] = &[
    tool(
        "create_filter",
        "Create a filter",
        Effect::Adds,
        "Creates a filter (facet) of a field. Once a store has one, its pages show no automatic facets.",
        |call| Box::pin(tools_of::create::<Filter>(call)),
    ),
    tool(
        "update_filter",
        "Update a filter",
        Effect::Overwrites,
        "Updates the given fields of a filter.",
        |call| Box::pin(tools_of::update::<Filter>(call)),
    )
    .of_one(FILTERS),
    tool(
        "delete_filter",
        "Delete a filter",
        Effect::Overwrites,
        "Deletes a filter permanently.",
        |call| Box::pin(tools_of::delete::<Filter>(call)),
    )
    .of_one(FILTERS),
];

/// The arguments that only the tool has.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterListing {
    /// A field, such as attributes.<group>, whose values are listed, too.
    #[serde(default)]
    #[schemars(with = "String")]
    values: Option<String>,
    /// Only values with a word that starts so.
    #[serde(default)]
    #[schemars(with = "String", length(max = VALUE_SEARCH_CHARACTERS_MAX))]
    q: Option<String>,
    /// Language of the labels; default that of the store.
    #[serde(default)]
    #[schemars(with = "Language")]
    lang: Option<Language>,
    /// Page of the filters, or of the values if there are any.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    page: Option<u32>,
    /// Records per page, 1 to 100; default 20.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = TOOL_PAGE_MAX))]
    limit: Option<u32>,
}

input!(FilterListing);

/// The values of a field, beside its filters.
#[derive(Debug, Serialize)]
struct ListedValues {
    field: String,
    items: Vec<ValueCount>,
    total: u64,
}

impl FilterListing {
    /// Returns the query for values, if the arguments ask for any.
    ///
    /// Errors: 400 for arguments of values without a field.
    fn values(&self) -> Result<Option<ValuesQuery>, Failure> {
        if let Some(field) = &self.values {
            return Ok(Some(ValuesQuery {
                field: field.clone(),
                lang: self.lang.clone(),
                q: self.q.clone(),
                page: Some(self.page.unwrap_or(1)),
                limit: Some(self.limit.unwrap_or(VALUE_PAGE_DEFAULT)),
            }));
        }
        let given = [("q", self.q.is_some()), ("lang", self.lang.is_some())];
        let given = given.iter().filter(|(_, given)| *given);
        let wrong: Vec<Invalid> = given
            .map(|(name, _)| Invalid::new(*name, message::tool::needs("values")))
            .collect();
        match wrong.is_empty() {
            true => Ok(None),
            false => Err(Failure::invalid(wrong)),
        }
    }
}

async fn values(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let query = call.arguments.query()?;
    let listed = field_values::values(&call.service, &call.caller, &store, query).await?;
    Success::listed("value", &listed)
}

/// Returns all filters, or a page if the arguments request one; with values those of their field.
async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let listing: Option<FilterListing> = call.arguments.of_tool();
    call.arguments.nothing()?;
    let listing = listing.unwrap_or_default();
    let wanted = listing.values()?;
    let (service, caller) = (&call.service, &call.caller);
    let mut listed = records::list::<Filter>(service, caller, &store, ()).await?;
    let Some(query) = wanted else {
        let paging = Paging::new(listing.page, listing.limit);
        return Success::listed("filter", &paging.of(listed));
    };
    let field = query.field.clone();
    let values = field_values::values(service, caller, &store, query).await;
    let values = values.map_err(of_arguments)?;
    listed
        .records
        .retain(|filter| filter.content.field.to_string() == field);
    let total = values.meta.map_or(0, |meta| meta.total);
    let items = values.records;
    let values = ListedValues {
        field,
        items,
        total,
    };
    Ok(Success::listed("filter", &listed)?.beside("values", Some(&values)))
}

/// Names what is wrong with a query for values as the arguments of the tool.
fn of_arguments(error: OperationError) -> OperationError {
    let named = |mut wrong: Invalid| {
        wrong.field = match wrong.field.as_str() {
            "query.field" => "values".to_owned(),
            "query.lang" => "lang".to_owned(),
            _ => wrong.field,
        };
        wrong
    };
    match error {
        OperationError::Invalid(wrong) => {
            OperationError::Invalid(wrong.into_iter().map(named).collect())
        }
        other => other,
    }
}
