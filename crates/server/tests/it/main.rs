//! The server as its clients see it: a real server on a free port, tested over HTTP, by the command line and by faults.

mod cli;
#[path = "../../../storage/tests/cluster/mod.rs"]
mod cluster;
#[expect(dead_code, reason = "the tests of other crates use more of it")]
#[path = "../../../storage/tests/cluster/each_test.rs"]
mod each_test;
#[cfg(target_os = "linux")]
mod faults;
mod feed;
mod harness;
#[cfg(target_os = "linux")]
mod hostile;
mod http;
mod journeys;
mod mcp;
#[path = "../../../engine/tests/node/nginx.rs"]
mod nginx;
mod on_postgresql;
#[path = "../../../engine/tests/node/address.rs"]
mod opensearch_node;
mod panel;
mod public;
mod rest;
mod storefront;
