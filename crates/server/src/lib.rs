//! The interfaces of the service: HTTP, the command line, and the socket through which commands reach a running server.
//!
//! Only this crate knows HTTP, HTML and configuration files; permissions and behaviour are decided in `operations`.

pub mod admin;
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
mod mcp;
mod metrics;
pub mod panel;
mod probes;
mod public;
mod rest;
mod storefront;
mod validation;
mod widget;

pub use catalogue::route;

use http::connection_table::ConnectionTable;
use http::connections::Patience;
use http::in_flight::BodyMemory;
use http::proxies::Proxies;
use http::public_address::PublicAddress;
use metrics::Requests;
use operations::Service;
use std::sync::Arc;
use widget::WidgetFiles;

/// The state that handlers share.
#[derive(Clone)]
pub struct App {
    /// The service.
    pub service: Service,
    proxies: Arc<Proxies>,
    patience: Patience,
    memory: Arc<BodyMemory>,
    connections: Arc<ConnectionTable>,
    requests: Arc<Requests>,
    widget: Arc<WidgetFiles>,
    address: Arc<PublicAddress>,
}
