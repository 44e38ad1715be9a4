//! The search of a snapshot: from a plan to hits, facets and totals.
//!
//! Puts the layers below together: interprets the query, resolves its words, walks through the segments, counts facets,
//! loads the hits of the page, and explains them if wanted. Also what a snapshot says about itself and about words.
//! Documents are matched first, then only the candidates are scored.

mod executor;
mod reports;
mod snapshot_search;
