//! The interfaces of the service: HTTP, the command line, and the socket through which commands reach a running server.
//!
//! Only this crate knows HTTP, HTML and configuration files; permissions and behaviour are decided in `operations`.

pub mod admin;
mod api;
pub mod boot;
mod catalogue;
pub mod cli;
mod data_dir;
pub mod demo;
mod description;
mod downloads;
mod feed;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod http;
pub mod imports;
mod mcp;
mod message;
mod metrics;
pub mod panel;
mod probes;
mod public;
mod rest;
mod router;
mod sources;
mod start_error;
mod storefront;
pub mod traces;
mod validation;
mod widget;

pub use api::route;
pub use http::app::App;
