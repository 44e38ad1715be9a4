//! The tools for products: what is stored of one, and why products are where they are.

use crate::http::{ApiResult, Failure, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ListedRecords, ToolRow, tool};
use domain::first_characters;
use operations::preview;
use operations::products::{self, ProductView};
use serde_json::{Value, json};

/// What the tool for one product is about.
const PRODUCTS: ListedRecords = ListedRecords {
    list: "test_relevance",
};

/// Long texts of a product, the longest first.
const DESCRIPTIONS: [&str; 4] = [
    "description",
    "ai_description",
    "ai_description_manual",
    "short_description",
];
/// Bytes that a product may take, with room for the envelope of a result of 60 kB.
const BYTES_MAX: usize = 56_000;
/// Characters that are kept of a description that is cut.
const CUT_CHARACTERS: usize = 2_000;

/// The tool that explains products.
pub const EXPLAIN: &[ToolRow] = &[tool(
    "preview_explain",
    "Explain products",
    Effect::Reads,
    "Explains one or two products under a draft or a former revision: position and breakdown, or in code and conditions what keeps it out. Saves nothing.",
    |call| Box::pin(explain(call)),
)];

/// The tool for a product.
pub const TOOLS: &[ToolRow] = &[tool(
    "get_product",
    "One product",
    Effect::Reads,
    "Returns a product as it is stored, and whether the feed rejected it; with q also its position, or in code and conditions what keeps it out.",
    |call| Box::pin(get(call)),
)
.of_one(PRODUCTS)];

async fn explain(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let request = std::mem::take(&mut call.arguments).input()?;
    let _slot = call.trying(1)?;
    let products = preview::explain(&call.service, &call.caller, &store, request).await?;
    Success::ok("Preview; nothing was saved.", &products)
}

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let id = call.arguments.product()?;
    let query: products::ProductQuery = std::mem::take(&mut call.arguments).query()?;
    let _slot = match query.q {
        Some(_) => Some(call.trying(1)?),
        None => None,
    };
    let found = products::get(&call.service, &call.caller, &store, &id, query).await?;
    let (product, revision) = found;
    let (product, message) = within_size(&product)?;
    Ok(Success::ok(message, &product)?.of_revision(revision))
}

/// Returns a product with its descriptions cut as far as a result has no room for them, and a message that says so.
fn within_size(product: &ProductView) -> Result<(Value, &'static str), Failure> {
    let mut product = serde_json::to_value(product)
        .map_err(|error| Failure::internal(format!("a product has no JSON form: {error}")))?;
    let mut message = "Product.";
    for name in DESCRIPTIONS {
        if product.to_string().len() <= BYTES_MAX {
            break;
        }
        let Some(field) = product["document"].get_mut(name) else {
            continue;
        };
        if let Some(text) = field.as_str() {
            *field = json!(first_characters(text, CUT_CHARACTERS));
            message = "Product; a result has at most 60 kB, so its descriptions are cut.";
        }
    }
    Ok((product, message))
}
