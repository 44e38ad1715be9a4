//! The HTTP client of one request: HTTP/1.1, no proxy, no cookies, no redirects, certificates of the system.

use crate::bounds::FetchBounds;
use crate::lookup::CheckedLookup;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::unversioned::transport::DefaultConnector;

const USER_AGENT: &str = concat!("Findwell/", env!("CARGO_PKG_VERSION"));

/// Creates the client of one request, which has `left` for all of it.
pub(crate) fn agent(bounds: &FetchBounds, lookup: CheckedLookup, left: Duration) -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(USER_AGENT)
        .accept_encoding("gzip")
        .max_idle_connections(0)
        .max_response_header_size(bounds.head_bytes)
        .timeout_global(Some(left))
        .timeout_resolve(Some(bounds.connect))
        .timeout_connect(Some(bounds.connect))
        .timeout_send_request(Some(bounds.connect))
        .timeout_recv_response(Some(bounds.head))
        .timeout_per_read(Some(bounds.slow_window.max(bounds.head)))
        .tls_config(tls())
        .build();
    Agent::with_parts(config, DefaultConnector::default(), lookup)
}

fn tls() -> TlsConfig {
    static ROOTS: OnceLock<RootCerts> = OnceLock::new();
    let roots = ROOTS.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs();
        let certificates = found.certs.iter();
        let certificates: Vec<_> = certificates
            .map(|one| Certificate::from_der(one).to_owned())
            .collect();
        RootCerts::new_with_certs(&certificates)
    });
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(roots.clone())
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}
