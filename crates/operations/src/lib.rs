//! The rules of the service: who may do what, what an operation does, and what is recorded of it.
//!
//! An operation is a plain function on a [`Service`] and a caller. It authorises the caller first; the permit that this
//! yields opens storage, and the indexer is notified after the commit.

mod access;
mod boot;
pub mod catalogue;
mod configuration;
mod error;
pub mod feed;
pub mod indexing;
mod maintenance;
mod message;
mod runtime;
pub mod search;
mod service;
mod snapshots;
mod statistics;

pub use access::credentials::SessionTimes;
pub use access::preview_slots::PreviewSlot;
pub use access::remembered_keys::REMEMBER_MAX;
pub use access::{accounts, audit, authenticate, keys, people, rates};
pub use configuration::precondition::Precondition;
pub use configuration::records::WriteOutcome;
pub use configuration::revisioned::Revisioned;
pub use configuration::{
    drafts, file, filters, head, hidden_queries, me, proposals, records, relevance, revisions,
    sources, stores, synonyms, watched, widget,
};
pub use engine::{
    AccessError, ClusterAccess, ClusterCredentials, SEARCH_FORMAT, SEARCH_PATIENCE, SEARCH_SHARDS,
};
pub use error::{OperationError, StaleResource, causes};
pub use feed::{import, releases};
pub use indexing::{check, reindex};
pub use maintenance::{backup, jobs, metrics, moving, prepare, store_removal};
pub use message::MESSAGES;
pub use runtime::clock;
pub use runtime::content_hash::content_hash;
pub use runtime::traces;
pub use search::state::MemoryLimits;
pub use search::{
    field_values, impact, names, preview, products, simulator, suggest, widget_config,
};
pub use service::{DataLocations, OPEN_INDEXES_MAX, Readiness, Service, ServiceOptions};
pub use snapshots::snapshot;
pub use statistics::{analytics, events, first_steps, search_log};
pub use storage::{DatabaseUrl, DatabaseUrlError};
