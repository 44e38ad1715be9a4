//! The tools, one file per resource: their rows, each with the id of its operation, and handlers of a few lines.
//!
//! A handler reads store, record and input from the arguments and calls the operation that REST calls too.

mod analytics;
mod drafts;
mod filters;
mod me;
mod products;
mod proposals;
mod records;
mod relevance;
mod revisions;
mod rules;
mod stores;
mod synonyms;
mod watched;

use super::tool::ToolRow;

/// The tools that every address lists, in the order of the list.
pub const TABLES: &[&[ToolRow]] = &[
    me::TOOLS,
    relevance::TOOLS,
    synonyms::TOOLS,
    rules::TOOLS,
    filters::TOOLS,
];

/// The tools that follow them at an address with `tools=all`.
pub const FURTHER: &[&[ToolRow]] = &[
    filters::FURTHER_READS,
    analytics::TOOLS,
    revisions::TOOLS,
    stores::TOOLS,
    filters::FURTHER_WRITES,
    products::EXPLAIN,
    watched::PREVIEW,
    products::TOOLS,
    watched::READS,
    watched::WRITES,
    drafts::TOOLS,
    proposals::READS,
    proposals::WRITES,
];
