//! The tools, one file per resource: their rows, each with the id of its operation, and handlers of a few lines.
//!
//! A handler reads store, record and input from the arguments and calls the operation that REST calls too.

mod filters;
mod me;
mod records;
mod relevance;
mod rules;
mod synonyms;

use super::tool::ToolRow;

/// All tools, in the order of the list.
pub const TABLES: &[&[ToolRow]] = &[
    me::TOOLS,
    relevance::TOOLS,
    synonyms::TOOLS,
    rules::TOOLS,
    filters::TOOLS,
];
