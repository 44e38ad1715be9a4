//! Two servers behind nginx with the lines of `docs/scale.md`, where it is installed.
//!
//! 1. All searches of a client are on one server, and so are all calls with one key; several of each are on both.
//! 2. When one server is killed, the other one serves all clients and keys.

use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Client, Reply, eventually};
use crate::nginx::Nginx;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const CLIENTS: usize = 12;
/// nginx before two servers.
pub struct Proxy {
    pub client: Client,
    _nginx: Nginx,
}

impl Proxy {
    /// Starts it before two servers.
    pub fn before(folder: &Path, nodes: [&str; 2]) -> Self {
        let bare = nodes.map(|node| node.trim_start_matches("http://"));
        let lines = documented().replace("10.0.0.11:7700", bare[0]);
        let lines = lines.replace("10.0.0.12:7700", bare[1]);
        let nginx = Nginx::start(folder, |port| {
            format!(
                "{lines} server {{ listen 127.0.0.1:{port}; set_real_ip_from 127.0.0.1; \
                 real_ip_header X-Forwarded-For; location / {{ proxy_pass http://findwell; \
                 proxy_set_header Host search.example; }} }}"
            )
        });
        let client = Client::new(format!("http://127.0.0.1:{}", nginx.port));
        let proxy = Self {
            client,
            _nginx: nginx,
        };
        eventually("a server responds", || {
            let reply = proxy.client.call("GET", "/readyz").try_send();
            reply.is_some_and(|reply| reply.status == 200)
        });
        proxy
    }

    /// A search of the client with this number.
    fn search(&self, keys: &Keys, client: usize) -> Reply {
        let call = self.client.call("GET", "/api/v1/search?q=bota&lang=es");
        let address = format!("192.0.2.{}", client + 1);
        call.key(&keys.search)
            .header("X-Forwarded-For", &address)
            .send()
            .ok()
    }

    /// A call with a key that nobody has, from the client with this number.
    fn call(&self, key: usize, client: usize) -> Reply {
        let address = format!("192.0.2.{}", client + 1);
        let call = self.client.call("GET", "/api/v1/feed/connect");
        let key = format!("con_{key:012}_nobody");
        call.key(&key).header("X-Forwarded-For", &address).send()
    }
}

/// The lines of the documentation.
fn documented() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scale.md");
    let text = fs::read_to_string(path).expect("the documentation");
    let (_, lines) = text.split_once("```nginx\n").expect("lines for nginx");
    let (lines, _) = lines.split_once("```").expect("their end");
    lines.to_owned()
}

/// Which server responded: the ids of its requests begin alike.
pub fn node_of(reply: &Reply) -> String {
    let id = reply.header("X-Request-Id");
    let (node, _) = id.rsplit_once('_').expect("an id");
    node.to_owned()
}

#[test]
fn clients_and_keys_stay_on_their_server() {
    if !Nginx::is_installed("behind_nginx") {
        return;
    }
    let Some(server) = Server::start() else {
        return;
    };
    let keys = Keys::of(&server);
    let (a, mut b) = (server.serve("a"), server.serve("b"));
    keys.prepare(&a.client, &["es"]);
    keys.send(&a.client, "es", &bota("1"));
    for client in [&a.client, &b.client] {
        eventually("both find it", || {
            keys.found(client, "es", "bota") == Some(1)
        });
    }
    let folder = server.file("nginx");
    fs::create_dir(&folder).expect("created");
    let proxy = Proxy::before(&folder, [a.client.base(), b.client.base()]);
    let mut of_clients = BTreeSet::new();
    let mut of_keys = BTreeSet::new();
    for number in 0..CLIENTS {
        let search = node_of(&proxy.search(&keys, number));
        assert_eq!(search, node_of(&proxy.search(&keys, number)));
        of_clients.insert(search);
        let call = node_of(&proxy.call(number, 0));
        assert_eq!(call, node_of(&proxy.call(number, 1)));
        of_keys.insert(call);
    }
    assert_eq!((of_clients.len(), of_keys.len()), (2, 2));
    b.end();
    for number in 0..CLIENTS {
        let left = node_of(&proxy.search(&keys, number));
        assert_eq!(left, node_of(&proxy.call(number, 0)));
    }
}
