//! The tool server: operations as tools of the Model Context Protocol, at `/mcp` (`docs/mcp.md`).
//!
//! A tool is an operation of the catalogue whose ids and input are arguments in one flat object.

mod address;
mod arguments;
mod brevity;
mod call;
mod definition;
mod gate;
mod handler;
mod lenient;
mod listing;
mod message;
mod outcome;
mod paging;
mod projection;
mod references;
mod rejection;
mod resources;
mod schema;
mod tool;
mod tools;
mod truncation;

use crate::App;
use axum::Router;
use axum::middleware::from_fn_with_state;
use domain::limits::BODY_BYTES_MAX;
use handler::Tools;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// The paths of the tool server. Some clients add a slash, and do not follow a redirect of a POST.
const PATHS: [&str; 2] = ["/mcp", "/mcp/"];

/// Host names of a server on this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Origins of pages served by this machine.
const LOOPBACK_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Allowed hosts and origins of the tool server, a protection against DNS rebinding.
#[derive(Clone, Debug, Default)]
pub struct ToolServer {
    /// Hosts, with or without port, in addition to those of this machine.
    pub hosts: Vec<String>,
    /// Origins, such as `https://agent.example:443`, in addition to those of this machine.
    pub origins: Vec<String>,
}

impl ToolServer {
    /// Returns all allowed hosts.
    pub fn all_hosts(&self) -> Vec<String> {
        let named = self.hosts.iter().cloned();
        LOOPBACK
            .map(str::to_owned)
            .into_iter()
            .chain(named)
            .collect()
    }

    /// Returns all allowed origins.
    pub fn all_origins(&self) -> Vec<String> {
        let named = self.origins.iter().cloned();
        let own = LOOPBACK_ORIGINS.map(str::to_owned).into_iter();
        own.chain(named).collect()
    }
}

/// Returns the routes of the tool server. Every request needs a key.
pub fn paths(app: App, server: &ToolServer) -> Router<App> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_allowed_hosts(server.all_hosts())
        .with_allowed_origins(server.all_origins())
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES_MAX);
    let handler = Tools::new(app.clone());
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    let routes = PATHS.iter().fold(Router::new(), |routes, path| {
        routes.route_service(path, service.clone())
    });
    routes.route_layer(from_fn_with_state(app, gate::admit))
}
