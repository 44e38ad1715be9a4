//! The address of the server as its clients call it: what the operator names, else that of each request.

use super::failure::Failure;
use super::proxies::Proxies;
use crate::message;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use domain::Invalid;

/// Path of the API.
const API: &str = "/api/v1";

/// The address of the server, if the operator names it.
#[derive(Clone, Debug, Default)]
pub struct PublicAddress(Option<String>);

impl PublicAddress {
    /// Takes the address that the operator names, without the path of the API.
    pub fn new(named: Option<String>) -> Self {
        Self(named)
    }

    /// Returns the address of the API if the operator names it.
    pub fn named_api(&self) -> Option<String> {
        self.0.as_ref().map(|address| format!("{address}{API}"))
    }

    /// Returns the address of the API for clients that know the server: its path, if the operator names none.
    pub fn api(&self) -> String {
        self.named_api().unwrap_or_else(|| API.to_owned())
    }
}

/// Returns the address of the API as a request calls it, by its `Host` and the scheme that a trusted proxy forwards.
///
/// Errors: 400 for a `Host` that is none.
pub fn api_of_request(parts: &Parts, proxies: &Proxies) -> Result<String, Failure> {
    let mut hosts = parts.headers.get_all(HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().unwrap_or_default(),
        _ => "",
    };
    let valid = host
        .parse::<Authority>()
        .is_ok_and(|authority| !authority.host().is_empty() && !host.contains('@'));
    if !valid {
        let reason = message::request::host_missing();
        return Err(Failure::invalid(vec![Invalid::new("header.Host", reason)]));
    }
    let scheme = match proxies.forwards_https(parts) {
        true => "https",
        false => "http",
    };
    Ok(format!("{scheme}://{host}{API}"))
}
