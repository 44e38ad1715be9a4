//! The tools for watched and hidden queries.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, More, ToolRow, tool};
use crate::rest::watched::{NewHiddenQueries, NewWatchedQueries};
use operations::{Precondition, hidden_queries, preview, watched};

/// The tool that tries a draft on watched queries.
pub const PREVIEW: &[ToolRow] = &[tool(
    "preview_watched",
    "Watched queries under a draft",
    Effect::Reads,
    "Says what a draft or a former revision moves in the first ten results of watched queries. Saves nothing.",
    |call| Box::pin(tried(call)),
)
.with_more(More::Words("Pass from and count for the other queries."))];

/// The tools that read watched and hidden queries.
pub const READS: &[ToolRow] = &[
    tool(
        "list_watched",
        "Watched queries",
        Effect::Reads,
        "Lists the queries that the store watches: those that a change must not harm.",
        |call| Box::pin(list(call)),
    ),
    tool(
        "get_hidden_queries",
        "Hidden queries",
        Effect::Reads,
        "Returns the queries that the store never suggests.",
        |call| Box::pin(hidden(call)),
    ),
];

/// The tools that change them.
pub const WRITES: &[ToolRow] = &[
    tool(
        "set_watched",
        "Replace watched queries",
        Effect::Overwrites,
        "Replaces the whole list of watched queries.",
        |call| Box::pin(set(call)),
    ),
    tool(
        "set_hidden_queries",
        "Replace hidden queries",
        Effect::Overwrites,
        "Replaces the whole list of queries that the store never suggests.",
        |call| Box::pin(set_hidden(call)),
    ),
];

async fn tried(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let request = std::mem::take(&mut call.arguments).input()?;
    let _slot = call.trying(1)?;
    let queries = preview::watched(&call.service, &call.caller, &store, request).await?;
    Success::ok("Preview; nothing was saved.", &queries)
}

async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    call.arguments.nothing()?;
    let watched = watched::list(&call.service, &call.caller, &store).await?;
    Success::revisioned("Watched queries.", watched)
}

async fn set(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let NewWatchedQueries(queries) = call.arguments.input()?;
    let guard = Precondition::None;
    let watched = watched::set(&call.service, &call.caller, &store, queries, guard).await?;
    Success::revisioned("Watched queries saved.", watched)
}

async fn hidden(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    call.arguments.nothing()?;
    let hidden = hidden_queries::get(&call.service, &call.caller, &store).await?;
    Success::revisioned("Hidden queries.", hidden)
}

async fn set_hidden(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let NewHiddenQueries(hidden) = call.arguments.input()?;
    let guard = Precondition::None;
    let hidden = hidden_queries::set(&call.service, &call.caller, &store, hidden, guard).await?;
    Success::revisioned("Hidden queries saved.", hidden)
}
