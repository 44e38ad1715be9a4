//! The engine over a cluster of OpenSearch: what it writes, and how it executes a plan by requests.
//!
//! It compiles and decides nothing: what matches, what it scores and what facets show comes as data from `query` and
//! `facet_policy`. From below: `access`, `client`, `copies` reach the cluster; `fields`, `queries`, `phrases` are the forms of what is
//! written and asked; `mapping`, `document`, `bulk`, `generation` write an index; `search`, `suggesting`, `lookups`, `visible`
//! look up what a plan means; `clauses`, `tiers`, `prices`, `filters`, `rules`, `ranking` make its query; `hits`, `explain`,
//! `facet_values`, `facets` read responses; `execution`, `executor`, `snapshot`, `index`, `engine` put them together; `startup` checks a cluster.

pub mod access;
mod bulk;
mod clauses;
pub mod client;
mod copies;
mod document;
mod engine;
mod execution;
mod executor;
mod explain;
mod facet_values;
mod facets;
mod facts;
mod fields;
mod filters;
mod generation;
mod hits;
mod index;
mod lookups;
mod mapping;
mod phrases;
mod prices;
mod queries;
mod ranking;
#[cfg(test)]
mod request_snapshots;
mod rules;
mod search;
mod snapshot;
pub mod startup;
mod suggesting;
mod tiers;
mod visible;

pub use access::{AccessError, ClusterAccess, ClusterCredentials, PATIENCE, SHARDS};
pub use engine::OpenSearchEngine;
pub use generation::FORMAT;
