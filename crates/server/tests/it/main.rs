//! The server as its clients see it: a real server on a free port, tested over HTTP, by the command line and by faults.

mod cli;
#[path = "../../../storage/tests/cluster/mod.rs"]
mod cluster;
#[cfg(target_os = "linux")]
mod faults;
mod feed;
mod harness;
#[cfg(target_os = "linux")]
mod hostile;
mod http;
mod journeys;
mod mcp;
#[path = "../../../engine/tests/node/address.rs"]
mod opensearch_node;
mod panel;
mod public;
mod rest;
mod storefront;
