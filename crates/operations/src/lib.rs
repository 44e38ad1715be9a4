//! The rules of the service: who may do what, what an operation does, and what is recorded of it.
//!
//! An operation is a plain function on a [`Service`] and a caller. It authorises the caller first; the permit that this
//! yields opens storage, and the indexer is notified after the commit.

pub mod accounts;
pub mod audit;
pub mod authenticate;
mod background;
pub mod backup;
mod boot;
mod bounded_cache;
pub mod catalogue;
mod change;
pub mod check;
pub mod clock;
mod compiled;
mod content_hash;
mod counters;
mod error;
mod failed_attempts;
pub mod feed;
pub mod filters;
mod ids;
pub mod import;
pub mod indexing;
pub mod jobs;
mod key_text;
pub mod keys;
mod last_uses;
mod limiter;
pub mod me;
mod minute_counters;
mod precondition;
mod ranking;
pub mod rates;
pub mod records;
pub mod reindex;
pub mod releases;
pub mod relevance;
mod responses;
mod revisioned;
pub mod revisions;
pub mod rules;
mod seal;
pub mod search;
mod searches;
mod service;
pub mod simulator;
mod single_flight;
pub mod snapshot;
mod states;
pub mod statistics;
pub mod stores;
pub mod suggest;
mod sweeper;
pub mod synonyms;
mod unknown_keys;
mod visitor;
pub mod widget;

pub use bounded_cache::CacheUsage;
pub use content_hash::content_hash;
pub use error::{OperationError, codes};
pub use precondition::Precondition;
pub use records::WriteOutcome;
pub use revisioned::Revisioned;
pub use service::{MemoryLimits, OPEN_INDEXES_MAX, Readiness, Service, ServiceOptions};
