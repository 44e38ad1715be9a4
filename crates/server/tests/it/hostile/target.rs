//! A server process with two stores: one that attacks, and a bystander that must not be affected.

use super::meter::Meter;
use crate::harness::{
    Binary, Call, Client, Reply, command, copy_folder, eventually, findwell, product,
};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Only one target is measured at a time.
static TURN: Mutex<()> = Mutex::new(());

/// A store and its keys.
#[derive(Clone, Debug)]
pub struct Tenant {
    pub store: String,
    /// A configuration key that may write.
    pub write_key: String,
    /// The connector key.
    pub connector: String,
    /// The search-only key of its pages.
    pub public: String,
}

/// A running server with two stores; both have an index of products in `es`.
pub struct Target {
    pub server: Binary,
    pub pid: u32,
    pub attacker: Tenant,
    pub bystander: Tenant,
    start: Start,
    pub dir: TempDir,
    _turn: Option<MutexGuard<'static, ()>>,
}

/// Options for starting a server.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Options of `serve`.
    pub options: Vec<&'static str>,
    /// A shell command to run first, such as setting a limit.
    pub before: &'static str,
    /// Whether other targets may be measured meanwhile: only for a target that mostly waits.
    pub beside_others: bool,
    /// Whether its data lies in memory, where the system has a folder for that, so that no measured time is the disk's.
    pub in_memory: bool,
}

/// The folder of Linux that is in memory.
const MEMORY: &str = "/dev/shm";
/// Free bytes that it must have; containers often have less.
const MEMORY_MIN: u64 = 1 << 30;

fn folder(in_memory: bool) -> TempDir {
    let free = rustix::fs::statvfs(MEMORY).map(|about| about.f_bavail * about.f_frsize);
    let dir = match free {
        Ok(free) if in_memory && free >= MEMORY_MIN => TempDir::new_in(MEMORY),
        _ => TempDir::new(),
    };
    dir.expect("a directory")
}

impl Target {
    /// A server with default options.
    pub fn open() -> Self {
        Self::started(Start::default())
    }

    /// A server started with these options.
    pub fn started(start: Start) -> Self {
        let turn = || TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = (!start.beside_others).then(turn);
        let dir = folder(start.in_memory);
        let (server, pid) = serve(dir.path(), &start);
        let attacker = Tenant::create(dir.path(), &server.client, "Attacker");
        let bystander = Tenant::create(dir.path(), &server.client, "Bystander");
        let products: Vec<Value> = (0..100)
            .map(|at| product(&at.to_string(), &format!("Bota {at}")))
            .collect();
        let sent = bystander.bulk(&server.client, "es", &products).send().ok();
        assert_eq!(sent.data()["accepted"], 100, "{sent:?}");
        eventually("the bystander's products are found", || {
            bystander.total(&server.client, "bota") == 100
        });
        Self {
            server,
            pid,
            attacker,
            bystander,
            start,
            dir,
            _turn: turn,
        }
    }

    /// A client of the server.
    pub fn client(&self) -> &Client {
        &self.server.client
    }

    /// Measures its memory from now on.
    pub fn meter(&self) -> Meter {
        Meter::of(self.pid)
    }

    /// Kills the server and restarts it on the same data.
    pub fn restart(&mut self) {
        self.server.end();
        self.start_again();
    }

    /// Restarts the server, which has exited, on the same data.
    pub fn start_again(&mut self) {
        (self.server, self.pid) = serve(self.dir.path(), &self.start);
    }

    /// Backs its data up while it runs; [`Self::start_from`] starts it from there.
    pub fn back_up(&self) -> TempDir {
        let saved = folder(self.start.in_memory);
        let to = saved.path().to_str().expect("a path in UTF-8");
        let backup = findwell(self.dir.path(), &["backup", to]);
        assert_eq!(backup.status, 0, "{backup:?}");
        let [from, to] = [self.dir.path(), saved.path()].map(|dir| dir.join("master.key"));
        std::fs::copy(from, to).expect("the key");
        saved
    }

    /// Kills the server and starts it on a copy of the data that was `saved`.
    pub fn start_from(&mut self, saved: &TempDir) {
        self.server.end();
        let dir = folder(self.start.in_memory);
        copy_folder(saved.path(), dir.path());
        self.dir = dir;
        self.start_again();
    }

