//! Hostile requests, documents and connections against a server process: the memory, time and bytes that each may cost,
//! and how much another shop on the same server is affected.
//!
//! Every test starts a server with two stores. The attacker's traffic is deterministic, bounded in count and stays on
//! loopback. Memory is the peak of resident memory (`VmHWM`), compared before and after; the tests run one at a time,
//! so that none measures the cost of another.

mod accounts;
mod bodies;
mod bystander;
mod caching;
mod configurations;
mod connections;
mod documents;
mod files;
mod flight;
mod handles;
mod highlights;
mod indexing;
mod large_store;
mod memory;
pub mod meter;
mod network;
mod ordinals;
mod payload;
mod promptness;
mod queries;
mod readers;
mod searches;
mod table;
mod target;
mod tools;
mod visibility;
mod wire;
mod writers;
