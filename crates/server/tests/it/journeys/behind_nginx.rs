//! Two servers behind nginx with the lines of `docs/scale.md`, where it is installed.
//!
//! 1. All searches of a client are on one server, and so are all calls with one key; several of each are on both.
//! 2. When one server is killed, the other one serves all clients and keys.

use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Client, Reply, eventually};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const CLIENTS: usize = 12;
/// Debian's place, which is not in the path of everybody.
const PROGRAM: &str = "/usr/sbin/nginx";

/// A running nginx; stopped with this.
struct Nginx {
    process: Child,
    client: Client,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It is told to end, so that its workers end, too.
        let process = self.process.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &process]).status();
        let _ = self.process.wait();
    }
}

impl Nginx {
    /// Starts it before two servers.
    fn before(folder: &Path, nodes: [&str; 2]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let bare = nodes.map(|node| node.trim_start_matches("http://"));
        let lines = documented().replace("10.0.0.11:7700", bare[0]);
        let lines = lines.replace("10.0.0.12:7700", bare[1]);
        let place = folder.display();
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {place}/{name};"))
            .concat();
        let text = format!(
            "daemon off; pid {place}/pid; events {{}} http {{ access_log off; {places} {lines} \
             server {{ listen 127.0.0.1:{port}; set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; \
             location / {{ proxy_pass http://findwell; }} }} }}"
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, text).expect("written");
        let process = Command::new(PROGRAM)
            .args(["-e", "stderr", "-g", "error_log stderr;", "-c"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx starts");
        let client = Client::new(format!("http://127.0.0.1:{port}"));
        let nginx = Self { process, client };
        eventually("nginx responds", || {
            let reply = nginx.client.call("GET", "/readyz").try_send();
            reply.is_some_and(|reply| reply.status == 200)
        });
        nginx
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
fn node_of(reply: &Reply) -> String {
    let id = reply.header("X-Request-Id");
    let (node, _) = id.rsplit_once('_').expect("an id");
    node.to_owned()
}

#[test]
fn clients_and_keys_stay_on_their_server() {
    if !Path::new(PROGRAM).exists() {
        let _ = io::stderr().write_all(b"SKIPPED: behind_nginx, because nginx is not installed\n");
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
    let nginx = Nginx::before(&folder, [a.client.base(), b.client.base()]);
    let mut of_clients = BTreeSet::new();
    let mut of_keys = BTreeSet::new();
    for number in 0..CLIENTS {
        let search = node_of(&nginx.search(&keys, number));
        assert_eq!(search, node_of(&nginx.search(&keys, number)));
        of_clients.insert(search);
        let call = node_of(&nginx.call(number, 0));
        assert_eq!(call, node_of(&nginx.call(number, 1)));
        of_keys.insert(call);
    }
    assert_eq!((of_clients.len(), of_keys.len()), (2, 2));
    b.end();
    for number in 0..CLIENTS {
        let left = node_of(&nginx.search(&keys, number));
        assert_eq!(left, node_of(&nginx.call(number, 0)));
    }
}