    /// Whether the server reports that it is ready.
    pub fn is_ready(&self) -> bool {
        self.client().call("GET", "/readyz").send().status == 200
    }

    /// A request for `path` below `/api/v1` with the key `key`.
    pub fn api(&self, method: &'static str, path: &str, key: &str) -> Call<'_> {
        self.client()
            .call(method, format!("/api/v1{path}"))
            .key(key)
    }

    /// A request for `path` below the attacker's store.
    pub fn own(&self, method: &'static str, path: &str) -> Call<'_> {
        let Tenant {
            store, write_key, ..
        } = &self.attacker;
        self.api(method, &format!("/stores/{store}{path}"), write_key)
    }

    /// Sends products to the attacker's store; the block must be accepted.
    pub fn bulk(&self, documents: &[Value]) -> Reply {
        retrying(|| self.attacker.bulk(self.client(), "es", documents).send()).ok()
    }

    /// Searches with the attacker's public key.
    pub fn search(&self, body: &Value) -> Reply {
        self.api("POST", "/search", &self.attacker.public)
            .json(body)
            .send()
    }
}

/// Sends until the response is not 503, which must say when to retry.
pub fn retrying(send: impl Fn() -> Reply) -> Reply {
    let mut reply = send();
    for _ in 0..100 {
        if reply.status != 503 {
            break;
        }
        assert_ne!(reply.header("retry-after"), "", "{reply:?}");
        std::thread::park_timeout(std::time::Duration::from_millis(100));
        reply = send();
    }
    reply
}

fn serve(data: &Path, start: &Start) -> (Binary, u32) {
    let arguments = [&["serve", "--listen", "127.0.0.1:0"], &start.options[..]].concat();
    let mut serve = command(data, &arguments);
    if !start.before.is_empty() {
        serve = by_shell(start.before, &serve);
    }
    let child = serve
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let pid = child.id();
    (Binary::of(child), pid)
}

/// `command` run by a shell after `before`; it stays the same process.
fn by_shell(before: &str, command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &format!("{before} && exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear();
    for (name, value) in command.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

impl Tenant {
    /// Creates a store on the server that owns `data`, with an index of products in `es`.
    pub fn create(data: &Path, client: &Client, name: &str) -> Self {
        let created = findwell(
            data,
            &["store", "create", "--name", name, "--language", "es"],
        );
        let store = created.line().to_owned();
        let mut words = created.stderr.split_whitespace();
        let connector = words.find_map(|word| word.find("con_").map(|at| word[at..].to_owned()));
        let connector = connector.expect("the connector's key");
        let arguments = ["key", "create", "--store", &store, "--kind"];
        let kind = ["configuration", "--scope", "config:write"];
        let write_key = findwell(data, &[&arguments[..], &kind].concat());
        let mut tenant = Self {
            write_key: write_key.line().to_owned(),
            store,
            connector,
            public: String::new(),
        };
        let indexes =
            json!({"types": ["products"], "languages": [{"code": "es", "default": true}]});
        tenant.feed(client, "/indices", &indexes).send().ok();
        let issued = tenant.feed(client, "/public-key", &json!({"instanceId": "one"}));
        let key = issued.send().ok().data()["publicKey"].clone();
        tenant.public = key.as_str().expect("a key").to_owned();
        tenant
    }

    /// A request with its connector key.
    pub fn feed<'a>(&self, client: &'a Client, path: &str, body: &Value) -> Call<'a> {
        let call = client.call("POST", format!("/api/v1/feed{path}"));
        call.key(&self.connector).json(body)
    }

    /// A block of products.
    pub fn bulk<'a>(&self, client: &'a Client, language: &str, documents: &[Value]) -> Call<'a> {
        let body = json!({"language": language, "documents": documents});
        self.feed(client, "/products/bulk", &body)
    }

    /// Returns the number of products that a shopper finds with `q`.
    pub fn total(&self, client: &Client, q: &str) -> u64 {
        let call = client.call("POST", "/api/v1/search").key(&self.public);
        let body = json!({"q": q, "types": ["products"], "limit": 1});
        let reply = call.json(&body).send().ok();
        let total = reply.data()["products"]["total"].as_u64();
        total.expect("a number")
    }
}
