//! A cluster behind TLS that lets only those in who say who they are: the node behind nginx, where that is installed.
//!
//! 1. A user with a password and a key of the API are let in; texts are written and found.
//! 2. Another password is refused, and so is a certificate of an authority that was not named; the sentence has no secret.
//! 3. A host that is away is passed over.

use crate::certificates::certify_localhost;
use crate::nginx::Nginx;
use crate::node;
use crate::tents;
use engine::{
    ClusterAccess, ClusterCredentials, Engine, OpenSearchEngine, SEARCH_FORMAT, SEARCH_PATIENCE,
    SEARCH_SHARDS,
};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The user and password `findwell:right`, and the key `k3y`, as headers say them.
const BASIC: &str = "Basic ZmluZHdlbGw6cmlnaHQ=";
const API_KEY: &str = "ApiKey k3y";

/// nginx with TLS before the node.
struct Guarded {
    nginx: Nginx,
    folder: TempDir,
}

impl Guarded {
    /// None where no node runs, or no nginx is installed.
    fn start() -> Option<Self> {
        let address = node::address()?;
        if !Nginx::is_installed("secured") {
            return None;
        }
        let folder = TempDir::new().expect("a folder");
        certify_localhost(folder.path());
        let nginx = Nginx::start(folder.path(), |port| {
            configuration(folder.path(), port, &address)
        });
        Some(Self { nginx, folder })
    }

    fn access(&self, credentials: ClusterCredentials) -> ClusterAccess {
        let authority = fs::read(self.folder.path().join("ca.pem")).expect("a certificate");
        ClusterAccess {
            hosts: vec![format!("https://localhost:{}", self.nginx.port)],
            credentials: Some(credentials),
            authorities: Some(authority),
            prefix: node::prefix(self.folder.path()),
            shards: SEARCH_SHARDS,
            format: SEARCH_FORMAT,
            patience: SEARCH_PATIENCE,
        }
    }
}

fn configuration(folder: &Path, port: u16, node: &str) -> String {
    let place = folder.display();
    format!(
        "client_max_body_size 0; \
         map $http_authorization $is_known {{ default 0; '{BASIC}' 1; '{API_KEY}' 1; }} \
         server {{ listen 127.0.0.1:{port} ssl; \
         ssl_certificate {place}/server.pem; ssl_certificate_key {place}/server.key; \
         location / {{ if ($is_known = 0) {{ return 401; }} proxy_pass {node}; proxy_read_timeout 120s; }} }}"
    )
}

fn user(password: &str) -> ClusterCredentials {
    ClusterCredentials::Basic {
        user: "findwell".to_owned(),
        password: password.to_owned(),
    }
}

fn refused(access: &ClusterAccess) -> String {
    let engine = OpenSearchEngine::new(access).expect("an access");
    engine.check().expect_err("refused").to_string()
}

/// Writes a document and returns how many are found.
fn found(access: &ClusterAccess) -> u64 {
    let engine = OpenSearchEngine::new(access).expect("an access");
    engine.check().expect("a cluster that can be used");
    let spec = tents::spec("secured", 1);
    let index = engine.renew(&spec).expect("an index");
    tents::write(index.as_ref(), 0);
    let found = tents::found(index.as_ref());
    drop(index);
    engine.discard(spec.id).expect("deleted");
    found
}

#[test]
fn passwords_keys_and_certificates_are_those_of_the_cluster() {
    let Some(guarded) = Guarded::start() else {
        return;
    };
    assert_eq!(found(&guarded.access(user("right"))), 1);
    let mut access = guarded.access(ClusterCredentials::ApiKey("k3y".to_owned()));
    access.hosts.insert(0, "https://localhost:1".to_owned());
    assert_eq!(found(&access), 1);

    let sentence = refused(&guarded.access(user("wr0ng")));
    assert!(
        sentence.contains("status 401") && !sentence.contains("wr0ng"),
        "{sentence}"
    );
    let mut access = guarded.access(user("right"));
    access.authorities = None;
    let sentence = refused(&access);
    assert!(
        sentence.to_lowercase().contains("certificate") && !sentence.contains("right"),
        "{sentence}"
    );
}
