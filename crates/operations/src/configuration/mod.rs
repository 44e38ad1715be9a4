//! What a store is configured to do: each resource, how a change of it is committed and published, drafts and revisions;
//! and the stores themselves.
//!
//! May import `feed`, `statistics`, `indexing`, `snapshots`, `access` and `runtime`.

pub(crate) mod advised;
pub(crate) mod carried;
pub(crate) mod change;
pub mod drafts;
pub(crate) mod editable;
pub mod file;
pub mod filters;
pub(crate) mod gate;
pub(crate) mod gate_outcomes;
pub mod head;
pub mod hidden_queries;
pub(crate) mod likeness;
pub mod me;
pub(crate) mod precondition;
pub mod proposals;
pub(crate) mod provisional;
pub mod records;
pub mod relevance;
pub(crate) mod revisioned;
pub mod revisions;
pub(crate) mod rules;
pub mod sources;
pub mod stores;
pub mod synonyms;
pub(crate) mod unrevised;
pub mod watched;
pub mod widget;
pub(crate) mod written;
